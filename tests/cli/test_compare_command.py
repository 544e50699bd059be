"""`disclosure compare`: the figures are those of the core, and what cannot be compared is one sentence."""

# Inside: draws of the original are counted, which no output tells.

import json
from unittest.mock import patch

import pytest

from disclosure_core import Settings, Study, assess, compare, demo
from disclosure_core.review import references
from tests.commands import disclosure

KEYS = ("--keys", "sex,age,region,employment", "--targets", "abroad", "--missing-code", "income=-8", "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("sets")
    demo.original().to_parquet(place / "original.parquet")
    for i, frame in enumerate(demo.syntheses()[:2]):
        (place / "cart").mkdir(exist_ok=True)
        frame.to_parquet(place / "cart" / f"{i}.parquet")
    for i, frame in enumerate(demo.other_sets()["coarse"]):
        frame.to_parquet(place / f"coarse_{i}.parquet")
    (place / "empty").mkdir()
    return place


def call(place, *words, **more):
    files = [str(place / w) if (place / w).exists() else w for w in words]
    return disclosure("compare", *files, *KEYS, **more)


@pytest.mark.slow
def test_samples_and_a_coarsened_original_stand_beside_the_sets(folder):
    """What the whole original discloses is known without counting a synthesis: DiSCO of it is its own Dorig."""
    asked = ("--sample", "50%,3", "--coarsened", "band=age,10", "--json", "-")
    with patch.object(references, "protect", wraps=references.protect) as made:
        done = call(folder, "original.parquet", "--set", "trees", "cart", *asked)
    assert done.exit_code == 0, done.stderr
    assert made.call_count == 1  # what is tried before anything is counted is not made again
    table = {(r["measure"], r["target"]): r for r in json.loads(done.stdout)["tables"]["sets"]}
    disco = table["DiSCO", "abroad"]
    names = [name for name in disco if name not in ("measure", "target", "unit")]
    assert names[0] == "trees"
    (sample,) = [name for name in names if "50" in name]
    (original,) = [name for name in names if name.startswith("original, ")]
    banded = demo.original().assign(age=demo.original()["age"] // 10)
    itself = assess(banded, [banded], keys=demo.KEYS, targets=["abroad"]).targets["abroad"].attribute["Dorig"].iloc[0]
    assert disco[original] == pytest.approx(itself)
    whole = Study(demo.original(), [demo.original()])
    every = assess(whole, Settings(keys=demo.KEYS, targets=("abroad",))).targets["abroad"].attribute["Dorig"].iloc[0]
    assert 0 < disco[sample] != pytest.approx(every)


@pytest.mark.slow
def test_the_figures_are_those_of_the_core(folder):
    sets = ("--set", "trees", "cart", *(w for i in range(3) for w in ("--set", "coarse", f"coarse_{i}.parquet")))
    look = ("--figure-width", "85", "--grey")
    done = call(folder, "original.parquet", *sets, "--json", "-", "--figures", str(folder / "maps"), *look)
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    studies = [Study(demo.original(), frames, demo.MISSING_CODES) for frames in (demo.syntheses()[:2], demo.other_sets()["coarse"])]  # fmt: skip
    settings = Settings(keys=demo.KEYS, targets=("abroad",))
    expected = compare(*studies, settings=settings, names=("trees", "coarse")).table()
    rows = {(r["measure"], r["target"]): (r["trees"], r["coarse"]) for r in told["tables"]["sets"]}
    for row in expected.to_dict("records"):
        assert rows[row["measure"], row["target"]] == pytest.approx((row["trees"], row["coarse"]))
    assert any("'trees' is the more useful of the two" in note for note in told["notes"])
    assert {path.name for path in (folder / "maps").iterdir()} == {
        f"risk-utility_85mm_grey{ending}" for ending in (".pdf", ".svg", "_300dpi.png")
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coarsened", "sentence"),
    [
        ("group=nosuch,5", "Column 'nosuch' is not in both"),
        ("cap=age,90,10", "must be below the highest"),
        ("round=sex,5", "is not numeric"),
        ("band=age,x", "above 0, not 'x'"),
        ("merge=region,1", "fewer than 2 records"),
    ],
)
def test_a_coarsening_that_does_not_fit_is_said_before_anything_is_counted(folder, coarsened, sentence):
    done = call(folder, "original.parquet", "--set", "trees", "cart", "--coarsened", coarsened)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "Counting" not in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("original.parquet",), "Name the sets of synthetic files"),
        (("--set", "a", "cart"), "Give the original and at least one synthetic file"),
        (("original.parquet", "coarse_0.parquet", "--set", "a", "cart"), "Give one original, and name the set"),
        (("original.parquet", "--set", "a", "empty"), "holds no data file"),
        (("original.parquet", "--set", "a", "cart", "--sample", "ten"), "--sample ten is not a share; write 10%"),
        (("original.parquet", "--set", "a", "cart", "--sample", "100%"), "a share above 0 and below 100 %"),
        (("original.parquet", "--set", "a", "cart", "--grey"), "--grey does nothing without --figures; add it"),
        (("review.json", "--set", "a", "cart"), "A saved review names its sets itself"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(folder, words, sentence):
    (folder / "review.json").write_text('{"review": 1}')
    done = call(folder, *words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for i, frame in enumerate([demo.original(), *demo.syntheses()[:2], *demo.other_sets()["coarse"][:1]]):
        frame.head(300).to_csv(f"{i}.csv", index=False)
    return tmp_path


def beside(*words):
    return disclosure("compare", "0.csv", *words, "--keys", "sex,age", "--targets", "abroad")


SETS = ("--set", "trees", "1.csv", "--set", "coarse", "3.csv")


def test_a_condition_on_the_tables_of_sets(small):
    held = "sets_differences.difference>"
    done = beside(*SETS, "--quiet", "--fail-if", f"{held}1000", "--fail-if", "sets.coarse[UiO]<0")
    assert (done.exit_code, done.stderr) == (0, "")
    done = beside(*SETS, "--quiet", "--fail-if", f"{held}-1000")
    assert done.exit_code == 1
    assert f"{held}-1000 holds for" in done.stderr


def test_a_file_given_twice_is_said_of_every_set(small):
    assert "given twice" not in beside(*SETS).stderr
    both = ("--set", "trees", "1.csv", "--set", "b", "2.csv", "--set", "b", "2.csv")
    assert "Note: 'b': Syntheses 1 and 2 are the same: was a file given twice?" in beside(*both).stderr
    done = beside("--set", "trees", "1.csv", "--set", "b", "0.csv", "--json", "-", "--quiet")
    same = "'b': The synthetic data and the original are the same, record by record: was a file given twice?"
    assert same in json.loads(done.stdout)["notes"]


def test_of_a_folder_files_that_a_system_hides_are_no_data(small):
    (small / "b").mkdir()
    (small / "2.csv").rename("b/2.csv")
    for name in ("._2.csv", "~$2.xlsx"):
        (small / "b" / name).write_bytes(b"\0\5\x16\7")
    done = beside("--set", "trees", "1.csv", "--set", "b", "b", "--quiet")
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("name", ["", " "])
def test_a_set_has_a_name(small, name):
    done = beside("--set", "trees", "1.csv", "--set", name, "2.csv", "--quiet")
    assert (done.exit_code, done.stderr) == (2, "Error: A set of syntheses has no name; give it one.\n")


def test_a_set_called_as_a_column_of_the_table(small):
    named = ("--set", "target", "1.csv", "--set", "unit", "3.csv")
    assert "target (set)" in beside(*named).stdout
    rows = []
    for sets in (named, SETS):
        done = beside(*sets, "--json", "-", "--quiet")
        assert done.exit_code == 0, done.stderr
        rows.append(json.loads(done.stdout)["tables"]["sets"])
    assert [*rows[0][0]] == ["measure", "target", "unit", "target (set)", "unit (set)"]
    assert [[*row.values()] for row in rows[0]] == [[*row.values()] for row in rows[1]]
