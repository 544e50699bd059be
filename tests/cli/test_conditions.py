"""Every figure of a review's JSON in a condition of `--fail-if`: it is judged, or the list below says why not."""

# Inside: every figure of every table has to be a condition: the lists of both are held together.

import json
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    Aim,
    Chain,
    DisclosureError,
    Exclusions,
    Holdout,
    Limit,
    Limits,
    Motive,
    Pair,
    RemoveReplicated,
    Review,
    ThreatModel,
    open_review,
    start_demonstration,
)
from disclosure_core.cli import acting
from disclosure_core.counting.inequality import Inequality
from disclosure_core.counting.registry import MEASURES
from disclosure_core.report.answer import answer
from disclosure_core.results import MAIN, TABLES
from disclosure_core.review.scenarios import paper_scenarios
from tests.commands import condition, figures_of, forms
from tests.figures_files import ASKED, IDS
from tests.having import people_outside
from tests.written import fixed, of_review

IDENTIFYING = "it says which row it is"
TEXT = "it is no figure: a text, or true or false"
NO_TABLES = {
    "schema_version": "the form of the file",
    "files": "which files were read, and their sizes",
    "settings": "what was asked",
    "agreement": "how columns meet, before anything is counted; where they do not, nothing is evaluated",
    "answer": "page 1: DiSCO, DCAP, F_rel, their differences and gain, which are conditions of their own, as `limits` is",
}
"""Parts of the JSON beside its tables that hold numbers, and why no condition names them."""

ANSWERED = ThreatModel("adults", 1_000_000, "register", True, True, True, Motive.RECOGNITION)


@pytest.fixture(scope="module")
def opened():
    """A review that has all: people outside, searches, scenarios, safeguards, exclusions with a reason and without."""
    review = replace(
        start_demonstration().review,
        targets=("abroad", "marital"),
        holdout=Holdout("demonstration"),
        threat_model=ANSWERED,
        searched=frozenset({"subsets", "membership", "strongest", "comparison"}),
        chains=(Chain("tried", (RemoveReplicated(),)),),
        chain="tried",
        exclusions=Exclusions(target_levels={"marital": ["Widowed"]}),
        tau=0.8,
    )
    found = open_review(review)
    return found.with_review(replace(review, scenarios=paper_scenarios(found.assessment())))


@pytest.fixture(scope="module")
def tables(opened):
    return of_review(opened)


def is_figure(value):
    return (isinstance(value, (int, float)) and not isinstance(value, bool)) or value in (
        "NaN",
        "Infinity",
        "-Infinity",
    )


def numbers(part):
    """Whether a part of the JSON holds a number."""
    if isinstance(part, (dict, list)):
        return any(map(numbers, part.values() if isinstance(part, dict) else part))
    return is_figure(part)


@pytest.mark.slow
def test_a_table_alone_is_its_main_figure_and_its_rows_have_names(opened, tables):
    there = [name for name in MAIN if name in tables and "not evaluated" not in tables[name]]
    assert {"subsets_attribute", "strongest_levels", "usefulness", "sets_differences", "membership"} <= {*there}
    for name in there:
        alone, main = f"{name}>=-1000", f"{name}.{MAIN[name]}>=-1000"
        assert [line[len(alone) :] for line in condition(alone)(opened)] == [
            line[len(main) :] for line in condition(main)(opened)
        ], name
    row = tables["usefulness"].iloc[-1]
    (said,) = condition(f"usefulness[{row['set']},{row['first']},{row['second']}]>-1")(opened)
    assert said.endswith(f"{row['set']}, {row['first']}, {row['second']}: {fixed(row['S_pMSE'])}")


