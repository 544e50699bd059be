"""What is still open before a report is signed, each with the control that answers it; and what is not asked."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.completeness import Open, still_open
from disclosure_core.report.source import files_read
from disclosure_core.review import reasons, scope, verdicts
from disclosure_core.review.about import asked_about
from disclosure_core.review.assumptions import QUESTIONS
from pages.shared import handing, show
from pages.shared.handing import Look
from pages.shared.limits import limits
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from pages.shared.open_review import Session

MOST = 5
"""Verdicts to confirm that stand here; all are on Review."""

ASKED = {True: "Asked", False: "Not asked"}


def list_open(s: Session, result: Assessment) -> None:
    """List what is open, by what it is about, with its controls; what is answered stays where it was."""
    left = still_open(s.now)
    st.header("1 Complete")
    if left:
        st.markdown(f":orange[**{len(left):,} open**] What stays open is printed as open.")
    else:
        st.success("Nothing is open: every question is answered, every target judged.")
    _verdicts(s, left)
    _exclusions(s, result, left)
    _data(s, left)
    _released(s, left)
    _keys(s, result, left)
    _limits(s, left)
    _outside(s, left)
    _membership(s, left)
    _about(s, left)


def _head(words: str, left: tuple[Open, ...]) -> None:
    """Show a head, with how much is open beneath it."""
    sign = f":orange[**{len(left):,} open**]" if left else ":green[:material/check:]"
    st.markdown(f"**{words}** {sign}")


def _open_about(left: tuple[Open, ...], *about: str) -> tuple[Open, ...]:
    return tuple(each for each in left if each.about in about)


def _verdicts(s: Session, left: tuple[Open, ...]) -> None:
    """Say how far the verdicts are; those that fit others are confirmed in one act that names them, the rest alone."""
    queue, mine = s.now.queue(), _open_about(left, "verdicts")
    _head(f"{queue.progress[:1].upper()}{queue.progress[1:]}", mine)
    waiting = [row.given for row in queue.rows if row.given is not None and not row.judged]
    together = [g.verdict.target for g in verdicts.confirmable(s.now)]
    if together:
        look = Look(
            f"Confirm all {len(together)}" if len(together) > 1 else "Confirm it",
            help="Their figures are equal or lower; a leak and what needs a safeguard are never among them.",
        )
        named = ", ".join(
            f"{g.verdict.target} ({g.sentence.removesuffix(': confirm')})"
            for g in waiting
            if g.verdict.target in together
        )
        st.caption(show.literal(f"Equal or lower: {named}."))
        handing.act("report.confirm", look, partial(_confirm, s, together))
    alone = [g for g in waiting if g.verdict.target not in together and g.now is not None]
    for i, given in enumerate(alone[:MOST]):
        v = given.verdict
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            said = show.literal(f"{v.target}, “{v.verdict}”: {given.sentence.removesuffix(': confirm')}")
            st.markdown(said, width="stretch")
            handing.act(f"report.confirm.{i}", Look(f"Confirm {v.target}"), partial(_confirm, s, [v.target]))
    for each in mine:
        if each.what.startswith("“"):  # it contradicts its figure
            st.markdown(f"- {show.literal(each.what)}")
    if mine:
        st.page_link("review/page.py", label="Judge on Review", icon=":material/arrow_forward:")


def _confirm(s: Session, targets: list[str]) -> None:
    with s.telling():
        s.change(verdicts.confirmed(s.now, targets, dt.date.today().isoformat()))


def _confirm_reason(s: Session, name: str) -> None:
    with s.telling():
        s.change(reasons.confirmed(s.now, name))


def _keys(s: Session, result: Assessment, left: tuple[Open, ...]) -> None:
    """Ask why the intruder would know each key, which the report prints."""
    mine = _open_about(left, "keys")
    _head("Why would the intruder know the keys?", mine)
    for each in mine if len(s.review.intruders) > 1 else ():
        st.caption(show.literal(each.what))
    for key in result.keys.keys:
        _why(s, key.name, key.name, "They know it because …")


def _exclusions(s: Session, result: Assessment, left: tuple[Open, ...]) -> None:
    """Ask for the reasons for exclusions; those of a target without one of their own have one together."""
    out = s.settings.exclusions
    everybody = replace(out, target_levels={}, missing_targets=frozenset(), pairs={})
    names = [name for name in result.targets if out.of(name) != everybody] + list(out.names_of_all)
    if not names:
        return
    mine = _open_about(left, "exclusions")
    _head("Why is something excluded?", mine)
    given = s.review.reasons
    asked = [
        n for n in names if given.get(n) or not all(given.get(each, "").strip() for each in out.names_of(n) or (n,))
    ]
    for name in asked:
        of = f"{name}: exclusions without a reason of their own" if name in result.targets else name
        _why(s, name, of, "Everybody knows that …")
    if not asked:
        st.caption("Each exclusion has a reason of its own.")
    waiting = s.now.reasons_to_confirm()
    for i, each in enumerate(mine):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(show.literal(each.what), width="stretch")
            if each.name in waiting:  # one of another intruder is confirmed where that one is looked at
                look = Look(f"Confirm {each.name}")
                handing.act(f"report.reason.{i}", look, partial(_confirm_reason, s, each.name))


def _why(s: Session, name: str, label: str, hint: str) -> None:
    words, field = st.columns([1, 2], vertical_alignment="center")
    words.markdown(show.literal(s.named(label)))
    field.text_input(
        show.literal(label),
        placeholder=hint,
        label_visibility="collapsed",
        **bound(f"report.why.{name}", s.review.reasons.get(name, ""), partial(s.write, "reasons", name)),
    )


def _data(s: Session, left: tuple[Open, ...]) -> None:
    """Ask what the measures assume; what else the data make one ask is answered on Data."""
    mine, names = _open_about(left, "data"), {question.name for question in QUESTIONS}
    _head("What the measures assume", tuple(each for each in mine if each.name in names))
    for question in QUESTIONS:
        known = s.review.assumptions.get(question.name)
        answers = ["yes", "no"]
        st.radio(
            question.text,
            answers,
            horizontal=True,
            format_func=str.capitalize,
            width="stretch",
            **bound(f"report.assume.{question.name}", known, partial(_assume, s, question.name)),
        )
    others = tuple(each for each in mine if each.name not in names)
    if others:
        _head("Asked of the data", others)
        st.markdown("\n".join(f"- {show.literal(each.what)}" for each in others))
        st.page_link("data/page.py", label="Answer on the Data page", icon=":material/arrow_forward:")


def _assume(s: Session, name: str, answer: str | None) -> None:
    s.update(assumptions={**s.review.assumptions, name: answer or ""})


def _released(s: Session, left: tuple[Open, ...]) -> None:
    """Ask which of the syntheses is released; several are released together."""
    files = [f for f in files_read(s.now) if f.role.startswith("Synthesis ")]
    if len(files) < 2:
        return
    _head("Which of the syntheses is released?", tuple(e for e in _open_about(left, "release") if not e.name))
    labels, name = [f"{f.role}: {f.name}" for f in files], s.now.first_set
    known = [labels[i - 1] for i in s.review.released.get(name, ()) if i <= len(labels)]
    st.multiselect(
        "Which of the syntheses is released?",
        labels,
        select_all=False,
        placeholder="Not answered",
        label_visibility="collapsed",
        help="Its own figures are judged beside the mean. Several: they are released together, and each is judged.",
        **bound("report.released", known, partial(_keep, s, name, labels)),
    )


def _keep(s: Session, name: str, labels: list[str], chosen: list[str]) -> None:
    others = {other: numbers for other, numbers in s.review.released.items() if other != name}
    numbers = tuple(sorted(labels.index(label) + 1 for label in chosen))
    s.update(released={**others, **({name: numbers} if numbers else {})})


def _scope(s: Session, name: str, words: str) -> None:
    """Ask whether something is asked of this release; nobody has said so until one is chosen."""
    said = s.review.scope.get(name)

    def take(answer: str | None) -> None:
        s.change(scope.with_scope(s.review, name, None if answer is None else answer == ASKED[True]))

    st.segmented_control(
        words,
        list(ASKED.values()),
        label_visibility="collapsed",
        help=f"{scope.NOT_ASKED}: it is printed so.",
        **bound(f"report.scope.{name}", None if said is None else ASKED[said], take),
    )


def _limits(s: Session, left: tuple[Open, ...]) -> None:
    """Ask for the office's limits of what is asked of this release."""
    mine = _open_about(left, "limits")
    _head("The office's limits", mine)
    _scope(s, scope.LIMITS, "Limits of DiSCO")
    for each in mine:
        st.caption(show.literal(each.what))
    parts = dict(zip(LIMITED, (scope.LIMITS, scope.DCAP, scope.MEMBERSHIP), strict=True))
    for measure, part in parts.items():
        if scope.is_asked(s.review, part):
            limits(s, measure, "report")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("DCAP, beside people outside", width="stretch")
        _scope(s, scope.DCAP, "DCAP")


