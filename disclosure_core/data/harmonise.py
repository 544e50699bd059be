"""Files made comparable: common columns, one set of levels each, and what is to be said of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.arrays import Array, Ints
from disclosure_core.data.coded import CodedColumn, CodedTable
from disclosure_core.data.column import Column, readonly, smallest
from disclosure_core.data.values import Kind, Note, Side, Sort, joint_levels, odd_cells, side_of
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True, repr=False)
class File:
    """One table: its columns by name, its records, and the names of an index that is no column.

    With a dictionary as `kept`, the distinct values of a column that was looked at stay there for `distinct`.
    """

    columns: Mapping[str, pd.Series[Any] | pa.ChunkedArray | CodedColumn]
    n: int
    index: tuple[str, ...] = ()
    kept: dict[str, Side] | None = None

    def side(self, name: str) -> Side:
        """Return one column as codes and distinct values; of coded ones only the distinct values are looked at."""
        column = self.columns[name]
        side = side_of(name, column.values if isinstance(column, CodedColumn) else column)
        if self.kept is not None:
            self.kept[name] = replace(side, codes=side.codes[:0])
        if not isinstance(column, CodedColumn) or column.codes is None:
            return side
        return replace(side, codes=side.codes.astype(np.min_scalar_type(-1 - len(side.values)))[column.codes])

    def distinct(self, name: str) -> Side:
        """Return one column's distinct values, as those of `side`; its codes are of no use."""
        if self.kept is not None and name in self.kept:
            return self.kept[name]
        column = self.columns[name]
        return side_of(name, column.values if isinstance(column, CodedColumn) else column)


AnyTable: TypeAlias = "pd.DataFrame | pa.Table | CodedTable | File"
_TABLES = (pd.DataFrame, pa.Table, CodedTable)


def checked(original: AnyTable, synthetic: Sequence[AnyTable]) -> list[File]:
    """Return the tables with text column names, or say what is wrong with one."""
    if isinstance(synthetic, (*_TABLES, File)) or hasattr(synthetic, "__arrow_c_stream__"):
        raise DisclosureError("Give the syntheses as a list, even if there is only one.")
    if not len(synthetic):
        raise DisclosureError("There is no synthetic data set to compare with; bring at least one.")
    return [file_of(table, side_name(i, len(synthetic))) for i, table in enumerate([original, *synthetic])]


def arrow(table: Any, side: str) -> pd.DataFrame | pa.Table | CodedTable:
    """Return a table that offers Arrow's C interface, such as a Polars frame, as an Arrow table; any other as it is."""
    if isinstance(table, _TABLES):
        return table
    if not hasattr(table, "__arrow_c_stream__"):
        raise DisclosureError(
            f"{side} is not a table; give a pandas or Polars frame, an Arrow table, or what has Arrow's C interface."
        )
    try:
        return pa.table(table)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DisclosureError("A table could not be taken over as Arrow; give a pandas DataFrame instead.") from error


