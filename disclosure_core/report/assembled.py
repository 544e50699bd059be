"""The report of a review: put together here and nowhere else, for page, command line and Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError, NotEvaluated, evaluated
from disclosure_core.report import members, outside, tables_of
from disclosure_core.report.compared import compared
from disclosure_core.report.content import shared_in_short
from disclosure_core.report.least import with_least
from disclosure_core.report.near_misses import with_near_misses
from disclosure_core.report.render import to_html, to_pdf
from disclosure_core.report.source import HOLDOUT, MEMBERSHIP, SUBSETS, Look, Report
from disclosure_core.report.strongest import with_strongest
from disclosure_core.report.subsets import with_subsets

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.report.source import Block
    from disclosure_core.review.opened import Opened


def assemble(opened: Opened, look: Look, progress: Progress | None = None) -> Report:
    """Return the report of a review; what it says was searched is in it, what was not is said.

    What is to be searched anew tells `progress` that nothing is drawn yet; what that raises ends it.
    """

    def told(*_: int) -> None:
        if progress is not None:
            progress(0, 0)

    told()
    source, review = Report(opened, look), opened.review
    if source.stopped:
        return source
    opened, why = source.printed, source.answer.why_no_membership  # what follows is of the judged figures alone
    told()
    attributes, identity = evaluated(opened.attribute_baseline), evaluated(opened.identity_baseline)
    if not isinstance(attributes, NotEvaluated) and not isinstance(identity, NotEvaluated):
        source = source.with_section(outside.section(source, attributes, identity, review.limits), HOLDOUT)
    elif isinstance(attributes, NotEvaluated):
        source = source.with_reason(HOLDOUT, f"{attributes.why} {attributes.needs}".strip())
    try:
        result = opened.finished_membership(progress=told)
    except DisclosureError:
        result = None
    if result is None:
        source = source.with_reason(MEMBERSHIP, why).with_section(members.refused(why, review.threat_model))
    else:
        whole = (SUBSETS,) if result.coverage.whole else ()
        source = source.with_section(members.section(source, result, review.limits.membership), MEMBERSHIP, *whole)
    searched = opened.finished_subsets(progress=told)
    return _with_sets(source if searched is None else with_subsets(source, searched), opened, told)


def _with_sets(source: Report, opened: Opened, told: Progress) -> Report:
    """Return what a report is made from, with near misses, and what else is asked for."""
    source = with_least(with_strongest(with_near_misses(source, opened), opened, told), opened, told)
    if "comparison" not in opened.review.searched:
        return source
    return source.with_section(compared(source, opened.comparison(told)))


def tables(opened: Opened, look: Look) -> dict[str, pd.DataFrame]:
    """Return the report's own tables, which are as safe to share as it is."""
    return tables_of(assemble(opened, look))


def preview(opened: Opened, look: Look) -> tuple[Block, ...]:
    """Return page 1 of the shareable report as it will be printed, and its table of attributes.

    Raises
    ------
    DisclosureError
        As `content.shared_in_short`.
    """
    return shared_in_short(assemble(opened, look))


def report(opened: Opened, form: str, look: Look | None = None, progress: Progress | None = None) -> bytes:
    """Return the report of a review, or its appendix.

    Parameters
    ----------
    opened
        The review and its data.
    form
        "pdf" or "html".
    look
        How it is to be.
    progress
        Called with the figures that are drawn, and of how many; before that with 0 and 0. What it raises ends it.
    """
    look = look or Look()
    source = assemble(opened, look, progress)
    if form == "pdf":
        return to_pdf(source, progress, of_appendix=look.appendix)
    return to_html(source, progress, of_appendix=look.appendix).encode()
