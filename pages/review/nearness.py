"""How close a number must be to count as disclosed: near misses of one numeric target, by the tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.counting.near_misses import LISTED, STEPS, Tolerance
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.figures import near_misses as figure
from disclosure_core.review.near_misses import NearMisses, near_misses
from disclosure_core.rounding import fixed, percent
from pages.shared import plots, show, tables

if TYPE_CHECKING:
    from pages.shared.session import Session

FIRST = "10%"
"""The tolerance that is offered first."""


def shown(s: Session, target: str) -> None:
    """Show what is disclosed of a numeric target by the tolerance, and ask for one."""
    curve = near_misses(s.now, target, STEPS)
    if isinstance(curve, NotEvaluated):
        st.info(f"**Not evaluated.** {show.literal(curve.why)} {curve.needs}", icon=":material/do_not_disturb_on:")
        return
    asked = st.text_input(
        "Tolerance",
        FIRST,
        key="review.near",
        persist_state="session",
        help="A share of the number claimed, such as 10%, or an amount in the target's unit, such as 100.",
    )
    result = s.assessment()
    tolerance = None
    try:
        tolerance = Tolerance.of(asked or FIRST)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
    else:
        _within(near_misses(s.now, target, (tolerance,)), tolerance)
    share = float(tolerance.amount) * 100 if tolerance is not None and tolerance.relative else None
    plot = figure.describe(
        [curve], result.n_original, several=len(result.n_synthetic) > 1,
        chosen=share if share is not None and 0 < share <= 50 else None,
    )  # fmt: skip
    plots.figure(plot, "review.near.curve", 270)
    show.explained_by("near_misses")
    _table(near_misses(s.now, target, LISTED), several=len(result.n_synthetic) > 1)


def _within(found: NearMisses | NotEvaluated, tolerance: Tolerance) -> None:
    """Say what one tolerance discloses, beside a guess and beside people outside."""
    if isinstance(found, NotEvaluated):
        return
    row = found.figures.iloc[0]
    st.markdown(
        f"Within {tolerance.words.replace(' %', chr(160) + '%')}, the synthetic data make a claim for "
        f"{percent(fixed(row['DiS']))} of all original records. It is right for **{percent(fixed(row['DiSCO']))}**. "
        f"The best single guess for everybody is right for {percent(fixed(row['guess']))}."
    )
    if not isinstance(found.outside, NotEvaluated):
        row = found.outside.iloc[0]
        st.caption(
            f"Of people outside the data, {percent(fixed(row['non_members']))}. The difference is "
            f"{fixed(row['difference'], sign=True)} percentage points "
            f"({fixed(row['low'], sign=True)} to {fixed(row['high'], sign=True)})."
        )


def _table(found: NearMisses | NotEvaluated, *, several: bool) -> None:
    table = st.expander(
        "The tolerances as a table", icon=":material/table_chart:", key="review.near.table", on_change="rerun"
    )
    if isinstance(found, NotEvaluated) or not table.open:
        return
    with table:
        tables.table(
            found.figures,
            f"Disclosure of {found.target} by tolerance, in % of the original records",
            {
                "tolerance": st.column_config.TextColumn("±", width=48),
                "DiS": tables.percent_column("DiS %", "A claim is made, right or wrong."),
                "DiSCO": tables.percent_column("DiSCO %", "The claim is right."),
                "Dorig": tables.percent_column("Dorig %", "The original, looked up in itself."),
                "min": tables.percent_column("Smallest %", "DiSCO, of the syntheses.") if several else None,
                "max": tables.percent_column("Largest %", "DiSCO, of the syntheses.") if several else None,
                "sd": tables.percent_column("SD") if several else None,
                "guess": tables.percent_column("Best guess %", "One number, or level, for all; nothing excluded."),
            },
        )
