"""Every figure of the fast core against the plain counter, on random small tables."""

# Inside: counting has two ways for large tables, and small ones take both here.

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import Exclusions, Pair, Settings, Study, Thresholds, assess, count
from disclosure_core.counting import codes
from disclosure_core.counting import count as counting
from tests.reference import plainly
from tests.reference.plainly import counter, same

NASTY = ["Missing", "None", "NA", "nan", "a | b", "a", "b", "|", " ", "é", "1e5", "007"]
"""Levels that programs have taken for something else."""

COLUMNS = ("k1", "target", "k 2", "t|2", "k3")
KEYS = ("k1", "k 2", "k3")
TARGETS = ("target", "t|2")


SHARES = st.sampled_from([0, 25, 100 / 3, 50, 75, 90, 100])
"""Thresholds that small tables hit exactly: the checks say "more than"."""


def values(n_levels):
    return st.one_of(st.none(), st.sampled_from(NASTY[:n_levels]))


@st.composite
def tables(draw, most=25):
    widths = {name: draw(st.integers(1, 5)) for name in COLUMNS}
    record = st.fixed_dictionaries({name: values(n) for name, n in widths.items()})
    original = draw(st.lists(record, min_size=1, max_size=most))
    # Mostly copies of original records, so that cells meet.
    near = st.one_of(st.sampled_from(original), st.sampled_from(original), record)
    return original, draw(st.lists(st.lists(near, min_size=1, max_size=most), min_size=1, max_size=3))


@st.composite
def asked(draw, original, synthetic):
    keys = tuple(draw(st.lists(st.sampled_from(KEYS), min_size=1, unique=True)))
    everything = original + [r for side in synthetic for r in side]
    held = {name: sorted({r[name] for r in everything} - {None}) for name in COLUMNS}
    label = {name: missing_label(held[name]) for name in COLUMNS}
    some = lambda options: draw(st.lists(st.sampled_from(options), max_size=2)) if options else []  # noqa: E731
    levels = {t: some(held[t]) for t in TARGETS}
    pairs = {}
    for t in TARGETS:
        possible = [(k, kl, tl) for k in keys for kl in [*held[k], None] for tl in [*held[t], None]]
        pairs[t] = some(possible)
    out = {
        "levels": levels,
        "missing_targets": frozenset(some(list(TARGETS))),
        "missing_keys": frozenset(some(list(keys))),
        "pairs": pairs,
        "limit": draw(st.one_of(st.none(), st.integers(1, 4))),
    }
    thresholds = {
        "one_way": (draw(st.integers(0, 5)), draw(SHARES)),
        "two_way": (draw(st.integers(0, 3)), draw(SHARES)),
    }
    text = lambda name, level: label[name] if level is None else level  # noqa: E731
    settings = Settings(
        keys=keys,
        targets=TARGETS,
        exclusions=Exclusions(
            target_levels=levels,
            missing_targets=out["missing_targets"],
            missing_keys=out["missing_keys"],
            pairs={t: [Pair(k, text(k, kl), text(t, tl)) for k, kl, tl in found] for t, found in pairs.items()},
            denominator_limit=out["limit"],
        ),
        thresholds=Thresholds(**thresholds),
    )
    return settings, out, thresholds, label


def missing_label(levels):
    label = "Missing"
    while label in levels:
        label += " (empty)"
    return label


def frame(records):
    return pd.DataFrame(records, columns=list(COLUMNS), dtype="str")


@st.composite
def cases(draw):
    original, synthetic = draw(tables())
    return original, synthetic, draw(asked(original, synthetic))


def exclusions_of(out, target):
    """What a target excludes, of what `asked` drew."""
    return {
        "levels": out["levels"][target],
        "missing_target": target in out["missing_targets"],
        "missing_keys": out["missing_keys"],
        "pairs": out["pairs"][target],
        "limit": out["limit"],
    }


def check(original, synthetic, request):
    settings, out, thresholds, _ = request
    found = assess(Study(frame(original), [frame(side) for side in synthetic]), settings)
    keys = [name for name in COLUMNS if name in settings.keys]
    data = plainly.data(original, synthetic)
    close(found.identity, plainly.identity(data, keys, out["missing_keys"]))
    for name in TARGETS:
        risk = found.targets[name]
        target = plainly.target(data, keys, name, exclusions_of(out, name), thresholds)
        close(pd.concat([risk.attribute, risk.caps], axis=1), [plainly.measures(target, i + 1) for i in range(data.m)])
        left = [
            counter.of_keys(counter.over_t(target.d_left), counter.over_t(s), data.by(keys, i), data.n[0], data.n[i])
            for i, s in enumerate(target.s_left, 1)
        ]
        close(risk.identity, left)
        for i in range(data.m):
            assert risk.exclusions[i].to_dict("index") == target.of_synthesis(i + 1)[2]
            check_one_way(risk.one_way[i], target.one_way(i + 1))
            check_two_way(risk.two_way[i], target.two_way(i + 1), keys)


def close(frame, expected):
    """A row a synthesis: each has just the measures that are expected, and their figures."""
    for row, figures in zip(frame.to_dict("records"), expected, strict=True):
        assert row.keys() == figures.keys()
        for measure, value in figures.items():
            assert same(row[measure], value), (measure, row[measure], value)


def check_one_way(finding, expected):
    every = [] if finding is None else [finding, *finding.also]
    assert len(every) == len(expected)
    for f in every:
        assert all(same(getattr(f, name), figure) for name, figure in expected[f.level].items())
        assert f.guessable == (expected[f.level]["pct_of_all"] > 50)
    counts = [f.n_disclosive_level for f in every]
    assert counts == sorted(counts, reverse=True)


def check_two_way(table, expected, keys):
    rows = list(table.itertuples(index=False, name=None))
    assert {row[:3] for row in rows} == expected.keys()
    assert len(rows) == len(expected)
    for row in rows:
        figures = [expected[row[:3]][name] for name in ("npairs", "n_both", "n_key_level", "pct")]
        assert all(same(a, b) for a, b in zip(row[3:], figures, strict=True))
    order = [(-row[3], keys.index(row[1]), row[0], row[2]) for row in rows]
    assert order == sorted(order)


@given(cases())
def test_every_figure(case):
    check(*case)


@pytest.mark.parametrize(
    "setting", [("DENSE", 0), ("_MOST", 6), ("SHARED", 0)], ids=["hashed", "ranked on the way", "two cores"]
)
def test_every_way_of_counting(monkeypatch, setting):
    name, value = setting
    for module in (codes, counting):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)

    @given(cases())
    def counted(case):
        check(*case)

    counted()


@given(cases())
def test_a_toggle_is_a_fresh_assessment(case):
    original, synthetic, (settings, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    plain = Settings(keys=settings.keys, targets=settings.targets)
    kept = count(study, plain)
    before = assess(study, plain, kept)
    toggled = assess(study, settings, kept, before)
    fresh = assess(study, settings)
    assert toggled.tables is kept
    for target in TARGETS:
        for part in ("identity", "attribute", "caps"):
            pd.testing.assert_frame_equal(getattr(toggled.targets[target], part), getattr(fresh.targets[target], part))
        for one, other in zip(toggled.targets[target].two_way, fresh.targets[target].two_way, strict=True):
            pd.testing.assert_frame_equal(one, other)
    pd.testing.assert_frame_equal(toggled.summary(), fresh.summary())
