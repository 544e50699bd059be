"""The risk-utility map: what sets of syntheses disclose, against what they are good for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.rounding import compare, fixed

if TYPE_CHECKING:
    from disclosure_core.comparison.candidates import Risk
    from disclosure_core.comparison.comparison import Comparison


@dataclass(frozen=True, slots=True)
class MapPoint:
    """One set of syntheses as it came, or after a chain of safeguards.

    Attributes
    ----------
    label
        Its name.
    x, y
        Means over its syntheses: S_pMSE, a ratio, and the risk.
    each
        The same of each synthesis.
    began
        Where the set stands as it came, after a chain of safeguards; None for a set as it came.
    original
        What the original itself would disclose, seen through the same groups and safeguards; None for a difference.
    reference
        Whether it is the original itself, sampled or coarsened, and no synthesis.
    told
        Whether its risk is told apart from that of the first set, by the interval over syntheses; else it is hollow.
    interval
        The ends of the mean's 95 % interval over people, of a difference from people outside; None for other risks.
    """

    label: str
    x: float
    y: float
    each: tuple[tuple[float, float], ...]
    began: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None
    original: float | None = None
    reference: bool = False
    told: bool = True

    @property
    def low(self) -> float:
        """The lower end of its interval, or the mark itself."""
        return self.y if self.interval is None else self.interval[0]

    @property
    def high(self) -> float:
        """The upper end of the same."""
        return self.y if self.interval is None else self.interval[1]

    @property
    def figure(self) -> str:
        """Its risk as it stands at the mark, after its name."""
        return fixed(self.y, 1, sign=self.interval is not None)

    @property
    def words(self) -> str:
        """Its risk with the interval, where there is one."""
        if self.interval is None:
            return fixed(self.y)
        low, high = (fixed(end, sign=True) for end in self.interval)
        return f"{fixed(self.y, sign=True)} (95 % interval over people {low} to {high})"


@dataclass(frozen=True, slots=True)
class MapPlot:
    """Sets side by side, risk up and usefulness across.

    Attributes
    ----------
    risk, unit
        What stands up, and its unit.
    ways
        Columns of the tables that S_pMSE is the mean of, 1 or 2.
    points
        A point a set or chain.
    measure
        Of the original, the measure of the line and the rings; None for a difference.
    not_shown
        The sets that have no such figure.
    named
        The points whose names are drawn, from and up to; all where it is empty. The others are grey.
    target
        Which target `risk` names, where it is of one.
    """

    risk: str
    unit: str
    ways: int
    points: tuple[MapPoint, ...]
    measure: str | None
    not_shown: tuple[str, ...] = ()
    named: tuple[int, ...] = ()
    target: str = ""

    @property
    def line(self) -> float | None:
        """What the original itself would disclose: the line, as the first set sees it; None for a difference."""
        return next((p.original for p in self.points if p.original is not None), None)

    def rings(self, point: MapPoint) -> tuple[float, ...]:
        """Return where the original stands that a set sees otherwise, through groups or safeguards; mostly nowhere."""
        line = self.line
        if point.original is None or line is None or compare(point.original, line) == 0:
            return ()
        return (point.original,)

    @property
    def corner(self) -> tuple[float, float] | None:
        """Where the first set stands, left of and below which a set is less disclosed and more useful; or None."""
        first = next((p for p in self.points if not p.reference), None)
        return None if first is None or len(self.points) < 2 else (first.x, first.y)

    @property
    def corner_words(self) -> str:
        """What the shaded corner is called."""
        return "less disclosed, more useful"

    @property
    def names_of(self) -> range:
        """The points whose names are drawn."""
        return range(*self.named) if self.named else range(len(self.points))

    @property
    def n_parts(self) -> int:
        """How many names there are."""
        return len(self.names_of)

    def part(self, start: int, stop: int) -> MapPlot:
        """Return the whole map with some of the names."""
        begin = self.names_of.start
        return replace(self, named=(begin + start, min(begin + stop, self.names_of.stop)))

    def first(self, n: int) -> MapPlot:
        """Return the map with the first n names."""
        return self.part(0, n) if self.n_parts > n else self

    @property
    def more(self) -> str:
        """What stands in place of names that are not drawn."""
        rest = len(self.points) - self.n_parts
        return f"Grey: {rest:,} more, without their names" if rest else ""

    @property
    def title(self) -> str:
        """What the figure shows."""
        return f"Disclosure against usefulness: {self.risk}"

    @property
    def x_unit(self) -> str:
        """What the horizontal axis says."""
        return f"mean S_pMSE over all {'two' if self.ways == 2 else 'one'}-way tables (lower is more useful)"

    @property
    def y_unit(self) -> str:
        """What the vertical axis says."""
        return f"{self.risk}, {self.unit}"

    @property
    def caption(self) -> str:
        """What stands beneath it in print."""
        line = ""
        if self.line is not None:
            line = f" The line is {self.measure}, what the original itself would disclose"
            line += "; a ring, where a set sees it otherwise." if any(map(self.rings, self.points)) else "."
        if any(not p.told for p in self.points):
            line += f" Hollow: not told apart from {self._first} by the interval over syntheses."
        if any(p.interval for p in self.points):
            line += " Upright: the 95 % interval of the mean over people."
        absent = f" Not shown, without such a figure: {', '.join(self.not_shown)}." if self.not_shown else ""
        joined = "; a set after safeguards is joined to where it began" if any(p.began for p in self.points) else ""
        shaded = f" Shaded: {self.corner_words} than {self._first}." if self.corner else ""
        marks = f" A small mark a synthesis, a large one the mean of a set{joined}.{shaded}" if self.points else ""
        crosses = (
            " A cross: the original itself, sampled or coarsened." if any(p.reference for p in self.points) else ""
        )
        return f"{self.risk}, {self.unit}, against {self.x_unit}.{marks}{crosses}{line}{absent}"

    @property
    def _first(self) -> str:
        return next((p.label for p in self.points if not p.reference), "")

    @property
    def sentence(self) -> str:
        """The figure in words."""
        listed = "; ".join(
            f"{p.label}: S_pMSE {fixed(p.x)}, {self.risk} {p.words}"
            + ("" if p.told else f", not told apart from {self._first}")
            + ("" if p.original is None else f", original {self.measure} {fixed(p.original)}")
            for p in self.points
        )
        absent = f" Without such a figure: {', '.join(self.not_shown)}." if self.not_shown else ""
        return f"{self.title}.{f' {listed}.' if listed else ''}{absent}"


def describe(compared: Comparison, risk: Risk | None = None) -> MapPlot:
    """Return the map of a comparison; up is DiSCO of the worst target where no risk is named."""
    risk = compared.risks[0] if risk is None else risk
    rows = compared.points(risk)
    known = rows.dropna(subset=["usefulness", "risk"])
    of_means = {str(r["name"]): r for r in known[known["synthesis"] == 0].to_dict("records")}
    means = {name: (r["usefulness"], r["risk"]) for name, r in of_means.items()}
    measure, originals = compared.originals(risk) or (None, {})
    points = []
    for each in compared.candidates:
        if each.name not in means:
            continue
        mine = known[(known["name"] == each.name) & (known["synthesis"] > 0)]
        began = means.get(each.synthesis_set) if each.safer else None
        pairs = tuple(zip(mine["usefulness"].tolist(), mine["risk"].tolist(), strict=True))
        low, high = (float(of_means[each.name][end]) for end in ("low", "high"))
        ends = None if low != low else (low, high)
        first = compared.candidates[0].name
        told = compared.told_apart(each.name, first, risk)
        points.append(
            MapPoint(
                each.name, *means[each.name], pairs, began, ends, originals.get(each.name), bool(each.reference), told
            )
        )
    absent = tuple(each.name for each in compared.candidates if each.name not in means)
    ways = compared.candidates[0].usefulness.ways
    return MapPlot(risk.label, risk.unit, ways, tuple(points), measure, absent, target=risk.target)
