"""What would be known anyway: members of the training data beside people who were not in it.

Accurate claims about people outside the training data are general knowledge; only what is better for members leaked.
Both are measured alike: the same look-up in the same synthesis, against the same levels and intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.cells import Cells, Counted, Exclusion, count, count_keys
from disclosure_core.decision import Limits, NotEvaluated, decide
from disclosure_core.errors import DisclosureError
from disclosure_core.intervals import difference_interval

if TYPE_CHECKING:
    from disclosure_core.holdout import Partition
    from disclosure_core.settings import Settings

Floats = npt.NDArray[np.float64]

MEASURES = ("DiSCO", "DCAP")
"""What members and non-members are compared on; DCAP is DCAPd, in % of the records of each side."""

MEAN = 0
"""The number under which the mean over the syntheses stands beside syntheses 1 … m."""

INTERVAL = (
    "95 % interval of the difference by square-and-add: Wilson's score interval of each share, combined as Newcombe's "
    "hybrid score (1998, method 10). DCAP is a mean of shares between 0 and 1, so its Wilson intervals use the number "
    "of records times p(1−p) over the variance observed; for large files this is Welch's interval. It is the chance of "
    "having drawn these people, the syntheses taken as they are."
)
"""How the intervals are made, to be printed beside them."""


def ratio(members: npt.ArrayLike, non_members: npt.ArrayLike) -> Floats:
    """Return Anonymeter's R = (members − non-members) / (1 − non-members), of shares from 0 to 1.

    NaN where the baseline is 1. A secondary figure: near a high baseline it explodes (0.95 against 0.90 gives 0.5).

    Source
    ------
    Paper 001, equation (1); consensus.md 3.4, equation (22).
    """
    m, b = np.asarray(members, dtype=float), np.asarray(non_members, dtype=float)
    return np.divide(m - b, 1 - b, out=np.full(np.broadcast(m, b).shape, np.nan), where=b < 1)


COMPARED = ("members", "non_members", "difference", "low", "high", "R")


@dataclass(frozen=True, eq=False)
class AttributeBaseline:
    """DiSCO and DCAP of members and of people outside.

    Attributes
    ----------
    figures
        A row a target (in the order of the data), measure and synthesis, and one for the mean over the syntheses:
        target; measure, of `MEASURES`; synthesis, 1 … m, or `MEAN`; members and non_members, % of the training and of
        the holdout records; difference, low and high, % points with the 95 % interval (`INTERVAL`); R, a ratio. R of
        the mean row is that of the mean shares.
    context
        A row a target: majority, its commonest level in % of the training records, and baseCAPd, %.
    n_training, n_holdout
        `|T|` and `|H|`, records.
    """

    figures: pd.DataFrame
    context: pd.DataFrame
    n_training: int
    n_holdout: int

    def summary(self, measure: str = "DiSCO", limits: Limits | None = None) -> pd.DataFrame:
        """Return a row a target, the smallest figure of members first.

        Returns
        -------
        DataFrame
            target, then of the mean over the syntheses members, non_members, difference, low, high and R; then sd, min
            and max of the difference over the syntheses (sd NaN for one), and decision, from the mean.

        Raises
        ------
        DisclosureError
            When there is no such measure.
        """
        if measure not in MEASURES:
            raise DisclosureError(f"There is no baseline of {measure!r}; choose one of {', '.join(MEASURES)}.")
        found = self.figures[self.figures["measure"] == measure].drop(columns="measure")
        frame = _with_spread(found, limits or Limits())
        return frame.sort_values("members", kind="stable", ignore_index=True)


def attribute_baseline(of: Partition | NotEvaluated, settings: Settings) -> AttributeBaseline | NotEvaluated:
    """Return DiSCO and DCAP of members and non-members, for every target and synthesis.

    Parameters
    ----------
    of
        What `partition` returned.
    settings
        Keys, targets, groups and exclusions. Exclusions leave out members and non-members alike and no denominator
        shrinks; the denominator limit asks for both how many *training* records a cell holds.

    Raises
    ------
    DisclosureError
        When a key, target or level is not in the data, or none is chosen.

    Source
    ------
    consensus.md 3.3 and 4.3; paper 001, Table 3. Keys not in the synthesis count as no claim.
    """
    if isinstance(of, NotEvaluated):
        return of
    tables = count(of.joint, settings)
    frames, context = [], []
    for name, cells in tables.targets.items():
        held = cells[-1]  # training records in d, holdout records in s
        left = [c.counted(settings.exclusions.of(name)) for c in cells]
        keep = left[-1].kinds(held.d) == Exclusion.COUNTED
        scores = {"DiSCO": [_disclosed(c, held) for c in left[:-1]], "DCAP": [_shares(c, held) for c in left[:-1]]}
        for measure in MEASURES:
            rows = np.array(scores[measure])
            found = _compared(rows, held.d * keep, of.n_training, rows, held.s * keep, of.n_holdout)
            found.insert(0, "measure", measure)
            found.insert(0, "target", name)
            frames.append(found)
        levels = held.column.counts[0] / of.n_training
        context.append({"target": name, "majority": 100 * levels.max(), "baseCAPd": 100 * float(levels @ levels)})
    return AttributeBaseline(pd.concat(frames, ignore_index=True), pd.DataFrame(context), of.n_training, of.n_holdout)


def _disclosed(left: Counted, held: Cells) -> Floats:
    """Return, shape (n_cells of held,), 1 where the synthesis claims the cell's level with certainty."""
    return left.cells.at(held.codes, left.cells.disclosive_synthetic)


