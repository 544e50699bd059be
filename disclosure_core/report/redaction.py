"""How figures and levels are written: as they are in an internal report, protected in a shareable one.

A shareable report is a function of rounded counts alone. With the limit b every count falls into one of the ranges 0 … b,
b + 1 … 2b, 2b + 1 … 3b and so on, and is written as the upper end of its range; the last range takes in all counts with
less than b records left to the whole ("nearly all"). No range holds fewer than b counts, so neither a figure, nor a
mark's place, nor the difference of two figures tells a count below b. Shares are made of rounded counts, means over the
syntheses are rounded as one count, and what is decided of counts (a flag, the worst subset) is decided of rounded ones.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.assessment import FLAGS
from disclosure_core.counting.measures import EXCLUSION_COLUMNS, EXCLUSION_ROWS, excluded_records
from disclosure_core.counting.registry import CLAIMS
from disclosure_core.counting.settings import Exclusions, Pair
from disclosure_core.data.harmonise import NOT_EVERYWHERE
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pandas as pd

    from disclosure_core.counting.assessment import Assessment, TargetRisk
    from disclosure_core.counting.cells import Cells
    from disclosure_core.data.column import Variable
    from disclosure_core.data.naming import Introduced
    from disclosure_core.figures.dorig_disco import ArrowPlot
    from disclosure_core.figures.keys_added import GrowthPlot
    from disclosure_core.figures.shapes import BarPlot, CurvePlot
    from disclosure_core.holdout.membership import Membership
    from disclosure_core.report.source import Report
    from disclosure_core.sensitivity.key_subsets import SubsetSearch

NEARLY_ALL = "nearly all"
WITHHELD = "withheld"
FEW = "a level with few records"


def need_enough(source: Report) -> None:
    """Make sure that a shareable report has something to say.

    Raises
    ------
    DisclosureError
        When the original holds fewer than two times the smallest count.
    """
    n = source.study.n_original
    if source.shareable and n < 2 * source.smallest:
        raise DisclosureError(
            f"A shareable report with {source.smallest} as the smallest count needs at least {2 * source.smallest} original "
            "records; choose a smaller count, or the internal version."
        )


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


def _down(source: Report, n: float) -> int:
    """Return the lower end of the range that a count falls into."""
    up = _up(source, n)
    return up - source.smallest + 1 if up > source.smallest else 0


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


def before(source: Report, percent: float, now: float, of: int) -> str:
    """Return a share before something was excluded, beside the share `now`: the same text where that took few records."""
    few = source.shareable and round((percent - now) * of / 100, 6) <= source.smallest
    return share(source, now if few else percent, of)


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

    A shareable report names no level that the limit or fewer original records have, for those counts are one range, and no interval of a grouped
    column: its ends are values that single records may have. Those groups are numbered where levels are named.
    """
    if not source.shareable:
        return text
    column = _column(source, name)
    code = column.code_of(text)
    enough = column.counts[0] > source.smallest
    if not enough[code]:
        return FEW
    grouped = bool(source.assessment.settings.group(name)) and text not in _codes(source, name)
    if source.level_names and not (grouped and code < column.n_levels):
        return text
    if not source.level_names:
        return "a group" if grouped else "a level"
    return f"group {int(enough[: code + 1].sum())}"


def _codes(source: Report, name: str) -> dict[str, int]:
    """Return the missing codes of a column as a person sees them, with the original records that have each."""
    column = source.study.columns[name]
    at = [int((column.values == v).nonzero()[0][0]) for v in source.study.missing_codes.get(name, ())]
    return {column.label(code): int(column.counts[0][code]) for code in at}


def missing_codes(source: Report, name: str) -> str:
    """Return the missing codes of a column in a sentence."""
    codes = _codes(source, name)
    if not source.level_names:
        return "named"
    named = [text for text, n in codes.items() if n > source.smallest or not source.shareable]
    return ", ".join(named if len(named) == len(codes) else [*named, "and what few records have"])


def n_levels(source: Report, key: Variable) -> str:
    """Return how many levels a key has; in a shareable report how many that more original records than the limit have."""
    return f"{(key.counts[0] > source.smallest).sum() if source.shareable else key.n_levels:,}"


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


