"""The report of a review: put together here and nowhere else, for page, command line and Python."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError, NotEvaluated, evaluated
from disclosure_core.report import members, outside, tables_of
from disclosure_core.report.answer import answer
from disclosure_core.report.compared import compared
from disclosure_core.report.content import shared_in_short
from disclosure_core.report.render import to_html, to_pdf
from disclosure_core.report.source import HOLDOUT, MEMBERSHIP, SUBSETS, FileRead, ReportInput
from disclosure_core.report.subsets import with_subsets
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.value import OFFICER

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.report.source import Block
    from disclosure_core.review.opened import Opened


@dataclass(frozen=True, slots=True)
class Look:
    """How a report is to be; nothing of it moves a figure.

    Attributes
    ----------
    title, date
        As they are to stand on it; the date is given, never looked up.
    shareable
        Without counts below `smallest`.
    smallest
        The smallest count that a shareable report shows, records.
    level_names
        Whether a shareable report names levels; an internal one always does.
    cells
        Whether an internal report lists the largest cells, and the records in them.
    """

    title: str = "Disclosure report"
    date: str = ""
    shareable: bool = False
    smallest: int = 10
    level_names: bool = True
    cells: bool = False


def in_short(opened: Opened, look: Look) -> ReportInput:
    """Return what the report of a review is made from, without what has to be computed for it alone."""
    review, judged = opened.review, opened.judged
    printed = opened.printed
    return ReportInput(
        opened.study(),
        printed.assessment(),
        files_read(opened),
        look.title or Look().title,
        review.about.get(OFFICER, ""),
        look.date,
        review.reasons if look.shareable else of_reasons.told(opened),
        {label: text for label, text in review.about.items() if label != OFFICER},
        shareable=look.shareable,
        smallest=look.smallest,
        cells=look.cells and not look.shareable,
        level_names=look.level_names or not look.shareable,
        remarks=opened.remarks(),
        columns=printed.introduced(),
        mends=review.columns.mends,
        assumptions=review.assumptions,
        holdout=holdout_read(opened),
        set_apart=set_apart(opened),
        threat_model=review.threat_model,
        keys=review.keys,
        key_sets=tuple(k for k in review.intruders if k.keys),
        key_set=review.intruder,
        verdicts=opened.verdicts(),
        unreviewed=tuple(row.target for row in opened.queue().rows if row.given is None),
        notes=(*opened.which_syntheses, *opened.not_judged),
        all_excluded=None if not opened.not_judged else opened.assessment(),
        names=_named(opened),
        unreconciled=judged.unreconciled(),
        limits=review.limits,
        released=review.released.get(opened.first_set, ()),
    )


def _named(opened: Opened) -> tuple[str, ...]:
    """Return the names of sets and chains that a report of a review prints."""
    review = opened.review
    sets = tuple(opened.data.sets) if len(opened.data.sets) > 1 else ()
    compared = "comparison" in review.searched
    chains = tuple(c.name for c in review.chains if c.steps and (compared or c.name == review.chain))
    return (*sets, *chains)


def report_input(opened: Opened, look: Look, progress: Progress | None = None) -> ReportInput:
    """Return what the report of a review is made from; what was searched is in it, what was not is said.

    What is to be searched anew tells `progress` that nothing is drawn yet; what that raises ends it.
    """

    def told(*_: int) -> None:
        if progress is not None:
            progress(0, 0)

    told()
    source, review = replace(in_short(opened, look), scenarios=opened.scenarios(), answer=answer(opened)), opened.review
    opened = opened.printed  # what follows is of the judged figures alone
    told()
    if not opened.study().holds_records:
        return _with_sets(source, opened, told)
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
        why = source.answer.why_no_membership if source.answer is not None else ""
        source = replace(source.with_reason(MEMBERSHIP, why), refused=members.refused(why, review.threat_model))
    else:
        whole = (SUBSETS,) if result.coverage.whole else ()
        source = source.with_section(members.section(source, result, review.limits.membership), MEMBERSHIP, *whole)
    searched = opened.finished_subsets(progress=told)
    return _with_sets(source if searched is None else with_subsets(source, searched), opened, told)


def _with_sets(source: ReportInput, opened: Opened, told: Progress) -> ReportInput:
    """Return what a report is made from, with a section on sets side by side where that is asked for."""
    if "comparison" not in opened.review.searched:
        return source
    return source.with_section(compared(source, opened.comparison(told)))


def tables(opened: Opened, look: Look) -> dict[str, pd.DataFrame]:
    """Return the report's own tables, which are as safe to share as it is."""
    return tables_of(report_input(opened, look))


def preview(opened: Opened, look: Look) -> tuple[Block, ...]:
    """Return page 1 of the shareable report as it will be printed, and its table of attributes.

    Raises
    ------
    DisclosureError
        As `content.shared_in_short`.
    """
    return shared_in_short(report_input(opened, look))


def report(opened: Opened, form: str, look: Look | None = None, progress: Progress | None = None) -> bytes:
    """Return the report of a review.

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
    source = report_input(opened, look or Look(), progress)
    return to_pdf(source, progress) if form == "pdf" else to_html(source, progress).encode()


def files_read(opened: Opened) -> list[FileRead]:
    """Return what was assessed: role, name, records and fingerprint of each table."""
    study = opened.study()
    sizes = (study.n_original, *study.n_synthetic)
    roles = ["Original", *(f"Synthesis {i}" for i in range(1, len(sizes)))]
    read = [(r.name, r.sha256, r.lines) for r in opened.readings() if r.sha256]
    names = read or [(opened.review.name, "", None)] * len(sizes)
    told = zip(roles, names, sizes, strict=True)
    return [FileRead(role, name, n, sha, lines) for role, (name, sha, lines), n in told]


def holdout_read(opened: Opened) -> FileRead | None:
    """Return the file of people outside; None where there is none."""
    reading = opened.data.holdout
    return (
        None
        if reading is None
        else FileRead("Holdout", reading.name, len(reading.frame), reading.sha256, reading.lines)
    )


def set_apart(opened: Opened) -> str:
    """Return how people outside were set apart, where that is known; empty otherwise."""
    source = opened.review.holdout
    if source is None or source.share is None:
        return ""
    return f"split off the original at random here: {source.share:g} % for training, seed {source.seed}"
