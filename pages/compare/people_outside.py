"""Compare, view People outside: what is disclosed of members and of people outside, and what that shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.conclusions import difference, headline
from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import members_outside
from disclosure_core.holdout import baseline, differences
from pages.shared import agreements, holdout, plots, show, tables
from pages.shared.limits import limits

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.holdout.baseline import AttributeBaseline
    from pages.shared.open_review import Session


def people_outside(s: Session, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Show members beside people outside, by target: the finding, the figure, and beneath them all figures."""
    with asked:
        holdout.bring(s)
    if s.now.stopped():
        with shown:
            agreements.stopped(s, "stopped")
        return
    several = len(s.now.assessment().n_synthetic) > 1
    found = s.now.judged.attribute_baseline()
    measure = "DiSCO"
    with asked:
        holdout.drawn(s)
        if not isinstance(found, NotEvaluated):
            measure = _measure()
            limits(s, measure, "compare")
        holdout.who_is_compared(s)
        show.explained_by("baseline")
    with shown:
        if isinstance(found, NotEvaluated):
            holdout.not_evaluated(found)
        else:
            _compared(s, found, measure, several=several)


def _measure() -> str:
    chosen = st.radio(
        "Measure",
        list(baseline.MEASURES),
        horizontal=True,
        key="compare.measure",
        persist_state="session",
        help="DiSCO counts certain and right answers; DCAP the share of right answers.",
    )
    return chosen or baseline.MEASURES[0]


def _compared(s: Session, found: AttributeBaseline, measure: str, *, several: bool) -> None:
    limit = s.review.limits.of(measure)
    show.finding(headline.of_people_outside(found, measure))
    plot = members_outside.describe(found, measure, limit)
    with st.container(key="wide-figure"):  # which scrolls sideways on a phone, in bench.css
        plots.figure(plot, f"compare.outside.{measure}")
    st.caption(show.literal(plot.marks))
    if limit.absolute is None or limit.relative is None:
        st.caption(f"Not evaluated against limits, until the office sets both of {measure}.")
    with st.expander("All figures as a table", expanded=True, icon=":material/table_chart:"):
        _figures(found, measure, s)
    with st.expander("What the effect is made of", expanded=True, icon=":material/stacked_bar_chart:"):
        _made_of(found, measure)
    if several:
        with st.expander("Each synthesis", icon=":material/table_chart:"):
            rows = found.figures[
                (found.figures["measure"] == measure) & (found.figures["synthesis"] != differences.MEAN)
            ]
            tables.table(
                rows.drop(columns="measure"),
                f"{measure} of members and people outside, by target and synthesis",
                {name: tables.percent_column(holdout.HEADS[name]) for name in differences.COMPARED},
                height=400,
            )


def _figures(found: AttributeBaseline, measure: str, s: Session) -> None:
    """Show all figures of members and people outside, a row a target."""
    limit = s.review.limits.of(measure)
    judged = limit.absolute is not None and limit.relative is not None
    frame = found.summary(measure, limit).iloc[::-1].reset_index(drop=True)
    frame = frame.merge(found.context, on="target", how="left")
    tables.table(
        frame,
        f"{measure} of members and people outside by target",
        {
            "target": st.column_config.TextColumn("Target", pinned=True),
            "members": tables.percent_column("Members %", "Of the training records: absolute vulnerability."),
            "non_members": tables.percent_column("People outside %", "Of the holdout records."),
            "difference": tables.percent_column("Difference", "Percentage points: relative vulnerability."),
            "low": tables.percent_column("95 % from", "Lower end of the interval of the difference."),
            "high": tables.percent_column("to", "Upper end."),
            "R": tables.percent_column("R", "(members − people outside) / (100 % − people outside); secondary."),
            **dict.fromkeys(("sd", "min", "max"), None),
            "result": st.column_config.TextColumn("Against the limits") if judged else None,
            "commonest": st.column_config.TextColumn("Commonest level", help="The best guess without the data."),
            "majority": tables.percent_column("Its %", "Training records with that level."),
            "baseCAPd": tables.percent_column("baseCAPd %", "Right, guessing each level as often as it occurs."),
            **_beside_chance(measure),
        },
        rows=16,
    )
    st.caption(differences.INTERVAL)


def _beside_chance(measure: str) -> dict[str, Any]:
    """Return the columns of gain over chance and κ; of DCAP, which claims nothing, they are not shown."""
    of_all = "The gain over chance of the claims, percentage points of all"
    of_claims = "Of what chance leaves to be right, the share that claims about"
    heads = {
        "gain": ("Gain, members", f"{of_all} members. No evidence of leaking: honest inference has it."),
        "gain_outside": ("Gain, outside", f"{of_all} people outside."),
        "kappa": ("κ, members", f"{of_claims} members get right."),
        "kappa_outside": ("κ, outside", f"{of_claims} people outside get right."),
    }
    shown = {name: tables.percent_column(label, help_) for name, (label, help_) in heads.items()}
    return shown if measure == "DiSCO" else dict.fromkeys(shown)


def _made_of(found: AttributeBaseline, measure: str) -> None:
    """Show what the differences are made of, and what may be concluded of each target."""
    if found.by_lot is not None:
        holdout.not_evaluated(found.by_lot)
        return
    rows = difference.table(found)
    rows = rows[rows["measure"] == measure].iloc[::-1].reset_index(drop=True)
    labels = {part.replace(" ", "_"): part.capitalize() for part in baseline.PARTS[measure]}
    columns = {
        "target": st.column_config.TextColumn("Target", pinned=True),
        "difference": tables.percent_column("Difference", "Percentage points; the parts add up to it."),
        **{name: tables.percent_column(label, "Percentage points.") for name, label in labels.items()},
    }
    if measure == "DiSCO":
        columns |= {
            "M": tables.percent_column(
                "Same keys", "Members less people outside with the same keys, percentage points."
            ),
            "M_low": tables.percent_column("95 % from"),
            "M_high": tables.percent_column("to"),
            "compared": tables.percent_column("Compared %", "Members who share all keys with somebody outside."),
        }
    tables.table(
        rows[[name for name in columns if name in rows.columns]],
        f"What the difference in {measure} between members and people outside is made of, by target",
        columns,
        rows=16,
    )
    by_sentence = difference.by_sentence(found, measure)
    st.markdown(
        "\n".join(
            f"- **{show.literal(', '.join(names))}**: {show.literal(text)}" for text, names in by_sentence.items()
        )
    )
    st.caption(
        "The parts compare different people, so none of them can show that answers leaked. People with the same keys "
        "share every claim: only a comparison of them can."
    )
