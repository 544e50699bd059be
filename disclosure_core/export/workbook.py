"""All tables of a review as one workbook that stands alone: what was asked, what each column is, and every figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.data.grouping import Groups, written
from disclosure_core.data.workbook import to_excel
from disclosure_core.errors import NotEvaluated
from disclosure_core.export.tables import names as names_of_tables
from disclosure_core.export.tables import names_of_releases, of_review
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.answer import answer
from disclosure_core.report.columns import columns
from disclosure_core.report.outside import limit_sentences
from disclosure_core.report.source import files_read, holdout_read, set_apart
from disclosure_core.report.words import DEFINITIONS
from disclosure_core.results import TABLES
from disclosure_core.results.review_tables import REVIEW_TABLES
from disclosure_core.review import least
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review import verdicts as of_verdicts
from disclosure_core.review.combined import stated
from disclosure_core.review.meeting import answered
from disclosure_core.rounding import plain
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

HOLDS = {
    "answer": "Each measure and target against the office's limits, the worst of the key sets",
    "not_evaluated": "Targets that are not evaluated, and why: none of their figures is in this workbook",
    "columns": "Keys and targets, as the files describe them, and what counts as missing",
    "verdicts": "Verdicts of the officer",
    **{name: table.holds for name, table in REVIEW_TABLES.items()},
    **{name: table.described for name, (_, table) in TABLES.items()},
}
"""What a sheet holds, by its name."""


def sheets(opened: Opened, progress: Progress | None = None) -> dict[str, pd.DataFrame]:
    """Return every table of a review by name, targets in the page's order: what is disclosed most comes first.

    `progress` is called with the tables that are made, and of how many, also while one is searched for.
    """
    review, found = opened.review, of_review(opened, progress)
    stopped = opened.judged.stopped()
    order = [] if stopped else opened.printed.assessment().summary()["target"].tolist()[::-1]
    tables = {"answer": answer(opened).table()}
    tables |= {name: _in_order(frame, order) for name, frame in found.items()}
    if review.verdicts:
        tables["verdicts"] = of_verdicts.table(opened)
    return tables


def names(opened: Opened) -> list[str]:
    """Return the names of `sheets`, without computing one."""
    return [
        "answer",
        *names_of_tables(opened.review),
        *names_of_releases(opened),
        *(["columns"] if not opened.judged.stopped() and opened.introduced() else []),
        *(["verdicts"] if opened.review.verdicts else []),
    ]


def workbook(opened: Opened, progress: Progress | None = None) -> bytes:
    """Return the workbook: first what was asked and what there is, then a sheet a table, told as `sheets`."""
    tables = sheets(opened, progress)
    of = {name: columns(name) for name in tables}
    return to_excel({"about": about(opened, tuple(tables)), **tables}, of, "Figures of a disclosure review")


def about(opened: Opened, names: tuple[str, ...]) -> pd.DataFrame:
    """Return the first sheet: part, what, and what is said of it, all texts."""
    return pd.DataFrame(list(_about(opened, names)), columns=["part", "what", "is"], dtype="str")


def _about(opened: Opened, names: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    review, judged = opened.review, opened.judged
    settings = judged.review.settings
    targets = {} if judged.stopped() else opened.printed.assessment().targets
    yield "program", "disclosure", __version__
    yield "confidential", "small counts", "This workbook holds small counts and names levels: keep it in the office."
    outside = holdout_read(opened)
    for f in [*files_read(opened), *([] if outside is None else [outside])]:
        lines = f" in {f.lines.words}" if f.lines else ""
        yield "file", f.role, f"{f.name}, {f.rows:,} records{lines}, SHA-256 {f.sha256 or 'none'}"
    for i in stated(opened):
        yield "release", "synthesis that is released", f"Synthesis {i}"
    if set_apart(opened):
        yield "file", "how the holdout was set apart", set_apart(opened)
    for intruder in review.intruders:
        grouping = intruder.grouping(review.groups)
        for key in intruder.keys:
            if grouping.get(key):
                yield f"key of {intruder.name}", key, _cut(grouping[key])
            reason = review.reasons.get(key, "").strip() or intruder.reason or "no reason was given"
            yield f"key of {intruder.name}", key, reason
    for name, risk in targets.items():
        groups = settings.group(name)
        yield "target", name, _cut(groups) if groups else f"{risk.counted[0].cells.column.kind}"
    for column, codes in review.columns.missing_codes.items():
        yield "missing code", column, ", ".join(codes)
    yield from _left_out(review, of_reasons.reasons_printed(opened), targets)
    for name, why in judged.not_met().items():
        yield "not evaluated", name, why
    for name in sorted(opened.differing):
        yield "really different", name, answered(review, name)
    one, two = settings.thresholds.one_way, settings.thresholds.two_way
    yield "check", "1-way", f"above {plain(one[0])} records and {plain(one[1])} % of the disclosive records"
    yield "check", "2-way", f"above {plain(two[0])} records in a cell and {plain(two[1])} % of the key level's records"
    for limited in LIMITED:
        yield "limits", limited, " ".join(limit_sentences(limited, review.limits.of(limited)))
    if found := None if judged.stopped() else least.reported(opened.printed):
        yield "least safeguard", "what was sought", found.why if isinstance(found, NotEvaluated) else found.asked
        if not isinstance(found, NotEvaluated):
            yield "least safeguard", "answer", f"{found.sentence} {found.promise}"
    for label, text in review.about.items():
        if text.strip():
            yield "release", label, text.strip()
    for name in names:
        yield "sheet", name, HOLDS.get(name, "")
    for measure, numerator, denominator, reads, source in DEFINITIONS:
        yield "measure, %", measure, f"{numerator}, over {denominator}; {reads}; {source}"


def _cut(groups: Groups) -> str:
    return f"cut {written(groups)}" if isinstance(groups, tuple) else f"{written(groups)} asked for"


def _left_out(review: Review, reasons: Mapping[str, str], targets: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    out = review.settings.exclusions
    said: dict[str, str] = {}
    for target in targets:
        said |= dict(of_reasons.left_out(out, reasons, target))
    if not said:
        yield "excluded", "nothing", ""
    for what, reason in said.items():
        yield "excluded", what, reason or "no reason was given; not in the judged figures"


def _in_order(frame: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    """Return a table with its targets in this order, what belongs to one target as it was."""
    if "target" not in frame.columns:
        return frame
    rank = {name: i for i, name in enumerate(order)}
    return frame.sort_values(
        "target", key=lambda names: names.map(lambda n: rank.get(n, len(rank))), kind="stable", ignore_index=True
    )
