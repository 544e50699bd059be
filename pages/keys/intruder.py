"""Who could look: named key sets, and the order of the keys of the one that figures speak of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.naming import middle_cut
from disclosure_core.review import intruders as core
from disclosure_core.rounding import visible
from pages.shared import show
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.review.value import Review
    from pages.shared.open_review import Session

ANOTHER = "another intruder"
LONGEST = 24
"""Letters of an intruder's name on the button that opens what is asked of them."""


def ask(s: Session) -> None:
    """Ask which intruder the figures speak of, what they are called, and why they know their keys."""
    review = s.review
    names = [k.name for k in review.intruders]
    if len(names) > 1:
        st.radio(
            "Intruder",
            names,
            horizontal=True,
            format_func=show.literal,
            help="Each has keys and a reason of their own; every figure is of the one chosen here.",
            **bound("keys.intruder", review.intruder, lambda name: s.change(core.chosen(s.review, name))),
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Why these keys could be known (printed in the report)",
            placeholder="They see the person every day",
            **bound(
                "keys.reason",
                core.of_name(review, review.intruder).reason,
                lambda text: s.change(core.with_reason(s.review, text)),
            ),
        )
        with st.popover(show.literal(middle_cut(review.intruder, LONGEST)), icon=":material/person:"):
            st.text_input(
                "Name of the intruder",
                placeholder="A neighbour",
                **bound("keys.name", review.intruder, lambda name: s.change(core.renamed(s.review, name.strip()))),
            )
            _button(
                s,
                "Add another intruder",
                "keys.add",
                ":material/person_add:",
                lambda now: core.added(now, core.free_name(now, ANOTHER)),
            )
            _button(
                s,
                "Copy this one",
                "keys.copy",
                ":material/content_copy:",
                lambda now: core.copied(now, core.free_name(now, f"{now.intruder}, copied")),
            )
            if len(names) > 1:
                _button(s, "Remove this one", "keys.remove", ":material/person_remove:", core.removed)


def order(s: Session) -> None:
    """Offer to move a key earlier or later: what each key adds depends on their order."""
    keys = s.review.keys
    if len(keys) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = (
            st.selectbox(
                "Move a key", list(keys), format_func=visible, key="keys.moving", persist_state="session", width=150
            )
            or keys[0]
        )
        at = keys.index(key)
        for label, by, icon, end in (
            ("Earlier", -1, ":material/arrow_back:", at == 0),
            ("Later", 1, ":material/arrow_forward:", at == len(keys) - 1),
        ):
            _button(s, label, f"keys.{label}", icon, partial(core.moved, key=key, by=by), disabled=end)


def _button(
    s: Session, label: str, key: str, icon: str, change: Callable[[Review], Review], *, disabled: bool = False
) -> None:
    def press() -> None:
        with s.telling():
            s.change(change(s.review))

    st.button(label, key=key, icon=icon, on_click=press, disabled=disabled)
