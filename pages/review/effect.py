"""Below the card: what a target's disclosure is made of, in figures and small charts, and what else could be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.counting.measures import EXCLUSION_COLUMNS, beside_TCAPi
from disclosure_core.figures import contributions, denominators, steps
from disclosure_core.review import effect
from disclosure_core.rounding import fixed, percent
from pages.review import guessing, threshold
from pages.shared import plots, scenarios, show, tables
from pages.shared.session import forget

if TYPE_CHECKING:
    from disclosure_core import Assessment, TargetRisk
    from pages.shared.open_review import Session


def views(s: Session, name: str) -> None:
    """Show one chart, of the judged figures, once it is asked for."""
    chosen = st.pills(
        "More of this target", list(VIEWS), key="review.view", label_visibility="collapsed", persist_state="session"
    )
    if chosen is None:
        return
    before = s.now.before()
    full, risk = before.targets[name], s.now.judged.assessment().targets[name]
    if s.synthesis is not None:
        full, risk = full.only(s.synthesis), risk.only(s.synthesis)
    VIEWS[chosen](s, full, risk, before)


def _steps(_: Session, __: TargetRisk, risk: TargetRisk, ___: Assessment) -> None:
    plots.figure(steps.describe(risk), "review.steps", narrow=True)
    show.explained_by("steps")


def _sizes(s: Session, full: TargetRisk, _: TargetRisk, __: Assessment) -> None:
    limit = s.settings.exclusions.denominator_limit
    for of, title in (("synthetic", "Records behind claims"), ("original", "Denominators")):
        st.markdown(f"**{title}**, nothing excluded")
        plots.figure(denominators.describe(full, of, limit), f"review.sizes.{of}")
    show.explained_by("sizes")


def _contributions(s: Session, _: TargetRisk, risk: TargetRisk, __: Assessment) -> None:
    """Show which levels carry the risk; a click leads to their records."""
    assert s.study is not None
    plot = contributions.describe(risk)
    if not plot.bars:
        st.markdown("DiSCO counts no record of this target.")
        return
    if not s.study.lists_records:
        plots.figure(plot, "review.migrate", narrow=True)
        show.explained_by("contributions")
        return
    event = plots.figure(plot, "review.migrate", narrow=True, on_select="rerun", selection_mode="points")
    points = event.selection.points
    if points and points[0].get("customdata"):
        column, level = points[0]["customdata"]
        s.narrowed = {str(column): str(level)}
        forget("review.migrate")
        st.switch_page("records/page.py")
    show.explained_by("contributions")
    st.page_link("records/page.py", label="See the records behind these figures", icon=":material/arrow_forward:")


def _figures(s: Session, full: TargetRisk, risk: TargetRisk, _: Assessment) -> None:
    """Show the figures before and now: the usual ones, of each synthesis, all of them, and what each kind takes."""
    frame = effect.before_and_after(full, risk)
    figure = {
        "measure": st.column_config.TextColumn("Measure", width=64),
        "before": tables.percent_column("Before", "Nothing excluded, % of all original records.", 58),
        "after": tables.percent_column("Now", "As set, % of all original records: the published definition.", 58),
    }
    tables.table(
        frame[["measure", "before", "after", "counted", "meaning"]],
        f"Figures of {risk.target} with nothing excluded, and as set",
        figure
        | {
            "counted": tables.percent_column("Of counted", "As set, % of those still counted.", 72),
            "meaning": st.column_config.TextColumn("Meaning", width=190),
        },
    )
    known = risk.guess
    st.caption(
        f"Without the data: “{show.literal(known.level)}”, the commonest level of {show.literal(risk.target)}, is "
        f"right for {percent(fixed(known.pct))} of all original records; guessing each level as often as it occurs for "
        f"{percent(fixed(known.base_cap))} (baseCAPd)."
    )
    guessing.shown(risk)
    if len(risk.counted) > 1:
        st.markdown("**Each synthesis**")
        each = effect.by_synthesis(full, risk)
        columns = {c: tables.percent_column(c, "% of all original records.", 72) for c in each.columns[1:]}
        tables.table(
            each,
            f"Figures of {risk.target} by synthesis",
            {"synthesis": tables.records_column("No.", None, 36)} | columns,
        )
    taken = effect.excluded_records(risk)
    if taken is not None:
        st.markdown("**Records taken by each exclusion**")
        digits = "%.1f" if len(risk.counted) > 1 else "%d"
        kinds = {
            name: st.column_config.NumberColumn(name.capitalize(), format=digits, alignment="right")
            for name in EXCLUSION_COLUMNS
        }
        tables.table(
            taken.reset_index(), f"Records of {risk.target} taken by each exclusion", {"measure": "Of", **kinds}
        )
        st.caption("Each record is counted against the first kind that takes it, from left to right.")
    every = st.expander("Every measure", icon=":material/table_chart:", key="review.every", on_change="rerun")
    if every.open:
        with every:
            tables.table(
                effect.every_measure(full, risk),
                f"Every measure of {risk.target} with nothing excluded, and as set",
                figure | {"unit": st.column_config.TextColumn("Unit", width=56)},
                height=400,
            )
            if said := beside_TCAPi(s.settings.exclusions.denominator_limit):
                st.caption(said)


VIEWS: dict[str, Callable[[Session, TargetRisk, TargetRisk, Assessment], None]] = {
    "Steps": _steps,
    "Figures": _figures,
    "Claims": _sizes,
    "Where": _contributions,
    "τ": lambda s, _, risk, __: threshold.ask_tau(s, risk.target),
    "Scenarios": lambda s, _, risk, __: scenarios.beside_the_card(s, risk.target),
}
"""What can be looked at below the card, by its name."""
