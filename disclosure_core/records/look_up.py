"""What an intruder who knows some keys of a person is told by a synthesis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Mask
from disclosure_core.errors import not_found

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Cells
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.records.listing import Rows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Answer:
    """What a synthesis says of a target to somebody who knows some of a person's keys.

    Attributes
    ----------
    n_original, n_synthetic
        Records of each file with these keys.
    levels
        A row a target level that either file gives for them: level, original, synthetic (records), most synthetic
        records first.
    """

    n_original: int
    n_synthetic: int
    levels: pd.DataFrame

    @property
    def answer(self) -> str | None:
        """The one level that the synthetic data give; None where they give none or several."""
        synthetic_levels = self.levels.loc[self.levels["synthetic"] > 0, "level"]
        return str(synthetic_levels.iloc[0]) if len(synthetic_levels) == 1 else None

    @property
    def n_right(self) -> int:
        """Original records of which the answer is true."""
        return int(self.levels.loc[self.levels["level"] == self.answer, "original"].sum())


def look_up(cells: Cells, known: Mapping[str, str]) -> Answer:
    """Return what the synthetic data say of the target for these levels of keys; keys not named may have any level.

    Counted over all records: exclusions judge claims, they do not hide them from an intruder.

    Raises
    ------
    DisclosureError
        When a column is not a key, or has no such level.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study, count
    >>> cells = count(Study(frame, [frame]), Settings(keys=["age"])).targets["job"][0]
    >>> look_up(cells, {"age": "30"}).levels["level"].tolist()
    ['nurse']
    """
    matches = with_levels(cells.keys, known)[cells.q]
    n = cells.column.n_codes
    counts = [
        np.bincount(cells.target[matches], weights=side[matches], minlength=n).astype(np.int64)
        for side in (cells.d, cells.s)
    ]
    present = np.flatnonzero(counts[0] + counts[1])
    levels = pd.DataFrame(
        {
            "level": pd.Series([cells.column.label(code) for code in present.tolist()], dtype="str"),
            "original": counts[0][present],
            "synthetic": counts[1][present],
        }
    ).sort_values(["synthetic", "original"], ascending=False, kind="stable", ignore_index=True)
    return Answer(int(counts[0].sum()), int(counts[1].sum()), levels)


def matching(keys: KeyTable, i: int, known: Mapping[str, str]) -> Rows:
    """Return the records of synthesis `i`, both counted from 0, that have these levels of keys.

    Raises
    ------
    DisclosureError
        When a column is not a key, or has no such level.
    """
    keys.need_records()
    return np.flatnonzero(with_levels(keys, known)[keys.synthetic[i]])


def with_levels(keys: KeyTable, known: Mapping[str, str]) -> Mask:
    """Return, shape (n_q,), the key combinations that have these levels.

    Raises
    ------
    DisclosureError
        When a column is not a key, or has no such level.
    """
    names = [key.name for key in keys.keys]
    matches = np.ones(keys.d_q.shape, dtype=bool)
    for name, level in known.items():
        if name not in names:
            raise not_found("Key", name, "among the keys", names)
        place = names.index(name)
        matches &= keys.levels[place] == keys.keys[place].code_of(level, "Key level")
    return matches
