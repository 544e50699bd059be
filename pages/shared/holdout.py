"""The holdout: brought, split off or removed; who is compared, and why a figure of people outside is not there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.readers import Reading, prepare
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.split import reach_in_words, reach_of
from disclosure_core.parameters import declared
from disclosure_core.review import outside
from disclosure_core.review.demonstration import demonstration_holdout
from disclosure_core.review.opening import start_split
from disclosure_core.review.parts import Holdout
from disclosure_core.review.reading import read_holdout
from pages.server import allowance, configuration
from pages.shared import downloads, one_file, show
from pages.shared.numbers import number
from pages.shared.session import begin, bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session


HEADS = {
    "members": "Members",
    "non_members": "People outside",
    "difference": "Difference",
    "low": "95 % from",
    "high": "to",
    "R": "R",
}
"""How tables of both sides head their columns."""


WHO = "Records of the same population, with the same columns, that were not in the data that were synthesised."
"""Whom people outside are, where a file of them is asked for."""


def bring(s: Session) -> None:
    """Say whether there is a holdout, and offer the dialog that asks for one."""
    if s.now.data.engine:
        there = "are there too" if s.now.data.has_holdout else "would be there too; its operator names them"
        st.markdown(f"The data stay in their engine: people outside {there}.", width="content")
        return
    have = s.now.data.holdout
    with st.container(horizontal=True, vertical_alignment="center"):
        if have:
            st.markdown(f":material/group: Holdout: **{show.literal(have.name)}**", width="content")
        else:
            st.markdown(
                "No holdout yet. Figures of people outside and membership need people who were not synthesised.",
                width="content",
            )

        def ask() -> None:
            s.bringing_holdout = True

        st.button(  # of one type: another would be another button, and the focus would not come back to it
            f"Bring {'another' if have else 'a'} holdout",
            key="baseline.bring",
            icon=":material/group_add:",
            on_click=ask,
        )
        if have:
            with st.popover("Remove holdout", icon=":material/group_remove:", type="tertiary"):
                st.markdown("This removes all figures of people outside the data. You keep the file itself.")
                st.button("Remove holdout", key="baseline.remove", type="primary", on_click=s.remove_holdout)
    if s.bringing_holdout:
        _dialog(s)


def _dialog(s: Session) -> None:
    """Open the dialog that asks for a holdout; it is open until one is brought, or it is closed."""

    def closed() -> None:
        s.bringing_holdout = False

    @st.dialog(
        "People who were not synthesised",
        width="large" if s.readings else "small",
        icon=":material/group_add:",
        on_dismiss=closed,
    )
    def ask() -> None:
        st.caption(show.words("holdout")[0])
        if s.readings:
            _upload(s)
            _split(s)
        elif st.button(
            "Take the survey's own holdout",
            key="baseline.demo",
            type="primary",
            on_click=lambda: _begin_with(s, demonstration_holdout(), Holdout("demonstration")),
        ):
            st.rerun()

    ask()


def _begin_with(s: Session, reading: Reading, source: Holdout) -> None:
    """Begin with a holdout, and look at what it is for."""
    s.bring_holdout(reading, source)
    s.bringing_holdout, s.compare_view = False, ""


def _upload(s: Session) -> None:
    if one_file.ask_for_file(
        s,
        "Holdout data",
        "Use this holdout",
        "holdout",
        ("baseline.holdout", "baseline.use"),
        read_holdout,
        partial(_begin_with, s),
        WHO,
    ):
        s.bringing_holdout = False  # what was wrong with it is said on the page behind
        st.rerun()


def _split(s: Session) -> None:
    """Guide through a split: hand out the training part, and go on with it once its syntheses are there."""
    st.markdown("**No holdout?** Split the original, have only the training part synthesised, and bring the syntheses.")
    left, right = st.columns(2)
    share = left.number_input(
        **number(declared(Holdout, "share"), format="%g"), value=80.0, key="baseline.share", persist_state="session"
    )
    seed = right.number_input(
        **number(declared(Holdout, "seed")),
        value=1,
        key="baseline.seed",
        persist_state="session",
        help="Note it down: it gives the same split.",
    )
    original = s.now.data.whole or s.readings[0]

    asked = float(share or 80), int(seed or 0)

    def written(which: str) -> bytes:
        return outside.as_files(original, *asked, limits=configuration.limits())[
            outside.file_name(original, which, *asked)
        ]

    if original is s.readings[0]:
        _reach(s, *asked)
    with st.container(horizontal=True):
        for which in outside.PARTS:
            name = outside.file_name(original, which, *asked)
            downloads.offer(f"The {which} part", name, partial(written, which), key=f"{which}.part")
    st.caption(
        "Both files are as confidential as the original. Synthesise the training part with the same program and "
        "settings. The data that are released later may be made from the whole original: this measures the method."
    )
    _go_on(s, *asked)


def _go_on(s: Session, share: float, seed: int) -> None:
    """Ask for the syntheses of the training part, and go on with it."""
    given = st.file_uploader("Syntheses of the training part", accept_multiple_files=True, key="baseline.of_training")
    allowance.say_left()
    if given:
        prepare(*(file.name for file in given), limits=configuration.limits())
    place = st.empty()

    def told(sentence: str, queued: bool) -> None:
        place.caption(show.WAITING if queued else show.literal(sentence))  # where nobody listens, it ends here

    def go_on() -> None:
        files = [(file.name, file.getvalue()) for file in given]
        with s.telling():
            opened = start_split(s.now, share, seed, files, configuration.limits(), told)
            new = begin(opened, s.review)
            new.tell(
                "The review goes on with the training part; the part held out are the people outside.",
                opened.differences,
            )

    # Its key stays while other data are opened, so that the dialog sees it pressed, and closes.
    if st.button(
        "Go on with the training part",
        key="replace.split",
        type="primary",
        disabled=not given,
        on_click=go_on,
        help="Keys, groups, exclusions and limits come along; verdicts are to be confirmed. Save the review first if "
        "you want to come back to the whole original.",
    ):
        st.rerun()


def _reach(s: Session, share: float, seed: int) -> None:
    """Say of how many members a comparison will be able to tell anything, before anything is synthesised."""
    q = s.now.assessment().tables.keys.original
    asked = share, seed, list(s.review.keys), dict(s.review.grouping)
    with suppress(DisclosureError):  # of one record, which no split puts on both sides
        found = s.now.once("reach", *asked, make=lambda: reach_of(q, share / 100, seed))
        st.caption(show.literal(reach_in_words(s.review.keys, *found)))


def not_evaluated(found: NotEvaluated) -> None:
    """Say that a figure is not there, why, and what would be needed."""
    st.info(f"**Not evaluated.** {found.why} {found.needs}", icon=":material/do_not_disturb_on:")


def who_is_compared(s: Session) -> None:
    """Say how many members and others there are, and what is to be said of the holdout."""
    for sentence in s.now.not_judged:
        st.caption(show.literal(sentence))
    found = s.now.partition()
    if not isinstance(found, NotEvaluated):
        for note in found.notes:
            if note.warning:
                st.warning(show.literal(note.text), icon=":material/warning:")
            else:
                st.caption(show.literal(note.text))
        st.markdown(f"**{found.n_training:,}** members, **{found.n_holdout:,}** people outside.")


def drawn(s: Session) -> None:
    """Ask how the holdout of a file was drawn: what a difference means depends on it."""
    source = s.review.holdout
    if source is None or source.kind != "file":
        return

    def take(drawn: str | None) -> None:
        random = None if drawn is None else drawn == _DRAWN[0]
        s.change(replace(s.review, holdout=replace(source, random=random)))

    given = None if source.random is None else _DRAWN[0 if source.random else 1]
    st.radio("How was the holdout drawn?", _DRAWN, horizontal=True, **bound("baseline.drawn", given, take))


_DRAWN = ("A random part of the original", "Other people")
