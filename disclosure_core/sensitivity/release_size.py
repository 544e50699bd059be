"""Fewer records released: the measures of random parts of each synthesis, from 5 % of it to the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Counts, Indices
from disclosure_core.counting import measures, registry
from disclosure_core.counting.cells import Counted
from disclosure_core.counting.codes import places
from disclosure_core.counting.halves import drawn
from disclosure_core.data.column import with_records
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.subsets import Progress

    _Draw = Callable[[int, Sequence[int], Sequence[int]], Iterator[tuple[Counts, list[Counts]]]]

SHARES = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""Parts of a synthesis, in % of its records."""

MEASURES = tuple(sorted(registry.names(lambda m: m.fewer), key=lambda name: name == "CAPs"))
"""The figures that depend on the synthetic records, in %; CAPd and baseCAPd do not."""

IDENTITY = registry.names(lambda m: m.family == "identity" and m.of == "original records" and not m.is_reference)
"""The identity figures that depend on the synthetic records, in % of the original ones; UiO does not."""

REPEATS = 10
"""Random orders of each synthesis, where nothing else is asked for."""

READING = {name: registry.BY_NAME[name].fewer for name in MEASURES}
"""How each figure behaves: paper 000, section 3.3.2 and Figure 2; TCAPi, CAPs and DiSCO's rise as we measured them."""

BAND = (0.05, 0.95)
"""The quantiles between which the band lies."""