def one_way(source: Report, risk: TargetRisk) -> dict[str, int]:
    """Return the levels that the 1-way check flags, with the syntheses that do; of rounded counts where shareable."""
    fewest, percent = risk.thresholds.one_way
    found: dict[str, int] = {}
    for check in risk.one_way:
        for c in (check, *check.also) if check else ():
            least, most = _down(source, c.n_disclosive_level), _up(source, c.n_disclosive)
            if not source.shareable or (least > fewest and 100 * least > percent * most):
                found[c.level] = found.get(c.level, 0) + 1
    return found


def two_way(source: Report, risk: TargetRisk) -> dict[Pair, int]:
    """Return the pairs that the 2-way check finds, with the syntheses that do; of rounded counts where shareable."""
    fewest, percent = risk.thresholds.two_way
    found: dict[Pair, int] = {}
    for frame in risk.two_way:
        for r in frame.to_dict("records"):
            least, most = _down(source, r["n_both"]), _up(source, r["n_key_level"])
            enough = _down(source, r["npairs"]) > fewest and 100 * least > percent * most
            if not source.shareable or enough:
                p = Pair(r["key"], r["key_level"], r["target_level"])
                found[p] = found.get(p, 0) + 1
    return found


def flag(source: Report, risk: TargetRisk) -> str:
    """Return the flags of a target in words."""
    return FLAGS[bool(one_way(source, risk)), bool(two_way(source, risk))]


def summary(source: Report, found: Assessment) -> pd.DataFrame:
    """Return the summary, top to bottom: the largest DiSCO first, in a shareable report by name.

    A shareable one has rounded figures, the mean alone, and the flags of rounded counts.
    """
    rows = found.summary().iloc[::-1]
    if not source.shareable:
        return rows
    rows = rows.drop(columns=["min", "max", "sd", "one_way", "two_way", *CLAIMS])
    rows["flag"] = [flag(source, found.targets[name]) for name in rows["target"]]
    return rows.sort_values("target", key=lambda names: names.str.casefold(), ignore_index=True)


def highest(source: Report, found: Assessment) -> list[str]:
    """Return the targets, the largest DiSCO first: as it is shown, and then by name."""
    rows = summary(source, found)
    size = [drawn_share(source, v, found.n_original) for v in rows["synthetic"]]
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
        original, synthetic = drawn_share(source, row.original, n), drawn_share(source, row.synthetic, n)
        records = [v * whole(source, n) / 100 for v in (original, synthetic)]
        flagged = flag(source, targets[row.target])
        rows.append(replace(row, original=original, synthetic=synthetic, each=(synthetic,), n_original=records[0],
                            n_synthetic=records[1], flag=flagged, left_out="", before=None))  # fmt: skip
    return replace(plot, n_original=whole(source, n), rows=tuple(rows), excluded=(), at_most=True)


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
    shares = [c for c in ("UiO", "UiOiS", "repU", "DiSCO") if c in frame]
    return kept.assign(**{c: [drawn_share(source, v, source.assessment.n_original) for v in frame[c]] for c in shares})


DOUBTED = "Whether the holdout is outside the data is in doubt; why stands in the internal version."
"""What a shareable report says of the doubts: their shares are exact."""


def membership(source: Report, found: Membership) -> Membership:
    """Return membership as it follows from rounded counts; every score and the worst keys are then made of them."""
    if not source.shareable:
        return found
    rates = found.rates.copy()
    for share_of, counts, of in (
        ("a", "n_match_training", found.n_training),
        ("b", "n_match_holdout", found.n_holdout),
    ):
        rates[share_of] = [drawn_share(source, 100 * n / of, of) / 100 for n in rates[counts]]
        rates[counts] = [round(v * whole(source, of)) for v in rates[share_of]]
    records = whole(source, found.n_records)
    return replace(
        found, rates=rates, halves=found.halves * 0, n_training=whole(source, found.n_training), n_records=records,
        n_holdout=whole(source, found.n_holdout), t=found.t * records / found.n_records,
        doubts=(DOUBTED,) if found.doubts else (),
    )  # fmt: skip


