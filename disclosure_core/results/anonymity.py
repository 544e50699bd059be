"""Who shares keys with how many: k-anonymity and l-diversity of the original and of each synthesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.typeset import Column
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel
from disclosure_core.results.declared import Drawn, Result
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.rounding import fixed, quantity
from disclosure_core.sensitivity.anonymity import ORIGINAL, K, Profile, diversity, profile
from disclosure_core.verify import released

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.inputs import Inputs

EXCLUDES = "Exclusions do not act on k-anonymity and l-diversity: every record is counted."

MOST_LEVELS = 3
"""Target levels in a class (l) of which what is printed has a column."""


class Asked(Parameters):
    """What anonymity is asked with."""

    k: int = Field(K, ge=2, title="k", description="Records that should share their keys.")


def _by_file(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(file=["Original" if file == ORIGINAL else f"Synthesis {file}" for file in frame["file"]])


def _by_levels(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row a target, the most records in classes of one level first: the fewest levels, and those records."""
    rows = []
    for name, of in frame[frame["file"] == ORIGINAL].groupby("target", sort=False):
        upto = of.set_index("levels")["upto"]
        at = [upto[upto.index <= n] for n in range(1, MOST_LEVELS + 1)]
        rows.append([name, int(upto.index.min()), *(float(v.iloc[-1]) if len(v) else 0.0 for v in at)])
    found = pd.DataFrame(rows, columns=["target", "l", *_HEADS])
    return found.sort_values("one", ascending=False, kind="stable", ignore_index=True)


_HEADS = {
    "one": Column("one level", "% of the original records", says="Dorig, with nothing excluded."),
    "two": Column("two or fewer", "% of the original records"),
    "three": Column("three or fewer", "% of the original records"),
}


def _under_again(counter: Counter, rows: Sequence[Row]) -> Counted:
    return {
        (file, k): found
        for k in {k for _, k in rows}
        for (file,), found in released.under(counter.data, counter.keys, k).items()
    }


def _diversity_again(counter: Counter, rows: Sequence[Row]) -> Counted:
    return {
        (name, file, levels): found
        for name in counter.targets_in(rows)
        for file in range(counter.data.m + 1)
        for levels, found in released.levels_in_classes(counter.target_of(name), file).items()
    }


_FILE = Column("File", kind="whole", says="0: the original; 1 and so on: the syntheses.")
UNDER = Table(
    "under_k",
    "k-anonymity: classes of fewer than k records with the same keys, and the records in them",
    {
        "file": _FILE,
        "k": Column("k", "records", kind="whole"),
        "smallest": Column("smallest class", "records", kind="whole", says="The k that the file has."),
        "classes": Column("classes", kind="whole", says="Of fewer than k records."),
        "records": Column("records", kind="whole", says="In these classes."),
        "share": Column("share", "% of the file", says="Of these records."),
    },
    ("file", "k"),
    "share",
    codes="file 0 is the original",
    printed=_by_file,
    again=_under_again,
)
CLASSES = Table(
    "classes",
    "Classes of records with the same keys, by their size",
    {
        "file": _FILE,
        "size": Column("records of a class", kind="whole"),
        "classes": Column("classes of that size", kind="whole"),
        "records": Column("records in these", kind="whole"),
        "upto": Column("records in classes of that size or smaller", "% of the file"),
    },
    ("file", "size"),
    "upto",
    codes="file 0 is the original",
    printed=lambda frame: frame.head(0),
    again=lambda counter, _: released.classes(counter.data, counter.keys),
)
DIVERSITY = Table(
    "diversity",
    "l-diversity: classes with the same keys, by the number of target levels (l) they hold",
    {
        "target": Column("Target", kind="text"),
        "file": _FILE,
        "levels": Column("target levels in a class", kind="whole"),
        "classes": Column("classes", kind="whole"),
        "records": Column("records in these", kind="whole"),
        "upto": Column("records in classes of so many levels or fewer", "% of the file"),
    },
    ("target", "file", "levels"),
    "upto",
    codes="file 0 is the original",
    printed=_by_levels,
    heads={"l": Column("l", kind="whole", says="The fewest levels in a class of the original."), **_HEADS},
    again=_diversity_again,
)


