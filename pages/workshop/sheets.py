"""The workshop's papers, all made of docs/workshop.md and docs/by-hand.md: one text, several views."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, Template
from markdown_it import MarkdownIt

from pages.shared import documents

TITLE = "What synthetic data still disclose"
ANSWER, SAY = "*Answer.*", "*What to say.*"
"""How the paragraphs begin that are for whoever teaches."""

_TEMPLATES = Path(__file__).parents[2] / "assets" / "workshop"


@dataclass(frozen=True)
class Slide:
    """One slide of the deck.

    Attributes
    ----------
    kind
        "title", "question" or "answer".
    heading
        The task that it belongs to; empty for the first.
    body, say
        What everybody reads, and what the teacher has to say of it, as Markdown.
    """

    kind: str
    heading: str
    body: str
    say: str = ""


def student() -> str:
    """Return the tasks without their answers."""
    return "\n\n".join(part for part in _tasks().split("\n\n") if ANSWER not in part and SAY not in part)


def teacher() -> str:
    """Return the whole text: plan, tasks, answers and what to say."""
    return documents.text("workshop")


def worksheet() -> str:
    """Return the eight records by hand with the figures to fill in."""
    text = documents.text("by-hand")
    asked = text[: text.index("What to see:")]
    tables = re.sub(
        r"^(\| (?:UiO|UiS|UiOiS|repU|Dorig|iS|DiS|DiSCO|DiSDiO) \|) .* \|$", r"\1 | ______ % |", asked, flags=re.M
    )
    return re.sub(r"^(\| [fm] \w+ \|) .* \|$", r"\1 | |", tables, flags=re.M).strip()


def slides() -> tuple[Slide, ...]:
    """Return the deck: the plan, then of each task its question, and after it the answer with what to say."""
    plan = next(part for part in teacher().split("\n\n") if part.startswith("| minutes |"))
    made = [Slide("title", "", plan)]
    for task in re.split(r"^## ", _tasks(), flags=re.M)[1:]:
        heading, _, text = task.partition("\n")
        for part in text.strip().split("\n\n"):
            last = made[-1]
            if part.startswith(ANSWER):
                made.append(Slide("answer", heading, part.removeprefix(ANSWER).strip()))
            elif part.startswith(SAY):
                said = part.removeprefix(SAY).strip()
                made[-1:] = (
                    [replace(last, say=said)]
                    if last.kind == "answer"
                    else [last, replace(last, kind="answer", say=said)]
                )
            elif last.kind == "question":
                made[-1] = replace(last, body=f"{last.body}\n\n{part}")
            else:
                made.append(Slide("question", heading, part))
    return tuple(made)


def papers() -> dict[str, bytes]:
    """Return the papers by name, each an HTML file that needs no network: to be shown, or printed."""
    deck = [replace(s, body=_html(s.body), say=_html(s.say)) for s in slides()]
    return {
        "student-sheet.html": _paper(TITLE, student()),
        "answers.html": _paper("A workshop of 45 minutes: answers", teacher()),
        "by-hand-worksheet.html": _paper("The measures by hand, on eight records", worksheet()),
        "slides.html": _template().render(title=TITLE, slides=deck).encode(),
    }


def _tasks() -> str:
    text = documents.text("workshop")
    return text[text.index("## Task 1") :]


def _paper(title: str, text: str) -> bytes:
    return _template().render(title=title, body=_html(text)).encode()


def _html(text: str) -> str:
    """Return Markdown as HTML; what is HTML in it is text."""
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text)) if text else ""


@cache
def _template() -> Template:
    return Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True).get_template("paper.html")
