"""Whole records of the original in a synthesis, and values of its identifiers: counts, no distance to anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.counting.codes import ranked_codes
from disclosure_core.data.identifiers import NEARLY, nearly_unique, which
from disclosure_core.data.study import AnyStudy, Note, Study
from disclosure_core.data.suggestions import GIVEN_TWICE
from disclosure_core.rounding import fixed, quantity

if TYPE_CHECKING:
    from disclosure_core.data.column import Column

CLEARLY, AT_LEAST = 4.0, 5.0
"""A synthesis is warned of where more than so many times of its records are copies as chance may give, and more than
so many % of it. Of sound CART syntheses of two surveys, in some 1,800 choices of columns, none came near both."""

_BY_CHANCE = 3
"""Twins that an original may have and show none of: the upper end of a 95 % interval of 0 (rule of three)."""

_NAMED = 3
"""Columns that were left out are named up to so many."""

_KINDS = 8
"""Where the original has so many different records, no synthesis holds the same ones by chance."""


@dataclass(frozen=True, eq=False, repr=False)
class Copies:
    """Whole records and identifiers of the original in its syntheses.

    Attributes
    ----------
    n_columns
        Columns that were compared: all that original and syntheses have, but those left out.
    left_out
        Columns that are nearly unique on both sides: a copy may have new ones.
    n_original
        Records of the original.
    twins
        Original records that equal another original record.
    records
        A row a synthesis: synthesis, 1 … m; records; copies, those that equal an original record in all these columns;
        share, these in % of the synthesis; expected, the same if the columns were independent, %; twins, % of the
        original records that equal another one.
    identifiers
        A row a nearly unique column and synthesis: column; synthesis; values, distinct ones of the
        original; released, those of them that the synthesis holds; share, %.
    in_place, shuffled
        Syntheses that are the original record by record, and in another order.
    with_identifiers
        The same of all columns, where some were left out.

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
    left_out: tuple[str, ...] = ()
    with_identifiers: Copies | None = None

    @property
    def _compared(self) -> str:
        """In which columns records equal each other."""
        if not self.left_out:
            return f"in all {quantity(self.n_columns, 'column')}"
        return f"in {quantity(self.n_columns, 'column')} (without {_listed(self.left_out)})"

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
            f"Whole records: {said} equal an original record {self._compared}; "
            f"{fixed(expected.mean())} % would if the columns were independent. Of the {n:,} original records "
            f"{twins:,} {'equals' if twins == 1 else 'equal'} another."
        )

    def notes(self) -> tuple[Note, ...]:
        """Return a warning for each synthesis that holds clearly more original records than chance gives."""
        said = self.of_synthesis()
        beside = self.with_identifiers.of_synthesis() if self.with_identifiers else {}
        texts = (said.get(i) or beside.get(i) for i in self.records["synthesis"])
        return tuple(Note(text, warning=True) for text in texts if text)

    def of_synthesis(self) -> dict[int, str]:
        """Return what is warned of, by synthesis."""
        found = {}
        for row in self.records.to_dict("records"):
            side = "the synthetic data" if len(self.records) == 1 else f"synthesis {row['synthesis']}"
            if row["synthesis"] in self.shuffled:
                without = f", without {_listed(self.left_out)}" * bool(self.left_out)
                found[row["synthesis"]] = (
                    f"All {row['records']:,} records of {side} are those of the original, in another order{without}: "
                    f"{GIVEN_TWICE}"
                )
            elif self._clearly(row):
                found[row["synthesis"]] = (
                    f"{row['copies']:,} of the {row['records']:,} records of {side} equal an original record "
                    f"{self._compared}. {_more(self.twins, self.n_original)} Were original records released?"
                )
        return found

    def _clearly(self, row: Mapping[Any, Any]) -> bool:
        """Whether copies are clearly more than chance gives, and are not said of each record in its place already."""
        chance = max(row["expected"], 100 * (self.twins + _BY_CHANCE) / self.n_original)
        return bool(row["synthesis"] not in self.in_place and row["share"] > max(CLEARLY * chance, AT_LEAST))


def _listed(names: Sequence[str]) -> str:
    """Return the columns that were left out, a few by name, and why."""
    some = ", ".join(f"“{name}”" for name in names[:_NAMED]) + " …" * (len(names) > _NAMED)
    return f"{some}, {which(len(names))}"


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
    left_out = _renumbered(study)
    found = _counted(study, [c for name, c in study.columns.items() if name not in left_out])
    if not left_out:
        return found
    return replace(found, left_out=left_out, with_identifiers=_counted(study, list(study.columns.values())))


def _counted(study: Study, columns: Sequence[Column]) -> Copies:
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
        rows.append(
            {
                "synthesis": i + 1,
                "records": len(record),
                "copies": n,
                "share": 100 * n / len(record),
                "expected": 100 * float(of_each.sum()),
                "twins": 100 * twins / study.n_original,
            }
        )
        if np.array_equal(record, of_original):
            in_place.append(i + 1)
        elif (known > 0).sum() >= _KINDS and np.array_equal(np.bincount(record, minlength=size), known):
            shuffled.append(i + 1)
    return Copies(
        len(columns), study.n_original, twins, pd.DataFrame(rows), real_values(study), tuple(in_place), tuple(shuffled)
    )


def _renumbered(study: Study) -> tuple[str, ...]:
    """Return the columns that are nearly unique in the original, and in a synthesis too or blank there.

    None where no other column would be left to compare.
    """
    names = tuple(name for name in nearly_unique(study) if _own(study.columns[name]))
    return names if len(names) < len(study.columns) else ()


def _own(column: Column) -> bool:
    """Whether in a synthesis nearly every record has a level of its own, or all have the same."""
    counts = column.counts[1:]
    held, known = (counts[:, :-1] > 0).sum(axis=1), counts.sum(axis=1)
    return bool(((held > NEARLY * known) | (held <= 1)).any())


def real_values(study: AnyStudy) -> pd.DataFrame:
    """Return, by column of which nearly every record has its own value and synthesis, the values that it holds."""
    rows = []
    for name, n in nearly_unique(study).items():
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
