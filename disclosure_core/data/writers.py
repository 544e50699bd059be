"""A table written in the format it came in, for a safer synthesis to take the place of the one that was read."""

from __future__ import annotations

import gzip
import io
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.data.rewriters import Rewritten, rewrite
from disclosure_core.data.rewriters._memory import bytes_written
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from disclosure_core.data.readers import Limits, Reading, ReadOptions
    from disclosure_core.data.rewriters import Change

ENDINGS = {
    "CSV": ".csv", "Parquet": ".parquet", "Arrow": ".feather", "Excel": ".xlsx", "OpenDocument": ".xlsx",
    "SPSS": ".sav", "SPSS portable": ".sav", "Stata": ".dta", "SAS": ".xpt", "SAS transport": ".xpt", "R": ".rds",
}  # fmt: skip
"""Ending of the file that is written, by the format that was read."""


def safer(
    reading: Reading | None,
    frame: pd.DataFrame,
    change: Change,
    missing_codes: Mapping[str, tuple[float, ...]] | None = None,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
) -> Rewritten:
    """Return the file of a safer table: the one that came in with what changed, or else a plain one, which says so.

    Parameters
    ----------
    reading
        The table as it was read; None where there was no file, and Parquet is written.
    frame
        The table as it shall be.
    change
        What was done to it.
    missing_codes
        As for `write`.
    limits, waiting
        As for `readers.read`: the file that came in is parsed once more, in a process of its own.

    Raises
    ------
    DisclosureError
        As `write` and `rewrite`.
    """
    frame = frame.assign(**change.labels)
    if reading is None:
        return Rewritten(*write(frame, "Parquet"))
    rewritten = rewrite(reading, change, limits, waiting)
    if rewritten is not None:
        return rewritten
    ending, data = write(frame, reading.format, reading.options, missing_codes)
    note = (
        "Written anew from its values, since the file could not be taken as it was: codes with labels, declared "
        "missing values, labels of columns and formats may differ from those that came in."
    )
    return Rewritten(ending, data, (note,))


def write(
    frame: pd.DataFrame,
    format_: str,
    options: ReadOptions | None = None,
    missing_codes: Mapping[str, tuple[float, ...]] | None = None,
) -> tuple[str, bytes]:
    """Return the file's ending and its bytes.

    Parameters
    ----------
    frame
        The table.
    format_
        As `Reading.format` names it. Formats that no library writes give way to their nearest kin: OpenDocument and
        old Excel to .xlsx, SAS to its transport file, SPSS portable to .sav, .RData to .rds.
    options
        Delimiter, decimal mark and encoding of a text file, as it was read.
    missing_codes
        Values that stand for "no answer", by column; SPSS files declare them.

    Raises
    ------
    DisclosureError
        When the table cannot be written so: a name or a text that the format does not take.
    """
    frame = only_used(frame)
    writers: dict[str, Callable[[], bytes]] = {
        "CSV": lambda: _csv(frame, options),
        "Parquet": lambda: _to(frame.to_parquet, index=False),
        "Arrow": lambda: _to(frame.reset_index(drop=True).to_feather),
        "Excel": lambda: _excel(frame, options.sheet if options else None),
        "OpenDocument": lambda: _excel(frame, options.sheet if options else None),
        "SPSS": lambda: _spss(frame, missing_codes or {}),
        "SPSS portable": lambda: _spss(frame, missing_codes or {}),
        "Stata": lambda: _to(_plain(frame).to_stata, write_index=False, version=118),
        "SAS": lambda: _sas(frame),
        "SAS transport": lambda: _sas(frame),
        "R": lambda: _r(frame),
    }
    try:
        return ENDINGS[format_], writers[format_]()
    except DisclosureError:
        raise
    except Exception as error:  # a library's own complaint about a name, a type or an encoding
        raise DisclosureError(
            f"This table cannot be written as {format_}: a name or a text in it does not fit; take Parquet instead."
        ) from error


def ending_of(reading: Reading) -> str:
    """Return the ending of the file that `safer` makes of a table."""
    own = "" if reading.source is None else PurePosixPath(reading.source.path).suffix.lower()
    writable = {
        ".csv",
        ".tsv",
        ".tab",
        ".txt",
        ".parquet",
        ".arrow",
        ".feather",
        ".xlsx",
        ".ods",
        ".sav",
        ".zsav",
        ".dta",
        ".rds",
    }
    return own if own in writable else ENDINGS[reading.format]


