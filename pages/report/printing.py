"""Figures for print: which there are, how they are to look, and the download."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import Assessment, DisclosureError
from disclosure_core.errors import NotEvaluated
from disclosure_core.results import catalogue
from disclosure_core.rounding import visible
from pages.report import looks
from pages.shared.downloads import make, offer

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.plot import Plot
    from pages.shared.open_review import Session

_TOP = "The first, and a count"
_ALL = "All, on as many pages as it takes"


def figures(s: Session, result: Assessment) -> tuple[str, Look]:
    """Ask which figure, and how it is printed, and offer it; and all of them as one zip; return format and look."""
    from disclosure_core.export.archive import archive
    from disclosure_core.figures.chosen import narrowed
    from disclosure_core.figures.paper import file_name, files, pages

    left, right = st.columns(2)
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
    size = right.selectbox(
        "Size",
        list(looks.SIZES),
        index=list(looks.SIZES).index("180 mm wide"),
        key="report.size",
        persist_state="session",
    )
    form = right.selectbox("Format", looks.FORMATS, key="report.format", persist_state="session")
    title = left.text_input("Title above it", placeholder="None", key="report.figure_title", persist_state="session")
    more = st.selectbox(
        "More targets than a page holds",
        [_TOP, _ALL],
        key="report.targets",
        persist_state="session",
        help="No figure is taller than 230 mm, and no type smaller than 6 pt. Several pages come as one zip.",
    )
    grey = st.toggle(
        "In greys",
        key="report.grey",
        persist_state="session",
        help="Pattern, mark or dash tells apart what colours do.",
    )
    each = st.toggle("Each target's figures in the zip", True, key="report.each", persist_state="session")
    ending = form.lower().partition(", ")[0]
    look = looks.ask_look(
        result.summary()["target"].tolist()[::-1], (*s.now.study().columns, *s.now.set_names), size, form, grey=grey
    )

    def described() -> Plot:
        plot = catalogue.figure(s.now, entry.name, target)
        if isinstance(plot, NotEvaluated):
            raise DisclosureError(f"{plot.why} {plot.needs}")
        return plot

    def shown(plot: Plot) -> Look:
        kept = narrowed(plot, replace(look, title=title or ""))
        if kept is None:
            raise DisclosureError("This figure shows none of the targets that were chosen; choose others of them.")
        return kept

    name, whole = file_name(entry.name, ending, look, target), more == _ALL

    def several() -> bool:
        with suppress(DisclosureError):  # who asks for the file is told
            plot = described()
            return len(pages(plot, shown(plot))) > 1
        return False

    many = whole and several()

    def made() -> bytes:
        plot = described()
        found = list(files(entry.name, plot, ending, shown(plot), target, whole=whole))
        return archive(found) if many else found[0][1]

    def everything(progress: Progress | None) -> bytes:
        return archive(
            file
            for name, target, plot in catalogue.every(s.now, of_targets=each, progress=progress)
            if (target is None or not look.targets or target in look.targets)
            and (kept := narrowed(plot, replace(look, title=catalogue.heading(name, plot)))) is not None
            for file in files(name, plot, ending, kept, target, whole=whole)
        )

    row, below = st.container(horizontal=True), st.container()
    with row:
        whole_name = f"{name.rpartition('.')[0]}.zip" if many else name
        offer("Download the figure", whole_name, made, version="internal", key="figure")
        make("All figures as one zip", "figures.zip", everything, "figure", below, quick=False, version="internal")
    st.caption("PDFs are tagged, in English, with the figure in words for a screen reader.")
    return ending, look
