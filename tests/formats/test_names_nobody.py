"""No file that is handed out names a level, label or declared value that no record of it has: every byte is searched."""

import gzip
import io
import zipfile
import zlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pyreadstat
import pytest
import rdata
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import Cap, Chain, RemoveReplicated, Settings, demo, protect, start
from disclosure_core.data.rewriters import Change, rewrite_in_process
from disclosure_core.data.writers import ENDINGS, safer, write
from tests.formats.test_comes_back import needs_r, r
from tests.formats.test_measured_again import FORMATS, LABELS, people, written
from tests.reading import read_in_process as read
from tests.written import safer_files

ALONE = {"SEX": "Qqxyzq", "WORK": 7.0, "AGE": 77, "INCOME": 3.0}
"""A record with levels that nobody else has; it is in the original, too, and a replicated unique."""
NAMES = ("Qqxyzq", "Wwabcw")
WITH_LABEL = LABELS | {7.0: "Wwabcw"}


def arrow_buffers(column):
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        if isinstance(chunk, pa.DictionaryArray):
            yield from arrow_buffers(chunk.dictionary)
            chunk = chunk.indices
        yield from (bytes(b) for b in chunk.buffers() if b is not None)


def every_byte(data):
    """Give a file as it stands, and whatever is packed in it."""
    yield data
    if data[:2] == b"PK":
        archive = zipfile.ZipFile(io.BytesIO(data))
        for name in archive.namelist():
            yield from every_byte(archive.read(name))
    elif data[:2] == b"\x1f\x8b":
        yield from every_byte(gzip.decompress(data))
    elif data[:6] == b"ARROW1" or data[:4] == b"PAR1":
        table = (feather if data[:6] == b"ARROW1" else pq).read_table(io.BytesIO(data))
        yield str(table.schema.metadata).encode()
        for column in table.columns:
            yield from arrow_buffers(column)
    for at in (i for i in range(len(data) - 2) if data[i] == 0x78 and data[i + 1] in (0x01, 0x5E, 0x9C, 0xDA)):
        try:
            yield zlib.decompressobj().decompress(data[at:])
        except zlib.error:
            continue


def found(data, *names):
    """Return which of some texts stand in a file, in any encoding that a format writes."""
    return {
        name
        for part in every_byte(data)
        for name in names
        if any(name.encode(encoding) in part for encoding in ("utf-8", "utf-16-le", "utf-32-le"))
    }


def with_one(frame):
    return pd.concat([frame, pd.DataFrame([ALONE])], ignore_index=True)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(original=people(), synthetic=people(), more=st.booleans())
def test_who_was_removed_is_named_nowhere_in_a_safer_file(tmp_path_factory, form, original, synthetic, more):
    folder = tmp_path_factory.mktemp("made")
    sides = [written(with_one(frame), form, folder, WITH_LABEL) for frame in (original, synthetic)]
    assert form == "por" or found(sides[1][1], *NAMES) == {*NAMES}  # a portable file breaks its lines anywhere
    (a, first), (b, second) = sides
    opened = start((f"o{a}", first), {"set": [(f"s{b}", second)]})
    review = opened.review.with_settings(Settings(keys=("SEX", "AGE")))
    steps = (RemoveReplicated(), *([Cap("AGE", high=25)] if more else []))
    opened = opened.with_review(replace(review, chains=(Chain("c", steps),), chain="c"))
    made = safer_files(opened)
    for name, data in made.items():
        assert not found(data, *NAMES), name
    (safer,) = [name for name in made if name != "log.txt"]
    (again,) = read(made[safer], safer)
    assert len(again.frame) == len(synthetic) + 1 - opened.protected().done[0].removed[0]


@pytest.mark.parametrize("format_", list(ENDINGS))
def test_a_table_that_is_written_anew_lists_no_level_that_no_record_has(format_):
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"], ["Qqxyzq", "x", "y"]), "n": [1.5, 2.0]})
    _, data = write(frame, format_)
    assert not found(data, "Qqxyzq")


