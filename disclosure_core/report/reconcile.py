"""The appendix that a reader with R's output at hand needs: each documented deviation, with the figure both ways."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.counting.assessment import assess
from disclosure_core.counting.measures import beside_TCAPi
from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.study import Kind
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading
from disclosure_core.report.source import Block
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from disclosure_core.counting.assessment import Assessment, TargetRisk
    from disclosure_core.counting.cells import Cells, Mask
    from disclosure_core.counting.settings import Settings
    from disclosure_core.report.source import Report

Row = tuple[str, str, str, str]

HEADING = "Reconciliation with R's synthpop"

NOT_COMPUTED = (
    "Options given as vectors: R matches usekeysNA to the keys by the inverse permutation, and never re-orders "
    "ngroups_keys; here each option belongs to a column's name.",
    "multi.disclosure passes target levels where key levels belong and, given a list, keeps one synthesis where it had to "
    "adjust anything; here a pair names both, and every synthesis counts.",
    "Levels with a vertical bar, a level called Missing, and a column called target break R's key combinations; here "
    "they are ordinary.",
    "Its 2-way manual page says (5, 80); program and this report use more than 4 records and more than 80 %.",
    "A single key with a level that one file does not hold counts as present in R's UiOiS; here it does not.",
)


def blocks(source: Report) -> tuple[Block, ...]:
    """Return the appendix.

    Source
    ------
    docs/synthpop.md, "Where our figures differ".
    """
    if source.shareable:  # denominators, ratios, and figures both ways: what the rest of the report rounds away
        return (
            heading(HEADING),
            Block(
                "text",
                "The figures of synthpop beside these stand in the internal version. In general it differs as follows:",
            ),
            Block("list", items=NOT_COMPUTED),
        )
    found = source.assessment
    rows = []
    for name, risk in found.targets.items():
        a, c = risk.attribute.mean(), risk.caps.mean()
        rows.append(
            (
                name,
                _percent(c["TCAPi"]),
                _percent(c["TCAP"]),
                redaction.count(source, a["max_denom"], found.n_original),
                redaction.count(source, a["max_claim"], found.n_original),
                redaction.share(source, risk.identity["UiO"].mean(), found.n_original),
                redaction.share(source, found.identity["UiO"].mean(), found.n_original),
            )
        )
    here = _alike_as_one(_deviations(source))
    beside = beside_TCAPi(found.left_out.denominator_limit)
    made = [
        heading(HEADING),
        Block(
            "text",
            "The figures agree with synthpop 1.9-3 to nine decimals on 78 reference tables. Where its program errs, or "
            "gives one name to two things, the figures differ as follows.",
        ),
        Block(
            "table",
            "Same name, other meaning. R's TCAP is TCAPi here; TCAP here is Table 1 of the paper. R's max_denom counts "
            "original records, max_claim the synthetic records that a claim rests on. R's UiO of a target moves with the "
            "target's exclusions; the headline UiO is that of the keys. Means over the syntheses."
            + (f" {beside}" if beside else ""),
            columns=("Target", "TCAP in R", "TCAP here", "max_denom", "max_claim", "UiO in R", "UiO here"),
            rows=tuple(rows),
            figures=frozenset(range(1, 7)),
        ),
    ]
    if here:
        made.append(
            Block(
                "table",
                "Deviations that touch this assessment, with the figure both ways.",
                columns=("Deviation", "Figure", "R shows", "Here"),
                rows=here,
                figures=frozenset({2, 3}),
            )
        )
    return (*made, Block("text", "Deviations without a figure of their own:"), Block("list", items=NOT_COMPUTED))


def _alike_as_one(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the deviations in order; those with the same two figures are one row that names all they are of."""
    by: dict[tuple[str, str, str, str], list[str]] = {}
    for what, figure, theirs, ours in sorted(rows):
        kind, of, name = figure.partition(" of ")
        by.setdefault((what, kind + of, theirs, ours), []).append(name)
    return tuple((what, kind + ", ".join(names), theirs, ours) for (what, kind, theirs, ours), names in by.items())


def _percent(value: float) -> str:
    return fixed(value) if value == value else "–"


def _deviations(source: Report) -> Iterable[Row]:
    """Yield what differs here: what R does, which figure, R's and ours."""
    found, n = source.assessment, source.assessment.n_original
    figures = found.identity
    if figures["repU"].nunique() > 1:
        first, mean = (redaction.share(source, float(v), n) for v in (figures["repU"].iloc[0], figures["repU"].mean()))
        yield "multi.disclosure prints the first synthesis as the mean", "repU", first, mean
    if set(found.n_synthetic) != {n}:
        of_original = float(np.mean([v * size / n for v, size in zip(figures["UiS"], found.n_synthetic, strict=True)]))
        ours = redaction.share(source, float(figures["UiS"].mean()), found.n_synthetic[0])
        yield (
            "The paper's equation (2) has UiS over the original records",
            "UiS",
            redaction.share(source, of_original, n),
            ours,
        )
    for name, risk in found.targets.items():
        yield from _of_target(source, name, risk)


