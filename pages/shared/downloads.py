"""What leaves the page, and a review that comes back: files are made when their button is pressed (`handing.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import saved
from disclosure_core.review.migrate import carry_over
from pages.server import configuration
from pages.shared import handing
from pages.shared.handing import Look

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.by_hand import Parts
    from pages.shared.open_review import Session

MIME = {
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "html": "text/html",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "py": "text/x-python",
    "R": "text/plain",
    "zip": "application/zip",
}
ANY = "application/octet-stream"
"""What a file of another ending is: one in the format that the original came in, such as SPSS."""

REVIEW = "review-confidential.json"
DOING = "Making …"


def offer(
    label: str, name: str, made: Callable[[], bytes], *, primary: bool = False, version: str = "", key: str = ""
) -> None:
    """Show a download button; the file is made only when it is pressed, and its name ends in its version.

    Its key is `report.get.` and the file's name, unless `key` is given in the name's place.
    """
    look = Look(label, doing=DOING, icon="download", primary=primary)
    handing.offer(f"report.get.{key or name}", look, _full(name, version), _mime(name), made)


def review(s: Session, label: str, key: str, *, primary: bool = False, name: str = REVIEW) -> None:
    """Show a button that hands the whole review out; once the browser has it, what it holds is saved."""
    look = Look(label, doing=DOING, icon="download", primary=primary)
    handing.offer(key, look, name, MIME["json"], s.to_file, s.is_on_file)


def make(
    label: str,
    name: str,
    work: Callable[[Progress | None], bytes],
    part: str,
    below: DeltaGenerator,
    *,
    quick: bool,
    primary: bool = False,
    version: str = "",
) -> None:
    """Show a button that makes a file and hands it out; one that takes long shows how far it is, and can be stopped.

    Parameters
    ----------
    label, name
        Of the button, and of the file.
    work
        Makes the file; called with what takes its reports, or None for a quick one.
    part
        What it is made of, as it is counted: "figure".
    below
        Where it is shown how far it is, with Stop.
    quick
        Whether it takes so little that nobody would stop it: a few seconds.
    primary
        Whether the button is the page's main one.
    version
        What the file's name ends in: "internal", "shareable-10".
    """
    if quick:
        offer(label, name, lambda: work(None), primary=primary, version=version)
        return
    full = _full(name, version)
    handing.make(
        f"report.get.{name}",
        Look(label, doing=DOING, icon="download", primary=primary),
        full,
        _mime(name),
        work,
        below,
        lambda done, of: f"{full}: {_how_far(part, done, of)}",
    )


def _mime(name: str) -> str:
    return MIME.get(name.rpartition(".")[2], ANY)


def _full(name: str, version: str) -> str:
    """Return a file's name with its version: report-internal.pdf and report-shareable-10.pdf lie side by side."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}-{version}{dot}{ending}" if version else name


def _how_far(part: str, done: int, of: int) -> str:
    """Return what is made now: nothing is known of it before the first part, and the whole is put together at last."""
    if not of:
        return "figures are computed"
    return f"{part} {done + 1:,} of {of:,}" if done < of else "put together"


def take_up(s: Session, parts: Parts) -> None:
    """Take what a file holds up on the data that are open, and say each difference; what it does not hold stays."""
    with s.telling():
        carried, differences = carry_over(saved.with_parts(s.now.review, parts), s.now)
        s.change(carried)
        s.tell("The saved review is in use.", differences)


def saved_before(s: Session, page: str) -> None:
    """Take up a review, settings or scenarios that were saved before, on the data that are open."""
    given = st.file_uploader("A review saved before", type=["json"], key=f"{page}.settings")

    def take() -> None:
        if given is not None:
            with s.telling():
                parts, _ = saved.read_in_child(given.getvalue(), given.name, configuration.limits())
                take_up(s, parts)

    st.button("Use this review", disabled=given is None, on_click=take, key=f"{page}.use")
