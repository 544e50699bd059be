"""`disclosure compare`: the figures are those of the core, and what cannot be compared is one sentence."""

import json

import pytest
from click.testing import CliRunner

from disclosure_core import Settings, Study, compare
from disclosure_core.cli.commands import main
from disclosure_core.data import demo

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
    return CliRunner().invoke(main, ["compare", *files, *KEYS], **more)


@pytest.mark.slow
def test_the_figures_are_those_of_the_core(folder):
    sets = ("--set", "trees", "cart", *(w for i in range(3) for w in ("--set", "coarse", f"coarse_{i}.parquet")))
    done = call(folder, "original.parquet", *sets, "--json", "-", "--figures", str(folder / "maps"))
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    studies = [Study(demo.original(), frames, demo.MISSING_CODES) for frames in (demo.syntheses()[:2], demo.other_sets()["coarse"])]  # fmt: skip
    settings = Settings(keys=demo.KEYS, targets=("abroad",))
    expected = compare(*studies, settings=settings, names=("trees", "coarse")).table()
    rows = {(r["measure"], r["target"]): (r["trees"], r["coarse"]) for r in told["tables"]["sets"]}
    for row in expected.to_dict("records"):
        assert rows[row["measure"], row["target"]] == pytest.approx((row["trees"], row["coarse"]))
    assert any("'trees' is the more useful of the two" in note for note in told["notes"])
    assert len(list((folder / "maps").iterdir())) == 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("original.parquet",), "Name the sets of synthetic files"),
        (("original.parquet", "coarse_0.parquet", "--set", "a", "cart"), "Give one original, and name the set"),
        (("original.parquet", "--set", "a", "empty"), "holds no data file"),
        (("review.json", "--set", "a", "cart"), "A saved review names its sets itself"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(folder, words, sentence):
    (folder / "review.json").write_text("{}")
    done = call(folder, *words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
