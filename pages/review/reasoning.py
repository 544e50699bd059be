"""Why anybody would know what is excluded: asked below each exclusion; reasons given before are offered again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.naming import middle_cut
from disclosure_core.review import reasons
from pages.shared import show
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def ask(s: Session, name: str) -> None:
    """Ask why anybody would know what is excluded under this name; the report prints it."""
    st.text_input(
        f"Reason: {show.literal(name.replace(' = ', ' '))}",
        label_visibility="collapsed",
        placeholder="Reason (printed in the report)",
        **bound(f"review.why.{name}", s.review.reasons.get(name, ""), partial(s.write, "reasons", name)),
    )


def more(s: Session, name: str) -> None:
    """Offer reasons that were given before, or have one confirmed that was given for other records."""
    if not s.review.reasons.get(name, "").strip():
        reuse(s, f"review.reuse.{name}", partial(s.write, "reasons", name))
    if asks := s.now.reasons_to_confirm().get(name):
        st.button("Confirm", key=f"review.fits.{name}", on_click=_confirm, args=(s, name), help=show.literal(asks))
        st.caption(f"Reason {show.literal(asks)}.")


def reuse(s: Session, key: str, take: Callable[[str], None]) -> None:
    """Offer the reasons that were given before, each in one click."""
    if used := reasons.used(s.review):
        st.pills(
            "Reuse a reason",
            used,
            label_visibility="collapsed",
            format_func=lambda text: show.literal(middle_cut(text, 40)),
            **bound(key, None, lambda text: take(text) if text else None),
        )


def _confirm(s: Session, name: str) -> None:
    s.change(reasons.confirmed(s.now, name))
