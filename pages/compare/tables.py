"""Every figure of every set, and how two of them differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.comparison.candidates import ABOVE
from pages.compare import beside, compared, mapping
from pages.shared import show, tables

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.comparison.comparison import Comparison
    from pages.shared.open_review import Session


def side_by_side(s: Session, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Show a row a figure, a column a set; beside it two sets with the intervals of their differences."""
    with shown:
        found = compared.comparison(s)
    with asked:
        show.explained_by("side_by_side")
        if found is None:
            return
        compared.in_report(s)
        for each in found.candidates:
            show.list_left_out(tuple(f"{each.name}: {sentence}" for sentence in each.differences))
        st.header("Two of them")
        two = mapping.of_two(found)
    with shown:
        frame = found.table()
        tables.table(
            frame,
            "Identity figures, DiSCO of each target with its flags, usefulness: a column a set, means over syntheses",
            {
                "measure": st.column_config.TextColumn("Figure", pinned=True),
                "target": st.column_config.TextColumn("Of"),
                "unit": st.column_config.TextColumn("Unit"),
                **{name: tables.percent_column(name) for name in frame.columns[3:]},
            },
            height=230,
        )
        beside.say_references(found.references)
        _differences(found, *two)


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
        height=230,
    )
