"""A table comes back as it went out, in every format that is written."""

import pandas as pd
import pytest

from disclosure_core import DisclosureError, Study
from disclosure_core.data import demo
from disclosure_core.data.readers import ReadOptions
from disclosure_core.data.readers import read_in_process as read
from disclosure_core.data.writers import renamed, write

FRAME = pd.DataFrame(
    {
        "sex": pd.Categorical(["f", "m", None, "f"], categories=["f", "m"]),
        "rating": pd.Categorical(["low", "high", "high", "low"], categories=["low", "high"], ordered=True),
        "age": pd.array([30, None, 41, 7], dtype="Int64"),
        "income": [1.5, -8.0, 2.25, None],
        "town": ["Oslo", "Århus, DK", None, '=1+1 "q"'],
        "ok": [True, False, True, False],
    }
)

FORMATS = ["CSV", "Parquet", "Arrow", "Excel", "OpenDocument", "SPSS", "SPSS portable", "Stata", "SAS", "SAS transport", "R"]  # fmt: skip


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_comes_back(format_):
    ending, data = write(FRAME, format_, missing_codes={"income": (-8.0,)})
    (reading,) = read(data, f"table{ending}")
    # Comparable means: the same levels in every record, as texts.
    study = Study(FRAME, [reading.frame])
    assert tuple(study.columns) == tuple(FRAME.columns)
    for column in study.columns.values():
        assert [column.label(c) for c in column.original] == [column.label(c) for c in column.synthetic[0]], column.name
    if format_.startswith("SPSS"):
        assert reading.missing_codes == {"income": (-8.0,)}


def test_text_files_keep_their_marks():
    options = ReadOptions(delimiter=";", decimal=",", encoding="cp1252")
    ending, data = write(FRAME, "CSV", options)
    assert ending == ".csv"
    assert b"1,5;\xc5rhus" not in data
    assert b"\xc5rhus, DK" in data
    (reading,) = read(data, "x.csv")
    assert reading.options.delimiter == ";"
    assert reading.frame["income"].tolist()[:3] == [1.5, -8.0, 2.25]


def test_the_survey_survives_every_format():
    frame = demo.syntheses()[0].head(200)
    for format_ in FORMATS:
        ending, data = write(frame, format_)
        (reading,) = read(data, f"x{ending}")
        study = Study(frame, [reading.frame])
        for column in study.columns.values():
            assert (column.original == column.synthetic[0]).all(), (format_, column.name)


def test_what_a_format_cannot_hold_is_a_sentence():
    with pytest.raises(DisclosureError, match="cannot be written as Stata: .* take Parquet instead"):
        write(pd.DataFrame({"a": [object(), object()]}), "Stata")
    with pytest.raises(DisclosureError, match="cannot be written as CSV"):
        write(pd.DataFrame({"a": ["日本"]}), "CSV", ReadOptions(encoding="cp1252"))


@pytest.mark.parametrize(
    ("name", "ending", "expected"),
    [("a.csv.gz", ".csv", "a.csv"), ("set.zip / one.sav", ".sav", "set_one.sav"), ("x.ods", ".xlsx", "x.xlsx"),
     ("m.rds / 2", ".rds", "m_2.rds"), ("../../etc/passwd", ".csv", "passwd.csv")],
)  # fmt: skip
def test_names(name, ending, expected):
    assert renamed(name, ending) == expected
