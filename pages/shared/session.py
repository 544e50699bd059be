"""What one visitor's tab holds. This is the only file that touches Streamlit's session state.

A session is an open review (`open_review.py`), and what the browser was told of its widgets. Nothing of it outlives the
session, and nothing of it is shared with another.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import streamlit as st

from disclosure_core.review import saved
from disclosure_core.review.about import OFFICER
from pages.server import heard, sessions, streamlit_private
from pages.shared.drawn import Drawn
from pages.shared.open_review import Session

if TYPE_CHECKING:
    from streamlit.runtime.app_session import AppSession

    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

LARGER = "larger"
"""The switch for larger type, which stands beside every page."""

Held = TypeVar("Held")

_KEY = "session"
_CLOSED = "closed"
_TOLD = "told"
_DRAWN = "drawn"
"""Under which it is kept what each widget was last told."""

_PAGE = "_page"
_LINE = "Sec-Websocket-Key"
_NOTHING = object()


class _Told(NamedTuple):
    """Over which line, with which words and in which drawing a widget was told another value than it held."""

    line: str
    words: str
    n: int


def session() -> Session:
    """Return this visitor's session."""
    found: Session = st.session_state.setdefault(_KEY, Session())
    return found


def larger() -> bool:
    """Return whether words and figures are to be larger, for a projector."""
    return bool(st.session_state.get(LARGER))


def begin(opened: Opened, on_file: Review | None = None) -> Session:
    """Start anew with other data: no old figure, and no old widget but those that began it, may survive.

    `on_file` is the review as its file has it, where it was saved before; what was opened may differ from it. A new
    review has the officer's name of the one before.
    """
    before: Session | None = st.session_state.get(_KEY)
    who = "" if before is None else before.review.about.get(OFFICER, "")
    if on_file is None and who and OFFICER not in opened.review.about:  # asked once of whoever sits here
        opened = opened.with_review(replace(opened.review, about={**opened.review.about, OFFICER: who}))
    # The button that ended the review before must still be seen as pressed, or its dialog would not close.
    for key in [k for k in st.session_state if not str(k).startswith(("upload.", "replace.", LARGER))]:
        del st.session_state[key]
    new = Session(opened, _on_file=saved.to_json(on_file or opened.review))
    if before is not None:  # what was shared before of the same original is warned of; fingerprints alone
        new.handed_out = before.handed_out
        new.keep_stored = before.keep_stored
        new.outsides = before.outsides
    st.session_state[_KEY] = new
    return new


def unsaved(left: Iterable[AppSession] = ()) -> list[Session]:
    """Return this visitor's sessions that are not saved: that of this tab, and of those tabs that they `left`."""
    states: list[Any] = [st.session_state, *(visitor.session_state for visitor in left)]
    return [state[_KEY] for state in states if _KEY in state and state[_KEY].unsaved]


def empty_mine(button: str = "") -> Callable[[], object]:
    """Forget all that this visitor has, but for what a button calls; return what gives it while something holds it."""
    visitor = sessions.open_session(streamlit_private.session_id()) if sessions.running() else None
    held = _let_go(st.session_state if visitor is None else visitor.session_state)  # the one in a test of pages
    if visitor is not None:
        sessions.forget_callbacks(visitor.session_state, but=button)
    st.session_state[_CLOSED] = True
    return held


def closed() -> bool:
    """Return whether this visitor has just closed what they had; only once."""
    return bool(st.session_state.pop(_CLOSED, False))


def leave_if_closed() -> None:
    """End a part of a page that runs alone once its visitor has closed what they had: the whole app says so."""
    if _CLOSED in st.session_state:
        st.rerun(scope="app")


def empty(visitor: AppSession) -> Callable[[], object]:
    """Forget, from outside its runs, all that a visitor has; return what gives it while a run still holds on to it."""
    held = _let_go(visitor.session_state)
    sessions.forget_callbacks(visitor.session_state)
    sessions.forget_fragments(visitor)
    return held


def widgets_of(visitor: AppSession) -> Set[str]:
    """Return the widgets of which a visitor's session holds a value, by their ids."""
    state: Any = visitor.session_state
    held: Set[str] = state._old_state.keys() | state._new_widget_state.states.keys()  # noqa: SLF001
    return held


heard.WIDGETS_OF[:] = [widgets_of]


def _let_go(state: Any) -> Callable[[], object]:
    """Forget what a session's state holds; return what gives the review, which is empty, while something holds it.

    A page's own functions and the page point at each other, and the page at the review.
    """
    try:
        found: Session = state[_KEY]
    except KeyError:
        return lambda: None
    finally:
        state.clear()
    found.let_go()
    return weakref.ref(found)


def bound(key: str, value: Any, take: Callable[[Any], None], words: str = "") -> dict[str, Any]:
    """Return the arguments that tie a widget to a value kept elsewhere: it shows `value`, a change goes to `take`.

    Widgets own nothing: the value comes from the session, so that it survives a change of page, and so that loading
    settings moves the widgets. It is sent where the widget holds another or is drawn anew, until the browser has heard
    it (`heard.py`): what it is told again takes away what is being typed in a list. `words` are what a list shows of
    the value, where they change while it does not: a browser keeps the words alone, and would answer with those of
    before.
    """
    told, new = kept(_TOLD, dict[str, _Told]), drawn().is_new(key)
    line, at = st.context.headers.get(_LINE, ""), told.get(key, _Told("", "", 0))
    differs = new or st.session_state.get(key, _NOTHING) != value or (at.line, at.words) != (line, words)
    if differs or not drawn().came_whole(at.n):  # however long ago: a run that was overtaken told nobody
        told[key] = _Told(line, words, drawn().draw())
        st.session_state[key] = value

    def changed() -> None:
        if key not in st.session_state:
            return  # other data were opened by the same click, and this widget is gone with those before
        with session().telling():
            take(st.session_state[key])

    return {"key": key, "on_change": changed}


def drawn() -> Drawn:
    """Return which widgets this visitor's browser has."""
    return kept(_DRAWN, Drawn)


def on_page(name: str) -> None:
    """Tell every widget its value anew where another page is drawn: Streamlit takes it for another widget there."""
    if st.session_state.get(_PAGE) != name:
        st.session_state[_PAGE] = name
        forget(_TOLD)


def kept(key: str, made: Callable[[], Held]) -> Held:
    """Return what a part of the pages keeps of this visitor under a key, made where there is none yet."""
    if key not in st.session_state:
        st.session_state[key] = made()
    held: Held = st.session_state[key]
    return held


def shown_by(key: str) -> Any:
    """Return what a widget holds now, also where it is not drawn; None before it ever was."""
    return st.session_state.get(key)


def show_in(key: str, value: Any) -> None:
    """Let a widget, which is not drawn yet in this run, show something else."""
    st.session_state[key] = value


def forget(key: str) -> None:
    """Drop a widget's state, so that it starts from its default again."""
    st.session_state.pop(key, None)
