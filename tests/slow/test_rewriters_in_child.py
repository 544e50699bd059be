"""Safer files made in a process of their own: a change comes over exactly, and what ends the process is a sentence.

The rest, a child for each, is in tests/formats/test_made_in_child.py.
"""

# Inside: what goes between a child and its parent, and where it ends.

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

from disclosure_core import DisclosureError
from disclosure_core.data.readers import _parent
from disclosure_core.data.readers._reading import held_bytes
from disclosure_core.data.rewriters import Cells, Change, _in_child, rewrite
from disclosure_core.data.writers import safer
from tests.reading import read_in_process
from tests.slow.test_readers_in_child import COLUMNS, FILES, LINUX, SENTENCES, _nothing_is_left, spss

__all__ = ["_nothing_is_left"]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_change_comes_over_exactly(name):
    values = COLUMNS[name]
    touched = np.arange(len(values)) % 2 == 0
    change = Change(
        9, np.arange(len(values)) * 2, {"ü": Cells(values, touched), "\ud800": Cells(values, ~touched)}, ("a", "ü")
    )
    buffers = []
    said = json.loads(json.dumps(_in_child.packed(change, buffers), allow_nan=False))
    found = _in_child.restored(said, iter([bytes(memoryview(b).cast("B")) for b in buffers]).__next__)
    assert (found.n, found.names, list(found.columns)) == (9, ("a", "ü"), ["ü", "\ud800"])
    assert found.rows.dtype == np.int64
    assert found.rows.tolist() == change.rows.tolist()
    for key, cells in change.columns.items():
        there = found.columns[key]
        assert there.touched.dtype == bool
        assert there.touched.tolist() == cells.touched.tolist()
        assert (there.values.dtype, type(there.values.array)) == (values.dtype, type(values.array))
        assert [(type(v), repr(v)) for v in there.values] == [(type(v), repr(v)) for v in values]
        if cells.is_text:
            assert list(map(repr, there.values.cat.categories)) == list(map(repr, values.cat.categories))


def test_text_is_rewritten_without_a_child(monkeypatch):
    monkeypatch.setattr(_parent, "_Child", None)
    (reading,) = read_in_process(b"id,x\n1,1.10\n2,007\n", "x.csv")
    assert rewrite(reading, Change(2, np.array([1]))).data == b"id,x\n2,007\n"


@LINUX
def test_a_file_that_ends_its_library_when_it_is_parsed_again_is_a_sentence(tmp_path):
    (reading,) = read_in_process(spss(tmp_path), "x.sav")
    damaged = (FILES / "damaged_1.sav").read_bytes()
    hostile = replace(reading, source=replace(reading.source, file=held_bytes(damaged)))
    with pytest.raises(DisclosureError, match=SENTENCES["damaged"]):
        safer(hostile, reading.frame, Change(3, np.arange(3)))


def test_a_packed_file_comes_back_unpacked():
    (reading,) = read_in_process(gzip.compress(b"id,x\n1,1.10\n2,007\n"), "x.csv.gz")
    assert rewrite(reading, Change(2, np.array([1]))).data == b"id,x\n2,007\n"
