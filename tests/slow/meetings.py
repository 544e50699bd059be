"""Columns that meet, do not meet, nearly meet: pairs drawn at random, each brought as files or tables are brought.

Counted are columns that do not meet and are not seen (*missed*, where a figure is lower by a point and a tenth), and
sound columns that are stopped, or warned of in vain (*false*), by kind. Of a column that is seen not to meet no figure
may pass: in Python, in a condition, in the verdict on page 1 of the report, and in the exit status of `disclosure
assess`; as a key and as a target: that is tried of one in five. A correction that is offered is made, and its figures
are held against the right ones.

`python -m tests.slow.meetings 0 400` tries the seeds from 0 to 399, even ones broken and odd ones sound; exit status 1
where a figure passed, where 1 in 250 sound pairs of 500 people or more is stopped, or where too much is missed.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core import DisclosureError, Limit, Limits, Settings, read, start, start_tables
from disclosure_core.data.codebook import read_codebook
from disclosure_core.errors import NothingEvaluatedError
from disclosure_core.holdout.decision import Outcome
from disclosure_core.review.codebooks import with_codebook
from tests.commands import condition, disclosure
from tests.core.spelled_pairs import Row, figures
from tests.reports import answer, report
from tests.slow.differing import DO_NOT_MEET
from tests.slow.pairs import NUMBER, Pair, drawn

LARGE = 500
"""So many people, and chance tells little."""

STOPPED_IN_VAIN = 1 / 250
MISSED = 0.08
"""The most of sound pairs of many people that may be stopped; and of broken ones where it matters that may be missed."""

AS_KEY, AS_TARGET = Settings(keys=("x", "a"), targets=("t",)), Settings(keys=("a",), targets=("x", "t"))
LIMITS = Limits(Limit(99.9, 99.9, "the panel", "tried"), Limit(99.9, 99.9, "the panel", "tried"))
OF_KEY = ("DiSCO>100", "repU>100", "max(DiSCO)>100", "DiSCO[t]>100", "DCAPd>100", "worst(DiSCO)>100", "limits")
OF_TARGET = ("DiSCO[x]>100", "DiSCO>100", "max(DiSCO)>100", "any(DiSCO)>100")


# ---- files -----------------------------------------------------------------------------------------------------------


def _typed(values: list[str | None]) -> list[Any]:
    """Return a column as a program stores it: numbers, days and truths as such, where all values are."""
    present = [v for v in values if v is not None]
    if present and all(NUMBER.fullmatch(v) and not re.match(r"[+-]?0\d", v) for v in present):
        whole = all(re.fullmatch(r"[+-]?\d{1,15}", v) for v in present)
        return [None if v is None else int(v) if whole else float(v) for v in values]
    if present and all(re.fullmatch(r"\d{4}-\d\d-\d\d", v) for v in present):
        try:
            return [None if v is None else date.fromisoformat(v) for v in values]
        except ValueError:
            return values
    if {*present} <= {"True", "False"}:
        return [None if v is None else v == "True" for v in values]
    return values


def frame_of(rows: list[Row], stored: str) -> pd.DataFrame:
    """Return a table of these people, x as texts or as a program stores it."""
    x: list[Any] = [row[0] for row in rows]
    t = [["none", "flu", "cold", "fever"][row[2]] for row in rows]
    values = _typed(x) if stored == "typed" else x
    whole = any(isinstance(v, int) and not isinstance(v, bool) for v in values)
    column = pd.array(values, dtype="Int64") if whole else pd.Series(values, dtype=object)
    return pd.DataFrame({"x": column, "a": [row[1] for row in rows], "t": t})


def opened_of(pair: Pair) -> tuple[Any, list[tuple[str, bytes]]]:
    """Return the review of a pair, and its files, the original's first; none where not all are files."""
    sides = [pair.original, *pair.syntheses]
    frames = [frame_of(rows, pair.stored[i > 0]) for i, rows in enumerate(sides)]
    files = [
        (f"side{i}.csv", frame.to_csv(index=False, lineterminator="\r\n").encode()) for i, frame in enumerate(frames)
    ]
    if pair.stored == ("csv", "csv"):
        opened = start(files[0], files[1:])
    else:
        for i, file in enumerate(files):
            if pair.stored[i > 0] == "csv":
                frames[i] = read(file[1], file[0])[0].frame
        opened, files = start_tables(frames[0], frames[1:]), []
    opened = opened.with_review(opened.review.with_settings(AS_KEY))
    if pair.codebook:
        lines = ["column,value,label", *(f"x,{code},{label}" for code, label in pair.codebook.items())]
        opened = opened.with_review(with_codebook(opened, read_codebook("\n".join(lines).encode(), "codes.csv")))
    return opened, files


