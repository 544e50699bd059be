"""Whether the two sides meet: warnings with a mend in one click, the agreement of every column, what is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import assumptions as assumed
from pages.shared import show, tables
from pages.shared.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.data.agreement import Mismatch
    from pages.shared.session import Session


def warned(s: Session) -> None:
    """Show where the sides do not meet as they should, each with its mend; and what was mended, to take back."""
    several = s.study is not None and s.study.n_syntheses > 1
    for mismatch in s.now.remarks().agreed.mismatches:
        _warning(mismatch, several=several)
        if mismatch.kinds:
            before = s.review.columns.mends.get(mismatch.column, ())
            st.button(
                f"Mend {show.literal(mismatch.column)}: {', '.join(mismatch.kinds)}",
                key=f"data.mend.{mismatch.column}",
                icon=":material/healing:",
                help="All sides are read alike from now on; the files stay as they are, and it can be taken back.",
                on_click=_changed(s, mismatch.column, (*before, *mismatch.kinds)),
            )
    for name, kinds in s.review.columns.mends.items():
        st.markdown(f":material/check: Mended: {show.literal(name)} ({', '.join(kinds)}).")
        st.button(f"Take the mend of {show.literal(name)} back", key=f"data.unmend.{name}", icon=":material/undo:",
                  on_click=_changed(s, name, ()))  # fmt: skip


def _warning(mismatch: Mismatch, *, several: bool) -> None:
    st.warning(show.literal(mismatch.text(several=several)), icon=":material/join_inner:")


def _changed(s: Session, column: str, kinds: tuple[str, ...]) -> Callable[[], None]:
    def change() -> None:
        with s.telling():
            others = {name: before for name, before in s.review.columns.mends.items() if name != column}
            s.decide(mends=others | ({column: kinds} if kinds else {}))

    return change


def beside(s: Session, target: str) -> None:
    """Warn beside a target's figures where it, or a key, does not meet as it should."""
    several = s.study is not None and s.study.n_syntheses > 1
    found = [m for m in s.now.remarks().agreed.mismatches if m.column == target or m.column in s.settings.keys]
    for mismatch in found:
        _warning(mismatch, several=several)
    if any(m.kinds for m in found):
        st.page_link("data/page.py", label="Mend it on the Data page", icon=":material/arrow_back:")


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