def renamed(name: str, ending: str) -> str:
    """Return a table's name, as `Reading.name` has it, with another ending: "set.zip / one.csv" is "set_one.csv"."""
    parts = [PurePosixPath(part.strip()).name.removesuffix(".gz") for part in name.split(" / ")]
    return "_".join(PurePosixPath(part).stem for part in parts) + ending


def only_used(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without categories that no record has: a file's dictionary would name who was removed."""
    columns = {
        i: values.cat.remove_unused_categories() if isinstance(values.dtype, pd.CategoricalDtype) else values
        for i, values in enumerate(frame.iloc[:, i] for i in range(frame.shape[1]))
    }
    return pd.DataFrame(columns, frame.index, copy=False).set_axis(frame.columns, axis=1)


def _to(writer: Callable[..., Any], **how: Any) -> bytes:
    sink = io.BytesIO()
    writer(sink, **how)
    return sink.getvalue()


def _csv(frame: pd.DataFrame, options: ReadOptions | None) -> bytes:
    delimiter = (options and options.delimiter) or ","
    encoding = (options and options.encoding) or "utf-8"
    header = options is None or options.header is not False
    text = frame.to_csv(sep=delimiter, decimal=(options and options.decimal) or ".", index=False, header=header)
    return text.encode(encoding)


def _excel(frame: pd.DataFrame, sheet: str | None = None) -> bytes:
    from disclosure_core.data.workbook import to_excel

    return to_excel({sheet or "data": frame})


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without the types that old formats do not know: truth values, whole numbers with gaps."""
    columns = {}
    for name in frame.columns:
        values = frame[name]
        if pd.api.types.is_bool_dtype(values.dtype):
            values = values.astype("str").astype("category")
        elif pd.api.types.is_extension_array_dtype(values.dtype) and pd.api.types.is_numeric_dtype(values.dtype):
            values = values.astype(float)
        columns[name] = values
    return pd.DataFrame(columns)


def _spss(frame: pd.DataFrame, missing_codes: Mapping[str, tuple[float, ...]]) -> bytes:
    import pyreadstat

    columns, labels = {}, {}
    for name, values in _plain(frame).items():
        if isinstance(values.dtype, pd.CategoricalDtype):
            labels[name] = {float(i): str(level) for i, level in enumerate(values.cat.categories, 1)}
            codes = values.cat.codes.astype(float) + 1
            columns[name] = codes.where(codes > 0)
        else:
            columns[name] = values
    declared = {
        name: there[:3]
        for name, codes in missing_codes.items()
        if name in columns and name not in labels and (there := [c for c in codes if (columns[name] == c).any()])
    }
    how: dict[str, Any] = {"variable_value_labels": labels, "missing_ranges": declared or None}
    return bytes_written(lambda path: pyreadstat.write_sav(pd.DataFrame(columns), path, **how))


def _sas(frame: pd.DataFrame) -> bytes:
    import pyreadstat

    columns = {
        name: values.astype("str").where(values.notna(), "")
        if isinstance(values.dtype, pd.CategoricalDtype)
        else values
        for name, values in _plain(frame).items()
    }
    return bytes_written(lambda path: pyreadstat.write_xport(pd.DataFrame(columns), path))


def _r(frame: pd.DataFrame) -> bytes:
    import rdata
    from rdata.conversion.to_r import DEFAULT_CLASS_MAP

    columns = {}
    for name, values in _plain(frame).items():
        if not pd.api.types.is_numeric_dtype(values.dtype) and not isinstance(values.dtype, pd.CategoricalDtype):
            values = values.astype("str").where(values.notna()).astype("category")
        columns[name] = values
    frame = pd.DataFrame(columns)
    how: dict[str, Any] = {"compression": None, "constructor_dict": {**DEFAULT_CLASS_MAP, pd.Categorical: _factor}}
    return gzip.compress(bytes_written(lambda path: rdata.write_rds(path, frame, **how)), mtime=0)


def _factor(values: pd.Categorical, converter: Any) -> Any:
    """Return a factor; rdata's own writes a missing value as level 0, and forgets the order."""
    from rdata.conversion.to_r import build_r_object
    from rdata.missing import R_INT_NA
    from rdata.parser import RObjectType

    kind = ["ordered", "factor"] if values.ordered else ["factor"]
    attributes = {"levels": values.categories.to_numpy(dtype=object), "class": np.array(kind, dtype=object)}
    codes = np.ma.array(values.codes.astype(np.int32) + 1, mask=values.codes < 0, fill_value=R_INT_NA)
    return build_r_object(
        RObjectType.INT, value=codes, is_object=True, attributes=converter.convert_to_r_attributes(attributes)
    )
