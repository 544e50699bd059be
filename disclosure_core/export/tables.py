"""Tables that leave the page: CSV, Parquet and one Excel workbook; numbers stay numbers, text never runs."""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.conclusions import difference
from disclosure_core.counting.registry import COMPARED, IDENTITY
from disclosure_core.counting.settings import Pair
from disclosure_core.data import naming
from disclosure_core.data.workbook import to_excel
from disclosure_core.results import TABLES, names_of_tables, table_of
from disclosure_core.results.review_tables import LAST, REVIEW_TABLES, evaluated
from disclosure_core.rounding import SIGNIFICANT, visible

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.counting.target_risk import TargetRisk
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.identity_baseline import IdentityBaseline
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

__all__ = ["names", "names_of_releases", "of_outside", "of_review", "tables", "to_csv", "to_excel", "to_parquet"]

_RUNS = "=+-@"
"""How a text begins that a spreadsheet may run: what nobody sees before it is dropped, and wide signs count, too."""

_NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?$")


def tables(assessment: Assessment) -> dict[str, pd.DataFrame]:
    """Return every table of an assessment by name: a row a target, synthesis, check or exclusion; % unless said.

    Returns
    -------
    dict
        "summary" (a row a target and comparison), "identity", "attribute", "caps", "levels" (of rare
        disclosures), "one_way", "two_way", "exclusions".
    """
    summaries = [assessment.summary(m).assign(comparison=f"{s} against {o}") for m, (o, s) in COMPARED.items()]
    found = {"summary": pd.concat(summaries, ignore_index=True), "identity": assessment.identity.reset_index()}
    return found | _of_targets(assessment.targets)


def of_target(risk: TargetRisk) -> dict[str, pd.DataFrame]:
    """Return the tables of one target, by the names that they have in `tables`."""
    return _of_targets({risk.target: risk})


def _of_targets(risks: Mapping[str, TargetRisk]) -> dict[str, pd.DataFrame]:
    one_way = [
        {"target": name, "synthesis": i, **{f: getattr(each, f) for f in _ONE_WAY}}
        for name, risk in risks.items()
        for i, check in enumerate(risk.one_way, 1)
        for each in ((check, *check.also) if check else ())
    ]
    return {
        "attribute": _stacked({name: risk.attribute.reset_index() for name, risk in risks.items()}),
        "caps": _stacked({name: risk.caps.reset_index() for name, risk in risks.items()}),
        "levels": _stacked({name: risk.beyond_guess.levels for name, risk in risks.items()}),
        "one_way": pd.DataFrame(one_way, columns=["target", "synthesis", *_ONE_WAY]),
        "two_way": _stacked({name: _two_way(risk) for name, risk in risks.items()}),
        "exclusions": _stacked(
            {
                n: pd.concat([f.reset_index().assign(synthesis=i) for i, f in enumerate(r.excluded, 1)])
                for n, r in risks.items()
            }
        ),
    }


def _two_way(risk: TargetRisk) -> pd.DataFrame:
    """Return the published 2-way check of each synthesis, and beside each pair what excluding it takes and its lift."""
    rows = pd.concat([frame.assign(synthesis=i) for i, frame in enumerate(risk.two_way, 1)], ignore_index=True)
    pairs = rows[["key", "key_level", "target_level"]].itertuples(index=False, name=None)
    listed = [risk.pairs_listed[Pair(*pair)] for pair in pairs]
    more = {
        "excluding_takes": [p.records for p in listed],
        "pct_of_all": [p.pct_of_all for p in listed],
        "lift": [p.lift for p in listed],
    }
    return rows.assign(**{name: pd.array(values, dtype="float64") for name, values in more.items()})


def names(review: Review) -> list[str]:
    """Return the names of the tables of a review, in their order, without those of further results."""
    return [name for name, table in REVIEW_TABLES.items() if table.asked.there(review) and name not in LAST]


def names_of_releases(opened: Opened) -> list[str]:
    """Return the names of the tables of further results, and on copies."""
    return [] if opened.judged.stopped() else [*names_of_tables(opened), *LAST]


def of_review(opened: Opened, progress: Progress | None = None) -> dict[str, pd.DataFrame]:
    """Return every table of a review by name: those of `tables`, and of what else it asks for.

    A table whose figures are not evaluated has one row that says why. `progress` is called with the tables that are
    made, and of how many, also while one is searched for; what it raises ends it.
    """
    if stopped := opened.judged.stopped():
        return _stopped(opened, stopped)
    wanted, printed = [*names(opened.review), *names_of_releases(opened)], opened.printed
    found: dict[str, pd.DataFrame] = {}

    def told(*_: int) -> None:
        if progress is not None:
            progress(len(found), len(wanted))

    told()
    found |= tables(printed.assessment())
    if faults := opened.judged.not_met():
        found["not_evaluated"] = pd.DataFrame(list(faults.items()), columns=["target", "why"])
    for name in wanted:
        told()
        if name not in found:
            found[name] = of_name(opened, name, told, printed)
    if described := printed.introduced():
        found["columns"] = naming.table(described)
    return found


