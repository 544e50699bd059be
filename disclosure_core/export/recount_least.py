"""The chains of a least safeguard that were taken, asked of the second counter: what each discloses, and what it costs.

The records are made safer by the program; what is known of them, counted in them and lost is counted again. Which
combination of keys discloses most is the search's to say: that no other has more is not counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from disclosure_core.comparison.aims import SAME_KEYS
from disclosure_core.comparison.ladders import combined
from disclosure_core.export.recount_searches import AS_IT_IS, UNKNOWN, alone, number_of
from disclosure_core.protection.steps import Band, BlankClaims, MergeLevels, OnColumn, Step
from disclosure_core.review import least
from disclosure_core.verify import counter, known

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.comparison.frontier import LeastSafeguard, Point
    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.export.recount import Recount
    from disclosure_core.protection.safeguards import Protected
    from disclosure_core.review.opened import Opened
    from disclosure_core.verify.levels import Data

    Row = dict[str, float]
    Sides = list[list[str | None]]


class Chains:
    """Counts again what the chains that were taken disclose and cost, or else the one that the search names."""

    def __init__(self, recount: Recount) -> None:
        self.recount, self.opened, self.review = recount, recount.opened.printed, recount.review

    @cached_property
    def came(self) -> Opened:
        """The review of the data as they came."""
        return least.as_it_came(self.opened)

    @cached_property
    def study(self) -> AnyStudy:
        """The data as they came."""
        return self.came.study()

    def least(self) -> dict[tuple[Any, ...], Row]:
        """Return by (chain,) its figure, and what it costs; nothing where rows are elsewhere."""
        found = least.finished(self.opened) if least.KIND in self.review.searched else None
        if found is None or self.recount.rows is not None:
            return {}
        points = [found.points[i] for i in least.chosen(self.review, found)] or [found.nearest]
        return {(point.words,): self._row(found, point) for point in points}

    def _row(self, found: LeastSafeguard, point: Point) -> Row:
        safer = self._safer(point.steps)
        figure = self._figure(found, point, safer)
        return self._cost(point.steps, safer) | ({} if figure is None else {"figure": figure})

    def _safer(self, steps: Sequence[Step]) -> Protected:
        return self.came.with_review(self.came.review.with_steps(tuple(steps))).protected()

    # ---- what it discloses ----

    def _figure(self, found: LeastSafeguard, point: Point, safer: Protected) -> float | None:
        """Return what the aims bound, of several the largest % of its limit; None where it is not counted again."""
        measure, _, target = point.of.partition(" of ")
        data, keys, as_it_is = self._released(found, point, safer)
        if measure == SAME_KEYS or {*keys, *([target] if target else [])} - {*data.columns}:
            return None
        figure = self._at(measure, target, data, keys, as_it_is)
        if figure is None or len(found.aims) == 1:
            return figure
        limits = [aim.limit for aim in found.aims if aim.measure == measure and aim.target in ("", target)]
        return max(100 * figure / limit for limit in limits)

    def _at(
        self, measure: str, target: str, data: Data, keys: Sequence[str], as_it_is: Collection[str]
    ) -> float | None:
        out, tau = self.recount.exclusions, self.review.tau
        if measure == "repU":
            return known.by_keys(data, keys, out.missing_keys)["repU"]
        pairs = [(p.key, p.key_level, p.target_level) for p in out.pairs_of(target) if p.key in as_it_is]
        of = counter.Target(data, keys, target, self.recount.asked(target, out) | {"pairs": pairs})
        if tau is not None and tau < 1:
            at_least = [of.at_least(i, tau)[1] for i in range(1, data.m + 1)]
            return counter.mean(at_least) if measure == "DiSCO" else None
        if measure == "DiSCO":
            return known.of_target(of)["DiSCO"]
        figure = of.beside_a_guess()[measure]
        return 0.0 if figure != figure else figure  # nobody has a claim

    def _released(self, found: LeastSafeguard, point: Point, safer: Protected) -> tuple[Data, list[str], set[str]]:
        """Return the released records, each key as it is known there; the keys known, and those known as they came."""
        of_keys = [s for s in point.steps if isinstance(s, OnColumn)]
        ways = {name: h for name, h in self.came.review.hierarchies.items() if name in dict(point.levels)}
        ways |= {name: combined(name, h, ways.get(name)) for name, h in found.may.coarsen.items()}
        whole = self.recount.read(self.came.tables(), {*ways, *found.may.keys}, self.study)
        coarse = self._safer(of_keys) if of_keys else None
        written = whole if coarse is None else self.recount.read((coarse.original, *coarse.tables))
        left = self.recount.read((safer.original, *safer.tables))
        stays = alone(whole, self.study.missing_codes, ways)

        def at(name: str, level: str, base: Data) -> Sides:
            if level == AS_IT_IS:
                return base.columns[name]
            h = ways[name]
            there = {t for side in base.columns[name] for t in side if t is not None and t not in stays[name]}
            return known.at(base, {name: known.coarser(h.kind, h.steps, h.rows, level, there)}, stays).columns[name]

        data = copy(whole)
        data.columns, data.n = dict(whole.columns), left.n
        for name, level in point.levels:
            if level != UNKNOWN:
                own = [step for step in of_keys if step.column == name]
                data.columns[name] = self._seen(name, level, own, ways.get(name), at, whole, written)
        rows = [range(whole.n[0]), *(change.rows.tolist() for change in safer.changes)]
        for name, sides in data.columns.items():
            data.columns[name] = [[side[r] for r in mine] for side, mine in zip(sides, rows, strict=True)]
        for step in point.steps:
            if isinstance(step, BlankClaims) and step.column in data.columns:
                data.columns[step.column] = [
                    [None if now is None else was for was, now in zip(side, after, strict=True)]
                    for side, after in zip(data.columns[step.column], left.columns[step.column], strict=True)
                ]
        keys = [name for name, level in point.levels if level != UNKNOWN]
        touched = {step.column for step in of_keys}
        return data, keys, {name for name, level in point.levels if level == AS_IT_IS and name not in touched}

    def _seen(
        self,
        name: str,
        level: str,
        own: Sequence[Step],
        hierarchy: Hierarchy | None,
        at: Callable[..., Sides],
        whole: Data,
        written: Data,
    ) -> Sides:
        """Return a key of all records as it is known: at a level of what it was, or of what is released of it."""
        if all(isinstance(step, Band) for step in own):
            return at(name, level, whole)
        released = written.columns[name]
        if any(known.alike(released, at(name, each, whole)) for each in self._levels(name, hierarchy, whole)):
            return at(name, level, whole)
        if level == AS_IT_IS:
            return released
        assert hierarchy is not None
        if hierarchy.kind == "bands" and not isinstance(own[0], MergeLevels) and not isinstance(own[-1], Band):
            return at(name, level, written)
        return known.joined(released, at(name, level, whole))

    def _levels(self, name: str, hierarchy: Hierarchy | None, whole: Data) -> list[str]:
        """Return the levels at which a key may be known, but for unknown."""
        if hierarchy is None:
            return [AS_IT_IS]
        own = alone(whole, self.study.missing_codes, [name])[name]
        sides = {t for side in whole.columns[name][: whole.m + 1] for t in side}
        there = {t for t in sides if t is not None and t not in own}
        coarser = known.levels(hierarchy.kind, hierarchy.steps, hierarchy.rows, there, bool(sides & own))
        return [AS_IT_IS, *coarser]

    # ---- what it costs ----

    def _cost(self, steps: Sequence[Step], safer: Protected) -> Row:
        was, now = (self.recount.read(tables) for tables in (self.came.tables(), (safer.original, *safer.tables)))
        kept = [n / m for n, m in zip(now.n[1:], was.n[1:], strict=True)]
        blanked = {step.column for step in steps if isinstance(step, BlankClaims)}
        by_column = []
        for name in self.study.columns:
            number = self._numbers(name) if self.study.columns[name].kind.name == "NUMBER" else None
            of = []
            for i, share in enumerate(kept, 1):
                values = 1.0
                if name in blanked:
                    rows = safer.changes[i - 1].rows.tolist()
                    had = sum(was.columns[name][i][r] is not None for r in rows)
                    values = sum(t is not None for t in now.columns[name][i]) / had if had else 1.0
                of.append(known.lost(was.columns[name][0], now.columns[name][0], share, values, number))
            by_column.append(counter.mean(of))
        return {
            "detail_lost": counter.mean(by_column),
            "largest_loss": max(by_column),
            "removed": 100 * (1 - min(kept)),
        }

    def _numbers(self, name: str) -> Callable[[str | None], bool]:
        codes = {float(c) for c in self.study.missing_codes.get(name, ())}
        return lambda text: text is not None and abs(number_of(text)) < float("inf") and number_of(text) not in codes
