"""How fast the core is, as ratios to the bare integer count of the same records: `python benchmarks/run.py`.

Printed are a table a case, the most memory that an assessment takes beyond the coded columns, how the time grows with
the records, and the time of an import; `--figure FILE` draws the ratios. `--smoke` runs each measurement once, to see
that it works. `--before CHECKOUT` measures another checkout of the program as well, the two in turn in processes of
their own, and prints both in one table: ratios to the bare count of each, which a machine that is busy moves least.
`--processor` measures the processor's time instead of the clock's, which it moves less still; where two cores count,
the time of both.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
sys.path.insert(0, os.environ.get("MEASURED", str(ROOT)))
from disclosure_core import Assessment, Exclusions, Settings, Study, assess, count  # noqa: E402
from disclosure_core.data import demo  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

SD2011 = ROOT.parent / "shared" / "reference" / "sd2011"


def best(run: Callable[[], object], times: int) -> float:
    """Return the shortest of `times` runs, ms."""
    clock = time.process_time if "--processor" in sys.argv else time.perf_counter
    took = []
    for _ in range(times):
        start = clock()
        run()
        took.append(clock() - start)
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
            size = target.n_codes * math.prod(key.n_codes for key in keys)
            if size <= 4 * codes.size:
                np.bincount(codes, minlength=size)
            else:
                np.unique(codes, return_counts=True)


def made(n: int, levels: dict[str, int], seed: int) -> pd.DataFrame:
    """Return `n` records of whole numbers below `levels`, each column leaning on the one before it."""
    rng = np.random.default_rng(seed)
    columns, before = {}, np.zeros(n, dtype=np.int64)
    for name, n_levels in levels.items():
        before = (before % n_levels + rng.geometric(min(0.9, 4 / n_levels), n)) % n_levels
        columns[name] = before.astype(np.min_scalar_type(n_levels))
    return pd.DataFrame(columns)


ADULT = {
    "age": 73,
    "workclass": 9,
    "education": 16,
    "edunum": 16,
    "marital": 7,
    "occupation": 15,
    "relationship": 6,
    "race": 5,
    "sex": 2,
    "gain": 120,
    "loss": 95,
    "hours": 95,
    "country": 42,
    "income": 2,
}
NINE = {
    "sex": 2,
    "age": 90,
    "region": 16,
    "place": 6,
    "work": 8,
    "marital": 6,
    "wellbeing": 10,
    "condition": 40,
    "group": 20,
}


class Case(NamedTuple):
    """What is measured: how its study is made of frames, what is asked of it, and a level to toggle."""

    name: str
    make: Callable[[], Study]
    settings: Settings
    level: tuple[str, str]


def of_two(levels: dict[str, int], n: int) -> Callable[[], Study]:
    """Return what makes a study of two files of made data."""
    return partial(Study, made(n, levels, 1), [made(n, levels, 2)])


def large(sizes: tuple[int, ...]) -> list[Case]:
    """Return cases of made data: Adult's shape, a target with 30,000 levels, and 4 keys with 5 targets of any size."""
    keys = ("age", "race", "sex", "country")
    found = [
        Case(
            "Adult-like: 48,842 records, 10 targets of 14 columns",
            of_two(ADULT, 48_842),
            Settings(keys=keys),
            ("income", "1"),
        ),
        Case(
            "48,842 records, a target of 30,000 levels",
            of_two(ADULT | {"wide": 30_000}, 48_842),
            Settings(keys=keys, targets=("wide", "income")),
            ("income", "1"),
        ),
    ]
    settings = Settings(keys=tuple(NINE)[:4])
    return found + [Case(f"{n:,} records, 5 targets", of_two(NINE, n), settings, ("condition", "1")) for n in sizes]


def cases() -> list[Case]:
    """Return cases of 5,000 records: the survey of R's reference, where it is there, and the demonstration."""
    found = []
    if SD2011.is_dir():
        settings = Settings(keys=("sex", "age", "region", "placesize"), groups={"income": 20})
        for said, names in (("1 synthesis", ["s1"]), ("5 syntheses", [f"s5cna_{i}" for i in range(1, 6)])):
            original, *synthetic = (
                pd.read_csv(SD2011 / f"{name}.csv", keep_default_na=False, na_values=[""])
                for name in ("original", *(f"synthetic_{name}" for name in names))
            )
            make = partial(Study, original, synthetic, missing_codes={"income": [-8]})
            found.append(Case(f"SD2011: 5,000 records, 5 targets, {said}", make, settings, ("workab", "NO")))
    make = partial(Study, demo.original(), demo.syntheses(), missing_codes=demo.MISSING_CODES)
    settings = Settings(keys=demo.KEYS, groups=demo.GROUPS)
    return [*found, Case("demo: 5,000 records, 10 targets, 5 syntheses", make, settings, ("abroad", "No"))]


