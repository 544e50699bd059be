"""The class's bar, above every page but Workshop: the task that is open, and a vote."""

from __future__ import annotations

import streamlit as st

from pages.server import classroom, visitors
from pages.server.classroom import ROOM
from pages.shared.session import drawn, leave_if_closed
from pages.workshop import room, sheets

OFTEN = 3.0
"""Seconds between two looks at what the teacher has opened."""


def draw() -> None:
    """Draw the bar where there is a class."""
    if classroom.there_is_one():
        _bar()


@st.fragment(run_every=OFTEN)
def _bar() -> None:
    """Show the vote where there is one, else the task; before the first, where it will stand."""
    leave_if_closed()
    with drawn().drawing("class-bar"):
        _draw()


def _draw() -> None:
    me = visitors.me()
    leads = ROOM.is_teacher(me)
    with st.container(key="class-bar", horizontal=True, vertical_alignment="center"):
        if ROOM.column:
            st.markdown(f"**{room.question()}**", width="content")
            if ROOM.voting and not leads:
                room.ask_vote(me)
            st.caption(room.how_many_voted(), width="content")
        elif not ROOM.opened:
            st.markdown(room.WAITING, width="content")
        else:
            task = sheets.tasks()[ROOM.opened - 1]
            st.markdown(f"**Task {task.number}.** {task.question}")
            if leads:
                st.caption(room.how_many_answered(), width="content")
            else:
                room.say_done(me, task.number)
        st.page_link("workshop/page.py", label="Workshop", icon=":material/school:", width="content")
