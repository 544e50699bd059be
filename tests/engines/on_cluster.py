"""A standalone Spark cluster of a master and two workers: figures are those of files; then its driver is killed.

Run by `test_cluster.py` in a process of its own, since a process has one Spark session.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.cluster import cluster
from benchmarks.engines import connect
from disclosure_core import DisclosureError, Settings, Study, TableStudy, assess, demo


def asked(address: str, folder: Path) -> None:
    frames = [demo.original(), *demo.syntheses()[:1]]
    for i, frame in enumerate(frames):
        frame.astype(dict.fromkeys(frame.select_dtypes("category"), str)).to_parquet(folder / f"{i}.parquet")
    engine = connect(folder, "1GB", address)
    tables = [engine.read_parquet(folder / f"{i}.parquet") for i in range(2)]
    there = TableStudy(tables[0], tables[1:], demo.MISSING_CODES)
    here = Study(frames[0], frames[1:], demo.MISSING_CODES)
    settings = Settings(("sex", "age", "region"), ("abroad", "income"), {"income": 5})
    found, expected = (assess(study, settings).summary() for study in (there, here))
    assert found["target"].tolist() == expected["target"].tolist()
    np.testing.assert_allclose(found["synthetic"], expected["synthetic"], rtol=0, atol=1e-9)
    print("equal", flush=True)
    twice = tables[0].cross_join(tables[0].select(a="age")).cross_join(tables[0].select(b="age"))
    said: list[str] = []

    def ask() -> None:
        try:
            there.engine.fetch("something long", twice.agg(n=(twice.a * twice.b).sum()))
        except DisclosureError as error:
            said.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(2)
    assert asking.is_alive()
    engine._session.sparkContext._gateway.proc.kill()  # the driver, of which all others hang
    asking.join(60)
    print(*said, flush=True)


def main() -> None:
    with TemporaryDirectory(ignore_cleanup_errors=True) as name, cluster(Path(name)) as address:
        asked(address, Path(name))
    os._exit(0)  # a session whose engine is dead does not end by itself


if __name__ == "__main__":
    main()
