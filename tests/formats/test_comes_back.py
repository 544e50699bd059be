"""What no safeguard touched comes back as it was, in every format, seen by another program than the one that wrote.

Slow: PSPP, R and openpyxl are asked. Where nothing else is changed, files are made in this process; test_made_in_child.py
compares that with what a child makes. `.ci/run` runs this folder as a step of its own.
"""

# Inside: a file as it is kept packed, for its compression.

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pyreadstat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    AddLabel,
    Cap,
    Coarsen,
    DisclosureError,
    MergeLevels,
    RemoveReplicated,
    RoundTo,
    Settings,
    protect,
)
from disclosure_core.data.readers._reading import held_bytes as packed
from disclosure_core.data.rewriters import Cells, Change, rewrite, rewrite_in_process
from disclosure_core.data.writers import safer
from tests.reading import read_in_process as read

PSPP, RSCRIPT = shutil.which("pspp"), shutil.which("Rscript")
needs_pspp = pytest.mark.skipif(PSPP is None, reason="PSPP (Debian: pspp) is not installed")
needs_r = pytest.mark.skipif(RSCRIPT is None, reason="R (Debian: r-base-core) is not installed")
SLOW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def kept(reading, rows):
    """Return the file with some of its records, and nothing else changed."""
    made = rewrite_in_process(reading, Change(len(reading.frame), np.asarray(rows, dtype=np.int64)))
    assert made is not None, "the file's rows were not those of the table"
    return made


def protected(reading, *steps, codes=None):
    """Return the file after safeguards, with the table itself as the original."""
    made = protect(reading.frame, [reading.frame], steps, Settings(), codes or {}, reading.missing_codes)
    return safer(reading, made.synthetic[0], made.changes[0]), made.synthetic[0]


def pspp(tmp_path, name, data, *commands):
    """Return what PSPP says of an SPSS file."""
    (tmp_path / name).write_bytes(data)
    (tmp_path / "ask.sps").write_text(f"GET FILE='{tmp_path / name}'.\n" + "\n".join(commands) + "\n")
    ran = subprocess.run(
        [PSPP, "-O", "format=csv", str(tmp_path / "ask.sps")], capture_output=True, text=True, check=True
    )
    return ran.stdout.replace(str(tmp_path / name), "FILE")


