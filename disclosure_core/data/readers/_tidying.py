"""What of a table of cells is no record, and what a person should be told of it: alike for text and spreadsheets.

Nothing is ignored without a sentence that says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_NUMBERED = re.compile(r"|Unnamed: 0|\.\.\.1|__index_level_0__")
"""Names that R, pandas, readr and Arrow give to a first column of row numbers: mostly none."""

_TOTAL = re.compile(
    r"(grand |over)?(total|sum|totals|sums)|all|insgesamt|gesamt|summe|somme|ensemble|totale|somma|suma|totaal|summa|"
    r"i alt|yhteensä|razem|celkem",
    re.IGNORECASE,
)
"""What the last row of a table of sums is called."""

NO_ANSWER = re.compile(r"\W*|\W*(na|n/a|nan|none|null|nil|missing|unknown|true|false)\W*", re.IGNORECASE)
"""Texts that are no name, although the rest of their column are numbers."""


def is_row_numbers(name: str, values: Any) -> bool:
    """Return whether the first column holds row numbers: no name of its own, and another whole number in each row.

    R writes the numbers of the rows that were kept, so they need not run from 1 to n.
    """
    import pandas as pd

    if not _NUMBERED.fullmatch(name.strip()):
        return False
    column = pd.Series(values)
    return bool(
        len(column)
        and pd.api.types.is_integer_dtype(column.dtype)
        and column.notna().all()
        and column.is_unique
        and (column >= 0).all()
    )


def row_numbers_note(name: str) -> str:
    """Return the sentence on a first column that was ignored."""
    called = f"is called {name!r}" if name.strip() else "has no name"
    return f"The first column {called} and only numbers the rows: ignored."


def empty_row_notes(at_the_end: int, between: int) -> list[str]:
    """Return the sentences on rows without a single value.

    At the end they come from a spreadsheet and are nobody. Between others they may be people who gave no answer, and
    stay.
    """
    notes = []
    if at_the_end:
        notes.append(
            f"{_rows(at_the_end)} at the end without a single value {'was' if at_the_end == 1 else 'were'} ignored."
        )
    if between:
        holds = "holds no value: it is" if between == 1 else "hold no value: they are"
        notes.append(
            f"{_rows(between)} between the others {holds} counted as {'a record' if between == 1 else 'records'}."
        )
    return notes


def empty_column_notes(places: Sequence[int]) -> list[str]:
    """Return the sentence on columns without name or value, given by their places from 1."""
    if not places:
        return []
    few = ", ".join(map(str, places[:4])) + (" …" if len(places) > 4 else "")
    single = len(places) == 1
    return [f"Column{'' if single else 's'} {few} without name or value {'was' if single else 'were'} ignored."]


def is_total(text: str) -> bool:
    """Whether a text is what the row of a sum is called."""
    return _TOTAL.fullmatch(text.strip(" :")) is not None


def last_row_notes(frame: pd.DataFrame) -> list[str]:
    """Return a warning where the last row looks like the sum of the others."""
    if len(frame) < 3:
        return []
    for i, name in enumerate(frame.columns):
        column = frame.iloc[:, i]
        last = column.iloc[-1]
        if isinstance(last, str) and is_total(last) and int((column == last).sum()) == 1:
            sentence = f"The last row says {last!r} in {name!r} and looks like a sum of the others"
            return [f"{sentence}: delete it if it is no record."]
    return []


def second_header_notes(row: Sequence[Any], numeric: Sequence[str], n: int = 1) -> list[str]:
    """Return a warning where the first `n` rows look like names and not like a record.

    `row` holds the first row's values, `numeric` the columns that would be numbers without these rows.
    """
    texts = [repr(v) for v in row if isinstance(v, str)]
    few, columns = ", ".join(texts[:3]), ", ".join(repr(name) for name in numeric[:4])
    rows_label = "Row 2 looks like a second row" if n == 1 else f"Rows 2 to {n + 1} look like more rows"
    return [f"{rows_label} of names ({few}): {columns} would be numbers without; delete what is no record."]


def _rows(n: int) -> str:
    return f"{n:,} row{'' if n == 1 else 's'}"
