"""Stata: rows are copied byte by byte, and only cells that changed are written anew.

No library writes extended missing values, storage types, formats and notes together; the layout of the file is
published (Stata's manual, [P] File formats .dta) and plain: descriptions, records of one width, value labels.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from disclosure_core.data.rewriters._change import Cells, Change, Rewritten, UnalignedError, aligned, unused_note
from disclosure_core.data.rewriters._statistical import free_code
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from disclosure_core.data.readers import ReadOptions

_KINDS = {65530: "i1", 65529: "i2", 65528: "i4", 65527: "f4", 65526: "f8"}
"""numpy's names for Stata's byte, int, long, float and double, by their marks in a file of Stata 13 or newer."""

_OLD_KINDS = {251: 65530, 252: 65529, 253: 65528, 254: 65527, 255: 65526}
"""The marks of numbers in a file of Stata 7 SE to 12, by those of newer ones."""

_LETTERS = {98: 65530, 105: 65529, 108: 65528, 102: 65527, 100: 65526}
"""The same in a file of Stata 7, where a mark is a letter: b, i, l, f, d; a text of n bytes is 127 + n."""

_OLD = {110, 111, 113, 114, 115}
"""The formats of Stata 7 to 12; R's `write.dta` writes 110 unless it is told otherwise."""

_WIDEST = {"i1": 100, "i2": 32_740, "i4": 2_147_483_620}
"""The largest value of a type; above it are the missing values. The lowest: -127, -32767, -2147483647."""

_STRL = 32768


@dataclass(repr=False)
class _Column:
    """A column of the file: its cells are bytes, shape (records, width)."""

    name: str
    mark: int
    format: bytes
    labels: bytes
    cells: npt.NDArray[np.uint8]

    @property
    def kind(self) -> str | None:
        """Numpy's name of a number's type; None for a text."""
        return _KINDS.get(self.mark)

    def numbers(self, order: str) -> npt.NDArray[Any]:
        """Return the column's numbers, its missing values among them."""
        return np.ascontiguousarray(self.cells).view(f"{order}{self.kind}")[:, 0]

    def put(self, values: npt.NDArray[Any], kind: str, order: str) -> None:
        """Put numbers of a type in the place of the column's."""
        self.mark = next(mark for mark, known_kind in _KINDS.items() if known_kind == kind)
        typed = values.astype(f"{order}{kind}")
        self.cells = np.ascontiguousarray(typed).view(np.uint8).reshape(len(values), -1)


