"""The frontier of the least safeguard: what the strongest intruder learns against the detail that is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    from disclosure_core.comparison.frontier import LeastSafeguard


def describe(found: LeastSafeguard) -> CurvePlot:
    """Return the frontier: a mark a chain, and the limit of the aim.

    Source
    ------
    measures.md 15.
    """
    lost = tuple(point.detail_lost for point in found.points)
    limit = 100.0 if len(found.aims) > 1 else found.aims[0].limit
    return CurvePlot(
        "Least safeguard: disclosed to the strongest intruder, against detail lost",
        "detail lost, mean over all columns, %",
        found.unit,
        lost,
        (
            Panel(
                "",
                (
                    Curve("a chain of safeguards", "synthetic", tuple(point.figure for point in found.points)),
                    Curve("the aim", "before", (limit,) * len(lost)),
                ),
            ),
        ),
        steps=True,
        caption=f"Each mark is a chain that no other looked at beats in both. {found.promise}",
    )
