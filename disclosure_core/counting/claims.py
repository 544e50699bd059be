"""How far claims are better than a guess, which DiSCO alone does not say (measures.md 10).

A claim is made about a person where every synthetic record with their keys has one level of the target. Everything is
read from three counts a level: of whom it is claimed, who of those with a claim has it, and of whom it is claimed
rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Counts, Floats, Signed
from disclosure_core.counting.exclusions import Exclusion
from disclosure_core.counting.measures import percent

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Cells, Counted
    from disclosure_core.data.column import Variable

FEWEST_RIGHT = 3
"""Right claims of a level, mean over the syntheses, from which it stands in the list of levels."""

LEVELS = ("level", "claims", "right", "pct_right", "pct_of_all", "excess")


@dataclass(frozen=True, eq=False, repr=False)
class Claims:
    """The people for whom there is a claim about one target, by level.

    Attributes
    ----------
    said, true, right
        Shape (m, n_codes), people a synthesis: of whom each level is claimed; who has it, among those with any claim;
        of whom it is claimed rightly.
    n
        People evaluated, with a claim or without: the original's records, or the holdout's.
    """

    said: Counts
    true: Counts
    right: Counts
    n: int

    @cached_property
    def n_claims(self) -> Counts:
        """Shape (m,): people with a claim."""
        return self.said.sum(axis=1)

    @property
    def claims(self) -> float:
        """People with a claim, mean over the syntheses."""
        return float(self.n_claims.mean())

    @property
    def right_pct(self) -> float:
        """Claims that are right, % of the claims; NaN where there is none."""
        return percent(self.right.sum(), self.n_claims.sum())

    @cached_property
    def best_code(self) -> int:
        """The code of the level that most of those with a claim have; the first of several."""
        return int(self.true.sum(axis=0).argmax())

    @property
    def best_pct(self) -> float:
        """Right by naming one level, the best, for all with a claim, %; NaN where there is no claim."""
        return percent(self.true.sum(axis=0).max(), self.n_claims.sum())

    @property
    def against_best(self) -> int:
        """Right claims less those right by the best single level, summed over the syntheses: a whole number."""
        return int(self.right.sum() - self.true.sum(axis=0).max())

    @cached_property
    def expected(self) -> Floats:
        """Shape (m,): E, the claims right if they were dealt at random among those who have one."""
        products = (self.said.astype(float) * self.true).sum(axis=1)
        return np.divide(products, self.n_claims, out=np.zeros(len(products)), where=self.n_claims > 0)

    @property
    def chance_pct(self) -> float:
        """Right by chance, % of the claims; NaN where there is none."""
        return percent(self.expected.sum(), self.n_claims.sum())

    @property
    def gain(self) -> float:
        """The gain over chance, (right − E) in percentage points of the people evaluated; 0 without a claim."""
        return percent(self.right.sum() - self.expected.sum(), self.n * len(self.said))

    @property
    def kappa(self) -> float:
        """(right − E) / (claims − E), at most 1; NaN where nothing else than right was possible."""
        products = (self.said * self.true).sum(axis=1)
        if (products == self.n_claims**2).all():
            return float("nan")
        E = self.expected.sum()
        return float((self.right.sum() - E) / (self.n_claims.sum() - E))

    def beyond(self, code: int) -> float:
        """Return the right claims of other levels than `code`, % of the people evaluated, mean over the syntheses."""
        return percent(self.right.sum() - self.right[:, code].sum(), self.n * len(self.right))


def claims(counted: Sequence[Counted]) -> Claims:
    """Return what is claimed of the original's people, a row a synthesis, of those whom the exclusions leave.

    Whether there is a claim is decided on the full tables (measures.md 6).
    """
    rows = [about(c.cells, c.cells.q, c.cells.target, c.d) for c in counted]
    return of_rows(rows, counted[0].cells.n_original)


def about(synthesis: Cells, q: Signed, target: Signed, people: Counts) -> Counts:
    """Return said, true and right, shape (3, n_codes): what one synthesis claims of some people.

    Parameters
    ----------
    synthesis
        The cells that make the claims.
    q, target, people
        Shape (n,): key combination, one of those of `synthesis`, own level and number of people of each cell.
    """
    n_codes = synthesis.column.n_codes
    said = synthesis.answers[q]
    at = np.flatnonzero((said >= 0) & (people > 0))
    said, own, n = said[at], target[at], people[at]
    right = np.where(said == own, n, 0)
    return np.stack(
        [
            np.bincount(said, weights=n, minlength=n_codes),
            np.bincount(own, weights=n, minlength=n_codes),
            np.bincount(own, weights=right, minlength=n_codes),
        ]
    ).astype(np.int64)


def of_rows(rows: Sequence[Counts], n: int) -> Claims:
    """Return the claims about `n` people from what `about` returned, one a synthesis."""
    said, true, right = np.stack(rows, axis=1)
    return Claims(said, true, right, n)


@dataclass(frozen=True, slots=True)
class CommonLevel:
    """t*: the commonest level, of all original records, that is not excluded.

    Attributes
    ----------
    codes
        Its code; several where levels are equally common, none where all are excluded.
    labels
        The same as they are shown.
    """

    codes: tuple[int, ...]
    labels: tuple[str, ...]

    @property
    def is_one(self) -> bool:
        """Whether there is one such level: *beyond* is not given else."""
        return len(self.codes) == 1


def why_empty(c: Counted) -> str:
    """Return why a figure is 0 whatever the synthetic data hold; empty where some original record is counted."""
    if c.d.any():
        return ""
    return WITHOUT_RECORDS if common_level(c).codes else "Every level is excluded: nothing of it is evaluated."


WITHOUT_RECORDS = "Every record is excluded: nothing of it is evaluated."
"""Why there is no figure where no original record is counted."""


def common_level(c: Counted) -> CommonLevel:
    """Return t* of one target; any synthesis gives the same.

    A level is excluded where it is named, or missing where missing values of the target are not counted; a pair, a
    missing key or a limit excludes cells and no level.
    """
    cells = c.cells
    by_level = np.bincount(cells.target, weights=cells.d, minlength=cells.column.n_codes)
    if c.excluded_by is not None:
        whole = np.isin(c.excluded_by, (Exclusion.TARGET_LEVEL, Exclusion.MISSING_TARGET))
        by_level[cells.target[whole]] = 0
    codes = np.flatnonzero((by_level == by_level.max()) & (by_level > 0)).tolist()
    return CommonLevel(tuple(codes), tuple(cells.column.label(code) for code in codes))


@dataclass(frozen=True, eq=False, repr=False)
class BeyondGuess:
    """How far what is claimed of one target is better than a guess.

    Attributes
    ----------
    counted
        The claims about those whom the exclusions leave: gain over chance, κ and *beyond* are read from them.
    every
        All claims, nothing excluded: the shares of claims are read from them.
    common
        t*.
    column
        The target.
    in_original
        Shape (n_codes,): all original records with each level.
    """

    counted: Claims
    every: Claims
    common: CommonLevel
    column: Variable
    in_original: Counts

    @property
    def claims_pct(self) -> float:
        """People with a claim, % of the people evaluated, nothing excluded: DiS."""
        return percent(self.every.n_claims.sum(), self.every.n * len(self.every.said))

    @property
    def claims_right(self) -> float:
        """Claims that are right, % of the claims, nothing excluded; NaN where there is none."""
        return self.every.right_pct

    @property
    def best_level(self) -> str:
        """The best single level for those with a claim, nothing excluded; empty where there is no claim."""
        return self.column.label(self.every.best_code) if self.every.claims else ""

    @property
    def best_guess(self) -> float:
        """Right by naming the best single level for all with a claim, %, nothing excluded; NaN where there is none."""
        return self.every.best_pct

    @property
    def chance(self) -> float:
        """Right by dealing the same claims at random, % of the claims, nothing excluded; NaN where there is none."""
        return self.every.chance_pct

    @property
    def gain(self) -> float:
        """The gain over chance, percentage points of all original records, as set; 0 where there is no claim."""
        return self.counted.gain

    @property
    def kappa(self) -> float:
        """κ of the claims, as set; NaN where there is no claim, or none could be wrong."""
        return self.counted.kappa

    @property
    def beyond(self) -> float:
        """Right claims that are not t*, % of all original records, as set; NaN where there is not one t*."""
        return self.counted.beyond(self.common.codes[0]) if self.common.is_one else float("nan")

    @cached_property
    def levels(self) -> pd.DataFrame:
        """The levels with `FEWEST_RIGHT` right claims or more, nothing excluded; the largest excess first.

        Columns `LEVELS`: level; claims and right, people, means over the syntheses; pct_right, the share of its claims
        that is right, pct_of_all, the level's share of all original records, %, and excess, the first less the second.
        """
        said, right = self.every.said.sum(axis=0), self.every.right.sum(axis=0)
        m = len(self.every.said)
        codes = np.flatnonzero(right >= FEWEST_RIGHT * m)
        pct_right, pct_of_all = 100 * right[codes] / said[codes], 100 * self.in_original[codes] / self.every.n
        frame = pd.DataFrame(
            {
                "level": [self.column.label(code) for code in codes.tolist()],
                "claims": said[codes] / m,
                "right": right[codes] / m,
                "pct_right": pct_right,
                "pct_of_all": pct_of_all,
                "excess": pct_right - pct_of_all,
            },
            columns=list(LEVELS),
        )
        return frame.sort_values("excess", ascending=False, kind="stable", ignore_index=True)


def beyond_guess(counted: Sequence[Counted]) -> BeyondGuess:
    """Return how far the claims about one target are better than a guess.

    Parameters
    ----------
    counted
        The cells and what the exclusions leave of them, one a synthesis.

    Source
    ------
    measures.md 10.
    """
    cells = counted[0].cells
    n_codes = cells.column.n_codes
    in_original = np.bincount(cells.target, weights=cells.d, minlength=n_codes).astype(np.int64)
    now = claims(counted)
    every = now if all(c.everything for c in counted) else claims([c.cells.full for c in counted])
    return BeyondGuess(now, every, common_level(counted[0]), cells.column, in_original)
