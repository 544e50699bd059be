"""A reading as bytes between two processes, and back exactly: JSON, plain arrays and Arrow; nothing that runs code.

A column is a description that JSON holds and the buffers it speaks of: its distinct values, and its codes where it has
some. Numbers and moments are their own bytes, texts an Arrow stream, categories and masks are made of these. Python's
objects are told apart by type and writing: 1, True, 1.0 and −0.0 are four values.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.data.coded import CodedColumn, CodedTable
from disclosure_core.data.column import smallest
from disclosure_core.data.readers import _reading
from disclosure_core.data.readers._reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Description = dict[str, Any]
    Message = tuple[Description, list[Any]]  # a description, and buffers of bytes

_PLAIN = (str, int, bool)
"""Types whose equal values are written alike."""

_WRITTEN = (float, complex, Decimal, UUID, dt.date, dt.datetime, dt.time, dt.timedelta, pd.Timestamp, pd.Timedelta)
"""Types whose equal values may be written in several ways (0.0 and −0.0, 1.0 and 1.00, one moment in two zones)."""

_MASKED = {
    "IntegerArray": pd.arrays.IntegerArray,
    "FloatingArray": pd.arrays.FloatingArray,
    "BooleanArray": pd.arrays.BooleanArray,
}


def messages(reading: Reading) -> Iterator[Message]:
    """Give what to send of a reading: first all but its columns, then a message a column."""
    table, buffers = reading.table, list[Any]()
    fields = {f.name: plain(getattr(reading, f.name)) for f in dataclasses.fields(reading) if f.name != "table"}
    index = table.index
    usual = isinstance(index, pd.RangeIndex) and (index.start, index.step, index.name) == (0, 1, None)
    yield (
        {
            "reading": fields,
            "shape": [len(table), len(table.columns)],
            "names": packed(table.columns.array, buffers),
            "named": plain(table.columns.name),
            "index": None if usual else [packed(index.array, buffers), plain(index.name)],
        },
        buffers,
    )
    for _, column in table.held():
        buffers = []
        described = packed(column.values.array, buffers)
        if column.codes is not None:
            buffers.append(column.codes.view(np.uint8))
            described = {"values": described, "coded": column.codes.dtype.str}
        yield described, buffers


def assembled(head: Message, columns: list[CodedColumn]) -> Reading:
    """Return the reading of which a first message and the columns have come.

    Raises
    ------
    ValueError
        When they do not fit together.
    """
    content, buffers = head
    next_buffer = iter(buffers).__next__
    rows, width = content["shape"]
    names = pd.Index(unpacked(content["names"], next_buffer), name=restored(content["named"]))
    index = pd.RangeIndex(rows)
    if content["index"] is not None:
        packed_index, name = content["index"]
        index = pd.Index(unpacked(packed_index, next_buffer), name=restored(name))
    if len(names) != width or len(columns) != width or len(index) != rows or any(len(c) != rows for c in columns):
        raise ValueError("what came is not what was announced")
    table = CodedTable(names, index, columns)
    return Reading(table=table, **{name: restored(value) for name, value in content["reading"].items()})


def column_of(description: Description, buffers: list[Any]) -> CodedColumn:
    """Return the column that a message holds.

    Raises
    ------
    ValueError, KeyError, TypeError
        When it holds none.
    """
    next_buffer = iter(buffers).__next__
    if "coded" in description:
        values = _series(unpacked(description["values"], next_buffer))
        codes = np.asarray(next_buffer()).view(_safe(description["coded"]))
    elif "objects" in description:
        values = _series(_restored_objects(description["objects"]))
        codes = np.asarray(next_buffer()).view(np.uint32).astype(smallest(len(values)))
    else:
        return CodedColumn(_series(unpacked(description, next_buffer)))
    if codes.dtype.kind != "u" or (codes.size and int(codes.max()) >= len(values)):
        raise ValueError("codes without values")
    return CodedColumn(values, codes)


def _series(array: Any) -> pd.Series[Any]:
    """Return an array as a series of its own type: left to itself, pandas makes texts of objects."""
    return pd.Series(array, dtype=array.dtype, copy=False)


def packed(array: Any, buffers: list[Any]) -> Description:
    """Return what describes an array of pandas, and append its bytes to `buffers`."""
    if type(array) is pd.arrays.NumpyExtensionArray:
        array = array.to_numpy()
    dtype = array.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = packed(array.codes, buffers)
        return {"ordered": bool(dtype.ordered), "codes": codes, "levels": packed(dtype.categories.array, buffers)}
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = np.asarray(array.tz_convert("UTC").tz_localize(None))
        return {"zone": pa.lib.tzinfo_to_string(dtype.tz), "moments": packed(moments, buffers)}
    if isinstance(dtype, pd.PeriodDtype):
        return {"frequency": str(dtype)[len("period[") : -1], "periods": packed(array.astype("int64"), buffers)}
    if isinstance(dtype, pd.IntervalDtype):
        lower = packed(pd.Index(array.left).array, buffers)
        return {"closed": dtype.closed, "left": lower, "right": packed(pd.Index(array.right).array, buffers)}
    if masked := next((name for name, kind in _MASKED.items() if isinstance(array, kind)), None):
        values = array.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(1))
        return {"masked": masked, "values": packed(values, buffers), "mask": packed(array.isna(), buffers)}
    if isinstance(dtype, pd.StringDtype):
        _stream(array, pa.large_string(), buffers)
        return {"text": [dtype.storage, dtype.na_value is pd.NA]}
    if isinstance(dtype, pd.ArrowDtype):
        _stream(array, dtype.pyarrow_dtype, buffers)
        return {"arrow": str(dtype.pyarrow_dtype)}
    if isinstance(dtype, np.dtype) and dtype.kind in "biufcmM":
        buffers.append(np.ascontiguousarray(array).view(np.uint8))
        return {"numpy": dtype.str}
    return _objects(np.asarray(array, dtype=object), buffers)


def unpacked(description: Description, next_buffer: Callable[[], Any]) -> Any:
    """Return the array that `packed` described; `take` gives the next of its buffers."""
    if "numpy" in description:
        return np.asarray(next_buffer()).view(_safe(description["numpy"]))
    if "objects" in description:
        return _restored_objects(description["objects"])[np.asarray(next_buffer()).view(np.uint32)]
    if "codes" in description:
        codes = unpacked(description["codes"], next_buffer)
        levels = pd.Index(unpacked(description["levels"], next_buffer))
        return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(levels, description["ordered"]))
    if "zone" in description:
        zone = pa.lib.string_to_tzinfo(description["zone"])
        return pd.DatetimeIndex(unpacked(description["moments"], next_buffer)).tz_localize("UTC").tz_convert(zone).array
    if "periods" in description:
        period_index: Any = pd.PeriodIndex
        return period_index.from_ordinals(
            unpacked(description["periods"], next_buffer), freq=description["frequency"]
        ).array
    if "closed" in description:
        lower, upper = unpacked(description["left"], next_buffer), unpacked(description["right"], next_buffer)
        return pd.arrays.IntervalArray.from_arrays(lower, upper, closed=description["closed"])
    if "masked" in description:
        return _MASKED[description["masked"]](
            unpacked(description["values"], next_buffer), unpacked(description["mask"], next_buffer)
        )
    table = pa.ipc.open_stream(pa.py_buffer(next_buffer())).read_all()
    table.validate(full=True)
    column = table.column(0)
    if "text" in description:
        storage, marked = description["text"]
        dtype: Any = pd.StringDtype(storage, na_value=pd.NA if marked else np.nan)
        return dtype.__from_arrow__(column)
    return pd.arrays.ArrowExtensionArray(column)


def _stream(array: Any, type_: pa.DataType, buffers: list[Any]) -> None:
    column = pa.array(array, type=type_)
    table = pa.table({"": column})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    buffers.append(sink.getvalue())


def _objects(values: Any, buffers: list[Any]) -> Description:
    codes = np.empty(len(values), dtype=np.uint32)
    places: dict[Any, int] = {}
    levels: list[Any] = []
    for i, value in enumerate(values):
        kind = type(value)
        key = (kind, value) if kind in _PLAIN else (kind, repr(value)) if kind in _WRITTEN else id(value)
        at = places.get(key)
        if at is None:
            at = places[key] = len(levels)
            levels.append(plain(value))
        codes[i] = at
    buffers.append(codes.view(np.uint8))
    return {"objects": levels}


def plain(value: Any) -> Any:
    """Return a value as what JSON holds: itself, or an object of one name, its type, and what it is made of.

    Raises
    ------
    TypeError
        When its type is none that a reader gives.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        return value
    if kind is list:
        return [plain(v) for v in value]
    described = _made_of(value)
    if described is None:
        if isinstance(value, str):
            return str.__str__(value)
        raise TypeError(kind.__name__)
    return {described[0]: described[1]}


