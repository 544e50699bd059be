"""All that is drawn."""

from __future__ import annotations

from disclosure_core.figures.dorig_disco import ArrowPlot
from disclosure_core.figures.keys_added import GrowthPlot
from disclosure_core.figures.members_outside import OutsidePlot
from disclosure_core.figures.risk_utility import MapPlot
from disclosure_core.figures.sets_by_target import SetsPlot
from disclosure_core.figures.shapes import BarPlot, CurvePlot
from disclosure_core.figures.table_usefulness import HeatPlot

Plot = ArrowPlot | GrowthPlot | BarPlot | OutsidePlot | CurvePlot | MapPlot | HeatPlot | SetsPlot
"""All that is drawn, on screen and in print. Each has `title`, `caption` and `sentence`, its alternative text."""
