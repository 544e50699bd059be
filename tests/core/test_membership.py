"""Membership: every case that consensus.md 2.7 prints, the plain counter, and its invariants."""

import inspect
import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import disclosure_core
from disclosure_core import DisclosureError, Motive, Settings, ThreatModel, membership, partition
from disclosure_core.counting.subsets import Search
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.fscores import (
    BETAS,
    f_closed,
    f_interval,
    f_naive,
    precision,
    prevalence,
    relative_gain,
)
from disclosure_core.holdout.intervals import wilson
from disclosure_core.holdout.membership_figures import ANY_SYNTHESIS, Membership
from tests.core.test_baseline import with_holdout
from tests.core.test_every_figure import KEYS, frame
from tests.reference import plainly
from tests.reference.plainly import outside as plain

GATE = ThreatModel("adults of the town", 50_000, "register", same_population=True, news=True, random_sample=True)


# ---- the table of consensus.md 2.7 -----------------------------------------------------------------------------------


def close(found, expected, digits):
    assert abs(float(found) - expected) <= 0.5 * 10**-digits + 1e-9


def f_beta(tp, fp, fn, beta=1.0):
    """F_β of equation (12) of consensus.md 2.4, with precision and recall written out; 0 of nobody found."""
    whole = (1 + beta**2) * tp + beta**2 * fn + fp
    return (1 + beta**2) * tp / whole if whole else 0


@pytest.mark.parametrize(
    ("p", "beta", "expected", "digits"),
    [
        (0.2, 1, 0.3333, 4), (0.2, 0.5, 0.2381, 4), (0.2, 2, 0.5556, 4), (0.57, 1, 0.7261, 4), (0.05, 1, 0.0952, 4),
        (0.005, 1, 0.00995, 5), (0.055, 1, 0.1043, 4), (0.1, 1, 0.1818, 4), (0.3, 1, 0.4615, 4), (0.5, 1, 0.6667, 4),
        (0.7, 1, 0.8235, 4), (0.1, 0.5, 0.1220, 4), (0.1, 2, 0.3571, 4),
    ],
)  # fmt: skip
def test_guessing(p, beta, expected, digits):
    close(f_naive(p, beta), expected, digits)


@pytest.mark.parametrize(
    ("f", "p", "rel"),
    [(0.9505, 0.95 / 1.05, 0.0100), (0.5, 0.95 / 1.05, -9.0), (0.3, 0.005, 0.2930)],
    ids=["A", "B", "C"],
)
def test_examples_A_to_C(f, p, rel):
    close(relative_gain(f, f_naive(p)), rel, 4)


@pytest.mark.parametrize(
    ("a", "b", "t", "beta", "f", "rel"),
    [
        (150 / 200, 120 / 800, 0.2, 1, 0.6383, 0.4574),
        (150 / 200, 120 / 800, 0.2, 0.5, 0.5859, 0.4565),
        (150 / 200, 120 / 800, 0.2, 2, 0.7009, 0.3271),
        (0.5, 0, 0.2, 1, 0.6667, 0.5),
        (0.5, 0, 0.2, 0.5, 0.8333, 0.7813),
        (0.5, 0, 0.2, 2, 0.5556, 0.0),
        (0.1, 0, 0.1, 1, 0.1818, 0.0),  # 10 of 100 members found, and nobody else
        (0.1, 0, 0.1, 0.5, 0.3571, 0.2679),
        (0.1, 0, 0.1, 2, 0.1220, -0.3659),
        (1 - np.exp(-1), 0, 0.2, 1, 0.7746, 0.6619),  # a draw with replacement
    ],
)
def test_printed_figures_of_what_is_found(a, b, t, beta, f, rel):
    close(f_closed(a, b, t, beta), f, 4)
    close(relative_gain(f_closed(a, b, t, beta), f_naive(t, beta)), rel, 4)