def _made_of(value: Any) -> tuple[str, Any] | None:
    if value is pd.NaT or value is pd.NA:
        return "missing", "NaT" if value is pd.NaT else "NA"
    if isinstance(value, np.generic) and value.dtype.kind in "biufcmMSU":
        return "numpy", [value.dtype.str, value.tobytes().hex()]
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "biufcmMSU":
            return "array", [value.dtype.str, list(value.shape), np.ascontiguousarray(value).tobytes().hex()]
        if value.dtype == object and value.ndim == 1:
            return "list of objects", [plain(v) for v in value]
    if isinstance(value, float):
        return "float", float(value).hex()
    if isinstance(value, pd.Timestamp):
        zone = None if value.tz is None else pa.lib.tzinfo_to_string(value.tz)
        return "Timestamp", [int(value.asm8.view("i8")), value.unit, zone]
    if isinstance(value, pd.Timedelta):
        return "Timedelta", [int(value.asm8.view("i8")), value.unit]
    if isinstance(value, pd.Period):
        return "Period", [value.ordinal, value.freqstr]
    if isinstance(value, pd.Interval):
        return "Interval", [plain(value.left), plain(value.right), value.closed]
    if isinstance(value, dt.datetime) and type(value.tzinfo) in (dt.timezone, type(None)):
        return "moment", [value.isoformat(), value.fold]
    if isinstance(value, dt.datetime):
        zone = pa.lib.tzinfo_to_string(value.tzinfo)
        return "datetime", [value.replace(tzinfo=None).isoformat(), zone, value.fold]
    if isinstance(value, dt.date):
        return "date", value.isoformat()
    if isinstance(value, dt.time) and value.tzinfo is None:
        return "time", value.isoformat()
    if isinstance(value, dt.timedelta):
        return "timedelta", [value.days, value.seconds, value.microseconds]
    if isinstance(value, complex):
        return "complex", [value.real.hex(), value.imag.hex()]
    if isinstance(value, Decimal | UUID):
        return type(value).__name__, str(value)
    if isinstance(value, bytes | bytearray):
        return "bytes", bytes(value).hex()
    if isinstance(value, tuple):
        return "tuple", [plain(v) for v in value]
    if isinstance(value, Mapping):
        return "dict", [[plain(k), plain(v)] for k, v in value.items()]
    if dataclasses.is_dataclass(value) and type(value).__module__ == _reading.__name__:
        fields = {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return "dataclass", [type(value).__name__, fields]
    return None


def restored(value: Any) -> Any:
    """Return the value that `plain` described.

    Raises
    ------
    ValueError, KeyError, TypeError
        When it describes none.
    """
    if isinstance(value, list):
        return [restored(v) for v in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    return _RESTORE[kind](content)


def _zoned(moment: Any, zone: str | None) -> Any:
    return moment if zone is None else moment.tz_localize("UTC").tz_convert(pa.lib.string_to_tzinfo(zone))


def _array(dtype: str, shape: list[int], written: str) -> Any:
    return np.frombuffer(bytearray.fromhex(written), _safe(dtype)).reshape(shape)


def _datetime(written: str, zone: str, fold: int) -> dt.datetime:
    return dt.datetime.fromisoformat(written).replace(tzinfo=pa.lib.string_to_tzinfo(zone), fold=fold)


def _dataclass(name: str, fields: dict[str, Any]) -> Any:
    kind = getattr(_reading, name)
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise ValueError(name)
    return kind(**{field: restored(v) for field, v in fields.items()})


def _safe(dtype: str) -> np.dtype[Any]:
    checked = np.dtype(dtype)
    if checked.kind not in "biufcmMSU":
        raise ValueError(dtype)
    return checked


def _restored_objects(contents: list[Any]) -> Any:
    values = np.empty(len(contents), dtype=object)
    for i, value in enumerate(contents):
        values[i] = restored(value)
    return values


_RESTORE: dict[str, Callable[[Any], Any]] = {
    "missing": lambda content: {"NaT": pd.NaT, "NA": pd.NA}[content],
    "numpy": lambda content: np.frombuffer(bytes.fromhex(content[1]), _safe(content[0]))[0],
    "array": lambda content: _array(*content),
    "list of objects": _restored_objects,
    "float": float.fromhex,
    "Timestamp": lambda content: _zoned(pd.Timestamp(np.datetime64(content[0], content[1])), content[2]),
    "Timedelta": lambda content: pd.Timedelta(np.timedelta64(content[0], content[1])),
    "Period": lambda content: pd.Period(ordinal=content[0], freq=content[1]),
    "Interval": lambda content: pd.Interval(restored(content[0]), restored(content[1]), content[2]),
    "moment": lambda content: dt.datetime.fromisoformat(content[0]).replace(fold=content[1]),
    "datetime": lambda content: _datetime(*content),
    "date": dt.date.fromisoformat,
    "time": dt.time.fromisoformat,
    "timedelta": lambda content: dt.timedelta(*content),
    "complex": lambda content: complex(*map(float.fromhex, content)),
    "Decimal": Decimal,
    "UUID": UUID,
    "bytes": bytes.fromhex,
    "tuple": lambda content: tuple(restored(v) for v in content),
    "dict": lambda content: {restored(k): restored(v) for k, v in content},
    "dataclass": lambda content: cast("Any", _dataclass(*content)),
}
