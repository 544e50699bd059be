"""What the teacher has: the class's room in hand, plan, answers, and papers to print or to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data import demo
from disclosure_core.export import demonstration
from disclosure_core.export.archive import archive
from pages.server import configuration, forgetting, sessions, visitors
from pages.server.classroom import ROOM
from pages.shared import downloads
from pages.workshop import room, sheets
from pages.workshop.room import OFTEN

if TYPE_CHECKING:
    from pages.workshop.sheets import Task


def alone() -> None:
    """Show one person on a machine of their own what is for teachers, the answers folded away."""
    _plan()
    st.markdown(
        "`disclosure app --demo --share` lets a class in, for the demonstration only. It prints this machine's "
        "address, a code to scan, and the teacher's code."
    )
    _papers(of_teacher=True)


def of_the_room(tasks: Sequence[Task]) -> None:
    """Ask for the teacher's code; who has it leads the class. Students get the papers without answers."""
    me = visitors.me()
    if not ROOM.is_teacher(me):
        _ask_code(me)
        _papers(of_teacher=False)
        return
    with st.container(border=True):
        _lead(tasks)
    _plan()
    _papers(of_teacher=True)


def _ask_code(me: str) -> None:
    row = st.form("workshop.teacher", border=False, clear_on_submit=True)
    with row, st.container(horizontal=True, vertical_alignment="bottom"):
        code = st.text_input(
            "Teacher's code",
            type="password",
            width=260,
            key="workshop.code",
            persist_state="session",
            autocomplete="off",
        )
        entered = st.form_submit_button("Lead the class")
    if entered:
        refused = ROOM.enter(me, code or "", st.context.ip_address or "")
        if refused:
            st.error(refused)
        else:
            st.rerun()


def _lead(tasks: Sequence[Task]) -> None:
    """Show the buttons that lead the class; what they did is seen by all within some seconds."""
    n = ROOM.opened
    with st.container(horizontal=True):
        st.button(
            f"Open task {n + 1}" if n < len(tasks) else "All tasks are open",
            key="workshop.open",
            type="primary",
            on_click=lambda: ROOM.open_next(len(tasks)),
            disabled=n >= len(tasks),
        )
        st.button(
            f"Release the answer of task {n}" if n else "Release the answer",
            key="workshop.release",
            on_click=ROOM.release,
            disabled=not n or n in ROOM.released,
        )
        st.button("Back one task", key="workshop.back", on_click=ROOM.close_last, disabled=not n)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        column = st.selectbox("Column", demo.targets(), key="workshop.column", width=220, persist_state="session")
        if ROOM.voting:
            st.button("Close the vote", key="workshop.vote.close", on_click=ROOM.close_vote, help="All see the bars.")
        else:
            again = any(each.column == column for each in ROOM.closed)
            st.button(
                "Vote again" if again else "Open a vote",
                key="workshop.vote.open",
                on_click=lambda: ROOM.open_vote(column),
                help="“Leak or common knowledge?” of this column. Nobody sees the bars before it is closed.",
            )
        st.button(
            "End the vote",
            key="workshop.vote.end",
            on_click=ROOM.end_vote,
            disabled=not ROOM.column,
            help="All see the task again.",
        )
    _counted()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button(
            "Projector view, in a new tab", f"workshop?{room.PROJECTOR}=yes", icon=":material/present_to_all:"
        )
        with st.popover("New class", icon=":material/restart_alt:", type="tertiary"):
            st.markdown(
                "This closes all tasks, and deletes answers, votes, and the reviews of tabs that are closed or asleep."
            )
            st.button("Begin with a new class", key="workshop.new", type="primary", on_click=_begin_anew)


def _begin_anew() -> None:
    """Begin with another class: who sits down at one of its machines finds nothing of the one before."""
    ROOM.begin_anew()
    if sessions.running():
        asleep = visitors.all_inside() - visitors.all_connected()
        sessions.call_on_the_loop(lambda: forgetting.end(asleep))


@st.fragment(run_every=OFTEN)
def _counted() -> None:
    """Say how far the class is."""
    said = f"Tabs here: {ROOM.n_students():,}."
    if ROOM.opened:
        said += f" With an answer to task {ROOM.opened}: {ROOM.n_answered(ROOM.opened):,}."
    if ROOM.voting:
        said += f" Votes: {ROOM.n_voted():,}."
    st.caption(said)


def _plan() -> None:
    with st.expander("Plan, answers, and what to say"):
        st.markdown(sheets.teacher())


def _papers(*, of_teacher: bool) -> None:
    address = configuration.address()
    with st.container(horizontal=True):
        if of_teacher:
            downloads.offer(
                "Student sheet, answers, worksheet with solution, slides",
                "workshop-papers.zip",
                lambda: archive(sheets.papers(address).items()),
            )
        else:
            downloads.offer("Student sheet", "student-sheet.html", lambda: sheets.papers(address)["student-sheet.html"])
        downloads.offer(
            "The demonstration survey as files",
            "survey.zip",
            lambda: archive(demonstration.files().items()),
            primary=of_teacher,
        )
    if of_teacher:
        st.caption(
            "The papers are HTML files that need no network, to print or to show. In the slides, P opens the "
            "presenter's view, with notes, clock and the next slide."
        )
