"""Typed columns, and a table of them as LaTeX and Markdown: label, unit and digits are stated once."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from disclosure_core.data import latex
from disclosure_core.rounding import fixed, printable

if TYPE_CHECKING:
    Columns = Mapping[str, "Column"]

LEVELS = " · "
"""What parts the head of several columns from a column's own."""


@dataclass(frozen=True, slots=True)
class Column:
    """How a column of figures or texts is written.

    Attributes
    ----------
    label, unit
        What stands above it; the unit is empty for texts and bare numbers.
    digits
        After the point, of a figure that is no whole number.
    significant
        The same as significant digits, for shares as small as F; None for `digits` after the point.
    kind
        What its cells hold: "figure", "whole" for a count of records, or "text".
    says
        What more is to be said of it where there is room: on a page, in the schema.
    """

    label: str
    unit: str = ""
    digits: int = 2
    significant: int | None = None
    kind: Literal["figure", "whole", "text"] = "figure"
    says: str = ""

    @property
    def head(self) -> str:
        """The label with its unit."""
        return f"{self.label}, {self.unit}" if self.unit else self.label

    def places(self, values: Sequence[Any]) -> int:
        """Return how many places after the point show the smallest figure of a column with its digits."""
        if self.significant is None:
            return self.digits
        sizes = [abs(v) for v in values if isinstance(v, float) and math.isfinite(v) and v]
        smallest = min(sizes, default=1.0)
        return min(max(self.significant - 1 - math.floor(math.log10(smallest)), self.significant - 1), 9)


def typed(frame: pd.DataFrame, columns: Columns) -> list[Column]:
    """Return the column of each column of a frame, in its order; one that nobody described is called what it is."""
    return [columns.get(str(name), Column(str(name))) for name in frame.columns]


def to_latex(frame: pd.DataFrame, columns: Columns, caption: str = "", note: str = "", label: str = "") -> bytes:
    r"""Return a table for LaTeX: booktabs, and siunitx for figures, which stand point below point.

    It is as wide as one column of a journal, or says `table*`; a longer or wider one is in parts. Heads with " · " are
    grouped under what stands before it.

    Parameters
    ----------
    frame, columns
        The table, and what its columns are called.
    caption
        What stands above; without one there is no label.
    note
        What stands beneath, before the units.
    label
        What `\ref` calls it: "tab:exclusions"; made of the caption where none is given.
    """
    cells = []
    for column, (texts, numeric) in zip(typed(frame, columns), cells_of(frame, columns), strict=True):
        group, _, own = printable(column.label).rpartition(LEVELS)
        cells.append(latex.Cells(own, group, column.unit, texts, numeric))
    return latex.table(cells, caption, note, label or latex.label_of(caption)).encode()


def to_markdown(frame: pd.DataFrame, columns: Columns, caption: str = "", note: str = "") -> bytes:
    """Return a table as Markdown: heads with their units, figures to the right, and the note beneath."""
    described, cells = typed(frame, columns), cells_of(frame, columns)
    rows = [[c.head for c in described], ["---:" if numeric else "---" for _, numeric in cells]]
    rows += [list(row) for row in zip(*(texts for texts, _ in cells), strict=True)]
    table = [f"| {' | '.join(_in_markdown(text) for text in row)} |" for row in rows]
    return "\n".join(
        [*([_in_markdown(caption), ""] if caption else []), *table, *(["", _in_markdown(note)] if note else []), ""]
    ).encode()


def unfit(caption: str, why: str) -> dict[str, bytes]:
    """Return what stands in place of a table that is not evaluated, by the ending of its file."""
    text = f"**{_in_markdown(caption)}**: not evaluated. {_in_markdown(why)}\n"
    return {"tex": latex.unfit(caption, why).encode(), "md": text.encode()}


def cells_of(frame: pd.DataFrame, columns: Columns) -> list[tuple[list[str], bool]]:
    """Return the texts of each column, and whether it holds figures; what has no answer is empty."""
    found = []
    for i, column in enumerate(typed(frame, columns)):
        series = frame.iloc[:, i]
        numeric = pd.api.types.is_numeric_dtype(series.dtype) and not pd.api.types.is_bool_dtype(series.dtype)
        values = series.tolist()
        places = column.places(values) if pd.api.types.is_float_dtype(series.dtype) else 0
        texts = [
            ""
            if pd.isna(v) or v in (math.inf, -math.inf)
            else fixed(v, places).replace(",", "").replace("−", "-")
            if numeric
            else printable(str(v))
            for v in values
        ]
        found.append((texts, numeric))
    return found


def _in_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~$])", r"\\\1", printable(text)) if not re.fullmatch(r"-+:?", text) else text
