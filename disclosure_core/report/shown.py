"""How figures and levels are written: as they are in an internal report, protected in a shareable one.

A shareable report shows no count from 1 to `smallest` - 1. All other counts are rounded to multiples of `smallest`, and
shares are those of rounded counts, so that neither a difference of two figures nor a mark's place gives one back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.figures.describe import ArrowPlot, CurvePlot, GrowthPlot
    from disclosure_core.keysearch import SubsetSearch
    from disclosure_core.report.given import ReportInput

NEARLY_ALL = "nearly all"
WITHHELD = "withheld"


def _rounded(given: ReportInput, n: float) -> float:
    """Return a count as a shareable report may show it; a small one as the smallest there is."""
    n = round(n, 6)  # a share of 5,000 is a count again but for the last bits
    return 0.0 if n == 0 else max(1, int(n / given.smallest + 0.5)) * given.smallest


def share(given: ReportInput, percent: float, whole: int) -> str:
    """Return a share, in %, of `whole` records as text."""
    if percent != percent:
        return "–"
    if not given.shareable:
        return f"{percent:.2f}"
    records = percent * whole / 100
    if 0 < round(records, 6) < given.smallest:
        return f"< {100 * given.smallest / whole:.2f}"
    return f"{min(100 * _rounded(given, records) / whole, 100):.2f}"


def count(given: ReportInput, n: float) -> str:
    """Return a number of records as text."""
    if n != n:
        return "–"
    if given.shareable:
        return f"< {given.smallest}" if 0 < n < given.smallest else f"{_rounded(given, n):,.0f}"
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


def count_of(given: ReportInput, n: float, whole: float) -> str:
    """Return a number of records out of `whole` as text; a shareable report says no small remainder either."""
    if given.shareable and 0 < whole - n < given.smallest <= n:
        return NEARLY_ALL
    return count(given, n)


def ratio(given: ReportInput, percent: float, records: float) -> str:
    """Return a share, in %, whose numerator is `records`, as text; its denominator is found from the two."""
    if percent != percent:
        return "–"
    if not given.shareable or percent == 0:
        return f"{percent:.2f}"
    whole = records * 100 / percent
    if records < given.smallest:
        return WITHHELD
    if 0 < round(whole - records, 6) < given.smallest:
        return NEARLY_ALL
    return f"{min(100 * _rounded(given, records) / _rounded(given, whole), 100):.2f}"


def level(given: ReportInput, column: str, text: str) -> str:
    """Return a level of a key or target, by its name or by its number."""
    if given.level_names:
        return text
    found = given.assessment
    columns = [key for key in found.keys.keys if key.name == column]
    columns += [risk.counted[0].cells.column for name, risk in found.targets.items() if name == column]
    return f"level {columns[0].code_of(text) + 1}"


def note(given: ReportInput, text: str) -> str:
    """Return a sentence on the data, without the count and the code that it may name."""
    if given.shareable:
        text = re.sub(r"occurs only \d+ times", f"occurs on few records (fewer than {given.smallest})", text)
    return text if given.level_names else re.sub(r"^The missing code \S+ ", "A missing code ", text)


def arrows(given: ReportInput, plot: ArrowPlot) -> ArrowPlot:
    """Return the plot with every mark where a shareable report may put it."""
    if not given.shareable:
        return plot

    def put(percent: float) -> float:
        return _put(given, percent, plot.n_original)

    rows = tuple(
        replace(
            row,
            original=put(row.original),
            synthetic=put(row.synthetic),
            each=tuple(map(put, row.each)),
            n_original=_rounded(given, row.n_original),
            n_synthetic=_rounded(given, row.n_synthetic),
        )
        for row in plot.rows
    )
    return replace(plot, rows=rows)


def growth(given: ReportInput, plot: GrowthPlot) -> GrowthPlot:
    """Return the plot with every mark where a shareable report may put it."""
    if not given.shareable:
        return plot
    lines = tuple((name, tuple(_put(given, v, plot.n_original) for v in vs)) for name, vs in plot.lines)
    return replace(plot, lines=lines)


def curves(given: ReportInput, plot: CurvePlot, whole: int) -> CurvePlot:
    """Return the plot with every line where a shareable report may put it; 100 % are `whole` records."""
    if not given.shareable:
        return plot

    def put(values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(_put(given, v, whole) for v in values)

    panels = tuple(
        replace(p, curves=tuple(replace(c, values=put(c.values), low=put(c.low), high=put(c.high)) for c in p.curves))
        for p in plot.panels
    )
    return replace(plot, panels=panels)


def search(given: ReportInput, found: SubsetSearch) -> SubsetSearch:
    """Return a search over subsets of the keys whose figures are those of rounded counts.

    Whatever is read from it, the worst subset too, tells no more than they do. What is not in % of the original
    records, and the spread, is left out.
    """
    if not given.shareable:
        return found
    return replace(
        found, identity=_rounded_shares(given, found.identity), attribute=_rounded_shares(given, found.attribute)
    )


def _rounded_shares(given: ReportInput, frame: pd.DataFrame) -> pd.DataFrame:
    kept = frame[[c for c in ("target", "keys", "n_keys") if c in frame]]
    shares = [c for c in ("UiO", "UiOiS", "repU", "DiSCO", "min", "max") if c in frame]
    return kept.assign(**{c: [_put(given, v, given.assessment.n_original) for v in frame[c]] for c in shares})


def _put(given: ReportInput, percent: float, whole: int) -> float:
    """Return where a share, in %, of `whole` records may be put."""
    return min(100 * _rounded(given, percent * whole / 100) / whole, 100)
