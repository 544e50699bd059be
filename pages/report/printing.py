"""Figures for print: which there are, how they are to look, and the download."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.errors import NotEvaluated
from disclosure_core.results import catalogue
from disclosure_core.rounding import visible
from pages.shared.downloads import make, offer

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.plot import Plot
    from pages.shared.session import Session

_SIZES = {"85 mm wide": "column", "180 mm wide": "page", "Slide, 16:9": "slide"}


_TOP = "The first, and a count"
_ALL = "All, on as many pages as it takes"


def figures(s: Session, result: Assessment) -> tuple[str, Look]:
    """Ask which figure, and how it is printed, and offer it; and all of them as one zip; return format and look."""
    from disclosure_core.export.archive import archive
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.paper import file_name, files, pages

    left, middle, right = st.columns(3)
    entries = {entry.title: entry for entry in catalogue.offered(s.now)}
    entry = entries[
        left.selectbox("Figure", list(entries), key="report.figure", persist_state="session") or next(iter(entries))
    ]
    target = None
    if entry.of_a_target:
        target = left.selectbox(
            "Its target",
            result.summary()["target"].tolist()[::-1],
            format_func=visible,
            key="report.target",
            persist_state="session",
        )
    size = middle.selectbox("Size", list(_SIZES), index=1, key="report.size", persist_state="session")
    form = right.selectbox(
        "Format", ["PDF", "SVG", "PNG, 300 dpi", "PNG, 600 dpi"], key="report.format", persist_state="session"
    )
    title = left.text_input("Title above it", placeholder="None", key="report.figure_title", persist_state="session")
    more = right.selectbox(
        "More targets than a page holds", [_TOP, _ALL], key="report.targets", persist_state="session",
        help="No figure is taller than 230 mm, and no type smaller than 6 pt. Several pages come as one zip.",
    )  # fmt: skip
    grey = middle.toggle("In greys", key="report.grey", persist_state="session",
                         help="Pattern, mark or dash tells apart what colours do.")  # fmt: skip
    ending, _, dots = form.lower().partition(", ")
    look = Look(size=_SIZES[size], grey=grey, title=title or "", dpi=int(dots.split()[0]) if dots else 300)

    def described() -> Plot:
        plot = catalogue.figure(s.now, entry.name, target)
        if isinstance(plot, NotEvaluated):
            raise DisclosureError(f"{plot.why} {plot.needs}")
        return plot

    name, whole = file_name(entry.name, ending, look, target), more == _ALL
    several = whole and len(pages(described(), look)) > 1

    def made() -> bytes:
        found = list(files(entry.name, described(), ending, look, target, whole=whole))
        return archive(found) if several else found[0][1]

    def everything(progress: Progress | None) -> bytes:
        return archive(
            file
            for name, target, plot in catalogue.every(s.now, of_targets=each, progress=progress)
            for file in files(
                name, plot, ending, replace(look, title=catalogue.heading(name, plot)), target, whole=whole
            )
        )

    each = right.toggle("Each target's figures in the zip", True, key="report.each", persist_state="session")
    row, below = st.container(horizontal=True), st.container()
    with row:
        whole_name = f"{name.rpartition('.')[0]}.zip" if several else name
        offer("Download the figure", whole_name, made, version="internal", key="figure")
        make("All figures as one zip", "figures.zip", everything, "figure", below, quick=False, version="internal")
    st.caption("PDFs are tagged, in English, with the figure in words for a screen reader.")
    return ending, replace(look, title="")
