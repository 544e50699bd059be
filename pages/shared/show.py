"""What stands around the figures of a page: explanations, empty states, and errors as sentences."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.column import BLANK
from disclosure_core.rounding import visible
from pages.server.logs import kind_and_place
from pages.shared import drawer

if TYPE_CHECKING:
    from disclosure_core.conclusions.headline import Headline
    from pages.shared.open_review import Session

WORDS = Path(__file__).parent / "words"
WAITING = "Waiting until other visitors' files are read …"

_LOG = logging.getLogger(__name__)


def literal(raw: str) -> str:
    """Return text from the data so that Markdown shows it letter by letter.

    Streamlit makes links, arrows, icons and emoji of words once Markdown is read; a joiner that nobody sees stops that.
    """
    text = re.sub(r"(?<= ) |^ ", "\u00a0", visible(raw))  # blanks that Markdown would take for code, or swallow
    text = _MADE_OF_WORDS.sub(lambda found: f"{found[0][0]}\u2060{found[0][1:]}", text)
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~^&=@])", r"\\\1", text)


_MADE_OF_WORDS = re.compile(
    r"://|www\.|@(?=[\w.-])|:(?=[a-z_+-][\w+/-]*(?::|$)|(?:100|1234):)|(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S)",
    re.IGNORECASE,
)
"""What makes a link of http://a, www.a and a@b.c, an icon of :material/a:, emoji of :a:, and an arrow of ->."""


def level(text: str) -> str:
    """Return a level as one is chosen: a blank one, which nobody could see, by a name."""
    return visible(text) if text.strip() else BLANK


@cache
def words(name: str) -> tuple[str, str]:
    """Return an explanation: the short text for the page, and the rest; the file parts them by a line `---`."""
    short, _, rest = (WORDS / f"{name}.md").read_text(encoding="utf-8").partition("\n---\n")
    return short.strip(), rest.strip()


def explained_by(name: str) -> None:
    """Show the first sentence of an explanation, and a sign that opens the rest in the drawer on the right."""
    explained_as(name, *words(name))


def explained_as(name: str, short: str, rest: str) -> None:
    """Show the same of an explanation that is given: of a further result, which says itself how it is read."""
    first, *more = re.split(r"(?<=[.?!]) ", short, maxsplit=1)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.caption(first, width="stretch")
        if more or rest:
            with st.container(width="content"):
                drawer.sign(name, *more, *filter(None, [rest]))


def headed(heading: str, name: str) -> None:
    """Show a heading, and beside it the sign that opens an explanation, of which no sentence is needed at first."""
    with st.container(horizontal=True, wrap=False, vertical_alignment="top", gap="small"):
        st.header(heading, width="stretch")
        with st.container(width="content"):
            drawer.sign(name, *filter(None, words(name)))


def tiles(n: int) -> list[Any]:
    """Return places for `n` large figures: beside each other, as many as have room."""
    return [st.container(horizontal=True)] * n


@contextmanager
def explained() -> Iterator[None]:
    """Show what the user can mend as a sentence, and anything else as a fault of ours without a traceback."""
    try:
        yield
    except DisclosureError as error:
        _ended(literal(str(error)))
    except Exception as error:
        if type(error).__module__.startswith("streamlit."):
            raise  # Streamlit's own signals: stop, rerun, switch page
        # The message may hold levels of the data: the log gets the type and the place only.
        _LOG.error("unexpected %s", kind_and_place(error))
        _ended("Something went wrong on our side. Reload the page; if it happens again, report what you did.")


def _ended(sentence: str) -> NoReturn:
    """Say above all that was drawn, where it is in sight, why there is no more of it."""
    with st.container(key="ended"):
        st.error(sentence, icon=":material/error:")
    st.stop()


def finding(found: Headline) -> None:
    """Show what a view shows, as its headline, and what qualifies it."""
    st.header(literal(found.text), anchor=False)
    if found.beneath:
        st.caption(literal(found.beneath))


def next_page(name: str, words: str) -> None:
    """End a page with the way to the next one."""
    st.page_link(f"{name}/page.py", label=f"Next: {words}", icon=":material/arrow_forward:")


def analysis(s: Session, short: str, question: str) -> None:
    """Lead to a question of the page Analyses."""
    if st.button(question, key=f"to.{short}", type="tertiary", icon=":material/arrow_forward:"):
        s.analysis = short
        st.switch_page("analyses/page.py")


def view(views: Mapping[str, Callable[..., None]], key: str, label: str = "View") -> Callable[..., None]:
    """Ask which part of a page to see, the first by default; only that part is computed."""
    chosen = st.radio(label, list(views), horizontal=True, key=key, persist_state="session")
    return views[chosen or next(iter(views))]


def described(s: Session, names: Iterable[str]) -> str | None:
    """Return columns with their labels, for a help; None where none has one."""
    told = [literal(s.named(name)) for name in names if s.labels.get(name)]
    return "; ".join(told) or None


def heard(s: Session) -> None:
    """Show over the page, which does not move, what was done since; what a change left out stays until it is closed."""
    done, left_out = s.hear()
    for sentence in done:
        st.toast(literal(sentence), icon=":material/check:", duration="long")
    for sentence in left_out:
        st.toast(literal(sentence), icon=":material/info:", duration="infinite")


def list_left_out(sentences: tuple[str, ...]) -> None:
    """Show what a change left out."""
    for sentence in sentences:
        st.warning(literal(sentence), icon=":material/info:")


def sentence_case(words: str) -> str:
    """Return words as a sentence begins."""
    return words[:1].upper() + words[1:]
