"""How figures and levels are written: as they are in an internal report, protected in a shareable one.

A shareable report is a function of rounded counts alone. With the limit b every count falls into one of the ranges 0 … b,
b + 1 … 2b, 2b + 1 … 3b and so on, and is written as the upper end of its range; the last range takes in all counts with
less than b records left to the whole ("nearly all"). No range holds fewer than b counts, so neither a figure, nor a
mark's place, nor the difference of two figures tells a count below b. Shares are made of rounded counts, means over the
syntheses are rounded as one count, and what is decided of counts (the worst subset, an order) is decided of rounded ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.measures import EXCLUSION_COLUMNS, EXCLUSION_ROWS, excluded_records
from disclosure_core.counting.registry import BY_NAME, CLAIMS, SHAREABLE, WHOLE_CELLS
from disclosure_core.counting.settings import Exclusions, Pair
from disclosure_core.data.harmonise import NOT_EVERYWHERE
from disclosure_core.report.own_words import few_levels, names_few
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.comparison.comparison import Comparison
    from disclosure_core.counting.cells import Cells
    from disclosure_core.data.column import Variable
    from disclosure_core.data.naming import Introduced
    from disclosure_core.figures.dorig_disco import ArrowPlot
    from disclosure_core.figures.keys_added import GrowthPlot
    from disclosure_core.figures.shapes import BarPlot, CurvePlot
    from disclosure_core.report.source import Report
    from disclosure_core.sensitivity.key_subsets import SubsetSearch

NEARLY_ALL = "nearly all"
WITHHELD = "withheld"
FEW = "a level with few records"


def which_syntheses(source: Report) -> tuple[str, ...]:
    """Return sentences on the syntheses that figures speak of; in a shareable report no safeguard: it may name few people's levels."""
    opened = source.opened
    if not source.shareable:
        return opened.which_syntheses
    base = source.review.ancestry(opened.first_set)[0]
    adopted = (
        f"{opened.first_set!r} is {base!r} after safeguards that were adopted; which stands in the internal version."
    )
    return tuple(said for said in (opened.which_set, adopted if opened.which_adopted else "") if said)


def shown(source: Report, *measures: str) -> tuple[str, ...]:
    """Return those of these measures that a report may show: the registry says by how much one record moves each."""
    allowed = {*SHAREABLE, *(WHOLE_CELLS if source.look.dorig else ())}
    return tuple(m for m in measures if not source.shareable or m in allowed)


def of_original(source: Report) -> str:
    """Return the measure of the original that stands beside DiSCO."""
    beside = BY_NAME["DiSCO"].original
    return next(iter(shown(source, beside)), OF_CAP)


OF_CAP = "CAPd"
"""What stands in its place where it may not be shown."""

WHOLE_CELL = (
    "Dorig and DiSDiO are shown because the office asked for them: one person can move them by all who share their "
    "keys, so that they can tell nobody from one person."
)
"""What is said where they are shown."""


def whole(source: Report, n: int) -> int:
    """Return how many records 100 % are taken to be: in a shareable report a multiple of the limit, not above `n`."""
    return n // source.smallest * source.smallest if source.shareable else n


def size(source: Report, n: int) -> str:
    """Return a number of records of a file as text."""
    return f"about {whole(source, n):,}" if source.shareable else f"{n:,}"


def size_with_article(source: Report, n: int) -> str:
    """Return the same inside a sentence, with its article."""
    return size(source, n) if source.shareable else f"the {n:,}"


def _up(source: Report, n: float) -> int:
    """Return the upper end of the range that a count falls into."""
    n = round(n, 6)  # a share of 5,000 is a count again but for the last bits
    return max(1, math.ceil(n / source.smallest)) * source.smallest


