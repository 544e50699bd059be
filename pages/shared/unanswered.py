"""What the data make one ask, above the button that goes on, and again on later pages until it is answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import questions
from pages.shared import show

if TYPE_CHECKING:
    from disclosure_core.review.questions import Question
    from pages.shared.open_review import Session

KEEP = "Keep as it is"
"""What answers a warning."""


def keep(s: Session, names: Iterable[str]) -> None:
    """Take warnings or suggestions as answered: the data are as they should be."""
    s.change(questions.answered(s.review, names))


def again(s: Session, asked_here: Collection[str] = ()) -> None:
    """Say how much is not answered, what files make one ask in full; but for what the page itself asks, by name."""
    if found := [each for each in questions.unanswered(s.now) if each.name not in asked_here]:
        of_files = [each for each in found if each.kind != "assumption"]
        st.warning(f"**Not answered yet: {len(found):,}**\n{listed(of_files)}".strip(), icon=":material/help:")
        to_data()


def grave(s: Session) -> None:
    """Show the warnings alone, beside figures that they change."""
    for question in questions.unanswered(s.now):
        if question.kind == "warning":
            st.warning(show.literal(question.text), icon=":material/warning:")


def listed(found: Iterable[Question]) -> str:
    """Return questions as a list, in Markdown."""
    return "\n".join(f"- {show.literal(each.text)}" for each in found)


def to_data() -> None:
    """Lead to where all of it is answered."""
    st.page_link("data/page.py", label="Answer on the Data page", icon=":material/arrow_back:")
