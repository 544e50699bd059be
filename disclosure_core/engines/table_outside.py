"""People outside beside a study in an engine that Ibis speaks to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis

from disclosure_core.engines.layout import CHANGED, check_names
from disclosure_core.engines.outside import EngineJoined
from disclosure_core.engines.table_column import TableColumn
from disclosure_core.engines.table_study import Stored, TableStudy
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.partition import DIFFERENT, Matches, whole_records

if TYPE_CHECKING:
    from collections.abc import Callable

    from ibis.expr import types as ir

    from disclosure_core.data.study import AnyStudy


class TableJoined(EngineJoined[TableColumn], TableStudy):
    """A study in an engine, with people outside beside it."""


def outside_table(study: TableStudy, table: ir.Table) -> Callable[[AnyStudy], TableJoined]:
    """Return what reads people outside against a study of the same connection.

    Raises
    ------
    DisclosureError
        When the table is of another connection, or one of the study's own.
    """
    if any(relation.table.get_backend() is not table.get_backend() for relation in study.relations):
        raise DisclosureError("The holdout is of another connection; bring its table from the same.")
    if any(relation.table.equals(table) for relation in study.relations):
        raise DisclosureError("The holdout is a table of the study itself; name people who were not synthesised.")
    check_names(table.columns, "The holdout")

    def beside(of: AnyStudy) -> TableJoined:
        assert isinstance(of, TableStudy)
        return TableJoined(of, Stored.of(table))

    return beside


@whole_records.register(TableJoined)
def _(joint: TableJoined) -> Matches:
    """Hold whole records against each other in the engine, by the codes of their values, and no record comes here."""
    if not joint.columns:
        return Matches(0, 0, 0, the_same=False)
    last = len(joint.relations) - 1
    names = [f"c{k}" for k in range(len(joint.columns))]
    sides = []
    for i, inside in ((0, 1), (last, 0)):
        table = joint.relations[i].table
        values = {name: column.told_apart(table, i) for name, column in zip(names, joint.columns.values(), strict=True)}
        sides.append(table.select(**values, d=ibis.literal(inside), h=ibis.literal(1 - inside)))
    every = ibis.union(*sides)
    held = every.group_by(names).agg(d=every.d.sum(), h=every.h.sum())
    found = held.agg(
        inside=held.h.sum(where=held.d > 0),
        twins=held.d.sum(where=held.d > 1),
        twins_inside=held.h.sum(where=(held.h > 1) & (held.d > 0)),
        apart=(held.d != held.h).sum(),
        different=held.count(),
        n_original=held.d.sum(),
        n_outside=held.h.sum(),
    )
    row = joint.fetch("the whole records", found).fillna(0).astype("int64").iloc[0]
    if (row.n_original, row.n_outside) != (joint.n_original, joint.n_synthetic[-1]):
        raise DisclosureError(CHANGED)
    return Matches(
        int(row.inside), int(row.twins), int(row.twins_inside), the_same=not row.apart and row.different >= DIFFERENT
    )
