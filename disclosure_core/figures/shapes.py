"""Forms that several figures share: bars in an order, and lines over numbers; without a library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from disclosure_core.rounding import fixed, score

if TYPE_CHECKING:
    from disclosure_core.figures.palette import Side


AT_MOST = "; marks are at most: at or above the true figure"
"""What an axis says of figures that are bounds."""

BEYOND = "above 100 %: more people are counted than the records that 100 % stands for"
"""What an axis says that goes beyond 100 %: measures of people over fewer records."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its label, what it counts, and, where it is compared, what it would count with nothing excluded.

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
    side
        Whose figure it is.
    around
        What its label says before and after the name of a column, or of all else that it stands for.
    """

    label: str
    value: float
    whole: float | None = None
    told: str = ""
    about: tuple[str, str] | None = None
    digits: int = 1
    side: Side = "synthetic"
    around: tuple[str, str] = ("", "")

    def called(self, labels: Mapping[str, str]) -> str:
        """Return its label with the name in it as `labels` call it."""
        before, after = self.around
        name = self.label.removeprefix(before).removesuffix(after)
        return labels.get(self.label, f"{before}{labels.get(name, name)}{after}")

    @property
    def figure(self) -> str:
        """What is written at its end: the value, and in brackets what it is compared with."""
        whole = "" if self.whole is None else f" ({_figure(self.whole, self.digits)})"
        return _figure(self.value, self.digits) + whole


def mean_of(n_syntheses: int) -> str:
    """Return what stands before a count that is a mean over syntheses: "mean ", or nothing where there is one."""
    return "mean " if n_syntheses > 1 else ""


def _figure(value: float, digits: int) -> str:
    if digits > 1:
        return fixed(value, digits)
    return fixed(value, 0) if value >= 100 or value == int(value) else fixed(value, 1)


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Bars in an order that means something.

    Attributes
    ----------
    title
        What the bars count of whom, as a sentence begins.
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
    caption
        What stands beneath it in print: what is counted, over what, and how often.
    what
        What each bar stands for: a step, a level …
    side
        Whose figure the outlines are: the original's, or what stood before.
    more
        What stands in place of bars that are not drawn.
    reach
        How far the axis goes at least: parts of one figure have one axis.
    target
        Which target the unit ends with, where the figure is of one.
    """

    title: str
    unit: str
    bars: tuple[Bar, ...]
    value: str
    whole: str = ""
    upright: bool = False
    limit: tuple[float, str] | None = None
    caption: str = ""
    what: str = ""
    side: Side = "before"
    more: str = ""
    reach: float = 0.0
    target: str = ""

    @property
    def n_parts(self) -> int:
        """How many bars there are."""
        return len(self.bars)

    def part(self, start: int, stop: int) -> BarPlot:
        """Return some of the bars, on the axis of all; a limit stays in the part where it stands."""
        reach = max([self.reach, *(max(bar.value, bar.whole or 0.0) for bar in self.bars)])
        limit = self.limit
        if limit is not None:
            limit = (limit[0] - start, limit[1]) if start <= limit[0] < stop else None
        return replace(self, bars=self.bars[start:stop], reach=reach, limit=limit, more="")

    def first(self, n: int) -> BarPlot:
        """Return the first n bars, and say how many more there are."""
        return replace(self.part(0, n), more=f"and {len(self.bars) - n:,} more") if len(self.bars) > n else self

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        listed = "; ".join(f"{bar.label}: {_figure(bar.value, bar.digits)}{self._of(bar)}" for bar in self.bars)
        line = f" A line marks the {self.limit[1]}." if self.limit else ""
        more = f"; {self.more}" if self.more else ""
        return f"{self.title}, {self.unit}. {listed}{more}.{line}"

    def _of(self, bar: Bar) -> str:
        return "" if bar.whole is None else f" ({self.whole} {_figure(bar.whole, bar.digits)})"


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
    dash
        "solid", "dash" or "dot", where lines of one side are told apart; empty for that of the side.
    """

    name: str
    side: Side
    values: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    dash: str = ""


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
    title
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
        Whether the first axis is logarithmic; its words say so.
    at_most
        Whether every figure is a bound, at or above the true one; the second axis says so.
    caption
        What stands beneath it in print: what is counted, over what, and how often.
    more
        What stands in place of frames that are not drawn.
    reach
        How far the scale goes at least, both ends: parts of one figure have one scale.
    target
        Which target the unit ends with, where the figure is of one.
    """

    title: str
    across: str
    unit: str
    at: tuple[float, ...]
    panels: tuple[Panel, ...]
    band: str = ""
    steps: bool = False
    limit: tuple[float, str] | None = None
    log: bool = False
    caption: str = ""
    more: str = ""
    reach: tuple[float, float] = (0.0, 0.0)
    at_most: bool = False
    target: str = ""

    @property
    def across_words(self) -> str:
        """What stands at the first axis."""
        return f"{self.across} (logarithmic scale)" if self.log else self.across

    @property
    def unit_words(self) -> str:
        """What stands at the second axis: what it counts, whether figures are bounds, and what is beyond 100 %."""
        said = f"{self.unit}{AT_MOST * self.at_most}"
        return f"{said}; {BEYOND}" if self.unit.startswith("%") and self.highest > 100 + 1e-9 else said

    @property
    def n_parts(self) -> int:
        """How many frames there are."""
        return len(self.panels)

    def part(self, start: int, stop: int) -> CurvePlot:
        """Return some of the frames, on the scale of all."""
        return replace(self, panels=self.panels[start:stop], reach=(self.lowest, self.highest), more="")

    def first(self, n: int) -> CurvePlot:
        """Return the first n frames, and say how many more there are."""
        return replace(self.part(0, n), more=f"and {len(self.panels) - n:,} more") if len(self.panels) > n else self

    @property
    def highest(self) -> float:
        """The largest number shown."""
        return max(self.reach[1], *(v for panel in self.panels for c in panel.curves for v in (*c.values, *c.high)))

    @property
    def ticks(self) -> tuple[float, ...]:
        """The steps where each is named on the first axis: where they are evenly apart. Empty: the axis chooses."""
        apart = {round(after - before, 9) for before, after in pairwise(self.at)}
        return self.at if self.steps and len(apart) <= 1 else ()

    @property
    def lowest(self) -> float:
        """The smallest number shown, or 0."""
        return min(0.0, self.reach[0], *(v for panel in self.panels for c in panel.curves for v in (*c.values, *c.low)))

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        said = "; ".join(self._of(panel) for panel in self.panels)
        line = f" A line marks {self.limit[1]}." if self.limit else ""
        more = f"; {self.more}" if self.more else ""
        return f"{self.title}, {self.unit}; {self.across} from {self.at[0]:g} to {self.at[-1]:g}. {said}{more}.{line}"

    def _of(self, panel: Panel) -> str:
        said = fixed if self.unit.startswith("%") else score  # a share of a small F needs more digits
        ends = ", ".join(f"{c.name} from {said(c.values[0])} to {said(c.values[-1])}" for c in panel.curves)
        return f"{panel.title}: {ends}" if panel.title else ends
