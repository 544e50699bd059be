"""How long the usefulness of all one- and two-way tables takes: `python benchmarks/usefulness.py`; `--smoke` is small.

100 columns are 5,050 tables; of 100,000 records they may take 10 s.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))
from disclosure_core import Study
from disclosure_core.protection.usefulness import usefulness

MOST = 10.0
"""Seconds that 100 columns of 100,000 records may take."""


def frame(n: int, columns: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return `n` records: a third of the columns numbers, the others categories of 3 to 20 levels."""
    return pd.DataFrame(
        {
            f"column {i}": rng.normal(size=n).round(2) if i % 3 == 0 else rng.integers(0, 3 + i % 18, n).astype(str)
            for i in range(columns)
        }
    )


def main(n: int, columns: int) -> None:
    rng = np.random.default_rng(17)
    study = Study(frame(n, columns, rng), [frame(n, columns, rng)])
    start, cpu = time.perf_counter(), time.process_time()
    reports: list[int] = []
    found = usefulness(study, progress=lambda done, _: reports.append(done))
    took, worked = time.perf_counter() - start, time.process_time() - cpu
    print(
        f"{len(found.tables):,} tables of {n:,} original and {n:,} synthetic records: {took:.1f} s "
        f"({worked:.1f} s of a core), {len(reports)} reports of progress, mean S_pMSE {found.mean:.2f}"
    )
    if columns >= 100 and took > MOST:
        print(f"Longer than {MOST:.0f} s.")


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--smoke", action="store_true")
    main(*((2_000, 12) if asked.parse_args().smoke else (100_000, 100)))
