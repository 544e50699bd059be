"""What columns probably mean: suggestions, never applied unasked, and what the user decides applied.

A suggestion says why; applying one gives a new frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.data import certain
from disclosure_core.data.coded import CodedColumn, CodedTable
from disclosure_core.data.identifiers import NEARLY, held, own_values
from disclosure_core.data.study import AnyStudy, Kind, Note, Study
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    from disclosure_core.data.column import Column
    from disclosure_core.data.grouping import Groups
    from disclosure_core.data.readers import Reading
    from disclosure_core.data.suggested_codes import MissingCode

MISSING_TEXTS = frozenset(["", ".", "-", "--", "?", "na", "n/a", "nan", "none", "null", "missing", "unknown"])
"""Texts, in small letters and without spaces around, that often stand for an empty cell."""

ANSWERS_AS_LABELS = frozenset(["none", "null"])
"""Of these, what is an answer where a file gives it as the label of a code: no children, zero in German."""

_KEPT = 15
"""Digits that any number keeps."""

Table = TypeVar("Table", pd.DataFrame, CodedTable)

TYPES = ("number", "category", "date", "month", "year")
"""What a column can be told to be; month and year cut a date."""


@dataclass(frozen=True, slots=True)
class MissingText:
    """A text that may stand for an empty cell: in which column, and in how many records."""

    column: str
    text: str
    count: int


def suggest_missing_texts(
    table: pd.DataFrame | CodedTable, labels: Mapping[str, Mapping[Any, str]] | None = None
) -> tuple[MissingText, ...]:
    """Return the texts of a table that may stand for an empty cell, most records first.

    `labels` are those that the table's file declares for codes, by column: `ANSWERS_AS_LABELS` are none of these texts.
    """
    suggestions = []
    for name, column in _coded(table).held():
        values = column.values
        if not (pd.api.types.is_string_dtype(values.dtype) or values.dtype == object or values.dtype == "category"):
            continue
        counts = _records_by_text(column)
        texts = counts.index
        plain = texts.str.strip().str.lower()
        answers = plain.isin(ANSWERS_AS_LABELS) & texts.isin(list((labels or {}).get(str(name), {}).values()))
        likely = plain.isin(MISSING_TEXTS) & ~answers
        pairs = zip(texts[likely], counts[likely].tolist(), strict=True)
        suggestions += [MissingText(str(name), text, int(n)) for text, n in pairs if n]
    return tuple(sorted(suggestions, key=lambda f: -f.count))


def is_word(text: str) -> bool:
    """Whether a text that may stand for an empty cell is as likely an answer: “none” of a diagnosis."""
    return text.strip().lower() in ANSWERS_AS_LABELS


def apply_missing_texts(
    frame: Table, texts: Mapping[str, Iterable[str]], decimal: str | None = None, delimiter: str = ","
) -> Table:
    """Return `frame` with the named texts of each column as missing; a column of numbers left becomes a number.

    Columns that the frame does not have are passed over: the original and its syntheses are told alike. `decimal`, as
    somebody told it, and `delimiter` are those of the text file: a column is then read as if its cells had been empty.
    """
    from disclosure_core.data.readers._arrow import series_of
    from disclosure_core.data.readers._types import typed

    retyped: dict[str, Any] = {}
    for name, named in texts.items():
        if name not in frame.columns:
            continue
        values = frame[name]
        remaining = values.astype("str").where(values.notna() & ~values.astype("str").isin(list(named)))
        if values.dtype == "category":
            retyped[name] = values.cat.remove_categories([c for c in values.cat.categories if str(c) in set(named)])
        else:
            typed_values, _, _ = typed(
                pa.chunked_array([pa.array(remaining, pa.string(), from_pandas=True)]), decimal, delimiter
            )
            retyped[name] = series_of(typed_values).set_axis(frame.index) if not _is_text(typed_values) else remaining
    return frame.assign(**retyped)


def declared_codes(readings: Sequence[Reading]) -> dict[str, tuple[float, ...]]:
    """Return the missing codes that files declare themselves, by column, as far as the original holds them.

    `readings` are the files as read, the original first.
    """
    original = readings[0].table
    by_column: dict[str, set[float]] = {}
    for reading in readings:
        for name, codes in reading.missing_codes.items():
            if name not in original.columns:
                continue
            values = original.column(name).values
            if pd.api.types.is_numeric_dtype(values.dtype):
                by_column.setdefault(name, set()).update(c for c in codes if (values == c).any())
    return {name: tuple(sorted(codes)) for name, codes in by_column.items() if codes}


def suggest_missing_codes(study: AnyStudy) -> tuple[MissingCode, ...]:
    """Return the numbers that probably stand for "no answer" and are not declared so, with the reason for each.

    Looked at is the original: a code has a label that says so (`StudyOf.with_answers`), or it stands apart from the
    other values. One that was said to be a number like any other is none.
    """
    return tuple(code for name in study.columns for code in study.suggested_codes(name))


def type_reasons(table: pd.DataFrame | CodedTable) -> dict[str, str]:
    """Return for each column, in words, what it was taken for and why."""
    return {str(name): _reason(column) for name, column in _coded(table).held()}


def _coded(table: pd.DataFrame | CodedTable) -> CodedTable:
    return table if isinstance(table, CodedTable) else CodedTable.of(table)


def _records_by_text(column: CodedColumn) -> pd.Series[Any]:
    """Return how many records have each text of a column, most first; missing values are not counted."""
    records = pd.Series(column.records, index=column.values.astype("str"))
    return records.groupby(level=0, sort=False).sum().sort_values(ascending=False, kind="stable")


def _reason(column: CodedColumn) -> str:
    values = column.values
    if isinstance(values.dtype, pd.CategoricalDtype):
        return f"category: the file lists its levels{', in an order' if values.dtype.ordered else ''}"
    if pd.api.types.is_bool_dtype(values.dtype):
        return "category: every value is true or false"
    if pd.api.types.is_numeric_dtype(values.dtype):
        return f"number: every value is a {'whole ' * pd.api.types.is_integer_dtype(values.dtype)}number"
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return "date: every value is a day of the calendar"
    counts = _records_by_text(column)
    if counts.empty:
        return "category: every cell is empty"
    numbers = counts.index.str.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
    n_numbers, n = int(counts[numbers].sum()), int(counts.sum())
    if n_numbers == n and _written_plainly(counts.index):
        return "category: the file holds its numbers as text"
    if n_numbers == n:
        return (
            "category: numbers that begin with 0, have more digits than can be kept, or are written in two ways, are "
            "text"
        )
    if 2 * n_numbers >= n:
        others = ", ".join(repr(t) for t in counts.index[~numbers][:3])
        return f"category: {n - n_numbers:,} of {n:,} values are no numbers, such as {others}"
    return "category: its values are text"


def _written_plainly(texts: pd.Index[str]) -> bool:
    """Whether each number is written in one way, with no 0 before it and no more digits than are kept."""
    digits = texts.str.replace(r"[eE].*|\D", "", regex=True).str.len()
    values = pd.to_numeric(pd.Series(texts), errors="coerce")
    padded = texts.str.match(r"[+-]?0\d")
    return bool(not padded.any() and (digits <= _KEPT).all() and values.is_unique and np.isfinite(values).all())


def retype(
    frame: Table, types: Mapping[str, str], *, strict: bool = True, dates: Mapping[str, str] | None = None
) -> Table:
    """Return `frame` with each named column as what it is told to be; columns that it does not have are passed over.

    `dates` says by column how its dates are written, in Python's directives, where that is not as 2020-01-31.

    Raises
    ------
    DisclosureError
        When there is no such type; when a column's values are not of it, unless not `strict`, when it stays as it is.
    """
    retyped: dict[str, Any] = {}
    for name, kind in types.items():
        if kind not in TYPES:
            raise not_found("Type", kind, "one that a column can have", TYPES)
        if name in frame.columns:
            try:
                retyped[name] = _as(frame[name], kind, (dates or {}).get(name))
            except DisclosureError:
                if strict:
                    raise
    return frame.assign(**retyped)


def _as(values: pd.Series[Any], kind: str, written: str | None = None) -> pd.Series[Any]:
    if kind == "category":
        return (
            values.cat.as_unordered()
            if values.dtype == "category"
            else values.map(_text, na_action="ignore").astype("str")
        )
    try:
        if kind == "number":
            return _numbers(values.astype(object) if values.dtype == "category" else values)
        dates = values
        if not pd.api.types.is_datetime64_any_dtype(values):
            # 03/04/2020 is another day in another country.
            texts = values.map(_text, na_action="ignore").astype("str")
            dates = _dates(texts, written) if written else _iso_dates(texts)
    except (ValueError, TypeError, OverflowError):
        meaning = "a number" if kind == "number" else "a date such as 2020-01-31"
        raise DisclosureError(
            f"Not every value of {values.name!r} is {meaning}; leave it as it is, or treat the others as missing first."
        ) from None
    if kind == "date":
        return dates
    return dates.dt.strftime("%Y-%m" if kind == "month" else "%Y").astype("str")


def _numbers(values: pd.Series[Any]) -> pd.Series[Any]:
    try:
        return pd.to_numeric(values)
    except ValueError:
        if (read := certain.amounts(values.map(_text, na_action="ignore").astype("str"))) is None:
            raise
        return read


def _dates(texts: pd.Series[Any], written: str) -> pd.Series[Any]:
    """Return dates that are written as somebody says, or, all of them, as 2020-01-31."""
    try:
        return pd.to_datetime(texts, format=written)
    except ValueError:
        return _iso_dates(texts)


def _iso_dates(texts: pd.Series[Any]) -> pd.Series[Any]:
    """Return dates; pandas takes the number 1000.5 for May of the year 1000."""
    if texts.str.fullmatch(r"\d+\.\d+").any():
        raise ValueError("a number")
    try:
        return pd.to_datetime(texts, format="ISO8601")
    except ValueError:
        if (read := certain.dates(texts)) is None:
            raise
        return read


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)


GIVEN_TWICE = "was a file given twice?"
"""Ends what is said of whole files that are the same."""


def warnings(study: Study) -> tuple[Note, ...]:
    """Return what may change the meaning of the figures: copied columns, the same file twice, identifiers."""
    notes: list[Note] = []
    columns = list(study.columns.values())
    for i, size in enumerate(study.n_synthetic):
        side = "The synthetic data" if study.n_syntheses == 1 else f"Synthesis {i + 1}"
        if size != study.n_original:
            continue
        copied = [c.name for c in columns if c.n_levels > 1 and np.array_equal(c.original, c.synthetic[i])]
        if copied and len(copied) == len([c for c in columns if c.n_levels > 1]):
            notes.append(Note(f"{side} and the original are the same, record by record: {GIVEN_TWICE}", warning=True))
        elif copied := [name for name in copied if not _is_running(study.columns[name])]:
            names = ", ".join(repr(n) for n in copied[:6]) + (" …" if len(copied) > 6 else "")
            notes.append(
                Note(
                    f"{side} repeats {names} of the original record by record: the measures assume that every value is "
                    "synthetic.",
                    warning=True,
                )
            )
    notes += [
        Note(f"Syntheses {i + 1} and {j + 1} are the same: {GIVEN_TWICE}", warning=True, of_syntheses=True)
        for i, j in combinations(range(study.n_syntheses), 2)
        if all(np.array_equal(c.synthetic[i], c.synthetic[j]) for c in columns)
    ]
    return (*notes, *own_values(study))


def _is_running(column: Column) -> bool:
    """Whether a column numbers the records in their order, as every file may."""
    if column.kind is not Kind.NUMBER or column.counts[0, -1]:  # one that is missing is no number
        return False
    return bool((np.diff(column.values.astype(float)[column.original]) == 1).all())


def key_warnings(study: AnyStudy, keys: Iterable[str], groups: Mapping[str, Groups] | None = None) -> tuple[Note, ...]:
    """Return a warning for each key that nearly every record has a level of its own of, in the groups asked for."""
    notes = []
    for name in keys:
        n = (groups or {}).get(name, 0)
        levels = held(study.grouped(name, n)[0] if n else study.columns[name])
        if levels > NEARLY * study.n_original:
            notes.append(
                Note(
                    f"{name!r} has {quantity(levels, 'level')} in {quantity(study.n_original, 'record')}: as a key it "
                    "singles out nearly everybody; group it or remove it.",
                    name,
                    warning=True,
                )
            )
    return tuple(notes)


def code_warnings(study: AnyStudy, grouped: Iterable[str]) -> tuple[Note, ...]:
    """Return a warning for each number that looks like a missing code and falls into a group of its column."""
    return tuple(
        Note(code.grouped, name, warning=True)
        for name in grouped
        if name in study.columns
        for code in study.suggested_codes(name)
    )


def _is_text(values: Any) -> bool:
    return bool(pa.types.is_string(values.type))
