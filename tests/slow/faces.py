"""One review, every face: reviews drawn at random, and each of their figures on all that shows it.

Drawn are the reviews of tests/slow/neighbours.py, here of files, which ask for what tests/slow/further.py has, too. The figures that Python has are held against the JSON and
the workbook of `disclosure run`, its printed table, `--fail-if` above and below each figure, the report as HTML, the rows
that the page's bench shows, and the second counter of `disclosure verify`.

`python -m tests.slow.faces 0 20` tries the seeds from 0 to 19, and prints what each face was held against, and how often;
exit status 1 where a figure differs.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl

from disclosure_core import DisclosureError, read_holdout, start
from tests.commands import condition, disclosure, figures_of
from tests.reports import Look, report
from tests.saved import carry_over, to_json
from tests.slow.further import asking_more
from tests.slow.held import Held, told
from tests.slow.neighbours import drawn, review_of
from tests.slow.test_report_read_back import Read
from tests.written import fixed, of_review

NEAR = 1e-7


class Faces(Held):
    """What was held against what of one review, and what differs."""

    def same(self, face: str, what: str, found: Any, expected: Any) -> None:
        self.n[face] += 1
        if not alike(found, expected):
            self.wrong.append(f"{face}: {what} is {found!r}, in Python {expected!r}")


def alike(a: Any, b: Any) -> bool:
    a = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(a, a) if isinstance(a, str) else a
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    none = (None, "", math.nan)
    return a == b or ((a in none or a != a) and (b in none or b != b))


def of_files(seed: int, folder: Path) -> Any:
    """Return the review of a seed, of files in a folder.

    Raises
    ------
    DisclosureError
        When what was drawn does not fit.
    """
    original, of = drawn(seed)
    memory = review_of(original, replace(of, adopted=False))

    def written(name: str, frame: Any) -> tuple[str, bytes]:
        (folder / name).write_bytes(frame.to_csv(index=False).encode())
        return name, (folder / name).read_bytes()

    sets = {name: [written(f"{name}{i}.csv", each) for i, each in enumerate(made)] for name, made in of.sets.items()}
    opened = start(written("original.csv", original), sets)
    if of.outside is not None:
        opened = opened.with_holdout(*read_holdout(*written("outside.csv", of.outside)))
    review, _ = carry_over(memory.review, opened)
    return asking_more(opened.with_review(review), seed, folder)[0]


def tried(seed: int) -> Faces:
    """Hold the faces of a seed's review against each other."""
    held = Faces()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        try:
            opened = of_files(seed, folder)
            frames = of_review(opened)
        except DisclosureError as error:
            held.n[f"not drawn: {str(error)[:60]}"] += 1
            return held
        if opened.judged.stopped():
            held.n["stopped"] += 1
            return held
        (folder / "review.json").write_text(to_json(opened.review), encoding="utf-8")
        call = ["run", folder / "review.json", "--data", folder]
        done = disclosure(*call, "--json", folder / "figures.json", "--workbook", folder / "w.xlsx")
        if done.exit_code:
            held.wrong.append(f"run ends with {done.exit_code}: {done.stderr}")
            return held
        said = json.loads((folder / "figures.json").read_text(encoding="utf-8"))["tables"]
        json_and_workbook(held, frames, said, folder / "w.xlsx")
        conditions(held, opened, frames)
        table_printed(held, opened, done.stdout)
        bench(held, opened)
        in_report(held, opened)
        verified(held, call)
        status(held, opened, call)
    return held


def json_and_workbook(held: Faces, frames: dict[str, Any], said: dict[str, Any], place: Path) -> None:
    book = openpyxl.load_workbook(place, read_only=True)
    held.same("JSON", "tables", sorted(said), sorted(frames))
    for name, frame in frames.items():
        rows = frame.to_dict("records")
        held.same("JSON", f"rows of {name}", len(said[name]), len(rows))
        for row, expected in zip(said[name], rows, strict=False):
            for column, value in expected.items():
                held.same("JSON", f"{name}.{column}", row[str(column)], plain(value))
        sheet = name[:31]
        if sheet not in book.sheetnames:
            held.wrong.append(f"workbook: no sheet {sheet!r}")
            continue
        _, *cells = book[sheet].iter_rows(values_only=True)
        found = sorted(map(list, cells), key=in_order)
        wanted = sorted(([plain(v) for v in row.values()] for row in rows), key=in_order)
        held.same("workbook", f"rows of {name}", len(found), len(wanted))
        for row, expected in zip(found, wanted, strict=False):
            for column, value, other in zip(frame.columns, row, expected, strict=True):
                held.same("workbook", f"{name}.{column}", value, other)


