"""What a person does in a table of ours is done once, in order, and what is no browser of ours asks for nothing."""

# Inside: what browsers tell of acts, out of order and twice.

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.parts import MOST, Heard, new_acts

PAGE, OTHER = "a" * 20, "b" * 20


def told(numbers, page=PAGE, of="review"):
    return {"page": page, "of": of, "acts": [{"n": n, "tick": str(n)} for n in numbers]}


@given(st.lists(st.integers(1, 12), min_size=1, max_size=12))
def test_acts_that_are_told_again_and_again_are_done_once_in_order(ends):
    heard, done = Heard(), []
    for end in ends:  # a browser tells all that it does not know to be heard, from wherever it begins
        for now, act in new_acts(told(range(1, end + 1)), "review", heard)[0]:
            done.append(act["tick"])
            heard = now
    assert done == [str(n) for n in range(1, max(ends) + 1)]


def test_a_page_that_is_loaded_anew_counts_from_one():
    acts, heard = new_acts(told([1, 2], OTHER), "review", Heard(PAGE, 7))
    assert [act["tick"] for _, act in acts] == ["1", "2"]
    assert heard == Heard(OTHER, 2)


def test_more_acts_than_one_message_may_hold_wait():
    acts, heard = new_acts(told(range(1, MOST + 50)), "review", Heard())
    assert (len(acts), heard.n) == (MOST, MOST)
    assert new_acts(told(range(1, MOST + 50)), "review", heard)[0] == []  # the browser tells those that wait, alone


@pytest.mark.parametrize(
    "said",
    [
        None, 7, "told", [], {}, told([1], of="another"), told([1], page="Short"), told([1], page="a" * 65),
        told([1], page=7), {**told([1]), "acts": {}}, {**told([1]), "acts": [7, None, "n", {"n": True}, {"n": "1"}, {"n": 0}]},
        {**told([1]), "acts": [{"tick": "no number"}, {"n": 1.0}]},
    ],
)  # fmt: skip
def test_what_is_no_browser_of_ours_asks_for_nothing(said):
    assert new_acts(said, "review", Heard()) == ([], Heard())
