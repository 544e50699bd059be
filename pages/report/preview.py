"""Page 1 of the report as it will be printed, and in words."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.report import assembled
from disclosure_core.report.answer import answer
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core.report.source import Look
    from pages.shared.open_review import Session


def shown(s: Session, look: Look) -> None:
    """Show page 1 of the version that is asked for, and say it in words."""
    with show.explained():
        image = assembled.page_1(s.now, look)
    # Within the page itself: it is kept under no address.
    st.image(
        f"data:image/png;base64,{base64.b64encode(image).decode()}",
        width="stretch",
        alt="Page 1 of the report, as it will be printed.",
    )
    with st.expander("Page 1 in words", key="report.words"):
        if look.shareable:
            _shareable(s, look)
        else:
            _internal(s)


def _shareable(s: Session, look: Look) -> None:
    """Say page 1 as it will be printed, with the figures by target."""
    for block in assembled.preview(s.now, look):
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
    """Say the answer and its sentences, with the figures as a table."""
    found = answer(s.now)
    st.subheader(found.headline)
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
