"""Searches cut short at every point: nothing passes then that the whole search fails.

Small reviews drawn at random, in which some keys were synthesised badly, so that fewer of them disclose more. Each of their
searches is made whole, and again with every bound that is smaller: subsets of the keys and membership, combinations and
beam of the strongest intruder, releases and time of the least safeguard. Every condition that `--fail-if` reads is asked
of both, by each sign, at, above and below the figures of both; also `limits`, page 1's outcome, `complete` of JSON and
evidence, and the aim. Last, each is stopped at each of its steps: nothing is left of it, and it gives the same afterwards.

`python -m tests.slow.cut_short 0 20` tries the seeds from 0 to 19, and prints what was tried, and how often; exit status 1
where something passed that the whole fails, or a search that was stopped left something behind.
"""

# Inside: how a question stands in the list of page Analyses.

from __future__ import annotations

import itertools
import json
import math
import random
import re
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from disclosure_core import (
    Bounds,
    DisclosureError,
    Exclusions,
    Hierarchy,
    KeySet,
    Limit,
    Limits,
    Motive,
    NotEvaluated,
    Settings,
    Sought,
    ThreatModel,
    read_holdout,
    start_tables,
)
from pages.analyses.listed import status
from tests.commands import condition, figures_of, forms
from tests.reports import answer, evaluated
from tests.slow.held import Held, told
from tests.written import of_review, to_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

KEYS = ("a", "b", "c", "d", "age")
TARGETS = ("t", "u")
SEARCHES = frozenset({"membership", "subsets", "strongest", "least", "comparison"})
ASKED = 60
"""Conditions that are asked of each search that was cut short, drawn from all."""
CUTS = 4
"""Bounds of each search that are tried with a seed, drawn from all."""
SIGNS = (">", ">=", "<", "<=")


# ---- reviews -----------------------------------------------------------------------------------------------------------


def people(rng: np.random.Generator, n: int) -> pd.DataFrame:
    frame = pd.DataFrame({name: rng.integers(0, rng.integers(2, 5), n).astype(str) for name in KEYS[:-1]})
    frame["age"] = rng.integers(20, 32, n)
    told = frame["a"] + frame["b"]
    frame["t"] = np.where(rng.random(n) < 0.7, told, rng.choice(["x", "y", "z"], n))
    frame["u"] = np.where(rng.random(n) < 0.5, frame["c"], rng.choice(["p", "q"], n, p=[0.8, 0.2]))
    return frame


def synthesised(rng: np.random.Generator, original: pd.DataFrame, badly: dict[str, float]) -> pd.DataFrame:
    """Return some records of the original, each column drawn anew in a share of them."""
    made = original.sample(len(original), replace=True, random_state=rng, ignore_index=True)
    for name, share in badly.items():
        anew = rng.random(len(made)) < share
        made.loc[anew, name] = rng.choice(original[name], int(anew.sum()))
    return made


def review(seed: int) -> Any:
    """Return a review of a seed, with bounds that no search of it reaches."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 160))
    original = people(rng, n)
    badly = {name: float(rng.choice([0, 0.05, 0.3, 0.9])) for name in (*KEYS, *TARGETS)}
    sets = {"A": [synthesised(rng, original, badly) for _ in range(rng.integers(1, 3))]}
    if rng.random() < 0.5:
        sets["B"] = [synthesised(rng, original, {name: share / 2 for name, share in badly.items()})]
    opened = start_tables(original, sets)
    if rng.random() < 0.8:
        outside = people(rng, 80)
        opened = opened.with_holdout(*read_holdout("outside.csv", outside.to_csv(index=False).encode()))
    out = Exclusions() if rng.random() < 0.5 else Exclusions(
        target_levels={"u": ["p"]}, missing_keys={"a"} if rng.random() < 0.5 else (),
        denominator_limit=3 if rng.random() < 0.3 else None,
    )  # fmt: skip
    asked = opened.review.with_settings(Settings(keys=KEYS, targets=TARGETS, exclusions=out))
    motive = (None, None, Motive.RECOGNITION, Motive.PERSONAL)[int(rng.integers(4))]
    relative = float(rng.choice([0.01, 0.05, 0.1, 0.2, 0.9]))
    aims = (("DiSCO<=5",), ("repU<=1",), ("beyond<=2", "DiSCO[t]<=20"), ("gain<3",), ("limits",))[int(rng.integers(5))]
    sought = Sought(
        aims, coarsen={"age": Hierarchy.bands(3, 6)}, remove=float(rng.choice([0, 20, 60])),
        blank=("u",) if rng.random() < 0.5 else (),
    )  # fmt: skip
    known = asked.intruders
    if rng.random() < 0.4:
        known = (*known, KeySet("neighbour", ("a", "age"), "they see it"))
    return opened.with_review(replace(
        asked, intruders=known, searched=SEARCHES, sought=sought, tau=0.7 if rng.random() < 0.2 else None,
        hierarchies={"age": Hierarchy.bands(3, 6)}, reasons=dict.fromkeys((*KEYS, *TARGETS, "missing keys", "denominators"), "known"),
        threat_model=ThreatModel("adults", int(rng.choice([400, 5_000])), "register", True, True, True, motive),
        limits=Limits(Limit(60, 30, "office", "rule"), Limit(80, 60, "office", "rule"), Limit(relative=relative, owner="office", reason="rule")),
        released={"A": (1,)} if rng.random() < 0.5 else {},
    ))  # fmt: skip


def within(opened: Any, bounds: Bounds) -> Any:
    """Return the same with other bounds of every intruder."""
    of = tuple(replace(known, bounds=bounds) for known in opened.review.intruders)
    return opened.with_review(replace(opened.review, intruders=of))


class Clock:
    """A clock that moves on by a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> float:
        self.now += 1
        return float(self.now)


