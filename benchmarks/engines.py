"""How the engine path grows: time, peak memory, and ratios to the engine's own bare GROUP BY, on generated Parquet.

`python benchmarks/engines.py 1e6 1e7` measures these sizes, each in a process of its own; `--in duckdb spark here`
names the engines: `here` counts the same files in this program, `cluster` is a Spark cluster of a master and two
workers that is started for it; `--smoke` runs 20,000 records to see that it works. Of DuckDB what comes after the first
figures is told, too: all subsets of the keys, a holdout a fifth as large, smaller releases, usefulness, safeguards and
their tables, and every figure counted again. The bare GROUP BY is DuckDB's, of the same keys and each target on both
sides, in the same run and before it; processor time is what other work on the machine moves least. Files are deleted
afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.run import read_all  # noqa: E402
from disclosure_core import Exclusions, Settings, Study, assess  # noqa: E402
from disclosure_core.engines.duckdb_study import DuckDBStudy, outside_files  # noqa: E402
from disclosure_core.engines.table_study import TableStudy  # noqa: E402
from disclosure_core.export.as_json import to_json  # noqa: E402
from disclosure_core.export.verified import verify  # noqa: E402
from disclosure_core.holdout.baseline import attribute_baseline  # noqa: E402
from disclosure_core.holdout.identity_baseline import identity_baseline  # noqa: E402
from disclosure_core.holdout.partition import Partition  # noqa: E402
from disclosure_core.protection.in_engine import protect_there  # noqa: E402
from disclosure_core.protection.steps import AddLabel, Band, Cap, MergeLevels, RemoveReplicated, RoundTo  # noqa: E402
from disclosure_core.protection.usefulness import usefulness  # noqa: E402
from disclosure_core.protection.usefulness_there import usefulness_there  # noqa: E402
from disclosure_core.protection.written import written  # noqa: E402
from disclosure_core.review.opening import start_engine  # noqa: E402
from disclosure_core.sensitivity import anonymity, release_size  # noqa: E402
from disclosure_core.sensitivity.key_subsets import search_subsets  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

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


def connect(folder: Path, memory: str, address: str = "local[2]") -> Any:
    """Return a Spark connection that uses two cores and at most `memory`: here, or of the cluster at `address`."""
    import ibis
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.memory": memory.lower().removesuffix("b"),
        "spark.sql.shuffle.partitions": "4",
        "spark.executor.memory": "900m",
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder / "spill"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    session = SparkSession.builder.master(address).config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return ibis.pyspark.connect(session)


def used() -> tuple[float, float]:
    """Return processor seconds and peak megabytes of this process and those it started, as Linux tells them."""
    seconds = peak = 0.0
    family = {os.getpid()}
    for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda p: int(p.name)):
        try:
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            status = (process / "status").read_text()
        except OSError:  # it has ended
            continue
        if int(process.name) in family or int(fields[1]) in family:
            family.add(int(process.name))
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            peak += int(status.split("VmHWM:")[1].split()[0]) / 1024 if "VmHWM:" in status else 0
    return seconds, peak


def measure(engine: str, folder: Path, memory: str) -> dict[str, float]:
    """Return seconds, megabytes and rows of one size; the process does nothing else."""
    paths = folder / "original.parquet", folder / "synthetic.parquet"
    codes = {"income": [-8]}
    before, _ = used()  # what importing took
    study: Any
    if engine == "here":
        at = time.perf_counter()
        study = Study(pq.read_table(paths[0]), [pq.read_table(paths[1])], codes)
    elif engine == "duckdb":
        at = time.perf_counter()
        study = DuckDBStudy.of_files(paths[0], [paths[1]], codes, memory_limit=memory, spill=folder)
    else:
        connection = connect(folder, memory, os.environ.get("SPARK_CLUSTER", "local[2]"))
        at = time.perf_counter()  # a cluster's session is there already
        tables = [connection.read_parquet(path) for path in paths]
        study = TableStudy(tables[0], tables[1:], codes)
    opened = time.perf_counter()
    found = assess(study, SETTINGS)
    read_all(found)
    assessed = time.perf_counter()
    changed = replace(SETTINGS, exclusions=Exclusions(target_levels={"condition": ("1",)}))
    after = assess(study, changed, found.tables, found)
    _ = after.summary(), after.targets["condition"].caps
    toggled = time.perf_counter()
    seconds, peak = used()
    seconds -= before
    more = beyond(study, folder) if engine == "duckdb" else {}
    rows = sum(n for _, n in getattr(study, "returned", []))
    return {
        "records": study.n_original,
        "open_s": opened - at,
        "assess_s": assessed - opened,
        "toggle_s": toggled - assessed,
        "cpu_s": seconds,
        "peak_MB": peak,
        **more,
        "rows_returned": rows,
        "DiSCO_condition": found.targets["condition"].attribute.loc[1, "DiSCO"],
    }


STEPS = (MergeLevels("region", 2_000), Band("age", "5"), Cap("income", None, 20_000), RoundTo("income", 100),
         RemoveReplicated(), AddLabel("note"))  # fmt: skip


def beyond(study: DuckDBStudy, folder: Path) -> dict[str, float]:
    """Return processor and waiting seconds of what comes after the first figures, one after the other."""
    took: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> Any:
        at, before = time.perf_counter(), used()[0]
        made = work()
        took[f"{name}_s"], took[f"{name}_cpu_s"] = time.perf_counter() - at, used()[0] - before
        return made

    timed("subsets", lambda: search_subsets(study, SETTINGS))
    joined = timed(
        "holdout_read", lambda: Partition(outside_files(study, folder / "holdout.parquet")(study), random=True)
    )
    timed("holdout", lambda: (attribute_baseline(joined, SETTINGS), identity_baseline(joined, SETTINGS)))
    timed("anonymity", lambda: anonymity.profile(study, SETTINGS, study.latest and study.latest.keys))
    timed("release_size", lambda: release_size.sizes(assess(study, SETTINGS), repeats=1))
    timed("usefulness", lambda: usefulness(study))
    safer = timed("safeguards", lambda: protect_there(study, STEPS, SETTINGS))
    timed("safer_figures", lambda: read_all(assess(safer.study, SETTINGS)))
    timed("written", lambda: written(safer, folder / "safer"))
    timed("usefulness_after", lambda: usefulness_there(safer))
    took["peak_MB_before_recount"] = used()[1]
    opened = start_engine(study, "data")
    opened = opened.with_review(opened.review.with_settings(SETTINGS))
    document = to_json(opened)
    again = timed("counted_again", lambda: verify(opened, document))
    assert not again.differ
    took["figures_counted_again"] = again.n
    return took | {"peak_MB_in_all": used()[1]}


def bare(folder: Path, memory: str) -> dict[str, float]:
    """Return the seconds of DuckDB's own GROUP BY of the keys and each target, both sides, income in its 20 groups."""
    study = DuckDBStudy.of_files(folder / "original.parquet", [folder / "synthetic.parquet"], {"income": [-8]})
    breaks = study.grouping("income", 20)[0]
    assert breaks is not None
    inner = " ".join(f"when income < {float(b)!r} then {i}" for i, b in enumerate(breaks.breaks[1:-1], 1))
    income = f"case when income is null then -1 when income = -8 then 0 {inner} else 20 end"
    connection = duckdb.connect(config={"threads": 2, "memory_limit": memory})
    before, at = used()[0], time.perf_counter()
    for target in ("marital", "education", "wellbeing", "condition", income):
        for side in ("original", "synthetic"):
            table = f"read_parquet('{folder / side}.parquet')"
            connection.sql(
                f"select {', '.join(KEYS)}, {target} as t, count(*) as n from {table} group by all"
            ).to_arrow_table()
    return {"s": time.perf_counter() - at, "cpu_s": used()[0] - before}