_DRAWN = ["synthesis", "repeat", "share", "n_synthetic"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """One random order of one synthesis, measured at every share.

    Attributes
    ----------
    done, of
        Steps done and in all.
    rows
        A row a target and share: target, synthesis (from 1), repeat (from 1), share in %, n_synthetic records, and the
        `MEASURES` in %.
    identity
        A row a share: the same without a target, and `IDENTITY` in % of the original records.
    """

    done: int
    of: int
    rows: pd.DataFrame
    identity: pd.DataFrame


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sizes:
    """The measures by the number of records released, over random draws.

    Attributes
    ----------
    attribute
        As of `bands`, of each target.
    identity
        As of `bands`, of the keys.
    """

    attribute: pd.DataFrame
    identity: pd.DataFrame


def sizes(
    assessment: Assessment,
    targets: Sequence[str] | None = None,
    repeats: int = REPEATS,
    seed: int = 1,
    progress: Progress | None = None,
) -> Sizes:
    """Return the measures of some targets (None: all) and of the keys by the number of records released.

    Parameters
    ----------
    progress
        Told the draws done, of how many; what it raises ends the drawing.

    Raises
    ------
    DisclosureError
        As `by_size`.
    """
    steps = []
    for step in by_size(assessment, targets, repeats=repeats, seed=seed):
        steps.append(step)
        if progress is not None:
            progress(step.done, step.of)
    return over_draws(steps)


def over_draws(steps: Sequence[Step]) -> Sizes:
    """Return mean and band over some steps.

    Raises
    ------
    DisclosureError
        When there is no step.
    """
    return Sizes(bands(step.rows for step in steps), identity_bands(step.identity for step in steps))


def by_size(
    assessment: Assessment,
    targets: Sequence[str] | None = None,
    shares: Sequence[float] = SHARES,
    repeats: int = REPEATS,
    seed: int = 1,
) -> Iterator[Step]:
    """Yield the measures of random parts of each synthesis, a step an order, so that a page can show a bar and stop.

    Each step puts the records of one synthesis in a random order and keeps the first 5 %, 10 %, and so on. All
    syntheses have their first step before one has its second, so that what there is when somebody stops is fair. What
    is drawn depends on the seed, the synthesis and the repeat alone. Of records in an engine, how many of each cell are
    released is drawn instead, with the same distribution: the draws are others than those of the same data as files.

    Parameters
    ----------
    assessment
        The whole syntheses assessed: keys, groups (as made from the whole files) and exclusions are taken from it.
    targets
        Some of its targets; None: all.
    shares
        In % of each synthesis' records, above 0 and up to 100; at least one record is kept.
    repeats
        Random orders of each synthesis.
    seed
        Where the random numbers start.

    Raises
    ------
    DisclosureError
        When a target is not in the assessment, a share is not above 0 and up to 100, or there is no repeat.

    Source
    ------
    Paper 000, section 3.3.2 and Figure 2.
    """
    names = list(assessment.targets) if targets is None else list(targets)
    unknown = next((name for name in names if name not in assessment.targets), None)
    if unknown is not None:
        raise DisclosureError(f"{unknown!r} is not among the targets; choose one that is.")
    if not names or not len(shares) or not all(0 < share <= 100 for share in shares):
        raise DisclosureError("Name at least one target, and shares of the records above 0 and up to 100 %.")
    if repeats < 1:
        raise DisclosureError("Draw at least one sample.")
    return _steps(assessment, names, shares, repeats, seed)


def _steps(
    assessment: Assessment, names: Sequence[str], shares: Sequence[float], repeats: int, seed: int
) -> Iterator[Step]:
    sizes = assessment.n_synthetic
    n_steps = repeats * len(sizes)
    draw = _drawn_records(assessment, names) if assessment.keys.original.size else _drawn_cells(assessment, names)
    for done in range(n_steps):
        repeat, i = divmod(done, len(sizes))
        rows: list[tuple[object, ...]] = []
        of_keys: list[tuple[object, ...]] = []
        ns = [max(round(sizes[i] * share / 100), 1) for share in shares]
        for share, n, (s_q, cells) in zip(shares, ns, draw(i, [seed, i, repeat], ns), strict=True):
            of_keys.append((i + 1, repeat + 1, share, n, *_identity(assessment, s_q, n)))
            for name, s in zip(names, cells, strict=True):
                figures = _figures(assessment.targets[name].counted[i], s, n)
                rows.append((name, i + 1, repeat + 1, share, n, *figures))
        yield Step(
            done + 1,
            n_steps,
            pd.DataFrame(rows, columns=["target", *_DRAWN, *MEASURES]),
            pd.DataFrame(of_keys, columns=[*_DRAWN, *IDENTITY]),
        )


def _drawn_records(assessment: Assessment, names: Sequence[str]) -> _Draw:
    """Return what puts the records of a synthesis in a random order, and counts the first of them."""
    keys = assessment.keys
    cells = {name: [_cell_of_record(c, i) for i, c in enumerate(assessment.targets[name].counted)] for name in names}

    def draw(i: int, seed: Sequence[int], ns: Sequence[int]) -> Iterator[tuple[Counts, list[Counts]]]:
        order = np.random.default_rng(seed).permutation(assessment.n_synthetic[i])
        for n in ns:
            released = order[:n]
            counts = [
                np.bincount(cells[name][i][released], minlength=assessment.targets[name].counted[i].cells.s.size)
                for name in names
            ]
            yield np.bincount(keys.synthetic[i][released], minlength=keys.d_q.size), counts

    return draw


def _drawn_cells(assessment: Assessment, names: Sequence[str]) -> _Draw:
    """Return what draws how many records of each cell are released, where the records are elsewhere.

    The numbers are those of a random order of the records (multivariate hypergeometric), of the keys and of each target
    by itself: together they are not one order, and no figure looks at two at once.
    """

    def draw(i: int, seed: Sequence[int], ns: Sequence[int]) -> Iterator[tuple[Counts, list[Counts]]]:
        whole = [assessment.keys.s_q[i], *(assessment.targets[name].counted[i].cells.s for name in names)]
        parts = [_growing(counts, ns, np.random.default_rng(seed)) for counts in whole]
        for n in ns:
            s_q, *cells = (part[n] for part in parts)
            yield s_q, cells

    return draw


def _growing(counts: Counts, ns: Sequence[int], rng: np.random.Generator) -> dict[int, Counts]:
    """Return, by size, how many records of each cell a part has; a larger part holds the smaller one."""
    found, part, before = {}, np.zeros(counts.size, dtype=np.int64), 0
    for n in sorted(set(ns)):
        part, before = part + drawn(counts - part, n - before, rng), n
        found[n] = part
    return found


def bands(rows: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return mean and band of the rows of some steps.

    Returns
    -------
    DataFrame
        A row a target, measure and share, in the order of the steps and of `MEASURES`: target, measure, share in %,
        n_synthetic (mean records); mean, low and high (`BAND`), and sd (NaN for one), over syntheses and repeats in %;
        samples, how many of these had the figure at all: a ratio over nothing is none.

    Raises
    ------
    DisclosureError
        When there are no rows.
    """
    return _over_draws(rows, ["target", "share"], MEASURES)


def identity_bands(rows: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return the same of the identity figures of some steps: a row a measure and share, without a target.

    Raises
    ------
    DisclosureError
        When there are no rows.
    """
    return _over_draws(rows, ["share"], IDENTITY)


def _over_draws(rows: Iterable[pd.DataFrame], by: list[str], names: tuple[str, ...]) -> pd.DataFrame:
    frames = list(rows)
    if not frames:
        raise DisclosureError("No sample was drawn yet; let it run for at least one step.")
    wide = pd.concat(frames, ignore_index=True)
    found = []
    for key, part in wide.groupby(by, sort=False):
        values = part[list(names)]
        of = dict(zip(by, key if isinstance(key, tuple) else (key,), strict=True))
        found.append(
            pd.DataFrame(
                {name: of[name] for name in by if name != "share"}
                | {
                    "measure": names,
                    "share": of["share"],
                    "n_synthetic": part["n_synthetic"].mean(),
                    "mean": values.mean().to_numpy(),
                    "low": values.quantile(BAND[0]).to_numpy(),
                    "high": values.quantile(BAND[1]).to_numpy(),
                    "sd": values.std().to_numpy(),
                    "samples": values.count().to_numpy(),
                }
            )
        )
    return pd.concat(found, ignore_index=True)


def _identity(assessment: Assessment, s_q: Counts, n: int) -> tuple[float, ...]:
    """Return `IDENTITY` with only so many records of a synthesis, of each combination as many as `s_q` says."""
    keys = assessment.keys
    profile = replace(keys, s_q=(s_q,)).profile(0, assessment.settings.exclusions.missing_keys)
    found = dict(zip(registry.IDENTITY, measures.identity(profile, keys.n_original, n), strict=True))
    return tuple(found[name] for name in IDENTITY)


def _cell_of_record(c: Counted, i: int) -> Indices:
    """Return, shape (N_s,), the number of the cell that each record of synthesis `i` is in."""
    cells = c.cells
    codes = cells.keys.synthetic[i] * cells.column.n_codes + with_records(cells.column).synthetic[i]
    return places(cells.codes, codes)


def _figures(c: Counted, s: Counts, n: int) -> tuple[float, ...]:
    """Return `MEASURES` with only so many records of a synthesis, of each cell as many as `s` says."""
    full = c.cells
    s_q = np.bincount(full.q, weights=s, minlength=full.s_q.size).astype(np.int64)
    part = replace(full, n_synthetic=n, s=s, s_q=s_q)
    counted = Counted(part, c.excluded_by, c.limit)
    n_disclosed = int(counted.d[counted.disclosed].sum())
    sums = measures.Sums(counted, {"DiSCO": n_disclosed})
    return tuple(made(sums) for name in MEASURES if (made := registry.BY_NAME[name].figure))