def r(tmp_path, code, **files):
    """Return what R prints."""
    for name, data in files.items():
        (tmp_path / f"{name}.rds").write_bytes(data)
    ran = subprocess.run([RSCRIPT, "--vanilla", "-e", code], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


# ---------------------------------------------------------------------------------------------------------------- SPSS

SURVEY = """\
DATA LIST LIST /id (F5.0) sex (F1.0) inc (F8.2) day (DATE11) dt (DATETIME20) tm (TIME8) city (A12) cur (DOLLAR10.2) pct (PCT5.1) code (A2).
BEGIN DATA
1 1 1.1 01-JAN-2020 "01-JAN-2020 12:30:15" 12:30:00 "Oslo" 12.5 3.5 "a"
2 2 -8 02-FEB-1990 "01-FEB-1990 00:00:00" 00:30:00 "Bergen by" 1.25 4.5 "b"
3 9 99 . . . "" . . "z"
4 1 250.25 01-JAN-1999 . . "x" . . "a"
5 2 3.14159265358979 01-JAN-2001 . . "y" 7 . "a"
6 3 1e20 01-JAN-2001 . . "y" 7 . "b"
END DATA.
VARIABLE LABELS id 'Person' sex 'Sex of person' city 'Where'.
VALUE LABELS sex 1 'Yes' 2 'No' 3 'Rare' 4 'Never used' 9 'Refused' /inc -8 'not applicable' /code 'a' 'Alpha' 'b' 'Beta'.
MISSING VALUES sex (9) inc (-8, 99) code ('z').
VARIABLE LEVEL sex (NOMINAL) inc (SCALE) city (NOMINAL) id (ORDINAL).
VARIABLE WIDTH sex (12).
FILE LABEL 'My survey'.
"""
DICTIONARY = ("DISPLAY DICTIONARY.", "LIST.")


def survey(tmp_path, save="SAVE OUTFILE", without=""):
    out = tmp_path / ("made.zsav" if "Z" in save else "made.sav")
    (tmp_path / "make.sps").write_text(
        SURVEY.replace(without, "") + f"{save.split(' /')[0]}='{out}'{' /ZCOMPRESSED' if 'Z' in save else ''}.\n"
    )
    subprocess.run([PSPP, str(tmp_path / "make.sps")], check=True, capture_output=True)
    return out


@needs_pspp
@pytest.mark.parametrize("save", ["SAVE OUTFILE", "SAVE OUTFILE /Z"])
def test_spss_comes_back_for_pspp(tmp_path, save):
    out = survey(tmp_path, save, without=" 4 'Never used'")
    (reading,) = read(out.read_bytes(), out.name)
    made = kept(reading, range(6))
    assert (made.ending, made.notes) == (out.suffix, ())
    before = pspp(tmp_path, f"a{out.suffix}", out.read_bytes(), *DICTIONARY)
    assert "Refused" in before
    assert pspp(tmp_path, f"a{out.suffix}", made.data, *DICTIONARY) == before
    # Records that are left out are the only thing that changes.
    fewer = pspp(tmp_path, f"a{out.suffix}", kept(reading, [0, 1, 2, 5]).data, *DICTIONARY)
    selected = pspp(tmp_path, f"a{out.suffix}", out.read_bytes(), "SELECT IF ANY(id, 1, 2, 3, 6).", *DICTIONARY)
    assert fewer == selected


@needs_pspp
def test_spss_codes_stay_and_a_merged_level_gets_its_own(tmp_path):
    out = survey(tmp_path)
    (reading,) = read(out.read_bytes(), out.name)
    assert reading.frame["sex"].tolist() == ["Yes", "No", "Refused", "Yes", "No", "Rare"]
    made, frame = protected(reading, MergeLevels("sex", 2, "Other"), Cap("inc", high=100), codes={"inc": (-8.0, 99.0)})
    said = pspp(tmp_path, "b.sav", made.data, "DISPLAY DICTIONARY.", "LIST sex inc /FORMAT NUMBERED.")
    before = pspp(tmp_path, "a.sav", out.read_bytes(), "DISPLAY DICTIONARY.")
    # 9 and 3 are merged into a code that nothing had: 1 = Yes, 2 = No stay; what no record has goes.
    for line in ("1,Yes", "2,No", "5,Other", "-8.00[a],not applicable"):
        assert line in said, (line, said)
    assert "Refused" in before
    assert "Refused" not in said
    assert "Never used" not in said
    frame_now, meta = pyreadstat.read_sav(io.BytesIO(made.data), user_missing=True)
    assert frame_now["sex"].tolist() == [1, 2, 5, 1, 2, 5]
    assert frame_now["inc"].tolist() == [1.1, -8, 99, 100, 3.14159265358979, 100]
    assert meta.missing_ranges["inc"] == [{"lo": v, "hi": v} for v in (-8.0, 99.0)]
    assert "sex" not in meta.missing_ranges
    assert read(made.data, "b.sav")[0].frame["sex"].astype(str).tolist() == frame["sex"].astype(str).tolist()


@needs_pspp
def test_spss_groups_and_text_levels(tmp_path):
    out = survey(tmp_path)
    (reading,) = read(out.read_bytes(), out.name)
    made, frame = protected(
        reading, Coarsen("id", 2), MergeLevels("code", 2, "Something else"), MergeLevels("day", 2, "Other day")
    )
    now, meta = pyreadstat.read_sav(io.BytesIO(made.data), user_missing=True, disable_datetime_conversion=True)
    assert sorted(set(now["id"])) == [1, 2]
    assert [meta.variable_value_labels["id"][v] for v in now["id"]] == frame["id"].tolist()
    assert now["code"].tolist() == ["a", "b", "Something else", "a", "a", "b"]
    assert now["day"].tolist() == ["Other day", "Other day", "", "Other day", "2001-01-01", "2001-01-01"]
    assert "Something else" in pspp(tmp_path, "c.sav", made.data, "LIST code.")


LABELLED = st.lists(
    st.tuples(st.sampled_from([1.0, 2.0, 3.0, 9.0, -8.0, None]), st.sampled_from(["", "a", "Å b", "日本"])),
    min_size=2,
    max_size=9,
)


@needs_pspp
@SLOW
@given(LABELLED, st.data())
def test_any_small_spss_file_comes_back_for_pspp(tmp_path_factory, records, data):
    folder = tmp_path_factory.mktemp("spss")
    labels = data.draw(
        st.dictionaries(st.sampled_from([1.0, 2.0, 3.0, 9.0]), st.sampled_from(["Ja", "Nein", "Å", "weiß nicht"]))
    )
    missing = data.draw(st.sampled_from([None, [9.0], [-8.0, 9.0], [{"lo": 8.0, "hi": 99.0}]]))
    frame = (
        pd.DataFrame(records, columns=["x", "s"])
        .astype({"x": float, "s": object})
        .assign(id=range(1, len(records) + 1))
    )
    path = folder / "f.sav"

    def saved(labels, missing):
        pyreadstat.write_sav(frame, path, column_labels={"x": "Ein Wert"}, variable_value_labels={"x": labels} if labels else None,
                             missing_ranges={"x": missing} if missing else None, variable_format={"x": "F6.1"}, variable_measure={"x": "ordinal"})  # fmt: skip
        return path.read_bytes()

    (reading,) = read(saved(labels, missing), "f.sav")
    rows = sorted(data.draw(st.sets(st.integers(0, len(records) - 1), min_size=1)))
    picked = ", ".join(str(i + 1) for i in rows)
    there = set(frame["x"].iloc[rows].dropna())  # labels and declared values that no record has are not kept
    used = {code: text for code, text in labels.items() if code in there}
    ranged = [m for m in missing or [] if (any(8 <= v <= 99 for v in there) if isinstance(m, dict) else m in there)]
    before = pspp(folder, "f.sav", saved(used, ranged), f"SELECT IF ANY(id, {picked}).", *DICTIONARY)
    after = pspp(folder, "f.sav", kept(reading, rows).data, *DICTIONARY)
    assert after == before


# --------------------------------------------------------------------------------------------------------------- Stata


def stata_file(tmp_path):
    frame = pd.DataFrame(
        {
            "num": [1.0, 2.0, np.nan, 4.0, 2.0],
            "by": np.array([1, 2, 1, 2, 3], dtype="int8"),
            "flo": np.array([1.1, 2.2, 3.3, np.nan, 5], dtype="float32"),
            "text": ["a", "bb", "", "Å", "d"],
            "day": pd.to_datetime(["2020-01-01", "1950-02-03", None, "2001-01-01", "2020-01-01"]),
            "strl": ["q" * 3000, "", "a", "b", "c"],
            "lab": np.array([1, 2, 1, 2, 7], dtype="int16"),
        }
    )
    path = tmp_path / "a.dta"
    frame.to_stata(path, version=118, write_index=False, convert_dates={"day": "td"}, convert_strl=["strl"],
                   variable_labels={"num": "A number"}, value_labels={"lab": {1: "Yes", 2: "No", 7: "Rare"}, "by": {1: "one"}}, data_label="lbl")  # fmt: skip
    raw = bytearray(path.read_bytes())
    at = raw.index(b"<data>") + 6
    # .b in `num` of the third record: 8.99e307 with 2 in bits 40 to 47
    width = (raw.index(b"</data>") - at) // 5
    raw[at + 2 * width : at + 2 * width + 8] = ((0x7FE0 << 48) + (2 << 40)).to_bytes(8, "little")
    path.write_bytes(raw)
    return path


def stata_seen(data):
    """Return what pandas sees in a Stata file."""
    with pd.io.stata.StataReader(io.BytesIO(data)) as file:
        frame = file.read(convert_categoricals=False, convert_missing=True, convert_dates=False)
        return frame.map(str), dict(frame.dtypes.astype(str)), file.variable_labels(), file.value_labels(), file._fmtlist, file._lbllist, file.data_label, [str(t) for t in file._typlist]  # fmt: skip


def only_used(seen, rows):
    """Return what pandas should see of some records: no label that none of them has."""
    frame, _, titles, sets, formats, lists, *rest = seen
    frame = frame.iloc[rows].reset_index(drop=True)
    there = {name: {int(float(v)) for v in frame[name] if v.lstrip("-").replace(".", "", 1).isdigit()} for name in sets}
    sets = {n: left for n, t in sets.items() if (left := {c: w for c, w in t.items() if int(c) in there[n]})}
    return frame, (titles, sets, formats, [name if name in sets else "" for name in lists], *rest)


def test_stata_comes_back_for_pandas(tmp_path):
    data = stata_file(tmp_path).read_bytes()
    (reading,) = read(data, "a.dta")
    made = kept(reading, range(5))
    assert made.data == data  # to the last byte
    fewer, before = stata_seen(kept(reading, [0, 2, 4]).data), stata_seen(data)
    assert before[0]["num"].tolist()[2] == ".b"
    expected, rest = only_used(before, [0, 2, 4])
    pd.testing.assert_frame_equal(fewer[0], expected)
    assert fewer[2:] == rest


def test_stata_codes_stay_and_types_widen(tmp_path):
    (reading,) = read(stata_file(tmp_path).read_bytes(), "a.dta")
    made, _ = protected(reading, MergeLevels("lab", 2, "Other"), RoundTo("by", 0.4), Coarsen("num", 2), Cap("flo", high=3),
                            MergeLevels("text", 3, "something longer"), MergeLevels("day", 2, "Other day"), codes={"num": (-1000002.0,)})  # fmt: skip
    seen, types, labels, sets, *_ = stata_seen(made.data)
    assert seen["lab"].tolist() == ["1", "2", "1", "2", "3"]
    assert sets["lab_safer"] == {1: "Yes", 2: "No", 3: "Other"}
    assert sets.keys() == {"lab_safer", "num_safer"}  # of lab and by no record has a code any more
    assert seen["by"].tolist() == ["1.2", "2.0", "1.2", "2.0", "3.2"]  # half away from zero: 2.5 and 7.5 steps
    assert types["by"] == "float64"
    assert seen["num"].tolist()[2] == ".b"
    assert sets["num_safer"].keys() == {1, 2}
    assert types["flo"] == "object"
    assert seen["flo"].tolist()[:3] == ["1.100000023841858", "2.200000047683716", "3.0"]
    assert seen["text"].tolist() == ["something longer"] * 2 + [""] + ["something longer"] * 2
    assert seen["day"].tolist() == ["2020-01-01", "Other day", "", "Other day", "2020-01-01"]
    assert seen["strl"].tolist() == ["q" * 3000, "", "a", "b", "c"]
    assert labels["num"] == "A number"


@pytest.mark.parametrize(
    ("kind", "widest", "wider"),
    [("b", 100, "h"), ("h", 32_740, "l"), ("l", 2_147_483_620, "d")],
)
def test_a_number_that_is_too_large_widens_the_type_by_one_step_and_missing_values_stay(tmp_path, kind, widest, wider):
    """The largest number of each type, and what is above it, as Stata's documentation has them."""
    path = tmp_path / "a.dta"
    numbers = np.array([1, 2, 3, 4, 5, widest], dtype={"b": "int8", "h": "int16", "l": "int32"}[kind])
    pd.DataFrame({"n": numbers}).to_stata(path, version=118, write_index=False)
    raw = bytearray(path.read_bytes())
    begins = raw.index(b"<data>") + 6
    for i, nth in enumerate((0, 1, 2, 26), 1):  # ".", ".a", ".b" and ".z" in the records after the first
        size = numbers.itemsize
        raw[begins + i * size : begins + (i + 1) * size] = (widest + 1 + nth).to_bytes(size, "little")
    (reading,) = read(bytes(raw), "a.dta")
    same, _ = protected(reading, RoundTo("n", widest))
    seen, *_, types = stata_seen(same.data)
    assert (seen["n"].tolist(), types) == (["0", ".", ".a", ".b", ".z", str(widest)], [kind])
    more, _ = protected(reading, RoundTo("n", widest + 1))
    seen, *_, types = stata_seen(more.data)
    assert float(seen["n"].iloc[5]) == widest + 1
    assert (seen["n"].tolist()[1:5], types) == ([".", ".a", ".b", ".z"], [wider])


def older(data, version):
    """Return a file of Stata 10 (format 114) as Stata 7 writes it: marks of types are letters, formats are shorter."""
    k = int.from_bytes(data[4:6], "big" if data[1] == 1 else "little")
    letters = {251: 98, 252: 105, 253: 108, 254: 102, 255: 100}
    at = 109 + 34 * k + 2 * (k + 1)
    marks = bytes(letters.get(m, m + 127) for m in data[109 : 109 + k]) if version == 110 else data[109 : 109 + k]
    formats = b"".join(data[i : i + 12] for i in range(at, at + 49 * k, 49))
    return bytes([version]) + data[1:109] + marks + data[109 + k : at] + formats + data[at + 49 * k :]


@pytest.mark.parametrize("order", ["little", "big"])
def test_the_largest_whole_number_of_stata_7_is_its_missing_value(tmp_path, order):
    """127 is "." of a byte there, 101 to 126 are numbers; Stata 8 and newer have missing values from 101 on."""
    path = tmp_path / "a.dta"
    frame = pd.DataFrame({"by": np.array([1, 2, 60, 99], dtype="int8"), "job": np.array([1, 5, 5, 7], dtype="int16")})
    frame.to_stata(path, version=114, write_index=False, byteorder=order, value_labels={"job": {1: "one", 5: "five"}})
    data = older(path.read_bytes(), 110).replace(b"\x3c", b"\x7e").replace(b"\x63", b"\x7f")
    (reading,) = read(data, "a.dta")
    assert reading.frame["by"].isna().tolist() == [False, False, False, True]
    assert kept(reading, range(4)).data == data
    made, _ = protected(reading, Cap("by", high=110), MergeLevels("job", 2, "Other"))
    seen, *_, types = stata_seen(made.data)
    assert made.data[0] == 110
    assert seen["by"].tolist() == ["1", "2", "110", "."]
    assert types == ["b", "h"]


@pytest.mark.parametrize("version", [110, 111, 114, 117, 118, 119])
@pytest.mark.parametrize("order", ["little", "big"])
def test_every_age_of_stata_files(tmp_path, version, order):
    frame = pd.DataFrame({"num": [1.5, 2.5, np.nan, 1.5], "by": np.array([1, 2, 1, 3], dtype="int8"), "flo": np.array([1.1, 2.2, 3.3, np.nan], dtype="float32"),
                          "text": ["a", "bb", "", "\xc5"], "day": pd.to_datetime(["2020-01-01", "1950-02-03", None, "2001-01-01"])})  # fmt: skip
    path = tmp_path / "a.dta"
    frame.to_stata(path, version=max(version, 114), write_index=False, byteorder=order, convert_dates={"day": "td"}, variable_labels={"num": "A number"}, value_labels={"by": {1: "Yes", 2: "No", 3: "Rare"}})  # fmt: skip
    data = path.read_bytes() if version >= 114 else older(path.read_bytes(), version)
    (reading,) = read(data, "a.dta")
    assert kept(reading, range(4)).data == data
    fewer, before = stata_seen(kept(reading, [0, 3]).data), stata_seen(data)
    expected, rest = only_used(before, [0, 3])
    pd.testing.assert_frame_equal(fewer[0], expected)
    assert fewer[2:] == rest
    made, _ = protected(
        reading, MergeLevels("by", 2, "Other"), MergeLevels("text", 2, "longer than it was"), Cap("num", high=2)
    )
    seen, _, _, sets, *_ = stata_seen(made.data)
    assert [sets["by_safer"][int(v)] for v in seen["by"]] == ["Yes", "Other", "Yes", "Other"]
    assert seen["by"].tolist() == ["1", "2", "1", "2"]
    assert seen["text"].tolist() == ["longer than it was"] * 2 + ["", "longer than it was"]
    assert seen["num"].tolist() == ["1.5", "2.0", ".", "1.5"]
    assert seen["flo"].tolist() == before[0]["flo"].tolist()


# --------------------------------------------------------------------------------------------------------------- SAS


def test_sas_transport_comes_back_for_pandas(tmp_path):
    frame = pd.DataFrame(
        {"ID": [1.0, 2.5, np.nan], "NAME": ["ab", "", "Oslo"], "DAY": [21915.0, 0.0, -5.0], "N": [1.0, 2.0, 3.0]}
    )
    path = tmp_path / "a.xpt"
    pyreadstat.write_xport(
        frame,
        path,
        file_format_version=5,
        table_name="PEOPLE",
        column_labels={"ID": "Number"},
        variable_format={"DAY": "DATE9."},
    )
    (reading,) = read(path.read_bytes(), "a.xpt")
    made = kept(reading, [0, 1, 2])
    pd.testing.assert_frame_equal(
        pd.read_sas(io.BytesIO(made.data), format="xport", encoding="infer"), pd.read_sas(path, encoding="infer")
    )
    with (
        pd.read_sas(io.BytesIO(made.data), format="xport", encoding="infer", iterator=True) as a,
        pd.read_sas(path, encoding="infer", iterator=True) as b,
    ):
        keep = ("name", "label", "nform", "nfl", "field_length", "ntype")
        assert [{k: f[k] for k in keep} for f in a.fields] == [{k: f[k] for k in keep} for f in b.fields]
    made, _ = protected(reading, Coarsen("N", 2))
    assert any("no value labels" in note for note in made.notes)
    with pytest.raises(DisclosureError, match="numbers up to 7e75; remove the column with a larger one"):
        protected(reading, Cap("N", low=7.1e75))


@pytest.mark.parametrize(("version", "table"), [(5, "PEOPLE"), (8, "PEOPLE_OF_2026")])
def test_a_sas_transport_file_keeps_its_version_and_the_name_of_its_table(tmp_path, version, table):
    path = tmp_path / "a.xpt"
    frame = pd.DataFrame({"N" if version == 5 else "A_LONG_NAME": [1.0, 2.0]})
    pyreadstat.write_xport(frame, path, file_format_version=version, table_name=table)
    (reading,) = read(path.read_bytes(), "a.xpt")
    path.write_bytes(kept(reading, [1]).data)
    seen, meta = pyreadstat.read_xport(path)
    assert (seen.iloc[:, 0].tolist(), list(seen.columns), meta.table_name) == ([2.0], list(frame.columns), table)
    assert path.read_bytes().startswith(b"HEADER RECORD*******LIBRARY HEADER") == (version == 5)


# ------------------------------------------------------------------------------------------------------------------ R

IMAGE = """
d <- data.frame(id = 1:6, x = c(1.5, NA, NaN, Inf, 3, 3), l = c(TRUE, NA, FALSE, TRUE, TRUE, FALSE),
  s = c("a", NA, "\\u00e5", "b", "NA", ""), day = as.Date("2020-01-01") + c(0, NA, 2, 3, 4, 5), stringsAsFactors = FALSE)
d$f <- factor(c("lo", "hi", NA, "rare", "lo", "hi"), levels = c("lo", "hi", "rare"))
d$o <- factor(c("lo", "hi", NA, "hi", "lo", "hi"), levels = c("lo", "hi"), ordered = TRUE)
d$t <- as.POSIXct(c("2020-01-01", NA, "2020-06-01", "2021-01-01", "2021-01-02", "2021-01-03"), tz = "Europe/Berlin")
d$dt <- as.difftime(c(1, 2, NA, 4, 5, 6), units = "hours")
d$i <- c(1L, NA, 3L, 4L, 5L, 6L)
d$h <- structure(c(1, 2, 9, 1, 2, 1), labels = c(Yes = 1, No = 2, Refused = 9), class = c("haven_labelled", "vctrs_vctr", "double"), label = "A question")
attr(d$id, "label") <- "Person"
rownames(d) <- paste0("row", 1:6)
attr(d, "note") <- "made here"
"""


@needs_r
def test_r_comes_back_for_r(tmp_path):
    r(
        tmp_path,
        IMAGE
        + "saveRDS(d, 'a.rds'); saveRDS(d, 'v2.rds', version = 2, compress = 'xz'); e <- d; save(d, e, file = 'two.RData')",
    )
    for name in ("a.rds", "v2.rds", "two.RData"):
        reading = read((tmp_path / name).read_bytes(), name)[0]
        made = kept(reading, range(6))
        assert r(tmp_path, "cat(identical(readRDS('a.rds'), readRDS('b.rds')))", b=made.data) == "TRUE"
        code = (
            IMAGE
            + "x <- d[c(1:4, 6), ]; y <- readRDS('b.rds'); cat(identical(lapply(x, as.vector), lapply(y, as.vector)), "
        )
        code += "identical(lapply(d, attributes), lapply(y, attributes)), identical(attr(d, 'note'), attr(y, 'note')), identical(rownames(x), rownames(y)))"
        assert r(tmp_path, code, b=kept(reading, [0, 1, 2, 3, 5]).data) == "TRUE TRUE TRUE TRUE"


@needs_r
def test_r_keeps_types_and_codes(tmp_path):
    r(tmp_path, IMAGE + "saveRDS(d, 'a.rds')")
    (reading,) = read((tmp_path / "a.rds").read_bytes(), "a.rds")
    made, _ = protected(
        reading,
        MergeLevels("f", 2, "Other"),
        MergeLevels("h", 2, "Other"),
        Coarsen("id", 2),
        RoundTo("i", 2),
        MergeLevels("l", 3, "both"),
    )
    code = "y <- readRDS('b.rds'); cat(levels(y$f), '|', as.character(y$f), '|', unclass(y$h), '|', names(attr(y$h, 'labels')), '|', class(y$id), attr(y$id, 'label'), '|', y$i, class(y$i), '|', class(y$t), attr(y$t, 'tzone'), '|', as.character(y$l), '|', identical(y$s, readRDS('a.rds')$s))"
    said = r(tmp_path, code, b=made.data).split(" | ")
    assert said == ["lo hi Other", "lo hi NA Other lo hi", "1 2 3 1 2 1", "Yes No Other", "ordered factor Person", "2 NA 4 4 6 6 integer",
                    "POSIXct POSIXt Europe/Berlin", "TRUE NA both TRUE TRUE both", "TRUE"]  # fmt: skip


# ---------------------------------------------------------------------------------------------------- Text and tables

TEXTS = st.sampled_from(
    [
        "1.10",
        "2",
        "007",
        "TRUE",
        "true",
        "12345678901234567890",
        "",
        '"quoted"',
        '"a,b"',
        '"say ""so"""',
        '"two\nlines"',
        "Å",
        " x ",
        "NA",
        '""',
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16"]),
    st.data(),
)
def test_any_text_file_comes_back_letter_by_letter(rows, end, encoding, data):
    import csv

    whole = end.join(["id,a,b", *(f"{i},{a},{b}" for i, (a, b) in enumerate(rows))]) + end
    (reading,) = read(whole.encode(encoding), "x.csv")
    assert kept(reading, range(len(rows))).data == whole.encode(encoding)
    some = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1)))
    expected = end.join(["id,a,b", *(f"{i},{rows[i][0]},{rows[i][1]}" for i in some)]) + end
    assert kept(reading, some).data == expected.encode(encoding)
    # A changed cell is the only one that another reader finds changed.
    at = data.draw(st.sampled_from(some))
    touched = np.array([i == at for i in some])
    new = pd.Series(pd.Categorical(['new, "one"' if t else "old" for t in touched]))
    made = rewrite(reading, Change(len(rows), np.array(some), {"b": Cells(new, touched)}))
    was, now = (list(csv.reader(io.StringIO(t, newline=""))) for t in (expected, made.data.decode(encoding)))
    was[1 + some.index(at)][2] = 'new, "one"'
    assert now == was


