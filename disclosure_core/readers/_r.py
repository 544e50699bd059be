"""R's own files: data frames, lists of them, and synthpop's synds. Nothing in them is evaluated."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import warnings
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.errors import DisclosureError
from disclosure_core.readers._reading import Limits, Part, ReadOptions, damaged

if TYPE_CHECKING:
    from collections.abc import Iterator


def r(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read an .rds or .RData file: a data frame, the data frames of a list, or those of an object of class synds."""
    import rdata

    plain = _unpacked(data, name, limits)
    known = {**rdata.conversion.DEFAULT_CLASS_MAP, "Date": _date, "POSIXct": _time, "tbl_df": _inner, "tbl": _inner}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes it does not know come as what they are made of
            found = rdata.conversion.convert(rdata.parser.parse_data(plain), known)
    except RecursionError:
        raise damaged(name, "R") from None
    except Exception as error:  # the parser of a hostile file may fail in any way
        raise damaged(name, "R") from error
    parts = list(_frames(found))
    if not parts:
        raise DisclosureError(f"{name} holds no data frame; save a data frame, a list of them, or a synds object.")
    yield from parts


def _unpacked(data: bytes, name: str, limits: Limits) -> bytes:
    """Return what R compressed, never more than the limit."""
    most = limits.megabytes * 1_000_000
    openers = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open))
    opener = next((o for mark, o in openers if data.startswith(mark)), None)
    if opener is None:
        return data
    try:
        with opener(io.BytesIO(data)) as packed:
            plain: bytes = packed.read(most + 1)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise damaged(name, "R") from None
    if len(plain) > most:
        raise DisclosureError(f"{name} unpacks to more than is allowed; save the data as Parquet.")
    return plain


def _frames(found: Any, name: str = "") -> Iterator[Part]:
    if isinstance(found, pd.DataFrame):
        yield Part(_tidy(found), name)
    elif isinstance(found, Mapping):
        if "syn" in found and "cont.na" in found:
            codes = _codes(found["cont.na"])
            for part in _frames(found["syn"], "syn"):
                held = {c: v for c, v in codes.items() if c in part.frame.columns}
                yield Part(part.frame, part.name, missing_codes=held, notes=("An object saved by synthpop.",))
        else:
            for key, value in found.items():
                if isinstance(value, (pd.DataFrame, Mapping)) and _is_data(value):
                    yield from _frames(value, str(key))
    elif isinstance(found, list):
        for i, value in enumerate(found, 1):
            if isinstance(value, pd.DataFrame):
                yield Part(_tidy(value), f"{name} {i}".strip())


def _is_data(value: Any) -> bool:
    return isinstance(value, pd.DataFrame) or ("syn" in value and "cont.na" in value)


def _codes(cont_na: Any) -> dict[str, tuple[float, ...]]:
    """Return synthpop's missing codes: each column's values other than NA."""
    codes = {}
    for column, values in dict(cont_na).items() if isinstance(cont_na, Mapping) else ():
        numbers = pd.to_numeric(pd.Series(np.ma.masked_array(values).compressed()), errors="coerce").dropna()
        if len(numbers):
            codes[str(column)] = tuple(float(n) for n in numbers)
    return codes


def _tidy(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.reset_index(drop=True)


def _date(values: Any, attributes: Any) -> Any:
    """R's Date: days since 1970."""
    days = np.ma.masked_array(values, dtype=float).filled(np.nan)
    return pd.array(pd.to_datetime(days, unit="D"))


def _time(values: Any, attributes: Any) -> Any:
    """R's POSIXct: seconds since 1970."""
    seconds = np.ma.masked_array(values, dtype=float).filled(np.nan)
    return pd.array(pd.to_datetime(seconds, unit="s"))


def _inner(values: Any, attributes: Any) -> Any:
    return values
