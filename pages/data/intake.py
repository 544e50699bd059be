"""How data come in: the demonstration survey in one click, files of one's own, or files of the server's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.codebook import ALONE, lying_beside
from disclosure_core.data.readers import ReadOptions, folder_file, folder_files, prepare, whole
from disclosure_core.engines.sources import open_outside, open_sets, open_source
from disclosure_core.review.opening import start, start_engine
from disclosure_core.review.other_files import with_settings_of
from disclosure_core.review.parts import SYNTHETIC
from disclosure_core.review.reading import read_holdout
from disclosure_core.rounding import visible
from pages.data import saved_review, sets
from pages.data.replacing import open_instead
from pages.server import allowance, configuration, streamlit_private
from pages.shared import handing, show
from pages.shared.holdout import WHO
from pages.shared.session import begin, session, show_in, shown_by
from pages.shared.starting import begin_demonstration

if TYPE_CHECKING:
    from disclosure_core.review.value import Review
    from pages.shared.open_review import Session

    Source = tuple[str, Callable[[], bytes]]

_CHOICES: Mapping[str, Mapping[str, Any]] = {
    "delimiter": {"found out": None, "comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"},
    "encoding": {
        "found out": None,
        "UTF-8": "utf-8",
        "UTF-16": "utf-16",
        "Windows-1252": "cp1252",
        "Latin 1": "latin-1",
        "DOS 850": "cp850",
    },
    "decimal": {"found out": None, "point": ".", "comma": ","},
    "quote": {'"': None, "'": "'"},
    "header": {"found out": None, "in the first row": True, "none": False},
}
_CHOSEN = {
    "delimiter": "Delimiter",
    "encoding": "Encoding",
    "decimal": "Decimal mark",
    "quote": "Quote",
    "header": "Row of names",
}
"""What each choice is called."""


OUTSIDE = "People outside, if you have them"


def bring() -> None:
    """Offer every way in; folded away where data are open."""
    s = session()
    if s.opened is None:
        _ways(s)
        return
    with st.expander(  # of one review: where another was opened it is another one, and closed
        "Open other data",
        bool(s.refused) or s.opening is not None,
        icon=":material/folder_open:",
        key=f"data.other.{handing.identity()}",
    ):
        _ways(s)


def read_without_names(s: Session) -> None:
    """Offer to read the files again where the first row of each, read as names, looks like a record."""
    if s.prepared != tuple(r.name for r in s.readings) or not all(r.asks_of_names for r in s.readings):
        return

    def again() -> None:
        show_in("upload.header", "none")
        s.reading_again = True

    if s.readings:
        st.button(
            "Read the files again, the first row as a record",
            key="data.no_names",
            icon=":material/replay:",
            on_click=again,
            help="The columns are called V1, V2 … then. The files stay as they are.",
        )


def _ways(s: Session) -> None:
    if configuration.demonstration_only():
        _demonstration(s)
        st.info("This server shows the demonstration survey; nobody can bring files.", icon=":material/school:")
        return
    of_office = configuration.office_folder() is not None
    if of_office:  # who opened a folder goes on with what is in it
        saved_review.ask(s)
    else:
        _demonstration(s)
    with st.expander("Your own files", expanded=s.opened is None or bool(s.refused), icon=":material/folder_open:"):
        _files()
    _engines()
    if of_office:
        _demonstration(s)
    else:
        saved_review.ask(s)


def _demonstration(s: Session) -> None:
    """Offer the demonstration survey."""
    primary = s.opened is None and configuration.office_folder() is None
    with st.container(border=s.opened is None):
        if s.opened is None:
            st.markdown(
                "**First time here?** The demonstration survey holds 5,000 fictional people and five syntheses of them."
            )
        if st.button("Open the demonstration survey", type="primary" if primary else "secondary", key="data.demo"):
            open_instead(s, "the demonstration survey", begin_demonstration)


def _engines() -> None:
    """Offer the sources that the operator named; their data stay where they are."""
    named = {source.name: source for source in configuration.engines()}
    if not named:
        return
    s = session()
    with st.expander("Data that stay in their engine", expanded=s.opened is None, icon=":material/database:"):
        st.caption(
            "Named by the operator, who may allow that single records are shown. They are counted where they are. None "
            "is kept but those that a safeguard removes or blanks, in DuckDB, while it is taken."
        )
        name = st.selectbox("Source", list(named), key="upload.engine", persist_state="session")

        def ask_it() -> None:
            source = named[name]
            unwanted = streamlit_private.end_if_unwanted
            sets = open_sets(source, unwanted) if source.sets else {SYNTHETIC: open_source(source, unwanted)}
            outside = open_outside(source, next(iter(sets.values())))
            begin(start_engine(sets, name, outside, random=source.holdout_is_random))

        if st.button("Open it", key="upload.open_engine", disabled=not name) and name:
            open_instead(s, name, ask_it)


def _files() -> None:
    """Ask for an original and synthetic files, and for people outside; start with them when told to."""
    folder = configuration.folder()
    original, chosen, outside = _uploads() if folder is None else _uploads_or_folder()
    synthetic = [file for file in chosen if not file[0].lower().endswith(ALONE)]
    beside = [file for file in chosen if file not in synthetic]
    if beside:
        listed = ", ".join(show.literal(name) for name, _ in beside)
        st.caption(f"Holds no records, and is offered as the codebook once the data are open: {listed}")
    s = session()
    names = tuple(name for name, _ in (*([original] if original else ()), *synthetic))
    if names != s.prepared:
        prepare(
            *names, limits=configuration.limits()
        )  # what reads them loads its libraries while the next file is chosen
        s.prepared = names
    if outside:
        prepare(outside[0], limits=configuration.limits())
    grouped = sets.ask([name for name, _ in synthetic])
    options = _options()
    with_settings = s.opened is not None and st.toggle(
        "Use the settings of the open review",
        key="data.with_settings",
        persist_state="session",
        help="The open review's keys, targets, groups, exclusions with their reasons, limits and safeguards. What does "
        "not fit is listed; verdicts are to be confirmed where a figure is another.",
    )
    pressed = st.button(
        "Compare these files",
        type="primary",
        disabled=not (original and synthetic and grouped),
        key="upload.compare",
    )
    ready = original and synthetic and grouped
    given = (tuple(name for name, _ in synthetic), outside[0] if outside else "", options)
    wanted = (original[0], *given) if original and ready else None
    settings = s.review if with_settings else None

    def read_them() -> None:
        s.reading = wanted

    if pressed and wanted is not None:
        open_instead(s, f"{wanted[0]} and its syntheses", read_them)
    if s.reading_again and wanted is not None:
        s.reading_again = False
        if s.unsaved:
            open_instead(s, f"{wanted[0]} without a row of names", read_them)
        else:
            read_them()
    # Also where a touch of a widget ended the run that was reading.
    if original and s.reading is not None and s.reading == wanted:
        try:
            files = {name: [synthetic[i] for i in places] for name, places in (grouped or {}).items()}
            _begin(original, files, outside, options, settings, beside)
        except DisclosureError as error:
            s.reading, s.refused = None, str(error)
        except Exception:
            s.reading = None
            raise
        else:
            st.rerun()
    else:
        s.reading = None  # other files were chosen since
    if s.refused:
        still = "" if s.study is None else f" Nothing was taken: {s.source} is still under review."
        st.error(show.literal(s.refused + still), icon=":material/error:")


def _uploads() -> tuple[Source | None, list[Source], Source | None]:
    """Ask for files from the visitor's machine."""
    # Any ending may come: the sentence on one that cannot be read says more than the uploader does.
    left, right = st.columns(2)
    original = left.file_uploader(
        "Original data",
        key="upload.original",
        help="The confidential records, one person a row. They stay in this server's memory and end with your tab.",
        on_change=_of_another_original,
    )
    synthetic = right.file_uploader(
        "Synthetic data",
        accept_multiple_files=True,
        key="upload.synthetic",
        help="One file a synthesis of the same original; or one file that holds several (a zip, a list in R, a synds).",
    )
    outside = st.file_uploader(OUTSIDE, key=_outside_key(), help=WHO)
    st.caption(
        "CSV and other text, Excel, OpenDocument, SPSS, Stata, SAS, R, Parquet, Arrow; also packed as .gz or .zip."
    )
    allowance.say_left()
    found, others = ((file.name, file.getvalue) if file is not None else None for file in (original, outside))
    return found, [(file.name, file.getvalue) for file in synthetic], others