@pytest.mark.parametrize("form", ["parquet", "feather", "sav", "dta", "rds", "ods", "xlsx"])
def test_split_files_name_nobody_of_the_other_file(tmp_path, form):
    name, data = written(with_one(_some()), form, tmp_path, WITH_LABEL)
    (reading,) = read(data, name)
    for training in (True, False):
        rows = np.arange(len(reading.frame))[:-1] if training else np.array([len(reading.frame) - 1])
        made = rewrite_in_process(reading, Change(len(reading.frame), rows))
        assert found(made.data, *NAMES) == (set() if training else {*NAMES})
        assert found(made.data, "full time") == ({"full time"} if training else set())


def _some():
    rng = np.random.default_rng(1)
    return pd.DataFrame({"SEX": rng.choice(["f", "m"], 20), "WORK": rng.choice([1.0, 2.0], 20),
                         "AGE": rng.integers(18, 30, 20), "INCOME": rng.choice([1.5, 3.0], 20)})  # fmt: skip


def test_frames_handed_out_in_python_have_only_levels_that_a_record_has():
    frame = with_one(_some())
    frame["SEX"] = frame["SEX"].astype("category")
    made = protect(frame, [frame], [RemoveReplicated()], Settings(keys=("SEX", "AGE")))
    assert set(made.synthetic[0]["SEX"].cat.categories) == set(made.synthetic[0]["SEX"])
    assert "Qqxyzq" not in set(made.synthetic[0]["SEX"].cat.categories)


def test_codes_labels_and_declared_values_that_records_have_stay(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0, 9.0, 1.0], "s": ["a", "b", "a", "z"]})
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(frame, path, variable_value_labels={"x": {1: "one", 2: "two", 5: "never", 9: "refused"}},
                         missing_ranges={"x": [9.0, {"lo": -99.0, "hi": -90.0}]})  # fmt: skip
    (reading,) = read(path.read_bytes(), "a.sav")
    made = rewrite_in_process(reading, Change(4, np.array([0, 2])))
    _, meta = pyreadstat.read_sav(io.BytesIO(made.data), user_missing=True)
    assert meta.variable_value_labels["x"] == {1.0: "one", 9.0: "refused"}
    assert meta.missing_ranges["x"] == [{"lo": 9.0, "hi": 9.0}]
    assert "not kept: 'x'" in made.notes[0]


@pytest.mark.parametrize("version", [114, 117, 118, 119])
@pytest.mark.parametrize("order", ["little", "big"])
def test_stata_keeps_no_label_and_no_long_text_of_a_removed_record(tmp_path, version, order):
    frame = pd.DataFrame({"n": np.array([1, 2, 7], dtype="int8"), "s": ["a", "bb", "Qqxyzq" * 500]})
    sink, labels = io.BytesIO(), {1: "one", 2: "two", 7: "Wwabcw"}
    long = {"convert_strl": ["s"]} if version > 114 else {}
    if version == 114:
        frame["s"] = ["a", "bb", "Qqxyzq"]
    frame.to_stata(sink, version=version, write_index=False, byteorder=order, value_labels={"n": labels}, **long)
    assert found(sink.getvalue(), *NAMES) == {*NAMES}
    (reading,) = read(sink.getvalue(), "a.dta")
    made = rewrite_in_process(reading, Change(3, np.array([0, 1])))
    assert not found(made.data, *NAMES)
    again = pd.read_stata(io.BytesIO(made.data))
    assert again.to_dict("list") == {"n": ["one", "two"], "s": ["a", "bb"]}


def test_missing_values_of_stata_keep_their_labels(tmp_path):
    """.a and .b in each type of number; only .a stays."""
    for kind, a, b in (("int8", 102, 103), ("int16", 32742, 32743), ("int32", 2147483622, 2147483623)):
        frame = pd.DataFrame({"n": np.array([1, 5, 6], dtype=kind)})
        sink = io.BytesIO()
        labels = {1: "one", 2147483622: "Refused", 2147483623: "Wwabcw"}
        frame.to_stata(sink, version=118, write_index=False, value_labels={"n": labels})
        raw = bytearray(sink.getvalue())
        at, size = raw.index(b"<data>") + 6, np.dtype(kind).itemsize
        raw[at + size : at + 3 * size] = a.to_bytes(size, "little") + b.to_bytes(size, "little")
        (reading,) = read(bytes(raw), "a.dta")
        made = rewrite_in_process(reading, Change(3, np.array([0, 1])))
        assert not found(made.data, "Wwabcw"), kind
        assert found(made.data, "Refused", "one") == {"Refused", "one"}, kind