def test_text_files_keep_decimal_marks_and_packing():
    plain = "id;x;t\n1;1,10;a\n2;2,25;b\n3;0,5;a\n".encode("cp1252")
    (reading,) = read(plain, "x.csv")
    made, _ = protected(reading, RoundTo("x", 0.1))
    assert made.data == b"id;x;t\n1;1,10;a\n2;2,3;b\n3;0,5;a\n"
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("one.csv", plain)
        archive.writestr("two.tsv", "id\tx\n1\t1.10\n2\t007\n")
    one, two = read(sink.getvalue(), "set.zip")
    assert kept(one, [0, 2]).data == b"id;x;t\n1;1,10;a\n3;0,5;a\n"
    made = kept(two, [1])
    assert (made.ending, made.data) == (".tsv", b"id\tx\n2\t007\n")


def test_arrow_and_parquet_keep_schema_and_metadata():
    frame = pd.DataFrame(
        {"c": pd.Categorical(["b", "a", None, "r"], categories=["b", "a", "r"], ordered=True), "n": np.array([1, 2, 3, 4], "int16"),
         "f": np.array([1.5, np.nan, 0.25, 9], "float32"), "i": pd.array([1, None, 2**60 + 1, 4], "Int64"), "t": pd.to_datetime(["2020-01-01"] * 4).tz_localize("Europe/Berlin")},
        index=pd.Index([7, 5, 3, 1], name="key"),
    )  # fmt: skip
    table = pa.Table.from_pandas(frame).append_column("d", pa.array([None, *"123"]).cast(pa.decimal128(9, 2)))
    table = table.replace_schema_metadata({**table.schema.metadata, b"codebook": b"v1"})
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    (reading,) = read(sink.getvalue(), "x.parquet")
    table = pq.read_table(sink)
    back = pq.read_table(io.BytesIO(kept(reading, range(4)).data))
    assert back.equals(table, check_metadata=True)
    packed = pq.ParquetFile(io.BytesIO(kept(reading, [0, 2]).data))
    assert packed.metadata.row_group(0).column(0).compression == "ZSTD"
    expected = table.take([0, 2]).to_pandas()
    expected["c"] = expected["c"].cat.remove_unused_categories()
    pd.testing.assert_frame_equal(packed.read().to_pandas(), expected)
    made, _ = protected(reading, MergeLevels("c", 2, "Other"), Cap("n", high=2), Coarsen("f", 2), RoundTo("d", 2))
    back = pq.read_table(io.BytesIO(made.data))
    assert back.column("c").type == table.column("c").type
    assert back.column("c").to_pylist() == ["Other", "Other", None, "Other"]
    assert (back.column("n").type, back.column("n").to_pylist()) == (pa.int16(), [1, 2, 2, 2])
    assert back.column("i").equals(table.column("i"))
    assert pa.types.is_dictionary(back.column("f").type)
    assert back.column("d").type == pa.decimal128(9, 2)
    assert back.to_pandas().index.tolist() == [7, 5, 3, 1]
    assert back.schema.metadata[b"codebook"] == b"v1"
    made, _ = protected(reading, Cap("n", high=2.5), Cap("i", high=3.5))  # which whole numbers do not hold
    back = pq.read_table(io.BytesIO(made.data))
    assert [back.column(name).to_pylist() for name in "ni"] == [[1, 2, 2.5, 2.5], [1, None, 3.5, 3.5]]
    sink = io.BytesIO()
    feather.write_feather(table, sink)
    (reading,) = read(sink.getvalue(), "x.feather")
    assert feather.read_table(io.BytesIO(kept(reading, range(4)).data)).equals(table, check_metadata=True)


