"""A saved review on other data: what does not fit is left out and said, and no condition passes for want of a column."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import DisclosureError, Holdout, Limit, Limits, Review
from tests.commands import condition, disclosure
from tests.having import people_outside
from tests.saved import from_json

KEYS = ("--keys", "k", "--targets", "t,n")


def frame(n):
    return pd.DataFrame({"k": list("abc") * 4, "t": list("xy") * 6, "n": n})


@pytest.fixture
def review(tmp_path, monkeypatch):
    """A review in which two numbers mean "no answer"; next year's data hold one of them alone."""
    monkeypatch.chdir(tmp_path)
    Path("next").mkdir()
    for folder, n in ((".", [-8, -9, 1, 2] * 3), ("next", [-9, 1, 2, 3] * 3)):
        for name in ("o.csv", "s.csv"):
            frame(n).to_csv(Path(folder) / name, index=False)
    codes = ("--missing-code", "n=-8", "--missing-code", "n=-9")
    made = disclosure("assess", "o.csv", "s.csv", *KEYS, *codes, "--save", "r.json", "--quiet")
    assert made.exit_code == 0, made.stderr
    return from_json(Path("r.json").read_text())


@pytest.mark.parametrize("command", ["run", "verify"])
def test_a_code_that_other_data_lack_is_left_out_and_the_others_stay(review, command):
    done = disclosure(command, "r.json", "--data", "next", "--other-data")
    assert done.exit_code == 0, done.stderr
    assert done.stderr.count("Left out for 'n': missing codes. The missing code -8 does not occur") == 1
    kept = review.open("next", other_data=True)
    assert kept.review.columns.missing_codes == {"n": ("-9",)}
    assert kept.study().missing_codes == {"n": (-9.0,)}
    assert kept.differences[-1].startswith("Left out for 'n': missing codes.")
    given = review.open(frame([-9, 1, 2, 3] * 3), [frame([-9, 1, 2, 3] * 3)], other_data=True)
    assert given.review.columns.missing_codes == {"n": ("-9",)}


def test_the_same_data_keep_every_code_and_differ_in_nothing(review):
    same = review.open(".")
    assert (same.review.columns.missing_codes, same.differences) == ({"n": ("-8", "-9")}, ())
    with pytest.raises(DisclosureError, match="The missing code -7 does not occur"):
        Review.of(["k"], missing_codes={"n": -7}).open(frame([1, 2, 3, 4] * 3), [frame([1, 2, 3, 4] * 3)]).study()


@pytest.mark.parametrize("gone", ["n", "k2"])
def test_a_condition_does_not_pass_for_want_of_a_column(tmp_path, monkeypatch, gone):
    """Without the key or target figures are lower, or fewer; --quiet tells no warning."""
    monkeypatch.chdir(tmp_path)
    Path("next").mkdir()
    whole = frame([1, 2, 3, 4] * 3).assign(k2=list("pqrs") * 3)
    for name in ("o.csv", "s.csv"):
        whole.to_csv(name, index=False)
        whole.drop(columns=gone).to_csv(Path("next") / name, index=False)
    files = ("o.csv", "s.csv", "--keys", "k,k2", "--targets", "t,n")
    assert disclosure("assess", *files, "--save", "r.json", "--quiet").exit_code == 0
    call = ("--data", "next", "--other-data", "--quiet")
    assert disclosure("run", "r.json", *call).exit_code == 0
    for text in ("DiSCO>100", "copies>100", "limits"):
        done = disclosure("run", "r.json", *call, "--fail-if", text)
        assert done.exit_code == 2
        assert f"The review asks for '{gone}', which these data lack, so that no condition can pass" in done.stderr
    others = ("--keys", "k", "--targets", "t")
    assert disclosure("tau", "r.json", *call, *others, "--fail-if", "DiSCO>100").exit_code == 0
    assert disclosure("tau", "r.json", *call, "--fail-if", "DiSCO>100").exit_code == 2


@pytest.mark.parametrize(("numbers", "passes"), [((), True), ((1, 2), True), ((1, 3), False), ((9,), False)])
def test_a_released_synthesis_that_is_not_there_passes_no_limit(numbers, passes):
    """The mean was judged, as if nobody had said which synthesis is released."""
    limits = Limits(Limit(100, 100, "us", "so"))
    data = frame([1, 2, 3, 4] * 3)
    found = (
        Review.of(["k"], targets=["t"])
        .open(data, [data, data])
        .with_holdout(people_outside(data[::2]), Holdout("file", random=True))
    )
    released = {found.first_set: numbers} if numbers else {}
    found = found.with_review(replace(found.review, limits=limits, released=released))
    said = f"is not evaluated: Synthesis {max(numbers, default=0)} is said to be released, and 2 syntheses are there."
    for text in ("limits", "any(DiSCO)>100", "pooled(repU)>100"):
        assert condition(text)(found) == ([] if passes else [f"{text} {said}"])
    assert condition("DiSCO>100")(found) == []
