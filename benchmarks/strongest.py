"""How fast the strongest intruder is found, as a ratio to sorting the records: `python benchmarks/strongest.py`.

Records are those of Adult's shape, six keys, three targets, bands and a table. `--records 1000000` measures
more; `--smoke` fewer.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from run import ADULT, made

from disclosure_core import Settings, Study
from disclosure_core.data.hierarchies import Hierarchy
from disclosure_core.sensitivity.bounds import Bounds
from disclosure_core.sensitivity.strongest_intruder import strongest_intruder

KEYS = ("age", "race", "sex", "country", "relationship", "workclass")
WAYS = {
    "age": Hierarchy.bands(2, 4, 8, 16),
    "country": Hierarchy.table([(i, i // 3, i // 9, i // 27) for i in range(42)]),
    "workclass": Hierarchy.bands(3),
}


def n_records(about: str | None) -> int:
    """Return how many records the call asks for."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--records", type=int, default=48_842)
    parser.add_argument("--smoke", action="store_true")
    asked = parser.parse_args()
    return 2_000 if asked.smoke else int(asked.records)


def sorting(study: Study) -> float:
    """Return the seconds that one sorting of the original records by the keys takes."""
    codes = np.ravel_multi_index([study.columns[k].original for k in KEYS], [study.columns[k].n_codes for k in KEYS])
    start = time.perf_counter()
    np.unique(codes, return_counts=True)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    n = n_records(__doc__)
    columns = {name: ADULT[name] for name in (*KEYS, "marital", "occupation", "income")}
    study = Study(made(n, columns, 1), [made(n, columns, 2)])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    settings = Settings(keys=KEYS, targets=("marital", "occupation", "income"))
    start, used = time.perf_counter(), time.process_time()
    found = strongest_intruder(study, settings, WAYS, Bounds(budget=10_000))
    took, used = time.perf_counter() - start, time.process_time() - used
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    sort, nodes = sorting(study), found.coverage.n_nodes
    print(f"{n:,} records, {len(KEYS)} keys, 3 targets: {found.coverage}")
    print(f"{took:.2f} s, {nodes / took:,.0f} nodes a second, {took / nodes / sort:.2f} sorts of the records a node")
    print(f"{used:.2f} s of processor time, {more:,.0f} MB more")


if __name__ == "__main__":
    main()
