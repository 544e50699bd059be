"""Page 1 of a review, asked of the second counter: which rows it has, and every figure of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from disclosure_core.counting.registry import COMPARED, OUTSIDE
from disclosure_core.counting.settings import Exclusions
from disclosure_core.export.recount_membership import Members
from disclosure_core.review.verified import Difference
from disclosure_core.verify import counter, outside

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.export.figures_file import Place
    from disclosure_core.export.held import Held
    from disclosure_core.export.recount import Recount

    Row = dict[str, float]

_MEASURES = {name: COMPARED[name] for name in OUTSIDE}


class Page1:
    """Counts page 1 again, for the counter of a review."""

    def __init__(self, recount: Recount) -> None:
        self.recount = recount

    def hold(self, held: Held, answer: Mapping[str, Any]) -> None:
        """Hold page 1 against the counter."""
        if answer:
            self._rows(held, answer["rows"])
        for i, row in enumerate(answer.get("rows", ())):
            self.of_row(held, ("answer", "rows", i), row)
        for part, expected in (("membership", Members(self.recount).on_page_1(answer)), ("repU", self._screening())):
            held.all_of(("answer", part), answer.get(part) or {}, expected)

    def _rows(self, held: Held, rows: Sequence[Mapping[str, Any]]) -> None:
        """Hold which targets page 1 has a row of for each measure: those that some intruder does not know."""
        every = [self.recount.opened.judged.of_intruder(k.name) for k in self.recount.review.intruders if k.keys]
        targets = {name for each in every for name in each.not_met()}
        targets |= {name for each in every if each.can_learn() for name in each.assessment().targets}
        there = Counter((row.get("measure"), row.get("target")) for row in rows)
        for measure, target in dict.fromkeys([*there, *product(_MEASURES, sorted(targets))]):
            n, wanted = there[measure, target], int(measure in _MEASURES and target in targets)
            if n != wanted:
                held.differ.append(Difference(f"rows of page 1, {measure} of {target}", n, wanted))

    def of_row(self, held: Held, at: Place, row: Mapping[str, Any]) -> None:
        """Hold a row of page 1 against the counter: with exclusions, without, of each released synthesis."""
        name, measure = str(row.get("target")), str(row.get("measure"))
        known = next((k for k in self.recount.review.intruders if k.name == row.get("intruder")), None)
        if (
            known is None
            or name not in self.recount.data.columns
            or measure not in _MEASURES
            or self.recount.unread([name, *known.keys])
        ):
            return
        if known.grouping(self.recount.review.groups) != self.recount.review.grouping:
            Page1(self.recount.of_intruder(known.name)).of_row(held, at, row)  # its keys in other groups
            return
        if name in self.recount.opened.of_intruder(known.name).not_met():  # a figure that is there all the same differs
            for place, part in ((at, row), ((*at, "beside_a_guess"), row.get("beside_a_guess") or {})):
                figures = {c: v for c, v in part.items() if c not in ("original", "commonest_share") and v != "NaN"}
                held.all_of(place, figures, dict.fromkeys(figures, None))
            return
        asked = replace(self.recount.review, intruder=known.name)
        keys = tuple(k for k in self.recount.data.columns if k in known.keys)
        target, levels = self.recount.target(name, asked.settings.left_out, keys), self.recount.data.by_level(name)
        commonest = {"commonest_share": counter.pct(max(levels.values()), self.recount.data.n[0])}
        refused = row.get("result") == "not evaluated" or name in held.not_evaluated or self.recount.no_baseline
        side = self._side(name, measure, asked.settings.left_out, keys)
        held.all_of(at, row, side | commonest, refused=refused)
        held.all_of((*at, "beside_a_guess"), row.get("beside_a_guess") or {}, target.beside_a_guess(), refused=refused)
        if row.get("before"):
            before = self._side(name, measure, Exclusions(), keys)
            held.all_of((*at, "before"), row["before"], before, refused=refused)
        for k, each in enumerate(row.get("released") or ()):
            one = self._side(name, measure, asked.settings.left_out, keys, each.get("synthesis"))
            held.all_of((*at, "released", k), each, one, refused=refused)

    def _side(self, name: str, measure: str, exclusions: Exclusions, keys: tuple[str, ...], i: int = 0) -> Row:
        """Return a figure of page 1, of one synthesis or the mean (0), and of people outside where there are some."""
        target, of = self.recount.target(name, exclusions, keys), self.recount.of(name, exclusions, keys)
        of = of[i - 1 : i] if i else of
        original, synthetic = _MEASURES[measure]
        found = {
            "original": counter.mean([r[original] for r in of]),
            "members": counter.mean([r[synthetic] for r in of]),
        }
        if self.recount.data.outside is not None and not self.recount.unread([name, *keys], True):
            row = outside.beside_outside(target)[0][measure, i]
            found |= {"outside": row["non_members"], "difference": row["difference"]}
        return found

    def _screening(self) -> Row | None:
        of = self.recount
        if of.unread(()):
            return None
        rows = counter.identity(of.data, of.keys, of.exclusions.missing_keys).values()
        found = {"members": counter.mean([row["repU"] for row in rows])}
        if of.data.outside is not None and not of.unread((), True):
            row = outside.outside_by_keys(of.data, of.keys, of.exclusions.missing_keys)[0,]
            found |= {"outside": row["non_members"], "difference": row["difference"]}
        return found
