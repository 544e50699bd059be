"""How data come in: the demonstration survey in one click, files of one's own, or files of the server's folder."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError, Settings, Study, demo, meaning
from disclosure_core.readers import Reading, ReadOptions, folder_file, folder_files, read
from disclosure_core.sources import open_source
from pages.parts import configuration, show
from pages.parts.session import begin, session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Source = tuple[str, Callable[[], bytes]]

DEMONSTRATION = "the demonstration survey"

_CHOICES = {
    "Delimiter": {"found out": None, "comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"},
    "Encoding": {
        "found out": None,
        "UTF-8": "utf-8",
        "UTF-16": "utf-16",
        "Windows-1252": "cp1252",
        "Latin 1": "latin-1",
    },
    "Decimal mark": {"found out": None, "point": ".", "comma": ","},
    "Quote": {'"': None, "'": "'"},
}


@st.cache_resource(show_spinner=False)
def _demonstration() -> Study:
    """Return the demonstration survey, read once for everybody: it is public, and a study does not change."""
    return demo.study()


def begin_demonstration() -> None:
    """Start with the demonstration survey and keys that suit it."""
    begin(_demonstration(), DEMONSTRATION, Settings(keys=demo.KEYS, groups=demo.GROUPS))


def begin_if_asked() -> None:
    """Start with the demonstration survey where the program was started with --demo and nothing else is open."""
    if session().study is None and "--demo" in sys.argv[1:]:
        begin_demonstration()


def engines() -> None:
    """Offer the sources that the operator named; their data stay where they are."""
    named = {source.name: source for source in configuration.engines()}
    if not named:
        return
    with st.expander("Data that stay in their engine", expanded=session().study is None, icon=":material/database:"):
        st.caption("Named by the operator. The engine counts; no record comes here, so lists of records are not shown.")
        name = st.selectbox("Source", list(named), key="upload.engine")
        if st.button("Open it", key="upload.open_engine", disabled=not name) and name:
            with st.spinner("Asking the engine …"):
                begin(open_source(named[name]), name, Settings())
            st.rerun()


def files() -> None:
    """Ask for an original and synthetic files, and start with them when told to."""
    folder = configuration.folder()
    original, synthetic = _uploads() if folder is None else _uploads_or_folder()
    options = _options()
    pressed = st.button(
        "Compare these files", type="primary", disabled=not (original and synthetic), key="upload.compare"
    )
    s = session()
    if pressed and original:
        try:
            _begin(original, synthetic, options)
        except DisclosureError as error:
            s.refused = str(error)
        else:
            st.rerun()
    if s.refused:
        still = "" if s.study is None else f" Nothing was taken: {s.source} is still under review."
        st.error(show.literal(s.refused + still), icon=":material/error:")


def _uploads() -> tuple[Source | None, list[Source]]:
    """Ask for files from the visitor's machine."""
    # Any ending may come: the sentence on one that cannot be read says more than the uploader does.
    left, right = st.columns(2)
    original = left.file_uploader(
        "Original data",
        key="upload.original",
        help="The confidential records, one person a row. They stay in this server's memory and end with your tab.",
    )
    synthetic = right.file_uploader(
        "Synthetic data",
        accept_multiple_files=True,
        key="upload.synthetic",
        help="One file a synthesis of the same original; or one file that holds several (a zip, a list in R, a synds).",
    )
    st.caption(
        "CSV and other text, Excel, OpenDocument, SPSS, Stata, SAS, R, Parquet, Arrow; also packed as .gz or .zip."
    )
    found = (original.name, original.getvalue) if original is not None else None
    return found, [(file.name, file.getvalue) for file in synthetic]


def _uploads_or_folder() -> tuple[Source | None, list[Source]]:
    """Ask whether the files come from the visitor's machine or from the operator's folder, and for them."""
    where = st.radio(
        "Where are the files?", ["On this computer", "In the server's folder"], horizontal=True, key="upload.where"
    )
    folder = configuration.folder()
    if where == "On this computer" or folder is None:
        return _uploads()
    names = folder_files(folder)
    if not names:
        st.info("The server's folder holds no data file; ask the operator to put it there.")
        return None, []
    left, right = st.columns(2)
    original = left.selectbox("Original data", names, index=None, key="upload.folder_original", placeholder="Choose")
    synthetic = right.multiselect("Synthetic data", names, key="upload.folder_synthetic", placeholder="Choose")

    def source(name: str) -> Source:
        return name, lambda: folder_file(folder, name).read_bytes()

    return source(original) if original else None, [source(name) for name in synthetic]


def _options() -> ReadOptions:
    """Ask how text files and workbooks are to be read, where what was found out is wrong."""
    with st.expander("If a file was read wrongly", icon=":material/build:"):
        st.caption("Delimiter, encoding and decimal mark are found out. Correct them here, and compare again.")
        chosen = [
            place.selectbox(label, list(values), key=f"upload.{label}")
            for place, (label, values) in zip(st.columns(4), _CHOICES.items(), strict=True)
        ]
        sheet = st.text_input("Sheet of a workbook", placeholder="The first", key="upload.sheet")
    delimiter, encoding, decimal, quote = (
        values[choice] for values, choice in zip(_CHOICES.values(), chosen, strict=True)
    )
    return ReadOptions(delimiter=delimiter, quote=quote, encoding=encoding, decimal=decimal, sheet=sheet or None)


def _begin(original: Source, synthetic: Sequence[Source], options: ReadOptions) -> None:
    """Read the files one by one, saying which, and start with them."""
    with st.status("Reading the files …") as status:
        limits = configuration.limits()
        readings: list[Reading] = []
        for i, (name, data) in enumerate([original, *synthetic]):
            status.update(label=f"Reading file {i + 1} of {1 + len(synthetic)} …")
            found = read(data(), name, options, limits)
            if i == 0 and len(found) > 1:
                raise DisclosureError(f"{name} holds {len(found)} tables; give the original as a file with one.")
            readings += found
        status.update(label="Making them comparable …")
        _alike(readings)
        study = Study(readings[0].frame, [r.frame for r in readings[1:]])
        listed = ", ".join(r.name for r in readings[1:])
        new = begin(study, f"{readings[0].name} against {listed}", Settings(), tuple(readings))
        declared = meaning.declared_codes(readings)
        new.recode_missing({name: tuple(f"{v:.15g}" for v in codes) for name, codes in declared.items()})
        status.update(label="Ready", state="complete")


def _alike(readings: Sequence[Reading]) -> None:
    """Say what was read where the files have no column in common: it may be the wrong sheet, or the wrong delimiter.

    Raises
    ------
    DisclosureError
        When no column name is common to all.
    """
    if set.intersection(*(set(r.frame.columns) for r in readings)):
        return
    told = []
    for r in readings[:4]:
        names = list(map(str, r.frame.columns))
        listed = ", ".join(map(repr, names[:4])) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        sheet = f" (sheet {r.options.sheet!r} of {', '.join(map(repr, r.choices))})" if len(r.choices) > 1 else ""
        told.append(f"{r.name}{sheet} has {listed}")
    raise DisclosureError(
        f"The files have no column name in common: {'; '.join(told)}. Give them the same header, or choose "
        "another sheet or delimiter under “If a file was read wrongly”."
    )
