"""A holdout is read against the finished study, and moves no figure of a member (measures.md 10)."""

# Inside: people outside after safeguards, and sets against the first, before they are in a table.

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Chain,
    Coarsen,
    DisclosureError,
    Exclusions,
    Holdout,
    KeySet,
    MergeLevels,
    NotEvaluated,
    Recode,
    RemoveClaims,
    Review,
    RoundTo,
    Settings,
    Study,
    ThreatModel,
    assess,
    attribute_baseline,
    demo,
    identity_baseline,
    membership,
    open_review,
    partition,
    read_holdout,
    split,
    start,
    start_demonstration,
    start_tables,
)
from disclosure_core.comparison.tables import against_the_first
from disclosure_core.holdout.baseline import moved_members
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.partition import NO_HOLDOUT
from disclosure_core.protection.seen_through import through_safeguards
from tests.having import people_outside
from tests.reports import Look, answer, assemble, to_html
from tests.saved import from_json
from tests.saved import to_json as to_saved

ODD = object()
"""Stands for a cell that is none of what its column is."""

DAYS = [dt.date(2024, 1, day) for day in range(1, 5)]


@st.composite
def people(draw, least=1):
    """Draw records of a number, a truth, a day and a text, each perhaps missing."""
    record = st.tuples(
        st.sampled_from([-8, 0, 1, 2, 2.5, 7, 10, None]),
        st.sampled_from([True, False, None]),
        st.sampled_from([*DAYS, None]),
        st.sampled_from(["a", "b", "TRUE", "1", None]),
    )
    return draw(st.lists(record, min_size=least, max_size=25))


def plain(records):
    """Return records in the types of a study: numbers, booleans, days, texts."""
    number, truth, day, text = zip(*records, strict=True)
    return pd.DataFrame({
        "n": pd.array(number, dtype="Float64"), "b": pd.array(truth, dtype="boolean"),
        "d": pd.to_datetime(pd.Series(day)), "c": pd.array(text, dtype="str"),
    })  # fmt: skip


def _texts(values, how):
    return [None if v is None else "unknown" if v is ODD else how(v) for v in values]


STORED = {
    "n": {
        "float": lambda v: v,
        "decimal": lambda v: [None if x is None else Decimal(str(x)) for x in v],
        "text": lambda v: _texts(v, lambda x: f"{x:g}"),
        "text with zeros": lambda v: _texts(v, lambda x: f"{x:.2f}"),
        "decimal comma": lambda v: _texts(v, lambda x: f"{x:.2f}".replace(".", ",")),
        "category": lambda v: pd.Categorical(v),
    },
    "b": {
        "bool": lambda v: v,
        "TRUE": lambda v: _texts(v, lambda x: str(x).upper()),
        "true": lambda v: _texts(v, lambda x: str(x).lower()),
        "T": lambda v: _texts(v, lambda x: str(x)[:1]),
    },
    "d": {
        "date": lambda v: v,
        "text": lambda v: _texts(v, str),
        "moment": lambda v: _texts(v, lambda x: f"{x}T00:00:00"),
        "timestamp": lambda v: [None if x is None else pd.Timestamp(x) for x in v],
    },
    "c": {"text": lambda v: v, "category": lambda v: pd.Categorical(v)},
}
WITH_ODD = {"n": ["text", "text with zeros", "decimal comma"], "b": ["TRUE", "true", "T"], "d": ["text", "moment"]}


@st.composite
def outsiders(draw):
    """Draw records outside, with numbers, days and texts of their own, perhaps odd cells; and how a file stores them."""
    record = st.tuples(
        st.sampled_from([-8, 0, 1, 2, 2.5, 3, 7, 10, 50, -3.5, None]),
        st.sampled_from([True, False, None]),
        st.sampled_from([*DAYS, dt.date(2025, 5, 5), None]),
        st.sampled_from(["a", "b", "TRUE", "True", "1", "new", None]),
    )
    records = [list(r) for r in draw(st.lists(record, min_size=1, max_size=25))]
    frame = {}
    for i, name in enumerate("nbdc"):
        values = [r[i] for r in records]
        odd = name in WITH_ODD and draw(st.booleans())
        if odd:
            for row in draw(st.lists(st.integers(0, len(records) - 1), min_size=1, max_size=3)):
                records[row][i] = values[row] = ODD
        how = draw(st.sampled_from(WITH_ODD[name] if odd else sorted(STORED[name])))
        frame[name] = pd.Series(STORED[name][how](values))
    return records, pd.DataFrame(frame)


