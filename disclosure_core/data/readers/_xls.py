"""What of an old workbook, .xls, its reader does not tell, or misreads: errors, what is hidden, formats of its own."""

from __future__ import annotations

import re

_EAST_ASIAN = frozenset((*range(27, 37), *range(50, 59)))
"""Numbers of formats that are dates in Excels of East Asia, where a workbook does not say what they are."""

_FORMAT = b"\x1e\x04"
_OWN = range(164, 383)
"""The numbers that a workbook may give to formats of its own."""


def old_errors(data: bytes, sheets: int) -> list[tuple[int, int, str]]:
    """Return the cells of an old workbook with an error; with several sheets it is not known whose they are.

    Records BOOLERR and FORMULA of BIFF8. Source: [MS-XLS] 2.4.24 and 2.4.127.
    """
    if sheets > 1:
        return []
    names = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
    typed = re.findall(rb"\x05\x02\x08\x00(..)(..)..([\x00\x07\x0f\x17\x1d\x24\x2a])\x01", data, re.DOTALL)
    computed = re.findall(
        rb"\x06\x00[\x16-\xff].(..)(..)..\x02.([\x00\x07\x0f\x17\x1d\x24\x2a])...\xff\xff", data, re.DOTALL
    )
    return [(int.from_bytes(r, "little"), int.from_bytes(c, "little"), names[e[0]]) for r, c, e in typed + computed]


def old_hidden(data: bytes, sheets: int) -> tuple[set[int], set[int]]:
    """Return rows and columns that are hidden in an old workbook; with several sheets it is not known whose they are.

    Records ROW and COLINFO of BIFF8. Source: [MS-XLS] 2.4.221 and 2.4.53.
    """
    if sheets > 1:
        return set(), set()
    rows, columns = set(), set()
    for found in re.finditer(rb"\x08\x02\x10\x00(..).{10}(.)", data, re.DOTALL):
        if found.group(2)[0] & 0x20:
            rows.add(int.from_bytes(found.group(1), "little"))
    for found in re.finditer(rb"\x7d\x00\x0c\x00(..)(..).{4}(.)", data, re.DOTALL):
        first, last = (int.from_bytes(found.group(i), "little") for i in (1, 2))
        if found.group(3)[0] & 1 and first <= last < 256:
            columns |= set(range(first, last + 1))
    return rows, columns


_GLOBALS = b"\x09\x08\x10\x00\x00\x06\x05\x00"
"""How the workbook of BIFF8 begins: a record BOF, of which the version and the kind."""

_CODE_PAGE, _UNICODE = b"\x42\x00", (1200).to_bytes(2, "little")


def as_unicode(data: bytes) -> bytes:
    """Return an old workbook that says of its texts that they are Unicode, as all are since Excel 97.

    Perl's WriteExcel names a code page beside them, by which the reader puts a NUL behind every letter.

    Record CODEPAGE of BIFF8. Source: [MS-XLS] 2.4.52 and 2.5.293.
    """
    at = data.find(_GLOBALS)
    ends = at + 512  # of its first sector
    while -1 < at < ends - 6:
        if data.startswith(_CODE_PAGE, at):
            return data[: at + 4] + _UNICODE + data[at + 6 :]
        at += 4 + int.from_bytes(data[at + 2 : at + 4], "little")
    return data


def with_plain_formats(data: bytes) -> bytes:
    """Return an old workbook whose own formats have numbers that are nobody's date.

    Gnumeric numbers its own from 50 on, and the reader takes 50 to 58 for dates whatever they are said to be: numbers
    with one digit behind the point became days of January 1900.

    Records FORMAT and XF of BIFF5 and BIFF8, which stand in one row. Source: [MS-XLS] 2.4.126 and 2.4.353.
    """
    cells = re.search(rb"(?:\xe0\x00\x14\x00.{20}){16,}|(?:\xe0\x00\x10\x00.{16}){16,}", data, re.DOTALL)
    if cells is None:
        return data
    own: dict[int, int] = {}  # what each is numbered, by where it says so
    at, begin = data.find(_FORMAT), cells.start()
    while -1 < at < begin:
        own, end = {}, at
        while data.startswith(_FORMAT, end) and end < begin:
            own[end + 4] = int.from_bytes(data[end + 4 : end + 6], "little")
            end += 4 + int.from_bytes(data[end + 2 : end + 4], "little")
        if end == begin:
            break
        own, at = {}, data.find(_FORMAT, at + 1)
    moved = _EAST_ASIAN & set(own.values())
    free = sorted(set(_OWN) - set(own.values()))
    if not moved or len(free) < len(moved):
        return data
    numbers = dict(zip(sorted(moved), free, strict=False))
    made, size = bytearray(data), 4 + data[begin + 2]
    for place in range(begin + 6, cells.end(), size):
        own[place] = int.from_bytes(data[place : place + 2], "little")
    for place, number in own.items():
        if number in numbers:
            made[place : place + 2] = numbers[number].to_bytes(2, "little")
    return bytes(made)
