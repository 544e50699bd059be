"""The rule for columns that do not meet, on pairs by number: what it misses, what it stops in vain, what it restores."""

import os
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from disclosure_core import Study
from disclosure_core.data.agreement import agreement
from tests.core.spelled_pairs import N_BREAKS, broken, figures, sound, typed
from tests.core.test_agreement import mended

# A longer run: MEETING_PAIRS=2000 MEETING_SEED=5000 pytest tests/core/test_meeting.py -m slow -s
SEED = int(os.environ.get("MEETING_SEED", "1000"))
PAIRS = int(os.environ.get("MEETING_PAIRS", "0"))


def frames_of(pair):
    columns = (typed([row[0] for row in rows]) for rows in (pair.original, pair.synthetic))
    return [
        pd.DataFrame({"x": pd.Series(c, dtype="float64" if any(isinstance(v, float) for v in c) else None)})
        for c in columns
    ]


def counted(frames, pair):
    """Return the figures of a pair whose K are the values of these frames."""
    column = Study(frames[0], frames[1:]).columns["x"]
    sides = zip((column.original, column.synthetic[0]), (pair.original, pair.synthetic), strict=True)
    return figures(*([(k, a, t) for k, (_, a, t) in zip(codes.tolist(), rows, strict=True)] for codes, rows in sides))


def stop(pair):
    frames = frames_of(pair)
    labels = {"x": pair.labels} if pair.labels else {}
    unmet = agreement(Study(frames[0], frames[1:]), frames, labels).unmet
    return frames, labels, unmet[0] if unmet else None


def right_figures(pair):
    """Return what the figures should be: unbroken, and at the level that a correction may leave."""
    plain = figures(*pair.unbroken)
    if pair.coarse is None:
        return plain, plain
    coarse = [[(k and pair.coarse(k), a, t) for k, a, t in rows] for rows in pair.unbroken]
    return plain, figures(*coarse)


def matters(pair, got):
    """Whether a figure is at least one point and a tenth too low."""
    return any(true - now >= 1 and now <= 0.9 * true for true, now in zip(right_figures(pair)[0], got, strict=True))


def tally(seeds):
    """Return counts of what became of sound and broken pairs, and a line for each that went wrong."""
    said, wrong = Counter(), []
    for seed in seeds:
        pair = sound(seed)
        _, _, mismatch = stop(pair)
        size = "n < 500" if pair.n < 500 else "n >= 500"
        said["sound", size] += 1
        if mismatch:
            said["false stop", size] += 1
            wrong.append(f"false stop {seed} {pair.name} {pair.kind} {pair.n}: {mismatch.text()}")
        pair = broken(seed)
        frames, labels, mismatch = stop(pair)
        size = "n < 500" if pair.n < 500 else "n >= 500"
        got = counted(frames, pair)
        if matters(pair, got):
            said["matters", size] += 1
            if not mismatch:
                said["missed", size] += 1
                wrong.append(
                    f"missed {seed} {pair.name} {pair.kind} {pair.n} {pair.extent}: {right_figures(pair)} {got}"
                )
        if mismatch and pair.corrected and mismatch.kinds:
            after = counted(mended(frames, {"x": mismatch.kinds}, labels), pair)
            restored = any(np.allclose(after, right) for right in right_figures(pair))
            said["restored" if restored else "not restored"] += 1
            if not restored:
                wrong.append(
                    f"not restored {seed} {pair.name} {pair.kind} {pair.n} {pair.extent} {mismatch.kinds}: {right_figures(pair)} {got} {after}"
                )
        elif mismatch and pair.corrected:
            said["no correction"] += 1
            wrong.append(f"no correction {seed} {pair.name} {pair.kind} {pair.n} {pair.extent}: {mismatch.cause}")
    return said, wrong


@pytest.mark.slow
def test_most_breaks_are_found_and_sound_pairs_go_on():
    seeds = range(SEED, SEED + (PAIRS or 2 * N_BREAKS))
    said, wrong = tally(seeds)
    print(dict(said), *wrong, sep="\n")
    # Of 250 sound pairs at most one stops; of the fixed ones none does.
    assert said["false stop", "n >= 500"] <= (said["sound", "n >= 500"] / 250 if PAIRS else 0), wrong
    assert said["false stop", "n < 500"] <= 1 + said["sound", "n < 500"] / 100, wrong
    assert said["missed", "n >= 500"] <= 0.08 * said["matters", "n >= 500"] + 1
    assert said["missed", "n < 500"] <= 0.18 * said["matters", "n < 500"] + 2
    assert said["not restored"] + said["no correction"] <= 0.05 * said["restored"] + 2
