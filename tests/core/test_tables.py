"""Tables that leave: the figures as they are, and nothing that runs."""

import io

import openpyxl
import pandas as pd
import pytest

from disclosure_core import DisclosureError, Exclusions, Settings, Study, assess, demo
from disclosure_core.tables import tables, to_csv, to_excel, to_parquet

HOSTILE = ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"http://x\")", "http://x", "-8", "+5.5",
           "＝1+1", "  =1", "\n=1"]  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return assess(demo.study(), Settings(keys=demo.KEYS, exclusions=Exclusions(denominator_limit=5)))


def test_the_tables_hold_every_figure(found):
    every = tables(found)
    assert list(every) == ["summary", "identity", "attribute", "caps", "one_way", "two_way", "exclusions"]
    assert len(every["summary"]) == 3 * 10
    attribute = every["attribute"].set_index(["target", "synthesis"])
    assert attribute.loc[("abroad", 3), "DiSCO"] == found.targets["abroad"].attribute.loc[3, "DiSCO"]
    assert len(every["exclusions"]) == 10 * 5 * 8
    assert len(every["two_way"]) == sum(len(f) for r in found.targets.values() for f in r.two_way)


def test_there_and_back(found):
    for frame in tables(found).values():
        pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(to_parquet(frame))), frame)
        again = pd.read_csv(io.BytesIO(to_csv(frame)), keep_default_na=False, na_values=[""])
        again = again.assign(flag=again["flag"].astype("str").fillna("")) if "flag" in again else again
        pd.testing.assert_frame_equal(again, frame, check_dtype=False, rtol=1e-12)
    book = pd.read_excel(io.BytesIO(to_excel(tables(found))), sheet_name=None, engine="calamine")
    assert list(book) == list(tables(found))
    assert book["identity"]["UiO"].tolist() == found.identity["UiO"].tolist()


def test_a_cell_that_looks_like_a_formula_does_not_run():
    frame = pd.DataFrame({"=level": HOSTILE, "n": [-1.5] * len(HOSTILE)})
    sheet = openpyxl.load_workbook(io.BytesIO(to_excel({"levels": frame})))["levels"]
    assert [c.value for c in sheet["A"]] == ["=level", *(h.replace("\r", "_x000D_") for h in HOSTILE)]
    assert {c.data_type for c in sheet["A"]} == {"s"}
    assert not [c for c in sheet["A"] if c.hyperlink]
    assert {c.data_type for c in sheet["B"][1:]} == {"n"}
    lines = pd.read_csv(io.BytesIO(to_csv(frame)), dtype=str)
    assert lines.columns.tolist() == ["'=level", "n"]
    for before, after in zip(HOSTILE, lines["'=level"], strict=True):
        runs = before not in ("http://x", "-8", "+5.5")
        assert after == ("'" + before if runs else before)
    assert lines["n"].tolist() == ["-1.5"] * len(HOSTILE)


@pytest.mark.parametrize("names", [["a" * 40, "a" * 41, "A" * 40], ["x/y", "x:y", "x y"], ["", "'"]])
def test_any_name_makes_a_sheet(names):
    frame = pd.DataFrame({"a": [1]})
    assert len(openpyxl.load_workbook(io.BytesIO(to_excel(dict.fromkeys(names, frame)))).sheetnames) == len(names)


def test_levels_of_the_data_travel_as_text():
    data = pd.DataFrame({"k": ["=1+1"] * 60, "t": ["=cmd|' /C calc'!A0"] * 60})
    found = assess(Study(data, [data]), Settings(keys=("k",)))
    text = to_csv(tables(found)["one_way"]).decode()
    assert "'=cmd" in text


def test_what_a_sheet_cannot_hold_is_said():
    with pytest.raises(DisclosureError, match="The table 'records' has more rows than a sheet of Excel"):
        to_excel({"records": pd.DataFrame({"a": range(1_048_576)})})


def test_truth_stays_truth():
    sheet = openpyxl.load_workbook(io.BytesIO(to_excel({"s": pd.DataFrame({"a": [True, False]})})))["s"]
    assert [c.value for c in sheet["A"][1:]] == [True, False]
