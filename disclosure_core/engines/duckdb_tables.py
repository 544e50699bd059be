"""Tables that DuckDB reads where they are: files and folders of Parquet or CSV, and tables of a DuckDB database."""

from __future__ import annotations

import csv
import glob
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from disclosure_core.data.harmonise import side_name
from disclosure_core.engines.duckdb_connection import Connection, Cursor, literal, quoted
from disclosure_core.engines.layout import CHANGED, check_names
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    import duckdb


PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".tsv", ".txt")
"""Endings of files that DuckDB reads in place."""

Place: TypeAlias = "str | Path | Sequence[str | Path]"
"""A file, a folder, a pattern such as data/*.parquet, or several files that are one table."""


@dataclass(frozen=True, eq=False, repr=False)
class Relation:
    """One table: what of it DuckDB reads.

    Attributes
    ----------
    sql
        What stands after FROM.
    columns
        DuckDB's type of each column by name, in order.
    files
        The files it is made of, listed once, and how each was then: a file that is added later is not read.
    text
        For delimited text, its delimiter: values are typed as those of files are. Empty for others.
    holder
        What keeps the tables in DuckDB that `sql` reads through, as long as somebody reads; None where there is none.
    in_order
        Whether its records have an order of their own, by which they are numbered: those of a view have none.
    """

    sql: str
    columns: dict[str, str]
    files: tuple[tuple[Path, tuple[int, ...]], ...] = ()
    text: str = ""
    holder: object = None
    in_order: bool = True

    def check(self) -> None:
        """Make sure that no file has changed."""
        if any(_state(path) != state for path, state in self.files):
            raise DisclosureError(CHANGED)


def files_of(place: Place) -> tuple[Path, ...]:
    """Return the files that are one table, listed once, by name."""
    if isinstance(place, str | Path):
        path = Path(place)
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.is_file() and not _hidden(p.relative_to(path)))
        elif path.is_file():
            found = [path]
        else:
            found = sorted(Path(p) for p in glob.glob(str(place), recursive=True))  # noqa: PTH207 (a pattern as given)
    else:
        found = [file for each in place for file in files_of(each)]
    if not found:
        raise DisclosureError(
            f"There is no file at {place}; name a file, a folder, or a pattern such as data/*.parquet."
        )
    strange = next((p for p in found if p.suffix.lower() not in (*PARQUET, *TEXT)), None)
    if strange is not None:
        raise DisclosureError(f"{strange.name} is neither Parquet nor CSV, which alone are read where they are.")
    if len({p.suffix.lower() in PARQUET for p in found}) > 1:
        raise DisclosureError(f"{place} holds both Parquet and text files; name those of one kind.")
    return tuple(found)


def _hidden(path: Path) -> bool:
    """Whether a file is no data: Spark and others write _SUCCESS, _metadata and .crc beside theirs."""
    return any(part.startswith((".", "_")) for part in path.parts)


def relation_of_files(cursor: duckdb.DuckDBPyConnection, place: Place, side: str) -> Relation:
    """Return files as one table; `side` is what an error calls it."""
    files = files_of(place)
    state = tuple((path, _state(path)) for path in files)
    listed = f"[{', '.join(literal(_as_it_is(str(path))) for path in files)}]"
    if files[0].suffix.lower() in PARQUET:
        _alike(files)
        sql, delimiter = f"read_parquet({listed})", ""
        names = _names_of_parquet(files[0])
        check_names(names, side)
    else:
        delimiter, names, sql = _of_text(cursor, files, listed)
        check_names(names, side)
    described = cursor.execute(f"describe select * from {sql}").fetchall()
    # The names as the file has them: DuckDB changes what it holds for one name.
    columns = {str(name): str(kind) for name, kind, *_ in described}
    return Relation(sql, columns, state, delimiter)


def relation_of_table(cursor: duckdb.DuckDBPyConnection, database: str, table: str, side: str) -> Relation:
    """Return a table of an attached database, `table` or `schema.table`; `side` is what an error calls it."""
    parts = [database, *table.split(".")]
    sql = ".".join(quoted(part) for part in parts)
    columns = {str(name): str(kind) for name, kind, *_ in cursor.execute(f"describe select * from {sql}").fetchall()}
    check_names(list(columns), side)
    *_, schema, name = ["main", *table.split(".")]
    found: Any = cursor.execute(
        "select count(*) from duckdb_tables() where database_name = ? and lower(schema_name) = lower(?) and "
        "lower(table_name) = lower(?)",
        [database, schema, name],
    ).fetchall()[0]
    return Relation(sql, columns, in_order=bool(found[0]))