def test_the_register_of_people_with_hiv():
    """L1277: of a city's 322,835 people 2,172 have it, of whom 1,000 are in the data; keys are age and sex."""
    rng = np.random.default_rng(1)

    def draw(n, male):
        return pd.DataFrame({"age": rng.integers(20, 40, n), "male": rng.random(n) < male})

    register, city = draw(2172, 3.2 / 4.2), draw(322_835 - 2172, 0.5)
    members, others = register[:1000], register[1000:]
    synthetic = members.iloc[rng.integers(0, 1000, 1000)]
    settings = Settings(keys=("age", "male"))
    for outside, population, expected, tolerance in (
        (others, 2172, 0.460, 0.01),
        (pd.concat([others, city]), 322_835, 0.003, 0.0005),
    ):
        of = partition(members, outside, [synthetic])
        row = (
            membership(of, settings, replace(GATE, population_size=population, training_alone=True))
            .all_keys([1])
            .iloc[0]
        )
        assert row["precision"] == pytest.approx(expected, abs=tolerance)


# ---- invariants of the formulas --------------------------------------------------------------------------------------

COUNT = st.integers(0, 50)


@given(COUNT, COUNT, COUNT, COUNT, st.sampled_from(BETAS))
def test_counts_and_rates_agree(tp, fp, fn, tn, beta):
    if tp + fn == 0 or fp + tn == 0:
        assert float(f_beta(0, fp, 0, beta)) == 0
        return
    t = prevalence(tp + fn, tp + fp + fn + tn)
    closed = float(f_closed(tp / (tp + fn), fp / (fp + tn), t, beta))
    assert closed == pytest.approx(float(f_beta(tp, fp, fn, beta)))
    p, r = float(precision(tp / (tp + fn), fp / (fp + tn), t)), tp / (tp + fn)
    assert p == pytest.approx(tp / (tp + fp) if tp else 0)
    assert closed == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r) if tp else 0)


@pytest.mark.parametrize("t", [0.01, 0.2, 0.99])
@pytest.mark.parametrize("beta", BETAS)
def test_the_ends(t, beta):
    naive = f_naive(t, beta)
    assert float(f_closed(1, 1, t, beta)) == pytest.approx(float(naive))  # all match: the guess
    assert float(f_closed(0, 0.3, t, beta)) == 0  # no member matches
    assert float(relative_gain(f_closed(0, 0, t, beta), naive)) == pytest.approx(float(-naive / (1 - naive)))
    # F_rel > 0 just where a − b > β² t / (1 − t) (1 − a).
    for a, b in itertools.product((0.2, 0.5, 0.8), repeat=2):
        better = a - b > beta**2 * t / (1 - t) * (1 - a)
        assert (float(relative_gain(f_closed(a, b, t, beta), naive)) > 0) == better


def test_where_everyone_is_a_member_there_is_no_relative_figure():
    assert np.isnan(relative_gain(1.0, f_naive(1.0)))


@pytest.mark.parametrize("beta", BETAS)
def test_the_interval_holds_the_truth_as_often_as_it_says(beta):
    rng = np.random.default_rng(2)
    a, b, t, n_t, n_h, draws = 0.3, 0.1, 0.1, 800, 300, 4000
    low, high = f_interval(rng.binomial(n_t, a, draws) / n_t, n_t, rng.binomial(n_h, b, draws) / n_h, n_h, t, beta)
    truth = float(f_closed(a, b, t, beta))
    inside = np.mean((low <= truth) & (truth <= high))
    assert abs(inside - 0.95) < 0.015


# ---- the threat model ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, -5, 1.5, True, "many"])
def test_a_population_is_a_whole_number(size):
    with pytest.raises(DisclosureError, match="whole number of people"):
        ThreatModel(population_size=size)


def test_a_population_holds_its_sample():
    with pytest.raises(DisclosureError, match="cannot be smaller than the 6 records"):
        membership(partition(TINY, TINY, [TINY]), Settings(keys=("k1",)), replace(GATE, population_size=5))


@pytest.mark.parametrize(
    ("motive", "beta"),
    [(Motive.RECOGNITION, 0.5), (Motive.PROFIT, 2), (Motive.PERSONAL, 1), (Motive.SELECTION, 1), (None, None)],
)
def test_the_motive_weighs_recall(motive, beta):
    assert replace(GATE, motive=motive).beta == beta


TINY = pd.DataFrame({"k1": ["a", "b", "c"], "k2": ["x", "x", "y"]})


