"""What a report says of the subsets of the keys, where they were searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.figures import each_key, number_of_keys
from disclosure_core.report import redaction
from disclosure_core.report.given import SUBSETS, Block, Section

if TYPE_CHECKING:
    from disclosure_core.report.given import ReportInput
    from disclosure_core.sensitivity.key_subsets import SubsetSearch


def with_subsets(given: ReportInput, search: SubsetSearch) -> ReportInput:
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
    return given.with_section(_section(given, search), SUBSETS)


def _section(given: ReportInput, search: SubsetSearch) -> Section:
    safe, n = redaction.search(given, search), given.assessment.n_original
    top = redaction.highest(given, given.assessment)[0]
    names = redaction.summary(given, given.assessment)["target"].tolist()
    rest = "" if search.coverage.whole else " What was not searched may be worse."
    k = len(search.keys)
    said = (
        f"An outsider may know fewer things than all {k} keys, and the worst set of keys is often not the largest: a key "
        f"that was not synthesised well hides people. {search.coverage}.{rest}"
    )
    worst = [_worst(given, search, safe, "repU, the keys alone", "repU", None)]
    worst += [_worst(given, search, safe, f"DiSCO of {name}", "DiSCO", name) for name in names]
    head = ("Measure", "Worst subset", "There", "All keys")
    blocks = [
        Block("text", said),
        Block("table", f"The subset of the keys with the largest figure, beside all keys. In % of {redaction.size_with_article(given, n)} original records; "
              "means over the syntheses; of equal figures the fewest keys.", columns=head, rows=tuple(worst),
              figures=frozenset({2, 3})),
    ]  # fmt: skip
    if k > 1:
        lines = redaction.curves(
            given, number_of_keys.describe(safe, redaction.whole(given, n)), redaction.whole(given, n)
        )
        bars = redaction.bars(given, each_key.describe(safe, redaction.whole(given, n), top))
        blocks += [
            Block("figure", f"{lines.title}, {lines.unit}; the shade is the range over the subsets.", plot=lines),
            Block("figure", f"{bars.title}: filled, beside all keys: outlined; {bars.unit}.", plot=bars),
            _each_key(given, search, safe, top),
        ]
    return Section(SUBSETS, tuple(blocks), frozenset({7}))


def _worst(
    given: ReportInput, search: SubsetSearch, safe: SubsetSearch, label: str, measure: str, target: str | None
) -> tuple[str, ...]:
    """Return a row: which subset is worst is read from the figures that may be shown, as they are printed."""
    n = given.assessment.n_original
    keys = safe.worst(measure, target).keys
    figure = _figures(search, measure, target)
    nothing = figure[keys] == 0 if not given.shareable else round(figure[keys] * n / 100, 6) <= given.smallest
    named = (
        ("few" if given.shareable else "none") if nothing else "all keys" if keys == search.keys else ", ".join(keys)
    )
    return label, named, redaction.share(given, figure[keys], n), redaction.share(given, figure[search.keys], n)


def _each_key(given: ReportInput, search: SubsetSearch, safe: SubsetSearch, top: str) -> Block:
    n = given.assessment.n_original
    of_keys, of_top = _figures(search, "repU", None), _figures(search, "DiSCO", top)
    rows = []
    order = safe.each_key("DiSCO", top)["key"].tolist()
    for key in sorted(order, key=str.casefold) if given.shareable else order:
        others = tuple(k for k in search.keys if k != key)
        figures = (of_keys[(key,)], of_keys[others], of_top[(key,)], of_top[others])
        rows.append((str(key), *(redaction.share(given, figure, n) for figure in figures)))
    columns = ("Key", "repU, alone", "repU, without it", f"DiSCO of {top}, alone", "without it")
    caption = (
        f"What is given away with each key alone, and with all the others. In % of {redaction.size_with_article(given, n)} original records; with all "
        f"keys repU is {redaction.share(given, of_keys[search.keys], n)}, DiSCO {redaction.share(given, of_top[search.keys], n)}."
    )
    return Block("table", caption, columns=columns, rows=tuple(rows), figures=frozenset(range(1, 5)))


def _figures(search: SubsetSearch, measure: str, target: str | None) -> dict[tuple[str, ...], float]:
    rows = search.of(target)
    return dict(zip(rows["keys"], rows[measure].astype(float), strict=True))
