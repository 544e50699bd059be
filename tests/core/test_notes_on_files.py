"""What is said of a file is said of one that has it, and not of one that has not: reading it, and making it anew.

Every sentence of the readers, of what makes files anew and of the scripts has a text among the tests: a new one without
fails in test_errors.py.
"""

import base64
import gzip
import io
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from pyreadstat import write_sav, write_xport

from disclosure_core import AddLabel, Settings, protect, start
from disclosure_core.data.rewriters import Change, rewrite_in_process
from disclosure_core.data.writers import safer
from disclosure_core.export.scripts import r_of
from tests.reading import read_in_process as read

FILES = Path(__file__).parent / "files"
FRAME = pd.DataFrame({"k": ["a", "b"], "p": [1.0, 0.0]})

LENGTH_OF_TIME = base64.b64decode(
    "H4sIAAAAAAAAA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2AYsJADiOQ5gPSTPYfGMDAgQEGWJjA8iwMnCBNyTmJxcVAhgCSIEdKZlpaSWZuKrri0r"
    "zMEnTFrBn5pUUgwX/oqvMSc1PRVTNWQFQx/keT4EpJLEnUSytKxLCVsyi/XA9mFi/ITw1A4v////9AlgIAvC4FrgcBAAA="
)
"""R's saveRDS(data.frame(x = as.difftime(c(1, 2), units = "hours")))."""

WITH_FUNCTION = base64.b64decode(
    "H4sIAAAAAAAAA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2AYsJADiMQCwAxEwMLAyeInwhjJDEA9YBVQARY8xJzU4uhymGCjNnoqpJzEovRVXGlJJ"
    "Yk6qUVAQ1AU85ZlF+uBzOYF+SOBiDx////f2gKmTPyy4EU1MkszED6L5oSxgog8RuIgXpZ/4NoAOSnMf77AAAA"
)
"""R's saveRDS of data.frame(k = c("a", "b")) whose attribute `how` is list(function(x) x)."""

SETS_AND_ROLES = gzip.decompress(
    base64.b64decode(
        "H4sIAAAAAAACA1Nx8zFy0FDWVAgOCA5WcHEMcVRw8/RxVXD3C1UoKC4oUDDUM9MzUtBVqLAwizcz0S1I1s3JzCut0E3PK1UAAiYGBgZmIGZkgA"
        "AmBhiIdDAyUvDLL1MwMjO0sAIiAxMFCgHUfEYGJMDICMbeUCVMDGiAkRWMAwjIB0Ll2aH+YQFiDqhdbFB7/wMBI1QMxH/5l4GBHUktM1TN///v"
        "/0Pp+n9QPkgdO1SvEBCrlBanpti6GCoYKhgoKBQoFHKBZLmhpnFCVcJ8yozkGmQ2SA8vlA3S622bzRlgW8AZaFvIDrUIJKUDxNlWKg5B+TmpGu"
        "oG6lya+gVwriGIW4giC9IrAtULDB6G0BA3XYvnzBC3/E1N+ZuSysCQCA2xJCgNAHLOaA1KAgAA"
    )
)
"""PSPP's: MRSETS /MDGROUP NAME=$used VARIABLES=p q VALUE=1. VARIABLE ROLE /TARGET p."""

ATTRIBUTES = gzip.decompress(
    base64.b64decode(
        "H4sIAAAAAAACA6VQ30vCYBT9Nkv7SRj9ARcStj3M2pIxBoKjVAYi0RTqKaZ8mSBuuM321p8bPfUXrHU/vcZ67sDh7t577tnha/QGZke91MC/"
        "9324c0cu9LxBF/rDMURxFIHRtJom6JDZ1rPV0qOpvpgv00yfLVNAyIwxQYltIbMdnjqmBcNwDaZlGE7rxjFt+Cf++BMq+xu6/S6U8/xCljb0"
        "u4+bfU2cIPeQB5S7SjcFQqKZ6D9zxmolbYU0RfFVUH3/pl7ojklbJe3OXyplErpTmp0hMXc7mPFDzNeOeSbWdVqfIOMwXU25qmTKkSZ257S7"
        "ReKZ4y0TvlrP+RtfqYqXKDHqwuRVdIE60bBrdB7CBTpc4/cV/sEpD4TlBVniO7LxqKfbH5VtVJ6/5KIG9PoTqj+YdDzrMwIAAA=="
    )
)
"""PSPP's: VARIABLE ATTRIBUTE VARIABLES=age ATTRIBUTE=Interviewer("It's") other('a(b)'). DATAFILE ATTRIBUTE …."""


def sheets(*titles, aside=None) -> bytes:
    book, sink = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for title in titles:
        sheet = book.create_sheet(title)
        for row in (("k", "p"), ("a", 1), ("b", 0)):
            sheet.append(row)
    if aside is not None:
        book[titles[0]]["F9"] = aside
    book.save(sink)
    return sink.getvalue()


def open_document(*titles) -> bytes:
    sink = io.BytesIO()
    with pd.ExcelWriter(sink, engine="odf") as writer:
        for title in titles:
            FRAME.to_excel(writer, sheet_name=title, index=False)
    return sink.getvalue()


def old_stata(text) -> bytes:
    """Return a file of Stata 10 with a text in UTF-8, as R's `write.dta` leaves it there."""
    sink = io.BytesIO()
    pd.DataFrame({"k": ["aZZb"], "p": [1]}).to_stata(sink, write_index=False, version=114)
    return sink.getvalue().replace(b"aZZb", text.encode())


