"""Replicated uniques of members beside people outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.counting.count import count_keys
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.differences import mean_and_size, side_by_side, with_spread
from disclosure_core.rounding import fixed
from disclosure_core.shown import Place, Shown, doubted

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.settings import Settings
    from disclosure_core.holdout.partition import Partition


@dataclass(frozen=True, eq=False, repr=False)
class IdentityBaseline(Shown):
    """Replicated uniques of members, and of people outside who would have been unique among the members.

    Attributes
    ----------
    figures
        A row a synthesis, 1 … m, and `MEAN`: members, repU in % of the training records; non_members, % of the
        holdout records whose keys no training record has and exactly one synthetic record does; difference, low, high
        and R as in `AttributeBaseline`.
    n_training, n_holdout
        `|T|` and `|H|`, records.
    doubts
        As of `AttributeBaseline`.
    """

    figures: pd.DataFrame
    n_training: int
    n_holdout: int
    doubts: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return three lines, and what puts these people in doubt; never data."""
        row = self.summary().iloc[0]
        return (
            f"Baseline of the keys: {self.n_training:,} members, {self.n_holdout:,} people outside\n"
            f"repU of members {fixed(row['members'])} %, of people outside {fixed(row['non_members'])} %\n"
            f"difference {fixed(row['difference'])} points, 95 % from {fixed(row['low'])} to {fixed(row['high'])}"
            f"{doubted(self.doubts)}"
        )

    def _small_table(self) -> pd.DataFrame:
        return self.summary()[["members", "non_members", "difference", "low", "high"]]

    def plot(self, path: Place | None = None, **look: Any) -> Any:
        """Return repU of members against people outside for the screen, or write it."""
        return self._plotted(path, look)

    def summary(self) -> pd.DataFrame:
        """Return one row, the mean over the syntheses, with the spread; columns as `AttributeBaseline.summary`.

        repU is a screening figure, so no limit judges it: there is no result.
        """
        return with_spread(self.figures)


def identity_baseline(joined: Partition | NotEvaluated, settings: Settings) -> IdentityBaseline | NotEvaluated:
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

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, partition
    >>> outside = pd.DataFrame({"age": [30, 41], "job": ["cook", "nurse"]})
    >>> found = identity_baseline(partition(frame, outside, [frame]), Settings(keys=["age", "job"]))
    >>> float(found.figures["members"].iloc[0])
    50.0
    """
    if isinstance(joined, NotEvaluated):
        return joined
    lacking = joined.lacks(settings.keys)
    if lacking is not None:
        return lacking
    keys = count_keys(joined.joint, settings)
    profiles = [keys.profile(i, settings.exclusions.missing_keys) for i in range(joined.n_syntheses)]
    members = np.array([profile.replicated for profile in profiles], dtype=float)
    non_members = np.array([(profile.s_q == 1) & (profile.d_q == 0) for profile in profiles], dtype=float)
    figures = side_by_side(
        mean_and_size(members, keys.d_q, joined.n_training),
        mean_and_size(non_members, keys.s_q[-1], joined.n_holdout),
    )
    return IdentityBaseline(figures, joined.n_training, joined.n_holdout, joined.doubts)