@pytest.mark.parametrize("name", ["array.rds", "one_column_matrix.rds"])
def test_a_column_of_r_with_dimensions_is_a_plain_one_afterwards(name):
    path = Path(__file__).parents[1] / "fidelity" / "more" / name
    (reading,) = read(path, name)
    (back,) = read(kept(reading, [0, 2, 19]).data, name)
    assert back.frame["x"].tolist() == reading.frame["x"].iloc[[0, 2, 19]].tolist()


def test_a_workbook_keeps_sheet_types_and_formats():
    import datetime

    book = openpyxl.Workbook()
    book.active.title = "Other things"
    sheet = book.create_sheet("Answers 2020")
    sheet.append(["id", "day", "pct", "text", "ok", "n"])
    rows = [
        [1, datetime.datetime(2020, 1, 31), 0.125, "007", True, 1.1],
        [2, None, 0.5, "=1+1", False, 2.25],
        [3, datetime.datetime(1999, 12, 31, 6, 30), None, "x", None, 3],
    ]
    for i, row in enumerate(rows, 2):
        sheet.append(row)
        sheet.cell(i, 2).number_format, sheet.cell(i, 3).number_format = "yyyy-mm-dd hh:mm", "0.0%"
        sheet.cell(i, 4).data_type = "s"
    sheet.freeze_panes = "B2"
    sheet.column_dimensions["C"].hidden = True
    sink = io.BytesIO()
    book.save(sink)
    from disclosure_core import ReadOptions

    (reading,) = read(sink.getvalue(), "x.xlsx", ReadOptions(sheet="Answers 2020"))
    made = kept(reading, [0, 2])
    back = openpyxl.load_workbook(io.BytesIO(made.data))
    assert back.sheetnames == ["Answers 2020"]
    assert any("Other things" in note for note in made.notes)
    now, was = back.active, openpyxl.load_workbook(sink)["Answers 2020"]
    assert now.freeze_panes == "B2"
    assert now.column_dimensions["C"].hidden
    for to, at in ((1, 1), (2, 2), (3, 4)):
        for j in range(1, 7):
            assert (now.cell(to, j).value, now.cell(to, j).number_format, now.cell(to, j).data_type) == (was.cell(at, j).value, was.cell(at, j).number_format, was.cell(at, j).data_type)  # fmt: skip
    made, _ = protected(reading, RoundTo("n", 0.1), MergeLevels("text", 2, "Other"))
    now = openpyxl.load_workbook(io.BytesIO(made.data)).active
    assert [now.cell(i, 6).value for i in (2, 3, 4)] == [1.1, 2.3, 3]
    assert [now.cell(i, 4).value for i in (2, 3, 4)] == ["Other"] * 3


