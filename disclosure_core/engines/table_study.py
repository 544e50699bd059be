"""Data in an engine that Ibis speaks to, as a study, and people outside beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import ibis

from disclosure_core.data.harmonise import side_name
from disclosure_core.engines.layout import check_names
from disclosure_core.engines.outside import EngineJoined, reading_against
from disclosure_core.engines.study import EngineStudy
from disclosure_core.engines.table_engine import Ibis, Stored
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from ibis.expr import types as ir

    from disclosure_core.data.study import AnyStudy


class TableStudy(EngineStudy):
    """Original and synthetic data in an engine that Ibis speaks to; see `EngineStudy`.

    Parameters
    ----------
    original, synthetic
        Ibis tables of one connection, a record a row.
    missing_codes
        As of `Study`.
    private, check
        As of `Ibis`.

    Raises
    ------
    DisclosureError
        As `Study` does; and when the tables do not share a connection, or the engine cannot answer.

    Examples
    --------
    >>> import ibis
    >>> there = ibis.duckdb.connect("register.duckdb")  # doctest: +SKIP
    >>> study = TableStudy(there.table("original"), [there.table("synthetic")])  # doctest: +SKIP
    """

    def __init__(
        self,
        original: ir.Table,
        synthetic: Sequence[ir.Table],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        private: bool = False,
        check: Callable[[], object] | None = None,
    ) -> None:
        tables = _checked(original, synthetic)
        for i, table in enumerate(tables):
            check_names(table.columns, side_name(i, len(tables) - 1))
        engine = Ibis(original.get_backend(), private=private, check=check)
        super().__init__(engine, [Stored.of(table) for table in tables], missing_codes)

    @property
    def returned(self) -> list[tuple[str, int]]:
        """What each query was for and how many rows came back, in the order they were asked."""
        assert isinstance(self.engine, Ibis)
        return self.engine.returned


def _checked(original: ir.Table, synthetic: Sequence[ir.Table]) -> tuple[ir.Table, ...]:
    if isinstance(synthetic, ibis.expr.types.Table):
        raise DisclosureError("Give the syntheses as a list, even if there is only one.")
    if not len(synthetic):
        raise DisclosureError("There is no synthetic table to compare with; bring at least one.")
    tables = (original, *synthetic)
    for i, table in enumerate(tables):
        if not isinstance(table, ibis.expr.types.Table):
            raise DisclosureError(f"{side_name(i, len(synthetic))} is not an Ibis table; get it from a connection.")
    if len({id(table.get_backend()) for table in tables}) > 1:
        raise DisclosureError("The tables are of different connections; bring all from one.")
    return tables


def outside_table(study: EngineStudy, table: ir.Table) -> Callable[[AnyStudy], EngineJoined]:
    """Return what reads people outside against a study of the same connection."""
    if any(relation.table.get_backend() is not table.get_backend() for relation in study.relations):
        raise DisclosureError("The holdout is of another connection; bring its table from the same.")
    if any(relation.table.equals(table) for relation in study.relations):
        raise DisclosureError("The holdout is a table of the study itself; name people who were not synthesised.")
    check_names(table.columns, "The holdout")
    return reading_against(Stored.of(table))
