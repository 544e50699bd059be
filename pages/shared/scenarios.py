"""Scenarios: named exclusions side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.figures import scenarios as figure_of
from disclosure_core.results import Scenarios
from disclosure_core.review.scenarios import Scenario, paper_scenarios, with_scenario, with_scenarios
from disclosure_core.rounding import visible
from pages.shared import plots, show, tables

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def beside_the_card(s: Session, target: str) -> None:
    """Ask for scenarios, and show them side by side for one target, and in a table for all."""
    _naming(s)
    show.explained_as("scenarios", Scenarios.reads, Scenarios.formula)
    found = Scenarios.of(s.now, target=None) if s.review.scenarios else None
    if isinstance(found, Scenarios):
        plots.figure(figure_of.describe(found.rows, target, found.n_original), "review.scenarios", narrow=True)
        for table, frame in found.printed():
            tables.figures(frame, table.caption)
        st.caption("Dorig and DiSCO in % of all original records, means over the syntheses.")
        _managing(s)


def ask_scenario(s: Session) -> None:
    """Offer to name, use and delete scenarios."""
    with st.popover("Name, use or delete", icon=":material/edit:"):
        _naming(s)
        if s.review.scenarios:
            _managing(s)


def _naming(s: Session) -> None:
    """Offer the paper's five columns, and a name for the present exclusions."""
    name = st.text_input(
        "Name for the present exclusions",
        key="review.scenario",
        persist_state="session",
        placeholder="For example: census office",
    )
    row = st.container(horizontal=True, gap="small")
    row.button(
        "Keep as a scenario",
        key="review.keep",
        disabled=not name,
        on_click=lambda: _take(s, lambda: with_scenario(s.review.scenarios, Scenario(name, s.settings.exclusions))),
    )
    row.button(
        "The five of the paper",
        key="review.five",
        icon=":material/view_column:",
        on_click=lambda: _take(s, lambda: with_scenarios(s.review.scenarios, paper_scenarios(s.now.before()))),
        help="None; flagged target levels out; and missing values out; and denominators ≤ 1; denominators ≤ 1 alone.",
    )


def _managing(s: Session) -> None:
    """Use, rename, copy or delete a scenario."""
    with st.expander("Use, rename, copy or delete", icon=":material/edit:"):
        names = [scenario.name for scenario in s.review.scenarios]
        left, right = st.columns(2, vertical_alignment="bottom")
        which = left.selectbox("Scenario", names, format_func=visible, key="review.which", persist_state="session")
        new = right.text_input(
            "New name", key="review.rename", persist_state="session", placeholder="For a copy, or instead of this one"
        )
        chosen = next((scenario for scenario in s.review.scenarios if scenario.name == which), s.review.scenarios[0])
        name = chosen.name
        actions: dict[str, tuple[str, Callable[[], tuple[Scenario, ...]], bool]] = {
            "rename_it": (
                "Rename",
                lambda: with_scenario(s.review.scenarios, Scenario(new, chosen.exclusions), instead=name),
                not new,
            ),
            "copy": (
                "Copy",
                lambda: with_scenario(s.review.scenarios, Scenario(new or f"{name} (copy)", chosen.exclusions)),
                False,
            ),
            "delete": ("Delete", lambda: tuple(x for x in s.review.scenarios if x.name != name), False),
        }
        with st.container(horizontal=True):
            st.button(
                "Use these exclusions",
                key="review.use",
                type="primary",
                on_click=lambda: s.ask(replace(s.settings, exclusions=chosen.exclusions)),
            )
            for key, (label, action, disabled) in actions.items():
                st.button(label, key=f"review.{key}", disabled=disabled, on_click=_take, args=(s, action))


def _take(s: Session, made: Callable[[], tuple[Scenario, ...]]) -> None:
    with s.telling():
        s.update(scenarios=made())
