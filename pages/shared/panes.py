"""Panes beside one another, as tall as the window below the status bar: what is changed stands beside what it moves."""

from __future__ import annotations

import streamlit as st


def side_by_side(page: str, *widths: float) -> tuple[st.delta_generator.DeltaGenerator, ...]:
    """Return a pane for each width, from left to right; each scrolls inside, and stacks in a narrow window.

    Parameters
    ----------
    page
        Of the page, which tells its panes from those of another.
    widths
        Their shares of the window's width.
    """
    return tuple(
        column.container(border=True, height=500, key=f"pane-page-{page}-{i}")
        for i, column in enumerate(st.columns(list(widths), gap="small"))
    )
