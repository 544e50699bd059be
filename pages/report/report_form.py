"""How the report is to be: asked once, and kept while the visit lasts."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.report.source import Look
from disclosure_core.review.value import OFFICER, TITLE, USUAL_TITLE
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.session import Session


def look(s: Session) -> Look:
    """Ask how the report is to be."""
    for label, key, usual in ((TITLE, "report.title", USUAL_TITLE), (OFFICER, "report.author", None)):
        known = s.review.about.get(label, "")
        st.text_input(label, placeholder=usual, **bound(key, known, partial(s.write, "about", label)))
    left, right = st.columns(2)
    date = left.date_input("Date", dt.date.today(), key="report.date", persist_state="session")
    kind = right.radio(
        "Version", ["Internal", "Shareable"], horizontal=True, key="report.kind", persist_state="session",
        help="Shareable: nothing that rests on few records is shown.",
    )  # fmt: skip
    shareable = kind == "Shareable"
    smallest = right.number_input(
        "Smallest count shown", 2, 1000, 10, key="report.smallest", persist_state="session", disabled=not shareable
    )
    names = left.toggle(
        "Name the levels", value=True, key="report.levels", persist_state="session", disabled=not shareable, wrap=True
    )
    cells = left.toggle(
        "List cells and records",
        key="report.cells",
        persist_state="session",
        disabled=shareable,
        wrap=True,
        help="The largest cells, for the office only.",
    )
    return Look("", f"{date}", shareable=shareable, smallest=int(smallest or 10), level_names=names, cells=cells)
