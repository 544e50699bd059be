"""Whole records of the original in a synthesis, and values of its identifiers: counts, no distance to anybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.counting.codes import ranked_codes
from disclosure_core.data.study import Note
from disclosure_core.data.suggestions import identifiers
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.data.study import AnyStudy, Study

CLEARLY, AT_LEAST = 4.0, 5.0
"""A synthesis is warned of where more than so many times of its records are copies as chance may give, and more than
so many % of it. Of sound CART syntheses of two surveys, in some 1,800 choices of columns, none came near both."""

_BY_CHANCE = 3
"""Twins that an original may have and show none of: the upper end of a 95 % interval of 0 (rule of three)."""

_KINDS = 8
"""Where the original has so many different records, no synthesis holds the same ones by chance."""


@dataclass(frozen=True, eq=False, repr=False)
class Copies:
    """Whole records and identifiers of the original in its syntheses.

    Attributes
    ----------
    n_columns
        Columns that were compared: all that original and syntheses have.
    n_original
        Records of the original.
    twins
        Original records that equal another original record.
    records
        A row a synthesis: synthesis, 1 … m; records; copies, those that equal an original record in all columns; share,
        these in % of the synthesis; expected, the same if the columns were independent, %; twins, % of the original
        records that equal another one.
    identifiers
        A row a column that looks like an identifier and synthesis: column; synthesis; values, distinct ones of the
        original; released, those of them that the synthesis holds; share, %.
    in_place, shuffled
        Syntheses that are the original record by record, and in another order.

    Source
    ------
    measures.md 17.
    """

    n_columns: int
    n_original: int
    twins: int
    records: pd.DataFrame
    identifiers: pd.DataFrame
    in_place: tuple[int, ...] = ()
    shuffled: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """How many records equal an original record, and how many would by chance."""
        shares, expected = self.records["share"], self.records["expected"]
        n, twins = self.n_original, self.twins
        if len(self.records) == 1:
            of, records = (int(self.records[name].iloc[0]) for name in ("copies", "records"))
            said = f"{of:,} of the {records:,} synthetic records ({fixed(shares.iloc[0])} %)"
        else:
            said = (
                f"{fixed(shares.mean())} % of the synthetic records (mean of {len(shares):,} syntheses, "
                f"{fixed(shares.min())} to {fixed(shares.max())})"
            )
        return (
            f"Whole records: {said} equal an original record in all {self.n_columns:,} columns; "
            f"{fixed(expected.mean())} % would if the columns were independent. Of the {n:,} original records "
            f"{twins:,} equal another."
        )

    def notes(self) -> tuple[Note, ...]:
        """Return a warning for each synthesis that holds clearly more original records than chance gives."""
        found = []
        for row in self.records.to_dict("records"):
            m = len(self.records)
            side = "the synthetic data" if m == 1 else f"synthesis {row['synthesis']}"
            if row["synthesis"] in self.shuffled:
                found.append(
                    f"All {row['records']:,} records of {side} are those of the original, in another order: was a file "
                    "given twice?"
                )
            elif self._clearly(row):
                found.append(
                    f"{row['copies']:,} of the {row['records']:,} records of {side} equal an original record in all "
                    f"{self.n_columns:,} columns. {_more(self.twins, self.n_original)} Were original records released?"
                )
        return tuple(Note(text, warning=True) for text in found)

    def _clearly(self, row: Mapping[Any, Any]) -> bool:
        """Whether copies are clearly more than chance gives, and are not said of each record in its place already."""
        chance = max(row["expected"], 100 * (self.twins + _BY_CHANCE) / self.n_original)
        return bool(row["synthesis"] not in self.in_place and row["share"] > max(CLEARLY * chance, AT_LEAST))


def _more(twins: int, n: int) -> str:
    if not twins:
        return "No original record equals another."
    return f"Of the {n:,} original records {twins:,} {'equals' if twins == 1 else 'equal'} another."


def copies(study: Study) -> Copies:
    """Return the whole records, and values of identifiers, that the syntheses of a study have from the original.

    Parameters
    ----------
    study
        Original and syntheses made comparable; a missing value is a value.

    Source
    ------
    measures.md 17: expected are the products of the original's shares, summed over distinct synthetic records.
    """
    columns = list(study.columns.values())
    sizes = [study.n_original, *study.n_synthetic]
    every = [np.concatenate([c.original, *c.synthetic]) for c in columns]
    ranks, size = ranked_codes(every, [c.n_codes for c in columns])
    of_original, *of_syntheses = np.split(ranks, np.cumsum(sizes)[:-1])
    known = np.bincount(of_original, minlength=size)
    twins = int(known[known > 1].sum())
    rows, in_place, shuffled = [], [], []
    for i, record in enumerate(of_syntheses):
        by_chance = np.ones(len(record))
        for c in columns:
            by_chance *= (np.bincount(c.original, minlength=c.n_codes) / study.n_original)[c.synthetic[i]]
        of_each = np.zeros(size)
        of_each[record] = by_chance
        n = int((known[record] > 0).sum())
        rows.append({
            "synthesis": i + 1, "records": len(record), "copies": n, "share": 100 * n / len(record),
            "expected": 100 * float(of_each.sum()), "twins": 100 * twins / study.n_original,
        })  # fmt: skip
        if np.array_equal(record, of_original):
            in_place.append(i + 1)
        elif (known > 0).sum() >= _KINDS and np.array_equal(np.bincount(record, minlength=size), known):
            shuffled.append(i + 1)
    return Copies(
        len(columns), study.n_original, twins, pd.DataFrame(rows), real_values(study), tuple(in_place), tuple(shuffled)
    )


def real_values(study: AnyStudy) -> pd.DataFrame:
    """Return, by column that looks like an identifier and synthesis, the original's values that the synthesis holds."""
    rows = []
    for name, n in identifiers(study).items():
        real, *others = study.columns[name].counts[:, :-1] > 0
        for i, other in enumerate(others, 1):
            released = int((real & other).sum())
            rows.append(
                {"column": name, "synthesis": i, "values": n, "released": released, "share": 100 * released / n}
            )
    frame = pd.DataFrame(rows, columns=["column", "synthesis", "values", "released", "share"])
    return frame.astype(
        {"column": "str", **dict.fromkeys(("synthesis", "values", "released"), "int64"), "share": float}
    )
