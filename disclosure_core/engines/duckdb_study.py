"""Data that DuckDB reads where they are, as a study, and people outside beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from disclosure_core.engines.duckdb_connection import Connection
from disclosure_core.engines.duckdb_engine import DuckDB
from disclosure_core.engines.duckdb_tables import Place, Relation, related_files, related_tables, relation_of_table
from disclosure_core.engines.outside import EngineJoined, reading_against
from disclosure_core.engines.study import EngineStudy
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy


class DuckDBStudy(EngineStudy):
    """Original and synthetic data that DuckDB reads; see `EngineStudy`. Made by `of_files` or `of_tables`.

    Parameters
    ----------
    connection
        The DuckDB that reads them, which many threads may ask.
    relations, missing_codes
        As of `EngineStudy`.

    Raises
    ------
    DisclosureError
        As `EngineStudy`.

    Examples
    --------
    >>> study = DuckDBStudy.of_files("original", ["synthetic"])  # doctest: +SKIP
    """

    def __init__(
        self,
        connection: Connection,
        relations: Sequence[Relation],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    ) -> None:
        super().__init__(DuckDB(connection), relations, missing_codes)

    @property
    def connection(self) -> Connection:
        """The DuckDB that reads them."""
        return connection_of(self)

    @classmethod
    def of_files(
        cls,
        original: Place,
        synthetic: Sequence[Place],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        memory_limit: str | None = None,
        spill: str | Path | None = None,
        check: Callable[[], object] | None = None,
        private: bool = False,
    ) -> Self:
        """Return a study of Parquet or CSV files read where they are.

        Parameters
        ----------
        original, synthetic
            A file, a folder, a pattern, or a list of files that are one table; of the syntheses one such each. Files
            are listed now: one that is added later is not read, and one that changes ends the question.
        missing_codes
            As of `Study`.
        memory_limit, spill, check, private
            As of `Connection`.

        Raises
        ------
        DisclosureError
            When there is no such file, or one cannot be read.

        Examples
        --------
        >>> study = DuckDBStudy.of_files("big/original", ["big/synthetic"])  # doctest: +SKIP
        """
        connection = Connection(memory_limit, spill, check, private=private)
        return cls(connection, related_files(connection, [original, *synthetic]), missing_codes)

    @classmethod
    def of_tables(
        cls,
        database: str | Path,
        original: str,
        synthetic: Sequence[str],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        *,
        memory_limit: str | None = None,
        spill: str | Path | None = None,
        check: Callable[[], object] | None = None,
        private: bool = False,
    ) -> Self:
        """Return a study of tables of a DuckDB database, opened for reading alone.

        Parameters
        ----------
        database
            Where it lies.
        original, synthetic
            Tables there, as `table` or `schema.table`.
        missing_codes, memory_limit, spill, check, private
            As of `of_files`.

        Raises
        ------
        DisclosureError
            When there is no such database or table.
        """
        connection = Connection(memory_limit, spill, check, private=private)
        return cls(connection, related_tables(connection, database, [original, *synthetic]), missing_codes)


def sets_of_files(
    connection: Connection, original: Place, sets: Mapping[str, Sequence[Place]]
) -> dict[str, DuckDBStudy]:
    """Return a study of each set of syntheses of one original, read where they are over one connection."""
    every = [original, *(place for of_set in sets.values() for place in of_set)]
    return sets_of(connection, related_files(connection, every), sets)


def sets_of(
    connection: Connection,
    relations: Sequence[Relation],
    sets: Mapping[str, Sequence[Place]],
    missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
) -> dict[str, DuckDBStudy]:
    """Return a study of each set of syntheses, of tables of one connection: the original, then those of each set."""
    first, *others = relations
    found = {}
    for name, of_set in sets.items():
        found[name] = DuckDBStudy(connection, [first, *others[: len(of_set)]], missing_codes)
        others = others[len(of_set) :]
    return found


def connection_of(study: AnyStudy) -> Connection:
    """Return the DuckDB that reads a study."""
    assert isinstance(study, EngineStudy)
    assert isinstance(study.engine, DuckDB)
    return study.engine.connection


def outside_files(study: EngineStudy, place: Place) -> Callable[[AnyStudy], EngineJoined]:
    """Return what reads people outside against a study of the same connection; their files are listed now."""
    further = related_files(connection_of(study), [place], ["The holdout"])[0]
    own = {path for relation in study.relations for path, _ in relation.files}
    twin = next((path.name for path, _ in further.files if path in own), None)
    if twin is not None:
        raise DisclosureError(f"The holdout is the file {twin} itself; name people who were not synthesised.")
    return reading_against(further)


def outside_table(study: EngineStudy, table: str) -> Callable[[AnyStudy], EngineJoined]:
    """Return what reads people outside against a study of tables of a database, of which theirs is one."""
    ask = partial(relation_of_table, database="source", table=table, side="The holdout")
    further = connection_of(study).ask("the tables", ask)
    if any(relation.sql.casefold() == further.sql.casefold() for relation in study.relations):
        raise DisclosureError("The holdout is a table of the study itself; name people who were not synthesised.")
    return reading_against(further)