def intervals(study, n, codes):
    """Return what puts a number into the study's intervals, by the texts of their ends."""
    cuts = [label for label in study.grouped("n", n)[0].levels if label.startswith("[")]
    begins = [float(label[1:].split(",")[0]) for label in cuts]
    stays = {None, ODD, *codes}
    return lambda v: v if v in stays or not cuts else cuts[max(sum(b <= v for b in begins) - 1, 0)]


@pytest.mark.slow
@given(people(3), st.lists(people(1), min_size=1, max_size=2), outsiders(), st.sampled_from([0, 2, 3]), st.data())
def test_no_holdout_moves_a_member_and_values_meet_however_stored(training, syntheses, outside, groups, data):
    records, holdout = outside
    codes = {"n": [-8]} if any(r[0] == -8 for r in training) else {}
    keys = data.draw(st.sampled_from([("n",), ("b", "d"), ("n", "c"), ("c", "d")]))
    limit = data.draw(st.sampled_from([None, 1]))
    out = Exclusions(denominator_limit=limit)
    study = Study(plain(training), [plain(side) for side in syntheses], codes)
    settings = Settings(keys=keys, groups={"n": groups} if groups else {}, exclusions=out)
    of = partition(plain(training), holdout, [plain(side) for side in syntheses], codes)
    for name, column in study.columns.items():
        joint = of.joint.columns[name]
        assert joint.values.tolist() == column.values.tolist()
        assert joint.kind == column.kind
        for mine, theirs in zip((joint.original, *joint.synthetic), (column.original, *column.synthetic), strict=False):
            assert mine.tolist() == theirs.tolist()
    found, risk = attribute_baseline(of, settings), assess(study, settings)
    assert moved_members(found, risk) is None
    # People outside, counted in dictionaries of what a person would say that the cells hold.
    grouped = intervals(study, groups, codes.get("n", ()))

    def cell(record):
        return dict(zip("nbdc", (grouped(record[0]), *record[1:]), strict=True))

    ours, theirs = [cell(r) for r in training], [cell(r) for r in records]
    for target in [c for c in "nbdc" if c not in keys]:
        shares = []
        for side in syntheses:
            claims = {}
            for record in map(cell, side):
                claims.setdefault(tuple(record[k] for k in keys), set()).add(record[target])
            right = 0
            for person in theirs:
                key = tuple(person[k] for k in keys)
                here = sum(tuple(r[k] for k in keys) == key and r[target] == person[target] for r in ours)
                if claims.get(key) == {person[target]} and (limit is None or here + 1 <= limit):
                    right += 1
            shares.append(100 * right / len(theirs))
        rows = found.figures[(found.figures["target"] == target) & (found.figures["measure"] == "DiSCO")]
        assert rows[rows["synthesis"] != MEAN]["non_members"].tolist() == pytest.approx(shares)
    identity_baseline(of, settings)


# ---- one odd cell ----------------------------------------------------------------------------------------------------


def opened_with(holdout, groups, keys=("sex", "age", "region", "employment")):
    opened = start_demonstration()
    settings = replace(opened.review.settings, keys=keys, groups=groups, targets=None)
    opened = opened.with_review(opened.review.with_settings(settings))
    reading = people_outside(holdout)
    return opened.with_holdout(reading, Holdout("demonstration"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "groups", "keys"),
    [
        ("bmi", {"bmi": 10}, ("sex", "age", "region", "employment")),  # a grouped target
        ("bmi", {"bmi": 10}, ("sex", "bmi", "region", "employment")),  # a grouped key
        ("age", {}, ("sex", "age", "region", "employment")),  # a plain key
        ("income", {}, ("sex", "age", "region", "employment")),  # a plain target
    ],
)
def test_one_odd_cell_of_the_holdout_moves_that_person_alone(column, groups, keys):
    whole = demo.holdout()
    odd = whole.astype({column: object})
    odd.loc[whole.index[0], column] = "unknown"
    plain_, moved = (opened_with(frame, groups, keys) for frame in (whole, odd))
    before, after = (o.attribute_baseline().figures for o in (plain_, moved))
    assert before["members"].tolist() == pytest.approx(after["members"].tolist(), abs=1e-12)
    assert (before["non_members"] - after["non_members"]).abs().max() <= 100 / len(whole) + 1e-9
    texts = [note.text for note in moved.partition().notes if note.column == column]
    assert texts[0] == (
        f"Column {column!r} of the holdout holds text in 1 cell (row 2: “unknown”), the other files hold numbers. It "
        "matches nobody: correct the cell, or treat “unknown” as missing."
    )
    assert not [note for note in plain_.partition().notes if note.column]


