"""Page 1: what it computes is the core's, what it says fits the state, and nothing that is missing passes."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pandas as pd
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    KeySet,
    Limit,
    Limits,
    Pair,
    ThreatModel,
    Verdict,
    assess,
    open_review,
    start_demonstration,
    start_tables,
)
from disclosure_core.holdout.decision import Outcome
from disclosure_core.report import page1
from tests.commands import condition
from tests.reports import Look, Report, answer, still_open
from tests.stamped import stamped
from tests.written import few, fixed

ANSWERED = ThreatModel("adults", 1_000_000, "register", same_population=True, news=True, random_sample=True)
LIMITS = Limits(Limit(10, 2, "board"), Limit(100, 100, "board"), Limit(relative=0.2, owner="board"))
OUT = Exclusions(
    target_levels={"abroad": ["No"], "marital": ["Widowed"]}, pairs={"education": [Pair("age", "16", "Primary")]}
)
KEYS = ("sex", "age", "region", "employment")


def review(**changes):
    base = replace(
        start_demonstration().review, targets=("abroad", "marital", "settlement"), holdout=Holdout("demonstration")
    )
    return replace(base, **changes)


def of(**changes):
    return answer(open_review(review(**changes)))


def row(found, target, measure="DiSCO"):
    return next(r for r in found.rows if (r.measure, r.target) == (measure, target))


def test_every_figure_is_the_cores():
    opened = open_review(review(limits=LIMITS))
    found, beside = answer(opened), opened.attribute_baseline()
    for measure in ("DiSCO", "DCAP"):
        for expected in beside.summary(measure, LIMITS.of(measure)).to_dict("records"):
            r = row(found, expected["target"], measure)
            names = ("members", "outside", "difference", "low", "high")
            wanted = [expected[n] for n in ("members", "non_members", "difference", "low", "high")]
            assert [getattr(r.judged, n) for n in names] == pytest.approx(wanted, abs=1e-9)
            assert str(r.outcome) == expected["result"]
            known = beside.context.set_index("target").loc[r.target]
            assert (r.commonest, r.majority) == (known["commonest"], pytest.approx(known["majority"]))
    summary = opened.assessment().summary().set_index("target")
    assert row(found, "marital").judged.original == summary["original"]["marital"]
    assert found.sentences[0].startswith("Someone who knows sex, age, region and employment would infer “settlement”")
    own = int(beside.same_keys["leaked"].sum())
    assert own > 1
    assert found.sentences[1] == f"Members’ own answers are shown to be in the synthetic data for {own} of 3 targets."
    assert found.sentences[2].startswith("Most disclosed: “abroad”, for 43.3 % of people in the data")
    assert found.screening.members == opened.assessment().identity["repU"].mean()
    json.dumps(found.to_plain(), allow_nan=False)


@pytest.mark.slow
def test_only_exclusions_with_a_reason_are_judged_and_the_others_are_named():
    asked = {"limits": LIMITS, "exclusions": OUT, "reasons": {"abroad = No": "nine in ten say so", "marital": " "}}
    found = of(**asked, targets=("abroad", "education", "marital", "settlement"))
    assert of(**asked).without_reason == (
        "marital = Widowed",
    )  # education is no target, so no figure counts its pair in
    plain, left = of(limits=LIMITS), of(limits=LIMITS, exclusions=OUT, reasons={"abroad": "x", "marital": "y"})
    assert found.without_reason == ("age = 16, education = Primary", "marital = Widowed")
    assert row(found, "marital").judged == row(plain, "marital").judged
    assert row(found, "abroad").judged == row(left, "abroad").judged
    assert row(found, "abroad").before == row(plain, "abroad").judged
    assert row(found, "abroad").left_out == (("abroad = No", "nine in ten say so"),)
    assert (row(found, "abroad").outcome, row(found, "abroad").outcome_before) == (Outcome.WITHIN, Outcome.ABOVE)
    assert row(found, "marital").before is None
    assert row(left, "marital").before == row(plain, "marital").judged
    asked = still_open(open_review(review(**asked, targets=("abroad", "education", "marital", "settlement"))))
    assert [each.what for each in asked if each.about == "exclusions"] == [
        f"No reason is given for excluding {name}: it is in no judged figure." for name in found.without_reason
    ]


@pytest.mark.slow
def test_own_answers_are_spoken_of_where_people_with_the_same_keys_show_it():
    found = of(limits=LIMITS, exclusions=OUT, reasons={"abroad": "x", "marital": "y"})
    r = row(found, "settlement")
    assert r.judged.low > 0
    m = (
        open_review(review(limits=LIMITS, exclusions=OUT, reasons={"abroad": "x", "marital": "y"}))
        .attribute_baseline()
        .same_keys.set_index("target")
    )
    m = m.loc["settlement"]
    assert m["leaked"]
    assert found.sentences[0] == (
        f"Someone who knows sex, age, region and employment would infer “settlement” correctly for {r.judged.members:.1f} % of "
        f"people in the data (people outside: {r.judged.outside:.1f} %). {r.judged.difference:.1f} percentage points more than "
        f"for people outside ({r.judged.low:.1f} to {r.judged.high:.1f}): taking part made correct disclosure more frequent. "
        f"Among people with the same keys ({m['compared']:.0f} % of members), members are disclosed correctly "
        f"{m['points']:.1f} percentage points more often ({m['low']:.1f} to {m['high']:.1f}): their own answers are in the "
        "synthetic data."
    )
    alone = of(limits=LIMITS, targets=("abroad",), exclusions=OUT, reasons={"abroad": "x"})
    d = row(alone, "abroad").judged
    assert d.low < 0 < d.high
    assert "is what leaked" not in " ".join(alone.sentences)
    assert "No difference from people outside is shown (−0.1 percentage points, −0.3 to 0.1)." in alone.sentences[0]


@pytest.mark.parametrize(("limit", "said"), [(Limit(30, 2), False), (Limit(20, 6), True), (Limit(20, 7), False)])
def test_an_interval_beyond_the_limit_is_open_only_where_the_figure_is_above_the_other_one(limit, said):
    """DiSCO of marital is 27.6 %, 4.6 points more than for people outside (2.9 to 6.2)."""
    found = of(targets=("marital",), limits=Limits(limit))
    assert str(row(found, "marital").outcome) == "within"
    assert ("yet its interval reaches" in " ".join(what for _, what in found.notes)) == said


def test_a_difference_below_nought_is_shown():
    fewer = of(
        targets=("marital",), intruders=(KeySet("an intruder", ("sex", "age", "employment")),),
        exclusions=Exclusions(target_levels={"marital": ["Widowed"]}), reasons={"marital": "it is known"},
    )  # fmt: skip
    d = row(fewer, "marital").judged
    assert d.high < 0
    assert "No difference" not in fewer.sentences[0]
    assert (
        "(people outside: 8.2 %). 1.1 percentage points fewer than for people outside (0.04 to 2.2). That members’ own answers"
        in fewer.sentences[0]
    )
    assert "no leak" not in fewer.sentences[0]


@pytest.mark.parametrize(
    ("change", "outcome", "said"),
    [
        ({}, "not evaluated", "No limit of DiSCO is set."),
        ({"limits": replace(LIMITS, disco=Limit(), dcap=Limit(99, 99))}, "not evaluated", "The office set no absolute and no relative limit of DiSCO."),
        ({"limits": LIMITS}, "above", "The questions about the intruder are not answered"),
        ({"limits": LIMITS, "holdout": None}, "not evaluated", "There is no holdout"),
        ({"limits": replace(LIMITS, disco=Limit(99, 99))}, "not evaluated", "The questions about the intruder"),
        ({"limits": replace(LIMITS, disco=Limit(99, 99)), "threat_model": ANSWERED}, "not evaluated", "the search over subsets"),
        ({"limits": replace(LIMITS, disco=Limit(99, 99)), "threat_model": ANSWERED, "searched": frozenset({"membership"})}, "within", ""),
        ({"limits": replace(LIMITS, disco=Limit(99, 99), membership=Limit()), "threat_model": ANSWERED, "searched": frozenset({"membership"})},
         "not evaluated", "The office set no limit of F_rel"),
        ({"limits": Limits(Limit(99, 99), Limit(99, 99), Limit(relative=0.0)), "threat_model": ANSWERED, "searched": frozenset({"membership"})}, "above", ""),
        ({"limits": replace(LIMITS, dcap=Limit()), "threat_model": ANSWERED}, "above", "no absolute and no relative limit of DCAP"),
        ({"limits": replace(LIMITS, disco=Limit(0.6, 0.2))}, "above", "is 0.6 % or 60 % and 0.2 % or 20 % meant?"),
    ],
)  # fmt: skip
def test_all_must_be_within_and_what_is_missing_is_no_pass(change, outcome, said):
    opened = open_review(review(**change))
    found = answer(opened)
    assert str(found.outcome) == outcome
    left = " ".join(each.what for each in still_open(opened))
    assert said in " ".join([left, found.membership.why, *found.questions.values(), *(what for _, what in found.notes)])
    assert ("All 7 figures are within" in found.sentences[-1]) == (outcome == "within")
    if found.has_limits:
        missing = any(str(o) == "not evaluated" for o in found.outcomes.values())
        assert ("not evaluated" in found.sentences[-1]) == missing
    else:
        assert found.sentences[-1].startswith("No limits are set, so no figure is above or within them.")


@pytest.mark.parametrize(
    ("scope", "outcome", "last"),
    [
        ({}, "within", "All 3 figures are within the office's limits; DCAP and membership were not asked."),
        ({"DCAP": True}, "not evaluated", "but three of 6 are not evaluated"),
        ({"membership": True}, "not evaluated", "but one of 4 is not evaluated (membership)"),
        ({"DCAP": False, "membership": True}, "not evaluated", "but one of 4 is not evaluated (membership)"),
    ],
)  # fmt: skip
def test_what_is_not_asked_of_the_release_is_no_gap_and_is_named(scope, outcome, last):
    found = of(limits=Limits(Limit(99, 99, owner="our board", reason="as in 2024")), scope=scope)
    assert (str(found.outcome), last in found.sentences[-1]) == (outcome, True), found.sentences[-1]
    above = of(limits=Limits(Limit(0, 0, owner="our board", reason="as in 2024")), scope=scope)
    assert str(above.outcome) == "above"


@pytest.mark.slow
def test_a_verdict_that_the_figure_contradicts_is_open():
    def found_with(word, **changes):
        given = Verdict("synthetic data", "an intruder", "settlement", word)
        opened = stamped(open_review(review(**changes)), given)
        return answer(opened), " ".join(each.what for each in still_open(opened))

    for word, open_ in (
        ("acceptable", True),
        ("common knowledge", True),
        ("leak", False),
        ("needs a safeguard", False),
    ):
        found, left = found_with(word, limits=LIMITS)
        assert row(found, "settlement").contradicted is open_
        assert (f"“{word}” for an intruder on DiSCO of settlement, yet the figure is above" in left) is open_
    assert not found_with("acceptable")[0].contradictions  # nothing is above limits that are not set


@pytest.mark.parametrize(
    "said_of", [("synthetic data", "an intruder"), ("synthetic data", "other"), ("other", "an intruder")]
)
def test_a_verdict_is_of_its_set_and_its_intruder_alone(said_of):
    found = of(limits=LIMITS, verdicts=(Verdict(*said_of, "settlement", "leak"),))
    told = row(found, "settlement").verdict
    assert (told is not None) == (said_of == ("synthetic data", "an intruder"))


@pytest.mark.slow
def test_the_worst_of_several_key_sets_decides():
    wide, narrow = KeySet("a neighbour", KEYS), KeySet("a stranger", ("sex",))
    both = of(limits=LIMITS, intruders=(narrow, wide), intruder="a stranger", targets=None)
    alone = of(limits=LIMITS, intruders=(wide,), intruder="a neighbour", targets=None)
    assert row(both, "settlement").intruder == "a neighbour"
    assert row(both, "settlement").judged == row(alone, "settlement").judged
    assert row(both, "age").intruder == "a stranger"  # it is a key of the other one
    assert both.outcome is Outcome.ABOVE
    assert "sex, age, region and employment" in both.sentences[0]
    # A key set whose figures are not evaluated is not a pass, whatever the other says.
    lax = replace(LIMITS, disco=Limit(100, 100))
    lacking = start_tables(*_with_a_key_that_the_holdout_lacks())
    opened = lacking.with_review(
        replace(lacking.review, limits=lax, intruders=(KeySet("an intruder", ("a",)), KeySet("other", ("b",))))
    ).with_holdout(_reading(pd.DataFrame({"a": ["x", "y"] * 30, "t": ["u", "v"] * 30})), Holdout("file"))
    found = answer(opened)
    assert row(found, "t").outcome is Outcome.NOT_EVALUATED
    assert "The holdout has no column 'b'." in row(found, "t").why


def _with_a_key_that_the_holdout_lacks():
    frame = pd.DataFrame({"a": ["x", "y"] * 30, "b": ["p", "q", "q"] * 20, "t": ["u", "v"] * 30})
    return frame, {"synthetic data": [frame]}


def _reading(frame):
    from tests.having import people_outside

    return people_outside(frame, "outside")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "stops"), [(LIMITS, "above the office's limits"), (Limits(), "No limits are set"), (None, "")]
)
def test_the_command_line_and_the_json_say_the_same(limits, stops):
    lax = Limits(Limit(99, 99), Limit(99, 99), Limit(relative=0.9))
    asked = review(limits=lax if limits is None else limits, threat_model=ANSWERED, searched=frozenset({"membership"}))
    opened = open_review(asked)
    said = condition("limits")(opened)
    assert bool(said) == bool(stops)
    assert stops in "".join(said)
    schema = json.loads((Path(__file__).parents[2] / "docs" / "figures.schema.json").read_text(encoding="utf-8"))
    plain = json.loads(opened.to_json())
    jsonschema.validate(plain, schema)
    left = [{"about": each.about, "what": each.what} for each in still_open(opened)]
    assert plain["answer"] == json.loads(json.dumps(answer(opened).to_plain() | {"open": left}))


@pytest.mark.parametrize(
    ("levels", "left"),
    [({"abroad": ["No"]}, True), ({"abroad": ["No", "Yes"]}, False), ({}, None)],
)
def test_page_1_says_what_exclusions_move(levels, left):
    if left is None:
        opened = open_review(review())
    else:
        out = Exclusions(target_levels=levels, missing_targets=set() if left else {"abroad"})
        opened = open_review(review(exclusions=out, reasons=dict.fromkeys(out.names(), "known")))
    facts = dict(page1.signed(Report(opened, Look()))[0].rows)
    if left is None:
        assert "Excluded" not in facts
        return
    before, now = (
        assess(opened.study(), replace(opened.review.settings, exclusions=out))
        .targets["abroad"]
        .attribute["DiSCO"]
        .mean()
        for out in (Exclusions(), opened.review.exclusions)
    )
    assert f"DiSCO of abroad {fixed(before, 1)} → {fixed(now, 1)} %" in facts["Excluded"]
    assert ("No disclosive record of abroad is left" in facts["Excluded"]) is (not left)


def test_membership_that_is_searched_later_is_in_the_answer():
    opened = open_review(review(limits=LIMITS, threat_model=ANSWERED, targets=("abroad",)))
    assert answer(opened).membership.f_rel is None
    opened.membership()
    assert answer(opened).membership.f_rel > 0


def test_of_many_names_the_rest_is_counted():
    assert few(list("abcd")) == "a, b, c and d"
    assert few(list("abcdefg")) == "a, b, c and 4 more"
