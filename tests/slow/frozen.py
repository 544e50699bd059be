"""Frozen outputs: what a dozen reviews come out as, so that a change of the code shows whether it changed anything.

`python -m tests.slow.frozen FOLDER` writes every output in full, to be compared by `diff -r` with those of another
version. `python -m tests.slow.frozen` takes the outputs of now over into `frozen.json`, which `test_frozen.py` reads.
"""

import argparse
import hashlib
import io
import json
import re
from pathlib import Path

import openpyxl

from disclosure_core import Settings, __version__, demo, start
from tests.slow.states import REVIEWS

KEPT = Path(__file__).with_name("frozen.json")
DIGITS = 12
"""Digits of a figure that are frozen: sums may end otherwise where another version of numpy adds them."""


def columns_26():
    """A survey of 26 columns."""
    return _wide(26)


def columns_60():
    """A survey of 60 columns."""
    return _wide(60)


def _wide(n):
    """The demonstration survey, with its columns again under other names, until there are so many."""
    frames = [demo.original().head(800), demo.syntheses()[0].head(800)]
    tables = []
    for frame in frames:
        names = [*frame.columns]
        more = {f"{name}_{i}": frame[name].to_numpy() for i in range(2, 12) for name in names}
        wide = frame.assign(**more)
        tables.append(wide[[*wide.columns][:n]].to_csv(index=False).encode())
    opened = start(("o.csv", tables[0]), {"synthetic data": [("s.csv", tables[1])]})
    return opened.with_review(opened.review.with_settings(Settings(keys=("sex", "age", "region"))))


def dates():
    """Days on both sides, grouped, and moments of which the day alone meets."""
    days = [f"2020-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(240)]
    rows = [f"{d},{'fm'[i % 2]},{'yes' if i % 3 else 'no'}" for i, d in enumerate(days)]
    other = [f"{d},{'fm'[i % 2]},{'yes' if i % 5 else 'no'}" for i, d in enumerate(days[::-1])]
    files = ["\n".join(["born,sex,ill", *each]).encode() for each in (rows, other)]
    opened = start(("o.csv", files[0]), {"synthetic data": [("s.csv", files[1])]})
    return opened.with_review(opened.review.with_settings(Settings(keys=("born", "sex"), groups={"born": 6})))


FROZEN = REVIEWS | {f.__name__: f for f in (columns_26, columns_60, dates)}


def outputs(name):
    """Return what a review comes out as, by part: each table of the JSON, what else it holds, and each sheet."""
    opened = FROZEN[name]()
    found = {}
    written = json.loads(opened.to_json(), parse_float=lambda text: float(f"{float(text):.{DIGITS}g}"))
    tables = written.pop("tables")
    found |= {f"json {part}": _lines(rows) for part, rows in tables.items()}
    written.pop("disclosure")
    found["json"] = json.dumps(written, indent=1, ensure_ascii=False)
    book = openpyxl.load_workbook(io.BytesIO(opened.to_excel()))
    for sheet in book.worksheets:
        rows = [[_cell(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
        found[f"sheet {sheet.title}"] = "\n".join(" | ".join(row) for row in rows)
    return {part: _plain(text) for part, text in found.items()}


def _lines(rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def _cell(value):
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def _plain(text):
    """Without what differs from day to day: the version, and versions of Python and libraries."""
    return re.sub(r"\b\d+\.\d+\.\d+(\.\w+)?\b", "N", text.replace(__version__, "VERSION"))


def digests(name):
    """Return of each part its lines and the beginning of its SHA-256."""
    return {
        part: f"{text.count(chr(10)) + 1} {hashlib.sha256(text.encode()).hexdigest()[:12]}"
        for part, text in outputs(name).items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="write every output in full, in here")
    folder = parser.parse_args().folder
    if folder is not None:
        for review in FROZEN:
            place = folder / review
            place.mkdir(parents=True, exist_ok=True)
            for part, text in outputs(review).items():
                (place / f"{part}.txt").write_text(text + "\n", encoding="utf-8")
    else:
        KEPT.write_text(json.dumps({name: digests(name) for name in FROZEN}, indent=1) + "\n", encoding="utf-8")
