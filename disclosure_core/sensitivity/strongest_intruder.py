"""The strongest intruder that the office allows: which keys, each how exactly known, disclose most (measures.md 13)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.counting import registry
from disclosure_core.counting.count import count, count_keys
from disclosure_core.counting.nodes import KeyNodes, Node
from disclosure_core.counting.subsets import Search as SubsetsTo
from disclosure_core.counting.target_nodes import TargetNodes, of_targets
from disclosure_core.data.coarsenings import Coarsening, coarsenings, of_keys
from disclosure_core.data.outsiders import JoinedStudy
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.partition import Partition, unmatched_note
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.bounds import Bounds
from disclosure_core.sensitivity.key_subsets import search_subsets
from disclosure_core.sensitivity.node_figures import Figures
from disclosure_core.sensitivity.node_search import Coverage, Objective, Space, Winner, search
from disclosure_core.shown import Shown, listed

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.data.study import AnyStudy

MEASURES = registry.names(lambda m: m.searched)
"""What can be searched for: DiSCO, gain over chance and beyond the commonest answer of each target; of the keys alone
repU and, with people outside, F_rel."""

OF_KEYS = frozenset(name for name in MEASURES if registry.BY_NAME[name].of_keys)

OF_COUNTS = (
    "The records stay in an engine: halves are drawn of counts, and so “chosen” and “other” differ by chance from "
    "those of the same data as files."
)
"""What is said of the halves of people whose records are not here."""

_SHOWN = 3
"""Figures named in a line of text."""


@dataclass(frozen=True, eq=False, repr=False)
class StrongestIntruder(Shown):
    """For each measure the combination of keys, each known as exactly as the office allows, that discloses most.

    Attributes
    ----------
    keys
        All keys, in the order of the data.
    levels
        By key, the names of its levels: from as it is to unknown.
    bounds, coverage
        What the intruder may know, and how many of the combinations were looked at.
    worst
        A row a measure and target (empty for repU and F_rel): measure, target; figure, the largest; all_keys, with
        every key as it is; outside, the same figure of people outside where there are some; node, a level a key;
        knows, in words; chosen and other, what the halves of the people show (means over 20 halvings): the figure on
        the half it was chosen on, and on the other; DiS, iS, UiO there. In %, the gain in percentage points.
    adds
        A row a measure, target, key and level: figure, with the key so known and all others as at the worst node;
        at_worst, whether that is the worst node itself.
    tau
        How sure a claim must be; None: certain.
    notes
        What is to be said beside the figures.
    """

    keys: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    bounds: Bounds
    coverage: Coverage
    worst: pd.DataFrame
    adds: pd.DataFrame
    tau: float | None
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        """Return three lines: how far was searched, and the largest figures; never data."""
        largest = [
            f"{name}{' of ' + target if target else ''} {fixed(figure)} ({knows})"
            for name, target, figure, knows in self.worst[["measure", "target", "figure", "knows"]].to_numpy()[:_SHOWN]
        ]
        return (
            f"Strongest intruder with the keys {listed(self.keys)}: {self.coverage}\n"
            f"bounds: {self.bounds}\n"
            f"largest: {listed(largest) or 'none'}"
        )

    @property
    def complete(self) -> bool:
        """Whether the largest figures are exact; else the search stopped early, and each is at least so much."""
        return self.coverage.exhaustive

    @property
    def subsets(self) -> tuple[tuple[str, ...], ...]:
        """The subsets of the keys, each known as it is, among the combinations that disclose most."""
        found = []
        for node in self.worst["node"]:
            known = tuple(name for name, level in zip(self.keys, node, strict=True) if level == 0)
            if known and all(level in (0, len(self.levels[k]) - 1) for k, level in zip(self.keys, node, strict=True)):
                found.append(known)
        return tuple(dict.fromkeys(found))

    def _small_table(self) -> pd.DataFrame:
        return self.worst[["measure", "target", "figure", "all_keys", "knows"]].head(8)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the largest figures, and those of every level of each key there, as JSON and workbook hold them."""
        return {"strongest": self.worst.drop(columns="node"), "strongest_levels": self.adds}

    def of(self, measure: str, target: str = "") -> pd.Series[Any]:
        """Return the row of `worst` of one measure and target.

        Raises
        ------
        DisclosureError
            When it was not searched.
        """
        rows = self.worst[(self.worst["measure"] == measure) & (self.worst["target"] == target)]
        if rows.empty:
            raise DisclosureError(f"{measure} of {target or 'the keys'} was not searched; choose one that was.")
        return rows.iloc[0]


