"""Eight threads ask one study in DuckDB, some are stopped: run by `test_threads.py` in a process that may hang.

The process ends by itself, with where each thread stands, when it has not ended after as many seconds as the first
argument says.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
import time
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import ibis
import numpy as np
import pandas as pd

from disclosure_core import Exclusions, Settings, TableStudy, assess

THREADS, ROUNDS, KEYS = 8, 4, ("a", "b", "c", "d")


def survey(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: rng.choice(list("uvwxyz"), n) for name in KEYS} | {"t": rng.integers(0, 3, n)})


def asked(i: int) -> Settings:
    """Return what thread or round number `i` asks: other keys, other exclusions."""
    return Settings(
        keys=KEYS[: 2 + i % 3],
        targets=("t",),
        exclusions=Exclusions(target_levels={"t": [str(i % 3)]} if i % 2 else {}),
    )


def figures(study: Any, settings: Settings) -> pd.DataFrame:
    return assess(study, settings).summary()


def main() -> None:
    faulthandler.dump_traceback_later(float(sys.argv[1]), exit=True)
    folder = Path(mkdtemp())
    connection = ibis.duckdb.connect()
    tables = []
    for name, frame in (("original", survey(3000, 1)), ("synthetic", survey(2500, 2))):
        frame.to_parquet(folder / f"{name}.parquet")
        tables.append(connection.read_parquet(folder / f"{name}.parquet"))
    alone = {i: figures(TableStudy(tables[0], tables[1:]), asked(i)) for i in range(6)}
    study = TableStudy(tables[0], tables[1:])
    failed: list[str] = []

    def ask(thread: int) -> None:
        for i in range(ROUNDS):
            try:
                found = figures(study, asked(thread + i))
                pd.testing.assert_frame_equal(found, alone[(thread + i) % 6])
            except Exception as error:
                failed.append(f"{type(error).__name__}: {error} <- {error.__cause__}")

    began = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(
        f"{len(failed)} of {THREADS * ROUNDS} failed in {time.perf_counter() - began:.1f} s",
        *sorted(set(failed)),
        sep="\n",
    )
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
