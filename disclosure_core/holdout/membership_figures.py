"""Figures of membership: what is read from how many members and people outside match, for every subset of the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.arrays import Floats
from disclosure_core.counting.measures import over_syntheses
from disclosure_core.counting.subsets import Coverage, Worst, curve, worst_of
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.fscores import BETAS, f_closed, f_interval, f_naive, precision, relative_gain
from disclosure_core.holdout.intervals import difference_interval
from disclosure_core.rounding import above, fixed
from disclosure_core.shown import Place, Shown, doubted, listed

if TYPE_CHECKING:
    from disclosure_core.holdout.threat_model import ThreatModel


ANY_SYNTHESIS = -1
"""The number under which a match in any of the syntheses stands; it belongs to no mean over them."""

GUESSABLE = 0.5
"""Above this F_naive, membership is guessable without the release, and that is said."""

MATCH = (
    "A person matches when the combination of the chosen keys, in the groups chosen for them, occurs in the synthetic "
    "data exactly; a missing value is a level of its own."
)


@dataclass(frozen=True, slots=True)
class HonestWorst:
    """A worst subset picked on one half of the people and read on the other, which luck does not favour.

    Attributes
    ----------
    keys
        The subset.
    picked, read
        Its F_rel on the half that picked it, and on the other half.
    """

    keys: tuple[str, ...]
    picked: float
    read: float


@dataclass(frozen=True, eq=False, repr=False)
class Membership(Shown):
    """How well members can be told from non-members, for every subset of the keys searched.

    Attributes
    ----------
    keys
        All keys, in the order of the data.
    threat_model
        The answers.
    n_records, t
        Records that n stands for in t = n / N, and the prevalence used.
    n_training, n_holdout
        `|T|` and `|H|`, records.
    coverage
        Which subsets were searched.
    rates
        A row a subset and synthesis (1 … m, and `ANY_SYNTHESIS` where there are several): keys (a tuple of names),
        n_keys, synthesis; n_match_training and n_match_holdout, records whose keys occur in it; a and b, the same as
        shares.
    halves
        Shape (n rows of rates, 4): a and b of one half of the people, then of the other.
    doubts
        What puts in doubt that the holdout is outside the data.
    """

    keys: tuple[str, ...]
    threat_model: ThreatModel
    n_records: int
    t: float
    n_training: int
    n_holdout: int
    coverage: Coverage
    rates: pd.DataFrame
    halves: Floats
    doubts: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return three lines, and what puts these people in doubt; never data."""
        row = self.decisive()
        return (
            f"Membership: {self.n_training:,} members, {self.n_holdout:,} people outside; {self.coverage}\n"
            f"keys: {listed(self.keys)}; prevalence {self.t:.4g}\n"
            f"F {fixed(row['F'], 4)} beside {fixed(row['F_naive'], 4)} by guessing: F_rel {fixed(row['F_rel'], 4)}"
            f"{doubted(self.doubts)}"
        )

    @property
    def complete(self) -> bool:
        """Whether every subset of the keys was searched; else the worst F_rel is at least so much."""
        return self.coverage.whole

    def _small_table(self) -> pd.DataFrame:
        columns = ["beta", "F_naive", "F", "F_rel", "worst_F", "worst_F_rel"]
        return self.summary()[columns].apply(lambda column: column.map(lambda x: fixed(x, 4)))

    def plot(self, path: Place | None = None, *, measure: str = "F_rel", **look: Any) -> Any:
        """Return F or F_rel by the number of keys for the screen, or write it."""
        return self._plotted(path, look, measure)

    def figures(self, beta: float = 1.0) -> pd.DataFrame:
        """Return every subset's figures of one β.

        Returns
        -------
        DataFrame
            `rates`, and precision, recall, F, F_naive, F_rel: shares from 0 to 1, F_rel up to 1.
        """
        rows = self.rates
        f, naive = f_closed(rows["a"], rows["b"], self.t, beta), float(f_naive(self.t, beta))
        return rows.assign(
            precision=precision(rows["a"], rows["b"], self.t),
            recall=rows["a"],
            F=f,
            F_naive=naive,
            F_rel=relative_gain(f, naive),
        )

    def all_keys(self, betas: Sequence[float] = BETAS) -> pd.DataFrame:
        """Return the figures of all keys together, a row a β and synthesis, with intervals.

        Returns
        -------
        DataFrame
            beta, then the columns of `figures` without keys; low and high of F; F_rel_low and F_rel_high; advantage,
            a − b, with advantage_low and advantage_high.
        """
        frames = []
        for beta in betas:
            rows = self.figures(beta)
            rows = rows[rows["n_keys"] == len(self.keys)].drop(columns=["keys", "n_keys"])
            low, high = f_interval(rows["a"], self.n_training, rows["b"], self.n_holdout, self.t, beta)
            ends = difference_interval(rows["a"], self.n_training, rows["b"], self.n_holdout)
            frames.append(
                rows.assign(
                    low=low,
                    high=high,
                    F_rel_low=relative_gain(low, rows["F_naive"]),
                    F_rel_high=relative_gain(high, rows["F_naive"]),
                    advantage=rows["a"] - rows["b"],
                    advantage_low=ends[0],
                    advantage_high=ends[1],
                    beta=beta,
                )
            )
        figures = pd.concat(frames, ignore_index=True)
        return figures[["beta", *figures.columns.drop("beta")]]

    def mean(self, beta: float = 1.0) -> pd.DataFrame:
        """Return, a row a subset, the means over the syntheses: keys, n_keys, F, F_rel, F_naive."""
        if beta not in self._means:
            rows = self.figures(beta)
            rows = rows[rows["synthesis"] != ANY_SYNTHESIS]
            means = rows.groupby(["keys", "n_keys"], sort=False)[["F", "F_rel", "F_naive"]].mean()
            self._means[beta] = means.reset_index()
        return self._means[beta].copy()

    @cached_property
    def _means(self) -> dict[float, pd.DataFrame]:
        return {}

    def curve(self, beta: float = 1.0, measure: str = "F") -> pd.DataFrame:
        """Return n_keys, n_searched, and mean, sd, min and max of "F" or "F_rel" over the subsets of that size.

        A subset's figure is its mean over the syntheses; sd is NaN for one subset.
        """
        return curve(self.mean(beta), measure)

    def worst(self, beta: float = 1.0) -> dict[int, Worst]:
        """Return the subset with the largest F_rel of each synthesis, by its number.

        Under `MEAN` that of the means over the syntheses, which is not the mean of the largest; under `ANY_SYNTHESIS`
        that of a match in any synthesis.
        """
        rows = self.figures(beta)
        by_synthesis = {i: worst_of(rows[rows["synthesis"] == i], "F_rel") for i in rows["synthesis"].unique().tolist()}
        return by_synthesis | {MEAN: worst_of(self.mean(beta), "F_rel")}

    def summary(self) -> pd.DataFrame:
        """Return one row a β, with what must stand side by side.

        Returns
        -------
        DataFrame
            beta; F_naive; of all keys F and F_rel, means over the syntheses; worst_keys, worst_F and worst_F_rel, of
            the subset whose mean F_rel is largest ("maximum of the mean"); mean_of_worst, the mean over the syntheses
            of each one's own largest F_rel ("mean of the maximum"); sd, min and max of these (sd NaN for one).
        """
        return self._by_beta.copy()

    @cached_property
    def _by_beta(self) -> pd.DataFrame:
        rows = []
        for beta in BETAS:
            mean = self.mean(beta)
            all_keys = mean.iloc[int(mean["n_keys"].argmax())]
            worst = self.worst(beta)
            top = worst.pop(MEAN)
            spread = over_syntheses([w.figure for i, w in worst.items() if i != ANY_SYNTHESIS])
            rows.append(
                {
                    "beta": beta,
                    "F_naive": all_keys["F_naive"],
                    "F": all_keys["F"],
                    "F_rel": all_keys["F_rel"],
                    "worst_keys": top.keys,
                    "worst_F": top.figure * (1 - all_keys["F_naive"]) + all_keys["F_naive"],
                    "worst_F_rel": top.figure,
                    "mean_of_worst": spread["mean"],
                    "sd": spread["sd"],
                    "min": spread["min"],
                    "max": spread["max"],
                }
            )
        return pd.DataFrame(rows)

    @property
    def is_decided(self) -> bool:
        """Whether it is known which β counts: that of the motive, or once all subsets were searched the largest."""
        return self.complete or self.threat_model.beta is not None

    def decisive(self) -> pd.Series[float]:
        """Return the row of `summary` that counts: that of the motive's β, else the one with the largest F_rel."""
        rows = self.summary()
        if self.threat_model.beta is None:
            return rows.iloc[int(rows["worst_F_rel"].argmax())]
        return rows[rows["beta"] == self.threat_model.beta].iloc[0]

    def honest_worst(self, beta: float = 1.0) -> HonestWorst:
        """Return the worst subset picked on one half of the people and read on the other, means over the syntheses.

        Source
        ------
        consensus.md 2.5: the largest of thousands of estimates is too large by luck.
        """
        single = (self.rates["synthesis"] != ANY_SYNTHESIS).to_numpy()
        naive = float(f_naive(self.t, beta))
        rows = self.rates.loc[single, ["keys", "n_keys"]].reset_index(drop=True)
        for name, (a, b) in {"picked": (0, 1), "read": (2, 3)}.items():
            rows[name] = relative_gain(f_closed(self.halves[single, a], self.halves[single, b], self.t, beta), naive)
        mean = rows.groupby(["keys", "n_keys"], sort=False)[["picked", "read"]].mean().reset_index()
        keys = worst_of(mean, "picked").keys
        row = mean[mean["keys"].isin([keys])].iloc[0]
        return HonestWorst(keys, float(row["picked"]), float(row["read"]))

    @property
    def _which(self) -> str:
        """Which records n are."""
        if self.n_records == self.n_training + self.n_holdout:
            return " (the whole original: training data and holdout)"
        return " (the training data alone)" if self.n_records == self.n_training else ""

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences that stand beside the figures."""
        answers = self.threat_model
        sentences = [
            f"Prevalence {self.t:.4g}: {self.n_records:,} records{self._which} of {answers.population_size:,} people"
            + (f" ({answers.source})." if answers.source else "; no source given."),
            f"{self.coverage}.{'' if self.complete else ' A subset that was not searched may be worse.'} {MATCH}",
            *answers.caveats(),
            *self.doubts,
        ]
        naive = float(f_naive(self.t))
        if above(naive, GUESSABLE):
            sentences.append(
                f"Membership is already guessable without this release (F_naive {fixed(naive)}). What the release adds "
                "is F_rel; what a person in the data faces is the larger of F and F_naive."
            )
        return tuple(sentences)
