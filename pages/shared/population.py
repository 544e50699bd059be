"""The population of the original: a table of it, or its size, and what replicated uniques mean there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.review.opening import read_population
from disclosure_core.review.population import in_population
from pages.shared import one_file, show
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.session import Session


def asked(s: Session) -> None:
    """Ask for a table of the population or for its size, and say what is known with it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "People in the population", min_value=1, step=1, placeholder="Not known", width=220,
            help="That the original was sampled from; the same number as on Baseline, under Membership.",
            **bound("keys.population", s.review.threat_model.population_size, lambda n: _size(s, n)),
        )  # fmt: skip
        if s.readings:
            with st.popover("Bring a population table", icon=":material/groups:"):
                _upload(s)
        table = s.now.data.population
        if table is not None:
            st.markdown(f":material/groups: Population table: **{show.literal(table.name)}**", width="content")
            st.button(
                "Remove population table", key="keys.population.remove", type="tertiary",
                icon=":material/group_remove:", on_click=lambda: s.bring_population(None, None),
            )  # fmt: skip
    said(s)


def said(s: Session) -> None:
    """Say what the replicated uniques mean in the population, and what that assumes."""
    found = evaluated(lambda: in_population(s.now))
    if isinstance(found, NotEvaluated):
        st.info(
            f"**Not evaluated.** {show.literal(f'{found.why} {found.needs}'.strip())}",
            icon=":material/do_not_disturb_on:",
        )
        return
    st.markdown(show.literal(str(found)))
    st.caption(found.assumed)


def _size(s: Session, n: float | None) -> None:
    s.update(threat_model=replace(s.review.threat_model, population_size=None if n is None else int(n)))


def _upload(s: Session) -> None:
    """Ask for a table of the population by the keys."""
    keys = ", ".join(map(show.literal, s.review.keys))
    st.caption(f"A row a combination of keys ({keys}), and a column called count: the people in the population.")
    one_file.asked(
        s, "Population table", "Use this table", "population table", ("keys.population.file", "keys.population.use"),
        read_population, s.bring_population,
    )  # fmt: skip
