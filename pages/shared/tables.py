"""Tables on a page: rounded as everywhere, numbers right, and names from the data as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from disclosure_core.rounding import MINUS, rounded, visible
from pages.shared.session import session

if TYPE_CHECKING:
    from pages.shared.open_review import Session

LABEL = "What the file says that the column holds."
_PADDING, _LETTER, _ROW = 14, 7, 35
"""Pixels of a cell beside its text, of a letter on average, and of a row."""

NONE = "–"
"""What stands in a table where there is no figure."""


def table(
    frame: pd.DataFrame, alt: str, columns: Mapping[str, Any] | None = None, rows: int | None = None, **more: Any
) -> Any:
    """Show a table; numbers align right, names from the data are plain text. Targets that have a label have it last.

    Of more than `rows` rows so many are seen, and a part of the next, so that one sees that it goes on.
    """
    if rows is not None:
        more["height"] = "content" if len(frame) <= rows else _ROW * (rows + 1) + _ROW // 2
    columns = {name: _wide_enough(frame, name, form) for name, form in (columns or {}).items()}
    labels = session().labels if "target" in columns and "target" in frame else {}
    if labels and frame["target"].isin(list(labels)).any():
        frame = frame.assign(label=[labels.get(name, "") for name in frame["target"]])
        columns["label"] = st.column_config.TextColumn("Label", help=LABEL)
    return st.dataframe(
        _shown(_rounded(frame, columns)),
        hide_index=True,
        column_config={visible(name): form for name, form in columns.items()},
        alt=visible(alt),
        placeholder=NONE,
        **more,
    )


def _wide_enough(frame: pd.DataFrame, name: str, form: Any) -> Any:
    """Return how a pinned column looks: as wide as its names, whose ends tell them apart."""
    if not isinstance(form, dict) or not (form.get("pinned") and form.get("width")) or name not in frame:
        return form
    fits = (form["width"] - _PADDING) // _LETTER
    return form if frame[name].astype(str).str.len().max() <= fits else {**form, "width": None}


def figures(frame: pd.DataFrame, alt: str) -> Any:
    """Show a table whose fractions are %; of "a · b", a stands in a line above the columns b that belong to it."""
    names = [tuple(name.rsplit(" · ", 1)) if " · " in name else ("", name) for name in map(str, frame.columns)]
    rows = _shown(_rounded(frame, {c: percent_column(c) for c in frame.columns}))
    columns: dict[Any, Any] = {
        i: percent_column(below, width=66 if above else None)
        for i, (above, below) in enumerate(names, 1)  # 0 is the index, though hidden
        if pd.api.types.is_float_dtype(frame.dtypes.iloc[i - 1])
    }
    if any(above for above, _ in names):
        columns[1] = st.column_config.Column(names[0][1], pinned=True)
        rows = rows.set_axis(pd.MultiIndex.from_tuples(names), axis=1)
    return st.dataframe(rows, hide_index=True, column_config=columns, alt=visible(alt), placeholder=NONE)


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which no name or level turns what stands beside it."""
    of_text = {c: frame[c] for c in frame.columns if not pd.api.types.is_numeric_dtype(frame[c].dtype)}
    odd = {c: each.map(_plain, na_action="ignore") for c, each in of_text.items() if not _all_visible(each)}
    return frame.assign(**odd).rename(columns=_plain)


def _all_visible(values: Iterable[Any]) -> bool:
    return all(visible(each) == each for each in values if isinstance(each, str) and not each.isprintable())


def _plain(value: Any) -> Any:
    return visible(value) if isinstance(value, str) else value


def _rounded(frame: pd.DataFrame, columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table with its figures rounded as everywhere: the browser rounds 0.125 down and writes -0.00."""
    for name in frame.columns:
        form = ((columns.get(name) or {}) if not isinstance(columns.get(name), str) else {}).get("type_config", {})
        digits = re.fullmatch(r"%\+?\.(\d)f", form.get("format") or "")
        if digits and pd.api.types.is_float_dtype(frame[name].dtype):
            frame = frame.assign(**{name: [rounded(x, int(digits[1])) for x in frame[name].tolist()]})
    return frame


def percent_column(label: str, help_text: str | None = None, width: int | None = None) -> Any:
    """Return how a column of % looks: two decimals, aligned."""
    return st.column_config.NumberColumn(label, format="%.2f", alignment="right", help=help_text, width=width)


def records_column(label: str, help_text: str | None = None, width: int | None = None) -> Any:
    """Return how a column of records looks."""
    return st.column_config.NumberColumn(label, format="%.0f", alignment="right", help=help_text, width=width)


def number_of(text: str) -> float | str:
    """Return the number that a text of a table is, for whoever takes the table along; any other text as it is."""
    try:
        return float(text.replace(",", "").replace(MINUS, "-"))
    except ValueError:
        return "" if text == NONE else text


def labelled(s: Session, names: Iterable[str]) -> dict[str, Any]:
    """Return how columns of the data look as headings of a table: by their names, with the label as a help."""
    labels = s.labels
    return {name: st.column_config.Column(help=labels[name]) for name in names if labels.get(name)}
