"""Whether somebody can tell from the synthetic data that a person was in the training data.

First the questions that say whether the figure means anything, then F_β of "this person's keys occur in the synthetic
data, so the person was a member", beside what guessing alone achieves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.baseline import MEAN
from disclosure_core.cells import count_keys
from disclosure_core.decision import NotEvaluated
from disclosure_core.fscores import BETAS, f_closed, f_interval, f_naive, f_rel, f_sampled, precision, prevalence
from disclosure_core.intervals import Floats, difference_interval
from disclosure_core.subsets import Coverage, Search, Subset, Worst, curve, plan, ranked, worst_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from disclosure_core.cells import KeyTable
    from disclosure_core.fscores import Sampled
    from disclosure_core.gate import Gate
    from disclosure_core.holdout import Partition
    from disclosure_core.settings import Settings
    from disclosure_core.subsets import Progress

TOGETHER = -1
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


@dataclass(frozen=True, eq=False)
class Membership:
    """How well members can be told from non-members, for every subset of the keys searched.

    Attributes
    ----------
    keys
        All keys, in the order of the data.
    gate
        The answers.
    n_records, t
        Records that n stands for in t = n / N, and the prevalence used.
    n_training, n_holdout
        `|T|` and `|H|`, records.
    coverage
        Which subsets were searched.
    rates
        A row a subset and synthesis (1 … m, and `TOGETHER` where there are several): keys (a tuple of names), n_keys,
        synthesis; n_match_training and n_match_holdout, records whose keys occur in it; a and b, the same as shares.
    halves
        Shape (n rows of rates, 4): a and b of one half of the people, then of the other.
    """

    keys: tuple[str, ...]
    gate: Gate
    n_records: int
    t: float
    n_training: int
    n_holdout: int
    coverage: Coverage
    rates: pd.DataFrame
    halves: Floats

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
            F_rel=f_rel(f, naive),
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
                    F_rel_low=f_rel(low, rows["F_naive"]),
                    F_rel_high=f_rel(high, rows["F_naive"]),
                    advantage=rows["a"] - rows["b"],
                    advantage_low=ends[0],
                    advantage_high=ends[1],
                    beta=beta,
                )
            )
        found = pd.concat(frames, ignore_index=True)
        return found[["beta", *found.columns.drop("beta")]]

    def mean(self, beta: float = 1.0) -> pd.DataFrame:
        """Return, a row a subset, the means over the syntheses: keys, n_keys, F, F_rel, F_naive."""
        rows = self.figures(beta)
        rows = rows[rows["synthesis"] != TOGETHER]
        return rows.groupby(["keys", "n_keys"], sort=False)[["F", "F_rel", "F_naive"]].mean().reset_index()

    def curve(self, beta: float = 1.0, measure: str = "F") -> pd.DataFrame:
        """Return n_keys, n_searched, and mean, sd, min and max of "F" or "F_rel" over the subsets of that size.

        A subset's figure is its mean over the syntheses; sd is NaN for one subset.
        """
        return curve(self.mean(beta), measure)

    def sampled(self, beta: float = 1.0, synthesis: int = 1, draws: int = 500, seed: int = 1) -> Sampled:
        """Return F of all keys by drawing attack sets, as a check of the closed form; see `f_sampled`.

        Raises
        ------
        DisclosureError
            When no attack set can be drawn at this prevalence.
        """
        rows = self.rates[(self.rates["n_keys"] == len(self.keys)) & (self.rates["synthesis"] == synthesis)]
        row = rows.iloc[0]
        matching = int(row["n_match_training"]), int(row["n_match_holdout"])
        return f_sampled(
            matching[0], self.n_training, matching[1], self.n_holdout, self.t, beta, draws=draws, seed=seed
        )

    def worst(self, beta: float = 1.0) -> dict[int, Worst]:
        """Return the subset with the largest F_rel of each synthesis, by its number.

        Under `MEAN` that of the means over the syntheses, which is not the mean of the largest; under `TOGETHER` that
        of a match in any synthesis.
        """
        rows = self.figures(beta)
        found = {i: worst_of(rows[rows["synthesis"] == i], "F_rel") for i in rows["synthesis"].unique().tolist()}
        return found | {MEAN: worst_of(self.mean(beta), "F_rel")}

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
            whole = mean.iloc[int(mean["n_keys"].argmax())]
            worst = self.worst(beta)
            top = worst.pop(MEAN)
            each = pd.Series([w.figure for i, w in worst.items() if i != TOGETHER])
            rows.append(
                {
                    "beta": beta,
                    "F_naive": whole["F_naive"],
                    "F": whole["F"],
                    "F_rel": whole["F_rel"],
                    "worst_keys": top.keys,
                    "worst_F": top.figure * (1 - whole["F_naive"]) + whole["F_naive"],
                    "worst_F_rel": top.figure,
                    "mean_of_worst": each.mean(),
                    "sd": each.std(),
                    "min": each.min(),
                    "max": each.max(),
                }
            )
        return pd.DataFrame(rows)

    def decisive(self) -> pd.Series[float]:
        """Return the row of `summary` that counts: that of the motive's β, else the one with the largest F_rel."""
        rows = self.summary()
        if self.gate.beta is None:
            return rows.iloc[int(rows["worst_F_rel"].argmax())]
        return rows[rows["beta"] == self.gate.beta].iloc[0]

    def honest_worst(self, beta: float = 1.0) -> HonestWorst:
        """Return the worst subset picked on one half of the people and read on the other, means over the syntheses.

        Source
        ------
        consensus.md 2.5: the largest of thousands of estimates is too large by luck.
        """
        each = (self.rates["synthesis"] != TOGETHER).to_numpy()
        naive = float(f_naive(self.t, beta))
        rows = self.rates.loc[each, ["keys", "n_keys"]].reset_index(drop=True)
        for name, (a, b) in {"picked": (0, 1), "read": (2, 3)}.items():
            rows[name] = f_rel(f_closed(self.halves[each, a], self.halves[each, b], self.t, beta), naive)
        mean = rows.groupby(["keys", "n_keys"], sort=False)[["picked", "read"]].mean().reset_index()
        keys = worst_of(mean, "picked").keys
        row = mean[mean["keys"].isin([keys])].iloc[0]
        return HonestWorst(keys, float(row["picked"]), float(row["read"]))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences that stand beside the figures."""
        said = [
            f"Prevalence {self.t:.4g}: {self.n_records:,} records of {self.gate.population_size:,} people"
            + (f" ({self.gate.source})." if self.gate.source else "; no source named."),
            f"{self.coverage}. {MATCH}",
            *self.gate.caveats(),
        ]
        naive = float(f_naive(self.t))
        if naive > GUESSABLE:
            said.append(
                f"Membership is already guessable without this release (F_naive {naive:.2f}). What the release adds is "
                "F_rel; what a person in the data faces is the larger of F and F_naive."
            )
        return tuple(said)


def membership(
    of: Partition | NotEvaluated,
    settings: Settings,
    gate: Gate,
    n_records: int | None = None,
    search: Search | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Membership | NotEvaluated:
    """Return how well members can be told from non-members, or why that is not evaluated.

    Parameters
    ----------
    of
        What `partition` returned.
    settings
        Keys and groups; neither targets nor exclusions act.
    gate
        The answers; where they do not fit, they are the reason.
    n_records
        Records that will really be synthesised, n of t = n / N; None: those of the training data.
    search
        How far to search the subsets of the keys.
    seed
        Of the halves for `honest_worst`.
    progress
        Called with subsets done and in all; what it raises ends the search.

    Raises
    ------
    DisclosureError
        When a key is not in every file, or the population is smaller than the data.

    Source
    ------
    consensus.md 2; match exactly, all records, no sampling (2.6 B).
    """
    refused = gate.refusal()
    if refused is not None:
        return refused
    if isinstance(of, NotEvaluated):
        return of
    n_records = of.n_training if n_records is None else n_records
    t = prevalence(n_records, gate.population_size or 0)
    if t == 1:
        return NotEvaluated(
            "Everyone in the population is a member, so there is nothing to tell.",
            "Membership is no secret of a census: read the attribute figures.",
        )
    keys = count_keys(of.joint, settings)
    names = tuple(key.name for key in keys.keys)
    subsets, coverage = plan(names, search)
    people, sizes = _halves(keys, seed)
    who: list[tuple[str, ...]] = []
    found = []
    for subset, matched in _matches(keys, subsets, progress):
        who.append(tuple(names[i] for i in subset))
        found.append(matched @ people)
    counts = np.array(found)  # shape (n_subsets, rows, 4): members and non-members of one half, then of the other
    order = sorted(range(len(who)), key=lambda i: len(who[i]))
    counts, who = counts[order], [who[i] for i in order]
    n_rows = counts.shape[1]
    numbers = [*range(1, of.n_syntheses + 1), *([TOGETHER] if n_rows > of.n_syntheses else [])]
    flat = counts.reshape(-1, 4)
    in_training, in_holdout = flat[:, 0] + flat[:, 2], flat[:, 1] + flat[:, 3]
    rates = pd.DataFrame(
        {
            "keys": [w for w in who for _ in range(n_rows)],
            "n_keys": [len(w) for w in who for _ in range(n_rows)],
            "synthesis": numbers * len(who),
            "n_match_training": in_training.astype(np.int64),
            "n_match_holdout": in_holdout.astype(np.int64),
            "a": in_training / of.n_training,
            "b": in_holdout / of.n_holdout,
        }
    )
    halves = np.divide(flat, sizes, out=np.zeros(flat.shape), where=sizes > 0)
    return Membership(names, gate, n_records, t, of.n_training, of.n_holdout, coverage, rates, halves)


def _matches(
    keys: KeyTable, subsets: Sequence[Subset], progress: Progress | None
) -> Iterator[tuple[Subset, npt.NDArray[np.bool_]]]:
    """Yield each subset and where its combinations occur: shape (rows, n_q), a row a synthesis and one for any."""
    held = [np.flatnonzero(side) for side in keys.s_q[:-1]]
    m = len(held)
    for subset, rank, n in ranked(keys, subsets, progress):
        occurs = np.zeros((m + (m > 1), n), dtype=bool)
        for i, at in enumerate(held):
            occurs[i, rank[at]] = True
        if m > 1:
            occurs[m] = occurs[:m].any(axis=0)
        yield subset, occurs[:, rank]


def _halves(keys: KeyTable, seed: int) -> tuple[Floats, Floats]:
    """Return members and non-members of one half of the people and of the other, shape (n_q, 4), and their numbers."""
    rng = np.random.default_rng(seed)
    columns = []
    for side in (keys.original, keys.synthetic[-1]):
        first = rng.permutation(side.size) < side.size / 2
        columns.append([np.bincount(side[half], minlength=keys.d_q.size) for half in (first, ~first)])
    people = np.stack([columns[0][0], columns[1][0], columns[0][1], columns[1][1]], axis=1).astype(float)
    return people, people.sum(axis=0)
