"""What a figure shows: names and numbers in their order, without a colour or a library."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from disclosure_core.contributions import BINS, by_level, by_size
from disclosure_core.measures import COMPARED
from disclosure_core.tau import TAUS
from disclosure_core.tau import curve as curve_of
from disclosure_core.tau import figures as figures_at
from disclosure_core.tau import names as names_at
from disclosure_core.tau import summary as summary_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from disclosure_core.anonymity import Profile
    from disclosure_core.assessment import Assessment, TargetRisk
    from disclosure_core.decision import Limits
    from disclosure_core.keysearch import SubsetSearch


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


def arrows(assessment: Assessment, measure: str = "DiSCO", tau: float | None = None) -> ArrowPlot:
    """Return the plot of `assessment.summary(measure)`, or of `tau.summary`, the largest synthetic measure on top.

    Parameters
    ----------
    assessment
        What is shown.
    measure
        A published comparison; without meaning where a τ is given.
    tau
        Counts claims at least so sure, instead of a published measure.

    Raises
    ------
    DisclosureError
        When there is no such measure, or τ is not between 0 and 1.

    Source
    ------
    measures.md 8; paper 000, Figure 1. For τ, measures.md 5.
    """
    summary = assessment.summary(measure) if tau is None else summary_at(assessment, tau)
    original, synthetic = COMPARED[measure] if tau is None else names_at(tau)
    n = assessment.n_original

    def each(target: str) -> tuple[float, ...]:
        risk = assessment.targets[target]
        found = risk.figures(synthetic) if tau is None else figures_at(risk, (tau,))[1][:, 0]
        return tuple(found.tolist())

    rows = tuple(
        ArrowRow(
            row["target"],
            row["original"],
            row["synthetic"],
            each(row["target"]),
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


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its label, what it counts, and, where it is compared, what it would count with nothing left out.

    Attributes
    ----------
    label
        What stands beside it.
    value, whole
        In the plot's unit; `whole` None where nothing is compared.
    told
        What else is to be said of it, for hover and table.
    about
        The column and level that it stands for, where it stands for one.
    digits
        Digits after the point; with one, whole and large numbers are written without.
    """

    label: str
    value: float
    whole: float | None = None
    told: str = ""
    about: tuple[str, str] | None = None
    digits: int = 1

    @property
    def figure(self) -> str:
        """What is written at its end: the value, and in brackets what it is compared with."""
        whole = "" if self.whole is None else f" ({_figure(self.whole, self.digits)})"
        return _figure(self.value, self.digits) + whole


