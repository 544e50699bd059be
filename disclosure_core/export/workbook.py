"""All tables of a review as one workbook that stands alone: what was asked, what each column is, and every figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.data.workbook import to_excel
from disclosure_core.errors import NotEvaluated
from disclosure_core.export.tables import evaluated, names_of_releases, of_review
from disclosure_core.export.tables import names as names_of_tables
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.answer import answer
from disclosure_core.report.columns import columns
from disclosure_core.report.outside import limit_sentences
from disclosure_core.report.source import files_read, holdout_read, set_apart
from disclosure_core.report.words import DEFINITIONS
from disclosure_core.results import TABLES
from disclosure_core.review import least
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review import verdicts as of_verdicts
from disclosure_core.review.combined import stated
from disclosure_core.review.meeting import answered
from disclosure_core.rounding import plain
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

HOLDS = {
    "answer": "Each measure and target against the office's limits, the worst of the key sets",
    "summary": "Each target: what the original discloses, and the synthetic data still; the judged figures",
    "summary_all_excluded": "The same with all that is excluded, also without a reason; no limit judges it",
    "not_evaluated": "Targets that are not evaluated, and why: none of their figures is in this workbook",
    "columns": "Keys and targets, as the files describe them, and what counts as missing",
    "identity": "Replicated uniques, a row a synthesis",
    "attribute": "Every attribute measure, a row a target and synthesis",
    "caps": "The CAP family, a row a target and synthesis",
    "levels": "Levels with 3 right claims or more, nothing excluded: where rare disclosures are found",
    "one_way": "What the 1-way check flags",
    "two_way": "What the 2-way check flags",
    "exclusions": "Records that each kind of exclusion took",
    "holdout": "DiSCO and DCAP of members and of people outside; synthesis 0 is the mean",
    "holdout_difference": "Parts of the difference, people with the same keys, and what may be concluded",
    "holdout_identity": "repU of members and of people outside; synthesis 0 is the mean",
    "membership": "F, F of guessing and F_rel, a row a β, shares from 0 to 1",
    "membership_all_keys": "The same of all keys together, a row a β and synthesis; -1 is a match in any synthesis",
    "subsets_identity": "Identity measures of every subset of the keys",
    "subsets_attribute": "DiSCO of every subset of the keys",
    "strongest": "The strongest intruder: the keys and levels that disclose most, by measure and target",
    "strongest_levels": "The same with one key known at another level, all others as at the worst combination",
    "least_safeguard": "Chains of safeguards that no other looked at beats, with what each discloses and loses",
    "copies": "Records of each synthesis that equal an original record in all columns but identifiers, and by chance",
    "identifiers": "Values of the original that each synthesis holds, of columns that look like identifiers",
    "verdicts": "Verdicts of the officer",
    "protected_identity": "Identity measures after the safeguards that are taken",
    "protected_summary": "Each target after the safeguards that are taken",
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
    if "membership" in review.searched:
        tables["membership_all_keys"] = evaluated(opened.membership(), lambda result: result.all_keys())
    if review.verdicts:
        tables["verdicts"] = of_verdicts.table(opened)
    return tables


def names(opened: Opened) -> list[str]:
    """Return the names of `sheets`, without computing one."""
    review = opened.review
    found = [
        "answer",
        *names_of_tables(review),
        *names_of_releases(opened),
        *(["columns"] if not opened.judged.stopped() and opened.introduced() else []),
    ]
    if "membership" in review.searched:
        found.append("membership_all_keys")
    return [*found, *(["verdicts"] if review.verdicts else [])]


def workbook(opened: Opened, progress: Progress | None = None) -> bytes:
    """Return the workbook: a first sheet on what was asked and what there is, then a sheet a table; told as `sheets`.

    Raises
    ------
    DisclosureError
        As `to_excel`.
    """
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
                yield f"key of {intruder.name}", key, f"{grouping[key]:,} groups asked for"
            reason = review.reasons.get(key, "").strip() or intruder.reason or "no reason was given"
            yield f"key of {intruder.name}", key, reason
    for name, risk in targets.items():
        groups = settings.group(name)
        yield "target", name, f"{groups:,} groups asked for" if groups else f"{risk.counted[0].cells.column.kind}"
    for column, codes in review.columns.missing_codes.items():
        yield "missing code", column, ", ".join(codes)
    yield from _left_out(review, of_reasons.told(opened), targets)
    for name, why in judged.not_evaluated().items():
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