def _shares(left: Counted, held: Cells) -> Floats:
    """Return, shape (n_cells of held,), ps of the cell, from the synthetic records still counted."""
    cells = left.cells
    s_q = left.s_q[cells.q]
    ps = np.divide(left.s, s_q, out=np.zeros(left.s.shape), where=s_q > 0)
    return cells.at(held.codes, ps)


def _compared(
    members: Floats, n_t: npt.NDArray[Any], n_training: int, non_members: Floats, n_h: npt.NDArray[Any], n_holdout: int
) -> pd.DataFrame:
    """Return the columns of `COMPARED`, a row a synthesis and one for the mean.

    `members` and `non_members` hold scores from 0 to 1, shape (m, n); `n_t` and `n_h` the records with each score,
    shape (n,).
    """
    t, t_size = _mean_and_size(members, n_t, n_training)
    h, h_size = _mean_and_size(non_members, n_h, n_holdout)
    low, high = difference_interval(t, t_size, h, h_size)
    columns = dict(zip(COMPARED, (100 * t, 100 * h, 100 * (t - h), 100 * low, 100 * high, ratio(t, h)), strict=True))
    return pd.DataFrame({"synthesis": np.append(np.arange(1, len(members) + 1), MEAN)} | columns)


def _mean_and_size(scores: Floats, weights: npt.NDArray[Any], n: int) -> tuple[Floats, Floats]:
    """Return means of scores over `n` records, a row a synthesis and one for the mean, and the size each is worth.

    A mean of shares varies no more than a proportion does: it is worth n · p(1 − p) / variance records, n at least.
    """
    # A person's score in the mean row is the mean over the syntheses.
    rows = np.vstack([scores, scores.mean(axis=0)])
    p = np.clip(rows @ weights / n, 0, 1)
    variance = rows**2 @ weights / n - p**2
    plain = variance < 1e-12  # all alike: nothing is known of the spread, so no gain is taken
    return p, np.where(plain, n, n * np.maximum(p * (1 - p) / np.where(plain, 1, variance), 1))


def _with_spread(found: pd.DataFrame, limits: Limits) -> pd.DataFrame:
    """Return the mean rows of `found` with sd, min and max of the difference over the syntheses, and the decision."""
    by = [c for c in found.columns if c not in COMPARED and c != "synthesis"]
    mean = found[found["synthesis"] == MEAN].drop(columns="synthesis").reset_index(drop=True)
    each = found[found["synthesis"] != MEAN]
    spread = each.groupby(by, sort=False)["difference"] if by else each.groupby(np.zeros(len(each)))["difference"]
    for name in ("std", "min", "max"):
        mean[{"std": "sd"}.get(name, name)] = spread.agg(name).to_numpy()
    pairs = zip(mean["members"], mean["difference"], strict=True)
    mean["decision"] = [str(decide(a, r, limits)) for a, r in pairs]
    return mean


# ---- replicated uniques ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class IdentityBaseline:
    """Replicated uniques of members, and of people outside who would have been unique among the members.

    Attributes
    ----------
    figures
        A row a synthesis, 1 … m, and `MEAN`: members, repU in % of the training records; non_members, % of the
        holdout records whose keys no training record has and exactly one synthetic record does; difference, low, high
        and R as in `AttributeBaseline`.
    n_training, n_holdout
        `|T|` and `|H|`, records.
    """

    figures: pd.DataFrame
    n_training: int
    n_holdout: int

    def summary(self, limits: Limits | None = None) -> pd.DataFrame:
        """Return one row, the mean over the syntheses, with the spread; columns as `AttributeBaseline.summary`."""
        return _with_spread(self.figures, limits or Limits())


def identity_baseline(of: Partition | NotEvaluated, settings: Settings) -> IdentityBaseline | NotEvaluated:
    """Return repU of members and its baseline.

    Uniqueness is always judged among the *training* records. repU with the holdout as original would judge it among
    the fewer holdout records, where more people are unique.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.

    Source
    ------
    consensus.md 4.2.
    """
    if isinstance(of, NotEvaluated):
        return of
    keys = count_keys(of.joint, settings)
    keep = ~keys.missing(settings.exclusions.missing_keys)
    once = [(s_q == 1) & keep for s_q in keys.s_q[:-1]]
    members = np.array([one & (keys.d_q == 1) for one in once], dtype=float)
    non_members = np.array([one & (keys.d_q == 0) for one in once], dtype=float)
    figures = _compared(members, keys.d_q, of.n_training, non_members, keys.s_q[-1], of.n_holdout)
    return IdentityBaseline(figures, of.n_training, of.n_holdout)