def test_removed_records_are_the_only_ones_that_are_gone():
    original = "id,sex,x\n" + "".join(f"{i},{'fm'[i % 2]},{i}.0\n" for i in range(6))
    synthetic = "id,sex,x\n0,f,0.0\n7,m,7.10\n9,m,9.0\n"
    (a,), (b,) = read(original.encode(), "o.csv"), read(synthetic.encode(), "s.csv")
    made = protect(a.frame, [b.frame], [RemoveReplicated(), Cap("x", high=8)], Settings(keys=("id",)))
    assert safer(b, made.synthetic[0], made.changes[0]).data == b"id,sex,x\n7,m,7.10\n9,m,8\n"


def test_an_open_document_keeps_its_sheet():
    import datetime

    from disclosure_core import ReadOptions

    frame = pd.DataFrame(
        {"id": [1, 2, 3, 4], "day": [datetime.date(2020, 1, 31), datetime.date(1999, 12, 31), None, datetime.date(2001, 1, 1)],
         "text": ["007", "=1+1", "x  y", "x  y"], "a": [1.5, 1.5, 1.5, 2.25], "b": [1.5, 1.5, 1.5, 1.5], "ok": [True, False, True, True]}
    )  # fmt: skip
    sink = io.BytesIO()
    with pd.ExcelWriter(sink, engine="odf") as writer:
        frame.head(1).to_excel(writer, sheet_name="Other", index=False)
        frame.to_excel(writer, sheet_name="Answers & more", index=False)
    (reading,) = read(sink.getvalue(), "x.ods", ReadOptions(sheet="Answers & more"))

    def seen(data):
        return pd.read_excel(io.BytesIO(data), sheet_name=None, engine="odf")

    before = seen(sink.getvalue())["Answers & more"]
    made = kept(reading, range(4))
    assert made.ending == ".ods"
    assert list(seen(made.data)) == ["Answers & more"]
    pd.testing.assert_frame_equal(seen(made.data)["Answers & more"], before)
    some = seen(kept(reading, [1, 3]).data)["Answers & more"]
    assert some.astype(str).values.tolist() == before.iloc[[1, 3]].astype(str).values.tolist()
    made, _ = protected(reading, RoundTo("a", 0.5), MergeLevels("text", 2, "Other"))
    now = seen(made.data)["Answers & more"]
    assert now["a"].tolist() == [1.5, 1.5, 1.5, 2.5]
    assert now["text"].tolist() == ["Other", "Other", "x  y", "x  y"]
    pd.testing.assert_frame_equal(now[["id", "day", "b", "ok"]], before[["id", "day", "b", "ok"]])


