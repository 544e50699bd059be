"""The levels at which a key may be released, beside those at which an intruder may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Indices
from disclosure_core.data.hierarchies import CALENDAR, Hierarchy
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.steps import Band

if TYPE_CHECKING:
    from disclosure_core.data.grouping import Groups
    from disclosure_core.data.study import AnyStudy


def up_to(hierarchy: Hierarchy, n: int) -> Hierarchy:
    """Return the hierarchy with its n finest levels alone."""
    if hierarchy.kind == "table":
        return Hierarchy.table(row[: n + 1] for row in hierarchy.rows)
    return replace(hierarchy, steps=hierarchy.steps[:n])


def combined(name: str, ladder: Hierarchy, known: Hierarchy | None) -> Hierarchy:
    """Return one hierarchy with the levels that may be released and those that the intruder may know."""
    if known is None or known == ladder:
        return ladder
    try:
        if known.kind == ladder.kind == "bands":
            return Hierarchy.bands(*sorted({*known.steps, *ladder.steps}, key=float))
        if known.kind == ladder.kind == "calendar":
            return Hierarchy.calendar(*(level for level in CALENDAR if level in (*known.steps, *ladder.steps)))
        if known.kind == ladder.kind == "prefixes":
            return Hierarchy.prefixes(*known.steps, *ladder.steps)
    except DisclosureError:
        pass
    raise DisclosureError(
        f"The levels of {name!r} that may be released do not nest with those that the intruder may know; name levels "
        "of one hierarchy."
    )


def bands(name: str, hierarchy: Hierarchy) -> list[Band]:
    """Return the step to each level of a hierarchy."""
    if hierarchy.kind != "table":
        before = "prefix:" if hierarchy.kind == "prefixes" else ""
        return [Band(name, f"{before}{step}") for step in hierarchy.steps]
    found = []
    for i in range(1, len(hierarchy.rows[0])):
        rows = tuple(dict.fromkeys((row[0], row[i]) for row in hierarchy.rows))
        n = len({row[1] for row in rows})
        found.append(Band(name, f"{n:,} groups", rows))
    return found


def groups_of(study: AnyStudy, name: str, groups: Mapping[str, Groups]) -> Indices:
    """Return, shape (n_codes,), the codes of a key on which a removal judges it where nothing coarsens it."""
    column: Any = study.columns[name]
    found = np.arange(column.n_codes)
    if name in groups:
        grouped: Any = study.grouped(name, groups[name])[0]
        before, after = (getattr(each, "coded", each) for each in (column, grouped))  # in DuckDB, of distinct values
        for was, now in zip(before.sides, after.sides, strict=True):
            found[was] = now
    return found
