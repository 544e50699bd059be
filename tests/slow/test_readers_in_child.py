"""Files parsed in a process of their own: what comes back is what is parsed here, and whatever kills it harms nobody."""

# Inside: what goes between a child and its parent, and where it ends.

import datetime as dt
import decimal
import gc
import gzip
import hashlib
import io
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
import zoneinfo
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from disclosure_core import DisclosureError, ReadOptions, demo, read
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.readers import Lines, Reading, Source, _parent, _wire, prepare
from tests.reading import Limits, read_in_process

ROOT = Path(__file__).parents[2]
FILES = ROOT / "tests" / "core" / "files"
SHARED = ROOT.parent / "shared" / "fidelity" / "files"
DAMAGED = sorted(FILES.glob("damaged_*.sav"))
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process holds and forbids")
ROME = zoneinfo.ZoneInfo("Europe/Rome")


def children() -> set[int]:
    """Return the processes that this one has started and not yet ended."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since it was listed
            found |= {int(n) for n in (task / "children").read_text().split()}
    return found


def held() -> tuple[int, int, set[int]]:
    """Return how many pipes and threads this process has, and its children."""
    open_ = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in range(1000)]
    return sum("pipe:" in target for target in open_), threading.active_count(), children()


@pytest.fixture(autouse=True)
def _nothing_is_left():
    """No child, no pipe, no thread, and both places free: whatever a file did."""
    _parent.dismiss()
    gc.collect()  # what a test before left to be collected goes now, and not in the middle
    read_in_process(b"a,b\n1,2\n", "x.csv")  # Arrow opens a pipe of its own when it is first used
    before = held() if sys.platform == "linux" else None
    yield
    _parent.dismiss()
    assert before is None or held() == before
    assert _parent._places.busy() == 0


def sent_of(reading: Reading) -> Reading:
    """Return a reading as a child has it: whoever asked has the file's bytes."""
    return reading if reading.source is None else replace(reading, source=replace(reading.source, file=_wire.NOTHING))


def there_and_back(reading: Reading) -> Reading:
    """Return what the other side would make of the bytes."""
    sent = [
        (json.loads(json.dumps(said, allow_nan=False)), [np.frombuffer(bytearray(memoryview(b)), np.uint8) for b in buffers])
        for said, buffers in _wire.messages(reading)
    ]  # fmt: skip
    return _wire.assembled(sent[0], [_wire.column_of(said, buffers) for said, buffers in sent[1:]])


def same(found: Reading, expected: Reading) -> None:
    """To the last bit: types, order of levels, signs of zeros, which kind of missing."""
    left, right = found.frame, expected.frame
    pd.testing.assert_frame_equal(left, right, check_exact=True, check_index_type="exact", check_column_type="exact")
    for i in range(right.shape[1]):
        a, b = left.iloc[:, i], right.iloc[:, i]
        assert (a.dtype, type(a.array)) == (b.dtype, type(b.array))
        if b.dtype.kind in "fcO":
            assert [(type(v), repr(v)) for v in a] == [(type(v), repr(v)) for v in b]
    for name in Reading.__slots__:
        if name not in ("table", "source"):
            assert repr(getattr(found, name)) == repr(getattr(expected, name))
    assert (found.source is None) == (expected.source is None)
    if expected.source is not None:  # its bytes are data, which no repr shows
        for name in ("data", "name", "path", "part"):
            a, b = getattr(found.source, name), getattr(expected.source, name)
            assert (type(a), a) == (type(b), b), name
    for i in range(right.shape[1] if len(right) else 0):
        left.iat[0, i] = right.iat[-1, i]  # what came may be written to, as what is parsed here


