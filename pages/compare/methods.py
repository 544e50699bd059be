"""Compare, view Methods: sets of syntheses beside each other, by what they disclose and what they are good for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.compare import beside, mapping, tables, usefulness
from pages.shared import show

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.open_review import Session


def methods(s: Session, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Show the sets, all their figures, or where one set is poor; one set alone has its usefulness only."""
    views = {"Usefulness": usefulness.of_tables}
    if s.now.compares_several:
        views = {"Sets": mapping.of_sets, "All figures": tables.side_by_side, **views}
    with asked:
        chosen = show.view(views, "compare.part", "Show") if len(views) > 1 else usefulness.of_tables
        if len(views) == 1:
            st.caption("One set of syntheses: bring another on the Data page, or try safeguards, to compare.")
        beside.ask(s)
    chosen(s, asked, shown)
