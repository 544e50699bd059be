"""Scenarios: named exclusions side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.figures import scenarios as scenarios_figure
from disclosure_core.review.scenarios import Scenario, assessed, flat, paper_scenarios, side_by_side, with_scenario
from disclosure_core.rounding import visible
from pages.shared import plots, show, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from disclosure_core import Assessment
    from pages.shared.session import Session


def scenarios(s: Session, before: Assessment, target: str) -> None:
    """Ask for scenarios, and show them side by side."""
    _naming(s, before)
    show.explained_by("scenarios")
    if not s.review.scenarios:
        return
    results = assessed(before.tables.study, before, s.review.scenarios)
    plots.figure(scenarios_figure.describe(results, target), "review.scenarios", narrow=True)
    _table(results)
    _managing(s)


def _naming(s: Session, before: Assessment) -> None:
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

    def five() -> tuple[Scenario, ...]:
        kept = s.review.scenarios
        for scenario in paper_scenarios(before):
            known = any(scenario.name == other.name for other in kept)
            kept = with_scenario(kept, scenario, instead=scenario.name if known else None)
        return kept

    row.button(
        "The five of the paper", key="review.five", icon=":material/view_column:", on_click=lambda: _take(s, five),
        help="None; flagged target levels out; and missing values out; and denominators ≤ 1; denominators ≤ 1 alone.",
    )  # fmt: skip


def _table(found: Sequence[tuple[str, Assessment]]) -> None:
    """Show targets down, scenarios across, original and synthetic in each."""
    tables.figures(
        flat(side_by_side(found)), "Dorig and DiSCO of every target in each scenario, % of the original records"
    )
    st.caption("Dorig and DiSCO in % of all original records, means over the syntheses.")


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
