"""The status bar on every page: what is open, who looks, what is excluded, how far the review is; undo, save, menu."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.naming import middle_cut
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.report.completeness import gathered, still_open
from disclosure_core.review import intruders, reasons
from disclosure_core.rounding import visible
from pages.server import configuration
from pages.shared import downloads, handing, sets, show, sizes
from pages.shared.handing import Look
from pages.shared.session import bound, leave_if_closed, session

if TYPE_CHECKING:
    from disclosure_core.review.queue import Queue
    from pages.shared.open_review import Session

LONGEST = 28
"""Longer names of data, and of what undo takes back, are cut; the tooltip has them whole."""

ICONS = {"unanswered": ":material/help:"}
"""Of a count that stands as a number alone in a narrow window."""

UNSAVED = " (not saved)"
"""Stands after Save while the review is not saved; in a narrow window a dot does, and this for screen readers."""

_SAVE = "status_bar.save"
KEYBOARD = "Keys: Alt+N leads to the next target without a verdict, Alt+Z takes a change back."


def draw(s: Session, title: str, closing: Callable[[], None], queue: Queue | None) -> None:
    """Draw the status bar of a page; where no figure is counted yet, without a `queue`. Review has the way on in it."""
    with st.container(key="status-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, width="content", anchor=False)
        if s.opened is not None:
            _state(s, queue, beside_verdicts=title == "Review")
        st.space("stretch")
        if s.opened is not None:
            sets.choose(s)
            _undo(s)
            with st.container(width="content"):
                _save()
        if title == "Review" and queue is not None:
            _next(s, queue)
        with st.popover("Menu", type="tertiary", key=f"status_bar.menu.{title}"):  # closed on another page
            sizes.for_a_projector()
            if s.opened is not None:
                _keep_stored(s)
            if s.opened is not None:
                st.page_link("records/page.py", label="Records", icon=":material/group:")
            st.page_link("workshop/page.py", label="Workshop", icon=":material/school:")
            st.page_link("glossary/page.py", label="Glossary and formulas", icon=":material/help:")
            st.caption(KEYBOARD)
            closing()
        sizes.enlarge()


def _undo(s: Session) -> None:
    for what, name, shortcut, act in (
        ("Undo", s.undo_name, "Alt+Z", s.undo),
        ("Redo", s.redo_name, "Alt+Shift+Z", s.redo),
    ):
        st.button(  # both always, so that neither moves what a hand aims at next
            f"{what}: {show.literal(middle_cut(name, LONGEST))}" if name else what,
            key=f"review.{what.lower()}",
            icon=f":material/{what.lower()}:",
            on_click=act,
            disabled=not name,
            shortcut=shortcut,
            help=f"{what}: {show.literal(name)}" if name else None,
        )


@st.fragment
def _save() -> None:
    """Hand the whole review out as a file, from every page; a mark says that it is not saved, or is being typed.

    A part of its own, so that a click neither ends a long step nor draws the page again; it finds the session itself,
    because Streamlit keeps the function and what stands beside it.
    """
    leave_if_closed()
    s = session()
    folder = configuration.office_folder()
    if folder is not None:
        _save_in(s, folder)
        return
    handing.acknowledge(_SAVE, s.is_on_file)
    help_text = "The whole review in one file, to go on later. It names columns and levels: keep it with the original."
    if s.unsaved:
        help_text = f"What was changed since it was opened, or saved last, is not saved. {help_text}"
    look = Look("Save", doing="Saving …", icon="save", help=help_text, mark=UNSAVED, unsaved=s.unsaved)
    handing.offer(_SAVE, look, downloads.REVIEW, downloads.MIME["json"], s.to_file, s.is_on_file)


def _save_in(s: Session, folder: Path) -> None:
    """Save the review in the office's folder, at a click; after each change where the office said so."""
    if s.keep_stored and s.stored is not None and s.unsaved:
        with s.telling():
            s.store(folder)
    where = f"Saved as {s.stored.name}." if s.stored else "It is written into the folder when you click, not before."
    look = Look("Save", doing="Saving …", icon="save", help=where, mark=UNSAVED, unsaved=s.unsaved)
    was = s.stored
    if handing.act(_SAVE, look, lambda: s.store(folder), anew=False) and s.stored != was:
        st.rerun(scope="app")  # what is to be said of it stands on the page