def _figure(value: float, digits: int) -> str:
    if digits > 1:
        return f"{value:,.{digits}f}"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Bars in an order that means something.

    Attributes
    ----------
    what
        What the bars count, as a sentence begins.
    unit
        What the axis counts.
    bars
        Top to bottom; left to right where upright.
    value, whole
        What the filled bars and the outlines are called; `whole` empty where nothing is compared.
    upright
        Whether the bars stand: a distribution.
    limit
        Where a line stands: after so many bars, a fraction counts; and what it says.
    """

    what: str
    unit: str
    bars: tuple[Bar, ...]
    value: str
    whole: str = ""
    upright: bool = False
    limit: tuple[float, str] | None = None

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        listed = "; ".join(f"{bar.label}: {bar.value:,.{bar.digits}f}{self._of(bar)}" for bar in self.bars)
        line = f" A line marks the {self.limit[1]}." if self.limit else ""
        return f"{self.what}, {self.unit}. {listed}.{line}"

    def _of(self, bar: Bar) -> str:
        return "" if bar.whole is None else f" ({self.whole} {bar.whole:,.{bar.digits}f})"


@dataclass(frozen=True, slots=True)
class Point:
    """One target among the two conditions.

    Attributes
    ----------
    label
        Its name.
    x, y
        The figure of the members, %, and how much it is above that of the non-members, % points.
    low, high
        Ends of the 95 % interval of y.
    decision
        "acceptable", "high" or "not evaluated".
    """

    label: str
    x: float
    y: float
    low: float
    high: float
    decision: str


@dataclass(frozen=True, slots=True)
class QuadrantPlot:
    """Absolute against relative vulnerability, with the thresholds of the office where it set them.

    Attributes
    ----------
    measure
        "DiSCO" or "DCAP".
    points
        A point a target.
    absolute, relative
        The thresholds, % and % points; None where none is set.
    """

    measure: str
    points: tuple[Point, ...]
    absolute: float | None
    relative: float | None

    @property
    def x_unit(self) -> str:
        """What the horizontal axis says."""
        return f"{self.measure} of members, % of the training records (absolute)"

    @property
    def y_unit(self) -> str:
        """What the vertical axis says."""
        return "members less non-members, % points (relative)"

    @property
    def sentence(self) -> str:
        """The figure in words."""
        listed = "; ".join(
            f"{p.label}: {p.x:.2f}, {p.y:+.2f} ({p.low:+.2f} to {p.high:+.2f}), {p.decision}" for p in self.points
        )
        return f"{self.measure} of members against the difference to non-members, with 95 % intervals. {listed}."


@dataclass(frozen=True, slots=True)
class Curve:
    """One line.

    Attributes
    ----------
    name
        What it is called.
    side
        The side whose colour it has.
    values
        One a place, in the plot's unit.
    low, high
        The range about each value; empty where there is none.
    """

    name: str
    side: Literal["original", "synthetic"]
    values: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines in a frame of their own; a title where there are several frames."""

    title: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class CurvePlot:
    """Lines over numbers, in one frame or in several of the same scale.

    Attributes
    ----------
    what
        What the figure shows, as a sentence begins.
    across, unit
        What the two axes count.
    at
        The places on the first axis.
    panels
        The frames, in their order; each has the same lines by name.
    band
        What the shaded range is called; empty where no line has one.
    steps
        Whether the places are steps, each of which gets a mark.
    limit
        Where a line stands, and what it says.
    log
        Whether the first axis is logarithmic.
    """

    what: str
    across: str
    unit: str
    at: tuple[float, ...]
    panels: tuple[Panel, ...]
    band: str = ""
    steps: bool = False
    limit: tuple[float, str] | None = None
    log: bool = False

    @property
    def top(self) -> float:
        """The largest number shown."""
        return max(v for panel in self.panels for c in panel.curves for v in (*c.values, *c.high))

    @property
    def ticks(self) -> tuple[float, ...]:
        """The steps where each is named on the first axis: where they are evenly apart. Empty: the axis chooses."""
        apart = {round(after - before, 9) for before, after in pairwise(self.at)}
        return self.at if self.steps and len(apart) <= 1 else ()

    @property
    def bottom(self) -> float:
        """The smallest number shown, or 0."""
        return min(0.0, *(v for panel in self.panels for c in panel.curves for v in (*c.values, *c.low)))

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        said = "; ".join(self._of(panel) for panel in self.panels)
        line = f" A line marks {self.limit[1]}." if self.limit else ""
        return f"{self.what}, {self.unit}; {self.across} from {self.at[0]:g} to {self.at[-1]:g}. {said}.{line}"

    def _of(self, panel: Panel) -> str:
        ends = ", ".join(f"{c.name} from {c.values[0]:.2f} to {c.values[-1]:.2f}" for c in panel.curves)
        return f"{panel.title}: {ends}" if panel.title else ends


Plot = ArrowPlot | GrowthPlot | BarPlot | QuadrantPlot | CurvePlot
"""All that is drawn, on screen and in print."""

STEPS = (
    ("original", "All people in the original"),
    ("iS", "iS: keys found in the synthetic data"),
    ("DiS", "DiS: and one answer only"),
    ("DiSCO", "DiSCO: and the answer is right"),
    ("DiSDiO", "DiSDiO: and disclosive in the original"),
    ("Dorig", "Dorig, to compare: the original itself"),
)
"""The steps an intruder takes, by the row of `TargetRisk.exclusions` that counts them."""


def steps(risk: TargetRisk) -> BarPlot:
    """Return the steps of an intruder for one target, records, means over the syntheses.

    Source
    ------
    measures.md 4; paper 000, section 3.
    """
    tables = [taken.loc[[row for row, _ in STEPS]] for taken in risk.exclusions]
    left = np.mean([taken["remaining"] for taken in tables], axis=0)
    whole = np.mean([taken.sum(axis=1) for taken in tables], axis=0)
    something = bool((left != whole).any())
    n = risk.counted[0].cells.n_original
    bars = tuple(
        Bar(label, float(a), float(b) if something else None, f"{100 * a / n:.2f} % of all {n:,} original records")
        for (_, label), a, b in zip(STEPS, left, whole, strict=True)
    )
    return BarPlot(
        f"The steps of an intruder who looks for {risk.target}",
        f"records of {n:,} in the original",
        bars,
        "still counted" if something else "records",
        "nothing left out" if something else "",
    )


