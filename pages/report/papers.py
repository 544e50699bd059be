"""The exhibits of the papers, of these data: looked at here, or taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.results import FewerRecords
from pages.shared import plots, tables
from pages.shared.downloads import make, offer
from pages.shared.running import begins, running

if TYPE_CHECKING:
    from disclosure_core.figures.look import Look
    from pages.shared.open_review import Session


def exhibits(s: Session, ending: str, look: Look) -> None:
    """Offer every table and figure of the papers, printed as the figures above, and show one where it is chosen."""
    from disclosure_core.export.archive import archive
    from disclosure_core.report import exhibits as core

    if not _drawn(s):
        return
    opened = s.now
    row, below = st.container(horizontal=True), st.container()
    with row:
        make(
            "All exhibits as one zip",
            "papers-exhibits.zip",
            lambda progress: archive(core.files(opened, (ending,), look, progress)),
            "figure",
            below,
            quick=False,
            version="internal",
        )
        offer(
            "The papers' tables as an Excel workbook",
            "papers-tables.xlsx",
            lambda: core.to_excel(opened),
            version="internal",
        )
    which = st.selectbox(
        "See one here",
        list(core.EXHIBITS),
        index=None,
        placeholder="Choose a table or a figure",
        key="report.exhibit",
        persist_state="session",
        width=420,
        format_func=lambda name: f"{name}: {core.EXHIBITS[name].title}",
    )
    if which is None:
        return
    for name, plot in core.figures(opened, [which]):
        plots.figure(plot, f"report.exhibit.{name}")
        st.caption(plot.caption)
    frame = core.table(opened, which)
    tables.figures(frame, f"{which} of the papers, of these data")


def _drawn(s: Session) -> bool:
    """Return whether the smaller releases are there or quickly made; else offer to draw them."""
    opened, result = s.now, s.now.assessment()
    every = FewerRecords.asking_all(opened)
    if FewerRecords.missing(every) is None:
        return True
    draws = FewerRecords.asked_of(s.review).repeats * len(result.n_synthetic)
    what = f"{draws:,} draws from {sum(result.n_synthetic):,} records"
    if not begins(
        "Draw smaller releases",
        "report.draw",
        ":material/casino:",
        at_once=False,
        stopped=f"Stopped: {what}.",
        before=f"{what}: this may take a while.",
    ):
        return False
    running(
        "Drawing …", "report.draw", lambda done, of: f"{done:,} of {of:,} draws", lambda p: FewerRecords.of(every, p)
    )
    return True
