"""Delimited text: rows are copied letter by letter, and only cells that changed are written anew."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.data.readers._header import plain_names
from disclosure_core.data.rewriters._change import Change, Rewritten, UnalignedError, aligned, headed

if TYPE_CHECKING:
    from disclosure_core.data.readers import ReadOptions


_CTRL_Z = re.compile(r"\x1a\s*\Z")
"""The sign with which DOS ended a text."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")

_RECORDS = 10_000
"""Records that are written anew between two calls of `waiting`."""


def text(
    data: bytes,
    path: PurePosixPath,
    part: int,
    options: ReadOptions,
    change: Change,
    waiting: Callable[[bool], object] | None = None,
) -> Rewritten:
    """Rewrite a delimited text file."""
    encoding, delimiter, quote = options.encoding or "utf-8", options.delimiter or ",", options.quote or '"'
    decoded = _CTRL_Z.sub("", data.decode(encoding).lstrip("\ufeff").lstrip("\r\n"))
    records, end = _records(decoded, delimiter, quote)
    field = _field(delimiter, quote)
    header, body = (None, records) if options.header is False else (records[0], records[1:])
    if len(body) != change.n:  # rows of empty cells alone are no records
        body = [r for r in body if any(cell not in ("", quote * 2) for cell in _cells(r, field))]
    aligned(len(body), change)
    names = next(csv.reader([header or records[0]], delimiter=delimiter, quotechar=quote))
    names = plain_names(len(names)) if header is None else names
    headed(names, change)
    rows = [body[i] for i in change.rows.tolist()]
    anew: dict[int, dict[int, str]] = {}
    for name, cells in change.columns.items():
        if names.count(name) != 1:
            raise UnalignedError
        texts, at = cells.texts(), names.index(name)
        touched, standing = np.flatnonzero(cells.touched).tolist(), {}
        if not cells.is_text:
            wanted = {texts[i] for i in touched}
            for i in reversed(np.flatnonzero(~cells.touched & cells.values.notna().to_numpy()).tolist()):
                if texts[i] in wanted and texts[i] not in standing:
                    parts = _parts(rows[i], field, delimiter, quote)
                    if at < len(parts):
                        standing[texts[i]] = _unquoted(parts[at], quote)
        else:  # -8.0 beside "[0,5)" would be read as a text of its own, and not as the level -8
            for i in np.flatnonzero(~cells.touched & cells.values.notna().to_numpy()).tolist():
                parts = _parts(rows[i], field, delimiter, quote) if _NUMBER.fullmatch(texts[i]) else []
                if at < len(parts) and _is(_unquoted(parts[at], quote), texts[i], options):
                    anew.setdefault(i, {})[at] = texts[i]
        places = 0 if cells.is_text else _places(rows, at, field, delimiter, quote)
        for i in touched:
            # A number that stands in the column already is written as it stands: 24 beside 24.0 would be read as texts.
            new = "" if texts[i] is None else texts[i]
            if places and _NUMBER.fullmatch(new) and len(new.partition(".")[2]) <= places:
                whole, _, fraction = new.partition(".")
                new = f"{whole}.{fraction.ljust(places, '0')}"
            new = new if cells.is_text or options.decimal != "," else new.replace(".", ",")
            anew.setdefault(i, {})[at] = standing.get(texts[i], new)
    for done, (i, by_column) in enumerate(anew.items()):
        if waiting is not None and done % _RECORDS == 0:
            waiting(False)
        parts = _parts(rows[i], field, delimiter, quote)
        if len(parts) != len(names):
            raise UnalignedError
        for j, new in by_column.items():
            parts[j] = _quoted(new, delimiter, quote, always=bool(new) and parts[j].startswith(quote))
        rows[i] = delimiter.join(parts)
    if change.labels:
        widths = {len(_cells(row, field) if quote in row else row.split(delimiter)) for row in rows}
        if len(widths) > 1:  # a cell at the end of a shorter row would stand under another name
            raise UnalignedError
        always = (header or records[0]).endswith(quote)
        names_now, texts_now = (
            [_quoted(cell, delimiter, quote, always=always) for cell in cells]
            for cells in (change.labels, change.labels.values())
        )
        header = None if header is None else delimiter.join([header, *names_now])
        rows = [delimiter.join([row, *texts_now]) for row in rows]
    mark = {b"\xfe\xff": ("utf-16-be", b"\xfe\xff"), b"\xff\xfe": ("utf-16-le", b"\xff\xfe")}.get(data[:2])
    new_text = end.join(rows if header is None else [header, *rows]) + end
    encoded = new_text.encode(encoding) if mark is None or encoding != "utf-16" else mark[1] + new_text.encode(mark[0])
    return Rewritten(path.suffix, encoded)


