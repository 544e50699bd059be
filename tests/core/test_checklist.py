"""The checklist says answered exactly where something was answered, whatever else was."""

# Inside: every combination of answers, without a report of each.

from dataclasses import replace
from itertools import product

import pandas as pd
import pytest

from disclosure_core import KeySet, Limit, Limits, Motive, ThreatModel, start_tables
from disclosure_core.report.checklist import items
from disclosure_core.review import about as of_release
from disclosure_core.review.about import not_stated
from tests.reports import Look, assemble, blocks

FRAME = pd.DataFrame({"k": list("aabbc") * 4, "t": list("xyxyz") * 4})
ABOUT = (of_release.DECISION, of_release.RELEASED, of_release.GENERATOR, of_release.POPULATION, of_release.INTRUDER,
         of_release.GROUP_HARM, of_release.RECIPIENTS)  # fmt: skip


@pytest.fixture(scope="module")
def source():
    opened = start_tables(FRAME, [FRAME[::-1]])
    return assemble(opened.with_review(replace(opened.review, intruders=(KeySet("an intruder", ("k",)),))), Look())


def of(source, *, shareable=False, **changes):
    """The same report of a review that says something else; its sections and figures stay."""
    opened = source.opened.with_review(replace(source.review, **changes))
    return replace(source, opened=opened, look=replace(source.look, shareable=shareable))


def about(answered):
    return {label: "said" for label, given in zip(ABOUT, answered, strict=True) if given}


@pytest.mark.parametrize("shareable", [False, True])
def test_what_is_said_of_the_release_in_all_combinations(source, shareable):
    for answered in product([False, True], repeat=len(ABOUT)):
        decision, released, generator, population, intruder, harm, access = answered
        found = items(of(source, about=about(answered), shareable=shareable))
        assert ("generator" in found[1]) is (not generator)
        assert (found[2] == "not stated") is (not decision and not released)
        assert (found[2] == "Data assessed") is (decision and released)
        assert (found[3] == "not stated") is (not population)
        assert (found[4] == "not stated") is (not intruder)
        assert ("harm and ethics" in found[14], "access" in found[14]) == (not harm, not access)


def test_the_questions_before_membership_in_all_combinations(source):
    options = [("", "adults"), (None, 90_000), ("", "register"), (None, True, False), (None, False), (None, True),
               (None, Motive.NOBODY), (None, False, True)]  # fmt: skip
    for population, size, where, same, news, random, motive, alone in product(*options):
        m = ThreatModel(population, size, where, same, news, random, motive, alone)
        found = items(of(source, threat_model=m))
        whole = bool(population and size and where)
        assert ("population" not in found[3] and found[3] != "not stated") is whole
        assert (found[3] == "not stated") is (not whole and random is None)
        assert (found[4] == "not stated") is (motive is None and (same is None or news is None))
        assert (found[4] == "Membership") is (motive is not None and same is not None and news is not None)
        missing = not_stated({}, 1, holdout=False, threat_model=m)
        assert (of_release.POPULATION in missing) is (not whole)
        n_open = sum(map(bool, (not population, not (size and where), same is None, news is None, random is None,
                                motive is None, alone is None)))  # fmt: skip
        assert len(m.unanswered()) == n_open
        printed = next(b for b in blocks_of_membership(source, m))
        assert sum("not answered" in a or "not stated" in a or "no source" in a for _, a in printed.rows) == n_open


def blocks_of_membership(source, m):
    from disclosure_core.report.members import questions

    return [questions(m)]


def test_limits_in_all_combinations(source):
    for values in product([None, 5.0], [None, 2.0], [None, 5.0], [None, 2.0], [None, 0.2]):
        a, b, c, d, f = values
        limits = Limits(Limit(a, b), Limit(c, d), Limit(relative=f))
        for shareable in (False, True):
            said = items(of(source, limits=limits, shareable=shareable))[12]
            given = {"DiSCO": (a, b), "DCAP": (c, d), "F_rel": (f,)}
            assert ("no limit of risk is set" in said) is (set(values) == {None})
            if set(values) == {None}:
                continue
            parts = {p.split(" of ")[0]: p.split(" of ")[-1].split(", ") for p in said.split("; ")[1:] if " of " in p}
            assert parts.get("limits", []) == [n for n, v in given.items() if None not in v]
            assert parts.get("no limit", []) == [n for n, v in given.items() if set(v) == {None}]
            assert parts.get("one limit of two", parts.get("one limit", [])) == [
                n for n, v in given.items() if None in v and set(v) != {None}
            ]


def test_reasons_for_keys(source):
    named = of(source, reasons={"k": "seen by everybody"})
    of_set = of(source, intruders=(KeySet("an intruder", ("k",), "neighbours"),))
    assert items(source)[5].endswith("no reason is given for k")
    assert items(named)[5] == items(of_set)[5] == "Assumed knowledge of an intruder"


def test_nothing_that_is_not_there_is_evaluated(source):
    found = items(source)
    assert not {7, 8} & found.keys()
    assert "not against people outside" in found[9]
    (table,) = [b for b in blocks(source) if b.columns == ("Item", "What", "Where")]
    assert {r[0]: r[2] for r in table.rows}["8"] == "not evaluated"
    assert items(of(source, shareable=True))[13] == "in the internal version; the verdict is the panel's"
    assert items(source)[13] == "Page 1; the verdict is the panel's"
