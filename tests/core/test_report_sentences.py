"""Sentences of the report and the command line: each in a state in which it is true, and in one in which it is not."""

# Inside: which sections a report has.

from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    KeySet,
    Limit,
    Limits,
    Pair,
    Settings,
    ThreatModel,
    Thresholds,
    Verdict,
    attribute_baseline,
    demo,
    identity_baseline,
    membership,
    open_review,
    partition,
    read_holdout,
    start_demonstration,
    start_tables,
)
from disclosure_core.figures import contributions, dorig_disco
from disclosure_core.figures.risk_utility import MapPlot, MapPoint
from disclosure_core.holdout.membership import refusal
from disclosure_core.holdout.membership_figures import Membership
from disclosure_core.holdout.partition import NO_HOLDOUT
from disclosure_core.report import outside, page1
from disclosure_core.report.source import MEMBERSHIP
from disclosure_core.results import catalogue
from disclosure_core.review import verdicts as of_verdicts
from tests.reports import Look, Report, assemble, blocks, report_of, ungrouped
from tests.stamped import stamped
from tests.written import fixed

ANSWERED = ThreatModel("adults", 1_000_000, "register", same_population=True, news=True, random_sample=True)


def text(given: Report) -> str:
    return "\n".join(piece for b in blocks(given) for piece in (b.text, *b.items, *(" | ".join(row) for row in b.rows)))


def report(original: pd.DataFrame, *synthetic: pd.DataFrame, **asked) -> Report:
    look = {"shareable": asked.pop("shareable", False)}
    return report_of(start_tables(original, synthetic), Settings(keys=("k",), **asked), **look)


def people(*targets: str) -> pd.DataFrame:
    return pd.DataFrame({"k": [f"k{i}" for i in range(len(targets))], "t": targets})


# ---- the effect of an exclusion alone --------------------------------------------------------------------------------

MANY = people(*["yes"] * 30_000, "rare", *["no"] * 100)


@pytest.mark.parametrize(
    ("exclusion", "said"),
    [
        ({"target_levels": {"t": ["yes"]}}, "Alone, it takes DiSCO from 100.00 to 0.34 %."),
        ({"target_levels": {"t": ["rare"]}}, "Alone, it takes less than 0.01 % of the people from DiSCO, 100.00 %."),
        ({"pairs": {"t": [Pair("k", "k1", "no")]}}, "Alone, it takes nothing from DiSCO."),
    ],
)
def test_nothing_is_said_to_be_taken_only_where_it_is(exclusion, said):
    found = text(report(MANY, MANY, exclusions=Exclusions(**exclusion)))
    every = {s for s in ("takes DiSCO from", "takes less than 0.01", "takes nothing") if s in found}
    assert said in found
    assert len(every) == 1


@pytest.mark.parametrize("pair", [Pair("k", "k1", "no"), Pair("k", "k1", "yes")])
def test_a_shareable_report_does_not_tell_nothing_from_little(pair):
    frame = people(*["yes"] * 5000)
    frame.loc[0, "t"] = "no"
    given = report(frame, frame, exclusions=Exclusions(pairs={"t": [pair]}), shareable=True)
    found = text(given)
    assert "DiSCO in % after all exclusions" in found
    assert "Alone, it takes" not in found


# ---- flags and thresholds --------------------------------------------------------------------------------------------


def test_thresholds_and_groups_are_told_to_the_last_digit():
    frame = pd.DataFrame({"k": ["a", "b"] * 2000, "t": range(4000)})
    asked = Thresholds((1_000_000, 90.5), (4.25, 80))
    found = text(report(frame, frame, groups={"t": 2000}, thresholds=asked))
    assert "above 1,000,000 records and 90.5 % of the disclosive records" in found
    assert "cells above 4.25 records and pairs above 80 %" in found
    assert "t in 2,000 groups" in found
    assert "t cut at 0, 2.5, 100000" in text(report(frame, frame, groups={"t": (0, 2.5, 1e5)}, thresholds=asked))


def test_a_shareable_report_tells_of_no_flag():
    frame = people(*["yes"] * 50, *["no"] * 10)
    found = text(report(frame, frame, thresholds=Thresholds((40, 70.5), (4, 80)), shareable=True))
    assert "a flag follows from counts that are not shown here" in found
    assert "70.5" not in found
    assert "| 1-way" not in found


