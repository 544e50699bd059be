"""The holdout: people who were not synthesised, and what the synthetic data say of them all the same."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.conclusions import difference
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.figures import members_outside
from disclosure_core.holdout import baseline
from disclosure_core.holdout.partition import reach_in_words, reach_of
from disclosure_core.review import outside
from disclosure_core.review.opening import demonstration_holdout, read_holdout
from disclosure_core.review.parts import Holdout
from disclosure_core.rounding import fixed
from pages.baseline import nearness
from pages.server import configuration
from pages.shared import downloads, one_file, plots, show, tables
from pages.shared.limits import limits
from pages.shared.session import bound

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core import Assessment
    from disclosure_core.data.readers import Reading
    from disclosure_core.holdout.baseline import AttributeBaseline
    from pages.shared.session import Session


def bring(s: Session) -> None:
    """Say whether there is a holdout, and offer the dialog that asks for one."""
    if s.now.data.engine:
        there = "are there too" if s.now.data.has_holdout else "would be there too; its operator names them"
        st.markdown(f"The data stay in their engine: people outside {there}.", width="content")
        return
    have = s.now.data.holdout
    with st.container(horizontal=True, vertical_alignment="center"):
        if have:
            st.markdown(f":material/group: Holdout: **{show.literal(have.name)}**", width="content")
        else:
            st.markdown(
                "No holdout yet. Baseline figures and membership need people who were not synthesised.",
                width="content",
            )

        def ask() -> None:
            s.bringing_holdout = True

        st.button(  # of one type: another would be another button, and the focus would not come back to it
            f"Bring {'another' if have else 'a'} holdout", key="baseline.bring", icon=":material/group_add:",
            on_click=ask,
        )  # fmt: skip
        if have:
            with st.popover("Remove holdout", icon=":material/group_remove:", type="tertiary"):
                st.markdown("This removes all figures of people outside the data. You keep the file itself.")
                st.button("Remove holdout", key="baseline.remove", type="primary", on_click=s.remove_holdout)
    if s.bringing_holdout:
        _dialog(s)


def _dialog(s: Session) -> None:
    """Open the dialog that asks for a holdout; it is open until one is brought, or it is closed."""

    def closed() -> None:
        s.bringing_holdout = False

    @st.dialog("People who were not synthesised", width="large", icon=":material/group_add:", on_dismiss=closed)
    def ask() -> None:
        st.caption(show.words("holdout")[0])
        if s.readings:
            _upload(s)
            _split(s)
        elif st.button(
            "Take the survey's own holdout",
            key="baseline.demo",
            type="primary",
            on_click=lambda: _taken(s, demonstration_holdout(), Holdout("demonstration")),
        ):
            st.rerun()

    ask()


def _taken(s: Session, reading: Reading, source: Holdout) -> None:
    """Begin with a holdout, and look at what it is for."""
    s.bring_holdout(reading, source)
    s.bringing_holdout, s.baseline_view = False, ""


def _upload(s: Session) -> None:
    if one_file.asked(
        s, "Holdout data", "Use this holdout", "holdout", ("baseline.holdout", "baseline.use"),
        read_holdout, partial(_taken, s),
        "Records of the same population, with the same columns, that were not in the data that were synthesised.",
    ):  # fmt: skip
        s.bringing_holdout = False  # what was wrong with it is said on the page behind
        st.rerun()


def _split(s: Session) -> None:
    """Guide through a split: hand out the training part, and take the syntheses of it on the Data page."""
    st.markdown("**No holdout?** Split the original, have only the training part synthesised, and come back with both.")
    left, right = st.columns(2)
    share = left.number_input(
        "Training part, % of the records", 10, 95, 80, key="baseline.share", persist_state="session"
    )
    seed = right.number_input(
        "Seed",
        0,
        2**31 - 1,
        1,
        key="baseline.seed",
        persist_state="session",
        help="Note it down: it gives the same split.",
    )
    original = s.readings[0]

    asked = float(share or 80), int(seed or 0)

    def written(which: str) -> bytes:
        return outside.as_files(original, *asked, limits=configuration.limits())[
            outside.file_name(original, which, *asked)
        ]

    _reach(s, *asked)
    with st.container(horizontal=True):
        for which in outside.PARTS:
            name = outside.file_name(original, which, *asked)
            downloads.offer(f"The {which} part", name, partial(written, which), key=f"{which}.part")
    st.caption(
        "Then: synthesise the training part with the same program and settings; on the Data page bring the training "
        "part as the original with its syntheses; and bring the holdout part here. Both files are as confidential as "
        "the original. The data that are released later may be made from the whole original: this measures the method."
    )


def _reach(s: Session, share: float, seed: int) -> None:
    """Say of how many members a comparison will be able to tell anything, before anything is synthesised."""
    q = s.now.assessment().tables.keys.original
    asked = share, seed, list(s.review.keys), dict(s.review.grouping)
    with suppress(DisclosureError):  # of one record, which no split puts on both sides
        found = s.now.once("reach", *asked, make=lambda: reach_of(q, share / 100, seed))
        st.caption(show.literal(reach_in_words(s.review.keys, *found)))


def not_evaluated(found: NotEvaluated) -> None:
    """Say that a figure is not there, why, and what would be needed."""
    st.info(f"**Not evaluated.** {found.why} {found.needs}", icon=":material/do_not_disturb_on:")


def _who_is_compared(s: Session) -> None:
    """Say how many members and others there are, and what is to be said of the holdout."""
    for sentence in s.now.not_judged:
        st.caption(show.literal(sentence))
    found = s.partition()
    if not isinstance(found, NotEvaluated):
        for note in found.notes:
            if note.warning:
                st.warning(show.literal(note.text), icon=":material/warning:")
            else:
                st.caption(show.literal(note.text))
        st.markdown(f"**{found.n_training:,}** members, **{found.n_holdout:,}** non-members.")


def attributes(s: Session, result: Assessment, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Show DiSCO and DCAP of members and non-members, by target."""
    found = s.now.judged.attribute_baseline()
    measure = "DiSCO"
    with asked:
        _drawn(s)
        if not isinstance(found, NotEvaluated):
            measure = st.radio(
                "Measure", list(baseline.MEASURES), horizontal=True, key="baseline.measure", persist_state="session",
                help="DiSCO counts certain and right answers; DCAP the share of right answers.",
            ) or "DiSCO"  # fmt: skip
            limits(s, measure, "baseline")
        _who_is_compared(s)
        show.explained_by("baseline")
    with shown:
        if isinstance(found, NotEvaluated):
            not_evaluated(found)
        else:
            _compared(s, found, measure, several=len(result.n_synthetic) > 1)


