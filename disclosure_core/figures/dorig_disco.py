"""Dorig against DiSCO, or another original against its synthetic measure: two marks a target, the largest on top."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.registry import COMPARED
from disclosure_core.figures.shapes import AT_MOST
from disclosure_core.review.queue import UNFLAGGED
from disclosure_core.rounding import compare, fixed
from disclosure_core.sensitivity.threshold import figures as figures_at
from disclosure_core.sensitivity.threshold import names as names_at
from disclosure_core.sensitivity.threshold import summary as summary_at

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.settings import Exclusions


FEW = 2
"""Levels excluded that are named beside a target; more are counted there and named in the caption."""

NAMED = 12
"""Things excluded that the caption names; more are counted."""

LEAST_WAY = 3
"""An arrow is drawn where the two marks lie further apart than this, in % of the largest figure: else it hides them."""


@dataclass(frozen=True, slots=True)
class ArrowRow:
    """One target: what the original discloses, and what the synthetic data still do.

    Attributes
    ----------
    target
        Name of the column.
    original, synthetic
        Means over the syntheses, %.
    each
        Shape (m,): the synthetic measure of each synthesis, %.
    n_original, n_synthetic
        Records behind the two, means over the syntheses.
    flag
        "", "1-way", "2-way" or "1- and 2-way".
    left_out
        What is excluded from this target alone: "without ‘No’"; empty where nothing is, or it is not to be shown.
    before
        The two figures with nothing excluded, %; None where they are not to be shown, or are the same.
    """

    target: str
    original: float
    synthetic: float
    each: tuple[float, ...]
    n_original: float
    n_synthetic: float
    flag: str
    left_out: str = ""
    before: tuple[float, float] | None = None

    @property
    def low(self) -> float:
        """The smallest of the syntheses, %."""
        return min(self.each)

    @property
    def high(self) -> float:
        """The largest of the syntheses, %."""
        return max(self.each)

    @property
    def label(self) -> str:
        """The target's name, with its flag."""
        return f"{self.target} · {self.flag}" if self.flag else self.target