# ---- the search ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(with_holdout(), st.integers(0, 60), st.sampled_from(BETAS), st.booleans())
def test_against_the_plain_counter(case, outside, beta, training_alone):
    training, synthetic, holdout, (settings, *_) = case
    of = partition(frame(training), frame(holdout), [frame(side) for side in synthetic])
    whole = len(training) + len(holdout)
    threat_model = replace(GATE, population_size=whole + outside + 1, training_alone=training_alone)
    found = membership(of, settings, threat_model)
    keys = [name for name in KEYS if name in settings.keys]
    t = (len(training) if training_alone else whole) / (whole + outside + 1)
    assert found.t == t
    rows = {(row["keys"], row["synthesis"]): row for row in found.figures(beta).to_dict("records")}
    m = len(synthetic)
    assert len(rows) == (2 ** len(keys) - 1) * (m + (m > 1))
    best = {}
    data = plainly.data(training, [*synthetic, [r for side in synthetic for r in side]], holdout)
    for (subset, i), row in rows.items():
        i_of = m + 1 if i == ANY_SYNTHESIS else i
        there = data.by(subset, i_of)
        for side, column in ((0, "n_match_training"), (data.outside, "n_match_holdout")):
            assert row[column] == sum(n for q, n in data.by(subset, side).items() if q in there)
        expected = plain.membership(data, subset, t, beta, [i_of])
        assert [row["F"], row["F_rel"]] == pytest.approx([expected["F"], expected["F_rel"]], abs=1e-9)
        rel = expected["F_rel"]
        best[i] = max(best.get(i, -np.inf), rel)
    worst = found.worst(beta)
    for i, rel in best.items():
        assert worst[i].figure == pytest.approx(rel, abs=1e-9)
        assert rows[worst[i].keys, i]["F_rel"] == pytest.approx(rel, abs=1e-9)
        assert worst[i].all_keys == pytest.approx(rows[tuple(keys), i]["F_rel"], abs=1e-9)
    row = found.summary().set_index("beta").loc[beta]
    each = [best[i] for i in range(1, m + 1)]
    assert [row["mean_of_worst"], row["min"], row["max"]] == pytest.approx(
        [np.mean(each), min(each), max(each)], abs=1e-9
    )
    means = {s: np.mean([rows[s, i]["F_rel"] for i in range(1, m + 1)]) for s, i in rows if i == 1}
    assert row["worst_F_rel"] == pytest.approx(max(means.values()), abs=1e-9)
    assert means[row["worst_keys"]] == pytest.approx(row["worst_F_rel"], abs=1e-9)
    assert row["F_rel"] == pytest.approx(means[tuple(keys)], abs=1e-9)
    assert row["worst_F"] == pytest.approx(
        np.mean([rows[row["worst_keys"], i]["F"] for i in range(1, m + 1)]), abs=1e-9
    )
    curve = found.curve(beta, "F_rel").set_index("n_keys")
    for size, line in curve.iterrows():
        of_size = [rel for s, rel in means.items() if len(s) == size]
        assert line["n_searched"] == len(of_size)
        assert [line["mean"], line["min"], line["max"]] == pytest.approx(
            [np.mean(of_size), min(of_size), max(of_size)], abs=1e-9
        )


def people(rng, n, cardinality=(4, 4, 4, 4)):
    """Draw people whose columns hang together a little."""
    kind = rng.integers(0, 3, n)
    return pd.DataFrame(
        {f"k{i}": np.where(rng.random(n) < 0.4, kind % c, rng.integers(0, c, n)) for i, c in enumerate(cardinality)}
    )


WIDE = (12,) * 8


def test_a_generator_that_generalises_and_one_that_copies():
    """consensus.md 6.1: the first falls with the number of keys and never beats guessing, the second rises."""
    rng = np.random.default_rng(8)
    training, holdout = people(rng, 8000, WIDE), people(rng, 2000, WIDE)
    settings = Settings(keys=tuple(training.columns))
    threat_model = replace(GATE, population_size=50_000)  # t = 0.2
    fresh = membership(partition(training, holdout, [people(rng, 8000, WIDE)]), settings, threat_model)
    copied = training.iloc[rng.integers(0, 8000, 8000)]
    copy = membership(partition(training, holdout, [copied]), settings, threat_model)
    falling, rising = fresh.curve()["mean"].to_numpy(), copy.curve()["mean"].to_numpy()
    assert (np.diff(falling[3:]) < 0).all()
    # One key is known of everybody, which is guessing: equal, and not above it by a rounding error of a mean.
    assert falling[-1] < falling[0] == float(f_naive(0.2))
    assert abs(fresh.worst()[MEAN].figure) < 0.03
    assert (np.diff(rising[3:]) > 0).all()
    assert copy.worst()[MEAN].keys == settings.keys
    # Rows that are nearly unique, drawn with replacement: near 0.6619.
    assert copy.worst()[MEAN].figure == pytest.approx(0.66, abs=0.03)
    assert str(copy.coverage) == "255 of 255 subsets searched"


