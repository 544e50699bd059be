"""Widgets that ask for a part of the settings; each shows the session's value and hands over changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import Exclusions, Settings, Thresholds, meaning
from disclosure_core.meaning import MissingText
from disclosure_core.measures import COMPARED
from disclosure_core.study import Kind
from pages.parts import show
from pages.parts.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core import Assessment, Study
    from disclosure_core.study import Column
    from pages.parts.session import Session

DEFAULT_GROUPS = 20
"""Groups offered for a numeric column; the paper's examples ask for as many."""

_EDGE = 12
"""Values offered as missing codes: so many from each end of a column."""


def _numeric(study: Study) -> list[str]:
    return [name for name, column in study.columns.items() if column.kind is Kind.NUMBER]


def missing_texts(s: Session) -> None:
    """Offer to treat texts such as NA as missing, a column or all at once."""
    found = [t for t in _texts_found(s) if t.text not in s.missing_texts.get(t.column, ())]
    if s.missing_texts:
        taken = ", ".join(f"{', '.join(map(repr, texts))} in {name}" for name, texts in s.missing_texts.items())
        st.markdown(f":material/check: Treated as missing: {show.literal(taken)}.")
        st.button("Read them as text again", key="data.texts_back", on_click=lambda: s.read_again({}, s.types))
    if not found:
        return
    options = [f"{t.text!r} in {t.column}: {t.count:,} records" for t in found]
    with st.container(border=True):
        st.markdown("**Treat as missing?** Only empty cells are missing so far; these texts may mean the same.")
        chosen = st.multiselect(
            "Texts that mean “no answer”", options, key="data.texts", placeholder="None", select_all=True
        )

        def take(picked: list[str]) -> None:
            texts = dict(s.missing_texts)
            for option, t in zip(options, found, strict=True):
                if option in picked:
                    texts[t.column] = (*texts.get(t.column, ()), t.text)
            _told(s, lambda: s.read_again(texts, s.types))

        left, right = st.columns(2)
        left.button("Treat these as missing", key="data.texts_take", disabled=not chosen, on_click=take, args=(chosen,))
        right.button("Treat all as missing", key="data.texts_all", on_click=take, args=(options,))


def _texts_found(s: Session) -> list[MissingText]:
    """Return what looks like a missing text in any of the files, counted over all of them."""
    if not s.readings:
        return []
    if s.texts_found is None:
        counts: dict[tuple[str, str], int] = {}
        for reading in s.readings:
            for t in meaning.suggest_missing_texts(reading.frame):
                counts[t.column, t.text] = counts.get((t.column, t.text), 0) + t.count
        found = [MissingText(column, text, n) for (column, text), n in counts.items()]
        s.texts_found = sorted(found, key=lambda t: -t.count)
    return [t for t in s.texts_found if s.study is not None and t.column in s.study.columns]


def types(s: Session) -> None:
    """Ask which columns are to be read as something else."""
    if not s.readings:
        return
    study = _study(s)
    with st.expander("Read a column as something else", icon=":material/build:"):
        st.caption("A number as a category, a text as a number or a date; a date can be cut to its month or year.")
        if s.reasons is None:
            s.reasons = meaning.type_reasons(s.readings[0].frame)
        rows = [{"column": name, "why": s.reasons.get(name, "")} for name in study.columns]
        labels = {"column": "Column", "why": "Read as, and why (the original)"}
        show.table(pd.DataFrame(rows), "What each column was taken for, and why", labels)

        def take(names: list[str]) -> None:
            kept = {name: s.types.get(name, "category") for name in names}
            s.read_again(s.missing_texts, kept)

        st.multiselect("Columns", list(study.columns), placeholder="None", **bound("data.types", list(s.types), take))
        for name, kind in s.types.items():
            st.selectbox(
                f"Read {show.literal(name)} as", meaning.TYPES, **bound(f"data.type.{name}", kind, _retype(s, name))
            )


def _retype(s: Session, name: str) -> Callable[[str], None]:
    return lambda kind: s.read_again(s.missing_texts, s.types | {name: kind})


def _told(s: Session, change: Callable[[], None]) -> None:
    """Make a change from a button; what the user can mend is told on the page."""
    with s.telling():
        change()