def _nearly_all(source: Report, n: float, of: int) -> bool:
    """Return whether the count falls into the last range, in which less than the limit may be left to the whole."""
    return round(n, 6) > (of // source.smallest - 1) * source.smallest


def share(source: Report, percent: float, of: int) -> str:
    """Return a share, in %, of `of` records as text."""
    if percent != percent:
        return "–"
    if not source.shareable:
        return fixed(percent)
    if of < 2 * source.smallest:
        return WITHHELD
    records = percent * of / 100
    if _nearly_all(source, records, of):
        return NEARLY_ALL
    up = _up(source, records)
    return f"{'≤ ' * (up == source.smallest)}{fixed(100 * up / whole(source, of))}"


def count(source: Report, n: float, of: int) -> str:
    """Return a number of records out of `of` as text."""
    if n != n:
        return "–"
    if not source.shareable:
        return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"
    if of < 2 * source.smallest:
        return WITHHELD
    if _nearly_all(source, n, of):
        return NEARLY_ALL
    up = _up(source, n)
    return f"{'≤ ' * (up == source.smallest)}{up:,}"


def drawn_share(source: Report, percent: float, of: int) -> float:
    """Return where a share, in %, of `of` records may be put: at the upper end of its range."""
    if not source.shareable or percent != percent:
        return percent
    records = percent * of / 100
    if of < 2 * source.smallest or _nearly_all(source, records, of):
        return 100.0
    return 100 * _up(source, records) / whole(source, of)


def _column(source: Report, name: str) -> Variable:
    """Return a key or target as it was counted: grouped where that was asked for."""
    found = source.assessment
    columns = [key for key in found.keys.keys if key.name == name]
    columns += [risk.counted[0].cells.column for target, risk in found.targets.items() if target == name]
    return columns[0]


def level(source: Report, name: str, text: str) -> str:
    """Return a level of a key or target, by its name; a shareable report without names has "a level": a number would tell its rank.

    A shareable report names no level that the limit or fewer original records have, for those counts are one range.
    """
    if not source.shareable:
        return text
    column = _column(source, name)
    if column.counts[0][column.code_of(text)] <= source.smallest:
        return FEW
    return text if source.level_names else "a level"


def missing_codes(source: Report) -> list[str]:
    """Return the missing codes of each column in a sentence: in a shareable report those that many records have.

    That report says whether codes were named, and not which of them are there.
    """
    if not source.shareable:
        return [f"{name}: {', '.join(_codes(source, name))}" for name in source.study.missing_codes]
    if not source.level_names:
        return [f"{name}: named" for name in source.review.columns.missing_codes]
    named = source.study.missing_codes
    many = {
        name: [text for text, n in (_codes(source, name) if name in named else {}).items() if n > source.smallest]
        for name in source.review.columns.missing_codes
    }
    return [f"{name}: {', '.join([*often, 'and what few records have'])}" for name, often in many.items()]


def _codes(source: Report, name: str) -> dict[str, int]:
    """Return the missing codes of a column as a person sees them, with the original records that have each."""
    column = source.study.columns[name]
    at = [int((column.values == v).nonzero()[0][0]) for v in source.study.missing_codes.get(name, ())]
    return {column.label(code): int(column.counts[0][code]) for code in at}


def pair(source: Report, target: str, p: Pair, cells: Cells) -> tuple[str, str]:
    """Return key and target level of a pair as they may be named: neither where too few original records have both."""
    names = level(source, p.key, p.key_level), level(source, target, p.target_level)
    if source.shareable:
        alone = cells.counted(Exclusions(pairs={target: (p,)}))
        both = excluded_records(alone)[EXCLUSION_ROWS.index("original"), EXCLUSION_COLUMNS.index("pair")]
        if both <= source.smallest:
            return FEW, FEW
    return names


def notes(source: Report, found: Iterable[str]) -> list[str]:
    """Return the sentences on the data that a report may hold."""
    return [text for text in found if text.endswith(NOT_EVERYWHERE) or not source.shareable]


def summary(source: Report) -> pd.DataFrame:
    """Return the summary, top to bottom: the largest DiSCO first, in a shareable report by name.

    A shareable one has rounded figures, the mean alone, and no flag.
    """
    found = source.assessment
    rows = found.summary().iloc[::-1]
    if not source.shareable:
        return rows
    rows["original"] = [found.targets[name].figures(of_original(source)).mean() for name in rows["target"]]
    rows = rows.drop(columns=["min", "max", "sd", "one_way", "two_way", "flag", *CLAIMS])
    return rows.sort_values("target", key=lambda names: names.str.casefold(), ignore_index=True)


def highest(source: Report) -> list[str]:
    """Return the targets, the largest DiSCO first: as it is shown, and then by name."""
    rows = source.summary
    size = [drawn_share(source, v, source.assessment.n_original) for v in rows["synthetic"]]
    order = sorted(range(len(rows)), key=lambda i: -size[i])
    return [str(rows["target"].iloc[i]) for i in order]


def arrows(source: Report, plot: ArrowPlot) -> ArrowPlot:
    """Return the plot with every mark where a shareable report may put it: means alone, in the order of the names.

    What stood before exclusions is for the internal version, and what was excluded is named where levels are.
    """
    if not source.shareable:
        return plot
    n, targets = plot.n_original, source.assessment.targets
    rows = []
    for row in sorted(plot.rows, key=lambda row: (row.target.casefold(), row.target)):
        first = float(targets[row.target].figures(of_original(source)).mean())
        original, synthetic = drawn_share(source, first, n), drawn_share(source, row.synthetic, n)
        records = [v * whole(source, n) / 100 for v in (original, synthetic)]
        rows.append(
            replace(
                row,
                original=original,
                synthetic=synthetic,
                each=(synthetic,),
                n_original=records[0],
                n_synthetic=records[1],
                flag="",
                left_out="",
                before=None,
            )
        )
    beside = of_original(source)
    return replace(
        plot,
        original=beside,
        n_original=whole(source, n),
        rows=tuple(rows),
        excluded=(),
        at_most=True,
        alike=beside != OF_CAP,
    )


def growth(source: Report, plot: GrowthPlot) -> GrowthPlot:
    """Return the plot with every mark where a shareable report may put it."""
    if not source.shareable:
        return plot
    lines = tuple((name, tuple(drawn_share(source, v, plot.n_original) for v in vs)) for name, vs in plot.lines)
    return replace(plot, n_original=whole(source, plot.n_original), lines=lines, at_most=True)


def curves(source: Report, plot: CurvePlot, of: int) -> CurvePlot:
    """Return the plot with every line where a shareable report may put it; 100 % are `of` records."""
    if not source.shareable:
        return plot

    def moved(values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(drawn_share(source, v, of) for v in values)

    panels = tuple(
        replace(
            p, curves=tuple(replace(c, values=moved(c.values), low=moved(c.low), high=moved(c.high)) for c in p.curves)
        )
        for p in plot.panels
    )
    return replace(plot, panels=panels, at_most=True)


def bars(source: Report, plot: BarPlot) -> BarPlot:
    """Return the plot of a search that `search` made, in the order of the names where shareable."""
    return replace(plot, bars=tuple(sorted(plot.bars, key=lambda b: b.label))) if source.shareable else plot


def search(source: Report, found: SubsetSearch) -> SubsetSearch:
    """Return a search over subsets of the keys whose figures are those of rounded counts.

    Whatever is read from it, the worst subset too, tells no more than they do. What is not in % of the original
    records, and the spread, is left out.
    """
    if not source.shareable:
        return found
    return replace(
        found, identity=_rounded_shares(source, found.identity), attribute=_rounded_shares(source, found.attribute)
    )


def _rounded_shares(source: Report, frame: pd.DataFrame) -> pd.DataFrame:
    kept = frame[[c for c in ("target", "keys", "n_keys") if c in frame]]
    shares = [c for c in shown(source, *frame.columns) if c in BY_NAME and BY_NAME[c].of == BY_NAME["UiO"].of]
    return kept.assign(**{c: [drawn_share(source, v, source.assessment.n_original) for v in frame[c]] for c in shares})


def comparison(source: Report, found: Comparison) -> Comparison:
    """Return sets side by side, none beside its safer form, a part or a sample: few records may lie between both.

    Of sets that were made of one another by safeguards the one that figures speak of is left, or the one as it came.
    """
    if not source.shareable:
        return found
    first, ancestry = source.opened.first_set, source.review.ancestry
    of_first = ancestry(first)[0]

    def is_shown(name: str) -> bool:
        base = ancestry(name)[0]
        return name == (first if base == of_first else base)

    kept = [c for c in found.candidates if not c.chain and not c.reference and is_shown(c.name)]
    return replace(found, candidates=tuple(kept or found.candidates[:1]))


DOUBTED = "What may put in doubt that these people are outside the data stands in the internal version."
"""What a shareable report says of doubts, whether there are any or not: they follow from exact counts."""

NOT_MET = "its values do not meet"
"""Why a target is not evaluated, in a shareable report."""


def introduced(source: Report) -> tuple[Introduced, ...]:
    """Return what is told of the columns; where shareable no label that names a level of few people, or any level.

    Nothing where values do not meet, so that no figure is evaluated.
    """
    if source.stopped:
        return ()
    if not source.shareable:
        return source.printed.introduced()
    few = few_levels(source)
    shown = [
        replace(
            each,
            label=each.label if source.level_names and not names_few(each.label, few) else "",
            missing=tuple(dict.fromkeys(t for text in each.missing if (t := level(source, each.name, text)) != FEW)),
        )
        for each in source.printed.introduced()
    ]
    return tuple(each for each in shown if each.label or each.missing)