def _of_target(source: Report, name: str, risk: TargetRisk) -> Iterable[Row]:
    found, n = source.assessment, source.assessment.n_original
    ours = redaction.share(source, float(risk.figures("DiSCO").mean()), n)
    moved = risk.identity["repU"].mean()
    if abs(moved - found.identity["repU"].mean()) > 1e-9:
        what = "A target's exclusions move its identity figures"
        yield (
            what,
            f"repU of {name}",
            redaction.share(source, moved, n),
            redaction.share(source, found.identity["repU"].mean(), n),
        )
    wrong = misaligned(found, name)
    if wrong is not None:
        yield (
            "Rows that do not meet (numeric, not grouped)",
            f"DiSCO of {name}",
            redaction.share(source, wrong, n),
            ours,
        )
    levels = risk.left_out.levels_of(name)
    if len(levels) > 1:
        fewer = assess(source.study, _with_first_level(found, name), found.tables).targets[name]
        theirs = redaction.share(source, float(fewer.figures("DiSCO").mean()), n)
        yield "R excludes one target level, the first", f"DiSCO of {name}", theirs, ours
    cells = [c.cells for c in risk.counted]
    if (
        name in risk.left_out.missing_targets
        and not _has_missing(cells[0])
        and any(c.s[_missing(c)].any() for c in cells)
    ):
        kept = replace(found.settings, exclusions=replace(found.settings.exclusions, missing_targets=frozenset()))
        values = (assess(source.study, kept, found.tables).targets[name].attribute["Dsyn"], risk.attribute["Dsyn"])
        rs, here = (redaction.share(source, float(v.mean()), found.n_synthetic[0]) for v in values)
        what = "R keeps values that are missing in the synthetic data only"
        yield what, f"Dsyn of {name}", rs, here
    two = [len(frame) for frame in risk.two_way]
    if max(two) > 1:
        yield "multi.disclosure counts the pairs of all syntheses as 1", f"2-way pairs of {name}", "1", f"{sum(two)}"
    for kind, raised in (("1-way", [c is not None for c in risk.one_way]), ("2-way", [k > 0 for k in two])):
        stays = len(raised) - raised.index(True) if any(raised) else 0
        if stays != sum(raised):
            what = "A flag once raised stays up for the syntheses that follow"
            yield what, f"{kind} flags of {name}", f"{stays} of {len(raised)}", f"{sum(raised)} of {len(raised)}"


def _with_first_level(found: Assessment, name: str) -> Settings:
    out = found.settings.exclusions
    return replace(found.settings, exclusions=out.with_levels(name, out.levels_of(name)[:1]))


def _missing(cells: Cells) -> Mask:
    return cells.target == cells.column.n_levels


def _has_missing(cells: Cells) -> bool:
    return bool(cells.d[_missing(cells)].any())


def misaligned(found: Assessment, name: str) -> float | None:
    """Return DiSCO as R computes it for a target whose rows do not meet, % of N_d, the mean; None where they meet.

    R keeps the original's rows in the order of the numbers and, where a value is absent from the synthesis, puts the
    synthesis' rows in the order of their texts; it then goes by position. Only whole numbers from 0 up are followed:
    their order as text is the same in every language.

    Source
    ------
    docs/synthpop.md, "Rows that do not meet". Nothing with exclusions or fewer than two keys, where other faults meet this one.
    """
    risk = found.targets[name]
    first = risk.counted[0].cells.column
    if not found.tables.study.holds_records:
        return None
    plain = first.kind is Kind.NUMBER and not found.settings.group(name)
    if not plain or risk.left_out != Exclusions() or len(found.keys.keys) < 2:
        return None
    figures = [_misaligned(c.cells) for c in risk.counted]
    if all(v is None for v in figures):
        return None
    ours = risk.figures("DiSCO").tolist()
    return float(np.mean([own if v is None else v for v, own in zip(figures, ours, strict=True)]))


def _misaligned(cells: Cells) -> float | None:
    n = cells.column.n_codes
    original = np.bincount(cells.target, weights=cells.d, minlength=n) > 0
    synthetic = np.bincount(cells.target, weights=cells.s, minlength=n) > 0
    levels = cells.column.levels
    by_number = np.flatnonzero(original)
    plain = all(levels[t].isdecimal() for t in by_number.tolist() if t < n - 1)
    if original[-1] or synthetic[-1] or not plain or (synthetic & ~original).any() or not (original & ~synthetic).any():
        return None
    by_text = sorted(by_number.tolist(), key=lambda t: levels[t])
    read_as = np.arange(n)
    read_as[by_text] = by_number
    if (read_as[by_text] == by_text).all():
        return None
    codes = cells.q.astype(np.int64) * n + cells.target
    order = np.argsort(codes)
    told = cells.disclosive_synthetic
    wanted = cells.q[told].astype(np.int64) * n + read_as[cells.target[told]]
    at = np.minimum(np.searchsorted(codes, wanted, sorter=order), codes.size - 1)
    hit = codes[order[at]] == wanted
    return float(100 * cells.d[order[at]][hit].sum() / cells.n_original)
