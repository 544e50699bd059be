"""What a user writes: read by mypy, strictly, and run by `tests/core/test_face.py`."""

from pathlib import Path

import pandas as pd

from disclosure_core import (
    Assessment,
    Exclusions,
    Pair,
    Review,
    Settings,
    Study,
    assess,
    compare,
    open_review,
    start,
)


def frames_to_figures(original: pd.DataFrame, synthetic: pd.DataFrame) -> pd.DataFrame:
    """From frames, with lists and arrays of names."""
    found: Assessment = assess(
        original,
        [synthetic],
        keys=["sex", "age"],
        targets=["income", "job"],
        groups={"income": 5},
        missing_codes={"income": -8},
    )
    risk = found.targets["income"]
    counts: pd.DataFrame = risk.excluded[0]
    assert counts.attrs["units"]["remaining"] == "records"
    return found.summary("DiSCO")


def with_people_outside(original: pd.DataFrame, synthetic: pd.DataFrame, outside: pd.DataFrame) -> str:
    """With a holdout."""
    found = assess(original, [synthetic], keys=("sex", "age"), holdout=outside, holdout_is_random=True)
    return f"{found.baseline!r}\n{found.identity_baseline!r}"


def settings_of_my_own(original: pd.DataFrame, synthetic: pd.DataFrame) -> list[str]:
    """With Study and Settings."""
    study = Study(original, [synthetic], missing_codes={"income": [-8]})
    out = Exclusions(target_levels={"job": ["cook"]}, pairs={"job": [Pair("sex", "f", "nurse")]})
    settings = Settings(keys=["sex", "age"], groups={"income": 5}, exclusions=out)
    found = assess(study, settings)
    again = assess(study, settings, found.tables, found)
    text: str = again.to_json()
    side_by_side = compare(study, study, settings=settings, names=["one", "other"])
    return [text, repr(side_by_side), repr(settings)]


def report(original: pd.DataFrame, synthetic: pd.DataFrame, folder: Path) -> Path:
    """Frames to report in five lines."""
    review = Review.of(["sex", "age"], groups={"income": 5}, missing_codes={"income": -8})
    written: Path = review.open(original, [synthetic]).report(folder / "report.html", title="Of frames")
    return written


def from_files(folder: Path) -> list[Path]:
    """Places of files, and a review that was saved."""
    found = assess(folder / "a.csv", [str(folder / "b.csv")], keys=["sex"])
    opened = start(folder / "a.csv", [folder / "b.csv"])
    saved: Path = opened.review.save(folder / "review.json")
    again = open_review(saved, folder)
    assert again.review == Review.load(str(saved))
    return [found.to_excel(folder / "tables.xlsx"), saved]
