"""A review as a value: saved and opened again it is the same, whatever it holds; what is damaged is said."""

# Inside: what each change is called in the drawer, a free name, the schema of the file.

import gzip
import json
import re
from dataclasses import replace
from hashlib import sha256

import jsonschema
import pandas as pd
import pyreadstat
import pytest
from hypothesis import strategies as st

from disclosure_core import (
    AddLabel,
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Chain,
    Coarsen,
    Columns,
    DisclosureError,
    Exclusions,
    Holdout,
    KeySet,
    Limit,
    Limits,
    MergeLevels,
    Motive,
    Pair,
    ReadOptions,
    Recode,
    RemoveClaims,
    RemoveReplicated,
    RemoveUniques,
    Review,
    RoundTo,
    Scenario,
    Settings,
    ThreatModel,
    Thresholds,
    Verdict,
    demonstration_holdout,
    open_review,
    read_holdout,
    start,
    start_demonstration,
)
from disclosure_core.data.codebook import Codebook
from disclosure_core.protection.steps import STEPS
from disclosure_core.review.chains import free_name
from disclosure_core.review.changes import name_of
from disclosure_core.review.forms import Version
from disclosure_core.review.parts import SourceFile
from disclosure_core.review.remarks import missing_texts
from disclosure_core.review.saved import VERSION, schema
from tests.reports import answer
from tests.saved import carry_over, from_json, to_json
from tests.written import of_review

# The data: texts that may be missing, a code, a number to group, a column that is a number or a category.
HEADER = ["sex", "age", "job", "income", "born"]


