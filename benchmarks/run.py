"""How fast the core is, as ratios to the bare integer count of the same records: `python benchmarks/run.py`.

`--smoke` runs each measurement once, to see that it works.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from disclosure_core import Assessment, Exclusions, Settings, Study, assess, count, demo  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

SD2011 = ROOT.parent / "shared" / "reference" / "sd2011"


def best(run: Callable[[], object], times: int) -> float:
    """Return the shortest of `times` runs, ms."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        took.append(time.perf_counter() - start)
    return min(took) * 1000


def read_all(found: Assessment) -> None:
    """Ask for every figure, since each is read only when asked for."""
    _ = found.identity, found.summary()
    for risk in found.targets.values():
        _ = risk.identity, risk.attribute, risk.caps, risk.one_way, risk.two_way, risk.exclusions


def bare_count(study: Study, settings: Settings) -> None:
    """Count the combined integer codes of keys and target, once a target and side: the least that must be done."""
    keys = [study.columns[name] for name in settings.keys]
    targets = [study.grouped(n, settings.group(n))[0] for n in study.columns if n not in settings.keys]
    for side in range(1 + study.n_syntheses):
        q = np.zeros(1, dtype=np.int64)
        for key in keys:
            q = q * key.n_codes + (key.original if side == 0 else key.synthetic[side - 1])
        for target in targets:
            codes = q * target.n_codes + (target.original if side == 0 else target.synthetic[side - 1])
            np.unique(codes, return_counts=True)


def cases() -> list[tuple[str, Study, Settings, tuple[str, str]]]:
    """Return name, study, settings, and a level to toggle."""
    found = [
        (
            "demo: 5,000 records, 10 targets, 5 syntheses",
            demo.study(),
            Settings(keys=demo.KEYS, groups=demo.GROUPS),
            ("abroad", "No"),
        )
    ]
    if SD2011.is_dir():
        frames = [
            pd.read_csv(SD2011 / f"{name}.csv", keep_default_na=False, na_values=[""])
            for name in ("original", "synthetic_s1")
        ]
        study = Study(frames[0], frames[1:], missing_codes={"income": [-8]})
        keys = ("sex", "age", "region", "placesize")
        found.insert(
            0,
            (
                "SD2011: 5,000 records, 5 targets, 1 synthesis",
                study,
                Settings(keys=keys, groups={"income": 20}),
                ("workab", "NO"),
            ),
        )
    return found


def measure(study: Study, settings: Settings, level: tuple[str, str], times: int) -> dict[str, float]:
    """Return what each step takes, ms."""
    tables = count(study, settings)
    before = assess(study, settings, tables)
    read_all(before)
    one_level = replace(settings, exclusions=Exclusions(target_levels={level[0]: (level[1],)}))
    all_limited = replace(settings, exclusions=Exclusions(denominator_limit=1))

    def toggle(changed: Settings) -> None:
        after = assess(study, changed, tables, before)
        after.summary()
        risk = after.targets[level[0]]
        _ = risk.attribute, risk.identity, risk.caps, risk.exclusions, risk.one_way, risk.two_way

    return {
        "bare integer count": best(lambda: bare_count(study, settings), times),
        "count": best(lambda: count(study, settings), times),
        "assess, every figure read": best(lambda: read_all(assess(study, settings)), times),
        "toggle a level of one target": best(lambda: toggle(one_level), times),
        "toggle a limit for all targets": best(lambda: toggle(all_limited), times),
    }


def main() -> None:
    """Print one table a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true")
    times = 1 if parser.parse_args().smoke else 15
    for name, study, settings, level in cases():
        took = measure(study, settings, level, times)
        print(f"\n{name}")
        for step, ms in took.items():
            print(f"  {step:32s} {ms:8.2f} ms   {ms / took['bare integer count']:6.2f} × the bare count")


if __name__ == "__main__":
    main()