def _suggested_codes(s: Session, study: Study) -> None:
    """Offer the numbers that look like missing codes and are not yet taken as such."""
    for code in meaning.suggest_missing_codes(study):
        taken = s.coded.get(code.column, ())
        if code.value not in taken:
            st.markdown(
                f"{show.literal(code.column)}: **{show.literal(code.value)}** in {code.count:,} original records, "
                f"{show.literal(code.reason)}."
            )
            st.button(
                "It is a missing code",
                key=f"data.code.{code.column}.{code.value}",
                on_click=lambda c=code, t=taken: _told(
                    s, lambda: s.recode_missing(s.coded | {c.column: (*t, c.value)})
                ),
            )


def missing_codes(s: Session) -> None:
    """Ask which numeric columns have missing codes, and which values these are."""
    study = _study(s)
    _suggested_codes(s, study)
    chosen = st.multiselect(
        "Numeric columns with missing codes",
        _numeric(study),
        placeholder="None",
        **bound("data.coded", list(s.coded), lambda names: _recode(s, names)),
    )
    for name in chosen:
        column = study.columns[name]
        st.multiselect(
            f"Values of {name} that mean “no answer”",
            _edges(column),
            accept_new_options=True,
            placeholder="Choose or type a value",
            **bound(f"data.codes.{name}", list(s.coded[name]), _code_taker(s, name)),
        )


def _code_taker(s: Session, name: str) -> Callable[[list[str]], None]:
    return lambda values: s.recode_missing(s.coded | {name: tuple(values)})


def _recode(s: Session, names: list[str]) -> None:
    s.recode_missing({name: s.coded.get(name, ()) for name in names})


def _edges(column: Column) -> list[str]:
    n = column.n_levels
    ends = range(n) if n <= 2 * _EDGE else [*range(_EDGE), *range(n - _EDGE, n)]
    return [column.label(code) for code in ends]


def keys(s: Session) -> None:
    """Ask for the keys; a column that becomes a key stops being a target."""
    study = _study(s)

    def take(names: list[str]) -> None:
        targets = s.settings.targets
        left = None if targets is None else tuple(t for t in targets if t not in names)
        s.ask(replace(s.settings, keys=study.in_data_order(names), targets=left))

    st.multiselect(
        "Keys",
        list(study.columns),
        placeholder="Choose what an outsider could know",
        help="Quasi-identifiers: what a neighbour, a colleague or a register could know about a person in the data.",
        wrap=True,
        **bound("keys.keys", list(study.in_data_order(s.settings.keys)), take),
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
            placeholder="Choose what could be learnt",
            help="What an outsider could learn about a person from the synthetic data.",
            wrap=True,
            **bound("keys.targets", list(study.in_data_order(settings.targets or ())), take),
        )


def identifiers(s: Session) -> None:
    """Offer to leave columns that look like identifiers out of keys and targets."""
    study, asked = _study(s), s.settings
    if not study.holds_records:
        return
    looked_at = {*asked.keys, *(study.columns if asked.targets is None else asked.targets)}
    found = [name for name in meaning.identifiers(study) if name in looked_at]
    if not found:
        return

    def leave_out() -> None:
        keys = tuple(name for name in asked.keys if name not in found)
        rest = tuple(name for name in study.columns if name in looked_at and name not in {*found, *keys})
        s.ask(replace(asked, keys=keys, targets=rest))

    listed = ", ".join(map(show.literal, found))
    st.button(f"Leave {listed} out", key="keys.identifiers", icon=":material/badge:", on_click=leave_out,
              help="It looks like an identifier. The figures then leave it out; the files keep it.")  # fmt: skip


def groups(s: Session) -> None:
    """Ask which numeric columns are grouped, and into how many intervals."""
    study = _study(s)
    now = dict(s.settings.groups)

    def take(names: list[str]) -> None:
        s.ask(replace(s.settings, groups={name: now.get(name, DEFAULT_GROUPS) for name in names}))

    def taker(name: str) -> Callable[[int], None]:
        return lambda n: s.ask(replace(s.settings, groups=dict(s.settings.groups) | {name: int(n)}))

    st.multiselect(
        "Numeric columns to group",
        _numeric(study),
        placeholder="None: every value is a level of its own",
        **bound("keys.grouped", [name for name in study.columns if name in now], take),
    )
    for name in study.in_data_order(now):
        st.number_input(
            f"Groups of {name}",
            min_value=2,
            max_value=1000,
            step=1,
            width=220,
            **bound(f"keys.groups.{name}", now[name], taker(name)),
        )


