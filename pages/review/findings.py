"""The middle pane: what each check found for a target: switches and pairs first, what they mean below them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from disclosure_core import Exclusions, Pair
from disclosure_core.counting.checks import by_level
from disclosure_core.rounding import beside, compare, fixed, percent, plain
from pages.review import adding, reasoning
from pages.shared import pickers, show
from pages.shared.session import PAIRS, bound

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from disclosure_core import TargetRisk
    from disclosure_core.counting.checks import ListedPair, OneWayCheck
    from pages.shared.session import Session


def change(s: Session, of: Callable[[Exclusions], Exclusions]) -> None:
    """Exclude something else."""
    s.ask(replace(s.settings, exclusions=of(s.settings.exclusions)))


def _row(s: Session, label: str, name: str, *, on: bool, take: Callable[[bool], None], tick: bool = False) -> None:
    """Show one switch, and beside it the reason once it is on: without one no judged figure moves."""
    kind = st.checkbox if tick else st.toggle
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        kind(label, wrap=True, **bound(f"review.out.{name}", on, take))
        if on:
            reasoning.ask(s, name)
    if on:
        reasoning.more(s, name)


def _with(some: Iterable[T], one: T, *, on: bool) -> set[T]:
    """Return a set with one thing more, or without it."""
    return {*some, one} if on else {*some} - {one}


def one_way(s: Session, full: TargetRisk, risk: TargetRisk) -> None:
    """List levels of the target: those that the 1-way check finds, and those excluded."""
    levels, still = _levels(full, risk), by_level(risk.one_way)
    left_out = s.settings.exclusions.levels_of(full.target)

    def take(level: str, on: bool) -> None:
        change(s, lambda e: e.with_levels(full.target, _with(e.levels_of(full.target), level, on=on)))

    for level in (*levels, *(level for level in left_out if level not in levels)):
        label = f"{'⚑ ' if level in still else ''}Exclude {show.literal(level)}"
        _row(s, label, f"{full.target} = {level}", on=level in left_out, take=partial(take, level))


def _levels(full: TargetRisk, risk: TargetRisk) -> dict[str, dict[int, OneWayCheck]]:
    """Return the levels that the 1-way check finds, in the order of before, with what is counted now."""
    return by_level(full.one_way) | by_level(risk.one_way)


def explained(s: Session, full: TargetRisk, risk: TargetRisk) -> None:
    """Say what the checks found, below the switches: what one of them changes moves none of them."""
    still = by_level(risk.one_way)
    st.header("**1-way** · levels of the target", anchor=False)
    for level, checks in _levels(full, risk).items():
        st.caption(_flagged(checks, len(full.one_way), still=level in still))
    if not still:
        st.caption(_none_flagged(risk))
    target = full.target
    missing = target in s.settings.exclusions.missing_targets
    _row(
        s, f"Exclude missing values{_declared(s, target)}", f"{target} missing", on=missing,
        take=lambda on: change(s, lambda e: e.with_missing_target(target, on)),
    )  # fmt: skip
    adding.level(s, full)


def _declared(s: Session, target: str) -> str:
    """Name the levels that count as missing, too, because the file declares them to be no answer."""
    column = s.now.study().columns[target]
    named = ", ".join(column.label(code) for code in column.missing_levels)
    return f" (with {show.literal(named)})" if named else ""


def _none_flagged(risk: TargetRisk) -> str:
    """Say that the 1-way check flags no level, and what it would flag: below the thresholds a level may carry all."""
    fewest, share = map(plain, risk.thresholds.one_way)
    share = percent(share)
    so = "After exclusions, no" if risk.left_out != Exclusions() else "No"
    return (
        f"{so} 1-way flag: no level has more than {fewest} {_records(fewest)} and more than "
        f"{share} of those that DiSCO counts."
    )


def _flagged(checks: dict[int, OneWayCheck], m: int, *, still: bool) -> str:
    """Say what a level carries, in the first synthesis that flags it, in how many of them, and who would guess it."""
    first, check = next(iter(checks.items()))
    how_many, where = (f" in {len(checks)} of {m} syntheses", f" in synthesis {first}") if m > 1 else ("", "")
    half = compare(check.pct_of_all, 50) == 0
    wrong = f"so for {'half of the' if half else 'most'} people it would be a wrong guess"
    so = "so many would guess it" if check.guessable else wrong
    return (
        f"Flagged{'' if still else ' before'}{how_many}: the level **{show.literal(check.level)}** carries "
        f"{check.n_disclosive_level:,} of {check.n_disclosive:,} disclosive records "
        f"({percent(fixed(check.pct_disclosive))}){where}. {percent(fixed(check.pct_of_all))} of all original records "
        f"have this level, {so} without the synthetic data."
    )


def two_way(s: Session, full: TargetRisk, risk: TargetRisk) -> None:
    """List pairs of a key level and a target level: those that the 2-way check finds, and those excluded."""
    out = s.settings.exclusions
    chosen, without = out.pairs_of(full.target), set(out.levels_of(full.target))
    flagged, still = full.pairs_listed_beside(risk), risk.pairs_listed  # leaving out adds no pair
    rows = {pair: row for pair, row in flagged.items() if pair.target_level not in without or pair in chosen}
    covered = len(flagged) - len(rows)
    listed = [*rows, *(pair for pair in chosen if pair not in rows)]
    said = f"{len(flagged):,} pair{'s' * (len(flagged) != 1)} flagged" if flagged else "no 2-way flag"
    if flagged and len(still) != len(flagged):
        said += f" before, {f'{len(still):,}' if still else 'none'} now"
    st.header(f"**2-way** · pairs with a key · {said}", anchor=False)

    def take(pair: Pair, on: bool) -> None:
        change(s, lambda e: e.with_pairs(full.target, _with(e.pairs_of(full.target), pair, on=on)))

    shown = [pair for i, pair in enumerate(listed) if i < s.pairs_shown or pair in chosen]
    for pair in shown:
        words = show.literal(f"{pair.key} {pair.key_level}")
        label = f"{'⚑ ' if pair in still else ''}{words} → {show.literal(pair.target_level)}"
        if pair in flagged and pair not in chosen:
            label += f" · {_figures(flagged[pair])}"
        name = f"{pair.key} = {pair.key_level}, {full.target} = {pair.target_level}"
        _row(s, label, name, on=pair in chosen, take=partial(take, pair), tick=True)
    with st.container(horizontal=True, gap="small"):
        more = len(listed) - len(shown)
        if more:
            rest = f"{2 * PAIRS} of {more:,} more pairs" if more > 2 * PAIRS else f"{more} more pair{'s' * (more > 1)}"
            st.button(
                f"Show {rest}", key="review.more_pairs", type="tertiary",
                on_click=_more, args=(s,), icon=":material/expand_more:",
            )  # fmt: skip
        adding.pair(s, full)
    st.caption(_meaning(risk, list(flagged.values())) if still else _no_pair(risk))
    if covered:
        st.caption(f"{covered:,} of them name{'s' * (covered == 1)} a level that is excluded already.")


def _figures(p: ListedPair) -> str:
    """Say what excluding a pair takes, its share, and that of everybody with their ratio."""
    n = _number(p.records)
    return (
        f"{n} {_records(n)}, {percent(fixed(p.pct, 1))} of {p.n_key_level:,}; "
        f"of all {percent(fixed(p.pct_of_all, 1))}, lift {beside(p.lift, 1)}"
    )


def _number(records: float) -> str:
    """Write a mean number of records as the plot's tile does; a small one with its tenths."""
    return fixed(records, 0 if records == int(records) or records >= 10 else 1)


