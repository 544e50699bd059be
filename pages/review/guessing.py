"""The right pane: what the claims about one target are worth beside a guess, and the levels no percentage shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.conclusions import guess
from disclosure_core.counting.registry import of_family
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core import TargetRisk

HELPS = {
    **{m.short: m.help for m in of_family("claims")},
    "claims": "People with a claim, % of all original records, nothing excluded.",
}


def shown(risk: TargetRisk) -> None:
    """Show claims beside a guess for the same people, and the list of levels."""
    found = risk.beyond_guess
    st.markdown("**Beside a guess**")
    st.caption(show.literal(guess.sentence(found)))
    figures = guess.head(found)
    tables.table(
        pd.DataFrame([figures]),
        f"Claims about {risk.target} beside a guess",
        {name: tables.percent_column(name.capitalize(), HELPS[name], 72) for name in figures},
    )
    if why := guess.why_not_beyond(found.common):
        st.caption(f"Beyond: {show.literal(why)}")
    if len(found.levels):
        st.caption("Levels with three right claims or more, nothing excluded: where a rare disclosure is found.")
        tables.table(
            found.levels,
            f"Claims about {risk.target} by level",
            {
                "level": st.column_config.TextColumn("Level", width=96),
                "claims": tables.records_column("Claims", "People, mean over the syntheses.", 56),
                "right": tables.records_column("Right", "Of them rightly.", 52),
                "pct_right": tables.percent_column("Right, %", "Of the claims of this level.", 62),
                "pct_of_all": tables.percent_column("Of all, %", "Original records with the level.", 62),
                "excess": tables.percent_column("Excess", "Right, % less of all, %.", 58),
            },
        )
