"""What a user can cause is said in a sentence, and a test has each of these sentences.

The sentences are found in the code, those of errors and those of files (what was read, what is not kept, what a script
says of itself): of every one three words in a row stand among the texts of the tests. Errors that no other test causes
are caused here, what is said of files in `tests/core/test_notes_on_files.py`.
"""

# Inside: errors that a face comes to only from a session or a file that nobody can bring.

import ast
import base64
import io
import re
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyreadstat import write_xport

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Holdout,
    KeySet,
    Review,
    Scenario,
    Settings,
    Study,
    TableStudy,
    demo,
    open_review,
    read_holdout,
    search_subsets,
    start,
    start_demonstration,
    start_engine,
    usefulness,
)
from disclosure_core.comparison.comparison import Comparison
from disclosure_core.data.rewriters._codes import free_code
from disclosure_core.review import chains, intruders
from disclosure_core.review.outside import of_holdout
from tests.commands import disclosure
from tests.reading import Limits
from tests.reading import read_in_process as read
from tests.reports import answer
from tests.saved import from_json

ROOT = Path(__file__).parents[1]
RAISING = {"DisclosureError", "not_found"}
WORDS = 3


def words(text: str) -> list[str]:
    """Return the words of a text without what a pattern, line breaks and marks add to it."""
    return re.findall(r"[\w'’%-]+", re.sub(r"\\.|[.]\*", " ", text).casefold())


def said_by(node: ast.AST) -> list[str]:
    """Return the fixed parts of all texts in an expression."""
    found = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return [part for part in found if len(words(part)) >= WORDS]


@cache
def texts_of_tests() -> str:
    """Return the words of every text in the tests, but for what explains them."""
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        explaining = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        found += [
            n.value
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in explaining
        ]
    found += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "fidelity").glob("*.json"))]
    return "\n".join(" ".join(words(text)) for text in found)


def errors() -> list[tuple[str, list[str]]]:
    """Return where an error is made, and what is fixed of its sentence."""
    found = []
    for path in [*(ROOT / "disclosure_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in RAISING:
                parts = said_by(node)
                if parts:
                    found.append((f"{path.relative_to(ROOT)}:{node.lineno}", parts))
    return found


def sentences(path: Path) -> list[tuple[str, ...]]:
    """Return the fixed parts of each text in a file that has four words or more: no error, no explanation, no name of a part."""
    tree, silent = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        inner: list[ast.AST] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner = [node.value]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in NO_NOTES:
            inner = [node]
        elif isinstance(node, ast.JoinedStr):
            inner = [v for v in node.values if isinstance(v, ast.Constant)]
        silent |= {id(each) for found in inner for each in ast.walk(found)}
    found = []
    for node in (n for n in ast.walk(tree) if id(n) not in silent):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = [node.value]
        elif isinstance(node, ast.JoinedStr):
            parts = [str(v.value) for v in node.values if isinstance(v, ast.Constant)]
        else:
            continue
        parts = [" ".join(part.casefold().split()) for part in parts if part.strip()]
        if len(re.findall(r"[A-Za-z]{2,}", " ".join(parts))) >= 4 and " " in " ".join(parts).strip():
            found.append(tuple(parts))
    return found


NO_NOTES = {"DisclosureError", "not_found", "LookupError", "ValueError", "TypeError", "KeyError"}


def of_files() -> list[tuple[str, list[str]]]:
    """Return what is said of a file that is read, made anew, or repeated by a script."""
    core = ROOT / "disclosure_core"
    paths = [path for folder in ("readers", "rewriters") for path in sorted((core / "data" / folder).glob("*.py"))]
    found = [(path.name, list(parts)) for path in [*paths, core / "export" / "scripts.py"] for parts in sentences(path)]
    return [(place, parts) for place, parts in found if not " … ".join(parts).startswith(NOT_OF_DATA)]


NOT_OF_DATA = (
    "(grand |over)?(total", "# repeats an assessment with r's synthpop", "short <- ",
    "import sys; ",  # what a second process runs
    ": the missing values .a to .z and ._ are written",  # of SAS's own files alone, which nothing here writes
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("found", "least"), [(errors, 200), (of_files, 50)])
def test_every_sentence_is_in_a_test(found, least):
    said, lacking = texts_of_tests(), []
    for place, parts in found():
        runs = [" ".join(words(part)[i : i + WORDS]) for part in parts for i in range(len(words(part)) - WORDS + 1)]
        if runs and not any(run in said for run in runs):
            lacking.append(f"{place}: {' … '.join(parts)}")
    assert len(found()) > least
    assert not lacking, f"no test has these: {lacking}"


# ---- errors that no other test causes --------------------------------------------------------------------------------


@cache
def demonstration():
    return start_demonstration()


def two_tables() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name in "ab":
            archive.writestr(f"{name}.csv", "k\n1\n")
    return sink.getvalue()


class NoStream:
    """A table that says that it can be taken over, and cannot."""

    def __arrow_c_stream__(self, requested_schema=None):
        raise TypeError


def without_keys():
    opened = demonstration()
    return opened.with_review(replace(opened.review, intruders=(KeySet("nobody", ()),), intruder="nobody"))


def of_other_data():
    opened = start(("o.csv", b"k,t\na,x\n"), {"synthetic data": [("s.csv", b"k,t\na,x\n")]})
    return open_review(opened.review, {"o.csv": b"k,t\nb,x\n", "s.csv": b"k,t\na,x\n"})


def in_engine():
    table = ibis.memtable(pa.table({"k": ["a"], "t": ["x"]}))
    return start_engine(TableStudy(table, [table]), "a table of ours")


def stata(columns, **how) -> bytes:
    sink = io.BytesIO()
    pd.DataFrame(columns).to_stata(sink, write_index=False, **{"version": 118, **how})
    return sink.getvalue()


def no_sheet() -> bytes:
    made, sink = io.BytesIO(), io.BytesIO()
    pd.DataFrame({"k": [1]}).to_excel(made)
    with zipfile.ZipFile(made) as book, zipfile.ZipFile(sink, "w") as archive:
        for name in book.namelist():
            archive.writestr(name, re.sub(rb"<sheets>.*</sheets>", b"<sheets/>", book.read(name)))
    return sink.getvalue()


def two_alike_in_parquet():
    sink = io.BytesIO()
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), sink)
    return read(sink.getvalue(), "p.parquet")


