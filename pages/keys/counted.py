"""What the keys do: who stands out, and how many records each interval of a grouped column holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from disclosure_core.counting.registry import IDENTITY, of_family
from disclosure_core.data.grouping import Groups, spoken
from disclosure_core.rounding import fixed
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core import Assessment, Settings
    from disclosure_core.data.study import AnyStudy

IDENTITY_WORDS = {measure.name: measure.help for measure in of_family("identity")}
"""What each measure of the keys is, in a sentence."""


def group_preview(study: AnyStudy, settings: Settings) -> None:
    """Show the intervals of each grouped column and how many records fall into them."""
    groups = dict(settings.groups)
    if not groups:
        return
    for name in study.in_data_order(groups):
        if isinstance(breaks := groups[name], tuple):
            st.caption(show.literal(f"{name}: {spoken(breaks)}."))
    with st.expander("Intervals of the groups", icon=":material/table_chart:"):
        _intervals(study, groups)


def _intervals(study: AnyStudy, groups: dict[str, Groups]) -> None:
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
            rows=8,
        )


def identity(result: Assessment) -> None:
    """Show in words who stands out: unique people, and those who match exactly one synthetic record."""
    figures, n = result.identity, result.n_original
    tiles = (
        ("UiO", "of the people are alone with these keys", IDENTITY_WORDS["UiO"]),
        ("repU", "are alone, and match exactly one synthetic record", IDENTITY_WORDS["repU"]),
    )
    place = st.container(horizontal=True, gap="small", key="keys-identity")
    for name, words, plain in tiles:
        values = figures[name]
        records = fixed(float(np.mean(values.to_numpy())) * n / 100, 0)
        low, high = fixed(values.min()), fixed(values.max())
        spread = f"; syntheses {low} to {high} %" if low != high else ""
        mean = "mean " if low != high else ""
        with place.container(border=True, height="stretch"):
            st.metric(name, f"{fixed(values.mean())} %", help=f"{plain} In % of original records.")
            st.markdown(f"**{in_words(values.mean())}** {words}: {mean}{records} of {n:,}{spread}.")


def in_words(percent: float) -> str:
    """Return a share as a person says it: "About 1 in 4"."""
    if percent in (0, 100):
        return "All" if percent else "None"
    share = percent / 100
    if share < 0.45:
        return f"About 1 in {round(1 / share):,}"
    tenths = round(10 * share)
    return "Nearly all" if tenths == 10 else f"About {tenths} in 10" if tenths != 5 else "About half"


def all_measures(result: Assessment) -> None:
    """Show the four identity measures of each synthesis."""
    frame = result.identity.reset_index()
    tables.table(
        frame,
        "Identity measures of each synthesis",
        {"synthesis": tables.records_column("Synthesis"), **{m: tables.percent_column(f"{m} %") for m in IDENTITY}},
    )
