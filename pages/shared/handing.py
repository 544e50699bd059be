"""Buttons whose question cannot get lost: files that are known to have arrived, and acts that are done once.

A click of a usual button is an event of one message, and a usual download is made of the run before what was typed
last. Here a click counts a number up in the browser. The number is state: it goes with every message, and whichever run
comes next answers it, in its body, after all callbacks, from what it shows. A file's bytes stay in the session, and are
sent by every run, until the browser has acknowledged their sum; only then anything is called saved. What the browser
does is in `assets/parts/hand.js`; all that it is told is the data of one pure function, `shown`.
"""

from __future__ import annotations

import json
import re
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.rounding import visible
from pages.server import handed, returning, streamlit_private
from pages.shared import show
from pages.shared.session import kept, shown_by

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.counting.subsets import Progress

PARTS = Path(__file__).parents[2] / "assets" / "parts"
LARGE = 2_000_000
"""Bytes above which a file is fetched from an address of its own: `docs/decisions/page.md` has the times of both."""

_NAME = "disclosure.parts"
_KEY = "handing"
Ask = tuple[str, int]
"""A question: the page of a browser that asks, and its number there."""


@dataclass(frozen=True)
class Look:
    """How a button looks and what it is called.

    Attributes
    ----------
    label, doing
        What it says, and what it says while its question has no answer; as ever where that is empty.
    icon, help
        The name of its icon, and what is said of it.
    primary, disabled
        Whether it is the main one, and whether it cannot be pressed.
    mark, unsaved
        What stands after its label while something is not saved, also what is being typed; and whether that is so.
    """

    label: str
    doing: str = ""
    icon: str = ""
    help: str = ""
    primary: bool = False
    disabled: bool = False
    mark: str = ""
    unsaved: bool = False


@dataclass(frozen=True)
class Told:
    """What a browser says of a button: what it asks, how often, how much was typed by then, and what arrived."""

    page: str = ""
    n: int = 0
    open: bool = False
    tries: int = 0
    inputs: int = 0
    got: tuple[int, int] | None = None


@dataclass
class File:
    """A file that is not acknowledged yet: the answer to which question, and where it can be fetched."""

    ask: Ask
    name: str
    mime: str
    held: handed.File
    crc: int
    address: str = ""
    tries: int = -1


@dataclass
class Hand:
    """One button: what was answered last, with what words or error, what is being made, and the file on its way."""

    answered: Ask = ("", 0)
    said: str = ""
    begun: Ask = ("", 0)
    stopped: Ask = ("", 0)
    error: Exception | None = None
    file: File | None = None


@dataclass
class Handing:
    """All buttons of one review: what they are of, by which a browser knows it; it goes with the review."""

    of: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    hands: dict[str, Hand] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)


def heard(said: object, of: str) -> Told:
    """Return what a browser says of a button; nothing where it speaks of what is gone, or is no browser of ours."""
    if not isinstance(said, dict) or said.get("of") != of:
        return Told()
    page, got = said.get("page"), said.get("got")
    n, tries, inputs = numbers = [said.get(name) for name in ("n", "tries", "inputs")]
    if not isinstance(page, str) or not re.fullmatch(r"[0-9a-z]{16,64}", page) or {*map(type, numbers)} != {int}:
        return Told()
    arrived = (got[0], got[1]) if isinstance(got, list) and list(map(type, got)) == [int, int] else None
    return Told(page, n or 0, said.get("open") is True, tries or 0, inputs or 0, arrived)


def waiting(hand: Hand, told: Told) -> Ask | None:
    """Return the question that has no answer yet."""
    answered = told.page == hand.answered[0] and told.n <= hand.answered[1]
    return (told.page, told.n) if told.open and told.n > 0 and not answered else None


def has_arrived(hand: Hand, told: Told) -> bool:
    """Return whether the file on its way is acknowledged: the browser has bytes of its sum."""
    file = hand.file
    return file is not None and told.got is not None and (told.page, *told.got) == (*file.ask, file.crc)


def shown(key: str, of: str, hand: Hand, told: Told, look: Look) -> bytes:
    """Return what the browser is told of a button: a line of JSON, and below it the bytes of a small file."""

    def asked(ask: Ask) -> dict[str, Any]:
        return {"page": ask[0], "n": ask[1]}

    label = visible(look.label)
    head: dict[str, Any] = {
        "key": key,
        "of": of,
        "label": label,
        "doing": look.doing,
        "icon": look.icon,
        "help": look.help,
        "primary": look.primary,
        "disabled": look.disabled,
        "mark": look.mark,
        "unsaved": look.unsaved,
        "heard": {"page": told.page, "inputs": told.inputs},
        "begun": asked(hand.begun),
        "answered": asked(hand.answered) | {"says": hand.said},
        "said": "received",
        "lost": f"{label}: not done, since other data were opened or the server was started again",
    }
    body = b""
    if (file := hand.file) is not None:
        size = len(file.held.data)
        head["file"] = asked(file.ask) | {
            "name": file.name,
            "shown": visible(file.name),
            "mime": file.mime,
            "size": size,
            "crc": file.crc,
            "address": file.address,
        }
        body = b"" if file.address else file.held.data
    return json.dumps(head).encode() + b"\n" + body


def identity() -> str:
    """Return by what a browser knows the review."""
    return _handing().of


def begin() -> None:
    """Begin a run of a page: no button is drawn yet."""
    _handing().drawn.clear()


def end() -> None:
    """End a run of a page: what a button that is not there any more had on its way is let go."""
    all_of_it = _handing()
    for key in all_of_it.hands.keys() - all_of_it.drawn:
        all_of_it.hands[key].file = None


