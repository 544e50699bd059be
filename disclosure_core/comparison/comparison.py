"""Sets of syntheses side by side: their figures, how they differ, and the tables of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.comparison.candidates import ABOVE, DETAIL, LARGEST, MOST_DETAIL, USEFUL, Candidate, Risk, mean_of
from disclosure_core.comparison.intervals import difference_over_syntheses, paired_difference
from disclosure_core.counting.measures import over_syntheses
from disclosure_core.counting.registry import BY_NAME, IDENTITY
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import compare
from disclosure_core.shown import listed


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Candidates side by side.

    Attributes
    ----------
    candidates
        In their order; names differ.
    left_out
        A sentence for each chain of safeguards that cannot be done on the data.
    not_evaluated
        The sets of which no figure is evaluated, and why: values do not meet, and none is safer for that.

    Raises
    ------
    DisclosureError
        When there is none.
    """

    candidates: tuple[Candidate, ...]
    left_out: tuple[str, ...] = ()
    not_evaluated: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return one line: what is compared; never data."""
        return f"Comparison of {len(self.candidates):,}: {listed(self.names)}"

    def __post_init__(self) -> None:
        if not self.candidates:
            raise DisclosureError("There is nothing to compare: bring a set of syntheses.")

    def __getitem__(self, name: str) -> Candidate:
        """Return one candidate by its name.

        Raises
        ------
        DisclosureError
            When there is none of that name.
        """
        for each in self.candidates:
            if each.name == name:
                return each
        raise DisclosureError(f"There is no set {name!r}; choose one of {', '.join(repr(n) for n in self.names)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates' names."""
        return tuple(each.name for each in self.candidates)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What puts figures in doubt, the holdout or a file given twice; of which sets, where not of all."""
        of: dict[str, list[str]] = {}
        for each in self.candidates:
            for said in each.doubts:
                of.setdefault(said, []).append(repr(each.name))
        return tuple(s if len(who) == len(self.candidates) else f"{', '.join(who)}: {s}" for s, who in of.items())

    @property
    def references(self) -> tuple[str, ...]:
        """What is to be said of the original itself, where it is among them."""
        return tuple(each.reference for each in self.candidates if each.reference)

    @property
    def _syntheses(self) -> tuple[Candidate, ...]:
        return tuple(each for each in self.candidates if not each.reference) or self.candidates

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The targets that every candidate has, in the order of the data."""
        return tuple(t for t in self.candidates[0].targets if all(t in each.targets for each in self.candidates))

    @cached_property
    def worst_target(self) -> str:
        """The target of which some candidate discloses most, by mean DiSCO; empty where there is none."""
        return max(
            self.targets,
            key=lambda t: max(float(each.figures["DiSCO", t].mean()) for each in self._syntheses),
            default="",
        )

    @cached_property
    def risks(self) -> tuple[Risk, ...]:
        """What can be put up the map: DiSCO of the worst target, of each other, repU, and what is above a holdout."""
        worst = (self.worst_target,) if self.worst_target else ()
        order = [*worst, *(t for t in self.targets if t != self.worst_target)]
        found = [*(Risk("DiSCO", t) for t in order), Risk("repU")]
        outside = [Risk(r.measure, r.target, above=True) for r in found]
        return (*found, *(r for r in outside if any(each.of(r) is not None for each in self.candidates)))

    def points(self, risk: Risk) -> pd.DataFrame:
        """Return the risk-utility map.

        Returns
        -------
        DataFrame
            A row a candidate (synthesis 0, the mean) and one a synthesis of it (1 … m): name, synthesis_set, chain,
            synthesis; usefulness, mean S_pMSE, a ratio; risk, in `risk.unit`; low and high, of the mean of a difference
            from people outside its 95 % interval over people, else NaN. A candidate without such a risk, or whose
            tables have no answer, has NaN.
        """
        rows = []
        for each in self.candidates:
            useful = each.figures[USEFUL, ""]
            found = each.of(risk)
            up = np.full(useful.shape, np.nan) if found is None else found
            key, none = (risk.measure, risk.target), (np.nan, np.nan, np.nan)
            _, low, high = each.above_interval.get(key, none) if risk.above else none
            for i, (x, y) in enumerate(zip([useful.mean(), *useful], [up.mean(), *up], strict=True)):
                ends = (np.nan, np.nan) if i else (low, high)
                rows.append((each.name, each.synthesis_set, each.chain, i, float(x), float(y), *ends))
        columns = ["name", "synthesis_set", "chain", "synthesis", "usefulness", "risk", "low", "high"]
        return pd.DataFrame(rows, columns=columns)

    def originals(self, risk: Risk) -> tuple[str, dict[str, float]] | None:
        """Return what the original itself would disclose beside each candidate: the measure, and figures by name, %.

        None for a difference from people outside. Each candidate has its own: groups are made from both sides, and
        the original is seen through the safeguards of a chain.
        """
        if risk.above:
            return None
        measure = BY_NAME[risk.measure].original
        return measure, {each.name: float(each.figures[measure, risk.target].mean()) for each in self.candidates}

    def table(self) -> pd.DataFrame:
        """Return every figure side by side.

        Returns
        -------
        DataFrame
            A row a figure: measure, target ("" for the keys and the tables), unit; then a column a candidate, the mean
            over its syntheses. Rows: the identity measures; DiSCO of each target, and how many syntheses flag it;
            members less people outside where there is a holdout; usefulness; and, where a review has them, F_rel of
            membership, DiSCO of the worst target in each scenario, and how many targets have which verdict. A set that
            is not evaluated has NaN; one called as the columns before it, such as target, stands as "target (set)".
        """
        rows = [self._means(k, "", "%", (k, "")) for k in IDENTITY]
        for target in self.targets:
            rows += [self._means(k, target, "%", (k, target)) for k in ("Dorig", "DiSCO")]
            flagged = {each.name: float(sum(each.flags[target])) for each in self.candidates}
            rows.append(_row("flags raised", target, "flags", flagged))
        for risk in self.risks:
            if risk.above:
                means = {each.name: mean_of(each.of(risk)) for each in self.candidates}
                rows.append(_row(f"{risk.measure} {ABOVE}", risk.target, "percentage points", means))
        rows += [self._means(k, "", "ratio", (k, "")) for k in (USEFUL, LARGEST)]
        rows += [self._means(k, "", "%", (k, "")) for k in (DETAIL, MOST_DETAIL)]
        rows += self._of_the_review()
        names = [*self.names, *self.not_evaluated]
        frame = pd.DataFrame(rows, columns=[*range(len(_HEAD)), *names])
        return frame.set_axis([*_HEAD, *(f"{name} (set)" if name in _HEAD else name for name in names)], axis=1)

    def _of_the_review(self) -> list[_Row]:
        """Return the rows on what the review holds of some set; a candidate without it has NaN."""
        rows: list[_Row] = []
        nan = float("nan")
        if any(each.decided.f_rel is not None for each in self.candidates):
            f_rel = {each.name: nan if each.decided.f_rel is None else each.decided.f_rel for each in self.candidates}
            rows.append(_row("F_rel, all keys", "", "0 to 1", f_rel))
        scenarios = dict.fromkeys(name for each in self.candidates for name, _ in each.decided.scenarios)
        for name in scenarios:
            found = {e.name: e.decided.scenarios.get((name, self.worst_target), nan) for e in self.candidates}
            rows.append(_row(f"DiSCO, scenario {name!r}", self.worst_target, "%", found))
        given = {said for each in self.candidates for said in each.decided.verdicts.values()}
        for said in sorted(given):
            counted = {
                each.name: nan if each.chain else float(list(each.decided.verdicts.values()).count(said))
                for each in self.candidates
            }
            rows.append(_row(f"verdict: {said}", "", "targets", counted))
        return rows

    def told_apart(self, name: str, other: str, risk: Risk) -> bool:
        """Return whether the interval over syntheses tells a risk of two sets apart; a set and itself count as told."""
        if name == other:
            return True
        found = self._difference(name, other, risk) if risk in (*self.risks, Risk(USEFUL)) else None
        return found is not None and bool(found["clear"])

    def _means(self, measure: str, target: str, unit: str, key: tuple[str, str]) -> _Row:
        return _row(measure, target, unit, {each.name: mean_of(each.figures.get(key)) for each in self.candidates})

    def spread(self, measure: str, target: str = "") -> pd.DataFrame:
        """Return mean, sd, smallest and largest over the syntheses of one figure, a row a candidate; sd NaN for one."""
        found = {each.name: over_syntheses(each.figures[measure, target]) for each in self.candidates}
        return pd.DataFrame.from_dict(found, orient="index", columns=["mean", "sd", "min", "max"])

    def differences(self, a: str, b: str) -> pd.DataFrame:
        """Return how two candidates differ.

        Returns
        -------
        DataFrame
            A row a figure (DiSCO of each target, repU, members less people outside of each, usefulness): measure,
            target, above (as `Risk`); a and b, the means; difference, a − b, with low and high, its 95 % interval over
            syntheses, NaN where a side has one synthesis or none differs (`intervals.BASIS`); lower, the name of
            the one whose mean is lower, "" where they are equal; clear, whether the interval is there and holds no 0.

        Raises
        ------
        DisclosureError
            When one of them is not there, or both are the same.
        """
        if self[a] is self[b]:
            raise DisclosureError(f"Name two sets: {a!r} differs from itself in nothing.")
        found = (self._difference(a, b, risk) for risk in (*self.risks, Risk(USEFUL)))
        columns = ["measure", "target", "above", "a", "b", "difference", "low", "high", "lower", "clear"]
        return pd.DataFrame([row for row in found if row is not None], columns=columns)

    def _difference(self, a: str, b: str, risk: Risk) -> dict[str, Any] | None:
        one, other = self[a], self[b]
        x, y = one.of(risk), other.of(risk)
        if x is None or y is None or np.isnan([*x, *y]).any():
            return None
        same = one.synthesis_set == other.synthesis_set and one.n_syntheses == other.n_syntheses
        difference, low, high = (paired_difference if same else difference_over_syntheses)(x, y)
        lower = {-1: a, 0: "", 1: b}[compare(float(x.mean()), float(y.mean()))]
        return {
            "measure": risk.measure,
            "target": risk.target,
            "above": risk.above,
            "a": x.mean(),
            "b": y.mean(),
            "difference": difference,
            "low": low,
            "high": high,
            "lower": lower,
            "clear": bool(low > 0 or high < 0),
        }


_HEAD = ("measure", "target", "unit")
"""What a row of the table is of; the columns that follow are called as the sets are."""

_Row = dict[int | str, str | float]
"""A row of the table: by number what it is of, by name the figure of each set."""


def _row(measure: str, target: str, unit: str, figures: Mapping[Any, float]) -> _Row:
    return {**dict(enumerate((measure, target, unit))), **figures}


def comparison(
    candidates: Sequence[Candidate], left_out: tuple[str, ...] = (), not_evaluated: Mapping[str, str] | None = None
) -> Comparison:
    """Return candidates side by side; two of one name are told apart by a number."""
    names: list[str] = []
    for each in candidates:
        again = 2
        name = each.name
        while name in names:
            name, again = f"{each.name} ({again})", again + 1
        names.append(name)
    return Comparison(
        tuple(replace(c, name=n) for c, n in zip(candidates, names, strict=True)), left_out, not_evaluated or {}
    )
