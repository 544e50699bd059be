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
ANSWER, SAY, SHOWN = "*Answer.*", "*What to say.*", "*The figure.*"
"""How the paragraphs begin that are for whoever teaches."""

END = "At the end"
"""What the last slide is called."""

_TEMPLATES = Path(__file__).parents[2] / "assets" / "workshop"


FIGURES = {1: "keys-added", 2: "dorig-disco", 4: "members-outside-disco", 8: "risk-utility"}
"""By task, the figure of the catalogue that its slides show before the first answer."""

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
    def question(self) -> str:
        """Its first question, without a mark of Markdown around it."""
        found = re.match(r"\*\*(.+?)\*\*", self.parts[0])
        return found.group(1) if found else self.parts[0]

    @property
    def asked(self) -> str:
        """What students read before the answer."""
        return "\n\n".join(part for part in self.parts if not part.startswith((ANSWER, SAY, SHOWN)))

    @property
    def with_answers(self) -> str:
        """What students read once the answer is released: without what the teacher says."""
        return "\n\n".join(part for part in self.parts if not part.startswith((SAY, SHOWN)))


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
    made: list[Task] = []
    for heading, parts in _sections().items():
        if heading.startswith("Task"):
            made.append(Task(len(made) + 1, heading, parts))
    return tuple(made)


def _sections() -> dict[str, tuple[str, ...]]:
    """Return the paragraphs by heading."""
    cut = (part.partition("\n") for part in re.split(r"^## ", documents.text("workshop"), flags=re.M)[1:])
    return {heading: tuple(rest.strip().split("\n\n")) for heading, _, rest in cut}


def introduction() -> str:
    """Return what the plan's words mean, as the glossary has it; it stands before the first task."""
    text = documents.text("workshop")
    begins = text.index(INTRODUCTION)
    return re.sub(r"^The words: (.+) \(.*$", _meanings, text[begins : text.index("## Task 1")].strip(), flags=re.M)


def _meanings(words: re.Match[str]) -> str:
    """Return the table of some words with what each means."""
    known = {each.casefold(): row for row in documents.terms() for each in row[0].split(", ")}
    rows = dict.fromkeys(known[word.casefold()] for word in words[1].split(", "))
    return "\n".join(["| word | what it means |", "|---|---|", *(f"| {word} | {means} |" for word, means in rows)])


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


def solution() -> str:
    """Return the eight records by hand with all figures; a paper leads nowhere, so links are words."""
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", documents.text("by-hand")).strip()


def slides() -> tuple[Slide, ...]:
    """Return the deck: plan, words, of each task question, figure, and answer with what to say; what stays."""
    heading, _, words = introduction().removeprefix("## ").partition("\n")
    made = [Slide("title", "", plan(), _BEGIN), Slide("words", heading, words.strip(), _WORDS)]
    minutes = dict(re.findall(r"^\| (\S+) \| Task (\d)", plan(), flags=re.M))
    times = {int(number): f"Minutes {span}." for span, number in minutes.items()}
    for task in tasks():
        for part in task.parts:
            last = made[-1]
            if part.startswith(ANSWER):
                made.append(Slide("answer", task.heading, part.removeprefix(ANSWER).strip()))
            elif part.startswith(SHOWN):
                say = part.removeprefix(SHOWN).strip()
                made.append(Slide("figure", task.heading, "", say, FIGURES[task.number]))
            elif part.startswith(SAY):
                say = part.removeprefix(SAY).strip()
                made[-1:] = (
                    [replace(last, say=say)] if last.kind == "answer" else [last, replace(last, kind="answer", say=say)]
                )
            elif last.kind == "question":
                made[-1] = replace(last, body=f"{last.body}\n\n{part}")
            elif last.heading == task.heading:
                made.append(Slide("question", task.heading, part, _SAME))
            else:
                made.append(Slide("question", task.heading, part, f"{times.get(task.number, _ALONE)} {_OPEN}"))
    stays, say = _sections()[END]
    made.append(Slide("end", END, stays, say.removeprefix(SAY).strip()))
    return tuple(made)


_BEGIN = "Everybody opens the address on the projector view, or scans it. Nobody gives a name."
_WORDS = "Two minutes. The student sheet has this table; keep it in sight."
_ALONE = "For those who go on alone."
_OPEN = "Open the task on the page Workshop, and wait until most have an answer."
_SAME = "Still the same task. Let them answer before you go on."
"""Notes on slides of which the plan says nothing to say."""


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
        "by-hand-solution.html": _paper("The measures by hand: solution", solution(), small=True),
        "slides.html": _template()
        .render(title=TITLE, slides=deck, script=script, script_hash=own, plan=_html(plan()))
        .encode(),
    }


def _drawn(name: str) -> dict[str, object]:
    """Return a figure of the demonstration survey as a PNG in the text of a page, its alternative text, and its rows.

    Rows are shown one by one: by how many are shown, where the figure is covered from, as a part of its height.
    """
    from disclosure_core.figures import paper
    from disclosure_core.figures.look import Look
    from disclosure_core.results import catalogue

    plot = catalogue.figure(_survey(), name)
    if isinstance(plot, NotEvaluated):
        raise TypeError(f"the survey has no figure {name!r}")
    look = Look("page", dpi=200)
    png, n = paper.draw(plot, "png", look), plot.n_parts
    found: dict[str, object] = {"png": base64.b64encode(png).decode(), "sentence": plot.sentence}
    whole, less = _height(png), _height(paper.draw(plot.part(0, n - 1), "png", look))
    if whole > less:  # a map has no rows
        end = whole - _AXIS * look.dpi / 25.4
        found |= {"cuts": [round((end - k * (whole - less)) / whole, 4) for k in range(n, -1, -1)]}
    return found


_AXIS = 8.4
"""Millimetres below the rows of a figure."""


def _height(png: bytes) -> int:
    """Return the height of a PNG in dots."""
    return int.from_bytes(png[20:24])


@cache
def _survey() -> Opened:
    """Return the demonstration survey as the tasks speak of it: its three sets, beside its holdout."""
    from disclosure_core.review.demonstration import demonstration_holdout, start_demonstration
    from disclosure_core.review.parts import Holdout

    return start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))


def _paper(title: str, text: str, *, address: str = "", lines: int = 0, small: bool = False) -> bytes:
    body = _html(text)
    if lines:
        # A question is a paragraph with words in bold; its lines stay with it. A vote needs none.
        to_write_on = '<div class="line"></div>' * lines
        body = re.sub(r"<p>(?=<strong>(?!Vote))(.*?)</p>", rf'<div class="asked"><p>\1</p>{to_write_on}</div>', body)
    return _template().render(title=title, body=body, address=address, small=small).encode()


def _html(text: str) -> str:
    """Return Markdown as HTML; what is HTML in it is text."""
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text)) if text else ""


@cache
def _template() -> Template:
    return Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True).get_template("paper.html")
