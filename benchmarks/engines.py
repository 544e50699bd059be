"""How the engine path grows: time, peak memory and rows returned, DuckDB on generated Parquet.

`python benchmarks/engines.py 1e6 1e7` measures these sizes, each in a process of its own; `--smoke` runs 20,000 records
to see that it works; `--local` counts the same files here for comparison. Files are deleted afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from disclosure_core import Assessment, Exclusions, Settings, Study, assess  # noqa: E402

KEYS = ("sex", "age", "region", "employment")
SETTINGS = Settings(keys=KEYS, groups={"income": 20})
CHUNK = 1_000_000


def generate(path: Path, n: int, seed: int) -> None:
    """Write `n` records: 4 keys with 2 × 90 × 16 × 8 combinations, 5 targets that depend on them."""
    rng = np.random.default_rng(seed)
    writer = None
    for start in range(0, n, CHUNK):
        size = min(CHUNK, n - start)
        age = rng.triangular(0, 30, 90, size).astype(np.int16)
        region = np.minimum(rng.geometric(0.15, size), 16)
        work = np.minimum(age // 20 + rng.integers(0, 4, size), 7)
        income = np.where(rng.random(size) < 0.05, -8.0, (np.exp(rng.normal(7 + work / 8, 0.7, size))).round(-1))
        table = pa.table(
            {
                "sex": pa.array(np.array(["f", "m"])[rng.integers(0, 2, size)]),
                "age": age,
                "region": pa.array(np.array([f"region {i}" for i in range(17)])[region]),
                "employment": work.astype(np.int8),
                "marital": np.minimum(rng.poisson(age / 25), 5).astype(np.int8),
                "education": np.minimum(rng.poisson(2 + work / 4), 6).astype(np.int8),
                "wellbeing": rng.integers(0, 10, size).astype(np.int8),
                "condition": np.minimum(rng.geometric(0.2, size), 40).astype(np.int8),
                "income": pa.array(income, mask=rng.random(size) < 0.02),
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def read_all(found: Assessment) -> None:
    _ = found.identity, found.summary()
    for risk in found.targets.values():
        _ = risk.identity, risk.attribute, risk.caps, risk.one_way, risk.two_way, risk.exclusions


def measure(folder: Path, memory: str, local: bool) -> dict[str, float]:
    """Return seconds, megabytes and rows of one size; the process does nothing else."""
    paths = folder / "original.parquet", folder / "synthetic.parquet"
    at = time.perf_counter()
    if local:
        import pandas as pd

        study = Study(pd.read_parquet(paths[0]), [pd.read_parquet(paths[1])], missing_codes={"income": [-8]})
    else:
        import ibis

        connection = ibis.duckdb.connect(threads=2, memory_limit=memory, temp_directory=str(folder / "spill"))
        tables = [connection.read_parquet(path) for path in paths]
        study = Study.from_tables(tables[0], tables[1:], missing_codes={"income": [-8]})
    opened = time.perf_counter()
    found = assess(study, SETTINGS)
    read_all(found)
    assessed = time.perf_counter()
    changed = replace(SETTINGS, exclusions=Exclusions(target_levels={"condition": ("1",)}))
    after = assess(study, changed, found.tables, found)
    _ = after.summary(), after.targets["condition"].caps
    toggled = time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_SELF)
    rows = sum(n for _, n in getattr(study, "returned", []))
    return {
        "records": study.n_original,
        "open_s": opened - at,
        "assess_s": assessed - opened,
        "toggle_s": toggled - assessed,
        "cpu_s": used.ru_utime + used.ru_stime,  # what other work on the machine moves least
        "peak_MB": used.ru_maxrss / 1024,
        "rows_returned": rows,
        "DiSCO_condition": found.targets["condition"].attribute.loc[1, "DiSCO"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=float, default=[1e6, 1e7])
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--memory", default="4GB", help="what DuckDB may hold before it spills to disk")
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary one by default")
    parser.add_argument("--in", dest="inside", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        print(json.dumps(measure(asked.inside, asked.memory, asked.local)))
        return
    sizes = [20_000] if asked.smoke else [int(size) for size in asked.sizes]
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=asked.folder) as name:
            folder = Path(name)
            generate(folder / "original.parquet", n, 1)
            generate(folder / "synthetic.parquet", n, 2)
            disk = sum(file.stat().st_size for file in folder.iterdir())
            for local in (False, True) if asked.local or asked.smoke else (False,):
                call = [sys.executable, __file__, "--in", name, "--memory", asked.memory, *["--local"] * local]
                took = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
                figures = "  ".join(f"{what} {value:,.2f}" for what, value in took.items())
                where = "counted here" if local else "DuckDB"
                print(f"{where}: {figures}  files_MB {disk / 2**20:,.0f}  load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