def csv(rows, delimiter=","):
    lines = [delimiter.join(HEADER), *(delimiter.join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def people(seed: int, n: int):
    frame = pd.DataFrame(
        {
            "sex": [("f", "m", "NA")[(i * 7 + seed) % 3] for i in range(n)],
            "age": [20 + (i * i + seed) % 9 for i in range(n)],
            "job": [("cook", "baker", "-", "nurse")[(i * 5 + seed * i) % 4] for i in range(n)],
            "income": [-8 if (i + seed) % 6 == 0 else 100 * ((i * 3 + seed) % 11) for i in range(n)],
            "born": [f"19{50 + (i + seed) % 7}-01-0{1 + i % 3}" for i in range(n)],
        }
    )
    return frame.itertuples(index=False)


FILES = {
    "original.csv": csv(people(0, 60), ";"),
    "one.csv": csv(people(3, 60), ";"),
    "two.csv": csv(people(1, 50), ";"),
    "holdout.csv": csv(people(2, 30), ";"),
}
LEVELS = {"sex": ["f", "m"], "job": ["cook", "baker", "nurse"], "age": ["20", "21"]}


CODEBOOK = Codebook("c.csv", {"strange": {"1": "one"}}, {"income": ("-8",)}, {"income": "What a person has"})
"""Of a column that the files have and one that they have not; it moves no figure here."""


@st.composite
def reviews(draw):
    """Any review of the files above that says something of everything that moves a figure."""
    opened = started()
    keys = draw(st.lists(st.sampled_from(["sex", "age", "job", "born"]), min_size=1, max_size=3, unique=True))
    rest = [name for name in HEADER if name not in keys]
    targets = draw(st.none() | st.lists(st.sampled_from(rest), min_size=1, unique=True).map(tuple))
    asked = rest if targets is None else list(targets)
    grouped = draw(st.sampled_from([{}, {"income": 3}, {"age": 2}, {"income": 5, "age": 4}]))
    columns = Columns(
        missing_texts=draw(st.sampled_from([{}, {"sex": ("NA",)}, {"sex": ("NA",), "job": ("-",)}])),
        types=draw(st.sampled_from([{}, {"born": "year"}, {"born": "category"}])),
        missing_codes=draw(st.sampled_from([{}, {"income": ("-8",)}])),
        codebook=draw(st.sampled_from([None, CODEBOOK])),
    )
    levels = {
        t: draw(st.lists(st.sampled_from(LEVELS[t]), unique=True)) for t in asked if t in LEVELS and t not in grouped
    }
    key, target = next((k for k in keys if k in LEVELS and k not in grouped), None), next(iter(levels), None)
    pairs = {target: [Pair(key, LEVELS[key][0], LEVELS[target][0])]} if key and target and draw(st.booleans()) else {}
    out = Exclusions(
        target_levels=levels,
        missing_targets=frozenset(draw(st.lists(st.sampled_from(asked), unique=True))),
        missing_keys=frozenset(draw(st.lists(st.sampled_from(keys), unique=True))),
        pairs=pairs,
        denominator_limit=draw(st.none() | st.integers(1, 9)),
    )
    steps = draw(
        st.lists(
            st.sampled_from(
                [
                    RemoveReplicated(),
                    RemoveUniques(),
                    RoundTo("income", 200),
                    Cap("income", None, 700),
                    Coarsen("income", 3),
                    MergeLevels("job", 15),
                    Breaks("income", (300, 500)),
                    BlankClaims("job"),
                    RemoveClaims("job"),
                    AddLabel(),
                ]
            ),
            max_size=2,
            unique=True,
        )
    )
    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)

    def limit(most):
        number, context = st.none() | st.floats(0, most), st.dictionaries(st.sampled_from(["harm", "order"]), texts)
        return st.builds(Limit, number, number, texts, texts, context, st.booleans())

    review = replace(
        opened.review,
        columns=columns,
        holdout=draw(st.none() | st.just(HOLDOUT) | SPLITS),
        intruders=(KeySet("a neighbour", tuple(keys), draw(texts)), KeySet("a colleague", ("sex",))),
        intruder="a neighbour",
        targets=targets,
        groups=grouped,
        exclusions=out,
        reasons=draw(st.dictionaries(texts, texts, max_size=2)),
        thresholds=draw(st.builds(lambda a, b: Thresholds((a, b), (1, 70)), st.integers(0, 60), st.floats(0, 100))),
        tau=draw(st.none() | st.floats(0, 1)),
        scenarios=draw(st.sampled_from([(), (Scenario("none", Exclusions()), Scenario("this", out))])),
        verdicts=draw(st.sampled_from([(), (Verdict("synthetic data", "a neighbour", "job", "leak", "rare"),)])),
        chains=(Chain("tried", tuple(steps)),),
        chain=draw(st.sampled_from(["", "tried"])),
        limits=Limits(draw(limit(90)), draw(limit(90)), replace(draw(limit(1)), absolute=None)),
        threat_model=draw(
            st.sampled_from(
                [ThreatModel(), ThreatModel("people", 100_000, "register", True, True, False, Motive.PROFIT)]
            )
        ),
        about=draw(st.dictionaries(texts, texts, max_size=2)),
        shared=draw(st.sampled_from([(), (Version(5), Version(20, "ab", "cd", ("A", "ef")))])),
        searched=draw(st.frozensets(st.sampled_from(["membership", "subsets"]))),
        answered=draw(st.frozensets(st.sampled_from(["warning: given twice", "text: job = NA"]))),
    )
    return fitting(review)


def started():
    (original, *rest) = FILES.items()
    return start(original, {"synthetic data": rest[:2]}, ReadOptions(delimiter=";"))


SPLITS = st.builds(lambda share, seed: Holdout("split", share=share, seed=seed), st.floats(50, 90), st.integers(0, 9))
HOLDOUT = Holdout(
    "file", SourceFile("holdout.csv", sha256(FILES["holdout.csv"]).hexdigest(), ReadOptions(delimiter=";"))
)


def fitting(review):
    """What the data do not have is dropped, as the page drops it at once."""
    return open_review(review, FILES).review


def figures(opened):
    """Every exported table; where a safeguard or a search cannot be made, the sentence that says so."""
    try:
        return {name: table.to_csv() for name, table in of_review(opened).items()}
    except DisclosureError as error:
        return str(error)


def test_every_safeguard_is_saved_by_its_name_and_comes_back():
    steps = (
        RemoveReplicated(), RemoveUniques(), RoundTo("income", 200), Cap("income", None, 700), Coarsen("income", 3),
        MergeLevels("job", 15, keep=("cook",)), Breaks("age", (18, 30.5)), Recode("job", "work", ("cook", "clerk")),
        Band("age", "5"), Band("job", "x", (("cook", "a"), ("clerk", "b"))), BlankClaims("income"), RemoveClaims("income"),
        AddLabel(),
    )  # fmt: skip
    review = Review(chains=(Chain("tried", steps),), chain="tried")
    plain = json.loads(to_json(review))["chains"][0]["steps"]
    assert [step["step"] for step in plain] == [type(step).__name__ for step in steps]
    assert {type(step) for step in steps} == {*STEPS.values()}
    assert plain[3] == {"step": "Cap", "column": "income", "low": None, "high": 700}
    jsonschema.validate(json.loads(to_json(review)), schema())
    assert from_json(to_json(review)) == review


def test_reading_tells_which_file_of_how_many():
    told = []
    (original, *rest) = FILES.items()
    start(original, {"synthetic data": rest[:2]}, ReadOptions(delimiter=";"), None, lambda text, _: told.append(text))
    names = ("original.csv", "one.csv", "two.csv")
    said = [f"Reading {name}, file {i} of 3 …" for i, name in enumerate(names, 1)]
    assert list(dict.fromkeys(told)) == [*said, "Making them comparable …"]


@pytest.mark.slow
def test_a_safeguard_leaves_what_only_a_synthetic_file_declares_as_missing(tmp_path):
    for name, values, more in (("o.sav", [1.0, 2, 3], {}), ("s.sav", [-8.0, -3, 2], {"missing_ranges": {"x": [-8]}})):
        pyreadstat.write_sav(pd.DataFrame({"k": ["a", "b", "c"], "x": values}), str(tmp_path / name), **more)
    opened = start(("o.sav", tmp_path / "o.sav"), {"synthetic data": [("s.sav", tmp_path / "s.sav")]})
    opened = opened.with_review(replace(opened.review, chains=(Chain("capped", (Cap("x", 0, None),)),), chain="capped"))
    assert opened.protected().synthetic[0]["x"].tolist() == [-8, 0, 2]


def test_people_outside_stand_beside_the_set_that_is_named():
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    assert {name: opened.partition(name).n_syntheses for name in opened.data.sets} == {
        name: len(tables) for name, tables in opened.data.sets.items()
    }
    assert opened.partition().n_syntheses == 5


def test_what_may_be_missing_is_counted_over_all_files():
    opened = started()
    told = missing_texts([opened.data.original, *opened.data.sets["synthetic data"]])
    files = [FILES[name].decode() for name in ("original.csv", "one.csv", "two.csv")]
    wanted = {("sex", "NA"): sum(len(re.findall("^NA;", f, re.M)) for f in files), ("job", "-"): sum(f.count(";-;") for f in files)}  # fmt: skip
    assert {(t.column, t.text): t.count for t in told} == wanted
    assert [t.count for t in told] == sorted(wanted.values(), reverse=True)


@pytest.mark.slow
def test_several_sets_or_a_chain_are_compared_step_by_step():
    several, one = start_demonstration(), started()
    assert several.which_set == "The figures are of 'synthetic data', one of 3 sets of syntheses."
    assert one.which_set == ""
    tried = one.with_review(replace(one.review, chains=(Chain("tried", (AddLabel(),)),)))
    assert [o.compares_several for o in (several, one, tried)] == [True, False, True]
    told = []
    several.comparison(lambda done, of: told.append(done / of), outside=False)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len({int(3 * share) for share in told}) == 4  # each set brings it a third further


def test_a_new_chain_has_a_name_that_is_free():
    review = start_demonstration().review
    for taken, free in (((), 1), ((1,), 2), ((1, 2, 3), 4), ((1, 3), 2)):
        assert free_name(replace(review, chains=tuple(Chain(f"variant {i}") for i in taken))) == f"variant {free}"


def test_a_saved_review_says_that_it_is_confidential():
    plain = json.loads(to_json(start_demonstration().review))
    assert plain["confidential"].startswith("This file names columns and levels of confidential data")


def test_the_first_reason_for_a_verdict_is_not_called_another():
    given = [Verdict("synthetic data", "an intruder", "abroad", "leak", why) for why in ("", "benefits", "more")]
    none, first, second = (replace(start_demonstration().review, verdicts=(v,)) for v in given)
    assert name_of(none, first) == "gave a reason for the verdict on abroad"
    assert name_of(first, second) == "gave another reason for the verdict on abroad"


def test_a_target_that_this_intruder_knows_stays_one_while_it_is_known():
    review = replace(start_demonstration().review, targets=("age", "income"))
    assert "age" in review.keys
    for keys, targets in (
        (("sex", "age"), ("age", "income")),
        (("sex",), ("income",)),
        (("sex", "region"), ("income",)),
    ):
        assert review.with_settings(Settings(keys=keys, targets=("income",))).targets == targets


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"limits": {"membership": {"relative": 20}}}, "F_rel is from 0 to 1, as the precedent 0.2; 20 is none"),
        ({"limits": {"absolute": 20.0}}, "a part 'absolute'"),
        ({"review": VERSION + 1}, "saved by another version"),
        ({"review": VERSION - 1}, "saved by another version"),
        ({"review": True}, "names no version"),
        ({"review": 0}, "names no version"),
        ({"height": 1}, "a part 'height' that is not known"),
        ({"tau": 5}, "between 0 and 1"),
        ({"name": "\ud800"}, "half a character"),
        ({"groups": {"age": "20"}}, "damaged at 'groups.age'"),
        ({"groups": {"age": 1}}, "Ask for 2 to"),
        ({"threat_model": {"population_size": 0}}, "population size must be a whole number"),
        ({"threat_model": {"shoe_size": 40}}, "a part 'shoe_size'"),
        ({"thresholds": {"one_way": [50, 900], "two_way": [4, 80]}}, "1 or|thresholds must be"),
        ({"chains": [{"name": "a", "steps": [{"step": "Guess"}]}]}, "a safeguard is one of"),
        ({"chains": [{"name": "a", "steps": [{"step": "RoundTo", "column": "x"}]}]}, "is not complete"),
        ({"chains": [{"name": "a", "steps": [{"step": "Breaks", "column": "x", "breaks": ["a"]}]}]}, "is not complete"),
        (
            {"chains": [{"name": "a", "steps": [{"step": "Recode", "column": "x", "into": "y", "levels": [1]}]}]},
            "is not complete",
        ),
        (
            {"chains": [{"name": "a", "steps": [{"step": "Band", "column": "x", "level": "y", "rows": [["a"]]}]}]},
            "is not complete",
        ),
        ({"chain": "none such"}, "no chain of safeguards 'none such'"),
        ({"intruders": [], "intruder": "x"}, "no intruder 'x'"),
        ({"scenarios": [{"name": "a", "exclusions": {}}]}, "not complete"),
        (
            {"verdicts": [{"synthesis_set": "a", "intruder": "b", "target": "c", "verdict": "fine"}]},
            "damaged at 'verdicts",
        ),
        ({"exclusions": 3}, "not complete"),
    ],
)
def test_a_damaged_review_is_a_sentence(change, said):
    plain = json.loads(to_json(start_demonstration().review)) | change
    with pytest.raises(DisclosureError, match=said):
        from_json(json.dumps(plain))