def test_a_column_of_the_holdout_that_is_something_else_is_not_evaluated():
    """Days as the numbers that a spreadsheet stores meet nobody: 0 % outside would look like a leak."""
    days = pd.Series(pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(60) % 7, "D"))
    training = pd.DataFrame({"k": np.arange(60) % 3, "d": days, "t": list("ab") * 30})
    holdout = pd.DataFrame({"k": np.arange(60) % 4, "d": 45292 + np.arange(60) % 5, "t": list("ab") * 30})
    of = partition(training, holdout, [training])
    found = attribute_baseline(of, Settings(keys=("k",), targets=("t",)))
    assert not isinstance(found, NotEvaluated)
    said = "Column 'd' of the holdout holds numbers in 60 cells (first in row 2: “45292”), the other files hold dates."
    assert of.joint.unusable == {"d": said}
    with pytest.raises(DisclosureError, match="the other files hold dates"):
        attribute_baseline(of, Settings(keys=("k",), targets=("d",)))
    answered = ThreatModel("all", 1000, "register", same_population=True, news=True, random_sample=True)
    for measured in (attribute_baseline, identity_baseline, partial(membership, threat_model=answered)):
        assert measured(of, Settings(keys=("d",), targets=("t",))) == NotEvaluated(
            said, "Give the holdout the columns and values of the other files."
        )


def test_a_holdout_without_any_target_is_not_evaluated_and_says_which_column():
    training = pd.DataFrame({"k": np.arange(60) % 3, "t": list("ab") * 30})
    others = training.assign(t=list("cd") * 30)
    found = attribute_baseline(partition(training, others, [training]), Settings(keys=("k",)))
    assert isinstance(found, NotEvaluated)
    assert found.why.startswith("Column 't' of the holdout: 60 of 60 records have a value that no other file has")


@pytest.mark.parametrize(
    "step",
    [
        Cap("n", 1, 5),
        RoundTo("n", 2),
        Coarsen("n", 2),
        MergeLevels("c", 3),
        Breaks("n", (2, 20)),
        Band("n", "5"),
        Recode("c", "b", ("a", "b")),
        BlankClaims("t"),
        RemoveClaims("t"),
    ],
)
def test_an_odd_cell_stays_odd_behind_a_safeguard(step):
    training = pd.DataFrame({"n": [1, 2, 3, 4, 9, 9] * 3, "c": list("aaaabc") * 3, "t": list("xy") * 9})
    holdout = pd.DataFrame({"n": ["1", "unknown", "30"], "c": ["a", "new", "c"], "t": list("xyx")})
    of, _ = through_safeguards(training, holdout, [training], [step], Settings(keys=("c",)))
    alone, _ = through_safeguards(training, holdout.assign(n=[1, 1, 30]), [training], [step], Settings(keys=("c",)))
    for name in "nc":
        column, same = of.joint.columns[name], alone.joint.columns[name]
        labels = [column.label(code) for code in column.synthetic[-1].tolist()]
        expected = [same.label(code) for code in same.synthetic[-1].tolist()]
        if name == "n":
            assert labels[1] == "(in no other file)"
            assert [labels[0], labels[2]] == [expected[0], expected[2]]
        else:
            assert labels == expected
        assert column.original.tolist() == same.original.tolist()


def test_a_number_with_a_code_of_its_own_falls_into_the_groups_as_without():
    training = pd.DataFrame({"n": [1, 2, 3, 4, 9, 9] * 3, "t": list("xy") * 9})
    holdout = pd.DataFrame({"n": [1, 5, 100, None, 2.5], "t": list("xyxyx")})
    joint = partition(training, holdout, [training]).joint
    plain, wide = (each.grouped("n", 2)[0] for each in (joint, joint.with_unmatched(["n"])))
    assert wide.synthetic[-1].tolist() == plain.synthetic[-1].tolist()
    assert wide.original.tolist() == plain.original.tolist()


# ---- a holdout that is not outside -----------------------------------------------------------------------------------


