"""Data in engines that the operator of the app has named, so that visitors choose from a list and type no address."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.outsiders import JoinedStudy
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.engines.duckdb_study import DuckDBStudy
    from disclosure_core.engines.table_study import TableStudy

MOST_ROWS = 50
"""Single records that an engine is asked for at once: a list is read in pages, never whole."""


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of `[engines]` in the operator's secrets; its text shows the name and nothing else.

    Attributes
    ----------
    name
        What visitors choose.
    url
        An Ibis connection URL; it may hold credentials.
    original, synthetic
        Tables there, as `table` or `schema.table`; for DuckDB and Spark also paths of Parquet files.
    missing_codes
        As of `Study`.
    holdout
        A table of people outside the data, named as `original` is; None: nobody is named.
    holdout_is_random
        Whether they are a random part of the original; None: not known.
    sets
        The syntheses by the name of their set; empty where they are one set.
    records
        Whether visitors may be shown single records, a few at a time; of what DuckDB reads alone.
    """

    name: str
    url: str = field(repr=False)
    original: str = field(repr=False)
    synthetic: tuple[str, ...] = field(repr=False)
    missing_codes: Mapping[str, tuple[float | str, ...]] = field(default_factory=dict, repr=False)
    holdout: str | None = field(default=None, repr=False)
    holdout_is_random: bool | None = field(default=None, repr=False)
    records: bool = field(default=False, repr=False)
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)