def _keep_stored(s: Session) -> None:
    """Ask, once for all reviews of this visit, whether they are kept up to date in the folder."""
    if configuration.office_folder() is None:
        return

    def take(keep: bool) -> None:
        s.keep_stored = keep

    st.toggle(
        "Keep saved reviews up to date",
        **bound("status_bar.keep", s.keep_stored, take),
        help="A review that is saved in the folder is written there again after each change.",
    )


def _next(s: Session, queue: Queue) -> None:
    following = queue.next_open(s.target)
    st.button(
        "Next",
        key="review.next",
        icon=":material/arrow_forward:",
        type="primary",
        shortcut="Alt+N",
        on_click=s.look_at,
        args=(following,),
        disabled=following is None,
        help=f"{show.literal(following)} (Alt+N)" if following else None,
    )


def _state(s: Session, queue: Queue | None, *, beside_verdicts: bool) -> None:
    """Say what is open, who looks, what is excluded and how far the review is; by verdict where none is beside it."""
    with st.container(key="status-bar-name", width="content"):
        name = show.sentence_case(s.source) if s.review.source == "demonstration" else s.source
        st.markdown(
            f"**{show.literal(middle_cut(name, LONGEST))}**", help=show.literal(name) if len(name) > LONGEST else None
        )
    names = [k.name for k in s.review.intruders]
    if len(names) > 1:
        st.selectbox(
            "Intruder",
            names,
            format_func=visible,
            label_visibility="collapsed",
            width=150,
            **bound("status_bar.intruder", s.review.intruder, lambda name: s.change(intruders.chosen(s.review, name))),
        )
    keys, n = s.review.keys, len(s.review.keys)
    for which, words in (("all", " · ".join(keys) or "none yet"), ("few", f"{n} key{'s' * (n != 1)}")):
        with st.container(key=f"status-bar-{which}", width="content"):  # a narrow window shows the second
            st.badge(
                show.literal(middle_cut(words, 44)), icon=":material/key:", color="gray", help=show.described(s, keys)
            )
    if s.settings.keys:
        _exclusions(s, queue)
    if queue is not None:
        if beside_verdicts:
            st.badge(queue.progress, color="orange" if queue.to_confirm else "gray")
        else:
            with _counted("judged", queue.progress, due=bool(queue.to_confirm)):
                st.markdown(_by_verdict(queue))
    left = evaluated(lambda: still_open(s.now))  # where the data cannot be counted, the page says why, and leads on
    if left and not isinstance(left, NotEvaluated):
        with _counted("unanswered", f"{len(left):,} open", due=True):
            st.markdown(
                "\n".join(f"- **{show.literal(about)}**: {show.literal(what)}" for about, what in gathered(left, 3))
            )
            st.page_link("report/page.py", label="Answer on the Report page", icon=":material/arrow_forward:")


def _exclusions(s: Session, queue: Queue | None) -> None:
    """Count the exclusions; their names and reasons open."""
    out = s.settings.left_out
    names = reasons.names(out)
    if not names:
        st.badge("nothing excluded", color="gray")
        return
    missing = reasons.without_reason(out, s.review.reasons)
    waiting = () if queue is None else s.now.reasons_to_confirm()
    more = [f"{len(missing):,} without reason" if missing else "with reasons"]
    more += [f"{len(waiting):,} to confirm"] * bool(waiting)
    bracket = f"({', '.join(more)})".replace(" ", "\N{NO-BREAK SPACE}")  # stands whole, or not at all
    words = f"{len(names):,} excluded {bracket}"
    with _counted("excluded", words, due=bool(missing or waiting)):
        given = {
            name: why
            for target in s.now.study().columns
            for name, why in reasons.left_out(out, s.review.reasons, target)
        }
        st.markdown("\n".join(f"- **{show.literal(n)}**: {show.literal(given[n]) or 'no reason yet'}" for n in names))


def _by_verdict(queue: Queue) -> str:
    """Return all targets, by what was said of them."""
    of: dict[str, list[str]] = {}
    for row in queue.rows:
        name = "To confirm" if row.given and not row.judged else row.verdict.verdict if row.verdict else "No verdict"
        of.setdefault(name, []).append(row.target)
    return "\n".join(
        f"- **{show.sentence_case(name)}**: {show.literal(', '.join(targets))}" for name, targets in of.items()
    )


def _counted(what: str, words: str, *, due: bool) -> st.delta_generator.DeltaGenerator:
    """Return what opens under a count of the status bar; one that waits for an answer is orange, by its key.

    Not by Markdown: a screen reader is told the label of what opens letter by letter.
    """
    return st.popover(words, type="tertiary", key=f"status_bar.{what}{'.due' * due}", icon=ICONS.get(what))