ODD = r"""
d <- data.frame(id = 1:4)
d$u <- as.POSIXct(1:4 + 0.25, origin = "1970-01-01")
d$lt <- as.POSIXlt(c("2020-01-01 00:00:00", "2020-02-29 23:59:58", NA, "1999-12-31 12:07:00"), tz = "UTC")
d$f <- addNA(factor(c("a", NA, "b", "a")))
d$tag <- structure(c(1, 2, NA, 1), labels = c(Yes = 1, No = 2), class = c("haven_labelled", "vctrs_vctr", "double"))
d$sp <- structure(c(1, 2, 9, 3.5), labels = c(Refused = 9), na_values = 9, class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"))
d$q <- structure(c(2020.25, 2020.5, NA, 1), class = "yearqtr")
d$i64 <- structure(c(5e-324, 1e-323, -0, 0), class = "integer64")
d$li <- structure(c(1L, 2L, NA, 9L), labels = c(Yes = 1L, No = 2L), class = c("labelled", "integer"))
d$x <- c(NaN, NA, -0.0, 1e-310)
class(d) <- c("grouped_df", "tbl_df", "tbl", "data.frame")
attr(d, "groups") <- data.frame(id = 1:4)
s <- list(m = 2, syn = list(d[1:3, ], d), cont.na = list(id = NA, sp = c(NA, 9)), method = "cart"); class(s) <- "synds"
saveRDS(d, "odd.rds"); f <- function(x) x; env <- new.env(); save(f, env, d, s, file = "img.RData"); saveRDS(s, "synds.rds")
"""


