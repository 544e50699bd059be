"""Whether the two sides meet: warnings with a mend in one click, the agreement of every column, what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.mending import actions
from disclosure_core.review import mended
from disclosure_core.review.meeting import answered
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core.data.agreement import Mismatch
    from pages.shared.open_review import Session


_HELP = "All sides are read alike from now on; the files stay as they are, and it can be taken back."


def stopped(s: Session, place: str) -> None:
    """Show in the place of figures which columns do not meet, with what answers each."""
    st.warning(
        "**Not evaluated.** What rests on a column whose values do not meet has no figure, and is not a pass.",
        icon=":material/block:",
    )
    for mismatch in s.now.stopping():
        _show_mismatch(s, mismatch, place)
    st.page_link("data/page.py", label="See all columns on the Data page", icon=":material/arrow_back:")


def held_back(s: Session) -> None:
    """Name the targets that have no figure because they do not meet, beside those that have one."""
    if found := s.now.not_met():
        names = ", ".join(map(show.literal, found))
        st.warning(f"Not evaluated, because values do not meet: {names}. That is not a pass.", icon=":material/block:")
        st.page_link("data/page.py", label="Answer on the Data page", icon=":material/arrow_back:")


def _show_mismatch(s: Session, mismatch: Mismatch, place: str) -> None:
    """Show one column that does not meet, its figures before and after the mend, and the buttons that answer it."""
    several, column = s.now.study().n_syntheses > 1, show.literal(mismatch.column)
    said = show.literal(mismatch.text(several=several))
    st.warning(said, icon=":material/block:")
    if mismatch.kinds:
        _before_and_after(s, mismatch)
    with st.container(horizontal=True):
        if mismatch.kinds:
            st.button(
                f"Mend {column}: {actions(mismatch.kinds)}",
                key=f"{place}.mend.{mismatch.column}",
                icon=":material/healing:",
                help=_HELP,
                on_click=_mended(s, mismatch),
            )
        if mismatch.stops:
            st.button(
                "These values really differ",
                key=f"{place}.differ.{mismatch.column}",
                icon=":material/call_split:",
                on_click=differ,
                args=(s, mismatch.column),
                help=f"Figures that rest on {column} are evaluated then. The answer is kept, and printed.",
            )


def _before_and_after(s: Session, mismatch: Mismatch) -> None:
    """Show what is known before and after a mend: whether values meet, and the figures that rest on it."""
    found = mended.tried(s.now, mismatch)
    tables.table(
        found,
        f"{mismatch.column} before and after the mend",
        {
            "figure": st.column_config.TextColumn("Figure", pinned=True),
            "before": tables.percent_column("As it is %", "What the values as they are would give: no figure."),
            "after": tables.percent_column("Mended %"),
        },
        height="content",
    )


def _mended(s: Session, *mismatches: Mismatch) -> Callable[[], None]:
    """Return what mends columns, each after what was mended of it before."""
    before, differ = s.review.columns.mends, s.now.differing
    wanted = (m for m in mismatches if m.kinds and m.column not in differ)
    return _changed(s, {m.column: (*before.get(m.column, ()), *m.kinds) for m in wanted})


def _changed(s: Session, mends: Mapping[str, tuple[str, ...]]) -> Callable[[], None]:
    def change() -> None:
        with s.telling():
            s.decide(mends={name: kinds for name, kinds in {**s.review.columns.mends, **mends}.items() if kinds})

    return change


def differ(s: Session, column: str, *, differ: bool = True) -> None:
    """Take the answer that the values of a column really differ, or take it back."""
    with s.telling():
        base, review = s.review.ancestry(s.now.first_set)[0], s.review
        if not differ:
            review = review.with_differing(column, differ=False)
        s.change(review.with_differing(column, base, differ=differ))


def warn_beside_figures(s: Session, target: str) -> None:
    """Warn beside a target's figures where it, or a key, may not meet, or say that its values really differ."""
    several, differ = s.now.study().n_syntheses > 1, s.now.differing
    for mismatch in s.now.remarks().agreed.mismatches:
        if mismatch.column != target and mismatch.column not in s.settings.keys:
            continue
        if mismatch.column in differ:
            st.caption(f":material/call_split: {show.literal(answered(s.review, mismatch.column))}")
        else:
            st.warning(show.literal(mismatch.text(several=several)), icon=":material/join_inner:")
