"""The workshop's papers, all made of docs/workshop.md and docs/by-hand.md: one text, several views."""

from __future__ import annotations

import io
import re
import zipfile

from pages.shared import documents

ANSWERS = ("*Answer.*", "*What to say.*")
"""How the paragraphs begin that are for whoever teaches."""


def student() -> str:
    """Return the tasks without their answers."""
    text = documents.text("workshop")
    asked = text[text.index("## Task 1") :]
    return "\n\n".join(part for part in asked.split("\n\n") if not _is_answer(part))


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


def papers() -> dict[str, bytes]:
    """Return the papers as files, by name."""
    return {
        "student-sheet.md": f"# What synthetic data still give away\n\n{student()}\n".encode(),
        "answers.md": f"# A workshop of 45 minutes: answers\n\n{teacher()}\n".encode(),
        "by-hand-worksheet.md": f"# The measures by hand, on eight records\n\n{worksheet()}\n".encode(),
    }


def zipped(files: dict[str, bytes]) -> bytes:
    """Return files as one zip."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return sink.getvalue()


def _is_answer(part: str) -> bool:
    return any(mark in part for mark in ANSWERS)