def _compared(s: Session, found: AttributeBaseline, measure: str, *, several: bool) -> None:
    """Show the figure of members and non-members, its table, and what the differences are made of."""
    limit = s.review.limits.of(measure)
    summary = found.summary(measure, limit)
    plot = members_outside.describe(found, measure, limit)
    plots.figure(plot, f"baseline.plot.{measure}")
    frame = summary.iloc[::-1].reset_index(drop=True).merge(found.context, on="target", how="left")
    tables.table(
        frame,
        f"{measure} of members and non-members by target",
        {
            "target": st.column_config.TextColumn("Target", pinned=True),
            "members": tables.percent_column("Members %", "Of the training records: absolute vulnerability."),
            "non_members": tables.percent_column("Non-members %", "Of the holdout records."),
            "difference": tables.percent_column("Difference", "Percentage points: relative vulnerability."),
            "low": tables.percent_column("95 % from", "Lower end of the interval of the difference."),
            "high": tables.percent_column("to", "Upper end."),
            "R": tables.percent_column("R", "(members − non-members) / (100 % − non-members); secondary."),
            **dict.fromkeys(("sd", "min", "max"), None),
            "result": st.column_config.TextColumn("Against the limits"),
            "commonest": st.column_config.TextColumn("Commonest level", help="The best guess without the data."),
            "majority": tables.percent_column("Its %", "Training records with that level."),
            "baseCAPd": tables.percent_column("baseCAPd %", "Right, guessing each level as often as it occurs."),
            **_beside_chance(measure),
        },
        height="content" if len(frame) <= 20 else 600,
    )
    if limit.absolute is None or limit.relative is None:
        st.caption(f"Not evaluated against limits, until the office sets both of {measure} above.")
    st.caption(baseline.INTERVAL)
    _made_of(found, measure)
    if measure == "DiSCO":
        nearness.beside_people_outside(s)
    if several:
        with st.expander("Each synthesis", icon=":material/table_chart:"):
            rows = found.figures[(found.figures["measure"] == measure) & (found.figures["synthesis"] != baseline.MEAN)]
            tables.table(
                rows.drop(columns="measure"),
                f"{measure} of members and non-members, by target and synthesis",
                {name: tables.percent_column(name.replace("_", "-").capitalize()) for name in baseline.COMPARED},
                height=400,
            )


