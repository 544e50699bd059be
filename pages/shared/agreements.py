"""Whether the two sides meet: warnings with a mend in one click, the agreement of every column, what is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.mending import actions
from disclosure_core.review import assumptions as assumed
from disclosure_core.review import mended
from disclosure_core.review.meeting import answered
from pages.shared import show, tables
from pages.shared.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from disclosure_core.data.agreement import Mismatch
    from pages.shared.session import Session


def warned(s: Session) -> None:
    """Show where the sides do not meet, with the mend and what else answers it; and what was decided, to take back."""
    remarks, differ = s.now.remarks(), s.now.differing
    found, warns = remarks.agreed.mismatches, {note.column for note in remarks.agreement if note.warning}
    for mismatch in found:
        if mismatch.column not in differ:
            _asked(s, mismatch, warns=mismatch.column in warns, place="data")
    if len([m for m in found if m.kinds and m.column not in differ]) > 1:
        st.button("Mend all", key="data.mend_all", icon=":material/healing:", help=_HELP, on_click=_mended(s, *found))
    for column in sorted(differ):
        st.markdown(
            f":material/check: Really different: {show.literal(column)}. Figures that rest on it are evaluated."
        )
        st.button(f"Take the answer on {show.literal(column)} back", key=f"data.undiffer.{column}",
                  icon=":material/undo:", on_click=_differ(s, column, differ=False))  # fmt: skip
    for name, kinds in s.review.columns.mends.items():
        st.markdown(f":material/check: Mended: {show.literal(name)} ({actions(kinds)}).")
        st.button(f"Take the mend of {show.literal(name)} back", key=f"data.unmend.{name}", icon=":material/undo:",
                  on_click=_changed(s, {name: ()}))  # fmt: skip


_HELP = "All sides are read alike from now on; the files stay as they are, and it can be taken back."


def stopped(s: Session, place: str) -> None:
    """Show in the place of figures which columns do not meet, with what answers each."""
    st.warning("**Not evaluated.** What rests on a column whose values do not meet has no figure, and is not a pass.",
               icon=":material/block:")  # fmt: skip
    for mismatch in s.now.stopping():
        _asked(s, mismatch, warns=True, place=place)
    st.page_link("data/page.py", label="See all columns on the Data page", icon=":material/arrow_back:")


def held_back(s: Session) -> None:
    """Name the targets that have no figure because they do not meet, beside those that have one."""
    if found := s.now.not_met():
        names = ", ".join(map(show.literal, found))
        st.warning(f"Not evaluated, because values do not meet: {names}. That is not a pass.", icon=":material/block:")
        st.page_link("data/page.py", label="Answer on the Data page", icon=":material/arrow_back:")


def _asked(s: Session, mismatch: Mismatch, *, warns: bool, place: str) -> None:
    """Show one column that does not meet, its figures before and after the mend, and the buttons that answer it."""
    several, column = s.now.study().n_syntheses > 1, show.literal(mismatch.column)
    said = show.literal(mismatch.text(several=several))
    if not warns:
        st.info(said, icon=":material/join_inner:")
    elif not mismatch.stops:
        st.warning(said, icon=":material/join_inner:")
    else:
        st.warning(said, icon=":material/block:")
    if mismatch.kinds:
        _beside(s, mismatch)
    with st.container(horizontal=True):
        if mismatch.kinds:
            st.button(f"Mend {column}: {actions(mismatch.kinds)}", key=f"{place}.mend.{mismatch.column}",
                      icon=":material/healing:", help=_HELP, on_click=_mended(s, mismatch))  # fmt: skip
        if mismatch.stops:
            st.button(
                "These values really differ", key=f"{place}.differ.{mismatch.column}", icon=":material/call_split:",
                on_click=_differ(s, mismatch.column, differ=True),
                help=f"Figures that rest on {column} are evaluated then. The answer is kept, and printed.",
            )  # fmt: skip


def _beside(s: Session, mismatch: Mismatch) -> None:
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


def _differ(s: Session, column: str, *, differ: bool) -> Callable[[], None]:
    def change() -> None:
        with s.telling():
            base, review = s.review.ancestry(s.now.first_set)[0], s.review
            if not differ:
                review = review.with_differing(column, differ=False)
            s.change(review.with_differing(column, base, differ=differ))

    return change


def beside(s: Session, target: str) -> None:
    """Warn beside a target's figures where it, or a key, may not meet, or say that its values really differ."""
    several, differ = s.now.study().n_syntheses > 1, s.now.differing
    for mismatch in s.now.remarks().agreed.mismatches:
        if mismatch.column != target and mismatch.column not in s.settings.keys:
            continue
        if mismatch.column in differ:
            st.caption(f":material/call_split: {show.literal(answered(s.review, mismatch.column))}")
        else:
            st.warning(show.literal(mismatch.text(several=several)), icon=":material/join_inner:")


def table(s: Session) -> None:
    """Show how far every column meets, both ways."""
    agreed = s.now.remarks().agreed
    with st.expander("Agreement of every column", icon=":material/join_inner:"):
        st.caption(
            "How many records have a value that also occurs on the other side, the smallest share over the syntheses. "
            "A synthesis that makes up numbers has a low share for good reasons; a spelling that differs has none."
        )
        frame = agreed.table()
        tables.table(
            frame[["column", "original_min", "synthetic_min"]],
            "For each column, the share of original records whose value occurs in the syntheses, and the reverse",
            {
                "column": st.column_config.TextColumn("Column", pinned=True),
                "original_min": tables.percent_column("Original, met %", "Of the original's records."),
                "synthetic_min": tables.percent_column("Synthetic, met %", "Of a synthesis' records."),
            },
        )
        if agreed.not_evaluated:
            listed = ", ".join(map(show.literal, agreed.not_evaluated))
            st.caption(f"Not evaluated, because too many values would have to leave the engine: {listed}.")


def assumptions(s: Session) -> None:
    """Ask what the measures assume and no file can tell, and say what follows where it does not hold."""
    st.caption("No file can tell. The answers are kept with the review, and printed in the report.")
    options = [assumed.NOT_ANSWERED, *assumed.ANSWERS]
    for question in assumed.QUESTIONS:

        def take(answer: str, name: str = question.name) -> None:
            answers = {**s.review.assumptions, name: answer if answer in assumed.ANSWERS else ""}
            s.update(assumptions=assumed.checked(answers))

        now = s.review.assumptions.get(question.name, assumed.NOT_ANSWERED)
        st.radio(
            question.text,
            options,
            horizontal=True,
            format_func=str.capitalize,
            **bound(f"data.assumed.{question.name}", now, take),
        )
        if now == "no":
            st.warning(question.if_no, icon=":material/warning:")
