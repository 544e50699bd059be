"""One side of a column, however it was stored, as codes and distinct values."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from disclosure_core.arrays import Array, Mask
from disclosure_core.data.values._coding import distinct, object_array
from disclosure_core.data.values._numbers import as_signed, plain_floats, plain_numbers, plainest, texts, whole_numbers
from disclosure_core.data.values._times import (
    UNITS,
    as_moment,
    in_nanoseconds,
    length_of,
    moment_texts,
    since_1970,
    since_midnight,
    span_text,
    time_text,
    zone_name,
)
from disclosure_core.data.values._types import FALSE, TRUE, Side, Sort
from disclosure_core.errors import DisclosureError


def side_of(name: str, values: pd.Series[Any] | pa.Array | pa.ChunkedArray) -> Side:
    """Return one side of column `name` as codes and distinct values; categories that no record has are dropped."""
    try:
        side = _of_series(values) if isinstance(values, pd.Series) else _of_arrow(values)
    except (TypeError, pa.ArrowNotImplementedError):
        raise DisclosureError(
            f"{name!r} holds lists or other values that are no single answer; make them text first."
        ) from None
    except _BytesError:
        raise DisclosureError(
            f"{name!r} holds bytes, which nobody can read as an answer; make them text first, or remove it."
        ) from None
    return side if len(side.values) else replace(side, sort=None)


class _BytesError(Exception):
    """A column holds bytes."""


def _of_series(series: pd.Series[Any]) -> Side:
    dtype: Any = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biufmM":
        return _of_numpy(series.to_numpy(), None)
    array: Any = series.array
    if isinstance(dtype, pd.SparseDtype):
        return _of_series(pd.Series(np.asarray(array)))
    if isinstance(dtype, pd.CategoricalDtype):
        return _listed(_of_series(pd.Series(dtype.categories)), np.asarray(array.codes), ordered=bool(dtype.ordered))
    if isinstance(dtype, pd.ArrowDtype) or (isinstance(dtype, pd.StringDtype) and dtype.storage == "pyarrow"):
        return _of_arrow(array.__arrow_array__())
    if isinstance(dtype, pd.PeriodDtype):
        return _periods(series)
    if isinstance(dtype, pd.IntervalDtype):
        codes, uniques = pd.factorize(series, sort=True)
        return Side(Sort.TEXT, codes, object_array(map(str, uniques)), listed=True, ordered=True)
    if isinstance(dtype, pd.DatetimeTZDtype):
        instants = array.tz_convert("UTC").tz_localize(None).to_numpy()
        return replace(_of_numpy(instants, None), zone=zone_name(dtype.tz))
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        missing = series.isna().to_numpy()
        plain: Any = getattr(dtype, "numpy_dtype", None)
        if isinstance(plain, np.dtype) and plain.kind in "biuf":
            return _of_numpy(series.to_numpy(dtype=plain, na_value=plain.type(0)), missing if missing.any() else None)
    return _of_objects(series)


def _of_arrow(array: pa.Array | pa.ChunkedArray) -> Side:
    """Return one side that is Arrow's; of texts and decimals only the distinct values become Python's."""
    if isinstance(array, pa.ChunkedArray):
        array = _as_one_array(array)
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _arrow_texts(array)
    if pa.types.is_run_end_encoded(kind):
        return _of_arrow(pc.run_end_decode(array))
    if pa.types.is_dictionary(kind):
        missing = array.indices.is_null().to_numpy(zero_copy_only=False)
        codes = array.indices.fill_null(0).to_numpy().astype(np.int64)
        codes[missing] = -1
        return _listed(_of_arrow(array.dictionary), codes, ordered=bool(kind.ordered))
    if isinstance(kind, pa.BaseExtensionType):
        return _extension(array)
    if pa.types.is_null(kind):
        return Side(None, np.full(len(array), -1), np.zeros(0, dtype=object))
    if pa.types.is_nested(kind) or pa.types.is_interval(kind):
        raise TypeError
    if any(test(kind) for test in (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)):
        raise _BytesError
    if str(kind) == "binary_view":
        raise _BytesError
    if pa.types.is_decimal(kind):
        return _arrow_decimals(array)
    numpy = _numpy_of(array)
    if numpy is not None:
        side = _of_numpy(numpy, array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None)
        if pa.types.is_time(kind):
            return replace(side, sort=Sort.TIME)
        return replace(side, zone=zone_name(kind.tz)) if pa.types.is_timestamp(kind) else side
    if str(kind) == "string_view":
        return _arrow_texts(array.cast(pa.large_string()))
    return _of_objects(array.to_pandas())


def _arrow_texts(array: pa.Array) -> Side:
    encoded = array.dictionary_encode()
    indices = encoded.indices.fill_null(-1) if array.null_count else encoded.indices
    texts_of_codes = encoded.dictionary.to_numpy(zero_copy_only=False)
    return Side(Sort.TEXT, indices.to_numpy(zero_copy_only=False), texts_of_codes)


def _as_one_array(array: pa.ChunkedArray) -> pa.Array:
    """Return one array; its dictionaries become one, in the order of the first."""
    if array.num_chunks == 1:
        return array.chunk(0)
    try:
        combined = array.combine_chunks()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # dictionaries of some types: only their order is lost
        combined = pa.chunked_array([chunk.dictionary_decode() for chunk in array.chunks]).combine_chunks()
    return combined if isinstance(combined, pa.Array) else pa.concat_arrays(combined.chunks)


def _extension(array: pa.Array) -> Side:
    """Return one side of a type that a library added to Arrow: what pandas makes of it, else as stored."""
    series = array.to_pandas()
    is_extension = not isinstance(series.dtype, np.dtype)
    if is_extension and not isinstance(series.dtype, pd.ArrowDtype):
        return _of_series(series)
    if str(array.type.extension_name) == "arrow.bool8":
        return _of_arrow(array.storage.cast(pa.bool_()))
    if str(array.type.extension_name) == "arrow.uuid":
        return _of_objects(pd.Series(array.to_pylist(), dtype=object))
    return _of_arrow(array.storage)


def _numpy_of(array: pa.Array) -> Array | None:
    """Return an array of numbers, booleans or times as numpy's, anything where it is null; None for other types."""
    kind = array.type
    types = pa.types
    if types.is_boolean(kind):
        return array.fill_null(False).to_numpy(zero_copy_only=False)
    if types.is_float16(kind):  # Arrow fills no float of 16 bits; its nulls become NaN
        return array.to_numpy(zero_copy_only=False).astype(np.float16)
    if types.is_integer(kind) or types.is_floating(kind):
        return _filled(array).to_numpy(zero_copy_only=False)
    if types.is_date32(kind):
        return _filled(array.view(pa.int32())).to_numpy(zero_copy_only=False).astype("M8[D]")
    if types.is_date64(kind):
        return _filled(array.view(pa.int64())).to_numpy(zero_copy_only=False).astype("M8[ms]")
    if types.is_timestamp(kind):
        return _filled(array.view(pa.int64())).to_numpy(zero_copy_only=False).astype(f"M8[{kind.unit}]")
    if types.is_time(kind):
        width = pa.int32() if types.is_time32(kind) else pa.int64()
        return _filled(array.view(width)).to_numpy(zero_copy_only=False).astype(f"m8[{kind.unit}]")
    if types.is_duration(kind):
        return _filled(array.view(pa.int64())).to_numpy(zero_copy_only=False).astype(f"m8[{kind.unit}]")
    return None


