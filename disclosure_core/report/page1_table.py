"""The table of page 1: a row a measure and target, with marks, limits and verdicts, and what is said beneath."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from disclosure_core.data.naming import cut, named
from disclosure_core.holdout.decision import LIMITED, Limit, Outcome
from disclosure_core.report import redaction
from disclosure_core.report.pieces import table
from disclosure_core.report.rows import Row, called, tenth
from disclosure_core.report.source import Block, Marks, Report
from disclosure_core.review import scope
from disclosure_core.rounding import NOTHING, beside_limit, few, listed, plain, score

if TYPE_CHECKING:
    from disclosure_core.report.answer import Answer


LONGEST_NAME = 32
"""Letters of a target in the table of page 1; the annex has all of them."""


_FIGURES = ("members, %", "outside, %", "difference, points", "95 % interval", "commonest answer, %")


COLUMNS = ("Measure and target", *_FIGURES, "the office's limits", "result")


WITHOUT_LIMITS = ("Measure and target", *_FIGURES, "verdict")
"""A column of limits that nobody set, and one of results that there are none of, would say nothing."""


def short_names(found: Answer) -> dict[str, str]:
    """Return what page 1 calls each target."""
    return cut((r.target for r in found.rows), LONGEST_NAME)


def blocks_of_table(source: Report, found: Answer, most: int) -> list[Block]:
    """Return the rows of concern with their marks, and a sentence on what is beyond them."""
    concern = sorted(found.rows, key=lambda r: (r.outcome is not Outcome.ABOVE, LIMITED.index(r.measure)))
    if not found.has_limits or scope.DCAP in found.not_asked:
        concern = [r for r in concern if r.measure == "DiSCO"]
    shown_rows = [r for r in found.rows if r in concern[:most]]
    columns: tuple[str, ...] = COLUMNS if found.has_limits else WITHOUT_LIMITS
    names = short_names(found)
    rows = [(*_row(r, names[r.target]), *(_judged(r) if found.has_limits else (_verdict(r),))) for r in shown_rows]
    marks: list[Marks | None] = [
        Marks(
            r.judged.original,
            r.judged.members,
            r.judged.outside,
            None if r.before is None else r.before.members,
            r.limit.absolute,
        )
        if r.judged.evaluated
        else None
        for r in shown_rows
    ]
    s = found.screening
    last = ("none", "not judged") if found.has_limits else (NOTHING,)
    rows.append(("repU, screening", *_figures(s.members, s.outside, s.difference, s.low, s.high), NOTHING, *last))
    marks.append(None)
    rows.append(_membership(found))
    marks.append(None)
    several = len(found.keys) > 1
    hollow = "; hollow before exclusions" if any(r.before is not None for r in shown_rows) else ""
    said = [
        f"Ring: the original itself. Diamond: disclosed by the synthetic data, people in the data (members){hollow}."
        + ("" if found.n_outside is None else " Bar: the same of people outside. Differences are of unrounded figures.")
        + " Dashed: the office's first limit." * any(r.limit.absolute is not None for r in shown_rows),
        "DiSCO: all synthetic records with a person's keys have one answer, and it is the person's. DCAP: the share of them "
        "with the person's answer. repU: alone with their keys, and met by exactly one synthetic record. F_rel: 0 for a "
        "mere guess, 1 for certainty.",
        *(
            [f"A name of more than {LONGEST_NAME} letters has its middle left out; the annex has all of it."]
            if any(names[r.target] != r.target for r in found.rows)
            else []
        ),
        *_of_limits(found, several=several),
        *_left_over_rows(
            [r for r in found.rows if r not in shown_rows and (r in concern or not found.has_limits)],
            names,
            limits=found.has_limits,
        ),
        *described(source, [*(k for keys in found.keys.values() for k in keys), *(r.target for r in shown_rows)]),
    ]
    columns, *rows = _columns_with_values(found, columns, rows)
    return [
        table("", columns, rows, result=True, marks=tuple(marks), scale=_scale(marks)),
        Block("note", items=tuple(said)),
    ]


def _columns_with_values(found: Answer, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return head and rows without the columns of people outside where there are none: they would be empty."""
    of_outside = () if found.n_outside is not None else ("outside, %", "difference, points", "95 % interval")
    kept = [i for i, name in enumerate(columns) if name not in of_outside]
    return [tuple(row[i] for i in kept) for row in (columns, *rows)]


def _of_limits(found: Answer, *, several: bool) -> list[str]:
    """Return what is said of limits and of the key set that decides; nothing where there are none of either."""
    above = ["Above: members above the first limit and the difference above the second."] if found.has_limits else []
    return [*above, f"{_chosen(found)}: {_whose(found)}."] if several else above


def described(source: Report, names: Iterable[str]) -> list[str]:
    """Return a sentence on what the files say that these columns hold; nothing where they say nothing."""
    labels = {each.name: each.label for each in redaction.introduced(source)}
    said = [named(name, labels, _LABEL) for name in dict.fromkeys(names) if labels.get(name)]
    more = f"; {len(said) - _DESCRIBED} more in the next section" if len(said) > _DESCRIBED else ""
    return [f"As the files describe them: {'; '.join(said[:_DESCRIBED])}{more}."] if said else []


