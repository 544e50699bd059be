"""Columns of a Stata file as bytes of one width: what a step changed, and value labels that no record has."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Array
from disclosure_core.data.rewriters._change import Cells, Change, UnalignedError
from disclosure_core.data.rewriters._codes import codes
from disclosure_core.errors import DisclosureError

KINDS = {65530: "i1", 65529: "i2", 65528: "i4", 65527: "f4", 65526: "f8"}
"""numpy's names for Stata's byte, int, long, float and double, by their marks in a file of Stata 13 or newer."""

WIDEST = {"i1": 100, "i2": 32_740, "i4": 2_147_483_620}
"""The largest value of a type; above it are the missing values. The lowest: -127, -32767, -2147483647."""

STRL = 32768


@dataclass(repr=False)
class Column:
    """A column of the file: its cells are bytes, shape (records, width)."""

    name: str
    mark: int
    format: bytes
    labels: bytes
    cells: npt.NDArray[np.uint8]

    @property
    def kind(self) -> str | None:
        """Numpy's name of a number's type; None for a text."""
        return KINDS.get(self.mark)

    def numbers(self, order: str) -> Array:
        """Return the column's numbers, its missing values among them."""
        return np.ascontiguousarray(self.cells).view(f"{order}{self.kind}")[:, 0]

    def put(self, values: Array, kind: str, order: str) -> None:
        """Put numbers of a type in the place of the column's."""
        self.mark = next(mark for mark, known_kind in KINDS.items() if known_kind == kind)
        typed = values.astype(f"{order}{kind}")
        self.cells = np.ascontiguousarray(typed).view(np.uint8).reshape(len(values), -1)


def put_all(
    columns: list[Column],
    change: Change,
    sets: dict[bytes, dict[int, str]],
    order: str,
    names_room: int,
    format_room: int,
    encoding: str,
) -> None:
    """Put what changed into the columns, and new levels into the value labels."""
    names = [column.name for column in columns]
    for name, cells in change.columns.items():
        if name not in names:
            raise UnalignedError
        column = columns[names.index(name)]
        if column.kind is None:
            _put_text(column, cells, encoding)
        elif not cells.is_text:
            _put_numbers(column, cells, order)
        elif re.match(rb"%-?t|%-?d", column.format):
            _all_text(column, cells, encoding, format_room)
        else:
            _put_codes(column, cells, sets, order, names_room)


def added(change: Change, names_room: int, format_room: int, encoding: str) -> list[Column]:
    """Return the columns that are added, each a text of fixed width."""
    columns = []
    for name, text in change.labels.items():
        cell = np.frombuffer(text.encode(encoding), np.uint8)
        cells = np.tile(cell, (len(change.rows), 1))
        columns.append(
            Column(name, len(cell), f"%{len(cell)}s".encode().ljust(format_room, b"\0"), bytes(names_room), cells)
        )
    return columns


def _put_numbers(column: Column, cells: Cells, order: str) -> None:
    """Write numbers in the column's type, or in one that holds them where they do not fit."""
    new = cells.numbers()
    gone = np.isnan(new)
    old = column.numbers(order)
    kind = column.kind or "f8"
    if kind in WIDEST and not fit(new[~gone], kind):
        kind = next(
            (wider for wider in ("i1", "i2", "i4") if WIDEST[wider] > WIDEST[kind] and fit(new[~gone], wider)), "f8"
        )
    values = _wider(old, kind)
    values[cells.touched] = np.where(gone, missing_value(kind), new).astype(values.dtype)
    column.put(values, kind, order)


def missing_value(kind: str) -> float:
    """Return Stata's missing value "." of a type."""
    return WIDEST[kind] + 1 if kind in WIDEST else 2.0**127 if kind == "f4" else 2.0**1023


def fit(values: Array, kind: str) -> bool:
    low = {"i1": -127, "i2": -32_767, "i4": -2_147_483_647}[kind]
    return bool((values % 1 == 0).all() and (values >= low).all() and (values <= WIDEST[kind]).all())


def _wider(old: Array, kind: str) -> Array:
    """Return numbers in a wider type, each of the 27 missing values as the same one there."""
    was = old.dtype.str[1:]
    widened = old.astype(kind)
    if was == kind or was not in WIDEST:
        return widened
    gone = old > WIDEST[was]
    nth = old[gone].astype(np.int64) - WIDEST[was] - 1  # 0 for ".", 1 to 26 for ".a" to ".z"
    if kind in WIDEST:
        widened[gone] = nth + WIDEST[kind] + 1
    else:  # 8.99e307 and its 26 successors, which differ in bits 40 to 47
        widened[gone] = ((np.int64(0x7FE0) << 48) + (nth << 40)).view(np.float64)
    return widened


