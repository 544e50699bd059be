"""One form of file for all that was asked: whole or a part, it says what it says, and nothing in it is passed over."""

# Inside: parts of the one form, each read and written without a file.

import json
import re
from dataclasses import replace
from math import inf

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    Band,
    Bounds,
    Cap,
    Chain,
    Columns,
    DisclosureError,
    Exclusions,
    Hierarchy,
    Holdout,
    KeySet,
    Limit,
    Limits,
    MergeLevels,
    Motive,
    Pair,
    ReadOptions,
    RemoveReplicated,
    Review,
    Scenario,
    Settings,
    Sought,
    ThreatModel,
    Thresholds,
    Verdict,
    Ways,
)
from disclosure_core.data.codebook import Codebook
from disclosure_core.review.forms import Version
from disclosure_core.review.parts import Analysis, Origin, ReasonStamp, Sample, SourceFile, SynthesisSet
from disclosure_core.review.saved import VERSION, as_parts, parts_of, schema, settings_of, with_parts
from disclosure_core.review.verdicts import Stamp
from tests.saved import from_json, to_json

OUT = Exclusions({"job": ["cook"]}, {"income"}, {"age"}, {"job": [Pair("age", "17", "cook")]}, 50)
FILE = SourceFile("a.csv", "0" * 64, ReadOptions(delimiter=";"))
AGES = Hierarchy.bands(5, 10)
STEPS = (RemoveReplicated(), Cap("income", 0, 700.5), MergeLevels("job", 15), Band("job", "x", (("cook", "a"),)))
STAMP = Stamp(
    ("age",), {"age": (18, 65)}, ("job = cook",), ("0" * 64,), "DiSCO", 4.5, 0.5, "2026-01-01", "R. Novak", 5.5
)
EVERYTHING = Review(
    "files", "a against b", FILE,
    (SynthesisSet("one", (FILE,)), SynthesisSet("safer", (), Origin("one", "tried", STEPS, ("age",), {"age": 3}))),
    "safer",
    Columns({"job": ("case",)}, {"job": ("-",)}, {"age": "number"}, {"age": ("-8",)}, {"age": ("99",)},
            Codebook("c.csv", {"job": {"1": "cook"}}, {"job": ("-8",)}, {"job": "What they do"})),
    Holdout("file", FILE, random=True), FILE,
    (KeySet("a neighbour", ("sex", "age"), "they see it", {"age": 5}, {"age": ("17",)}, Bounds(2, {"age": "5"}, 9, 3, 7)),
     KeySet("a colleague", ("sex",))),
    "a colleague", ("job", "income"), {"income": 20, "age": (18, 65)}, OUT, {"sex": "seen"},
    (ReasonStamp("one", "a neighbour", "job = cook", 2.5),), Thresholds((5, 60), (2, 70.5)), 0.75,
    (Scenario("one", OUT),), (Verdict("one", "a neighbour", "job", "leak", "rare", STAMP),),
    (Chain("tried", STEPS, True),), "tried", (Sample(10.0, 7),),
    Limits(Limit(0.5, 3.5, "panel", "ours", {"harm": "a job"}, True), Limit(30, 4.5), Limit(None, 0.2)),
    ThreatModel("adults", 50_000, "register", True, False, True, Motive.PROFIT, False), {"labelled": "yes"},
    {"Officer": "R. Novak", "Note": "second round"}, {"one": (1, 2)},
    (Version(5), Version(20, "0" * 64, "1" * 64, ("one", "2" * 64))), frozenset({"subsets", "least"}),
    {"age": AGES}, Sought(("limits", "DiSCO<5"), {"age": AGES}, 12.5, ("job",), 30.5, {"income": Ways((90.5,), (), (5.0,), (20,))}, ("job",)),
    frozenset({"warning: given twice"}), {"": ("job",)},
    {"anonymity": Analysis(True, {"k": 5})}, {"DCAP": False},
)  # fmt: skip
"""A review that says something of each part; a part that is added has to be added here."""

SCHEMA = schema()
WHOLE = as_parts(EVERYTHING)
BY_FIELD = ("columns", "exclusions", "limits", "sought", "threat_model", "thresholds")
PARTS = sorted(set(WHOLE) - {"intruder", "chain", "synthesis_set"})
"""Parts that fit on any review; the other three name what is in another part."""


def test_everything_says_something_of_each_part():
    usual = as_parts(Review())
    assert [name for name, part in WHOLE.items() if part == usual[name] and name != "source"] == []


def saved(**parts):
    return json.dumps({"review": VERSION} | parts)


some_parts = st.lists(st.sampled_from(PARTS), unique=True)


