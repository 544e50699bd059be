"""What leaves the page, and a review that comes back: files are made when their button is pressed.

A download's file is made outside the page's run, where nothing can be shown and nothing be stopped: what takes long is
made in a run, as any other long step, and is offered in it once it is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import saved
from disclosure_core.review.corrections import corrected
from disclosure_core.review.migrate import carry_over
from disclosure_core.rounding import fixed
from pages.server import configuration
from pages.shared.running import running
from pages.shared.session import session

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.value import Review
    from pages.shared.session import Session

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


def offer(
    label: str, name: str, made: Callable[[], bytes], *, primary: bool = False, version: str = "", key: str = ""
) -> None:  # fmt: skip
    """Show a download button; the file is made only when it is pressed, and its name ends in its version.

    Its key is `report.get.` and the file's name, unless `key` is given in the name's place.
    """
    st.download_button(
        label, made, file_name=_full(name, version), mime=MIME.get(name.rpartition(".")[2], ANY), on_click="ignore",
        type="primary" if primary else "secondary", icon=":material/download:", key=f"report.get.{key or name}",
    )  # fmt: skip


def make(
    label: str, name: str, work: Callable[[Progress | None], bytes], part: str, below: DeltaGenerator, *,
    quick: bool, primary: bool = False, version: str = "",
) -> None:  # fmt: skip
    """Show a button that makes a file and then offers it; a quick one is offered by its first button.

    The file is held by the run that made it: the next touch of the page is another run, without it, so that nobody
    is handed a file of settings that have changed.

    Parameters
    ----------
    label, name
        Of the button, and of the file.
    work
        Makes the file; called with what takes its reports, or None for a quick one.
    part
        What it is made of, as it is counted: "figure".
    below
        Where it is shown how far it is, with Stop, and where the file is offered.
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
    key, stopped = f"report.get.{name}.make", session().stopped
    pressed = st.button(label, key=key, icon=":material/build:", type="primary" if primary else "secondary")
    if not pressed:
        if key in stopped:
            below.caption(f"You stopped it before it was made: {name}.")
        return
    stopped.discard(key)
    with below:
        made = running(f"{full}: begun …", key, lambda done, of: f"{full}: {_how_far(part, done, of)}", work)
        st.caption(f"{full} is ready, {_size(len(made))}. It is here until you change or open something.")
        offer(f"Save {name}", name, lambda: made, primary=True, version=version, key=f"{name}.made")


def _full(name: str, version: str) -> str:
    """Return a file's name with its version: report-internal.pdf and report-shareable-10.pdf lie side by side."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}-{version}{dot}{ending}" if version else name


def _how_far(part: str, done: int, of: int) -> str:
    """Return what is made now: nothing is known of it before the first part, and the whole is put together at last."""
    if not of:
        return "figures are computed"
    return f"{part} {done + 1:,} of {of:,}" if done < of else "put together"


def _size(n: int) -> str:
    return f"{fixed(n / 1e6, 1)} MB" if n >= 100_000 else f"{max(round(n / 1e3), 1):,} kB"


def take_up(s: Session, review: Review) -> None:
    """Take a saved review up on the data that are open, and say each difference."""
    with s.telling():
        carried, differences = carry_over(review, s.now)
        found = corrected(s.now.with_review(carried))
        s.change(found.review)
        s.tell("The saved review is in use.", (*differences, *found.differences[len(s.now.differences) :]))


def saved_before(s: Session, page: str) -> None:
    """Take up a review, settings or scenarios that were saved before, on the data that are open."""
    given = st.file_uploader("A review saved before", type=["json"], key=f"{page}.settings")

    def take() -> None:
        if given is not None:
            with s.telling():
                take_up(s, saved.read_in_child(given.getvalue(), given.name, configuration.limits()))

    st.button("Use this review", disabled=given is None, on_click=take, key=f"{page}.use")
