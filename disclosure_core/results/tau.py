"""How sure a claim must be to count: from DCAPd (τ = 0) to DiSCO (τ = 1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import pandas as pd
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.data.typeset import Column
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel
from disclosure_core.parameters import declared
from disclosure_core.results.declared import Drawn, OfReview, OneOf, Result, targets_asked
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.review.value import Review
from disclosure_core.rounding import fixed, percent
from disclosure_core.sensitivity import threshold
from disclosure_core.verify.counter import mean, spread

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.review.inputs import Inputs

ORIGINAL = "% of the original records"
USUAL = 0.8
"""The τ that sentences speak of where none is chosen."""


def _with_tau(review: Review, tau: float | None) -> Review:
    return replace(review, tau=tau)


class Asked(Parameters):
    """What the curve is asked with."""

    tau: Annotated[float | None, OfReview(lambda review: review.tau, _with_tau)] = declared(
        Review, "tau", description="How sure a claim must be; that of the review, if it has one."
    )
    target: Annotated[str | None, OneOf(lambda data: tuple(data.assessment.targets))] = Field(
        None, title="Target", description="One target; all of them by default."
    )
    at: tuple[Annotated[float, Field(ge=0, le=1)], ...] = Field(
        threshold.SHOWN,
        min_length=1,
        title="Points of the table",
        description="The τ that the table has rows of; repeat it. From 0.5 to 1 by default.",
    )

    @property
    def points(self) -> tuple[float, ...]:
        """Those, and τ."""
        return tuple(sorted({*self.at, *(() if self.tau is None else (self.tau,))}))


def _again(counter: Counter, rows: Sequence[Row]) -> Counted:
    taus = {float(tau) for _, tau in rows}
    found = {}
    for name in counter.targets_in(rows):
        target = counter.target_of(name)
        for tau in taus:
            at = [target.at_least(i, tau) for i in range(1, counter.data.m + 1)]
            values = [synthetic for _, synthetic in at]
            found[name, tau] = {"original": at[0][0], "synthetic": mean(values), **spread(values)}
    return found


def _by_target(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row a target, what is disclosed most first: the synthetic figure at each τ, and the original's least."""
    wide = frame.pivot_table("synthetic", "target", "tau", sort=False)[sorted(frame["tau"].unique(), reverse=True)]
    least = frame["tau"].min()
    original = frame[frame["tau"] == least].set_index("target")["original"]
    wide = wide.sort_values(wide.columns[0], ascending=False, kind="stable")
    wide.columns = [f"τ = {tau:g}" for tau in wide.columns]
    return wide.assign(**{f"original, {least:g}": original}).reset_index()


TABLE = Table(
    "tau_curves",
    "Right claims by the least probability τ of a claim, % of the original records",
    {
        "target": Column("Target", kind="text"),
        "tau": Column("τ", "least probability of a claim"),
        "original": Column("original, right claims with pd ≥ τ", ORIGINAL, says="At τ = 1 Dorig."),
        "synthetic": Column("synthetic, right claims with ps ≥ τ", ORIGINAL, says="At τ = 1 DiSCO."),
        "min": Column("smallest of the syntheses", says=ORIGINAL),
        "max": Column("largest of the syntheses", says=ORIGINAL),
        "sd": Column("SD over the syntheses", says="Percentage points."),
    },
    ("target", "tau"),
    "synthetic",
    printed=_by_target,
    again=_again,
)