def measure(*, disabled: bool = False) -> str:
    """Ask which comparison to show."""
    names = {"DiSCO": "DiSCO against Dorig", "DiSDiO": "DiSDiO against Dorig", "DCAP": "DCAPd against CAPd"}
    chosen = st.radio(
        "Measure",
        list(COMPARED),
        horizontal=True,
        format_func=names.__getitem__,
        key="risk.measure",
        disabled=disabled,
        persist_state="session",
        help="DiSCO counts certain and correct answers; DiSDiO only those that the original gives away too; DCAP adds "
        "up the share of correct answers.",
    )
    return chosen or "DiSCO"


def target(s: Session, names: list[str]) -> str:
    """Ask for the target under review, the first of `names` unless one was chosen before."""
    if s.target not in names:
        s.target = names[0]

    def take(name: str) -> None:
        s.target = name

    st.selectbox("Target", names, **bound("review.target", s.target, take))
    return s.target or names[0]


def review(s: Session, result: Assessment) -> str:
    """Ask for the target, and for one synthesis or the mean; offer to take changes back. Return the target."""
    m = len(result.n_synthetic)
    left, middle, right = st.columns([3, 3, 2], vertical_alignment="bottom")
    with left:
        name = target(s, result.summary()["target"].tolist()[::-1])
    with middle:
        synthesis(s, m)
    with right.container(horizontal=True, horizontal_alignment="right"):
        st.button("Undo", key="review.undo", icon=":material/undo:", on_click=s.undo, disabled=not s.can_undo)
        st.button("Redo", key="review.redo", icon=":material/redo:", on_click=s.redo, disabled=not s.can_redo)
    return name


def target_and_synthesis(s: Session, result: Assessment) -> tuple[str, int]:
    """Ask for a target and for one synthesis, side by side; return its name and number, counted from 0."""
    left, right = st.columns(2)
    with left:
        name = target(s, result.summary()["target"].tolist()[::-1])
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


def exclusions(s: Session, column: Column) -> None:
    """Ask what of a target is left out: levels, missing values, missing keys, large denominators."""
    name, out = column.name, s.settings.exclusions

    def take(change: Callable[[Exclusions], Exclusions]) -> None:
        s.ask(replace(s.settings, exclusions=change(s.settings.exclusions)))

    left, right = st.columns(2, gap="large")
    left.multiselect(
        "Leave out target levels",
        list(column.levels),
        placeholder="None",
        help="Levels that everybody would guess, such as the answer of nine in ten people.",
        **bound(
            "review.levels",
            [level for level in column.levels if level in out.levels_of(name)],
            lambda levels: take(lambda e: e.with_levels(name, levels)),
        ),
    )
    left.toggle(
        f"Leave out missing values of {show.literal(name)}",
        wrap=True,
        **bound(
            "review.missing", name in out.missing_targets, lambda on: take(lambda e: e.with_missing_target(name, on))
        ),
    )
    right.multiselect(
        "Leave out missing values of keys",
        list(_study(s).in_data_order(s.settings.keys)),
        placeholder="None",
        help="Applies to every target, and to the identity figures.",
        **bound(
            "review.missing_keys",
            sorted(out.missing_keys),
            lambda names: take(lambda e: replace(e, missing_keys=frozenset(names))),
        ),
    )
    limited = out.denominator_limit is not None
    right.toggle(
        "Limit denominators",
        wrap=True,
        help="Leaves out cells that count more records than the limit. Applies to every target.",
        **bound("review.limited", limited, lambda on: take(lambda e: replace(e, denominator_limit=1 if on else None))),
    )
    if limited:
        right.number_input(
            "Largest denominator counted",
            min_value=1,
            step=1,
            width=220,
            **bound(
                "review.limit", out.denominator_limit, lambda n: take(lambda e: replace(e, denominator_limit=int(n)))
            ),
        )


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
            min_value=0,
            max_value=100 if at else None,
            step=1,
            **bound(f"review.{check}.{at}", int(getattr(now, check)[at]), taker(check, at)),
        )
    defaults = Settings().thresholds
    if now != defaults:
        st.button("Back to 50, 90 and 4, 80", key="review.defaults", on_click=_reset_thresholds, args=(s,))


def _reset_thresholds(s: Session) -> None:
    s.ask(replace(s.settings, thresholds=Thresholds()))


def _study(s: Session) -> Study:
    if s.study is None:
        raise LookupError("a page asked about data before there were any")
    return s.study