def _state(path: Path) -> tuple[int, ...]:
    """Return what changes where somebody writes to a file or puts another in its place."""
    try:
        told = path.stat()
    except OSError:
        return ()
    return told.st_ino, told.st_mtime_ns, told.st_size


def _as_it_is(path: str) -> str:
    """Return a path in which DuckDB takes nothing for a pattern."""
    return re.sub(r"[\[*?]", lambda sign: f"[{sign[0]}]", path)


def _names_of_parquet(path: Path) -> list[str]:
    return list(pq.read_schema(path).names)


def _alike(files: Sequence[Path]) -> None:
    """Refuse files of one table whose columns differ: types would be changed in silence."""
    try:
        schemas = [pq.read_schema(path).remove_metadata() for path in files]
    except (pa.ArrowException, OSError):
        raise DisclosureError("A file is not Parquet, or is broken; see that it was written to its end.") from None
    for path, schema in zip(files, schemas, strict=True):
        if not schema.equals(schemas[0]):
            raise DisclosureError(
                f"{path.name} has other columns, or other types, than {files[0].name}; those of one table are alike."
            )


def _of_text(cursor: Any, files: Sequence[Path], listed: str) -> tuple[str, list[str], str]:
    """Return delimiter, names and SQL of delimited text, every cell a text."""
    _check_header(files[0])
    sniffed = cursor.execute(
        f"select Delimiter, Quote, Escape, SkipRows from sniff_csv({literal(_as_it_is(str(files[0])))}, "
        "all_varchar=true, header=true)"
    ).fetchall()[0]
    delimiter, quote, escape, skipped = sniffed
    with files[0].open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for _ in range(skipped):
            next(file, None)
        rows = csv.reader(file, delimiter=delimiter or ",", quotechar=_letter(quote) or '"')
        names, first = next(rows, []), next(rows, [])
    if len(names) > 1 and all(cell.startswith(" ") for cell in (*names[1:], *first[1:])):
        raise DisclosureError(
            f"{files[0].name} has a blank after every delimiter, which an engine takes for a part of the values; save "
            "it without, or give it without an engine."
        )
    options = [f"delim={literal(delimiter)}", "header=true", "all_varchar=true", "nullstr=''", f"skip={int(skipped)}"]
    options += [f"quote={literal(_letter(quote))}", f"escape={literal(_letter(escape))}"]
    return delimiter, names, f"read_csv({listed}, {', '.join(options)})"


def _check_header(path: Path) -> None:
    """Refuse a name that goes on in the next line, which no engine finds again."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        begins = next((line for line in file if line.strip() and not line.startswith("#")), "")
    if begins.count('"') % 2:
        raise DisclosureError(
            f"{path.name} has a line break in the name of a column, which an engine does not read; rename the column, "
            "or give the file without an engine."
        )


def _letter(sniffed: str | None) -> str:
    return "" if sniffed in (None, "(empty)", "\0") else str(sniffed)


def related_files(
    connection: Connection, places: Sequence[Place], called: Sequence[str] | None = None
) -> list[Relation]:
    """Return files as tables of a connection, the original first, or as they are `called` in an error."""
    names = [side_name(i, len(places) - 1) for i in range(len(places))] if called is None else called
    return connection.ask(
        "the files", lambda cursor: [relation_of_files(cursor, p, n) for p, n in zip(places, names, strict=True)]
    )


def related_tables(connection: Connection, database: str | Path, names: Sequence[str]) -> list[Relation]:
    """Return tables of a DuckDB database, which is opened for reading alone, the original first."""

    def related(cursor: Cursor) -> list[Relation]:
        cursor.execute(f"attach {literal(str(database))} as source (read_only)")
        return [relation_of_table(cursor, "source", n, side_name(i, len(names) - 1)) for i, n in enumerate(names)]

    return connection.ask("the tables", related)
