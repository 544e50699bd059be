"""What page 1 of the report says, beside the options, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.report import assembled
from disclosure_core.report.answer import answer
from disclosure_core.report.source import set_apart
from disclosure_core.review.about import not_stated
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core.report.source import Look
    from pages.shared.session import Session

_MOST = 8
"""Lines of what is open that stand on the page; the report has all."""


def preview(s: Session, look: Look) -> None:
    """Show what page 1 of the version that is asked for will say."""
    if look.shareable:
        _shareable(s, look)
    else:
        _internal(s)


def _shareable(s: Session, look: Look) -> None:
    """Show page 1 as it will be printed, with the figures by target."""
    with show.explained():
        blocks = assembled.preview(s.now, look)
    for block in blocks:
        if block.kind == "heading":
            st.subheader(block.text)
        elif block.kind == "list":
            st.markdown("\n".join(f"- {show.literal(text)}" for text in block.items))
        else:
            frame = pd.DataFrame(block.rows, columns=list(block.columns))
            right = {name: st.column_config.TextColumn(name, alignment="right") for name in frame.columns[1:]}
            tables.table(frame, "Each target as the shareable report will have it", right, height=260)
            st.caption(block.text)


def _internal(s: Session) -> None:
    """Show the answer, its sentences and figures, and what is open or missing."""
    found = answer(s.now)
    st.header(found.headline)
    for sentence in found.sentences:
        st.markdown(show.literal(sentence))
    frame = found.table()[["figure", "members", "outside", "difference", "result"]]
    tables.table(
        frame,
        "Each measure and target against the limits, as on page 1 of the report",
        {
            "figure": st.column_config.TextColumn("Figure", pinned=True),
            "members": tables.percent_column("Members %", "Disclosed by the synthetic data, people in the data."),
            "outside": tables.percent_column("Outside %", "The same of people outside."),
            "difference": tables.percent_column("Difference", "Percentage points."),
            "result": st.column_config.TextColumn("Result"),
        },
        height=260,
    )
    missing = not_stated(
        s.review.about,
        found.n_syntheses,
        found.n_outside is not None,
        set_apart(s.now),
        s.review.threat_model,
        found.released,
    )
    lines = [f"**{show.literal(about)}**: {show.literal(what)}" for about, what in found.open]
    if missing:
        lines.append(f"**about the release**: {len(missing)} questions are not answered.")
    st.markdown(f"**What is missing or open: {len(lines)}**" if lines else "Nothing is missing or open.")
    st.markdown("\n".join(f"- {line}" for line in lines[:_MOST]))
    if len(lines) > _MOST:
        st.caption(f"And {len(lines) - _MOST} more, on page 1 of the report.")
