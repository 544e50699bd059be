"""Mutants of a room, drawn at random, each run against the tests that run its line; survivors are printed with their change.

It needs Cosmic Ray and coverage, in an environment of its own; a copy of the tree is mutated, never the tree:

    python3 -m venv build/mutants && build/mutants/bin/pip install cosmic-ray coverage
    build/mutants/bin/python tests/mutation/sampled.py --seed 1 --mutants 30 holdout safeguards
"""

import argparse
import ast
import difflib
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.modules import find_modules
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

ROOT = Path(__file__).parents[2]
PARTS = (
    "disclosure_core",
    "pages",
    "assets",
    "docs",
    "tests",
    "app.py",
    "pages/navigation.py",
    "pyproject.toml",
    "README.md",
    "requirements.lock",
)
CORE = "tests/core/test_"

ROOMS = {
    "readers": (["data/readers"], [f"{CORE}{n}.py" for n in ("bad_input", "reading_exactly", "readers", "coded")]),
    "writers": (["data/writers.py", "data/rewriters"], [f"{CORE}writers.py", "tests/formats/test_comes_back.py"]),
    "report": (["report"], [f"{CORE}{n}.py" for n in (
        "report_sentences", "shareable", "answer", "report", "report_subsets", "exhibits", "report_protected", "judged",
        "checklist", "evidence", "standing", "report_least", "report_strongest")]),
    "export": ([f"export/{n}.py" for n in ("tables", "workbook", "as_json", "safer", "evidence", "archive", "demonstration")],
               [f"{CORE}{n}.py" for n in ("tables", "writers", "evidence", "typeset", "adoption", "shareable")]
               + ["tests/cli/test_assess_command.py", "tests/cli/test_manual.py"]),
    "scripts": (["export/scripts.py"], [f"{CORE}scripts.py"]),
    "protection": ([f"protection/{n}.py" for n in (
        "columns", "detail", "regrouped", "safeguards", "seen_through", "stepped", "steps", "usefulness")],
        [f"{CORE}{n}.py" for n in ("safeguards", "detail", "writers", "usefulness", "tables", "comparison", "adoption", "outsiders")]),
    "holdout": (["holdout"], [f"{CORE}{n}.py" for n in (
        "decision", "baseline", "membership", "difference", "released_together", "near_misses", "outsiders")]),
    "conclusions": (["conclusions"], [f"{CORE}{n}.py" for n in (
        "difference", "standing", "beyond_guess", "judged", "answer", "report_sentences", "queue")]),
    "verify": (["verify", "review/verified.py"] + [f"export/{n}.py" for n in (
        "recount", "recount_searches", "recount_membership", "recount_least", "verified")],
        [f"{CORE}{n}.py" for n in ("verify", "released_together", "evidence")]),
    "nearness": ([f"{n}.py" for n in (
        "counting/near_misses", "counting/tolerance", "counting/halves", "holdout/near_misses", "results/near_misses", "report/analyses")],
        [f"{CORE}near_misses.py", f"{CORE}receipts.py"]),
    "review": (["review"], [f"{CORE}{n}.py" for n in (
        "queue", "intruders", "sets", "scenarios", "assumptions", "results", "review_value", "settings", "answer",
        "adoption", "answers_file", "codebook", "references", "released_together", "reasons", "verify")]
        + [f"tests/pages/test_{n}.py" for n in ("review", "records_page", "saved_review", "searching", "compare_page", "data_page")]
        + ["tests/cli/test_said.py"]),
    "cli": (["cli"], [f"tests/cli/test_{n}.py" for n in (
        "said", "commands", "assess_command", "compare_command", "manual", "answers_command", "bundle_command",
        "doctor_command", "engine_options", "least_safeguard", "strongest_intruder_command")]),
    "figures": (["figures"], [f"{CORE}{n}.py" for n in ("paper", "catalogue", "figures_beyond", "near_misses")]),
    "counting": (["counting", "rounding.py"], [f"{CORE}{n}.py" for n in (
        "rounding", "edges", "reference", "every_figure", "settings", "subsets", "study", "whom_disco_counts")]),
    "values": (["data/values"], [f"{CORE}{n}.py" for n in ("values", "study", "coded", "agreement", "reading_exactly")]),
    "data": ([f"data/{n}.py" for n in (
        "agreement", "coded", "column", "grouping", "harmonise", "mending", "study", "suggested_keys", "suggestions")],
        [f"{CORE}{n}.py" for n in ("agreement", "coded", "grouping", "values", "study", "suggestions", "reading_exactly")]),
    "comparison": (["comparison"], [f"{CORE}comparison.py", "tests/cli/test_compare_command.py"]),
    "least": ([f"comparison/{n}.py" for n in ("aims", "frontier", "ladders", "least_safeguard", "options", "released", "ways")]
              + ["review/least.py", "report/least.py"],
              [f"{CORE}{n}.py" for n in ("least_safeguard", "least_claims", "least_ways", "released", "report_least")]
              + ["tests/cli/test_least_safeguard.py"]),
    "sensitivity": (["sensitivity", "counting/nodes.py", "counting/subsets.py", "counting/target_nodes.py"], [f"{CORE}{n}.py" for n in (
        "anonymity", "combined_release", "hierarchies", "key_subsets", "strongest_intruder", "records", "release_size", "threshold", "report_subsets",
        "population", "report_strongest")] + ["tests/cli/test_strongest_intruder_command.py"]),
    "records": (["records"], [f"{CORE}records.py", "tests/cli/test_commands.py"]),
    "engines": (["engines", "export/recount_rows.py"]
        + [f"protection/{n}.py" for n in ("in_engine", "seen_there", "written", "usefulness_there")],
        [f"tests/engines/test_{n}.py" for n in (
        "engines", "duckdb", "least", "other_engines", "outside_safer", "records", "safer", "source_page", "usefulness", "verified")]
        + [f"{CORE}sources.py", "-k", "not spark"]),  # minutes of Java: what survives DuckDB is tried on Spark by hand
    "pages": (["../pages"], [f"tests/pages/test_{n}.py" for n in (
        "agreement_page", "baseline_page", "compare_page", "data_page", "intake", "kept", "pages", "records_page", "report_page",
        "review", "saved_files", "saved_review", "searching", "sentences", "workshop_page", "closing")]),
}  # fmt: skip
"""By room: its files under disclosure_core, and the tests nearest to them."""