def test_another_key_never_makes_more_people_match():
    rng = np.random.default_rng(5)
    found = membership(
        partition(people(rng, 300), people(rng, 200), [people(rng, 150)]),
        Settings(keys=("k0", "k1", "k2", "k3")),
        GATE,
    )
    rows = {frozenset(row["keys"]): row for row in found.rates.to_dict("records")}
    for small, large in itertools.permutations(rows, 2):
        if small < large:
            assert rows[large]["a"] <= rows[small]["a"]
            assert rows[large]["b"] <= rows[small]["b"]


@pytest.mark.slow
def test_a_worst_subset_picked_by_luck_reads_lower_on_the_other_half():
    """No member is better known here, so what the first half finds is luck."""
    rng = np.random.default_rng(12)
    picked, read = [], []
    for seed in range(40):
        of = partition(people(rng, 200), people(rng, 200), [people(rng, 60)])
        worst = membership(
            of,
            Settings(keys=("k0", "k1", "k2", "k3")),
            replace(GATE, population_size=400, training_alone=True),
            seed=seed,
        )
        honest = worst.honest_worst(0.5)
        picked.append(honest.picked)
        read.append(honest.read)
    assert np.mean(picked) > 0.01
    assert abs(np.mean(read)) < 4 * np.std(read) / np.sqrt(len(read)) + 0.005


def test_the_halves_are_all_the_people():
    rng = np.random.default_rng(5)
    of = partition(people(rng, 301), people(rng, 99), [people(rng, 40)])
    found = membership(of, Settings(keys=("k0", "k1", "k2", "k3")), GATE)
    row = found.rates.iloc[-1]
    assert 0 < row["a"] < 1
    a1, b1, a2, b2 = found.halves[-1]
    assert a1 * 151 + a2 * 150 == pytest.approx(row["n_match_training"])
    assert b1 * 50 + b2 * 49 == pytest.approx(row["n_match_holdout"])


def test_what_counts_is_the_motive_or_else_the_largest():
    rng = np.random.default_rng(3)
    training = people(rng, 400)
    of = partition(training, people(rng, 300), [training.iloc[:100]])
    settings = Settings(keys=("k0", "k1", "k2", "k3"))
    by_beta = membership(of, settings, GATE).summary().set_index("beta")["worst_F_rel"]
    assert by_beta.nunique() == 3
    assert membership(of, settings, GATE).decisive()["worst_F_rel"] == by_beta.max()
    assert membership(of, settings, replace(GATE, motive=Motive.PROFIT)).decisive()["beta"] == 2
    shown = membership(of, settings, GATE)._repr_html_()
    assert [f"<td>{worst:.4f}</td>" in shown for worst in by_beta] == [True] * 3


def test_all_keys_with_their_intervals():
    rng = np.random.default_rng(3)
    training = people(rng, 400)
    of = partition(training, people(rng, 300), [training.iloc[:200], people(rng, 100)])
    found = membership(of, Settings(keys=("k0", "k1", "k2", "k3")), replace(GATE, population_size=4000))
    rows = found.all_keys()
    assert rows["beta"].tolist() == [beta for beta in BETAS for _ in range(3)]
    assert rows["synthesis"].tolist() == [1, 2, ANY_SYNTHESIS] * 3
    for value, low, high in (
        ("F", "low", "high"),
        ("F_rel", "F_rel_low", "F_rel_high"),
        ("advantage", "advantage_low", "advantage_high"),
    ):
        assert (rows[low] < rows[value]).all()
        assert (rows[value] < rows[high]).all()
    row = rows[(rows["beta"] == 2) & (rows["synthesis"] == 2)].iloc[0]
    each = found.figures(2.0)
    (same,) = each[(each["synthesis"] == 2) & (each["keys"].map(len) == 4)]["F"]
    assert row["F"] == pytest.approx(same)


