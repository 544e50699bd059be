"""What a report says of the subsets of the keys, where they were searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures import each_key, number_of_keys
from disclosure_core.report import redaction
from disclosure_core.report.pieces import table
from disclosure_core.report.source import SUBSETS, Block, Report, Section

if TYPE_CHECKING:
    from disclosure_core.sensitivity.key_subsets import SubsetSearch


def with_subsets(source: Report, search: SubsetSearch) -> Report:
    """Return what a report is made from, with a section on the subsets of the keys; they are no longer missing.

    Parameters
    ----------
    given
        What it is made from; whether it is shareable is read from here, so set that first.
    search
        Of the same study and settings.

    Source
    ------
    consensus.md 2.5 and the checklist, item 7.
    """
    return source.with_section(_section(source, search), SUBSETS)


def _section(source: Report, search: SubsetSearch) -> Section:
    safe, n = redaction.search(source, search), source.assessment.n_original
    top = redaction.highest(source)[0]
    names = source.summary["target"].tolist()
    rest = "" if search.coverage.whole else " A subset that was not searched may be worse."
    k = len(search.keys)
    said = (
        f"An intruder may know fewer things than all {k} keys, and the worst set of keys is often not the largest: a key "
        f"that was not synthesised well hides people. {search.coverage}.{rest}"
    )
    worst = [_worst(source, search, safe, "repU, the keys alone", "repU", None)]
    worst += [_worst(source, search, safe, f"DiSCO of {name}", "DiSCO", name) for name in names]
    blocks = [
        Block("text", said),
        table(
            f"The subset of the keys with the largest figure{search.coverage.of_those}, beside all keys. In % of {redaction.size_with_article(source, n)} original records; "
            "means over the syntheses; of equal figures the fewest keys.",
            ("Measure", "Worst subset", "There", "All keys"),
            worst,
            texts=2,
        ),
    ]
    more: list[Block] = []
    if k > 1:
        lines = redaction.curves(
            source, number_of_keys.describe(safe, redaction.whole(source, n)), redaction.whole(source, n)
        )
        bars = redaction.bars(source, each_key.describe(safe, redaction.whole(source, n), top))
        more = [
            Block("figure", f"{lines.title}, {lines.unit}; the shade is the range over the subsets.", plot=lines),
            Block("figure", f"{bars.title}: filled, beside all keys: outlined; {bars.unit}.", plot=bars),
            _each_key(source, search, safe, top),
        ]
    return Section(SUBSETS, tuple(blocks), frozenset({7} if search.complete else ()), tuple(more))


def _worst(
    source: Report, search: SubsetSearch, safe: SubsetSearch, label: str, measure: str, target: str | None
) -> tuple[str, ...]:
    """Return a row: which subset is worst is read from the figures that may be shown, as they are printed."""
    n = source.assessment.n_original
    keys = safe.worst(measure, target).keys
    figure = _figures(search, measure, target)
    nothing = figure[keys] == 0 if not source.shareable else round(figure[keys] * n / 100, 6) <= source.smallest
    named = (
        ("few" if source.shareable else "none") if nothing else "all keys" if keys == search.keys else ", ".join(keys)
    )
    return label, named, redaction.share(source, figure[keys], n), redaction.share(source, figure[search.keys], n)


def _each_key(source: Report, search: SubsetSearch, safe: SubsetSearch, top: str) -> Block:
    n = source.assessment.n_original
    of_keys, of_top = _figures(search, "repU", None), _figures(search, "DiSCO", top)
    rows = []
    order = safe.each_key("DiSCO", top)["key"].tolist()
    for key in sorted(order, key=str.casefold) if source.shareable else order:
        others = tuple(k for k in search.keys if k != key)
        figures = (of_keys[(key,)], of_keys[others], of_top[(key,)], of_top[others])
        rows.append((str(key), *(redaction.share(source, figure, n) for figure in figures)))
    columns = ("Key", "repU, alone", "repU, without it", f"DiSCO of {top}, alone", "without it")
    caption = (
        f"Disclosure with each key alone, and with all the others. In % of {redaction.size_with_article(source, n)} original records; with all "
        f"keys repU is {redaction.share(source, of_keys[search.keys], n)}, DiSCO {redaction.share(source, of_top[search.keys], n)}."
    )
    return table(caption, columns, rows)


def _figures(search: SubsetSearch, measure: str, target: str | None) -> dict[tuple[str, ...], float]:
    rows = search.of(target)
    return dict(zip(rows["keys"], rows[measure].astype(float), strict=True))
