"""Scenarios side by side, and a review in one file."""

from dataclasses import replace

import pytest

from disclosure_core import DisclosureError, Exclusions, Scenario, Settings, assess, demo
from disclosure_core.results.scenarios import figures_of, side_by_side
from disclosure_core.review.scenarios import (
    MOST,
    all_flagged,
    assessed,
    flagged_levels,
    flagged_pairs,
    paper_scenarios,
    with_scenario,
)

STUDY = demo.study()
BASE = assess(STUDY, Settings(keys=demo.KEYS, groups=demo.GROUPS))


@pytest.mark.slow
def test_the_five_columns_of_the_paper():
    five = paper_scenarios(BASE)
    levels = Exclusions(target_levels=flagged_levels(BASE))
    missing = replace(levels, missing_targets=frozenset(BASE.targets), missing_keys=frozenset(demo.KEYS))
    out = [Exclusions(), levels, missing, replace(missing, denominator_limit=1), Exclusions(denominator_limit=1)]
    assert [scenario.exclusions for scenario in five] == out
    table = side_by_side(figures_of(assessed(STUDY, BASE, five)))
    assert [name.rpartition(" · ")[0] for name in table.columns[1::2]] == [s.name for s in five]
    for scenario in five:
        fresh = assess(STUDY, Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=scenario.exclusions)).summary()
        rows = fresh.set_index("target").loc[table["target"]]
        assert table[f"{scenario.name} · Dorig"].tolist() == rows["original"].tolist()
        assert table[f"{scenario.name} · DiSCO"].tolist() == rows["synthetic"].tolist()
    # Each column but the last takes more than the one before; the order of rows is that of the first.
    values = table.iloc[:, 2::2].to_numpy()
    assert (values[:, 1:4] <= values[:, :3]).all()
    assert (values[:, 4] <= values[:, 0]).all()
    assert table["target"].tolist() == BASE.summary()["target"].tolist()[::-1]
    # What is flagged is what is out: nothing else in column two.
    flagged = {name for name, risk in BASE.targets.items() if risk.flags[0]}
    assert set(flagged_levels(BASE)) == flagged
    changed = {t for t, a, b in zip(table["target"], values[:, 0], values[:, 1], strict=True) if a != b}
    assert changed == flagged


def test_everything_flagged_is_left_out_and_nothing_kept_is_lost():
    first = Exclusions(target_levels={"marital": ["Single"]}, denominator_limit=3)
    held = assess(STUDY, replace(BASE.settings, exclusions=first))
    out = all_flagged(held)
    assert out.denominator_limit == 3
    assert "Single" in out.levels_of("marital")
    for name, levels in flagged_levels(held).items():
        assert set(levels) <= set(out.levels_of(name))
    for name, pairs in flagged_pairs(held).items():
        assert set(pairs) <= set(out.pairs_of(name))
    assert flagged_pairs(BASE)
    after = assess(STUDY, replace(BASE.settings, exclusions=all_flagged(BASE)))
    for name, pairs in flagged_pairs(after).items():  # a pair that is out never comes back
        assert not set(pairs) & set(out.pairs_of(name))
    assert all_flagged(BASE, levels=False).target_levels == ()
    assert all_flagged(BASE, pairs=False).pairs == ()


def test_names_are_kept_apart():
    one = with_scenario((), Scenario(" first ", Exclusions()))
    assert one[0].name == "first"
    two = with_scenario(one, Scenario("second", Exclusions(denominator_limit=1)))
    renamed = with_scenario(two, Scenario("other", two[0].exclusions), instead="first")
    assert [s.name for s in renamed] == ["other", "second"]
    many = tuple(Scenario(str(i), Exclusions()) for i in range(MOST))
    for wrong, sentence in (
        (lambda: with_scenario(two, Scenario("second", Exclusions())), "There is a scenario 'second' already"),
        (lambda: with_scenario(two, Scenario("second", Exclusions()), instead="first"), "There is a scenario 'second'"),
        (lambda: Scenario("  ", Exclusions()), "Give the scenario a name of 1 to 60 letters"),
        (lambda: Scenario("x" * 61, Exclusions()), "Give the scenario a name of 1 to 60 letters"),
        (
            lambda: with_scenario(many, Scenario("new", Exclusions())),
            "There are 50 scenarios already; delete one first",
        ),
    ):
        with pytest.raises(DisclosureError, match=sentence):
            wrong()
