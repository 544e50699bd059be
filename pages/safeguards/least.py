"""The least safeguard: an aim, what may be touched, the search, its frontier, and a click that takes a chain of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.comparison.aims import Aim
from disclosure_core.comparison.ways import Ways
from disclosure_core.errors import DisclosureError
from disclosure_core.figures import frontier
from disclosure_core.review import adoption, least
from disclosure_core.review.parts import LIMITS
from disclosure_core.rounding import fixed, visible
from pages.safeguards import adopting
from pages.shared import pickers, plots, show, tables
from pages.shared.running import asked, running
from pages.shared.session import bound

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.comparison.frontier import LeastSafeguard, Point
    from disclosure_core.review.opened import Opened
    from pages.shared.session import Session

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
        _found(s, found)


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
                label, min_value=0.0, max_value=100.0, width=170, placeholder="No aim", help=about,
                **bound(f"safe.least.aim.{measure}", None if text is None else Aim.parsed(text).limit,
                        partial(set_limit, measure)),
            )  # fmt: skip
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
                f"{show.literal(name)} changed", offered, select_all=False, placeholder="Changed otherwise: not",
                accept_new_options=True, label_visibility="collapsed",
                help="One of each kind at most acts in a chain. You can type others: top:90 and bottom:18 replace "
                "values beyond them, round:5 rounds, merge:20 makes one level of those that fewer than 20 original "
                "records have.",
                **bound(f"safe.least.ways.{name}", list(taken), partial(change, name)),
            )  # fmt: skip
    if lacking:
        st.caption(
            show.literal(
                f"Name levels on Analyses (the strongest intruder) to write these less exactly: {', '.join(lacking)}."
            )
        )


def _targets(s: Session) -> None:
    """Ask which targets' claims may be blanked or removed: a row each, or a field each of many."""
    targets, sought = list(s.assessment().targets), s.review.sought
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
            label, targets, select_all=False, format_func=s.picked, placeholder="None",
            **bound(f"safe.least.{part}", names, take),
        )  # fmt: skip


def _with(names: tuple[str, ...], name: str, *, on: bool) -> tuple[str, ...]:
    if on:
        return names if name in names else (*names, name)
    return tuple(each for each in names if each != name)


def _bounds(s: Session) -> None:
    """Ask how many records may be removed, and for how long is searched."""
    sought = s.review.sought
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Records removed, at most %",
            min_value=0.0,
            max_value=100.0,
            width=220,
            help="Replicated uniques, and the claims named above: at most so many % of the records of a synthesis.",
            **bound("safe.least.remove", float(sought.remove), lambda share: _take(s, remove=float(share or 0))),
        )
        st.number_input(
            "Seconds", min_value=0.0, step=10.0, width=150, placeholder="Until done",
            help="The search ends then, with what was looked at, and can go on.",
            **bound("safe.least.seconds", sought.seconds, lambda n: _take(s, seconds=n)),
        )  # fmt: skip


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
    place = st.empty()
    with place.container():
        if found is not None:
            if not st.button("Go on searching", key="safe.least.on", icon=":material/search:"):
                return found
        else:
            stopped = "The search was stopped; nothing of it is kept."
            again = least.KIND in s.review.searched and _KEY not in s.stopped  # an opened review was searched
            if not asked(
                "Search the chains", _KEY, ":material/search:", at_once=again, stopped=stopped,
                before=f"{n:,} combinations of coarsening and removal.",
            ):  # fmt: skip
                return None
    try:
        found = running(
            "Making ready",
            _KEY,
            lambda done, of: f"{done:,} of {of:,} releases",
            lambda told: least.searched(s.now, told, further=True),
        )
    except DisclosureError as error:
        place.empty()
        st.error(show.literal(str(error)), icon=":material/error:")
        return None
    s.update(searched=s.review.searched | {least.KIND})
    place.empty()
    if found.out_of_time:
        st.rerun()
    return found