class Anonymity(Result[Asked]):
    """Classes of records with the same keys.

    Attributes
    ----------
    profile
        By size, of each file.
    levels
        By number of target levels they hold, a row a target, file and number.
    excludes
        Whether the review excludes anything, which does not act here.
    """

    short: ClassVar = "anonymity"
    about: ClassVar = "The people"
    question: ClassVar = "How small are the groups with the same keys?"
    title: ClassVar = "Records that share their keys"
    purpose: ClassVar = "Count who shares keys with how many: k-anonymity and l-diversity."
    reads: ClassVar = (
        "Records with the same keys form a class; missing is a level. A file is k-anonymous if no class has fewer than "
        "k records, and l-diverse if every class holds l levels of the target or more. A class with one level "
        "discloses it. Nothing is excluded here."
    )
    formula: ClassVar = (
        "An equivalence class is a combination of the chosen keys, in the groups chosen; missing is a level. A "
        "record that is unique in the sample need not be unique in the population: with the population's size "
        "given, the share of correct links is estimated as π·n₁/(π·n₁ + 2(1−π)·n₂). *Source:* Samarati and "
        "Sweeney (1998); Machanavajjhala and others (2007); Skinner and Elliot (2002)."
    )
    example: ClassVar = "--k 5"
    asks: ClassVar = Asked
    tables: ClassVar = (UNDER, CLASSES, DIVERSITY)
    drawn: ClassVar = Drawn("shared-keys", "People who share their keys")

    def __init__(self, asked: Asked, profile: Profile, levels: pd.DataFrame, *, excludes: bool) -> None:
        self.asked, self.profile, self.levels, self.excludes = asked, profile, levels, excludes

    @classmethod
    def make(cls, data: Inputs, asked: Asked, progress: Progress | None = None) -> Anonymity:  # noqa: ARG003 (quick)
        """Return the classes of every file."""
        found = data.assessment
        profiled = profile(found.tables.study, found.settings, found.keys)
        excludes = found.settings.left_out != Exclusions()
        return cls(asked, profiled, diversity(found.tables), excludes=excludes)

    @property
    def under(self) -> pd.DataFrame:
        """Classes of fewer than k records, a row a file."""
        frame = self.profile.under(self.asked.k)
        frame.insert(1, "k", self.asked.k)
        return frame

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return all three."""
        return {"under_k": self.under, "classes": self.profile.sizes, "diversity": self.levels}

    def sentences(self) -> list[str]:
        """Say how many original records share their keys with few others."""
        row, k = self.under.iloc[0], self.asked.k
        smallest = int(row["smallest"])
        not_acting = [EXCLUDES] * self.excludes
        if not row["records"]:
            return [f"Every record of the original shares its keys with {smallest - 1:,} others or more.", *not_acting]
        n = int(row["records"])
        return [
            f"{quantity(n, 'original record')} ({fixed(row['share'], 1)} %) "
            f"{'shares its' if n == 1 else 'share their'} keys with fewer than {k - 1:,} other{'s' * (k != 2)}; "
            f"the smallest class has {quantity(smallest, 'record')}.",
            "Uniqueness in the data is not uniqueness in the population.",
            *not_acting,
        ]

    def figure(self) -> CurvePlot:
        """Return the records in classes of so many records or fewer: the original, and the syntheses' mean."""
        sizes = self.profile.sizes
        x = np.unique(sizes["size"].to_numpy())
        original, *each = (_upto(sizes[sizes["file"] == file], x) for file in sorted(self.profile.n_records))
        several = len(each) > 1
        low, mean, high = (tuple(found.tolist()) for found in (np.min(each, 0), np.mean(each, 0), np.max(each, 0)))
        name = "synthetic, mean" if several else "synthetic"
        curves = (
            Curve("original", "original", tuple(original.tolist())),
            Curve(name, "synthetic", mean, *((low, high) if several else ())),
        )
        return CurvePlot(
            "Records that share their keys with few others",
            "at most so many records with the same keys",
            "% of the records of each file",
            tuple(x.astype(float).tolist()),
            (Panel("", curves),),
            "smallest to largest synthesis" if several else "",
            log=True,
        )


def _upto(part: pd.DataFrame, sizes: np.ndarray) -> np.ndarray:
    """Return, shape of `sizes`, the % of a file's records in classes of at most so many records."""
    at = np.searchsorted(part["size"].to_numpy(), sizes, side="right")
    return np.concatenate([[0.0], part["upto"].to_numpy()])[at]
