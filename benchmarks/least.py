"""How long the least safeguard takes on records of Adult's shape: `python benchmarks/least.py`.

48,842 records, 14 columns, six keys, three targets: at least ten points on the frontier in 30 s on two cores. Once with
levels of hierarchies alone, once with top and bottom codes and rounding, too, ended after 30 s, and once to its end.
`--smoke` takes fewer records. The ratio is to the sorting of the records by the keys.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from run import ADULT, made
from strongest import KEYS, WAYS, n_records, sorting

from disclosure_core import Settings, Study
from disclosure_core.comparison.aims import May
from disclosure_core.comparison.least_safeguard import least_safeguard
from disclosure_core.comparison.ways import Ways
from disclosure_core.data.hierarchies import Hierarchy


def main() -> None:
    """Measure and print."""
    n = n_records(__doc__)
    study = Study(made(n, ADULT, 1), [made(n, ADULT, 2)])
    targets = ("marital", "occupation", "income")
    levels = {"age": Hierarchy.bands(2, 4, 8, 16), "country": WAYS["country"]}
    ways = {"age": Ways(top=(80, 70), bottom=(20,), round=(5,))}
    print(f"{n:,} records, {len(study.columns)} columns, {len(KEYS)} keys, {len(targets)} targets")
    sort = sorting(study)
    for name, may, seconds in (
        ("levels", May(levels, 20, targets), None),
        ("levels, top and bottom codes, rounding, ended", May(levels, 20, targets, ways), 30),
        ("the same to its end", May(levels, 20, targets, ways), None),
    ):
        start, used = time.perf_counter(), time.process_time()
        found = least_safeguard(study, Settings(keys=KEYS, targets=targets), ["DiSCO<1"], may, WAYS, seconds=seconds)
        took, used = time.perf_counter() - start, time.process_time() - used
        print(f"{name}: {len(found.points)} points on the frontier in {took:.1f} s, {used:.1f} s of processor time, "
              f"{took / sort:,.0f} sorts of the records. {found.promise}")  # fmt: skip
        print(found.sentence)


if __name__ == "__main__":
    main()