def sizes(full: TargetRisk, of: str, limit: int | None = None) -> BarPlot:
    """Return how many records stand in cells of each size, with nothing left out.

    Parameters
    ----------
    full
        One target, with nothing left out: a limit would otherwise hide what it cuts off.
    of
        "original": denominators. "synthetic": the records that a claim rests on.
    limit
        The denominator limit, shown as a line among the denominators.
    """
    frame = by_size(full, of)
    rows = zip(frame["size"], frame["cells"], frame["records"], strict=True)
    bars = tuple(Bar(size, records, told=f"in {cells:,.1f} cells") for size, cells, records in rows)
    line = None
    if limit is not None and of == "original":
        line = _after(limit), f"limit of {limit:,}"
    what = (
        "Denominators: original records in the same cell"
        if of == "original"
        else "Claims: synthetic records that say so"
    )
    return BarPlot(f"{what}, {full.target}", "DiSCO records", bars, "DiSCO records", upright=True, limit=line)


def _after(limit: int) -> float:
    """Return after how many classes of `BINS` a limit stands; within a class in proportion, in the last at its edge."""
    at = int(np.searchsorted(BINS, limit, side="right"))
    if at == len(BINS):
        return at - 0.05
    width = BINS[at] - BINS[at - 1]
    return at - 1 + (limit - BINS[at - 1] + 1) / width


def contributions(risk: TargetRisk, most: int = 12) -> BarPlot:
    """Return the levels of target and keys that carry DiSCO, the largest on top."""
    rows = by_level(risk, most).to_dict("records")
    bars = tuple(
        Bar(
            f"{r['column']} = {r['level']}",
            r["records"],
            told=f"{r['pct']:.1f} % of DiSCO; {r['pct_of_level']:.1f} % of the people with this level",
            about=(r["column"], r["level"]),
        )
        for r in rows
    )
    return BarPlot(f"Levels that carry the disclosure of {risk.target}", "DiSCO records", bars, "DiSCO records")


def scenarios(found: Sequence[tuple[str, Assessment]], target: str) -> BarPlot:
    """Return what is given away of one target in each scenario, % of the original records."""
    bars = tuple(
        Bar(name, float(a.targets[target].figures("DiSCO").mean()), float(a.targets[target].figures("Dorig").mean()))
        for name, a in found
    )
    n = found[0][1].n_original
    return BarPlot(f"DiSCO of {target} in each scenario", f"% of {n:,} original records", bars, "DiSCO", "Dorig")


def quadrants(summary: pd.DataFrame, measure: str, limits: Limits) -> QuadrantPlot:
    """Return the plot of `AttributeBaseline.summary(measure, limits)`.

    Source
    ------
    consensus.md 3.2.
    """
    rows = summary.to_dict("records")
    points = tuple(
        Point(r["target"], r["members"], r["difference"], r["low"], r["high"], r["decision"]) for r in rows[::-1]
    )
    return QuadrantPlot(measure, points, limits.absolute, limits.relative)


def by_share(bands: pd.DataFrame, target: str, measure: str) -> CurvePlot:
    """Return one measure of one target against the share of a synthesis released, from `sizes.bands`."""
    rows = bands[(bands["target"] == target) & (bands["measure"] == measure)]
    x, y, low, high = (tuple(rows[name].tolist()) for name in ("share", "mean", "low", "high"))
    panel = Panel("", (Curve(measure, "synthetic", y, low, high),))
    return CurvePlot(f"{measure} of {target}", "% released", "%", x, (panel,), "5 to 95 % of draws", steps=True)


def classes(profile: Profile) -> CurvePlot:
    """Return the records in classes of so many records or fewer: the original, and the syntheses' mean."""
    x = np.unique(profile.sizes["size"].to_numpy())
    original, *each = (_upto(profile.sizes[profile.sizes["file"] == file], x) for file in sorted(profile.n_records))
    several = len(each) > 1
    low, mean, high = (tuple(found.tolist()) for found in (np.min(each, 0), np.mean(each, 0), np.max(each, 0)))
    curves = (
        Curve("original", "original", tuple(original.tolist())),
        Curve("synthetic, mean" if several else "synthetic", "synthetic", mean, *((low, high) if several else ())),
    )
    return CurvePlot(
        "Records that share their keys with few others",
        "records with the same keys",
        "% of the records",
        tuple(x.astype(float).tolist()),
        (Panel("", curves),),
        "smallest to largest synthesis" if several else "",
        log=True,
    )


