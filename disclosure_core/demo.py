"""The demonstration survey that comes with the program: fictional people, five syntheses of them, and a holdout."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from disclosure_core.study import Study

KEYS = ("sex", "age", "region", "employment")
"""Keys that suit the survey: what a neighbour knows."""

GROUPS = {"income": 20, "bmi": 10}
MISSING_CODES = {"income": (-8,)}
N_SYNTHESES = 5


def assets() -> Path:
    """Return the folder of files that come with the program, in a checkout or an installed package."""
    here = Path(__file__).parent
    packaged = here / "_app" / "assets"
    return packaged if packaged.is_dir() else here.parent / "assets"


def original() -> pd.DataFrame:
    """Return the survey's original: 5,000 records, 14 columns."""
    return _read("original")


def syntheses() -> list[pd.DataFrame]:
    """Return the survey's five syntheses, 5,000 records each."""
    return [_read(f"synthetic_{i}") for i in range(1, N_SYNTHESES + 1)]


def holdout() -> pd.DataFrame:
    """Return 1,250 more people of the survey's population, who were not in the data that were synthesised."""
    return _read("holdout")


def study() -> Study:
    """Return the survey as a study, with its missing code."""
    return Study(original(), syntheses(), missing_codes=MISSING_CODES)


def _read(name: str) -> pd.DataFrame:
    return pd.read_parquet(assets() / "demo" / f"{name}.parquet")
