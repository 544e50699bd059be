"""What can be learnt of one target: its figures and flags, each read from the cells when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats, Ints
from disclosure_core.counting import checks, measures, registry
from disclosure_core.counting.claims import BeyondGuess, beyond_guess, why_empty
from disclosure_core.counting.identity import by_synthesis, index_of
from disclosure_core.counting.near_misses import near_misses
from disclosure_core.counting.settings import Exclusions, Pair, Thresholds
from disclosure_core.counting.tolerance import LISTED, Tolerance
from disclosure_core.rounding import fixed, printable
from disclosure_core.shown import Place, Shown, several, with_units

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Counted, Pairs


@dataclass(frozen=True, eq=False, repr=False)
class TargetRisk(Shown):
    """What can be learnt of one target; each figure is read from the cells when it is first asked for.

    Attributes
    ----------
    target
        Its name.
    left_out, thresholds
        The part of the settings that these figures depend on.
    counted
        The cells and what the exclusions leave of them, one a synthesis.
    special
        Codes of a numeric target's missing codes, such as -8: levels that are no numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import assess
    >>> assess(original, [original], keys=["age"]).targets["job"]
    TargetRisk: job, 1 synthesis; flags: 1-way 0, 2-way 0
    Dorig 50.00 %, DiSCO 50.00 % of the original records
    """

    target: str
    left_out: Exclusions
    thresholds: Thresholds
    counted: tuple[Counted, ...]
    special: tuple[int, ...] = ()

    @cached_property
    def identity(self) -> pd.DataFrame:
        """UiO, UiS, UiOiS, repU in %, a row a synthesis, from the records that the exclusions leave (measures.md 6)."""
        return by_synthesis([measures.identity_of_target(c) for c in self.counted], registry.IDENTITY)

    @cached_property
    def attribute(self) -> pd.DataFrame:
        """Dorig … DiSDiO in %, denominators and claims in records, a row a synthesis (measures.md 4)."""
        return self._table(registry.ATTRIBUTE)

    @cached_property
    def caps(self) -> pd.DataFrame:
        """The CAP family in %, a row a synthesis (measures.md 5)."""
        return self._table(registry.CAPS)

    @cached_property
    def guess(self) -> measures.Guess:
        """How often a guess is right without the synthetic data: the commonest level, and baseCAPd (measures.md 10)."""
        return measures.guess(self.counted[0].cells)

    @cached_property
    def why_empty(self) -> str:
        """Why a figure of it is 0 whatever the synthetic data hold; empty where some original record is counted."""
        return why_empty(self.counted[0])

    @cached_property
    def beyond_guess(self) -> BeyondGuess:
        """How far the claims are better than a guess: gain over chance, κ, the list per level (measures.md 10)."""
        return beyond_guess(self.counted)

    @cached_property
    def one_way(self) -> tuple[checks.OneWayCheck | None, ...]:
        """The 1-way finding of each synthesis, None where there is none (measures.md 7)."""
        return tuple(checks.one_way(c, self.thresholds) for c in self.counted)

    @cached_property
    def two_way(self) -> tuple[pd.DataFrame, ...]:
        """The 2-way findings of each synthesis, a row a pair, columns as `checks.TWO_WAY` (measures.md 7)."""
        return checks.two_way_frames(self.counted[0].cells, self._pairs)

    @cached_property
    def pairs_listed(self) -> dict[Pair, checks.ListedPair]:
        """The pairs of `two_way` over all syntheses, most records first, with what excluding each takes."""
        return checks.pairs_listed(self._pairs, self.counted)

    def pairs_listed_beside(self, now: TargetRisk) -> dict[Pair, checks.ListedPair]:
        """Return `pairs_listed` in its order, with what excluding each takes of what is counted `now`."""
        found = self.pairs_listed if now is self else checks.pairs_listed(self._pairs, now.counted)
        return {pair: found[pair] for pair in self.pairs_listed}

    def covered_by(self, pair: Pair) -> frozenset[Pair]:
        """Return the pairs of `pairs_listed` that take no record any more once `pair` alone is excluded."""
        if pair not in self._covered:
            alone = Exclusions(pairs={self.target: (pair,)})
            left = checks.pairs_listed(self._pairs, [c.cells.counted(alone) for c in self.counted])
            self._covered[pair] = frozenset(other for other, each in left.items() if not each.records) - {pair}
        return self._covered[pair]

    @cached_property
    def _covered(self) -> dict[Pair, frozenset[Pair]]:
        return {}

    @cached_property
    def excluded(self) -> tuple[pd.DataFrame, ...]:
        """Records excluded by each kind of exclusion, and what remains: a frame a synthesis (measures.md 6)."""
        rows, columns = index_of(measures.EXCLUSION_ROWS, "measure"), index_of(measures.EXCLUSION_COLUMNS)
        frames = (pd.DataFrame(records, index=rows, columns=columns) for records in self.excluded_records)
        return tuple(with_units(frame, dict.fromkeys(measures.EXCLUSION_COLUMNS, "records")) for frame in frames)

    @property
    def exclusions(self) -> tuple[pd.DataFrame, ...]:
        """The same as `excluded`: the check against R's answers asks for it by this name."""
        return self.excluded

    def __repr__(self) -> str:
        """Return two lines: of what, and the largest figures; never data."""
        found = dict(self.attribute.mean())
        one, two = self.flags
        return (
            f"TargetRisk: {printable(self.target)}, {several(len(self.counted))}; flags: 1-way {one}, 2-way {two}\n"
            f"Dorig {fixed(found['Dorig'])} %, DiSCO {fixed(found['DiSCO'])} % of the original records"
        )

    def _small_table(self) -> pd.DataFrame:
        names = ["Dorig", "iS", "DiS", "DiSCO", "DiSDiO"]
        return self.attribute[names].rename(columns={name: f"{name} %" for name in names}).reset_index()

    def plot(self, path: Place | None = None, **look: Any) -> Any:
        """Return the steps from its keys to a right answer, for the screen; or write it, as `Assessment.plot`."""
        return self._plotted(path, look)

    def only(self, i: int) -> TargetRisk:
        """Return what can be learnt from synthesis `i` alone, counted from 0."""
        return TargetRisk(self.target, self.left_out, self.thresholds, self.counted[i : i + 1], self.special)

    def near_misses(self, tolerances: Iterable[float | str | Decimal | Tolerance] = LISTED) -> pd.DataFrame:
        """Return DiS, DiSCO and Dorig where a number near enough counts as right: a row a tolerance.

        Parameters
        ----------
        tolerances
            "10%" of the number claimed, or 100 in the target's unit; 0, 5, 10, 25 and 50 % by default.

        Returns
        -------
        DataFrame
            As `near_misses.near_misses`, in % of the original records.

        Raises
        ------
        DisclosureError
            When a tolerance is not a number or below 0, or the target has no numbers to compare.

        Examples
        --------
        >>> import pandas as pd
        >>> from disclosure_core import assess
        >>> original = pd.DataFrame({"age": [30, 30, 41], "income": [1000, 1100, 2000]})
        >>> synthetic = pd.DataFrame({"age": [30, 41], "income": [1050, 2100]})
        >>> risk = assess(original, [synthetic], keys=["age"], targets=["income"]).targets["income"]
        >>> risk.near_misses(["0%", "5%", 100])[["tolerance", "DiS", "DiSCO"]].round(1).to_numpy().tolist()
        [['0%', 100.0, 0.0], ['5%', 100.0, 100.0], ['100', 100.0, 100.0]]
        """
        return near_misses(self, tolerances)

    def figures(self, measure: str) -> Floats:
        """Return one measure of `attribute` or `caps`, shape (m,): a figure a synthesis."""
        return np.array(self._figures(measure))

    @property
    def flags(self) -> tuple[int, int]:
        """How many syntheses raise the 1-way and the 2-way flag."""
        return sum(check is not None for check in self.one_way), sum(pairs.key.size > 0 for pairs in self._pairs)

    @cached_property
    def n_pairs(self) -> int:
        """How many pairs the 2-way check lists in any synthesis, each counted once."""
        return checks.n_distinct(self._pairs)

    @cached_property
    def _pairs(self) -> tuple[Pairs, ...]:
        return tuple(checks.two_way(c, self.thresholds) for c in self.counted)

    @cached_property
    def _sums(self) -> list[measures.Sums]:
        rows = [dict(zip(measures.EXCLUSION_ROWS, t[:, -1].tolist(), strict=True)) for t in self.excluded_records]
        return [measures.Sums(c, left) for c, left in zip(self.counted, rows, strict=True)]

    @cached_property
    def _made(self) -> dict[str, tuple[float, ...]]:
        return {}

    def _figures(self, name: str) -> tuple[float, ...]:
        """Return one measure, a figure a synthesis, computed once; of the original alone it is that of the first."""
        if name not in self._made:
            measure = registry.BY_NAME[name]
            made = measure.figure
            assert made is not None, name
            once = (made(self._sums[0]),) * len(self._sums) if measure.is_reference else None
            self._made[name] = once or tuple(map(made, self._sums))
        return self._made[name]

    def _table(self, names: tuple[str, ...]) -> pd.DataFrame:
        return by_synthesis(list(zip(*map(self._figures, names), strict=True)), names)

    @cached_property
    def excluded_records(self) -> tuple[Ints, ...]:
        """The numbers of `excluded`, shape (8, 6), rows as `EXCLUSION_ROWS`: an array a synthesis."""
        return tuple(measures.excluded_records(c) for c in self.counted)