def _outside_key() -> str:
    """Return the key of the field for people outside: a new field for each time that its file was taken out."""
    times = session().outsides
    return f"upload.outside_{times}" if times else "upload.outside"


def _of_another_original() -> None:
    """Take the people outside of the open review out of the form: they are none of another original."""
    s, chosen, there = session(), shown_by("upload.original"), shown_by(_outside_key())
    in_folder, there_in_folder = shown_by("upload.folder_original"), shown_by("upload.folder_outside")
    theirs = None if s.opened is None or s.review.holdout is None else s.review.holdout.file
    if theirs is None:
        return
    if chosen is not None and there is not None and there.name == theirs.name:
        s.outsides += 1
    elif in_folder and there_in_folder == theirs.name:
        show_in("upload.folder_outside", None)
    else:
        return
    s.messages += (f"{theirs.name} holds people outside of the data that are open: give those of the new files.",)


def _uploads_or_folder() -> tuple[Source | None, list[Source], Source | None]:
    """Ask whether the files come from the visitor's machine or from the operator's folder, and for them."""
    folder = configuration.folder()
    of_office = configuration.office_folder() is not None
    here, there = (
        "On this computer",
        f"In the folder {folder.name}" if of_office and folder else "In the server's folder",
    )
    where = st.radio(
        "Where are the files?",
        [there, here] if of_office else [here, there],
        format_func=show.literal,  # of a radio button, Markdown is none
        horizontal=True,
        key="upload.where",
        persist_state="session",
    )
    if where == here or folder is None:
        return _uploads()
    names = folder_files(folder)
    if not names:
        st.info(
            "The folder holds no data file: put the original and the synthetic files there, and load the page again."
            if of_office
            else "The server's folder holds no data file; ask the operator to put it there."
        )
        return None, [], None
    left, right = st.columns(2)
    original = left.selectbox(
        "Original data",
        names,
        index=None,
        format_func=visible,
        key="upload.folder_original",
        persist_state="session",
        placeholder="Choose",
        on_change=_of_another_original,
    )
    synthetic = right.multiselect(
        "Synthetic data, and their codebook" if (books := lying_beside(folder)) else "Synthetic data",
        [*names, *books],
        format_func=visible,
        select_all=False,
        key="upload.folder_synthetic",
        persist_state="session",
        placeholder="Choose",
    )

    outside = st.selectbox(
        OUTSIDE,
        names,
        index=None,
        format_func=visible,
        key="upload.folder_outside",
        persist_state="session",
        placeholder="Choose",
        help=WHO,
    )

    def source(name: str) -> Source:
        there = folder / name if name in books else folder_file(folder, name)
        return name, lambda: whole(there, name, configuration.limits())

    found, others = (source(name) if name else None for name in (original, outside))
    return found, [source(name) for name in synthetic], others