@pytest.mark.parametrize("text", ["", "[", "[]", "null", "{}", "1", '"x"', "[" * 100_000, '{"review": NaN}'])
def test_what_is_no_review_is_a_sentence(text):
    with pytest.raises(DisclosureError, match="not a saved review"):
        from_json(text)


def test_other_files_stop_it_unless_they_are_allowed():
    review = replace(started().review, intruders=(KeySet("x", ("sex",)),), intruder="x")
    other = FILES | {"two.csv": FILES["one.csv"]}
    with pytest.raises(DisclosureError, match="two.csv is not the file .* Nothing was computed"):
        open_review(review, other)
    assert open_review(review, other, other_data=True).differences == (
        "two.csv is not the file that this review was made with: its content differs.",
    )
    with pytest.raises(DisclosureError, match="one.csv is not among the files"):
        open_review(review, {"original.csv": FILES["original.csv"]})
    with pytest.raises(DisclosureError, match="none of its keys is here"):
        open_review(replace(review, intruders=(KeySet("x", ("height",)),)), FILES)


@pytest.mark.slow
@pytest.mark.parametrize("of", [start_demonstration, started], ids=["the survey", "files"])
def test_a_holdout_from_a_file_is_read_again_with_the_rest(of, tmp_path):
    opened = of()
    opened = opened.with_review(replace(opened.review, intruders=(KeySet("x", ("sex", "age")),), intruder="x"))
    content = opened.data.original.frame.iloc[:40].to_csv(index=False).encode()
    with_it = opened.with_holdout(*read_holdout("people.csv", content))
    review = from_json(to_json(with_it.review))
    again = open_review(review, FILES | {"people.csv": content})
    assert again.attribute_baseline().figures.equals(with_it.attribute_baseline().figures)
    for name, data in (FILES | {"people.csv": content}).items():
        (tmp_path / name).write_bytes(data)
    assert len(open_review(review, tmp_path).data.holdout.frame) == 40
    with pytest.raises(DisclosureError, match="people.csv is not among the files"):
        open_review(review, FILES)
    with pytest.raises(DisclosureError, match="people.csv is not the file .* Nothing was computed"):
        open_review(review, FILES | {"people.csv": content[:-1]})


