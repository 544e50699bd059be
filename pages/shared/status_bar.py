"""The status bar on every page: what is open, who looks, what is excluded, and how far the review is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import intruders, reasons
from pages.shared import sets, show, sizes
from pages.shared.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.review.queue import Queue
    from pages.shared.session import Session

LONGEST = 28
"""Longer names of data, and of what undo takes back, are cut; the tooltip has them whole."""


def status_bar(s: Session, closing: Callable[[], None], *, counted: bool) -> None:
    """Show the status bar of a page; figures that are not `counted` for the page anyway, only if they are already."""
    with _row():
        st.markdown("**Disclosure**", width="content")
        if s.opened is not None:
            _state(s, s.now.queue() if s.settings.keys and (counted or s.now.is_counted()) else None)
        st.space("stretch")
        sizes.for_a_projector()
        closing()


def bench(s: Session, queue: Queue, closing: Callable[[], None]) -> None:
    """Show the status bar of the bench, which can take changes back and lead to the next target without a verdict."""
    with _row():
        st.title("Review", width="content", anchor=False)
        _state(s, queue)
        st.space("stretch")
        with st.container(horizontal=True, width="content", gap="small"):
            for key, what, name, shortcut, icon, act in (
                ("review.undo", "Undo", s.undo_name, "Alt+Z", ":material/undo:", s.undo),
                ("review.redo", "Redo", s.redo_name, "Alt+Shift+Z", ":material/redo:", s.redo),
            ):
                if name or what == "Undo":
                    label = f"{what}: {show.literal(_cut(name))}" if name and what == "Undo" else what
                    st.button(
                        label, key=key, icon=icon, on_click=act, disabled=not name,
                        shortcut=shortcut, help=show.literal(name) or None,
                    )  # fmt: skip
            following = queue.next_open(s.target)
            st.button(
                "Next", key="review.next", icon=":material/arrow_forward:", type="primary", shortcut="Alt+N",
                on_click=s.look_at, args=(following,), disabled=following is None,
                help=f"{show.literal(following)} (Alt+N)" if following else None,
            )  # fmt: skip
            with st.popover("Menu", type="tertiary", key="status_bar.menu"):
                sets.looked_at(s, "status_bar")
                closing()


def _row() -> st.delta_generator.DeltaGenerator:
    return st.container(key="status-bar", horizontal=True, vertical_alignment="center", gap="small")


def _state(s: Session, queue: Queue | None) -> None:
    """Say what is open, who looks, what is left out and how far the review is."""
    with st.container(key="status-bar-name", width="content"):
        name = show.begun(s.source) if s.review.source == "demonstration" else s.source
        st.markdown(f"**{show.literal(_cut(name))}**")
    if s.now.first_set != s.now.with_review(replace(s.review, synthesis_set="")).first_set:
        st.badge(show.literal(_cut(s.now.first_set)), icon=":material/compare_arrows:", color="blue")
    names = [k.name for k in s.review.intruders]
    if len(names) > 1:
        st.selectbox(
            "Intruder", names, label_visibility="collapsed", width=170,
            **bound("status_bar.intruder", s.review.intruder, lambda name: s.change(intruders.chosen(s.review, name))),
        )  # fmt: skip
    keys, n = s.review.keys, len(s.review.keys)
    for which, words in (("all", " · ".join(keys) or "none yet"), ("few", f"{n} key{'s' * (n != 1)}")):
        with st.container(key=f"status-bar-{which}", width="content"):  # a narrow window shows the second
            st.badge(show.literal(_cut(words, 44)), icon=":material/key:", color="gray", help=show.described(s, keys))
    out = s.settings.left_out
    n_left_out = len(reasons.names(out))
    if n_left_out:
        missing = len(reasons.without_reason(out, s.review.reasons))
        said = f"{missing:,} without reason" if missing else "with reasons"
        waiting = 0 if queue is None else len(s.now.reasons_to_confirm())
        said += f", {waiting:,} to confirm" if waiting else ""
        st.badge(f"{n_left_out:,} excluded, {said}", color="orange" if missing or waiting else "gray")
    else:
        st.badge("nothing excluded", color="gray")
    if queue is not None:
        st.badge(queue.progress, color="orange" if queue.to_confirm else "blue" if queue.to_review else "gray",
                 icon=":material/gavel:")  # fmt: skip


def _cut(name: str, longest: int = LONGEST) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"
