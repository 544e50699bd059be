"""Every figure of every set, and how two of them differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.comparison.candidates import ABOVE
from pages.compare import compared, mapping
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core.comparison.candidates import Comparison
    from pages.shared.session import Session


def side_by_side(s: Session) -> None:
    """Show a row a figure, a column a set; then two sets with the intervals of their differences."""
    show.explained_by("side_by_side")
    found = compared.comparison(s)
    if found is None:
        return
    tables.table(
        found.table(),
        "Identity figures, DiSCO of each target with its flags, and usefulness: a column a set, means over syntheses",
        {
            "measure": st.column_config.TextColumn("Figure", pinned=True),
            "target": st.column_config.TextColumn("Of"),
            "unit": st.column_config.TextColumn("Unit"),
            **{name: tables.percent_column(name) for name in found.names},
        },
        height=460,
    )
    compared.in_report(s)
    for each in found.candidates:
        show.said(tuple(f"{each.name}: {sentence}" for sentence in each.differences))
    st.subheader("Two of them")
    _differences(found, *mapping.of_two(found))


def _differences(found: Comparison, a: str, b: str) -> None:
    rows = found.differences(a, b)
    rows["measure"] = [
        f"{m}, {ABOVE}" if outside else m for m, outside in zip(rows["measure"], rows["above"], strict=True)
    ]
    rows["told"] = ["yes" if clear else "no" for clear in rows["clear"]]
    tables.table(
        rows[["measure", "target", "a", "b", "difference", "low", "high", "told"]],
        "How the two differ, with 95 % intervals over the syntheses",
        {
            "measure": st.column_config.TextColumn("Figure", pinned=True),
            "target": "Of",
            "a": tables.percent_column(a),
            "b": tables.percent_column(b),
            **{
                name: st.column_config.NumberColumn(label, format="%+.2f", alignment="right")
                for name, label in (("difference", "Difference"), ("low", "95 % from"), ("high", "to"))
            },
            "told": st.column_config.TextColumn("Told apart", help="Whether the interval holds no 0."),
        },
        height=460,
    )
