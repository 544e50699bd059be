"""Data in engines that the operator of the app has named, so that visitors choose from a list and type no address."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.engines.table_study import TableStudy


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
    """

    name: str
    url: str = field(repr=False)
    original: str = field(repr=False)
    synthetic: tuple[str, ...] = field(repr=False)
    missing_codes: Mapping[str, tuple[float | str, ...]] = field(default_factory=dict, repr=False)


def sources(engines: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return the sources that the operator named, in their order.

    Parameters
    ----------
    engines
        The table `engines` of `.streamlit/secrets.toml`: by name, a mapping with `url`, `original`, `synthetic` (a
        list) and, if wanted, `missing_codes` (a list a column).

    Raises
    ------
    DisclosureError
        When an entry lacks one of these; the sentence names the entry and the field, never what it holds.
    """
    return tuple(_source(str(name), entry) for name, entry in engines.items())


def _source(name: str, entry: Any) -> Source:
    if not isinstance(entry, Mapping):
        raise DisclosureError(f"The data source {name!r} is not set up: ask the operator to give it url and tables.")
    for part, kind in (("url", str), ("original", str), ("synthetic", (list, tuple))):
        if not isinstance(entry.get(part), kind) or not entry[part]:
            raise DisclosureError(f"The data source {name!r} is not set up: ask the operator to give its {part!r}.")
    codes = entry.get("missing_codes", {})
    if not isinstance(codes, Mapping) or not all(isinstance(values, (list, tuple)) for values in codes.values()):
        raise DisclosureError(f"The data source {name!r}: ask the operator to list its 'missing_codes' by column.")
    tables = tuple(str(table) for table in entry["synthetic"])
    return Source(name, entry["url"], entry["original"], tuple(tables), {c: tuple(v) for c, v in codes.items()})


def open_source(source: Source, check: Callable[[], object] | None = None) -> TableStudy:
    """Return a study of the tables of `source`; `check` as of `TableStudy`.

    Raises
    ------
    DisclosureError
        When Ibis is not installed, or the engine or a table cannot be reached. Neither the sentence nor the error's
        cause or context holds the URL or what the engine said of it.
    """
    if not find_spec("ibis"):
        raise DisclosureError("Data in an engine need Ibis: ask the operator to install the extra 'engines'.")
    from disclosure_core.engines.table_study import TableStudy

    study = None
    try:
        with _SILENCE:
            original, *synthetic = _tables(source)
            study = TableStudy(original, synthetic, source.missing_codes, private=True, check=check)
    except DisclosureError:
        raise
    except Exception:  # noqa: S110 (what it says may hold the address: it is dropped, and told below)
        pass
    if study is None:
        raise DisclosureError(f"The data source {source.name!r} cannot be opened; ask its operator to look at it.")
    return study


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


def _tables(source: Source) -> list[Any]:
    import ibis

    connection = ibis.connect(source.url)
    tables = []
    for name in (source.original, *source.synthetic):
        if name.endswith(".parquet"):
            tables.append(connection.read_parquet(name))
        else:
            database, _, table = name.rpartition(".")
            tables.append(connection.table(table, database=database or None))
    return tables
