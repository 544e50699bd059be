"""The left pane: all targets as one table, and under it the same with every figure, to search, copy and download."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from disclosure_core.counting.registry import CLAIMS
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.decision import BOTH
from disclosure_core.review.queue import UNFLAGGED, Queue, QueueRow
from disclosure_core.rounding import plain
from pages.review import bench, card
from pages.shared import parts, show, tables
from pages.shared.looked_at import AT_TAU

if TYPE_CHECKING:
    from disclosure_core.holdout.baseline import AttributeBaseline
    from pages.shared.open_review import Session


def say_state(s: Session, row: QueueRow) -> None:
    """Say what was done, or what waits for an answer; the line always stands, so that nothing moves when it speaks."""
    waits = f"{row.given.verdict.verdict}, {row.given.sentence}" if row.given and not row.judged else ""
    none = "" if row.flags else f"{UNFLAGGED} now" if row.flagged else UNFLAGGED
    words = " ".join(chain(*s.hear())) or waits or none
    st.caption(f":material/info: {show.literal(words)}" if words else "&nbsp;")


def of_card(s: Session, name: str) -> dict[str, Any]:
    """Return what the card of a target shows."""
    before, judged, now = (
        each.targets[name] for each in (s.now.before(), s.now.judged.assessment(), s.now.assessment())
    )
    return card.shows(s, name, before, judged, now)


def shown(s: Session, queue: Queue, name: str) -> None:
    """Show all targets as a table of ours; one with every figure opens below it."""
    measure, tau = bench.comparison(s)
    measure = measure if tau is None else AT_TAU
    data = bench.shows(
        queue, name, outside(s), s.settings.left_out, s.labels, s.ticked, measure, bench.measures(s), s.order
    )
    parts.draw("bench", "review.bench", data, partial(bench.act, s))
    table = st.popover("All figures", key="review.targets", on_change="rerun", type="tertiary")
    if table.open:
        with table:
            _table(queue)


def outside(s: Session) -> AttributeBaseline | NotEvaluated | None:
    """Return members beside people outside, of the judged figures; None where nobody outside was given."""
    if not s.now.data.has_holdout:
        return None
    try:
        return s.now.judged.attribute_baseline()
    except DisclosureError as error:
        return NotEvaluated(str(error), "")


def _table(queue: Queue) -> None:
    """Show the queue as a table that says which level and how many pairs raise a flag."""
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
    tables.table(
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
        key="review.table",
        rows=14,
    )
