"""The workshop's papers, all made of docs/workshop.md and docs/by-hand.md: one text, several views."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, Template
from markdown_it import MarkdownIt

from disclosure_core.errors import NotEvaluated
from pages.shared import documents

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

TITLE = "What synthetic data still disclose"
INTRODUCTION = "## Minutes 0 to 5"
ANSWER, SAY = "*Answer.*", "*What to say.*"
"""How the paragraphs begin that are for whoever teaches."""

_TEMPLATES = Path(__file__).parents[2] / "assets" / "workshop"


FIGURES = {1: "keys-added", 2: "dorig-disco", 4: "members-outside-disco", 8: "risk-utility"}
"""By task, the figure of the catalogue that its slides show after the answer."""

LINES = 2
"""Lines to write on under each question of the student sheet."""


@dataclass(frozen=True)
class Task:
    """One task of the workshop.

    Attributes
    ----------
    number, heading
        From 1; the heading without its number's mark: "Task 1: keys (page Keys)".
    parts
        Its paragraphs, as Markdown: questions, answers, what to say.
    """

    number: int
    heading: str
    parts: tuple[str, ...]

    @property
    def asked(self) -> str:
        """What students read before the answer."""
        return "\n\n".join(part for part in self.parts if not part.startswith((ANSWER, SAY)))

    @property
    def with_answers(self) -> str:
        """What students read once the answer is released: without what the teacher says."""
        return "\n\n".join(part for part in self.parts if not part.startswith(SAY))


@dataclass(frozen=True)
class Slide:
    """One slide of the deck.

    Attributes
    ----------
    kind
        "title", "words", "question", "answer" or "figure".
    heading
        The task that it belongs to; empty for the first.
    body, say
        What everybody reads, and what the teacher has to say of it, as Markdown.
    figure
        A name of the catalogue of figures; empty for none.
    """

    kind: str
    heading: str
    body: str
    say: str = ""
    figure: str = ""


def tasks() -> tuple[Task, ...]:
    """Return the tasks in their order."""
    text = documents.text("workshop")
    made: list[Task] = []
    for task in re.split(r"^## (?=Task)", text, flags=re.M)[1:]:
        heading, _, rest = task.partition("\n")
        made.append(Task(len(made) + 1, heading, tuple(rest.strip().split("\n\n"))))
    return tuple(made)


def introduction() -> str:
    """Return what the words mean, which stands before the first task."""
    text = documents.text("workshop")
    begins = text.index(INTRODUCTION)
    return text[begins : text.index("## Task 1")].strip()


def student() -> str:
    """Return the words and the tasks without their answers."""
    return "\n\n".join([introduction(), *(f"## {task.heading}\n\n{task.asked}" for task in tasks())])


def teacher() -> str:
    """Return the whole text: plan, tasks, answers and what to say."""
    return documents.text("workshop")


def plan() -> str:
    """Return the table of minutes."""
    return next(part for part in teacher().split("\n\n") if part.startswith("| minutes |"))


def worksheet() -> str:
    """Return the eight records by hand with the figures to fill in."""
    text = documents.text("by-hand")
    asked = text[: text.index("What to see:")]
    tables = re.sub(
        r"^(\| (?:UiO|UiS|UiOiS|repU|Dorig|iS|DiS|DiSCO|DiSDiO) \|) .* \|$", r"\1 | ______ % |", asked, flags=re.M
    )
    return re.sub(r"^(\| [fm] \w+ \|) .* \|$", r"\1 | |", tables, flags=re.M).strip()


def slides() -> tuple[Slide, ...]:
    """Return the deck: plan, words, then of each task question, answer with what to say, and figure."""
    heading, _, words = introduction().removeprefix("## ").partition("\n")
    made = [Slide("title", "", plan()), Slide("words", heading, words.strip())]
    for task in tasks():
        for part in task.parts:
            last = made[-1]
            if part.startswith(ANSWER):
                made.append(Slide("answer", task.heading, part.removeprefix(ANSWER).strip()))
            elif part.startswith(SAY):
                say = part.removeprefix(SAY).strip()
                made[-1:] = (
                    [replace(last, say=say)] if last.kind == "answer" else [last, replace(last, kind="answer", say=say)]
                )
            elif last.kind == "question":
                made[-1] = replace(last, body=f"{last.body}\n\n{part}")
            else:
                made.append(Slide("question", task.heading, part))
        if task.number in FIGURES:
            made.append(Slide("figure", task.heading, "", figure=FIGURES[task.number]))
    return tuple(made)


def papers(address: str = "") -> dict[str, bytes]:
    """Return the papers by name, each an HTML file that needs no network: to be shown, or printed.

    Parameters
    ----------
    address
        Where the class opens the page; the student sheet has it, or a line to write it on.
    """
    deck = [
        {"slide": s, "body": _html(s.body), "say": _html(s.say), **(_drawn(s.figure) if s.figure else {})}
        for s in slides()
    ]
    script = (_TEMPLATES / "slides.js").read_text(encoding="utf-8")
    own = base64.b64encode(hashlib.sha256(f"\n{script}".encode()).digest()).decode()
    return {
        "student-sheet.html": _paper(TITLE, student(), address=address or "_" * 30, lines=LINES),
        "answers.html": _paper("A workshop of 45 minutes: answers", teacher()),
        "by-hand-worksheet.html": _paper("The measures by hand, on eight records", worksheet(), small=True),
        "slides.html": _template()
        .render(title=TITLE, slides=deck, script=script, script_hash=own, plan=_html(plan()))
        .encode(),
    }


def _drawn(name: str) -> dict[str, str]:
    """Return a figure of the demonstration survey as a PNG in the text of a page, and its alternative text."""
    from disclosure_core.figures import catalogue, paper
    from disclosure_core.figures.look import Look

    plot = catalogue.figure(_survey(), name)
    if isinstance(plot, NotEvaluated):
        raise TypeError(f"the survey has no figure {name!r}")
    png = paper.draw(plot, "png", Look("slide", dpi=100))
    return {"png": base64.b64encode(png).decode(), "sentence": plot.sentence}


@cache
def _survey() -> Opened:
    """Return the demonstration survey as the tasks speak of it: its three sets, beside its holdout."""
    from disclosure_core.review.opening import demonstration_holdout, start_demonstration
    from disclosure_core.review.parts import Holdout

    return start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))


def _paper(title: str, text: str, *, address: str = "", lines: int = 0, small: bool = False) -> bytes:
    body = _html(text)
    if lines:
        # A question is a paragraph with words in bold; its lines stay with it.
        to_write_on = '<div class="line"></div>' * lines
        body = re.sub(r"<p>(?=<strong>)(.*?)</p>", rf'<div class="asked"><p>\1</p>{to_write_on}</div>', body)
    return _template().render(title=title, body=body, address=address, small=small).encode()


def _html(text: str) -> str:
    """Return Markdown as HTML; what is HTML in it is text."""
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text)) if text else ""


@cache
def _template() -> Template:
    return Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True).get_template("paper.html")
