"""Replicated uniques in the population: they endanger somebody only as far as the person is unique there, too.

With a table of the population by the keys that is counted. With the population's size alone it is estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Counts
from disclosure_core.counting.count import combine
from disclosure_core.counting.measures import percent
from disclosure_core.data.outsiders import keyed
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import fixed, quantity, score
from disclosure_core.shown import several, with_units

if TYPE_CHECKING:
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.harmonise import AnyTable
    from disclosure_core.data.study import Study

COUNTS = ("count", "counts", "n", "people", "population", "freq", "frequency")
"""What the column of counts of a population table may be called, in small or large letters."""

WITH_TABLE = (
    "Assumed: the table counts everybody in the population by these keys, and an intruder picks at random among the "
    "people with the same keys."
)
WITH_SIZE = (
    "An estimate (Benedetti and Franconi 1998). Assumed: the original is a simple random sample of the population, and "
    "an intruder picks at random among the people with the same keys."
)


@dataclass(frozen=True, eq=False, repr=False)
class InPopulation:
    """What the replicated uniques mean in the population.

    Attributes
    ----------
    figures
        A row a synthesis: synthesis, from 1; replicated, its replicated uniques, records; unique, those of them that
        are unique in the population (NaN where only its size is known); right, the matches with the right person to be
        expected, records.
    n_records, population_size
        n and N: records of the original, people in the population.
    from_table
        Whether the population was counted by the keys; else only N is known.
    """

    figures: pd.DataFrame
    n_records: int
    population_size: int
    from_table: bool

    @property
    def replicated(self) -> float:
        """Replicated uniques, records, mean over the syntheses."""
        return float(self.figures["replicated"].mean())

    @property
    def right(self) -> float:
        """Matches with the right person to be expected, mean over the syntheses."""
        return float(self.figures["right"].mean())

    @property
    def unique(self) -> float:
        """Replicated uniques that are unique in the population, % of the replicated uniques; NaN without a table."""
        return percent(float(self.figures["unique"].mean()), self.replicated)

    @property
    def assumed(self) -> str:
        """What the figures assume, in one sentence."""
        return WITH_TABLE if self.from_table else WITH_SIZE

    def __repr__(self) -> str:
        """Return two lines: how many, and what is expected; never data."""
        return f"Replicated uniques in a population of {self.population_size:,}: {several(len(self.figures))}\n{self}"

    def __str__(self) -> str:
        m = len(self.figures)
        found = (
            f"{fixed(self.replicated, 1)} replicated uniques"
            if m > 1
            else quantity(int(self.replicated), "replicated unique")
        )
        mean = f", the mean over {m} syntheses" if m > 1 else ""
        if not self.replicated:
            return "There is no replicated unique."
        about = "" if self.from_table else "about "
        said = (
            f"Of {found}{mean}, {about}{score(self.right, 1)} "
            f"({fixed(percent(self.right, self.replicated), 1)} %) can be expected to lead to the right person."
        )
        return f"{said} {fixed(self.unique, 1)} % are unique in the population." if self.from_table else said


def check_size(population_size: int, n: int) -> None:
    """Make sure that a population holds the `n` records of the original."""
    if population_size < n:
        raise DisclosureError(
            f"The population cannot be smaller than the {n:,} records of the original; correct its size."
        )


def with_size(keys: KeyTable, population_size: int, missing_keys: frozenset[str] = frozenset()) -> InPopulation:
    """Return what replicated uniques mean where only the population's size is known.

    Parameters
    ----------
    keys
        The key combinations, as an assessment has them.
    population_size
        N, people.
    missing_keys
        Keys whose missing values are excluded, as in the headline identity figures.

    Raises
    ------
    DisclosureError
        When the population is smaller than the original.

    Source
    ------
    measures.md 14: repU · (π / (1 − π)) · ln(1/π), π = n/N; Benedetti and Franconi (1998) for a sample frequency of 1.
    """
    n = keys.n_original
    check_size(population_size, n)
    share = expected_right(n, population_size)
    rows = []
    for i in range(len(keys.n_synthetic)):
        replicated = np.count_nonzero(keys.profile(i, missing_keys).replicated)
        rows.append({"synthesis": i + 1, "replicated": replicated, "unique": float("nan"), "right": replicated * share})
    return InPopulation(_figures(rows), n, population_size, from_table=False)


def expected_right(n: int, population_size: int) -> float:
    """Return the expected 1/N[q] of a record that is unique in a simple random sample of n from N people: from 0 to 1.

    Examples
    --------
    >>> round(expected_right(100, 1000), 4), expected_right(1000, 1000)
    (0.2558, 1.0)
    """
    others = (population_size - n) / population_size  # 1 − π
    return 1.0 if not others else (n / population_size) / others * -log1p(-others)


def with_table(
    study: Study, tables: Sequence[AnyTable], settings: Settings, population: pd.DataFrame | Any, *, named: bool = True
) -> InPopulation:
    """Return what replicated uniques mean in a population that is counted by the keys.

    Parameters
    ----------
    study, tables
        Original and syntheses made comparable, and the tables that they were made of, the original first.
    settings
        Keys and groups; of the exclusions, missing keys act.
    population
        A row a combination of key levels, with a column of counts (`COUNTS`); further columns are summed over.
    named
        Whether an error may name a combination of key levels.

    Raises
    ------
    DisclosureError
        When a key or the counts are missing, a count is no whole number of 0 or more, or the population holds fewer
        people than the original holds records, in all or of one key combination.

    Source
    ------
    measures.md 14: the share of replicated uniques with N[q] = 1, and Σ 1/N[q] over them.
    """
    names = study.in_data_order(settings.keys)
    counts = _counts(population, names)
    joint = keyed(study, tables, population, names, "The population table")
    keys = combine([joint.grouped(name, settings.group(name))[0] for name in names])
    people = np.bincount(keys.synthetic[-1], weights=counts, minlength=keys.d_q.size)
    counted = ~keys.missing(settings.exclusions.missing_keys)
    _enough(keys, people, counted, named=named)
    rows = []
    for i in range(len(keys.s_q) - 1):
        of = people[keys.profile(i, settings.exclusions.missing_keys).replicated]
        rows.append(
            {
                "synthesis": i + 1,
                "replicated": of.size,
                "unique": np.count_nonzero(of == 1),
                "right": float((1 / of).sum()),
            }
        )
    return InPopulation(_figures(rows), keys.n_original, int(people.sum()), from_table=True)


def _figures(rows: list[dict[str, Any]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["synthesis", "replicated", "unique", "right"])
    return with_units(frame, dict.fromkeys(("replicated", "unique", "right"), "records"))


def _counts(population: Any, keys: Sequence[str]) -> Counts:
    """Return the counts of a population table, a row each."""
    if not isinstance(population, pd.DataFrame):
        population = population.frame()
    found = [name for name in population.columns if str(name).casefold() in COUNTS and name not in keys]
    if len(found) != 1:
        raise DisclosureError(
            "The population table needs one column of counts; call it “count”, and no other so."
            if found
            else "The population table has no column of counts; call it “count”."
        )
    values = pd.to_numeric(population[found[0]], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    if not (np.isfinite(values).all() and (values >= 0).all() and (values == np.floor(values)).all()):
        raise DisclosureError("The counts of the population table are whole numbers of 0 or more; correct them.")
    if values.sum() >= 2**53:
        raise DisclosureError("The population table counts more people than there are; correct it.")
    return values.astype(np.int64)


def _enough(keys: KeyTable, people: Any, counted: Any, *, named: bool) -> None:
    """Make sure that the population holds everybody of the original."""
    n, total = keys.n_original, int(people.sum())
    short = np.flatnonzero((people < keys.d_q) & counted)
    if total >= n and not short.size:
        return
    example = ""
    if named and short.size:
        first = short[0]
        which = ", ".join(
            f"{key.name} = {key.label(int(levels[first]))}" for key, levels in zip(keys.keys, keys.levels, strict=True)
        )
        n_first, there = int(keys.d_q[first]), int(people[first])
        example = f" (first: {which}; {n_first:,} in the original, {there:,} in the table)"
    if total < n:
        raise DisclosureError(
            f"The population table holds {total:,} people, fewer than the {n:,} records of the original{example}; "
            "bring the whole population."
        )
    plural = "s" * (short.size > 1)
    raise DisclosureError(
        f"The population table has fewer people than the original has records in {short.size:,} key "
        f"combination{plural}{example}; correct the table, or the keys and groups."
    )