def _filled(array: pa.Array) -> pa.Array:
    """Return numbers with some number where they are null."""
    return array.fill_null(0) if array.null_count else array


def _arrow_decimals(array: pa.Array) -> Side:
    # Arrow codes decimals of 128 and 256 bits only.
    kind = array.type
    if kind.bit_width < 128:
        array = array.cast(pa.decimal128(kind.precision, kind.scale))
    encoded = array.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    if kind.scale == 0 and kind.precision <= 18:
        return Side(Sort.NUMBER, codes, encoded.dictionary.cast(pa.int64()).to_numpy(zero_copy_only=False))
    return Side(Sort.NUMBER, codes, plainest(encoded.dictionary.to_pylist()))


def _listed(values: Side, codes: Array, *, ordered: bool) -> Side:
    """Return one side whose file lists its values: `codes` into the list, of which `values` are the single values."""
    sort = values.sort
    through = np.append(values.codes, -1)[codes]  # the last entry serves code -1
    # In the order of the list, without what no record has.
    used = np.zeros(len(values.values) + 1, dtype=bool)
    used[through] = True
    used_codes = [code for code in dict.fromkeys(values.codes.tolist()) if code >= 0 and used[code]]
    table = np.full(len(values.values) + 1, -1, dtype=np.int64)
    table[used_codes] = np.arange(len(used_codes))
    return Side(sort, table[through], values.values[used_codes], listed=True, ordered=ordered, zone=values.zone)


