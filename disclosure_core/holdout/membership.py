"""Whether somebody can tell from the synthetic data that a person was in the training data.

First the questions that say whether the figure means anything, then F_β of "this person's keys occur in the synthetic
data, so the person was a member", beside what guessing alone achieves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.counting.count import count_keys
from disclosure_core.counting.draws import drawn
from disclosure_core.counting.measures import over_syntheses
from disclosure_core.counting.subsets import Coverage, Search, Subset, Worst, curve, plan, ranked, worst_of
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.baseline import MEAN
from disclosure_core.holdout.fscores import (
    BETAS,
    f_closed,
    f_interval,
    f_naive,
    precision,
    prevalence,
)
from disclosure_core.holdout.gain import relative_gain
from disclosure_core.holdout.intervals import Floats, difference_interval
from disclosure_core.rounding import above, fixed
from disclosure_core.shown import Shown, doubted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from disclosure_core.counting.cells import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.holdout.threat_model import ThreatModel
    from disclosure_core.shown import Place

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
        rows = self.figures(beta)
        rows = rows[rows["synthesis"] != ANY_SYNTHESIS]
        return rows.groupby(["keys", "n_keys"], sort=False)[["F", "F_rel", "F_naive"]].mean().reset_index()

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


def refusal(
    joined: Partition | NotEvaluated, threat_model: ThreatModel, n_records: int | None = None
) -> NotEvaluated | None:
    """Return why there is no membership figure, or None where there is one to be computed; as `membership`."""
    reason = threat_model.refusal()
    if reason is not None:
        return reason
    if isinstance(joined, NotEvaluated):
        return joined
    if _prevalence(joined, threat_model, n_records)[1] == 1:
        return NotEvaluated(
            "Everyone in the population is a member, so membership discloses nothing.",
            "Membership is no secret of a census: read the attribute figures.",
        )
    return None


def population_share(joined: Partition | NotEvaluated, threat_model: ThreatModel) -> float | None:
    """Return t = n / N where membership is evaluated; None where it is not."""
    if refusal(joined, threat_model) is not None:
        return None
    assert not isinstance(joined, NotEvaluated)
    return _prevalence(joined, threat_model, None)[1]


def _prevalence(joined: Partition, threat_model: ThreatModel, n_records: int | None) -> tuple[int, float]:
    """Return n, the records that will be synthesised in the end, and t = n / N."""
    N = threat_model.population_size
    assert N is not None  # else `ThreatModel.refusal` says so before
    n_all = joined.n_training + joined.n_holdout
    if n_records is None:
        n_records = joined.n_training if threat_model.training_alone else n_all
    if isinstance(n_records, bool) or not isinstance(n_records, Integral) or n_records < 1:
        raise DisclosureError("The records that will be synthesised must be a whole number, 1 or more.")
    prevalence(n_all, N)  # all of them live in the population
    return int(n_records), prevalence(int(n_records), N)


def membership(
    joined: Partition | NotEvaluated,
    settings: Settings,
    threat_model: ThreatModel,
    n_records: int | None = None,
    search: Search | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Membership | NotEvaluated:
    """Return how well members can be told from non-members, or why that is not evaluated.

    Parameters
    ----------
    joined
        What `partition` returned.
    settings
        Keys and groups; neither targets nor exclusions act.
    threat_model
        The answers; where they do not fit, they are the reason.
    n_records
        Records that will really be synthesised, n of t = n / N. None: the whole original, training data and holdout;
        the training data where the threat model says so.
    search
        How far to search the subsets of the keys.
    seed
        Of the halves for `honest_worst`.
    progress
        Called with subsets done and in all; what it raises ends the search.

    Raises
    ------
    DisclosureError
        When a key is not in the original and the syntheses, the number of records is not a whole number above 0, or the
        population is smaller than it, or than training data and holdout.

    Source
    ------
    consensus.md 2, n = `|O|` (2.2); match exactly, all records, no sampling (2.6 B).
    """
    reason = refusal(joined, threat_model, n_records)
    if reason is not None:
        return reason
    assert not isinstance(joined, NotEvaluated)
    lacking = joined.lacks(settings.keys)
    if lacking is not None:
        return lacking
    n_records, t = _prevalence(joined, threat_model, n_records)
    keys = count_keys(joined.joint, settings)
    names = tuple(key.name for key in keys.keys)
    subsets, coverage = plan(names, search)
    people, sizes = _halves(keys, seed)
    searched: list[tuple[str, ...]] = []
    matches = []
    for subset, matched in _matches(keys, subsets, progress):
        searched.append(tuple(names[i] for i in subset))
        matches.append(matched @ people)
    counts = np.array(matches)  # shape (n_subsets, rows, 4): members and non-members of one half, then of the other
    order = sorted(range(len(searched)), key=lambda i: len(searched[i]))
    counts, searched = counts[order], [searched[i] for i in order]
    n_rows = counts.shape[1]
    numbers = [*range(1, joined.n_syntheses + 1), *([ANY_SYNTHESIS] if n_rows > joined.n_syntheses else [])]
    flat = counts.reshape(-1, 4)
    in_training, in_holdout = flat[:, 0] + flat[:, 2], flat[:, 1] + flat[:, 3]
    rates = pd.DataFrame(
        {
            "keys": [w for w in searched for _ in range(n_rows)],
            "n_keys": [len(w) for w in searched for _ in range(n_rows)],
            "synthesis": numbers * len(searched),
            "n_match_training": in_training.astype(np.int64),
            "n_match_holdout": in_holdout.astype(np.int64),
            "a": in_training / joined.n_training,
            "b": in_holdout / joined.n_holdout,
        }
    )
    halves = np.divide(flat, sizes, out=np.zeros(flat.shape), where=sizes > 0)
    return Membership(
        names, threat_model, n_records, t, joined.n_training, joined.n_holdout, coverage, rates, halves, joined.doubts
    )


def _matches(
    keys: KeyTable, subsets: Sequence[Subset], progress: Progress | None
) -> Iterator[tuple[Subset, npt.NDArray[np.bool_]]]:
    """Yield each subset and where its combinations occur: shape (rows, n_q), a row a synthesis and one for any."""
    combinations = [np.flatnonzero(side) for side in keys.s_q[:-1]]
    m = len(combinations)
    for subset, rank, n in ranked(keys, subsets, progress):
        occurs = np.zeros((m + (m > 1), n), dtype=bool)
        for i, at in enumerate(combinations):
            occurs[i, rank[at]] = True
        if m > 1:
            occurs[m] = occurs[:m].any(axis=0)
        yield subset, occurs[:, rank]


def _halves(keys: KeyTable, seed: int) -> tuple[Floats, Floats]:
    """Return members and non-members of one half of the people and of the other, shape (n_q, 4), and their numbers."""
    rng = np.random.default_rng(seed)
    columns = []
    for side, counts in ((keys.original, keys.d_q), (keys.synthetic[-1], keys.s_q[-1])):
        n = int(counts.sum())
        if side.size == n:
            half = np.bincount(side[rng.permutation(n) < n / 2], minlength=counts.size)
        else:  # the records are elsewhere
            half = drawn(counts, (n + 1) // 2, rng)
        columns.append([half, counts - half])
    people = np.stack([columns[0][0], columns[1][0], columns[0][1], columns[1][1]], axis=1).astype(float)
    return people, people.sum(axis=0)
