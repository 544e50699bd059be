"""What stands around the figures of a page: explanations, empty states, and errors as sentences."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.column import BLANK
from pages.server.logs import kind_and_place
from pages.shared import drawer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pages.shared.session import Session

WORDS = Path(__file__).parent / "words"
WAITING = "Waiting until other visitors' files are read …"

_LOG = logging.getLogger(__name__)


def literal(raw: str) -> str:
    """Return text from the data so that Markdown shows it letter by letter."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~^&=@])", r"\\\1", raw)


def level(text: str) -> str:
    """Return a level as one is chosen: a blank one, which nobody could see, by a name."""
    return text if text.strip() else BLANK


@cache
def words(name: str) -> tuple[str, str]:
    """Return an explanation: the short text for the page, and the rest; the file parts them by a line `---`."""
    short, _, rest = (WORDS / f"{name}.md").read_text(encoding="utf-8").partition("\n---\n")
    return short.strip(), rest.strip()


def explained_by(name: str) -> None:
    """Show the first sentence of an explanation, and a sign that opens the rest in the drawer on the right."""
    short, rest = words(name)
    first, *more = re.split(r"(?<=[.?!]) ", short, maxsplit=1)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.caption(first, width="stretch")
        if more or rest:
            with st.container(width="content"):
                drawer.sign(name, *more, *filter(None, [rest]))


def tiles(n: int) -> list[Any]:
    """Return places for `n` large figures: beside each other, as many as have room."""
    return [st.container(horizontal=True)] * n


@contextmanager
def explained() -> Iterator[None]:
    """Show what the user can mend as a sentence, and anything else as a fault of ours without a traceback."""
    try:
        yield
    except DisclosureError as error:
        st.error(literal(str(error)), icon=":material/error:")
        st.stop()
    except Exception as error:
        if type(error).__module__.startswith("streamlit."):
            raise  # Streamlit's own signals: stop, rerun, switch page
        # The message may hold levels of the data: the log gets the type and the place only.
        _LOG.error("unexpected %s", kind_and_place(error))
        st.error("Something went wrong on our side. Reload the page; if it happens again, report what you did.")
        st.stop()


def next_page(name: str, words: str) -> None:
    """End a page with the way to the next one."""
    st.page_link(f"{name}/page.py", label=f"Next: {words}", icon=":material/arrow_forward:")


def view(views: Mapping[str, Callable[..., None]], key: str) -> Callable[..., None]:
    """Ask which part of a page to see, the first by default; only that part is computed."""
    chosen = st.radio("View", list(views), horizontal=True, key=key, persist_state="session")
    return views[chosen or next(iter(views))]


def described(s: Session, names: Iterable[str]) -> str | None:
    """Return columns with their labels, for a help; None where none has one."""
    told = [literal(s.named(name)) for name in names if s.labels.get(name)]
    return "; ".join(told) or None


def heard(s: Session) -> None:
    """Show what was done as asked since, and what a change left out."""
    done, left_out = s.hear()
    for sentence in done:
        st.success(literal(sentence), icon=":material/check:")
    said(left_out)


def said(sentences: tuple[str, ...]) -> None:
    """Show what a change left out."""
    for sentence in sentences:
        st.warning(literal(sentence), icon=":material/info:")


def begun(words: str) -> str:
    """Return words as a sentence begins."""
    return words[:1].upper() + words[1:]