def test_notes_of_a_table_that_may_list_levels_are_not_kept():
    table = pa.table(
        {
            "a": pa.array(["x", "y", "Qqxyzq"]).dictionary_encode(),
            "b": pa.array(["x", "y", "Wwabcw" * 9], pa.string_view()),
        }
    )
    long = ("levels: x, y, Qqxyzq " * 20).encode()
    table = table.replace_schema_metadata({b"huggingface": long, b"codebook": b"v1"})
    sink = io.BytesIO()
    feather.write_feather(table, sink)
    (reading,) = read(sink.getvalue(), "a.feather")
    made = rewrite_in_process(reading, Change(3, np.array([1, 0])[::-1].copy()))
    assert not found(made.data, *NAMES)
    assert feather.read_table(io.BytesIO(made.data)).schema.metadata == {b"codebook": b"v1"}
    assert any("'huggingface'" in note for note in made.notes)


@needs_r
def test_r_keeps_no_level_label_or_list_of_a_removed_record(tmp_path):
    code = """d <- data.frame(id = 1:3, f = factor(c('a', 'b', 'Qqxyzq'), levels = c('Qqxyzq', 'b', 'a')))
    d$h <- structure(c(1, 2, 7), labels = c(One = 1, Two = 2, Wwabcw = 7, Never = 8), na_values = c(2, 7), class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"))
    contrasts(d$f) <- contr.treatment(3); attr(d, "spec") <- list(f = c('a', 'Qqxyzq')); attr(d, "made") <- "2020"
    saveRDS(d, 'a.rds')"""
    r(tmp_path, code)
    (reading,) = read((tmp_path / "a.rds").read_bytes(), "a.rds")
    made = rewrite_in_process(reading, Change(3, np.array([0, 1])))
    assert not found(made.data, *NAMES, "Never")
    said = r(
        tmp_path,
        "b <- readRDS('b.rds'); cat(levels(b$f), as.character(b$f), names(attr(b$h, 'labels')), attr(b$h, 'labels'), attr(b$h, 'na_values'), attr(b, 'made'))",
        b=made.data,
    )
    assert said == "b a a b One Two 1 2 2 2020"


def test_the_demonstration_lists_only_levels_that_records_have():
    for path in demo.assets().glob("*.parquet"):
        for column in pq.read_table(path).columns:
            if pa.types.is_dictionary(column.type):
                whole = column.unify_dictionaries().combine_chunks()
                assert len(whole.indices.unique().drop_null()) == len(whole.dictionary), path.name


def test_a_factor_with_missing_ones_written_by_rdata_keeps_its_levels_apart(tmp_path):
    """It writes a missing one as code 0: with a level dropped, the others stood one further on."""
    frame = pd.DataFrame({
        "k": [1, 2, 3, 4, 5, 6], "f": pd.Categorical(["b", None, "c", "a", "c", "b"], categories=["a", "b", "c", "d"]),
    })  # fmt: skip
    rdata.write_rds(tmp_path / "x.rds", frame)
    (reading,) = read((tmp_path / "x.rds").read_bytes(), "x.rds")
    original = pd.DataFrame({"k": [4, 9], "f": pd.Categorical(["a", "a"])})
    made = protect(original, [reading.frame], [RemoveReplicated()], Settings(keys=("k",)))
    (again,) = read(safer(reading, made.synthetic[0], made.changes[0]).data, "x.rds")
    assert again.frame["f"].cat.categories.tolist() == ["b", "c"]
    assert again.frame["f"].astype(object).where(again.frame["f"].notna(), None).tolist() == ["b", None, "c", "c", "b"]
