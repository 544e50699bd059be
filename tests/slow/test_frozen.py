"""Every table and sheet of a dozen reviews is what it was; where one moves on purpose, the commit says why.

`python -m tests.slow.frozen FOLDER` before and after a change, and `diff -r`, show what moved.
"""

import json

import pytest

from tests.slow.frozen import FROZEN, KEPT, digests

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", FROZEN)
def test_a_review_comes_out_as_it_did(name):
    now, was = digests(name), json.loads(KEPT.read_text(encoding="utf-8"))[name]
    moved = sorted(part for part in now.keys() | was.keys() if now.get(part) != was.get(part))
    assert not moved, f"meant? Take it over by `python -m tests.slow.frozen`, and say why in the commit: {moved}"


def test_nothing_is_frozen_that_nobody_counts():
    assert json.loads(KEPT.read_text(encoding="utf-8")).keys() == FROZEN.keys()
