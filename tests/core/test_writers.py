"""A table comes back as it went out, in every format that is written."""

# Inside: numbers and widths of a safer file, one by one.

import gzip
import io
from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import (
    Chain,
    DisclosureError,
    ReadOptions,
    RoundTo,
    Settings,
    Study,
    start,
    start_demonstration,
)
from disclosure_core.data.rewriters._change import plain
from disclosure_core.data.rewriters._statistical import _wide_enough
from disclosure_core.data.writers import ENDINGS, renamed, write
from tests.reading import read_in_process as read
from tests.written import LOG
from tests.written import safer_files as files_of

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
    """What holds more than values comes back as Parquet: a look-alike would have lost codes and labels."""
    ending, data = write(FRAME, format_)
    assert ending == ENDINGS.get(format_, ".parquet")
    (reading,) = read(data, f"table{ending}")
    # Comparable means: the same levels in every record, as texts.
    study = Study(FRAME, [reading.frame])
    assert tuple(study.columns) == tuple(FRAME.columns)
    for column in study.columns.values():
        assert [column.label(c) for c in column.original] == [column.label(c) for c in column.synthetic[0]], column.name


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-8.0, "-8"),
        (0.1, "0.1"),
        (999_999_999_999_999.0, "999999999999999"),
        (1e15, "1000000000000000.0"),
        (1e300, "1e+300"),
    ],
)
def test_a_number_in_a_text_file_is_whole_as_far_as_its_digits_are_known(number, text):
    assert plain(number) == text
    assert float(text) == number


def test_text_files_keep_their_marks():
    options = ReadOptions(delimiter=";", decimal=",", encoding="cp1252")
    ending, data = write(FRAME, "CSV", options)
    assert ending == ".csv"
    assert b";1,5;Oslo;" in data
    assert b"\xc5rhus, DK" in data
    (reading,) = read(data, "x.csv")
    assert reading.options.delimiter == ";"
    assert reading.frame["income"].tolist()[:3] == [1.5, -8.0, 2.25]


def test_signs_that_show_nothing_are_written_as_they_are():
    signs = ["a\u200bb", "a\xadb", "\ue000"]
    (reading,) = read(write(pd.DataFrame({"a": signs}), "Excel")[1], "x.xlsx")
    assert reading.frame["a"].tolist() == signs


def test_what_a_format_cannot_hold_is_a_sentence():
    with pytest.raises(DisclosureError, match="cannot be written as Arrow: .* take Parquet instead"):
        write(pd.DataFrame({"a": [object(), object()]}), "Arrow")
    with pytest.raises(DisclosureError, match="cannot be written as CSV"):
        write(pd.DataFrame({"a": ["日本"]}), "CSV", ReadOptions(encoding="cp1252"))


@pytest.mark.parametrize(
    ("name", "ending", "expected"),
    [("a.csv.gz", ".csv", "a.csv"), ("set.zip / one.sav", ".sav", "set_one.sav"), ("x.ods", ".xlsx", "x.xlsx"),
     ("m.rds / 2", ".rds", "m_2.rds"), ("../../etc/passwd", ".csv", "passwd.csv")],
)  # fmt: skip
def test_names(name, ending, expected):
    assert renamed(name, ending) == expected


@pytest.mark.slow
def test_every_safer_synthesis_has_a_name_of_its_own(tmp_path):
    """Files of one name from several folders, packed and not, and tables that came from none."""
    frame = pd.DataFrame({"k": list("aabb"), "n": [1, 2, 3, 4]})
    files = {"o": frame, "a": frame, "b": frame.assign(n=[12, 2, 3, 4]), "c": frame.assign(n=[23, 2, 3, 4])}
    for folder, table in files.items():
        (tmp_path / folder).mkdir()
        table.to_csv(tmp_path / folder / "s.csv", index=False)
    paths = [("s.csv", tmp_path / folder / "s.csv") for folder in files]
    packed = gzip.compress(frame.assign(n=[34, 2, 3, 4]).to_csv(index=False).encode())
    opened = start(paths[0], {"synthetic data": [*paths[1:], ("s (2).csv.gz", packed)]})
    review = opened.review.with_settings(Settings(keys=("k",)))
    opened = opened.with_review(replace(review, chains=(Chain("c", (RoundTo("n", 10),)),), chain="c"))
    made = files_of(opened)
    assert list(made) == ["safer_s (2).csv", "safer_s (3).csv", "safer_s (4).csv", "4_safer_s (2).csv", LOG]
    firsts = [pd.read_csv(io.BytesIO(data))["n"][0] for name, data in made.items() if name != LOG]
    assert firsts == [0, 10, 20, 30]
    assert "not in these files" not in made[LOG].decode()
    demonstration = start_demonstration()
    asked = replace(demonstration.review, chains=(Chain("c", (RoundTo("income", 1000),)),), chain="c")
    n = demonstration.study().n_syntheses
    assert list(files_of(demonstration.with_review(asked))) == [
        *(f"safer_synthetic_{i}.parquet" for i in range(1, n + 1)),
        LOG,
    ]


@pytest.mark.parametrize(
    ("was", "codes", "now"),
    [("F1.0", [1, 9], "F1.0"), ("F1.0", [1, 10], "F2.0"), ("F1", [-5], "F2.0"), ("F3.1", [100], "F5.1"), ("F8.2", [1], "F8.2"),
     ("DATE11", [1], "DATE11"), ("A4", [1], None)],
)  # fmt: skip
def test_spss_shows_every_code_of_new_levels(was, codes, now):
    """A width that is too small shows asterisks."""
    assert _wide_enough(was, dict.fromkeys(codes, "a level")) == now
