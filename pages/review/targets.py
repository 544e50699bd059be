"""The left pane: all targets as the queue, in a figure whose order and axis no exclusion moves, and as a table."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.counting.registry import CLAIMS, COMPARED
from disclosure_core.figures import queue as figure
from disclosure_core.holdout.decision import BOTH
from disclosure_core.review.queue import UNFLAGGED
from disclosure_core.rounding import plain
from pages.review import verdict
from pages.shared import pickers, plots, show, tables
from pages.shared.session import AT_TAU, bound, shown_by

if TYPE_CHECKING:
    from disclosure_core.review.queue import Queue
    from pages.shared.session import Session

FITTING = 13
"""So many rows fit into the pane of a small screen; of more, the chosen one also stands above those that scroll."""


def comparison(s: Session) -> tuple[str, float | None]:
    """Return which comparison is shown, and the τ where that is chosen instead."""
    if s.measure == AT_TAU and s.review.tau is not None:
        return "DiSCO", s.review.tau
    return (s.measure if s.measure in COMPARED else "DiSCO"), None


def picked(s: Session, queue: Queue) -> None:
    """Ask for the target by its name, flag and figure; the figure's rows do the same."""
    name = pickers.target(s, queue, labelled=False)
    # One line always stands here, so that nothing moves when a change is told: a toast would cover the buttons.
    row = queue.row(name)
    asks = f"{row.given.verdict.verdict}, {row.given.sentence}" if row.given and not row.judged else ""
    judges = verdict.judges(s, row, *comparison(s))
    said = " ".join(chain(*s.hear())) or asks or judges or figure.under_name(row) or UNFLAGGED
    st.caption(f":material/info: {show.literal(said)}")


def shown(s: Session, queue: Queue, name: str, measure: str, tau: float | None) -> None:
    """Show all targets as a figure; a table of them opens beside the choice of the measure."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        _measure(s)
        _order(s, queue)
        table = st.popover("Table", key="review.targets", on_change="rerun", type="tertiary")
    if table.open:
        with table:
            verdict.of_several(s, queue, _table(s, queue), measure, tau)
    plot = figure.describe(queue, name, s.labels)
    scrolls = len(queue.rows) > FITTING
    if scrolls:
        pinned = figure.describe(replace(queue, rows=(queue.row(name),)), name, s.labels)
        plots.figure(pinned, "review.pinned", 78)
    st.caption(f"○ {queue.original} → ◆ {queue.synthetic}, {plot.caption}")
    plots.figure(plot, "review.queue", on_select=lambda: _click(s), selection_mode="points", revision=s.looked + 1)
    st.caption("  \n".join((*plot.signs, "Click a row to open it")))


def _click(s: Session) -> None:
    """Look at the target whose row was clicked; a second click on a row changes nothing."""
    target = plots.clicked_target(shown_by("review.queue"))
    if target is not None:
        s.look_at(target)


def _measure(s: Session) -> None:
    names = {name: synthetic for name, (_, synthetic) in COMPARED.items()}
    if s.review.tau is not None:
        names[AT_TAU] = f"τ = {s.review.tau:g}"

    def take(measure: str) -> None:
        s.measure = measure

    st.radio(
        "Measure", list(names), horizontal=True, format_func=names.__getitem__, label_visibility="collapsed",
        **bound("review.measure", s.measure if s.measure in names else "DiSCO", take),
    )  # fmt: skip


def _order(s: Session, queue: Queue) -> None:
    """Ask in which order the targets stand: it moves no figure, and stays as it is when something is excluded."""
    names = {"gain": "By gain", "figure": f"By {queue.synthetic}", "beyond": "By beyond", "data": "As in data"}

    def take(order: str) -> None:
        s.order = order

    st.selectbox(
        "Order", list(names), format_func=names.__getitem__, label_visibility="collapsed", width=124,
        **bound("review.order", s.order, take),
    )  # fmt: skip


def _table(s: Session, queue: Queue) -> list[str]:
    """Show the queue as a table that says which level and how many pairs raise a flag; return the targets ticked."""
    rows = [
        {
            "target": row.target,
            "original": row.original,
            "synthetic": row.synthetic,
            "one_way": row.flags.one_way,
            "two_way": row.flags.two_way,
            "verdict": row.given.words if row.given else "",
            "above": f"over {plain(queue.limit)}" if row.above and queue.limit is not None else "",
            "before": row.synthetic_before,
            "min": min(row.each),
            "max": max(row.each),
            **{name: getattr(row.beyond, name) for name in CLAIMS},
        }
        for row in queue.rows
    ]
    several = queue.n_syntheses > 1
    event = tables.table(
        pd.DataFrame(rows),
        f"{queue.original} and {queue.synthetic} by target, with what raises the flags and the verdict",
        {
            "target": st.column_config.TextColumn("Target", pinned=True, width=84),
            "original": tables.percent_column(queue.original, "% of the original records.", 58),
            "synthetic": tables.percent_column(queue.synthetic, "% of the original records, as set.", 58),
            "gain": tables.percent_column(
                "Gain", "Gain over chance, percentage points of the original records, as set.", 52
            ),
            "kappa": tables.percent_column("κ", "1: all claims are right; 0: as many as by chance.", 44),
            "beyond": tables.percent_column("Beyond", "Right claims of another than the commonest level, as set.", 58),
            "claims_right": tables.percent_column("Claims right", "% of the claims, nothing excluded.", 82),
            "best_guess": tables.percent_column("Best guess", "One level for the same people, %.", 78),
            "chance": tables.percent_column("Chance", "The same claims dealt at random, %.", 60),
            "one_way": st.column_config.TextColumn("1-way", help="The level that carries the disclosure.", width=62),
            "two_way": st.column_config.TextColumn("2-way", help="Pairs of a key level and a level.", width=68),
            "verdict": st.column_config.TextColumn("Verdict", width=110),
            "above": None
            if queue.limit is None
            else st.column_config.TextColumn("Limit", help=f"Over the office's first limit, %; {BOTH}.", width=70),
            "before": tables.percent_column("Before", "With nothing excluded.", 58),
            "min": tables.percent_column("Smallest", "Of the syntheses.", 62) if several else None,
            "max": tables.percent_column("Largest", "Of the syntheses.", 62) if several else None,
        },
        key=f"review.table.{s.looked}",
        on_select="rerun",
        selection_mode=["multi-row", "single-cell"],
        height="content" if len(rows) <= 14 else 520,
    )
    clicked = [queue.rows[row].target for row, _ in event.selection.cells]
    if clicked and clicked[0] != s.target:
        s.look_at(clicked[0])
        st.rerun(scope="fragment")
    return [queue.rows[row].target for row in event.selection.rows]
