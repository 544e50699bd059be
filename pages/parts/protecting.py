"""Safeguards: try what would make the syntheses safer, see the effect, take the safer files away."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import assess
from disclosure_core.fitting import fit
from disclosure_core.measures import IDENTITY
from disclosure_core.safeguards import Cap, Coarsen, MergeLevels, RemoveReplicated, RemoveUniques, RoundTo
from disclosure_core.study import Kind
from pages.parts import outputs, show

if TYPE_CHECKING:
    from disclosure_core import Assessment, Study
    from disclosure_core.safeguards import Protected, Step
    from pages.parts.session import Session

KINDS = (
    "Remove replicated uniques",
    "Remove synthetic uniques whose keys are in the original",
    "Merge small levels",
    "Put numbers into groups",
    "Top and bottom code",
    "Round numbers",
)


def safeguards(s: Session, result: Assessment) -> None:
    """Ask for steps, show what they would do, and offer the safer files."""
    show.explained_by("safeguards")
    _ask(s, result.tables.study if not s.steps else s.protected().study)
    if not s.steps:
        st.info(
            "No safeguard has been tried yet: add one above, and see what it would change.", icon=":material/shield:"
        )
        return
    made = s.protected()
    _done(s, made)
    settings, left_out = fit(made.study, s.settings)
    show.said(left_out)
    after = assess(made.study, settings)
    _effect(result, after)
    _take_away(s, made)


def _ask(s: Session, study: Study) -> None:
    """Ask for one more step; what it may act on is what the steps before have left."""
    with st.container(border=True):
        left, right = st.columns(2)
        kind = left.selectbox("Safeguard", KINDS, key="safe.kind")
        step = _step(kind or KINDS[0], study, right)
        if step is not None:
            st.caption(show.literal(step.sentence))

        def add() -> None:
            if step is not None:
                s.steps = (*s.steps, step)

        st.button("Try it", key="safe.add", type="primary", on_click=add, disabled=step is None)


def _step(kind: str, study: Study, place: st.delta_generator.DeltaGenerator) -> Step | None:
    if kind == KINDS[0]:
        return RemoveReplicated()
    if kind == KINDS[1]:
        return RemoveUniques()
    numeric = kind != KINDS[2]
    names = [n for n, column in study.columns.items() if (column.kind is Kind.NUMBER) == numeric]
    if not names:
        place.info("There is no such column." if numeric else "There is no column of categories.")
        return None
    name = place.selectbox("Column", names, key=f"safe.column.{kind}") or names[0]
    if kind == KINDS[2]:
        fewer = place.number_input("Levels of fewer original records than", 2, 1_000_000, 10, key="safe.fewer")
        into = place.text_input("Called", "Other", key="safe.into")
        return MergeLevels(name, int(fewer or 10), into or "Other")
    if kind == KINDS[3]:
        return Coarsen(name, int(place.number_input("Groups", 2, 1000, 10, key="safe.groups") or 10))
    if kind == KINDS[5]:
        to = place.number_input("To multiples of", min_value=0.0, value=10.0, key="safe.round")
        return RoundTo(name, to) if to else None
    low = place.number_input("Lowest value that stays", value=None, key="safe.low", placeholder="No limit")
    high = place.number_input("Highest value that stays", value=None, key="safe.high", placeholder="No limit")
    return None if low is None and high is None else Cap(name, low, high)


def _done(s: Session, made: Protected) -> None:
    """List the steps with what they did, and offer to take them back."""
    st.subheader("What is tried")
    n = sum(made.before)
    rows = [
        {"step": i, "what": done.sentence, "removed": sum(done.removed), "changed": sum(done.changed)}
        for i, done in enumerate(made.done, 1)
    ]
    show.table(
        pd.DataFrame(rows),
        "The safeguards in order, the synthetic records each removed and the values it changed",
        {
            "step": st.column_config.NumberColumn("", width=40),
            "what": st.column_config.TextColumn("Safeguard", width="large"),
            "removed": show.records_column("Records removed", "Of all syntheses together."),
            "changed": show.records_column("Values changed", "Of all syntheses together."),
        },
    )
    removed = sum(made.n_removed)
    st.caption(f"{removed:,} of {n:,} synthetic records are removed ({100 * removed / n:.2f} %), over all syntheses.")

    def back() -> None:
        s.steps = s.steps[:-1]

    def none() -> None:
        s.steps = ()

    with st.container(horizontal=True):
        st.button("Take the last one back", key="safe.back", icon=":material/undo:", on_click=back)
        st.button("Take all back", key="safe.none", on_click=none)


def _effect(before: Assessment, after: Assessment) -> None:
    """Show identity and attribute figures before and after."""
    st.subheader("What it changes")
    rows = [
        {"what": name, "of": "the keys", "before": before.identity[name].mean(), "after": after.identity[name].mean()}
        for name in IDENTITY
    ]
    was, now = (a.summary().set_index("target")["synthetic"] for a in (before, after))
    rows += [
        {"what": f"DiSCO of {name}", "of": "target", "before": was[name], "after": now[name]}
        for name in was.index[::-1]
        if name in now.index
    ]
    show.table(
        pd.DataFrame(rows),
        "Identity measures, and DiSCO of each target, before and after the safeguards",
        {
            "what": st.column_config.TextColumn("Measure", pinned=True),
            "of": None,
            "before": show.percent_column("As it came %"),
            "after": show.percent_column("With safeguards %"),
        },
        height="content" if len(rows) <= 16 else 500,
    )
    st.caption(
        "% of the original records (UiS: of the synthetic ones), means over the syntheses, present exclusions in. "
        "After a column is made coarser, the original is looked at through the same rule."
    )


def _take_away(s: Session, made: Protected) -> None:
    """Offer the safer syntheses in the format they came in, with the log of what was done."""
    from disclosure_core.writers import renamed, write

    st.subheader("The safer files")
    formats = sorted({r.format for r in s.readings[1:]}) or ["Parquet"]
    st.caption(
        f"One zip: the safer syntheses as {', '.join(formats)}, and a log of what was done. The original is not in it. "
        "Bring them back on the Data page to assess what will be released."
    )

    def zipped() -> bytes:
        sink = io.BytesIO()
        names = []
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            for i, frame in enumerate(made.synthetic):
                reading = s.readings[i + 1] if s.readings else None
                ending, data = write(
                    frame,
                    reading.format if reading else "Parquet",
                    reading.options if reading else None,
                    made.study.missing_codes,
                )
                name = f"safer_{renamed(reading.name, ending) if reading else f'synthetic_{i + 1}{ending}'}"
                names.append(name if name not in names else f"{i + 1}_{name}")
                archive.writestr(names[-1], data)
            archive.writestr("log.txt", made.log(names, s.settings))
        return sink.getvalue()

    outputs.offer("The safer syntheses and the log", "safer_syntheses.zip", zipped, primary=True)
