"""DiSCO and replicated uniques of every subset of the keys: the worst subset is often not all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.cells import Profile
from disclosure_core.counting.codes import distinct
from disclosure_core.counting.count import count, count_keys
from disclosure_core.counting.exclusions import beyond, rules
from disclosure_core.counting.measures import identity, over_syntheses
from disclosure_core.counting.registry import IDENTITY
from disclosure_core.counting.subsets import (
    Coverage,
    Search,
    Subset,
    Worst,
    curve,
    named_subsets,
    plan,
    ranked,
    worst_of,
)
from disclosure_core.data.values import rising
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.partition import Partition
from disclosure_core.rounding import fixed
from disclosure_core.shown import Shown, listed, named

if TYPE_CHECKING:
    from collections.abc import Collection

    from disclosure_core.counting.cells import Cells, Counts
    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.shown import Place

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class SubsetSearch(Shown):
    """DiSCO, UiO and repU of subsets of the keys.

    Each row is what an assessment with those keys alone would say, exclusions included; those that name a key which is
    not in the subset do not act.

    Attributes
    ----------
    keys
        All keys, in the order of the data.
    coverage
        Which subsets were searched.
    identity
        A row a subset: keys (a tuple of names), n_keys; UiO, UiS, UiOiS and repU, means over the syntheses in %; min,
        max and sd of repU over the syntheses.
    attribute
        A row a target and subset: target, keys, n_keys; DiSCO, the mean in %; its min, max and sd. With a holdout also
        non_members, the mean in % of the holdout records, and difference, percentage points.
    n_original
        N_d, records.
    """

    keys: tuple[str, ...]
    coverage: Coverage
    identity: pd.DataFrame
    attribute: pd.DataFrame
    n_original: int

    def __repr__(self) -> str:
        """Return three lines: how far was searched, and the worst figures; never data."""
        worst = self.worst("repU")
        targets = self.attribute["target"].unique().tolist()
        each = sorted(((name, self.worst("DiSCO", name).figure) for name in targets), key=lambda pair: -pair[1])
        return (
            f"Subsets of the keys {listed(self.keys)}: {self.coverage}\n"
            f"worst repU {fixed(worst.figure)} %, with {listed(worst.keys)}\n"
            f"worst DiSCO: {named(each) or 'not searched'}"
        )

    @property
    def complete(self) -> bool:
        """Whether every subset was searched; else the largest figure is the largest found, at least so much."""
        return self.coverage.whole

    def with_more(self, other: SubsetSearch) -> SubsetSearch:
        """Return the rows of two searches of the same study and settings that have no subset in common."""
        frames: list[pd.DataFrame] = []
        for mine, theirs in ((self.identity, other.identity), (self.attribute, other.attribute)):
            both = pd.concat([mine, theirs], ignore_index=True)
            order = dict.fromkeys(both["target"]) if "target" in both else {}
            rank = {name: i for i, name in enumerate(order)}
            by = ["n_keys"] if not rank else ["target", "n_keys"]
            frames.append(
                both.sort_values(
                    by, key=lambda c: c.map(rank) if c.name == "target" else c, kind="stable", ignore_index=True
                )
            )
        return replace(self, coverage=self.coverage.with_more(other.coverage), identity=frames[0], attribute=frames[1])

    def _small_table(self) -> pd.DataFrame:
        rows = self.identity.nlargest(8, "repU")[["keys", "UiO", "repU", "min", "max"]]
        return rows.assign(keys=rows["keys"].map(", ".join))

    def plot(self, path: Place | None = None, *, target: str | None = None, **look: Any) -> Any:
        """Return what each key adds to repU, or to DiSCO of a target, for the screen; or write it."""
        return self._plotted(path, look, target)

    def of(self, target: str | None = None) -> pd.DataFrame:
        """Return the rows of one target; of the keys alone where none is named.

        Raises
        ------
        DisclosureError
            When the target was not searched.
        """
        if target is None:
            return self.identity
        rows = self.attribute[self.attribute["target"] == target]
        if rows.empty:
            raise DisclosureError(f"{target!r} was not among the targets; choose one that is.")
        return rows.drop(columns="target").reset_index(drop=True)

    def worst(self, measure: str, target: str | None = None) -> Worst:
        """Return the subset with the largest figure of a column of `of(target)`.

        Raises
        ------
        DisclosureError
            When the target was not searched, or has no such figure.
        """
        return worst_of(self._rows(measure, target), measure)

    def by_size(self, measure: str, target: str | None = None) -> pd.DataFrame:
        """Return n_keys, n_searched, and mean, sd (NaN for one), min and max of a figure over the subsets of that size.

        Raises
        ------
        DisclosureError
            As `worst`.
        """
        return curve(self._rows(measure, target), measure)

    def each_key(self, measure: str, target: str | None = None) -> pd.DataFrame:
        """Return what each key adds and what remains without it.

        Returns
        -------
        DataFrame
            A row a key, the one that adds most first: key; alone, the figure with this key only; without, with all
            others (0 where there is no other); all, with all; adds, all less without: negative where the key hides.

        Raises
        ------
        DisclosureError
            As `worst`.
        """
        rows = self._rows(measure, target)
        figure = dict(zip(rows["keys"], rows[measure], strict=True)) | {(): 0.0}
        all_keys = figure[self.keys]
        per_key = [
            {"key": k, "alone": figure[(k,)], "without": figure[tuple(x for x in self.keys if x != k)], "all": all_keys}
            for k in self.keys
        ]
        frame = pd.DataFrame(per_key)
        frame["adds"] = frame["all"] - frame["without"]
        return frame.sort_values("adds", ascending=False, kind="stable", ignore_index=True)

    def _rows(self, measure: str, target: str | None) -> pd.DataFrame:
        rows = self.of(target)
        if measure not in rows.columns or measure in ("keys", "n_keys"):
            raise DisclosureError(f"The search has no {measure!r} of {target or 'the keys'}; choose another measure.")
        return rows


def search_subsets(
    data: AnyStudy | Partition,
    settings: Settings,
    search: Search | None = None,
    progress: Progress | None = None,
    *,
    attributes: bool = True,
    only: Collection[Collection[str]] | None = None,
) -> SubsetSearch:
    """Return UiO, repU and DiSCO for every subset of the keys, within the budget.

    Parameters
    ----------
    data
        The study; or training, holdout and syntheses, for DiSCO of non-members as well.
    settings
        Keys, targets, groups and exclusions, as for an assessment.
    search
        How far to search.
    progress
        Called with subsets done and in all; what it raises ends the search.
    attributes
        False: the keys alone; no target is needed, and `attribute` has no rows.
    only
        In place of `search`: these sets of keys alone.

    Raises
    ------
    DisclosureError
        As `assess`.

    Source
    ------
    consensus.md 2.5 and 3.5: with fewer keys the figures may rise (its case B) or fall (its case C).
    """
    n_holdout = data.n_holdout if isinstance(data, Partition) else 0
    joint: AnyStudy = data.joint if isinstance(data, Partition) else data
    if attributes:
        tables = count(joint, settings)
        keys, cells = tables.keys, tables.targets
    else:
        keys, cells = count_keys(joint, settings), {}
    m = joint.n_syntheses - bool(n_holdout)
    names = tuple(key.name for key in keys.keys)
    subsets, coverage = plan(names, search) if only is None else named_subsets(names, only)
    targets = {name: _Target.of(sides, m, settings.exclusions.of(name)) for name, sides in cells.items()}
    # Shape (k, n_q): where a key whose missing values are excluded is missing.
    missing = np.stack([keys.missing(settings.exclusions.missing_keys & {name}) for name in names])
    searched: list[tuple[str, ...]] = []
    identity_rows: list[list[tuple[float, ...]]] = []
    disclosed_counts: dict[str, list[Floats]] = {name: [] for name in targets}
    for subset, rank, n in ranked(keys, subsets, progress):
        searched.append(tuple(names[i] for i in subset))
        left_out = np.any(
            missing[list(subset)], axis=0
        )  # combinations in which a key of the subset is missing and excluded
        d_q, *s_q = (_counts(rank, side, n) for side in (keys.d_q, *keys.s_q[:m]))
        counted = np.ones(n, dtype=bool)
        counted[rank[left_out]] = False
        identity_rows.append(
            [
                identity(Profile(d_q * counted, side * counted, side > 0), joint.n_original, n_s)
                for side, n_s in zip(s_q, joint.n_synthetic[:m], strict=True)
            ]
        )
        for name, target in targets.items():
            disclosed_counts[name].append(target.disclosed(subset, rank, n, s_q))
    # Fewer keys first.
    order = sorted(range(len(searched)), key=lambda i: len(searched[i]))
    searched = [searched[i] for i in order]
    head = {"keys": searched, "n_keys": [len(w) for w in searched]}
    figures = np.array(identity_rows)[order]  # shape (n_subsets, m, the figures of IDENTITY)
    mean = dict(zip(IDENTITY, figures.mean(axis=1).T, strict=True))
    identity_frame = pd.DataFrame(head | mean | _spread(over_syntheses(figures[:, :, IDENTITY.index("repU")], axis=1)))
    frames = [
        _attribute(name, head, np.array(counts)[order], joint.n_original, n_holdout)
        for name, counts in disclosed_counts.items()
    ]
    columns = ["target", "keys", "n_keys", "DiSCO", "min", "max", "sd"]
    return SubsetSearch(
        names,
        coverage,
        identity_frame,
        pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns),
        joint.n_original,
    )


@dataclass(frozen=True, eq=False, repr=False)
class _Target:
    """The cells of one target for all keys and all syntheses, to be merged by subset.

    Attributes
    ----------
    radix
        Codes of the target.
    q, t
        Shape (n,): key combination and target code.
    d, h
        Shape (n,): records of the original or training data, and of the holdout.
    s
        Shape (m, n): records of each synthesis.
    keep
        Shape (n,): whether the exclusions without a key leave the cell.
    by_key
        Number of a key, and shape (n,) the cells that an exclusion with this key takes.
    limit
        Denominator limit, records.
    """

    radix: int
    q: npt.NDArray[np.intp]
    t: npt.NDArray[np.intp]
    d: Floats
    h: Floats
    s: Floats
    keep: npt.NDArray[np.bool_]
    by_key: tuple[tuple[int, npt.NDArray[np.bool_]], ...]
    limit: int | None

    @classmethod
    def of(cls, sides: tuple[Cells, ...], m: int, out: Exclusions) -> _Target:
        """Return the cells of all `sides` together; those after the first `m` are the holdout."""
        codes = rising(np.concatenate([c.codes for c in sides]))
        first, column = sides[0], sides[0].column
        d, s = np.zeros(codes.size), np.zeros((len(sides), codes.size))
        for i, cells in enumerate(sides):
            at = np.searchsorted(codes, cells.codes)
            d[at] = cells.d  # the same in every one that has the cell
            s[i, at] = cells.s
        q, t = np.divmod(codes, column.n_codes)
        counted = np.ones(codes.size, dtype=bool)
        by_key = []
        for rule in rules(out, column, first.keys.keys):
            excluded = rule.leaves_out(first.keys.levels, q, t)
            if rule.key is None:
                counted &= ~excluded
            else:
                by_key.append((rule.key, excluded))
        h = s[m:].sum(axis=0)
        return cls(column.n_codes, q, t, d, h, s[:m], counted, tuple(by_key), out.denominator_limit)

    def disclosed(self, subset: Subset, rank: npt.NDArray[np.intp], n: int, s_q: list[Counts]) -> Floats:
        """Return, shape (2, m), the members and non-members whom the subset's cells disclose correctly."""
        merged_q = rank[self.q]
        cell, n_cells = distinct(merged_q * self.radix + self.t, n * self.radix)
        q = np.empty(n_cells, dtype=np.intp)
        q[cell] = merged_q
        counted = self.keep.copy()
        for i, excluded in self.by_key:
            if i in subset:
                counted &= ~excluded
        members = non_members = counted
        if self.limit is not None:
            d = np.bincount(cell, weights=self.d, minlength=n_cells)[cell]
            # A member counts themselves in d, a non-member does not: both are asked of the cell with them in it.
            members, non_members = (counted & ~beyond(n, self.limit) for n in (d, d + 1))
        people = np.stack([self.d * members, self.h * non_members])
        disclosed = np.empty((2, len(s_q)))
        for i, side in enumerate(s_q):
            s = np.bincount(cell, weights=self.s[i], minlength=n_cells)
            disclosed[:, i] = people @ ((s > 0) & (s == side[q]))[cell]
        return disclosed


def _attribute(name: str, head: dict[str, Any], n_disclosed: Floats, N_d: int, n_holdout: int) -> pd.DataFrame:
    """Return one target's rows; `n_disclosed` has shape (n_subsets, 2, m), members and non-members."""
    spread = over_syntheses(100 * n_disclosed[:, 0] / N_d, axis=1)
    frame = pd.DataFrame({"target": name} | head | {"DiSCO": spread["mean"]} | _spread(spread))
    if n_holdout:
        frame["non_members"] = 100 * n_disclosed[:, 1].mean(axis=1) / n_holdout
        frame["difference"] = frame["DiSCO"] - frame["non_members"]
    return frame


def _counts(rank: npt.NDArray[np.intp], counts: Counts, n: int) -> Counts:
    """Return, shape (n,), the records of each merged combination; float sums are exact below 2^53."""
    return np.bincount(rank, weights=counts, minlength=n).astype(np.int64)


def _spread(statistics: dict[str, Floats]) -> dict[str, Floats]:
    return {name: statistics[name] for name in ("min", "max", "sd")}
