"""The formulas of measures.md, and only they.

Each function reads one measure from what was counted. Names are the published ones; results are % unless the name
says otherwise. A ratio over nothing is NaN: not a small risk, but no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Counts, Floats, Ints
from disclosure_core.counting.exclusions import Exclusion

if TYPE_CHECKING:
    import numpy.typing as npt

    from disclosure_core.counting.cells import Cells, Counted
    from disclosure_core.counting.key_table import KeyTable, Profile

EXCLUSION_ROWS = ("original", "synthetic", "Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO")
EXCLUSION_COLUMNS = ("target level", "missing target", "missing key", "pair", "denominator", "remaining")


def percent(part: float | np.integer[Any], whole: float | np.integer[Any]) -> float:
    """Return `part` as % of `whole`; NaN where `whole` is 0."""
    return float(100 * part / whole) if whole else float("nan")


def shares(parts: Counts, wholes: Counts) -> Floats:
    """Return parts / wholes, each rounded once; where no record has the keys, both are 0, and so is the share."""
    return parts / np.maximum(wholes, 1)


def over_syntheses(figures: npt.ArrayLike, axis: int = 0) -> dict[str, Any]:
    """Return mean, sd, min and max of `figures` along `axis`, which holds the syntheses; sd is NaN for one.

    Where random draws, or subsets of the keys, are looked at together, their figures are aggregated alike.

    Source
    ------
    measures.md 8.
    """
    values = np.asarray(figures, dtype=float)
    mean = values.mean(axis=axis)
    sd = values.std(axis=axis, ddof=1) if values.shape[axis] > 1 else mean * np.nan
    return {"mean": mean, "sd": sd, "min": values.min(axis=axis), "max": values.max(axis=axis)}


def identity(profile: Profile, n_original: int, n_synthetic: int) -> tuple[float, ...]:
    """Return UiO, UiS, UiOiS and repU in %, from the records of each key combination.

    Parameters
    ----------
    profile
        The key combinations.
    n_original, n_synthetic
        N_d and N_s, records; exclusions do not shrink them.

    Source
    ------
    measures.md 3; UiS over N_s, as paper 000's program and tables have it, against its equation (2).
    """
    unique = profile.unique
    return (
        percent(np.count_nonzero(unique), n_original),
        percent(np.count_nonzero(profile.s_q == 1), n_synthetic),
        percent(np.count_nonzero(unique & profile.in_synthetic), n_original),
        percent(np.count_nonzero(profile.replicated), n_original),
    )


def identity_of_keys(keys: KeyTable, i: int, missing_keys: frozenset[str] = frozenset()) -> tuple[float, ...]:
    """Return the headline identity measures of synthesis `i`: those of the keys, moved by missing keys alone."""
    return identity(keys.profile(i, missing_keys), keys.n_original, keys.n_synthetic[i])


def identity_of_target(c: Counted) -> tuple[float, ...]:
    """Return the identity measures of a target's result, recomputed from the records still counted (measures.md 6)."""
    return identity(c.profile, c.cells.n_original, c.cells.n_synthetic)


def excluded_records(c: Counted) -> Ints:
    """Return the records excluded by each kind of exclusion, and what remains.

    Returns
    -------
    array
        Shape (8, 6): rows as `EXCLUSION_ROWS`, columns as `EXCLUSION_COLUMNS`.

    Source
    ------
    measures.md 6. What remains of Dorig … DiSDiO is the numerator of the measure.
    """
    cells, n = c.cells, len(Exclusion)
    # One pass a table: each cell falls into one of 16 classes by what is true of it, times the kind that leaves it out.
    d, s = (
        np.bincount(cells.truths * n + c.kinds(counts), weights=counts, minlength=16 * n).reshape(16, n)
        for counts in (cells.d, cells.s)
    )
    return np.roll((_IN_D @ d + _IN_S @ s).astype(np.int64), -1, axis=1)


_HAS = np.arange(16)
_ALL = _HAS >= 0
_NONE = _HAS < 0
# Which classes of `Cells.truths` each of EXCLUSION_ROWS counts, in the table of d and in that of s.
_IN_D = np.array([_ALL, _NONE, _HAS & 1 > 0, _NONE, _HAS & 8 > 0, _HAS & 4 > 0, _HAS & 2 > 0, _HAS & 3 == 3])
_IN_S = np.array([_NONE, _ALL, _NONE, _HAS & 2 > 0, _NONE, _NONE, _NONE, _NONE])


@dataclass(frozen=True, slots=True)
class Disclosed:
    """The cells that DiSCO counts.

    Attributes
    ----------
    largest, mean
        Original records of the largest, and of a cell in the mean; NaN where there is none.
    largest_claim, mean_claim
        Synthetic records that a claim rests on: the most, and the mean over the records counted.
    """

    largest: float
    mean: float
    largest_claim: float
    mean_claim: float


