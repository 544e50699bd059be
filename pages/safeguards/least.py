"""The least safeguard: an aim, what may be touched, the search, its frontier, and a click that takes a chain of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.comparison.aims import Aim
from disclosure_core.comparison.ways import Ways
from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import declared
from disclosure_core.review import least
from disclosure_core.review.parts import LIMITS, Sought
from disclosure_core.rounding import visible
from pages.safeguards.frontier import show_frontier
from pages.shared import pickers, show
from pages.shared.numbers import number
from pages.shared.running import begins, running
from pages.shared.session import bound

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.comparison.frontier import LeastSafeguard
    from disclosure_core.review.opened import Opened
    from pages.shared.open_review import Session

_KEY = "safe.least"
_AIMS = {
    "DiSCO": ("DiSCO, %", "Of no target, to the strongest intruder: % of the original records."),
    "beyond": (
        "Beyond commonest, %",
        "Disclosed beyond the commonest answer, of no target: % of the original records.",
    ),
    "M": ("M, same keys, points", "Members less people outside with the same keys; it needs a random holdout."),
    "repU": ("repU, %", "Replicated uniques: % of the original records."),
}
"""Aims of every target, each by its measure: what asks for it, and what it is."""
NEVER = "As it is"
"""What stands where a key may not be touched."""


TARGETS = 20
"""Targets up to which each has a row; of more, those that may be touched are found by typing."""
_TOUCHED = {
    (False, False): "Never",
    (True, False): "Its claims may be blanked",
    (False, True): "Its claims may be removed",
    (True, True): "Its claims may be blanked or removed",
}
"""What may be done to a target: whether its claims may be blanked, and removed."""


def lead(s: Session) -> None:
    """Lead to the search, and back to the effect."""

    def turn() -> None:
        s.seeks_least = not s.seeks_least

    label = "Back to the effect" if s.seeks_least else "What is the least safeguard?"
    st.button(label, key="safe.least.lead", type="tertiary", icon=":material/search:", on_click=turn)


def search(s: Session) -> None:
    """Ask for an aim and what may be touched, search, and show the chains that no other beats."""
    st.header("The least safeguard")
    show.explained_by("least")
    came = least.as_it_came(s.now)
    if came is not s.now:
        st.caption(
            show.literal(
                f"The search is of {came.first_set!r} as it came. Give the adopted set up to take another chain."
            )
        )
    with st.container(border=True):
        st.markdown("**Aim:** nothing above")
        _aims(s)
    with st.container(border=True):
        st.markdown("**May be touched**")
        _keys(s, came)
        _targets(s)
        _bounds(s)
    found = _searched(s)
    if found is not None:
        show_frontier(s, found)


def _take(s: Session, **parts: Any) -> None:
    s.update(sought=replace(s.review.sought, **parts))


def _aims(s: Session) -> None:
    """Ask for the limit of each measure; an aim that was written elsewhere stands below, and can be removed."""
    now = s.review.sought.aims
    of_all = {aim.measure: text for text in now if text != LIMITS for aim in (Aim.parsed(text),) if _is_plain(aim)}

    def set_limit(measure: str, limit: float | None) -> None:
        others = tuple(text for text in s.review.sought.aims if text != of_all.get(measure))
        _take(s, aims=others if limit is None else (*others, str(Aim(measure, "", below=False, limit=limit))))

    def set_office(on: bool) -> None:
        others = tuple(text for text in s.review.sought.aims if text != LIMITS)
        _take(s, aims=(*others, LIMITS) if on else others)

    def keep(kept: list[str]) -> None:
        _take(s, aims=tuple(text for text in s.review.sought.aims if text not in other or text in kept))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        for measure, (label, about) in _AIMS.items():
            text = of_all.get(measure)
            st.number_input(
                label,
                min_value=0.0,
                max_value=100.0,
                width=170,
                placeholder="No aim",
                help=about,
                **bound(
                    f"safe.least.aim.{measure}",
                    None if text is None else Aim.parsed(text).limit,
                    partial(set_limit, measure),
                ),
            )
        if s.review.limits.disco.absolute is not None or LIMITS in now:
            st.checkbox("The office's limit of DiSCO", **bound("safe.least.office", LIMITS in now, set_office))
    other = [text for text in now if text != LIMITS and text not in of_all.values()]
    if other:
        st.multiselect(
            "Other aims",
            other,
            select_all=False,
            format_func=lambda text: visible(Aim.parsed(text).words),
            **bound("safe.least.other", other, keep),
        )


def _is_plain(aim: Aim) -> bool:
    return aim.measure in _AIMS and not aim.target and not aim.below


def _row(name: str) -> tuple[Any, Any]:
    """Return places for a column's row: how it may be written, and in which other ways changed."""
    label, *places = st.columns([2, 3, 4], vertical_alignment="center", gap="small")
    label.markdown(name)
    return places[0], places[1]


