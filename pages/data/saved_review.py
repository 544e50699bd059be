"""A saved review: it asks for each of its files by name, says each difference, and offers to use them anyway."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.counting.settings import LARGEST
from disclosure_core.data.readers import folder_file, folder_files, whole
from disclosure_core.review import saved
from disclosure_core.review.carry import carry_over
from disclosure_core.review.opening import open_review
from pages.data.replacing import open_instead
from pages.server import configuration
from pages.shared import show
from pages.shared.session import begin, shown_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.review.value import Review, SourceFile
    from pages.shared.session import Session

_SOURCES = {"engine": "stay in an engine", "tables": "were handed over in Python"}


@dataclass(frozen=True)
class _Needed:
    """A file that a review names, and what it is to the review."""

    file: SourceFile
    role: str


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
            s.given = (given.file_id, _understood(given.getvalue()))
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


def _understood(content: bytes) -> Review | str:
    """Return the review that a file holds, or what is wrong with it."""
    try:
        return saved.from_json(content[: 4 * LARGEST + 1].decode("utf-8", "replace"))
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
    files: dict[str, bytes] = {}
    others: list[str] = []
    missing = False
    for needed in _needed(review):
        content = _content(needed)
        missing |= content is None
        if content is None:
            continue
        files[needed.file.name] = content
        if needed.file.sha256 and sha256(content).hexdigest() != needed.file.sha256:
            others.append(needed.file.name)
            st.warning(
                f"{show.literal(needed.file.name)} is not the file that this review was made with: its content "
                "differs. Keys, levels and codes may not mean the same.",
                icon=":material/difference:",
            )
        else:
            st.markdown(f":material/check: {show.literal(needed.file.name)} is the file it was made with.")
    label = "Use anyway" if others else "Open the review"
    wanted = (saved.to_json(review), tuple(sorted((n, sha256(c).hexdigest()) for n, c in files.items())))
    if st.button(label, key="data.open_saved", disabled=missing, type="primary"):

        def opening() -> None:
            s.opening = wanted

        open_instead(s, "the saved review", opening)
    if s.opening == wanted:  # also where a touch of a widget ended the run that was reading
        _read(s, review, files, others=bool(others))


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


def _content(needed: _Needed) -> bytes | None:
    """Return the bytes of a file that is brought, or lies in the operator's folder; None while it is not there."""
    name = needed.file.name
    folder = configuration.folder()
    if folder is not None and name in folder_files(folder):
        st.markdown(f":material/folder: {show.literal(name)} ({needed.role}) lies in the server's folder.")
        return whole(folder_file(folder, name), name, configuration.limits())
    given = st.file_uploader(f"{show.literal(name)} ({show.literal(needed.role)})", key=f"data.saved.{name}")
    return None if given is None else bytes(given.getvalue())
