"""A reading as bytes between two processes, and back exactly: JSON, plain arrays and Arrow's texts; nothing that runs.

A column is a description that JSON holds and the buffers it speaks of: its distinct values, and its codes where it has
some. Python's objects are told apart by type and writing: 1, True, 1.0 and −0.0 are four values.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.data.coded import CodedColumn, CodedTable
from disclosure_core.data.readers._reading import NOTHING, Lines, Reading, ReadOptions, Source

if TYPE_CHECKING:
    Description = dict[str, Any]
    Message = tuple[Description, list[Any]]  # a description, and buffers of bytes

_MASKED = {
    "IntegerArray": pd.arrays.IntegerArray,
    "FloatingArray": pd.arrays.FloatingArray,
    "BooleanArray": pd.arrays.BooleanArray,
}

_MICROSECOND = dt.timedelta(microseconds=1)

_WRITTEN: dict[type, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    float: (float.hex, float.fromhex),
    Decimal: (str, Decimal),
    dt.date: (dt.date.isoformat, dt.date.fromisoformat),
    dt.datetime: (dt.datetime.isoformat, dt.datetime.fromisoformat),
    dt.time: (dt.time.isoformat, dt.time.fromisoformat),
    dt.timedelta: (lambda length: length // _MICROSECOND, lambda n: n * _MICROSECOND),
    type(pd.NaT): (str, lambda _: pd.NaT),
    type(pd.NA): (str, lambda _: pd.NA),
}
"""Python's objects that a cell may be and JSON does not hold, infinite numbers among them: written, and read back."""

_NAMED = {kind.__name__: kind for kind in _WRITTEN}


def messages(reading: Reading) -> Iterator[Message]:
    """Give what to send of a reading: first all but its columns, then a message a column."""
    table, buffers = reading.table, list[Any]()
    told = {f.name: getattr(reading, f.name) for f in fields(reading) if f.name != "table"}
    told |= {name: told[name] and asdict(told[name]) for name in ("options", "lines")}
    told["missing_codes"] = {name: [_plain(code) for code in codes] for name, codes in reading.missing_codes.items()}
    told["value_labels"] = {name: list(labels.items()) for name, labels in reading.value_labels.items()}
    told["source"] = reading.source and [reading.source.name, reading.source.path, reading.source.part]
    yield {"reading": told, "rows": len(table), "names": packed(table.columns.array, buffers)}, buffers
    for _, column in table.held():
        buffers = []
        described = packed(column.values.array, buffers)
        if column.codes is not None:
            buffers.append(column.codes.view(np.uint8))
            described = {"distinct": described, "coded": column.codes.dtype.str}
        yield described, buffers


def assembled(head: Message, columns: list[CodedColumn]) -> Reading:
    """Return the reading of which a first message and the columns have come."""
    content, buffers = head
    told, names = content["reading"], pd.Index(unpacked(content["names"], iter(buffers).__next__))
    if len(columns) != len(names) or any(len(column) != content["rows"] for column in columns):
        raise ValueError("what came is not what was announced")
    told |= {name: tuple(told[name]) for name in ("choices", "notes", "warnings")}
    told["missing_codes"] = {name: tuple(map(_restored, codes)) for name, codes in told["missing_codes"].items()}
    told["missing_levels"] = {name: tuple(levels) for name, levels in told["missing_levels"].items()}
    told["value_labels"] = {name: dict(map(tuple, labels)) for name, labels in told["value_labels"].items()}
    told["options"] = ReadOptions(**told["options"])
    told["lines"] = told["lines"] and Lines(**told["lines"])
    told["source"] = told["source"] and Source(NOTHING, *told["source"])
    return Reading(table=CodedTable(names, pd.RangeIndex(content["rows"]), columns), **told)


def column_of(description: Description, buffers: list[Any]) -> CodedColumn:
    """Return the column that a message holds."""
    next_buffer = iter(buffers).__next__
    array = unpacked(description.get("distinct", description), next_buffer)
    values = pd.Series(array, dtype=array.dtype, copy=False)  # left to itself, pandas makes texts of objects
    if "coded" not in description:
        return CodedColumn(values)
    codes = _numbers(description["coded"], next_buffer)
    if codes.dtype.kind != "u" or (codes.size and int(codes.max()) >= len(values)):
        raise ValueError("codes without values")
    return CodedColumn(values, codes)


