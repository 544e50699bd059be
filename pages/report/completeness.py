"""Which file is released, and what is still open before a report is made, with links to where it is answered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.report.completeness import still_open
from disclosure_core.report.source import files_read
from pages.shared import show
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.session import Session

_PAGES = {"data": "Data", "keys": "Keys", "review": "Review", "baseline": "Baseline", "report": "Report"}


def released(s: Session) -> None:
    """Ask which of the syntheses is released; several are released together."""
    files = [f for f in files_read(s.now) if f.role.startswith("Synthesis ")]
    if len(files) < 2:
        return
    labels = [f"{f.role}: {f.name}" for f in files]
    name = s.now.first_set
    known = [labels[i - 1] for i in s.review.released.get(name, ()) if i <= len(labels)]
    st.multiselect(
        "Which of the syntheses is released?", labels, select_all=False, placeholder="Not answered",
        help="Its own figures are judged beside the mean. Several: they are released together, and each is judged.",
        **bound("report.released", known, partial(_keep, s, name, labels)),
    )  # fmt: skip


def _keep(s: Session, name: str, labels: list[str], chosen: list[str]) -> None:
    others = {other: numbers for other, numbers in s.review.released.items() if other != name}
    numbers = tuple(sorted(labels.index(label) + 1 for label in chosen))
    s.update(released={**others, **({name: numbers} if numbers else {})})


def complete(s: Session) -> None:
    """Show, where wanted, what is still open, by the page that answers it."""
    if not st.toggle("Answers and limits complete", key="report.complete", persist_state="session", wrap=True,
                     help="Shows what is still open before the report is made."):  # fmt: skip
        return
    found = still_open(s.now)
    if not found:
        st.success("Nothing is open: every question is answered, every limit set, every target judged.")
        return
    st.markdown(f"**{len(found)} still open**")
    for page, title in _PAGES.items():
        here = [each.what for each in found if each.page == page]
        if not here:
            continue
        if page != "report":
            st.page_link(f"{page}/page.py", label=f"{title}: {len(here)} open", icon=":material/arrow_forward:")
        else:
            st.markdown(f"Here: {len(here)} open")
        st.markdown("\n".join(f"- {show.literal(what)}" for what in here))
