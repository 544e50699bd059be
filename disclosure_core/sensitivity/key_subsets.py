"""DiSCO and replicated uniques of every subset of the keys: the worst subset is often not all of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats
from disclosure_core.counting.count import count, count_keys
from disclosure_core.counting.measures import identity, over_syntheses
from disclosure_core.counting.nodes import KeyNodes
from disclosure_core.counting.registry import IDENTITY
from disclosure_core.counting.subsets import (
    Coverage,
    Search,
    Subset,
    Worst,
    at_subsets,
    curve,
    named_subsets,
    plan,
    worst_of,
)
from disclosure_core.counting.target_nodes import of_targets
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.partition import Partition
from disclosure_core.rounding import fixed
from disclosure_core.shown import Place, Shown, listed, named

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.study import AnyStudy


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

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study
    >>> found = search_subsets(Study(frame, [frame]), Settings(keys=["age", "job"]), attributes=False)
    >>> found.identity["keys"].tolist()
    [('age',), ('job',), ('age', 'job')]
    """
    n_holdout = data.n_holdout if isinstance(data, Partition) else 0
    joint: AnyStudy = data.joint if isinstance(data, Partition) else data
    tables = count(joint, settings) if attributes else None
    keys = count_keys(joint, settings) if tables is None else tables.keys
    m = joint.n_syntheses - bool(n_holdout)
    names = tuple(key.name for key in keys.keys)
    subsets, coverage = plan(names, search) if only is None else named_subsets(names, only)
    nodes = KeyNodes.of_subsets(keys, m)
    targets = of_targets(tables, settings, nodes, None) if tables is not None else {}
    of_keys: dict[Subset, list[tuple[float, ...]]] = {}
    disclosed: dict[str, dict[Subset, list[tuple[float, ...]]]] = {name: {} for name in targets}
    for subset, at in at_subsets(nodes, subsets, progress):
        left = nodes.profiles(at, nodes.missing(settings.exclusions.missing_keys, at.node))
        of_keys[subset] = [
            identity(profile, joint.n_original, n_s) for profile, n_s in zip(left, joint.n_synthetic, strict=False)
        ]
        for name, target in targets.items():
            people = [target.members, *([] if target.outside is None else [target.outside])]
            disclosed[name][subset] = [target.learnt(at, each, gain=False).each for each in people]
    subsets = tuple(sorted(of_keys, key=lambda subset: (len(subset), subset)))
    searched = [tuple(names[i] for i in subset) for subset in subsets]
    head = {"keys": searched, "n_keys": [len(w) for w in searched]}
    figures = np.array([of_keys[subset] for subset in subsets])  # shape (n_subsets, m, the figures of IDENTITY)
    mean = dict(zip(IDENTITY, figures.mean(axis=1).T, strict=True))
    identity_frame = pd.DataFrame(head | mean | _spread(over_syntheses(figures[:, :, IDENTITY.index("repU")], axis=1)))
    frames = [
        _attribute(name, head, np.array([counts[subset] for subset in subsets]), joint.n_original, n_holdout)
        for name, counts in disclosed.items()
    ]
    columns = ["target", "keys", "n_keys", "DiSCO", "min", "max", "sd"]
    return SubsetSearch(
        names,
        coverage,
        identity_frame,
        pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns),
        joint.n_original,
    )


def _attribute(name: str, head: dict[str, Any], n_disclosed: Floats, N_d: int, n_holdout: int) -> pd.DataFrame:
    """Return one target's rows; `n_disclosed` has shape (n_subsets, 1 or 2, m), members and people outside."""
    spread = over_syntheses(100 * n_disclosed[:, 0] / N_d, axis=1)
    frame = pd.DataFrame({"target": name} | head | {"DiSCO": spread["mean"]} | _spread(spread))
    if n_holdout:
        frame["non_members"] = 100 * n_disclosed[:, 1].mean(axis=1) / n_holdout
        frame["difference"] = frame["DiSCO"] - frame["non_members"]
    return frame


def _spread(statistics: dict[str, Floats]) -> dict[str, Floats]:
    return {name: statistics[name] for name in ("min", "max", "sd")}
