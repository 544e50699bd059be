"""What the keys do: who stands out, and how many records each interval of a grouped column holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.rounding import fixed
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core import Assessment, Settings
    from disclosure_core.data.study import AnyStudy


def group_preview(study: AnyStudy, settings: Settings) -> None:
    """Show the intervals of each grouped column and how many records fall into them."""
    for name, n in settings.groups:
        column, said_of_it = study.grouped(name, n)
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
    """Show the four identity measures as large figures: means over the syntheses, with the spread beneath."""
    figures = result.identity
    explanations = {
        "UiO": "Unique in the original: the keys fit exactly one person.",
        "UiS": "Unique in the synthetic data: the keys fit exactly one synthetic record.",
        "UiOiS": "Unique in the original, and the keys occur in the synthetic data, once or more.",
        "repU": "Replicated uniques: unique in the original and unique in the synthetic data.",
    }
    for column, (name, meaning) in zip(show.tiles(4), explanations.items(), strict=True):
        values = figures[name]
        of = "synthetic" if name == "UiS" else "original"
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
