"""The room of a class as students see it, and on the projector: open tasks, a vote, and address and code to scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.cli import sharing
from pages.server import configuration, visitors
from pages.server.classroom import CHOICES, ROOM
from pages.shared import show
from pages.shared.session import bound
from pages.workshop import sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pages.workshop.sheets import Task

OFTEN = 2.0
"""Seconds between two looks at what the class has said, and the teacher has opened."""

_PROJECTED = "workshop.projected"


def is_projected() -> bool:
    """Return whether this tab shows the room on a projector: large, for all, with nothing to decide."""
    if not ROOM.is_teacher(visitors.me()):
        return False
    return st.toggle("On the projector", key=_PROJECTED, persist_state="session")


def tasks(every: Sequence[Task]) -> None:
    """Show the tasks that are open, the last first, and what the class may say; answers only once released."""
    me = visitors.me()
    _follow(ROOM.stage)
    if ROOM.column:
        with st.container(border=True):
            _vote(me)
    if not ROOM.opened:
        st.info("The teacher opens the first task. Read until then what the words mean.", icon=":material/hourglass:")
        st.markdown(sheets.introduction())
    for task in reversed(every[: ROOM.opened]):
        last = task.number == ROOM.opened
        with st.expander(task.heading, expanded=last):
            st.markdown(task.with_answers if task.number in ROOM.released else task.asked)
            if last and not ROOM.is_teacher(me):
                _say_done(me, task.number)
    if ROOM.opened:
        with st.expander("What the words mean"):
            st.markdown(sheets.introduction())


@st.fragment(run_every=OFTEN)
def _follow(drawn: tuple[object, ...]) -> None:
    """Draw the page anew once the teacher has opened, released or asked something."""
    if ROOM.stage != drawn:
        st.rerun()


def _vote(me: str) -> None:
    st.markdown(f"#### {question()}")
    if ROOM.voting and not ROOM.is_teacher(me):
        st.radio(
            "Your vote", CHOICES, horizontal=True,
            **bound("workshop.vote", ROOM.vote_of(me), lambda choice: ROOM.vote(me, choice)),
        )  # fmt: skip
    _bars()


def question() -> str:
    """Return what is voted on, as Markdown."""
    return f"{show.literal(ROOM.column)}: a leak, or common knowledge?"


def _say_done(me: str, task: int) -> None:
    has = ROOM.has_answer(me, task)

    def change() -> None:
        ROOM.answer(me, task, done=not has)

    st.button(
        "I have an answer" if not has else "I have no answer yet",
        key=f"workshop.done.{task}", icon=":material/check:" if not has else ":material/undo:", on_click=change,
    )  # fmt: skip


@st.fragment(run_every=OFTEN)
def _bars() -> None:
    """Show how many have voted for what."""
    votes = ROOM.votes()
    n = sum(votes.values())
    for choice, count in votes.items():
        st.progress(count / n if n else 0.0, text=f"{choice}: {count:,}")
    st.caption(f"Votes: {n:,} of {ROOM.n_students():,}. The vote is {'open' if ROOM.voting else 'closed'}.")


@st.fragment(run_every=OFTEN)
def board() -> None:
    """Show the room on a projector: how to join, the task, and the bars of a vote."""
    left, right = st.columns([1, 2], gap="large")
    with left, st.container(key="board-join"):
        address = configuration.address()
        if address:
            st.image(sharing.picture(address), width="stretch")
            st.markdown(f"## {show.literal(address.removeprefix('http://'))}")
        st.caption("Same network. No name is asked.")
    with right, st.container(key="board-vote"):
        n = ROOM.n_students()
        if ROOM.column:
            st.markdown(f"# {question()}")
            _bars()
        elif ROOM.opened:
            task = sheets.tasks()[ROOM.opened - 1]
            st.markdown(f"# {task.heading}")
            st.markdown(f"With an answer: {ROOM.n_answered(ROOM.opened):,} of {n:,}.")
        else:
            st.markdown("# Open the page, and choose *Workshop*")
            st.markdown(f"Tabs here: {n:,}.")
    st.caption("Votes are in memory only and end with the server.")
