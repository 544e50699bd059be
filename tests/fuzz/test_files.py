"""Files by the thousand, sound and odd in their structure: each is read as it is or refused with one sentence."""

import re

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st

from disclosure_core import DisclosureError, ReadOptions, read
from disclosure_core.data.readers import needs_child
from tests.fuzz import stata_sas, structures
from tests.fuzz.worker import SECONDS, Told, Worker, texts
from tests.reading import Limits, read_in_process

OURS = re.compile(r"Traceback|object at 0x|\bNone\b.*\bhas no attribute|line \d+, in ")


@pytest.fixture(scope="module")
def worker():
    found = Worker()
    yield found
    found.close()


def judged(told: Told, name: str, data: bytes) -> None:
    """What may become of a file: it is read, or refused with a sentence; what parses it may end, what comes after may not."""
    event(told.kind)
    note(f"{told.kind} at {told.stage}: {told.said}; {data!r}")
    if told.kind == "sentence":
        assert re.fullmatch(r"[^\n]{15,900}[.?]", told.said), told.said
        assert not OURS.search(told.said), told.said
        return
    if told.kind == "read":
        return
    assert told.stage == "parse", told  # the rest is done in the server's own process
    assert needs_child(name), told
    if told.kind in ("ended", "slow"):  # what its visitor gets to read
        with pytest.raises(DisclosureError, match=r"\.$"):
            read(data, name, None, Limits(megabytes=50, memory=500, rows=100_000, columns=300, seconds=SECONDS))


def same(told: Told, expected: dict | None) -> None:
    """What is sound is read, and to the last value as it was written."""
    if expected is not None:
        assert told.kind == "read", told
        assert told.frame == structures.frame_texts(expected)


FORMATS = {
    "x.sav": structures.spss(),
    "x.xlsx": structures.excel(),
    "x.parquet": structures.parquet(),
    "x.arrow": structures.arrow(),
    "x.rds": structures.r(),
    "x.dta": stata_sas.stata(),
    "x.xpt": stata_sas.xport(),
    "x.sas7bdat": stata_sas.sas7bdat(),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_by_its_structure(worker, name):
    @given(FORMATS[name])
    def each(made):
        data, expected = made
        told = worker.ask(name, data)
        judged(told, name, data)
        same(told, expected)

    each()


@given(structures.text())
def test_text(worker, made):
    data, asked, expected = made
    told = worker.ask("x.csv", data)
    judged(told, "x.csv", data)
    if expected is not None:  # and where it is told how it was written, every cell is there
        (reading,) = read_in_process(data, "x.csv", ReadOptions(**asked))
        found = texts(reading.frame)
        for name, cells in expected.items():
            if name in found:  # a first column that counts the rows is excluded, and said
                assert len(found[name]) == len(cells) or not cells[-1]


@given(
    st.sampled_from(
        [
            "x.csv",
            "x.sav",
            "x.zsav",
            "x.por",
            "x.dta",
            "x.sas7bdat",
            "x.xpt",
            "x.xls",
            "x.ods",
            "x.rds",
            "x.zip",
            "x.csv.gz",
        ]
    ),
    st.binary(max_size=200),
)
def test_bytes(worker, name, data):
    judged(worker.ask(name, data or b"x"), name, data or b"x")
