"""How large things are: for a projector, and as tall as the window."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shared.session import LARGER, larger

STYLES = Path(__file__).parents[2] / "assets" / "bench.css"

TIMES = 1.4
"""How much larger words and figures are for a projector."""


def for_a_projector() -> None:
    """Offer larger words and figures, in this visitor's tab only."""
    help_text = "For a projector: words, tables and figures grow, in this tab only."
    st.toggle("Larger text", key=LARGER, persist_state="session", help=help_text)


def enlarge() -> None:
    """Make words and figures larger where that was asked for; a menu's content is not there until it is opened."""
    if larger():
        st.html(f"<style>html {{ font-size: {100 * TIMES:.0f}%; }}</style>")


def heights() -> None:
    """Give the bench's panes the window's height, and the status bar one line of it: Streamlit knows no window."""
    st.html(STYLES)
