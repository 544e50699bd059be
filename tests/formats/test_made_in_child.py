"""Safer files made in a process of their own are those made here; whatever becomes of it is a sentence."""

# Inside: bytes are written to a file of the memory alone.

import io
import os
import re
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from disclosure_core import DisclosureError
from disclosure_core.data.readers import prepare
from disclosure_core.data.rewriters import Cells, Change, rewrite, rewrite_in_process
from disclosure_core.data.rewriters._memory import bytes_written
from disclosure_core.data.writers import safer
from tests.reading import Limits, read_in_process
from tests.slow.test_readers_in_child import FILES, LINUX, SENTENCES, _nothing_is_left, misbehave, spss, written

__all__ = ["_nothing_is_left"]


def files(folder):
    """Give a small file of every format, packed ones too, by name."""
    made = dict(written(ending) for ending in (".parquet", ".feather", ".xlsx", ".dta", ".csv.gz", ".zip"))
    made["x.sav"] = spss(folder)
    made |= {name: (FILES / name).read_bytes() for name in ("frame.rds", "synds_m2.rds", "iris.sas7bdat")}
    frame = read_in_process(made["x.parquet"], "x.parquet")[0].frame[["age", "sex", "income"]]
    sink = io.BytesIO()
    frame.astype({"sex": str}).to_excel(sink, index=False, engine="odf")
    made["x.ods"] = sink.getvalue()
    numbers = frame[["age", "income"]].astype(float)
    pyreadstat.write_sav(numbers, folder / "x.zsav", compress=True)
    pyreadstat.write_xport(numbers, folder / "x.xpt", file_format_version=8)
    pyreadstat.write_por(numbers, folder / "x.por")
    return made | {name: (folder / name).read_bytes() for name in ("x.zsav", "x.xpt", "x.por")}


def changed(reading):
    """Return a change that leaves out records, gives a column of numbers other ones, and merges levels of another."""
    frame = reading.frame
    rows = np.flatnonzero(np.arange(len(frame)) % 3 < 2)
    columns = {}
    for name in frame.columns:
        values = frame[name].iloc[rows].reset_index(drop=True)
        touched = np.arange(len(rows)) % 4 == 1
        if pd.api.types.is_numeric_dtype(values.dtype):
            columns[name] = Cells(values.astype(float).where(~touched, 2.5), touched)
        elif isinstance(values.dtype, pd.CategoricalDtype) or pd.api.types.is_string_dtype(values.dtype):
            merged = (
                values.astype(object)
                .where(~touched, "Öther")
                .astype(pd.CategoricalDtype(["Öther", *sorted(set(values.dropna()))]))
            )
            columns[name] = Cells(merged, touched)
        if len(columns) == 3:
            break
    assert columns
    return Change(len(frame), rows, columns)


MOMENT = rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d"


def timeless(made):
    """Return a file's content without the time at which it was written."""
    if zipfile.is_zipfile(io.BytesIO(made.data)):
        with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
            return {n: archive.read(n) for n in archive.namelist() if n != "docProps/core.xml"}
    if made.ending in (".sav", ".zsav"):
        return made.data[:92], made.data[109:]  # date and time of creation
    return re.sub(MOMENT, b"", made.data) if made.ending == ".xpt" else made.data


def test_a_child_makes_the_file_that_is_made_here(tmp_path):
    offered = files(tmp_path)
    names = [*offered, *offered]
    formats = set()
    for i, (name, data) in enumerate(offered.items()):
        prepare(*names[i : i + 2], limits=None)
        reading = read_in_process(data, name)[-1]
        change = changed(reading)
        found, expected = rewrite(reading, change), rewrite_in_process(reading, change)
        assert (found.ending, found.notes) == (expected.ending, expected.notes)
        assert timeless(found) == timeless(expected), name
        assert found.data != data
        formats.add(reading.format)
    assert formats == {"CSV", "Parquet", "Arrow", "Excel", "OpenDocument", "SPSS", "SPSS portable", "Stata", "SAS", "SAS transport", "R"}  # fmt: skip


def test_what_does_not_fit_is_said_as_it_is_here():
    """Other rows than the table's: its values as Parquet; a level that the format cannot hold: its own sentence."""
    (reading,) = read_in_process(*reversed(written(".dta")))
    short = Change(len(reading.frame) - 1, np.array([0]))
    assert rewrite(reading, short) is None
    assert rewrite_in_process(reading, short) is None
    anew = safer(reading, reading.frame.iloc[[0]], short)
    assert anew.ending == ".parquet"
    assert anew.notes[0].startswith("Written anew from its values as Parquet, since the file could not be taken")
    n = len(reading.frame)
    long = pd.Series(pd.Categorical(["x" * 3000] * n))
    change = Change(n, np.arange(n), {"abroad": Cells(long, np.full(n, True))})
    said = []
    for how in (rewrite, rewrite_in_process):
        with pytest.raises(DisclosureError) as told:
            how(reading, change)
        said.append(str(told.value))
    assert said[0] == said[1]


