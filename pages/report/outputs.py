"""What leaves the page: the report, tables, settings and scripts; each is made when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.typeset import to_latex, to_markdown
from disclosure_core.export import scripts, workbook
from disclosure_core.export import tables as core
from disclosure_core.export.evidence import to_evidence
from disclosure_core.report import assembled
from disclosure_core.report.columns import columns
from disclosure_core.report.own_words import version, warning_of_others, warning_of_texts, warning_of_versions
from disclosure_core.report.shareable import need_shareable
from pages.report import papers, printing, report_form
from pages.report.verifying import counted_again
from pages.shared import agreements, show
from pages.shared.downloads import REVIEW, make, offer, review, saved_before

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.report.source import Look
    from disclosure_core.review.opened import Opened
    from pages.shared.open_review import Session


def every(s: Session, result: Assessment, look: Look) -> None:
    """Offer the report, and all that leaves the page beside it."""
    _offered(s, look)
    counted_again(s)
    if look.shareable:
        st.info(
            "Figures for print, tables and scripts hold exact figures and name every level that was excluded: they are "
            "offered beside the internal version only."
        )
    else:
        with st.expander("Tables", icon=":material/table:", key="report.tables"):
            tables(s)
        with st.expander("Figures for print", icon=":material/image:", key="report.figures"):
            ending, drawn = printing.figures(s, result)
        with st.expander("The papers' exhibits", icon=":material/article:", key="report.exhibits"):
            st.caption(
                "The tables and figures of the papers that define these measures, of these data, printed as the "
                "figures above. The first time takes a few seconds: smaller releases are drawn at random."
            )
            papers.exhibits(s, ending, drawn)
    st.subheader("The review and scripts")
    scripts_and_review(s, scripted=not look.shareable)


def stopped(s: Session) -> None:
    """Say what does not meet, and offer the report that says so, with what else needs no figure."""
    agreements.stopped(s, "report")
    look = report_form.look(s, report_form.version())
    _offered(s, look)
    tables(s)
    scripts_and_review(s)


def _offered(s: Session, look: Look) -> bool:
    """Offer the report; return whether it is one to share."""
    opened, shareable = s.now, look.shareable
    if shareable:
        shared = s.remembered.shared
        others = warning_of_others(look.smallest, (each.smallest for each in shared))
        _told_before_sharing(opened, look, others, warning_of_versions(version(opened, look.smallest), shared))
    quick, called = is_quick(s), f"shareable-{look.smallest}" if shareable else INTERNAL

    def made(form: str, progress: Progress | None, *, appendix: bool = False) -> bytes:
        data = assembled.report(opened, form, replace(look, appendix=appendix), progress)
        if shareable:
            s.handed_out.add(version(opened, look.smallest))
        return data

    def made_as_tables() -> bytes:
        data = core.to_excel(assembled.tables(opened, look))
        s.handed_out.add(version(opened, look.smallest))
        return data

    row, below = st.container(horizontal=True), st.container()
    with row:
        for form, primary in (("pdf", True), ("html", False)):
            make(
                f"Report as {form.upper()}",
                f"report.{form}",
                partial(made, form),
                "figure",
                below,
                quick=quick,
                primary=primary,
                version=called,
            )
        make(
            "Appendix as PDF",
            "appendix.pdf",
            partial(made, "pdf", appendix=True),
            "figure",
            below,
            quick=quick,
            version=called,
        )
        if shareable:
            offer("Its tables as an Excel workbook", "report.xlsx", made_as_tables, version=called)
    return shareable


INTERNAL = "internal"
"""What the name of each file with exact figures ends in."""

AT_ONCE = 20_000_000
"""Synthetic records times targets up to which the report and the tables of a review are made in a few seconds."""

TARGETS = 20
"""Targets up to which they are; each has rows in every table, and some have figures."""


def is_quick(s: Session) -> bool:
    """Return whether report and tables take a few seconds; a search that is to be made again may take any time."""
    if s.now.stopped():
        return True
    opened, result = s.now, s.now.assessment()
    small = len(result.targets) <= TARGETS and sum(result.n_synthetic) * len(result.targets) <= AT_ONCE
    return small and opened.study().holds_records and all(map(opened.is_kept, s.review.searched))


def _told_before_sharing(opened: Opened, look: Look, *of_versions: str) -> None:
    """Say what no rounding can protect: the officer's own words, and two versions side by side."""
    from disclosure_core.report import Report

    given = Report(opened, look)
    need_shareable(given)
    st.caption(
        "Do not share two versions, with another smallest count or other exclusions: together they tell more. Title, "
        "reasons and answers are printed as they were written."
    )
    for warning in (warning_of_texts(given), *of_versions):
        if warning:
            st.warning(show.literal(warning))


def tables(s: Session) -> None:
    """Offer every table as one workbook, one of them in another form, and the evidence file."""
    opened = s.now
    row, below = st.container(), st.container()
    with row:
        make(
            "All tables as one Excel workbook",
            "tables.xlsx",
            partial(workbook.workbook, opened),
            "table",
            below,
            quick=is_quick(s),
            version=INTERNAL,
        )
        offer("Evidence file for regulators", "evidence.json", lambda: to_evidence(opened).encode(), version=INTERNAL)
    which = st.selectbox("One table", workbook.names(opened), key="report.table", persist_state="session", width=300)
    with st.container(horizontal=True):
        offer("As CSV", f"{which}.csv", lambda: core.to_csv(workbook.sheets(opened)[which]), version=INTERNAL)
        for form, ending, written in (("LaTeX", "tex", to_latex), ("Markdown", "md", to_markdown)):
            offer(f"As {form}", f"{which}.{ending}", partial(_typeset, opened, which, written), version=INTERNAL)
        offer(
            "As Parquet", f"{which}.parquet", lambda: core.to_parquet(workbook.sheets(opened)[which]), version=INTERNAL
        )


def _typeset(opened: Opened, which: str, written: Callable[..., bytes]) -> bytes:
    """Return one table in a form for texts, headed as in the workbook."""
    frame = workbook.sheets(opened)[which]
    return written(frame, columns(which, map(str, frame.columns)), workbook.HOLDS.get(which, which))


def scripts_and_review(s: Session, *, scripted: bool = True) -> None:
    """Offer the review and, where wanted, scripts; and take a review that was saved before."""
    opened = s.now
    with st.container(horizontal=True):
        review(s, "The review, to go on later", f"report.get.{REVIEW}")
        if scripted:
            offer("Python script", "assessment.py", lambda: scripts.python(opened).encode())
            offer("R script", "assessment.R", lambda: scripts.r_of(opened).encode())
    saved_before(s, "report")
