"""Steps that make the syntheses safer: those tried, in their order, and what adds one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import Assessment, DisclosureError
from disclosure_core.counting.settings import MOST_GROUPS
from disclosure_core.data.study import AnyStudy, Kind
from disclosure_core.protection.safeguards import Protected, StepEffect, undeclared_codes
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
from disclosure_core.rounding import fixed, quantity
from pages.safeguards import by_hand
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.steps import Step
    from pages.shared.open_review import Session

    Safer = Protected | ProtectedThere

REMOVE_REPLICATED = "Remove replicated uniques"
REMOVE_UNIQUES = "Remove synthetic uniques whose keys are in the original"
MERGE, GROUP, CAP, ROUND = "Merge small levels", "Put numbers into groups", "Top and bottom code", "Round numbers"
ADD_LABEL = "Add a column that says that the data are synthetic"

KINDS = {
    "Coarsen a column": (ROUND, GROUP, CAP, MERGE, *by_hand.COARSEN),
    "Remove records": (REMOVE_REPLICATED, REMOVE_UNIQUES, by_hand.REMOVE),
    "Blank or label": (by_hand.BLANK, ADD_LABEL),
}
"""What a step can be, by what adds it."""


def ask_steps(s: Session, result: Assessment) -> Safer | None:
    """List the steps that are tried and ask for more; return what they make, None without any, or where one fails."""
    st.header("Steps, in this order")
    try:
        made = s.now.safeguarded() if s.review.steps else None
    except DisclosureError as error:  # the data or the keys are others since the steps were tried
        st.error(show.literal(f"The safeguards cannot be done any more: {error}"), icon=":material/error:")
        _listed(s, None)
        return None
    if made is None:
        show.explained_by("safeguards")
    else:
        _listed(s, made)
    group = st.pills(
        "Add a step",
        list(KINDS),
        key="safe.group",
        persist_state="session",
        label_visibility="collapsed",
        format_func=lambda name: f":material/add: {name}",
    )
    if group:
        _ask(s, KINDS[group], result.tables.study if made is None else made.study)
    return made


def _ask(s: Session, kinds: tuple[str, ...], study: AnyStudy) -> None:
    """Ask for one more step; what it may act on is what the steps before have left."""
    with st.container(border=True, key="safe-asked"):  # with a key it stays the same where steps come to stand above it
        columns = {kind: _columns(s, kind, study) for kind in kinds}
        kinds = tuple(kind for kind, names in columns.items() if names is None or names)
        kind = st.selectbox("Safeguard", kinds, key="safe.kind", persist_state="session") or kinds[0]
        place = st.container()
        try:
            step = _step(s, kind, study, columns[kind] or [], place)
        except DisclosureError as error:
            place.error(show.literal(str(error)), icon=":material/error:")
            step = None
        asks = False
        if step is not None:
            st.caption(show.literal(step.sentence))
            step, asks = _about_codes(s, step)

        def add() -> None:
            if step is not None:
                s.try_step(step)

        st.button("Try it", key="safe.add", type="primary", on_click=add, disabled=step is None or asks)
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


def _columns(s: Session, kind: str, study: AnyStudy) -> list[str] | None:
    """Return the columns that a kind of step may act on; None where it acts on none in particular."""
    if kind in (REMOVE_REPLICATED, REMOVE_UNIQUES, ADD_LABEL):
        return None
    if kind in (by_hand.BLANK, by_hand.REMOVE):
        return [name for name in study.columns if name not in s.review.keys]
    if kind == by_hand.BANDS:
        return list(study.columns)
    numeric = kind not in (MERGE, by_hand.LEVELS)
    return [name for name, column in study.columns.items() if (column.kind is Kind.NUMBER) == numeric]


def _step(
    s: Session, kind: str, study: AnyStudy, names: list[str], place: st.delta_generator.DeltaGenerator
) -> Step | None:
    if kind == REMOVE_REPLICATED:
        return RemoveReplicated()
    if kind == REMOVE_UNIQUES:
        return RemoveUniques()
    if kind == ADD_LABEL:
        usual = AddLabel()
        name = place.text_input("Name of the column", usual.column, 32, key="safe.label", persist_state="session")
        text = place.text_input("Text", LABEL, LONGEST, key="safe.says", persist_state="session")
        place.caption(
            "In the safer files alone: no figure changes. Where they are assessed again, the column is named as one "
            "that the original does not have, and is not counted."
        )
        return AddLabel((name or "").strip() or usual.column, (text or "").strip() or LABEL)
    key = f"safe.column.{kind}"
    name = place.selectbox("Column", names, key=key, persist_state="session", format_func=s.picked) or names[0]
    if kind in by_hand.KINDS:
        return by_hand.step(kind, name, study, place)
    if kind == MERGE:
        fewer = place.number_input(
            "Levels of fewer original records than", 2, 1_000_000, 10, key="safe.fewer", persist_state="session"
        )
        into = place.text_input("Called", "Other", key="safe.into", persist_state="session")
        return MergeLevels(name, int(fewer or 10), into or "Other")
    if kind == GROUP:
        return Coarsen(
            name,
            int(place.number_input("Groups", 2, MOST_GROUPS, 10, key="safe.groups", persist_state="session") or 10),
        )
    if kind == ROUND:
        to = place.number_input("To multiples of", min_value=0.0, value=10.0, key="safe.round", persist_state="session")
        return RoundTo(name, to) if to else None
    low = place.number_input(
        "Lowest value that stays", value=None, key="safe.low", persist_state="session", placeholder="No limit"
    )
    high = place.number_input(
        "Highest value that stays", value=None, key="safe.high", persist_state="session", placeholder="No limit"
    )
    return None if low is None and high is None else Cap(name, low, high)


def _listed(s: Session, made: Safer | None) -> None:
    """List the steps with what each removed and changed, and what takes it back."""
    n = 0 if made is None else sum(made.before)
    for i, step in enumerate(s.review.steps):
        row = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
        done = None if made is None else made.done[i]
        with row:
            st.markdown(f"{i + 1}. {show.literal(step.sentence if done is None else done.sentence)}", width="stretch")
            if done is not None:
                st.caption(_cost(done, n), width="content")
            st.button(
                "Remove",
                key=f"safe.back.{i}",
                type="tertiary",
                icon=":material/close:",
                on_click=_without,
                args=(s, i),
                help="Takes this step back; the others stay.",
            )


def _cost(done: StepEffect, n: int) -> str:
    """Return what one step did to all syntheses together, in a few words."""
    removed, changed = sum(done.removed), sum(done.changed)
    said = [f"{quantity(removed, 'record')} removed ({fixed(100 * removed / max(n, 1), 1)} %)"] if removed else []
    said += [f"{quantity(changed, 'value')} changed"] if changed else []
    return ", ".join(said) or "no record, no value changed"


def _without(s: Session, i: int) -> None:
    with s.telling():
        s.change(s.review.with_steps((*s.review.steps[:i], *s.review.steps[i + 1 :])))
