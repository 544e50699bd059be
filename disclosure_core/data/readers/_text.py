"""Text files: encoding, delimiter, quote and decimal mark found out, the type of a column from its distinct values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.data.coded import CodedColumn, CodedTable
from disclosure_core.data.column import smallest
from disclosure_core.data.readers import _tidying as tidying
from disclosure_core.data.readers._arrow import coded_of, series_of
from disclosure_core.data.readers._dialect import below_lines_above, delimiter_of, one_sign
from disclosure_core.data.readers._encoding import SAMPLE, as_utf8, encoding_notes, encoding_of
from disclosure_core.data.readers._reading import Limits, Lines, Part, ReadOptions, of_columns, too_much
from disclosure_core.data.readers._rows import memory_for, rows_of
from disclosure_core.data.readers._types import ENOUGH, NUMBER, typed
from disclosure_core.errors import DisclosureError

_SEPARATOR = re.compile(rb'"?sep=([\x00-\x7f]|[\xc2-\xf4][\x80-\xbf]+)"?\r?\n', re.IGNORECASE)
"""A first line by which Excel tells the delimiter."""

_SINGLE_QUOTED = re.compile(rb"'[^'\r\n]*'(?:[,;\t|~]'[^'\r\n]*')+\r?\n")
"""A header of which every name stands in single quotes."""

_CTRL_Z, _ENDS = b"\x1a", b" \r\n"
"""The sign with which DOS ended a text, and what may stand around it."""

_LEADING = re.compile(rb"[\r\n]*")


def text(data: bytes, name: str, options: ReadOptions, limits: Limits) -> Iterator[Part]:
    """Read a delimited text file; its time grows with its size alone, whatever it holds."""
    encoding = options.encoding or encoding_of(data)
    if b"\x00" in data and not encoding.startswith(("utf-16", "utf-32")):
        raise _no_text(name, encoding)
    needed = memory_for(data, encoding)
    if needed > limits.memory * 1_000_000:
        raise too_much(name, needed)
    body = as_utf8(data, encoding, name)
    if body is not data and b"\x00" in body:
        raise _no_text(name, encoding)
    notes = [] if options.encoding else encoding_notes(data, encoding, name)
    if body[-100:].rstrip(_ENDS).endswith(_CTRL_Z):
        body = body.rstrip(_ENDS + _CTRL_Z) + b"\n"
        notes.append("The file ends with the sign Ctrl-Z of DOS: ignored.")
    if b"\n" not in body:
        body = body.replace(b"\r", b"\n")  # as old Macs ended lines
    begins = _LEADING.match(body).end()  # type: ignore[union-attr]  # it matches nothing at all, too
    if not body[begins : begins + SAMPLE].strip() and not body.strip():
        raise DisclosureError(f"{name} is empty; choose a file with a header and at least one row.")
    separator_line = _SEPARATOR.match(body, begins)
    if separator_line:
        begins = separator_line.end()
    single = not options.quote and _SINGLE_QUOTED.match(body, begins)
    if single:
        notes.append("Names and cells stand in single quotes: read so.")
    quote = one_sign(options.quote or ("'" if single else '"'), "a quote", name)
    given = options.delimiter or (separator_line and separator_line.group(1).decode())
    delimiter = one_sign(given or delimiter_of(body, begins, quote), "a delimiter", name)
    if delimiter == " " and not given:
        notes.append("Its columns are parted by blanks: read so.")
    if delimiter == quote:
        raise DisclosureError(
            f"{name} cannot be read with {quote!r} as delimiter and as quote; choose another of them."
        )
    above = list[str]()
    if options.header is not False:
        begins, above = below_lines_above(body, begins, delimiter, quote, name)
    rows = rows_of(body, begins, delimiter, quote, name, limits, options.header)
    names, columns_of_text, quoted = rows.names, rows.columns, rows.quoted
    notes += above + rows.notes
    columns: dict[str, CodedColumn] = {}
    decimals = set()
    said, last_row = list[tuple[str, str]](), list[str]()
    texts = list[pa.ChunkedArray]()  # of each column that stays text, the first
    columns_of_text.reverse()
    for i, column in enumerate(names):
        plain = columns_of_text.pop()  # its texts are not held beside its values
        last = (plain[-1].as_py() or "") if len(plain) else ""
        coded_column, cells, sentences, decimal = _held(plain, options.decimal, delimiter)
        if i == 0 and len(names) > 1 and tidying.is_row_numbers(column, coded_column.series()):
            notes.append(tidying.row_numbers_note(column))
            continue
        columns[column] = coded_column
        decimals |= {decimal} - {None}
        said += [(column, sentence) for sentence in sentences]
        if cells is not None:
            texts.append(cells)
            if not last_row and tidying.is_total(last):
                last_row = tidying.last_row_notes(pd.DataFrame({column: coded_column.series()}))
    hints = of_columns(said)
    if len(texts) == len(columns):
        hints += _second_header_notes(list(columns), texts, options.decimal, delimiter)
    decimal_mark = "," if "," in decimals else "."
    used = ReadOptions(
        delimiter=delimiter,
        quote=quote,
        encoding=encoding,
        decimal=options.decimal or decimal_mark,
        header=options.header,
    )
    held = CodedTable(pd.Index(columns, dtype="str"), pd.RangeIndex(rows.n), list(columns.values()))
    lines = Lines(body.count(b"\n") + (not body.endswith(b"\n")), quoted)
    yield Part(held, options=used, notes=(*notes, *hints, *last_row), lines=lines, warnings=rows.warnings)


def _held(
    plain: pa.ChunkedArray, decimal: str | None, delimiter: str
) -> tuple[CodedColumn, pa.ChunkedArray | None, list[str], str | None]:
    """Return a column as it is held, its first texts where it stays text, what is to be said, and its decimal mark."""
    cells = plain.dictionary_encode()
    if (few := _few_whole_numbers(cells)) is not None:
        return few, None, [], None
    values, sentences, mark = typed(cells, decimal, delimiter)
    if values is not cells:
        del cells, plain
        return coded_of(values, text=True), None, sentences, mark
    first = plain.slice(0, ENOUGH)
    if plain.num_chunks and 2 * len(cells.chunk(0).dictionary) >= len(plain):
        return CodedColumn(series_of(plain)), first, sentences, mark  # nearly all distinct: codes would only cost
    return coded_of(cells, text=True), first, sentences, mark


_WHOLE = re.compile(r"-?[1-9][0-9]{0,17}|0")
"""Whole numbers as there is one way to write them."""

_FEW = 100
"""Distinct texts of a column that Python looks through sooner than Arrow begins: wide tables hold such columns."""


def _few_whole_numbers(cells: pa.ChunkedArray) -> CodedColumn | None:
    """Return a column of few whole numbers, all written plainly, as `typed` and `coded_of` would; None for others."""
    if not cells.num_chunks or not 0 < len(cells.chunk(0).dictionary) <= _FEW:
        return None
    whole = cells.combine_chunks()
    chunk = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    if not 0 < len(chunk.dictionary) <= min(_FEW, len(chunk) // 4):
        return None
    texts = chunk.dictionary.to_pylist()
    if not all(map(_WHOLE.fullmatch, texts)):
        return None
    numbers = np.array(list(map(int, texts)), dtype=np.int64)
    order = np.argsort(numbers)
    place = np.empty(len(order) + 1, dtype=smallest(len(order) + 1))  # the last is of missing ones
    place[order], place[-1] = np.arange(len(order)), len(order)
    rising = numbers[order]
    if not chunk.null_count:
        return CodedColumn(pd.Series(rising, copy=False), place[chunk.indices.to_numpy()])
    masked = pd.arrays.IntegerArray(np.append(rising, 1), np.append(np.zeros(len(order), dtype=bool), True))
    codes = chunk.indices.fill_null(len(order)).to_numpy(zero_copy_only=False)
    return CodedColumn(pd.Series(masked, copy=False), place[codes])


def _no_text(name: str, encoding: str) -> DisclosureError:
    return DisclosureError(f"{name} is not a text file, or not {encoding}; give it the ending of its format.")


def _second_header_notes(
    names: Sequence[str], texts: Sequence[pa.ChunkedArray], decimal: str | None, delimiter: str
) -> list[str]:
    """Return a warning where nothing is a number because a second row of names stands above the records."""
    if not texts or len(texts[0]) < 4:
        return []
    for n in (1, 2):
        numeric = []
        for column, cells in zip(names, texts, strict=True):
            above = [cells[j].as_py() for j in range(n)]
            if any(v is None or tidying.NO_ANSWER.fullmatch(v) or re.match(NUMBER, v) for v in above):
                continue
            kind = typed(cells.slice(n), decimal, delimiter)[0].type
            if pa.types.is_integer(kind) or pa.types.is_floating(kind):
                numeric.append(column)
        if numeric:
            return tidying.second_header_notes([cells[0].as_py() for cells in texts], numeric, n)
    return []
