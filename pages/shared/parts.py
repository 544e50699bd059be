"""Tables of ours that are drawn in the browser, and act there: what is clicked or typed cannot get lost.

A part is a script of `assets/parts`, drawn from the data of one pure function. What a person does in it is an act: a
small dict, numbered by the browser. All acts that were not heard yet go with every message, so that no run that is
dropped or overtaken loses one; whichever run comes first does them, in order, each once. The browser shows them as done
until then (`assets/parts/acts.js`). What an act asks for is not trusted: who hears it looks whether it can be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.server import streamlit_private
from pages.shared.handing import PARTS, identity
from pages.shared.session import kept, shown_by

if TYPE_CHECKING:
    Act = dict[str, Any]
    Do = Callable[[Act], None]

MOST = 200
"""Acts that are heard of one message; a browser that has more waits with the rest."""


@dataclass(frozen=True)
class Heard:
    """What was done last for a part: of which page of a browser, and its number there."""

    page: str = ""
    n: int = 0


def new_acts(said: object, of: str, heard: Heard) -> tuple[list[tuple[Heard, Act]], Heard]:
    """Return the acts that were not done yet, in order, each with what is heard once it is done.

    What speaks of other data, or is no browser of ours, asks for nothing.
    """
    if not isinstance(said, dict) or said.get("of") != of:
        return [], heard
    page, acts = said.get("page"), said.get("acts")
    if not isinstance(page, str) or not re.fullmatch(r"[0-9a-z]{16,64}", page) or not isinstance(acts, list):
        return [], heard
    last = heard.n if page == heard.page else 0
    new = []
    for act in acts[:MOST]:
        if isinstance(act, dict) and type(n := act.get("n")) is int and n > last:
            last = n
            new.append((Heard(page, n), {name: value for name, value in act.items() if name != "n"}))
    return new, new[-1][0] if new else heard


def hear(key: str, do: Do) -> None:
    """Do what a person did in a part since the last run; called before anything is drawn that it changes."""
    all_heard = _all_heard()
    said = shown_by(key)
    told = said.get("told") if isinstance(said, dict) else None
    acts, _ = new_acts(told, identity(), all_heard.get(key, Heard()))
    for heard, act in acts:
        all_heard[key] = heard  # first: an act that fails is not done again by every run
        do(act)


def draw(name: str, key: str, data: dict[str, Any], do: Do, **layout: Any) -> None:
    """Draw a part.

    Parameters
    ----------
    name
        Of its script in `assets/parts`; `<name>.css` beside it is its style.
    key
        Of the widget.
    data
        What it shows, as JSON has it: no NaN.
    do
        Does what an act asks for, if it can be.
    layout
        `width` and `height`, as Streamlit has them.
    """
    component = f"disclosure.{name}"
    streamlit_private.know_parts(component, PARTS)
    heard = _all_heard().get(key, Heard())
    _component(component, name)(
        key=key,
        data={"key": key, "of": identity(), "heard": {"page": heard.page, "n": heard.n}, "shows": data},
        on_told_change=partial(hear, key, do),
        **layout,
    )


@cache
def _component(component: str, name: str) -> Any:
    return st.components.v2.component(component, js=f"{name}.js", css=f"{name}.css")


def _all_heard() -> dict[str, Heard]:
    return kept("parts", dict[str, Heard])
