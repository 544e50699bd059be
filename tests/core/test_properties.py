"""What must hold whatever the data: the inequalities of measures.md, and what a figure may not depend on."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import Exclusions, Settings, Study, assess
from tests.core.test_every_figure import KEYS, TARGETS, cases, frame, tables

EPSILON = 1e-9
"""Two sums of the same fractions in another order."""

PARTS = ("identity", "attribute", "caps")


def study_of(original, synthetic):
    return Study(frame(original), [frame(side) for side in synthetic])


def plain(settings):
    return Settings(keys=settings.keys, targets=settings.targets, thresholds=settings.thresholds)


def figures(found, rename=None):
    """Every figure of an assessment as one long series."""
    rename = rename or {}
    return pd.concat(
        {
            (rename.get(name, name), part): getattr(risk, part).stack()
            for name, risk in found.targets.items()
            for part in PARTS
        }
        | {("", "identity"): found.identity.stack()}
    ).sort_index()


def equal(a, b):
    pd.testing.assert_series_equal(a, b, rtol=0, atol=EPSILON)


@pytest.mark.slow
@given(cases())
def test_the_inequalities(case):
    original, synthetic, (settings, *_) = case
    study = study_of(original, synthetic)
    for asked in (plain(settings), settings):
        for risk in assess(study, asked).targets.values():
            a, i, c = risk.attribute, risk.identity, risk.caps
            chains = [
                (a["iS"], a["DiS"], a["DiSCO"], a["DiSDiO"]),
                (a["Dorig"], a["DiSDiO"]),
                (i["UiO"], i["UiOiS"], i["repU"]),
            ]
            if asked.exclusions == Exclusions():
                # With exclusions DCAPd is recomputed from what is left of both tables, DiSCO from the full ones.
                chains.append((c["DCAPd"], a["DiSCO"]))
            for chain in chains:
                for larger, smaller in zip(chain, chain[1:], strict=False):
                    assert (larger >= smaller - EPSILON).all()
            for part in (a[["Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO"]], i, c[["baseCAPd", "CAPd", "CAPs"]]):
                assert part.min().min() >= 0
                assert part.max().max() <= 100 + EPSILON
            for taken in risk.exclusions:
                assert (taken.loc["original"].sum(), taken.to_numpy().min() >= 0) == (len(original), True)


@pytest.mark.slow
@given(cases(), st.randoms(use_true_random=False))
def test_order_does_not_matter(case, random):
    original, synthetic, (settings, *_) = case
    expected = figures(assess(study_of(original, synthetic), settings))
    sides = [random.sample(side, len(side)) for side in (original, *synthetic)]
    columns = random.sample(list(sides[0][0]), len(sides[0][0]))
    shuffled = Study(frame(sides[0])[columns], [frame(side)[columns] for side in sides[1:]])
    equal(figures(assess(shuffled, settings)), expected)
    reordered = random.sample(list(settings.keys), len(settings.keys))
    equal(figures(assess(study_of(original, synthetic), Settings(
        keys=reordered, targets=settings.targets, exclusions=settings.exclusions, thresholds=settings.thresholds
    ))), expected)  # fmt: skip


@pytest.mark.slow
@given(tables(), st.randoms(use_true_random=False))
def test_names_do_not_matter(data, random):
    original, synthetic = data
    settings = Settings(keys=KEYS, targets=TARGETS)
    expected = figures(assess(study_of(original, synthetic), settings))
    levels = sorted({v for side in (original, *synthetic) for r in side for v in r.values() if v is not None})
    other = dict(zip(levels, random.sample([f"level {i}" for i in range(len(levels))], len(levels)), strict=True))
    renamed = [[{k: other.get(v) for k, v in r.items()} for r in side] for side in (original, *synthetic)]
    equal(figures(assess(study_of(renamed[0], renamed[1:]), settings)), expected)
    columns = {"k1": "x", "k 2": "<b>", "k3": "$x$", "target": "t", "t|2": "target"}
    frames = [frame(side).rename(columns=columns) for side in (original, *synthetic)]
    found = assess(
        Study(frames[0], frames[1:]),
        Settings(keys=[columns[k] for k in KEYS], targets=[columns[t] for t in TARGETS]),
    )
    back = {new: old for old, new in columns.items()}
    equal(figures(found, back), expected)


@given(tables())
def test_equal_syntheses_give_equal_rows(data):
    original, synthetic = data
    found = assess(study_of(original, [synthetic[0]] * 3), Settings(keys=KEYS, targets=TARGETS))
    for risk in found.targets.values():
        for part in PARTS:
            rows = getattr(risk, part)
            for i in (2, 3):
                pd.testing.assert_series_equal(rows.loc[i], rows.loc[1], check_names=False)
    summary = found.summary()
    assert (summary["sd"] <= EPSILON).all()
    assert (summary["min"] == summary["max"]).all()


@given(tables())
def test_the_original_as_its_own_synthesis_gives_everything_away(data):
    original, _ = data
    found = assess(study_of(original, [original]), Settings(keys=KEYS, targets=TARGETS))
    for risk in found.targets.values():
        a, i, c = (getattr(risk, part).loc[1] for part in ("attribute", "identity", "caps"))
        assert a["iS"] == 100
        assert a["DiSCO"] == a["DiS"] == a["DiSDiO"] == a["Dorig"] == a["Dsyn"]
        assert i["repU"] == i["UiOiS"] == i["UiO"] == i["UiS"]
        assert c["DCAPd"] == pytest.approx(c["CAPd"], abs=EPSILON)


@given(tables())
def test_twice_everybody_leaves_nobody_alone(data):
    original, synthetic = data
    settings = Settings(keys=KEYS, targets=TARGETS)
    once = assess(study_of(original, synthetic), settings)
    twice = assess(study_of(original * 2, [side * 2 for side in synthetic]), settings)
    assert (twice.identity == 0).all().all()
    for name, risk in twice.targets.items():
        for measure in ("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO"):
            np.testing.assert_allclose(risk.figures(measure), once.targets[name].figures(measure), atol=EPSILON)
        for measure in ("baseCAPd", "CAPd", "CAPs", "DCAPd"):
            np.testing.assert_allclose(risk.figures(measure), once.targets[name].figures(measure), atol=EPSILON)


@given(tables())
def test_keys_that_never_meet_give_nothing_away(data):
    original, synthetic = data
    apart = [[r | {"k1": "elsewhere"} for r in side] for side in synthetic]
    found = assess(study_of(original, apart), Settings(keys=KEYS, targets=TARGETS))
    for risk in found.targets.values():
        assert (risk.attribute[["iS", "DiS", "DiSCO", "DiSDiO"]] == 0).all().all()
        assert risk.caps[["TCAPb", "TCAP", "TCAPi", "DCAPb"]].isna().all().all()
        assert risk.attribute["mean_denom"].isna().all()
        assert (risk.identity[["UiOiS", "repU"]] == 0).all().all()


@pytest.mark.slow
@given(tables())
def test_exclusions_that_remove_nothing_change_nothing(data):
    original, synthetic = data
    study = study_of(original, synthetic)
    settings = Settings(keys=KEYS, targets=TARGETS)
    complete = {n for n in study.columns if study.columns[n].counts[:, -1].sum() == 0}
    nothing = Exclusions(
        missing_keys=complete & set(KEYS),
        missing_targets=complete & set(TARGETS),
        denominator_limit=len(original) + max(map(len, synthetic)),
    )
    found = assess(study, Settings(keys=KEYS, targets=TARGETS, exclusions=nothing))
    equal(figures(found), figures(assess(study, settings)))
