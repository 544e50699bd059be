"""One file of a table that a page asks for: people outside, or the population."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.data.readers import EXTENSIONS, prepare
from pages.server import allowance, configuration
from pages.shared import show

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def ask_for_file(
    s: Session,
    label: str,
    use: str,
    what: str,
    keys: tuple[str, str],
    read: Callable[..., tuple[Any, Any]],
    bring: Callable[[Any, Any], None],
    explained: str | None = None,
) -> bool:
    """Ask for a file and read it at a click; return whether it was clicked.

    Parameters
    ----------
    label, use, explained
        What the file is called where it is asked for, what the button says, and help.
    what
        What is said to be read.
    keys
        Of the two widgets.
    read, bring
        What reads the file for the review, such as `read_holdout`, and takes both that it gives.
    """
    types = [ending.lstrip(".") for ending in EXTENSIONS]
    given = st.file_uploader(label, type=types, key=keys[0], help=explained)
    allowance.say_left()
    if given is not None:
        prepare(given.name, limits=configuration.limits())

    def take() -> None:
        if given is None:
            return
        place = st.empty()

        def tell(queued: bool) -> None:
            place.caption(
                show.WAITING if queued else f"Reading the {what} …"
            )  # where nobody listens any more, it ends here

        with s.telling():
            bring(*read(given.name, given.getvalue(), None, configuration.limits(), tell, beside=s.review))
        place.empty()

    return st.button(use, key=keys[1], type="primary", disabled=given is None, on_click=take)
