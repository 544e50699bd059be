"""Figures files changed in every way: a change is found, or the list says that nobody counts it again.

Reviews of ten kinds, drawn as in tests/slow/neighbours.py. Of a file that somebody hands over (`disclosure verify
--figures`) each field, row and table is changed, taken out, doubled, or swapped with another: each is found, but for
`NOT_HELD`. Then the program itself is wrong, and nobody has a file to compare: the second counter alone finds each
figure and row that was changed so, but for the columns that the table of docs/command-line.md lists.

`python -m tests.slow.tampered 0 20` tries the seeds from 0 to 19, one kind after the other, and prints how often what was
tried; exit status 1 where something is neither found nor listed, or where an entry of the list is not needed.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from disclosure_core import DisclosureError, NotEvaluated, start_demonstration
from disclosure_core.export.verified import verify
from tests.figures_files import Recount, figures_file, is_found, others
from tests.reports import evaluated
from tests.slow.further import asking_more
from tests.slow.neighbours import drawn, review_of
from tests.slow.test_report_read_back import STATES, opened_in
from tests.written import to_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HANDED_OVER = 80
"""Changes of a file that are tried with each seed: of fields drawn at random, each as likely."""

NOT_HELD = {
    ("disclosure", "another text"): "the version that wrote it",
    ("disclosure", "emptied"): "the version that wrote it",
    ("counted_again", "nothing"): "whether it was counted again when it was written",
    ("*", "last digits"): "digits of a figure beyond 1 in 10⁹",
}
"""By field and change, what of a file that is handed over is not held against the review, and why."""


def listed() -> dict[str, str]:
    """Return the columns that nobody counts again, as docs/command-line.md has them, and why."""
    text = (Path(__file__).parents[2] / "docs/command-line.md").read_text(encoding="utf-8")
    table = text.split("| not counted again | why |")[1].split("\n\n")[0]
    rows = (line.strip("|").split("|") for line in table.strip().splitlines()[1:])
    return {name.strip(" `"): why.strip() for names, why in rows for name in names.split(",")}


# ---- reviews -----------------------------------------------------------------------------------------------------------


def is_refused(opened: Any) -> bool:
    return opened.data.has_holdout and isinstance(evaluated(opened.attribute_baseline), NotEvaluated)


KINDS: dict[str, Callable[[Any, Any], bool]] = {
    "several sets and syntheses": lambda of, _: len(of.sets) > 1 and len(of.sets["A"]) > 1,
    "people outside": lambda of, opened: of.outside is not None and not is_refused(opened),
    "people outside who are refused": lambda of, opened: of.outside is not None and is_refused(opened),
    "exclusions with reasons": lambda of, opened: bool(of.reasons) and opened.printed.review.exclusions.names() != (),
    "exclusions without reasons": lambda of, opened: not of.reasons and bool(opened.not_judged),
    "labels and missing codes": lambda of, _: of.labelled,
    "searches": lambda of, _: {"subsets", "strongest", "membership"} <= of.review["searched"],
    "least safeguard, and sets compared": lambda of, _: {"least", "comparison"} <= of.review["searched"],
    "safeguards adopted": lambda of, _: of.adopted,
    "τ, limits and released syntheses": lambda of, _: bool(of.review["tau"] and of.review["released"]),
}  # fmt: skip
"""Kinds of reviews; all have every further analysis in the report. Beside them are the demonstration, and an engine."""


def review(seed: int) -> tuple[str, Any]:
    """Return the kind of a seed's review, and a review of that kind."""
    names = ["the demonstration", "in DuckDB", *KINDS]
    name, more = names[seed % len(names)], (seed // len(names) + seed) % 2
    if name == "in DuckDB":
        return name, opened_in(STATES["in an engine"] | {"targets": ("marital", "income")})
    if name == "the demonstration":
        opened = start_demonstration()
        targets = random.Random(seed).sample(sorted(opened.assessment().targets), 2)
        return name, opened_in(
            STATES["all searched"] | {"targets": tuple(targets), "searched": frozenset({"membership"})}
        )
    for other in count(1000 * seed):
        original, of = drawn(other)
        try:
            opened = review_of(original, of)
            opened.to_json()
            if not opened.judged.stopped() and KINDS[name](of, opened):
                return name, asking_more(opened, other)[0] if more else opened
        except DisclosureError:  # what was drawn does not fit
            continue
    raise AssertionError


# ---- what is changed ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """One change of a document: its kind, the place, what holds the place, and what makes it."""

    kind: str
    place: tuple[str | int, ...]
    holder: Any
    make: Callable[[], None]

    @property
    def column(self) -> str:
        return figures_file.column_of(self.place)


def places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield every list and dictionary of a document that holds something, and where it stands."""
    if isinstance(value, dict | list):
        if value:
            yield place, value
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*place, name))


def changes(place: tuple[str | int, ...], holder: Any, name: str | int) -> list[Change]:
    """Return each change of one field, row or table: of its value, taken out, doubled, swapped with another."""
    value, at = holder[name], (*place, name)

    def change(kind: str, make: Callable[[], None]) -> Change:
        return Change(kind, at, holder, make)

    def put(where: str | int, other: Any) -> None:
        holder[where] = other

    def swap(other: str | int) -> None:
        holder[name], holder[other] = holder[other], holder[name]

    found = [change("taken out", lambda: holder.pop(name))]
    if not isinstance(value, dict | list):
        close = [("last digits", value * (1 + 1e-12))] if isinstance(value, float) and value else []
        found += [change(kind, lambda other=other: put(name, other)) for kind, other in (*others(value), *close)]
    if isinstance(holder, list):
        found.append(change("doubled", lambda: holder.insert(name, copy.deepcopy(value))))
        unlike = [i for i, each in enumerate(holder) if each != value]
    else:
        found.append(change("doubled", lambda: put(f"{name} again", copy.deepcopy(value))))
        unlike = [
            key for key, each in holder.items() if each != value or isinstance(each, bool) != isinstance(value, bool)
        ]
    found += [change("swapped", lambda other=other: swap(other)) for other in unlike[:1] + unlike[-1:]]
    return found


def at_random(rng: random.Random, document: Any) -> Iterator[Change]:
    """Yield changes without end: each field is as likely, whatever its rows, and each change of it."""
    fields: defaultdict[tuple[str, ...], list[tuple[Any, Any, Any]]] = defaultdict(list)
    for place, holder in places(document):
        for name in holder if isinstance(holder, dict) else range(len(holder)):
            of = tuple("" if isinstance(part, int) else part for part in (*place, name))
            fields[of].append((place, holder, name))
    names = sorted(fields)
    while True:
        yield rng.choice(changes(*rng.choice(fields[rng.choice(names)])))


def undone(change: Change) -> Callable[[], None]:
    """Make a change, and return what takes it back."""
    before = copy.copy(change.holder)
    change.make()

    def undo() -> None:
        change.holder.clear()
        (change.holder.update if isinstance(before, dict) else change.holder.extend)(before)

    return undo


# ---- what is found -----------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What was tried, how often, what was not found, and which entries of the list were needed; where the data are."""

    tried: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    needed: set[str] = field(default_factory=set)
    where: str = ""

    def say(self, what: str, *, found: bool, column: str, more: str = "") -> None:
        """Note one change; one that is not found must be of a column on the list."""
        self.tried[what] += 1
        if not found:
            columns = (column, f"{column} {self.where}")
            entries = [entry for entry in LISTED if any(fnmatchcase(each, entry) for each in columns)]
            self.needed |= {*entries[:1]}
            if not entries:
                self.missed.append(f"{what}: {column} {more}".strip())


LISTED = listed()


def handed_over(rng: random.Random, document: Any, found: Found, n: int) -> None:
    """Change a file that somebody hands over, at random and in what is not held; what the review makes is as before."""
    made = copy.deepcopy(document)
    names = dict.fromkeys(name for name, _ in NOT_HELD if name in document)
    not_held = [change for name in names for change in changes((), document, name)]
    for change in chain(not_held, islice(at_random(rng, document), n)):
        undo = undone(change)
        known = NOT_HELD.get((str(change.place[-1]), change.kind)) or NOT_HELD.get(("*", change.kind), "")
        if not is_found(document, made, frozenset()):
            found.needed.add(known)
            if not known:
                found.missed.append(f"handed over: {change.kind} at {change.place}")
        undo()
        found.tried[f"handed over: {change.kind}"] += 1
    assert document == made


def wrong_figures(rng: random.Random, recount: Recount, document: Any, found: Found) -> None:
    """Change every figure at once: those of the program are wrong, and the second counter names each."""
    for kind in ("moved", "without an answer"):
        other, changed = copy.deepcopy(document), []
        for place, value in figures_file.leaves(document):
            if figures_file.is_figure(value) and not figures_file.is_asked(place):
                nothing = 1.0 if value == "NaN" else "NaN"
                now = moved(rng, value) if kind == "moved" else nothing
                holder = other
                for part in place[:-1]:
                    holder = holder[part]
                holder[place[-1]] = now
                changed.append(place)
        seen, counted = recount.held_against(other)
        named = {each.figure for each in seen.differ}
        for place in changed:
            there = place in counted and figures_file.name_of(other, place) in named
            found.say(f"figure {kind}", found=there, column=figures_file.column_of(place))


def moved(rng: random.Random, value: Any) -> float:
    """Return a figure that is a little or much too large or too small."""
    if isinstance(value, str):
        return rng.choice((0.0, 1.5, -3.0))
    if isinstance(value, int) and rng.random() < 0.5:
        return value + rng.choice((-1, 1))
    return value + rng.choice((-1, 1)) * max(abs(value), 1) * 10 ** rng.uniform(-8, 1)


def wrong_rows(rng: random.Random, recount: Recount, document: Any, found: Found) -> None:
    """Take rows out of each table, double them, and say that they are of something else."""
    for name, rows in document["tables"].items():
        ids = figures_file.IDS.get(name, ())
        if not rows or {"why", "not evaluated"} & rows[0].keys() or name == "columns":
            continue
        at = rng.randrange(len(rows))
        kinds = {"row taken out": [*rows[:at], *rows[at + 1 :]], "row doubled": [*rows, rows[at]], "table emptied": []}
        if "target" in ids:
            gone = rows[at].get("target")
            kinds["target taken out"] = [row for row in rows if row.get("target") != gone]
        if ids:
            column = rng.choice(ids)
            other = rng.choice([row[column] for row in rows if row.get(column) != rows[at].get(column)] or ["nowhere"])
            of_another = {**rows[at], column: other}
            kinds["cell that says which row it is"] = [*rows[:at], of_another, *rows[at + 1 :]]
        held_back = {"not_evaluated": document["not_evaluated"]}
        for kind, changed in kinds.items():
            seen, _ = recount.held_against({**held_back, "tables": {name: changed}})
            named = any(f" of {name} (" in each.figure for each in seen.differ)
            found.say(kind, found=named, column=f"{'lost ' * (len(changed) < len(rows))}rows of {name}")


def wrong_page_1(rng: random.Random, recount: Recount, document: Any, found: Found) -> None:
    """Take a row out of page 1, double it, and say that it is of something else."""
    rows = document["answer"]["rows"]
    for kind in ("row taken out", "row doubled", "a cell of another row") if rows else ():
        at = rng.randrange(len(rows))
        changed = [*rows, rows[at]] if kind == "row doubled" else [*rows[:at], *rows[at + 1 :]]
        if kind.startswith("a cell"):
            changed.append({**rows[at], "measure": "DCAP" if rows[at]["measure"] == "DiSCO" else "DiSCO"})
        seen, _ = recount.held_against(document | {"tables": {}, "answer": document["answer"] | {"rows": changed}})
        found.say(f"page 1: {kind}", found=bool(seen.differ), column="rows of page 1")


COUNTED = ("summary", "identity", "attribute", "caps", "exclusions")
"""Tables that every review has, and that are counted again whole."""


def wrong_tables(rng: random.Random, opened: Any, document: Any, found: Found) -> None:
    """Take a table out of what the program makes, double it, or swap it with another."""
    names = [name for name, rows in document["tables"].items() if name not in ("columns", "not_evaluated") and rows]
    one = rng.choice([name for name in names if name in COUNTED])
    other = rng.choice([name for name in names if name != one])
    tables = document["tables"]
    kind, changed = rng.choice((
        ("taken out", {name: rows for name, rows in tables.items() if name != one}),
        ("swapped", tables | {one: tables[other], other: tables[one]}),
        ("doubled", tables | {f"{one} again": tables[one]}),
    ))  # fmt: skip
    with patch("disclosure_core.export.verified.to_json", lambda _: json.dumps(document | {"tables": changed})):
        seen = verify(opened)
    found.say(f"table {kind}", found=bool(seen.differ), column=f"table {one} {kind}")


def tried(seed: int) -> tuple[str, Found]:
    """Return the kind of a seed's review, and what was found of its files."""
    rng, found = random.Random(seed), Found()
    name, opened = review(seed)
    document = json.loads(opened.to_json())
    recount = Recount(opened)
    found.where = "" if recount.rows is None else "in an engine"
    untouched, _ = recount.held_against(document)
    if untouched.differ:
        found.missed.append(f"nothing was changed, and this differs: {untouched.differ[0].sentence}")
    handed_over(rng, document, found, HANDED_OVER)
    evidence = json.loads(to_evidence(opened)) | {"counted_again": "the line"}
    handed_over(rng, evidence, found, HANDED_OVER // 4)
    wrong_figures(rng, recount, document, found)
    wrong_rows(rng, recount, document, found)
    wrong_page_1(rng, recount, document, found)
    wrong_tables(rng, opened, document, found)
    return name, found


def main(first: int, last: int) -> int:
    """Try the seeds; print what was not found, and how often what was tried."""
    all_of_it: Counter[str] = Counter()
    missed, needed, kinds = 0, set[str](), Counter[str]()
    for seed in range(first, last):
        name, found = tried(seed)
        all_of_it += found.tried
        kinds[name] += 1
        needed |= found.needed
        missed += len(found.missed)
        print(f"seed {seed}, {name}: {found.tried.total()} changes", flush=True)
        for each, n in Counter(found.missed).most_common(12):
            print(f"seed {seed}: {n} times not found, {each}", flush=True)
    print(dict(all_of_it), f"{all_of_it.total()} changes, {missed} neither found nor listed")
    unneeded = {*LISTED, *NOT_HELD.values()} - needed if len(kinds) > len(KINDS) else set()
    for entry in sorted(unneeded):
        print(f"on the list, and not needed: {entry}")
    return missed + len(unneeded)


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
