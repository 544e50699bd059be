"""People outside with values that nobody else has, drawn at random: every figure of them against the plain counter.

Drawn are the original, syntheses, people outside, keys, groups and own breaks, exclusions, labels of a codebook, and a
chain of safeguards that is adopted. What a value becomes is a plain function here, what is then the same is counted by
`verify/`. The program has the same people as CSV files and as tables, and in DuckDB. Each review of files is counted
again as a whole, too, with searches over coarser keys, and beside a population that has people nobody else is like.

`python -m tests.slow.outside 0 100` tries the seeds from 0 to 99; exit status 1 where a figure differs.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core import (
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Chain,
    Coarsen,
    DisclosureError,
    DuckDBStudy,
    Exclusions,
    Hierarchy,
    Holdout,
    MergeLevels,
    Motive,
    NotEvaluated,
    Pair,
    Recode,
    RemoveClaims,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
    Settings,
    ThreatModel,
    read_holdout,
    start,
    start_engine,
    start_tables,
)
from disclosure_core.data.codebook import read_codebook
from disclosure_core.review.codebooks import with_codebook
from disclosure_core.review.population import in_population, with_population
from disclosure_core.review.reading import read_population
from tests.engines.test_safer import beside
from tests.having import people_outside
from tests.reference.plainly import LIMITS, NOTHING, Data, counter, levels, outside, released, same, table
from tests.slow.held import Held, told

if TYPE_CHECKING:
    from collections.abc import Callable

Record = dict[str, Any]
Sides = list[list[Record]]

NAMES = ("d", "c", "n", "l", "t", "y")
NUMBERS = ("n", "y")
CODE = -8
CODES = ("A1", "A2", "A11", "B1", "B2", "B22", "C3")
PARENTS = {
    "A1": "first",
    "A2": "first",
    "A11": "first",
    "B1": "second",
    "B2": "second",
    "B22": "second",
    "C3": "second",
}
FURTHER = {**PARENTS, "A9": "first", "D4": "third", "Other": "second"}
LABELS = {"1": "none", "2": "primary", "3": "secondary", "7": "abroad"}
SOURCES = ("csv", "tables", "DuckDB of CSV", "DuckDB of Parquet")


# ---- people ----------------------------------------------------------------------------------------------------------


def _member(r: random.Random, code: bool, empty: float) -> Record:
    person = {
        "d": (date(2020, 1, 1) + timedelta(r.choice([4, 8, 31, 40, 397, 700, 1100]))).isoformat(),
        "c": r.choice(CODES),
        "n": CODE if code and r.random() < 0.1 else r.choice([1, 4, 8, 11, 16, 23, 38]),
        "l": r.choice(["1", "2", "3"]),
        "t": r.choice("xyz"),
        "y": r.choice([10, 20, 20.5, 35, 60]),
    }
    for name in ("d", "c", "n", "t"):
        if r.random() < empty:
            person[name] = None
    return person


def _stranger(r: random.Random, person: Record, share: float) -> Record:
    """Return a person with values of their own in some columns."""
    own = {
        "d": lambda: (date(1990, 1, 1) + timedelta(r.randrange(20_000))).isoformat(),
        "c": lambda: r.choice(
            ["A9", "D4", "Other", "Z", "A", "B1 ", "b1", f"A{r.randint(100, 999)}", f"Q{r.randint(1, 9)}"]
        ),
        "n": lambda: r.choice([-30, 2.5, 9, 17, 39, 250, 8.000001, r.randint(0, 40) + 0.25, CODE]),
        "l": lambda: r.choice(["7", "8", "9"]),
        "t": lambda: r.choice(["w", "X", "x ", "yz"]),
        "y": lambda: r.choice([0, 19.999, 21, 61, 1000]),
    }
    return {name: own[name]() if r.random() < share else value for name, value in person.items()}


# ---- what safeguards make of values ----------------------------------------------------------------------------------


def _rounded(value: Any, to: float) -> Any:
    steps = Fraction(str(value)) / Fraction(str(to))
    n = int(abs(steps) + Fraction(1, 2))
    return float((n if steps >= 0 else -n) * Fraction(str(to)))


def _breaks(value: Any, breaks: tuple[float, ...]) -> str:
    return f"interval {sum(b <= value for b in breaks)}"


@dataclass
class Plain:
    """The records of original, syntheses and people outside as plain values, and the codes for no answer."""

    sides: Sides
    codes: dict[str, list[float]]
    groups: dict[str, Any]

    @property
    def study(self) -> Sides:
        return self.sides[:-1]

    def change(self, name: str, make: Callable[[Any], Any]) -> None:
        """Have every value of a column become another, but for codes for no answer and empty cells."""
        stays = (None, *self.codes.get(name, ()))
        for side in self.sides:
            side[:] = [row | {name: row[name] if row[name] in stays else make(row[name])} for row in side]

    def as_text(self, name: str, make: Callable[[Any], str]) -> None:
        """The same, and the column holds texts from then on."""
        self.change(name, make)
        codes = self.codes.pop(name, ())
        self.groups.pop(name, None)
        for side in self.sides:
            side[:] = [row | {name: f"{row[name]:g}" if row[name] in codes else row[name]} for row in side]

    def grouped(self, name: str, n: int) -> None:
        """Put a number into groups, whose ends follow from original and syntheses."""
        codes = {levels.number(c) for c in self.codes.get(name, ())}

        def texts(rows: list[Record]) -> list[str]:
            return [levels.plain(Decimal(str(row[name]))) for row in rows if row[name] is not None]

        every = {text: Decimal(text) for side in self.sides for text in texts(side)}
        there = Counter(text for side in self.study for text in texts(side))
        of = levels.grouped(every, there, n, codes)
        if of:
            self.as_text(name, lambda v: of.get(text := levels.plain(Decimal(str(v))), text))

    def data(self, people: list[Record] | None = None) -> Data:
        sides = [table(rows, list(NAMES)) for rows in (*self.study, self.sides[-1] if people is None else people)]
        return Data(sides[:-1], sides[-1], self.groups, self.codes, {})

    def remove(self, step: Any, keys: tuple[str, ...]) -> None:
        """Do what acts on synthetic records that are alone with their keys, or that agree on a target."""
        data = self.data()
        d = data.by(keys, 0)
        for i, side in enumerate(self.study[1:], 1):
            q = list(zip(*(data.columns[k][i] for k in keys), strict=True))
            if isinstance(step, RemoveReplicated | RemoveUniques):
                s, most = Counter(q), 1 if isinstance(step, RemoveReplicated) else len(self.sides[0])
                goes = [s[key] == 1 and 0 < d[key] <= most for key in q]
            else:
                t = data.columns[step.column][i]
                said: dict[Any, set[Any]] = {}
                for key, level in zip(q, t, strict=True):
                    said.setdefault(key, set()).add(level)
                goes = [len(said[key]) == 1 for key in q]
            if isinstance(step, BlankClaims):
                side[:] = [row | {step.column: None} if gone else row for row, gone in zip(side, goes, strict=True)]
            else:
                side[:] = [row for row, gone in zip(side, goes, strict=True) if not gone]

    def after(self, step: Any, keys: tuple[str, ...]) -> None:
        """Do what a safeguard does."""
        if isinstance(step, RemoveReplicated | RemoveUniques | RemoveClaims | BlankClaims):
            self.remove(step, keys)
        elif isinstance(step, Coarsen):
            self.grouped(step.column, step.groups)
        elif isinstance(step, Cap):
            low, high = step.low, step.high
            self.change(step.column, lambda v: low if low is not None and v < low else high if v > high else v)
        elif isinstance(step, RoundTo):
            self.change(step.column, lambda v: _rounded(v, step.to))
        elif isinstance(step, Breaks):
            self.as_text(step.column, lambda v: _breaks(v, step.breaks))
        elif isinstance(step, Recode):
            self.change(step.column, lambda v: step.into if v in step.levels else v)
        elif isinstance(step, MergeLevels):
            n = Counter(row[step.column] for row in self.sides[0])
            self.change(step.column, lambda v: step.into if n[v] < step.fewer else v)
        elif step.rows:
            rows = dict(step.rows)
            self.change(step.column, lambda v: rows.get(v, f"in no row: {v}"))
        elif step.level.startswith("prefix:"):
            self.change(step.column, lambda v: v[: int(step.level[7:])])
        elif step.column == "d":
            self.change("d", DATED[step.level])
        else:
            width = Fraction(step.level)
            self.as_text(step.column, lambda v: f"from {Fraction(str(v)) // width * width}")


DATED: dict[str, Callable[[str], str]] = {
    "month": lambda v: v[:7],
    "quarter": lambda v: f"{v[:4]} {(int(v[5:7]) - 1) // 3}",
    "year": lambda v: v[:4],
    "decade": lambda v: v[:3],
}


# ---- what is asked ---------------------------------------------------------------------------------------------------


@dataclass
class Drawn:
    """What a review is made of."""

    sides: Sides
    keys: tuple[str, ...]
    groups: dict[str, Any]
    codes: dict[str, list[float]]
    steps: tuple[Any, ...]
    excluded: dict[str, Any]
    labelled: bool
    random: bool

    @property
    def words(self) -> str:
        out = {name: of for name, of in self.excluded.items() if of not in ((), False, None)}
        how = f"keys {','.join(self.keys)}, groups {self.groups}, {len(self.sides) - 2} syntheses, codes {self.codes}"
        return f"{how}, {'labels, ' * self.labelled}{list(self.steps)}, without {out}"


def drawn(seed: int) -> Drawn:
    """Return what the review of a seed is made of."""
    r = random.Random(f"outside {seed}")
    code, empty, n = r.random() < 0.4, r.choice([0, 0, 0.08]), r.choice([25, 60, 150, 300])
    original = [_member(r, code, empty) for _ in range(n)]
    if code:
        original[0]["n"] = CODE
    made = []
    for _ in range(r.choice([1, 1, 2, 3])):
        side = [dict(r.choice(original)) for _ in range(r.choice([n, n, max(20, n // 2)]))]
        for row in side:
            for name in NAMES:
                if r.random() < 0.12:
                    row[name] = r.choice(original)[name]
        made.append(side)
    share = r.choice([0.05, 0.15, 0.3, 0.6])
    people = [_stranger(r, _member(r, code, empty), share) for _ in range(r.choice([1, 12, 45, 80, 200]))]
    keys = tuple(sorted(r.sample(["d", "c", "n", "l"], r.randint(1, 4))))
    steps = _chain(r, [original, *made], code)
    stepped = {getattr(step, "column", "") for step in steps}
    groups = {
        name: r.choice([2, 3, 7, (5, 20), (0, 11, 30), (15,)])
        for name in NUMBERS
        if r.random() < 0.5 and name not in stepped
    }
    excluded = dict(NOTHING)
    if r.random() < 0.5:
        excluded["levels"] = ("z",) if r.random() < 0.5 else ()
        excluded["missing_target"] = r.random() < 0.5
        excluded["missing_keys"] = tuple(k for k in keys if r.random() < 0.3)
        excluded["limit"] = r.choice([None, None, 1, 3, 10])
        if "l" in keys and "l" not in stepped:
            excluded["pairs"] = (("l", "1", "x"),)
    return Drawn(
        [original, *made, people],
        keys,
        groups,
        {"n": [float(CODE)]} if code else {},
        steps,
        excluded,
        r.random() < 0.3 and "l" not in stepped and not excluded["pairs"],
        r.random() < 0.7,
    )


def _chain(r: random.Random, study: Sides, code: bool) -> tuple[Any, ...]:
    there = sorted({row["c"] for side in study for row in side} - {None})
    rows = tuple(sorted(r.choice([PARENTS, FURTHER]).items()))
    number = r.choice(NUMBERS)
    low, high = r.choice([None, 4]), r.choice([20, 30.5])
    each = {
        "d": [(Band("d", level),) for level in DATED],
        "c": [
            (Band("c", "prefix:1"),),
            (Band("c", "prefix:2"),),
            (Band("c", "regions", rows),),
            (MergeLevels("c", r.choice([2, 6, 20])),),
            (MergeLevels("c", 10, "Rest", keep=()),),
            (Recode("c", "Z", tuple(r.sample(there, min(2, len(there))))),),
            (Recode("c", "A9", tuple(r.sample(there, 1))), Band("c", "prefix:1")),
        ],
        number: [
            (Band(number, r.choice(["5", "2.5", "20"])),),
            (Breaks(number, r.choice([(5, 20), (11,), (0, 16, 30)])),),
            (Coarsen(number, r.choice([2, 3, 5])),),
            (Cap(number, low, high),),
            (RoundTo(number, r.choice([5, 10, 0.5, 3])),),
            (Cap(number, low, high), Band(number, "5")),
            (RoundTo(number, 5), Coarsen(number, 3)),
        ],
        "": [(RemoveReplicated(),), (RemoveUniques(),), (RemoveClaims("t"),), (BlankClaims("t"),)],
    }
    chosen = [r.choice(ways) for ways in each.values() if r.random() < 0.4]
    r.shuffle(chosen)
    return tuple(step for steps in chosen for step in steps)


# ---- the program, and the plain counter ------------------------------------------------------------------------------


def _frame(rows: list[Record], *, typed: bool) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=list(NAMES))
    for name in NUMBERS:
        values = [row[name] for row in rows]
        whole = all(v is None or float(v).is_integer() for v in values)
        frame[name] = pd.array(
            [None if v is None else int(v) if whole else float(v) for v in values],
            dtype="Int64" if whole else "Float64",
        )
    if typed:
        frame["d"] = pd.Series(
            [None if v is None else date.fromisoformat(v) for v in (row["d"] for row in rows)], dtype=object
        )
        frame["l"] = frame["l"].astype("Int64")
    return frame


def _bytes(rows: list[Record], ending: str) -> bytes:
    if ending == "csv":
        return _frame(rows, typed=False).to_csv(index=False).encode()
    held = io.BytesIO()
    _frame(rows, typed=True).to_parquet(held)
    return held.getvalue()


def opened_of(of: Drawn, source: str, folder: Path) -> Any:
    """Return the review of what was drawn, from a source, with its safeguards adopted."""
    ending = "csv" if source.lower().endswith("csv") else "parquet"
    places = [folder / f"{name}.{ending}" for name in ("original", *map(str, range(1, len(of.sides) - 1)), "outside")]
    for place, rows in zip(places, of.sides, strict=True) if source != "tables" else ():
        place.write_bytes(_bytes(rows, ending))
    out = of.excluded
    exclusions = Exclusions(
        target_levels={"t": list(out["levels"])} if out["levels"] else {},
        missing_targets={"t"} if out["missing_target"] else set(),
        missing_keys=set(out["missing_keys"]),
        pairs={"t": [Pair(*pair) for pair in out["pairs"]]} if out["pairs"] else {},
        denominator_limit=out["limit"],
    )
    asked = Settings(of.keys, ("t", "y"), of.groups, exclusions)
    if source.startswith("DuckDB"):
        study = DuckDBStudy.of_files(places[0], places[1:-1], of.codes)
        opened = start_engine(study, "data", beside(study, places[-1]), random=of.random)
    elif source == "tables":
        first, *others = (_frame(rows, typed=True) for rows in of.sides)
        opened = start_tables(first, others[:-1])
        holdout = Holdout("file", random=of.random)
        opened = opened.with_holdout(people_outside(others[-1]), holdout)
    else:
        opened = start(places[0], places[1:-1])
        reading, holdout = read_holdout(places[-1].name, places[-1], beside=opened.review)
        opened = opened.with_holdout(reading, replace(holdout, random=of.random))
    columns = replace(opened.review.columns, missing_codes=dict.fromkeys(of.codes, (f"{CODE}",)))
    review = replace(opened.review, columns=columns).with_settings(asked)
    opened = opened.with_review(replace(review, reasons=dict.fromkeys(exclusions.names(), "agreed")))
    if of.labelled:
        lines = ["column,value,label", *(f"l,{code},{label}" for code, label in LABELS.items())]
        opened = opened.with_review(with_codebook(opened, read_codebook("\n".join(lines).encode(), "codes.csv")))
    if of.steps:
        opened = opened.with_review(replace(opened.review, chains=(Chain("safer", of.steps),), chain="safer"))
        opened = opened.adopt()
    return opened


def plain_of(of: Drawn) -> Plain:
    """Return the same people as plain values, after the same safeguards."""
    found = Plain([[dict(row) for row in side] for side in of.sides], dict(of.codes), dict(of.groups))
    if of.labelled:
        found.change("l", lambda v: LABELS.get(v, v))
    for step in of.steps:
        found.after(step, of.keys)
    return found


class Plainly(Held):
    """What was held against the plain counter of a seed, and what differs."""

    def same(self, source: str, what: str, found: float, expected: float) -> None:
        self.n[source] += 1
        if not same(found, expected):
            self.wrong.append(f"{source}: {what} is {found!r}, plainly {expected!r}")


SIDES = ("members", "non_members", "difference", "R")


def of_people(held: Plainly, source: str, opened: Any, of: Drawn, data: Data) -> None:
    """Hold figures of members and people outside against the plain counter's."""
    found, keys = opened.attribute_baseline(), opened.identity_baseline()
    for each in (found, keys):
        if isinstance(each, NotEvaluated):
            held.n[f"not evaluated: {each.why.partition(':')[0][:60]}"] += 1
    if not isinstance(keys, NotEvaluated):
        plain = outside.outside_by_keys(data, of.keys, of.excluded["missing_keys"])
        for row in keys.figures.to_dict("records"):
            for name in SIDES:
                held.same(
                    source, f"{name} of repU, synthesis {row['synthesis']}", row[name], plain[row["synthesis"],][name]
                )
    if isinstance(found, NotEvaluated):
        return
    for target in sorted(set(found.figures["target"])):
        out = (
            of.excluded if target == "t" else NOTHING | {name: of.excluded[name] for name in ("missing_keys", "limit")}
        )
        rows, wide = outside.beside_outside(counter.Target(data, list(of.keys), target, {**out, **LIMITS}))
        mine = found.figures[found.figures["target"] == target]
        for row in mine.to_dict("records"):
            for name in SIDES:
                what = f"{name} of {row['measure']} of {target}, synthesis {row['synthesis']}"
                held.same(source, what, row[name], rows[row["measure"], row["synthesis"]][name])
        for row in found.same_keys[found.same_keys["target"] == target].to_dict("records"):
            if not row["why"]:
                held.same(source, f"M of {target}", row["points"], wide["DiSCO",]["M"])
            held.same(source, f"informative of {target}", row["informative"], wide["DiSCO",]["informative"])