def _outside(s: Session, left: tuple[Open, ...]) -> None:
    if s.review.holdout is not None:
        return
    _head("People outside the data", _open_about(left, "people outside"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link("compare/page.py", label="Bring a holdout on Compare", icon=":material/arrow_forward:")
        _scope(s, scope.OUTSIDE, "People outside the data")


def _membership(s: Session, left: tuple[Open, ...]) -> None:
    mine = _open_about(left, "membership")
    _head("Membership", mine)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _scope(s, scope.MEMBERSHIP, "Membership")
        if mine:
            show.analysis(s, "membership", f"Answer {len(mine)} on Analyses")


def _about(s: Session, left: tuple[Open, ...]) -> None:
    """Ask what a panel wants to know of a release and no figure can tell."""
    mine = tuple(each for each in _open_about(left, "release") if each.name)
    _head("About the release", mine)

    def not_asked() -> None:
        s.update(about={**s.review.about, **{each.name: scope.NOT_ASKED for each in mine}})

    with st.expander(
        f"Questions about the release: {len(mine)} open" if mine else "Questions about the release", key="report.about"
    ):
        for label in asked_about(s.now.study().n_syntheses, s.review.holdout is not None):
            st.text_input(
                label, **bound(f"report.about.{label}", s.review.about.get(label, ""), partial(s.write, "about", label))
            )
        if mine:
            st.button(
                f"The {len(mine)} that are open are not asked" if len(mine) > 1 else "The open one is not asked",
                key="report.about_not_asked",
                on_click=not_asked,
                help=f"Each is printed as: {scope.NOT_ASKED}.",
            )