def _found(s: Session, found: LeastSafeguard) -> None:
    """Show the answer, how far was searched, the frontier as figure and table, and offer its chains."""
    say = st.success if found.cheapest else st.warning
    say(show.literal(found.sentence), icon=":material/verified:" if found.cheapest else ":material/flag:")
    st.markdown(show.literal(found.promise))
    plots.figure(frontier.describe(found), "safe.least.figure")
    chosen = least.chosen(s.review, found)
    rows = [
        {
            "n": i, "chain": p.short, "reached": p.reached, "figure": p.figure, "of": p.of, "knows": p.knows,
            "lost": p.detail_lost, "largest": p.largest, "column": p.column or tables.NONE, "removed": p.removed,
            "taken": chosen.get(i - 1, ""),
        }
        for i, p in enumerate(found.points, 1)
    ]  # fmt: skip
    tables.table(
        pd.DataFrame(rows), "The frontier: each chain discloses less than those above it, and loses more detail",
        {
            "n": st.column_config.NumberColumn("", width=40, pinned=True),
            "chain": st.column_config.TextColumn("Chain", width="large"),
            "reached": st.column_config.CheckboxColumn("Aim reached"),
            "figure": tables.percent_column("Largest figure", f"{found.unit}."),
            "of": "Of", "knows": "For who knows",
            "lost": tables.percent_column("Detail lost %", "Mean over all columns."),
            "largest": tables.percent_column("Most lost %", "Of one column."), "column": "In column",
            "removed": tables.percent_column("Removed %", "Of the records of a synthesis."), "taken": "Taken",
        },
    )  # fmt: skip
    _offer(s, found)
    for note in found.notes:
        st.caption(show.literal(note))


def _offer(s: Session, found: LeastSafeguard) -> None:
    """Offer to take one chain: as a variant, or adopted at once."""
    points = {f"{i}: {p.short}": p for i, p in enumerate(found.points, 1) if p.steps}
    if not points or least.as_it_came(s.now) is not s.now:
        return
    labels = list(points)
    nearest = next((label for label, p in points.items() if p == found.nearest), labels[0])
    key = "safe.least.point"
    label = st.selectbox(
        "Chain", labels, index=labels.index(nearest), key=key, persist_state="session", format_func=visible
    )
    point = points.get(label or nearest, points[nearest])
    st.markdown(show.literal(point.words))
    if point.seen_through:
        st.warning(
            show.literal(f"An attacker can see through this: {point.seen_through}"), icon=":material/visibility:"
        )
    with st.container(horizontal=True):
        st.button("Make it a variant", key="safe.least.variant", on_click=_variant, args=(s, point),
                  help="It is measured beside the data as they came; nothing is adopted.")  # fmt: skip
        st.button("Adopt it", key="safe.least.adopt", type="primary", icon=":material/verified:", on_click=_adopt,
                  args=(s, point), help="All pages and the report then show the safer syntheses.")  # fmt: skip
    st.caption(
        f"{fixed(point.detail_lost, 1)} % of detail lost, {fixed(point.removed, 1)} % of the records of a synthesis "
        "removed."
    )


def _variant(s: Session, point: Point) -> None:
    with s.telling():
        s.change(least.with_point(s.review, point))
        s.seeks_least = False
        s.tell(f"{s.review.chain!r} is taken: this is its effect.")


def _adopt(s: Session, point: Point) -> None:
    """Adopt a chain; where exclusions would be lost by it, it is made a variant, and adopting asks first."""
    with s.telling():
        taken = s.now.with_review(least.with_point(s.review, point))
        found = adoption.adoption(taken)
        if found.gone:
            s.change(taken.review)
            s.seeks_least = False
            s.messages += (f"{s.review.chain!r} is taken. Some exclusions do not fit it: see them, then adopt.",)
            return
        s.seeks_least = False
        adopting.take(s, found)
