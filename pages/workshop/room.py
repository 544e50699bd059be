"""The room of a class as students see it, and on the projector: open tasks, a vote, and address and code to scan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.cli import sharing
from pages.server import configuration, visitors
from pages.server.classroom import CHOICES, ROOM
from pages.shared import show
from pages.shared.session import bound
from pages.workshop import sheets

if TYPE_CHECKING:
    from pages.workshop.sheets import Task

OFTEN = 2.0
"""Seconds between two looks at what the class has said, and the teacher has opened."""

WAITING = "The teacher opens the first task. Read until then what the words mean."

PROJECTOR = "projector"
"""Of the page's address: this tab is on a projector, large, for all, with nothing to decide."""


def is_projected() -> bool:
    """Return whether this tab shows the room on a projector; it then counts for nobody."""
    if PROJECTOR not in st.query_params:
        return False
    ROOM.project(visitors.me())
    return True


def tasks(every: Sequence[Task]) -> None:
    """Show the tasks that are open, the last first, and what the class may say; answers only once released."""
    me = visitors.me()
    _follow(ROOM.stage)
    if ROOM.column:
        with st.container(border=True):
            _vote(me)
    if not ROOM.opened:
        st.info(WAITING, icon=":material/hourglass:")
        st.markdown(sheets.introduction())
    for task in reversed(every[: ROOM.opened]):
        last = task.number == ROOM.opened
        with st.expander(task.heading, expanded=last):
            st.markdown(task.with_answers if task.number in ROOM.released else task.asked)
            if last and not ROOM.is_teacher(me):
                say_done(me, task.number)
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
        ask_vote(me)
    _bars()


def ask_vote(me: str) -> None:
    """Ask a tab for its vote."""
    st.radio(
        "Your vote",
        CHOICES,
        horizontal=True,
        label_visibility="collapsed",
        **bound("workshop.vote", ROOM.vote_of(me), lambda choice: ROOM.vote(me, choice)),
    )


def question() -> str:
    """Return what is voted on, as Markdown."""
    again = ROOM.voting and any(each.column == ROOM.column for each in ROOM.closed)
    return f"{show.literal(ROOM.column)}: a leak, or common knowledge?{' Vote again.' * again}"


def how_many_voted() -> str:
    """Return how many votes there are of how many."""
    return f"Votes: {ROOM.n_voted():,} of {ROOM.n_students():,}." if ROOM.voting else "The vote is closed."


def how_many_answered() -> str:
    """Return how many have an answer to the task that was opened last."""
    return f"With an answer to task {ROOM.opened}: {ROOM.n_answered(ROOM.opened):,} of {ROOM.n_students():,}."


def say_done(me: str, task: int) -> None:
    """Let a tab say that it has an answer."""
    has = ROOM.has_answer(me, task)

    def change() -> None:
        ROOM.answer(me, task, done=not has)

    st.button(
        "I have an answer" if not has else "I have no answer yet",
        key=f"workshop.done.{task}",
        icon=":material/check:" if not has else ":material/undo:",
        on_click=change,
    )


@st.fragment(run_every=OFTEN)
def _bars() -> None:
    """Show the bars of a vote that is closed, beside those of an earlier one on the column; else how many voted."""
    found = ROOM.ballots()
    for i, (place, ballot) in enumerate(zip(st.columns(max(len(found), 1)), found, strict=False), 1):
        with place:
            if len(found) > 1:
                st.markdown(f"**Vote {i}**")
            for choice, count in ballot.votes.items():
                st.progress(count / ballot.n, text=f"{choice}: {count:,} of {ballot.n:,}")
    st.caption(how_many_voted() + " You see the bars once the vote is closed." * ROOM.voting)


@st.fragment(run_every=OFTEN)
def board() -> None:
    """Show the room on a projector: how to join, the task, or a vote and its bars."""
    left, right = st.columns([1, 2], gap="large")
    with left, st.container(key="board-join"):
        address = configuration.address()
        if address:
            st.image(sharing.picture(address), width="stretch")
            st.markdown(f"## {show.literal(address.removeprefix('http://'))}")
        st.caption("Same network. No name is asked.")
    with right, st.container(key="board-vote"):
        if ROOM.column:
            st.markdown(f"# {question()}")
            _bars()
        elif ROOM.opened:
            task = sheets.tasks()[ROOM.opened - 1]
            st.markdown(f"# {task.heading}")
            st.markdown(f"## {task.question}")
            st.markdown(how_many_answered())
        else:
            st.markdown("# Open the page")
            st.markdown(f"Tabs here: {ROOM.n_students():,}.")
    st.caption("Votes are in memory only and end with the server.")