@dataclass(frozen=True, slots=True)
class ArrowPlot:
    """Original against synthetic measure, a row a target, the largest synthetic measure first.

    Attributes
    ----------
    original, synthetic
        Names of the two measures: "Dorig", "DiSCO" …
    n_original
        N_d, the records that 100 % stands for.
    n_syntheses
        m.
    rows
        In the order of the page, top to bottom.
    excluded
        What is excluded, each by its name; empty where nothing is, or it is not to be shown.
    more
        What stands in place of targets that are not drawn.
    reach
        How far the axis goes at least, %: parts of one figure have one axis.
    at_most
        Whether every mark is a bound, at or above the true figure; the axis says so.
    alike
        Whether both count the same: no arrow leads from CAPd to DiSCO.
    """

    original: str
    synthetic: str
    n_original: int
    n_syntheses: int
    rows: tuple[ArrowRow, ...]
    excluded: tuple[str, ...] = ()
    more: str = ""
    reach: float = 0.0
    at_most: bool = False
    alike: bool = True

    @property
    def unit_words(self) -> str:
        """What stands at the axis."""
        return f"{self.unit}{AT_MOST * self.at_most}"

    @property
    def n_parts(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def part(self, start: int, stop: int) -> ArrowPlot:
        """Return some of the rows, on the axis of all."""
        return replace(self, rows=self.rows[start:stop], reach=self.furthest, more="")

    def first(self, n: int) -> ArrowPlot:
        """Return the first n rows, with a sentence on the rest."""
        rest = self.rows[n:]
        most = max((row.synthetic for row in rest), default=0.0)
        above = ceil(10 * most - 1e-9) / 10
        more = f"and {len(rest):,} more, {self.synthetic} at most {fixed(above, 1)} %"
        return replace(self, rows=self.rows[:n], more=more) if rest else self

    @property
    def furthest(self) -> float:
        """The largest figure shown, what stood before among them, %, and 1 at least."""
        return max([1.0, self.reach, *(max(row.original, row.high, *(row.before or ())) for row in self.rows)])

    @property
    def title(self) -> str:
        """What the figure shows."""
        return f"{self.original} and {self.synthetic} by target"

    @property
    def caption(self) -> str:
        """What stands beneath it in print."""
        means = f", mean of {self.n_syntheses} syntheses" if self.n_syntheses > 1 else ""
        means += "; shaded: smallest to largest" if any(row.high > row.low for row in self.rows) else ""
        sentences = [
            f"{self.original} of the original (ring) and {self.synthetic} of the synthetic data (diamond{means}) by "
            f"target, {self.unit}; lower is safer."
        ]
        drawn = [row.synthetic < row.original for row, arrow in zip(self.rows, self.arrows, strict=True) if arrow]
        if drawn:
            did = "took away" if all(drawn) else "took away or added" if any(drawn) else "added"
            sentences.append(f"The arrow shows what synthesis {did}.")
        if any(row.flag for row in self.rows):
            sentences.append("A flag asks whether the disclosure is common knowledge.")
        if self.excluded:
            rest = len(self.excluded) - NAMED
            more = f" and {rest:,} more" if rest > 0 else ""
            sentences.append(f"Excluded: {'; '.join(self.excluded[:NAMED])}{more}.")
        if any(row.before for row in self.rows):
            sentences.append("Hollow marks on a dotted line: with nothing excluded.")
        return " ".join(sentences)

    @property
    def unit(self) -> str:
        """What the axis counts."""
        return f"% of {self.n_original:,} original records"

    @property
    def largest(self) -> float:
        """The largest figure shown, %, and 1 at least: where the axis ends."""
        return max([1.0, *(max(row.original, row.high) for row in self.rows)])

    @property
    def arrows(self) -> tuple[bool, ...]:
        """Shape (n_rows,): whether an arrow leads from the original's mark to the synthetic data's."""
        least = LEAST_WAY / 100 * self.largest
        return tuple(self.alike and abs(row.original - row.synthetic) > least for row in self.rows)

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        first = max(self.rows, key=lambda row: row.synthetic)  # the rows of a shareable report stand by name
        last = min(reversed(self.rows), key=lambda row: row.synthetic)
        targets = f"{len(self.rows)} targets" if len(self.rows) > 1 else "one target"
        said = [f"{self.original} and {self.synthetic} for {targets}, {self.unit}. {self._of(first, 'Highest')}"]
        if last is not first:
            said.append(self._of(last, "lowest"))
        flagged = [row.label for row in self.rows if row.flag]
        if not self.at_most:  # bounds are for those who are told of no flag
            said.append(f"flagged: {', '.join(flagged)}" if flagged else UNFLAGGED)
        said += [f"{row.target} {row.left_out}" for row in self.rows if row.left_out]
        said += [self.more] if self.more else []
        return "; ".join(said) + "."

    def _of(self, row: ArrowRow, word: str) -> str:
        return f"{word}: {row.target}, {self.original} {fixed(row.original)}, {self.synthetic} {fixed(row.synthetic)}"


def describe(
    assessment: Assessment, measure: str = "DiSCO", tau: float | None = None, before: Assessment | None = None
) -> ArrowPlot:
    """Return the plot of `assessment.summary(measure)`, or of `threshold.summary`, largest on top.

    Parameters
    ----------
    assessment
        What is shown.
    measure
        A published comparison; without meaning where a τ is given.
    tau
        Counts claims at least so sure, instead of a published measure.
    before
        The same with nothing excluded. Where it is given, the exclusions are named and the figures before them shown.

    Raises
    ------
    DisclosureError
        When there is no such measure, or τ is not between 0 and 1.

    Source
    ------
    measures.md 8; paper 000, Figure 1. For τ, measures.md 5.
    """
    summary = _summary(assessment, measure, tau)
    original, synthetic = COMPARED[measure] if tau is None else names_at(tau)
    n, out = assessment.n_original, assessment.left_out
    figures_before = {}
    if before is not None:
        columns = _summary(before, measure, tau)[["target", "original", "synthetic"]]
        figures_before = {name: (a, b) for name, a, b in columns.itertuples(index=False)}

    def each(target: str) -> tuple[float, ...]:
        risk = assessment.targets[target]
        figures = risk.figures(synthetic) if tau is None else figures_at(risk, (tau,))[1][:, 0]
        return tuple(figures.tolist())

    def unlike(row: dict[Hashable, Any]) -> tuple[float, float] | None:
        pair = figures_before.get(row["target"])
        return None if pair is None or same(pair, (row["original"], row["synthetic"])) else pair

    rows = tuple(
        ArrowRow(
            row["target"],
            row["original"],
            row["synthetic"],
            each(row["target"]),
            row["original"] * n / 100,
            row["synthetic"] * n / 100,
            row["flag"],
            "" if before is None else left_out(out, row["target"]),
            unlike(row),
        )
        for row in summary.iloc[::-1].to_dict("records")
    )
    excluded: tuple[str, ...] = ()
    if before is not None:
        excluded = (*(name for row in rows for name in out.names_of(row.target)), *of_all(out))
    return ArrowPlot(original, synthetic, n, len(assessment.n_synthetic), rows, excluded)


def _summary(assessment: Assessment, measure: str, tau: float | None) -> pd.DataFrame:
    return assessment.summary(measure) if tau is None else summary_at(assessment, tau)


def same(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two pairs of figures are the same, to what a figure means."""
    return all(compare(a, b) == 0 for a, b in zip(one, other, strict=True))


def left_out(exclusions: Exclusions, target: str) -> str:
    """Return in few words what is excluded from one target alone: "without ‘No’, 3 pairs"; empty where nothing is."""
    levels, pairs = exclusions.levels_of(target), exclusions.pairs_of(target)
    parts = [f"‘{level}’" for level in levels] if len(levels) <= FEW else [f"{len(levels)} levels"]
    parts += ["missing"] if target in exclusions.missing_targets else []
    parts += [f"{len(pairs)} pair{'s' * (len(pairs) > 1)}"] if pairs else []
    return f"without {', '.join(parts)}" if parts else ""


def of_all(exclusions: Exclusions) -> tuple[str, ...]:
    """Return what is excluded from every target, as a caption names it."""
    limit = exclusions.denominator_limit
    return (
        *(f"missing values of the key {name}" for name in sorted(exclusions.missing_keys)),
        *([f"cells of more than {limit:,} original records"] if limit is not None else []),
    )