def test_a_result_is_kept_under_what_it_depends_on():
    opened = start_demonstration()
    opened = opened.with_review(replace(opened.review, targets=("marital",)))
    searched, growth, study = opened.subsets(), opened.growth(), opened.study()
    result = opened.assessment()
    later = opened.with_review(replace(opened.review, exclusions=Exclusions(denominator_limit=3), reasons={"a": "b"}))
    assert later.assessment().tables is result.tables
    assert later.growth() is growth
    assert later.study() is study
    assert later.finished_subsets() is None
    back = later.with_review(opened.review)
    assert back.assessment() is result
    assert back.subsets() is searched


def test_a_changed_target_does_not_throw_a_membership_search_away():
    opened = open_review(
        replace(
            start_demonstration().review,
            holdout=Holdout("demonstration"),
            threat_model=ThreatModel(population_size=1_000_000, same_population=True, news=True),
        )
    )
    found = opened.membership()
    other = opened.with_review(replace(opened.review, targets=("abroad",), exclusions=Exclusions(denominator_limit=1)))
    assert other.finished_membership() is found
    keys = (KeySet("an intruder", ("sex", "age")),)
    assert other.with_review(replace(opened.review, intruders=keys)).finished_membership() is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"exclusions": Exclusions(target_levels={"abroad": ("No",)})}, "excluded “No” of abroad"),
        ({"exclusions": Exclusions(denominator_limit=1)}, "limited denominators to 1"),
        ({"exclusions": Exclusions(missing_keys=frozenset({"age"}))}, "excluded missing values of the key age"),
        ({"intruders": (KeySet("an intruder", ("sex", "age", "region")),)}, "removed the key employment"),
        ({"groups": {}, "tau": 0.8}, "changed the groups and changed the threshold τ"),
        ({"reasons": {"a": "b"}}, ""),
        (
            {"exclusions": Exclusions(missing_targets={"abroad", "age", "income"}, missing_keys={"sex"})},
            "excluded missing values of abroad, missing values of age, missing values of income and 1 more",
        ),
        (
            {"tau": 0.8, "thresholds": Thresholds((1, 1))},
            "changed the thresholds of the checks and changed the threshold τ",
        ),
    ],
)
def test_a_change_has_a_name(change, said):
    review = start_demonstration().review
    changed = replace(review, **change)
    assert name_of(review, changed) == said
    if said.startswith("excluded "):
        assert name_of(changed, review) == said.replace("excluded", "counted") + " again"


