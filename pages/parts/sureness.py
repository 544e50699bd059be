"""How sure a claim must be to count: the threshold τ, and its curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import tau as core
from disclosure_core.figures import describe
from disclosure_core.measures import COMPARED
from pages.parts import pickers, show
from pages.parts.session import bound

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from pages.parts.session import Session

FIRST = 0.8
"""The τ offered when the threshold is switched on."""

EVERY = "Every target"


def arrows(s: Session, result: Assessment) -> None:
    """Ask what counts as learnt, and show it by target: figure and table; a click leads to the review."""
    measure = pickers.measure(disabled=s.tau is not None)
    _threshold(s)
    _said(s, result)
    key, names = (measure, COMPARED[measure]) if s.tau is None else ("tau", core.names(s.tau))
    plot = describe.arrows(result, measure, s.tau)
    clicked = show.figure(plot, f"risk.plot.{key}", on_select="rerun", selection_mode="points")
    if s.tau is None:
        show.explained_by("attribute")
    else:
        st.caption("What is counted, and how, is explained under *How sure a claim must be*.")
    st.subheader("The figures")
    frame = result.summary(measure) if s.tau is None else core.summary(result, s.tau)
    row = show.summary(frame, names, key, several=len(result.n_synthetic) > 1)
    chosen = show.clicked_target(clicked) or row
    if chosen:
        s.target = chosen
        show.forget_selection(key)
        st.switch_page("pages/steps/review.py")


def _threshold(s: Session) -> None:
    """Ask whether claims count that are not certain, and how sure they must be."""

    def switch(on: bool) -> None:
        s.tau = FIRST if on else None

    def take(value: float) -> None:
        s.tau = round(value, 2)

    st.toggle(
        "Count claims that are less than certain",
        help="Off: the published measures. On: you choose how sure a claim must be, and the figures are not DiSCO.",
        wrap=True,
        **bound("risk.less", s.tau is not None, switch),
    )
    if s.tau is not None:
        st.slider("How sure a claim must be, τ", 0.0, 1.0, step=0.01, width=420, **bound("risk.tau", s.tau, take))


def _said(s: Session, result: Assessment) -> None:
    """Say what the figures are where a τ is chosen."""
    if s.tau is None:
        return
    ends = {1.0: "Dorig and DiSCO", 0.0: "CAPd and DCAPd"}
    if s.tau == 1 and result.settings.exclusions.denominator_limit is not None:
        st.info(
            "At τ = 1 the figures are Dorig and DiSCO but for the denominator limit: here it also takes claims that "
            "rest on more synthetic records than that.",
            icon=":material/info:",
        )
    elif s.tau in ends:
        st.info(f"At τ = {s.tau:g} the figures are {ends[s.tau]}, as published.", icon=":material/info:")
    else:
        st.info(
            f"With τ = {s.tau:g} the figures below are **not DiSCO** and not Dorig: they add up the share of right "
            f"answers of every claim that is at least {100 * s.tau:.0f} % sure.",
            icon=":material/info:",
        )


def curves(s: Session, result: Assessment) -> None:
    """Show what is given away by how sure a claim must be: one target, or every one in a frame of its own."""
    names = result.summary()["target"].tolist()[::-1]
    chosen = st.selectbox("Target of the curve", [*names, EVERY], key="risk.curve", width=300)
    target = None if chosen == EVERY else chosen
    plot = describe.taus(result, target, s.tau)
    show.figure(plot, f"risk.taus.{'each' if target is None else 'one'}")
    show.explained_by("tau")
    with st.expander("The curve as a table", icon=":material/table_chart:"):
        frame = core.curves(result) if target is None else core.curve(result.targets[target])
        several = len(result.n_synthetic) > 1
        show.table(
            frame,
            "What is given away by how sure a claim must be, in % of the original records",
            {
                "target": st.column_config.TextColumn("Target", pinned=True),
                "tau": show.percent_column("τ"),
                "original": show.percent_column("Original %", "From CAPd (τ = 0) to Dorig (τ = 1)."),
                "synthetic": show.percent_column("Synthetic %", "From DCAPd (τ = 0) to DiSCO (τ = 1)."),
                "min": show.percent_column("Smallest %") if several else None,
                "max": show.percent_column("Largest %") if several else None,
                "sd": show.percent_column("SD") if several else None,
            },
        )
