"""Tests meet the program by its faces; what reaches inside is counted, and says why (docs/decisions/tests.md)."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST = 279
"""Import lines that reach inside, as counted now: lower it with them, never raise it."""


def documented() -> tuple[set[str], set[tuple[str, str]]]:
    """Return the modules and objects that docs/api names, but for inside.md, and what README and docs import."""
    pages = [page for page in (ROOT / "docs/api").glob("*.md") if page.name != "inside.md"]
    told = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    places = set(re.findall(r"auto(?:module|class|function|exception|data):: (disclosure_core[\w.]*)", told))
    whole = re.findall(r"```\{modules\}\n(.*?)```", told, re.DOTALL)
    places |= {f"disclosure_core.{name}" for names in whole for name in names.split()}
    code = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    lines = re.findall(r"^from (disclosure_core[\w.]*) import (.+)$", code, re.MULTILINE)
    return places, {(module, name.strip()) for module, names in lines for name in names.split(",")}


PLACES, CODE = documented()


def is_public(module: str, name: str) -> bool:
    if module == "disclosure_core" or (module, name) in {*CODE, ("disclosure_core.cli", "main")}:
        return True
    return not name.startswith("_") and (module in PLACES or f"{module}.{name}" in PLACES)


def reaching_inside(text: str) -> list[int]:
    """Return the lines of a test's imports of what no face has."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("disclosure_core", "pages")
        if not all(is_public(node.module, each.name) for each in node.names)
    ]


WHY = re.compile(r"^# Inside: \S.{10}.*\.$", re.MULTILINE)


@cache
def inside() -> dict[str, tuple[list[int], bool]]:
    """Return which lines of each test reach inside, and whether it says why."""
    texts = {p.relative_to(ROOT).as_posix(): p.read_text("utf-8") for p in sorted((ROOT / "tests").rglob("*.py"))}
    return {name: (reaching_inside(text), bool(WHY.search(text))) for name, text in texts.items()}


def test_fewer_and_fewer_imports_reach_inside():
    n = sum(len(lines) for lines, _ in inside().values())
    assert n <= MOST, "use a face, or what tests share of the subject: reports, saved, written, commands, having"
    assert n > MOST - 10, f"{n} lines reach inside now: lower MOST to it"


def test_what_reaches_inside_says_why_and_nothing_else_does():
    assert [name for name, (lines, said) in inside().items() if said != bool(lines)] == []


def test_an_import_of_what_is_inside_is_seen():
    assert reaching_inside("from disclosure_core import assess\nfrom disclosure_core.report import Look") == []
    planted = "from disclosure_core.review import meeting\n\n\ndef later():\n    from pages.shared import session"
    assert reaching_inside(planted) == [1, 5]
    assert reaching_inside("from disclosure_core.data.readers import read, _parent") == [1]
