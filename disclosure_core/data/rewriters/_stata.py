"""Stata: rows are copied byte by byte, and only cells that changed are written anew.

No library writes extended missing values, storage types, formats and notes together; the layout of the file is
published (Stata's manual, [P] File formats .dta) and plain: descriptions, records of one width, value labels.
"""

from __future__ import annotations

import re
import struct
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.data.rewriters._change import Change, Rewritten, UnalignedError, aligned, unused_note
from disclosure_core.data.rewriters._stata_columns import (
    KINDS,
    STRL,
    WIDEST,
    Column,
    added,
    drop_unused,
    fit,
    missing_value,
    put_all,
)
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.readers import ReadOptions

_OLD_KINDS = {251: 65530, 252: 65529, 253: 65528, 254: 65527, 255: 65526}
"""The marks of numbers in a file of Stata 7 SE to 12, by those of newer ones."""

_LETTERS = {98: 65530, 105: 65529, 108: 65528, 102: 65527, 100: 65526}
"""The same in a file of Stata 7, where a mark is a letter: b, i, l, f, d; a text of n bytes is 127 + n."""

_OLD = {110, 111, 113, 114, 115}
"""The formats of Stata 7 to 12; R's `write.dta` writes 110 unless it is told otherwise."""


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
    widths = [np.dtype(KINDS[m]).itemsize if m in KINDS else 8 if m == STRL else m for m in marks]
    records = np.frombuffer(section(9, b"data"), np.uint8)
    if records.size != n * sum(widths):
        raise UnalignedError
    records = records.reshape(n, sum(widths))[change.rows]
    edges = np.cumsum([0, *widths])
    columns = [
        Column(names[i], marks[i], formats[i], labelled[i], records[:, edges[i] : edges[i + 1]]) for i in range(k)
    ]
    sets = _sets(section(11, b"value_labels"), order, names_room, encoding)
    put_all(columns, change, sets, order, names_room, format_room, encoding)
    unused = drop_unused(columns, sets, order)
    more = added(change, names_room, format_room, encoding)
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
    widths = [np.dtype(KINDS[m]).itemsize if m in KINDS else m for m in marks]
    records = np.frombuffer(take(n * sum(widths)), np.uint8).reshape(n, sum(widths))[change.rows]
    edges = np.cumsum([0, *widths])
    columns = [
        Column(names[i], marks[i], formats[i], labelled[i], records[:, edges[i] : edges[i + 1]]) for i in range(k)
    ]
    kinds = _as_newer(columns, order) if release < 113 else []
    sets = _sets(data[at:], order, 33, encoding, b"")
    put_all(columns, change, sets, order, 33, format_room, encoding)
    unused = drop_unused(columns, sets, order)
    more_columns = added(change, 33, format_room, encoding)
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


def _as_newer(columns: list[Column], order: str) -> list[str | None]:
    """Put whole numbers in the way of Stata 8, which has 27 missing values where older ones have the largest number.

    Returned is of which type each column was.
    """
    kinds = [column.kind for column in columns]
    for column, kind in zip(columns, kinds, strict=True):
        if kind is not None and kind in WIDEST:
            numbers = column.numbers(order)
            gone = numbers == np.iinfo(kind).max
            wider = next((k for k in WIDEST if k >= kind and fit(numbers[~gone], k)), "f8")
            column.put(np.where(gone, missing_value(wider), numbers.astype("f8")), wider, order)
    return kinds


def _as_older(columns: list[Column], kinds: list[str | None], order: str) -> None:
    """Put whole numbers in the way of Stata 7 again, in the type that they had where it holds them."""
    for column, was in zip(columns, kinds, strict=False):
        kind = column.kind
        if was is None or was not in WIDEST or kind is None:
            continue
        numbers = column.numbers(order)
        gone = numbers > WIDEST[kind] if kind in WIDEST else ~(numbers < 2.0**1023)
        there = numbers[~gone]
        types = {name: np.iinfo(name) for name in WIDEST if name >= was}
        fits = (
            name for name, i in types.items() if (there % 1 == 0).all() and ((i.min <= there) & (there < i.max)).all()
        )
        narrow = next(fits, kind)
        if narrow in WIDEST:
            column.put(np.where(gone, np.iinfo(narrow).max, numbers), narrow, order)


def _used_texts(raw: bytes, columns: list[Column], order: str, release: int) -> bytes:
    """Return the long texts that a cell still points to: those of removed records go."""
    first = {117: 4, 118: 2, 119: 3}[release]  # bytes of the column's number in a cell; the rest is the record's
    used = {bytes(cell) for c in columns if c.mark == STRL for cell in np.unique(c.cells, axis=0)}
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
