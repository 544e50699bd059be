"""Membership: the questions first, then how well members can be told from others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.counting.subsets import Search
from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import membership_keys
from disclosure_core.holdout.fscores import BETAS
from disclosure_core.holdout.threat_model import NEWS, RANDOM_SAMPLE, SAME_POPULATION, Motive, ThreatModel
from disclosure_core.parameters import declared
from disclosure_core.rounding import fixed
from pages.shared import plots, show, tables
from pages.shared.holdout import not_evaluated
from pages.shared.limits import limits
from pages.shared.numbers import number
from pages.shared.running import running
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.holdout.membership_figures import Membership
    from pages.shared.open_review import Session

_UNANSWERED = "Not answered"
_ANSWERS = {_UNANSWERED: None, "Yes": True, "No": False}
_MADE_OF = {
    "Not answered: as of the whole original": None,
    "The whole original: training data and holdout": False,
    "The training data alone": True,
}
_QUESTIONS = {"same_population": SAME_POPULATION, "news": NEWS, "random_sample": RANDOM_SAMPLE}


def membership(s: Session) -> None:
    """Ask the questions of the threat model, and show membership where the answers fit."""
    show.explained_by("membership")
    _gate(s)
    of = s.review.threat_model.refusal() or s.now.partition()
    if isinstance(of, NotEvaluated):
        not_evaluated(of)
        return
    found = s.now.finished_membership()
    if found is None:
        k = len(s.settings.keys)
        whole = k <= Search.up_to(s.review.bounds.subsets).exhaustive
        how_many = f"every subset of the {k}" if whole else f"some subsets of the {k}"
        st.markdown(f"The search looks at {how_many} keys.")
        if not st.button("Search the subsets of the keys", key="baseline.search", type="primary"):
            return
        made = running(
            "Searching …", "baseline.search", lambda done, of: f"{done:,} of {of:,} subsets", s.now.membership
        )
        if isinstance(made, NotEvaluated):
            not_evaluated(made)
            return
        found = made
        s.update(searched=s.review.searched | {"membership"})
    limits(s, "F_rel", "baseline")
    _show_found(found)


def _gate(s: Session) -> None:
    threat_model = s.review.threat_model
    with st.container(border=True):
        st.markdown("**First, the questions.** Without the right answers the figures would mean nothing.")
        left, right = st.columns(2)

        def keep(name: str) -> Any:
            def take(value: Any) -> None:
                s.update(threat_model=replace(s.review.threat_model, **{name: value}))

            return take

        left.text_input(
            "Which population was the original sampled from?",
            placeholder="Adults of the country, 2024",
            **bound("threat_model.population", threat_model.population, keep("population")),
        )
        left.number_input(
            **number(declared(ThreatModel, "population_size"), label="How many people are in it?"),
            value=None,
            placeholder="Not known",
            **bound("threat_model.size", threat_model.population_size, _whole(keep("population_size"))),
        )
        left.text_input(
            "Where is that number from?", **bound("threat_model.source", threat_model.source, keep("source"))
        )
        made_of = next(label for label, value in _MADE_OF.items() if value == threat_model.training_alone)
        left.selectbox(
            "What will be synthesised in the end?",
            list(_MADE_OF),
            help="Its records are n in the prevalence n / N.",
            **bound("threat_model.made_of", made_of, _made_of(keep("training_alone"))),
        )
        labels = list(_ANSWERS)
        for name, question in _QUESTIONS.items():
            now = next(label for label, value in _ANSWERS.items() if value == getattr(threat_model, name))
            right.selectbox(question, labels, **bound(f"threat_model.{name}", now, _meaning(keep(name))))
        motives: list[str] = [_UNANSWERED, *map(str, Motive)]

        def moved(label: str) -> None:
            keep("motive")(None if label == motives[0] else Motive(label))

        right.selectbox(
            "What is the intruder after?",
            motives,
            **bound("threat_model.motive", str(threat_model.motive or motives[0]), moved),
        )


def _meaning(keep: Callable[[Any], None]) -> Callable[[str], None]:
    """Return what takes an answer's label."""
    return lambda label: keep(_ANSWERS[label])


def _made_of(keep: Callable[[Any], None]) -> Callable[[str], None]:
    """Return what takes the label of what will be synthesised."""
    return lambda label: keep(_MADE_OF[label])


def _whole(keep: Callable[[Any], None]) -> Callable[[float | None], None]:
    """Return what takes a number of people."""
    return lambda n: keep(None if n is None else int(n))


def sentence(found: Membership) -> str:
    """Say how well members can be told from people outside, by the worst subset of the keys and by all."""
    decisive: Any = found.decisive()
    at_least = "" if found.complete else "at least "
    return (
        f"The figure that counts: β = {decisive['beta']:g}, F_rel {at_least}{fixed(decisive['worst_F_rel'], 3)} for "
        f"the worst subset of the keys{found.coverage.of_those} ({', '.join(decisive['worst_keys'])}), "
        f"{fixed(decisive['F_rel'], 3)} for all keys. 0 is as good as a guess, 1 certain."
    )


def _show_found(found: Membership) -> None:
    for note in found.notes:
        st.caption(show.literal(note))
    rows = found.summary()
    decisive: Any = found.decisive()
    st.markdown(show.literal(sentence(found)))
    honest = found.honest_worst(float(decisive["beta"]))
    st.caption(
        f"The worst of many can look worse than it is: chosen on one half of the people, "
        f"{', '.join(map(show.literal, honest.keys))} has {fixed(honest.picked, 3)}; measured on the other half, "
        f"{fixed(honest.read, 3)}."
    )
    figure = {
        name: st.column_config.NumberColumn(label, format="%.3f", alignment="right")
        for name, label in (
            ("F_naive", "F of guessing"),
            ("F", "F, all keys"),
            ("F_rel", "F_rel, all keys"),
            ("worst_F", "F, worst"),
            ("worst_F_rel", "F_rel, worst (maximum of the mean)"),
            ("mean_of_worst", "Mean of each one's worst"),
            ("sd", "SD"),
            ("min", "Smallest"),
            ("max", "Largest"),
        )
    }
    tables.table(
        rows.assign(worst_keys=[", ".join(keys) for keys in rows["worst_keys"]]),
        "Membership: F, F of guessing and F relative to guessing, for each β",
        {"beta": st.column_config.NumberColumn("β", format="%g"), "worst_keys": "Worst keys", **figure},
    )
    beta = st.radio(
        "β",
        list(BETAS),
        index=1,
        horizontal=True,
        key="baseline.beta",
        persist_state="session",
        format_func="{:g}".format,
    )
    plot = membership_keys.describe(found.curve(beta or 1.0, "F_rel"), "F_rel")
    plots.figure(plot, "baseline.curve")
    with st.expander("All keys, each synthesis, with intervals", icon=":material/table_chart:"):
        tables.table(found.all_keys(), "Membership with all keys, by β and synthesis", height=400)
