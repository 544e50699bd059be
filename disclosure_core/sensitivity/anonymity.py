"""Who shares keys with how many: k-anonymity and l-diversity of the original and of each synthesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Counts
from disclosure_core.counting.count import count_keys
from disclosure_core.counting.measures import percent
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.rounding import beside_limit, quantity
from disclosure_core.sensitivity.population import check_size

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Tables
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.study import AnyStudy

K = 5
"""Records that should share their keys, where nobody says another number."""

ORIGINAL = 0
"""The number under which the original stands beside syntheses 1 … m."""


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """Classes of records with the same keys, by size.

    Attributes
    ----------
    keys
        In the order of the data.
    sizes
        A row a file and class size that occurs, smallest first: file, `ORIGINAL` or the synthesis; size, records of a
        class; classes, how many of that size; records, in these; upto, % of the file's records in classes of that size
        or smaller: the cumulative figure.
    n_records
        Records by file.
    """

    keys: tuple[str, ...]
    sizes: pd.DataFrame
    n_records: dict[int, int]

    def under(self, k: int) -> pd.DataFrame:
        """Return the records that fewer than k − 1 others share their keys with.

        Returns
        -------
        DataFrame
            A row a file: file; smallest, the k that the file has; classes and records in classes of fewer than `k`
            records; share, % of the file's records.

        Raises
        ------
        DisclosureError
            When k is not a whole number of 2 or more.

        Source
        ------
        Samarati and Sweeney (1998): k-anonymous where no class has fewer than k records.
        """
        if k != int(k) or k < 2:
            raise DisclosureError("k is a number of records: choose a whole number of 2 or more.")
        rows = []
        for file, n in self.n_records.items():
            own_sizes = self.sizes[self.sizes["file"] == file]
            small = own_sizes[own_sizes["size"] < k]
            records = int(small["records"].sum())
            rows.append(
                {
                    "file": file,
                    "smallest": int(own_sizes["size"].min()),
                    "classes": int(small["classes"].sum()),
                    "records": records,
                    "share": percent(records, n),
                }
            )
        return pd.DataFrame(rows)

    def population(self, population_size: int | None) -> PopulationUnique | NotEvaluated:
        """Return what the original's unique records mean in the population it was sampled from.

        Parameters
        ----------
        population_size
            N, people. None: not known.

        Raises
        ------
        DisclosureError
            When the population is smaller than the original.

        Source
        ------
        Skinner and Elliot (2002), J. R. Stat. Soc. B 64, 855-867: π n₁ / (π n₁ + 2 (1 − π) n₂).
        """
        if population_size is None:
            return NotEvaluated(
                "Who is unique in the sample need not be unique in the population, and its size is not given.",
                "Give the number of people in the population that the original was sampled from.",
            )
        n = self.n_records[ORIGINAL]
        check_size(population_size, n)
        own_sizes = self.sizes[self.sizes["file"] == ORIGINAL].set_index("size")["classes"]
        ones, twos, pi = int(own_sizes.get(1, 0)), int(own_sizes.get(2, 0)), n / population_size
        below = pi * ones + 2 * (1 - pi) * twos
        return PopulationUnique(n, population_size, ones, pi * ones / below if below else float("nan"))


@dataclass(frozen=True, slots=True)
class PopulationUnique:
    """What sample uniques mean in the population.

    Attributes
    ----------
    n_records, population_size
        n and N.
    sample_unique
        Records of the original that are unique there.
    correct
        Share (0 to 1) of correct links when anybody of the population whose keys match a sample-unique record is taken
        for that person; NaN where there is none and no class of two, so that nothing can be estimated.
    """

    n_records: int
    population_size: int
    sample_unique: int
    correct: float

    def __str__(self) -> str:
        share, are = 100 * self.n_records / self.population_size, "is" if self.sample_unique == 1 else "are"
        sentence = (
            f"{self.sample_unique:,} of {quantity(self.n_records, 'record')} {are} unique in the original, which holds "
            f"{beside_limit(share, 100 if share > 50 else 0)} % of {self.population_size:,} people."
        )
        if not self.sample_unique:
            return sentence
        if self.n_records == self.population_size:
            return f"{sentence} The original is the whole population, so each of them is unique there too."
        return (
            f"{sentence} They need not be unique in the population: of the people whose keys match such a record, "
            f"about {beside_limit(100 * self.correct, 0, 1)} % are the person in it, if the original is a simple "
            "random sample."
        )


def profile(study: AnyStudy, settings: Settings, keys: KeyTable | None = None) -> Profile:
    """Return the class sizes of the original and of each synthesis.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    settings
        Keys and groups; neither targets nor exclusions act, and missing is a level like any other.
    keys
        Their combinations where they are counted already, as an assessment has them; counted anew where absent.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.
    """
    keys = count_keys(study, settings) if keys is None else keys
    n_records = dict(enumerate((keys.n_original, *keys.n_synthetic)))
    frames = [_sizes(*keys.class_sizes(file)).assign(file=file) for file in n_records]
    sizes = pd.concat(frames, ignore_index=True)[["file", "size", "classes", "records", "upto"]]
    names = tuple(key.name for key in keys.keys)
    return Profile(names, sizes, n_records)


def _sizes(size: Counts, classes: Counts) -> pd.DataFrame:
    records = size * classes
    return pd.DataFrame(
        {"size": size, "classes": classes, "records": records, "upto": 100 * np.cumsum(records) / records.sum()}
    )


def diversity(tables: Tables) -> pd.DataFrame:
    """Return how many different target levels the classes of records with the same keys hold.

    Parameters
    ----------
    tables
        What was counted, as an assessment has it; missing is a level like any other.

    Returns
    -------
    DataFrame
        A row a target, file and number of levels that occurs, smallest first: target; file, `ORIGINAL` or the
        synthesis; levels, l; classes with that many; records in these; upto, % of the file's records in classes with
        so many levels or fewer. At l = 1 that is Dorig of the original and Dsyn of a synthesis, without exclusions.

    Source
    ------
    Machanavajjhala et al. (2007), distinct l-diversity: every class holds at least l different levels.
    """
    frames = []
    for name, sides in tables.targets.items():
        files = [sides[0].levels_in_classes(original=True), *(c.levels_in_classes(original=False) for c in sides)]
        for file, (levels, classes, records) in enumerate(files):
            upto = 100 * np.cumsum(records) / records.sum()
            found = {"levels": levels, "classes": classes, "records": records, "upto": upto}
            frames.append(pd.DataFrame({"target": name, "file": file, **found}))
    return pd.concat(frames, ignore_index=True)
