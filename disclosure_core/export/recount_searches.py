"""Subsets of the keys and the strongest intruder, asked of the second counter: the worst combination of each measure.

Which one is the worst is the search's to say: that no other has more is not counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.membership import population_share
from disclosure_core.verify import counter, known, outside

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.export.recount import Recount
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder
    from disclosure_core.verify.levels import Data

    Named = dict[tuple[Any, ...], dict[str, float]]

MOST_SUBSETS = 32
"""Of so many subsets of the keys, those with the largest figure of each target, the figures are counted again."""

UNKNOWN = "unknown"
AS_IT_IS = "as it is"
"""Names of the finest level of a key and of the coarsest."""


class Searches:
    """Counts again what the searches of a review found."""

    def __init__(self, recount: Recount) -> None:
        self.recount, self.opened, self.review = recount, recount.opened.printed, recount.review

    @cached_property
    def found(self) -> StrongestIntruder | None:
        """The strongest intruder, where the review says that it was searched."""
        return self.opened.finished_strongest()

    @cached_property
    def _is_beside_outside(self) -> bool:
        """Whether people outside stand beside what was found: where they cannot serve in a column, that shows."""
        asked = {*self.recount.keys, *self.opened.assessment().targets}
        serve = not asked & set(self.data.unread_outside)
        return serve or (self.found is not None and bool(self.found.worst["outside"].notna().any()))

    @cached_property
    def data(self) -> Data:
        """The data without the groups of keys that have a hierarchy."""
        return self.recount.read(without=self.review.hierarchies.keys() & {*self.recount.keys})

    def strongest(self) -> Named:
        """Return by (measure, target) the figures at the worst combination that the search names, and with all keys."""
        rows: Named = {}
        for row in () if self.found is None else self.found.worst.to_dict("records"):
            measure, target = row["measure"], row["target"]
            node = self._levels(row["node"])
            figures = self._figures(measure, target, node)
            if figures:
                whole = self._figures(measure, target, dict.fromkeys(node, AS_IT_IS))
                rows[measure, target] = figures | {"all_keys": whole["figure"]}
        return rows

    def levels(self) -> Named:
        """Return by (measure, target, key, level) the figure with one key known at another level."""
        found: Named = {}
        if self.found is None:
            return found
        worst = {
            (row["measure"], row["target"]): self._levels(row["node"]) for row in self.found.worst.to_dict("records")
        }
        for row in self.found.adds.to_dict("records"):
            measure, target, key, level = (row[name] for name in ("measure", "target", "key", "level"))
            figures = self._figures(measure, target, worst[measure, target] | {key: level})
            if figures:
                found[measure, target, key, level] = {"figure": figures["figure"]}
        return found

    def of_keys(self, rows: Iterable[tuple[str]]) -> Named:
        """Return the figures of the keys alone of the first subsets."""
        return self.subsets([("", keys) for (keys,) in rows])

    def subsets(self, rows: Iterable[tuple[str, str]]) -> Named:
        """Return the figures of the first subsets of each target, and of the keys alone (target empty)."""
        named = {", ".join(keys): keys for keys in self.opened.subsets().identity["keys"]}
        found: Named = {}
        rows = list(rows)
        for n, (target, text) in enumerate(rows):
            if (
                n >= MOST_SUBSETS * max(len({t for t, _ in rows}), 1)
                or text not in named
                or self.recount.unread([target] * bool(target))
            ):
                continue
            keys = tuple(named[text])
            if target:
                values = [row["DiSCO"] for row in self.recount.of(target, self.recount.exclusions, keys)]
                found[target, text] = {"DiSCO": counter.mean(values)} | counter.spread(values)
            else:
                by_synthesis = list(
                    counter.identity(self.recount.data, keys, self.recount.exclusions.missing_keys).values()
                )
                means = {m: counter.mean([row[m] for row in by_synthesis]) for m in by_synthesis[0]}
                found[(text,)] = means | counter.spread([row["repU"] for row in by_synthesis])
        return found

    def _levels(self, node: Sequence[int]) -> dict[str, str]:
        assert self.found is not None
        each = self.found.levels.items()
        return {
            name: UNKNOWN if level == len(names) - 1 else names[level]
            for (name, names), level in zip(each, node, strict=True)
        }

    def _figures(self, measure: str, target: str, node: Mapping[str, str]) -> dict[str, float]:
        """Return a measure for who knows each key at a level, and what stands beside it; empty: not counted."""
        data, tau = known.at(self.data, self._how(node), self._alone(node)), self.review.tau
        keys = [name for name, level in node.items() if level != UNKNOWN]
        by_keys = known.by_keys(data, keys, self.recount.exclusions.missing_keys)
        figures = {name: by_keys[name] for name in ("UiO", "iS")}
        if not target:
            figures |= {"DiS": nan, "outside": nan}
        if measure == "repU":
            return figures | {"figure": by_keys["repU"]}
        if measure == "F_rel":
            joined = self.opened.partition()
            share = None if isinstance(joined, NotEvaluated) else population_share(joined, self.review.threat_model)
            if share is None or data.outside is None:
                return {}
            of = outside.membership(data, tuple(keys), share, self.review.threat_model.beta or 1.0)
            return figures | {"figure": of["F_rel"]}
        of_target = self._target(data, keys, target, node)
        by_chance = of_target.asked["limit"] is None and (
            tau is None or tau == 1
        )  # else neither gain nor claims are given
        figures["DiS"] = known.of_target(of_target)["DiS"] if by_chance else nan
        sides = {"figure": (of_target.d_left, data.n[0])}
        if data.outside is None or not self._is_beside_outside:
            figures["outside"] = nan
        else:
            sides["outside"] = (known.outside(of_target), data.n[data.outside])
        without = known.commonest(of_target) if measure == "beyond" else ()
        for name, (people, n) in sides.items():
            guessed = measure == "gain"
            figures[name] = (
                of_target.guess(people, n)["gain"]
                if guessed
                else known.right(of_target, people, n, 1.0 if tau is None else tau, without)
            )
        return figures

    def _target(self, data: Data, keys: Sequence[str], name: str, node: Mapping[str, str]) -> counter.Target:
        """Return a target for these keys: an excluded pair acts where its key is known as it is."""
        out = self.recount.exclusions
        grouped = {key for key, _ in self.review.settings.groups} & set(self.review.hierarchies)
        pairs = [p for p in out.pairs_of(name) if node.get(p.key) == AS_IT_IS and p.key not in grouped]
        asked = self.recount.asked(name, out) | {"pairs": [(p.key, p.key_level, p.target_level) for p in pairs]}
        return counter.Target(data, keys, name, asked)

    def _how(self, node: Mapping[str, str]) -> dict[str, Callable[[str], str]]:
        found = {}
        for name, level in node.items():
            if level not in (AS_IT_IS, UNKNOWN):
                h, alone = self.review.hierarchies[name], self._alone(node)[name]
                sides = self.data.columns[name][: self.data.m + 1]
                there = {t for side in sides for t in side if t is not None and t not in alone}
                found[name] = known.coarser(h.kind, h.steps, h.rows, level, there)
        return found

    def _alone(self, names: Iterable[str]) -> dict[str, set[str | None]]:
        return alone(self.data, self.opened.study().missing_codes, names)


def alone(data: Data, codes: Mapping[str, Iterable[float | str]], names: Iterable[str]) -> dict[str, set[str | None]]:
    """Return the levels of each column that stay their own until unknown: missing ones, and missing codes."""
    found = {}
    for name in names:
        numbers = {float(code) for code in codes.get(name, ())}
        texts = {t for side in data.columns[name] for t in side if t is not None}
        found[name] = data.absent[name] | {t for t in texts if numbers and number_of(t) in numbers}
    return found


def number_of(text: str) -> float:
    """Return the number that a text is; NaN where it is none."""
    try:
        return float(text)
    except ValueError:
        return float("nan")