@pytest.mark.slow
def test_every_figure_of_the_json_is_judged_or_says_why_not(opened, tables, monkeypatch, capsys):
    monkeypatch.setattr("disclosure_core.cli.table_conditions.of_review", lambda _: tables)
    monkeypatch.setattr("disclosure_core.cli.table_conditions.of_name", lambda _, name, __: tables[name])
    document = json.loads(opened.to_json())
    judged, refused = [], {}
    for table, rows in document["tables"].items():
        for column in dict.fromkeys(name for row in rows for name in row):
            written = f"{table}.{column}>-1"
            if all("not evaluated" in row for row in rows):
                assert condition(written)(opened)[0].startswith(f"{written} is not evaluated: ")
                continue
            if column in (*IDS.get(table, ()), *ASKED):
                refused[written] = IDENTIFYING
            elif not any(is_figure(row.get(column)) for row in rows):
                refused[written] = TEXT
            else:
                lines = condition(written)(opened)
                assert lines, written  # a figure above -1, or without an answer: nothing passes in silence
                assert all(line.startswith(f"{written} ") for line in lines)
                judged.append(written)
    for written in refused:
        with pytest.raises(DisclosureError, match=re.escape(written.split(".")[0])):
            condition(written)(opened)
    assert {name for name, part in document.items() if name != "tables" and numbers(part)} == NO_TABLES.keys()
    with capsys.disabled():
        print(f"\n{len(judged)} figures of the JSON are judged. No condition names")
        for why in (IDENTIFYING, TEXT):
            print(f"  {sum(each == why for each in refused.values())} columns: {why}")
        for part, why in NO_TABLES.items():
            print(f"  {part}: {why}")
    assert len(judged) > 5 * len({written.split(".")[0] for written in judged})


@pytest.fixture(scope="module")
def small():
    review = start_demonstration().review
    return open_review(replace(review, targets=("abroad", "marital")))


@pytest.mark.parametrize("measure", [m.name for m in MEASURES])
def test_every_measure_is_a_condition(measure, small):
    assert all(line.startswith(f"{measure}>-101 ") for line in condition(f"{measure}>-101")(small))
    assert condition(f"{measure}>-101")(small)


def test_a_condition_on_a_column_names_the_row(small):
    (line,) = condition("identity.repU>0")(small)
    assert re.fullmatch(r"identity\.repU>0 holds for synthesis \d and 4 more rows: \d\.\d+", line)
    largest = small.assessment().identity["repU"]
    assert line.endswith(f": {fixed(largest.max())}")
    assert f"synthesis {largest.idxmax()} " in line
    (line,) = condition("identity.repU < 100 %")(small)
    assert line.startswith(f"identity.repU < 100 % holds for synthesis {largest.idxmin()} and 4 more rows: ")
    assert condition("identity.repU>100")(small) == []


def test_square_brackets_name_the_rows_of_a_target_or_of_another_text(small):
    assert all("marital" in line for line in condition("attribute.DiSCO[marital]>0")(small))
    assert condition("attribute.DiSCO[marital]>30")(small) == []
    assert condition("attribute.DiSCO[abroad]>30")(small)
    assert "remaining" not in condition("exclusions.remaining[DiSCO]>0")(small)[0].split(" holds ")[1]
    assert condition("one_way.pct_level[marital]>0")(small) == []  # no 1-way flag: there is no row


def test_what_has_no_answer_is_no_pass(small, monkeypatch):
    frame = of_review(small)["summary"].assign(sd=float("nan"))
    monkeypatch.setattr("disclosure_core.cli.table_conditions.of_name", lambda *_: frame)
    (line,) = condition("summary.sd>5")(small)
    assert line.startswith("summary.sd>5 is not evaluated for ")
    assert line.endswith(" and 5 more rows: there is no answer")


