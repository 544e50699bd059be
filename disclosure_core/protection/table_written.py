"""Safer tables that an engine writes by Ibis from its own rows."""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import ibis
import numpy as np
import pyarrow as pa

from disclosure_core.data.study import Kind
from disclosure_core.engines.column import with_empty
from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.table_study import TableStudy
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.in_engine import SaferStudy
from disclosure_core.protection.steps import AddLabel

if TYPE_CHECKING:
    from pathlib import Path

    from ibis.expr import types as ir

    from disclosure_core.engines.table_column import TableColumn
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.seen_there import SeenThrough


def written(protected: ProtectedThere, folder: Path) -> dict[str, Path]:
    """Have the engine write each safer synthesis into a folder as Parquet, and return where each is, by name.

    What no safeguard touched is as it came; records are in no order. Spark writes a folder of files.

    Raises
    ------
    DisclosureError
        When one cannot be written, or the data changed meanwhile; then nothing is left of it.
    """
    study = protected.study
    assert isinstance(study, TableStudy)
    places, brought = {}, Brought(study)
    for i, n in enumerate(study.n_synthetic, 1):
        name = f"safer_synthetic_{i}.parquet"
        place = folder / name
        half = folder / f"{name}.{uuid4().hex[:8]}.part"
        columns = list(study.relations[i].columns)
        table = safer_values(protected, brought, i, columns)
        labels = {s.column: ibis.literal(s.text) for s in protected.steps if isinstance(s, AddLabel)}
        table = table.select(**{name: table[f"v{k}"] for k, name in enumerate(columns)}, **labels)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            study.ask("the safer table", partial(table.to_parquet, half))
            if _records(half) != n:
                raise DisclosureError(CHANGED)
            if place.is_dir():
                shutil.rmtree(place)
            half.replace(place)
        except OSError as error:
            raise DisclosureError(f"{place} cannot be written ({error.strerror}); choose another place.") from None
        finally:
            with suppress(OSError):
                shutil.rmtree(half) if half.is_dir() else half.unlink(missing_ok=True)
        places[name] = place
    return places


def _records(place: Path) -> int:
    """Return how many records a file, or a folder of them, holds."""
    import pyarrow.parquet as pq

    files = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
    return sum(pq.read_metadata(file).num_rows for file in files)


class Brought:
    """Values and what they became, brought to the engine once, and kept there as long as this lives."""

    def __init__(self, study: TableStudy) -> None:
        self._study = study
        self._tables: dict[tuple[int, str], ir.Table] = {}

    def __call__(self, side: int, name: str, raw: pa.Array, became: pa.Array) -> ir.Table:
        """Return the values of a column of a side as a table there: raw, value."""
        if (side, name) not in self._tables:
            self._tables[side, name] = self._study.bring(pa.table([raw, became], names=["raw", "value"]), self)
        return self._tables[side, name]


def safer_values(protected: ProtectedThere, brought: Brought, side: int, names: list[str]) -> ir.Table:
    """Return the safer values of columns of a table as v0 …; of the original, as it is seen through the same rules."""
    study, first = protected.study, protected.first
    assert isinstance(study, TableStudy)
    known: list[tuple[ir.Table, bool] | None] = []
    for name in names:
        if not protected.changes(name) or not isinstance(study, SaferStudy):
            known.append(None)
            continue
        was: Any = first.columns[name]
        raw, became = _became(was, study.columns[name], study.codes_after(name), side)
        known.append((brought(side, name, raw, became), study.columns[name].kind is Kind.NUMBER))
    return with_values(study.relations[side].table, names, known)


def seen_values(seen: SeenThrough[Any], brought: Brought, names: list[str]) -> ir.Table:
    """Return what people outside have in columns after all steps as v0 …."""
    last = len(seen.relations) - 1
    known: list[tuple[ir.Table, bool] | None] = []
    for name in names:
        found = seen.became(name)
        known.append(None if found is None else (brought(last, name, found[0].raw, found[1]), False))
    return with_values(seen.relations[-1].table, names, known)


def with_values(table: ir.Table, names: list[str], known: list[tuple[ir.Table, bool] | None]) -> ir.Table:
    """Return a table with columns v0 …: each value as it became, or as it is where nothing is known of its column.

    Parameters
    ----------
    known
        A column: a table of values and what each became, and whether a value that is not among these stays.
    """
    found = table.select(one=ibis.literal(1), **{f"v{k}": table[name] for k, name in enumerate(names)})
    for k, each in enumerate(known):
        if each is None:
            continue
        became, stays = each[0].rename({f"w{k}_raw": "raw", f"w{k}_value": "value"}), each[1]
        joined = found.left_join(became, found[f"v{k}"].identical_to(became[f"w{k}_raw"]))
        value = joined[f"w{k}_value"]
        value = ibis.coalesce(value, joined[f"v{k}"].cast(value.type())) if stays else value
        found = joined.mutate(**{f"v{k}": value}).drop(f"w{k}_raw", f"w{k}_value")
    return found


def _became(was: TableColumn, now: TableColumn, codes: Any, side: int) -> tuple[pa.Array, pa.Array]:
    """Return the distinct values of a side, and what each is now, in their own type where it holds them."""
    values = was.sides[side]
    entries = was.coded.sides[side][: len(values.raw)]
    raws = values.raw
    if now.kind is not Kind.NUMBER:  # an empty cell may have become a level
        raws, entries = with_empty(raws), np.append(entries, was.n_levels)
    after = codes[entries]
    there = (after >= 0) & (after < now.n_levels)
    if now.kind is not Kind.NUMBER:
        texts = [now.label(code) for code in after[there].tolist()]
        return raws.filter(pa.array(there)), pa.array(texts, pa.string())
    raw, numbers, kind = values.raw.filter(pa.array(there)), now.values[after[there]].tolist(), values.raw.type
    if pa.types.is_integer(kind) and all(float(number).is_integer() for number in numbers):
        for held in (kind, pa.int64()):
            with suppress(OverflowError, pa.ArrowInvalid):
                return raw, pa.array([int(number) for number in numbers], held)
    return raw, pa.array(list(map(float, numbers)), kind if kind == pa.float32() else pa.float64())
