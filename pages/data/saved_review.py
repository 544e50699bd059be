"""A saved review: one box takes it with all its files, says what is missing or another, and offers to use it anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.readers import folder_file, folder_files, whole
from disclosure_core.review import office, saved
from disclosure_core.review.matching import matched, named_files
from disclosure_core.review.opening import open_review
from disclosure_core.rounding import visible
from pages.data.replacing import open_instead
from pages.server import configuration
from pages.shared import downloads, show
from pages.shared.session import begin, shown_by

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from disclosure_core.review.by_hand import Parts
    from disclosure_core.review.office import Stored
    from disclosure_core.review.value import Review
    from pages.shared.open_review import Session

_SOURCES = {"engine": "stay in an engine", "tables": "were handed over in Python"}


@dataclass(frozen=True)
class _Brought:
    """A file that is there: its name and fingerprint, and what gives its bytes."""

    name: str
    sha256: str
    content: Callable[[], bytes]


def ask(s: Session) -> None:
    """Ask for a saved review and its files, and open it."""
    names = _in_office()
    fold = st.expander(
        "A review that was saved",
        s.opening is not None or (s.opened is None and bool(names)),
        icon=":material/history:",
        key="data.saved",
        on_change="rerun",
    )
    if not fold.open and shown_by("data.settings") is None:
        return
    with fold:
        if names and _of_folder(s, names):
            return
        st.caption("It brings back keys, exclusions, reasons and verdicts. Bring the data files that it names with it.")
        given = st.file_uploader("Saved review and its files", accept_multiple_files=True, key="data.settings")
        reviews = [file for file in given if file.name.lower().endswith(".json")]
        if len(reviews) != 1:
            s.opening = s.given = None
            if given:
                found = f"{len(reviews)} files end" if reviews else "No file ends"
                st.info(f"{found} in .json, as a saved review does: bring one.", icon=":material/info:")
            return
        held = _understood(s, reviews[0].file_id, reviews[0].getvalue(), reviews[0].name)
        if held is not None and _can_be_opened(s, *held):
            _open(s, held[1], [file for file in given if file is not reviews[0]])


def _in_office() -> tuple[str, ...]:
    """Return the names of the reviews in the office's folder, the one saved last first."""
    folder = configuration.office_folder()
    with suppress(DisclosureError):  # it is gone: who chooses a file or saves is told
        return () if folder is None else office.reviews(folder)
    return ()


def _of_folder(s: Session, names: Sequence[str]) -> bool:
    """Ask for a review of the office's folder, and open it with the files there; return whether one is chosen."""
    folder = configuration.office_folder()
    name = st.selectbox(
        "Reviews in this folder, the last saved first",
        names,
        index=None,
        format_func=visible,
        placeholder="Choose",
        key="data.folder_review",
        persist_state="session",
    )
    if not name or folder is None:
        return False
    try:
        data, stored = office.content(folder, name)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return True
    held = _understood(s, stored.sha256, data, name)
    if held is not None and _can_be_opened(s, *held):
        review = held[1]
        given: Sequence[UploadedFile] = ()
        if named_files(review).keys() - set(folder_files(folder)):
            label = "Files of it that are not in the folder"
            given = st.file_uploader(label, accept_multiple_files=True, key="data.folder_more")
        _open(s, review, given, stored)
    return True


def _can_be_opened(s: Session, parts: Parts, review: Review) -> bool:
    """Offer to use a review on the data that are open; return whether its own can be opened, or say why not."""
    if s.opened is not None:
        st.button("Use it on the data that are open", key="data.use", on_click=downloads.take_up, args=(s, parts))
    if review.source in _SOURCES or (review.source == "files" and review.original is None):
        where = _SOURCES.get(review.source, "are not named in it")
        st.info(f"The data of this review {where}: open them first, then use it on them.", icon=":material/info:")
        return False
    return True


def _understood(s: Session, known_as: str, content: bytes, name: str) -> tuple[Parts, Review] | None:
    """Return what a file holds, as parts and as a review, read once, not at every touch; or say what is wrong."""
    if s.given is None or s.given[0] != known_as:
        try:
            s.given = (known_as, saved.read_in_child(content, name, configuration.limits()))
        except DisclosureError as error:
            s.given = (known_as, str(error))
    held = s.given[1]
    if isinstance(held, str):
        st.error(show.literal(held), icon=":material/error:")
        return None
    return held


def _open(s: Session, review: Review, given: Sequence[UploadedFile], stored: Stored | None = None) -> None:
    """Match the files with those that the review names, say what is missing or another, and open it."""
    named = named_files(review)
    brought = [*(_known(s, file.name, file.file_id, _bytes_of(file)) for file in given), *_in_folder(s, named)]
    match = matched(review, [(each.name, each.sha256) for each in brought])
    same = len(match.at) - len(match.doubtful)
    if named:
        st.markdown(
            f"{':material/check: ' * (same == len(named))}{same} of {len(named)} files are as it was made with."
        )
    if match.message:
        (st.warning if match.doubtful else st.info)(show.literal(match.message), icon=":material/difference:")
    found = {name: brought[i] for name, i in match.at.items()}
    wanted = (saved.to_json(review), tuple(sorted((n, each.sha256) for n, each in found.items())))
    label = "Use anyway" if match.doubtful else "Open the review"
    if st.button(label, key="data.open_saved", disabled=bool(match.missing), type="primary"):

        def opening() -> None:
            s.opening = wanted

        open_instead(s, "the saved review", opening)
    if s.opening == wanted:  # also where a touch of a widget ended the run that was reading
        _read(s, review, {n: each.content() for n, each in found.items()}, others=bool(match.doubtful), stored=stored)


def _read(s: Session, review: Review, files: Mapping[str, bytes], *, others: bool, stored: Stored | None) -> None:
    """Read the files and begin with the review."""
    try:
        with st.spinner("Reading the files …"):
            opened = open_review(review, files, other_data=others, limits=configuration.limits())
    except DisclosureError as error:
        s.opening = None
        st.error(show.literal(str(error)), icon=":material/error:")
        return
    except Exception:
        s.opening = None
        raise
    new = begin(opened, review)
    new.stored = stored
    new.tell("The saved review is open.", opened.differences)
    st.rerun()


def _in_folder(s: Session, named: Iterable[str]) -> list[_Brought]:
    """Return those of the files named that lie in the operator's folder."""
    folder = configuration.folder()
    if folder is None:
        return []
    found = []
    for name in sorted(set(named) & set(folder_files(folder))):
        path = folder_file(folder, name)
        at = path.stat()
        as_it_lies = f"{name} {at.st_size} {at.st_mtime_ns} {at.st_ino}"
        found.append(_known(s, name, as_it_lies, partial(whole, path, name, configuration.limits())))
    return found


def _bytes_of(file: UploadedFile) -> Callable[[], bytes]:
    return lambda: bytes(file.getvalue())


def _known(s: Session, name: str, as_it_came: str, content: Callable[[], bytes]) -> _Brought:
    """Return a file with its fingerprint, which is made once, not at every touch of the page."""
    if as_it_came not in s.fingerprints:
        s.fingerprints[as_it_came] = sha256(content()).hexdigest()
    return _Brought(name, s.fingerprints[as_it_came], content)
