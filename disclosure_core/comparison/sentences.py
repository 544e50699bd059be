"""Which of two is better on what: sentences that claim no more than the figures do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disclosure_core.comparison.candidates import USEFUL, Candidate
from disclosure_core.protection.usefulness import GOOD, POOR
from disclosure_core.rounding import compare, fixed

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.comparison.comparison import Comparison

ONE_SYNTHESIS = (
    "A set of one synthesis is among them, so that nothing tells how far chance moves these figures: bring several "
    "syntheses of each."
)
OF_ORIGINAL = "The original itself is one table, so that the means are told and nothing is concluded of chance."
WEIGHED = "No figure here weighs disclosure against usefulness: that is for the office to decide."


def sentences(found: Comparison, a: str, b: str) -> tuple[str, ...]:
    """Return what the figures say of two candidates.

    A candidate is said to disclose less only where the 95 % interval of the difference over syntheses holds no 0;
    where there is no interval, nothing is concluded: of one synthesis, or of several that do not differ.

    Raises
    ------
    DisclosureError
        When one of them is not there, or both are the same.
    """
    rows = found.differences(a, b)
    if not len(rows):
        return ()
    intervals = all(found[name].n_syntheses > 1 for name in (a, b))
    of_targets = rows[(rows["measure"] == "DiSCO") & ~rows["above"]]
    said = [_of_targets(of_targets, a, b, intervals)] if len(of_targets) else []
    said += [_of_one_measure(row, a, b, "repU", "%", intervals) for row in _rows(rows, "repU", above=False)]
    outside = rows[rows["above"] & (rows["measure"] == "DiSCO")]
    if len(outside):
        said.append(_outside(outside, a, b, intervals))
    said += [text for text in (_own_answers(found[name]) for name in (a, b)) if text]
    said += [_useful(found, row, a, b, intervals) for row in _rows(rows, USEFUL, above=False)]
    if not intervals:
        said.append(OF_ORIGINAL if any(found[name].reference for name in (a, b)) else ONE_SYNTHESIS)
    return (*said, WEIGHED)


def reading(s_pmse: float) -> str:
    """Return how synthpop's authors read a mean S_pMSE; empty where there is none."""
    if s_pmse != s_pmse:
        return ""
    return "good" if compare(s_pmse, GOOD) < 0 else "poor" if compare(s_pmse, POOR) > 0 else "between good and poor"


def _rows(rows: pd.DataFrame, measure: str, *, above: bool) -> list[dict[str, object]]:
    return rows[(rows["measure"] == measure) & (rows["above"] == above)].to_dict("records")  # type: ignore[return-value]


def _of_targets(rows: pd.DataFrame, a: str, b: str, intervals: bool) -> str:
    """Say for which targets one discloses less by DiSCO."""
    if not intervals:
        lower = {name: int((rows["lower"] == name).sum()) for name in (a, b)}
        return (
            f"By mean DiSCO {a!r} discloses less for {lower[a]} of {len(rows)} targets and {b!r} for {lower[b]}; "
            "whether that is more than chance cannot be told."
        )
    parts = []
    for name, other in ((a, b), (b, a)):
        names = rows.loc[rows["clear"] & (rows["lower"] == name), "target"].tolist()
        if names:
            those = f"all {len(rows)} targets" if 3 < len(names) == len(rows) else _listed(names)
            parts.append(f"{name!r} discloses less than {other!r} for {those}")
    open_ones, flat = (
        rows.loc[~rows["clear"] & of, "target"].tolist() for of in (rows["low"].notna(), rows["low"].isna())
    )
    if open_ones:
        parts.append(f"{_listed(open_ones)} {'is' if len(open_ones) == 1 else 'are'} not told apart")
    if flat:
        told = "it is" if len(flat) == 1 else "they are"
        parts.append(f"no synthesis differs from another for {_listed(flat)}, so that {told} not told apart")
    return f"By DiSCO: {'; '.join(parts)}."


def _outside(rows: pd.DataFrame, a: str, b: str, intervals: bool) -> str:
    """Say which tells more of its own people than of people outside."""
    parts = []
    for name, column in ((a, "a"), (b, "b")):
        top = rows.sort_values(column, ascending=False, kind="stable").iloc[0]
        parts.append(f"{name!r} has up to {fixed(top[column], sign=True)} percentage points ({top['target']})")
    text = f"DiSCO above that of people who were not in the data: {', '.join(parts)}"
    if not intervals:
        return f"{text}."
    clear = {n: int((rows["clear"] & (rows["lower"] == n)).sum()) for n in (a, b)}
    better = [f"{n!r} is lower on {clear[n]} of {len(rows)} targets" for n in (a, b) if clear[n]]
    return f"{text}; {'; '.join(better) or 'no target tells them apart'}."


def _own_answers(one: Candidate) -> str:
    """Say of which targets people with the same keys show that members' own answers are in the synthetic data."""
    if one.own_answers is None:
        return ""
    if not one.own_answers:
        return f"That members’ own answers are in {one.name!r} is not shown for any target."
    return f"Members’ own answers are shown to be in {one.name!r} for {_listed(one.own_answers)}."


def _of_one_measure(row: dict[str, object], a: str, b: str, what: str, unit: str, intervals: bool) -> str:
    x, y = fixed(row["a"]), fixed(row["b"])  # type: ignore[arg-type]
    text = f"{what} is {x} {unit} of {a!r} and {y} {unit} of {b!r}".replace("  ", " ")
    return f"{text}{_interval(row, intervals)}."


def _useful(found: Comparison, row: dict[str, object], a: str, b: str, intervals: bool) -> str:
    n = {name: found[name].usefulness.how_many[0] for name in (a, b)}
    ways = {1: "one-way", 2: "two-way"}[found[a].usefulness.ways]
    x, y = (f"{fixed(row[side])} ({reading(float(row[side]))})" for side in ("a", "b"))  # type: ignore[arg-type]
    if any(found[name].reference for name in (a, b)):
        return (
            f"Mean S_pMSE over {n[a]} {ways} tables is {fixed(row['a'])} of {a!r} and {fixed(row['b'])} of {b!r}. It "  # type: ignore[arg-type]
            "allows for the number of records, so that beside a sample it does not say which is more useful."
        )
    if row["clear"]:
        other = b if row["lower"] == a else a
        text = f"{row['lower']!r} is the more useful of the two: mean S_pMSE"
        values = (x, y) if row["lower"] == a else (y, x)
        return (
            f"{text} over {n[a]} {ways} tables is {values[0]}, against {values[1]} of {other!r}"
            f"{_interval(row, intervals)}. “Good” is below {GOOD:.0f} and “poor” above {POOR:.0f}, a rule of thumb of "
            "synthpop's authors."
        )
    return f"Mean S_pMSE over {n[a]} {ways} tables is {x} of {a!r} and {y} of {b!r}{_interval(row, intervals)}."


def _interval(row: dict[str, object], intervals: bool) -> str:
    low, high = float(row["low"]), float(row["high"])  # type: ignore[arg-type]
    if low != low:
        return "; no synthesis differs from another, so that they are not told apart" if intervals else ""
    told = "" if row["clear"] else ", so that they are not told apart"
    between = f"{fixed(low, sign=True)} to {fixed(high, sign=True)}"
    difference = fixed(float(row["difference"]), sign=True)  # type: ignore[arg-type]
    return f"; the difference is {difference} (95 % interval over syntheses {between}){told}"


def _listed(names: Sequence[str]) -> str:
    names = [str(name) for name in names]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