def strongest_intruder(
    data: AnyStudy | Partition,
    settings: Settings,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    bounds: Bounds | None = None,
    *,
    measures: Sequence[str] = MEASURES[:4],
    tau: float | None = None,
    prevalence: float | None = None,
    beta: float = 1.0,
    also: Collection[Collection[str]] = (),
    progress: Progress | None = None,
) -> StrongestIntruder:
    """Return the strongest intruder within bounds: every combination of keys and of their levels, or a beam.

    Parameters
    ----------
    data
        The study, which may be in an engine; or training, holdout and syntheses, for the same figures of people
        outside.
    settings
        Keys, targets, groups and exclusions, as for an assessment. A key with a hierarchy starts as it is, not in the
        groups of the settings.
    hierarchies
        By key; one that has none is known as it is, or not at all.
    bounds
        What the intruder may know, and how far to search.
    measures
        Of `MEASURES`.
    tau
        How sure a claim must be to count for DiSCO and beyond; None: certain.
    prevalence, beta
        Of F_rel: t = n / N, and β.
    also
        Sets of keys that a beam looks at before others, beside those that a search over subsets finds worst.
    progress
        Called with nodes done and in all; what it raises ends the search.

    Raises
    ------
    DisclosureError
        As `assess`; when a hierarchy, a bound or a measure does not fit.

    Source
    ------
    measures.md 13; consensus.md 1.4.1 and 3.2.10.

    Examples
    --------
    >>> from disclosure_core import Settings
    >>> from disclosure_core.data import demo
    >>> settings = Settings(keys=["sex", "age", "region", "employment"], targets=["abroad"])
    >>> found = strongest_intruder(demo.study(), settings, {"age": Hierarchy.bands(5, 10, 20)})
    >>> found.of("DiSCO", "abroad")["knows"]
    'sex, age, region'
    """
    for name in measures:
        if name not in MEASURES:
            raise DisclosureError(f"{name!r} is no measure to search for; choose of {', '.join(MEASURES)}.")
    if tau is not None and not 0 <= tau <= 1:
        raise DisclosureError("The threshold τ is a probability: choose a number from 0 to 1.")
    study = data.joint if isinstance(data, Partition) else data
    m = data.n_syntheses if isinstance(data, Partition) else study.n_syntheses
    given, bounds = dict(hierarchies or {}), bounds or Bounds()
    settings, notes = without_groups(settings, given)
    if isinstance(study, JoinedStudy):
        if name := unlike_everywhere(study, given):
            raise DisclosureError(study.unusable[name])
        study = study.with_unmatched(given)
    for name in given:
        if name not in settings.keys:
            raise DisclosureError(f"The hierarchy is of {name!r}, which is not a key; name a key.")
    attributes = any(name not in OF_KEYS for name in measures)
    if attributes:
        tables = count(study, settings)
        keys = tables.keys
    else:
        tables = None
        keys = count_keys(study, settings)
    levels = of_keys(study, keys.keys, given, 1 + m)
    if isinstance(study, JoinedStudy):
        notes = (*notes, *lacked_by_tables(study, given, dict(zip((k.name for k in keys.keys), levels, strict=True))))
    names = tuple(key.name for key in keys.keys)
    space = Space.of(names, levels, bounds)
    nodes = KeyNodes(keys, levels, m)
    targets = of_targets(tables, settings, nodes, tau) if tables else {}
    objectives, of_measures = objectives_of(measures, targets, nodes, prevalence)
    figures = Figures(nodes, targets, objectives, settings.exclusions.missing_keys, prevalence, beta)

    def known_sets() -> list[Collection[str]]:
        """Return the sets of keys that others found: a beam that begins there never gives less."""
        told = None if progress is None else lambda *_: progress(0, bounds.budget)
        found = search_subsets(data, settings, SubsetsTo.up_to(bounds.subsets), told, attributes=attributes)
        worst = [found.worst("repU"), *(found.worst("DiSCO", name) for name in targets)]
        return [*also, *(each.keys for each in worst)]

    winners, coverage, figure = search(space, figures, progress, known_sets)
    rows = [_row(i, winner, space, figures, figure) for i, winner in enumerate(winners)]
    adds = [row for i, winner in enumerate(winners) for row in _adds(i, winner, space, figure)]
    return StrongestIntruder(
        names,
        {name: tuple(level.name for level in each) for name, each in zip(names, levels, strict=True)},
        bounds,
        coverage,
        pd.DataFrame(rows),
        pd.DataFrame(adds),
        tau,
        (*notes, *of_measures, *([] if study.holds_records else [OF_COUNTS])),
    )


def unlike_everywhere(joint: JoinedStudy[Any], hierarchies: Mapping[str, Hierarchy]) -> str:
    """Return a column in which most people outside meet nobody, however it is known; empty where there is none."""
    wide = joint.with_unmatched(hierarchies)
    for name, hierarchy in hierarchies.items():
        if name not in joint.unlike:
            continue
        column = wide.columns[name]
        known, outside = column.counts[:-1].any(axis=0), column.counts[-1]
        levels = coarsenings(column, hierarchy, wide.is_missing_code(name), len(column.counts) - 1)[1:-1]
        met = [outside[np.isin(level.codes, level.codes[known])].sum() for level in levels]
        if 2 * max(met, default=0) < outside.sum():
            return name
    return ""


