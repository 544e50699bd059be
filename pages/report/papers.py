"""The exhibits of the papers, of these data: looked at here, or taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import show
from pages.shared.downloads import offer

if TYPE_CHECKING:
    from disclosure_core.figures.look import Look
    from pages.shared.session import Session


def exhibits(s: Session, ending: str, look: Look) -> None:
    """Offer every table and figure of the papers, printed as the figures above, and show one where it is chosen."""
    from disclosure_core.figures.paper import archive
    from disclosure_core.report import exhibits as core

    opened = s.now
    with st.container(horizontal=True):
        offer("All exhibits as one zip", "papers-exhibits.zip", lambda: archive(core.files(opened, (ending,), look)))
        offer("The papers' tables as an Excel workbook", "papers-tables.xlsx", lambda: core.to_excel(opened))
    which = st.selectbox(
        "See one here", list(core.EXHIBITS), index=None, placeholder="Choose a table or a figure", key="report.exhibit",
        persist_state="session", width=420,
    )  # fmt: skip
    if which is None:
        return
    for _, target, plot in core.figures(opened, [which]):
        if target is not None:
            st.markdown(f"**{show.literal(target)}**")
        show.figure(plot, f"report.exhibit.{target}")
        st.caption(plot.caption)
    frame = core.table(opened, which)
    show.figures(frame, f"{which} of the papers, of these data")
