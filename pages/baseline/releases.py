"""What changes the figures: fewer records, several syntheses together, and who shares keys with how many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import fewer_records, identity_by_size, shared_keys
from disclosure_core.review.combined import combined
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity import anonymity as core
from disclosure_core.sensitivity import release_size
from pages.baseline.holdouts import not_evaluated
from pages.shared import pickers, plots, population, show, tables

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from pages.shared.session import Session


def fewer(s: Session, result: Assessment) -> None:
    """Draw random parts of the syntheses, and show each measure against their size."""
    show.explained_by("sizes_released")
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    with left:
        name = pickers.target(s)
    repeats = int(
        middle.number_input("Draws of each synthesis", 1, 200, 10, key="baseline.repeats", persist_state="session")
        or 10
    )
    seed = int(right.number_input("Seed", 0, 2**31 - 1, 1, key="baseline.draw_seed", persist_state="session") or 0)
    drawn = s.now.draws(name, seed)
    if st.button("Draw", key="baseline.draw", type="primary"):
        stop = st.empty()
        stop.button("Stop", key="baseline.stop", help="What is drawn so far is shown.")
        drawn.clear()
        bar = st.progress(0.0, "Drawing …")
        for step in release_size.by_size(result, [name], repeats=repeats, seed=seed):
            drawn.append(step)
            bar.progress(step.done / step.of, f"{step.done:,} of {step.of:,} draws")
        bar.empty()
        stop.empty()
    if not drawn:
        st.info("Nothing is drawn yet: press Draw. It can be stopped at any time.", icon=":material/casino:")
        return
    found = release_size.over_draws(drawn)
    st.caption(
        f"{len(drawn):,} draws; lines are means, bands 5 to 95 % of the draws. The same seed gives the same figure."
    )
    limit = s.settings.exclusions.denominator_limit
    for start in range(0, len(release_size.MEASURES), 3):
        for place, measure in zip(st.columns(3), release_size.MEASURES[start : start + 3], strict=False):
            plot = fewer_records.describe(found.attribute, name, measure, limit)
            with place:
                st.markdown(f"**{measure}**")
                plots.figure(plot, f"baseline.size.{measure}", height=230)
                st.caption(
                    f"{release_size.READING[measure][:1].upper()}{release_size.READING[measure][1:]}. {plot.caption}"
                )
    st.header("The keys")
    plot = identity_by_size.describe(found.identity, result)
    plots.figure(plot, "baseline.size.keys", height=280)
    st.caption(plot.caption)
    with st.expander("The figures", icon=":material/table_chart:"):
        columns = {n: tables.percent_column(n.capitalize()) for n in ("mean", "low", "high", "sd")}
        tables.table(found.attribute, f"Measures of {name} by share of the synthesis released", columns, height=400)
        tables.table(found.identity, "UiOiS and repU by share of the synthesis released", columns, height=300)


def together(s: Session, _result: Assessment) -> None:
    """Show what the syntheses that are released disclose together, beside what each does alone."""
    show.explained_by("together")
    made = combined(s.now)
    if isinstance(made, NotEvaluated):
        not_evaluated(made)
        return
    found, keys = made.attributes, made.identity
    st.caption(f"{made.which}{', which are said to be released' if made.stated else ''}.")
    st.header("Attributes")
    tables.table(
        found.iloc[::-1],
        "DiSCO of each target, alone and together",
        {
            "target": st.column_config.TextColumn("Target", pinned=True),
            "Dorig": tables.percent_column("Dorig %"),
            "alone": tables.percent_column("One alone %", "DiSCO of one synthesis, mean."),
            "alone_min": None,
            "alone_max": None,
            "every": tables.percent_column("Each %", "Records that every synthesis discloses correctly."),
            "pooled": tables.percent_column("Pooled %", "All syntheses in one file, and none contradicts."),
            "any": tables.percent_column("Any %", "At least one discloses correctly: the most there is to learn."),
            "alone_claimed": tables.percent_column("Claimed, one %", "Records with a claim, right or wrong."),
            "pooled_claimed": tables.percent_column("Claimed, pooled %"),
            "any_claimed": tables.percent_column("Claimed, any %"),
        },
    )
    st.header("Identity")
    labels = ("repU of one", "In each", "Pooled", "In any")
    for place, label, name in zip(show.tiles(4), labels, ("alone", "every", "pooled", "any"), strict=True):
        place.metric(label, f"{fixed(keys[name])} %", border=True, height="stretch")
    st.caption(
        "% of the original records: alone with their keys, and met by exactly one synthetic record of the file named."
    )


def anonymity(s: Session, result: Assessment) -> None:
    """Show who shares keys with how many, and how many levels of the targets such classes hold."""
    show.explained_by("anonymity")
    study = result.tables.study
    found = core.profile(study, s.settings, result.keys)
    k = int(
        st.number_input(
            "Records in classes of fewer than k", 2, 1000, 5, key="baseline.k", persist_state="session", width=260
        )
        or 5
    )
    under = found.under(k)
    rows = under.assign(file=["Original" if f == core.ORIGINAL else f"Synthesis {f}" for f in under["file"]])
    tables.table(
        rows,
        f"Records that fewer than {k - 1} others share their keys with",
        {
            "file": "File",
            "smallest": tables.records_column("Smallest class", "The k that the file has."),
            "classes": tables.records_column("Classes", f"Of fewer than {k} records."),
            "records": tables.records_column("Records", f"In classes of fewer than {k}."),
            "share": tables.percent_column("Of the file %"),
        },
    )
    plot = shared_keys.describe(found)
    plots.figure(plot, "baseline.classes")
    st.header("In the population")
    unique = found.population(s.review.threat_model.population_size)
    if not isinstance(unique, NotEvaluated):
        st.markdown(show.literal(str(unique)))
    if s.now.data.population is not None or not isinstance(unique, NotEvaluated):
        population.said(s)
    elif isinstance(unique, NotEvaluated):
        not_evaluated(unique)
        st.caption("It is asked for on the page Keys, and here under Membership.")
    with st.expander("Levels of the targets in a class (l-diversity)", icon=":material/table_chart:"):
        levels = core.diversity(study, s.settings, result.tables)
        wide = levels[levels["file"] == core.ORIGINAL].drop(columns="file")
        tables.table(
            wide,
            "Classes of the original by the number of target levels they hold",
            {
                "target": "Target",
                "levels": tables.records_column("Levels (l)"),
                "classes": tables.records_column("Classes"),
                "records": tables.records_column("Records"),
                "upto": tables.percent_column("So many levels or fewer, %", "Of the original records."),
            },
            height=400,
        )