def cluster(folder: Path) -> Any:
    """Return what starts a Spark cluster; Spark is imported where it is asked for."""
    from benchmarks.cluster import cluster as started

    return started(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=float, default=[1e6, 1e7])
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument(
        "--in", dest="engines", nargs="+", choices=("duckdb", "spark", "cluster", "here", "bare"), default=["duckdb"]
    )
    parser.add_argument("--memory", default="4GB", help="what the engine may hold before it spills to disk")
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary one by default")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.read:
        if asked.engines == ["bare"]:
            print(json.dumps(bare(asked.read, asked.memory)))
        else:
            print(json.dumps(measure(asked.engines[0], asked.read, asked.memory)))
        return
    engines = ["duckdb", "here"] if asked.smoke else asked.engines
    sizes = [20_000] if asked.smoke else [int(size) for size in asked.sizes]
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=asked.folder) as name:
            folder = Path(name)
            generate(folder / "original.parquet", n, 1)
            generate(folder / "synthetic.parquet", n, 2)
            generate(folder / "holdout.parquet", n // 5, 3)
            disk = sum((folder / f"{side}.parquet").stat().st_size for side in ("original", "synthetic"))
            load = f"files_MB {disk / 2**20:,.0f}  load {os.getloadavg()[0]:.1f}"
            plain = _measured("bare", name, asked.memory)
            print(
                f"bare GROUP BY of {n:,} a side: s {plain['s']:,.2f}  cpu_s {plain['cpu_s']:,.2f}  {load}", flush=True
            )
            for engine in engines:
                with cluster(folder) if engine == "cluster" else nullcontext("") as address:
                    took = _measured(engine, name, asked.memory, address)
                first = took["open_s"] + took["assess_s"]
                took |= {"of_bare": first / plain["s"], "of_bare_cpu": took["cpu_s"] / plain["cpu_s"]}
                print(f"{engine}: {'  '.join(f'{what} {value:,.2f}' for what, value in took.items())}", flush=True)


def _measured(engine: str, folder: str, memory: str, address: str = "") -> dict[str, float]:
    """Return what a process of its own measures."""
    call = [sys.executable, __file__, "--read", folder, "--in", engine, "--memory", memory]
    environment = {**os.environ, **({"SPARK_CLUSTER": address} if address else {})}
    told = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    measured: dict[str, float] = json.loads(told.splitlines()[-1])
    return measured


if __name__ == "__main__":
    main()