def offer(
    key: str,
    look: Look,
    name: str,
    mime: str,
    make: Callable[[], bytes],
    arrived: Callable[[bytes], None] | None = None,
) -> None:
    """Draw a button that hands out a file that takes a moment: made in the run that answers, of what this run shows.

    Parameters
    ----------
    key, look
        Of the button.
    name, mime
        Of the file.
    make
        Makes the file, after all callbacks of the run.
    arrived
        Called with the bytes once the browser has acknowledged them.
    """
    hand, told = _acknowledged(key, arrived)
    ask = waiting(hand, told)
    if ask:
        with _answering(hand, ask):
            _hand_out(hand, ask, name, mime, make())
    _draw(key, hand, told, look, arrived)
    _say_why_not(hand)


def make(
    key: str,
    look: Look,
    name: str,
    mime: str,
    work: Callable[[Progress], bytes],
    below: DeltaGenerator,
    said: Callable[[int, int], str],
) -> None:
    """Draw a button that hands out a file that takes long: made in the page's run, with how far it is, and Stop.

    Another touch of the page begins it anew, of what was changed; leaving the page ends it.

    Parameters
    ----------
    key, look
        Of the button; that of Stop is `<key>.stop`.
    name, mime
        Of the file.
    work
        Makes the file; called with what takes its reports.
    below
        Where it is said how far it is.
    said
        Words for how much is done, of how much.
    """
    hand, told = _acknowledged(key, None)
    ask = waiting(hand, told)
    if ask:
        hand.begun, hand.stopped = ask, ("", 0)
    _draw(key, hand, told, look, None)
    if ask is None:
        if hand.stopped[1]:
            below.caption(f"You stopped it before it was made: {name}.")
        with below:
            _say_why_not(hand)
        return
    with below.container():
        bar = st.progress(0.0, f"{name}: begun …")
        st.button("Stop", key=f"{key}.stop", icon=":material/stop:", on_click=_stop, args=(hand, ask))

        def report(done: int, of: int) -> None:
            bar.progress(min(done / max(of, 1), 1.0), said(done, of))

        with _answering(hand, ask):
            _hand_out(hand, ask, name, mime, work(report))
    st.rerun()


def act(key: str, look: Look, do: Callable[[], None], *, anew: bool = True) -> bool:
    """Draw a button that does something once, after all callbacks of the run that answers; return whether it did now.

    Parameters
    ----------
    key, look
        Of the button.
    do
        What it does.
    anew
        Whether the page is to be drawn anew then, since what stands above shows what was before.
    """
    hand, told = _acknowledged(key, None)
    ask = waiting(hand, told)
    if ask:
        with _answering(hand, ask):
            do()
        if anew and hand.error is None:
            st.rerun(scope="fragment" if streamlit_private.is_part_alone() else "app")
    _draw(key, hand, told, look, None)
    _say_why_not(hand)
    return ask is not None


def acknowledge(key: str, arrived: Callable[[bytes], None] | None) -> None:
    """Take a file as received where the browser says so, before its button is drawn."""
    _acknowledged(key, arrived)


def _acknowledged(key: str, arrived: Callable[[bytes], None] | None) -> tuple[Hand, Told]:
    all_of_it = _handing()
    hand = all_of_it.hands.setdefault(key, Hand())
    said = shown_by(key)
    told = heard(said.get("told") if isinstance(said, dict) else None, all_of_it.of)
    if hand.file is not None and has_arrived(hand, told):
        data, hand.file = hand.file.held.data, None
        if arrived is not None:
            arrived(data)
    return hand, told


@contextmanager
def _answering(hand: Hand, ask: Ask) -> Iterator[None]:
    """Take a question as answered, also where its answer is an error: else every run would try again.

    A run that is ended from outside has answered nothing.
    """
    hand.said, hand.file, hand.error = "", None, None
    try:
        yield
    except Exception as error:
        if type(error).__module__.startswith("streamlit."):
            raise  # Streamlit's own signals: stop, rerun, switch page
        hand.said, hand.error = "It could not be made.", error
    hand.answered, hand.begun = ask, ("", 0)


def _say_why_not(hand: Hand) -> None:
    """Say, once its button is drawn, why something could not be made: as a sentence, or as a fault of ours."""
    error, hand.error = hand.error, None
    if isinstance(error, DisclosureError):
        st.error(show.literal(str(error)), icon=":material/error:")
    elif error is not None:
        raise error


def _hand_out(hand: Hand, ask: Ask, name: str, mime: str, data: bytes) -> None:
    cookie = returning.of(st.context.cookies)
    hand.file = File(ask, name, mime, handed.File(data, ask[0], cookie), zlib.crc32(data))


def _stop(hand: Hand, ask: Ask) -> None:
    hand.answered = hand.stopped = ask
    hand.begun, hand.said = ("", 0), "stopped"


def _draw(key: str, hand: Hand, told: Told, look: Look, arrived: Callable[[bytes], None] | None) -> None:
    all_of_it, file = _handing(), hand.file
    all_of_it.drawn.add(key)
    if file is not None and len(file.held.data) > LARGE and file.tries != told.tries:
        handed.withdraw(file.address)  # asked again: the one told before was used, or did not come
        file.address, file.tries = handed.address(file.held), told.tries
    streamlit_private.know_parts(_NAME, PARTS)
    _component()(
        key=key,
        data=shown(key, all_of_it.of, hand, told, look),
        width="content",
        height="content",
        on_told_change=partial(acknowledge, key, arrived),
    )


@cache
def _component() -> Any:
    return st.components.v2.component(_NAME, js="hand.js", css="hand.css", isolate_styles=False)


def _handing() -> Handing:
    return kept(_KEY, Handing)
