"""What of a figure is printed, and what it is called there: some targets, in another order, under other names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from disclosure_core.errors import not_found
from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.members_outside import OutsidePlot
from disclosure_core.figures.risk_utility import MapPlot
from disclosure_core.figures.sets_by_target import SetsPlot
from disclosure_core.figures.shapes import BarPlot, CurvePlot
from disclosure_core.figures.table_usefulness import HeatPlot

if TYPE_CHECKING:
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.plot import Plot

Each = TypeVar("Each")


def chosen(plot: Plot, look: Look) -> tuple[Plot, Look]:
    """Return a figure as a look chooses it, and the look without that choice.

    A figure that is not of several targets keeps what it shows.
    """
    made, called = plot, look.labels.get
    match plot:
        case ArrowPlot():
            rows = _chosen_rows(plot.rows, "target", look)
            made = replace(plot, rows=tuple(row if look.flags else replace(row, flag="") for row in rows))
        case OutsidePlot():
            made = replace(plot, rows=_chosen_rows(plot.rows, "target", look))
        case SetsPlot():
            sets = tuple(called(name, name) for name in plot.sets)
            made = replace(plot, rows=_chosen_rows(plot.rows, "target", look), sets=sets)
        case CurvePlot():
            several = len(plot.panels) > 1
            panels = _chosen_rows(plot.panels, "title", look) if several else plot.panels
            made = replace(
                plot,
                panels=tuple(
                    replace(panel, curves=tuple(replace(c, name=called(c.name, c.name)) for c in panel.curves))
                    for panel in panels
                ),
                unit=_of_target(plot, look),
            )
        case BarPlot():
            bars = tuple(replace(bar, label=bar.called(look.labels)) for bar in plot.bars)
            made = replace(plot, bars=bars, unit=_of_target(plot, look))
        case GrowthPlot():
            made = replace(plot, steps=tuple(called(name, name) for name in plot.steps))
        case MapPlot():
            points = tuple(replace(point, label=called(point.label, point.label)) for point in plot.points)
            of, name = f" of {plot.target}", called(plot.target, plot.target)
            made = replace(
                plot, points=points, risk=plot.risk.replace(of, f" of {name}", 1) if plot.target else plot.risk
            )
        case HeatPlot():
            made = replace(plot, columns=tuple(called(name, name) for name in plot.columns))
    return made, look.after_choice


def _of_target(plot: BarPlot | CurvePlot, look: Look) -> str:
    """Return the unit of a figure, with the one target that it is of as a look calls it."""
    return plot.unit.removesuffix(plot.target) + look.labels.get(plot.target, plot.target)


def narrowed(plot: Plot, look: Look) -> Look | None:
    """Return the look for one of several figures: it shows those of the targets that it has; None where it has none."""
    names = targets_of(plot)
    if not names or not look.targets:
        return look
    kept = tuple(name for name in look.targets if name in names)
    return replace(look, targets=kept) if kept else None


def targets_of(plot: Plot) -> list[str]:
    """Return the targets that a figure shows, where it shows several."""
    match plot:
        case ArrowPlot() | OutsidePlot() | SetsPlot():
            return [row.target for row in plot.rows]
        case CurvePlot() if len(plot.panels) > 1:
            return [panel.title for panel in plot.panels]
    return []


def _chosen_rows(rows: Sequence[Each], what: str, look: Look) -> tuple[Each, ...]:
    """Return the rows that a look asks for, in its order, called as it calls them."""
    names = [getattr(row, what) for row in rows]
    wanted = [*dict.fromkeys(look.targets)] or names
    for name in wanted:
        if name not in names:
            raise not_found("Target", name, "in this figure", names)
    found: list[Any] = [row for row in rows if getattr(row, what) in wanted]
    if look.order == "targets":
        found.sort(key=lambda row: wanted.index(getattr(row, what)))
    called: list[Any] = [
        replace(row, **{what: look.labels.get(getattr(row, what), getattr(row, what))}) for row in found
    ]
    if look.order == "name":
        called.sort(key=lambda row: getattr(row, what).casefold())
    return tuple(called)
