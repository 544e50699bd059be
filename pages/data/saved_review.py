"""A saved review: one box takes it with all its files, says what is missing or another, and offers to use it anyway."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.readers import folder_file, folder_files, whole
from disclosure_core.review import saved
from disclosure_core.review.matching import matched, named_files
from disclosure_core.review.opening import open_review
from pages.data.replacing import open_instead
from pages.server import configuration
from pages.shared import downloads, show
from pages.shared.session import begin, shown_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from disclosure_core.review.value import Review
    from pages.shared.session import Session

_SOURCES = {"engine": "stay in an engine", "tables": "were handed over in Python"}


@dataclass(frozen=True)
class _Brought:
    """A file that is there: its name and fingerprint, and what gives its bytes."""

    name: str
    sha256: str
    content: Callable[[], bytes]


def ask(s: Session) -> None:
    """Ask for a saved review and its files, and open it."""
    fold = st.expander(
        "A review that was saved", s.opening is not None, icon=":material/history:", key="data.saved", on_change="rerun"
    )
    if not fold.open and shown_by("data.settings") is None:
        return
    with fold:
        st.caption("It brings back keys, exclusions, reasons and verdicts. Bring the data files that it names with it.")
        given = st.file_uploader("Saved review and its files", accept_multiple_files=True, key="data.settings")
        reviews = [file for file in given if file.name.lower().endswith(".json")]
        if len(reviews) != 1:
            s.opening = s.given = None
            if given:
                found = f"{len(reviews)} files end" if reviews else "No file ends"
                st.info(f"{found} in .json, as a saved review does: bring one.", icon=":material/info:")
            return
        if s.given is None or s.given[0] != reviews[0].file_id:  # read once, not at every touch of the page
            s.given = (reviews[0].file_id, _understood(reviews[0].getvalue(), reviews[0].name))
        review = s.given[1]
        if isinstance(review, str):
            st.error(show.literal(review), icon=":material/error:")
            return
        if s.opened is not None:
            st.button("Use it on the data that are open", key="data.use", on_click=downloads.take_up, args=(s, review))
        if review.source in _SOURCES or (review.source == "files" and review.original is None):
            where = _SOURCES.get(review.source, "are not named in it")
            st.info(f"The data of this review {where}: open them first, then use it on them.", icon=":material/info:")
        else:
            _open(s, review, [file for file in given if file is not reviews[0]])


def _understood(content: bytes, name: str) -> Review | str:
    """Return the review that a file holds, or what is wrong with it."""
    try:
        return saved.read_in_child(content, name, configuration.limits())
    except DisclosureError as error:
        return str(error)


def _open(s: Session, review: Review, given: Sequence[UploadedFile]) -> None:
    """Match the files with those that the review names, say what is missing or another, and open it."""
    named = named_files(review)
    brought = [*(_known(s, file.name, file.file_id, _bytes_of(file)) for file in given), *_in_folder(s, named)]
    match = matched(review, [(each.name, each.sha256) for each in brought])
    same = len(match.at) - len(match.others)
    if named:
        st.markdown(
            f"{':material/check: ' * (same == len(named))}{same} of {len(named)} files are as it was made with."
        )
    if match.message:
        (st.warning if match.others else st.info)(show.literal(match.message), icon=":material/difference:")
    found = {name: brought[i] for name, i in match.at.items()}
    wanted = (saved.to_json(review), tuple(sorted((n, each.sha256) for n, each in found.items())))
    label = "Use anyway" if match.others else "Open the review"
    if st.button(label, key="data.open_saved", disabled=bool(match.missing), type="primary"):

        def opening() -> None:
            s.opening = wanted

        open_instead(s, "the saved review", opening)
    if s.opening == wanted:  # also where a touch of a widget ended the run that was reading
        _read(s, review, {n: each.content() for n, each in found.items()}, others=bool(match.others))


def _read(s: Session, review: Review, files: Mapping[str, bytes], *, others: bool) -> None:
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
    begin(opened, review).tell("The saved review is open.", opened.differences)
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