@cache
def lacking():
    """Return a review of whose two targets people outside have one; one set of two meets; nothing looks like an id."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.choice(list("abcd"), 180) for name in ("k", "j", "t", "u")})
    frame, outside = frame[:90].reset_index(drop=True), frame[90:].reset_index(drop=True)
    others = frame.assign(k=frame["k"].str.upper().replace({"A": "1", "B": "2", "C": "3", "D": "4"}))
    found = Review.of(["k", "j"]).open(
        frame, {"near": [frame.sample(90, replace=True, random_state=2)], "far": [others]}
    )
    found = found.with_review(replace(found.review, searched=frozenset({"comparison"})))
    return found.with_holdout(people_outside(outside.drop(columns="u")), Holdout("file", random=True))


FOUND_NOTHING = {"one_way", "two_way", "levels", "identifiers"}
"""Checks that looked everywhere: without a row nothing was found, and that passes."""


def test_nothing_that_was_not_counted_passes():
    """A condition that any number fulfils never passes in silence."""
    found = lacking()
    tables = of_review(found)
    written = [*forms(("t", "u")), *(f"{name}.{n}" for name, frame in tables.items() for n in figures_of(name, frame))]
    empty = [f"{name}.{n}" for name, frame in tables.items() if frame.empty for n in frame if n not in IDS[name]]
    passed = {each for each in (*written, *empty) if not condition(f"{each}>=-1e9")(found)}
    assert {each.partition(".")[0] for each in passed} <= FOUND_NOTHING
    assert len(written) > 100


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("difference(DiSCO)>99", " for u: The holdout has no column 'u'."),
        ("difference(DCAP)[u]>99", ": The holdout has no column 'u'."),
        ("M>99", " for u: The holdout has no column 'u'."),
        ("holdout>99", " for u: The holdout has no column 'u'."),
        ("holdout.R[u]>99", " for u: The holdout has no column 'u'."),
        ("sets_map.risk>100", " for all: 'far' is not evaluated. The values of 'k' do not meet"),
        ("sets_differences>99", " for all: 'far' is not evaluated. The values of 'k' do not meet"),
    ],
)
def test_a_figure_that_is_not_there_says_why(written, said):
    lines = condition(written)(lacking())
    assert [line for line in lines if line.startswith(f"{written} is not evaluated{said}")], lines


@pytest.mark.parametrize("kept", ["", "a"])
def test_a_target_of_which_all_is_excluded_passes_no_limit(kept):
    """What its exclusions leave nothing of is 0 whatever the synthetic data hold; its guess counts them in."""
    found = lacking()
    levels = tuple(sorted({"a", "b", "c", "d"} - {kept}))
    review = replace(found.review, exclusions=Exclusions(target_levels={"t": levels}), reasons={"t": "known to all"})
    asked = found.review.searched | {"strongest"}
    found = found.with_review(replace(review, searched=asked, limits=Limits(Limit(100, 100, "us", "so"))))
    why = "is not evaluated: Every level is excluded: nothing of it is evaluated."
    searched = ("strongest(DiSCO)", "strongest(gain)", "strongest.figure", "strongest_levels.figure")
    for what in (
        "DiSCO",
        "max(DiSCO)",
        "gain",
        "one_way",
        "difference(DCAP)",
        "attribute.DiSCO",
        "levels.claims",
        *searched,
    ):
        lines = [line.replace(" for t:", ":") for line in condition(f"{what}[t]>999")(found)]
        assert lines == ([] if kept else [f"{what}[t]>999 {why}"])
    for what in ("best_guess", "chance", "exclusions.remaining"):
        assert condition(f"{what}[t]>999")(found) == []
    (row,) = (r for r in answer(found).rows if (r.measure, r.target) == ("DiSCO", "t"))
    annex = found.attribute_baseline().summary("DiSCO", row.limit).set_index("target")["result"]
    assert annex["t"] == str(row.outcome)
    assert (str(row.outcome), row.why) == (("within", "") if kept else ("not evaluated", why.partition(": ")[2]))


PAIRS = Exclusions(pairs={"t": [Pair("k", level, own) for level in "abcd" for own in "abcd"]})


COUNTS_EXCLUDED = {"exclusions", "diversity", "scenarios"}


def test_no_table_passes_a_target_of_which_every_level_is_excluded():
    """By its name, by that of a measure or by both, in every figure but those of claims with nothing excluded."""
    found = lacking()
    out = Exclusions(target_levels={"t": list("abcd")})
    asked = {*found.review.searched, "strongest", "subsets"}
    review = replace(found.review, exclusions=out, reasons={"t": "known to all"}, searched=frozenset(asked), tau=0.8)
    found = found.with_review(review)
    tables = {
        name: frame for name, frame in of_review(found).items() if "target" in frame and "t" in {*frame["target"]}
    }
    assert {"summary", "tau_curves", "holdout_difference", "subsets_attribute"} < {*tables}
    said = "is not evaluated for t: Every level is excluded: nothing of it is evaluated."
    passed = set()
    for name, frame in tables.items():
        measures = ["[DiSCO]", "[t,DiSCO]"] * ("measure" in frame and IDS[name][:2] == ("target", "measure"))
        for text in [f"{name}.{n}{of}>1e9" for n in figures_of(name, frame) for of in ("", "[t]", *measures)]:
            if f"{text} {said}" not in condition(text)(found):
                passed.add((name, text.partition(".")[2].split("[")[0].split(">")[0]))
    assert {name for name, _ in passed if name not in COUNTS_EXCLUDED} == {"summary"}
    assert {n for name, n in passed if name == "summary"} == {"claims_right", "best_guess", "chance"}


@pytest.mark.parametrize("gone", [False, True])
def test_keys_of_which_every_record_is_excluded_pass_no_number(gone):
    frame = pd.DataFrame({"k": [None] * 7 + [None if gone else "a"], "j": list("aabbccdd"), "t": list("xyxyxyxy")})
    found = Review.of(["k", "j"], targets=["t"]).open(frame, [frame, frame])
    out = Exclusions(missing_keys={"k"})
    review = replace(found.review, exclusions=out, reasons=dict.fromkeys(out.names_of_all, "known"))
    found = found.with_review(replace(review, searched=frozenset({"subsets"})))
    why = "is not evaluated: Every record is excluded: nothing of it is evaluated."
    for what in ("repU", "max(UiO)", "any(repU)", "identity.UiS"):
        lines = [line.replace(" for the keys:", ":") for line in condition(f"{what}>1e9")(found)]
        assert lines == ([f"{what}>1e9 {why}"] if gone else [])
    assert condition("worst(repU)>1e9")(found) == []  # of j alone


@pytest.mark.parametrize("text", ["DiSCO>1e999", "DiSCO<-1e400", "repU >= 1e309 %"])
def test_an_infinite_number_is_no_condition(text):
    with pytest.raises(DisclosureError, match="cannot be read"):
        condition(text)


@pytest.mark.parametrize("some", [False, True])
@pytest.mark.parametrize("out", [PAIRS, Exclusions(denominator_limit=1), Exclusions(missing_keys={"k"})])
def test_a_target_of_which_every_record_is_excluded_passes_no_limit(out, some):
    """By pairs, a limit or a missing key: no level is excluded, and nothing is counted all the same."""
    frame = pd.DataFrame({"k": [None] * 20 if out.missing_keys else list("abcd") * 5, "t": list("abcd") * 5})
    if some:  # one record is left
        frame = pd.concat([frame, pd.DataFrame([{"k": "d" if out.pairs else "z", "t": "z"}])], ignore_index=True)
    reasons = dict.fromkeys((*out.names_of_all, "t"), "known to all")
    found = Review.of(["k"], targets=["t"]).open(frame, [frame])
    found = found.with_holdout(people_outside(frame[::2]), Holdout("file", random=True))
    limits = Limits(Limit(100, 100, "us", "so"))
    found = found.with_review(replace(found.review, exclusions=out, reasons=reasons, limits=limits))
    assert not found.not_judged
    why = "is not evaluated: Every record is excluded: nothing of it is evaluated."
    for what in ("DiSCO", "Dorig", "max(DiSCO)", "gain", "attribute.DiSCO"):
        lines = [line.replace(" for t:", ":") for line in condition(f"{what}[t]>999")(found)]
        assert lines == ([] if some else [f"{what}[t]>999 {why}"])
    (row,) = (r for r in answer(found).rows if (r.measure, r.target) == ("DiSCO", "t"))
    assert (str(row.outcome), row.why) == (("within", "") if some else ("not evaluated", why.partition(": ")[2]))


def test_a_table_that_is_not_there_names_those_that_are():
    with pytest.raises(DisclosureError, match="'identity', .* and [0-9]+ more"):
        condition("zzz.bar>1")(lacking())


def test_near_misses_pass_no_number_without_them():
    """In groups, or of whom people outside have none; a category has no near misses, and needs none."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 4, 900) for name in ("k", "pay", "rent", "age")})
    frame = frame.assign(job=list("abc") * 300)
    first, second, outside = (frame[i : i + 300].reset_index(drop=True) for i in (0, 300, 600))
    review = Review.of(["k"], groups={"pay": 2})
    found = review.open(first, [second], holdout=outside.drop(columns="rent"), holdout_is_random=True)
    grouped = " is not evaluated for pay: Near misses need a numeric target without groups, and 'pay' is none."
    lacking = " is not evaluated for rent: The holdout has no column 'rent'."
    assert condition("near_misses>100")(found) == [f"near_misses>100{grouped}"]
    assert condition("near_misses[pay]>100")(found) == [f"near_misses[pay]>100{grouped}"]
    assert condition("near_misses[rent]>100")(found) == []
    assert {*condition("near_misses_outside>100")(found)} == {
        f"near_misses_outside>100{why}" for why in (grouped, lacking)
    }


