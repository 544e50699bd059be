"""The tables that a review has by itself, and where it asks for a search, people outside, safeguards or sets.

Each is said once: workbook, JSON, conditions and the second counter read it here. Those of further results are
declared with them (`table.Table`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.comparison.tables import tables as of_sets
from disclosure_core.conclusions import difference
from disclosure_core.counting.copies import real_values
from disclosure_core.errors import NotEvaluated
from disclosure_core.results import counted_again as again
from disclosure_core.review import least
from disclosure_core.review.reasons import without_reason

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.results.table import Counted, Counter, Row
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


@dataclass(frozen=True, slots=True)
class Asked:
    """What a review asks for, and has tables of.

    Attributes
    ----------
    there
        Whether a review does.
    search
        Of a search: as `unfinished` names it; a figure of one that stopped early is at least so much.
    outside
        Whether the figures need people outside the data.
    in_part
        Whether the second counter counts some of the rows alone.
    """

    there: Callable[[Review], bool]
    search: str = ""
    outside: bool = False
    in_part: bool = False


def _searched(kind: str) -> Callable[[Review], bool]:
    return lambda review: kind in review.searched


ALWAYS = Asked(lambda _: True)
WITHOUT_REASON = Asked(lambda review: bool(without_reason(review.settings.left_out, review.reasons)))
OUTSIDE = Asked(lambda review: review.holdout is not None, outside=True)
MEMBERSHIP = Asked(_searched("membership"), "Membership", outside=True)
OF_ALL_KEYS = Asked(_searched("membership"), outside=True)
SUBSETS = Asked(_searched("subsets"), "Subsets of the keys", in_part=True)
STRONGEST = Asked(_searched("strongest"), "The strongest intruder")
LEAST = Asked(_searched(least.KIND), "The least safeguard", in_part=True)
SAFER = Asked(lambda review: bool(review.steps))
SETS = Asked(_searched("comparison"), in_part=True)


@dataclass(frozen=True, slots=True, repr=False)
class ReviewTable:
    """One table of a review.

    Attributes
    ----------
    holds
        What it holds: the sheet's line.
    ids
        The columns that say which row it is.
    asked
        What a review asks for that has it.
    made
        Makes it of the printed review, told how far it is; None of those that `export.tables` makes of an assessment.
    main
        The figure that is meant where a condition names the table alone; empty where none is.
    again
        Counts its figures a second time, of these rows; None where nobody does.
    findings
        Whether it lists what was looked for everywhere: without a row, nothing was found.
    """

    holds: str
    ids: tuple[str, ...]
    asked: Asked = ALWAYS
    made: Callable[[Opened, Progress], pd.DataFrame] | None = None
    main: str = ""
    again: Callable[[Counter, Sequence[Row]], Counted] | None = None
    findings: bool = False


def evaluated(found: Any, frame: Callable[[Any], pd.DataFrame] = lambda found: found) -> pd.DataFrame:
    """Return the table of a result; one row that says why where it is not evaluated."""
    return pd.DataFrame([found.row()]) if isinstance(found, NotEvaluated) else frame(found)


def joined_keys(frame: pd.DataFrame, column: str = "keys") -> pd.DataFrame:
    """Return a frame with sets of keys, in `column`, as one text each."""
    return frame.assign(**{column: [", ".join(keys) for keys in frame[column]]})


REVIEW_TABLES = {
    "summary": ReviewTable(
        "Each target: what the original discloses, and the synthetic data still; the judged figures",
        ("target", "comparison"),
        again=again.summary,
    ),
    "identity": ReviewTable("Replicated uniques, a row a synthesis", ("synthesis",), again=again.identity),
    "attribute": ReviewTable(
        "Every attribute measure, a row a target and synthesis", ("target", "synthesis"), again=again.by_synthesis
    ),
    "caps": ReviewTable(
        "The CAP family, a row a target and synthesis", ("target", "synthesis"), again=again.by_synthesis
    ),
    "levels": ReviewTable(
        "Levels with 3 right claims or more, nothing excluded: where rare disclosures are found",
        ("target", "level"),
        again=again.levels,
        findings=True,
    ),
    "one_way": ReviewTable(
        "What the 1-way check flags", ("target", "synthesis", "level"), again=again.one_way, findings=True
    ),
    "two_way": ReviewTable(
        "What the 2-way check flags",
        ("target", "synthesis", "target_level", "key", "key_level"),
        again=again.two_way,
        findings=True,
    ),
    "exclusions": ReviewTable(
        "Records that each kind of exclusion took", ("target", "synthesis", "measure"), again=again.exclusions
    ),
    "summary_all_excluded": ReviewTable(
        "The same with all that is excluded, also without a reason; no limit judges it",
        ("target",),
        WITHOUT_REASON,
        again=again.summary_all_excluded,
    ),
    "holdout": ReviewTable(
        "DiSCO and DCAP of members and of people outside; synthesis 0 is the mean",
        ("target", "measure", "synthesis"),
        OUTSIDE,
        lambda opened, _: evaluated(opened.attribute_baseline(), lambda found: found.figures),
        "difference",
        again.holdout,
    ),
    "holdout_difference": ReviewTable(
        "Parts of the difference, people with the same keys, and what may be concluded",
        ("target", "measure"),
        OUTSIDE,
        lambda opened, _: evaluated(opened.attribute_baseline(), difference.table),
        again=again.holdout_difference,
    ),
    "holdout_identity": ReviewTable(
        "repU of members and of people outside; synthesis 0 is the mean",
        ("synthesis",),
        OUTSIDE,
        lambda opened, _: evaluated(opened.identity_baseline(), lambda found: found.figures),
        "difference",
        again.holdout_identity,
    ),
    "membership": ReviewTable(
        "F, F of guessing and F_rel, a row a β, shares from 0 to 1",
        ("beta",),
        MEMBERSHIP,
        lambda opened, told: evaluated(opened.membership(told), lambda f: joined_keys(f.summary(), "worst_keys")),
        "F_rel",
        lambda counter, _: counter.members.of_all_keys_and_worst(),
    ),
    "membership_all_keys": ReviewTable(
        "The same of all keys together, a row a β and synthesis; -1 is a match in any synthesis",
        ("beta", "synthesis"),
        OF_ALL_KEYS,
        lambda opened, told: evaluated(opened.membership(told), lambda f: f.all_keys()),
        "F_rel",
        lambda counter, _: counter.members.of_all_keys(),
    ),
    "subsets_identity": ReviewTable(
        "Identity measures of every subset of the keys",
        ("keys",),
        SUBSETS,
        lambda opened, told: joined_keys(opened.subsets(told).identity),
        "repU",
        lambda counter, rows: counter.searches.of_keys(rows),
    ),
    "subsets_attribute": ReviewTable(
        "DiSCO of every subset of the keys",
        ("target", "keys"),
        SUBSETS,
        lambda opened, told: joined_keys(opened.subsets(told).attribute),
        "DiSCO",
        lambda counter, rows: counter.searches.subsets(rows),
    ),
    "strongest": ReviewTable(
        "The strongest intruder: the keys and levels that disclose most, by measure and target",
        ("measure", "target"),
        STRONGEST,
        lambda opened, told: opened.strongest_intruder(told).tables()["strongest"],
        "figure",
        lambda counter, _: counter.searches.strongest(),
    ),
    "strongest_levels": ReviewTable(
        "The same with one key known at another level, all others as at the worst combination",
        ("measure", "target", "key", "level"),
        STRONGEST,
        lambda opened, told: opened.strongest_intruder(told).tables()["strongest_levels"],
        "figure",
        lambda counter, _: counter.searches.levels(),
    ),
    "least_safeguard": ReviewTable(
        "Chains of safeguards that no other looked at beats, with what each discloses and loses",
        ("chain",),
        LEAST,
        lambda opened, told: evaluated(least.reported(opened, told), lambda found: found.tables()["least_safeguard"]),
        again=lambda counter, _: counter.chains.least(),
    ),
    "protected_identity": ReviewTable(
        "Identity measures after the safeguards that are taken",
        ("synthesis",),
        SAFER,
        lambda opened, _: opened.after_safeguards().identity.reset_index(),
        "repU",
    ),
    "protected_summary": ReviewTable(
        "Each target after the safeguards that are taken",
        ("target",),
        SAFER,
        lambda opened, _: opened.after_safeguards().summary(),
        "synthetic",
    ),
    "sets": ReviewTable(
        "Every figure of each set of syntheses, a column a set",
        ("measure", "target"),
        SETS,
        lambda opened, told: of_sets(opened.comparison(told))["sets"],
    ),
    "sets_map": ReviewTable(
        "Disclosure and mean S_pMSE of each set and synthesis; synthesis 0 is the mean",
        ("risk_is", "name", "synthesis"),
        SETS,
        lambda opened, told: of_sets(opened.comparison(told))["sets_map"],
        "risk",
    ),
    "sets_differences": ReviewTable(
        "How each set differs from the first",
        ("set", "other", "measure", "target"),
        SETS,
        lambda opened, told: of_sets(opened.comparison(told))["sets_differences"],
        "difference",
    ),
    "usefulness": ReviewTable(
        "How near each table of one or two columns is to the original's, a row a set and table",
        ("set", "first", "second"),
        SETS,
        lambda opened, told: of_sets(opened.comparison(told))["usefulness"],
        "S_pMSE",
        again.usefulness,
    ),
    "copies": ReviewTable(
        "Records of each synthesis that equal an original record in all columns but identifiers, and by chance",
        ("synthesis",),
        made=lambda opened, _: evaluated(opened.copies(), lambda found: found.records),
        again=again.copies,
    ),
    "identifiers": ReviewTable(
        "Values of the original that each synthesis holds, of nearly unique columns",
        ("column", "synthesis"),
        made=lambda opened, _: real_values(opened.study()),
        again=again.identifiers,
        findings=True,
    ),
}
"""By name, in the order of the sheets; those of further results stand before `LAST`."""

LAST = ("copies", "identifiers")

AT_TAU = ReviewTable("Each target at the τ of the review; `export.verified` adds it", ("target",), again=again.at_tau)
"""What page and report print of a review's τ, and no table holds."""
