"""Frames as one Excel workbook: numbers stay numbers, text never runs."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from disclosure_core.data.placing import encoded
from disclosure_core.data.typeset import Column, typed
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import visible
from disclosure_core.version import __version__

_MOST_ROWS = 1_048_575
"""Rows below the header that a sheet of Excel has room for."""

_MOST_COLUMNS, _MOST_LETTERS = 16_384, 32_767
"""Columns of a sheet, and letters of a cell as Excel counts them: two where UTF-16 has two."""

_LONGEST = 31
"""Letters of a sheet's name."""

_RESERVED = "history"
"""A name that Excel keeps for itself: it opens no workbook with such a sheet."""

_NO_DAY = dt.datetime(1980, 1, 1)
"""What stands as the moment of making, as it does for the parts within: a workbook tells of no working hours."""


def to_excel(
    sheets: Mapping[str, pd.DataFrame],
    columns: Mapping[str, Mapping[str, Column]] | None = None,
    title: str = "",
    *,
    raw: bool = False,
) -> bytes:
    """Return one workbook, a sheet a table; text is written as text, so that nothing in it is a formula or a link.

    No text turns what stands beside it: letters that nobody sees stand as their code. A text that is longer than a
    cell is cut, and says how long it was; data are never cut.

    Parameters
    ----------
    sheets
        Tables by the name of their sheet; every one can be filtered by any column.
    columns
        By sheet and column, label, unit and digits; a column without is called what it is.
    title
        Of the workbook, in its properties.
    raw
        Whether every letter is to stay as it is: the sheets are data.

    Raises
    ------
    DisclosureError
        When a table has more rows or columns than a sheet, or data more letters than a cell.
    """
    import xlsxwriter

    def text(said: str) -> str:
        whole = encoded(said).decode() if raw or said.isprintable() else "\n".join(map(visible, said.split("\n")))
        if len(whole) <= _MOST_LETTERS // 2 or (letters := _letters(whole)) <= _MOST_LETTERS:
            return whole
        if raw:
            raise DisclosureError("A cell has more letters than a cell of Excel; take CSV or Parquet.")
        end = f" … (cut: {letters:,} letters)"
        return whole.encode("utf-16-le")[: 2 * (_MOST_LETTERS - len(end))].decode("utf-16-le", "ignore") + end

    sink = io.BytesIO()
    quiet = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(sink, quiet) as book:
        book.set_properties({"created": _NO_DAY, "title": title, "author": f"disclosure {__version__}"})
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        plain = {n: book.add_format({"num_format": f"0.{'0' * n}" if n else "0"}) for n in range(10)}
        for name, (table, frame) in zip(_sheet_names(sheets), sheets.items(), strict=True):
            for what, n, most in (("rows", len(frame), _MOST_ROWS), ("columns", len(frame.columns), _MOST_COLUMNS)):
                if n > most:
                    raise DisclosureError(
                        f"The table {name!r} has more {what} than a sheet of Excel; take CSV or Parquet."
                    )
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 1)
            if len(frame.columns):
                sheet.autofilter(0, 0, len(frame), len(frame.columns) - 1)
            sheet.repeat_rows(0)
            sheet.set_landscape()
            sheet.fit_to_pages(1, 0)
            described = typed(frame, (columns or {}).get(table, {}))
            for j, (column, said) in enumerate(zip(frame.columns, described, strict=True)):
                sheet.write_string(0, j, text(said.head), head)
                values = frame[column].tolist()
                real = plain[said.places(values)] if pd.api.types.is_float_dtype(frame[column].dtype) else None
                for i, value in enumerate(values, 1):
                    if pd.isna(value) or (isinstance(value, float) and not np.isfinite(value)):
                        continue
                    if isinstance(value, bool):
                        sheet.write_boolean(i, j, value)
                    elif isinstance(value, (int, float)):
                        sheet.write_number(i, j, value, real)
                    else:
                        sheet.write_string(i, j, text(str(value)))
            sheet.autofit(max_width=480)
    return sink.getvalue()


def _letters(text: str) -> int:
    """Return how many letters Excel counts."""
    return len(text.encode("utf-16-le")) // 2


def _sheet_names(sheets: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return names that Excel takes: at most 31 letters, cut between words, no brackets or slashes, each once."""
    names: list[str] = []
    for raw in sheets:
        whole = re.sub(r"[\[\]:*?/\\]", " ", raw).strip("' ") or "table"
        name, n = _cut(whole, _LONGEST), 2
        while name.lower() in (_RESERVED, *(used.lower() for used in names)):
            name = f"{_cut(whole, _LONGEST - 5)} ({n})"
            n += 1
        names.append(name)
    return names


def _cut(text: str, most: int) -> str:
    """Return the first words of a text; a single word that is too long loses its end."""
    if len(text) <= most:
        return text
    words = text[: most + 1].rpartition(" ")[0].rstrip(" ,;·")
    return words or text[:most]
