"""The core works where only numpy, pandas, pyarrow, click, packaging and pydantic can be imported; for more it says what to install."""

# Inside: what `doctor` says to run, for each extra.

import subprocess
import sys
from pathlib import Path

import pytest

from disclosure_core.cli import doctor

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

HOOK = """
import sys
MISSING = {
    "streamlit", "plotly", "matplotlib", "typst", "pypdf", "openpyxl", "xlsxwriter", "pyreadstat", "rdata", "python_calamine",
    "ibis", "duckdb", "segno", "polars", "starlette", "PIL", "jinja2", "yaml", "requests", "numba", "scipy", %s
}
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
sys.path.insert(0, %r)
ALLOWED = {"numpy", "pandas", "pyarrow", "click", "pydantic", "packaging", "disclosure_core"}
"""

AFTER = """
third = {name.partition(".")[0] for name, module in list(sys.modules.items())
         if "site-packages" in (getattr(module, "__file__", None) or "")}
needed = {"pydantic_core", "annotated_types", "typing_extensions", "typing_inspection", "_cyutility", "_distutils_hack", "dateutil", "six", "pytz", "tzdata"}
print("loaded", sorted(third - ALLOWED - needed))
"""


def alone(code: str, cwd: Path, *, without: str = "") -> subprocess.CompletedProcess[str]:
    whole = HOOK % (without, str(ROOT)) + code + AFTER
    return subprocess.run(
        [sys.executable, "-c", whole], cwd=cwd, capture_output=True, text=True, check=False, timeout=100
    )


def said_alone(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded []", done.stdout
    return done.stdout


COUNT = """
from disclosure_core import Settings, Study, assess
from disclosure_core.data import demo
assessment = assess(Study(demo.original(), demo.syntheses()[:1]), Settings(keys=("sex", "age")))
print(assessment)
assert "<table" in assessment._repr_html_()
"""


def test_counting_needs_numpy_pandas_and_pyarrow(tmp_path):
    told = said_alone(alone(COUNT, tmp_path, without='"pydantic", "click"'))
    assert "Assessment: 5,000 original records" in told


RUN = """
from disclosure_core.cli import main
def run(*arguments):
    try:
        main(arguments)
    except SystemExit as end:
        return end.code
assert run("demo", "--output", ".", "--quiet") == 0
call = ["original.csv", "synthetic_1.csv", "--keys", "sex,age", "--targets", "marital"]
assert run("assess", *call, "--json", "f.json", "--save", "r.json", "--script", "r.py", "--quiet") == 0
assert run("run", "review.json", "--data", ".", "--fail-if", "DiSCO>1", "--quiet") == 1
assert run("tau", *call, "--quiet") == 0
assert run("split", "original.csv", "--output", "parts", "--quiet") == 0
assert run("assess", *call, "--report", "r.html", "--quiet") in (0, 2)
"""


@pytest.mark.slow
def test_commands_need_click_and_pydantic_beside(tmp_path):
    said_alone(alone(RUN, tmp_path))
    assert (tmp_path / "f.json").is_file()
    assert (tmp_path / "parts" / "training_80_seed_1.csv").is_file()


def brings(extra):
    """Return what the doctor says, too: pip of this environment, or one from outside it."""
    command = doctor.command(extra)
    assert sys.executable in command or f'--python "{sys.prefix}"' in command
    return command


@pytest.mark.parametrize(
    ("call", "extra"),
    [
        ('"assess", "o.csv", "s.csv", "--keys", "k", "--workbook", "w.xlsx"', "files"),
        ('"assess", "o.csv", "s.csv", "--keys", "k", "--report", "r.pdf"', "report"),
        ('"assess", "o.csv", "s.csv", "--keys", "k", "--figures", "out"', "report"),
        ('"app", "--no-browser"', "app"),
    ],
)
def test_what_is_missing_is_one_sentence_with_the_command(tmp_path, call, extra):
    for name in ("o.csv", "s.csv"):
        (tmp_path / name).write_text("k,t\na,x\nb,y\n")
    code = f"from disclosure_core.cli import main\ntry:\n    main([{call}])\nexcept SystemExit as end:\n    print(end.code)\n"
    done = alone(code, tmp_path)
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Error: The package ")
    assert last.endswith(f"Install it with: {brings(extra)}")
    assert "2" in done.stdout.splitlines()


@pytest.mark.parametrize("name", ["o.sav", "o.rds", "o.xlsx"])
def test_a_format_says_what_it_needs(tmp_path, name):
    code = f"""
from disclosure_core import DisclosureError
from disclosure_core.data.readers import Limits, ReadOptions, parse
try:
    list(parse(b"x", {name!r}, ReadOptions(), Limits()))
except DisclosureError as error:
    print(error)
"""
    assert alone(code, tmp_path).stdout.splitlines()[0].endswith(f"Install it with: {brings('files')}")


def test_a_plot_says_what_it_needs(tmp_path):
    done = alone(COUNT + "from disclosure_core import DisclosureError\ntry:\n    assessment.plot()\nexcept DisclosureError as e:\n"
                 "    print(e)\n", tmp_path)  # fmt: skip
    assert f"Install it with: {brings('report')}" in done.stdout
