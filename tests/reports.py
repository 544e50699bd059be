"""A report and its appendix as one, and the report of a study, for tests of what is said anywhere."""

from __future__ import annotations

from dataclasses import replace

from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.report import Look, Report, content, render
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.opened import Opened


def blocks(source):
    return (*content.blocks(source), *content.appendix(source))


def to_html(source):
    return render.to_html(source) + render.to_html(source, of_appendix=True)


def report_of(opened, asked, *, reasons=None, sections=(), review=None, **look):
    """Return the report of a review that asks for `asked`; every exclusion has a reason, unless reasons are given."""
    reasons = dict.fromkeys(of_reasons.names(asked.exclusions), "agreed") if reasons is None else reasons
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
