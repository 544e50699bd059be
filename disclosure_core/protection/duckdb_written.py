"""Safer tables that DuckDB writes from its own rows: no record comes here."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from disclosure_core.data.study import Kind
from disclosure_core.engines.column import with_empty
from disclosure_core.engines.duckdb_cells import Kept
from disclosure_core.engines.duckdb_connection import literal, quoted
from disclosure_core.engines.duckdb_study import DuckDBStudy
from disclosure_core.engines.layout import CHANGED
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.in_engine import SaferStudy
from disclosure_core.protection.steps import AddLabel

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from disclosure_core.engines.duckdb_column import DuckDBColumn
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_tables import Relation
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.seen_there import SeenThrough

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]


def written(protected: ProtectedThere, folder: Path) -> dict[str, Path]:
    """Have DuckDB write each safer synthesis into a folder, and return where each is, by name.

    Parquet, or delimited text where it came as that. What no safeguard touched is as it came; records are in no order.

    Raises
    ------
    DisclosureError
        When one cannot be written, or the data changed meanwhile; then nothing is left of it.
    """
    places: dict[str, Path] = {}
    for i, relation in enumerate(protected.study.relations[1:]):
        name = _name_of(relation, i)
        name = f"{i + 1}_{name}" if name in places else name
        place = folder / name
        if any(place.resolve() == path.resolve() for each in protected.first.relations for path, _ in each.files):
            raise DisclosureError(f"{place} is one of the tables themselves; choose another folder.")
        _write(protected, i, place)
        places[name] = place
    return places


def _name_of(relation: Relation, i: int) -> str:
    """Return what a safer table is called: after its file or folder."""
    paths = [path for path, _ in relation.files]
    ending = ".csv" if relation.text else ".parquet"
    if not paths:
        return f"safer_synthetic_{i + 1}{ending}"
    return f"safer_{(paths[0] if len(paths) == 1 else paths[0].parent).stem}{ending}"


def _write(protected: ProtectedThere, i: int, place: Path) -> None:
    study, side = protected.study, i + 1
    assert isinstance(study, DuckDBStudy)
    relation = study.relations[side]
    kept = Kept()
    half = place.with_name(f"{place.name}.{uuid4().hex[:8]}.part")
    form = "format parquet, compression zstd"
    if relation.text:
        form = f"format csv, header true, nullstr '', delimiter {literal(relation.text)}"

    def copy(cursor: Cursor) -> int:
        columns, joins = [], []
        for name in relation.columns:
            value, join = value_of(protected, kept, cursor, side, name)
            columns.append(f"{value} as {quoted(name)}")
            joins.append(join)
        columns += [f"{literal(s.text)} as {quoted(s.column)}" for s in protected.steps if isinstance(s, AddLabel)]
        records = f"{relation.sql} as {kept.mark} {' '.join(joins)}"
        done: Any = cursor.execute(
            f"copy (select {', '.join(columns)} from {records}) to {literal(str(half))} ({form})"
        ).fetchone()
        return int(done[0])

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with study.unchanged():
            n = study.connection.ask("the safer table", copy)
        if n != study.n_synthetic[i]:
            raise DisclosureError(CHANGED)
        half.replace(place)
    except OSError as error:
        raise DisclosureError(f"{place} cannot be written ({error.strerror}); choose another place.") from None
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        study.connection.ask("the codes", kept.drop)


def value_of(protected: ProtectedThere, kept: Kept, cursor: Cursor, side: int, name: str) -> tuple[str, str]:
    """Return the SQL of a column's safer value in a table, the original seen through the same rules (0), and its join.

    Parameters
    ----------
    kept
        Keeps in DuckDB what the join needs.
    """
    study = protected.study
    if not protected.changes(name) or not isinstance(study, SaferStudy):
        return quoted(name), ""
    was, now = protected.first.columns[name], study.columns[name]
    values, entries = was.sides[side], was.coded.sides[side][: len(was.sides[side].raw)]
    raws = values.raw
    if now.kind is not Kind.NUMBER:  # an empty cell may have become a level
        raws, entries = with_empty(raws), np.append(entries, was.n_levels)
    after = study.codes_after(name)[entries]
    there = (after >= 0) & (after < now.n_levels)
    if now.kind is not Kind.NUMBER:
        texts = pa.array([now.label(code) for code in after[there].tolist()], pa.string())
        table = kept.keep(cursor, {"raw": raws.filter(pa.array(there)), "value": texts})
        value = f"{table}_value"
    else:
        known = there.copy()
        there[there] = was.values[entries[there]] != now.values[after[there]]
        if values.kind == "VARCHAR":  # delimited text
            numbers, kind = _spelt(values.raw, known & ~there, now, after, there), values.kind
        else:
            numbers, kind = _numbers_as(values.kind, now, after[there])
        table = kept.keep(cursor, {"raw": values.raw.filter(pa.array(there)), "value": numbers})
        value = f"coalesce({table}_value::{kind}, {values.sql}::{kind})"
    return value, f"left join {table} on {values.sql} is not distinct from {table}_raw"


def seen_value(seen: SeenThrough[Any], kept: Kept, cursor: Cursor, name: str) -> tuple[str, str]:
    """Return the SQL of what people outside have in a column after all steps, and the join that it needs."""
    found = seen.became(name)
    if found is None:
        return quoted(name), ""
    values, became = found
    table = kept.keep(cursor, {"raw": values.raw, "value": became})
    return f"{table}_value", f"left join {table} on {values.sql} is not distinct from {table}_raw"


def _spelt(raw: pa.Array, kept: Bools, column: DuckDBColumn, codes: Ints, changed: Bools) -> pa.Array:
    """Return the texts of changed numbers: as the file spells such a number, or any, where it does.

    1000 beside 1000.0, or 1.5 beside 2,5, would be read as texts.
    """
    spelt = dict(zip(codes[kept].tolist(), raw.filter(pa.array(kept)).to_pylist(), strict=True))
    comma = any("," in text for text in raw.to_pylist())
    texts = {code: column.label(code) for code in codes[changed].tolist()}
    texts = {code: text.replace(".", ",") if comma else text for code, text in texts.items()} | spelt
    return pa.array([texts[code] for code in codes[changed].tolist()], pa.string())


def _numbers_as(kind: str, column: DuckDBColumn, codes: Ints) -> tuple[pa.Array, str]:
    """Return levels of a number column as a column of DuckDB's type `kind` holds them, and its type then."""
    numbers = column.values[codes]
    whole = all(float(number).is_integer() for number in numbers.tolist())
    low, high = (int(min(numbers, default=0)), int(max(numbers, default=0))) if whole else (0, 0)
    for name in dict.fromkeys([kind, "BIGINT"]) if whole and kind in _BOUNDS and high < 2**63 else ():
        if _BOUNDS[name][0] <= low and high <= _BOUNDS[name][1]:
            return pa.array([int(number) for number in numbers.tolist()], pa.int64()), name
    as_floats = pa.array([float(number) for number in numbers.tolist()], pa.float64())
    return as_floats, kind if kind == "FLOAT" else "DOUBLE"


_BOUNDS = {
    f"{sign}{name}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for name, bits in (("TINYINT", 8), ("SMALLINT", 16), ("INTEGER", 32), ("BIGINT", 64))
    for sign in ("", "U")
}
"""Smallest and largest number of DuckDB's types of whole numbers."""
