"""Frames as one Excel workbook: numbers stay numbers, text never runs."""

from __future__ import annotations

import datetime as dt
import io
import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_ROWS = 1_048_575
"""Rows below the header that a sheet of Excel has room for."""

_NO_DAY = dt.datetime(1980, 1, 1)
"""What stands as the moment of making, as it does for the parts within: a workbook tells of no working hours."""


def to_excel(sheets: Mapping[str, pd.DataFrame], heads: Mapping[str, Mapping[str, str]] | None = None) -> bytes:
    """Return one workbook, a sheet a table; text is written as text, so that nothing in it is a formula or a link.

    Parameters
    ----------
    sheets
        Tables by the name of their sheet; every one can be filtered by any column.
    heads
        By sheet and column, what the header says instead of the column's name.

    Raises
    ------
    DisclosureError
        When a table has more rows than a sheet.
    """
    import xlsxwriter

    sink = io.BytesIO()
    quiet = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(sink, quiet) as book:
        book.set_properties({"created": _NO_DAY})
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        plain = book.add_format({"num_format": "0.00"})
        for name, (raw, frame) in zip(_sheet_names(sheets), sheets.items(), strict=True):
            if len(frame) > _MOST_ROWS:
                raise DisclosureError(f"The table {name!r} has more rows than a sheet of Excel; take CSV or Parquet.")
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 1)
            if len(frame.columns):
                sheet.autofilter(0, 0, len(frame), len(frame.columns) - 1)
            said = (heads or {}).get(raw, {})
            for j, column in enumerate(frame.columns):
                sheet.write_string(0, j, said.get(str(column), str(column)), head)
                real = pd.api.types.is_float_dtype(frame[column].dtype)
                for i, value in enumerate(frame[column].tolist(), 1):
                    if pd.isna(value) or (isinstance(value, float) and not np.isfinite(value)):
                        continue
                    if isinstance(value, bool):
                        sheet.write_boolean(i, j, value)
                    elif isinstance(value, (int, float)):
                        sheet.write_number(i, j, value, plain if real else None)
                    else:
                        sheet.write_string(i, j, str(value))
            sheet.autofit(max_width=480)
    return sink.getvalue()


def _sheet_names(sheets: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return names that Excel takes: 31 letters at most, no brackets, slashes and such, each once."""
    names: list[str] = []
    for raw in sheets:
        name = re.sub(r"[\[\]:*?/\\]", " ", raw).strip("' ")[:31] or "table"
        n = 2
        while name.lower() in (used.lower() for used in names):
            name = f"{name[:27]} ({n})"
            n += 1
        names.append(name)
    return names