def sources(engines: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return the sources that the operator named, in their order.

    Parameters
    ----------
    engines
        The table `engines` of `.streamlit/secrets.toml`: by name, a mapping with `url`, `original`, `synthetic` (a
        list, or by the name of a set a list) and, if wanted, `missing_codes` (a list a column), `holdout`,
        `holdout_is_random` and `records`.
    """
    return tuple(_source(str(name), entry) for name, entry in engines.items())


def _source(name: str, entry: Any) -> Source:
    if not isinstance(entry, Mapping):
        raise DisclosureError(f"The data source {name!r} is not set up: ask the operator to give it url and tables.")
    for part, kind in (("url", str), ("original", str), ("synthetic", (list, tuple, Mapping))):
        if not isinstance(entry.get(part), kind) or not entry[part]:
            raise DisclosureError(f"The data source {name!r} is not set up: ask the operator to give its {part!r}.")
    codes = entry.get("missing_codes", {})
    if not isinstance(codes, Mapping) or not all(isinstance(values, (list, tuple)) for values in codes.values()):
        raise DisclosureError(f"The data source {name!r}: ask the operator to list its 'missing_codes' by column.")
    holdout, drawn = entry.get("holdout"), entry.get("holdout_is_random")
    if holdout is not None and not (isinstance(holdout, str) and holdout):
        raise DisclosureError(f"The data source {name!r}: ask the operator to give 'holdout' as a file.")
    for part in ("holdout_is_random", "records"):
        if not isinstance(entry.get(part, False), bool):
            raise DisclosureError(f"The data source {name!r}: ask the operator to give {part!r} as true or false.")
    named = entry["synthetic"] if isinstance(entry["synthetic"], Mapping) else {"": entry["synthetic"]}
    if not all(isinstance(of_set, (list, tuple)) and of_set for of_set in named.values()):
        raise DisclosureError(f"The data source {name!r}: ask the operator to list its 'synthetic' by set.")
    sets = {str(of): tuple(map(str, of_set)) for of, of_set in named.items()}
    tables = tuple(table for of_set in sets.values() for table in of_set)
    codes = {column: tuple(values) for column, values in codes.items()}
    shown = entry.get("records", False)
    sets = {} if "" in sets else sets
    return Source(name, entry["url"], entry["original"], tables, codes, holdout, drawn, shown, sets)


def open_source(source: Source, check: Callable[[], object] | None = None) -> TableStudy | DuckDBStudy:
    """Return a study of the tables of `source`, of all its syntheses together; `check` as of `TableStudy`."""
    study: TableStudy | DuckDBStudy = _opened(source, {"": source.synthetic}, check)[""]
    return study


def open_sets(source: Source, check: Callable[[], object] | None = None) -> dict[str, TableStudy | DuckDBStudy]:
    """Return a study of each set of `source` by its name, of one original and over one connection."""
    return _opened(source, source.sets, check)


def _opened(source: Source, sets: Mapping[str, tuple[str, ...]], check: Callable[[], object] | None) -> dict[str, Any]:
    for_duckdb = _is_for_duckdb(source)
    package = "duckdb" if for_duckdb else "ibis"
    if not find_spec(package):
        raise DisclosureError(f"Data in this engine need {package!r}: ask the operator to install that extra.")
    opened: Any = None
    try:
        with _SILENCE:
            opened = (_opened_in_duckdb if for_duckdb else _opened_by_ibis)(source, sets, check)
    except Exception:  # noqa: S110 (what it says may hold the address: it is dropped, and told below)
        pass
    if opened is None:
        raise DisclosureError(f"The data source {source.name!r} cannot be opened; ask its operator to look at it.")
    studies: dict[str, Any] = opened()
    return studies


def open_outside(source: Source, study: TableStudy | DuckDBStudy) -> Callable[[AnyStudy], JoinedStudy[Variable]] | None:
    """Return what reads the people outside of `source` against its study; None where it names none."""
    if source.holdout is None:
        return None
    found: Callable[[AnyStudy], JoinedStudy[Variable]] | None = None
    with suppress(Exception), _SILENCE:  # what it says may hold the place
        found = _outside(source.holdout, study)
    if found is None:
        raise DisclosureError(
            f"The people outside of the data source {source.name!r} cannot be opened; ask its operator to name a table "
            "of them as the original is named."
        )
    return found


def _outside(place: str, study: TableStudy | DuckDBStudy) -> Callable[[AnyStudy], JoinedStudy[Variable]]:
    if study.engine.may_show_records:
        from disclosure_core.engines import duckdb_study

        return (duckdb_study.outside_files if _is_file(place) else duckdb_study.outside_table)(study, place)
    from disclosure_core.engines.table_study import outside_table

    return outside_table(study, _table(study.relations[0].table.get_backend(), place))


class _Silence:
    """No line in the log while anybody is within: drivers log the address they fail to reach."""

    def __init__(self) -> None:
        self._lock, self._within, self._before = threading.Lock(), 0, logging.NOTSET

    def __enter__(self) -> None:
        with self._lock:
            if not self._within:
                self._before = logging.root.manager.disable
                logging.disable(logging.CRITICAL)
            self._within += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._within -= 1
            if not self._within:
                logging.disable(self._before)


_SILENCE = _Silence()


def _is_for_duckdb(source: Source) -> bool:
    """Whether DuckDB alone reads the source: files of this machine, and tables of a database of its own."""
    names = (source.original, *source.synthetic)
    return source.url.startswith("duckdb://") and not any("://" in name for name in names)


def _is_file(name: str) -> bool:
    from disclosure_core.engines.duckdb_tables import PARQUET, TEXT

    return name.lower().endswith((*PARQUET, *TEXT)) or Path(name).is_dir()


def _opened_in_duckdb(
    source: Source, sets: Mapping[str, tuple[str, ...]], check: Callable[[], object] | None
) -> Callable[[], dict[str, DuckDBStudy]]:
    """Return what makes a study of each set; what fails until then may name the address, what fails in it does not."""
    from disclosure_core.engines.duckdb_connection import Connection
    from disclosure_core.engines.duckdb_study import sets_of
    from disclosure_core.engines.duckdb_tables import related_files, related_tables

    parts = urlsplit(source.url)
    options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
    memory, spill = options.pop("memory_limit", None), options.pop("temp_directory", None)
    if set(options) - {"read_only", "threads"}:
        raise ValueError
    connection = Connection(memory, spill, check, private=True, shows_records=source.records)
    names = (source.original, *source.synthetic)
    files = [name for name in names if _is_file(name)]
    tables = [name for name in names if not _is_file(name)]
    found = dict(zip(files, related_files(connection, files), strict=True))
    database = unquote(parts.netloc + parts.path)
    if tables or (database and not _is_file(source.holdout or source.original)):
        found |= zip(tables, related_tables(connection, database, tables), strict=True)
    relations = [found[name] for name in names]
    return lambda: sets_of(connection, relations, sets, source.missing_codes)


def _opened_by_ibis(
    source: Source, sets: Mapping[str, tuple[str, ...]], check: Callable[[], object] | None
) -> Callable[[], dict[str, TableStudy]]:
    from disclosure_core.engines.table_study import TableStudy

    original, *synthetic = _tables(source)
    tables = dict(zip(source.synthetic, synthetic, strict=True))
    codes = source.missing_codes
    return lambda: {
        name: TableStudy(original, [tables[place] for place in of_set], codes, private=True, check=check)
        for name, of_set in sets.items()
    }


def _tables(source: Source) -> list[Any]:
    import ibis

    connection = ibis.connect(source.url)
    return [_table(connection, name) for name in (source.original, *source.synthetic)]


def _table(connection: Any, name: str) -> Any:
    if name.endswith(".parquet"):
        return connection.read_parquet(name)
    database, _, table = name.rpartition(".")
    return connection.table(table, database=database or None)
