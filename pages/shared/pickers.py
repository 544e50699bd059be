"""Widgets that ask for a part of the settings; each shows the session's value and hands over changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import Settings, Thresholds
from disclosure_core.counting.settings import MOST_GROUPS, MOST_RECORDS
from disclosure_core.data import suggestions
from disclosure_core.data.study import Kind
from disclosure_core.review import intruders, questions
from disclosure_core.review.remarks import missing_texts as likely_missing_texts
from disclosure_core.rounding import quantity
from pages.shared import show, tables, unanswered
from pages.shared.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core import Assessment
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.suggested_codes import MissingCode
    from disclosure_core.data.suggestions import MissingText
    from disclosure_core.review.queue import Queue
    from pages.shared.session import Session

DEFAULT_GROUPS = 20
"""Groups offered for a numeric column; the paper's examples ask for as many."""

_LISTED = 6
"""Texts that may stand for "no answer" are named up to this number before one opens the list of them."""

_EDGE = 12
"""Values offered as missing codes: so many from each end of a column."""


def _numeric(study: AnyStudy) -> list[str]:
    return [name for name, column in study.columns.items() if column.kind is Kind.NUMBER]


def missing_texts(s: Session) -> None:
    """Offer to treat texts such as NA as missing, a column or all at once; or to keep them as answers."""
    known, kept = s.review.columns.missing_texts, s.review.answered
    found = [
        t for t in _texts_found(s) if t.text not in known.get(t.column, ()) and questions.of_text(t).name not in kept
    ]
    if s.review.columns.missing_texts:
        taken = ", ".join(
            f"{', '.join(map(repr, texts))} in {name}" for name, texts in s.review.columns.missing_texts.items()
        )
        st.markdown(f":material/check: Treated as missing: {show.literal(taken)}.")
        st.button("Read them as text again", key="data.texts_back", on_click=lambda: s.decide(missing_texts={}))
    if not found:
        return
    options = [f"{t.text!r} in {t.column}: {quantity(t.count, 'record')}" for t in found]
    with st.container(border=True):
        st.markdown("**Treat as missing?** Only empty cells are missing so far; these texts may mean the same.")
        st.markdown("\n".join(f"- {show.literal(option)}" for option in options[:_LISTED]))
        if len(options) > _LISTED:
            st.caption(f"and {len(options) - _LISTED:,} more")
        chosen = st.multiselect(
            "Texts that mean “no answer”",
            options,
            key="data.texts",
            persist_state="session",
            placeholder="Choose those that do",
            select_all=False,
        )

        def take(picked: list[str]) -> None:
            texts = dict(s.review.columns.missing_texts)
            for option, t in zip(options, found, strict=True):
                if option in picked:
                    texts[t.column] = (*texts.get(t.column, ()), t.text)
            _told(s, lambda: s.decide(missing_texts=texts))

        row = st.container(horizontal=True, gap="small")
        row.button("Treat these as missing", key="data.texts_take", disabled=not chosen, on_click=take, args=(chosen,))
        row.button("Treat all as missing", key="data.texts_all", on_click=take, args=(options,))
        names = [questions.of_text(t).name for t in found]
        row.button("They are answers", key="data.texts_keep", on_click=unanswered.keep, args=(s, names))


def _texts_found(s: Session) -> list[MissingText]:
    """Return what looks like a missing text in any of the files, counted over all of them."""
    if not s.readings:
        return []
    if s.texts_found is None:
        outside = s.now.data.holdout
        s.texts_found = likely_missing_texts(s.readings if outside is None else (*s.readings, outside))
    return [t for t in s.texts_found if s.study is not None and t.column in s.study.columns]


def types(s: Session) -> None:
    """Ask which columns are to be read as something else."""
    if not s.readings:
        return
    study = _study(s)
    with st.expander("Read a column as something else", icon=":material/build:"):
        st.caption("A number as a category, a text as a number or a date; a date can be cut to its month or year.")
        if s.type_reasons is None:
            s.type_reasons = suggestions.type_reasons(s.readings[0].table)
        rows = [{"column": name, "why": s.type_reasons.get(name, "")} for name in study.columns]
        labels = {"column": "Column", "why": "Read as, and why (the original)"}
        tables.table(pd.DataFrame(rows), "What each column was taken for, and why", labels)

        def take(names: list[str]) -> None:
            kept = {name: s.review.columns.types.get(name, "category") for name in names}
            s.decide(types=kept)

        st.multiselect(
            "Columns",
            list(study.columns),
            select_all=False,
            placeholder="None",
            format_func=s.picked,
            **bound("data.types", list(s.review.columns.types), take, " ".join(map(s.picked, s.review.columns.types))),
        )
        for name, kind in s.review.columns.types.items():
            st.selectbox(
                f"Read {show.literal(name)} as", suggestions.TYPES, **bound(f"data.type.{name}", kind, _retype(s, name))
            )


