"""Every table and sheet of a dozen reviews is what it was; where one moves on purpose, the commit says why.

`python -m tests.slow.frozen FOLDER` before and after a change, and `diff -r`, show what moved.
"""

import json

import pytest

from tests.slow.frozen import FROZEN, KEPT, digests

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", FROZEN)
def test_a_review_comes_out_as_it_did(name):
    assert digests(name) == json.loads(KEPT.read_text(encoding="utf-8"))[name]


def test_nothing_is_frozen_that_nobody_counts():
    assert json.loads(KEPT.read_text(encoding="utf-8")).keys() == FROZEN.keys()
