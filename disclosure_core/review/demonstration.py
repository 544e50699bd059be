"""The demonstration survey as a review, read once for everybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from disclosure_core.data import demo
from disclosure_core.data.codebook import code_text
from disclosure_core.review.data import Data
from disclosure_core.review.opened import Opened
from disclosure_core.review.parts import SYNTHETIC, Columns, KeySet, SynthesisSet
from disclosure_core.review.reading import (
    table_of,
)
from disclosure_core.review.results import Results
from disclosure_core.review.value import Review

if TYPE_CHECKING:
    from disclosure_core.data.readers import Reading

    Given = bytes | Path
    Source = str | Path | tuple[str, bytes | Path | str]


_OF_EVERYBODY = Results()
"""What was made of the demonstration survey as it is opened, before anybody came; empty where nothing was."""


def prepare_demonstration(*more: Callable[[Opened], object]) -> None:
    """Make what pages show of the demonstration survey as it is opened, once for all who open it here later.

    Parameters
    ----------
    more
        What is made of it beside the figures, the remarks and the comparison.
    """
    results = Results(_OF_EVERYBODY)
    results.take(_OF_EVERYBODY)  # what was made before stays
    opened = _demonstration(results)
    made: tuple[Callable[[Opened], object], ...] = (Opened.before, Opened.remarks, Opened.growth, Opened.comparison)
    for make in (*made, *more):
        make(opened)
        _OF_EVERYBODY.take(opened.results)


def start_demonstration() -> Opened:
    """Return a review of the demonstration survey, with keys and groups that suit it.

    Examples
    --------
    >>> start_demonstration().review.keys
    ('sex', 'age', 'region', 'employment')
    """
    return _demonstration(Results(_OF_EVERYBODY))


def _demonstration(results: Results) -> Opened:
    codes = {name: tuple(map(code_text, found)) for name, found in demo.MISSING_CODES.items()}
    review = Review(
        source="demonstration",
        name="the demonstration survey",
        sets=tuple(SynthesisSet(name, ()) for name in (SYNTHETIC, *demo.OTHER_SETS)),
        columns=Columns(missing_codes=codes),
        intruders=(KeySet("an intruder", tuple(demo.KEYS)),),
        groups=dict(demo.GROUPS),
    )
    return Opened(review, demonstration_data(), results=results)


@cache
def demonstration_holdout() -> Reading:
    """Return the people that come with the survey and were not synthesised, read once for everybody.

    Examples
    --------
    >>> len(demonstration_holdout().frame)
    1250
    """
    return table_of(demo.holdout(), "1,250 more people of the survey's population")


@cache
def demonstration_data() -> Data:
    """Return the survey's tables, read once for everybody."""
    sets = {SYNTHETIC: demo.syntheses(), **demo.other_sets()}
    files = {SYNTHETIC: "synthetic"}
    return Data(
        table_of(demo.original(), "original.parquet"),
        {
            name: tuple(table_of(f, f"{files.get(name, name)}_{i}.parquet") for i, f in enumerate(frames, 1))
            for name, frames in sets.items()
        },
    )
