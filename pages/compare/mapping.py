"""The sets: what they show together, the map, every target, a row a set, and what is to be said of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.comparison import overview
from disclosure_core.comparison.candidates import DETAIL, MOST_DETAIL, Candidate, Risk
from disclosure_core.comparison.intervals import BASIS
from disclosure_core.comparison.sentences import WEIGHED, sentences
from disclosure_core.conclusions import headline
from disclosure_core.data import naming
from disclosure_core.figures import risk_utility, sets_by_target
from disclosure_core.protection.detail import FAILINGS
from disclosure_core.rounding import fixed, percent, visible
from pages.compare import beside, compared
from pages.shared import plots, show, tables

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.comparison.comparison import Comparison
    from disclosure_core.figures.risk_utility import MapPlot
    from pages.shared.open_review import Session


def of_sets(s: Session, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Show the map, and beside it what the figures say of two sets."""
    with shown:
        found = compared.comparison(s)
    if found is None:
        with asked:
            show.explained_by("risk_utility")
        return
    with asked:
        risk = _risk(found)
    plot = risk_utility.describe(found, risk)
    with shown:
        show.finding(headline.of_methods(found.names[0], overview.beside_first(found)))
        every = sets_by_target.describe(found)
        with st.container(key="compare-figures"):  # a narrow window has the one below the other
            at_map, at_targets = st.columns(2) if every.rows else (st.container(), None)
        with at_map:
            clicked = plots.figure(plot, "compare.map", on_select="rerun", selection_mode="points")
            _clicked(s, found, plots.clicked_target(clicked), plot)
            if plot.not_shown:
                st.caption(show.literal(f"Without such a figure: {', '.join(plot.not_shown)}."))
            beside.say_references(found.references)
        if at_targets is not None:
            with at_targets:
                plots.figure(every, "compare.sets")
        _overview(found)
        st.caption(show.literal(f"{every.note} {WEIGHED}".strip()))
        if any(each.safer for each in found.candidates):
            rewards = "S_pMSE alone rewards merging levels and removing records: detail lost stands beside it. "
            st.caption(f"{rewards * overview.merging_rewarded(found)}{FAILINGS}")
    with asked:
        st.header("Two of them")
        of_two(found)
        show.explained_by("risk_utility")


def _overview(found: Comparison) -> None:
    """Show a row a set: what decides most."""
    rows = overview.overview(found)
    columns: dict[str, Any] = {
        "set": st.column_config.TextColumn("Set", pinned=True),
        "DiSCO": tables.percent_column("Largest DiSCO %"),
        "of_disco": st.column_config.TextColumn("Of"),
        "above": tables.percent_column("Most above outside", "Percentage points above people outside."),
        "of_above": st.column_config.TextColumn("Of which"),
        "repU": tables.percent_column("repU %"),
        "mean": tables.percent_column("Mean S_pMSE", "1 is what a correct synthesis gives on average."),
        "worst": tables.percent_column("Worst table", "The largest S_pMSE."),
        "own_answers": st.column_config.TextColumn("Own answers shown in"),
    }
    if rows["above"].isna().all():
        columns |= dict.fromkeys(("above", "of_above", "own_answers"))
    tables.table(rows, "A row a set: its largest figures, means over its syntheses", columns, height="content")


def _risk(found: Comparison) -> Risk:
    labels = {risk.label: risk for risk in found.risks}
    first = found.risks[0]
    worst, short = " (the worst target)" if first.target else "", naming.cut(labels, naming.LONGEST_NAME)
    chosen = st.selectbox(
        "Measure of disclosure",
        list(labels),
        key="compare.risk",
        persist_state="session",
        format_func=lambda label: visible(short[label]) + worst * (label == first.label),
    )
    return labels.get(chosen or first.label, first)


def _clicked(s: Session, found: Comparison, name: str | None, plot: MapPlot) -> None:
    """Say what the point clicked on is, and lead to its review."""
    if name not in found.names:
        st.caption("Click a mark to choose its set.")
        return
    each, target = found[name], next((r.target for r in found.risks if r.label == plot.risk), "")
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{show.literal(name)}**: {show.literal(_hover_text(each, plot))}")
        if each.reference:
            return
        if each.chain:
            st.button("Take these safeguards", key="compare.take", on_click=_take, args=(s, each))
        elif st.button("Review this set", key="compare.review", icon=":material/rule:"):
            s.update(synthesis_set=name)
            if target:
                s.target = target
            st.switch_page("review/page.py")


def _hover_text(each: Candidate, plot: MapPlot) -> str:
    figure = "".join(f"{plot.risk} {p.words}, {plot.unit}; " for p in plot.points if p.label == each.name)
    mean, most = (percent(fixed(float(each.figures[k, ""].mean()), 1)) for k in (DETAIL, MOST_DETAIL))
    detail = f", detail lost {mean} (most in one column {most})" if each.safer else ""
    return f"{figure}mean S_pMSE {fixed(each.usefulness.mean)}{detail}, {each.n_syntheses} syntheses"


def _take(s: Session, each: Candidate) -> None:
    with s.telling():
        s.update(chain=each.chain, synthesis_set=each.synthesis_set)


def of_two(found: Comparison) -> tuple[str, str]:
    """Ask for two sets, say what their figures say, and return their names."""
    names, short = list(found.names), naming.cut(found.names, naming.LONGEST_NAME)

    def shown(name: str) -> str:
        return visible(short[name])

    a = st.selectbox("One", names, format_func=shown, key="compare.a", persist_state="session") or names[0]
    others = [name for name in names if name != a]
    b = st.selectbox("Other", others, format_func=shown, key="compare.b", persist_state="session") or others[0]
    for sentence in sentences(found, a, b):
        st.markdown(f"- {show.literal(sentence)}")
    with st.expander("Intervals", icon=":material/help:"):
        st.markdown(show.literal(BASIS))
    return a, b