def _put_codes(column: Column, cells: Cells, sets: dict[bytes, dict[int, str]], order: str, width: int) -> None:
    """Write levels as codes with labels: a label set of the column's own, since others may share the one it had."""
    old = column.numbers(order)
    kind = column.kind or "f8"
    missing = old > WIDEST[kind] if kind in WIDEST else ~(old < 2.0**127)  # beyond it no number is a code
    before = set(old[~missing].tolist())
    untouched = set(old[~missing & ~cells.touched].tolist())
    old_labels = sets.get(column.labels.split(b"\0")[0], {})
    new, labels = codes(cells.new_levels(), old_labels, before, untouched, [], of_text=False)
    values = cells.values.astype(object).map(new)
    _put_numbers(column, Cells(values.where(cells.touched, 0), cells.touched), order)
    own = re.sub(r"[^A-Za-z0-9_]", "_", column.name)[:24].encode() + b"_safer"
    while own in sets:
        own += b"_"
    sets[own] = {int(code): text for code, text in labels.items()}
    column.labels = own.ljust(width, b"\0")


def _put_text(column: Column, cells: Cells, encoding: str) -> None:
    """Write texts in place; the column becomes as wide as they need."""
    if column.mark == STRL:
        raise DisclosureError(
            f"{column.name!r} holds long texts (strL) of Stata, of which single ones cannot be replaced; make it a "
            "text of fixed width first."
        )
    texts = [b"" if text is None else text.encode(encoding) for text in cells.texts()[cells.touched]]
    width = max(column.mark, max(map(len, texts), default=1))
    if width > 2045:
        raise DisclosureError(
            f"A level of {column.name!r} is longer than a text of Stata can be; give it a shorter name."
        )
    cells_bytes = np.zeros((len(cells.touched), width), np.uint8)
    cells_bytes[:, : column.mark] = column.cells
    for i, text in zip(np.flatnonzero(cells.touched), texts, strict=True):
        cells_bytes[i] = np.frombuffer(text.ljust(width, b"\0"), np.uint8)
    column.cells, column.mark = cells_bytes, width


def _all_text(column: Column, cells: Cells, encoding: str, width: int) -> None:
    """Write a column of dates as texts, since some of its values are none any more."""
    texts = [b"" if text is None else text.encode(encoding) for text in cells.texts()]
    column.mark = max(1, *map(len, texts))
    packed = b"".join(text.ljust(column.mark, b"\0") for text in texts)
    column.cells = np.frombuffer(packed, np.uint8).reshape(len(texts), column.mark)
    column.format, column.labels = f"%{column.mark}s".encode().ljust(width, b"\0"), bytes(len(column.labels))


def drop_unused(columns: list[Column], sets: dict[bytes, dict[int, str]], order: str) -> set[str]:
    """Drop value labels that no record has, in place; return the columns, or the sets of none, that lost some."""
    lost = set()
    for name, labels in list(sets.items()):
        mine = [c for c in columns if c.labels.split(b"\0")[0] == name and c.kind is not None]
        there = set().union(*(_codes_of(c, order) for c in mine))
        kept = {code: text for code, text in labels.items() if code in there}
        if len(kept) < len(labels):
            lost |= {c.name for c in mine} or {name.decode(errors="replace")}
        sets[name] = kept
        if not kept:
            sets.pop(name)
            for column in mine:
                column.labels = bytes(len(column.labels))
    return lost


def _codes_of(column: Column, order: str) -> set[int]:
    """Return the values of a column as its labels call them: "." is 2147483621, ".a" to ".z" are its successors."""
    values, kind = column.numbers(order), column.kind or "f8"
    if kind in WIDEST:
        gone = values > WIDEST[kind]
        nth = values[gone].astype(np.int64) - WIDEST[kind] - 1
    else:  # 2^127, or 8.99e307, and their 26 successors
        bits, shift, first = (np.int32, 11, 0x7F000000) if kind == "f4" else (np.int64, 40, 0x7FE0 << 48)
        gone = ~(values < (2.0**127 if kind == "f4" else 2.0**1023))
        nth = (values[gone].astype(f"={kind}").view(bits).astype(np.int64) - first) >> shift
    answers = values[~gone]
    whole = answers[(answers % 1 == 0) & (np.abs(answers) < 2.0**31)]
    return {*map(int, np.unique(whole).tolist()), *(2_147_483_621 + n for n in np.unique(nth).tolist())}
