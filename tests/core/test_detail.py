"""Detail lost, held against a count over lists: entropies and medians by the definitions of measures.md 11."""

import math
from collections import Counter
from statistics import median

import pandas as pd
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from disclosure_core import Cap, Coarsen, DisclosureError, MergeLevels, RemoveUniques, RoundTo, Settings, protect


def entropy(values):
    return -sum(n / len(values) * math.log(n / len(values)) for n in Counter(values).values())


def around(values):
    return sum(abs(v - median(values)) for v in values) if values else 0.0


def retained(was, now, *, number):
    if not number:
        return entropy(now) / entropy(was) if entropy(was) else 1.0
    pairs = [(v, b) for v, b in zip(was, now, strict=True) if v is not None and v != -8]
    whole = around([v for v, _ in pairs])
    bands = {b: [v for v, band in pairs if band == b] for _, b in pairs}
    return 1 - sum(map(around, bands.values())) / whole if whole else 1.0


PEOPLE = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from([-8, 1, 2, 3, 5, 8, 13, 40])), min_size=6, max_size=40
)
STEPS = st.lists(
    st.one_of(
        st.builds(MergeLevels, st.just("c"), st.integers(2, 9)), st.builds(Cap, st.just("x"), st.just(2.0), st.just(8.0)),
        st.builds(RoundTo, st.just("x"), st.sampled_from([2.0, 5.0])), st.just(RemoveUniques()),
    ),
    max_size=3,
)  # fmt: skip


@given(PEOPLE, PEOPLE, STEPS, st.booleans())
def test_detail_lost_is_counted_again(original, synthetic, steps, grouped):
    frames = [pd.DataFrame(rows, columns=["c", "x"]) for rows in (original, synthetic)]
    codes = {"x": (-8,)} if any(x == -8 for _, x in original) else {}
    steps = [*steps, *([Coarsen("x", 2)] if grouped else [])]
    try:
        made = protect(frames[0], frames[1:], steps, Settings(keys=("c", "x")), codes)
    except DisclosureError:  # nothing left of a synthesis, or a column that is no number any more
        reject()
    kept = len(made.tables[0]) / len(synthetic)
    for j, (name, number) in enumerate((("c", False), ("x", True))):
        column = made.study.columns[name]
        now = [column.labels[code] for code in column.original.tolist()]
        r = retained(frames[0][name].tolist(), now, number=number)
        at = made.detail.columns.index(name)
        assert made.detail.figures[0, at] == pytest.approx(100 * (1 - kept * r), abs=1e-9), name
    assert made.detail.means[0] == pytest.approx(made.detail.figures[0].mean())


def test_nothing_is_lost_where_nothing_is_done_and_all_where_one_value_is_left():
    frame = pd.DataFrame({"c": ["a", "b", "a", "b"], "x": [1, 2, 3, 4], "same": ["z"] * 4})
    assert not protect(frame, [frame], [], Settings(keys=("c",))).detail.figures.any()
    made = protect(frame, [frame], [MergeLevels("c", 9), Cap("x", high=0.5)], Settings(keys=("c",)))
    assert made.detail.figures.tolist() == [[100, 100, 0]]
    assert (
        made.detail.sentence
        == "Detail lost: 66.7\N{NO-BREAK SPACE}% over all 3 columns; most in 'c', 100.0\N{NO-BREAK SPACE}%."
    )
