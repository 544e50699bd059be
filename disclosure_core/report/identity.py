"""Identity: replicated uniques, a screening figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.counting.assessment import identity_by_keys
from disclosure_core.figures import keys_added
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, of, table
from disclosure_core.report.source import Block

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.report.source import ReportInput


def blocks(source: ReportInput) -> list[Block]:
    """Return the section."""
    found = source.assessment
    figures, n_d, n_s = found.identity, found.n_original, found.n_synthetic

    def row(name: str, values: pd.Series[float]) -> tuple[str, ...]:
        of = {m: min(n_s) if m == "UiS" else n_d for m in figures.columns}
        return (name, *(redaction.share(source, float(values[m]), n) for m, n in of.items()))

    each = [] if source.shareable else [row(f"Synthesis {i}", values) for i, values in figures.iterrows()]
    rows = each if len(each) == 1 else [*each, row("Mean", figures.mean())]
    figure = []
    if len(found.keys.keys) > 1:
        plot = redaction.growth(
            source, keys_added.describe(identity_by_keys(source.study, found.settings, source.keys), n_d)
        )
        caption = f"UiO and repU as the keys are added one at a time, in the order {'chosen' if source.keys else 'of the data'}, {plot.unit}. {of('UiO', 'repU')}"
        figure.append(Block("figure", caption, plot=plot))
    return [
        heading("Identity"),
        Block("text", "repU, replicated uniques, is a screening figure: it counts coincidences on the chosen keys, and is no "
              "probability of being recognised."),
        *figure,
        table(f"UiO, UiOiS and repU in % of {redaction.size_with_article(source, n_d)} original records, UiS in % of the synthetic records. Lower is safer.",
               ("", *figures.columns), rows),
    ]  # fmt: skip