HARM = [
    ("a bad address", "import ctypes; ctypes.string_at(1)", "damaged"),
    ("a library that breaks off", "os.abort()", "memory or damage"),
    ("memory", "held = []\nwhile True: held.append(bytes(10_000_000))", "memory"),
    ("memory that is a file", "from disclosure_core.data.rewriters._memory import memory_path\nfrom pathlib import Path\nwith memory_path() as at, open(at, 'wb') as file:\n    for _ in range(1000): file.write(bytes(1_000_000))", "no fit"),
    ("an endless loop", "while True: pass", "time"),
    ("nothing", "os._exit(0)", "nothing"),
    ("an answer that is none", "return 5", "unsound"),
    ("a file that is none", "class Made: ending = 5; notes = (); data = b''\nreturn Made", "nothing"),
]  # fmt: skip


@LINUX
@pytest.mark.parametrize("row", HARM, ids=[row[0] for row in HARM])
def test_whatever_becomes_of_the_child_is_a_sentence(monkeypatch, tmp_path, row):
    (reading,) = read_in_process(spss(tmp_path), "x.sav")
    _, body, sentence = row
    rewrites(monkeypatch, body)
    limits = Limits(memory=200, seconds=1 if sentence == "time" else 60)
    match = "^The safer table cannot be written as SPSS" if sentence == "no fit" else SENTENCES[sentence]
    with pytest.raises(DisclosureError, match=match):
        safer(reading, reading.frame, Change(3, np.arange(3)), limits=limits)


def rewrites(monkeypatch, body):
    """Have the children do this where they would make a file anew."""
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    before = f"import os, disclosure_core.data.rewriters._statistical as room\ndef spss(data, path, part, options, change):\n{inner}room.spss = spss"
    misbehave(monkeypatch, "pass", before)


@LINUX
def test_what_a_child_that_writes_may_write(monkeypatch, tmp_path):
    """Nothing but memory, up to the limit, and that only while a library is given a path to it."""
    (reading,) = read_in_process(spss(tmp_path), "x.sav")
    rewrites(
        monkeypatch,
        f"""
import resource, tempfile
from disclosure_core.data.rewriters._memory import memory_path
from disclosure_core.errors import DisclosureError
def wrote(path):
    try:
        with open(path, "wb") as file: file.write(b"x" * 9999)
    except OSError: return False
    return True
before = wrote({str(tmp_path / "written")!r})
with memory_path() as path:
    memory = wrote(path), os.readlink(path).startswith("/memfd:")
after = wrote({str(tmp_path / "written")!r})
try:
    with tempfile.TemporaryFile() as file: file.write(b"x" * 9999); file.flush()
    temporary = True
except OSError: temporary = False
raise DisclosureError(repr((before, memory, after, temporary, resource.getrlimit(resource.RLIMIT_FSIZE), resource.getrlimit(resource.RLIMIT_CORE))))""",
    )
    with pytest.raises(DisclosureError) as told:
        safer(reading, reading.frame, Change(3, np.arange(3)), limits=Limits(memory=200))
    assert str(told.value) == repr((False, (True, True), False, False, (0, 200_000_000), (0, 0)))
    assert (tmp_path / "written").read_bytes() == b""


@pytest.mark.parametrize("system", ["Linux", "macOS", "Windows"])
def test_a_library_that_wants_a_path_writes_on_every_system(monkeypatch, system):
    """200,000 bytes are more than a pipe holds; only Windows has neither memory files nor `/dev/fd`."""
    if system != "Linux":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    if system == "Windows":
        monkeypatch.setattr(Path, "is_dir", lambda _: False)
    elif not Path("/dev/fd").is_dir():
        pytest.skip("this system has no /dev/fd")
    assert bytes_written(lambda path: Path(path).write_bytes(b"ab" * 100_000)) == b"ab" * 100_000


def test_a_system_that_lets_nothing_be_written_is_named_as_the_cause(monkeypatch, tmp_path):
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(Path, "is_dir", lambda _: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(DisclosureError, match="^This system lets no file of SPSS, SAS or R be made: it has no memory"):
        bytes_written(lambda path: Path(path).write_bytes(b"a"))