def test_a_holdout_of_the_training_data_is_evaluated_nowhere():
    parts = split(demo.original(), 0.8, 1)
    reading = people_outside(parts.holdout)
    opened = start_demonstration().with_holdout(reading, Holdout("file"))  # beside the unsplit original
    for found in (opened.partition(), opened.attribute_baseline(), opened.identity_baseline(), opened.membership()):
        assert isinstance(found, NotEvaluated)
    assert opened.partition().why.endswith("These people are not outside the data.")
    assert "People outside the data were not evaluated, so this cannot be compared" in answer(opened).sentences[0]
    assert "No holdout was given" in answer(opened.with_holdout(None, None)).sentences[0]
    assert any("These people are not outside the data" in note.text for note in opened.remarks().every)


@pytest.mark.parametrize(
    ("n", "shared", "refused"), [(40, 40, False), (60, 60, True), (200, 100, True), (200, 14, False), (200, 30, True)]
)
def test_who_is_in_the_training_data_beyond_chance_is_no_baseline(n, shared, refused):
    training = pd.DataFrame({"k": np.arange(500), "t": ["x"] * 500})
    holdout = pd.DataFrame({"k": [*range(shared), *range(1000, 1000 + n - shared)], "t": ["x"] * n})
    found = partition(training, holdout, [training.iloc[:100]])
    assert isinstance(found, NotEvaluated) is refused
    if not refused:  # few people, or not beyond chance: the doubt goes where the figures go
        settings = Settings(keys=("k",), targets=("t",))
        for figure in (attribute_baseline(found, settings), identity_baseline(found, settings)):
            assert any("Were these people synthesised as well?" in doubt for doubt in figure.doubts)


def test_coarse_data_that_meet_by_nature_are_doubted_and_evaluated():
    rng = np.random.default_rng(1)
    training, holdout = (pd.DataFrame({"k": rng.integers(0, 2, n), "t": rng.integers(0, 2, n)}) for n in (500, 200))
    found = partition(training, holdout, [training])
    assert found is not NO_HOLDOUT
    assert not isinstance(found, NotEvaluated)
    assert ["cannot tell whether these people were synthesised" in doubt for doubt in found.doubts] == [True]


@pytest.mark.slow
def test_a_doubt_stands_wherever_the_figure_of_people_outside_stands():
    """A synthesis of as many records as training data and holdout together: on page 1, in the report, JSON and Python."""
    whole = demo.original()
    parts = split(whole, 0.8, 1)
    opened = start_tables(parts.training, [whole.sample(frac=1, random_state=1)]).with_holdout(
        people_outside(parts.holdout), Holdout("file")
    )
    keys = KeySet("an intruder", ("sex", "age", "region", "employment"))
    opened = opened.with_review(replace(opened.review, intruders=(keys,)))
    said = "Synthesis 1 has 5,000 records, as many as training data and holdout together"
    assert said in " ".join(answer(opened).sentences)
    assert said in " ".join(answer(opened).to_plain()["doubts"])
    assert said in repr(opened.attribute_baseline())
    assert said in repr(opened.identity_baseline())
    assert said in opened.to_json()
    for shareable in (False, True):
        text = to_html(assemble(opened, Look(shareable=shareable)))
        assert (said in text) is not shareable  # it would tell of a few records
    without = opened.with_holdout(None, None)
    assert without.partition() is NO_HOLDOUT
    assert answer(without).doubts == ()
    assert "5,000 records" not in " ".join(answer(without).sentences)


# ---- one odd cell under a mend ---------------------------------------------------------------------------------------

MOMENTS = [dt.datetime(2024, 1, day, hour, tzinfo=dt.UTC) for day in (1, 2, 3) for hour in (0, 9, 22)]
TWO_HOURS_ON = dt.timezone(dt.timedelta(hours=2))


ODDS = ("unknown", "2024-01-01", "1,5", "7.125", "2024-01-01T10:00:00Z", "99999")