def measure(case: Case, study: Study, times: int) -> dict[str, float]:
    """Return what each step takes, ms."""
    settings, level = case.settings, case.level
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
        "study made of frames": best(case.make, times),
        "count": best(lambda: count(study, settings), times),
        "assess, every figure read": best(lambda: read_all(assess(study, settings)), times),
        "toggle a level of one target": best(lambda: toggle(one_level), times),
        "toggle a limit for all targets": best(lambda: toggle(all_limited), times),
    }


def most_memory(study: Study, settings: Settings) -> float:
    """Return the most that an assessment takes at once beyond the coded columns, bytes a record of either side."""
    tracemalloc.start()
    read_all(assess(study, settings))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / (study.n_original + sum(study.n_synthetic))


def repeats(study: Study) -> int:
    """Return how often each step is measured."""
    return 15 if study.n_original < 100_000 else 3


def imported() -> float:
    """Return the seconds that importing the public face takes in a process of its own, beyond Python's start."""
    took = [
        best(lambda code=code: subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True), 5) / 1000
        for code in ("pass", "from disclosure_core import Settings, Study, assess")
    ]
    return took[1] - took[0]


def compare(before: Path, sizes: list[float], rounds: int, *, processor: bool) -> None:
    """Print each step's ratio to the bare count of another checkout and of this one: the smallest of some rounds."""
    smallest: dict[str, dict[str, dict[str, float]]] = {}
    for _ in range(rounds):
        for name, checkout in (("before", before), ("after", ROOT)):
            command = [sys.executable, __file__, "--json", "--records", *map(str, sizes)]
            command += ["--processor"] if processor else []
            environment = os.environ | {"MEASURED": str(checkout.resolve())}
            answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            for case, steps in json.loads(answer.stdout).items():
                for step, ms in steps.items():
                    ratio = ms / steps["bare integer count"]
                    by_step = smallest.setdefault(case, {}).setdefault(step, {})
                    by_step[name] = min(ratio, by_step.get(name, math.inf))
    print("| case | step | before, × the bare count | after | after / before |\n|---|---|---:|---:|---:|")
    for case, steps in smallest.items():
        for step, ratio in list(steps.items())[1:]:
            share = ratio["after"] / ratio["before"]
            print(f"| {case} | {step} | {ratio['before']:.2f} | {ratio['after']:.2f} | {share:.2f} |")


def draw(took: dict[str, dict[str, float]], path: Path) -> None:
    """Save each step's ratio to the bare count, a row a case."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.4 * len(took)), layout="constrained")
    for step, marker in zip(list(next(iter(took.values())))[1:], "posd^", strict=True):
        ratios = [steps[step] / steps["bare integer count"] for steps in took.values()]
        axes.plot(ratios, range(len(took)), marker, label=step)
    axes.set(xscale="log", xlabel="multiple of the time of the bare count")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_yticks(range(len(took)), list(took))
    axes.invert_yaxis()
    axes.axvline(1, color="0.7", zorder=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="y", color="0.9")
    figure.legend(loc="outside lower center", ncols=2, fontsize=9, frameon=False)
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    """Print one table a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--records", type=float, nargs="*", default=[1e6, 1e7], help="sizes of the largest cases")
    parser.add_argument("--figure", type=Path, help="an SVG file of the ratios")
    parser.add_argument("--before", type=Path, help="another checkout, to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured in turn")
    parser.add_argument("--processor", action="store_true", help="processor time, not the clock's")
    parser.add_argument("--json", action="store_true", help="only the times of each step, ms")
    asked = parser.parse_args()
    if asked.before:
        compare(asked.before, asked.records, asked.rounds, processor=asked.processor)
        return
    if asked.json:
        sizes = tuple(int(n) for n in asked.records)
        found = {case.name: measure(case, study := case.make(), repeats(study)) for case in [*cases(), *large(sizes)]}
        print(json.dumps(found))
        return
    sizes = (20_000,) if asked.smoke else tuple(int(n) for n in asked.records)
    found = {}
    grown: dict[int, float] = {}
    for case in [*cases(), *large(sizes)]:
        study = case.make()
        found[case.name] = took = measure(case, study, 1 if asked.smoke else repeats(study))
        print(f"\n{case.name}")
        for step, ms in took.items():
            print(f"  {step:32s} {ms:8.2f} ms   {ms / took['bare integer count']:6.2f} × the bare count", flush=True)
        print(f"  most memory beyond the codes     {most_memory(study, case.settings):8.1f} bytes a record", flush=True)
        if study.n_original in sizes:
            grown[study.n_original] = took["assess, every figure read"]
    print()
    for (n, before), (more, after) in itertools.pairwise(grown.items()):
        print(f"from {n:,} to {more:,} records: {after / before:.1f} times as long")
    print(f"import disclosure_core: {imported():.2f} s")
    if asked.figure:
        draw(found, asked.figure)


if __name__ == "__main__":
    main()