def of_name(opened: Opened, name: str, progress: Progress, printed: Opened | None = None) -> pd.DataFrame:
    """Return one of the tables that a review has; of a further result also where the report does not have it."""
    printed = printed or opened.printed
    if name in TABLES:
        return evaluated(table_of(printed, name, progress))
    if name == "summary_all_excluded":
        return opened.assessment().summary()
    made = REVIEW_TABLES[name].made
    return tables(printed.assessment())[name] if made is None else made(printed, progress)


def of_outside(
    attributes: AttributeBaseline | NotEvaluated, keys: IdentityBaseline | NotEvaluated
) -> dict[str, pd.DataFrame]:
    """Return the tables of people outside by the names that they have in a review."""
    return {
        "holdout": evaluated(attributes, lambda found: found.figures),
        "holdout_difference": evaluated(attributes, difference.table),
        "holdout_identity": evaluated(keys, lambda found: found.figures),
    }


def _stopped(opened: Opened, why: NotEvaluated) -> dict[str, pd.DataFrame]:
    """Return the tables of a review of which no figure is evaluated: each says why, those of the keys in every row."""
    found = {name: pd.DataFrame([why.row()]) for name in names(opened.review)}
    syntheses = range(1, opened.study().n_syntheses + 1)
    found["identity"] = pd.DataFrame({"synthesis": syntheses, **dict.fromkeys(IDENTITY, float("nan")), **why.row()})
    faults = opened.judged.not_met()
    return {**found, "not_evaluated": pd.DataFrame(list(faults.items()), columns=["target", "why"])}


_ONE_WAY = (
    *("level", "n_level", "pct_level", "n_disclosive", "n_disclosive_level", "pct_disclosive"),
    *("n_of_all", "pct_of_all"),
)


def _stacked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the frames of all targets under each other, with the target's name first."""
    stacked = pd.concat([frame.assign(target=name) for name, frame in frames.items()], ignore_index=True)
    first = [c for c in ("target", "synthesis") if c in stacked.columns]
    return stacked[[*first, *(c for c in stacked.columns if c not in first)]]


def to_csv(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV that no spreadsheet runs: a text that could be a formula begins with an apostrophe.

    Figures have the digits that mean something: 3.36, and not 3.3600000000000003.
    """
    return _guarded(frame).to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode("utf-8-sig")


def to_lines(columns: Mapping[str, Sequence[object]]) -> dict[str, list[str]]:
    """Return the rows of a small table, its heads first, as CSV and as what a spreadsheet pastes, guarded as `to_csv`.

    Parameters
    ----------
    columns
        By its head, the values of a column: texts, numbers, None.

    Returns
    -------
    dict
        "csv" and "tsv": a text for each row, so that rows may be sorted and left out by whoever puts them together.
    """
    rows = [[_cell_shown(value) for value in row] for row in (columns, *zip(*columns.values(), strict=True))]
    kinds: dict[str, Any] = {"csv": {"quoting": csv.QUOTE_NONNUMERIC}, "tsv": {"delimiter": "\t"}}
    return {kind: [_line(row, form) for row in rows] for kind, form in kinds.items()}


def _cell_shown(value: object) -> object:
    """Return a text as it is shown, and a figure with the digits that mean something."""
    if isinstance(value, float):
        return None if math.isnan(value) else _significant(value)
    return _quiet(visible(value)) if isinstance(value, str) else value


def _line(row: list[object], form: dict[str, Any]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n", **form).writerow(row)  # either letter of it is quoted in a text
    return written.getvalue()[:-2]


def _guarded(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose texts no spreadsheet runs, with figures of as many digits as mean something."""
    safe = frame.rename(columns=_quiet)
    for name in safe.columns:
        if pd.api.types.is_float_dtype(safe[name].dtype):
            safe[name] = [_significant(value) for value in safe[name]]
        if not pd.api.types.is_numeric_dtype(safe[name].dtype):
            safe[name] = safe[name].map(_quiet, na_action="ignore")
    return safe


def _significant(value: float) -> float:
    """Return a figure with the digits that mean something."""
    return float(f"{value:.{SIGNIFICANT}g}")


def _quiet(value: object) -> object:
    if not isinstance(value, str) or _NUMBER.match(value):
        return value
    first = next((letter for letter in value if letter.isprintable() and not letter.isspace()), "")
    runs = unicodedata.normalize("NFKC", first)[:1] in tuple(_RUNS) or value[:1] in ("\t", "\r", "\n")
    return f"'{value}" if runs else value


def to_parquet(frame: pd.DataFrame) -> bytes:
    """Return a table as Parquet, every value as it is."""
    sink = io.BytesIO()
    frame.to_parquet(sink, index=False)
    return sink.getvalue()