# ---- figures ---------------------------------------------------------------------------------------------------------


def right_figures(pair: Pair) -> list[np.ndarray]:
    """Return repU and DiSCO before anything was broken, and as of a file in which both sides lost what one lost."""
    found = [np.mean([figures(pair.right[0], rows) for rows in pair.right[1]], axis=0)]
    if pair.way is not None and pair.way.coarse is not None:
        coarse = pair.way.coarse

        def known(rows: list[Row]) -> list[Row]:
            return [[x if x is None else coarse(x), a, t] for x, a, t in rows]

        found.append(np.mean([figures(known(pair.right[0]), known(rows)) for rows in pair.right[1]], axis=0))
    return found


def figures_shown(opened: Any) -> np.ndarray:
    """Return repU and DiSCO as the program gives them, whatever was found of x."""
    answered = opened.with_review(opened.review.with_differing("x"))
    found = answered.assessment()
    return np.array([found.identity["repU"].mean(), found.targets["t"].figures("DiSCO").mean()])


def matters(pair: Pair, shown: np.ndarray) -> bool:
    """Whether a figure is at least one point and a tenth below what it may rightly be; or no answer meets another."""
    if pair.kind in DO_NOT_MEET:
        return True
    least = np.min(right_figures(pair), axis=0)
    return bool(((least - shown >= 1) & (shown <= 0.9 * least)).any())


def restored(pair: Pair, opened: Any) -> str:
    """Return what the correction that is offered comes to."""
    kinds = opened.unmet()["x"].kinds
    if not kinds:
        return "no correction known"
    columns = opened.review.columns
    mended = opened.with_review(replace(opened.review, columns=replace(columns, mends={**columns.mends, "x": kinds})))
    if mended.unmet():
        return "corrected, stopped again"
    shown = figures_shown(mended)
    return "corrected" if any(np.allclose(shown, of) for of in right_figures(pair)) else "corrected to other figures"


# ---- no figure passes ------------------------------------------------------------------------------------------------


def passes(opened: Any, files: list[tuple[str, bytes]]) -> list[str]:
    """Return where a figure of x, which does not meet, is given, or passes; on the command line where there are files."""
    found = []
    as_key = opened.with_review(replace(opened.review.with_settings(AS_KEY), limits=LIMITS))
    try:
        as_key.assessment()
        found.append("Python gives figures with it as a key")
    except NothingEvaluatedError:
        pass
    as_target = opened.with_review(replace(opened.review.with_settings(AS_TARGET), limits=LIMITS))
    if "x" in as_target.printed.assessment().targets:
        found.append("Python gives figures with it as a target")
    for of, texts in ((as_key, OF_KEY), (as_target, OF_TARGET)):
        for text in texts:
            lines = condition(text)(of)
            if not any("not evaluated" in line for line in lines):
                found.append(f"--fail-if {text}: {lines}")
    if condition("DiSCO[t]>100")(as_target):
        found.append("a target that meets is not evaluated beside it")
    for of, held_back in ((as_key, {"t"}), (as_target, {"x"})):
        page1 = answer(of)
        if page1.outcome is not Outcome.NOT_EVALUATED:
            found.append(f"page 1 says {page1.outcome}")
        rows = [row for row in page1.rows if row.target in held_back]
        found += [f"page 1 says {row.outcome} of {row.target}" for row in rows if row.outcome != "not evaluated"]
    if len(opened.study().columns["x"].levels) % 4 == 0:  # of one in four: a report takes as long as the rest
        text = report(as_key, "html").decode()
        if "No figure was evaluated" not in text and "not evaluated" not in text:
            found.append("the report does not say that nothing was evaluated")
    return found + (_on_command_line(files) if files else [])


def _on_command_line(files: list[tuple[str, bytes]]) -> list[str]:
    with tempfile.TemporaryDirectory() as place:
        paths = [Path(place) / name for name, _ in files]
        for path, (_, data) in zip(paths, files, strict=True):
            path.write_bytes(data)
        words = ["assess", *paths, "--keys", "x,a", "--targets", "t", "--quiet"]
        done = disclosure(*words, "--fail-if", "repU>100", "--fail-if", "DiSCO>100")
    said = [text for text in ("repU>100", "DiSCO>100") if f"{text} is not evaluated" not in done.stderr]
    return said + ([] if done.exit_code == 1 else [f"assess --fail-if ends with {done.exit_code}"])


# ---- a seed ----------------------------------------------------------------------------------------------------------


