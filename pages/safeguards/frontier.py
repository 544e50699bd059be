"""The chains that a search for the least safeguard found, and what may be done with one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.figures import frontier
from disclosure_core.review import adoption, least
from disclosure_core.rounding import fixed, visible
from pages.safeguards import adopting
from pages.shared import plots, show, tables

if TYPE_CHECKING:
    from disclosure_core.comparison.frontier import LeastSafeguard, Point
    from pages.shared.open_review import Session


def show_frontier(s: Session, found: LeastSafeguard) -> None:
    """Show the answer, how far was searched, the frontier as figure and table, and offer its chains."""
    say = st.success if found.cheapest else st.warning
    say(show.literal(found.sentence), icon=":material/verified:" if found.cheapest else ":material/flag:")
    st.markdown(show.literal(found.promise))
    plots.figure(frontier.describe(found), "safe.least.figure")
    chosen = least.chosen(s.review, found)
    rows = [
        {
            "n": i,
            "chain": p.short,
            "reached": p.reached,
            "figure": p.figure,
            "of": p.of,
            "knows": p.knows,
            "lost": p.detail_lost,
            "largest": p.largest,
            "column": p.column or tables.NONE,
            "removed": p.removed,
            "taken": chosen.get(i - 1, ""),
        }
        for i, p in enumerate(found.points, 1)
    ]
    tables.table(
        pd.DataFrame(rows),
        "The frontier: each chain discloses less than those above it, and loses more detail",
        {
            "n": st.column_config.NumberColumn("", width=40, pinned=True),
            "chain": st.column_config.TextColumn("Chain", width="large"),
            "reached": st.column_config.CheckboxColumn("Aim reached"),
            "figure": tables.percent_column("Largest figure", f"{found.unit}."),
            "of": "Of",
            "knows": "For who knows",
            "lost": tables.percent_column("Detail lost %", "Mean over all columns."),
            "largest": tables.percent_column("Most lost %", "Of one column."),
            "column": "In column",
            "removed": tables.percent_column("Removed %", "Of the records of a synthesis."),
            "taken": "Taken",
        },
    )
    _offer(s, found)
    for note in found.notes:
        st.caption(show.literal(note))


def _offer(s: Session, found: LeastSafeguard) -> None:
    """Offer to take one chain: as a variant, or adopted at once."""
    points = {f"{i}: {p.short}": p for i, p in enumerate(found.points, 1) if p.steps}
    if not points or least.as_it_came(s.now) is not s.now:
        return
    labels = list(points)
    nearest = next((label for label, p in points.items() if p == found.nearest), labels[0])
    key = "safe.least.point"
    label = st.selectbox(
        "Chain", labels, index=labels.index(nearest), key=key, persist_state="session", format_func=visible
    )
    point = points.get(label or nearest, points[nearest])
    st.markdown(show.literal(point.words))
    if point.seen_through:
        st.warning(
            show.literal(f"An attacker can see through this: {point.seen_through}"), icon=":material/visibility:"
        )
    with st.container(horizontal=True):
        st.button(
            "Make it a variant",
            key="safe.least.variant",
            on_click=_variant,
            args=(s, point),
            help="It is measured beside the data as they came; nothing is adopted.",
        )
        st.button(
            "Adopt it",
            key="safe.least.adopt",
            type="primary",
            icon=":material/verified:",
            on_click=_adopt,
            args=(s, point),
            help="All pages and the report then show the safer syntheses.",
        )
    st.caption(
        f"{fixed(point.detail_lost, 1)} % of detail lost, {fixed(point.removed, 1)} % of the records of a synthesis "
        "removed."
    )


def _variant(s: Session, point: Point) -> None:
    with s.telling():
        s.change(least.with_point(s.review, point))
        s.seeks_least = False
        s.tell(f"{s.review.chain!r} is taken: this is its effect.")


def _adopt(s: Session, point: Point) -> None:
    """Adopt a chain; where exclusions would be lost by it, it is made a variant, and adopting asks first."""
    with s.telling():
        taken = s.now.with_review(least.with_point(s.review, point))
        found = adoption.adoption(taken)
        if found.gone:
            s.change(taken.review)
            s.seeks_least = False
            s.messages += (f"{s.review.chain!r} is taken. Some exclusions do not fit it: see them, then adopt.",)
            return
        s.seeks_least = False
        adopting.take(s, found)