@st.composite
def partial(draw, names=None):
    """Some parts of everything, and of those that are held by field some fields."""
    found = {}
    for name in draw(some_parts) if names is None else names:
        part = WHOLE[name]
        if name in BY_FIELD:
            fields = draw(st.lists(st.sampled_from(sorted(part)), unique=True))
            part = {field: part[field] for field in fields}
            if name == "limits":
                part = {m: {f: each[f] for f in draw(st.lists(st.sampled_from(sorted(each)), unique=True))} for m, each in part.items()}  # fmt: skip
        found[name] = part
    return found


def filled(parts, now):
    """Parts with what they do not hold as it is now, put together without the program."""
    found = dict(now)
    for name, part in parts.items():
        found[name] = part
        if name in BY_FIELD:
            found[name] = now[name] | part
        if name == "limits":
            found[name] = {measure: now[name][measure] | part.get(measure, {}) for measure in now[name]}
    if "intruders" in parts and now["intruder"] not in {known["name"] for known in WHOLE["intruders"]}:
        found["intruder"] = WHOLE["intruders"][0]["name"]
    return found


@given(partial())
def test_a_part_on_what_is_usual_is_the_whole_file(parts):
    found = from_json(saved(**parts))
    jsonschema.validate(json.loads(saved(**parts)), SCHEMA)
    assert found == from_json(json.dumps({"review": VERSION} | filled(parts, as_parts(Review()))))
    assert as_parts(found) == filled(parts, as_parts(Review()))


@given(partial(), some_parts)
def test_what_a_part_does_not_hold_stays(parts, others):
    now = with_parts(Review(), {name: WHOLE[name] for name in others})
    assert as_parts(with_parts(now, parts)) == filled(parts, as_parts(now))
    assert with_parts(now, {}) == now
    assert with_parts(now, WHOLE) == EVERYTHING


@given(some_parts)
def test_saved_and_opened_and_saved_is_the_same_file(names):
    text = to_json(with_parts(Review(), {name: WHOLE[name] for name in names}))
    assert to_json(from_json(text)) == text


@pytest.mark.parametrize(
    "review",
    [
        EVERYTHING,
        Review(thresholds=Thresholds((inf, 90), (4, 80))),
        Review(sought=Sought(seconds=inf)),
        Review(threat_model=ThreatModel(population_size=1e6)),
        Review(reasons={"": ""}, about={"Note": ""}),
    ],
    ids=["everything", "a flag that nothing raises", "a search without end", "people as 1e6", "empty texts"],
)
def test_the_file_of_a_review_is_stable(review):
    text = to_json(review)
    assert from_json(text) == review
    assert to_json(from_json(text)) == text


def places(part, way=()):
    """Give the way to each part of a file that holds others, and to each text, number and null."""
    yield way, part
    for name, each in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        yield from places(each, (*way, name))


def changed(way, make):
    """Return the file of everything with what `make` makes of what stands there."""
    plain = json.loads(json.dumps(WHOLE))
    part = plain
    for name in way[:-1]:
        part = part[name]
    if not way:
        plain = make(plain)
    else:
        part[way[-1]] = make(part[way[-1]])
    return json.dumps({"review": VERSION} | plain)


BY_NAME = {
    "groups", "mends", "missing_texts", "missing_codes", "types", "numbers", "labels", "others_levels", "at_best",
    "target_levels", "pairs", "context", "reasons", "assumptions", "about", "released", "hierarchies", "coarsen", "ways",
    "really_different", "analyses", "asked", "scope", "missing", "called", "dates",
}  # fmt: skip
"""Parts whose names are those of columns, sets, questions …, which the data or the question know."""

OF_FIELDS = [
    way for way, part in places(WHOLE)
    if isinstance(part, dict) and not (way and (way[-1] in BY_NAME or (len(way) > 1 and way[-2] == "labels")))
]  # fmt: skip


def refused(text):
    with pytest.raises(DisclosureError) as error:
        pytest.fail(f"taken: {from_json(text)}")
    said = str(error.value)
    assert re.fullmatch(r"[^\n]{15,600}[.?]", said), said
    return said


def named(way, name):
    said = refused(changed(way, lambda part: part | {name: 1}))
    assert repr(name)[1:-1] in said or name in said, way  # as text of Python, which is how a path is quoted


def test_anything_unknown_is_named_wherever_it_stands():
    for way in OF_FIELDS:
        for name in ("x?", "0", """a'b"c\\d é [0].x?"""):
            named(way, name)


@given(st.sampled_from(OF_FIELDS), st.text(min_size=1, max_size=12).filter(str.isprintable))
def test_anything_unknown_is_named_whatever_it_is_called(way, name):
    named(way, name + "x?")


