"""Adopt: the safer syntheses become the set that all pages and the report speak of; what that moves is shown before."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.review import adoption as core
from disclosure_core.review import verdicts
from disclosure_core.review.sets import LONGEST
from pages.shared import handing, show
from pages.shared.handing import Look
from pages.shared.session import bound, forget, shown_by

if TYPE_CHECKING:
    from disclosure_core.review.adoption import Adoption
    from disclosure_core.review.verdicts import Given
    from pages.shared.open_review import Session

MOST = 12
"""Verdicts asked again that are named before adopting; the others are in the table of the review."""


def adopted(s: Session) -> None:
    """Say what the set that figures speak of was adopted from, ask again for verdicts, and offer to give it up."""
    said = s.now.which_adopted
    if not said:
        return
    name = s.now.first_set

    def give_up() -> None:
        with s.telling():
            s.change(core.given_up(s.review, name))

    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/verified: {show.literal(said)}", width="stretch")
            st.button("Give it up", key="safe.give_up", on_click=give_up, help="Goes back to the set that it began as.")
        _to_confirm(s, [g for g in s.now.verdicts() if g.verdict.intruder == s.review.intruder and not g.stands])


def _to_confirm(s: Session, waiting: list[Given]) -> None:
    """Ask again for each verdict that is not carried, by itself; another one is given on Review."""
    waiting = [g for g in waiting if g.now is not None]
    if not waiting:
        return
    st.markdown(f":orange[**{_n(len(waiting))} to confirm:**]")
    for i, given in enumerate(waiting):
        v = given.verdict
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            before = f"at {v.stamp.shown}" if v.stamp else "without a figure"
            now = "" if given.now is None else given.now.shown
            figures = show.literal(f"given {before}, now {now}")
            st.markdown(f"{show.literal(v.target)}, “{v.verdict}”: {figures}", width="stretch")
            handing.act(f"safe.confirm.{i}", Look(f"Confirm {v.target}"), partial(_confirm, s, v.target))
    st.page_link("review/page.py", label="Give another verdict on Review", icon=":material/arrow_forward:")


def _confirm(s: Session, target: str) -> None:
    with s.telling():
        s.change(verdicts.confirmed(s.now, [target], dt.date.today().isoformat()))


def offer(s: Session) -> None:
    """Show what adopting the safeguards would move, by name, and offer it."""
    with st.container(border=True, key="safe-adopt"):
        try:
            found = core.adoption(s.now)
        except DisclosureError as error:
            st.error(show.literal(str(error)), icon=":material/error:")
            return
        _gone(found)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Adopt, with the name",
                max_chars=LONGEST,
                width=260,
                **bound(_name_key(s), shown_by(_name_key(s)) or found.name, lambda _: None),
            )
            look = Look(
                "Adopt as a set",
                doing="Adopting …",
                icon="verified",
                primary=True,
                help="Review, verdicts, Compare, Analyses, report and all files then show the safer syntheses.",
            )
            handing.act("safe.adopt", look, partial(_adopt, s))
        _moved(found)


def _adopt(s: Session) -> None:
    with s.telling():
        key = _name_key(s)
        found = core.adoption(s.now, shown_by(key) or "")
        take(s, found)
        forget(key)


def take(s: Session, found: Adoption) -> None:
    """Let all pages show the adopted set, and say so."""
    s.change(found.review)
    n = len(found.asked_again)
    again = f" {_n(n)} to confirm." if n else ""
    s.tell(f"All pages show {found.name!r} now.{again}")


def _name_key(s: Session) -> str:
    return f"safe.adopted_name.{s.review.chain}"


def _gone(found: Adoption) -> None:
    """Name what would not fit any more, above what adopts."""
    if n := len(found.gone):
        st.warning(
            f"{n:,} exclusion{'s do' if n > 1 else ' does'} not fit the safer data and would not be in the review any "
            f"more: {show.literal('; '.join(found.gone))}.",
            icon=":material/playlist_remove:",
        )


def _moved(found: Adoption) -> None:
    """Say which verdicts would be carried, and list the others with both figures and why they are asked again."""
    if n := len(found.carried):
        st.markdown(f":green[**{_n(n)} carried:**] no figure of {'theirs' if n > 1 else 'its target'} rises.")
    if n := len(found.asked_again):
        st.markdown(f":orange[**{_n(n)} asked again:**]")
        several = len({each.intruder for each in (*found.carried, *found.asked_again)}) > 1
        lines = [
            f"- **{show.literal(each.target)}**{f' ({show.literal(each.intruder)})' * several}: "
            f"{show.literal(f'{each.figures}; {each.why}')}"
            for each in found.asked_again[:MOST]
        ]
        st.markdown("\n".join(lines))
        if n > MOST:
            st.caption(f"And {n - MOST:,} more.")


def _n(n: int) -> str:
    return f"{n:,} verdict{'s are' if n != 1 else ' is'}"
