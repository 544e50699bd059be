"""How the report is to be: asked once, and kept while the visit lasts."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.report.source import Look
from disclosure_core.review.about import OFFICER, TITLE, USUAL_TITLE
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def version() -> bool:
    """Ask which version is previewed and made; return whether it is the shareable one."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("2 Preview", width="stretch")
        kind = st.radio(
            "Version",
            ["Internal", "Shareable"],
            horizontal=True,
            key="report.kind",
            persist_state="session",
            label_visibility="collapsed",
            width="content",
        )
    if kind == "Shareable":
        st.caption("Shareable: nothing that rests on few records is shown.")
    return kind == "Shareable"


def look(s: Session, shareable: bool) -> Look:
    """Ask how the report is to be."""
    st.header("3 Download")
    for label, key, usual in ((TITLE, "report.title", USUAL_TITLE), (OFFICER, "report.author", None)):
        known = s.review.about.get(label, "")
        st.text_input(label, placeholder=usual, **bound(key, known, partial(s.write, "about", label)))
    date = st.date_input("Date", dt.date.today(), key="report.date", persist_state="session")
    if not shareable:
        cells = st.toggle(
            "List cells and records",
            key="report.cells",
            persist_state="session",
            wrap=True,
            help="The largest cells, for the office only.",
        )
        return Look("", f"{date}", cells=cells)
    left, right = st.columns(2)
    smallest = left.number_input("Smallest count shown", 2, 1000, 10, key="report.smallest", persist_state="session")
    names = right.toggle("Name the levels", value=True, key="report.levels", persist_state="session", wrap=True)
    dorig = right.toggle(
        "With Dorig and DiSDiO",
        key="report.dorig",
        persist_state="session",
        wrap=True,
        help="One person can move them by all who share their keys: they can tell nobody from one person.",
    )
    return Look("", f"{date}", shareable=True, smallest=int(smallest or 10), level_names=names, dorig=dorig)