_DESCRIBED = 8
"""Columns with a label that page 1 has room for, keys first."""


_LABEL = 40
"""Letters of a label on page 1; the next section has all of them."""


def _chosen(found: Answer) -> str:
    """Say by what each row's key set was chosen, as `Row.order` does."""
    most = "discloses most" if found.n_outside is None else "is furthest above people outside"
    return (
        "Each row is that of the key set with the worst result, after exclusions and then before; of several such, "
        f"of the one that {most}"
    )


def _whose(found: Answer) -> str:
    """Name the key set that each row is of; the one of most rows last, for all the others."""
    of: dict[str, list[str]] = {}
    for r in found.rows:
        of.setdefault(r.intruder, []).append(called(r))
    *few_rows, most = sorted(of, key=lambda name: len(of[name]))
    named = [f"{name} ({', '.join(found.keys[name])}) of {listed(of[name])}" for name in few_rows]
    rest = f"{most} ({', '.join(found.keys[most])}) of all {'others' if named else 'rows'}"
    return "; ".join([*named, rest])


def _scale(marks: Iterable[Marks | None]) -> tuple[float, float]:
    """Return where the axis ends, a round number, and the step of its grid: at most six steps of 1, 2 or 5."""
    largest = max(
        [1.0, *(v for m in marks if m for v in (m.original, m.members, m.outside, m.before, m.limit) if v is not None)]
    )
    step = next(s for s in (1, 2, 5, 10, 20) if largest / s <= 6)
    return float(step * math.ceil(largest / step)), float(step)


def _row(r: Row, name: str) -> tuple[str, ...]:
    f, limit = r.judged, r.limit
    tag = f" · {r.flag}" if r.flag else ""
    return (
        f"{r.measure} of {name}{tag}",
        _beside_limit(f.members, limit.absolute),
        NOTHING if f.outside is None else tenth(f.outside),
        NOTHING if f.difference is None else _beside_limit(f.difference, limit.relative),
        _interval(f.low, f.high),
        tenth(r.majority),
    )


def _judged(r: Row) -> tuple[str, str]:
    return limits_of(r.limit), str(r.outcome) + (", against a verdict" if r.contradicted else "")


def _verdict(r: Row) -> str:
    if not r.judged.evaluated:
        return str(Outcome.NOT_EVALUATED)
    if r.verdict is None:
        return NOTHING
    return f"{r.verdict.verdict}, to confirm" if r.confirm else r.verdict.verdict


def _beside_limit(value: float, limit: float | None) -> str:
    return tenth(value) if limit is None or math.isnan(value) else beside_limit(value, limit, 1)


def _figures(*values: float | None) -> tuple[str, str, str, str]:
    members, outside, difference, low, high = values
    return (
        NOTHING if members is None else tenth(members),
        NOTHING if outside is None else tenth(outside),
        NOTHING if difference is None else tenth(difference),
        _interval(low, high),
    )


def _interval(low: float | None, high: float | None) -> str:
    """Return an interval; one that holds 0 says so."""
    if low is None or high is None:
        return NOTHING
    return f"{beside_limit(low, 0.0, 1)} to {beside_limit(high, 0.0, 1)}" + (", holds 0" if low <= 0 <= high else "")


def limits_of(limit: Limit) -> str:
    """Return both limits of a measure as page 1 writes them."""
    parts = [NOTHING if v is None else plain(v) for v in (limit.absolute, limit.relative)]
    return "not set" if parts == [NOTHING, NOTHING] else " and ".join(parts)


def _membership(found: Answer) -> tuple[str, ...]:
    m = found.membership
    limit = "not set" if m.limit.relative is None else plain(m.limit.relative)
    at_least = "" if m.complete else "at least "
    name = "Membership, F_rel" if m.f_rel is None else f"Membership, F_rel {at_least}{score(m.f_rel, 3)}"
    if scope.MEMBERSHIP in found.not_asked:
        return (name, *(NOTHING,) * 5, *((limit,) if found.has_limits else ()), "not asked")
    if not found.has_limits:
        return (name, *(NOTHING,) * 5, str(Outcome.NOT_EVALUATED) if m.f_rel is None else NOTHING)
    return (name, *(NOTHING,) * 5, limit, str(m.outcome))


_NAMED = 5
"""Targets of those not shown that page 1 names; more are counted."""


def _left_over_rows(rows: Iterable[Row], names: Mapping[str, str], *, limits: bool) -> list[str]:
    """Return a sentence for the rows that page 1 has no room for, by measure and result."""
    by: dict[tuple[str, Outcome], list[Row]] = {}
    for r in rows:
        by.setdefault((r.measure, r.outcome), []).append(r)
    where = ["DiSCO of every target stands in the annex, every figure in the workbook."]
    return [
        f"Not shown here: {measure} of {few([names[r.target] for r in some], _NAMED)}{f', {outcome}' if limits else ''}; "
        f"members at most {tenth(max((r.judged.members for r in some if r.judged.evaluated), default=math.nan))} %."
        for (measure, outcome), some in by.items()
    ] + where * bool(by)
