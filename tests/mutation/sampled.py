"""Mutants of a room, drawn at random, each run against the tests nearest to it; survivors are printed with their change.

It needs Cosmic Ray, in an environment of its own; a copy of the tree is mutated, never the tree:

    python3 -m venv build/mutants && build/mutants/bin/pip install cosmic-ray
    build/mutants/bin/python tests/mutation/sampled.py --seed 1 --mutants 30 holdout safeguards
"""

import argparse
import ast
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.modules import find_modules
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

ROOT = Path(__file__).parents[2]
PARTS = ("disclosure_core", "pages", "assets", "docs", "tests", "app.py", "house.py", "pyproject.toml", "README.md")
CORE = "tests/core/test_"

ROOMS = {
    "readers": (["data/readers"], [f"{CORE}{n}.py" for n in ("readers", "reading_exactly", "bad_input")]),
    "writers": (["data/writers.py", "data/rewriters"], [f"{CORE}writers.py", "tests/formats/test_comes_back.py"]),
    "report": (["report"], [f"{CORE}{n}.py" for n in (
        "report_sentences", "shareable", "answer", "report", "report_subsets", "exhibits", "report_protected")]),
    "tables": (["export/tables.py", "export/workbook.py", "export/as_json.py"],
               [f"{CORE}tables.py", "tests/cli/test_assess_command.py"]),
    "scripts": (["export/scripts.py"], [f"{CORE}scripts.py"]),
    "safeguards": (["protection/safeguards.py"], [f"{CORE}safeguards.py", f"{CORE}writers.py"]),
    "holdout": (["holdout"], [f"{CORE}{n}.py" for n in ("decision", "baseline", "membership")]),
    "review": (["review"], [f"{CORE}{n}.py" for n in (
        "queue", "intruders", "sets", "scenarios", "assumptions", "results", "review_value", "settings", "answer")]),
    "cli": (["cli"], [f"tests/cli/test_{n}.py" for n in ("said", "commands", "assess_command", "compare_command", "manual")]),
}  # fmt: skip
"""By room: its files under disclosure_core, and the tests nearest to them."""


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

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return None if ast.dump(node.test) == ast.dump(ast.Name("TYPE_CHECKING", ast.Load())) else node


def bare(source: str) -> str:
    """Return what a source does, as text: two that differ in annotations alone are one."""
    return ast.dump(_Bare().visit(ast.parse(source)))


def drawn(database: WorkDB, seed: int, n: int) -> tuple[list, int]:
    """Return so many mutations that change what is run, and how many there are in all."""
    items = sorted((i for i in database.work_items), key=lambda i: repr(i.mutations))
    random.Random(seed).shuffle(items)
    found = []
    for item in items:
        if len(found) == n:
            break
        (mutation,) = item.mutations
        source = mutation.module_path.read_text(encoding="utf-8")
        operator = get_operator(mutation.operator_name)(**mutation.operator_args)
        mutated = mutate_code(source, operator, mutation.occurrence)
        try:
            if mutated is not None and bare(mutated) != bare(source):
                found.append(item)
        except SyntaxError:
            continue
    return found, len(items)


def main() -> None:
    """Try so many mutants of each room that is named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS), help=", ".join(ROOMS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=30, help="of each room")
    parser.add_argument("--python", default=str(ROOT / ".venv/bin/python"), help="that runs the tests")
    parser.add_argument("--minutes", type=float, default=600, help="after which no mutant is begun")
    asked = parser.parse_args()
    ends = time.monotonic() + 60 * asked.minutes
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in PARTS:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, tree / name)
        for room in asked.rooms:
            files, tests = ROOMS[room]
            paths = list(find_modules([tree / "disclosure_core" / f for f in files]))
            command = f"env -C {tree} {asked.python} -m pytest -q -x -n 0 -p no:cacheprovider {' '.join(tests)}"
            with use_db(tree / f"{room}.sqlite", WorkDB.Mode.create) as database:
                init(paths, database, {})
                items, possible = drawn(database, asked.seed, asked.mutants)
            before = time.monotonic()
            unmutated = mutate_and_test((), command, 600)
            took = time.monotonic() - before
            if unmutated.is_killed:
                sys.exit(f"{room}: its tests fail before anything is mutated:\n{unmutated.output}")
            killed, survived = 0, []
            for item in items:
                if time.monotonic() > ends:
                    break
                result = mutate_and_test(item.mutations, command, 3 * took + 30)
                if result.is_killed:
                    killed += 1
                else:
                    survived.append(result.diff.replace(f"{tree}/", ""))
                    print(f"--- {room}: a mutant survived\n{survived[-1]}\n", flush=True)
            tried = killed + len(survived)
            print(f"=== {room}: {tried} of {possible:,} mutants tried (seed {asked.seed}), {killed} killed, "
                  f"{len(survived)} survived; its tests take {took:.0f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
