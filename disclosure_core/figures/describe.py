"""What a figure shows: names and numbers in their order, without a colour or a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.measures import COMPARED

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.assessment import Assessment


@dataclass(frozen=True, slots=True)
class ArrowRow:
    """One target: what the original gives away, and what the synthetic data still do.

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
    """

    target: str
    original: float
    synthetic: float
    each: tuple[float, ...]
    n_original: float
    n_synthetic: float
    flag: str

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
    """

    original: str
    synthetic: str
    n_original: int
    n_syntheses: int
    rows: tuple[ArrowRow, ...]

    @property
    def unit(self) -> str:
        """What the axis counts."""
        return f"% of {self.n_original:,} original records"

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        first, last = self.rows[0], self.rows[-1]
        targets = f"{len(self.rows)} targets" if len(self.rows) > 1 else "one target"
        said = [f"{self.original} and {self.synthetic} for {targets}, {self.unit}. {self._of(first, 'Highest')}"]
        if last is not first:
            said.append(self._of(last, "lowest"))
        flagged = [row.label for row in self.rows if row.flag]
        said.append(f"flagged: {', '.join(flagged)}" if flagged else "none flagged")
        return "; ".join(said) + "."

    def _of(self, row: ArrowRow, word: str) -> str:
        return f"{word}: {row.target}, {self.original} {row.original:.2f}, {self.synthetic} {row.synthetic:.2f}"


def arrows(assessment: Assessment, measure: str = "DiSCO") -> ArrowPlot:
    """Return the plot of `assessment.summary(measure)`, the largest synthetic measure on top.

    Raises
    ------
    DisclosureError
        When there is no such measure.

    Source
    ------
    measures.md 8; paper 000, Figure 1.
    """
    summary = assessment.summary(measure)
    original, synthetic = COMPARED[measure]
    n = assessment.n_original
    rows = tuple(
        ArrowRow(
            row["target"],
            row["original"],
            row["synthetic"],
            tuple(assessment.targets[row["target"]].figures(synthetic).tolist()),
            row["original"] * n / 100,
            row["synthetic"] * n / 100,
            row["flag"],
        )
        for row in summary.iloc[::-1].to_dict("records")
    )
    return ArrowPlot(original, synthetic, n, len(assessment.n_synthetic), rows)


@dataclass(frozen=True, slots=True)
class GrowthPlot:
    """How identity disclosure grows as keys are added one at a time.

    Attributes
    ----------
    steps
        Names of the keys, in the order they are added.
    lines
        Name and values, %, one a step.
    n_original
        N_d, the records that 100 % stands for.
    """

    steps: tuple[str, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    n_original: int

    @property
    def unit(self) -> str:
        """What the axis counts."""
        return f"% of {self.n_original:,} original records"

    @property
    def sentence(self) -> str:
        """The figure in words."""
        ends = ", ".join(f"{name} from {v[0]:.2f} to {v[-1]:.2f}" for name, v in self.lines)
        return f"As {len(self.steps)} keys are added one at a time, {ends}, {self.unit}."


def growth(frame: pd.DataFrame, n_original: int) -> GrowthPlot:
    """Return the plot of what `identity_by_keys` computed: UiO and repU, means over the syntheses."""
    lines = tuple((name, tuple(frame[name].tolist())) for name in ("UiO", "repU"))
    return GrowthPlot(tuple(frame["key"]), lines, n_original)
