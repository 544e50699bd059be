"""The holdout: people who were not synthesised, and what the synthetic data say of them all the same."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import baseline, demo
from disclosure_core.decision import PRECEDENTS, Limits, NotEvaluated
from disclosure_core.figures import describe
from disclosure_core.holdout import split
from disclosure_core.readers import EXTENSIONS, read
from pages.parts import configuration, outputs, show
from pages.parts.session import bound

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core import Assessment
    from disclosure_core.holdout import Partition
    from pages.parts.session import Session


def bring(s: Session) -> None:
    """Ask for a holdout; the demonstration survey brings its own."""
    have = s.holdout is not None
    label = f"Holdout: {show.literal(s.holdout_name)}" if have else "Bring a holdout"
    with st.expander(label, expanded=not have, icon=":material/group_add:"):
        show.explained_by("holdout")
        if not s.readings:
            st.button(
                "Take the survey's own holdout",
                key="baseline.demo",
                type="secondary" if have else "primary",
                on_click=lambda: s.bring_holdout(demo.holdout(), "1,250 more people of the survey's population"),
            )
            return
        _upload(s)
        _split(s)


def _upload(s: Session) -> None:
    types = [ending.lstrip(".") for ending in EXTENSIONS]
    given = st.file_uploader(
        "Holdout data", type=types, key="baseline.holdout",
        help="Records of the same population, with the same columns, that were not in the data that were synthesised.",
    )  # fmt: skip

    def take() -> None:
        if given is None:
            return
        with s.telling():
            found = read(given.getvalue(), given.name, None, configuration.limits())
            s.bring_holdout(found[0].frame, found[0].name)

    st.button("Use this holdout", key="baseline.use", disabled=given is None, on_click=take)


def _split(s: Session) -> None:
    """Guide through a split: hand out the training part, and take the syntheses of it on the Data page."""
    st.markdown("**No holdout?** Split the original, have only the training part synthesised, and come back with both.")
    left, right = st.columns(2)
    share = left.number_input("Training part, % of the records", 10, 95, 80, key="baseline.share")
    seed = right.number_input(
        "Seed", 0, 2**31 - 1, 1, key="baseline.seed", help="Note it down: it gives the same split."
    )
    original = s.readings[0]

    def part(which: str) -> pd.DataFrame:
        made = split(original.frame, (share or 80) / 100, int(seed or 0))
        return made.training if which == "training" else made.holdout

    def written(which: str) -> bytes:
        from disclosure_core.writers import write

        return write(part(which), original.format, original.options, original.missing_codes)[1]

    from disclosure_core.writers import ENDINGS

    ending = ENDINGS[original.format]
    with st.container(horizontal=True):
        for which in ("training", "holdout"):
            outputs.offer(f"The {which} part", f"{which}_{share}_seed_{seed}{ending}", partial(written, which))
    st.caption(
        "Then: synthesise the training part with the same program and settings; on the Data page bring the training "
        "part as the original with its syntheses; and bring the holdout part here. Both files are as confidential as "
        "the original. The data that are released later may be made from the whole original: this measures the method."
    )


def not_evaluated(found: NotEvaluated) -> None:
    """Say that a figure is not there, why, and what would be needed."""
    st.info(f"**Not evaluated.** {found.why} {found.needs}", icon=":material/do_not_disturb_on:")


def _joined(s: Session) -> Partition | NotEvaluated:
    found = s.partition()
    if not isinstance(found, NotEvaluated):
        for note in found.notes:
            st.warning(show.literal(note.text), icon=":material/warning:")
        st.markdown(f"**{found.n_training:,}** members, **{found.n_holdout:,}** non-members.")
    return found


def attributes(s: Session, result: Assessment) -> None:
    """Show DiSCO and DCAP of members and non-members, by target."""
    show.explained_by("baseline")
    joined = _joined(s)
    found = baseline.attribute_baseline(joined, s.settings)
    if isinstance(found, NotEvaluated):
        not_evaluated(found)
        return
    measure = st.radio(
        "Measure", list(baseline.MEASURES), horizontal=True, key="baseline.measure",
        help="DiSCO counts certain and right answers; DCAP the share of right answers.",
    ) or "DiSCO"  # fmt: skip
    _limits(s)
    summary = found.summary(measure, s.limits)
    plot = describe.quadrants(summary, measure, s.limits)
    show.figure(plot, f"baseline.plot.{measure}")
    frame = summary.iloc[::-1].reset_index(drop=True)
    several = len(result.n_synthetic) > 1
    show.table(
        frame,
        f"{measure} of members and non-members by target",
        {
            "target": st.column_config.TextColumn("Target", pinned=True),
            "members": show.percent_column("Members %", "Of the training records: absolute vulnerability."),
            "non_members": show.percent_column("Non-members %", "Of the holdout records."),
            "difference": show.percent_column("Difference", "% points: relative vulnerability."),
            "low": show.percent_column("95 % from", "Lower end of the interval of the difference."),
            "high": show.percent_column("to", "Upper end."),
            "R": show.percent_column("R", "(members − non-members) / (100 % − non-members); secondary."),
            **dict.fromkeys(("sd", "min", "max"), None),
            "decision": st.column_config.TextColumn("Both conditions"),
        },
        height="content" if len(frame) <= 20 else 600,
    )
    if s.limits.absolute is None or s.limits.relative is None:
        st.caption("Both conditions: not evaluated, until the office sets both thresholds above.")
    st.caption(baseline.INTERVAL)
    if several:
        with st.expander("Each synthesis", icon=":material/table_chart:"):
            rows = found.figures[(found.figures["measure"] == measure) & (found.figures["synthesis"] != baseline.MEAN)]
            show.table(
                rows.drop(columns="measure"),
                f"{measure} of members and non-members, by target and synthesis",
                {name: show.percent_column(name.replace("_", "-").capitalize()) for name in baseline.COMPARED},
                height=400,
            )


def _limits(s: Session) -> None:
    """Ask for the two thresholds, and show what stands on record beside them."""
    with st.expander("Thresholds of the decision", icon=":material/tune:"):
        columns = st.columns(3)
        for place, label, name in zip(
            columns,
            ("High above, % of members (absolute)", "… and above, % points (relative)"),
            ("absolute", "relative"),
            strict=False,
        ):

            def take(value: float | None, name: str = name) -> None:
                s.limits = Limits(**asdict(s.limits) | {name: value})

            place.number_input(
                label, placeholder="Not set", step=1.0, **bound(f"baseline.{name}", getattr(s.limits, name), take)
            )

        def origin(text: str) -> None:
            s.limits = replace(s.limits, origin=text or Limits().origin)

        columns[2].text_input("Whose are they?", **bound("baseline.origin", s.limits.origin, origin))
        st.caption(
            "A target is called high only where both are passed (R10 of the expert panel). None is set here: the panel "
            "agreed on no value, and the office decides for its own context. On record:"
        )
        for p in PRECEDENTS:
            values = (("absolute", p.absolute), ("relative", p.relative))
            said = ", ".join(f"{word} {x:g}" for word, x in values if x is not None) or "no value"
            st.markdown(f"- **{p.measure}**: {said}. {p.standing.capitalize()}. {p.text}")


def identity(s: Session, _result: Assessment) -> None:
    """Show replicated uniques of members against those who would have been unique among them."""
    show.explained_by("baseline_identity")
    joined = _joined(s)
    found = baseline.identity_baseline(joined, s.settings)
    if isinstance(found, NotEvaluated):
        not_evaluated(found)
        return
    row = found.summary(s.limits).iloc[0]
    for place, label, value, text in zip(
        show.tiles(4),
        ("repU of members", "Non-members", "Difference", "95 % interval"),
        (f"{row['members']:.2f} %", f"{row['non_members']:.2f} %", f"{row['difference']:+.2f} points",
         f"{row['low']:+.2f} to {row['high']:+.2f}"),
        ("Of the training records.", "Of the holdout records: keys that no member has and one synthetic record does.",
         "% points.", baseline.INTERVAL),
        strict=True,
    ):  # fmt: skip
        place.metric(label, value, border=True, height="stretch", help=text)
    show.table(
        found.figures[found.figures["synthesis"] != baseline.MEAN],
        "Replicated uniques of members and non-members, by synthesis",
        {name: show.percent_column(name.replace("_", "-").capitalize()) for name in baseline.COMPARED},
    )
