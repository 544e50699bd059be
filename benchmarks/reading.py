"""From a file to a ready Study, as ratios to Arrow's bare read of the same file: `python benchmarks/reading.py [ROWS]`.

Read here, and by a child process that has loaded its libraries, as a server does. Memory is the peak of the process
above what it held before, against the bytes of the Arrow table; of a child the most that it held, libraries included.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).parents[1]))
from disclosure_core import Study
from disclosure_core.data.readers import Limits, _parent, prepare, read, read_in_process


def table(rows: int) -> pd.DataFrame:
    """Return a survey-like table of 9 columns: 4 texts, 4 whole numbers, 1 measurement."""
    rng = np.random.default_rng(0)
    texts = {f"text_{i}": rng.choice([f"level {j}" for j in range(4 * 3**i)], rows) for i in range(4)}
    numbers = {f"number_{i}": rng.integers(0, 10 ** (i + 1), rows) for i in range(4)}
    return pd.DataFrame({**texts, **numbers, "bmi": rng.normal(26, 4, rows).round(1)})


def peak(pid: int | str = "self") -> int:
    """Return the most memory that a process ever held, bytes; Linux tells (getrusage would count its parent's)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024


def ours(data: bytes, name: str) -> None:
    """Read a file given as both sides, to a Study."""
    (reading,) = read_in_process(data, name)
    Study(reading.frame, [reading.frame])


def child(data: bytes, name: str) -> None:
    """Do the same through a child, as a server does."""
    (reading,) = read(data, name, limits=Limits())
    Study(reading.frame, [reading.frame])


def bare(data: bytes, name: str) -> pa.Table:
    """Read a file as Arrow does."""
    source = pa.BufferReader(data)
    return pyarrow.parquet.read_table(source) if name.endswith("parquet") else pyarrow.csv.read_csv(source)


def watched(pid: int, seen: list[int]) -> None:
    """Note the most memory that a process ever held, until it has ended."""
    try:
        while True:
            seen.append(peak(pid))
            time.sleep(0.01)
    except (OSError, StopIteration):
        return


def one(how: str, path: Path) -> None:
    """Print seconds and extra bytes of one run; what a first run loads is loaded before."""
    run = {"ours": ours, "bare": bare, "child": child}[how]
    small = path.with_name(f"small{path.suffix}").read_bytes()
    run(small, path.name)
    data = path.read_bytes()
    seen: list[int] = []
    if how == "child":
        prepare(path.name, limits=Limits())
        time.sleep(5)
        threading.Thread(target=watched, args=(_parent._spares[0].process.pid, seen), daemon=True).start()  # noqa: SLF001
    before, start = peak(), time.perf_counter()
    run(data, path.name)
    took, held = time.perf_counter() - start, peak() - before
    if how == "child":
        held = max(seen)
    print(took, held, flush=True)
    os._exit(0)  # Arrow's threads now and then abort while Python ends: seen once in twenty runs


def measured(how: str, path: Path) -> tuple[float, float]:
    """Return seconds and extra bytes of the best of three runs, each in a process of its own."""
    command = [sys.executable, __file__, "--one", how, str(path)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    took, held = min((float(seconds), float(extra)) for seconds, extra in runs)
    return took, held


def main(rows: int) -> None:
    """Print one line a format."""
    with tempfile.TemporaryDirectory() as folder:
        for name, n in (("big", rows), ("small", 1000)):
            frame = table(n)
            frame.to_parquet(Path(folder) / f"{name}.parquet")
            frame.to_csv(Path(folder) / f"{name}.csv", index=False)
            if name == "big":
                size = pa.Table.from_pandas(frame).nbytes
        print(f"{rows:,} rows × 9 columns, Arrow table {size / 1e6:.0f} MB; both sides from the same file")
        for ending in ("parquet", "csv"):
            path = Path(folder) / f"big.{ending}"
            arrow, _ = measured("bare", path)
            took, held = measured("ours", path)
            print(
                f"  {ending:8s} to a ready Study {took:.2f} s, {took / arrow:.1f} × Arrow's bare read ({arrow:.3f} s); "
                f"peak {held / size:.1f} × the Arrow table"
            )
            took, held = measured("child", path)
            print(f"  {'':8s} by a child {took:.2f} s, {took / arrow:.1f} ×; it held {held / 1e6:.0f} MB at most")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
