"""The receipt of a text file, its lines and those inside quotes, stands beside its records wherever files are named."""

import io
import json

import pandas as pd
import pytest

from disclosure_core import Settings, start
from tests.commands import disclosure
from tests.reports import Look, assemble, blocks

ORIGINAL = b'sex,t\nf,"a\nb"\nm,x\nf,x\n' + b"m,x\n" * 10
"""13 records in 15 lines, one of which begins inside quotes."""

SYNTHETIC = b"sex,t\nf,x\nm,x\n"


def opened():
    found = start(("o.csv", ORIGINAL), {"s": [("s.csv", SYNTHETIC)]})
    return found.with_review(found.review.with_settings(Settings(keys=("sex",), targets=("t",))))


def files_table(look):
    (table,) = [b for b in blocks(assemble(opened(), look)) if "Fingerprint" in b.columns]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_report():
    original, synthetic = files_table(Look())
    assert (original["Records"], original["Lines"]) == ("13", "15, 1 inside quotes")
    assert (synthetic["Records"], synthetic["Lines"]) == ("2", "3")


def test_a_shareable_report_hides_it_where_it_would_count_the_original():
    original, synthetic = files_table(Look(shareable=True, smallest=5))
    assert original["Lines"] == "–"
    assert "13" not in original["Records"]
    assert synthetic["Lines"] == "3"


@pytest.mark.slow
def test_what_is_no_text_has_none():
    sink = io.BytesIO()
    pd.DataFrame({"sex": ["f", "m"], "t": ["x", "x"]}).to_parquet(sink)
    found = start(("o.parquet", sink.getvalue()), {"s": [("s.parquet", sink.getvalue())]})
    found = found.with_review(found.review.with_settings(Settings(keys=("sex",), targets=("t",))))
    (table,) = [b for b in blocks(assemble(found, Look())) if "Fingerprint" in b.columns]
    assert table.columns == ("Role", "File", "Records", "Fingerprint")
    assert "lines" not in json.loads(found.to_json())["files"][0]


def test_json_and_workbook():
    original, synthetic = json.loads(opened().to_json())["files"]
    assert (original["records"], original["lines"], original["lines_inside_quotes"]) == (13, 15, 1)
    assert (synthetic["records"], synthetic["lines"], synthetic["lines_inside_quotes"]) == (2, 3, 0)
    about = pd.read_excel(io.BytesIO(opened().to_excel()), sheet_name=0, header=None, engine="calamine").astype(str)
    assert any("13 records in 15 lines, 1 of them inside quotes" in cell for cell in about.stack())


def test_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "o.csv").write_bytes(ORIGINAL)
    (tmp_path / "s.csv").write_bytes(SYNTHETIC)
    done = disclosure("assess", "o.csv", "s.csv", "--keys", "sex")
    assert "Read o.csv: 13 records in 15 lines, 1 of them inside quotes." in done.stderr
    assert "Read s.csv: 2 records in 3 lines." in done.stderr