class Tau(Result[Asked]):
    """Right claims of each target by how sure they must be: `rows` at the points asked, `curves` at `TAUS`.

    `whole` are the targets of which nothing is excluded.
    """

    short: ClassVar = "tau"
    about: ClassVar = "The claims"
    question: ClassVar = "How sure must a claim be?"
    title: ClassVar = "How sure a claim must be"
    purpose: ClassVar = "Count claims that are at least so sure."
    reads: ClassVar = (
        "An intruder who looks up keys in the synthetic data learns a level with probability ps. DiSCO counts claims "
        "that are certain (τ = 1), DCAPd every claim by its probability (τ = 0, where nothing is excluded); between "
        "them, those with ps ≥ τ. Such "
        "figures are not DiSCO. They are means over the syntheses."
    )
    formula: ClassVar = (
        "Among the synthetic records with a person's keys, the share with the person's own value is ps = s[q, t] "
        "/ s[q]. The synthetic curve at τ is 100 · Σ ps · d[q, t] / N_d over the cells with ps ≥ τ, the "
        "original's the same with pd = d[q, t] / d[q], from CAPd to Dorig. Neither ever rises with τ. A steep "
        "fall at the right end means that much of what can be learnt is likely rather than certain; a flat line, "
        "that nearly all of it is certain.\n\n"
        "Exclusions take original records d; ps and pd stay those of the full tables, as for DiSCO. So the right end "
        "is DiSCO under every exclusion; the left end is DCAPd only where nothing is excluded, since DCAPd computes ps "
        "again from what is left. *Source:* the family is the one that Raab, Nowok and Dibben (2026) leave for the "
        "future; our definition is in `measures.md` 5."
    )
    example: ClassVar = "--tau 0.8"
    asks: ClassVar = Asked
    tables: ClassVar = (TABLE,)
    drawn: ClassVar = Drawn("threshold", "How sure a claim must be")

    def __init__(
        self, asked: Asked, found: Mapping[str, pd.DataFrame], whole: Collection[str], n_original: int, *, several: bool
    ) -> None:
        self.asked, self.whole, self.n_original, self.several = asked, whole, n_original, several
        order = sorted(found, key=lambda name: -float(found[name]["synthetic"].iloc[-1]))
        self.curves = {name: found[name][found[name]["tau"].isin(threshold.TAUS)] for name in order}
        self.rows = pd.concat(
            [f[f["tau"].isin(asked.points)].assign(target=name) for name, f in found.items()], ignore_index=True
        )[["target", *next(iter(found.values())).columns]]

    @classmethod
    def lacking(cls, data: Inputs, asked: Asked) -> NotEvaluated | None:
        """Return None; a target that is asked for and is none is an error."""
        targets_asked(data, asked.target)
        return None

    @classmethod
    def make(cls, data: Inputs, asked: Asked, progress: Progress | None = None) -> Tau:  # noqa: ARG003 (quick)
        """Return the curves, and the points asked."""
        result, every = data.assessment, sorted({*threshold.TAUS, *asked.points})
        names = targets_asked(data, asked.target)
        found = {name: threshold.curve(result.targets[name], every) for name in names}
        whole = {name for name in names if all(each.everything for each in result.targets[name].counted)}
        return cls(asked, found, whole, result.n_original, several=len(result.n_synthetic) > 1)

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return a row a target and τ."""
        return {TABLE.name: self.rows}

    def every_point(self) -> pd.DataFrame:
        """Return the curves as one table: a row a target and each τ of `threshold.TAUS`."""
        found = pd.concat([frame.assign(target=name) for name, frame in self.curves.items()], ignore_index=True)
        return found[self.rows.columns]

    def sentences(self) -> list[str]:
        """Say of the target that is disclosed most what less than certain claims add."""
        tau, name = USUAL if self.asked.tau is None else self.asked.tau, next(iter(self.curves))
        frame = self.curves[name].set_index("tau")["synthetic"]
        at = frame.iloc[frame.index.searchsorted(tau)]
        return [
            f"Claims about {name} that are at least {percent(fixed(100 * tau, 0))} sure are right for "
            f"{percent(fixed(at))} of all original records; certain ones (DiSCO) for "
            f"{percent(fixed(frame.iloc[-1]))}."
        ]

    def figure(self) -> CurvePlot:
        """Return what is disclosed with claims at least so sure, a frame a target."""
        names, tau = list(self.curves), self.asked.tau
        one = names[0] if len(names) == 1 else ""
        panels = []
        for name, frame in self.curves.items():
            of = {column: tuple(frame[column].tolist()) for column in ("original", "synthetic", "min", "max")}
            band = (of["min"], of["max"]) if self.several else ()
            first = ("CAPd ", "DCAPd ") if name in self.whole else ("", "")  # with exclusions the left ends are neither
            curves = (
                Curve(f"original, {first[0]}to Dorig", "original", of["original"]),
                Curve(f"synthetic, {first[1]}to DiSCO", "synthetic", of["synthetic"], *band),
            )
            panels.append(Panel("" if one else name, curves))
        return CurvePlot(
            f"What claims at least τ sure tell of {one or 'each target'}",
            "how sure a claim must be, τ",
            f"% of {self.n_original:,} original records" + (f", target {one}" if one else ""),
            threshold.TAUS,
            tuple(panels),
            "smallest to largest synthesis" if self.several else "",
            limit=None if tau is None else (tau, f"τ = {tau:g}"),
            target=one,
        )
