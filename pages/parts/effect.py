"""What the exclusions do to one target's figures, and what its disclosure is made of."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.figures import describe
from disclosure_core.measures import ATTRIBUTE, CAPS, EXCLUSION_COLUMNS, IDENTITY, percent
from pages.parts import show
from pages.parts.session import bound, forget

if TYPE_CHECKING:
    import numpy as np

    from disclosure_core import TargetRisk
    from pages.parts.session import Session

FIGURES = {
    "Dorig": "Original: one answer only",
    "iS": "Keys found in the synthetic data",
    "DiS": "… and one answer only",
    "DiSCO": "… and the answer is right",
    "DiSDiO": "… and disclosive in the original",
    "DCAPd": "Share of right answers (DCAPd)",
    "UiO": "Unique in the original",
    "repU": "Replicated uniques",
}

_RECORDS = ("max_denom", "mean_denom", "max_claim", "mean_claim")
"""Measures in records; all others are %."""


def steps(risk: TargetRisk) -> None:
    """Show the steps an intruder takes."""
    plot = describe.steps(risk)
    show.figure(plot, "review.steps")
    show.explained_by("steps")


def sizes(full: TargetRisk, limit: int | None) -> None:
    """Show how many records the claims rest on: in the original, and in the synthetic data."""
    for place, of, title in zip(
        st.columns(2),
        ("original", "synthetic"),
        ("Denominators, nothing left out", "What claims rest on, nothing left out"),
        strict=True,
    ):
        plot = describe.sizes(full, of, limit)
        with place:
            st.subheader(title)
            show.figure(plot, f"review.sizes.{of}")
    show.explained_by("sizes")


def before_and_after(before: TargetRisk, after: TargetRisk) -> None:
    """Show each figure with nothing left out and with what is left out, over all records and over those counted."""
    n = after.counted[0].cells.n_original
    counted = float(_remaining(after).mean())
    rows = []
    for name, meaning in FIGURES.items():
        was, now = _values(before, name), _values(after, name)
        rows.append(
            {
                "measure": name,
                "meaning": meaning,
                "before": was.mean(),
                "after": now.mean(),
                "range": f"{now.min():.2f} to {now.max():.2f}" if now.size > 1 else "",
                "counted": percent(now.mean() * n / 100, counted),
            }
        )
    several = len(after.counted) > 1
    show.table(
        pd.DataFrame(rows),
        f"Figures of {before.target} before and after the exclusions, in % of the original records",
        {
            "measure": st.column_config.TextColumn("Measure", width=80),
            "meaning": "What it says",
            "before": show.percent_column("Nothing left out %", "Of all original records."),
            "after": show.percent_column("As set %", "Of all original records: the published definition."),
            "range": st.column_config.TextColumn("Syntheses", help="Smallest to largest, as set.") if several else None,
            "counted": show.percent_column("Of those counted %", "As set, of the original records still counted."),
        },
    )
    mean = ", means over the syntheses" if several else ""
    st.caption(
        f"% of all {n:,} original records{mean}; the last column of the {counted:,.0f} still counted. An exclusion "
        "changes the figure, never the data."
    )
    every = st.expander(
        "Every measure, before and after", icon=":material/table_chart:", key="review.every", on_change="rerun"
    )
    if every.open:
        with every:
            _every_measure(before, after)


def _every_measure(before: TargetRisk, after: TargetRisk) -> None:
    names = [*IDENTITY, *(m for m in ATTRIBUTE if m not in _RECORDS), *CAPS, *_RECORDS]
    rows = [
        {
            "measure": m,
            "unit": "records" if m in _RECORDS else "%",
            "before": _values(before, m).mean(),
            "after": _values(after, m).mean(),
        }
        for m in names
    ]
    show.table(
        pd.DataFrame(rows),
        f"Every measure of {before.target} before and after the exclusions",
        {
            "measure": "Measure",
            "unit": "Unit",
            "before": show.percent_column("Nothing left out"),
            "after": show.percent_column("As set"),
        },
        height=400,
    )


def _values(risk: TargetRisk, measure: str) -> np.typing.NDArray[np.float64]:
    return risk.identity[measure].to_numpy() if measure in IDENTITY else risk.figures(measure)


def _remaining(risk: TargetRisk) -> pd.Series[float]:
    """Return the original records still counted, a synthesis a row."""
    return pd.Series([taken.loc["original", "remaining"] for taken in risk.exclusions])


def taken(risk: TargetRisk) -> None:
    """Show the records that each kind of exclusion took, by measure."""
    frame = pd.concat(risk.exclusions).groupby(level=0, sort=False).mean()
    if not frame[list(EXCLUSION_COLUMNS[:-1])].to_numpy().any():
        return
    st.subheader("Records taken by each exclusion")
    digits = "%.1f" if len(risk.exclusions) > 1 else "%d"
    columns = {
        name: st.column_config.NumberColumn(name.capitalize(), format=digits, alignment="right")
        for name in EXCLUSION_COLUMNS
    }
    show.table(frame.reset_index(), f"Records of {risk.target} taken by each exclusion", {"measure": "Of", **columns})
    st.caption("Each record is counted against the first kind that takes it, from left to right.")


def contributions(s: Session, risk: TargetRisk) -> None:
    """Show which levels carry the risk; a click leads to their records."""
    if s.study is None or not s.study.holds_records:
        st.info("Not shown: these data stay in their engine, which hands out no single cell.")
        return
    plot = describe.contributions(risk)
    if not plot.bars:
        st.markdown(":material/check: DiSCO counts no record of this target.")
        return
    show.explained_by("contributions")
    event = show.figure(plot, "review.carry", on_select="rerun", selection_mode="points")
    points = event.selection.points
    if points and points[0].get("customdata"):
        column, level = points[0]["customdata"]
        s.narrowed = {str(column): str(level)}
        forget("review.carry")
        st.switch_page("pages/steps/records.py")
    st.page_link(
        "pages/steps/records.py", label="See the records behind these figures", icon=":material/arrow_forward:"
    )


def reasons(s: Session, target: str) -> None:
    """Ask for the reason of each exclusion that touches this target; the report prints them."""
    out = s.settings.exclusions.of(target)
    names = (*out.names_of(target), *out.names_of_all)
    if not names:
        return
    given = sum(bool(s.reasons_given.get(name)) for name in names)
    label = f"Why? {given} of {len(names)} reasons given"
    with st.expander(label, icon=":material/edit_note:", key="review.reasons"):
        st.caption(
            "A word on why an outsider would know or guess this anyway. Optional; kept, and printed in the report."
        )
        for name in names:
            st.text_input(
                show.literal(name),
                placeholder="Why?",
                **bound(
                    f"review.why.{name}", s.reasons_given.get(name, ""), partial(s.reasons_given.__setitem__, name)
                ),
            )
