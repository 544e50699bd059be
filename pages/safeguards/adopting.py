"""Adopt: the safer syntheses become the set that all pages and the report speak of; what that moves is shown before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.review import adoption as core
from disclosure_core.review.sets import LONGEST
from disclosure_core.rounding import fixed, percent
from pages.shared import handing, show
from pages.shared.handing import Look
from pages.shared.running import asked, running
from pages.shared.session import bound, forget, shown_by

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from disclosure_core.protection.usefulness import Usefulness
    from disclosure_core.review.adoption import Adoption
    from pages.shared.session import Session

AT_ONCE = 200_000_000
"""Tables times records up to which usefulness is measured without being asked for: a second or so."""


def adopted(s: Session) -> None:
    """Say what the set that figures speak of was adopted from, and offer to give it up."""
    said = s.now.which_adopted
    if not said:
        return
    name = s.now.first_set

    def give_up() -> None:
        with s.telling():
            s.change(core.given_up(s.review, name))

    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/verified: {show.literal(said)}", width="stretch")
        st.button("Give it up", key="safe.give_up", on_click=give_up, help="Goes back to the set that it began as.")


def offer(s: Session, before: Assessment, after: Assessment) -> None:
    """Show what the safeguards gain and cost, and what adopting them would move; then offer it."""
    st.header("Adopt")
    _gain_and_cost(s, before, after)
    try:
        found = core.adoption(s.now)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return
    _moved(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Name of the new set", max_chars=LONGEST, width=320,
            **bound(_name_key(s), shown_by(_name_key(s)) or found.name, lambda _: None),
        )  # fmt: skip
        look = Look(
            "Adopt these safeguards", doing="Adopting …", icon="verified", primary=True,
            help="Review, verdicts, Baseline, Compare, report and all files then show the safer syntheses.",
        )  # fmt: skip
        handing.act("safe.adopt", look, partial(_adopt, s))


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
    again = f" {n:,} verdict{'s' * (n != 1)} to confirm on Review." if n else ""
    s.tell(f"All pages show {found.name!r} now.{again}")


def _name_key(s: Session) -> str:
    return f"safe.adopted_name.{s.review.chain}"


def _gain_and_cost(s: Session, before: Assessment, after: Assessment) -> None:
    was, now = (a.summary().set_index("target")["synthetic"] for a in (before, after))
    worst = str(was.idxmax())
    repu = [float(a.identity["repU"].mean()) for a in (before, after)]
    gained = f"repU {_to(*repu)}"
    if worst in now.index:
        gained = f"DiSCO of {show.literal(worst)}, the largest, {_to(float(was[worst]), float(now[worst]))}; {gained}"
    made = s.now.safeguarded()
    lost = fixed(100 * sum(made.n_removed) / max(sum(made.before), 1), 1)
    st.markdown(f"**Gained:** {gained}.")
    st.markdown(f"**Cost:** {show.literal(made.detail.sentence)} Synthetic records removed: {lost} %.")
    useful = _usefulness(s)
    if useful is not None:
        st.markdown(
            f"Mean S_pMSE (lower is more useful) {fixed(useful[0].mean)} before, {fixed(useful[1].mean)} after. "
            "It alone rewards merging and removing: detail lost stands beside it."
        )


def _usefulness(s: Session) -> tuple[Usefulness, Usefulness] | None:
    """Return usefulness before and after; where that takes long, offer to measure it."""
    study = s.now.study()
    n = len(study.columns)
    work = n * (n + 1) // 2 * (study.n_original + sum(study.n_synthetic)) * 2
    if not asked(
        "Measure usefulness", "safe.useful", ":material/balance:", at_once=study.holds_records and work <= AT_ONCE,
        stopped="Usefulness was stopped.", before="Every table of two columns, twice over: this may take a while.",
    ):  # fmt: skip
        return None
    return running(
        "Counting the tables", "safe.useful", lambda done, of: f"Counting the tables: {100 * done // max(of, 1)} %",
        lambda told: (s.now.usefulness(None, told), s.now.usefulness_after_safeguards(None, told)),
    )  # fmt: skip


def _moved(found: Adoption) -> None:
    """List by name, before anything is adopted, what would not fit any more and what would be asked again."""
    if found.gone:
        st.warning(
            f"{len(found.gone):,} exclusion{'s do' if len(found.gone) > 1 else ' does'} not fit the safer data and "
            f"would not be in the review any more: {show.literal('; '.join(found.gone))}.",
            icon=":material/playlist_remove:",
        )
    if found.asked_again:
        n, targets = len(found.asked_again), [f"{target}: {said}" for _, target, said in found.asked_again]
        st.warning(
            f"{n:,} verdict{'s' * (n > 1)} would ask to be confirmed: {show.literal('; '.join(targets))}.",
            icon=":material/gavel:",
        )
    if n := len(found.kept):
        st.caption(f"{n:,} verdict{'s stand' if n > 1 else ' stands'}: the figure does not move.")


def _to(before: float, after: float) -> str:
    return f"from {percent(fixed(before))} to {percent(fixed(after))}"
