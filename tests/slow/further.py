"""What else a review may ask for than tests/slow/neighbours.py draws, where a record more or less moves other records.

Drawn are groups that the data make, a limit of denominators, an intruder who knows keys in groups of their own, levels
at which keys may be known, bounds of searches, parameters of further analyses, samples, verdicts, what is asked of the
release, a holdout that is known to be random or not to be, and a table of the population.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core import Bounds, DisclosureError, Hierarchy, KeySet, Verdict
from disclosure_core.review.parts import Analysis, Sample
from disclosure_core.review.population import with_population
from disclosure_core.review.reading import read_population

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Asking = Callable[[random.Random, Any], Any]

NUMBERS, CODES = ("age", "pay"), ("ka", "kb")


def _groups(r: random.Random, opened: Any) -> Any:
    drawn = {name: r.choice([2, 3, 4, 30]) for name in NUMBERS if r.random() < 0.6}
    return replace(opened.review, groups={**opened.review.groups, **drawn})


def _denominators(r: random.Random, opened: Any) -> Any:
    review = opened.review
    reasons = {**review.reasons, **({"denominators": "few"} if r.random() < 0.7 else {})}
    return replace(
        review, exclusions=replace(review.exclusions, denominator_limit=r.choice([1, 2, 5, 20])), reasons=reasons
    )


def _intruder(r: random.Random, opened: Any) -> Any:
    """Somebody who knows more or fewer keys, and numbers in groups of their own; perhaps the one that figures speak of."""
    targets = {*opened.study().columns} if opened.review.targets is None else {*opened.review.targets}
    keys = [name for name in (*CODES, *NUMBERS) if name not in targets]
    if not keys:
        return opened.review
    known = tuple(r.sample(keys, r.randint(1, len(keys))))
    groups = {name: r.choice([0, 2, 3, (0, 12, 22, 90)]) for name in known if name in NUMBERS and r.random() < 0.7}
    bounds = Bounds(
        at_most=r.choice([None, 1, 2]),
        at_best={name: "unknown" for name in known if r.random() < 0.1},
        budget=r.choice([5000, 5000, 3]),
        beam=r.choice([20, 1]),
        subsets=r.choice([4095, 4095, 2]),
    )
    review = replace(
        opened.review,
        intruders=(*opened.review.intruders, KeySet("a colleague", known, "they say", groups, {}, bounds)),
    )
    return replace(review, intruder="a colleague") if r.random() < 0.5 else review


def _hierarchies(r: random.Random, opened: Any) -> Any:
    ways = {
        "age": Hierarchy.bands(2, 6),
        "pay": Hierarchy.bands(5),
        "ka": Hierarchy.prefixes(2, 1),
        "kb": Hierarchy.table([("m1", "m"), ("m2", "m")]),
    }
    return replace(opened.review, hierarchies={name: way for name, way in ways.items() if r.random() < 0.6})


def _analyses(r: random.Random, opened: Any) -> Any:
    asked: dict[str, dict[str, Any]] = {
        "near-misses": {"tolerance": r.choice([["3%", "100"], ["0", "1"], ["50%"]])},
        "anonymity": {"k": r.choice([2, 3, 10, 500])},
        "tau": {"at": r.choice([[0.5], [0.0, 1.0], [0.3, 0.333333, 0.9]])},
        "release-size": {"repeats": r.choice([1, 3]), "draw_seed": r.choice([0, 7])},
        "scenarios": {"paper": True},
    }
    every = dict(opened.review.analyses)
    for short, more in asked.items():
        if r.random() < 0.6:
            every[short] = Analysis(in_report=True, asked=more)
    return replace(opened.review, analyses=every)


def _samples(r: random.Random, opened: Any) -> Any:
    samples = tuple(Sample(share, seed) for share, seed in ((30, 1), (62.5, 4)) if r.random() < 0.6)
    return replace(opened.review, samples=samples)


def _verdicts(r: random.Random, opened: Any) -> Any:
    names = ("common knowledge", "acceptable", "needs a safeguard", "leak")
    given = tuple(
        Verdict(opened.first_set, opened.review.intruder, target, r.choice(names), r.choice(["", "it is known"]))
        for target in opened.assessment().targets
        if r.random() < 0.6
    )
    return replace(opened.review, verdicts=given)


def _scope(r: random.Random, opened: Any) -> Any:
    names = ("people-outside", "limits", "DCAP", "membership")
    return replace(opened.review, scope={name: r.random() < 0.5 for name in names if r.random() < 0.4})


def _tau(r: random.Random, opened: Any) -> Any:
    return replace(opened.review, tau=r.choice([None, 0.0, 0.5, 1.0]))


def _random_holdout(r: random.Random, opened: Any) -> Any:
    held = opened.review.holdout
    return opened.review if held is None else replace(opened.review, holdout=replace(held, random=r.random() < 0.8))


ASKED: dict[str, Asking] = {
    "groups": _groups,
    "denominators": _denominators,
    "hierarchies": _hierarchies,
    "an intruder": _intruder,
    "analyses": _analyses,
    "samples": _samples,
    "verdicts": _verdicts,
    "scope": _scope,
    "tau": _tau,
    "a random holdout": _random_holdout,
}
"""What a review is asked beside, by name."""


def _population(r: random.Random, opened: Any, folder: Path | None) -> Any:
    """Bring a table of the population, in which each original record stands several times."""
    frame = opened.data.original.frame[list(opened.review.keys)].copy()
    frame["count"] = [r.choice([1, 1, 2, 9]) for _ in range(len(frame))]
    content = frame.to_csv(index=False).encode()
    if folder is not None:
        (folder / "population.csv").write_bytes(content)
    return with_population(opened, *read_population("population.csv", content, beside=opened.review))


def asking_more(opened: Any, seed: int, folder: Path | None = None) -> tuple[Any, tuple[str, ...]]:
    """Return a review that asks for more, and the names of what; what does not fit is left out.

    Parameters
    ----------
    opened
        A review of people as tests/slow/neighbours.py draws them.
    seed
        Of what is drawn.
    folder
        Where a table of the population is written; None: nowhere.
    """
    r = random.Random(f"further {seed}")
    names = []
    for name, asking in ASKED.items():
        if r.random() < 0.5:
            with suppress(DisclosureError):
                changed = opened.with_review(asking(r, opened))
                if not changed.stopped():
                    changed.assessment()
                opened = changed
                names.append(name)
    if r.random() < 0.4 and not opened.which_adopted:
        with suppress(DisclosureError):
            opened = _population(r, opened, folder)
            names.append("a population")
    return opened, tuple(names)
