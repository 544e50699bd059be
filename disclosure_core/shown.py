"""What every result shows of itself, and how it is taken away: a small table, `to_json`, `to_excel`, a figure.

What draws and writes lies in `notebook`, above all results, and is loaded when a method here is called (`above`). What
is shown is never a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from disclosure_core.above import above
from disclosure_core.rounding import fixed, printable, visible

if TYPE_CHECKING:
    import pandas as pd

Place: TypeAlias = str | Path
"""Where something is written."""

_MOST = 3
"""So many figures are named in a line of text."""


class Shown:
    """A result: a notebook shows it as a small table, and its tables leave as JSON or as a workbook."""

    def _small_table(self) -> pd.DataFrame:
        """Return what stands for this result in a notebook."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return a heading and a small table, for a notebook."""
        return as_html(repr(self), self._small_table())

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: Place) -> Path: ...
    def to_json(self, path: Place | None = None) -> str | Path:
        """Return every table as JSON (docs/figures.schema.json), or write it and return where."""
        found: str | Path = above().left(above().json_of(self), path)
        return found

    @overload
    def to_excel(self, path: None = None) -> bytes: ...
    @overload
    def to_excel(self, path: Place) -> Path: ...
    def to_excel(self, path: Place | None = None) -> bytes | Path:
        """Return every table as one Excel workbook, or write it and return where."""
        found: bytes | Path = above().left(above().excel_of(self), path)
        return found

    def _plotted(self, path: Place | None, look: Mapping[str, Any], *asked: Any) -> Any:
        """Return a figure for the screen (plotly), or write it for print and return where, by its ending."""
        return above().plotted(self, path, look, *asked)


def as_html(said: str, frame: pd.DataFrame) -> str:
    """Return a heading and a small table; names from the data are text, and none turns what stands beside it."""
    shown = frame.rename(columns=lambda name: visible(str(name)))
    for name in shown.columns:
        if shown[name].dtype.kind not in "ifub":
            shown[name] = [visible(each) if isinstance(each, str) else each for each in shown[name].tolist()]
    table = shown.to_html(index=False, float_format=fixed, escape=True, border=0, na_rep="–")
    return f"<p>{escape(visible(said.splitlines()[0]))}</p>{table}"


def with_units(frame: pd.DataFrame, units: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame that carries, in `attrs["units"]`, of what the figures in its columns are."""
    frame.attrs["units"] = dict(units)
    return frame


def named(pairs: Sequence[tuple[str, float]], unit: str = "%") -> str:
    """Return the first names with their figures, and how many more there are."""
    more = f" and {len(pairs) - _MOST:,} more" if len(pairs) > _MOST else ""
    return ", ".join(f"{printable(name)} {fixed(value)} {unit}" for name, value in pairs[:_MOST]) + more


def listed(names: Iterable[str]) -> str:
    """Return names from the data so that a terminal shows them and obeys none."""
    return ", ".join(map(printable, names))


def several(m: int) -> str:
    """Return how many syntheses there are, in words."""
    return f"{m} synthes{'e' if m > 1 else 'i'}s"


def doubted(doubts: Iterable[str]) -> str:
    """Return doubts as further lines."""
    return "".join(f"\nWarning: {visible(doubt)}" for doubt in doubts)