def _retype(s: Session, name: str) -> Callable[[str], None]:
    return lambda kind: s.decide(types={**s.review.columns.types, name: kind})


def _told(s: Session, change: Callable[[], None]) -> None:
    """Make a change from a button; what the user can mend is told on the page."""
    with s.telling():
        change()


def suggested_codes(s: Session) -> None:
    """Offer the numbers that look like missing codes, until each is taken as one or kept as an answer."""
    for code in suggestions.suggest_missing_codes(_study(s)):
        ask_of_code(s, code, "data")


def ask_of_code(s: Session, code: MissingCode, page: str) -> None:
    """Ask whether a number is a missing code, with a button for each answer; a group that waits for it is made then."""
    question = questions.of_code(code)
    st.warning(show.literal(question.text), icon=":material/help:")
    row, key = st.container(horizontal=True, gap="small"), f"{code.column}.{code.value}"

    def declare() -> None:
        codes = s.review.columns.missing_codes
        s.decide(missing_codes={**codes, code.column: (*codes.get(code.column, ()), code.value)})
        _group_what_waits(s)

    def keep() -> None:
        unanswered.keep(s, [question.name])
        _group_what_waits(s)

    row.button("It is a missing code", key=f"{page}.code.{key}", on_click=_told, args=(s, declare))
    row.button("It is an answer", key=f"{page}.no_code.{key}", on_click=keep)


def _group_what_waits(s: Session) -> None:
    """Group the columns that were chosen for it and of which nothing is asked any more."""
    study = _study(s)
    answered = [name for name in s.to_group if name in study.columns and not study.suggested_codes(name)]
    if answered:
        s.to_group = [name for name in s.to_group if name not in answered]
        s.ask(replace(s.settings, groups=dict(s.settings.groups) | dict.fromkeys(answered, DEFAULT_GROUPS)))


def missing_codes(s: Session) -> None:
    """Ask which numeric columns have missing codes, and which values these are."""
    study = _study(s)
    chosen = st.multiselect(
        "Numeric columns with missing codes",
        _numeric(study),
        select_all=False,
        placeholder="None",
        **bound("data.coded", list(s.review.columns.missing_codes), lambda names: _recode(s, names)),
    )
    for name in chosen:
        column = study.columns[name]
        st.multiselect(
            f"Values of {name} that mean “no answer”",
            _edges(column),
            select_all=False,
            accept_new_options=True,
            placeholder="Choose or type a value",
            **bound(f"data.codes.{name}", list(s.review.columns.missing_codes[name]), _code_taker(s, name)),
        )


def _code_taker(s: Session, name: str) -> Callable[[list[str]], None]:
    return lambda values: s.decide(missing_codes={**s.review.columns.missing_codes, name: tuple(values)})


def _recode(s: Session, names: list[str]) -> None:
    s.decide(missing_codes={name: s.review.columns.missing_codes.get(name, ()) for name in names})


def _edges(column: Variable) -> list[str]:
    n = column.n_levels
    ends = range(n) if n <= 2 * _EDGE else [*range(_EDGE), *range(n - _EDGE, n)]
    return [column.label(code) for code in ends]


def keys(s: Session) -> None:
    """Ask for the keys; a column that becomes a key stops being a target."""
    study = _study(s)

    def take(names: list[str]) -> None:
        s.change(intruders.with_keys(s.review, names))

    st.multiselect(
        "Keys",
        list(study.columns),
        select_all=False,
        placeholder="Choose what an intruder could know",
        help="Quasi-identifiers: what a neighbour, a colleague or a register could know about a person in the data.",
        wrap=True,
        format_func=s.picked,
        **bound("keys.keys", list(s.review.keys), take),
    )


