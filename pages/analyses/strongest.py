"""The strongest intruder that the office allows: bounds, the search, and what it found."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.errors import DisclosureError
from disclosure_core.figures import strongest as figure
from disclosure_core.parameters import declared
from disclosure_core.review import intruders, strongest
from disclosure_core.review.value import Review
from disclosure_core.rounding import visible
from disclosure_core.sensitivity.bounds import Bounds
from pages.analyses import hierarchies
from pages.shared import plots, show, tables
from pages.shared.numbers import number
from pages.shared.running import begins, running
from pages.shared.session import bound

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.data.study import AnyStudy
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder
    from pages.shared.open_review import Session

_KEY = "keys.strongest"
NO_BOUND = "As it is"
"""The finest level of a key without a bound."""


def search(s: Session, study: AnyStudy) -> None:
    """Ask for hierarchies and bounds, search, and show the combination that discloses most."""
    show.explained_by("strongest")
    with st.expander("How exactly each key may be known", icon=":material/straighten:"):
        hierarchies.ask(s)
    _bounds(s)
    try:
        space = strongest.space(s.now)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return
    budget = s.review.bounds.budget
    way = "every one is looked at" if space.n <= budget else f"a beam looks at no more than {budget:,}"
    st.markdown(f"{space.n:,} combinations of keys and levels: {way}.")
    found = _searched(s, space.n)
    if found is not None:
        _show_found(found, study.n_original)


def sentence(found: StrongestIntruder) -> str:
    """Say the largest figure that was found, and who discloses it."""
    row = found.worst.sort_values("figure", ascending=False, kind="stable").iloc[0]
    return figure.sentences(found, row["measure"], row["target"])[0]


def _bounds(s: Session) -> None:
    """Ask what the intruder may know at most."""
    bounds, keys = s.review.bounds, s.now.study().in_data_order(s.review.keys)

    def take(**parts: Any) -> None:
        s.change(intruders.with_bounds(s.review, replace(s.review.bounds, **parts)))

    def at_best(name: str, level: str) -> None:
        others = {key: at for key, at in s.review.bounds.at_best.items() if key != name}
        take(at_best=others if level == NO_BOUND else {**others, name: level})

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            **number(declared(Bounds, "at_most"), max_value=len(keys)),
            value=None,
            width=220,
            placeholder="All keys",
            **bound(
                "keys.strongest.at_most",
                None if bounds.at_most is None else min(bounds.at_most, len(keys)),
                lambda n: take(at_most=None if n is None else int(n)),
            ),
        )
        st.number_input(
            **number(declared(Bounds, "budget"), 1_000),
            value=None,
            width=250,
            help="Up to so many every combination is looked at; with more, a beam looks at the neighbours of the best.",
            **bound("keys.strongest.budget", bounds.budget, lambda n: take(budget=int(n or Bounds().budget))),
        )
        st.number_input(
            **number(declared(Review, "tau"), 0.05, label="Threshold τ"),
            value=None,
            width=150,
            placeholder="Certain",
            help="How sure a claim must be to count; the same τ as on Review.",
            **bound("keys.strongest.tau", s.review.tau, lambda tau: s.update(tau=tau)),
        )
        for name in keys:
            if name not in s.review.hierarchies:
                continue
            try:
                names: list[str] = [NO_BOUND, *(level.name for level in strongest.levels(s.now, name)[1:])]
            except DisclosureError:
                continue  # the error of the search says it
            level = bounds.at_best.get(name, NO_BOUND)
            level = next((n for n in names if level == n or level in n.split()), NO_BOUND)
            st.selectbox(
                f"{show.literal(name)} at best",
                names,
                width=220,
                format_func=visible,
                **bound(f"keys.strongest.best.{name}", level, partial(at_best, name)),
            )


def _searched(s: Session, n: int) -> StrongestIntruder | None:
    """Return the search; where there is none, offer it, and show how far it is."""
    found = s.now.finished_strongest() if strongest.is_kept(s.now) else None
    if found is not None:
        return found
    stopped = "The search was stopped; nothing of it is kept."
    again = strongest.KIND in s.review.searched and _KEY not in s.stopped  # an opened review was searched
    if not begins("Search for the strongest intruder", _KEY, ":material/search:", at_once=again, stopped=stopped):
        return None
    found = running(
        f"Searching {n:,} combinations",
        _KEY,
        lambda done, of: f"{done:,} of {of:,} combinations",
        s.now.strongest_intruder,
    )
    s.update(searched=s.review.searched | {strongest.KIND})
    return found


def _show_found(found: StrongestIntruder, n_original: int) -> None:
    """Show the worst combination of one measure, what each key and level adds, and those of all measures."""
    names = {
        figure.NAMES[m] + (f" of {target}" if target else ""): (m, target)
        for m, target in found.worst.sort_values("figure", ascending=False, kind="stable")[
            ["measure", "target"]
        ].itertuples(index=False)
    }
    labels = list(names)
    chosen = st.selectbox(
        "Measure", labels, format_func=visible, key="keys.strongest.measure", persist_state="session", width=420
    )
    measure, target = names.get(chosen or labels[0], names[labels[0]])
    for line in figure.sentences(found, measure, target):
        st.markdown(show.literal(line))
    plots.figure(figure.describe(found, n_original, measure, target), "keys.strongest.figure")
    for note in found.notes:
        st.caption(show.literal(note))
    with st.expander("Every measure and target", icon=":material/table_chart:"):
        frame = found.tables()["strongest"]
        shown = ["measure", "target", "knows", "figure", "all_keys", "outside", "chosen", "other"]
        tables.table(
            frame[shown if frame["outside"].notna().any() else [n for n in shown if n != "outside"]],
            "The combination of keys and levels that discloses most, by measure and target",
            {
                "measure": st.column_config.TextColumn("Measure", pinned=True),
                "target": "Target",
                "knows": "Knows",
                "figure": tables.percent_column("Largest"),
                "all_keys": tables.percent_column("All keys as they are"),
                "outside": tables.percent_column("People outside"),
                "chosen": tables.percent_column("Chosen on one half"),
                "other": tables.percent_column("The same on the other half"),
            },
        )