MOMENT = pd.Series(pd.to_datetime(["2020-07-01T01:02:03.5", None]))
COLUMNS = {
    **{t: pd.Series([1, 0], dtype=t) for t in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "?"]},
    **{t: pd.Series([1, None], dtype=t) for t in ("Int8", "UInt64", "Int64", "Float32", "Float64", "boolean")},
    "floats": pd.Series([-0.0, 0.0, np.nan, np.inf, 5e-324, 0.1]),
    "texts": pd.Series(["a", None, "ü", ""], dtype="str"),
    "marked texts": pd.Series(["a", None], dtype="string"),
    "texts in Python": pd.Series(["a", None], dtype=pd.StringDtype("python")),
    "no text": pd.Series([], dtype="str"),
    "no object": pd.Series([], dtype=object),
    "ordered": pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "c", "a"], ordered=True)),
    "levels of two types": pd.Series(pd.Categorical([1, "1"], categories=["1", 1])),
    "levels that are moments": pd.Series(pd.Categorical(pd.to_datetime(["2021-01-01", "2020-01-01"]))),
    "levels that are days": pd.Series(pd.Categorical([dt.date(2020, 1, 2), None])),
    "nothing but missing": pd.Series(pd.Categorical([None, None])),
    **{u: pd.Series(np.array(["1620-01-01T01:02:03" if u == "s" else "2020-01-01", "NaT"], f"M8[{u}]")) for u in ("s", "ms", "us", "ns")},
    "lengths of time": pd.Series(np.array([1, "NaT"], "m8[us]")),
    "UTC": MOMENT.dt.tz_localize("UTC"),
    "a zone": MOMENT.dt.tz_localize(ROME),
    "an offset": MOMENT.dt.tz_localize(dt.timezone(dt.timedelta(hours=5, minutes=30))),
    "objects": pd.Series(
        [
            1, "1", True, 1.0, -0.0, 0.0, 10**40, None, np.nan, pd.NaT, pd.NA, float("inf"), "\ud800",
            decimal.Decimal("1.0"), decimal.Decimal("1.00"),
            dt.date(2020, 1, 1), dt.time(1, 2, 3, 4), dt.timedelta(1, 2, 3), dt.timedelta(-1), dt.datetime(2020, 1, 1, 5),
        ],
        dtype=object,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_comes_over_exactly(name):
    codes = {"x": (-8.0, 1.5, float("nan"), float("-inf"))}
    made = ReadOptions(delimiter="\t", sheet="Täb 1")
    frame = pd.DataFrame({"x": COLUMNS[name]})
    reading = Reading(table=CodedTable.of(frame), name="n", sha256="s", format="F", options=made, choices=("a", "b"), missing_codes=codes, notes=("Ünlike.",))  # fmt: skip
    same(there_and_back(reading), reading)


def test_all_that_is_said_of_a_table_comes_over_exactly():
    frame = pd.DataFrame({"a": [1, 2], "Ü": ["x", None]})
    source = Source(_wire.NOTHING, "set.zip", "a.csv", 3)
    said = {
        "value_labels": {"a": {1.0: "one", 2: "two", "x": "other", -0.0: "zero"}},
        "missing_levels": {"a": ("Refused", "no answer")},
        "labels": {"a": "A label"},
        "lines": Lines(5, 2),
        "file_sha256": "ff",
        "warnings": ("Look.",),
        "formats": {"a": "F"},
    }
    reading = Reading(CodedTable.of(frame), "n", "s", "F", ReadOptions(), (), {}, (), source, **said)
    same(there_and_back(reading), reading)


BROKEN = [
    {"objects": [{"Decimal": "x"}]},
    {"objects": [{"timedelta": 10**30}]},
    {"objects": [{"str": "a", "int": 1}]},
    {"objects": [{"eval": "1"}]},
    {"numpy": "O"},
    {"numpy": "V8"},
    {"zone": "No/Where", "moments": {"numpy": "<M8[s]"}},
    {"texts": 5, "held": [False, True, True], "as": ["pyarrow", False]},
    {"texts": 10**12, "held": [False, True, True], "as": ["pyarrow", False]},
    {"ordered": False, "codes": {"numpy": "i1"}, "levels": {"objects": []}},
    {"distinct": {"objects": []}, "coded": "u1"},
    *({"distinct": {"numpy": "u1"}, "coded": kind} for kind in ("i1", "?", "f4")),
    [],
]
"""Descriptions that no reader gives, each of buffers of eight bytes."""


@pytest.mark.parametrize("said", BROKEN, ids=str)
def test_a_column_that_is_none_is_refused(said):
    buffers = [np.full(8, 7, np.uint8) for _ in range(3)]
    with pytest.raises(_parent._BROKEN):
        _wire.column_of(said, buffers)


@pytest.mark.skipif(not SHARED.exists(), reason="the files of ../shared are not here")
def test_every_odd_file_comes_over_exactly():
    told = 0
    for path in sorted(SHARED.iterdir()):
        if path.name.startswith(("damaged", "stray")):
            continue  # these end this process, or take it minutes
        try:
            readings = read_in_process(path, path.name)
        except Exception:  # what cannot be read is another test's
            continue
        for reading in map(sent_of, readings):
            same(there_and_back(reading), reading)
            told += 1
    assert told > 60


def written(ending: str) -> tuple[str, bytes]:
    """Return a small file with texts, levels, moments, numbers and missing values."""
    frame = demo.original().head(50)
    sink = io.BytesIO()
    if ending == ".parquet":
        frame.assign(day=pd.Timestamp("2020-01-01", tz=ROME)).to_parquet(sink)
    elif ending == ".feather":
        frame.to_feather(sink)
    elif ending == ".xlsx":
        frame.to_excel(sink, index=False)
    elif ending == ".dta":
        frame.assign(abroad=frame["abroad"].astype(str)).to_stata(sink, write_index=False)
    elif ending == ".csv.gz":
        return f"x{ending}", gzip.compress(frame.to_csv(index=False).encode())
    elif ending == ".zip":
        with zipfile.ZipFile(sink, "w") as archive:
            for i in range(2):
                archive.writestr(f"{i}.csv", frame.to_csv(index=False))
    return f"x{ending}", sink.getvalue()


def spss(path: Path) -> bytes:
    frame = pd.DataFrame({"sex": [1.0, 2.0, 1.0], "income": [-8.0, 10.5, None], "code": ["007", "", "x"]})
    labels = {"sex": {1: "female", 2: "male"}}
    pyreadstat.write_sav(frame, path / "x.sav", variable_value_labels=labels, missing_ranges={"income": [-8]})
    return (path / "x.sav").read_bytes()


def test_a_child_reads_what_is_read_here(tmp_path):
    files = [written(ending) for ending in (".parquet", ".feather", ".xlsx", ".dta", ".csv.gz", ".zip")]
    files += [("x.sav", spss(tmp_path))]
    files += [(name, (FILES / name).read_bytes()) for name in ("frame.rds", "synds_m2.rds", "iris.sas7bdat")]
    for i, (name, data) in enumerate(files):
        prepare(*(name for name, _ in files[i:]), limits=None)
        found, expected = read(data, name), read_in_process(data, name)
        assert len(found) == len(expected) == (2 if "zip" in name or "m2" in name else 1)
        for left, right in zip(found, expected, strict=True):
            same(left, right)
    path = tmp_path / "x.sav"  # from where it lies
    same(read(path, "x.sav")[0], read_in_process(path, "x.sav")[0])


def test_a_file_on_the_disk_is_read_once(tmp_path):
    """Who writes to it meanwhile must not have the table of one state beside the bytes of another."""
    name, first = written(".parquet")
    path = tmp_path / name
    path.write_bytes(first)
    (reading,) = read(path, name, waiting=lambda queued: path.write_bytes(b"another"))
    assert path.read_bytes() == b"another"
    assert reading.source.data == first
    assert reading.sha256 == hashlib.sha256(first).hexdigest()
    same(reading, read_in_process(first, name)[0])


def test_text_of_ones_own_needs_no_child(monkeypatch):
    monkeypatch.setattr(_parent, "_Child", None)
    prepare("a.csv", "b.TSV", limits=None)
    assert read(b"a,b\n1,2\n", "x.csv")[0].frame.shape == (1, 2)
    with pytest.raises(DisclosureError, match="is of a format that is not read here"):
        read(b"PK", "x.docx")
    with pytest.raises(DisclosureError, match=r"x\.sav is empty"):
        read(b"", "x.sav")


def test_text_is_read_by_a_child_where_limits_are_given():
    rows = b"".join(b"%d,%d;x,2020-01-%02d,\n" % (i, i % 7, i % 28 + 1) for i in range(5_000))
    texts = [b"a,b,c,d\n" + rows, b"a;b\n1,5;\xe9\n2,5;x\n", "id\tä\n1\tNA\n".encode("utf-16")]
    prepare("x.csv", "x.csv", limits=Limits())
    for data in texts:
        (found,), (expected,) = read(data, "x.csv", limits=Limits()), read_in_process(data, "x.csv")
        same(found, expected)
    with pytest.raises(DisclosureError, match=r"x\.csv needs more than the 70 MB of memory allowed"):
        read(b"a,b\n" + b"".join(b"%d,x%d\n" % (i, i) for i in range(700_000)), "x.csv", limits=Limits(memory=70))
    with pytest.raises(DisclosureError, match=r"x\.csv was not read within the 1 seconds allowed"):
        read(b"a,b\n" + b'"",1\n' * 8_000_000 + b"1\n", "x.csv", limits=Limits(seconds=1))


def misbehave(monkeypatch, body: str, before: str = "") -> None:
    """Have the children do this where they would parse a file."""
    # They load no library that they do not use, which makes them quick.
    code = f"{before}\nimport disclosure_core.data.readers._child as child; child._LIBRARIES = ()"
    code += "\nimport os, signal, sys, time\nimport disclosure_core.data.readers as readers\ndef parse(data, name, options, limits):\n"
    code += "".join(f"    {line}\n" for line in body.splitlines()) + "    yield\nreaders.parse = parse\n"
    quoted = repr(code).replace("{", "{{").replace("}", "}}")
    usual = "import sys; sys.path[:] = {path!r}; "
    monkeypatch.setattr(
        _parent, "_BOOT", usual + f"exec({quoted}); from disclosure_core.data.readers import _child; _child.main()"
    )


SENTENCES = {
    "damaged": r"^x\.sav is damaged: the process that read it broke off, and nothing was taken from it\. Save it again",
    "memory or damage": r"^x\.sav broke off the process that read it: it is damaged, or needs more memory than there is",
    "memory": r"^x\.sav needs more than the 200 MB of memory allowed; remove columns",
    "time": r"^x\.sav was not read within the 1 seconds allowed; remove columns .* or ask the operator for more time",
    "nothing": r"^x\.sav was not read: the process that read it gave no answer; try again",
    "unsound": r"^x\.sav cannot be read: it is damaged, or holds what is not expected in its format; save it again",
}
OUT = "out = next(fd for fd in range(3, 9) if os.path.exists(f'/proc/self/fd/{fd}') and 'pipe' in os.readlink(f'/proc/self/fd/{fd}'))\n"
"""Where a child answers."""

HARM = [
    ("a bad address", "import ctypes; ctypes.string_at(1)", "damaged"),
    ("an instruction that is none", "os.kill(os.getpid(), signal.SIGILL)", "damaged"),
    ("a library that breaks off", "os.abort()", "memory or damage"),
    ("killed from outside", "os.kill(os.getpid(), signal.SIGKILL)", "memory or damage"),
    ("memory, in Python", "held = []\nwhile True: held.append(bytearray(10_000_000))", "memory"),
    ("memory, in one piece", "bytearray(3_000_000_000)", "memory"),
    ("memory, in Arrow", "import pyarrow as pa; from disclosure_core.errors import DisclosureError\ntry: pa.allocate_buffer(10**12)\nexcept pa.ArrowException: raise DisclosureError('sound?') from None", "memory"),
    ("an endless loop", "while True: pass", "time"),
    ("an endless loop that lets nobody in", "import re; re.match('(a+)+$', 'a' * 60 + 'b')", "time"),
    ("an endless sleep", "time.sleep(600)", "time"),
    ("nothing", "os._exit(0)", "nothing"),
    ("garbage", f"{OUT}while True: os.write(out, b'garbage' * 1000)", "nothing"),
    ("a message that is none", OUT + "os.write(out, b't' + (2).to_bytes(4, 'little') + b'[]')", "nothing"),
    ("a column without a table", OUT + "h = b'{\"said\": {\"numpy\": \"<i8\"}, \"sizes\": [3]}'; os.write(out, b'c' + len(h).to_bytes(4, 'little') + h + b'abc')\ntime.sleep(9)", "nothing"),
    ("a promise of terabytes", OUT + "h = b'{\"said\": null, \"sizes\": [99999999999999]}'; os.write(out, b'c' + len(h).to_bytes(4, 'little') + h); time.sleep(9)", "memory"),
    ("the answer of nobody", OUT + "h = b'{\"said\": null, \"sizes\": []}'; os.write(out, b'd' + len(h).to_bytes(4, 'little') + h); time.sleep(9)", "nothing"),
    ("an error that nobody thought of", "raise LookupError('Zzyzx')", "unsound"),
    ("no end of errors", "def again(): again()\nagain()", "unsound"),
]  # fmt: skip


@LINUX
@pytest.mark.parametrize("row", HARM, ids=[row[0] for row in HARM])
def test_whatever_becomes_of_the_child_is_a_sentence(monkeypatch, caplog, row):
    misbehave(monkeypatch, row[1])
    begun = time.monotonic()
    with caplog.at_level(logging.INFO), pytest.raises(DisclosureError, match=SENTENCES[row[2]]) as told:
        read(b"abc", "x.sav", None, Limits(memory=200, seconds=1 if row[2] == "time" else 60))
    assert str(told.value).endswith(".")
    assert "Zzyzx" not in caplog.text  # the log says what happened where, never a value
    assert time.monotonic() - begun < 50


@pytest.mark.parametrize("path", DAMAGED, ids=lambda p: p.name)
@LINUX
def test_a_damaged_file_that_ends_its_library_is_a_sentence(path):
    with pytest.raises(DisclosureError, match=f"^{path.name} is damaged: the process that read it broke off"):
        read(path, path.name)


def test_a_child_that_cannot_start_is_not_the_files_fault(monkeypatch):
    monkeypatch.setattr(_parent, "_BOOT", "raise SystemExit")
    with pytest.raises(
        DisclosureError, match="because the server could not start the process that reads it; try again"
    ):
        read(b"abc", "x.sav")
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(
        DisclosureError, match="because the server could not start the process that reads it; try again"
    ):
        read(b"abc", "x.sav")
    monkeypatch.setattr(_parent, "_BOOT", "import time; time.sleep(60)")
    monkeypatch.setattr(_parent, "_STARTING", 0.5)
    monkeypatch.setattr(sys, "executable", sys._base_executable)
    with pytest.raises(
        DisclosureError, match="because the server could not start the process that reads it; try again"
    ):
        read(b"abc", "x.sav")


def test_a_child_that_was_ended_while_it_stood_ready_is_replaced(monkeypatch):
    asked = []

    def waiting_child(name):
        child = _parent._Child()
        if not asked:
            child.process.kill()
            child.process.wait()
        asked.append(child)
        return child

    monkeypatch.setattr(_parent, "_waiting_child", waiting_child)
    assert read(*reversed(written(".parquet")))[0].frame.shape[0] == 50
    assert len(asked) == 2


BLOCK = "import sys\nfor name in ('resource', 'fcntl', 'ctypes.util'): sys.modules[name] = None\nsys.platform = {!r}"


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_what_only_some_systems_have_is_not_needed(monkeypatch, platform):
    """Without `resource` and `fcntl`, as on Windows, a file is read; and time and memory are still looked at from here."""
    name, data = written(".parquet")
    block = BLOCK.format(platform)
    quoted = repr(block).replace("{", "{{").replace("}", "}}")
    boot = (
        "import sys; sys.path[:] = {path!r}; "
        + f"exec({quoted}); from disclosure_core.data.readers import _child; _child.main()"
    )
    monkeypatch.setattr(_parent, "_BOOT", boot)
    same(read(data, name)[0], read_in_process(data, name)[0])
    if sys.platform == "linux":
        misbehave(
            monkeypatch,
            "held = []\nwhile True: held.append(bytearray(os.urandom(1000) * 10_000)); time.sleep(0.01)",
            block,
        )
        with pytest.raises(DisclosureError, match=SENTENCES["memory"]):
            read(b"abc", "x.sav", None, Limits(memory=200))
        misbehave(monkeypatch, "while True: pass", block)
        with pytest.raises(DisclosureError, match=SENTENCES["time"]):
            read(b"abc", "x.sav", None, Limits(seconds=1))


@LINUX
def test_what_a_child_has_and_may(monkeypatch, tmp_path):
    """A pipe in and a pipe out; no secret, no page, no file to write, no core."""
    monkeypatch.setenv("SOME_PASSWORD", "x")
    (tmp_path / "pandas.py").write_text("raise SystemExit('a module of the folder it runs in')")
    monkeypatch.chdir(tmp_path)
    misbehave(
        monkeypatch,
        f"""
import resource, threading
from disclosure_core.errors import DisclosureError
open_ = [os.readlink(f"/proc/self/fd/{{n}}").split(":")[0] for n in range(50) if os.path.lexists(f"/proc/self/fd/{{n}}")]
try:
    with open({str(tmp_path / "written")!r}, "w") as file: file.write("x" * 9999)
    wrote = True
except OSError: wrote = False
raise DisclosureError(repr({{
    "open": sorted(open_), "wrote": wrote, "core": resource.getrlimit(resource.RLIMIT_CORE), "threads": threading.active_count(),
    "secret": "SOME_PASSWORD" in os.environ, "page": sorted({{"streamlit", "pages", "disclosure_core.data.study"}} & set(sys.modules)),
    "adjusted": open("/proc/self/oom_score_adj").read().strip(), "alone": os.getsid(0) == os.getpid(),
}}))""",
    )
    with pytest.raises(DisclosureError) as told:
        read(b"abc", "x.sav")
    assert eval(str(told.value)) == {
        "open": ["/dev/null", "/dev/null", "pipe", "pipe"],
        "wrote": False,
        "core": (0, 0),
        "threads": 1,
        "secret": False,
        "page": [],
        "adjusted": "1000",
        "alone": True,
    }  # stdin and the answer; stdout and stderr lead nowhere
    assert (tmp_path / "written").read_bytes() == b""


class Left(BaseException):
    """As Streamlit's, where a visitor has left."""


@LINUX
def test_who_leaves_ends_the_child(monkeypatch):
    misbehave(monkeypatch, "time.sleep(600)")
    seen = []

    def waiting(queued: bool) -> None:
        seen.append((queued, children()))
        if len(seen) == 20:
            raise Left

    with pytest.raises(Left):
        read(b"abc", "x.sav", waiting=waiting)
    assert len(seen[-1][1]) == 1
    assert not children()
    assert not any(queued for queued, _ in seen)


@LINUX
def test_no_child_reads_a_second_file():
    name, data = written(".parquet")
    seen: list[set[int]] = []
    for _ in range(2):
        seen.append(set())
        read(data, name, waiting=lambda queued: seen[-1].update(children()))
        assert not children()
    assert seen[0]
    assert seen[1]
    assert not seen[0] & seen[1]


@LINUX
@pytest.mark.parametrize(("size", "places"), [(300_000, 2), (3, 3)])
def test_two_at_a_time_or_three_small_ones_and_who_waits_is_told(monkeypatch, size, places):
    misbehave(
        monkeypatch,
        "from disclosure_core.errors import DisclosureError\ntime.sleep(0.5)\nraise DisclosureError('Done.')",
    )
    most, told, queued = [], [], set()

    def one(i: int) -> None:
        def waiting(in_queue: bool) -> None:
            most.append(len(children()))
            if in_queue:
                queued.add(i)

        try:
            read(b"abc".ljust(size), "x.sav", waiting=waiting)
        except DisclosureError as error:
            told.append(str(error))

    threads = [threading.Thread(target=one, args=(i,)) for i in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == ["Done."] * 5
    assert max(most) == places
    assert len(queued) == 5 - places


SERVER = """
import sys
sys.path.insert(0, {root!r})
from disclosure_core.data.readers import _parent, read
_parent._BOOT = {boot!r}
read(b"abc", "x.sav")
"""


@LINUX
@pytest.mark.parametrize("block", ["", BLOCK.format("darwin")], ids=["by a signal", "by a thread"])
def test_a_child_ends_with_the_server(monkeypatch, block):
    body = "while True: pass" if block else "import re; re.match('(a+)+$', 'a' * 60 + 'b')"
    misbehave(monkeypatch, body, block)
    command = [sys.executable, "-c", SERVER.format(root=str(ROOT), boot=_parent._BOOT)]
    with subprocess.Popen(command) as server:
        try:
            tasks = Path(f"/proc/{server.pid}/task/{server.pid}/children")
            child, begun = "", time.monotonic()
            while not child or cpu(child) < 0.6:  # it has loaded its libraries, and turns round
                assert time.monotonic() - begun < 60
                child = child or tasks.read_text().strip()
                time.sleep(0.1)
            time.sleep(0.3)
        finally:
            server.send_signal(signal.SIGKILL)
    begun = time.monotonic()
    while Path(f"/proc/{child}/exe").exists() and state(child) != "Z":
        assert time.monotonic() - begun < 20
        time.sleep(0.05)


def state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def cpu(pid: str) -> float:
    """Seconds of the processor that a process has taken."""
    parts = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def test_spares_are_few_and_end():
    prepare(*["x.sav"] * 5, limits=None)
    prepare(*["x.sav"] * 5, limits=None)
    assert len(_parent._spares) == _parent.SPARES
    gone = _parent._spares[0].process
    gone.kill()
    gone.wait()
    assert read(*reversed(written(".parquet")))[0].frame.shape[0] == 50  # a dead spare is passed over
    assert len(_parent._spares) == 0
    assert _parent.LEAST > 0
