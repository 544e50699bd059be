"""A table written in the format it came in, for a safer synthesis to take the place of the one that was read."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.data.rewriters import Change, Rewritten, rewrite
from disclosure_core.data.undated import undated
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.readers import Limits, Reading, ReadOptions

ENDINGS = {"CSV": ".csv", "Parquet": ".parquet", "Arrow": ".feather", "Excel": ".xlsx", "OpenDocument": ".xlsx"}
"""Ending of the file that is written of values alone, by the format that was read; Parquet's for the others."""

_REWRITTEN = {".por": ".sav", ".sas7bdat": ".xpt", ".rdata": ".rds", ".rda": ".rds"}
"""Ending of the file that is made of one that came in, where it is another."""

_OLD_STATA = range(102, 110)
"""First bytes of files of Stata 1 to 6, of which none is made anew."""


def safer(
    reading: Reading | None,
    frame: pd.DataFrame,
    change: Change,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
) -> Rewritten:
    """Return the file of a safer table: the one that came in with what changed, or else its values, which it says.

    Parameters
    ----------
    reading
        The table as it was read; None where there was no file, and Parquet is written.
    frame
        The table as it shall be.
    change
        What was done to it.
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
        return replace(rewritten, data=undated(rewritten.ending, rewritten.data))
    ending, data = write(frame, reading.format, reading.options)
    as_parquet = "" if reading.format in ENDINGS else " as Parquet"
    note = (
        f"Written anew from its values{as_parquet}, since the file could not be taken as it was: codes with labels, "
        "declared missing values, labels of columns and formats may differ from those that came in."
    )
    return Rewritten(ending, undated(ending, data), (note,))


def write(frame: pd.DataFrame, format_: str, options: ReadOptions | None = None) -> tuple[str, bytes]:
    """Return the ending and the bytes of a file that holds the values of a table.

    Parameters
    ----------
    frame
        The table.
    format_
        As `Reading.format` names it. Parquet is written for formats that hold more than values, as those of SPSS,
        Stata, SAS and R do: what looks like one of their files would have lost what makes it one.
    options
        Delimiter, decimal mark and encoding of a text file, as it was read.

    Raises
    ------
    DisclosureError
        When the table cannot be written so: a name or a text that the format does not take.
    """
    frame = only_used(frame)
    format_ = format_ if format_ in ENDINGS else "Parquet"
    writers: dict[str, Callable[[], bytes]] = {
        "CSV": lambda: _csv(frame, options),
        "Parquet": lambda: _to(frame.to_parquet, index=False),
        "Arrow": lambda: _to(frame.reset_index(drop=True).to_feather),
        "Excel": lambda: _excel(frame, options.sheet if options else None),
    }
    try:
        return ENDINGS[format_], writers["Excel" if format_ == "OpenDocument" else format_]()
    except DisclosureError:
        raise
    except Exception as error:  # a library's own complaint about a name, a type or an encoding
        raise DisclosureError(
            f"This table cannot be written as {format_}: a name or a text in it does not fit; take Parquet instead."
        ) from error


def ending_of(reading: Reading) -> str:
    """Return the ending of the file that `safer` makes of a table."""
    source = reading.source
    if source is None:
        return ENDINGS.get(reading.format, ".parquet")
    own = PurePosixPath(source.path).suffix.lower()
    unnamed_sheet = reading.options.header is False and own in (".xlsx", ".ods")
    old = own == ".xls" or (own == ".dta" and source.data[0] in _OLD_STATA)
    return ENDINGS.get(reading.format, ".parquet") if unnamed_sheet or old else _REWRITTEN.get(own, own)


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

    return to_excel({sheet or "data": frame}, raw=True)
