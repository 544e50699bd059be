"""Reports for tests of what is said anywhere: of a review, of a study, with the appendix, and page 1's answer."""

# Inside: parts of a report before it is a file.

from __future__ import annotations

from dataclasses import replace

from disclosure_core import NotEvaluated, Opened
from disclosure_core.errors import evaluated
from disclosure_core.report import Look, Report, content, render
from disclosure_core.report.answer import answer
from disclosure_core.report.assembled import assemble, report, tables
from disclosure_core.report.completeness import still_open
from disclosure_core.report.content import appendix

__all__ = [
    "Look",
    "Report",
    "answer",
    "appendix",
    "assemble",
    "blocks",
    "evaluated",
    "named",
    "report",
    "report_of",
    "still_open",
    "tables",
    "to_html",
    "ungrouped",
]


def blocks(source):
    return (*content.blocks(source), *content.appendix(source))


def to_html(source):
    return render.to_html(source) + render.to_html(source, of_appendix=True)


def report_of(opened, asked, *, reasons=None, sections=(), review=None, **look):
    """Return the report of a review that asks for `asked`; every exclusion has a reason, unless reasons are given."""
    reasons = dict.fromkeys(asked.exclusions.names(), "agreed") if reasons is None else reasons
    changed = replace(opened.review.with_settings(asked), reasons=reasons, **(review or {}))
    return Report(opened.with_review(changed), Look(**look), sections)


def ungrouped(opened):
    """Return the same without groups, denominator limit and holdout not evaluated, which a shareable report does not take."""
    review = opened.review.with_settings(replace(opened.review.settings, groups={}))
    opened = opened.with_review(replace(review, exclusions=replace(review.exclusions, denominator_limit=None)))
    outside = isinstance(evaluated(opened.printed.attribute_baseline), NotEvaluated)
    return opened.with_holdout(None, None) if outside and opened.data.holdout is not None else opened


def named(opened, *files):
    """Return the same with names and fingerprints of files, the original's first."""
    data, name = opened.data, opened.first_set
    original, *synthetic = (
        replace(reading, name=called, sha256=sha)
        for reading, (called, sha) in zip(data.readings(name), files, strict=True)
    )
    return Opened(opened.review, replace(data, original=original, sets={**data.sets, name: tuple(synthetic)}))
