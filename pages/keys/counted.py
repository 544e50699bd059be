"""What the keys do: who stands out, and how many records each interval of a grouped column holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from disclosure_core.counting.registry import of_family
from disclosure_core.rounding import fixed
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core import Assessment, Settings
    from disclosure_core.data.study import AnyStudy


def group_preview(study: AnyStudy, settings: Settings) -> None:
    """Show the intervals of each grouped column and how many records fall into them."""
    groups = dict(settings.groups)
    for name in study.in_data_order(groups):
        column, said_of_it = study.grouped(name, groups[name])
        st.subheader(show.literal(name))
        for note in said_of_it:
            st.caption(show.literal(note.text))
        counts = column.counts
        frame = pd.DataFrame(
            {
                "level": column.labels,
                "original": counts[0],
                "synthetic": counts[1:].mean(axis=0),
            }
        )
        used = frame[(frame["original"] > 0) | (frame["synthetic"] > 0)]
        tables.table(
            used,
            f"Intervals of {name} and the records in each",
            {
                "level": "Interval or level",
                "original": tables.records_column("Original records"),
                "synthetic": st.column_config.NumberColumn(
                    "Synthetic records (mean)" if study.n_syntheses > 1 else "Synthetic records",
                    format="%.1f" if study.n_syntheses > 1 else "%d",
                    alignment="right",
                ),
            },
            height="content" if len(used) <= 8 else 330,
        )


def identity(result: Assessment) -> None:
    """Show the four identity measures as large figures, with counts: means over the syntheses, the spread beneath."""
    figures, counts = result.identity, []
    shown = of_family("identity")
    for column, measure in zip(show.tiles(len(shown)), shown, strict=True):
        values = figures[measure.name]
        n = np.array(result.n_synthetic if measure.of == "synthetic records" else result.n_original)
        records = float(np.mean(values.to_numpy() * n)) / 100
        written = fixed(records, 0)
        counts.append(f"**{measure.name}** {measure.plain}: {written} record{'s' * (written != '1')}")
        low, high = fixed(values.min()), fixed(values.max())
        column.metric(
            measure.name,
            f"{fixed(values.mean())} %",
            border=True,
            height="stretch",
            help=f"{measure.help} In % of {measure.of}.",
            delta=f"{low} to {high}" if low != high else None,
            delta_color="off",
            delta_arrow="off",
        )
    mean = ", means over the syntheses" if len(figures) > 1 else ""
    st.caption(f"{' · '.join(counts)}{mean}.")
