"""The rule of each exclusion, in the codes of the data: said once, for every way of counting cells.

Who holds cells in arrays, merges them by subset, or leaves them in an engine asks the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.data.column import Codes, Variable


class Exclusion(IntEnum):
    """Why a cell is not counted, in the order the kinds apply (measures.md 6)."""

    COUNTED = 0
    TARGET_LEVEL = 1
    MISSING_TARGET = 2
    MISSING_KEY = 3
    PAIR = 4
    DENOMINATOR = 5


@dataclass(frozen=True, slots=True)
class Rule:
    """What one exclusion of a target excludes: the cells with this key level and one of these target levels.

    Attributes
    ----------
    kind
        From TARGET_LEVEL to PAIR.
    targets
        Codes of the target; none: any.
    key, key_level
        Number of a key and the code of its level; None: any.
    """

    kind: Exclusion
    targets: tuple[int, ...] = ()
    key: int | None = None
    key_level: int | None = None

    def leaves_out(
        self, levels: Sequence[Codes], q: npt.NDArray[Any], target: npt.NDArray[Any]
    ) -> npt.NDArray[np.bool_]:
        """Return, shape (n_cells,), the cells that the rule excludes.

        Parameters
        ----------
        levels
            For each key, shape (n_q,): its code in each key combination.
        q, target
            Shape (n_cells,): key combination and target code of each cell.
        """
        if self.key is None:
            return np.isin(target, self.targets)
        same_key: npt.NDArray[np.bool_] = (levels[self.key] == self.key_level)[q]
        return same_key & np.isin(target, self.targets) if self.targets else same_key


def rules(out: Exclusions, column: Variable, keys: Sequence[Variable]) -> tuple[Rule, ...]:
    """Return the rules that act on target `column`, in the order they apply: the first that leaves a cell out is why.

    Raises
    ------
    DisclosureError
        When a level, or the key of a pair, is not in the data.

    Source
    ------
    measures.md 6, kinds 1 to 4.
    """
    acting = []
    by_name = {key.name: i for i, key in enumerate(keys)}
    levels = out.levels_of(column.name)
    if levels:
        codes = tuple(column.code_of(level, "Target level") for level in levels)
        acting.append(Rule(Exclusion.TARGET_LEVEL, codes))
    if column.name in out.missing_targets:
        acting.append(Rule(Exclusion.MISSING_TARGET, column.missing))
    missing = sorted(by_name[name] for name in out.missing_keys & by_name.keys())
    acting += [Rule(Exclusion.MISSING_KEY, (), i, code) for i in missing for code in keys[i].missing]
    for pair in out.pairs_of(column.name):
        if pair.key not in by_name:
            raise DisclosureError(f"The excluded pair names {pair.key!r}, which is not a key; take the pair away.")
        i = by_name[pair.key]
        target = column.code_of(pair.target_level, "Target level")
        acting.append(Rule(Exclusion.PAIR, (target,), i, keys[i].code_of(pair.key_level, "Key level")))
    return tuple(acting)


def beyond(counts: Any, limit: int) -> Any:
    """Return where `counts`, an array's or an engine's, are over the denominator limit: kind 5."""
    return counts > limit
