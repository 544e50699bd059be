"""How sure a claim must be to count: the family from DCAPd (τ = 0) to DiSCO (τ = 1).

An intruder who looks up keys in the synthetic data learns a target level with probability ps. DCAPd counts every such
guess by its probability, DiSCO only those with ps = 1; between them, those with ps ≥ τ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Counts, Floats
from disclosure_core.counting.assessment import Assessment, Row, in_order, summarised
from disclosure_core.counting.measures import over_syntheses, shares
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.target_risk import TargetRisk


TAUS: tuple[float, ...] = tuple((np.arange(101) / 100).tolist())
"""0, 0.01 … 1: each the nearest number to its share, so that ps = 3/10 is counted at τ = 0.3."""

SHOWN = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""What tables of a whole review show of them."""


def figures(risk: TargetRisk, taus: Sequence[float] = TAUS) -> tuple[Floats, Floats]:
    """Return what is learnt of one target with claims at least so sure, from the original and from each synthesis.

    Parameters
    ----------
    risk
        One target of an assessment.
    taus
        Shape (n,): the least probability of a claim, each from 0 to 1.

    Returns
    -------
    tuple
        Arrays of shape (m, n), % of the original records. The original's is Σ pd·d over the cells with pd ≥ τ, from
        CAPd to Dorig; the synthetic data's Σ ps·d over the cells with ps ≥ τ, from DCAPd to DiSCO.

    Raises
    ------
    DisclosureError
        When a τ is not between 0 and 1.

    Notes
    -----
    ps and pd are those of the full tables, as disclosiveness is, and d the original records that exclusions leave. So
    τ = 1 gives DiSCO and Dorig under every exclusion; τ = 0 gives DCAPd and CAPd only where nothing is excluded, since
    these compute ps and pd again from what is left.

    Source
    ------
    measures.md 5, "The threshold τ", which paper 000 leaves for the future.
    """
    thresholds = np.asarray(taus, dtype=float)
    if not ((thresholds >= 0) & (thresholds <= 1)).all():  # NaN is neither
        raise DisclosureError("The threshold τ is a probability: choose a number from 0 to 1.")
    first = risk.counted[0]
    original = _from(thresholds, shares(first.cells.d, first.cells.d_q[first.cells.q]), first.d)
    synthetic = [_from(thresholds, shares(c.cells.s, c.cells.s_q[c.cells.q]), c.d) for c in risk.counted]
    n = first.cells.n_original
    return 100 * np.tile(original / n, (len(synthetic), 1)), 100 * (np.array(synthetic) / n)


def curve(risk: TargetRisk, taus: Sequence[float] = TAUS) -> pd.DataFrame:
    """Return the curve of one target, a row a τ.

    Returns
    -------
    DataFrame
        tau; original and synthetic, means over the syntheses in % of the original records; min, max and sd of the
        synthetic figure over the syntheses (sd NaN for one). Neither curve ever rises with τ.

    Raises
    ------
    DisclosureError
        When a τ is not between 0 and 1.
    """
    original, synthetic = figures(risk, taus)
    spread = over_syntheses(synthetic)
    return pd.DataFrame(
        {
            "tau": np.asarray(taus, dtype=float),
            "original": original.mean(axis=0),
            "synthetic": spread["mean"],
            "min": spread["min"],
            "max": spread["max"],
            "sd": spread["sd"],
        }
    )


def names(tau: float) -> tuple[str, str]:
    """Return what the original's and the synthetic data's figure at one τ are called; published ends keep these names.

    With τ < 1 it is not Dorig and DiSCO, and with τ > 0 not CAPd and DCAPd.
    """
    return f"pd ≥ {tau:g}", f"ps ≥ {tau:g}"


def summary(assessment: Assessment, tau: float) -> pd.DataFrame:
    """Return the table of `Assessment.summary` at one τ, with the same columns and order.

    Raises
    ------
    DisclosureError
        When τ is not between 0 and 1.
    """
    return summarised(assessment.targets, compared(assessment, tau))


def compared(assessment: Assessment, tau: float) -> list[Row]:
    """Return a row a target at one τ, in the order of `summary`.

    Raises
    ------
    DisclosureError
        When τ is not between 0 and 1.
    """
    found = ((name, *figures(risk, (tau,))) for name, risk in assessment.targets.items())
    return in_order((name, original[:, 0], synthetic[:, 0]) for name, original, synthetic in found)


def _from(taus: Floats, share: Floats, d: Counts) -> Floats:
    """Return, for each τ, the sum of share · d over the cells whose `share` is τ or more."""
    order = np.argsort(share)  # one running sum, so that a figure hangs on no other τ that is asked for
    upto = np.concatenate([[0.0], np.cumsum((share * d)[order][::-1])])[::-1]
    return np.asarray(upto[np.searchsorted(share[order], taus, side="left")])