@dataclass(frozen=True, eq=False)
class Sums:
    """What the measures of a target are made of in one synthesis; each is summed when it is first asked for.

    Attributes
    ----------
    counted
        The cells and what is left of them.
    left
        Records remaining, by `EXCLUSION_ROWS` (the last column of `excluded_records`); a measure of the CAP family asks
        for DiSCO alone.

    Source
    ------
    measures.md 4 and 5, whose names they have. TCAPi is what synthpop prints as TCAP (paper 001, equation 11), the
    others are paper 000's Table 1. Its denominator is Σ d'[q] over q with s'[q] > 0, what exclusions leave on both
    sides: neither iS nor DiS. A denominator limit can take the synthetic records of a key and leave its original ones,
    so that it passes 100 %.
    """

    counted: Counted
    left: Mapping[str, int]

    @property
    def N_d(self) -> int:
        """Original records."""
        return self.counted.cells.n_original

    @property
    def N_s(self) -> int:
        """Synthetic records."""
        return self.counted.cells.n_synthetic

    @cached_property
    def N_b(self) -> int:
        """Synthetic records whose keys exist in the original, of the full table."""
        cells = self.counted.cells
        return int(cells.s_q @ (cells.d_q > 0))

    @property
    def N_bp(self) -> int:
        """Original records for whom there is a claim, of the full table."""
        cells = self.counted.cells
        return int(cells.d @ cells.one_answer)

    @cached_property
    def disclosed(self) -> Disclosed:
        """The cells that DiSCO counts."""
        c = self.counted
        at = c.disclosed
        d, claims = c.d[at], c.cells.s[at]
        if not d.size:
            return Disclosed(0.0, float("nan"), 0.0, float("nan"))
        n = d.sum()
        return Disclosed(float(d.max()), float(n / d.size), float(claims.max()), float(d @ claims / n))

    @property
    def baseCAPd(self) -> float:
        """Σ (d[t] / N_d)², %, of the full table."""
        cells = self.counted.cells
        by_level = np.bincount(cells.target, weights=cells.d)
        return float(100 * ((by_level / self.N_d) ** 2).sum())

    @property
    def CAPd(self) -> float:
        """Σ pd · d."""
        c = self.counted
        held = np.flatnonzero(c.d)
        return float(shares(c.d[held] * c.d[held], c.d_q[c.cells.q[held]]).sum())

    @property
    def CAPs(self) -> float:
        """Σ ps · s."""
        return self._of_synthesis[0]

    @property
    def DCAP(self) -> float:
        """Σ ps · d."""
        return self._of_synthesis[1]

    @property
    def matched(self) -> int:
        """Σ d[q] over q with s[q] > 0, of what exclusions leave."""
        return self._of_synthesis[2]

    @cached_property
    def _of_synthesis(self) -> tuple[float, float, int]:
        """CAPs, DCAP and matched, which one look at s[q] of each cell gives; it is as large as the cells, and goes."""
        c = self.counted
        s_q = c.s_q[c.cells.q]
        own, of_original = (float(shares(c.s * n, s_q).sum()) for n in (c.s, c.d))
        return own, of_original, int(c.d @ (s_q > 0))


def beside_TCAPi(denominator_limit: int | None) -> str:
    """Return what is to be said beside TCAPi under a denominator limit; empty without one.

    Source
    ------
    measures.md 10: the limit takes synthetic records from the base, and original ones from what is over it.
    """
    if denominator_limit is None:
        return ""
    limit = f"With the denominator limit of {denominator_limit:,}"
    return f"{limit}, TCAPi may pass 100 %: its base can lack people whom DiSCO counts."


@dataclass(frozen=True, slots=True)
class Guess:
    """How often a guess of the target is right that needs no synthetic data: what DiSCO and DCAPd stand beside.

    Attributes
    ----------
    level
        The original's commonest level, missing values included; the first of several.
    n, pct
        Original records with it, and as % of all original records: the best guess of one level for everybody.
    base_cap
        baseCAPd, %: guessing each level as often as it occurs (measures.md 5).
    """

    level: str
    n: int
    pct: float
    base_cap: float


def guess(cells: Cells) -> Guess:
    """Return how often a guess is right without the synthetic data; exclusions do not move it.

    Source
    ------
    measures.md 5 and 10.
    """
    by_level = np.bincount(cells.target, weights=cells.d).astype(np.int64)
    top = int(by_level.argmax())
    shares = by_level / cells.n_original
    return Guess(
        cells.column.label(top),
        int(by_level[top]),
        percent(by_level[top], cells.n_original),
        100 * float(shares @ shares),
    )
