"""Mutations that follow what the code does: `python tests/fuzz/coverage_guided.py TARGET FOLDER`, with Atheris, by hand.

TARGET is one of those in TARGETS; FOLDER keeps what reached new code, and begins with the files of `tests/fidelity` and
`tests/core/files` that have the target's ending. What follows is libFuzzer's: `-max_total_time=600`, `-rss_limit_mb=2500`.
It ends at the first input that is neither read nor refused with one sentence, and writes it to FOLDER's neighbour; what
it finds becomes a case. Atheris is no dependency; it has wheels for some versions of Python only (docs/house.md).
"""

# Inside: code that parses is instrumented as it is imported.

import contextlib
import io
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import atheris

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
with atheris.instrument_imports(include=["disclosure_core", "rdata"]):
    from click.testing import CliRunner

    from disclosure_core.cli.commands import main as command_line
    from disclosure_core.data.readers import ReadOptions, _arrow, _r, _sheets, _statistical, _text, read_in_process  # noqa: F401
    from disclosure_core.errors import DisclosureError
import pandas as pd  # noqa: E402
import pyreadstat  # noqa: E402

from tests.fuzz import test_reviews, worker  # noqa: E402

FORMATS = (
    "csv",
    "xlsx",
    "xls",
    "ods",
    "sav",
    "zsav",
    "por",
    "dta",
    "sas7bdat",
    "xpt",
    "parquet",
    "arrow",
    "rds",
    "zip",
)
HERE = (ROOT / "tests" / "fidelity" / "files", ROOT / "tests" / "fidelity" / "more", ROOT / "tests" / "core" / "files")


def one_sentence(said: str) -> None:
    assert re.fullmatch(r"[^\n]{15,900}[.?]", said), said


def a_file(ending: str):
    def one(data: bytes) -> None:
        if not data:
            return
        try:
            read_in_process(data, f"x.{ending}", None, worker.limits())
        except DisclosureError as error:
            one_sentence(str(error))

    return one


def a_dialect(data: bytes) -> None:
    """A text file, told how it was written."""
    given = atheris.FuzzedDataProvider(data)
    pick = lambda *options: options[given.ConsumeIntInRange(0, len(options) - 1)]  # noqa: E731
    options = ReadOptions(
        pick(None, ",", ";", "\t", "|", " ", ""), pick(None, '"', "'", ""), pick(None, "utf-8", "utf-16", "cp1252", "latin-1", "shift_jis"), pick(None, ".", ","),
    )  # fmt: skip
    text = given.ConsumeBytes(given.remaining_bytes())
    with contextlib.suppress(DisclosureError):
        read_in_process(text or b"x", "x.csv", options, worker.limits())


def a_review(data: bytes) -> None:
    test_reviews.opened_and_computed(data.decode("utf-8", "replace"))


OPTIONS = ("--step", "--missing-code", "--limit", "--keys", "--targets", "--group", "--exclude", "--exclude-pair", "--exclude-missing", "--fail-if",
           "--one-way", "--two-way", "--missing-text", "--type", "--mend", "--assume", "--set", "--split", "--population", "--delimiter", "--encoding", "--denominator-limit")  # fmt: skip


def a_line(data: bytes) -> None:
    """A command line of up to four options with any texts: each begins with a letter that says which option it is."""
    words = []
    for text in data.decode("utf-8", "ignore").split("\x1f")[:4]:
        words += [OPTIONS[ord(text[0]) % len(OPTIONS)], text[1:]] if text else []
    if "--keys" not in words:
        words += ["--keys", "sex,age"]
    command = ["protect", "--output", "out"] if "--step" in words else ["assess"]
    with contextlib.chdir(FOLDER):
        done = CliRunner().invoke(command_line, [*command, "original.csv", "synthetic.csv", *words, "--quiet"])
    if not isinstance(done.exception, (SystemExit, type(None))):
        raise done.exception
    if done.exit_code == 2:
        said = [text for text in done.stderr.splitlines() if text.startswith("Error:")]
        assert len(said) == 1, done.stderr


TARGETS = {ending: a_file(ending) for ending in FORMATS} | {"dialect": a_dialect, "review": a_review, "line": a_line}


def seeds(target: str) -> list[bytes]:
    if target == "review":
        return [test_reviews.a_review().encode()]
    if target == "line":
        texts = {"--step": "round=income,5 merge=work,3,Other,x cap=income,,7 group=income,2 label=a,b remove-uniques", "--missing-code": "income=-8", "--limit": "DiSCO=5 repU=1", "--keys": "sex,age", "--group": "income=2",
                 "--exclude": "work=x", "--exclude-pair": "sex,f,work,y", "--fail-if": "max(DiSCO)[work]>1 limits", "--one-way": "50,90", "--missing-text": "work=x", "--type": "age=category", "--mend": "work=space", "--assume": "news=yes", "--set": "a=synthetic.csv", "--split": "30", "--population": "1e6"}  # fmt: skip
        return [(chr(ord("0") + (OPTIONS.index(o) - ord("0")) % len(OPTIONS)) + text).encode() for o, several in texts.items() for text in several.split()]  # fmt: skip
    ending = "csv" if target == "dialect" else target
    found = [
        p
        for folder in HERE
        for p in sorted(folder.iterdir())
        if p.suffix.lower() == f".{ending}" and not p.name.startswith("damaged")
    ]  # some end the process that parses them
    return [p.read_bytes() for p in found if p.stat().st_size < 20_000] + written(ending)


def written(ending: str) -> list[bytes]:
    """Return a file of a format that the folders have none of."""
    frame = pd.DataFrame({"SEX": ["f", "m", ""], "AGE": [1.0, 2.5, float("nan")]})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x.{ending}"
        if ending in ("sav", "zsav"):
            pyreadstat.write_sav(frame, path, compress=ending == "zsav", variable_value_labels={"AGE": {1.0: "one"}}, missing_ranges={"AGE": [2.5]})  # fmt: skip
        elif ending in ("por", "dta", "xpt"):
            {"por": pyreadstat.write_por, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[ending](frame, path)  # fmt: skip
        elif ending == "arrow":
            frame.to_feather(path)
        elif ending == "zip":
            with zipfile.ZipFile(path, "w") as archive:
                for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
                    archive.writestr(f"{kind}.csv", test_reviews.TABLE, kind)
        return [path.read_bytes()] if path.exists() else []


if __name__ == "__main__":
    target, corpus = sys.argv[1], Path(sys.argv[2])
    corpus.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(seeds(target)):
        (corpus / f"seed{i}").write_bytes(seed)
    FOLDER = corpus.parent / f"{target}-files"
    FOLDER.mkdir(exist_ok=True)
    for name, data in test_reviews.FILES.items():
        (FOLDER / name).write_bytes(data)
    worker.parse_here()
    sys.stdout = io.TextIOWrapper(open("/dev/null", "wb"))  # noqa: SIM115, PTH123
    atheris.Setup([sys.argv[0], f"-artifact_prefix={corpus.parent}/{target}-", "-timeout=10", *sys.argv[3:], str(corpus)], TARGETS[target])  # fmt: skip
    atheris.Fuzz()
