"""The formulas of measures.md, and only they.

Each function reads one measure from what was counted. Names are the published ones; results are % unless the name
says otherwise. A ratio over nothing is NaN: not a small risk, but no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.counting.exclusions import Exclusion

if TYPE_CHECKING:
    import numpy.typing as npt

    from disclosure_core.counting.cells import Cells, Counted, Counts, KeyTable, Profile

IDENTITY = ("UiO", "UiS", "UiOiS", "repU")
ATTRIBUTE = (
    "Dorig",
    "Dsyn",
    "iS",
    "DiS",
    "DiSCO",
    "DiSDiO",
    "max_denom",
    "mean_denom",
    "max_claim",
    "mean_claim",
)
UNITS = {
    **dict.fromkeys(("UiO", "UiOiS", "repU"), "% of the original records"),
    "UiS": "% of the synthetic records",
    **dict.fromkeys(("Dorig", "iS", "DiS", "DiSCO", "DiSDiO"), "% of the original records"),
    "Dsyn": "% of the synthetic records",
    **dict.fromkeys(("max_denom", "mean_denom"), "original records"),
    **dict.fromkeys(("max_claim", "mean_claim"), "synthetic records"),
}
"""Of what the figures are; those of the CAP family are % of what measures.md 5 says."""

CAPS_OF_ORIGINAL = ("baseCAPd", "CAPd")
CAPS_OF_SYNTHESIS = ("CAPs", "DCAPd", "DCAPs", "DCAPb", "TCAPs", "TCAPb", "TCAP", "TCAPi")
CAPS = (*CAPS_OF_ORIGINAL, *CAPS_OF_SYNTHESIS)
COMPARED = {"DiSCO": ("Dorig", "DiSCO"), "DiSDiO": ("Dorig", "DiSDiO"), "DCAP": ("CAPd", "DCAPd")}
"""Name of a comparison: the original's measure and the synthetic data's (measures.md 8)."""

EXCLUSION_ROWS = ("original", "synthetic", "Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO")
EXCLUSION_COLUMNS = ("target level", "missing target", "missing key", "pair", "denominator", "remaining")


def percent(part: float | np.integer[Any], whole: float | np.integer[Any]) -> float:
    """Return `part` as % of `whole`; NaN where `whole` is 0."""
    return float(100 * part / whole) if whole else float("nan")


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
    unique = profile.d_q == 1
    synthetic_unique = profile.s_q == 1
    return (
        percent(profile.combinations(unique), n_original),
        percent(profile.combinations(synthetic_unique), n_synthetic),
        percent(profile.combinations(unique & profile.in_synthetic), n_original),
        percent(profile.combinations(unique & synthetic_unique), n_original),
    )


def identity_of_keys(keys: KeyTable, i: int, missing_keys: frozenset[str] = frozenset()) -> tuple[float, ...]:
    """Return the headline identity measures of synthesis `i`: those of the keys, moved by missing keys alone."""
    return identity(keys.profile(i, missing_keys), keys.n_original, keys.n_synthetic[i])


def identity_of_target(c: Counted) -> tuple[float, ...]:
    """Return the identity measures of a target's result, recomputed from the records still counted (measures.md 6)."""
    return identity(c.profile, c.cells.n_original, c.cells.n_synthetic)


def excluded_records(c: Counted) -> npt.NDArray[np.int64]:
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


def attribute(c: Counted, remaining: npt.NDArray[np.int64]) -> tuple[float, ...]:
    """Return the measures of `ATTRIBUTE` for one target and synthesis.

    Parameters
    ----------
    c
        The cells and what is left of them.
    remaining
        Shape (8,): records remaining, rows as `EXCLUSION_ROWS` (the last column of `excluded_records`).

    Returns
    -------
    tuple
        Dorig, iS, DiS, DiSCO, DiSDiO in % of N_d, Dsyn in % of N_s; the denominators and claims in records.

    Source
    ------
    measures.md 4.
    """
    cells = c.cells
    _, _, Dorig, Dsyn, iS, DiS, DiSCO, DiSDiO = remaining.tolist()
    shares = [percent(x, cells.n_original) for x in (Dorig, iS, DiS, DiSCO, DiSDiO)]
    shares.insert(1, percent(Dsyn, cells.n_synthetic))
    at = c.disclosed
    d, claims, records = c.d[at], cells.s[at], c.d[at]
    if not d.size:
        return (*shares, 0.0, float("nan"), 0.0, float("nan"))
    n_records, n_cells = records.sum(), d.size
    claim = float(records @ claims / n_records)
    return (*shares, float(d.max()), float(n_records / n_cells), float(claims.max()), claim)


def caps_of_original(c: Counted) -> tuple[float, float]:
    """Return baseCAPd and CAPd in %, which are the same beside every synthesis of a target.

    Source
    ------
    measures.md 5.
    """
    cells, N_d = c.cells, c.cells.n_original
    by_level = np.bincount(cells.target, weights=cells.d)
    held = np.flatnonzero(c.d)
    CAP = _sum_of_shares(c.d[held] * c.d[held], c.d_q[cells.q[held]])
    return float(100 * ((by_level / N_d) ** 2).sum()), percent(CAP, N_d)


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


def caps(c: Counted, DiSCO: int) -> tuple[float, ...]:
    """Return what a synthesis moves of the CAP family, as named in `CAPS_OF_SYNTHESIS`, in %, for one target.

    Parameters
    ----------
    c
        The cells and what is left of them.
    DiSCO
        Records that DiSCO counts.

    Source
    ------
    measures.md 5; TCAPi is what synthpop prints as TCAP (paper 001, equation 11), the others are paper 000's Table 1.
    Its denominator is Σ d'[q] over q with s'[q] > 0, what exclusions leave on both sides: neither iS nor DiS. A
    denominator limit can take the synthetic records of a key and leave its original ones, so that it passes 100 %.
    """
    cells = c.cells
    N_d, N_s = cells.n_original, cells.n_synthetic
    s_q = c.s_q[cells.q]
    original = c.d
    CAPs, DCAP = _sum_of_shares(c.s * c.s, s_q), _sum_of_shares(c.s * original, s_q)
    N_b = int(cells.s_q @ (cells.d_q > 0))
    N_bp = int(cells.d @ cells.one_answer)
    matched = int(original @ (s_q > 0))
    return (
        percent(CAPs, N_s),
        percent(DCAP, N_d),
        percent(DCAP, N_s),
        percent(DCAP, N_b),
        percent(DiSCO, N_s),
        percent(DiSCO, N_b),
        percent(DiSCO, N_bp),
        percent(DiSCO, matched),
    )


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


def _sum_of_shares(products: Counts, of: Counts) -> float:
    """Return the sum of products / of, each rounded once; where no record has the keys, both are 0."""
    return float((products / np.maximum(of, 1)).sum())