def _keys(s: Session, came: Opened) -> None:
    """Ask, a row a key, how coarse it may become."""
    sought, lacking = s.review.sought, []

    def coarsen(name: str, ways: dict[str, Any], level: str) -> None:
        others = {key: h for key, h in s.review.sought.coarsen.items() if key != name}
        _take(s, coarsen=others if level == NEVER else {**others, name: ways[level]})

    def change(name: str, texts: list[str]) -> None:
        ways = Ways()
        for text in texts:
            ways = ways.with_(text)
        others = {key: w for key, w in s.review.sought.ways.items() if key != name}
        _take(s, ways={**others, name: ways} if ways else others)

    for name in came.study().in_data_order(s.review.keys):
        ways: dict[str, Any] = {f"up to {level}": h for level, h in least.ladder(came, name)}
        now = sought.coarsen.get(name)
        if now is not None and now not in ways.values():
            ways[f"as asked: {now}"] = now
        taken = sought.ways.get(name, Ways()).each
        offered = list(dict.fromkeys((*least.ways(came, name), *taken)))
        written, changed = _row(f"{show.literal(name)} :gray[key]")
        if ways:
            level = next((label for label, h in ways.items() if h == now), NEVER)
            written.selectbox(
                f"{show.literal(name)} written",
                [NEVER, *ways],
                format_func=visible,
                label_visibility="collapsed",
                **bound(f"safe.least.coarsen.{name}", level, partial(coarsen, name, ways)),
            )
        else:
            lacking.append(name)
            written.markdown(":gray[no coarser levels]")
        if offered:
            changed.multiselect(
                f"{show.literal(name)} changed",
                offered,
                select_all=False,
                placeholder="Changed otherwise: not",
                accept_new_options=True,
                label_visibility="collapsed",
                help="One of each kind at most acts in a chain. You can type others: top:90 and bottom:18 replace "
                "values beyond them, round:5 rounds, merge:20 makes one level of those that fewer than 20 original "
                "records have.",
                **bound(f"safe.least.ways.{name}", list(taken), partial(change, name)),
            )
    if lacking:
        st.caption(
            show.literal(
                f"Name levels on Analyses (the strongest intruder) to write these less exactly: {', '.join(lacking)}."
            )
        )


def _targets(s: Session) -> None:
    """Ask which targets' claims may be blanked or removed: a row each, or a field each of many."""
    targets, sought = list(s.now.assessment().targets), s.review.sought
    blank, remove = ([n for n in names if n in targets] for names in (sought.blank, sought.remove_claims))

    def touch(name: str, words: str) -> None:
        blanked, removed = next(pair for pair, each in _TOUCHED.items() if each == words)
        now = s.review.sought
        _take(s, blank=_with(now.blank, name, on=blanked), remove_claims=_with(now.remove_claims, name, on=removed))

    if len(targets) <= TARGETS:
        for name in targets:
            place, _ = _row(show.literal(s.picked(name)))
            words = _TOUCHED[name in blank, name in remove]
            place.selectbox(
                f"{show.literal(name)} touched",
                list(_TOUCHED.values()),
                label_visibility="collapsed",
                **bound(f"safe.least.target.{name}", words, partial(touch, name)),
            )
        return
    for label, part, names in (
        ("Targets whose claims may be blanked", "blank", blank),
        ("Targets whose claims may be removed", "remove_claims", remove),
    ):

        def take(chosen: list[str], part: str = part) -> None:
            _take(s, **{part: tuple(chosen)})

        st.multiselect(
            label,
            targets,
            select_all=False,
            format_func=s.picked,
            placeholder="None",
            **bound(f"safe.least.{part}", names, take),
        )


def _with(names: tuple[str, ...], name: str, *, on: bool) -> tuple[str, ...]:
    if on:
        return names if name in names else (*names, name)
    return tuple(each for each in names if each != name)


def _bounds(s: Session) -> None:
    """Ask how many records may be removed, and for how long is searched."""
    sought = s.review.sought
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            **number(declared(Sought, "remove"), 0.01),
            width=220,
            help="Replicated uniques, and the claims named above: at most so many % of the records of a synthesis.",
            **bound("safe.least.remove", float(sought.remove), lambda share: _take(s, remove=float(share or 0))),
        )
        st.number_input(
            **number(declared(Sought, "seconds"), 10),
            width=150,
            placeholder="Until done",
            help="The search ends then, with what was looked at, and can go on.",
            **bound("safe.least.seconds", sought.seconds, lambda n: _take(s, seconds=n)),
        )


def _searched(s: Session) -> LeastSafeguard | None:
    """Return the search; where there is none, offer it, and show how far it is; one that time ended can go on."""
    sought, found = s.review.sought, s.now.finished_least() if least.is_kept(s.now) else None
    if found is not None and not found.out_of_time:
        return found
    try:
        n = least.n_releases(s.now)
    except DisclosureError as error:
        st.caption(show.literal(str(error)))
        return None
    if not sought.aims:
        st.caption("State an aim: a limit in one of the fields above.")
        return None
    try:
        least.check(least.as_it_came(s.now), sought.aims, least.may_now(s.now))
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return None
    study = least.as_it_came(s.now).study()
    if codes := [code for name in least.may_now(s.now).keys for code in study.suggested_codes(name)]:
        pickers.ask_of_code(s, codes[0], "least")
        return None
    if found is not None:
        if not begins("Go on searching", "safe.least.on", ":material/search:", at_once=False, stopped=""):
            return found
    else:
        again = least.KIND in s.review.searched and _KEY not in s.stopped  # an opened review was searched
        if not begins(
            "Search the chains",
            _KEY,
            ":material/search:",
            at_once=again,
            stopped="The search was stopped; nothing of it is kept.",
            before=f"{n:,} combinations of coarsening and removal.",
        ):
            return None
    try:
        found = running(
            "Making ready",
            _KEY,
            lambda done, of: f"{done:,} of {of:,} releases",
            lambda told: least.searched(s.now, told, further=True),
        )
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return None
    s.update(searched=s.review.searched | {least.KIND})
    if found.out_of_time:
        st.rerun()
    return found