def test_a_saved_review_is_carried_over_to_the_open_data_whole():
    opened = started()
    saved = fitting(
        replace(
            opened.review,
            columns=Columns(missing_texts={"sex": ("NA",)}, types={"born": "year"}, missing_codes={"income": ("-8",)}),
            intruders=(KeySet("x", ("sex",), "seen"),),
            intruder="x",
            thresholds=Thresholds((9, 9.5)),
            tau=0.5,
        )
    )
    review, differences = carry_over(from_json(to_json(saved)), opened)
    assert (review, differences) == (saved, ())
    swapped = start(
        ("two.csv", FILES["two.csv"]),
        {"synthetic data": [("original.csv", FILES["original.csv"])]},
        ReadOptions(delimiter=";"),
    )
    assert "were the files swapped?" in carry_over(saved, swapped)[1][0]


def test_equal_reviews_give_equal_text():
    review = replace(
        started().review,
        exclusions=Exclusions(missing_targets=frozenset(HEADER), missing_keys=frozenset(["sex", "age"])),
        searched=frozenset(["subsets", "membership", "comparison"]),
    )
    plain = json.loads(to_json(review))
    assert plain["searched"] == ["comparison", "membership", "subsets"]
    assert plain["exclusions"]["missing_targets"] == sorted(HEADER)
    assert plain["exclusions"]["missing_keys"] == ["age", "sex"]