def test_thresholds_of_the_decision_are_told_to_the_last_digit():
    frame = people(*["yes"] * 50, *["no"] * 50)
    given = report(frame, frame)
    of = partition(frame, frame.iloc[::3], [frame])  # of so few nobody can say whether they were synthesised
    limits = Limit(12.34567, 0.0000125)
    section = outside.section(
        given, *(f(of, given.assessment.settings) for f in (attribute_baseline, identity_baseline)), Limits(limits)
    )
    said = " ".join(item for block in section.blocks for item in block.items)
    assert "more than 12.34567 % of members, and more than 0.0000125 percentage points" in said


# ---- membership ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def joint():
    return partition(demo.original(), demo.holdout(), demo.syntheses())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"news": False}, "membership is no disclosure here"),
        ({"same_population": False}, "would not pick targets from the population"),
        ({"news": None}, "questions about the intruder are not answered"),
        ({"population_size": None}, "Without the size of the population"),
        ({"population_size": 6250}, "Everyone in the population is a member"),
    ],
)
def test_a_refusal_is_told_before_the_search_as_after_it(joint, change, why):
    threat_model = replace(ANSWERED, **change)
    found = refusal(joint, threat_model)
    assert why in found.why
    assert found.needs
    assert membership(joint, Settings(keys=("sex",)), threat_model) == found


def test_nothing_is_refused_that_is_computed(joint):
    assert refusal(joint, ANSWERED) is None
    assert isinstance(membership(joint, Settings(keys=("sex",)), ANSWERED), Membership)
    assert refusal(NO_HOLDOUT, ANSWERED) is NO_HOLDOUT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threat_model", "holdout", "searched", "said"),
    [
        (replace(ANSWERED, news=False), True, False, "membership is no disclosure here"),
        (
            replace(ANSWERED, population_size=100),
            True,
            False,
            "The population cannot be smaller than the 6,250 records",
        ),
        (ANSWERED, False, False, "There is no holdout"),
        (ANSWERED, True, False, "was not run"),
        (ANSWERED, True, True, ""),
    ],
)
def test_the_report_says_of_membership_what_is_so(threat_model, holdout, searched, said):
    review = replace(
        start_demonstration().review,
        intruders=(KeySet("an intruder", ("sex", "age")),),
        targets=("abroad",),
        groups={},
        threat_model=threat_model,
        holdout=Holdout("demonstration") if holdout else None,
        searched=frozenset({"membership"} if searched else ()),
    )
    opened = open_review(review)
    assert "was not looked at" in dict(Report(opened).not_evaluated)[MEMBERSHIP]  # before it is put together
    why = dict(assemble(opened, Look()).not_evaluated)
    assert "was not looked at" not in why.get(MEMBERSHIP, "")
    assert (MEMBERSHIP in why) is not searched
    assert said in why.get(MEMBERSHIP, "")
    said = text(assemble(opened, Look())).splitlines()
    (row,) = [line.split(" | ") for line in said if line.startswith("Membership, F_rel")]
    assert (row[0] == "Membership, F_rel") is not searched
    figures = 5 if holdout else 2  # no column of people outside without them, none of limits where none is set
    assert row[1:] == ["–"] * figures + ["–" if searched else "not evaluated"]
    (every_subset,) = [line for line in said if line.startswith("7 | ")]
    assert every_subset.endswith(f" | {MEMBERSHIP}") is searched


# ---- page 1 ----------------------------------------------------------------------------------------------------------