def texts_naming_few(source: Report) -> tuple[str, ...]:
    """Return which of the officer's own texts name a level that few records have: they are printed as written.

    Names of files, key sets, sets of syntheses and chains of safeguards are such texts, too, and so are the answers
    before membership. A level is few people's where the report itself would not name it.

    Returns
    -------
    tuple
        Such as "the reason for job" or "the title", in the order of the report.
    """
    texts = {"the title": source.title, "the officer's name": source.author}
    files = [*source.files, *([source.holdout] if source.holdout is not None else [])]
    texts |= {f"the name of the file of {f.role}": f.name for f in files}
    texts |= {f"the name of key set {i}": each.name for i, each in enumerate(source.key_sets, 1)}
    texts |= {f"the reason for key set {i}": each.reason for i, each in enumerate(source.key_sets, 1)}
    texts |= {f"the name of set or chain {i}": name for i, name in enumerate(_named(source), 1)}
    texts |= {f"the reason for {name}": text for name, text in source.reasons.items()}
    texts |= {f"“{label}”": text for label, text in source.about.items()}
    asked = source.review.threat_model
    texts |= {"the population": asked.population, "the source of the population's size": asked.source}
    few = _few_levels(source)
    return tuple(where for where, text in texts.items() if _names_few(text, few))


def _named(source: Report) -> tuple[str, ...]:
    """Return the names of sets of syntheses and chains of safeguards that a report prints."""
    review, sets = source.review, source.opened.set_names
    compared = "comparison" in review.searched
    chains = (c.name for c in review.chains if c.steps and (compared or c.name == review.chain))
    return (*(sets if len(sets) > 1 else ()), *chains)


def _few_levels(source: Report) -> dict[str, set[str]]:
    """Return the levels that few original records have, and the columns that hold them."""
    few: dict[str, set[str]] = {}
    asked, columns = source.review.settings, source.study.columns
    targets = [name for name in columns if name not in asked.keys] if asked.targets is None else asked.targets
    for name in (*(key for key in asked.keys if key in columns), *(name for name in targets if name in columns)):
        column = source.study.columns[name]
        counts = column.counts[0][:-1]
        for i in ((counts > 0) & (counts <= source.smallest)).nonzero()[0].tolist():
            few.setdefault(column.levels[i].casefold(), set()).add(name.casefold())
    return few


def _names_few(text: str, few: Mapping[str, set[str]]) -> bool:
    text = _VERSION.sub(" ", text.casefold())
    return any(_named_in(text, level, names) for level, names in few.items() if level.strip())


def introduced(source: Report) -> tuple[Introduced, ...]:
    """Return what is told of the columns; where shareable no label that names a level of few people, or any level.

    Nothing where values do not meet, so that no figure is evaluated.
    """
    if source.stopped:
        return ()
    if not source.shareable:
        return source.printed.introduced()
    few = _few_levels(source)
    shown = [
        replace(
            each,
            label=each.label if source.level_names and not _names_few(each.label, few) else "",
            missing=tuple(dict.fromkeys(level(source, each.name, text) for text in each.missing)),
        )
        for each in source.printed.introduced()
    ]
    return tuple(each for each in shown if each.label or each.missing)


_VERSION = re.compile(r"\bversion\s+\d[\d.]*")
"""The number of a version is no level."""

_FEW_DIGITS = 4
"""A level of digits alone, up to so many, is any number of a text: it is named only where its column is, too."""


def _named_in(text: str, level: str, columns: set[str]) -> bool:
    """Return whether a text names a level of one of these columns."""
    if not _stands_in(text, level):
        return False
    return not (level.isdigit() and len(level) <= _FEW_DIGITS) or any(_stands_in(text, name) for name in columns)


def _stands_in(text: str, level: str) -> bool:
    """Return whether a level is in a text with no letter or digit beside it; `re` would keep the level as a pattern."""
    at = text.find(level)
    while at >= 0:
        if not text[:at][-1:].isalnum() and not text[at + len(level) :][:1].isalnum():
            return True
        at = text.find(level, at + 1)
    return False


def warning_of_others(smallest: int, shared: Iterable[int]) -> str:
    """Return what is said where shareable reports were made with other smallest counts; empty where none was.

    Each report rounds the same counts up, to multiples of its own: whoever has two knows each count between both.
    """
    others = ", ".join(f"{n:,}" for n in sorted(set(shared) - {smallest}))
    if not others:
        return ""
    return (
        f"A shareable report was made of this review with another smallest count ({others}). Each rounds the same counts in "
        "another way: a reader of both can work out exact ones, such as that of replicated uniques. Use the same again, or "
        "hand out one of them only."
    )


def warning_of_texts(source: Report) -> str:
    """Return what is said before a shareable report is written that would print such texts; empty where none is there."""
    named = ", ".join(texts_naming_few(source))
    return f"These texts name a level that few people have, and would be printed: {named}." if named else ""