def stata(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite a .dta file: formats 117 to 119 (Stata 13 and newer) or 110 to 115 (Stata 7 to 12)."""
    if data[0] in _OLD and data[1:2] in (b"\1", b"\2"):
        return _old(data, options, change)
    header = re.match(rb"<stata_dta><header><release>(11[789])</release><byteorder>(LSF|MSF)</byteorder><K>", data)
    if header is None:
        raise UnalignedError
    release = int(header.group(1))
    order = "<" if header.group(2) == b"LSF" else ">"
    wide = release >= 118
    names_room, format_room = (129, 57) if wide else (33, 49)
    encoding = "utf-8" if wide else options.encoding or "cp1252"
    k_kind, n_kind = ("I" if release == 119 else "H"), ("Q" if wide else "I")
    at = header.end()
    (k,) = struct.unpack_from(order + k_kind, data, at)
    at += struct.calcsize(k_kind) + len(b"</K><N>")
    n_at = at
    (n,) = struct.unpack_from(order + n_kind, data, at)
    aligned(n, change)
    map_at = data.index(b"<map>", at)
    places = struct.unpack_from(f"{order}14Q", data, map_at + 5)

    def section(i: int, tag: bytes) -> bytes:
        """Return what stands between a section's tags."""
        with_tags = data[places[i] : places[i + 1]]
        if not with_tags.startswith(b"<" + tag + b">") or not with_tags.endswith(b"</" + tag + b">"):
            raise UnalignedError
        return with_tags[len(tag) + 2 : -len(tag) - 3]

    marks = struct.unpack(f"{order}{k}H", section(2, b"variable_types"))
    names = [name_bytes.split(b"\0")[0].decode(encoding) for name_bytes in _cut(section(3, b"varnames"), names_room)]
    formats = _cut(section(5, b"formats"), format_room)
    labelled = _cut(section(6, b"value_label_names"), names_room)
    widths = [np.dtype(_KINDS[m]).itemsize if m in _KINDS else 8 if m == _STRL else m for m in marks]
    records = np.frombuffer(section(9, b"data"), np.uint8)
    if records.size != n * sum(widths):
        raise UnalignedError
    records = records.reshape(n, sum(widths))[change.rows]
    edges = np.cumsum([0, *widths])
    columns = [
        _Column(names[i], marks[i], formats[i], labelled[i], records[:, edges[i] : edges[i + 1]]) for i in range(k)
    ]
    sets = _sets(section(11, b"value_labels"), order, names_room, encoding)
    _put_all(columns, change, sets, order, names_room, format_room, encoding)
    unused = _drop_unused(columns, sets, order)
    more = _labels(change, names_room, format_room, encoding)
    columns += more
    data_now = b"".join([np.concatenate([c.cells for c in columns], axis=1).tobytes()]) if columns else b""
    wide_now = struct.pack(order + k_kind, len(columns))
    count = struct.pack(order + n_kind, len(change.rows))
    head = data[: header.end()] + wide_now + data[header.end() + len(wide_now) : n_at] + count
    head += data[n_at + len(count) : map_at]
    touched = bool(change.columns)
    sort, titles = section(4, b"sortlist"), section(7, b"variable_labels")
    sort += bytes(len(sort) // (k + 1) * len(more))
    titles += bytes((321 if wide else 81) * len(more))
    labels_now = _packed(sets, order, names_room, encoding, {c.labels.split(b"\0")[0] for c in columns})
    parts = [
        (b"variable_types", struct.pack(f"{order}{len(columns)}H", *(c.mark for c in columns))),
        (b"varnames", section(3, b"varnames") + b"".join(c.name.encode().ljust(names_room, b"\0") for c in more)),
        # A file whose cells changed is no longer in the order that it said.
        (b"sortlist", bytes(len(sort)) if touched else sort),
        (b"formats", b"".join(c.format for c in columns)),
        (b"value_label_names", b"".join(c.labels for c in columns)),
        (b"variable_labels", titles),
        (b"characteristics", section(8, b"characteristics")),
        (b"data", data_now),
        (b"strls", _used_texts(section(10, b"strls"), columns, order, release)),
        (b"value_labels", labels_now if touched or unused else section(11, b"value_labels")),
    ]
    offsets, sections = [0, len(head)], []
    at = len(head) + len(b"<map></map>") + 14 * 8
    for tag, inner in parts:
        offsets.append(at)
        sections.append(b"<" + tag + b">" + inner + b"</" + tag + b">")
        at += len(sections[-1])
    offsets += [at, at + len(b"</stata_dta>")]
    mapped = b"<map>" + struct.pack(f"{order}14Q", *offsets) + b"</map>"
    return Rewritten(".dta", b"".join([head, mapped, *sections, b"</stata_dta>"]), tuple(unused_note(unused)))


def _old(data: bytes, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite a file of Stata 7 to 12: the same parts one after the other, without tags."""
    release, order = data[0], ">" if data[1] == 1 else "<"
    k, n = struct.unpack_from(order + "hi", data, 4)
    aligned(n, change)
    encoding, format_room, longest = options.encoding or "cp1252", 49 if release > 113 else 12, 244
    known, of_text = _OLD_KINDS, 0
    if release == 110:
        known, of_text, longest = _LETTERS, 127, 80
    at = 109

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    marks = [known.get(mark, mark - of_text) for mark in take(k)]
    names = [name.split(b"\0")[0].decode(encoding) for name in _cut(take(33 * k), 33)]
    sort = take(2 * (k + 1))
    formats, labelled, titles = _cut(take(format_room * k), format_room), _cut(take(33 * k), 33), take(81 * k)
    more = at
    while struct.unpack_from(order + "bi", data, at) != (0, 0):
        at += 5 + struct.unpack_from(order + "bi", data, at)[1]
    at += 5
    extra = data[more:at]
    widths = [np.dtype(_KINDS[m]).itemsize if m in _KINDS else m for m in marks]
    records = np.frombuffer(take(n * sum(widths)), np.uint8).reshape(n, sum(widths))[change.rows]
    edges = np.cumsum([0, *widths])
    columns = [
        _Column(names[i], marks[i], formats[i], labelled[i], records[:, edges[i] : edges[i + 1]]) for i in range(k)
    ]
    kinds = _as_newer(columns, order) if release < 113 else []
    sets = _sets(data[at:], order, 33, encoding, b"")
    _put_all(columns, change, sets, order, 33, format_room, encoding)
    unused = _drop_unused(columns, sets, order)
    more_columns = _labels(change, 33, format_room, encoding)
    columns += more_columns
    sort += bytes(2 * len(more_columns))
    titles += bytes(81 * len(more_columns))
    if any(c.kind is None and c.mark > longest for c in columns):
        raise DisclosureError(
            f"A level is longer than {longest} letters, the most that this old file of Stata holds; shorten its name."
        )
    _as_older(columns[: len(kinds)], kinds, order)
    mark_of = {new: old for old, new in known.items()}
    parts = [
        data[:4],
        struct.pack(order + "hi", len(columns), len(change.rows)),
        data[10:109],
        bytes(mark_of.get(c.mark, c.mark + of_text) for c in columns),
        data[109 + k : 109 + 34 * k],
        *(c.name.encode().ljust(33, b"\0") for c in more_columns),
        bytes(len(sort)) if change.columns else sort,
        b"".join(c.format for c in columns),
        b"".join(c.labels for c in columns),
        titles,
        extra,
        np.concatenate([c.cells for c in columns], axis=1).tobytes(),
        _packed(sets, order, 33, encoding, {c.labels.split(b"\0")[0] for c in columns}, (b"", b""))
        if change.columns or unused
        else data[at:],
    ]
    return Rewritten(".dta", b"".join(parts), tuple(unused_note(unused)))


def _as_newer(columns: list[_Column], order: str) -> list[str | None]:
    """Put whole numbers in the way of Stata 8, which has 27 missing values where older ones have the largest number.

    Returned is of which type each column was.
    """
    kinds = [column.kind for column in columns]
    for column, kind in zip(columns, kinds, strict=True):
        if kind is not None and kind in _WIDEST:
            numbers = column.numbers(order)
            gone = numbers == np.iinfo(kind).max
            wider = next((k for k in _WIDEST if k >= kind and _fits(numbers[~gone], k)), "f8")
            column.put(np.where(gone, _missing(wider), numbers.astype("f8")), wider, order)
    return kinds


def _as_older(columns: list[_Column], kinds: list[str | None], order: str) -> None:
    """Put whole numbers in the way of Stata 7 again, in the type that they had where it holds them."""
    for column, was in zip(columns, kinds, strict=False):
        kind = column.kind
        if was is None or was not in _WIDEST or kind is None:
            continue
        numbers = column.numbers(order)
        gone = numbers > _WIDEST[kind] if kind in _WIDEST else ~(numbers < 2.0**1023)
        there = numbers[~gone]
        types = {name: np.iinfo(name) for name in _WIDEST if name >= was}
        fits = (
            name for name, i in types.items() if (there % 1 == 0).all() and ((i.min <= there) & (there < i.max)).all()
        )
        narrow = next(fits, kind)
        if narrow in _WIDEST:
            column.put(np.where(gone, np.iinfo(narrow).max, numbers), narrow, order)


def _drop_unused(columns: list[_Column], sets: dict[bytes, dict[int, str]], order: str) -> set[str]:
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


def _codes_of(column: _Column, order: str) -> set[int]:
    """Return the values of a column as its labels call them: "." is 2147483621, ".a" to ".z" are its successors."""
    values, kind = column.numbers(order), column.kind or "f8"
    if kind in _WIDEST:
        gone = values > _WIDEST[kind]
        nth = values[gone].astype(np.int64) - _WIDEST[kind] - 1
    else:  # 2^127, or 8.99e307, and their 26 successors
        bits, shift, first = (np.int32, 11, 0x7F000000) if kind == "f4" else (np.int64, 40, 0x7FE0 << 48)
        gone = ~(values < (2.0**127 if kind == "f4" else 2.0**1023))
        nth = (values[gone].astype(f"={kind}").view(bits).astype(np.int64) - first) >> shift
    answers = values[~gone]
    whole = answers[(answers % 1 == 0) & (np.abs(answers) < 2.0**31)]
    return {*map(int, np.unique(whole).tolist()), *(2_147_483_621 + n for n in np.unique(nth).tolist())}


def _used_texts(raw: bytes, columns: list[_Column], order: str, release: int) -> bytes:
    """Return the long texts that a cell still points to: those of removed records go."""
    first = {117: 4, 118: 2, 119: 3}[release]  # bytes of the column's number in a cell; the rest is the record's
    used = {bytes(cell) for c in columns if c.mark == _STRL for cell in np.unique(c.cells, axis=0)}
    parts, at = [], 0
    while at < len(raw):
        if raw[at : at + 3] != b"GSO":
            raise UnalignedError
        v, o = struct.unpack_from(order + ("2I" if release == 117 else "IQ"), raw, at + 3)
        size = 3 + (8 if release == 117 else 12) + 5
        (length,) = struct.unpack_from(order + "I", raw, at + size - 4)
        way = "little" if order == "<" else "big"
        if v.to_bytes(first, way) + o.to_bytes(8 - first, way) in used:
            parts.append(raw[at : at + size + length])
        at += size + length
    return b"".join(parts)


def _cut(raw: bytes, width: int) -> list[bytes]:
    return [raw[i : i + width] for i in range(0, len(raw), width)]


def _put_all(
    columns: list[_Column],
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


def _labels(change: Change, names_room: int, format_room: int, encoding: str) -> list[_Column]:
    """Return the columns that are added, each a text of fixed width."""
    columns = []
    for name, text in change.labels.items():
        cell = np.frombuffer(text.encode(encoding), np.uint8)
        cells = np.tile(cell, (len(change.rows), 1))
        columns.append(
            _Column(name, len(cell), f"%{len(cell)}s".encode().ljust(format_room, b"\0"), bytes(names_room), cells)
        )
    return columns


def _put_numbers(column: _Column, cells: Cells, order: str) -> None:
    """Write numbers in the column's type, or in one that holds them where they do not fit."""
    new = cells.numbers()
    gone = np.isnan(new)
    old = column.numbers(order)
    kind = column.kind or "f8"
    if kind in _WIDEST and not _fits(new[~gone], kind):
        kind = next(
            (wider for wider in ("i1", "i2", "i4") if _WIDEST[wider] > _WIDEST[kind] and _fits(new[~gone], wider)), "f8"
        )
    values = _wider(old, kind)
    values[cells.touched] = np.where(gone, _missing(kind), new).astype(values.dtype)
    column.put(values, kind, order)


def _missing(kind: str) -> float:
    """Return Stata's missing value "." of a type."""
    return _WIDEST[kind] + 1 if kind in _WIDEST else 2.0**127 if kind == "f4" else 2.0**1023


def _fits(values: npt.NDArray[Any], kind: str) -> bool:
    low = {"i1": -127, "i2": -32_767, "i4": -2_147_483_647}[kind]
    return bool((values % 1 == 0).all() and (values >= low).all() and (values <= _WIDEST[kind]).all())


def _wider(old: npt.NDArray[Any], kind: str) -> npt.NDArray[Any]:
    """Return numbers in a wider type, each of the 27 missing values as the same one there."""
    was = old.dtype.str[1:]
    widened = old.astype(kind)
    if was == kind or was not in _WIDEST:
        return widened
    gone = old > _WIDEST[was]
    nth = old[gone].astype(np.int64) - _WIDEST[was] - 1  # 0 for ".", 1 to 26 for ".a" to ".z"
    if kind in _WIDEST:
        widened[gone] = nth + _WIDEST[kind] + 1
    else:  # 8.99e307 and its 26 successors, which differ in bits 40 to 47
        widened[gone] = ((np.int64(0x7FE0) << 48) + (nth << 40)).view(np.float64)
    return widened


def _put_codes(column: _Column, cells: Cells, sets: dict[bytes, dict[int, str]], order: str, width: int) -> None:
    """Write levels as codes with labels: a label set of the column's own, since others may share the one it had."""
    old = column.numbers(order)
    kind = column.kind or "f8"
    missing = old > _WIDEST[kind] if kind in _WIDEST else ~(old < 2.0**127)  # beyond it no number is a code
    before = set(old[~missing].tolist())
    untouched = set(old[~missing & ~cells.touched].tolist())
    old_labels = sets.get(column.labels.split(b"\0")[0], {})
    labels = {code: text for code, text in old_labels.items() if code not in before or code in untouched}
    codes: dict[str, float] = {}
    used: set[Any] = untouched | set(labels)
    for level in cells.new_levels():
        code = next((c for c, text in labels.items() if text == level), None)
        codes[level] = free_code({c for c in used if c < 2_147_483_621}, []) if code is None else code
        labels[int(codes[level])] = level
        used.add(codes[level])
    values = cells.values.astype(object).map(codes)
    _put_numbers(column, Cells(values.where(cells.touched, 0), cells.touched), order)
    own = re.sub(r"[^A-Za-z0-9_]", "_", column.name)[:24].encode() + b"_safer"
    while own in sets:
        own += b"_"
    sets[own] = labels
    column.labels = own.ljust(width, b"\0")


def _put_text(column: _Column, cells: Cells, encoding: str) -> None:
    """Write texts in place; the column becomes as wide as they need."""
    if column.mark == _STRL:
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


def _all_text(column: _Column, cells: Cells, encoding: str, width: int) -> None:
    """Write a column of dates as texts, since some of its values are none any more."""
    texts = [b"" if text is None else text.encode(encoding) for text in cells.texts()]
    column.mark = max(1, *map(len, texts))
    packed = b"".join(text.ljust(column.mark, b"\0") for text in texts)
    column.cells = np.frombuffer(packed, np.uint8).reshape(len(texts), column.mark)
    column.format, column.labels = f"%{column.mark}s".encode().ljust(width, b"\0"), bytes(len(column.labels))


def _sets(raw: bytes, order: str, width: int, encoding: str, tag: bytes = b"<lbl>") -> dict[bytes, dict[int, str]]:
    """Return the value labels by the name of their set; the missing values .a to .z are codes like any other here."""
    sets, at = {}, 0
    end = len(tag) and len(tag) + 1
    while at + 4 + width < len(raw) and raw[at : at + len(tag)] == tag:
        at += len(tag)
        (length,) = struct.unpack_from(order + "i", raw, at)
        name = raw[at + 4 : at + 4 + width].split(b"\0")[0]
        table = raw[at + 4 + width + 3 :][:length]
        n, size = struct.unpack_from(order + "2i", table)
        starts, codes = (struct.unpack_from(f"{order}{n}i", table, 8 + 4 * n * i) for i in range(2))
        texts = table[8 + 8 * n : 8 + 8 * n + size]
        sets[name] = {
            c: texts[s : texts.index(b"\0", s)].decode(encoding) for s, c in sorted(zip(starts, codes, strict=True))
        }
        at += 4 + width + 3 + length + end
    return sets


def _packed(
    sets: dict[bytes, dict[int, str]],
    order: str,
    width: int,
    encoding: str,
    used: set[bytes],
    tags: tuple[bytes, bytes] = (b"<lbl>", b"</lbl>"),
) -> bytes:
    """Return value labels as the file holds them; a set made here that no column uses is not kept."""
    parts = []
    for name, labels in sets.items():
        if name not in used and b"_safer" in name:
            continue
        pairs = sorted(labels.items())
        texts = [text.encode(encoding) + b"\0" for _, text in pairs]
        starts = np.cumsum([0, *map(len, texts)])[:-1].tolist()
        n = len(pairs)
        table = struct.pack(f"{order}2i{n}i{n}i", n, sum(map(len, texts)), *starts, *(c for c, _ in pairs))
        table += b"".join(texts)
        length = struct.pack(order + "i", len(table))
        parts.append(tags[0] + length + name.ljust(width, b"\0") + bytes(3) + table + tags[1])
    return b"".join(parts)
