"""The questions: each with its status, its answer in one sentence, and whether the report has it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.results import RESULTS
from disclosure_core.results.declared import NOT_RUN
from pages.analyses.others import ELSEWHERE, PANELS, Elsewhere, Panel
from pages.shared import show
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.results import Kind
    from pages.shared.open_review import Session

WIDTHS = [7, 13, 3]
ABOUT = ("The claims", "The keys", "The people", "The release")
"""The headings of the list, in their order."""

BACK = "All questions"
PRINTED = "Also in tables, JSON and workbook; what is not evaluated is printed with why."


def status(found: Any) -> tuple[str, str]:
    """Return how a question stands: an icon, and words."""
    if found == NOT_RUN:
        return ":material/radio_button_unchecked:", "not run"
    if isinstance(found, NotEvaluated):
        return ":material/do_not_disturb_on:", "not evaluated"
    if not getattr(found, "complete", True):  # a search that stopped early
        return ":material/incomplete_circle:", "done in part"
    return ":material/check:", "done"


def every(s: Session) -> None:
    """Show all questions as a list."""
    with st.container(gap="xsmall", key="analyses-list"):
        for i, (about, of) in enumerate(groupby(_questions(), lambda each: each.about)):
            heading, _, switches = st.columns(WIDTHS, vertical_alignment="bottom", gap="small")
            heading.header(about, anchor=False)
            if i == 0:
                with switches.container(key="analyses-head"):  # a phone has the label beside each switch
                    st.caption("In the report", help=PRINTED)
            for each in of:
                _row(s, each)


def _row(s: Session, each: Kind | Panel | Elsewhere) -> None:
    question, answer, switch = st.columns(WIDTHS, vertical_alignment="center", gap="small")
    with question.container(gap=None):
        _opened(s, each, f"analyses.open.{each.short}")
        if isinstance(each, Elsewhere):
            st.caption(f"on {each.page.title()}")
        else:
            found = _answer_for(s, each)
            st.caption(" ".join(status(found)))
    answer.markdown(each.purpose if isinstance(each, Elsewhere) else show.literal(_answer(each, found)))
    if not isinstance(each, Elsewhere | Panel):
        with switch:
            in_report(s, each, listed=True)


def _questions() -> list[Kind | Panel | Elsewhere]:
    """Return results that are declared, panels, and what other pages answer, those on one matter together."""
    every: list[Kind | Panel | Elsewhere] = [*RESULTS, *PANELS, *ELSEWHERE]
    return sorted(every, key=lambda each: ABOUT.index(each.about))


def _answer_for(s: Session, kind: Kind | Panel) -> Any:
    """Return an answer for the list: one that neither the report has nor anybody looked at waits until it is opened."""
    if isinstance(kind, Panel):
        return kind.found(s)
    opened = s.now.printed

    def found() -> Any:
        there = kind.short == s.analysis or kind.in_report(opened.review) or kind.kept(opened) is not None
        return kind.status(opened) if there else kind.missing(opened) or NOT_RUN

    return evaluated(found)


def stands(s: Session) -> tuple[str, str]:
    """Return how the question that is looked at stands."""
    answered: list[Kind | Panel] = [*RESULTS, *PANELS]
    return status(_answer_for(s, next(each for each in answered if each.short == s.analysis)))


def _answer(kind: Kind | Panel, found: Any) -> str:
    if isinstance(found, NotEvaluated):
        return kind.purpose if found == NOT_RUN else found.why
    return kind.said(found) if isinstance(kind, Panel) else str(found.sentences()[0])


def narrow(s: Session) -> None:
    """Show all questions beside the one that is looked at."""
    st.button(BACK, key="analyses.back", icon=":material/arrow_back:", type="tertiary", on_click=_look, args=(s, ""))
    with st.container(gap="xsmall", key="analyses-others"):  # a phone has no room for it
        for about, of in groupby(_questions(), lambda each: each.about):
            st.caption(about)
            for each in of:
                _opened(s, each, f"analyses.see.{each.short}", beside=True)


def _opened(s: Session, each: Kind | Panel | Elsewhere, key: str, *, beside: bool = False) -> None:
    """Draw a question as what opens it, here or on the page that answers it."""
    if isinstance(each, Elsewhere):
        if st.button(each.question, key=key, type="tertiary", icon=":material/arrow_outward:"):
            each.before(s)
            st.switch_page(f"{each.page}/page.py")
        return
    st.button(
        each.question,
        key=key,
        icon=status(_answer_for(s, each))[0] if beside else None,
        type="primary" if beside and each.short == s.analysis else "tertiary",
        on_click=_look,
        args=(s, each.short),
    )


def _look(s: Session, short: str) -> None:
    s.analysis = short


def in_report(s: Session, kind: Kind, *, listed: bool = False) -> None:
    """Ask whether report, tables and JSON hold a result."""
    st.toggle(
        "In the report",
        help=None
        if listed
        else PRINTED + ("" if kind.shareable else " A shareable report never has it: its counts subtract."),
        **bound(
            f"analyses.report.{kind.short}{'.listed' if listed else ''}",
            kind.in_report(s.review),
            lambda on: s.change(kind.with_in_report(s.review, on)),
        ),
    )