def whole_review(held: Plainly, opened: Any, r: random.Random, of: Drawn) -> None:
    """Have the second counter count everything again, with searches over coarser keys and subsets of them."""
    known = {
        "d": Hierarchy.calendar("month", "year"),
        "c": r.choice([Hierarchy.prefixes(1), Hierarchy.table(sorted(FURTHER.items()))]),
        "n": Hierarchy.bands(5, 20),
    }
    free = {
        key for key in of.keys if key not in {getattr(step, "column", "") for step in of.steps} and key not in of.groups
    }
    asks = ThreatModel("adults", 100_000, "register", *([True] * 3), Motive.RECOGNITION)
    review = replace(
        opened.review,
        hierarchies={key: known[key] for key in free & known.keys()},
        searched=frozenset({"membership", "strongest", "subsets"}),
        threat_model=asks,
    )
    opened = opened.with_review(review)
    if opened.judged.stopped() or not opened.judged.can_learn():
        return
    opened.membership()
    opened.strongest_intruder()
    found = opened.verify()
    held.n["verify"] += found.n
    held.wrong += [f"verify: {differs}" for differs in found.differ]


def in_people(held: Plainly, opened: Any, of: Drawn, plain: Plain, r: random.Random) -> None:
    """Hold what replicated uniques mean in a population with people whom nobody else is like."""
    rows = [*of.sides[0], *(_stranger(r, dict(row), 0.5) for row in r.choices(of.sides[0], k=30))]
    counts = [r.choice([1, 1, 2, 9]) for _ in rows]
    frame = _frame(rows, typed=False)[list(of.keys)].assign(count=counts)
    read = read_population("people.csv", frame.to_csv(index=False).encode(), beside=opened.review)
    found = in_population(with_population(opened, *read))
    if isinstance(found, NotEvaluated):
        held.n[f"not evaluated: {found.why[:60]}"] += 1
        return
    asked = Plain([*plain.study, [dict(row) for row in rows]], plain.codes, plain.groups)
    if of.labelled:
        for row in asked.sides[-1]:
            row["l"] = LABELS.get(row["l"], row["l"])
    expected = released.by_people(plain.data(), of.keys, of.excluded["missing_keys"], asked.data(), counts)
    for row in found.figures.to_dict("records"):
        for name in ("replicated", "unique", "right"):
            held.same(
                "population", f"{name}, synthesis {row['synthesis']}", row[name], expected[row["synthesis"],][name]
            )


