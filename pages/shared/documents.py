"""The documentation's own texts, where a page shows them too: one text, two places."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


@cache
def text(name: str) -> str:
    """Return docs/`name`.md without its heading; a link to another document is its words alone."""
    whole = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]+)\]\([\w-]+\.md\)", r"\1", whole.partition("\n")[2]).strip()


def terms() -> tuple[tuple[str, str], ...]:
    """Return each word of the glossary with its meaning."""
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", text("glossary"), re.MULTILINE)
    return tuple(rows[1:])
