"""The demonstration survey that comes with the program: fictional people, five syntheses of them, and a holdout.

Examples
--------
>>> from disclosure_core import demo
>>> len(demo.original()), len(demo.syntheses())
(5000, 5)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd

from disclosure_core.data.study import Study

KEYS = ("sex", "age", "region", "employment")
"""Keys that suit the survey: what a neighbour knows."""

GROUPS = {"income": 20, "bmi": 10}
MISSING_CODES = {"income": (-8,)}
N_SYNTHESES = 5
OTHER_SETS = ("overfitted", "coarse")
"""Two more sets of syntheses: one whose trees all but copy people, one whose trees know little but single columns."""

N_OTHER = 3


def assets() -> Path:
    """Return the folder of files that come with the program, in a checkout or an installed package."""
    package_root = Path(__file__).parents[1]
    packaged = package_root / "_app" / "assets"
    return packaged if packaged.is_dir() else package_root.parent / "assets"


def original() -> pd.DataFrame:
    """Return the survey's original: 5,000 records, 14 columns."""
    return _read("original")


def syntheses() -> list[pd.DataFrame]:
    """Return the survey's five syntheses, 5,000 records each."""
    return [_read(f"synthetic_{i}") for i in range(1, N_SYNTHESES + 1)]


def other_sets() -> dict[str, list[pd.DataFrame]]:
    """Return, by the name of a set of `OTHER_SETS`, its three syntheses, 5,000 records each."""
    return {name: [_read(f"{name}_{i}") for i in range(1, N_OTHER + 1)] for name in OTHER_SETS}


def holdout() -> pd.DataFrame:
    """Return 1,250 more people of the survey's population, who were not in the data that were synthesised."""
    return _read("holdout")


@cache
def targets() -> tuple[str, ...]:
    """Return the survey's columns that are no keys, in the order of the data."""
    return tuple(name for name in original().columns if name not in KEYS)


def study() -> Study:
    """Return the survey as a study, with its missing code."""
    return Study(original(), syntheses(), missing_codes=MISSING_CODES)


def _read(name: str) -> pd.DataFrame:
    return pd.read_parquet(assets() / "demo" / f"{name}.parquet")