def targets(s: Session) -> None:
    """Ask for the targets: all the rest, or some of them."""
    study, settings = _study(s), s.settings
    rest = [name for name in study.columns if name not in settings.keys]
    everything = settings.targets is None

    def take_all(on: bool) -> None:
        s.ask(replace(s.settings, targets=None if on else tuple(rest)))

    def take(names: list[str]) -> None:
        s.ask(replace(s.settings, targets=study.in_data_order(names)))

    st.toggle("Every other column is a target", wrap=True, **bound("keys.all", everything, take_all))
    if not everything:
        st.multiselect(
            "Targets",
            rest,
            select_all=False,
            placeholder="Choose what could be learnt",
            help="What an intruder could learn about a person from the synthetic data.",
            wrap=True,
            format_func=s.picked,
            **bound("keys.targets", list(study.in_data_order(settings.targets or ())), take),
        )


def identifiers(s: Session) -> None:
    """Offer to leave columns that look like identifiers out of keys and targets."""
    study, asked = _study(s), s.settings
    if not study.holds_records:
        return
    looked_at = {*asked.keys, *(study.columns if asked.targets is None else asked.targets)}
    found = [name for name in suggestions.identifiers(study) if name in looked_at]
    if not found:
        return

    def leave_out() -> None:
        keys = tuple(name for name in asked.keys if name not in found)
        rest = tuple(name for name in study.columns if name in looked_at and name not in {*found, *keys})
        s.ask(replace(asked, keys=keys, targets=rest))

    listed = ", ".join(map(show.literal, found))
    st.button(f"Do not count {listed}", key="keys.identifiers", icon=":material/badge:", on_click=leave_out,
              help="It looks like an identifier. The figures then do not count it; the files keep it.")  # fmt: skip


def groups(s: Session) -> set[str]:
    """Ask which numeric columns are grouped, and into how many intervals; return the names of what else it asks."""
    study = _study(s)
    now = dict(s.settings.groups)
    waiting = [name for name in s.to_group if name in study.columns]

    def take(names: list[str]) -> None:
        s.to_group = [name for name in names if name not in now and study.suggested_codes(name)]
        grouped = {name: now.get(name, DEFAULT_GROUPS) for name in names if name not in s.to_group}
        s.ask(replace(s.settings, groups=grouped))

    def taker(name: str) -> Callable[[int], None]:
        return lambda n: s.ask(replace(s.settings, groups=dict(s.settings.groups) | {name: int(n)}))

    st.multiselect(
        "Numeric columns to group",
        _numeric(study),
        select_all=False,
        placeholder="None: every value is a level of its own",
        format_func=s.picked,
        **bound("keys.grouped", [name for name in study.columns if name in now or name in waiting], take),
    )
    if waiting:
        listed = ", ".join(show.literal(s.named(name)) for name in waiting)
        st.caption(f"Not grouped yet: {listed}. Say first what is a missing code.")
    codes = [code for name in (*now, *waiting) for code in study.suggested_codes(name)]
    for code in codes:
        ask_of_code(s, code, "keys")
    for name in study.in_data_order(now):
        st.number_input(
            f"Groups of {show.literal(s.named(name))}",
            min_value=2,
            max_value=MOST_GROUPS,
            step=1,
            width=220,
            **bound(f"keys.groups.{name}", now[name], taker(name)),
        )
    return {questions.of_code(code).name for code in codes}


def chosen_target(s: Session, queue: Queue) -> str:
    """Return the target looked at: the first of the queue unless one was chosen."""
    names = [row.target for row in queue.rows]
    if s.target not in names:
        s.look_at(names[0])
    return s.target or names[0]


def target(s: Session, queue: Queue | None = None, *, labelled: bool = True) -> str:
    """Ask for the target under review by its name, flag and figure, in the order of the queue; return its name."""
    queue = s.now.queue(order=s.order) if queue is None else queue
    name, words = chosen_target(s, queue), {row.target: row.words for row in queue.rows}
    words = {target: said.replace(target, s.picked(target), 1) for target, said in words.items()}
    st.selectbox(
        "Target", list(words), format_func=words.__getitem__, label_visibility="visible" if labelled else "collapsed",
        **bound("review.target", name, s.look_at, words[name]),
    )  # fmt: skip
    return name


def target_and_synthesis(s: Session, result: Assessment) -> tuple[str, int]:
    """Ask for a target and for one synthesis, side by side; return its name and number, counted from 0."""
    left, right = st.columns(2)
    with left:
        name = target(s)
    with right:
        return name, synthesis(s, len(result.n_synthetic), mean=False)


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
