"""What verdicts judge, asked of the second counter: the figure now, and the one at which a verdict was given."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import changed
from disclosure_core.review.verdicts import all_given
from disclosure_core.verify import counter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from disclosure_core.export.held import Held
    from disclosure_core.export.recount import Recount
    from disclosure_core.review.verdicts import Given

_OTHERS = "given with other data, keys, groups or exclusions"


def hold(recount: Recount, held: Held, rows: Sequence[Mapping[str, Any]]) -> None:
    """Hold the figures of verdicts against the counter."""
    sets = dict.fromkeys(verdict.synthesis_set for verdict in recount.review.verdicts)
    every = [each for name in sets for each in all_given(recount.opened, name)]
    known = {(each.verdict.synthesis_set, each.verdict.intruder, each.verdict.target): each for each in every}
    for i, row in enumerate(rows):
        each = known.get((str(row.get("synthesis_set")), str(row.get("intruder")), str(row.get("target"))))
        if each is None:
            continue
        (now, why), was = _judged_now(recount, each), each.verdict.stamp
        same = was is None or (each.now and was.given_at is None and not {*changed(was, each.now)} - {"figure"})
        first = nan if was is None else now
        for name, figure, lacking in (("now_at", now, why), ("given_at", first, why if same else _OTHERS)):
            held.all_of(("verdicts", i), {name: row.get(name)}, None if lacking else {name: figure}, lacking)


def _judged_now(recount: Recount, each: Given) -> tuple[float, str]:
    """Return what a verdict would judge now, mean over the syntheses; or why that is not counted."""
    verdict, now = each.verdict, each.now
    if now is None:
        return nan, ""
    of = recount.of_set(verdict.synthesis_set).of_intruder(verdict.intruder)
    if why := of.unread([verdict.target]):
        return nan, why
    if now.tau is None:
        return counter.mean([row[now.measure] for row in of.of_each(verdict.target)]), ""
    target = of.target_of(verdict.target)
    return counter.mean([target.at_least(i, now.tau)[1] for i in range(1, of.data.m + 1)]), ""
