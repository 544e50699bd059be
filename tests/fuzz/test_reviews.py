"""Saved reviews with any part of them changed: each is opened and gives figures, or is refused with one sentence."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    Exclusions,
    MergeLevels,
    Pair,
    RemoveReplicated,
    RoundTo,
    Settings,
    assess,
    open_review,
    start,
)
from tests.fuzz.structures import INTEGERS, NAMES, TEXTS
from tests.saved import from_json, to_json

ROWS = [
    ("f", 30, "x", -8),
    ("m", 41, "y", 5),
    ("f", 52, "x", 7),
    ("m", 30, "", 5),
    ("f", 30, "x", 9),
    ("m", 41, "y", 7),
]
TABLE = ("sex,age,work,income\n" + "\n".join(",".join(map(str, row)) for row in ROWS * 3) + "\n").encode()
OTHER = ("sex,age,work,income\n" + "\n".join(",".join(map(str, row)) for row in ROWS[1:] * 3) + "\n").encode()
FILES = {"original.csv": TABLE, "synthetic.csv": OTHER}


def a_review() -> str:
    """Return a review that says something of nearly everything, as JSON."""
    opened = start(("original.csv", TABLE), {"synthetic": [("synthetic.csv", OTHER)]})
    out = Exclusions(target_levels={"work": ("x",)}, missing_targets={"work"}, pairs={"work": (Pair("sex", "f", "y"),)}, denominator_limit=4)  # fmt: skip
    review = opened.review.with_settings(Settings(keys=("sex", "age"), targets=("work", "income"), groups={"income": 2}, exclusions=out))  # fmt: skip
    review = review.with_steps((RemoveReplicated(), MergeLevels("work", 2, "Other"), RoundTo("income", 5)))
    review = replace(review, reasons={"work": "known"}, about={"Officer": "A. Person"}, searched=frozenset({"subsets"}))
    return to_json(review)


@pytest.fixture(scope="module")
def saved():
    return json.loads(a_review())


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.sampled_from(INTEGERS), st.floats(), st.sampled_from([*TEXTS, *NAMES, "sex", "age", "work", "f", "x", "original.csv"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, "kind", "name", "column"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def one_sentence(said):
    assert re.fullmatch(r"[^\n]{15,900}[.?]", said), said


def opened_and_computed(text):
    """Open a saved review on its files, and hold its figures against those computed afresh; or read the sentence."""
    try:
        review = from_json(text)
        assert from_json(to_json(review)) == review
        opened = open_review(review, FILES, other_data=True)
        if not opened.review.keys:
            return
        found = opened.assessment()
        json.loads(opened.to_json())
    except DisclosureError as error:
        one_sentence(str(error))
        return
    again = assess(opened.study(), opened.review.settings)  # computed afresh, by nobody's memory
    assert list(again.targets) == list(found.targets)
    for name, risk in again.targets.items():
        assert risk.attribute.equals(found.targets[name].attribute)
    assert again.identity.equals(found.identity)


def changed(draw, part, depth=0):
    """Return a part of a review with one place in it changed."""
    inside = isinstance(part, (dict, list)) and len(part) > 0
    if not inside or (depth and draw(st.integers(0, 3)) == 0):
        return draw(ANYTHING)
    if isinstance(part, dict):
        name = draw(st.sampled_from(sorted(part)))
        kind = draw(st.integers(0, 6))
        if kind == 0:
            return {k: v for k, v in part.items() if k != name}
        if kind == 1:
            return part | {draw(st.sampled_from(["", *NAMES])): draw(ANYTHING)}
        return part | {name: changed(draw, part[name], depth + 1)}
    i = draw(st.integers(0, len(part) - 1))
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return [*part, part[i]]
    return part[:i] + ([] if kind == 1 else [changed(draw, part[i], depth + 1)]) + part[i + 1 :]


@given(st.data())
def test_a_review_with_any_part_of_it_changed(saved, data):
    plain = saved
    for _ in range(data.draw(st.integers(1, 3))):
        plain = changed(data.draw, plain)
    try:
        text = json.dumps(plain, ensure_ascii=data.draw(st.booleans()))
    except UnicodeEncodeError:
        return
    note(text)
    opened_and_computed(text)


@example('{"review": 2, "": null}')
@example('{"review": 3, "columns": {"": 1}}')
@given(st.one_of(st.text(max_size=60), st.binary(max_size=60).map(lambda b: b.decode("latin-1")), st.sampled_from(["[" * 100_000, '{"review":' * 50_000, "1" * 10_000, '{"review": 1e999}', '{"review": NaN}', "\ud800"])))  # fmt: skip
def test_text_that_is_no_review(text):
    with pytest.raises(DisclosureError, match=r"\.$"):
        from_json(text)
