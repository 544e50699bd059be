"""The report of a review: put together here and nowhere else, for page, command line and Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError, NotEvaluated, evaluated
from disclosure_core.report import members, outside, tables_of
from disclosure_core.report.analyses import with_analyses
from disclosure_core.report.compared import compared
from disclosure_core.report.content import shared_in_short
from disclosure_core.report.least import with_least
from disclosure_core.report.render import first_page, to_html, to_pdf
from disclosure_core.report.source import HOLDOUT, MEMBERSHIP, SUBSETS, Block, Look, Report
from disclosure_core.report.strongest import with_strongest
from disclosure_core.report.subsets import with_subsets
from disclosure_core.review.saved import to_json

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.identity_baseline import IdentityBaseline
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
    opened = source.printed  # what follows is of the judged figures alone
    told()
    attributes, identity = evaluated(opened.attribute_baseline), evaluated(opened.identity_baseline)
    if look.shareable:
        return _shared(source, attributes, identity, told)
    why = source.answer.why_no_membership
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
        source = source.with_section(members.section(result, review.limits.membership), MEMBERSHIP, *whole)
    searched = opened.finished_subsets(progress=told)
    return _with_sets(source if searched is None else with_subsets(source, searched), opened, told)


def _shared(
    source: Report,
    attributes: AttributeBaseline | NotEvaluated,
    identity: IdentityBaseline | NotEvaluated,
    told: Progress,
) -> Report:
    """Return what a shareable report is made from: no figure of membership, and of people outside all or nothing."""
    opened, review = source.printed, source.review
    if not isinstance(attributes, NotEvaluated) and not isinstance(identity, NotEvaluated):
        source = source.with_section(outside.section(source, attributes, identity, review.limits), HOLDOUT)
    elif source.holdout is not None:
        raise DisclosureError(
            "People outside are not evaluated, which a shareable report cannot say without telling of the records: take "
            "the holdout out, bring another, or take the internal version, which says why."
        )
    searched = "membership" in review.searched
    source = source.with_section(members.withheld(source, searched=searched), *([MEMBERSHIP] if searched else []))
    subsets = opened.finished_subsets(progress=told)
    return _with_sets(source if subsets is None else with_subsets(source, subsets), opened, told)


def _with_sets(source: Report, opened: Opened, told: Progress) -> Report:
    """Return what a report is made from, with further results, and what else is asked for."""
    source = with_least(with_strongest(with_analyses(source, opened, told), opened, told), opened, told)
    if "comparison" not in opened.review.searched:
        return source
    return source.with_section(compared(source, opened.comparison(told)))


def tables(opened: Opened, look: Look) -> dict[str, pd.DataFrame]:
    """Return the report's own tables, which are as safe to share as it is."""
    return tables_of(assemble(opened, look))


def preview(opened: Opened, look: Look) -> tuple[Block, ...]:
    """Return page 1 of the shareable report as it will be printed, and its table of attributes."""
    return shared_in_short(assemble(opened, look))


def page_1(opened: Opened, look: Look) -> bytes:
    """Return page 1 as PNG, as it will be printed; of a shareable report with its table of attributes."""
    made: bytes = opened.once(
        "page_1",
        opened.first_set,
        to_json(opened.review),
        repr(look),
        opened.is_kept("membership"),
        make=lambda: _page_1(opened, look),
    )
    return made


def _page_1(opened: Opened, look: Look) -> bytes:
    if not look.shareable:
        return first_page(Report(opened, look))
    source = assemble(opened, look)
    return first_page(source, shared_in_short(source))


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