def _of_numpy(values: Array, missing: Mask | None) -> Side:
    """Return one side of numbers, booleans, moments or durations."""
    kind = values.dtype.kind
    if kind in "mM":
        missing = np.isnat(values) if missing is None else missing | np.isnat(values)
        unit = np.datetime_data(values.dtype)[0]
        if unit not in UNITS:  # hours, minutes: nothing that pandas or Arrow make
            values, unit = values.astype(f"{kind}8[s]"), "s"
        codes, numbers = distinct(values.astype(np.int64), missing)
        step = UNITS[unit] * np.datetime_data(values.dtype)[1]
        return Side(Sort.MOMENT if kind == "M" else Sort.SPAN, codes, in_nanoseconds(numbers, step))
    if kind == "f":
        empty = np.isnan(values)
        missing = empty if missing is None else missing | empty
    codes, numbers = distinct(values, missing if missing is not None and missing.any() else None)
    if kind == "b":
        return Side(Sort.LOGICAL, codes, numbers.astype(bool))
    return Side(Sort.NUMBER, codes, plain_floats(numbers) if kind == "f" else as_signed(numbers))


def _periods(series: pd.Series[Any]) -> Side:
    codes, uniques = pd.factorize(series, sort=True)
    periods = pd.PeriodIndex(uniques)
    if periods.freqstr.split("-")[0] in {"D", "h", "min", "s", "ms", "us", "ns"}:
        starts = _of_series(pd.Series(periods.to_timestamp()))
        return replace(starts, codes=np.append(starts.codes, -1)[codes])
    return Side(Sort.TEXT, codes, object_array(map(str, periods)), ordered=True)


def _of_objects(series: pd.Series[Any]) -> Side:
    """Return one side of Python's objects, or of pandas' texts: what all of its values are."""
    if series.dtype == object and pd.api.types.infer_dtype(series, skipna=True).startswith("mixed"):
        # To Python, and so to pandas, True is the number 1.
        series = series.map(lambda value: _Boolean(bool(value)) if isinstance(value, bool | np.bool_) else value)
    codes, uniques = pd.factorize(series, use_na_sentinel=True)
    sort, values, zone = _of_distinct(object_array(uniques))
    return Side(sort, codes, values, zone=zone)


@dataclass(frozen=True, slots=True)
class _Boolean:
    """A boolean that is no number."""

    value: bool


def _of_distinct(uniques: npt.NDArray[np.object_]) -> tuple[Sort, Array, str | None]:
    """Return what the values are, the values themselves, and their time zone."""
    listed = uniques.tolist()
    inferred = pd.api.types.infer_dtype(uniques, skipna=True)
    if inferred == "string" or not listed:
        return Sort.TEXT, uniques, None
    if any(isinstance(v, bytes | bytearray | memoryview) for v in listed):
        raise _BytesError
    if any(isinstance(v, list | tuple | set | frozenset | dict | np.ndarray) for v in listed):
        raise TypeError
    if inferred == "boolean":
        return Sort.LOGICAL, uniques.astype(bool), None
    if all(isinstance(v, Real | Decimal) for v in listed):
        return Sort.NUMBER, plain_numbers(listed), None
    if all(isinstance(v, dt.date | np.datetime64) for v in listed):
        stamps = [since_1970(v) for v in listed]
        if len({zoned for _, zoned in stamps}) == 1:
            zone = zone_name(as_moment(listed[0]).tzinfo) if stamps[0][1] else None
            return Sort.MOMENT, whole_numbers([n for n, _ in stamps]), zone
    if all(isinstance(v, dt.time) and v.tzinfo is None for v in listed):
        return Sort.TIME, np.array([since_midnight(v) for v in listed], dtype=np.int64), None
    if all(isinstance(v, dt.timedelta | np.timedelta64) for v in listed):
        return Sort.SPAN, whole_numbers([length_of(v) for v in listed]), None
    if inferred == "period" and len({v.freqstr for v in listed}) == 1:
        side = _periods(pd.Series(pd.PeriodIndex(listed)))
        assert side.sort is not None
        return side.sort, side.values[side.codes], None
    return Sort.TEXT, object_array(map(text_of, listed)), None


def text_of(value: Any) -> str:
    """Return one value as a person sees it, whatever stands beside it."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, _Boolean):
        value = value.value
    if isinstance(value, bool | np.bool_):
        return TRUE if value else FALSE
    if isinstance(value, Real | Decimal):
        return texts(plain_numbers([value]))[0]
    if isinstance(value, dt.date | np.datetime64):
        nanoseconds, zoned = since_1970(value)
        return str(as_moment(value).isoformat()) if zoned else moment_texts(whole_numbers([nanoseconds]))[0]
    if isinstance(value, dt.time):
        return time_text(since_midnight(value)) if value.tzinfo is None else value.isoformat()
    return span_text(length_of(value)) if isinstance(value, dt.timedelta | np.timedelta64) else str(value)