def _options() -> ReadOptions:
    """Ask how text files and workbooks are to be read, where what was found out is wrong."""
    fold = st.expander("If a file was read wrongly", icon=":material/build:", key="upload.options", on_change="rerun")
    if fold.open:
        with fold:
            st.caption("Delimiter, encoding and decimal mark are found out. Correct them here, and compare again.")
            for place, (what, label) in zip(st.columns(5), _CHOSEN.items(), strict=True):
                place.selectbox(label, list(_CHOICES[what]), key=f"upload.{what}", persist_state="session")
            st.text_input("Sheet of a workbook", placeholder="The first", key="upload.sheet", persist_state="session")
    delimiter, encoding, decimal, quote, header = (
        values[shown_by(f"upload.{what}") or next(iter(values))] for what, values in _CHOICES.items()
    )
    sheet = shown_by("upload.sheet") or None
    return ReadOptions(delimiter=delimiter, quote=quote, encoding=encoding, decimal=decimal, sheet=sheet, header=header)


def _begin(
    original: Source,
    named: Mapping[str, Sequence[Source]],
    outside: Source | None,
    options: ReadOptions,
    settings: Review | None,
    beside: Sequence[Source],
) -> None:
    """Read the files one by one, saying which, and start with them, asking what `settings` ask."""
    with st.status("Reading the files …") as status:
        files = {of: [(name, data()) for name, data in sources] for of, sources in named.items()}

        def told(sentence: str, queued: bool) -> None:
            status.update(
                label=show.WAITING if queued else show.literal(sentence)
            )  # where nobody listens any more, it ends here

        prepared = session().prepared  # for files that are read by now
        opened = start((original[0], original[1]()), files, options, configuration.limits(), told)
        if outside:
            reading = partial(told, f"Reading {outside[0]} …")
            of_review = opened.review
            found = read_holdout(outside[0], outside[1](), options, configuration.limits(), reading, beside=of_review)
            opened = opened.with_holdout(*found)
        came_with = tuple((name, data()) for name, data in beside)
        used = None if settings is None else with_settings_of(settings, opened)
        new = begin(opened) if used is None else begin(used, opened.review)
        new.prepared, new.came_with = prepared, came_with
        if used is not None:
            new.tell("The settings of the review before are used on these files.", used.differences)
        status.update(label="Ready", state="complete")
