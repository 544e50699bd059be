"""How sure a claim must be to count: the threshold τ, and its curve for one target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.figures import threshold_curve
from disclosure_core.sensitivity import threshold
from pages.shared import plots, show, tables
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from pages.shared.session import Session

FIRST = 0.8
"""The τ offered when the threshold is switched on."""


def asked(s: Session, result: Assessment, target: str) -> None:
    """Show what is disclosed by how sure a claim must be, and ask for a τ."""
    plots.figure(threshold_curve.describe(result, target, s.review.tau), "review.tau.curve", 270)
    st.toggle(
        "Count claims that are less than certain",
        help="Off: the published measures. On: you choose how sure a claim must be; all targets can then be shown at "
        "that τ, at the top of the left pane. Such figures are not DiSCO.",
        wrap=True,
        **bound("review.less", s.review.tau is not None, lambda on: s.update(tau=FIRST if on else None)),
    )
    if s.review.tau is not None:
        st.slider(
            "How sure a claim must be, τ", 0.0, 1.0, step=0.01,
            **bound("review.tau", s.review.tau, lambda value: s.update(tau=round(value, 2))),
        )  # fmt: skip
        _of_tau(s.review.tau, excluded=not result.targets[target].counted[0].everything)
    show.explained_by("tau")
    table = st.expander(
        "The curve as a table", icon=":material/table_chart:", key="review.tau.table", on_change="rerun"
    )
    if table.open:
        with table:
            several = len(result.n_synthetic) > 1
            tables.table(
                threshold.curve(result.targets[target]),
                f"Disclosure of {target} by how sure a claim must be, in % of the original records",
                {
                    "tau": tables.percent_column("τ"),
                    "original": tables.percent_column("Original %", "From CAPd (τ = 0) to Dorig (τ = 1)."),
                    "synthetic": tables.percent_column("Synthetic %", "From DCAPd (τ = 0) to DiSCO (τ = 1)."),
                    "min": tables.percent_column("Smallest %") if several else None,
                    "max": tables.percent_column("Largest %") if several else None,
                    "sd": tables.percent_column("SD") if several else None,
                },
            )


def _of_tau(tau: float, *, excluded: bool) -> None:
    """Say what the figures are at the τ chosen."""
    ends = {1.0: "Dorig and DiSCO", 0.0: "CAPd and DCAPd"}
    if tau == 0 and excluded:
        st.info(
            "At τ = 0 the figures are CAPd and DCAPd only where nothing is excluded: with exclusions CAPd and DCAPd "
            "compute the shares again from what is left.",
            icon=":material/info:",
        )
    elif tau in ends:
        st.info(f"At τ = {tau:g} the figures are {ends[tau]}, as published.", icon=":material/info:")
    else:
        st.info(
            f"Figures at τ = {tau:g} are **not DiSCO** and not Dorig: they add up the share of right answers of every "
            f"claim that is at least {100 * tau:.0f} % sure.",
            icon=":material/info:",
        )