@needs_r
def test_odd_columns_of_r_are_read_and_come_back(tmp_path):
    r(tmp_path, ODD)
    (reading,) = read((tmp_path / "odd.rds").read_bytes(), "odd.rds")
    frame = reading.frame
    assert (frame["i64"].tolist()[:2], frame["i64"].isna().tolist()) == (
        [1, 2],
        [False, False, True, False],
    )  # -0.0 has the bits of bit64's NA
    assert frame["f"].isna().tolist() == [False, True, False, False]
    assert frame["tag"].tolist()[:2] == ["Yes", "No"]
    assert reading.missing_codes == {"sp": (9.0,)}
    moments = [None if pd.isna(v) else str(v) for v in frame["lt"]]
    assert moments == ["2020-01-01 00:00:00", "2020-02-29 23:59:58", None, "1999-12-31 12:07:00"]
    same = "a <- readRDS('odd.rds'); b <- readRDS('b.rds'); cat(identical(a, b), all(mapply(function(x, y) identical(serialize(unclass(x), NULL), serialize(unclass(y), NULL)), a[-1], b[-1])))"
    assert r(tmp_path, same, b=kept(reading, range(4)).data) == "TRUE TRUE"
    tables = read((tmp_path / "img.RData").read_bytes(), "img.RData")
    assert [t.name for t in tables] == ["img.RData / d", "img.RData / syn 1", "img.RData / syn 2"]
    assert all("img.RData" in " ".join(t.notes) for t in tables)
    assert tables[2].missing_codes == {"sp": (9.0,)}
    assert r(tmp_path, same, b=kept(tables[2], range(4)).data) == "TRUE TRUE"
    made = kept(read((tmp_path / "synds.rds").read_bytes(), "synds.rds")[1], [0, 3])
    assert (
        r(tmp_path, "b <- readRDS('b.rds'); cat(class(b), nrow(b), b$id)", b=made.data) == "tbl_df tbl data.frame 2 1 4"
    )
    assert any("grouping" in note for note in made.notes)


@needs_r
@pytest.mark.parametrize(
    ("column", "sentence"),
    [("I(matrix(1:4, 2))", "Column 'x' of a.rds is a matrix"), ("I(list(1, 'a'))", "Column 'x' of a.rds holds a list"),
     ("complex(real = 1:2)", "Column 'x' of a.rds holds complex numbers"), ("as.raw(1:2)", "Column 'x' of a.rds holds raw bytes"),
     ("I(data.frame(a = 1:2))", "Column 'x' of a.rds holds a table"),
     ("I(structure(c(10, 10), start = c(1, 2), class = 'Interval'))", "of R's class 'Interval', whose 'start' is not read here; make it text")],
)  # fmt: skip
def test_columns_of_r_that_no_table_holds_are_refused_by_name(tmp_path, column, sentence):
    from disclosure_core import DisclosureError

    r(
        tmp_path,
        f"saveRDS(data.frame(id = 1:2, x = {column}), 'a.rds')"
        if "data.frame(a" not in column
        else "d <- data.frame(id = 1:2); d$x <- data.frame(a = 1:2); saveRDS(d, 'a.rds')",
    )
    with pytest.raises(DisclosureError, match=sentence):
        read((tmp_path / "a.rds").read_bytes(), "a.rds")


@needs_r
def test_what_is_no_table_in_an_image_of_r_is_left_aside(tmp_path):
    r(
        tmp_path,
        "people <- data.frame(a = 1:3, b = c('x', 'y', 'x')); f <- compiler::cmpfun(function(x) { for (i in x) print(i) })"
        "; m <- lm(a ~ b, people); raw <- as.raw(1:3); ns <- asNamespace('stats'); save(f, m, raw, ns, people, file = 'a.RData')",
    )
    (reading,) = read((tmp_path / "a.RData").read_bytes(), "a.RData")
    assert reading.frame["a"].tolist() == [1, 2, 3]
    assert "Left aside, being no tables: 'f', 'm', 'raw', 'ns'." in reading.notes


FRAMES = st.lists(
    st.tuples(
        st.sampled_from([1.5, -8.0, None, 3.0, 1e-3, 2.0**40]), st.sampled_from([1, 2, 100, -127]), st.sampled_from(["a", "", "Å b", "007", "TRUE"])
    ),
    min_size=1, max_size=8,
)  # fmt: skip
ANY = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def drawn(records, data):
    frame = pd.DataFrame(records, columns=["x", "n", "s"]).astype({"x": float, "n": "int8", "s": object})
    return frame, sorted(data.draw(st.sets(st.integers(0, len(frame) - 1), min_size=1)))


@ANY
@given(FRAMES, st.data())
def test_any_small_stata_file_comes_back_for_pandas(records, data):
    frame, rows = drawn(records, data)
    sink = io.BytesIO()
    version = data.draw(st.sampled_from([114, 117, 118]))
    labels = data.draw(st.dictionaries(st.sampled_from([1, 2, 100]), st.sampled_from(["Ja", "Nein", "Å"]), min_size=1))
    frame.to_stata(
        sink, version=version, write_index=False, value_labels={"n": labels}, variable_labels={"x": "Ein Wert"}
    )
    (reading,) = read(sink.getvalue(), "x.dta")
    now, was = stata_seen(kept(reading, rows).data), stata_seen(sink.getvalue())
    expected, rest = only_used(was, rows)
    pd.testing.assert_frame_equal(now[0], expected)
    assert now[2:] == rest


@ANY
@given(FRAMES, st.data())
def test_any_small_table_comes_back_for_its_library(records, data):
    frame, rows = drawn(records, data)
    sink = io.BytesIO()
    frame.assign(c=pd.Categorical(frame["s"], categories=["007", "a", "", "Å b", "TRUE", "z"])).to_parquet(sink)
    (reading,) = read(sink.getvalue(), "x.parquet")
    back, was = pq.read_table(io.BytesIO(kept(reading, rows).data)), pq.read_table(sink)
    assert (back.schema, back.to_pylist()) == (was.schema, was.take(rows).to_pylist())
    assert set(back.column("c").combine_chunks().dictionary.to_pylist()) == set(back.column("c").to_pylist()) - {None}
    book = openpyxl.Workbook()
    for row in [["x", "n", "s"], *records]:
        book.active.append(list(row))
    sink = io.BytesIO()
    book.save(sink)
    (reading,) = read(sink.getvalue(), "x.xlsx")
    seen = openpyxl.load_workbook(io.BytesIO(kept(reading, rows).data)).active
    was = openpyxl.load_workbook(sink).active
    assert [[c.value for c in row] for row in seen.iter_rows(min_row=2)] == [
        [c.value for c in was[i + 2]] for i in rows
    ]