@pytest.mark.parametrize(
    ("mend", "original", "synthetic", "outside"),
    [
        ("decimals", [1.5, 2.25, 1234.5], ["€ 1.5", "€ 2.3", "€ 1,234.5"], ["€ 2.25", "€ 1,234.46", "€ 3.11"]),
        ("decimals", [1.5, 2.3, 1234.5], [1.512, 2.311, 1234.512], ["1.481", "2.3", "1234.55"]),
        ("decimals", ["1,5", "2,3", "1234,5"], [1.512, 2.311, 1234.512], ["1,481", "2,3", "1234,55"]),
        ("dates", pd.to_datetime(["2024-01-31", "2024-02-01"]), ["31.01.2024", "01.02.2024"], ["31.01.2024", "7.7.2024"]),
        ("dates", pd.to_datetime(["2024-01-31", "2024-02-01"]), [45322, 45323], ["45322", "45323", "1"]),
        ("zone", pd.DatetimeIndex(MOMENTS), [m.replace(tzinfo=None) for m in MOMENTS], [m.isoformat() for m in MOMENTS]),
        ("zone", [m.astimezone(TWO_HOURS_ON).isoformat() for m in MOMENTS], [str(m)[:19] for m in MOMENTS],
         [m.astimezone(TWO_HOURS_ON).isoformat() for m in MOMENTS]),
        ("", [m.replace(tzinfo=None) for m in MOMENTS], [m.replace(tzinfo=None) for m in MOMENTS], [str(m)[:19] for m in MOMENTS]),
        ("", [1.5, 2.5, 4000.5], [1.5, 2.5, 4000.5], ["1,5", "2,500", "4000,50"]),
        ("", [1.5, 2.5, 4000.5], [1.5, 2.5, 4000.5], ["1,000", "2,000", "1.5", "2.5", "2.5"]),
        ("missing", [1.5, 2.5, None], ["1.5", "2.5", "n/a"], ["1.5", "n/a", "2.5"]),
        ("labels", [True, False], ["T", "F"], ["yes", "no", "1"]),
        ("case", ["Yes", "No"], ["YES", "NO"], ["yes", "no", "nO"]),
    ],
)  # fmt: skip
def test_one_odd_cell_under_a_mend_moves_that_person_alone(mend, original, synthetic, outside):
    """A mend that all of a column must fit left the holdout's whole column as it was for one cell that did not."""

    def frame(values, first=()):
        column = pd.Series([*first, *list(values) * 4])
        return pd.DataFrame({"x": column, "k": np.arange(len(column)) % 2, "t": ["a"] * len(column)})

    opened = start_tables(frame(original), [frame(synthetic)])
    columns = replace(opened.review.columns, mends={"x": (mend,)} if mend else {})
    opened = opened.with_review(replace(opened.review, columns=columns, intruders=(KeySet("an intruder", ("x",)),)))

    def read(first):
        found = opened.with_holdout(people_outside(frame(outside, [first])), Holdout("file", random=True))
        column = found.partition().joint.columns["x"]
        labels = [column.label(code) for code in column.synthetic[-1][1:].tolist()]
        numbers = [None if i < 0 else column.unmatched.tolist()[i] for i in column.unmatched_codes[1:].tolist()]
        return (labels, numbers, column.original.tolist()), found.attribute_baseline().figures

    (labels, *before), one = read(outside[0])
    n = 4 * len(outside)
    assert labels.count("(in no other file)") <= n / 2, "the mend lets most of these meet"
    for odd in ODDS:
        others, other = read(odd)
        assert others == (labels, *before), odd
        assert one["members"].tolist() == other["members"].tolist(), odd
        assert (one["non_members"] - other["non_members"]).abs().max() <= 100 / (n + 1) + 1e-9, odd


# ---- beside other sets, and gone again -------------------------------------------------------------------------------


def beside_others(holdout):
    opened = start_demonstration().with_holdout(people_outside(holdout), Holdout("file", random=True))
    chain = Chain("fewer", (RoundTo("age", 5), MergeLevels("region", 200)))
    return opened.with_review(replace(opened.review, chains=(chain,), searched=frozenset({"comparison"})))


@pytest.mark.slow
def test_sets_side_by_side_say_what_is_wrong_with_the_holdout():
    """One that is in the training data was passed over in silence, one without a key stopped the whole comparison."""
    refused = beside_others(demo.original().head(500)).comparison()
    assert not any(risk.above for risk in refused.risks)
    (said,) = refused.doubts
    assert said.startswith("People outside the data are not evaluated: 100.0 % of the holdout's records are in")
    assert against_the_first(refused)[0] == said

    opened = beside_others(demo.holdout().drop(columns="region"))
    lacking = opened.comparison()
    assert lacking.names == (*start_demonstration().comparison().names, "fewer")
    assert not any(risk.above for risk in lacking.risks)
    assert lacking.doubts == (
        "People outside the data are not evaluated: The holdout has no column 'region'. Give the holdout the columns and "
        "values of the other files.",
    )
    assert "no column &#39;region&#39;" in to_html(assemble(opened, Look()))

    whole = demo.original()
    parts = split(whole, 0.8, 1)
    sets = {"all": [whole.sample(frac=1, random_state=1)], "sound": [parts.training.sample(frac=1, random_state=2)]}
    doubted = start_tables(parts.training, sets).with_holdout(people_outside(parts.holdout), Holdout("file"))
    keys = KeySet("an intruder", ("sex", "age", "region", "employment"))
    found = doubted.with_review(replace(doubted.review, intruders=(keys,))).comparison()
    assert any(risk.above for risk in found.risks)
    assert [text[:45] for text in found.doubts] == [
        "'all': Synthesis 1 has 5,000 records, as many",
        "'sound': All 4,000 records of the synthetic d",  # they are the original's, in another order
    ]
    assert beside_others(demo.holdout()).comparison().doubts == ()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["file", "split"])
