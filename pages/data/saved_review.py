"""A saved review: it asks for each of its files by name, says each difference, and offers to use them anyway."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.readers import folder_file, folder_files, whole
from disclosure_core.review import saved
from disclosure_core.review.migrate import carry_over
from disclosure_core.review.opening import open_review
from pages.data.replacing import open_instead
from pages.server import configuration
from pages.shared import show
from pages.shared.session import begin, shown_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from disclosure_core.review.value import Review, SourceFile
    from pages.shared.session import Session

_SOURCES = {"engine": "stay in an engine", "tables": "were handed over in Python"}


@dataclass(frozen=True)
class _Needed:
    """A file that a review names, and what it is to the review."""

    file: SourceFile
    role: str


@dataclass(frozen=True)
class _Brought:
    """A file that is there: its fingerprint, and what gives its bytes."""

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
        st.caption("It brings back keys, exclusions, reasons and verdicts, and asks for the data files that it names.")
        given = st.file_uploader("Saved review", type=["json"], key="data.settings")
        if given is None:
            s.opening = s.given = None
            return
        if s.given is None or s.given[0] != given.file_id:  # read once, not at every touch of the page
            s.given = (given.file_id, _understood(given.getvalue(), given.name))
        review = s.given[1]
        if isinstance(review, str):
            st.error(show.literal(review), icon=":material/error:")
            return
        if s.opened is not None:
            st.button("Use it on the data that are open", key="data.use", on_click=_use, args=(s, review))
        if review.source in _SOURCES or (review.source == "files" and review.original is None):
            where = _SOURCES.get(review.source, "are not named in it")
            st.info(f"The data of this review {where}: open them first, then use it on them.", icon=":material/info:")
        else:
            _open(s, review)


def _understood(content: bytes, name: str) -> Review | str:
    """Return the review that a file holds, or what is wrong with it."""
    try:
        return saved.read_in_child(content, name, configuration.limits())
    except DisclosureError as error:
        return str(error)


def _use(s: Session, review: Review) -> None:
    """Take a saved review up on the data that are open, and say each difference."""
    with s.telling():
        carried, differences = carry_over(review, s.now)
        s.change(carried)
        s.messages += ("The saved review is in use.", *differences)


def _open(s: Session, review: Review) -> None:
    """Ask for the files that a review names, say which are others, and open it."""
    found: dict[str, _Brought] = {}
    others: list[str] = []
    missing = False
    for needed in _needed(review):
        brought = _brought(s, needed)
        missing |= brought is None
        if brought is None:
            continue
        found[needed.file.name] = brought
        if needed.file.sha256 and brought.sha256 != needed.file.sha256:
            others.append(needed.file.name)
            st.warning(
                f"{show.literal(needed.file.name)} is not the file that this review was made with: its content "
                "differs. Keys, levels and codes may not mean the same.",
                icon=":material/difference:",
            )
        else:
            st.markdown(f":material/check: {show.literal(needed.file.name)} is the file it was made with.")
    label = "Use anyway" if others else "Open the review"
    wanted = (saved.to_json(review), tuple(sorted((n, brought.sha256) for n, brought in found.items())))
    if st.button(label, key="data.open_saved", disabled=missing, type="primary"):

        def opening() -> None:
            s.opening = wanted

        open_instead(s, "the saved review", opening)
    if s.opening == wanted:  # also where a touch of a widget ended the run that was reading
        _read(s, review, {n: brought.content() for n, brought in found.items()}, others=bool(others))


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
    begin(opened).messages = ("The saved review is open.", *opened.differences)
    st.rerun()


def _needed(review: Review) -> list[_Needed]:
    """Return the files that a review names, each once."""
    several = len(review.sets) > 1
    named = [
        *([_Needed(review.original, "the original")] if review.original else []),
        *(
            _Needed(file, f"synthetic data, {s.name}" if several else "synthetic data")
            for s in review.sets
            for file in s.files
        ),
        *([_Needed(review.holdout.file, "the holdout")] if review.holdout and review.holdout.file else []),
    ]
    return list({needed.file.name: needed for needed in named}.values())


def _brought(s: Session, needed: _Needed) -> _Brought | None:
    """Return a file that is brought, or lies in the operator's folder; None while it is not there."""
    name = needed.file.name
    folder = configuration.folder()
    if folder is not None and name in folder_files(folder):
        st.markdown(f":material/folder: {show.literal(name)} ({needed.role}) lies in the server's folder.")
        path = folder_file(folder, name)
        at = path.stat()
        as_it_lies = f"{name} {at.st_size} {at.st_mtime_ns} {at.st_ino}"
        return _known(s, as_it_lies, lambda: whole(path, name, configuration.limits()))
    given = st.file_uploader(f"{show.literal(name)} ({show.literal(needed.role)})", key=f"data.saved.{name}")
    return None if given is None else _known(s, given.file_id, lambda: bytes(given.getvalue()))


def _known(s: Session, as_it_came: str, content: Callable[[], bytes]) -> _Brought:
    """Return a file with its fingerprint, which is made once, not at every touch of the page."""
    if as_it_came not in s.fingerprints:
        s.fingerprints[as_it_came] = sha256(content()).hexdigest()
    return _Brought(s.fingerprints[as_it_came], content)
