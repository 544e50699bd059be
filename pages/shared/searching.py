"""The search over subsets of the keys: asked for, shown as it runs, and what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.counting.subsets import Search, plan
from disclosure_core.figures import each_key, number_of_keys
from disclosure_core.rounding import fixed, visible
from pages.shared import plots, show, tables
from pages.shared.running import begins, running

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.sensitivity.key_subsets import SubsetSearch
    from pages.shared.open_review import Session

AT_ONCE = 8
"""Keys up to which the keys alone are searched without being asked for."""

IDENTITY = "repU, the keys alone"


def which_keys(s: Session, result: Assessment) -> None:
    """Show what each key adds to repU or to the DiSCO of a target, and the worst subset."""
    show.explained_by("each_key")
    found = _searched(s, "keys.search_targets", attributes=True)
    if found is None:
        return
    of = {f"DiSCO of {name}": name for name in result.summary()["target"].tolist()[::-1]}
    chosen = st.selectbox(
        "Measure of disclosure",
        [IDENTITY, *of],
        format_func=visible,
        key="keys.given_away",
        persist_state="session",
        width=300,
    )
    target = of.get(chosen or IDENTITY)
    measure = "DiSCO" if target else "repU"
    _covered(found, worst_said(found, measure, target))
    plot = each_key.describe(found, result.n_original, target)
    plots.figure(plot, "keys.each_key")
    tables.table(
        found.each_key(measure, target),
        f"{plot.title}, beside each key alone and all keys",
        {
            "key": st.column_config.TextColumn("Key", pinned=True),
            "alone": tables.percent_column("Alone %", "With this key and no other."),
            "without": tables.percent_column("Without it %", "With all the other keys."),
            "all": tables.percent_column("All keys %"),
            "adds": st.column_config.NumberColumn(
                "Adds, points", format="%+.2f", alignment="right", help="Negative: this key hides people."
            ),
        },
    )
    with st.expander("Every subset that was searched", icon=":material/table_chart:"):
        _subsets(found, measure, target)


def worst_said(found: SubsetSearch, measure: str, target: str | None) -> str:
    """Name the subset that discloses most, of those that were searched."""
    worst = found.worst(measure, target)
    of, names = f"{measure} of {target}" if target else measure, ", ".join(worst.keys)
    searched, at_least = found.coverage.of_those, "" if found.complete else "at least "
    if worst.figure == 0:
        return f"No subset{searched} discloses anything: {of} is 0."
    if worst.keys == found.keys:
        return (
            f"No subset{searched} discloses more than all {len(found.keys)} keys: {of} is {at_least}"
            f"{fixed(worst.figure)} %."
        )
    return (
        f"The worst subset{searched} is {names}: {of} is {at_least}{fixed(worst.figure)} %, against "
        f"{fixed(worst.all_keys)} % with all {len(found.keys)} keys."
    )


def by_number_said(found: SubsetSearch) -> str:
    """Say the largest repU by how many keys are known."""
    rows = found.by_size("repU")
    at = [f"{fixed(most)} % with {n}" for n, most in zip(rows["n_keys"], rows["max"], strict=True)]
    return f"The largest repU{found.coverage.of_those} by how many keys are known: {', '.join(at)}."


def _covered(found: SubsetSearch, said: str = "") -> None:
    rest = "" if found.complete else " A subset that was not searched may be worse."
    st.markdown(f"{show.literal(said)} {found.coverage}.{rest}".strip())


def _subsets(found: SubsetSearch, measure: str, target: str | None) -> None:
    frame = found.of(target).sort_values(measure, ascending=False, kind="stable", ignore_index=True)
    frame["keys"] = frame["keys"].map(", ".join)
    tables.table(
        frame[["keys", "n_keys", measure, "min", "max"]],
        f"{measure} of every subset of the keys that was searched",
        {
            "keys": st.column_config.TextColumn("Keys", pinned=True),
            "n_keys": tables.records_column("How many"),
            measure: tables.percent_column(f"{measure} %", "Mean over the syntheses."),
            "min": tables.percent_column("Smallest %"),
            "max": tables.percent_column("Largest %"),
        },
        rows=10,
    )


def by_number(s: Session, study: AnyStudy) -> None:
    """Show UiO and repU by the number of keys."""
    show.explained_by("by_number")
    found = _searched(s, "keys.search", attributes=False, at_once=len(s.settings.keys) <= AT_ONCE)
    if found is None:
        return
    plot = number_of_keys.describe(found, study.n_original)
    plots.figure(plot, "keys.by_number")
    _covered(found)
    with st.expander("The figures by number of keys", icon=":material/table_chart:"):
        frame = found.by_size("UiO").merge(found.by_size("repU"), on=["n_keys", "n_searched"], suffixes=("", "_repU"))
        labels = {"mean": "mean %", "sd": "SD", "min": "smallest %", "max": "largest %"}
        tables.table(
            frame,
            "UiO and repU by the number of keys: mean, spread and range over the subsets of each size",
            {
                "n_keys": tables.records_column("Keys"),
                "n_searched": tables.records_column("Subsets"),
                **{what: tables.percent_column(f"UiO {label}") for what, label in labels.items()},
                **{f"{what}_repU": tables.percent_column(f"repU {label}") for what, label in labels.items()},
            },
        )


def _searched(s: Session, key: str, *, attributes: bool, at_once: bool = False) -> SubsetSearch | None:
    """Return the search; where there is none, make it, or offer it, and show how far it is."""
    found = s.now.finished_subsets(attributes=attributes)
    if found is not None:
        return found
    n = len(plan(s.settings.keys, Search.up_to(s.review.bounds.subsets))[0])
    stopped = f"The search was stopped; there are {n:,} subsets of the keys."
    if not begins("Search the subsets of the keys", key, ":material/search:", at_once=at_once, stopped=stopped):
        return None
    found = running(
        "Searching the subsets of the keys",
        key,
        _progress_words,
        lambda told: s.now.subsets(told, attributes=attributes),
    )
    if attributes:
        s.update(searched=s.review.searched | {"subsets"})
    return found


def _progress_words(done: int, of: int) -> str:
    return f"{done:,} of {of:,} subsets of the keys"