EXPRESSIONS = base64.b64decode(
    "H4sIAAAAAAAAA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2AYsJADiMQiwAxE5jNwsAJoiuQOZUMQL1IAqx5ibmpxUCGALKqRHRVyTmJxeiquFISSxL1"
    "0oqABqAp5yzKL9eDGfwOzT18yfm5BYnJJfGZeSXFqYVosixJicWpUDFeqI9A9D+QTpDXHRggwP4DKg1V8w8A7mtSByEBAAA="
)
"""R's saveRDS(structure(list(a = expression(x, y)), class = "data.frame", row.names = 1:2))."""

SEQUENCE = base64.b64decode(
    "H4sIAAAAAAAAA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2AYsJADiMQvwNiJjCbhYETSPMl5+cWJCaXxGfmlRSnFqLJsiQlFqdCxXihJoDofyCdIKsc"
    "IhnAwP4DKg1Rw4JsFmteYm5qMZAhgCTIWIGuKjknsRhdFVdKYkmiXloR0AA05ZxF+eV6MINBLmNqgNieAnIBAH6JwDwPAQAA"
)
"""R's saveRDS of a data frame whose column is 1:100, which R writes as its ends."""

SMALL = Study(pd.DataFrame({"k": ["a"], "t": ["x"]}), [pd.DataFrame({"k": ["a"], "t": ["x"]})])
FILES = ROOT / "tests" / "core" / "files"
REVIEW = Review()
CASES = {
    "Intruder 'nobody' is not one of those in the review": lambda: intruders.chosen(REVIEW, "nobody"),
    "Key 'agee' is not one that this intruder knows. Did you mean 'age'": lambda: intruders.moved(demonstration().review, "agee", 1),
    "A review needs an intruder: add another": lambda: intruders.removed(REVIEW),
    "Give the intruder a name, such as": lambda: intruders.renamed(REVIEW, " "),
    "There is an intruder called 'a' already": lambda: intruders.renamed(intruders.added(intruders.added(REVIEW, "a"), "b"), "a"),
    "Chain of safeguards 'none' is not one of those in the review": lambda: chains.with_chain(REVIEW, "none"),
    "Give the variant a name, such as": lambda: chains.added(REVIEW, " "),
    "A split of the original names its share and its seed, and nothing else does": lambda: Holdout("file", None, 80.0, 1),
    "A split has a share above 0 and below 100 %, and a seed": lambda: Holdout("split", None, 100.0, 1),
    "There are two called 'a'; give each scenario a name of its own": lambda: replace(REVIEW, scenarios=(Scenario("a", Exclusions()),) * 2),
    "This review has no data yet: give it the original and the syntheses": lambda: open_review(REVIEW),
    "This review names no files: its data came from an engine": lambda: open_review(replace(REVIEW, source="tables")),
    "This file is damaged: a part is missing or of the wrong type": lambda: from_json('{"review": 3, "tau": NaN}'),
    "damaged at 'scenarios.0': Value error, a scenario has a name and exclusions": lambda: from_json('{"review": 3, "scenarios": [1]}'),
    "exclusions are not complete": lambda: from_json('{"review": 3, "exclusions": {"target_levels": 1}}'),
    "Value error, RoundTo has no much": lambda: from_json('{"review": 3, "chains": [{"name": "a", "steps": [{"step": "RoundTo", "much": 1}]}]}'),
    "h.zip holds 2 tables; give the holdout as a file with one": lambda: read_holdout("h.zip", two_tables()),
    "Choose keys first: without them nothing can be looked up": lambda: answer(without_keys()),
    "There is nothing to compare: bring a set of syntheses": lambda: Comparison(()),
    "Name at least one column": lambda: usefulness(demo.study(), named=()),
    "There is a variant called 'a' already; give this one another": lambda: chains.added(chains.added(REVIEW, "a"), "a"),
    "The search has no 'DCAP' of the keys; choose another measure": lambda: search_subsets(SMALL, Settings(keys=("k",))).worst("DCAP"),
    "o.csv is not the file that this review was made with: its content differs. Nothing was computed; bring the same": of_other_data,
    "it holds half a character (a surrogate alone)": lambda: from_json('{"review": 3, "name": "\\ud800"}'),
    "These data stay in their engine, where nothing can be mended or read again": lambda: in_engine().frames(),
    "These data stay in their engine, where nothing can be split": lambda: of_holdout(None, Holdout("split", None, 50.0, 1)),
    "Column 'a' of e.rds is of a kind that no table here can hold; remove it": lambda: read(EXPRESSIONS, "e.rds"),
    "s.rds has 100 rows, more than the 10 allowed; ask the operator": lambda: read(SEQUENCE, "s.rds", limits=Limits(rows=10)),
    "list.rds holds more than 1 tables; bring fewer": lambda: read((FILES / "list.rds").read_bytes(), "list.rds", limits=Limits(tables=1)),
    "w.xlsx has no sheet; save it again with one": lambda: read(no_sheet(), "w.xlsx"),
    "u.csv is not a text file, or not utf-16; give it the ending": lambda: read("a,b\n1,\x00\n".encode("utf-16"), "u.csv"),
    "d.dta has two columns called 'ab'; rename one of them": lambda: read(stata({"ab": [1], "ac": [2]}).replace(b"ac\0", b"ab\0"), "d.dta"),
    "p.parquet has two columns called 'a'; rename one of them": two_alike_in_parquet,
    "There is no code left for the merged level": lambda: free_code(set(), [{"lo": -1e6, "hi": 1e6}]),
    "could not be taken over as Arrow; give a pandas": lambda: Study(NoStream(), [pd.DataFrame({"a": [1]})]),
}  # fmt: skip


