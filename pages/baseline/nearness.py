"""Near misses of numeric targets: members beside people outside, by the tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.errors import NotEvaluated
from disclosure_core.review.near_misses import near_misses, numeric_targets
from pages.shared import show, tables

if TYPE_CHECKING:
    from pages.shared.session import Session


def beside_people_outside(s: Session) -> None:
    """Show near misses of members and of people outside, of each numeric target; nothing where there is none."""
    judged = s.now.judged
    found = [near_misses(judged, name) for name in numeric_targets(judged)]
    rows = [
        each.outside.drop(columns="R").assign(target=each.target, guess=each.figures["guess"].to_numpy())
        for each in found
        if not isinstance(each, NotEvaluated) and not isinstance(each.outside, NotEvaluated)
    ]
    if not rows:
        return
    st.header("Near misses of numbers")
    show.explained_by("near_misses")
    tables.table(
        pd.concat(rows, ignore_index=True)[["target", *rows[0].columns.drop("target")]],
        "Numbers disclosed within a tolerance, of members and non-members, by target",
        {
            "target": st.column_config.TextColumn("Target", pinned=True),
            "tolerance": st.column_config.TextColumn("±", width=56),
            "members": tables.percent_column("Members %", "Right claims, of the training records."),
            "non_members": tables.percent_column("Non-members %", "Right claims, of the holdout records."),
            "difference": tables.percent_column("Difference", "Percentage points."),
            "low": tables.percent_column("95 % from", "Lower end of the interval of the difference."),
            "high": tables.percent_column("to", "Upper end."),
            "guess": tables.percent_column("Best guess %", "One number, or level, for all training records."),
        },
    )
