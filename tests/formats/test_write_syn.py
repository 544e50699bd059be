"""What synthpop's write.syn leaves in each filetype opens with the meaning that it has in R; see write_syn/make.R."""

import re
from pathlib import Path

import pytest

from disclosure_core import DisclosureError, Study
from disclosure_core.data.suggestions import apply_missing_texts
from tests.commands import disclosure
from tests.reading import read_in_process as read

HERE = Path(__file__).parent / "write_syn"


def frame(name):
    (reading,) = read((HERE / name).read_bytes(), name)
    return apply_missing_texts(reading.frame, {"sex": ["NA"], "age": ["NA"]}), reading


@pytest.mark.parametrize(
    "name", ["syn.csv", "syn.txt", "syn.tab", "syn.RData", "synobject_syn.RData", "syn_labels.dta", "syn.dta"]
)
def test_an_export_of_write_syn_opens_with_its_meaning(name):
    original, _ = frame("original.rds")
    found, reading = frame(name)
    study = Study(original, [found])
    assert list(study.columns) == ["sex", "town", "age", "income"]
    assert [str(column.kind) for column in study.columns.values()] == ["category", "category", "number", "number"]
    lost = {"sex"} if name == "syn.dta" else set()  # R wrote no code and no label of it
    for column in study.columns.values():
        # The synthesis holds the original's records in another order: every level as often.
        same = column.counts[0].tolist() == column.counts[1].tolist()
        assert same == (column.name not in lost), column.name
    assert bool(lost) == (study.columns["sex"].counts[1, -1] == 120)
    assert ("UTF-8" in " ".join(reading.notes)) == name.endswith(".dta")


def test_what_r_lost_is_said():
    call = ["assess", str(HERE / "original.rds"), str(HERE / "syn.dta"), "--keys", "town", "--targets", "sex"]
    done = disclosure(*call)
    assert done.exit_code == 0, done.stderr
    assert re.search(r"Warning: .*'sex'", done.stderr)


@pytest.mark.parametrize("name", ["syn_sas.txt", "syn_spss.txt"])
def test_a_text_whose_names_stand_in_a_program_is_refused_in_a_sentence(name):
    call = ["assess", str(HERE / "original.rds"), str(HERE / name), "--keys", "town"]
    done = disclosure(*call)
    assert done.exit_code == 2
    assert re.search(r"no column name in common|has no name; give it one|mend the row, or choose another", done.stderr)


def test_the_program_itself_is_refused():
    with pytest.raises(DisclosureError, match="is of a format that is not read here"):
        read((HERE / "syn.sas").read_bytes(), "syn.sas")