SEVERAL = (KeySet("a neighbour", ("sex", "age")), KeySet("a colleague", ("sex", "region")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sentence", "there", "not_there"),
    [
        ("of several such, of the one that discloses most: ",
         {"intruders": SEVERAL, "intruder": "a neighbour", "holdout": None},
         {"intruders": SEVERAL, "intruder": "a neighbour"}),
        ("of several such, of the one that is furthest above people outside: ",
         {"intruders": SEVERAL, "intruder": "a neighbour"}, {}),
        ("Decision to be taken | not stated", {"about": {"Note": "x"}}, {"about": {"Decision to be taken": "release it"}}),
        ("Decision to be taken | release it", {"about": {"Decision to be taken": "release it"}}, {}),
        ("no fingerprint, because it came with the program", {}, {"holdout": "file"}),
        ("Which of the syntheses is released, and why that one", {}, {"synthesis_set": "one"}),
    ],
)  # fmt: skip
def test_a_sentence_of_the_report_stands_where_it_is_true(sentence, there, not_there):
    for changes, expected in ((there, True), (not_there, False)):
        survey = start_demonstration().review
        outside = changes.get("holdout", Holdout("demonstration"))
        opened = open_review(replace(survey, targets=("abroad",), holdout=None if outside == "file" else outside))
        if changes.get("synthesis_set") == "one":
            changes = {}
            opened = start_tables(demo.original(), {"one": demo.syntheses()[:1]})
            opened = opened.with_review(replace(opened.review, intruders=survey.intruders, targets=("abroad",)))
        if changes.get("holdout") == "file":
            changes = {}
            opened = opened.with_holdout(*read_holdout("h.csv", demo.holdout().to_csv(index=False).encode()))
        opened = opened.with_review(replace(opened.review, **changes))
        told = [text(assemble(opened, Look(shareable=shareable))) for shareable in (False, True)]
        assert (sentence in "".join(told)) is expected, changes


def test_each_synthesis_stands_with_its_members_and_people_outside(joint):
    settings = Settings(keys=("sex", "age"), targets=("abroad", "marital"))
    attributes, identity = attribute_baseline(joint, settings), identity_baseline(joint, settings)
    given = report_of(start_demonstration(), settings)
    section = outside.section(given, attributes, identity, Limits())
    (table,) = [b for b in section.more if b.text.startswith("Each synthesis: members")]
    drawn = [[b.plot.measure for b in part if b.kind == "figure"] for part in (section.blocks, section.more)]
    assert drawn == [["DiSCO"], ["DCAP"]]
    core = attributes.figures.set_index(["measure", "target", "synthesis"])
    assert len(table.rows) == 5
    for name, *cells in table.rows[:-1]:
        measure, _, target = name.partition(" of ")
        rows = [core.loc[(measure, target, i)] for i in range(1, 6)]
        assert cells == [f"{fixed(r['members'])} / {fixed(r['non_members'])}" for r in rows]


def test_of_many_conclusions_the_report_has_some_and_counts_the_rest():
    given = report_of(start_demonstration(), Settings(keys=demo.KEYS, groups=demo.GROUPS))
    joined = partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES, random=True)
    found = [f(joined, given.assessment.settings) for f in (attribute_baseline, identity_baseline)]
    section = outside.section(given, *found, Limits())
    (some,) = [b.items for b in section.blocks if b.items and b.items[-1].endswith("the appendix.")]
    every = next(b.items for b in section.more if b.items[:1] == some[:1])
    assert some[:-1] == every[: len(some) - 1]
    assert some[-1] == f"{len(every) - len(some) + 1} more such sentences: the appendix."
    seven = ("abroad", "marital", "condition", "settlement", "education", "household", "wellbeing")
    found[0] = attribute_baseline(joined, replace(given.assessment.settings, targets=seven))  # just as many
    section = outside.section(given, *found, Limits())
    (said,) = [b.items for b in section.blocks if b.items and b.items[0].endswith(every[0].partition(": ")[2])]
    assert len(said) == outside.MOST_SAID
    assert said not in [b.items for b in section.more]


def test_a_difference_of_one_synthesis_has_no_sd():
    joined = partition(demo.original(), demo.holdout(), demo.syntheses()[:1])
    settings = Settings(keys=("sex", "age"), targets=("abroad", "marital"))
    found = (attribute_baseline(joined, settings), identity_baseline(joined, settings))
    section = outside.section(report_of(start_demonstration(), settings), *found, Limits())
    tables = [b for b in section.more if "SD" in b.columns]
    assert [row[b.columns.index("SD")] for b in tables for row in b.rows] == ["–"] * 5


# ---- the officer's verdicts, and who could look ----------------------------------------------------------------------


def survey(**changed):
    begun = start_demonstration()
    return begun.with_review(replace(begun.review, **changed))


@pytest.mark.slow
def test_verdicts_are_printed_with_their_reasons_and_what_waits_is_named():
    begun = survey()
    targets, of = begun.queue().to_review, begun.first_set
    said = text(assemble(begun, Look()))
    assert "Without a verdict so far" not in said  # page 1 has it among the open points
    assert f"0 of {len(targets)} judged" in said
    first, *rest = targets
    given = Verdict(of, begun.review.intruder, first, "leak", "It tells of benefits")
    elsewhere = Verdict("coarse", begun.review.intruder, rest[0], "acceptable", "elsewhere")
    later = stamped(begun, given, elsewhere)
    said = text(assemble(later, Look()))
    at = f"{begun.queue().row(first).synthetic:.2f}\xa0% (DiSCO)"
    assert f"{first} | leak | {at} | not stated, not stated | It tells of benefits" in said
    assert "elsewhere" not in said  # a verdict on other syntheses is none on these
    assert f"Without a verdict so far: {', '.join(rest)}." in said
    every = (Verdict(of, begun.review.intruder, name, "acceptable") for name in targets)
    said = text(assemble(stamped(begun, *every), Look()))
    assert "Without a verdict" not in said
    assert "to confirm" not in said
    assert f"{first} | acceptable | {at} | not stated, not stated | no reason was given" in said
    shared = text(assemble(ungrouped(later), Look(shareable=True)))
    assert "It tells of benefits" not in shared
    assert "Without a verdict" not in shared
    assert "given at" not in shared
    given_by_hand = report(MANY, MANY)
    assert "officer says of the targets" not in text(given_by_hand)