def written(write, name, tmp_path, **how) -> bytes:
    write(FRAME, tmp_path / name, **how)
    return (tmp_path / name).read_bytes()


READ = {
    "is a length of time, in hours: read as numbers": (("t.rds", LENGTH_OF_TIME), "frame.rds"),
    "An object saved by synthpop": ("synds_m1.rds", "frame.rds"),
    "Outside the table, cells hold nothing but spaces (F9): ignored": (("a.xlsx", sheets("one", aside="\u00a0")), ("b.xlsx", sheets("one"))),
    "Its texts are UTF-8 and are read so, though this format of Stata": (("a.dta", old_stata("aüb")), ("b.dta", old_stata("aZZb"))),
    "2 rows between the others hold no value: they are counted as records": (
        ("a.csv", b"k,p\na,1\n,\n,\nb,0\n"), ("b.csv", b"k,p\na,1\nb,0\n")),
}  # fmt: skip


def given(file):
    name, data = (file, (FILES / file).read_bytes()) if isinstance(file, str) else file
    return read(data, name)[0]


@pytest.mark.parametrize("said", READ)
def test_what_is_said_of_a_file_that_is_read(said):
    with_it, without = (" ".join(given(file).notes) for file in READ[said])
    assert said in with_it
    assert said not in without


def anew(reading) -> str:
    made = rewrite_in_process(reading, Change(len(reading.frame), np.arange(len(reading.frame))))
    return " ".join(made.notes)


ANEW = {
    "The attributes 'how' hold more than single values, and are not kept": (("t.rds", WITH_FUNCTION), "frame.rds"),
    "One table comes back as .rds; the other objects of the image were not assessed": ("two_frames.RData", "frame.rds"),
    "The sheets 'two' were not assessed, and are not kept": (("a.xlsx", sheets("one", "two")), ("b.xlsx", sheets("one"))),
    "The sheets 'three' were not assessed, and are not kept": (
        ("a.ods", open_document("one", "three")), ("b.ods", open_document("one"))),
    "The multiple response sets 'used' are not kept": (("a.sav", SETS_AND_ROLES), "plain.sav"),
    "Roles of columns are not kept": (("a.sav", SETS_AND_ROLES), ("b.sav", ATTRIBUTES)),
    "Attributes of columns are not kept": (("a.sav", ATTRIBUTES), ("b.sav", SETS_AND_ROLES)),
    "Attributes of the file are not kept": (("a.sav", ATTRIBUTES), "tens.sav"),
    "SAS's own format is not written; its transport file is": ("iris.sas7bdat", "plain.xpt"),
}  # fmt: skip


@pytest.mark.parametrize("said", ANEW)
def test_what_is_said_of_a_file_that_is_made_anew(said, tmp_path):
    plain = {
        "plain.sav": lambda: ("plain.sav", written(write_sav, "plain.sav", tmp_path)),
        "tens.sav": lambda: ("tens.sav", written(lambda f, at: write_sav(f * 10, at), "tens.sav", tmp_path)),
        "plain.xpt": lambda: ("plain.xpt", written(write_xport, "plain.xpt", tmp_path, file_format_version=5)),
    }
    with_it, without = (anew(given(plain[f]() if f in plain else f)) for f in ANEW[said])  # 10.0 holds the bytes "$@"
    assert said in with_it
    assert said not in without


@pytest.mark.slow
@pytest.mark.parametrize(("name", "is_said"), [("label", False), ("synthetic_label", True)])
def test_a_transport_file_whose_names_grow_says_so(tmp_path, name, is_said):
    reading = given(("s.xpt", written(write_xport, "s.xpt", tmp_path, file_format_version=5)))
    made = protect(reading.frame, [reading.frame], [AddLabel(name, "SYNTHETIC")], Settings(), {}, {})
    notes = safer(reading, made.synthetic[0], made.changes[0]).notes
    assert (
        "Names above 8 letters, or texts above 200, need version 8 of the transport file" in " ".join(notes)
    ) == is_said


@pytest.mark.parametrize("sets", [("a",), ("a", "b")])
def test_the_script_for_r_says_that_other_sets_are_not_in_it(sets):
    data = b"k,t\na,x\nb,y\n"
    opened = start(("o.csv", data), {name: [(f"{name}.csv", data)] for name in sets})
    opened = opened.with_review(opened.review.with_settings(Settings(keys=("k",))))
    assert ("The others are not below" in r_of(opened)) == (len(sets) > 1)


@pytest.mark.parametrize("n", [1, 2])
def test_the_script_for_r_says_what_a_flag_of_several_syntheses_is(n):
    data = b"k,t\na,x\nb,y\n"
    opened = start(("o.csv", data), {"synthetic data": [(f"{i}.csv", data) for i in range(n)]})
    opened = opened.with_review(opened.review.with_settings(Settings(keys=("k",))))
    assert ("With several syntheses a flag of R's stays up for those that follow" in r_of(opened)) == (n > 1)


def test_a_text_file_has_a_receipt_of_its_lines():
    """Header, two records of which one cell holds a line end, a blank line: five lines, one of them in quotes."""
    (reading,) = read(b'a,b\n1,"x\ny"\n\n2,z\n', "x.csv")
    assert (reading.lines.lines, reading.lines.quoted, len(reading.table)) == (5, 1, 2)
    assert read(b'a\r"b\rc"\rd', "x.csv")[0].lines.quoted == 1  # as old Macs ended lines
    assert read(b'"a\nb",c\n1,2', "x.csv")[0].lines.lines == 3