def test_a_check_that_found_nothing_passes():
    found = lacking()
    for each in ("two_way.npairs", "one_way.n_level[u]", "identifiers", "identifiers.share"):
        assert condition(f"{each}<1e9")(found) == []


def test_a_search_that_stopped_early_passes_no_table(small, monkeypatch):
    review = replace(small.review, searched=frozenset({"subsets"}))
    found = small.with_review(review)
    found.subsets()
    assert condition("subsets_identity.repU>100")(found) == []
    monkeypatch.setattr(
        "disclosure_core.cli.table_conditions.unfinished", lambda _: {"Subsets of the keys": "3 of 15 were looked at"}
    )
    assert condition("subsets_identity.repU>100")(found) == [
        "subsets_identity.repU>100 is not evaluated for all: 3 of 15 were looked at"
    ]


@pytest.mark.slow
def test_which_beta_counts_is_not_known_before_all_subsets_are_searched(opened):
    """Without a motive it is that of the largest F_rel: of a search that stopped early any may be it."""
    review = replace(opened.review, threat_model=replace(ANSWERED, motive=None))
    known = tuple(replace(keys, bounds=replace(keys.bounds, subsets=5)) for keys in review.intruders)
    cut, whole = opened.with_review(replace(review, intruders=known)), opened.with_review(review)
    of_all_keys = whole.membership().summary()["F_rel"]
    low, high = of_all_keys.min(), of_all_keys.max()
    assert not cut.membership().complete
    assert high - low > 1e-3
    for sign, passes, holds in ((">", high + 1e-6, low - 1e-6), ("<", low - 1e-6, high + 1e-6)):
        assert condition(f"F_rel{sign}{passes}")(cut) == []
        assert " holds for the keys: " in condition(f"F_rel{sign}{holds}")(cut)[0]
        (said,) = condition(f"F_rel{sign}{(low + high) / 2}")(cut)
        assert " is not evaluated for the keys: it is " in said
        assert "no motive says which β counts" in said
    assert condition(f"F_rel>{whole.membership().decisive()['F_rel'] + 1e-6}")(whole) == []


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("twoway.lift>3", "Table 'twoway' is not of this review. Did you mean 'two_way'?"),
        ("copies.twinz>3", "Figure 'twinz' is not of 'copies'"),
        ("copies.synthesis>3", "Figure 'synthesis' is not of 'copies'"),
        ("summary.flag>3", "Figure 'flag' is not of 'summary'"),
        ("summary.gain[income]>3", "Row 'income' is not of 'summary'"),
        ("nothing.here>3", "Table 'nothing' is not of this review"),
        ("columns.name>3", "is not of this review"),
        ("repU[abroad]>3", "repU belongs to the keys, not to a target; leave [abroad] out."),
        ("copies[abroad]>3", "copies belongs to all columns, not to a target; leave [abroad] out."),
        (".lift>3", "cannot be read"),
        ("two_way.>3", "cannot be read"),
    ],
)
def test_what_is_no_figure_is_refused(written, why, small):
    with pytest.raises(DisclosureError, match=re.escape(why)):
        condition(written)(small)