@pytest.mark.slow
def test_every_key_set_is_named_with_its_reason_and_page_1_says_whose_a_row_is():
    one = KeySet("a neighbour", demo.KEYS, "sees them every day")
    two = KeySet("a clerk", ("sex", "age", "abroad"), "keeps the register")
    alone = text(assemble(survey(intruders=(one,), intruder=one.name), Look()))
    assert "sex | 2 | sees them every day" in alone
    assert "\nIntruder" not in alone  # a table of several, not what is not stated of the release
    assert "the key set with the worst result" not in alone
    turned = text(assemble(survey(intruders=(KeySet("one", ("region", "sex")),), intruder="one"), Look()))
    assert "who knows a person's region, sex;" in turned
    assert turned.index("\nregion | ") < turned.index("\nsex | ")
    both = survey(intruders=(one, two), intruder=two.name)
    said = text(assemble(both, Look()))
    assert f"a neighbour | {', '.join(demo.KEYS)} | sees them every day" in said
    assert "a clerk | sex, age, abroad | keeps the register" in said
    assert "From here on the figures are those of a clerk" in said
    whose = {r.intruder for r in assemble(both, Look()).answer.rows}
    assert whose == {"a neighbour", "a clerk"}
    assert "a clerk (sex, age, abroad) of D" in said
    assert f"a neighbour ({', '.join(demo.KEYS)}) of all others." in said


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ({}, "no reason was given"),
        ({"sex": "seen", "age": " "}, "no reason was given for age"),
        ({"sex": "seen", "age": "seen"}, "a reason for each in the annex"),
    ],
)
def test_page_1_says_for_which_keys_there_is_a_reason(reasons, said):
    known = KeySet("a clerk", ("sex", "age"))
    source = Report(survey(intruders=(known,), intruder=known.name, reasons=reasons))
    assert page1._reason_of_keys(source, known) == said


@pytest.mark.slow
def test_without_limits_figures_are_measured_and_not_judged():
    given = assemble(survey(), Look())
    said = text(given)
    assert "Measured, not judged" in said
    assert "No limits are set, so no figure is above or within them." in said
    assert "No figure is above the office's limits" not in said
    page1 = blocks(given)[: next(i for i, b in enumerate(blocks(given)) if b.kind == "signoff") + 1]
    (table,) = (b for b in page1 if b.marks)
    assert table.columns[-1] == "verdict"
    assert not {"the office's limits", "result"} & {c for b in page1 for c in b.columns}


@pytest.mark.slow
def test_without_limits_a_released_synthesis_has_figures_and_no_result():
    opened = start_demonstration()
    given = assemble(opened.with_review(replace(opened.review, released={opened.first_set: (2,)})), Look())
    (table,) = (b for b in blocks(given) if b.kind == "table" and "Synthesis" in b.columns)
    assert table.columns == ("Figure", "mean, %", "Synthesis", "its members, %", "its difference, points")
    assert {len(row) for row in table.rows} == {5}


@pytest.mark.slow
def test_a_recorded_leak_stands_on_page_1_with_its_reason_whoever_the_intruder_is():
    opened = start_demonstration()
    review = replace(opened.review, intruders=(*opened.review.intruders, KeySet("a doctor", ("sex", "age"))))
    review = of_verdicts.judged(
        opened.with_review(replace(review, intruder="a doctor")), ["household"], "leak", "The register has it."
    )
    given = assemble(opened.with_review(replace(review, intruder=opened.review.intruder)), Look())
    page1 = blocks(given)[: next(i for i, b in enumerate(blocks(given)) if b.kind == "signoff")]
    assert ("household for a doctor", "Leak. The register has it.") in {row for b in page1 for row in b.rows}
    assert [b.rows for b in page1 if b.kind == "answer"] == [
        (("25", "measured"), ("1", "verdict recorded"), ("1", "of them a leak"))
    ]


