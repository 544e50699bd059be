"""A table of the population by the keys: the one parameter that is a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review.reading import read_population
from pages.shared import one_file, show

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def ask_for_table(s: Session) -> None:
    """Ask for a table of the population, and offer to remove the one that there is."""
    if s.readings:
        with st.popover("Bring a population table", icon=":material/groups:"):
            _upload(s)
    table = s.now.data.population
    if table is not None:
        st.markdown(f":material/groups: Population table: **{show.literal(table.name)}**", width="content")
        st.button(
            "Remove population table",
            key="analyses.population.remove",
            type="tertiary",
            icon=":material/group_remove:",
            on_click=lambda: s.bring_population(None, None),
        )


def _upload(s: Session) -> None:
    """Ask for a table of the population by the keys."""
    keys = ", ".join(map(show.literal, s.review.keys))
    st.caption(f"A row a combination of keys ({keys}), and a column called count: the people in the population.")
    one_file.ask_for_file(
        s,
        "Population table",
        "Use this table",
        "population table",
        ("analyses.population.file", "analyses.population.use"),
        read_population,
        s.bring_population,
    )
