"""Which files belong to one set of syntheses."""

# Inside: files are put into sets by their names, without the page.

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import DisclosureError, start
from disclosure_core.review.parts import SYNTHETIC
from disclosure_core.review.sets import LONGEST, grouped, sentence, suggested

CASES = {
    "numbers at the end": (["cart_1.csv", "cart_2.csv", "gan_1.csv", "gan_2.csv"], ["cart", "cart", "gan", "gan"]),
    "one set only": (["synthetic_1.csv", "synthetic_2.csv"], [SYNTHETIC] * 2),
    "nothing in common": (["a.csv", "b.csv"], [SYNTHETIC] * 2),
    "folders": (["cart/s1.csv", "cart/s2.csv", "gan\\s1.csv"], ["cart", "cart", "gan"]),
    "archives": (["cart.zip", "parametric.zip"], ["cart", "parametric"]),
    "endings of all kinds": (["cart 1.csv.gz", "cart (2).RDS", "gan300-1.sav"], ["cart", "cart", "gan300"]),
    "a number is part of the name": (["gan300_1.csv", "gan300_2.csv", "gan50_1.csv"], ["gan300", "gan300", "gan50"]),
    "one file": (["release.csv"], [SYNTHETIC]),
    "numbers alone": (["1.csv", "2.csv"], [SYNTHETIC] * 2),
}


@pytest.mark.parametrize("case", CASES)
def test_what_names_suggest(case):
    names, expected = CASES[case]
    assert list(suggested(names)) == expected


@given(st.lists(st.text(max_size=80), min_size=1, max_size=8))
def test_any_names_give_sets_that_can_be_taken(names):
    found = suggested(names)
    sets = grouped(found)
    assert sorted(i for files in sets.values() for i in files) == list(range(len(names)))
    assert all(0 < len(name) <= LONGEST for name in sets)
    assert sentence(sets)


def test_a_name_is_needed():
    assert grouped(["b", " a ", "b"]) == {"b": [0, 2], "a": [1]}
    for bad in ("", "   ", "x" * (LONGEST + 1)):
        with pytest.raises(DisclosureError, match="Give each file a set"):
            grouped(["a", bad])


def test_files_with_no_column_in_common_are_told_with_what_they_have():
    files = {"o.csv": b"a,b,c,d,e,f\n1,2,3,4,5,6\n", "s.csv": b"v,w,x,y\n1,2,3,4\n", "t.csv": b"a,b\n1,2\n"}
    told = "o.csv has 'a', 'b', 'c', 'd' and 2 more; s.csv has 'v', 'w', 'x', 'y'. Give them the same header"
    with pytest.raises(DisclosureError, match=f"no column name in common: {re.escape(told)}"):
        start(("o.csv", files["o.csv"]), {"cart": [("s.csv", files["s.csv"])]})
    several = {"cart": [("t.csv", files["t.csv"])], "gan": [("s.csv", files["s.csv"])]}
    with pytest.raises(DisclosureError, match=re.escape(told)):
        start(("o.csv", files["o.csv"]), several)