def test_a_table_without_figures_says_so(small, monkeypatch):
    texts = {"columns": pd.DataFrame({"name": ["a"]})}
    monkeypatch.setattr("disclosure_core.cli.table_conditions.of_review", lambda _: texts)
    with pytest.raises(DisclosureError, match="There is no figure in the table 'columns'"):
        condition("columns.name>3")(small)


def test_conditions_and_aims_are_read_alike():
    for written in ("DiSCO<5", "beyond(DiSCO) <= 5 %", "DiSCO[a < b]<5", "repU<1", "M<=0.5"):
        asked, aim = Inequality.parsed(written), Aim.parsed(written)
        assert (asked.what, asked.target or "", asked.sign == "<", asked.number) == aim
    for written in ("DiSCO>5", "DiSCO<-5", "DiSCO<-0", "DiSCO(repU)<5", "identity.repU<5", "DiSCO 5", ""):
        with pytest.raises(DisclosureError, match="cannot be read; write a measure, < or <= and a number"):
            Aim.parsed(written)


OF_TARGETS = [m.name for m in MEASURES if not m.of_keys] + [n for n, (_, t) in TABLES.items() if "target" in t.columns]


@pytest.mark.parametrize("figure", [*OF_TARGETS, "UiOiS", "in_population"])
def test_targets_move_a_condition_on_every_figure_of_a_target_and_on_no_other(figure):
    said = acting.notes("population", {"targets": ("a",), "fail_if": (f"{figure}>1",)})
    assert bool(said) == (figure not in OF_TARGETS)