IN_PROCESS = ("writers",)
"""Rooms whose files are made in a process of their own, but not here: where a test of that would fail, it is not among theirs."""


class Runner:
    """Runs tests in a copy of the tree (`runner.py`)."""

    def __init__(self, python: str, tree: Path) -> None:
        self.tree, self.output, self.room = tree, tree / "output.txt", ""
        self.process = subprocess.Popen(
            [python, str(Path(__file__).with_name("runner.py"))],
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, tests: list[str], seconds: float, **more: object) -> int | None:
        """Return pytest's status; None where the seconds ran out."""
        job = {
            "tests": tests,
            "seconds": seconds,
            "output": str(self.output),
            "in_process": self.room in IN_PROCESS,
            **more,
        }
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Nearest:
    """Which tests of a room run a line, the quickest first."""

    def __init__(self, run: Runner, room: str, slow: list[str]) -> None:
        files, tests = ROOMS[room]
        self.paths = list(find_modules([(run.tree / "disclosure_core" / f).resolve() for f in files]))
        record = run.tree / "record.json"
        coverage = str(Path(importlib.util.find_spec("coverage").origin).parents[1])
        status = run(tests + slow, 1800, record=str(record), coverage=coverage, files=[str(p) for p in self.paths])
        if status != 0:
            sys.exit(f"{room}: its tests fail before anything is mutated:\n{run.output.read_text()}")
        found = json.loads(record.read_text(encoding="utf-8"))
        run([], 0, libraries=found["libraries"])
        self.seconds: dict[str, float] = found["seconds"]
        self.lines = {
            (file, int(i)): set(tests) - {""} for file, lines in found["lines"].items() for i, tests in lines.items()
        }

    def of(self, path: Path, first: int, last: int) -> tuple[list[str], bool]:
        """Return the tests of a mutation's lines, and whether they run these, not only what they are named for."""
        found = self._run(path, range(first, last + 1))
        source = path.read_text(encoding="utf-8")
        around = [
            n
            for n in ast.walk(ast.parse(source))
            if isinstance(n, ast.stmt) and n.lineno <= first and n.end_lineno >= last
        ]
        smallest = max(around, key=lambda n: n.lineno, default=None)
        if not found and smallest is not None:
            found = self._run(path, range(smallest.lineno, smallest.end_lineno + 1))
        direct = bool(found)
        if not found and smallest is not None:  # it is run when the file is imported: who uses what it names?
            names = {n.id for n in ast.walk(smallest) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            for other in self.paths:
                lines = other.read_text(encoding="utf-8").split("\n")
                found |= self._run(
                    other, [i for i, text in enumerate(lines, 1) if set(re.findall(r"\w+", text)) & names]
                )
        return sorted(found or self.seconds, key=lambda test: self.seconds[test]), direct

    def _run(self, path: Path, lines: Iterable[int]) -> set[str]:
        return set().union(*(self.lines.get((str(path), i), set()) for i in lines))


class _Bare(ast.NodeTransformer):
    """Takes away what is never run: annotations, docstrings, and imports for types."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.annotation = ast.Constant(0)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.decorator_list = []  # whether a dataclass is frozen and has slots: mypy sees to what that forbids
        self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return None if ast.dump(node.test) == ast.dump(ast.Name("TYPE_CHECKING", ast.Load())) else node


def bare(source: str) -> str:
    """Return what a source does, as text: two that differ in annotations alone are one."""
    return ast.dump(_Bare().visit(ast.parse(source)))


def drawn(database: WorkDB, seed: int, n: int) -> tuple[list, int]:
    """Return so many mutations that change what is run, one a line at most, and how many there are in all."""
    items = sorted((i for i in database.work_items), key=lambda i: repr(i.mutations))
    random.Random(seed).shuffle(items)
    found = {}
    for item in items:
        if len(found) == n:
            break
        (mutation,) = item.mutations
        place = mutation.module_path, mutation.start_pos[0]
        if place in found:
            continue
        source = mutation.module_path.read_text(encoding="utf-8")
        operator = get_operator(mutation.operator_name)(**mutation.operator_args)
        mutated = mutate_code(source, operator, mutation.occurrence)
        with suppress(SyntaxError):
            if mutated is not None and bare(mutated) != bare(source):
                found[place] = item
    return list(found.values()), len(items)


moment = count(1_000_000_000)
"""When a file was changed, in whole seconds: Python compiles one again where that differs."""


def write(path: Path, text: str) -> None:
    """Write a source, so that Python sees that it is another."""
    path.write_text(text, encoding="utf-8")
    at = next(moment)
    os.utime(path, (at, at))


def main() -> None:
    """Try so many mutants of each room that is named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS), help=", ".join(ROOMS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=30, help="of each room")
    parser.add_argument("--python", default=str(ROOT / ".venv/bin/python"), help="that runs the tests")
    parser.add_argument("--seconds", type=float, default=30, help="of tests for a mutant, the quickest first")
    parser.add_argument("--quick", action="store_true", help="leave the slow tests out; --only tries survivors on them")
    parser.add_argument("--only", default="", help="some of those drawn, by their numbers: 3,17")
    parser.add_argument("--all", action="store_true", help="print those that are killed too")
    parser.add_argument("--minutes", type=float, default=600, help="after which no mutant is begun")
    asked = parser.parse_args()
    ends = time.monotonic() + 60 * asked.minutes
    only = {int(number) for number in asked.only.split(",") if number}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in PARTS:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, tree / name)
        run = Runner(asked.python, tree)
        for room in asked.rooms:
            run.room = room
            nearest = Nearest(run, room, ["-m", "not slow"] if asked.quick else [])
            with use_db(tree / f"{room}.sqlite", WorkDB.Mode.create) as database:
                init(nearest.paths, database, {})
                items, possible = drawn(database, asked.seed, asked.mutants)
            tried = killed = 0
            for number, item in enumerate(items, 1):
                if time.monotonic() > ends:
                    break
                if only and number not in only:
                    continue
                (mutation,) = item.mutations
                path = mutation.module_path
                source = path.read_text(encoding="utf-8")
                operator = get_operator(mutation.operator_name)(**mutation.operator_args)
                mutated = mutate_code(source, operator, mutation.occurrence)
                tests, direct = nearest.of(path, mutation.start_pos[0], mutation.end_pos[0])
                took, few = 0.0, []
                for test in tests:
                    took += nearest.seconds[test]
                    if few and took > asked.seconds:
                        break
                    few.append(test)
                write(path, mutated)
                began = time.monotonic()
                status = run(few, 3 * took + 60)
                write(path, source)
                tried += 1
                killed += status != 0
                change = "".join(
                    difflib.unified_diff(
                        source.splitlines(True), mutated.splitlines(True), str(path.relative_to(tree)), "", n=2
                    )
                )
                print(f"--- {room} {number}: {'survived' if status == 0 else f'killed ({status})'}; {len(few)} of {len(tests)} tests, "
                      f"{'which run it' if direct else 'none of which runs it'}, {time.monotonic() - began:.1f} s", flush=True)  # fmt: skip
                if status == 0 or asked.all:
                    print(change, flush=True)
            print(f"=== {room}: {tried} of {possible:,} mutants tried (seed {asked.seed}), {killed} killed, "
                  f"{tried - killed} survived; its tests take {sum(nearest.seconds.values()):.0f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