@pytest.mark.parametrize("n", [5_003, 12_345])
def test_a_shareable_report_has_no_number_of_records_to_the_last_digit(n):
    frame = people(*["yes", "no"] * (n // 2), *["yes"] * (n % 2))
    frame["k"] = [f"k{i % 7}" for i in range(n)]
    exact = (str(n), f"{n:,}")
    synthetic = frame[:200]  # whoever has the file knows how many records it holds
    assert any(number in text(report(frame, synthetic)) for number in exact)
    assert not any(number in text(report(frame, synthetic, shareable=True)) for number in exact)


# ---- what is left out moves the figures, or is not said to be left out of them ------------------------------------------


OUT = Exclusions(target_levels={"abroad": ["No"]}, missing_targets={"income"})


def reviewed(**asked):
    opened = start_demonstration()
    return opened.with_review(replace(opened.review, **asked))


@pytest.mark.slow
@pytest.mark.parametrize(("targets", "moves"), [(("abroad", "marital"), True), (("marital",), False)])
@pytest.mark.parametrize("shareable", [True, False])
def test_what_is_left_out_of_no_target_is_left_out_of_no_figure(targets, moves, shareable):
    """Exclusions stay with the review when a column is no target any more."""
    opened = reviewed(targets=targets, exclusions=OUT, holdout=Holdout("demonstration"))
    said = text(assemble(opened, Look(shareable=shareable, smallest=5)))
    for sentence in ("before exclusions", "After exclusions", "These figures have exclusions"):
        if sentence in text(assemble(reviewed(targets=("abroad",), exclusions=OUT), Look(shareable=shareable))):
            assert (sentence in said) == moves
    assert ("Nothing is excluded." in said) == (not moves)
    assert ("Excluded" in dorig_disco.describe(opened.assessment(), before=opened.before()).caption) == moves
    assert ("No reason is given for excluding" in said) == (moves and not shareable)


# ---- figures in words ------------------------------------------------------------------------------------------------


def of(rows, keys, *targets):
    frame = pd.DataFrame(rows)
    opened = start_tables(frame, [frame])
    return opened.with_review(opened.review.with_settings(Settings(keys=keys, targets=targets or None)))


@pytest.mark.parametrize(
    ("figures", "did"),
    [
        ([(50, 20), (30, 10)], "took away"),
        ([(50, 20), (10, 30)], "took away or added"),
        ([(10, 30), (0, 9)], "added"),
        ([(10, 10), (50, 49.9)], None),  # the marks lie on each other
    ],
)
def test_an_arrow_is_said_to_show_what_it_shows(figures, did):
    rows = tuple(dorig_disco.ArrowRow("t", a, b, (b,), a, b, "") for a, b in figures)
    caption = dorig_disco.ArrowPlot("Dorig", "DiSCO", 100, 1, rows).caption
    assert ("The arrow shows" in caption) == (did is not None)
    assert did is None or f"The arrow shows what synthesis {did}." in caption


def test_where_some_levels_are_drawn_the_figure_says_so():
    many = of({"k": [f"k{i}" for i in range(20)], "t": ["p", "q"] * 10}, ("k",))
    few, all_of_them = (contributions.describe(many.assessment().targets["t"], most) for most in (12, 22))
    assert few.title == "The 12 levels that carry most of the disclosure of t"
    assert all_of_them.title == "Levels that carry the disclosure of t"
    assert (len(few.bars), len(all_of_them.bars)) == (12, 22)
    assert few.sentence.startswith(f"{few.title}, records that DiSCO counts, of 20, target t. t = p: 10; ")


def test_a_figure_cut_short_says_in_words_that_there_is_more():
    many = of({"k": [f"k{i}" for i in range(20)], "t": ["p", "q"] * 10, "u": ["r", "s"] * 10}, ("k",))
    bars = contributions.describe(many.assessment().targets["t"])
    curves = catalogue.figure(many, "threshold-all")
    assert bars.first(2).sentence.endswith("t = p: 10; t = q: 10; and 10 more.")
    assert curves.first(1).sentence.endswith("; and 1 more.")
    assert "more" not in curves.sentence + bars.sentence


@pytest.mark.parametrize(
    ("sets", "said", "not_said"),
    [
        (
            (MapPoint("a", 1.0, 2.0, ((1.0, 2.0),), original=5.0),),
            ". a: S_pMSE 1.00, DiSCO of t 2.00, original Dorig 5.00.",
            ("joined to", "Without"),
        ),
        ((MapPoint("a, safer", 1.0, 2.0, (), (1.0, 3.0)),), "a set after safeguards is joined to", ("Without",)),
        ((), ": DiSCO of t. Without such a figure: b.", ("A small mark", ". .")),
    ],
)
def test_the_map_says_what_is_on_it(sets, said, not_said):
    plot = MapPlot("DiSCO of t", "%", 2, sets, "Dorig", () if sets else ("b",))
    words = f"{plot.caption} {plot.sentence}"
    assert said in words
    assert not any(each in words for each in not_said)
