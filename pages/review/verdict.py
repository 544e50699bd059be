"""What the officer says of a target: one of four, and why. The program proposes none; the report prints it."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.counting.registry import COMPARED
from disclosure_core.review import reasons, verdicts
from disclosure_core.review.parts import VERDICTS
from disclosure_core.review.value import OFFICER
from disclosure_core.rounding import fixed
from pages.shared import handing, show
from pages.shared.handing import Look
from pages.shared.session import bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.review.parts import Judgement
    from disclosure_core.review.queue import Queue, QueueRow
    from pages.shared.session import Session


def asked(s: Session, row: QueueRow, measure: str, tau: float | None) -> None:
    """Ask for the verdict on a target and its reason; one that no longer fits is confirmed or changed."""
    given, of, target = row.given, s.now.first_set, row.target

    def take(verdict: Judgement | None) -> None:
        with s.telling():
            if verdict is None:
                s.change(s.review.with_verdict(target, of, None))
            else:
                s.change(verdicts.judged(s.now, [target], verdict, None, _today(), measure, tau))

    def because(reason: str) -> None:
        now = s.review.verdict_on(target, of)
        s.change(s.review.with_verdict(target, of, now.verdict if now else None, reason))

    st.radio(
        "Verdict", VERDICTS, horizontal=True, format_func=str.capitalize, label_visibility="collapsed",
        **bound("review.verdict", given.verdict.verdict if given else None, take),
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if given is None:
            officer(s)
            show.next_page("records", "list records")
            return
        st.text_input(
            "Reason for the verdict", label_visibility="collapsed", placeholder="Reason (printed in the report)",
            **bound("review.verdict.why", given.verdict.reason, because),
        )  # fmt: skip
        if given.now is not None and not given.stands:
            look = Look(f"Confirm at {given.now.shown}", help=given.sentence, primary=True)
            handing.act("review.confirm", look, partial(_confirm, s, [target]))
        handing.act("review.unmark", Look("Take it back"), partial(take, None))
        if given.stands:
            show.next_page("records", "list records")


def judges(s: Session, row: QueueRow, measure: str, tau: float | None) -> str:
    """Say what a verdict judges where a preview is shown beside: an exclusion without a reason takes nothing."""
    n = len(reasons.without_reason(s.settings.left_out.of(row.target), s.review.reasons))
    now = verdicts.stamp(s.now, row.target, measure=COMPARED[measure][1], tau=tau) if n else None
    if now is None or row.preview is None or fixed(now.figure) == fixed(row.preview):
        return ""
    return f"A verdict judges {now.shown}: {n} exclusion{'s have' if n > 1 else ' has'} no reason"


def officer(s: Session, place: str = "verdict") -> None:
    """Ask who gives verdicts; the record names them with each."""
    st.text_input(
        "Your name", label_visibility="collapsed", placeholder="Your name (optional), recorded with verdicts",
        **bound(f"review.officer.{place}", s.review.about.get(OFFICER, ""), partial(s.write, "about", OFFICER)),
    )  # fmt: skip


def of_several(s: Session, queue: Queue, targets: Sequence[str], measure: str, tau: float | None) -> None:
    """Ask for one verdict on several targets, with one reason; it is taken back in one step."""
    if not targets:
        st.caption("Tick rows to give several targets one verdict.")
        return
    n = f"{len(targets)} target{'s' * (len(targets) > 1)}"
    chosen = st.radio("Verdict on the rows ticked", VERDICTS, index=None, horizontal=True, format_func=str.capitalize,
                      key="review.several.verdict", persist_state="session")  # fmt: skip
    reason = st.text_input(
        "Reason for all of them", placeholder="Reason (printed in the report)", key="review.several.why",
        persist_state="session",
    )  # fmt: skip
    officer(s, "several")

    def give() -> None:
        if chosen is None:
            return
        with s.telling():
            s.change(verdicts.judged(s.now, targets, chosen, reason or None, _today(), measure, tau))

    with st.container(horizontal=True, gap="small"):
        handing.act("review.several.give", Look(f"Give it to {n}", primary=True, disabled=chosen is None), give)
        waiting = [t for t in targets if t in queue.to_confirm]
        if waiting:
            look = Look(
                f"Confirm {len(waiting)} as they are", help="Keeps each verdict and its reason, at the figure of now."
            )
            handing.act("review.several.confirm", look, partial(_confirm, s, waiting))


def _confirm(s: Session, targets: Sequence[str]) -> None:
    with s.telling():
        s.change(verdicts.confirmed(s.now, targets, _today()))


def _today() -> str:
    return dt.date.today().isoformat()
