"""Steps by hand: own breaks, levels merged, a coarser level, a target's claims blanked or their records removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core import DisclosureError
from disclosure_core.protection.steps import Band, BlankClaims, Breaks, Recode, RemoveClaims, Step
from pages.shared import show

if TYPE_CHECKING:
    import streamlit as st

    from disclosure_core.data.study import AnyStudy

INTERVALS, LEVELS, BANDS = COARSEN = (
    "Put numbers into intervals of your own",
    "Merge levels of your choice",
    "Write a column less exactly",
)
BLANK = "Blank a target where the synthetic data agree on it"
REMOVE = "Remove records where the synthetic data agree on a target"
KINDS = (*COARSEN, BLANK, REMOVE)


def step(kind: str, name: str, study: AnyStudy, place: st.delta_generator.DeltaGenerator) -> Step | None:
    """Ask for what one of `KINDS` needs beside its column; None where something is open still."""
    if kind == INTERVALS:
        return _breaks(name, place)
    if kind == LEVELS:
        column = study.columns[name]
        levels = column.labels if column.counts[:, column.n_levels].any() else column.levels
        # After a step a column has other levels, and a choice among the old ones is gone.
        chosen = place.multiselect(
            "Levels that become one",
            levels,
            select_all=False,
            key=f"safe.levels.{name}.{len(levels)}",
            persist_state="session",
            format_func=show.level,
        )
        called = place.text_input("Called", "Group", key="safe.called", persist_state="session")
        return Recode(name, (called or "").strip() or "Group", tuple(chosen)) if len(chosen) > 1 else None
    if kind == BANDS:
        level = place.text_input(
            "Level",
            "",
            key="safe.level",
            persist_state="session",
            placeholder="5, month, year, prefix:2",
            help="The width of bands of numbers; month, quarter, year or decade of dates; prefix:2 for the first two "
            "characters of a code.",
        )
        return Band(name, level.strip()) if level and level.strip() else None
    return BlankClaims(name) if kind == BLANK else RemoveClaims(name)


def _breaks(name: str, place: st.delta_generator.DeltaGenerator) -> Step | None:
    text = place.text_input("Breaks", "", key="safe.breaks", persist_state="session", placeholder="18, 30, 65")
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    if not parts:
        return None
    try:
        return Breaks(name, tuple(map(float, parts)))
    except (TypeError, ValueError):
        raise DisclosureError(
            f"The breaks {text!r} cannot be read; write rising numbers, such as 18, 30, 65."
        ) from None