# ---- searches that are cut short ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cut:
    """A review of which a search ends early: what ends it, the review, and the names of its searches."""

    what: str
    opened: Any
    whole: Callable[[], bool]


def cuts(opened: Any, rng: random.Random) -> Iterator[Cut]:
    """Yield the review with each of its searches cut short: at bounds drawn from all that are below the whole."""

    def some(values: Sequence[Any]) -> list[Any]:
        return sorted(rng.sample(list(values), min(CUTS, len(values))))

    every = opened.review.bounds
    for n in some(range(1, 2 ** len(KEYS) - 1)):
        cut = within(opened, replace(every, subsets=n))
        yield Cut("subsets", cut, lambda cut=cut: cut.subsets().complete and _complete(cut.membership()))
    nodes = opened.strongest_intruder().coverage.n_nodes
    for n in some(range(1, nodes)):
        cut = within(opened, replace(every, budget=n, beam=rng.choice((1, 2, 20))))
        yield Cut("nodes", cut, lambda cut=cut: cut.strongest_intruder().complete)
    for seconds in some(range(opened.finished_least().n_chains)):
        sought = replace(opened.review.sought, seconds=float(seconds))
        cut = opened.with_review(replace(opened.review, sought=sought))
        yield Cut("seconds", cut, lambda cut=cut: cut.finished_least().complete)


def _complete(found: Any) -> bool:
    return bool(getattr(found, "complete", True))


# ---- what is asked of both ---------------------------------------------------------------------------------------------


class Found(Held):
    """What was tried, how often, and what passed that the whole fails."""

    def passes_no_more(self, what: str, cut: Cut, passed: bool, whole: bool, more: str = "") -> None:
        """Note one thing that the cut search was asked, and the whole one."""
        self.n[f"{what}, {cut.what}{'' if passed else ', no pass'}"] += 1
        if passed and not whole:
            self.wrong.append(f"{cut.what}: {what} passes, and the whole fails: {more}")


OF_SEARCHES = (
    "membership", "membership_all_keys", "subsets_identity", "subsets_attribute", "strongest", "strongest_levels",
    "least_safeguard", "sets", "sets_map", "sets_differences",
)  # fmt: skip
"""Tables of which every column stands in a condition."""


def near(rng: random.Random, column: str, *each: dict[str, pd.DataFrame]) -> float:
    """Return a figure of a column, or one near it: often the largest of a target, of some table."""
    frames = [f for tables in each for f in tables.values() if column in f and pd.api.types.is_numeric_dtype(f[column])]
    if not frames:
        return rng.uniform(0, 100)
    frame = rng.choice(frames)
    if "target" in frame and len(frame):
        frame = frame[frame["target"] == rng.choice(sorted(frame["target"]))]
    values = [float(x) for x in frame[column] if math.isfinite(x)] or [0.0]
    x = rng.choice((max(values), max(values), min(values), rng.choice(values)))
    return x + rng.choice((0.0, 1e-6, -1e-6, 1e-3, -1e-3)) * max(abs(x), 1)


FORMS = forms(TARGETS)
SEARCHED = [form for form in FORMS if form.startswith(("worst", "strongest", "F"))]


def conditions(rng: random.Random, *each: dict[str, pd.DataFrame]) -> Iterator[str]:
    """Yield conditions without end: on what a search found, any measure, or a table's column, at a figure or near it."""
    there = [name for name in OF_SEARCHES if name in each[0]]
    while True:
        draw = rng.random()
        if draw < 0.7:
            written = rng.choice(SEARCHED if draw < 0.55 else FORMS)
            what = re.sub(r"\[.*", "", written)
            column = "figure" if what.startswith("strongest") else re.sub(r"\w+\((\w+)\)", r"\1", what)
            x = near(rng, column, *each)
        else:
            name = rng.choice(there)
            column = rng.choice(figures_of(name, each[0][name]) or ["nothing"])
            written = f"{name}.{column}{rng.choice(('', '', '[t]', '[u]', '[a]', '[a, b]', '[DiSCO]', '[1]'))}"
            x = near(rng, column, *({name: tables[name]} for tables in each if name in tables))
        yield f"{written}{rng.choice(SIGNS)}{x:.9f}"


def holds_back(text: str, opened: Any) -> bool:
    """Return whether a condition stops a pipeline: it holds, has no answer, or cannot be asked."""
    try:
        return bool(condition(text)(opened))
    except DisclosureError:
        return True