def packed(array: Any, buffers: list[Any]) -> Description:
    """Return what describes an array of pandas, and append its bytes to `buffers`."""
    array = array.to_numpy() if type(array) is pd.arrays.NumpyExtensionArray else array
    dtype = array.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = packed(array.codes, buffers)
        return {"ordered": bool(dtype.ordered), "codes": codes, "levels": packed(dtype.categories.array, buffers)}
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = np.asarray(array.tz_convert("UTC").tz_localize(None))
        return {"zone": pa.lib.tzinfo_to_string(dtype.tz), "moments": packed(moments, buffers)}
    if type(array).__name__ in _MASKED:
        values = array.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(1))
        return {
            "masked": type(array).__name__,
            "values": packed(values, buffers),
            "mask": packed(array.isna(), buffers),
        }
    if isinstance(dtype, pd.StringDtype):
        texts = pa.array(array, pa.large_string())
        texts = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
        texts = pa.concat_arrays([texts]) if texts.offset else texts
        held = texts.buffers()
        buffers += [buffer for buffer in held if buffer is not None]
        return {
            "texts": len(texts),
            "held": [buffer is not None for buffer in held],
            "as": [dtype.storage, dtype.na_value is pd.NA],
        }
    if isinstance(dtype, np.dtype) and dtype.kind in "biufmM":
        buffers.append(np.ascontiguousarray(array).view(np.uint8))
        return {"numpy": dtype.str}
    return _objects(np.asarray(array, dtype=object), buffers)


def unpacked(description: Description, next_buffer: Callable[[], Any]) -> Any:
    """Return the array that `packed` described; `next_buffer` gives the next of its buffers."""
    if "numpy" in description:
        return _numbers(description["numpy"], next_buffer)
    if "objects" in description:
        levels = np.empty(len(description["objects"]), dtype=object)
        levels[:] = [_restored(level) for level in description["objects"]]
        return levels[_numbers("<u4", next_buffer)]
    if "codes" in description:
        codes = unpacked(description["codes"], next_buffer)
        categories = pd.Index(unpacked(description["levels"], next_buffer))
        return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(categories, description["ordered"]))
    if "zone" in description:
        zone = pa.lib.string_to_tzinfo(description["zone"])
        return pd.DatetimeIndex(unpacked(description["moments"], next_buffer)).tz_localize("UTC").tz_convert(zone).array
    if "masked" in description:
        values, mask = (unpacked(description[part], next_buffer) for part in ("values", "mask"))
        return _MASKED[description["masked"]](values, mask)
    held = [pa.py_buffer(next_buffer()) if there else None for there in description["held"]]
    texts = pa.Array.from_buffers(pa.large_string(), description["texts"], held)
    texts.validate(full=True)
    storage, marked = description["as"]
    dtype: Any = pd.StringDtype(storage, na_value=pd.NA if marked else np.nan)
    return dtype.__from_arrow__(texts)


def _numbers(dtype: str, next_buffer: Callable[[], Any]) -> Any:
    """Return the next buffer as numbers or moments of a type."""
    checked = np.dtype(dtype)
    if checked.kind not in "biufmM":
        raise ValueError(dtype)
    return np.asarray(next_buffer()).view(checked)


def _objects(values: Any, buffers: list[Any]) -> Description:
    codes, places = np.empty(len(values), dtype=np.uint32), dict[Any, int]()
    levels = list[Any]()
    for i, value in enumerate(values):
        kind = type(value)
        key = kind, value if kind in (str, int, bool) else repr(value)
        if key not in places:
            places[key] = len(levels)
            levels.append(_plain(value))
        codes[i] = places[key]
    buffers.append(codes.view(np.uint8))
    return {"objects": levels}


def _plain(value: Any) -> Any:
    """Return a cell as what JSON holds: itself, or an object of one name, its type, and how it is written."""
    kind = type(value)
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        return value
    if kind not in _WRITTEN:
        raise TypeError(kind.__name__)
    return {kind.__name__: _WRITTEN[kind][0](value)}


def _restored(value: Any) -> Any:
    """Return the cell that `_plain` described."""
    if not isinstance(value, dict):
        return value
    ((kind, written),) = value.items()
    return _WRITTEN[_NAMED[kind]][1](written)
