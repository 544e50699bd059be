"""How often a conclusion about members and people outside is wrong: `python benchmarks/conclusions.py`.

Studies whose truth is known are made by the dozen: people with two keys and an answer, some synthesised, some held
out. Where the synthetic data are made of *other* people, taking part has no effect, and every interval should hold 0 in
95 of 100 studies. Where only the keys are copied and answers are drawn afresh, the difference is real and no answer
leaked, so that M should be above 0 in 2.5 of 100. Where records are copied, M should find it if people outside share
keys. Printed are, for each way of synthesis and size of the holdout, how often the intervals of the difference and of
its last part hold 0, and how often M lies above 0 among the studies in which it is evaluated. `--smoke` makes a few.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))
from disclosure_core import Settings
from disclosure_core.holdout.baseline import attribute_baseline
from disclosure_core.holdout.partition import partition

LAW = {"a flat answer": (0.4, 0.3, 0.2, 0.1), "nearly always the same": (0.97, 0.03), "one in a hundred": (0.99, 0.01)}
"""By name, how often each level of the answer occurs, whatever the keys are."""


def people(rng: np.random.Generator, n: int, law: tuple[float, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "area": rng.choice(20, n, p=_skewed(20)),
            "band": rng.choice(12, n, p=_skewed(12)),
            "answer": rng.choice(len(law), n, p=law),
        }
    ).astype("str")


def _skewed(n: int) -> np.ndarray:
    weights = 1 / np.arange(1, n + 1) ** 0.5
    return weights / weights.sum()


def others(rng: np.random.Generator, members: pd.DataFrame, law: tuple[float, ...]) -> pd.DataFrame:
    return people(rng, len(members), law)


def keys_copied(rng: np.random.Generator, members: pd.DataFrame, law: tuple[float, ...]) -> pd.DataFrame:
    drawn = members.sample(len(members), replace=True, random_state=rng)
    return drawn.assign(answer=rng.choice(len(law), len(drawn), p=law).astype(str))


def some_copied(rng: np.random.Generator, members: pd.DataFrame, law: tuple[float, ...]) -> pd.DataFrame:
    kept = members.sample(len(members) // 10, random_state=rng)
    return pd.concat([kept, people(rng, len(members) - len(kept), law)], ignore_index=True)


def bootstrap(rng: np.random.Generator, members: pd.DataFrame, law: tuple[float, ...]) -> pd.DataFrame:
    del law
    return members.sample(len(members), replace=True, random_state=rng)


WAYS = {
    "other people's records": others,
    "keys copied": keys_copied,
    "a tenth copied": some_copied,
    "bootstrap": bootstrap,
}


def one(rng: np.random.Generator, n: int, held: int, law: tuple[float, ...], way: object) -> dict[str, float]:
    """Return what one study concludes: 1, 0, or NaN where it is not evaluated."""
    members, outside = people(rng, n, law), people(rng, held, law)
    syntheses = [way(rng, members, law).reset_index(drop=True) for _ in range(2)]
    joined = partition(members, outside, syntheses, random=True)
    found = attribute_baseline(joined, Settings(keys=("area", "band"), targets=("answer",)))
    row, same = found.summary().iloc[0], found.same_keys.iloc[0]
    right = found.parts[(found.parts["measure"] == "DiSCO") & (found.parts["part"] == "claim right")]
    return {
        "difference holds 0": float(row["low"] <= 0 <= row["high"]),
        "claim right holds 0": float(right["low"].iloc[0] <= 0 <= right["high"].iloc[0]) if len(right) else np.nan,
        "M above 0": np.nan if same["why"] else float(same["low"] > 0),
        "M": np.nan if same["why"] else float(same["points"]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=200, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="four of each kind, one law")
    asked = parser.parse_args()
    studies, laws = (4, dict(list(LAW.items())[:1])) if asked.smoke else (asked.studies, LAW)
    print(f"{studies} studies of each kind, 500 members, two syntheses; % of the studies (evaluated: of how many M is)")
    print("answer | synthesis | held out | difference holds 0 | right holds 0 | M above 0 | mean M, points | evaluated")
    for answer, law in laws.items():
        for name, way in WAYS.items():
            for held in (100, 400):
                rng = np.random.default_rng([asked.seed, held, len(law), list(WAYS).index(name)])
                found = pd.DataFrame([one(rng, 500, held, law, way) for _ in range(studies)])
                share = 100 * found.mean()
                zero = (share[f"{what} holds 0"] for what in ("difference", "claim right"))
                print(
                    f"{answer} | {name} | {held} | {' | '.join(f'{x:.0f}' for x in zero)} | "
                    f"{share['M above 0']:.1f} | {found['M'].mean():.2f} | {int(found['M'].notna().sum())}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
