"""What is open, in one line; and the keys that its columns suggest, in one click."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.suggested_keys import suggest_keys
from disclosure_core.review.intruders import with_keys
from pages.shared import show

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy
    from pages.shared.open_review import Session

OPEN = "data-open"
"""The line on what is open."""


def what_is_open(s: Session, study: AnyStudy) -> None:
    """Say in one line what is open."""
    sizes = sorted(set(study.n_synthetic))
    records = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    many = study.n_syntheses > 1
    with st.container(key=OPEN):
        st.markdown(
            f":material/check_circle: Open: **{show.literal(s.source)}** · {study.n_original:,} original records · "
            f"{study.n_syntheses} {'syntheses' if many else 'synthesis'} of {records} · "
            f"{len(study.columns):,} columns in every file{_outside(s)}"
        )


def _outside(s: Session) -> str:
    """Return how many people outside there are, and which file holds them."""
    data, source = s.now.data, s.review.holdout
    if data.holdout is None:
        return " · people outside, in the engine" if data.has_holdout else ""
    file = f" of **{show.literal(data.holdout.name)}**" if source is not None and source.kind == "file" else ""
    return f" · {len(data.holdout.table):,} people outside{file}"


def suggested_keys(s: Session, study: AnyStudy) -> None:
    """Offer, where no key is chosen yet, the columns whose names say what an intruder commonly knows."""
    if s.settings.keys:
        return
    suggestions = suggest_keys(study, s.labels)
    with st.container(border=True):
        if not suggestions:
            st.markdown(
                "**No keys yet.** No column's name says something that an intruder commonly knows: choose the keys "
                "on the next page."
            )
            return
        names = [suggestion.column for suggestion in suggestions]
        st.markdown(
            "**Suggested keys:** what neighbours and colleagues commonly know, with few enough levels to be known "
            "exactly. A beginning, not an answer: think of who could look."
        )
        st.markdown("\n".join(f"- **{show.literal(one.column)}**: {show.literal(one.reason)}" for one in suggestions))

        def take() -> None:
            with s.telling():
                s.change(with_keys(s.review, names))

        if st.button("Use these keys and see the risk", key="data.keys", type="primary", icon=":material/key:"):
            take()
            st.switch_page("review/page.py")
