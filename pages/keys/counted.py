"""What the keys do: who stands out, and how many records each interval of a grouped column holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

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


NAMES = {
    "UiO": ("unique in the original", "Unique in the original: the keys fit exactly one person."),
    "UiS": ("unique in a synthesis", "Unique in the synthetic data: the keys fit exactly one synthetic record."),
    "UiOiS": (
        "unique, and found in a synthesis",
        "Unique in the original, and the keys occur in the synthetic data, once or more.",
    ),
    "repU": ("replicated uniques", "Replicated uniques: unique in the original and unique in the synthetic data."),
}
"""What each identity measure is called in plain words, and what it counts."""


def identity(result: Assessment) -> None:
    """Show the four identity measures as large figures, with counts: means over the syntheses, the spread beneath."""
    figures, counts = result.identity, []
    for column, (name, (plain, meaning)) in zip(show.tiles(4), NAMES.items(), strict=True):
        values = figures[name]
        of = "synthetic" if name == "UiS" else "original"
        records = (
            float(np.mean(values.to_numpy() * np.array(result.n_synthetic if name == "UiS" else result.n_original)))
            / 100
        )
        written = fixed(records, 0)
        counts.append(f"**{name}** {plain}: {written} record{'s' * (written != '1')}")
        low, high = fixed(values.min()), fixed(values.max())
        column.metric(
            name,
            f"{fixed(values.mean())} %",
            border=True,
            height="stretch",
            help=f"{meaning} In % of {of} records.",
            delta=f"{low} to {high}" if low != high else None,
            delta_color="off",
            delta_arrow="off",
        )
    mean = ", means over the syntheses" if len(figures) > 1 else ""
    st.caption(f"{' · '.join(counts)}{mean}.")
