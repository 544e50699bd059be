"""What the officer says of a target: one of four, and why. It is kept with the review and printed in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review.value import VERDICTS
from pages.shared import show
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.review.queue import QueueRow
    from disclosure_core.review.value import Judgement
    from pages.shared.session import Session


def asked(s: Session, row: QueueRow) -> None:
    """Ask for the verdict on a target and its reason; M takes the one that the button names."""
    given, of = row.verdict, s.now.first_set

    def take(verdict: Judgement | None) -> None:
        with s.telling():
            s.change(s.review.with_verdict(row.target, of, verdict))

    def because(reason: str) -> None:
        s.change(s.review.with_verdict(row.target, of, given.verdict if given else None, reason))

    st.radio(
        "Verdict", VERDICTS, horizontal=True, format_func=str.capitalize, label_visibility="collapsed",
        **bound("review.verdict", given.verdict if given else None, take),
    )  # fmt: skip
    if given is None:
        suggested = row.suggested
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
            st.button(
                f"Mark: {suggested}", key="review.mark", shortcut="Alt+M", type="primary", on_click=take,
                args=(suggested,),
                help="What the flags suggest, as a start: nothing flagged any more is common knowledge, never flagged "
                "is acceptable, and what is flagged still needs a safeguard. Alt+M gives it.",
            )  # fmt: skip
            show.next_page("records", "records")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text_input(
            "Reason for the verdict", label_visibility="collapsed", placeholder="Why? Printed in the report.",
            **bound("review.verdict.why", given.reason, because),
        )  # fmt: skip
        st.button("Take it back", key="review.unmark", on_click=take, args=(None,))
        show.next_page("records", "records")