def in_order(row: list[Any]) -> str:
    """Return what rows of a table are sorted by: their texts first."""
    texts = [str(v) for v in row if isinstance(v, str)]
    return json.dumps([texts, [f"{v:.9g}" if isinstance(v, int | float) else "" for v in row]])


def plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if value is not None and not isinstance(value, str | list | tuple) and value != value else value


def conditions(held: Faces, opened: Any, frames: dict[str, Any]) -> None:
    """A condition just below a figure holds for its row, and one just above does not."""
    for name, frame in frames.items():
        for column in figures_of(name, frame):
            rows = [i for i, x in enumerate(frame[column]) if x == x and math.isfinite(x)]
            if not rows or name in ("columns", "not_evaluated"):
                continue
            largest = max(float(frame[column].iloc[i]) for i in rows)
            near = max(abs(largest), 1.0) * NEAR
            for number, holds in ((largest - near, True), (largest + near, False)):
                text = f"{name}.{column}>{number!r}"
                try:
                    lines = condition(text)(opened)
                except DisclosureError as error:
                    held.wrong.append(f"fail-if: {text}: {error}")
                    continue
                held.same("--fail-if", text, any(" holds for " in line for line in lines), holds)


def table_printed(held: Faces, opened: Any, text: str) -> None:
    """The printed table has a row for each target with the rounded figures of DiSCO."""
    for target, risk in opened.printed.assessment().targets.items():
        line = next((row for row in text.splitlines() if re.match(rf"\s*{re.escape(target)}\s", row)), "")
        figures = re.findall(r"-?\d+\.\d+", line)
        for measure in ("Dorig", "DiSCO"):
            value = float(risk.figures(measure).mean())
            if value == value:
                held.same("printed", f"{measure} of {target} in {line!r}", fixed(value) in figures, True)


def bench(held: Faces, opened: Any) -> None:
    """What the rows of the page are made of has the figures of the core."""
    judged = opened.judged.assessment()
    for row in opened.queue().rows:
        if row.target in judged.targets:
            value = float(judged.targets[row.target].figures("DiSCO").mean())
            held.same("page", f"DiSCO of {row.target}", float(row.synthetic), value)


def in_report(held: Faces, opened: Any) -> None:
    """A row of a target in report and appendix has its figures, to the digits that are printed."""
    look = Look(date="2026-11-28")
    pages = [Read(report(opened, "html", replace(look, appendix=each)).decode()) for each in (False, True)]
    rows = [row for page in pages for _, table in page.tables for row in table]
    for target, risk in opened.printed.assessment().targets.items():
        numbers = {
            text for row in rows if row and target in row[0] for cell in row for text in re.findall(r"\d+\.\d+", cell)
        }
        for measure in ("Dorig", "DiSCO"):
            value = float(risk.figures(measure).mean())
            if value == value:
                there = {fixed(value, digits) for digits in (1, 2)}
                held.same("report", f"{measure} {value} of {target}", bool(there & numbers), True)


def verified(held: Faces, call: list[Any]) -> None:
    done = disclosure("verify", *call[1:], "--quiet")
    n = re.search(r"([\d,]+)", done.stdout)
    held.n["verify"] += int(n[1].replace(",", "")) if n else 0
    if done.exit_code:
        held.wrong.append(f"verify ends with {done.exit_code}: {done.stdout} {done.stderr}")


def status(held: Faces, opened: Any, call: list[Any]) -> None:
    """The exit status of a call is what its conditions say, also with several."""
    result = opened.printed.assessment()
    values = [float(risk.figures("DiSCO").mean()) for risk in result.targets.values()]
    if values and all(v == v for v in values) and not opened.judged.not_met():
        for number, ends in ((max(values) + NEAR, 0), (max(values) - NEAR, 1)):
            done = disclosure(*call, "--quiet", "--fail-if", f"DiSCO>{number!r}")
            held.same("exit status", f"DiSCO>{number}", done.exit_code, ends)


def main(first: int, last: int) -> int:
    """Try the seeds; print what each face was held against."""
    every = told(first, last, tried)
    print(dict(every.n), f"{len(every.wrong)} differ")
    return len(every.wrong)


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
