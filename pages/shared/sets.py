"""Which set of syntheses the pages speak of: asked in the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data import naming
from disclosure_core.rounding import visible
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session


LONGEST = 20
"""Longer names of sets are cut in their middle; Data, Compare and the report have them whole."""


def choose(s: Session) -> None:
    """Ask which set all pages speak of, where there are several."""
    names = [each.name for each in s.review.sets]
    if len(names) > 1:
        short = naming.cut(names, LONGEST)
        st.selectbox(
            "Synthesis set on all pages",
            names,
            help="Every page, the report and all files follow.",
            label_visibility="collapsed",
            format_func=lambda name: f"Set: {visible(short[name])}",
            width=95 + 7 * max(map(len, short.values())),
            **bound("status_bar.set", s.now.first_set, lambda name: s.update(synthesis_set=name)),
        )
