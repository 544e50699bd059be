"""Install the wheel as an office may, the core alone and each extra alone, and use what it brings.

What it does not bring must be one sentence with the command that installs it; that command, asked for without carrying
it out, must name what is missing. Each environment is new, and the project's folder is not on its path.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 1200

DATA = """
from disclosure_core.cli import main
main(["demo", "--output", ".", "--quiet"])
"""
CORE = """
import pyarrow.csv, pyarrow.feather, pyarrow.parquet
for name in ("original", "synthetic_1"):
    table = pyarrow.csv.read_csv(name + ".csv")
    pyarrow.parquet.write_table(table, name + ".parquet")
    pyarrow.feather.write_feather(table, name + ".arrow")
"""
SPSS = """
import pandas, pyreadstat
for name in ("original", "synthetic_1"):
    table = pandas.read_csv(name + ".csv")[["sex", "age", "region", "marital"]]
    pyreadstat.write_sav(table, name + ".sav")
    table.to_excel(name + ".xlsx", index=False, engine="xlsxwriter")
"""
LACKS_IBIS = """
from importlib.util import find_spec
assert not any(map(find_spec, ("ibis", "sqlglot")))
"""
IN_MEMORY = """
import ibis, pandas
from disclosure_core import Settings, assess
from disclosure_core.engines.table_study import TableStudy
link = ibis.sqlite.connect()
tables = [link.create_table(name, pandas.read_csv(name + ".csv")) for name in ("original", "synthetic_1")]
print(assess(TableStudy(tables[0], tables[1:]), Settings(keys=("sex", "age"))).identity)
"""
SERVED = """
import subprocess, sys, time, urllib.request
server = subprocess.Popen([sys.executable, "-m", "disclosure_core", "app", "--demo", "--no-browser", "--port", "8643"])
try:
    for _ in range(300):
        try:
            assert urllib.request.urlopen("http://127.0.0.1:8643/_stcore/health", timeout=1).read() == b"ok"
            break
        except OSError:
            assert server.poll() is None
            time.sleep(0.2)
    else:
        raise SystemExit("the app does not answer")
finally:
    server.terminate()
    server.wait()
"""


def _assess(ending: str, *more: str) -> tuple[str, ...]:
    return ("assess", f"original{ending}", f"synthetic_1{ending}", "--keys", "sex,age", "--targets", "marital",
            "--quiet", *more)  # fmt: skip


WORKS = {
    "": [
        _assess(".csv", "--json", "f.json", "--save", "r.json", "--script", "s.py"),
        _assess(".parquet"), _assess(".arrow"), ("tau", "original.csv", "synthetic_1.csv", "--keys", "sex", "--quiet"),
        ("doctor",),
    ],
    "files": [SPSS, _assess(".sav"), _assess(".xlsx"), _assess(".csv", "--workbook", "w.xlsx")],
    "report": [_assess(".csv", "--report", "r.pdf"), _assess(".csv", "--report", "r.html"),
               _assess(".csv", "--figures", "figures")],
    "duckdb": [LACKS_IBIS, _assess(".csv", "--engine", "duckdb"), _assess(".parquet", "--engine", "duckdb")],
    "ibis": [IN_MEMORY],
    "app": [SERVED, SPSS, _assess(".sav", "--report", "r.pdf", "--workbook", "w.xlsx")],
}  # fmt: skip
"""By extra: commands that it makes possible, and code."""

LACKS = {
    "": [(_assess(".csv", "--workbook", "w.xlsx"), "files"), (_assess(".csv", "--report", "r.pdf"), "report"),
         (_assess(".csv", "--figures", "figures"), "report"), (("app", "--no-browser"), "app")],
    "files": [(_assess(".csv", "--report", "r.html"), "report"), (("app", "--no-browser"), "app")],
    "report": [(_assess(".csv", "--workbook", "w.xlsx"), "files"), (("app", "--no-browser"), "app")],
    "duckdb": [(("app", "--no-browser"), "app")],
    "ibis": [(("app", "--no-browser"), "app"), (_assess(".csv", "--engine", "duckdb"), "duckdb")],
    "app": [],
}  # fmt: skip
"""By extra: commands that must name another."""

LARGEST = {"": 300}
"""Megabytes at most of what is installed, without the bytecode that Python makes of it."""


def _pip(environment: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(environment), *arguments],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"pip {' '.join(arguments)}:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def tried(extra: str, wheel: Path, work: Path) -> str:
    """Install one extra into a new environment, use it, and say what it took."""
    begun, named = time.monotonic(), f"[{extra}]" if extra else "the core alone"
    folder = work / (extra or "core")
    environment, data = folder / "environment", folder / "data"
    data.mkdir(parents=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    if extra:  # what the core brings is linked, not unpacked a fifth time: pip sees it as installed
        packages = next((work / "core" / "environment").glob("lib/python*/site-packages"))
        place = environment / packages.relative_to(work / "core" / "environment")
        shutil.copytree(packages, place, copy_function=os.link, dirs_exist_ok=True)
    _pip(environment, "install", "-q", "--no-compile", f"{wheel}[{extra}]" if extra else str(wheel))
    python = environment / "bin" / "python"

    def run(what: tuple[str, ...] | str, status: int = 0) -> str:
        command = ["-m", "disclosure_core", *what] if isinstance(what, tuple) else ["-c", what]
        done = subprocess.run(
            [str(python), "-I", *command], cwd=data, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        if done.returncode != status or "Traceback" in done.stderr:
            raise SystemExit(
                f"{named}: {what} ends with {done.returncode}:\n{done.stdout[-1000:]}{done.stderr[-2000:]}"
            )
        return done.stderr

    for code in (DATA, CORE):
        run(code)
    for works in WORKS[extra]:
        run(works)
    for lacks, other in LACKS[extra]:
        (last,) = run(lacks, 2).splitlines()[-1:]
        sentence = (
            r'Error: The package .* is not installed; it is for .*\. Install it with: .* -m pip .*\binstall "(.*)"'
        )
        found = re.fullmatch(sentence, last)
        if not found or found[1] != f"disclosure-core[{other}]":
            raise SystemExit(f"{named}: {lacks} says {last!r}, not what brings it: {other}")
    if not extra:  # the command that the sentences give, without an index that knows this program
        for other in ("files", "report", "app"):
            if "Would install" not in _pip(environment, "install", "--dry-run", f"disclosure-core[{other}]"):
                raise SystemExit(f"pip install disclosure-core[{other}] brings nothing")
    files = [file for file in environment.rglob("*") if file.is_file() and not file.is_symlink()]
    bytecode = sum(file.stat().st_size for file in files if file.suffix == ".pyc") / 1e6
    size = sum(file.stat().st_size for file in files) / 1e6 - bytecode
    if size > LARGEST.get(extra, size):
        raise SystemExit(f"{named}: {size:.0f} MB, more than {LARGEST[extra]}")
    took = time.monotonic() - begun
    return f"   {named}: {size:.0f} MB, and {bytecode:.0f} MB of bytecode that Python makes of it; {took:.0f} s"


def main() -> None:
    """Build the wheel once, and try the core, then each extra, two at a time."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        work = Path(place)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(work / "wheel"), str(ROOT)], check=True
        )
        (wheel,) = (work / "wheel").glob("*.whl")
        core, *extras = WORKS
        print(tried(core, wheel, work), flush=True)
        with ThreadPoolExecutor(2) as together:
            for line in together.map(lambda extra: tried(extra, wheel, work), extras):
                print(line, flush=True)


if __name__ == "__main__":
    main()