def compared(found: Found, rng: random.Random, whole: Any, cut: Cut) -> None:
    """Ask all of a search that was cut short, and of the whole one."""
    finished = cut.whole()
    found.n[f"searches, {cut.what}, {'whole all the same' if finished else 'cut short'}"] += 1
    for text in itertools.islice(conditions(rng, of_review(cut.opened), of_review(whole)), ASKED):
        passed = not holds_back(text, cut.opened)
        found.passes_no_more("condition", cut, passed, passed and not holds_back(text, whole), text)
    of_cut, of_whole = (json.loads(to_evidence(opened)) for opened in (cut.opened, whole))
    for what, passes in PASSES.items():
        passed = passes(cut.opened, of_cut)
        found.passes_no_more(what, cut, passed, passed and passes(whole, of_whole))
    if not finished and of_cut["figures"]["complete"]:
        found.wrong.append(f"{cut.what}: the JSON says that it is complete")


def reached(opened: Any, _: Any) -> bool:
    """Return whether a chain that the search names reaches the aim: `disclosure protect --aim` ends well."""
    found = evaluated(opened.finished_least)
    return not isinstance(found, NotEvaluated) and found.cheapest is not None


def done(opened: Any, _: Any) -> bool:
    """Return whether page Analyses says that every search is done."""
    searches = (opened.membership, opened.subsets, opened.strongest_intruder, opened.finished_least)
    return all(status(evaluated(search))[1] in ("done", "not evaluated") for search in searches)


PASSES: dict[str, Callable[[Any, Any], bool]] = {
    "limits": lambda opened, _: not holds_back("limits", opened),
    "page 1": lambda opened, _: str(answer(opened).outcome) == "within",
    "page 1, membership": lambda opened, _: str(answer(opened).membership.outcome) == "within",
    "complete JSON": lambda _, said: bool(said["figures"]["complete"]),
    "R1, R6 and R7 of evidence": lambda _, said: all(
        each["standing"] != "open" for each in said["requirements"] if each["name"] in ("R1", "R6", "R7")
    ),
    "the aim": reached,
    "status of Analyses": done,
}


# ---- searches that are stopped -----------------------------------------------------------------------------------------


class StoppedError(Exception):
    """Somebody clicked Stop."""


def stopping(after: int) -> Callable[[int, int], None]:
    """Return what takes a search's reports, and ends it at the one after so many."""
    told = itertools.count()

    def progress(_done: int, _of: int) -> None:
        if next(told) >= after:
            raise StoppedError

    return progress


BY_KIND: dict[str, Callable[[Any, Any], Any]] = {
    "membership": lambda opened, progress: opened.membership(progress),
    "subsets": lambda opened, progress: opened.subsets(progress),
    "strongest": lambda opened, progress: opened.strongest_intruder(progress),
    "least": lambda opened, progress: opened.least_safeguard(progress=progress),
}


def stopped(found: Found, rng: random.Random, seed: int, expected: str) -> None:
    """Stop each search at steps drawn from all: nothing is kept, and afterwards it gives what it would have given."""
    opened = review(seed)
    plain = opened.with_review(replace(opened.review, searched=frozenset()))
    for kind, search in BY_KIND.items():
        for after in itertools.chain([0, 1, 2], (rng.randrange(3, 60) for _ in range(3))):
            with suppress(StoppedError, DisclosureError):
                search(plain, stopping(after))
                found.n[f"stopped, {kind}: ended before"] += 1
                break
            found.n[f"stopped, {kind}"] += 1
            if plain.is_kept(kind):
                found.wrong.append(f"{kind}: stopped at step {after}, and something is kept")
    for after in (0, 3, rng.randrange(4, 200)):
        with suppress(StoppedError):
            of_review(opened, stopping(after))
        found.n["stopped, all tables"] += 1
    if opened.to_json() != expected:
        found.wrong.append("after it was stopped, the figures are others")


# ---- the whole ---------------------------------------------------------------------------------------------------------


def tried(seed: int) -> Found:
    """Return what was found of a seed's review."""
    rng, found = random.Random(seed), Found()
    with ExitStack() as every_step:
        for module in ("sensitivity.node_search", "counting.subsets", "comparison.least_safeguard"):
            every_step.enter_context(patch(f"disclosure_core.{module}._EVERY", 0))  # each step is told
        every_step.enter_context(patch("disclosure_core.comparison.least_safeguard.monotonic", Clock()))
        whole = review(seed)
        try:
            expected = whole.to_json()
        except DisclosureError as error:
            found.n[f"not drawn: {str(error)[:50]}"] += 1
            return found
        if not json.loads(expected)["complete"]:
            found.wrong.append("the whole is not complete")
        for cut in cuts(whole, rng):
            compared(found, rng, whole, cut)
        stopped(found, rng, seed, expected)
    return found


def main(first: int, last: int) -> int:
    """Try the seeds; print what passed that the whole fails, and what was tried how often."""
    every = told(first, last, tried)
    print(dict(sorted(every.n.items())), f"{len(every.wrong)} wrong")
    return len(every.wrong)


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