def test_who_knows_every_target_learns_none_and_breaks_nothing():
    review = replace(
        started().review,
        intruders=(KeySet("a neighbour", ("age",)), KeySet("a colleague", ("sex",)), KeySet("a stranger", ("shoe",))),
        intruder="a neighbour",
        targets=("sex",),
    )
    opened = open_review(review, FILES)
    assert [opened.of_intruder(name).can_learn() for name in ("a neighbour", "a colleague", "a stranger")] == [
        True,
        False,
        False,
    ]
    assert {row.intruder for row in answer(opened).rows} == {"a neighbour"}
    assert [row.target for row in opened.queue().rows] == ["sex"]


@pytest.mark.slow
def test_files_of_one_name_are_told_apart():
    original, other = FILES["original.csv"], FILES["one.csv"]
    packed, other_packed = (gzip.compress(data, mtime=0) for data in (original, other))
    opened = start(("d.csv.gz", packed), {"a": [("d.csv.gz", other_packed)], "b": [("e.csv", other), ("e.csv", original), ("e.csv", other)]})  # fmt: skip
    opened = opened.with_review(replace(opened.review, intruders=(KeySet("x", ("sex", "age")),), intruder="x"))
    assert [file.name for each in opened.review.sets for file in each.files] == ["d (2).csv.gz", "e.csv", "e (2).csv", "e.csv"]  # fmt: skip
    assert [note.text for note in opened.remarks().reading if "another file" in note.text] == [
        "d (2).csv.gz: another file is called 'd.csv.gz', too; this one is named 'd (2).csv.gz', and needs that name "
        "where a saved review or a script looks for it."
    ]
    files = {"d.csv.gz": packed, "d (2).csv.gz": other_packed, "e.csv": other, "e (2).csv": original}  # fmt: skip
    again = open_review(from_json(to_json(opened.review)), files)
    for name in ("a", "b"):
        assert again.assessment(synthesis_set=name).identity.equals(opened.assessment(synthesis_set=name).identity)
    reading, holdout = read_holdout("e.csv", b"\n".join(original.splitlines()[:-1]), beside=opened.review)
    assert reading.name == holdout.file.name == "e (3).csv"
    assert read_holdout("e.csv", other, beside=opened.review)[1].file.name == "e.csv"
