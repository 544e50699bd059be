"""Settings: equal ones are equal, JSON there and back, and nothing but a sentence for what cannot be."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, Exclusions, Pair, Settings, Thresholds

names = st.text(max_size=8)
pairs = st.builds(Pair, names, names, names)
exclusions = st.builds(
    Exclusions,
    target_levels=st.dictionaries(names, st.lists(names, max_size=3), max_size=3),
    missing_targets=st.frozensets(names, max_size=3),
    missing_keys=st.frozensets(names, max_size=3),
    pairs=st.dictionaries(names, st.lists(pairs, max_size=3), max_size=3),
    denominator_limit=st.one_of(st.none(), st.integers(1, 10**6)),
)
share = st.one_of(st.integers(0, 100), st.floats(0, 100))
thresholds = st.builds(
    Thresholds,
    one_way=st.tuples(st.integers(0, 1000), share),
    two_way=st.tuples(st.integers(0, 1000), share),
)


@st.composite
def settings(draw):
    columns = draw(st.lists(names, unique=True, max_size=6))
    cut = draw(st.integers(0, len(columns)))
    return Settings(
        keys=columns[:cut],
        targets=draw(st.sampled_from([None, tuple(columns[cut:])])),
        groups=draw(st.dictionaries(names, st.sampled_from([0, 2, 20, (18,), (-1, 0.5, 65)]), max_size=3)),
        exclusions=draw(exclusions),
        thresholds=draw(thresholds),
    )


@given(settings())
def test_json_there_and_back(asked):
    again = Settings.from_json(asked.to_json())
    assert again.to_json() == asked.to_json()
    assert again.exclusions == asked.exclusions
    assert again.thresholds == asked.thresholds
    assert set(again.keys) == set(asked.keys)
    assert hash(again.exclusions) == hash(asked.exclusions)


@given(st.dictionaries(names, st.lists(names, min_size=1, max_size=3), max_size=4))
def test_order_does_not_make_settings_differ(levels):
    turned = {name: [*reversed(found)] for name, found in reversed(levels.items())}
    one = Settings(exclusions=Exclusions(target_levels=levels))
    other = Settings(exclusions=Exclusions(target_levels=turned))
    assert one == other
    assert one.to_json() == other.to_json()


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.text() | plain.map(lambda x: json.dumps(x)))
def test_anything_else_is_a_sentence(text):
    with pytest.raises(DisclosureError, match="saved review|settings file|saved file"):
        Settings.from_json(text)


@given(st.data())
def test_a_damaged_file_is_a_sentence(data):
    whole = json.loads(Settings(keys=("a",), groups={"b": 3}, exclusions=Exclusions(pairs={"t": [Pair("a", "1", "2")]})).to_json())  # fmt: skip
    place = data.draw(st.sampled_from([("keys",), ("targets",), ("groups",), ("exclusions",), ("thresholds",),
                                       ("exclusions", "pairs"), ("exclusions", "denominator_limit")]))  # fmt: skip
    part = whole
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = data.draw(plain)
    try:
        found = Settings.from_json(json.dumps(whole))
    except DisclosureError:
        return
    assert Settings.from_json(found.to_json()).to_json() == found.to_json()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Settings(keys=("a", "a")), "'a' is named twice as a key; name it once."),
        (lambda: Settings(keys=("a",), targets=("a",)), "'a' is both a key and a target; choose one of the two."),
        (lambda: Settings(groups={"a": 1}), "Ask for 2 to 10,000 groups of 'a', or 0 for none."),
        (lambda: Settings(groups={"a": -3}), "Ask for 2 to 10,000 groups of 'a', or 0 for none."),
        (lambda: Settings(groups={"a": 2.5}), "Ask for 2 to 10,000 groups of 'a', or 0 for none."),
        (lambda: Settings(groups={"a": 1e300}), "Ask for 2 to 10,000 groups of 'a', or 0 for none."),
        (lambda: Settings(groups={"a": ()}), "Give the breaks of 'a' as rising numbers, such as 18, 30, 65."),
        (lambda: Settings(groups={"a": (65, 18)}), "Give the breaks of 'a' as rising numbers, such as 18, 30, 65."),
        (lambda: Settings(groups={"a": (18, "65")}), "Give the breaks of 'a' as rising numbers, such as 18, 30, 65."),
        (lambda: Settings(groups={"a": (18, True)}), "Give the breaks of 'a' as rising numbers, such as 18, 30, 65."),
        (
            lambda: Settings(groups={"a": (0, math.nan)}),
            "Give the breaks of 'a' as rising numbers, such as 18, 30, 65.",
        ),
        (
            lambda: Settings(groups={"a": (0, math.inf)}),
            "Give the breaks of 'a' as rising numbers, such as 18, 30, 65.",
        ),
        (lambda: Settings(groups={"a": (0, 10**400)}), "Give the breaks of 'a' as rising numbers, such as 18, 30, 65."),
        (lambda: Settings(groups={"a": (18, 18.0)}), "Give the breaks of 'a' as rising numbers, such as 18, 30, 65."),
        (lambda: Settings(groups={"a": float("inf")}), "Ask for 2 to 10,000 groups of 'a', or 0 for none."),
        (lambda: Exclusions(denominator_limit=float("inf")), "The denominator limit must be a whole number of records"),
        (lambda: Thresholds(one_way=(10**400, 90)), "The one-way thresholds must be a number of records"),
        (lambda: Settings.from_json('{"schema": true}'), "names no schema"),
        (lambda: Settings.from_json('{"schema": -1}'), "names no schema"),
        (lambda: Exclusions(denominator_limit=0), "The denominator limit must be a whole number of records"),
        (lambda: Exclusions(denominator_limit=1.5), "The denominator limit must be a whole number of records"),
        (lambda: Exclusions(denominator_limit=True), "The denominator limit must be a whole number of records"),
        (lambda: Thresholds(one_way=(-1, 90)), "The one-way thresholds must be a number of records"),
        (lambda: Thresholds(two_way=(4, 101)), "The two-way thresholds must be a number of records"),
        (lambda: Thresholds(two_way=(4, float("nan"))), "The two-way thresholds must be a number of records"),
        (
            lambda: Settings.from_json('{"schema": 2}'),
            "was written by a newer version; update this program",
        ),
        (lambda: Settings.from_json("["), "is not valid JSON"),
        (lambda: Settings.from_json("{}"), "names no version"),
        (lambda: Settings.from_json('{"schema": 1, "keys": 3}'), "is damaged at 'intruders.0.keys'"),
        (lambda: Settings.from_json('{"schema": 1, "groups": {"a": "3"}}'), "is damaged at 'groups.a'"),
        (lambda: Settings.from_json('{"schema": 1, "treshold": {}}'), "Did you mean 'thresholds'?"),
        (lambda: Settings.from_json('{"schema": 1, "keys": ["a"], "targets": ["a"]}'), "both a key and a target"),
    ],
)
def test_what_cannot_be_is_a_sentence(make, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        make()


def test_equal_thresholds_are_equal_texts():
    assert Settings(thresholds=Thresholds((50.0, 90.0), (4, 80))).to_json() == Settings().to_json()
    assert Thresholds(one_way=(float("inf"), 90)).one_way[0] == float("inf")


@given(exclusions, st.data())
def test_what_is_left_out_of_one_target_is_changed_for_it_alone(out, data):
    known = {*dict(out.target_levels), *dict(out.pairs), *out.missing_targets, "new"}
    target = data.draw(st.sampled_from(sorted(known)))

    def of(found):
        return {t: (found.levels_of(t), found.pairs_of(t), t in found.missing_targets) for t in known}

    levels, pairs_there, missing = of(out)[target]
    pair = Pair("key", "level", "answer")
    for changed, now in (
        (out.with_levels(target, ["y", "x"]), (("x", "y"), pairs_there, missing)),
        (out.with_pairs(target, [pair]), (levels, (pair,), missing)),
        (out.with_missing_target(target, True), (levels, pairs_there, True)),
        (out.with_missing_target(target, False), (levels, pairs_there, False)),
    ):
        assert of(changed) == of(out) | {target: now}
        assert (changed.missing_keys, changed.denominator_limit) == (out.missing_keys, out.denominator_limit)


def test_a_file_with_the_names_of_its_data_is_read_too():
    asked = Settings(keys=("a",))
    text = json.dumps(json.loads(asked.to_json()) | {"files": {"x.csv": "12"}})
    assert Settings.from_json(text) == asked


def test_only_keys_targets_and_groups_need_a_new_count():
    base = Settings(keys=("a",), groups={"b": 5})
    toggled = Settings(
        keys=("a",), groups={"b": 5}, exclusions=Exclusions(denominator_limit=1), thresholds=Thresholds((1, 1), (1, 1))
    )
    assert toggled.counting() == base.counting()
    for other in (
        Settings(keys=("a", "c"), groups={"b": 5}),
        Settings(keys=("a",)),
        Settings(("a",), ("b",), {"b": 5}),
    ):
        assert other.counting() != base.counting()


WRONG_TYPES = [
    # What a user may well write, and what the sentence says.
    (lambda: Settings(keys="sex"), r"Give the keys as a list, even if there is only one: \['sex'\]"),
    (lambda: Settings(keys=3), "Give the keys as a list"),
    (lambda: Settings(keys=None), "Give the keys as a list"),
    (lambda: Settings(keys=("sex", 3)), "The keys hold 3, which is no text; write '3' instead of 3"),
    (lambda: Settings(keys=("sex", None)), "The keys hold None, which is no text"),
    (lambda: Settings(targets="income"), "Give the targets as a list"),
    (lambda: Settings(targets=[["income"]]), "The targets hold"),
    (lambda: Settings(groups="income"), "Give the groups as a mapping"),
    (lambda: Settings(groups=["income", 20]), "Give the groups as a mapping"),
    (lambda: Settings(groups=20), "Give the groups as a mapping"),
    (lambda: Settings(groups={3: 20}), "Give the groups as a mapping"),
    (lambda: Settings(groups={"income": "20"}), "Ask for 2 to 10,000 groups of 'income'"),
    (lambda: Settings(groups={"income": None}), "Ask for 2 to 10,000 groups of 'income'"),
    (lambda: Settings(exclusions={"abroad": ["No"]}), r"The exclusions of Settings are Exclusions\(…\)"),
    (lambda: Settings(thresholds=(50, 90)), r"The thresholds of Settings are Thresholds\(…\)"),
    (lambda: Exclusions(target_levels="abroad"), "Give the target levels excluded as a mapping"),
    (lambda: Exclusions(target_levels={"abroad": "No"}), "Give the target levels excluded of 'abroad' as a list"),
    (lambda: Exclusions(target_levels={"age": [19]}), "'age' hold 19, which is no text; write '19' instead of 19"),
    (lambda: Exclusions(target_levels={"age": 19}), "Give the target levels excluded of 'age' as a list"),
    (lambda: Exclusions(missing_targets="income"), "Give the missing targets as a list"),
    (lambda: Exclusions(missing_keys="sex"), "Give the missing keys as a list"),
    (lambda: Exclusions(missing_keys=True), "Give the missing keys as a list"),
    (lambda: Exclusions(pairs={"t": Pair("a", "b", "c")}), "Give the pairs excluded of 't' as a list"),
    (lambda: Exclusions(pairs={"t": [("a", "b", "c")]}), r"is no Pair; write Pair\(key, key_level, target_level\)"),
    (lambda: Exclusions(pairs=[Pair("a", "b", "c")]), "Give the pairs excluded as a mapping"),
    (lambda: Exclusions(denominator_limit="5"), "denominator limit must be a whole number"),
    (lambda: Exclusions(denominator_limit=True), "denominator limit must be a whole number"),
    (lambda: Pair("age", 19, "SINGLE"), "write '19' instead of 19"),
    (lambda: Pair("age", "19", None), "as texts"),
    (lambda: Thresholds(one_way=50), "The one-way thresholds must be"),
    (lambda: Thresholds(two_way="80"), "The two-way thresholds must be"),
    (lambda: Thresholds(two_way=None), "The two-way thresholds must be"),
    (lambda: Thresholds(one_way={50: 90}), "The one-way thresholds must be"),
]


@pytest.mark.parametrize(("make", "sentence"), WRONG_TYPES)
def test_a_wrong_type_is_a_sentence(make, sentence):
    with pytest.raises(DisclosureError, match=sentence):
        make()


def test_what_only_looks_like_a_wrong_type_is_taken():
    asked = Settings(keys={"sex"}, targets=pd.Index(["income"]), groups={"income": np.int64(20)})
    assert asked == Settings(keys=("sex",), targets=("income",), groups={"income": 20})
    assert Thresholds(one_way=[np.int64(50), np.float64(90.5)]) == Thresholds((50, 90.5))


def test_as_many_own_breaks_are_taken_as_groups_can_be_asked_for():
    breaks = tuple(range(10_000))
    assert dict(Settings(groups={"a": breaks}).groups) == {"a": breaks}
    with pytest.raises(DisclosureError, match="as rising numbers"):
        Settings(groups={"a": (*breaks, 10_000)})