def lacked_by_tables(
    joint: JoinedStudy[Any], hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, Sequence[Coarsening]]
) -> list[str]:
    """Say how many people outside have a value that the table of a hierarchy lacks."""
    notes = []
    for name, hierarchy in hierarchies.items():
        if hierarchy.kind != "table" or len(levels[name]) < 3:
            continue
        column, codes = joint.columns[name], levels[name][1].codes
        first = column.n_levels + 2
        n = int(column.counts[-1][first:][codes[first:] == codes[first - 1]].sum())
        if n:
            notes.append(unmatched_note(name, n, joint.n_synthetic[-1], "that its table lacks").text)
    return notes


def without_groups(settings: Settings, hierarchies: Collection[str]) -> tuple[Settings, tuple[str, ...]]:
    """Return settings in which a key with a hierarchy starts as it is; what was said of its groups does not act."""
    replaced = [name for name, _ in settings.groups if name in hierarchies]
    if not replaced:
        return settings, ()
    out = settings.exclusions
    pairs = {target: [pair for pair in each if pair.key not in replaced] for target, each in dict(out.pairs).items()}
    dropped = sum(len(each) for each in dict(out.pairs).values()) - sum(map(len, pairs.values()))
    notes = [f"The groups of {listed(replaced)} give way to the hierarchy: its first level is each value as it is."]
    if dropped:
        notes.append(f"{dropped} excluded pair{'s' if dropped > 1 else ''} of these groups do not act here.")
        for target, each in pairs.items():
            out = out.with_pairs(target, each)
    groups = {name: n for name, n in settings.groups if name not in replaced}
    return replace(settings, groups=groups, exclusions=out), tuple(notes)


def evaluated_targets(targets: Mapping[str, TargetNodes]) -> tuple[dict[str, TargetNodes], list[str]]:
    """Return the targets of which some level is counted, and a note on each other: its figures would all be 0."""
    counted = {name: target for name, target in targets.items() if target.common.codes}
    return counted, [
        f"{name} is not searched: every level of it is excluded." for name in targets if name not in counted
    ]


def objectives_of(
    measures: Sequence[str],
    targets: Mapping[str, TargetNodes],
    nodes: KeyNodes,
    prevalence: float | None = None,
) -> tuple[list[Objective], list[str]]:
    """Return what is searched for, and why some of it is not.

    Raises
    ------
    DisclosureError
        When nothing is left.
    """
    found: list[Objective] = []
    evaluated, notes = evaluated_targets(targets) if any(name not in OF_KEYS for name in measures) else ({}, [])
    for measure in dict.fromkeys(measures):
        if measure == "F_rel" and (nodes.outside is None or prevalence is None):
            notes.append("F_rel is not evaluated: it needs people outside the data and the size of the population.")
        elif measure in OF_KEYS:
            found.append(Objective(measure))
        elif measure == "gain" and any(t.needs_cells for t in targets.values()):
            notes.append("The gain over chance is not evaluated with a denominator limit or τ.")
        else:
            for name, target in evaluated.items():
                if measure == "beyond" and target.star is None:
                    notes.append(
                        f"Beyond the commonest answer is not given for {name}: no level is the commonest alone."
                    )
                else:
                    found.append(Objective(measure, name))
    if not found:
        raise DisclosureError(f"Nothing is left to search for. {' '.join(notes)}".strip())
    return found, notes


def _row(
    i: int, winner: Winner, space: Space, figures: Figures, figure: Callable[[int, Node], float]
) -> dict[str, Any]:
    (measure, target), node = winner.objective, winner.node
    as_is = tuple(0 for _ in node)
    return {
        "measure": measure,
        "target": target,
        "figure": winner.figure,
        "all_keys": figure(i, as_is),
        "outside": figures.figure_outside(i, node),
        "knows": space.words(node),
        "node": node,
        "chosen": winner.chosen,
        "other": winner.other,
        **figures.around(i, node),
    }


def _adds(i: int, winner: Winner, space: Space, figure: Callable[[int, Node], float]) -> list[dict[str, Any]]:
    """Return a row a key and allowed level: the figure with that key so known, all others as at the worst node."""
    (measure, target), node = winner.objective, winner.node
    rows = []
    for k, (name, levels) in enumerate(zip(space.names, space.levels, strict=True)):
        for level, step in enumerate(levels):
            other = (*node[:k], level, *node[k + 1 :])
            if space.allows(other):
                rows.append(
                    {
                        "measure": measure,
                        "target": target,
                        "key": name,
                        "level": step.name,
                        "figure": figure(i, other),
                        "at_worst": level == node[k],
                    }
                )
    return rows
