"""Membership: the questions first, then how well members can be told from others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core import membership as core
from disclosure_core.decision import NotEvaluated
from disclosure_core.figures import describe
from disclosure_core.fscores import BETAS
from disclosure_core.gate import Motive
from disclosure_core.subsets import Search
from pages.parts import show
from pages.parts.holdouts import not_evaluated
from pages.parts.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core import Assessment
    from disclosure_core.membership import Membership
    from pages.parts.session import Session

_ANSWERS = {"Not answered": None, "Yes": True, "No": False}
_QUESTIONS = {
    "same_population": "Would an adversary pick targets from that same population?",
    "news": "Would being in the data be news to them?",
    "random_sample": "Is the original a simple random sample of the population?",
}


def membership(s: Session, _result: Assessment) -> None:
    """Ask the gate's questions, and show membership where the answers fit."""
    show.explained_by("membership")
    _gate(s)
    of = s.gate.refusal() or s.partition()
    if isinstance(of, NotEvaluated):
        not_evaluated(of)
        return
    found = s.membership_found()
    if found is None:
        k = len(s.settings.keys)
        how_many = f"every subset of the {k}" if k <= Search().exhaustive else f"some subsets of the {k}"
        st.markdown(f"The search looks at {how_many} keys.")
        if not st.button("Search the subsets of the keys", key="baseline.search", type="primary"):
            return
        bar = st.progress(0.0, "Searching …")

        def told(done: int, n: int) -> None:
            bar.progress(done / n, f"{done:,} of {n:,} subsets")

        made = core.membership(of, s.settings, s.gate, progress=told)
        bar.empty()
        if isinstance(made, NotEvaluated):
            not_evaluated(made)
            return
        found = made
        s.membership = s.membership_asked(), found
    _found(found)


def _gate(s: Session) -> None:
    gate = s.gate
    with st.container(border=True):
        st.markdown("**First, the questions.** Without the right answers the figures would mean nothing.")
        left, right = st.columns(2)

        def keep(name: str) -> Any:
            def take(value: Any) -> None:
                s.gate = replace(s.gate, **{name: value})

            return take

        left.text_input(
            "Which population was the original sampled from?", placeholder="Adults of the country, 2024",
            **bound("gate.population", gate.population, keep("population")),
        )  # fmt: skip
        left.number_input(
            "How many people are in it?", min_value=1, step=1, placeholder="Not known",
            **bound("gate.size", gate.population_size, _whole(keep("population_size"))),
        )  # fmt: skip
        left.text_input("Where is that number from?", **bound("gate.source", gate.source, keep("source")))
        labels = list(_ANSWERS)
        for name, question in _QUESTIONS.items():
            now = next(label for label, value in _ANSWERS.items() if value == getattr(gate, name))
            right.selectbox(question, labels, **bound(f"gate.{name}", now, _meaning(keep(name))))
        motives: list[str] = ["No adversary can be assumed", *map(str, Motive)]

        def moved(label: str) -> None:
            keep("motive")(None if label == motives[0] else Motive(label))

        right.selectbox(
            "What is the adversary after?", motives,
            **bound("gate.motive", str(gate.motive or motives[0]), moved),
        )  # fmt: skip


def _meaning(keep: Callable[[Any], None]) -> Callable[[str], None]:
    """Return what takes an answer's label."""
    return lambda label: keep(_ANSWERS[label])


def _whole(keep: Callable[[Any], None]) -> Callable[[float | None], None]:
    """Return what takes a number of people."""
    return lambda n: keep(None if n is None else int(n))


def _found(found: Membership) -> None:
    for note in found.notes:
        st.caption(show.literal(note))
    rows = found.summary()
    decisive: Any = found.decisive()
    worst = ", ".join(map(show.literal, decisive["worst_keys"]))
    st.markdown(
        f"The figure that counts: β = {decisive['beta']:g}, F_rel **{decisive['worst_F_rel']:.3f}** for the worst "
        f"subset of the keys ({worst}), **{decisive['F_rel']:.3f}** for all keys. 0 is as good as a guess, 1 certain."
    )
    honest = found.honest_worst(float(decisive["beta"]))
    st.caption(
        f"The largest of many is too large by luck: picked on one half of the people, "
        f"{', '.join(map(show.literal, honest.keys))} has {honest.picked:.3f}; read on the other half, "
        f"{honest.read:.3f}."
    )
    figure = {name: st.column_config.NumberColumn(label, format="%.3f", alignment="right") for name, label in (
        ("F_naive", "F of guessing"), ("F", "F, all keys"), ("F_rel", "F_rel, all keys"), ("worst_F", "F, worst"),
        ("worst_F_rel", "F_rel, worst (maximum of the mean)"), ("mean_of_worst", "Mean of each one's worst"),
        ("sd", "SD"), ("min", "Smallest"), ("max", "Largest"))}  # fmt: skip
    show.table(
        rows.assign(worst_keys=[", ".join(keys) for keys in rows["worst_keys"]]),
        "Membership: F, F of guessing and F relative to guessing, for each β",
        {"beta": st.column_config.NumberColumn("β", format="%g"), "worst_keys": "Worst keys", **figure},
    )
    beta = st.radio("β", list(BETAS), index=1, horizontal=True, key="baseline.beta", format_func="{:g}".format)
    plot = describe.by_keys(found.curve(beta or 1.0, "F_rel"), "F_rel")
    show.figure(plot, "baseline.curve")
    with st.expander("All keys, each synthesis, with intervals", icon=":material/table_chart:"):
        show.table(found.all_keys(), "Membership with all keys, by β and synthesis", height=400)
