"""Variants: named chains of safeguards, of which one is taken, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import chains as core
from pages.shared import show
from pages.shared.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.review.value import Review
    from pages.shared.session import Session


def ask(s: Session) -> None:
    """Ask which chain is taken, where there are some, and what it is called."""
    review = s.review
    if not review.chains:
        return
    names = [core.NONE, *(chain.name for chain in review.chains)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.radio(
            "Variant",
            names,
            horizontal=True,
            format_func=show.literal,
            help="Each is a chain of safeguards; the one chosen is measured here, and can be taken away.",
            **bound(
                "safe.chain",
                review.chain or core.NONE,
                lambda name: s.change(core.with_chain(s.review, "" if name == core.NONE else name)),
            ),
        )
        _button(s, "New variant, empty", "safe.empty", lambda now: core.added(now, core.free_name(now), empty=True))
        if review.chain:
            _button(s, "Copy this one", "safe.another", lambda now: core.added(now, core.free_name(now)))
            _button(s, "Remove this one", "safe.remove", core.removed)
    if review.chain:
        st.text_input(
            "Name",
            width=320,
            **bound("safe.name", review.chain, lambda name: s.change(core.renamed(s.review, name.strip()))),
        )


def _button(s: Session, label: str, key: str, change: Callable[[Review], Review]) -> None:
    def press() -> None:
        with s.telling():
            s.change(change(s.review))

    st.button(label, key=key, on_click=press)