def file_of(table: AnyTable, side: str) -> File:
    """Return one table with text column names, one that has them already as it is; `side` is what an error calls it."""
    if isinstance(table, File):
        return table
    table = arrow(table, side)
    index: tuple[str, ...] = ()
    values: Sequence[Any]
    if isinstance(table, pa.Table):
        names, values = list(table.column_names), table.columns
    else:
        # Two header rows, as pandas reads them, are one name.
        names = [" ".join(map(str, n)) if isinstance(n, tuple) else str(n) for n in table.columns]
        if isinstance(table, CodedTable):
            values = [column for _, column in table.held()]
        else:
            values = [column for _, column in table.items()]
        index = tuple(str(n) for n in table.index.names if n is not None and str(n) not in names)
    twice = next((n for i, n in enumerate(names) if n in names[:i]), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise DisclosureError(f"{side} has two columns called {twice!r}; rename one of them.")
    if not len(table):
        raise DisclosureError(f"{side} has no records; bring a file with at least one row.")
    return File(dict(zip(names, values, strict=True)), len(table), index)


def indices(files: Sequence[File]) -> Iterable[Note]:
    """Say which files have an index with a name: it is no column, and no order of the records."""
    for i, file in enumerate(files):
        if file.index:
            listed = ", ".join(map(repr, file.index))
            yield Note(f"{side_name(i, len(files) - 1)} has {listed} as its index, which is no column: ignored.")


def side_name(i: int, m: int) -> str:
    """Return what file number `i` is called, the original being 0, among `m` syntheses."""
    if i == 0:
        return "The original"
    return "The synthetic data set" if m == 1 else f"Synthesis {i}"


def side_within(i: int, m: int) -> str:
    """Return the same as it stands within a sentence."""
    name = side_name(i, m)
    return name[:1].lower() + name[1:]


NOT_EVERYWHERE = ", which not every file has: ignored."
"""How a note ends that names columns alone: no level, no count."""


def not_common(frames: Sequence[Any], names: list[str]) -> list[Note]:
    """Return a note on the columns that are not common to all, and on those that may be one under two names."""
    common = set(names)
    m = len(frames) - 1
    sides: dict[tuple[str, ...], list[int]] = {}
    for i, frame in enumerate(frames):
        if extra := tuple(n for n in frame.columns if n not in common):
            sides.setdefault(extra, []).append(i)
    notes = []
    for extra, (first, *others) in sides.items():
        listed = ", ".join(repr(n) for n in extra[:8]) + (f" and {len(extra) - 8} more" if len(extra) > 8 else "")
        *more, last = [side_name(first, m), *(side_within(other, m) for other in others)]
        who = f"{', '.join(more)} and {last} have" if more else f"{last} has"
        notes.append(Note(f"{who} {listed}{NOT_EVERYWHERE}", warning=True))
    return notes + [Note(said, warning=True) for said in renamed(list(sides))]


def renamed(extras: Sequence[tuple[str, ...]]) -> Iterable[str]:
    """Say which columns differ only in capitals and signs, and stand in no file together: probably they are one."""
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(n for extra in extras for n in extra):
        alike.setdefault(re.sub(r"[\W_]", "", name.casefold()), []).append(name)
    for bare, spelt in alike.items():
        if bare and len(spelt) > 1 and not any(len(set(extra) & set(spelt)) > 1 for extra in extras):
            names = " and ".join(map(repr, spelt))
            yield f"{names} may be one column: give it one name in all files to have it measured."


def harmonised(name: str, sides: Sequence[Side], *, in_rows: bool = True) -> tuple[Column, list[Note]]:
    """Return one column coded against the union of its levels, and what was changed for it.

    Parameters
    ----------
    name
        Its name.
    sides
        The original, then the syntheses.
    in_rows
        Whether the codes of a side are its records in the order of the file; False: its distinct values.
    """
    levels = joint_levels(name, sides)
    n = len(levels.values)
    dtype = smallest(n + 1)
    coded = []
    for side, mapping in zip(sides, levels.maps, strict=True):
        # The last entry of the table serves code -1, the mark of a missing value.
        table = np.full(len(mapping) + 1, n, dtype=dtype)
        table[:-1] = mapping
        coded.append(readonly(table.take(side.codes)))
    notes = [
        *_of_kinds(name, sides, in_rows),
        *levels.notes,
        *_level_notes(name, levels.kind, levels.values, sides, levels.maps),
    ]
    return Column(name, levels.kind, levels.values, levels.ordered, coded[0], tuple(coded[1:])), notes


def speaks_of_sorts(note: Note) -> bool:
    """Return whether a note says no more than that a column holds other sorts of values on the two sides."""
    return note.warning and note.text.endswith(_AS_TEXT)


_AS_TEXT = ": all are read as text."


def _of_kinds(name: str, sides: Sequence[Side], in_rows: bool) -> Iterable[Note]:
    """Say which file holds something else than the others, in how many cells, and where the first is."""
    there = [side.sort for side in sides if side.sort is not None]
    if len(set(there)) < 2 or len({sort.kind for sort in there}) < 2:
        return
    others = [sort for sort in there if sort is not Sort.TEXT]
    usual = max(others, key=others.count)
    by_words: dict[str, list[str]] = {}
    odd = []
    for i, side in enumerate(sides):
        if side.sort is None:
            continue
        who = side_within(i, len(sides) - 1)
        cells = odd_cells(side) if in_rows and usual is Sort.NUMBER and side.sort is Sort.TEXT else None
        if cells is not None:
            odd.append(cells[0])
            who += f" ({cells[0]:,} cell{'s' * (cells[0] > 1)}, first in row {cells[1] + 2:,}: “{cells[2]}”)"
        by_words.setdefault(side.sort.words, []).append(who)
    listed = "; ".join(f"{words} in {', '.join(names)}" for words, names in by_words.items())
    mend = f" Correct the cell{'s' * (sum(odd) > 1)}, or say which text stands for an empty cell." if odd else ""
    yield Note(f"Column {name!r} holds {listed}{_AS_TEXT}{mend}", name, warning=True)


_NAMED = 3
"""So many levels that stand on one side only are named; of more, the number is said."""


def _level_notes(name: str, kind: Kind, values: Array, sides: Sequence[Side], maps: Sequence[Ints]) -> Iterable[Note]:
    """Say where levels, or missing values, stand on one side only; for a number that is expected and not said."""
    if kind is Kind.CATEGORY:
        original, synthetic = np.zeros(len(values), dtype=bool), np.zeros(len(values), dtype=bool)
        original[maps[0]] = True
        synthetic[np.concatenate(maps[1:])] = True
        for only, side in (
            (np.flatnonzero(original & ~synthetic), "the original"),
            (np.flatnonzero(synthetic & ~original), "the synthetic data"),
        ):
            if only.size > _NAMED:
                yield Note(f"{name!r}: {only.size:,} levels only in {side}.", name)
            elif only.size:
                listed = ", ".join(f"“{str(values[i])[:40]}”" for i in only.tolist())
                yield Note(f"{name!r}: {only.size} level{'s' * (only.size > 1)} only in {side}: {listed}.", name)
    has_missing = (p.codes.min(initial=0) < 0 for p in sides)
    in_original, in_synthetic = next(has_missing), any(has_missing)
    if in_original and not in_synthetic:
        yield Note(f"{name!r} has missing values in the original and none in the synthetic data.", name)
    if in_synthetic and not in_original:
        yield Note(f"{name!r} has missing values in the synthetic data and none in the original.", name)
