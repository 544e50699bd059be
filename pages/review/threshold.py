"""How sure a claim must be to count: the threshold τ, and its curve for one target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.errors import NotEvaluated
from disclosure_core.results.tau import Tau
from pages.shared import plots, show
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session

FIRST = 0.8
"""The τ offered when the threshold is switched on."""


def ask_tau(s: Session, target: str) -> None:
    """Show what is disclosed by how sure a claim must be, and ask for a τ."""
    found, whole = Tau.of(s.now, target=target), frozenset[str]()
    if not isinstance(found, NotEvaluated):
        plots.figure(found.figure(), "review.tau.curve", 270)
        whole = frozenset(found.whole)
    st.toggle(
        "Count claims that are less than certain",
        help="Off: the published measures. On: you choose how sure a claim must be; all targets can then be shown at "
        "that τ, at the top of the left pane. Such figures are not DiSCO.",
        wrap=True,
        **bound("review.less", s.review.tau is not None, lambda on: s.update(tau=FIRST if on else None)),
    )
    if s.review.tau is not None:
        st.slider(
            "How sure a claim must be, τ",
            0.0,
            1.0,
            step=0.01,
            **bound("review.tau", s.review.tau, lambda value: s.update(tau=round(value, 2))),
        )
        _of_tau(s.review.tau, excluded=target not in whole)
    show.explained_as("tau", Tau.reads, Tau.formula)
    st.page_link("analyses/page.py", label="The curve of every target", icon=":material/arrow_forward:")


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