def _is(spelt: str, level: str, options: ReadOptions) -> bool:
    """Whether a cell is the number of a level, in another spelling."""
    plain = spelt.strip().replace(options.decimal or ".", ".")
    return spelt != level and bool(_NUMBER.fullmatch(plain)) and float(plain) == float(level)


def _places(rows: list[str], at: int, field: re.Pattern[str], delimiter: str, quote: str) -> int:
    """Return the decimals that each number of a column is spelt with, as 15.0 is with one; 0 where they differ."""
    found = set()
    for row in rows[:_RECORDS]:
        parts = _parts(row, field, delimiter, quote)
        spelt = _unquoted(parts[at], quote) if at < len(parts) else ""
        if number := re.fullmatch(r"[+-]?\d+(?:[.,](\d+))?", spelt):
            found.add(len(number.group(1) or ""))
    return found.pop() if len(found) == 1 else 0


def _field(delimiter: str, quote: str) -> re.Pattern[str]:
    """Return the pattern of one cell as it stands, quotes included; within a cell a quote is a letter like others."""
    d, q = re.escape(delimiter), re.escape(quote)
    return re.compile(f"{q}(?:[^{q}]|{q}{q})*+{q}[^{d}\r\n]*+|[^{d}\r\n]*+")


def _records(content: str, delimiter: str, quote: str) -> tuple[list[str], str]:
    """Return the rows of a text as they stand, without the empty ones, and what ends a row."""
    first = re.search("\r\n|\r|\n", content)
    end = first.group() if first else "\n"
    records: list[str] = []
    if quote not in content:
        records = re.split("\r\n|\r|\n", content) if "\r" in content else content.split("\n")
    else:
        field = _field(delimiter, quote).pattern
        row = re.compile(f"((?:{field})(?:{re.escape(delimiter)}(?:{field}))*+)(?:\r\n|\r|\n|\\Z)")
        at = 0
        while at < len(content):
            match = row.match(content, at)
            if match is None:
                raise UnalignedError
            records.append(match.group(1))
            at = match.end()
    return [r for r in records if r], end


def _cells(record: str, field: re.Pattern[str]) -> list[str]:
    """Return the cells of a row as they stand, quotes included."""
    cells, at = [], 0
    while True:
        match = field.match(record, at)
        if match is None:  # the pattern's last alternative matches nothing at all, too
            raise UnalignedError
        cells.append(match.group())
        at = match.end() + 1
        if at > len(record):
            return cells


def _parts(record: str, field: re.Pattern[str], delimiter: str, quote: str) -> list[str]:
    """Return the cells of a row as they stand."""
    return _cells(record, field) if quote in record else record.split(delimiter)


def _unquoted(cell: str, quote: str) -> str:
    """Return what a cell says without its quotes, which are put around it anew where it had some."""
    return cell.strip().removeprefix(quote).removesuffix(quote)


def _quoted(new: str, delimiter: str, quote: str, *, always: bool) -> str:
    if always or any(mark in new for mark in (delimiter, quote, "\r", "\n")):
        return quote + new.replace(quote, quote * 2) + quote
    return new