def tried(seed: int) -> Plainly:
    """Hold a seed's people outside against the plain counter, from every source."""
    held, of = Plainly(), drawn(seed)
    plain = plain_of(of)
    data = plain.data()
    for source in (*SOURCES[:2], SOURCES[2 + seed % 2]):
        if of.labelled and source.startswith("DuckDB"):
            continue  # a codebook needs the records here
        with tempfile.TemporaryDirectory() as place:
            try:
                opened = opened_of(of, source, Path(place))
                if stopped := opened.stopped():
                    held.n[f"stopped: {stopped.why[:60]}"] += 1
                    continue
                of_people(held, source, opened, of, data)
                r = random.Random(f"{seed} {source}")
                if source == "csv":
                    whole_review(held, opened, r, of)
                    if not of.steps:
                        in_people(held, opened, of, plain, r)
            except DisclosureError as error:
                held.n[f"refused: {str(error)[:80]}"] += 1
    return held


def main(first: int, last: int) -> int:
    """Try the seeds; print what was held against the plain counter, and what differs."""
    began, every = time.monotonic(), told(first, last, tried, lambda seed: drawn(seed).words)
    for name in sorted(every.n):
        print(f"{name:90} {every.n[name]}")
    print(f"{last - first} seeds in {time.monotonic() - began:.0f} s, {len(every.wrong)} differ")
    return len(every.wrong)


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
