"""Identity: replicated uniques, a screening figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.identity import identity_by_keys
from disclosure_core.data.identifiers import which
from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import keys_added
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, numerators_of, table
from disclosure_core.report.source import Block, Report
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import pandas as pd


def blocks(source: Report) -> list[Block]:
    """Return the section."""
    figures = source.assessment.identity
    one = len(figures) == 1 and not source.shareable
    rows = [_row(source, "Synthesis 1" if one else "Mean", figures.mean())]
    if len(figures) > 1 and not source.shareable:
        spread = {"SD": figures.std(), "Smallest": figures.min(), "Largest": figures.max()}
        rows += [_row(source, name, of) for name, of in spread.items()]
    return [
        heading("Identity"),
        Block(
            "text",
            "repU, replicated uniques, is a screening figure: it counts coincidences on the chosen keys, and is no "
            "probability of being recognised.",
        ),
        _table(source, rows),
        *(Block("text", said) for said in _copies(source)),
    ]


def _copies(source: Report) -> tuple[str, ...]:
    """Return how many whole records are the original's: exact counts, which only an internal report holds."""
    if source.shareable:
        return ()
    found = source.printed.copies()
    if isinstance(found, NotEvaluated):
        return (f"Whole records: not evaluated. {found.why} {found.needs}",)
    rows = found.identifiers.groupby("column", sort=False)
    return (
        found.sentence,
        *(
            f"Real values of “{name}”, {which(1)}: {fixed(of['share'].max())} % of the original's "
            f"{of['values'].iloc[0]:,} stand in {'the synthesis' if len(of) == 1 else 'a synthesis, at most'}."
            for name, of in rows
        ),
    )


def more(source: Report) -> list[Block]:
    """Return the figures as the keys are added, and of each synthesis; nothing where the report has all there is."""
    found, made = source.assessment, []
    if len(found.keys.keys) > 1:
        growing = identity_by_keys(source.study, found.settings, source.review.keys)
        plot = redaction.growth(source, keys_added.describe(growing, found.n_original))
        caption = f"UiO and repU as the keys are added one at a time, in the order chosen, {plot.unit}. {numerators_of('UiO', 'repU')}"
        made.append(Block("figure", caption, plot=plot))
    if len(found.identity) > 1 and not source.shareable:
        made.append(_table(source, [_row(source, f"Synthesis {i}", values) for i, values in found.identity.iterrows()]))
    return [heading("Identity"), *made] if made else []


def _row(source: Report, name: str, values: pd.Series[float]) -> tuple[str, ...]:
    found = source.assessment
    of = {m: min(found.n_synthetic) if m == "UiS" else found.n_original for m in found.identity.columns}
    return (name, *(redaction.share(source, float(values[m]), of[m]) for m in redaction.shown(source, *of)))


def _table(source: Report, rows: list[tuple[str, ...]]) -> Block:
    n = redaction.size_with_article(source, source.assessment.n_original)
    caption = f"UiO, UiOiS and repU in % of {n} original records, UiS in % of the synthetic records. Lower is safer."
    return table(caption, ("", *redaction.shown(source, *source.assessment.identity.columns)), rows)
