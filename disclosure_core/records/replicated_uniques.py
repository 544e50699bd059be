"""Replicated uniques: original records that are unique on the keys and match exactly one synthetic record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.counting.measures import percent
from disclosure_core.data.column import with_records
from disclosure_core.errors import not_found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.counting.cells import Tables
    from disclosure_core.counting.codes import Mask
    from disclosure_core.data.column import Column
from disclosure_core.records.listing import RECORD, Rows, labelled, unique_names


@dataclass(frozen=True, eq=False, repr=False)
class Replicated:
    """The replicated uniques of one synthesis: original records, unique on the keys, that match one synthetic record.

    Attributes
    ----------
    tables
        What was counted.
    synthesis
        Its number, counted from 0.
    original, synthetic
        Shape (n,): the record in each file, counted from 0, a pair a replicated unique, in the original's order.
    """

    tables: Tables
    synthesis: int
    original: Rows
    synthetic: Rows

    def __len__(self) -> int:
        return int(self.original.size)

    def frame(self, target: str | None = None, start: int = 0, n_rows: int | None = None) -> pd.DataFrame:
        """Return rows, from `start` on, a row a replicated unique: its number in both files, from 1, and its keys.

        With a target: also what the synthetic record says of it, and whether that is right.

        Raises
        ------
        DisclosureError
            When the target was not counted.
        """
        stop = None if n_rows is None else start + n_rows
        original, synthetic, keys = self.original[start:stop], self.synthetic[start:stop], self.tables.keys
        q = keys.original[original]
        pairs: list[tuple[str, object]] = [(RECORD, original + 1), ("synthetic record", synthetic + 1)]
        pairs += [(key.name, labelled(key, levels[q])) for key, levels in zip(keys.keys, keys.levels, strict=True)]
        if target is not None:
            column = self._target(target)
            answers = column.synthetic[self.synthesis][synthetic]
            pairs += [(target, labelled(column, answers)), ("right", self.right(target)[start:stop])]
        return pd.DataFrame(dict(zip(unique_names([name for name, _ in pairs]), (v for _, v in pairs), strict=True)))

    def right(self, target: str) -> Mask:
        """Return, shape (n,), where the synthetic record also has the person's level of `target`, missing included.

        Raises
        ------
        DisclosureError
            When the target was not counted.
        """
        column = self._target(target)
        return column.original[self.original] == column.synthetic[self.synthesis][self.synthetic]

    def by_target(self) -> pd.DataFrame:
        """Return a row a target: target; right, the replicated uniques that disclose it; pct, % of all of them.

        The most telling target stands first.
        """
        return telling({name: int(self.right(name).sum()) for name in self.tables.targets}, len(self))

    def _target(self, name: str) -> Column:
        if name not in self.tables.targets:
            raise not_found("Target", name, "among those assessed", self.tables.targets)
        return with_records(self.tables.targets[name][self.synthesis].column)


def telling(right: Mapping[str, int], n: int) -> pd.DataFrame:
    """Return how many of `n` replicated uniques disclose each target, as `Replicated.by_target` has it."""
    frame = pd.DataFrame(list(right.items()), columns=["target", "right"])
    frame["pct"] = [percent(found, n) for found in frame["right"].tolist()]
    return frame.sort_values("right", ascending=False, kind="stable", ignore_index=True)


def replicated_uniques(tables: Tables, i: int, missing_keys: frozenset[str] = frozenset()) -> Replicated:
    """Return the replicated uniques of synthesis `i`, counted from 0: as many as repU counts.

    Parameters
    ----------
    tables
        What was counted.
    i
        The synthesis.
    missing_keys
        Keys whose missing values are excluded, as in the headline identity figures.

    Source
    ------
    measures.md 3; the screening of paper 003: a unique of the real sample that meets a unique of the synthetic one.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study, count
    >>> tables = count(Study(frame, [frame]), Settings(keys=["job"]))
    >>> len(replicated_uniques(tables, 0))
    2
    """
    keys = tables.keys
    keys.need_records()
    original = np.flatnonzero(keys.profile(i, missing_keys).replicated[keys.original])
    partner = np.empty(keys.d_q.size, dtype=np.intp)
    partner[keys.synthetic[i]] = np.arange(keys.synthetic[i].size)
    return Replicated(tables, i, original, partner[keys.original[original]])