def test_what_stands_beside_the_figures():
    rng = np.random.default_rng(3)
    of = partition(people(rng, 100), people(rng, 100), [people(rng, 100)])
    settings = Settings(keys=("k0", "k1"))
    text = " ".join(membership(of, settings, GATE).notes)
    whole = "Prevalence 0.004: 200 records (the whole original: training data and holdout) of 50,000 people (register)."
    assert whole in text
    alone = " ".join(membership(of, settings, replace(GATE, training_alone=True)).notes)
    assert "Prevalence 0.002: 100 records (the training data alone) of 50,000 people (register)." in alone
    assert "whole original" not in alone
    some = " ".join(membership(of, settings, GATE, n_records=50).notes)
    assert "Prevalence 0.001: 50 records of 50,000 people (register)." in some
    assert "3 of 3 subsets searched" in text
    assert "guessable" not in text
    assert "random sample" not in text
    text = " ".join(
        membership(of, settings, replace(GATE, population_size=200, random_sample=False, source=""), 150).notes
    )
    assert "Prevalence 0.75: 150 records of 200 people; no source given." in text
    assert "already guessable without this release (F_naive 0.86)" in text
    assert "is not a simple random sample" in text


def test_a_search_reports_and_can_be_ended():
    rng = np.random.default_rng(3)
    of = partition(people(rng, 50), people(rng, 50), [people(rng, 50)])
    settings = Settings(keys=("k0", "k1", "k2", "k3"))
    seen = []
    membership(of, settings, GATE, search=Search(), progress=lambda *at: seen.append(at))
    assert seen[-1] == (15, 15)

    class EndedError(Exception):
        pass

    def end(*_):
        raise EndedError

    with pytest.raises(EndedError):
        membership(of, settings, GATE, progress=end)


def test_keys_that_are_not_there():
    of = partition(TINY, TINY, [TINY])
    with pytest.raises(DisclosureError, match="Choose at least one key"):
        membership(of, Settings(), GATE)
    with pytest.raises(DisclosureError, match="Key 'k9' is not in the training data, the holdout"):
        membership(of, Settings(keys=("k9",)), GATE)


def test_the_prevalence_is_that_of_the_whole_original_unless_the_training_data_are_named():
    rng = np.random.default_rng(3)
    of = partition(people(rng, 80), people(rng, 20), [people(rng, 80)])
    settings, threat_model = Settings(keys=("k0", "k1")), replace(GATE, population_size=1000)
    assert membership(of, settings, threat_model).t == 0.1
    assert membership(of, settings, replace(threat_model, training_alone=True)).t == 0.08
    assert membership(of, settings, threat_model, 500).t == 0.5
    for population, n, alone in ((99, None, False), (99, None, True), (200, 300, False)):
        with pytest.raises(DisclosureError, match="population cannot be smaller"):
            membership(of, settings, replace(threat_model, population_size=population, training_alone=alone), n)
    for n in (0, -5, 10.5, "100", True):
        with pytest.raises(DisclosureError, match="must be a whole number, 1 or more"):
            membership(of, settings, threat_model, n)


def test_the_interval_of_f_reaches_what_either_share_alone_does():
    """At few matches the upper end of a share is more than twice the share: so is that of F."""
    for a, b in ((0.005, 0.01), (0.4, 0.2)):
        (a_low, a_high), (b_low, b_high) = wilson(a, 200), wilson(b, 100)
        low, high = f_interval(a, 200, b, 100, 0.1)
        assert low <= min(f_closed(a_low, b, 0.1), f_closed(a, b_high, 0.1))
        assert high >= max(f_closed(a_high, b, 0.1), f_closed(a, b_low, 0.1))


def test_beta_is_1_where_nobody_states_one():
    said = {name: getattr(disclosure_core, name) for name in disclosure_core.__all__} | vars(Membership)
    beta = {
        name: inspect.signature(each).parameters["beta"].default
        for name, each in said.items()
        if inspect.isfunction(each) and "beta" in inspect.signature(each).parameters
    }
    assert {"strongest_intruder", "curve", "worst"} <= set(beta)
    assert set(beta.values()) == {1.0}