def _upto(part: pd.DataFrame, sizes: np.ndarray) -> np.ndarray:
    """Return, shape of `sizes`, the % of a file's records in classes of at most so many records."""
    at = np.searchsorted(part["size"].to_numpy(), sizes, side="right")
    return np.concatenate([[0.0], part["upto"].to_numpy()])[at]


def by_keys(curve: pd.DataFrame, measure: str) -> CurvePlot:
    """Return a figure against the number of keys: the mean over the subsets of each size, and their range."""
    x, y, low, high = (tuple(curve[name].astype(float).tolist()) for name in ("n_keys", "mean", "min", "max"))
    panel = Panel("", (Curve(measure, "synthetic", y, low, high),))
    return CurvePlot(
        f"{measure} by number of keys", "keys known", measure, x, (panel,), "all subsets of that size", steps=True
    )


def each_key(search: SubsetSearch, n_original: int, target: str | None = None) -> BarPlot:
    """Return what remains without each key, beside what all keys give away; the key that adds most on top.

    Parameters
    ----------
    search
        The subsets searched.
    n_original
        N_d, the records that 100 % stands for.
    target
        DiSCO of this target; repU of the keys where none is named.

    Raises
    ------
    DisclosureError
        When the target was not searched.
    """
    measure = "DiSCO" if target else "repU"
    bars = tuple(
        Bar(
            f"without {row['key']}",
            row["without"],
            row["all"],
            f"with {row['key']} alone {row['alone']:.2f} %; it adds {row['adds']:+.2f} % points to the others",
            digits=2,
        )
        for row in search.each_key(measure, target).to_dict("records")
    )
    return BarPlot(
        f"DiSCO of {target} without each key" if target else "repU without each key",
        f"% of {n_original:,} original records",
        bars,
        f"{measure} without the key",
        f"{measure} with all keys",
    )


def by_number_of_keys(search: SubsetSearch, n_original: int) -> CurvePlot:
    """Return UiO and repU by the number of keys: the mean and the range over the subsets of each size.

    Source
    ------
    consensus.md 2.5: the curve by number of keys.
    """
    curves = []
    sides: tuple[tuple[str, Literal["original", "synthetic"]], ...] = (("UiO", "original"), ("repU", "synthetic"))
    for measure, side in sides:
        rows = search.by_size(measure)
        mean, low, high = (tuple(rows[column].tolist()) for column in ("mean", "min", "max"))
        curves.append(Curve(measure, side, mean, low, high))
    return CurvePlot(
        "UiO and repU by the number of keys, means over the subsets of that size",
        "number of keys",
        f"% of {n_original:,} original records",
        tuple(float(n) for n in search.by_size("UiO")["n_keys"]),
        (Panel("", tuple(curves)),),
        "smallest to largest subset",
        steps=True,
    )


def taus(assessment: Assessment, target: str | None = None, chosen: float | None = None) -> CurvePlot:
    """Return what is given away with claims at least so sure, from DCAPd (τ = 0) to DiSCO (τ = 1).

    Parameters
    ----------
    assessment
        What is shown.
    target
        One target; all of them, a frame each, the largest DiSCO first, where none is named.
    chosen
        The τ that is in use, shown as a line.

    Source
    ------
    measures.md 5, "The threshold τ".
    """
    names = assessment.summary()["target"].tolist()[::-1] if target is None else [target]
    several = len(assessment.n_synthetic) > 1
    panels = []
    for name in names:
        rows = curve_of(assessment.targets[name])
        original, mean, low, high = (tuple(rows[column].tolist()) for column in ("original", "synthetic", "min", "max"))
        curves = (
            Curve("original, CAPd to Dorig", "original", original),
            Curve("synthetic, DCAPd to DiSCO", "synthetic", mean, *((low, high) if several else ())),
        )
        panels.append(Panel(name if target is None else "", curves))
    return CurvePlot(
        f"What claims at least τ sure tell of {target}"
        if target
        else "What claims at least τ sure tell of each target",
        "τ",
        f"% of {assessment.n_original:,} original records",
        TAUS,
        tuple(panels),
        "smallest to largest synthesis" if several else "",
        limit=None if chosen is None else (chosen, f"τ = {chosen:g}"),
    )