def test_a_part_that_is_misspelt_is_told_its_name():
    for name in PARTS:
        for wrong in {name[:i] + name[i + 1 :] for i in range(1, len(name))} if len(name) > 4 else {name + "s"}:
            if wrong not in WHOLE:
                assert f"did you mean {name!r}?" in refused(saved(**{wrong: WHOLE[name]}))


NUMBERS = [
    way for way, part in places(WHOLE)
    if isinstance(part, int | float) and not isinstance(part, bool) and way[0] != "analyses"  # checked with its question
]  # fmt: skip


def test_a_number_as_text_is_none():
    for way in NUMBERS:
        refused(changed(way, str))


def test_null_is_nothing_or_refused():
    """Where nothing may be there, it is nothing; it is never taken for what was there, or for a text."""
    nothing = []
    for way in [way for way, _ in places(WHOLE) if way]:
        text = changed(way, lambda _: None)
        try:
            part = as_parts(from_json(text))
        except DisclosureError:
            refused(text)
            continue
        for name in way:
            part = part[name]
        assert part is None, way
        nothing.append(way)
    assert ("tau",) in nothing


def test_a_name_that_stands_twice_is_refused():
    for way, part in places(WHOLE):
        if isinstance(part, dict) and part:
            first = next(iter(part))
            text = changed(way, lambda part: {"_again_": 0} | part).replace('"_again_"', json.dumps(first), 1)
            assert f"gives {first!r} twice in one place" in refused(text), way


def test_a_further_question_that_is_not_known_is_named_on_any_data():
    """Also where the review is used on tables, or put on a review of other data."""
    import pandas as pd

    frame = pd.DataFrame({"k": ["a", "b"] * 5, "t": ["x", "y"] * 5})
    for analyses, said in (
        ({"anonimity": {}}, "Did you mean 'anonymity'?"),
        ({"anonymity": {"asked": {"l": 3}}}, "'l' is no"),
    ):
        review = from_json(saved(analyses=analyses, intruders=[{"name": "an intruder", "keys": ["k"]}]))
        with pytest.raises(DisclosureError, match=re.escape(said)):
            review.open(frame, [frame])


@pytest.mark.parametrize("depth", [60, 300, 900])
@pytest.mark.parametrize(
    "form", ['{"review": 3, "reasons": %s}', '{"reasons": %s}', '{"review": 3, "analyses": {"tau": {"asked": %s}}}']
)
def test_what_is_nested_deeply_is_a_sentence(depth, form):
    refused(form % ('{"a": ' * depth + "1" + "}" * depth))


def test_an_assumption_that_nobody_asks_is_named():
    assert "Did you mean 'labelled'?" in refused(saved(assumptions={"labeled": "yes"}))
    assert "yes or no, not 'maybe'" in refused(saved(assumptions={"labelled": "maybe"}))


def test_settings_are_those_of_any_file():
    """Of the form that settings had, of a whole review, and of a part."""
    asked = Settings(("age", "sex"), ("job",), {"age": 3}, OUT, Thresholds((5, 60)))
    parts = {"intruders": [{"name": "an intruder", "keys": ["sex", "age"]}], "targets": ["job"], "groups": {"age": 3},
             "exclusions": OUT.to_plain(), "thresholds": {"one_way": [5, 60]}}  # fmt: skip
    for text in (asked.to_json(), to_json(from_json(asked.to_json())), saved(**parts)):
        assert Settings.from_json(text) == settings_of(text) == asked


def test_toml_is_the_same_form():
    text = 'review = 3\ntau = 0.75\ntargets = []\n[limits.disco]\nabsolute = 20\n[threat_model]\nnews = "no"\nmotive = "profit"\n[scope]\nDCAP = ""\nlimits = "yes"\n'
    found = with_parts(Review(), parts_of(text, "office.toml"))
    assert found == Review(
        tau=0.75, targets=(), limits=Limits(Limit(20)), threat_model=ThreatModel(news=False, motive=Motive.PROFIT),
        scope={"limits": True},
    )  # fmt: skip
    assert found == from_json(to_json(found))


def test_verdicts_that_say_what_they_judge_are_answers():
    said = refused(saved(verdicts=[{"intruder": "a", "target": "b", "verdict": "leak", "at": 3}]))
    assert "give this file by --answers" in said


def test_an_edition_that_a_file_of_before_names_is_no_part():
    assert from_json(json.dumps({"review": VERSION, "edition": 2} | WHOLE)) == EVERYTHING
    assert replace(EVERYTHING, tau=0.5) == with_parts(EVERYTHING, parts_of('{"review": 3, "tau": 0.5}'))