@pytest.mark.parametrize("saved", [False, True])
def test_a_holdout_that_is_removed_is_gone(tmp_path, how, saved):
    """Twice, and opened again: all is as if none had been brought; the original of a split is whole."""
    parts = {"o": demo.original().head(900), "s": demo.syntheses()[0].head(900), "h": demo.holdout()}
    for name, frame in parts.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)

    def given(name):
        return f"{name}.csv", tmp_path / f"{name}.csv"

    def again(opened):
        return open_review(from_json(to_saved(opened.review)), tmp_path) if saved else opened

    first = start(given("o"), {"s": [given("s")]})
    keys = KeySet("an intruder", ("sex", "age", "region", "employment"))
    first = first.with_review(replace(first.review, intruders=(keys,), groups={"age": 5}))
    before, opened = first.assessment().summary(), first
    for _ in range(2):
        if how == "file":
            brought = opened.with_holdout(*read_holdout(*given("h"), beside=opened.review))
        else:
            brought = opened.with_review(replace(opened.review, holdout=Holdout("split", share=80, seed=3)))
        brought = again(brought)
        n = 900 if how == "file" else 720
        assert (brought.partition().n_training, brought.study().n_original) == (n, n)
        assert not isinstance(brought.attribute_baseline(), NotEvaluated)
        opened = again(brought.with_holdout(None, None))
        assert to_saved(opened.review) == to_saved(first.review)
        assert opened.partition() is NO_HOLDOUT
        assert opened.attribute_baseline() is NO_HOLDOUT
        assert opened.data.whole is None
        assert opened.readings()[0].notes == first.readings()[0].notes
        pd.testing.assert_frame_equal(opened.assessment().summary(), before)
    gone = opened.with_holdout(None, None)
    assert to_saved(gone.review) == to_saved(first.review)
    pd.testing.assert_frame_equal(gone.assessment().summary(), before)


def test_a_holdout_that_is_one_of_the_files_is_evaluated_nowhere(tmp_path):
    """In coarse data every record has twins, so that matches tell nothing: the fingerprint does, or equal records."""
    rng = np.random.default_rng(1)
    frames = {
        name: pd.DataFrame({"k": rng.integers(0, 4, 300), "j": rng.integers(0, 3, 300), "t": rng.integers(0, 2, 300)})
        for name in ("o", "s", "h")
    }
    frames["same"] = frames["o"].sample(frac=1, random_state=1)
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)

    def given(name):
        return f"{name}.csv", tmp_path / f"{name}.csv"

    opened = start(given("o"), {"s": [given("s")]})
    opened = opened.with_review(replace(opened.review, intruders=(KeySet("an intruder", ("k", "j")),)))

    def brought(name):
        return opened.with_holdout(*read_holdout(*given(name), beside=opened.review)).partition()

    assert brought("o").why == "The holdout is the file o.csv itself."
    assert brought("s").why == "The holdout is the file s.csv itself."
    assert brought("same").why.startswith("The holdout holds the records of the training data, each as often")
    assert not isinstance(brought("h"), NotEvaluated)
    split_ = opened.with_review(replace(opened.review, holdout=Holdout("split", share=50, seed=1))).partition()
    assert not isinstance(split_, NotEvaluated)


def test_where_people_outside_cannot_serve_nothing_of_them_is_counted_again():
    members = pd.DataFrame({"k": list("abcd") * 30, "t": list("xyxz") * 30})
    strangers = members[:80].assign(k=[f"q{i}" for i in range(80)])
    opened = Review.of(["k"]).open(members, [members[:90]], holdout=strangers, holdout_is_random=True)
    opened = opened.with_review(replace(opened.review, searched=frozenset({"strongest"})))
    assert isinstance(opened.attribute_baseline(), NotEvaluated)
    found = opened.verify()
    assert found.differ == ()
    assert found.n > 50