@pytest.mark.parametrize("said", CASES)
def test_an_error_is_said(said):
    with pytest.raises(DisclosureError, match=re.escape(said)):
        CASES[said]()


CALLS = {
    "A saved review is repeated by `disclosure run`; give data files here": ["assess", "r.json", "--keys", "k"],
    "A saved review names its files itself: remove the other files": ["anonymity", "r.json", "o.csv", "--keys", "k"],
    "Target 'tt' is not among those assessed. Did you mean 't'": ["look-up", "o.csv", "o.csv", "--keys", "k", "--target", "tt", "--know", "k=a"],
    "There is no synthesis 2; the last is 1": ["look-up", "o.csv", "o.csv", "--keys", "k", "--target", "t", "--know", "k=a", "--synthesis", "2"],
    "z.zip holds 2 tables; give the original as a file with one": ["split", "z.zip", "--share", "50", "--output", "parts"],
    "'t' holds long texts (strL) of Stata, of which single ones cannot": [
        "protect", "o.csv", "long.dta", "--keys", "k", "--step", "merge=t,10,Other", "--output", "safer"],
    "A level is longer than 244 letters, the most that this old file": [
        "protect", "o.csv", "old.dta", "--keys", "k", "--step", "merge=t,10," + 250 * "n", "--output", "safer"],
    "A transport file of SAS holds names of at most 32 letters": [
        "protect", "o.csv", "names.xpt", "--keys", "k", "--encoding", "latin1", "--step", "merge=t,10,Other", "--output", "safer"],
    "--share lets others in for the demonstration: add --demo": ["app", "--share"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("said", CALLS)
def test_an_error_of_a_call_is_said(said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("o.csv").write_text("k,t\na,x\nb,y\n")
    Path("r.json").write_text('{"review": 1}')
    Path("z.zip").write_bytes(two_tables())
    columns = {"k": ["a", "b"], "t": ["x", "y"]}
    Path("long.dta").write_bytes(stata(columns, convert_strl=["t"]))
    Path("old.dta").write_bytes(stata(columns, version=114))
    write_xport(pd.DataFrame(columns | {20 * "n": [1, 2]}), "names.xpt", file_format_version=8)
    named = (
        Path("names.xpt").read_bytes().replace(20 * b"n", 20 * "ä".encode("latin1"))
    )  # 40 bytes, as they are written
    Path("names.xpt").write_bytes(named)
    done = disclosure(*CALLS[said])
    assert done.exit_code == 2, done.output
    assert said in done.stderr
