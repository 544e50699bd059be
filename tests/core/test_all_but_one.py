"""Identity disclosure with all keys and with all but one."""

# Inside: the figures without each key, and their sentence, have no face of their own.

import re

import pytest

from disclosure_core import Exclusions, Settings, assess, demo, search_subsets
from disclosure_core.counting.identity import identity_without_each
from disclosure_core.figures import all_but_one, screen
from pages.keys.counted import in_words


@pytest.fixture(scope="module")
def study():
    return demo.study()


def test_each_row_is_what_the_other_keys_disclose_alone(study):
    settings = Settings(keys=demo.KEYS, exclusions=Exclusions(missing_keys={"employment"}))
    found = identity_without_each(study, settings).set_index("without")
    assert list(found.index) == ["", *settings.keys]
    for without, row in found.iterrows():
        keys = tuple(key for key in settings.keys if key != without)
        out = Exclusions(missing_keys={"employment"} & {*keys})
        alone = assess(study, Settings(keys=keys, targets=("abroad",), exclusions=out)).identity.mean()
        assert row.to_dict() == alone.to_dict()


def test_the_search_over_subsets_finds_the_same_without_each_key(study):
    settings = Settings(keys=demo.KEYS, targets=("abroad",), groups=demo.GROUPS)
    found = identity_without_each(study, settings).set_index("without")["repU"]
    searched = search_subsets(study, settings).each_key("repU").set_index("key")
    assert {key: found[key] for key in demo.KEYS} == searched["without"].to_dict()
    assert found[""] == searched["all"].iloc[0]


def test_the_figure_has_all_keys_on_top_then_the_key_that_matters_most(study):
    frame = identity_without_each(study, Settings(keys=demo.KEYS))
    plot = all_but_one.describe(frame, study.n_original)
    assert [bar.label for bar in plot.bars] == [
        "all keys", "without age", "without region", "without employment", "without sex",
    ]  # fmt: skip
    assert plot.bars[0].figure == "7.03 (25.06)"
    assert all_but_one.finding(frame) == "Without age, repU falls from 7.03 to 0.00 %"


@pytest.mark.parametrize("moves", [(0.5, 0, -2.25, -7), (10.5, -0.5, 3, 0.25)])
def test_each_bar_tells_by_how_much_the_others_move(study, moves):
    frame = identity_without_each(study, Settings(keys=demo.KEYS))
    frame["repU"] = [7, *(7 + move for move in moves)]
    every, *rest = all_but_one.describe(frame, study.n_original).bars
    for bar in rest:
        moved = re.fullmatch(r"repU changes by ([+−][\d.]+|0\.00) percentage points", bar.told)
        assert moved is not None, bar.told
        assert float(moved[1].replace("−", "-")) == bar.value - every.value


def test_an_axis_of_figures_that_are_all_0_is_of_whole_numbers(study):
    frame = identity_without_each(study, Settings(keys=("sex",)))
    assert not frame[["UiO", "repU"]].to_numpy().any()
    assert screen.draw(all_but_one.describe(frame, study.n_original)).layout.xaxis.range[1] > 1


def test_a_finding_claims_no_fall_where_there_is_none(study):
    frame = identity_without_each(study, Settings(keys=("sex",)))
    assert all_but_one.finding(frame) == "Nobody who is unique matches exactly one synthetic record"
    frame = identity_without_each(study, Settings(keys=demo.KEYS))
    frame.loc[1:, "repU"] = [7.5, 7.032, 8.0, 9.0]
    assert all_but_one.finding(frame) == "Without any one of the keys, repU stays at 7.03 % or more"


@pytest.mark.parametrize(
    ("percent", "words"),
    [
        (0, "None"), (0.004, "About 1 in 25,000"), (25.06, "About 1 in 4"), (7.03, "About 1 in 14"),
        (48.38, "About half"), (70, "About 7 in 10"), (99.2, "Nearly all"), (100, "All"),
    ],
)  # fmt: skip
def test_a_share_is_said_in_words(percent, words):
    assert in_words(percent) == words
