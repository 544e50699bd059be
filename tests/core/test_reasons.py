"""Which exclusions move the figures of what is asked."""

# Inside: what exclusions are called is moved with them.

from disclosure_core import Exclusions, Pair, Settings
from disclosure_core.review.reasons import names


def moved(asked):
    return asked.exclusions.moving(asked.keys, asked.targets)


def test_what_moves_the_figures_is_left_out_of_a_target_that_there_is():
    out = Exclusions(
        target_levels={"t": ["a"], "other": ["c"]}, missing_targets={"t", "other"}, missing_keys={"k"},
        pairs={"other": (Pair("k", "1", "b"),), "t": (Pair("k", "1", "a"),)}, denominator_limit=4,
    )  # fmt: skip
    left_out = ("missing keys", "denominators", "t = a", "t missing", "k = 1, t = a")
    assert names(moved(Settings(keys=("k",), targets=("t",), exclusions=out))) == left_out
    assert names(moved(Settings(keys=("k",), exclusions=out))) == names(out)
    known = Exclusions(target_levels={"other": ["c"], "t": ["a"]}, missing_keys={"j"})
    assert names(moved(Settings(keys=("k", "other"), exclusions=known))) == ("t = a",)