def _beside_chance(measure: str) -> dict[str, Any]:
    """Return the columns of gain over chance and κ; of DCAP, which claims nothing, they are not shown."""
    of_all = "The gain over chance of the claims, percentage points of all"
    of_claims = "Of what chance leaves to be right, the share that claims about"
    told = {
        "gain": ("Gain, members", f"{of_all} members. No evidence of leaking: honest inference has it."),
        "gain_outside": ("Gain, outside", f"{of_all} people outside."),
        "kappa": ("κ, members", f"{of_claims} members get right."),
        "kappa_outside": ("κ, outside", f"{of_claims} people outside get right."),
    }
    shown = {name: tables.percent_column(called, help_) for name, (called, help_) in told.items()}
    return shown if measure == "DiSCO" else dict.fromkeys(shown)


def _made_of(found: AttributeBaseline, measure: str) -> None:
    """Show what the differences are made of, and what may be concluded of each target."""
    st.header("Parts of the difference")
    if found.by_lot is not None:
        not_evaluated(found.by_lot)
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
        height="content" if len(rows) <= 20 else 600,
    )
    said = difference.by_sentence(found, measure)
    st.markdown(
        "\n".join(f"- **{show.literal(', '.join(names))}**: {show.literal(text)}" for text, names in said.items())
    )
    st.caption(
        "The parts compare different people, so none of them can show that answers leaked. People with the same keys "
        "share every claim: only a comparison of them can."
    )


def _drawn(s: Session) -> None:
    """Ask how the holdout of a file was drawn: what a difference means depends on it."""
    source = s.review.holdout
    if source is None or source.kind != "file":
        return

    def take(drawn: str | None) -> None:
        random = None if drawn is None else drawn == _DRAWN[0]
        s.change(replace(s.review, holdout=replace(source, random=random)))

    given = None if source.random is None else _DRAWN[0 if source.random else 1]
    st.radio("How was the holdout drawn?", _DRAWN, horizontal=True, **bound("baseline.drawn", given, take))


_DRAWN = ("A random part of the original", "Other people")


def identity(s: Session, _result: Assessment) -> None:
    """Show replicated uniques of members against those who would have been unique among them."""
    show.explained_by("baseline_identity")
    _who_is_compared(s)
    found = s.now.judged.identity_baseline()
    if isinstance(found, NotEvaluated):
        not_evaluated(found)
        return
    row = found.summary().iloc[0]
    for place, label, value, text in zip(
        show.tiles(4),
        ("repU of members", "Non-members", "Difference", "95 % interval"),
        (f"{fixed(row['members'])} %", f"{fixed(row['non_members'])} %",
         f"{fixed(row['difference'], sign=True)} points",
         f"{fixed(row['low'], sign=True)} to {fixed(row['high'], sign=True)}"),
        ("Of the training records.", "Of the holdout records: keys that no member has and one synthetic record does.",
         "Percentage points.", baseline.INTERVAL),
        strict=True,
    ):  # fmt: skip
        place.metric(label, value, border=True, height="stretch", help=text)
    tables.table(
        found.figures[found.figures["synthesis"] != baseline.MEAN],
        "Replicated uniques of members and non-members, by synthesis",
        {name: tables.percent_column(name.replace("_", "-").capitalize()) for name in baseline.COMPARED},
    )