def _meaning(risk: TargetRisk, flagged: list[ListedPair]) -> str:
    """Say what a flagged pair is, in how many syntheses some are flagged, which belong together, and what to do."""
    m, raised, n = len(risk.counted), risk.flags[1], len(flagged)
    in_how_many, mean = (f" in {raised} of {m} syntheses", f", the mean over {m} syntheses") if m > 1 else ("", "")
    together = sum(p.together for p in flagged)
    some = "None belongs" if not together else f"{together:,} of {n:,} {'belongs' if together == 1 else 'belong'}"
    return (
        f"Pairs flagged{in_how_many}. Exclude those that anyone would expect. At each: the disclosive records that "
        f"excluding it takes now{mean}; the share of the people with its key level who have its target level; that "
        f"share of all people; and the lift, how many times as large. {some} together in the original: lift above 1."
    )


def _records(n: str) -> str:
    return "record" if n == "1" else "records"


def _no_pair(risk: TargetRisk) -> str:
    """Say what the 2-way check would flag, where it flags nothing."""
    fewest, share = map(plain, risk.thresholds.two_way)
    return (
        f"{'After exclusions, none' if risk.left_out != Exclusions() else 'None'} stands in a cell of more than "
        f"{fewest} disclosive {_records(fewest)} and has more than {percent(share)} of the people with its key level."
    )


def _more(s: Session) -> None:
    s.pairs_shown += 2 * PAIRS


def every_target(s: Session) -> None:
    """Ask what acts on every target: missing keys, the denominator limit, when checks raise their flags."""
    out = s.settings.exclusions
    st.header("**Every target**", divider="gray", anchor=False)
    columns = s.now.study().columns
    holding = [k for k in columns if k in s.settings.keys and (k in out.missing_keys or columns[k].has_missing)]
    if holding:
        st.multiselect(
            "Exclude missing values of keys", holding, select_all=False, placeholder="None",
            help="Of every target, and of the identity figures.",
            **bound("review.missing_keys", sorted(out.missing_keys),
                    lambda names: change(s, lambda e: replace(e, missing_keys=frozenset(names)))),
        )  # fmt: skip
    else:
        st.caption("No key has missing values.")
    if out.missing_keys:
        reasoning.ask(s, "missing keys")
        reasoning.more(s, "missing keys")
    st.number_input(
        "Denominator limit", value=None, min_value=1, step=1, placeholder="No limit",
        help="Cells that count more records than this are excluded, of every target.",
        **bound("review.limit", out.denominator_limit,
                lambda n: change(s, lambda e: replace(e, denominator_limit=None if n is None else int(n)))),
    )  # fmt: skip
    if out.denominator_limit is not None:
        reasoning.ask(s, "denominators")
        reasoning.more(s, "denominators")
    when = st.expander("When a check raises its flag", icon=":material/flag:", key="review.flags", on_change="rerun")
    if when.open:
        with when:
            show.explained_by("flags")
            pickers.thresholds(s)