@needs_r
@SLOW
@given(FRAMES, st.data())
def test_any_small_r_file_comes_back_for_r(tmp_path_factory, records, data):
    frame, rows = drawn(records, data)
    folder = tmp_path_factory.mktemp("r")
    number = lambda v: "NA" if v is None or v != v else repr(float(v))  # noqa: E731
    texts = ", ".join(f'"{s}"' for s in frame["s"])
    code = f"d <- data.frame(x = c({', '.join(map(number, frame['x']))}), n = c({', '.join(f'{n}L' for n in frame['n'])}), s = c({texts}), stringsAsFactors = FALSE); d$f <- factor(d$s, levels = c('z', 'TRUE', 'a', '007')); "
    picked = f"c({', '.join(str(i + 1) for i in rows)})"
    r(folder, code + "saveRDS(d, 'a.rds')")
    (reading,) = read((folder / "a.rds").read_bytes(), "a.rds")
    check = f"a <- readRDS('a.rds')[{picked}, ]; rownames(a) <- NULL; a$f <- droplevels(a$f); b <- readRDS('b.rds'); cat(identical(a, b))"
    assert r(folder, check, b=kept(reading, rows).data) == "TRUE"


def test_a_file_whose_rows_are_not_the_tables_is_written_anew_and_says_so():
    from dataclasses import replace

    (reading,) = read(b"id,x\n1,1.10\n2,007\n", "x.csv")
    change = Change(2, np.array([1]))
    for data in (b"A title\nid,x\n1,1.10\n2,007\n", b"A title\nid,x\n2,007\n", b"id,x\n1,1.10\n"):
        other = replace(reading, source=replace(reading.source, file=packed(data)))
        assert rewrite(other, change) is None
        made = safer(other, reading.frame.iloc[[1]], change)
        assert made.data == b"id,x\n2,007\n"
        assert "Written anew" in made.notes[0]


# --------------------------------------------------------------------------------------------------------- a label

PEOPLE = pd.DataFrame({"name": ["Å b", "c", "d"], "n": [1.5, 2.0, 3.0]})


def as_file(ending, tmp_path):
    """Return a small table as a file of a format, in the variety that its ending names."""
    path, sink = str(tmp_path / f"made.{ending.split('/')[0]}"), io.BytesIO()
    match ending:
        case "csv":
            return b'name;n\n"\xc3\x85 b";1,5\nc;2\n"d";3\n'
        case "csv/quoted":
            return b'"name","n"\r\n"\xc3\x85 b",1.5\r\n"c",2\r\n"d",3\r\n'
        case "parquet":
            PEOPLE.to_parquet(sink)
        case "feather":
            PEOPLE.to_feather(sink)
        case "xlsx":
            PEOPLE.to_excel(sink, index=False)
        case "ods":
            PEOPLE.to_excel(sink, index=False, engine="odf")
        case "sav" | "zsav":
            pyreadstat.write_sav(PEOPLE, path, compress=ending == "zsav")
        case "por":
            plain = PEOPLE.replace("Å b", "A b").rename(columns=str.upper)  # a portable file knows no other letters
            pyreadstat.write_por(plain, path)
        case "xpt":
            pyreadstat.write_xport(PEOPLE, path)
        case "dta/114" | "dta/117" | "dta/118" | "dta/119":
            PEOPLE.to_stata(sink, version=int(ending[-3:]), write_index=False)
        case "rds":
            import rdata

            rdata.write_rds(path, PEOPLE.astype({"name": "category"}))
    return sink.getvalue() or (tmp_path / path).read_bytes()


@pytest.mark.parametrize(
    "ending",
    [
        "csv",
        "csv/quoted",
        "parquet",
        "feather",
        "xlsx",
        "ods",
        "sav",
        "zsav",
        "por",
        "xpt",
        "dta/114",
        "dta/117",
        "dta/118",
        "dta/119",
        "rds",
    ],
)
def test_a_column_that_says_synthetic_is_the_last_of_every_format(tmp_path, ending):
    data = as_file(ending, tmp_path)
    (reading,) = read(data, f"made.{ending.split('/')[0]}")
    made, _ = protected(reading, AddLabel("says", "SYNTHETIC data, not people"))
    assert not any("Written anew" in note for note in made.notes)
    (again,) = read(made.data, f"made{made.ending}")
    assert list(again.frame.columns) == [*reading.frame.columns, "says"]
    assert again.frame["says"].astype(str).tolist() == ["SYNTHETIC data, not people"] * 3
    for name in reading.frame.columns:
        assert again.frame[name].astype(str).tolist() == reading.frame[name].astype(str).tolist()
    match made.ending:  # what another program than our reader sees
        case ".dta":
            other = pd.read_stata(io.BytesIO(made.data))
        case ".parquet":
            other = pd.read_parquet(io.BytesIO(made.data))
        case ".xlsx" | ".ods":
            other = pd.read_excel(io.BytesIO(made.data), engine={".ods": "odf", ".xlsx": "openpyxl"}[made.ending])
        case ".csv":
            other = pd.read_csv(io.BytesIO(made.data), sep=None, engine="python")
        case _:
            return
    assert other["says"].tolist() == ["SYNTHETIC data, not people"] * 3


@needs_pspp
def test_pspp_sees_the_label(tmp_path):
    (reading,) = read(as_file("sav", tmp_path), "made.sav")
    made, _ = protected(reading, AddLabel())
    assert pspp(tmp_path, "a.sav", made.data, "LIST.").count("SYNTHETIC") == 3


@needs_r
def test_r_sees_the_label(tmp_path):
    (reading,) = read(as_file("rds", tmp_path), "made.rds")
    made, _ = protected(reading, AddLabel(), Cap("n", high=2))
    said = r(tmp_path, "x <- readRDS('x.rds'); str(x); stopifnot(is.character(x$label), nrow(x) == 3)", x=made.data)
    assert "$ label: chr" in said
