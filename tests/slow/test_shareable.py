"""An attacker with no bound on computing reads shareable reports: what `tests/core/test_shareable.py` says, at length."""

import itertools
import re
from collections import Counter, defaultdict

import pandas as pd
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from disclosure_core import Exclusions, Pair, Settings, Study, assess
from disclosure_core.counting.assessment import identity_by_keys
from disclosure_core.report import tables_of
from disclosure_core.sensitivity.key_subsets import search_subsets
from tests.core.test_shareable import EASY, NEVER, drawn, said, shared


def test_whoever_knows_everything_but_the_original_pins_no_small_count():
    """Every original of 4 and 5 records is written out: with any report many of them agree, and disagree on small counts.

    The attacker knows the program, the synthetic data, which levels there are, and has no bound on computing.
    """
    kinds = list(itertools.product("ab", "xyz"))
    synthetic = pd.DataFrame([("a", "x"), ("a", "x"), ("b", "y"), ("b", "y")], columns=["k", "t"])
    asked = Settings(keys=("k",), thresholds=EASY)
    limit = 2
    originals = defaultdict(list)
    for n in (4, 5):
        for picked in itertools.combinations_with_replacement(kinds, n):
            frame = pd.DataFrame(picked, columns=["k", "t"])
            originals[said(shared(frame, [synthetic], asked, limit))].append(Counter(picked))
    assert len(originals) > 3  # the report says something
    facts = [(k, t) for k in ("a", "b", None) for t in ("x", "y", "z", None) if (k, t) != (None, None)]
    for same in originals.values():
        for k, t in facts:
            held = {sum(n for (a, b), n in one.items() if k in (a, None) and t in (b, None)) for one in same}
            assert len(held) > 1 or not 0 < min(held) < limit, (k, t, same)


def reach(n, of, limit):
    """Return the range that a count falls into, written down again in another way."""
    n = round(n, 6)
    if of - n < limit + of % limit:
        return "nearly all"
    return next(i for i in itertools.count() if n <= (i + 1) * limit)


def ranges(original, syntheses, asked, limit):
    """Return the ranges of all counts that a report is made of, and what may be named."""
    study = Study(original, syntheses)
    found, n = assess(study, asked), len(original)
    shares = found.identity.mean().drop("UiS").tolist()
    shares += [v for name in ("UiO", "repU") for v in identity_by_keys(study, asked)[name]]
    shares += [r.figures(m).mean() for r in found.targets.values() for m in ("Dorig", "iS", "DiS", "DiSCO", "DiSDiO")]
    searched = search_subsets(study, asked)
    shares += [
        v
        for f in (searched.identity[["UiO", "UiOiS", "repU"]], searched.attribute[["DiSCO"]])
        for v in f.to_numpy().ravel()
    ]
    enough = [tuple(v for v, k in original[c].value_counts().sort_index().items() if k > limit) for c in original]
    return n // limit, [reach(v * n / 100, n, limit) for v in shares], found.identity["UiS"].tolist(), enough


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), n=st.integers(24, 40), limit=st.integers(3, 6), m=st.integers(1, 2))
def test_neighbours_with_the_same_ranges_have_the_same_report(seed, n, limit, m):
    """One record more, fewer or changed: unless a count crosses into another range, not a letter is different."""
    original, syntheses = drawn(seed, n, 30, m)
    asked = Settings(keys=("ka", "kb"), thresholds=NEVER)
    here = ranges(original, syntheses, asked, limit)
    alike = 0
    for at in range(3):
        changed = original.copy()
        changed.loc[at, "tb"] = changed.loc[at + 1, "tb"]
        for other in (original.drop(index=at), pd.concat([original, original.iloc[[at]]]), changed):
            if ranges(other, syntheses, asked, limit) == here:
                alike += 1
                texts = [said(shared(f, syntheses, asked, limit, searched=True)) for f in (original, other)]
                assert texts[0] == texts[1]
                break
    assume(alike)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), limit=st.integers(3, 9), m=st.integers(1, 2), names=st.booleans())
def test_what_few_people_have_is_named_nowhere(seed, limit, m, names):
    """Levels and pairs that few have are left out by name, flagged as soon as can be, and named nowhere."""
    original, syntheses = drawn(seed, 60, 60, m)
    few = {c: [v for v, k in original[c].value_counts().items() if k < limit] for c in original}
    both = original.groupby(["ka", "ta"]).size()
    rare = [Pair("ka", k, t) for (k, t), n in both.items() if n < limit]
    often = {t for (k, t), n in both.items() if n > limit} | {k for (k, t), n in both.items() if n > limit}
    out = Exclusions(target_levels={c: few[c] for c in ("ta", "tb")}, pairs={"ta": rare})
    for exclusions in (Exclusions(), out):
        asked = Settings(keys=("ka", "kb"), thresholds=EASY, exclusions=exclusions)
        report = shared(original, syntheses, asked, limit, searched=True, level_names=names)
        text = said(report) + repr([f.to_dict() for f in tables_of(report).values()])
        for level in (v for levels in few.values() for v in levels):
            assert level not in text
        for p in rare:  # each alone may be well known
            assert not re.search(rf"{p.key_level}[^|()]{{0,12}}{p.target_level}", text)
            assert f"'ka {p.key_level}', '{p.target_level}'" not in text
        assert not names or not exclusions.pairs_of("ta") or "few records" in text
        if not names:
            assert "Level0q" not in text
            assert "Level3q" not in text
    assert often
