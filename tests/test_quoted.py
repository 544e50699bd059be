"""What README and docs quote of the program is what the program says: its labels in italics, bold or “quotes”.

A quotation is a text of the program as a whole (a name, a number or a level may stand for what is filled in), or four
words of one in a row. What the survey holds, heads of paragraphs, and what is listed in `NO_QUOTATION` are none.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

from disclosure_core import demo

ROOT = Path(__file__).parents[1]
OWN = {"decisions.md", "changelog.md", "contributing.md"}
"""These tell of the project, and of what the program said once."""

QUOTING = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").glob("*.md") if p.name not in OWN),
           ROOT / "docs" / "api" / "index.md"]  # fmt: skip


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


QUOTED = re.compile(r"\*\*([^*]+)\*\*|(?<!\*)\*([^*\n]+)\*(?!\*)|“([^”]+)”")
HEAD = re.compile(r"^([ ]*(?:[-*]|\d+\.)[ ]|)\*\*[^*]*[.?:]\*\*(?=\s)", re.MULTILINE)
"""What a paragraph or an item begins with in bold, up to its full stop."""

NO_QUOTATION = {
    "README.md": {
        "Disclosure officers",
        "Teachers",
        "Authors",
    },
    "docs/by-hand.md": {"area", "smokes"},
    "docs/choosing-keys.md": {"Does it stay the same", "Too few", "Too many"},
    "docs/deploy.md": {"The proxy asks", "Streamlit asks"},
    "docs/glossary.md": {"30 to 34"},
    "docs/operators.md": {"The log"},
    "docs/r-users.md": {"more than"},
    "docs/reading-flags.md": {
        "illness",
        "nearly everybody says No (table 4 of the survey's own report)",
    },
    "docs/threats.md": {"Several figures at once.", "Two versions", "The officer's own words"},
}
"""By document: emphasis, names of papers and of what others make, texts of somebody else."""

ANYWHERE = {"no answer", "not applicable", "not", "everything", "measures.md 4", "q occurs in the synthetic data"}
FORMULAS = {"measures.md"}
"""Italics and bold are letters there."""


def plain(text: str) -> str:
    """Return a text without what Markdown and icons add to it."""
    return re.sub(r"\s+", " ", re.sub(r":material/\w+:|[*`_\\⚑]", "", text)).strip().rstrip(".:?!,…").strip()


@cache
def said() -> tuple[set[str], list[tuple[str, str]], str]:
    """Return what the program says: whole texts, texts with something filled in, and all of it."""
    whole = {path.parent.name.capitalize() for path in (ROOT / "pages").glob("*/page.py")}  # what the pages are called
    filled, every = [], []
    for path in [*(ROOT / "pages").rglob("*.py"), *(ROOT / "disclosure_core").rglob("*.py"), ROOT / "app.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # what explains the code
        for node in ast.walk(tree):
            if id(node) in inside:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(plain(node.value))
                every.append(plain(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [plain_inside(v.value) if isinstance(v, ast.Constant) else None for v in node.values]
                if re.search(r"[A-Za-z]{4}", "".join(part or "" for part in parts)):
                    ends = [p if p is None else p.lstrip() if i == 0 else p for i, p in enumerate(parts)]
                    pattern = "".join("[^.]{0,30}" if p is None else re.escape(p) for p in ends)
                    filled.append((max(filter(None, ends), key=len), pattern))
                every += [plain(part) for part in parts if part]
    for path in (ROOT / "assets" / "parts").glob("*.js"):  # what stands in a table of ours
        whole |= {plain(text) for text in re.findall(r'"([^"\n]+)"', path.read_text(encoding="utf-8"))}
    for path in [*(ROOT / "pages" / "shared" / "words").glob("*.md"), *(ROOT / "assets" / "report").rglob("*.*")]:
        if path.suffix in (".md", ".html", ".typ"):
            every.append(plain(path.read_text(encoding="utf-8")))
    return whole, filled, "\n".join(every)


def plain_inside(text: str) -> str:
    return re.sub(r":material/\w+:|[*`\\⚑]", "", text)


@cache
def of_survey() -> set[str]:
    """Return the survey's columns, sets and levels."""
    found = {"synthetic data"} | set(demo.original().columns)
    for column in demo.original().select_dtypes(exclude="number"):
        found |= set(demo.original()[column].dropna().astype(str))
    return found


def quotations(path: Path) -> list[str]:
    """Return what a document quotes, but for code, links' addresses and heads of paragraphs."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = HEAD.sub(r"\1", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text))
    text = re.sub(r"`[^`]*`", "`", text)
    found = [next(filter(None, groups)) for groups in QUOTED.findall(text)]
    if path.name in FORMULAS:
        found = re.findall(r"“([^”]+)”", text)
    return [quoted for quoted in found if not quoted.startswith("Table 3 of")]


def is_said(quoted: str) -> bool:
    whole, filled, every = said()
    text = plain(quoted)
    return (
        text in whole
        or text in of_survey()
        or any(fixed in text and re.fullmatch(pattern, text) for fixed, pattern in filled)
        or (len(text.split()) >= 4 and text in every)
    )


def test_what_is_quoted_is_said():
    """All documents in one: reading all texts of the program takes seconds, and each worker would do it."""
    found = {name_of(path): quotations(path) for path in QUOTING}
    unknown = {(name, quoted) for name, of in found.items() for quoted in of if not is_said(quoted)}
    listed = {(name, quoted) for name, of in NO_QUOTATION.items() for quoted in of}
    assert {(name, quoted) for name, quoted in unknown - listed if quoted not in ANYWHERE} == set()
    assert {(name, quoted) for name, quoted in listed if quoted not in found[name]} == set(), "no longer there"


def test_a_label_that_is_not_there_is_found():
    assert not is_said("Compare those files")
    assert not is_said("Include No")
    assert is_said("Compare these files")
    assert is_said("Exclude No")


def test_each_known_mutation_quotes_a_line_of_the_code_and_tests_that_are_there():
    """`tests/mutation` tries them in a long run; a line that moved, or a test that was renamed, would guard nothing till then."""
    listed = tomllib.loads((ROOT / "tests" / "mutation" / "known.toml").read_text("utf-8"))["mutation"]
    for each in listed:
        lines = [line.strip() for line in (ROOT / each["file"]).read_text("utf-8").splitlines()]
        assert lines.count(each["line"]) == 1, f"{each['file']}: {each['line']}"
        for file, _, name in (test.partition("::") for test in each["tests"]):
            assert f"def {name.partition('[')[0]}" in (ROOT / file).read_text("utf-8"), name
