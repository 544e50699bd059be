"""Safeguards: try what would make the syntheses safer, see the effect, take the safer files away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.counting.registry import IDENTITY
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import MOST_GROUPS
from disclosure_core.data.study import Kind
from disclosure_core.protection.detail import FAILINGS
from disclosure_core.protection.safeguards import undeclared_codes
from disclosure_core.protection.steps import (
    LABEL,
    LONGEST,
    AddLabel,
    Cap,
    Coarsen,
    MergeLevels,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
)
from disclosure_core.rounding import fixed
from pages.safeguards import adopting, by_hand
from pages.server import configuration
from pages.shared import downloads, show, tables

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.safeguards import Protected, StepEffect
    from disclosure_core.protection.steps import Step
    from pages.shared.session import Session

    Safer = Protected | ProtectedThere

AT_ONCE = 1_000_000
"""Synthetic values up to which the safer files are made in a second or two."""

KINDS = (
    "Remove replicated uniques",
    "Remove synthetic uniques whose keys are in the original",
    "Merge small levels",
    "Put numbers into groups",
    "Top and bottom code",
    "Round numbers",
    *by_hand.KINDS,
    "Add a column that says that the data are synthetic",
)


def asked(s: Session, result: Assessment) -> Safer | None:
    """Ask for steps and list those tried; return what they make, None without any or where they cannot be done."""
    try:
        made = s.now.safeguarded() if s.review.steps else None
    except DisclosureError as error:  # the data or the keys are others since the steps were tried
        st.error(show.literal(f"The safeguards cannot be done any more: {error}"), icon=":material/error:")
        _take_back(s)
        return None
    _ask(s, result.tables.study if made is None else made.study)
    if made is not None:
        _done(s, made)
    show.explained_by("safeguards")
    return made


def effect(s: Session, result: Assessment, made: Safer | None) -> None:
    """Show what the safeguards change, what adopting them would, and offer the safer files."""
    if made is None:
        if not s.review.steps:
            adopted = s.now.which_adopted
            further = "further " if adopted else ""
            st.info(
                f"No {further}safeguard has been tried yet: add one, and see here what it would change.",
                icon=":material/shield:",
            )
            if adopted:
                _take_away(s)
        return
    _, left_out = restrict_to_study(made.study, s.settings)
    show.said(left_out)
    after = s.now.after_safeguards()
    _effect(result, after)
    st.caption(show.literal(f"{made.detail.sentence} {FAILINGS}"))
    adopting.offer(s, result, after)
    _take_away(s)


def _ask(s: Session, study: AnyStudy) -> None:
    """Ask for one more step; what it may act on is what the steps before have left."""
    with st.container(border=True, key="safe-asked"):  # with a key it stays the same where steps come to stand above it
        kind = st.selectbox("Safeguard", KINDS, key="safe.kind", persist_state="session")
        place = st.container()
        try:
            step = _step(s, kind or KINDS[0], study, place)
        except DisclosureError as error:
            place.error(show.literal(str(error)), icon=":material/error:")
            step = None
        if step is not None:
            st.caption(show.literal(step.sentence))
            step, asked = _about_codes(s, step)
        else:
            asked = False

        def add() -> None:
            if step is not None:
                s.try_step(step)

        st.button("Try it", key="safe.add", type="primary", on_click=add, disabled=step is None or asked)
        if s.doubted is not None and s.doubted[0] == step:
            _ask_whether(s, *s.doubted)


def _ask_whether(s: Session, step: Step, done: StepEffect) -> None:
    """Show what a step would do to nearly every value of a column, and ask before it is done."""
    st.warning(
        show.literal(
            f"This changes {fixed(100 * done.share, 1)} % of the values. See that the column was read as it was meant."
        ),
        icon=":material/help:",
    )
    tables.table(
        pd.DataFrame(done.examples, columns=["before", "after"]),
        "The values that it changes most often, before and after",
        {"before": "As it came", "after": "With this safeguard"},
    )

    def do_it() -> None:
        s.try_step(step, sure=True)

    def leave() -> None:
        s.doubted = None

    with st.container(horizontal=True):
        st.button("Change them", key="safe.sure", type="primary", on_click=do_it)
        st.button("Leave them as they are", key="safe.leave", on_click=leave)


def _about_codes(s: Session, step: Step) -> tuple[Step, bool]:
    """Ask about numbers that look like codes for "no answer" before a step changes them; say whether one is open."""
    if s.study is None:
        return step, False
    if isinstance(step, MergeLevels):
        kept = tuple(
            level.removeprefix("=") for level in s.review.columns.numbers.get(step.column, ()) if level.startswith("=")
        )
        step = replace(step, keep=kept)
    column = getattr(step, "column", "")
    known = s.review.columns.numbers.get(column, ())
    found = [code for code in undeclared_codes(s.study, step) if code.value not in known]
    if not found:
        return step, False
    code = found[0]
    st.warning(
        show.literal(code.undeclared),
        icon=":material/help:",
    )

    def is_code() -> None:
        if isinstance(step, MergeLevels):
            s.decide(numbers={**s.review.columns.numbers, column: (*known, f"={code.value}")})
        else:
            with s.telling():
                codes = s.review.columns.missing_codes
                s.decide(missing_codes={**codes, column: (*codes.get(column, ()), code.value)})

    def is_number() -> None:
        s.decide(numbers={**s.review.columns.numbers, column: (*known, code.value)})

    first = (
        f"Keep {code.value} as a level of its own"
        if isinstance(step, MergeLevels)
        else f"Treat {code.value} as missing code"
    )
    with st.container(horizontal=True):
        st.button(show.literal(first), key="safe.code", on_click=is_code)
        st.button("It is a number like any other", key="safe.number", on_click=is_number)
    return step, True


def _step(s: Session, kind: str, study: AnyStudy, place: st.delta_generator.DeltaGenerator) -> Step | None:
    if kind == KINDS[0]:
        return RemoveReplicated()
    if kind == KINDS[1]:
        return RemoveUniques()
    if kind in by_hand.KINDS:
        return by_hand.step(s, kind, study, place)
    if kind == KINDS[-1]:
        usual = AddLabel()
        name = place.text_input("Name of the column", usual.column, 32, key="safe.label", persist_state="session")
        text = place.text_input("Text", LABEL, LONGEST, key="safe.says", persist_state="session")
        place.caption(
            "In the safer files alone: no figure changes. Where they are assessed again, the column is named as one "
            "that the original does not have, and is not counted."
        )
        return AddLabel((name or "").strip() or usual.column, (text or "").strip() or LABEL)
    numeric = kind != KINDS[2]
    names = [n for n, column in study.columns.items() if (column.kind is Kind.NUMBER) == numeric]
    if not names:
        place.info("There is no such column." if numeric else "There is no column of categories.")
        return None
    key = f"safe.column.{kind}"
    name = place.selectbox("Column", names, key=key, persist_state="session", format_func=s.picked) or names[0]
    if kind == KINDS[2]:
        fewer = place.number_input(
            "Levels of fewer original records than", 2, 1_000_000, 10, key="safe.fewer", persist_state="session"
        )
        into = place.text_input("Called", "Other", key="safe.into", persist_state="session")
        return MergeLevels(name, int(fewer or 10), into or "Other")
    if kind == KINDS[3]:
        return Coarsen(
            name,
            int(place.number_input("Groups", 2, MOST_GROUPS, 10, key="safe.groups", persist_state="session") or 10),
        )
    if kind == KINDS[5]:
        to = place.number_input("To multiples of", min_value=0.0, value=10.0, key="safe.round", persist_state="session")
        return RoundTo(name, to) if to else None
    low = place.number_input(
        "Lowest value that stays", value=None, key="safe.low", persist_state="session", placeholder="No limit"
    )
    high = place.number_input(
        "Highest value that stays", value=None, key="safe.high", persist_state="session", placeholder="No limit"
    )
    return None if low is None and high is None else Cap(name, low, high)


def _done(s: Session, made: Safer) -> None:
    """List the steps with what they did, and offer to take them back."""
    st.header("Steps")
    n = sum(made.before)
    rows = [
        {"step": i, "what": done.sentence, "removed": sum(done.removed), "changed": sum(done.changed)}
        for i, done in enumerate(made.done, 1)
    ]
    tables.table(
        pd.DataFrame(rows),
        "The safeguards in order, the synthetic records each removed and the values it changed",
        {
            "step": st.column_config.NumberColumn("", width=40),
            "what": st.column_config.TextColumn("Safeguard", width="medium"),
            "removed": tables.records_column("Records removed", "Of all syntheses together."),
            "changed": tables.records_column("Values changed", "Of all syntheses together."),
        },
    )
    removed = sum(made.n_removed)
    st.caption(
        f"{removed:,} of {n:,} synthetic records are removed ({fixed(100 * removed / n)} %), over all syntheses."
    )

    _take_back(s)


def _take_back(s: Session) -> None:
    """Offer to take the last step, or all, back."""

    def back() -> None:
        s.change(s.review.with_steps(s.review.steps[:-1]))

    def none() -> None:
        s.change(s.review.with_steps(()))

    with st.container(horizontal=True):
        st.button("Take the last one back", key="safe.back", icon=":material/undo:", on_click=back)
        st.button("Take all back", key="safe.none", on_click=none)


def _effect(before: Assessment, after: Assessment) -> None:
    """Show identity and attribute figures before and after."""
    st.header("Effect")
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
    tables.table(
        pd.DataFrame(rows),
        "Identity measures, and DiSCO of each target, before and after the safeguards",
        {
            "what": st.column_config.TextColumn("Measure", pinned=True),
            "of": None,
            "before": tables.percent_column("As it came %"),
            "after": tables.percent_column("With safeguards %"),
        },
        height="content" if len(rows) <= 16 else 500,
    )
    st.caption(
        "% of the original records (UiS: of the synthetic ones), means over the syntheses, present exclusions in. "
        "After a column is made coarser, the original is looked at through the same rule."
    )


def _take_away(s: Session) -> None:
    """Offer the safer syntheses in the format they came in, with the log of what was done."""
    from disclosure_core.export.archive import archive
    from disclosure_core.review import safer

    st.header("The safer files")
    if not s.now.study().holds_records:
        st.caption(
            "Not offered here: the data stay in their engine, which writes the safer tables where `disclosure protect "
            "--engine` asks for them with the same safeguards."
        )
        return
    formats = sorted({r.format for r in s.readings[1:]}) or ["Parquet"]
    st.caption(
        f"One zip: the safer syntheses as {', '.join(formats)}, and a log of what was done and of what a format cannot "
        "hold. What no safeguard touched is as it came. The original is not in it. "
        "Bring them back on the Data page to assess what will be released."
    )

    def zipped(progress: Progress | None) -> bytes:
        return archive(safer.files(s.now, configuration.limits(), progress).items())

    study = s.now.study()
    row, below = st.container(), st.container()
    with row:
        downloads.make(
            "The safer syntheses and the log", "safer_syntheses.zip", zipped, "synthesis", below,
            quick=sum(study.n_synthetic) * len(study.columns) <= AT_ONCE, primary=True,
        )  # fmt: skip
