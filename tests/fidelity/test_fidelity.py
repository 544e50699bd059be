"""What is read is what is there: the same records written in ways that differ, compared by `disclosure assess`.

`cases.json` holds the cases of the fidelity workbench, `more.json` those of `make_more.py`, `more_texts.json` those of `make_texts.py`, `more_strangers.json` those of `make_strangers.py`. What must hold, by kind:
`same`, the figures in `expect` (with the keys id and x, repU = 100 says that every value stands on its own record);
`said`, a note that names the column; `refused`, status 2 and one sentence that names the file; `levels`, so many
distinct values. Kinds joined by `_or_` hold if one of them does. `says` are patterns that must stand in what is said,
`shown` the levels of the column in their order.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from disclosure_core import Study, read
from tests.commands import disclosure

HERE = Path(__file__).parent
CASES = [
    (HERE / folder, case)
    for listed, folder in (
        ("cases.json", "files"),
        ("more.json", "more"),
        ("more_texts.json", "more"),
        ("more_strangers.json", "more"),
    )
    for case in json.loads((HERE / listed).read_text(encoding="utf-8"))
]
IDS = [case["name"] for _, case in CASES]
APART = re.compile(r"damaged file|for 100 GB|last cell of the sheet|last row")
"""Cases that end the process that parses them, or take its memory: run in a process of their own."""


@pytest.fixture(autouse=True)
def _parsed_here(request, monkeypatch):
    """Parse here what ends no process, a quarter of a second less for each: a child gives the same (tests/slow/test_readers_in_child.py)."""
    if not APART.search(request.node.name):
        monkeypatch.setattr("disclosure_core.data.readers.needs_child", lambda name, limits=None: False)


def run(folder, case, tmp_path):
    """Return status, what was said, and the figures and notes as JSON; as the command line gives them."""
    out = tmp_path / "o.json"
    keys = ",".join(case["keys"])
    call = ["assess", str(folder / case["original"]), str(folder / case["synthetic"]), "--keys", keys]
    call += ["--targets", case["target"], "--json", str(out)]
    if APART.search(case["name"]):
        code = "import sys; from disclosure_core.cli.commands import main; main(sys.argv[1:])"
        done = subprocess.run([sys.executable, "-c", code, *call], capture_output=True, text=True, timeout=120)
        status, said = done.returncode, done.stdout + done.stderr
    else:
        result = disclosure(*call)
        status, said = result.exit_code, result.output
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
    return status, said, json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}


def figures(found):
    identity = found.get("tables", found).get("identity", [{}])
    return {name: value for name, value in identity[0].items() if isinstance(value, int | float)}


def column(folder, case):
    frames = [read(folder / case[side], Path(case[side]).name)[0].frame for side in ("original", "original")]
    return Study(frames[0], frames[1:]).columns[case["column"]]


def notes(folder, case, found, said):
    """Return all that was said: by the command line, and by the readers themselves."""
    lines = [line for line in said.splitlines() if line.lower().startswith(("note", "warning", "error"))]
    texts = [note if isinstance(note, str) else json.dumps(note, ensure_ascii=False) for note in found.get("notes", [])]
    read_notes = []
    if found:
        for side in ("original", "synthetic"):
            read_notes += [n for r in read(folder / case[side], Path(case[side]).name) for n in r.notes]
    return "\n".join([*lines, *texts, *read_notes])


def holds(kind, folder, case, status, said, found):
    if kind == "refused":
        return status == 2 and any(Path(case[side]).name in said for side in ("original", "synthetic"))
    if status != 0:
        return False
    if kind == "same":
        return all(abs(figures(found).get(name, -1) - value) < 1e-6 for name, value in case["expect"].items())
    if kind == "said":
        return repr(case["column"]) in notes(folder, case, found, said) or bool(case.get("says"))
    assert kind == "levels"
    return column(folder, case).n_levels == case["levels"]


@pytest.mark.parametrize(("folder", "case"), CASES, ids=IDS)
def test_what_is_read_is_what_is_there(folder, case, tmp_path):
    status, said, found = run(folder, case, tmp_path)
    assert status in (0, 2), said
    assert "Traceback" not in said
    kinds = case["kind"].split("_or_")
    assert any(holds(kind, folder, case, status, said, found) for kind in kinds), (case["why"], figures(found), said)
    told = notes(folder, case, found, said) if case.get("says") or case.get("said") else ""
    for pattern in case.get("says", []):
        assert re.search(pattern, told), (case["why"], told)
    assert told or not case.get("said"), case["why"]
    if "shown" in case and status == 0:
        assert list(column(folder, case).levels) == case["shown"]


def test_every_file_has_a_case_and_is_small():
    used = {(folder / case[side]).resolve() for folder, case in CASES for side in ("original", "synthetic")}
    for folder in ("files", "more"):
        for path in (HERE / folder).iterdir():
            assert path.resolve() in used, path.name
            assert path.stat().st_size < 20_000, path.name