@dataclass
class Tried:
    """What became of a pair: what was said of x, whether that matters, and which figures passed, of one in five."""

    pair: Pair
    said: str
    others: list[str] = field(default_factory=list)
    matters: bool = False
    mended: str = ""
    faults: list[str] = field(default_factory=list)
    held_back: bool = False
    why: str = ""

    @property
    def is_large(self) -> bool:
        return min(self.pair.n, *map(len, self.pair.syntheses)) >= LARGE


def tried(seed: int) -> Tried:
    """Bring a pair as files, and see what is said, and what passes."""
    pair = drawn(seed)
    opened, files = opened_of(pair)
    unmet = opened.unmet()
    warned = {note.column for note in opened.remarks().agreement if note.warning}
    noted = any("'x'" in note.text for note in opened.remarks().agreement)
    said = "stopped" if "x" in unmet else "warned" if "x" in warned else "noted" if noted else "nothing said"
    found = Tried(pair, said, sorted(unmet.keys() - {"x"}))
    if not pair.sound:
        found.matters = matters(pair, figures_shown(opened))
    if said == "stopped":
        found.why = unmet["x"].text()
        found.mended = "" if pair.sound else restored(pair, opened)
        if seed % 5 == 0 and not found.others:
            found.faults = passes(opened, [] if pair.codebook else files)
            found.held_back = not found.faults
    return found


@dataclass
class Kinds:
    """Counts by kind, of broken or of sound pairs."""

    of: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def printed(self, heads: tuple[str, ...]) -> None:
        for kind in sorted(self.of):
            row = self.of[kind]
            if any(row[head] for head in heads):
                print(f"  {kind:50} {row['pairs']:5} pairs", *(f"{row[h]} {h}" for h in heads if row[h]), sep="  ")


def main(first: int, last: int) -> int:
    """Try the seeds; print shares, and the kinds of what went wrong."""
    began, all_of_it, broken, sound = time.monotonic(), Counter[str](), Kinds(), Kinds()
    for seed in range(first, last):
        try:
            found = tried(seed)
        except DisclosureError as error:
            pair = drawn(seed)
            all_of_it["refused"] += 1
            print(f"seed {seed}: {pair.kind} ({pair.how}): refused: {error}", flush=True)
            continue
        pair, size = found.pair, f"n {'>=' if found.is_large else '<'} {LARGE}"
        what = f"seed {seed}: {pair.kind} ({pair.how}), n = {pair.n}, {'/'.join(pair.stored)}"
        for fault in found.faults:
            all_of_it["passed"] += 1
            print(f"{what}: PASSES: {fault}", flush=True)
        all_of_it["tried, and no figure passed"] += found.held_back
        if pair.sound or found.others:
            all_of_it[f"sound, {size}"] += pair.sound
            row = sound.of[pair.kind]
            row["pairs"] += 1
            if (found.said == "stopped" and pair.sound) or found.others:
                row["stopped"] += 1
                all_of_it[f"false stop, {size}"] += 1
                print(f"{what}: STOPPED IN VAIN {found.others}: {found.why}", flush=True)
            elif found.said == "warned":
                row["warned"] += 1
                all_of_it[f"false warning, {size}"] += 1
            row["noted"] += found.said == "noted"
        if pair.sound:
            continue
        row = broken.of[f"{pair.kind}{' [not seen: ' + pair.way.unseen + ']' if pair.way and pair.way.unseen else ''}"]
        row["pairs"] += 1
        unseen = bool(pair.way and pair.way.unseen)
        of = "told not to be seen" if unseen else f"matters, {size}" if found.matters else "slight"
        all_of_it[of] += 1
        all_of_it[f"{of}: {found.said}"] += 1
        all_of_it[f"mended: {found.mended}"] += bool(found.mended)
        if found.mended not in ("", "corrected"):
            row[found.mended] += 1
        if found.matters and found.said != "stopped":
            row[f"missed ({found.said})"] += 1
            if not unseen:
                all_of_it[f"missed, {size}"] += 1
                print(f"{what}: MISSED, {found.said}", flush=True)
    print("Broken, by kind:")
    broken.printed(tuple(sorted({head for row in broken.of.values() for head in row if head != "pairs"})))
    print("Sound, by kind:")
    sound.printed(("stopped", "warned", "noted"))
    for name in sorted(all_of_it):
        print(f"{name:60} {all_of_it[name]}")
    print(f"{last - first} pairs in {time.monotonic() - began:.0f} s")
    large = f"n >= {LARGE}"
    vain, missed = all_of_it[f"false stop, {large}"], all_of_it[f"missed, {large}"]
    too_many = vain and vain >= STOPPED_IN_VAIN * all_of_it[f"sound, {large}"]
    return int(bool(all_of_it["passed"] or too_many or missed > 1 + MISSED * all_of_it[f"matters, {large}"]))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
