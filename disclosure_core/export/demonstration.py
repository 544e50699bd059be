"""The demonstration survey as files to take away: scripts, commands and saved reviews of it then run anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.data import demo
from disclosure_core.review.demonstration import start_demonstration
from disclosure_core.review.opening import start
from disclosure_core.review.parts import SYNTHETIC
from disclosure_core.review.saved import to_json

if TYPE_CHECKING:
    import pandas as pd

REVIEW = "review.json"


def files() -> dict[str, bytes]:
    """Return by name original, sets and holdout as CSV, and the review of them that the app begins with."""
    names = {SYNTHETIC: "synthetic"}
    sets = {
        of: [(f"{names.get(of, of)}_{i}.csv", _csv(frame)) for i, frame in enumerate(frames, 1)]
        for of, frames in {SYNTHETIC: demo.syntheses(), **demo.other_sets()}.items()
    }
    original = ("original.csv", _csv(demo.original()))
    found = dict(
        [original, *(file for files in sets.values() for file in files), ("holdout.csv", _csv(demo.holdout()))]
    )
    ours = start_demonstration().review
    begun = start(original, sets).review
    review = replace(begun, columns=ours.columns, intruders=ours.intruders, groups=ours.groups)
    return found | {REVIEW: to_json(review).encode()}


def _csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()
