"""Widgets that ask for a part of the settings; each shows the session's value and hands over changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import Assessment, Settings, Thresholds
from disclosure_core.counting.settings import MOST_RECORDS
from disclosure_core.review import questions
from disclosure_core.rounding import visible
from pages.shared import show, unanswered
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.suggested_codes import MissingCode
    from disclosure_core.review.queue import Queue
    from pages.shared.open_review import Session


def ask_of_code(s: Session, code: MissingCode, page: str) -> None:
    """Ask whether a number is a missing code, with a button for each answer; a group that waits for it is made then."""
    question = questions.of_code(code)
    st.warning(show.literal(question.text), icon=":material/help:")
    row, key = st.container(horizontal=True, gap="small"), f"{code.column}.{code.value}"

    def declare() -> None:
        codes = s.review.columns.missing_codes
        with s.telling(), s.as_one():
            s.decide(missing_codes={**codes, code.column: (*codes.get(code.column, ()), code.value)})
            group_what_waits(s)

    def keep() -> None:
        unanswered.keep(s, [question.name])
        group_what_waits(s)

    row.button("It is a missing code", key=f"{page}.code.{key}", on_click=declare)
    row.button("It is an answer", key=f"{page}.no_code.{key}", on_click=keep)


def group_what_waits(s: Session) -> None:
    """Group the columns that were chosen for it and of which nothing is asked any more."""
    study = _study(s)
    answered = {name: n for name, n in s.to_group.items() if name in study.columns and not study.suggested_codes(name)}
    if answered:
        s.to_group = {name: n for name, n in s.to_group.items() if name not in answered}
        s.ask(replace(s.settings, groups=dict(s.settings.groups) | answered))


def codes_of_groups(s: Session) -> set[str]:
    """Ask which numbers of grouped columns are missing codes; return the names of the questions."""
    study = _study(s)
    waiting = [name for name in s.to_group if name in study.columns]
    if waiting:
        listed = ", ".join(show.literal(s.named(name)) for name in waiting)
        st.caption(f"Not grouped yet: {listed}. Say first what is a missing code.")
    codes = [code for name in (*dict(s.settings.groups), *waiting) for code in study.suggested_codes(name)]
    for code in codes:
        ask_of_code(s, code, "keys")
    return {questions.of_code(code).name for code in codes}


def chosen_target(s: Session, queue: Queue) -> str:
    """Return the target looked at: the first of the queue unless one was chosen."""
    names = [row.target for row in queue.rows]
    if s.target not in names:
        s.look_at(names[0])
    return s.target or names[0]


def target(s: Session, queue: Queue | None = None) -> str:
    """Ask for the target under review by its name, flag and figure, in the order of the queue; return its name."""
    queue = s.now.queue(order=s.order) if queue is None else queue
    name, words = chosen_target(s, queue), {row.target: row.words for row in queue.rows}
    words = {target: said.replace(target, s.picked(target), 1) for target, said in words.items()}
    st.selectbox(
        "Target",
        list(words),
        format_func=lambda target: visible(words[target]),
        **bound("review.target", name, s.look_at, words[name]),
    )
    return name


def target_and_synthesis(s: Session, result: Assessment) -> tuple[str, int]:
    """Ask for a target and for one synthesis; return its name and number, counted from 0."""
    return target(s), synthesis(s, len(result.n_synthetic), mean=False)


def synthesis(s: Session, m: int, *, mean: bool = True) -> int:
    """Ask which synthesis to look at; return its number, counted from 0. With `mean`, all together is a choice."""
    if s.synthesis is not None and s.synthesis >= m:
        s.synthesis = None
    if m == 1:
        return 0
    names = [f"Synthesis {i}" for i in range(1, m + 1)]
    options = ["All, as their mean", *names] if mean else names
    chosen = options[0] if s.synthesis is None else names[s.synthesis]

    def take(label: str) -> None:
        s.synthesis = names.index(label) if label in names else None

    st.selectbox("Synthesis", options, **bound(f"review.synthesis.{mean}", chosen, take))
    return s.synthesis or 0


def thresholds(s: Session) -> None:
    """Ask when a check raises its flag."""
    now = s.settings.thresholds

    def taker(check: str, at: int) -> Callable[[float], None]:
        def take(value: float) -> None:
            pair = list(getattr(s.settings.thresholds, check))
            pair[at] = value
            s.ask(replace(s.settings, thresholds=replace(s.settings.thresholds, **{check: tuple(pair)})))

        return take

    fields = (
        ("1-way: more than so many records", "one_way", 0),
        ("1-way: more than so many % of the disclosive records", "one_way", 1),
        ("2-way: more than so many records in a cell", "two_way", 0),
        ("2-way: more than so many % of the key level's records", "two_way", 1),
    )
    columns = st.columns(2)
    for i, (label, check, at) in enumerate(fields):
        columns[i // 2].number_input(
            label,
            min_value=0.0,
            max_value=100.0 if at else None,
            step=1.0,
            format="%g",  # every digit that was set
            **bound(f"review.{check}.{at}", float(min(getattr(now, check)[at], MOST_RECORDS)), taker(check, at)),
        )
    defaults = Settings().thresholds
    if now != defaults:
        st.button("Back to 50, 90 and 4, 80", key="review.defaults", on_click=_reset_thresholds, args=(s,))


def _reset_thresholds(s: Session) -> None:
    s.ask(replace(s.settings, thresholds=Thresholds()))


def _study(s: Session) -> AnyStudy:
    if s.study is None:
        raise LookupError("a page asked about data before there were any")
    return s.study
