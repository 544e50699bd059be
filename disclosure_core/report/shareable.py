"""Whether a shareable report can be made of a review: what there is to say, and what one person could move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.data.study import Kind
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.steps import Coarsen, MergeLevels

if TYPE_CHECKING:
    from disclosure_core.data.grouping import Groups
    from disclosure_core.report.source import Report


def need_shareable(source: Report) -> None:
    """Make sure that a shareable report has something to say, and that one person moves its figures by one record."""
    if not source.shareable:
        return
    n = source.study.n_original
    if n < 2 * source.smallest:
        raise DisclosureError(
            f"A shareable report with {source.smallest} as the smallest count needs at least {2 * source.smallest} original "
            "records; choose a smaller count, or the internal version."
        )
    if source.stopped:
        return
    if moving := _from_the_data(source):
        raise DisclosureError(
            f"In a shareable report no levels may follow from the data, for one person can move them: {', '.join(moving)}. "
            "Take groups off, or cut numbers at breaks of your own; recode levels by name, as a safeguard that you adopt; "
            "or take the internal version."
        )
    if idle := _idle_breaks(source):
        raise DisclosureError(
            "In a shareable report breaks must cut, for one person's text can keep a column from being numeric: "
            f"{', '.join(idle)}. Correct the values, read them as numbers, take the breaks off, or take the internal version."
        )
    if source.printed.review.exclusions.denominator_limit is not None:
        raise DisclosureError(
            "In a shareable report no denominator limit may be set, for one person can move a whole cell over it; take it "
            "off, or take the internal version."
        )


def _idle_breaks(source: Report) -> list[str]:
    """Return the columns that are to be cut at breaks and came not numeric: then every value is a level."""
    columns = source.opened.study(source.review.ancestry(source.opened.first_set)[0]).columns
    return [name for name in _grouped(source) if name in columns and columns[name].kind is not Kind.NUMBER]


def _from_the_data(source: Report) -> list[str]:
    """Return the columns whose levels follow from the original: in groups, or merged by their number in what was adopted."""
    adopted = source.review.ancestry(source.opened.first_set)[1]
    steps = [step for origin in adopted for step in origin.steps]
    named = [name for name, cut in _grouped(source).items() if not isinstance(cut, tuple)]  # own breaks need no data
    return list(dict.fromkeys([*named, *(s.column for s in steps if isinstance(s, (Coarsen, MergeLevels)))]))


def _grouped(source: Report) -> dict[str, Groups]:
    """Return the keys and targets that are to be grouped, and how."""
    asked = source.review.settings
    used = {*source.study.columns} if asked.targets is None else {*asked.keys, *asked.targets}
    return {name: cut for name, cut in asked.groups if name in used}
