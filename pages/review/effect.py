"""The right pane: what the exclusions do to one target, and one small chart of what its disclosure is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.counting.measures import EXCLUSION_COLUMNS, beside_TCAPi
from disclosure_core.figures import contributions, denominators, steps
from disclosure_core.review import effect
from disclosure_core.rounding import fixed, percent
from pages.review import comparing, guessing, nearness, threshold
from pages.shared import pickers, plots, show, tables
from pages.shared.session import forget

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from disclosure_core import Assessment, TargetRisk
    from pages.shared.session import Session


NONE_COUNTED = "0 records; the exclusions leave no record of this target to count"

LARGE = ("DiSCO", "Dorig")
"""The measures that stand as large figures."""


def figures(s: Session, full: TargetRisk, risk: TargetRisk, every: TargetRisk) -> tuple[TargetRisk, TargetRisk]:
    """Show DiSCO and Dorig and how they changed; return the target, as in the synthesis that is looked at.

    `every` has all that is excluded: what has no reason moves a preview, not the judged figures.
    """
    pickers.synthesis(s, len(risk.counted))
    if s.synthesis is not None:
        full, risk, every = full.only(s.synthesis), risk.only(s.synthesis), every.only(s.synthesis)
    _metrics(full, risk)
    _preview(risk, every)
    return full, risk


def _preview(risk: TargetRisk, every: TargetRisk) -> None:
    """Show the figures with all that is excluded, where something of it has no reason, as what they are."""
    now = [every.figures(name).mean() for name in LARGE]
    if now == [risk.figures(name).mean() for name in LARGE]:
        return
    said = "; ".join(f"{name} {fixed(value)} %" for name, value in zip(LARGE, now, strict=True))
    with st.container(key="review-preview"):
        st.markdown(f"Preview, with all that is excluded: {said}. It is judged once each exclusion has a reason.")


def views(s: Session, full: TargetRisk, risk: TargetRisk, before: Assessment, now: Assessment) -> None:
    """Show one chart by tab."""
    name = risk.target
    views: dict[str, Callable[[], None]] = {
        "Steps": lambda: _steps(risk),
        "Figures": lambda: _figures(s, full, risk),
        "Claims": lambda: _sizes(s, full),
        "Where": lambda: _contributions(s, risk),
        "τ": lambda: threshold.asked(s, now, name),
        "Near": lambda: nearness.shown(s, name),
        "Scenarios": lambda: comparing.scenarios(s, before, name),
    }
    tabs = st.tabs(list(views), key="review.view", on_change="rerun")
    for tab, view in zip(tabs, views.values(), strict=True):
        if tab.open:
            with tab:
                view()


def _metrics(full: TargetRisk, risk: TargetRisk) -> None:
    rows = effect.before_and_after(full, risk, LARGE).set_index("measure").to_dict("index")
    n, counted = risk.counted[0].cells.n_original, effect.counted_records(risk)
    with st.container(horizontal=True, gap="small"):
        for name in LARGE:
            row: dict[Hashable, float] = rows[name]
            moved = row["after"] - row["before"]
            with st.container(width="stretch", gap=None):
                st.metric(
                    name, f"{fixed(row['after'])} %", f"{fixed(moved, sign=True)} points" if moved else "unchanged",
                    delta_color="off",  # no green: what is excluded makes no data safer
                    delta_arrow=("up" if moved > 0 else "down") if moved else "off",
                    help="In % of all original records; beneath, how far exclusions move it.",
                )  # fmt: skip
                low, high = fixed(row["min"]), fixed(row["max"])
                share = f"{percent(fixed(row['counted']))} of the {fixed(counted, 0)} counted"
                st.caption(
                    (f"{fixed(row['after'] * n / 100, 0)} records; {share}" if counted else NONE_COUNTED)
                    + (f"; syntheses {low} to {percent(high)}" if low != high else "")
                )


def _steps(risk: TargetRisk) -> None:
    plots.figure(steps.describe(risk), "review.steps", narrow=True)
    show.explained_by("steps")


def _sizes(s: Session, full: TargetRisk) -> None:
    limit = s.settings.exclusions.denominator_limit
    for of, title in (("synthetic", "Records behind claims"), ("original", "Denominators")):
        st.markdown(f"**{title}**, nothing excluded")
        plots.figure(denominators.describe(full, of, limit), f"review.sizes.{of}")
    show.explained_by("sizes")


def _contributions(s: Session, risk: TargetRisk) -> None:
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


def _figures(s: Session, full: TargetRisk, risk: TargetRisk) -> None:
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
        figure | {"counted": tables.percent_column("Of counted", "As set, % of those still counted.", 72),
                  "meaning": st.column_config.TextColumn("Meaning", width=190)},
    )  # fmt: skip
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
                effect.every_measure(full, risk), f"Every measure of {risk.target} with nothing excluded, and as set",
                figure | {"unit": st.column_config.TextColumn("Unit", width=56)}, height=400,
            )  # fmt: skip
            if said := beside_TCAPi(s.settings.exclusions.denominator_limit):
                st.caption(said)
