"""What of an old workbook, .xls, its reader does not tell: errors, and hidden rows and columns."""

from __future__ import annotations

import re


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
