"""The second counter finds the figures of the first, notices one that was changed, and claims no more than it counted."""

# Inside: a stated file is held against the recount table by table.

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import disclosure_core.verify
from disclosure_core import (
    Exclusions,
    Hierarchy,
    KeySet,
    Motive,
    Pair,
    Review,
    Scenario,
    Sought,
    Study,
    ThreatModel,
    Thresholds,
    Ways,
)
from disclosure_core.data.coarsenings import coarsenings
from disclosure_core.export.recount import again_of
from disclosure_core.export.verified import verify
from disclosure_core.results import TABLES, FewerRecords
from disclosure_core.results.review_tables import REVIEW_TABLES
from disclosure_core.review import least, verdicts
from disclosure_core.review.verified import Verified, kept
from disclosure_core.verify import known
from tests.commands import disclosure
from tests.figures_files import IDS, Recount, figures_file, is_figure
from tests.reports import Look, report, ungrouped

INTERVALS = ("low", "high", "R")


def people(seed: int, n: int = 220) -> pd.DataFrame:
    """Frames with every kind of column, missing values, and a code for no answer."""
    rng = np.random.default_rng(seed)
    income = rng.choice([-8, 900.5, 1000, 1200, 1500, 2500, 4000, 8000], n)
    return pd.DataFrame({
        "age": rng.integers(20, 26, n),
        "sex": rng.choice(["f", "m"], n),
        "region": pd.Series(rng.choice(["n", "s", ""], n)).replace("", None),
        "job": pd.Series(rng.choice(["cook", "nurse", "Missing", "x"], n, p=[0.6, 0.2, 0.1, 0.1])).replace("x", None),
        "income": pd.Series(income).where(rng.random(n) > 0.1),
        "born": pd.to_datetime(rng.choice(["2000-01-01", "2001-05-03"], n)),
        "member": rng.random(n) < 0.8,
    })  # fmt: skip


def everything():
    """A review that asks for all that the counter knows."""
    out = Exclusions(
        target_levels={"job": ["cook"]}, missing_targets={"income"}, missing_keys={"region"}, denominator_limit=3,
        pairs={"member": [Pair("sex", "f", "True")]},
    )  # fmt: skip
    review = Review.of(
        ["sex", "age", "region"], groups={"income": 3}, missing_codes={"income": -8}, exclusions=out,
        thresholds=Thresholds((2, 20), (1, 30)),
    )  # fmt: skip
    review = replace(
        review, reasons={"job": "known", "missing keys": "so", "denominators": "few"}, tau=0.6,
        intruders=(*review.intruders, KeySet("neighbour", ("age", "member"))),
        scenarios=(Scenario("all", Exclusions()), Scenario("few", Exclusions(denominator_limit=2))),
        searched=frozenset({"subsets"}), released={"synthetic data": (2,)},
    )  # fmt: skip
    return review.open(
        people(1), [people(2), people(3, 180), people(4)], holdout=people(5, 150), holdout_is_random=True
    )


def counted(opened, document) -> Verified:
    """Return what the second counter finds of figures, with no file compared."""
    return Recount(opened).held_against(document)[0]


@pytest.fixture(scope="module")
def opened():
    return everything()


@pytest.fixture(scope="module")
def again(opened):
    """The second counter, which keeps what it has counted of this review."""
    return Recount(opened)


@pytest.fixture(scope="module")
def compared(opened, again):
    """What `verify` finds in a file of figures, with what the second counter finds of the program's own counted once."""
    made = json.loads(opened.to_json())
    found, places = again.held_against(made)
    return lambda document: figures_file.differences(figures_file.read(json.dumps(document)), made, places, found.line)


@pytest.mark.slow
def test_every_figure_is_found_again(opened):
    found = opened.verify()
    assert found.differ == ()
    assert found.n > 1500
    assert all(what.endswith((*INTERVALS, "_low", "_high")) for what in found.not_counted), found.not_counted
    assert found.line == f"{found.n:,} figures, 0 differ; {sum(found.not_counted.values()):,} not counted again"


@pytest.mark.parametrize("groups", [{"income": (0, 1000, 2500.5), "age": (22, 24)}, {"age": (23,), "income": 3}])
def test_figures_at_own_breaks_are_found_again(opened, groups):
    """Of keys and targets, with a code that stays itself, and people outside; changed, each is seen."""
    own = opened.with_review(replace(opened.review, groups=groups, searched=frozenset()))
    document = json.loads(own.to_json())
    found = counted(own, document)
    assert found.differ == ()
    assert found.n > 500
    other = opened.with_review(replace(opened.review, groups={**groups, "age": (21, 24)}, searched=frozenset()))
    assert counted(other, document).differ


REGIONS = Hierarchy.table([("n", "ns", "all"), ("s", "ns", "all")])
WAYS = {
    "age": Hierarchy.bands("1.5", 3), "region": REGIONS, "born": Hierarchy.calendar("month", "year"),
    "income": Hierarchy.bands(500),  # a target here, and a key of another intruder: it stays in its groups
}  # fmt: skip


@pytest.mark.parametrize(("tau", "limit"), [(None, None), (None, 3), pytest.param(0.6, 3, marks=pytest.mark.slow)])
def test_the_strongest_intruder_is_found_again(tau, limit):
    """Figures at the worst combination and at each level beside it; those of halves are drawn at random."""
    first = everything()
    out = replace(first.review.exclusions, denominator_limit=limit)
    keys = ("sex", "age", "region", "born")
    of = [
        replace(known, keys=keys) if known.name == first.review.intruder else known for known in first.review.intruders
    ]
    for without in (True, False):
        review = replace(
            first.review, exclusions=out, intruders=tuple(of), hierarchies=WAYS, tau=tau, groups={"income": 3, "age": 2},
            targets=("job", "income"),
            searched=frozenset({"strongest"}), scenarios=(),
            threat_model=ThreatModel(population_size=5_000, same_population=True, news=True),
        )  # fmt: skip
        opened = first.with_review(review if without else replace(review, reasons={}))
        document = json.loads(opened.to_json())
        tables = {name: document["tables"][name] for name in ("strongest", "strongest_levels")}
        found = counted(opened, document | {"tables": tables})
        assert found.differ == ()
        lacking = {
            what for what in found.not_counted if "page 1" not in what and not what.endswith(("chosen", "other"))
        }
        if tau is None:
            assert {what.split(", ")[1] for what in lacking} <= {"outside", *(("DiS",) if limit else ())}, lacking
        assert found.n > 50
        places = (("strongest", "figure"), ("strongest", "all_keys"), ("strongest_levels", "figure"))
        for name, column in places:
            for row in tables[name]:
                row[column] += 1e-6
        differ = {each.figure for each in counted(opened, document | {"tables": tables}).differ}
        for name, column in places:
            n = sum(figure.startswith(f"{column} of {name} (") for figure in differ)
            assert n >= len(tables[name]) * (0.3 if tau else 1), (name, column)


AGES = {"age": Hierarchy.bands(2, 4)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aims", "parts", "sought"),
    [
        (("DiSCO<=0",), {}, {"ways": {"age": Ways(top=(23,), round=(2,))}}),
        (("DiSCO<=0",), {"tau": None, "hierarchies": AGES}, {"ways": {"age": Ways(top=(22, 23), bottom=(21,))}}),
        (("beyond<=0",), {"tau": None, "targets": ("job", "income"), "hierarchies": AGES, "groups": {"income": 3, "age": 2}}, {"coarsen": AGES}),
        (("gain<=1", "repU<=20"), {"tau": None, "targets": ("job", "income")}, {"remove_claims": ("income",), "blank": ("job",)}),
        (("repU<=0",), {"tau": None, "hierarchies": AGES}, {"ways": {"age": Ways(round=(3,)), "region": Ways(merge=(80,))}}),
    ],
)  # fmt: skip
def test_a_chain_that_is_taken_is_found_again(aims, parts, sought):
    """What it discloses to the strongest intruder, and what it costs."""
    asked = {"coarsen": {"region": REGIONS}, "remove": 90, "blank": ("job", "income")} | sought
    first = everything()
    out = replace(first.review.exclusions, denominator_limit=None) if parts else Exclusions()
    keys = ("sex", "age", "region", *(("born", "member") if parts else ()))
    of = [replace(k, keys=keys) if k.name == first.review.intruder else k for k in first.review.intruders]
    review = replace(
        first.review, **{"groups": {}, "intruders": tuple(of)} | parts, sought=Sought(aims, **asked), searched=frozenset({"least"}),
        scenarios=(), exclusions=out,
    )  # fmt: skip
    opened = first.with_review(review)
    points = opened.finished_least().points
    assert len(points) > 1
    for i in {0, len(points) // 2, len(points) - 1}:
        taken = opened.with_review(least.with_point(opened.review, points[i])) if points[i].steps else opened
        document = json.loads(taken.to_json())
        rows = document["tables"]["least_safeguard"]
        found = counted(taken, document | {"tables": {"least_safeguard": rows}})
        assert found.differ == ()
        assert found.n >= 4
        columns = ("figure", "detail_lost", "largest_loss", "removed")
        changed = [row | {column: row[column] + 1e-6 for column in columns} for row in rows]
        held = counted(taken, document | {"tables": {"least_safeguard": changed}})
        assert sorted(each.figure.split(" of ")[0] for each in held.differ) == sorted(columns)


MADE_BY_THE_PROGRAM = {
    "protected_identity": "of safer records, which the program makes",
    "protected_summary": "of safer records, which the program makes",
    "sets": "of several sets, one of which a review speaks of: it is counted there",
    "sets_map": "of several sets, one of which a review speaks of: it is counted there",
    "sets_differences": "of several sets, one of which a review speaks of: it is counted there",
    **{table.name: "of random draws" for table in FewerRecords.tables},
}
"""Tables that nobody counts a second time, and why."""


def test_every_table_is_counted_again_or_has_a_reason():
    of_results = {name: table for name, (_, table) in TABLES.items()}
    nobody = {name for name, table in {**REVIEW_TABLES, **of_results}.items() if table.again is None}
    assert nobody == MADE_BY_THE_PROGRAM.keys()
    assert {name for name in (*REVIEW_TABLES, *of_results, "tau", "new") if again_of(name) is None} == {*nobody, "new"}


@pytest.mark.parametrize("name", ["identity", "caps", "holdout_difference", "copies", "under_k"])
def test_a_table_that_nobody_counts_is_named(opened, monkeypatch, name):
    """Each of its columns: nothing of it is called counted, and no other table is touched."""
    document = json.loads(opened.to_json())
    document["tables"] = {each: document["tables"][each] for each in (name, "summary")}
    before = counted(opened, document)
    if name in TABLES:
        kind, table = TABLES[name]
        monkeypatch.setitem(TABLES, name, (kind, replace(table, again=None)))
    else:
        monkeypatch.setitem(REVIEW_TABLES, name, replace(REVIEW_TABLES[name], again=None))
    found = counted(opened, document)
    figures = {column for row in document["tables"][name] for column, value in row.items() if is_figure(value)}
    ids = IDS[name]
    named = {what.removeprefix(f"{name}, ") for what in found.not_counted if what.startswith(f"{name}, ")}
    assert named == {column for column in figures if column not in (*ids, "synthesis", "n_keys", "limit")}
    assert found.differ == before.differ == ()
    assert found.n < before.n


@pytest.mark.slow
def test_what_was_found_belongs_to_what_was_asked(opened):
    opened.verify()
    assert kept(opened) is not None
    other = opened.with_review(replace(opened.review, exclusions=Exclusions()))
    assert kept(other) is None
    assert kept(opened.with_review(replace(opened.review, about={"Note": "x"}))) is not None
    assert kept(opened.with_holdout(None, None)) is None


def test_what_verdicts_judge_is_counted_again(opened):
    """Of several measures, intruders and sets as they are now; and as given, while all else is as it was."""
    for asked, measure, tau in (("intruder", "DiSCO", None), ("neighbour", "DCAP", None), ("neighbour", "DiSCO", 0.6)):
        name = opened.review.intruder if asked == "intruder" else asked
        of_one = opened.with_review(replace(opened.review, intruder=name))
        target = "income" if tau is None else "job"
        review = verdicts.judged(of_one, [target], "leak", "so", measure=measure, tau=tau)
        opened = opened.with_review(replace(review, intruder=opened.review.intruder))
    document = json.loads(opened.to_json())
    document["tables"] = {}
    assert counted(opened, document).differ == ()
    assert not [what for what in counted(opened, document).not_counted if what.startswith("verdicts")]
    for row in document["verdicts"]:
        row["given_at"] += 1e-6
        row["now_at"] += 1e-6
    assert len(counted(opened, document).differ) == 6
    other = opened.with_review(replace(opened.review, reasons={}))
    found = counted(other, {**json.loads(other.to_json()), "tables": {}})
    told = {what: n for what, n in found.not_counted.items() if what.startswith("verdicts")}
    assert told == {"verdicts, given_at (given with other data, keys, groups or exclusions)": 3}


@pytest.mark.slow
def test_a_figure_that_was_changed_is_named(opened):
    """One figure a column of each table, and of page 1, changed a little: each is noticed, and no other."""
    document = json.loads(opened.to_json())
    places = []
    for name, rows in document["tables"].items():
        for column in {c for row in rows for c in row}:
            row = next((r for r in rows if isinstance(r.get(column), float)), None)
            if row is not None and not column.endswith((*INTERVALS, "tau")):  # τ says which row it is
                places.append((row, column, f"{column} of {name}"))
    for row in document["answer"]["rows"][:2]:
        places += [(row, c, f"{c} of page 1") for c in ("members", "outside", "difference", "original")]
    assert len(places) > 60
    for row, column, _ in places:
        row[column] += 1e-6
    named = {each.figure for each in verify(opened, json.dumps(document)).differ}
    assert len(named) == len(places)
    for _, _, said in places:
        assert any(each.startswith(said) for each in named), said


@pytest.mark.parametrize("name", ["two_way", "one_way", "levels"])
def test_a_finding_that_is_dropped_or_made_up_is_named(opened, compared, name):
    document = json.loads(opened.to_json())
    rows = document["tables"][name]
    gone = rows.pop(0)
    levels = {k: "nowhere" for k in gone if "level" in k and isinstance(gone[k], str)}
    rows.append({**rows[-1], "target": gone["target"], **levels})
    differ = compared(document)
    assert name != "two_way" or verify(opened, json.dumps(document)).differ == tuple(differ)
    assert any(each.stated is None for each in differ)
    assert any(each.counted is None for each in differ)


def of_table(again, name, rows):
    """What the second counter finds of one table with these rows."""
    found, _ = again.held_against({"tables": {name: rows}})
    return [each for each in found.differ if f" of {name} (" in each.figure]


@pytest.mark.parametrize(
    "name", ["summary", "two_way", "identity", "under_k", "copies", "holdout", "subsets_attribute"]
)
def test_a_row_that_stands_twice_differs(opened, again, name):
    document = json.loads(opened.to_json())
    rows = document["tables"][name]
    found = of_table(again, name, [*rows, rows[0]])
    assert found
    assert all(each.counted is None for each in found)


@pytest.mark.parametrize("name", ["summary", "exclusions", "levels", "identity", "classes", "holdout", "copies"])
def test_a_table_that_has_lost_its_rows_differs(opened, again, name):
    document = json.loads(opened.to_json())
    rows = document["tables"][name]
    of_one = [row for row in rows if row.get("target") != rows[0].get("target")]
    for left in ([], of_one):
        assert any(each.stated is None for each in of_table(again, name, left))
    assert of_table(again, name, rows) == []


def test_a_row_of_page_1_that_is_lost_doubled_or_of_something_else_differs(opened, again):
    document = json.loads(opened.to_json())
    answer = document["answer"]
    rows = answer["rows"]
    for others in (rows[1:], [*rows, rows[0]], [{**rows[0], "target": "nobody's"}, *rows[1:]]):
        found, _ = again.held_against({"tables": {}, "answer": answer | {"rows": others}})
        assert [each.figure for each in found.differ if each.figure.startswith("rows of page 1, DiSCO of ")]


@pytest.mark.slow
def test_a_table_that_the_program_lost_or_made_up_differs(opened, monkeypatch):
    document = json.loads(opened.to_json())
    tables = document["tables"]
    for name, wrong in (("caps", {"caps": None}), ("caps again", {"caps again": tables["caps"]})):
        made = {n: rows for n, rows in (tables | wrong).items() if rows is not None}
        monkeypatch.setattr(
            "disclosure_core.export.verified.to_json", lambda _, made=made: json.dumps(document | {"tables": made})
        )
        assert [(each.figure, each.again) for each in verify(opened).differ] == [(f"table {name}", False)]


@pytest.mark.slow
@pytest.mark.parametrize("to", [0.505, 0.7, "x"])
def test_a_tau_that_was_changed_is_named(opened, to):
    """No row is left of its own τ, and the row of another τ is none of this review."""
    document = json.loads(opened.to_json())
    row = next(r for r in document["tables"]["tau_curves"] if r["target"] == "income" and r["tau"] == 0.5)
    before, row["tau"] = dict(row), to
    found = verify(opened, json.dumps(document))
    named = {each.figure: each for each in found.differ}
    figures = [c for c in before if c not in ("target", "tau")]
    assert {f"{c} of tau_curves (income, 0.5)" for c in figures} <= set(named)
    assert named["original of tau_curves (income, 0.5)"].stated is None
    moved = [d for d in found.differ if d.figure == f"synthetic of tau_curves (income, {to})"]
    assert (before["synthetic"], to == 0.7) in [(d.stated, d.counted is not None) for d in moved]
    assert any(d.counted is None for d in moved)
    assert sum(found.not_counted.values()) == sum(opened.verify().not_counted.values())


@pytest.mark.parametrize(
    ("table", "column"),
    [("identity", "synthesis"), ("attribute", "synthesis"), ("exclusions", "measure"), ("under_k", "file"),
     ("holdout_identity", "synthesis"), ("holdout_difference", "measure"), ("diversity", "levels"), ("summary", "comparison")],
)  # fmt: skip
def test_a_row_that_is_said_to_be_of_something_else_is_named(opened, compared, table, column):
    document = json.loads(opened.to_json())
    document["tables"][table][0][column] = 77
    differ = compared(document)
    assert any(each.stated is None and f" of {table} (" in each.figure for each in differ)
    assert any(each.counted is None and "77" in each.figure for each in differ)


def of_membership(motive: Motive | None):
    """A review with membership of two intruders, one of whom knows ages in groups."""

    def people(seed: int, n: int = 200) -> pd.DataFrame:
        rng = np.random.default_rng(seed)
        columns = {"place": rng.integers(0, 60, n).astype(str), "job": rng.choice(list("abcdef"), n)}
        return pd.DataFrame({**columns, "age": rng.integers(20, 60, n), "ill": rng.choice(["y", "n"], n)})

    training = people(1)
    syntheses = [pd.concat([training.sample(80, random_state=i), people(i)[80:]]) for i in (2, 3)]
    model = ThreatModel(
        population="all", population_size=5000, source="register", training_alone=True, same_population=True, news=True,
        random_sample=True, motive=motive,
    )  # fmt: skip
    review = Review.of(["place", "job"])
    known = (*review.intruders, KeySet("neighbour", ("age", "job"), groups={"age": 4}))
    review = replace(
        review, threat_model=model, searched=frozenset({"membership"}), released={"synthetic data": (2,)},
        intruders=known,
    )  # fmt: skip
    found = review.open(training, syntheses, holdout=people(9, 150), holdout_is_random=True)
    for intruder in known:
        found.of_intruder(intruder.name).membership()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("motive", [None, Motive.PERSONAL])
def test_a_beta_that_was_changed_is_named(motive):
    """The β of page 1 is that of the motive, or of the largest F_rel; the table has no row of another."""
    opened = of_membership(motive)
    written = opened.to_json()
    assert verify(opened, written).differ == ()
    document = json.loads(written)
    on_page_1 = document["answer"]["membership"]
    known = ["beta", "F_naive", "F", "F_rel", "released"]
    assert not any(f"page 1, membership, {c}" in verify(opened, written).not_counted for c in known)
    right, on_page_1["beta"] = on_page_1["beta"], 0.75
    (differs,) = verify(opened, json.dumps(document)).differ
    assert (differs.figure, differs.stated, differs.counted) == ("beta of page 1, membership", 0.75, right)

    document = json.loads(written)
    document["answer"]["membership"]["released"] += 1e-6
    document["tables"]["membership"][0]["beta"] = 0.75
    named = {each.figure: each for each in verify(opened, json.dumps(document)).differ}
    assert named["F of membership (0.5)"].stated is None
    assert named["F of membership (0.75)"].counted is None
    assert "released of page 1, membership" in named


cells = st.sampled_from
records = st.fixed_dictionaries({
    "a": cells(["x", "y", None]), "b": cells([1.0, 2.0, 2.5, -8.0, None]), "t": cells(["p", "q", None]),
    "u": cells([True, False]), "n": cells([10, 20, 30, 40]),
})  # fmt: skip


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(
    st.lists(records, min_size=2, max_size=25),
    st.lists(st.lists(records, min_size=1, max_size=25), min_size=1, max_size=3),
    st.sampled_from([None, 1, 2]), st.booleans(), st.sampled_from([0, 2, 3]),
)  # fmt: skip
def test_any_small_tables(original, syntheses, limit, missing, groups):
    columns = {"a": object, "b": float, "t": object, "u": bool, "n": int}
    frames = [pd.DataFrame(rows).astype(columns) for rows in (original, *syntheses)]
    out = Exclusions(
        missing_targets={"t"} if missing else (), missing_keys={"a"} if missing else (), denominator_limit=limit
    )  # fmt: skip
    grouped = {"n": groups, "b": groups} if groups else {}
    review = Review.of(["a", "b"], groups=grouped, exclusions=out, thresholds=Thresholds((0, 10), (0, 10)))
    review = replace(review, reasons={"t missing": "r", "t": "r", "missing keys": "r", "denominators": "r"}, tau=0.5)
    found = review.open(frames[0], frames[1:]).verify()
    assert found.differ == ()
    assert found.n


SIDES = {
    "short floats": ([1.1, 2.5, 1.1, 3.0], np.array([1.1, 2.5, 2.5, 3.0], dtype="float32")),
    "short floats in long ones": ([1.1, 2.5, 1.1, 3.0], np.array([1.1, 2.5, 2.5, 3.0], dtype="float32").astype(float)),
    "decimals": ([1.1, 2.5, 2.5, 3], [Decimal("1.10"), Decimal("2.5"), Decimal(3), None]),
    "numbers and text": ([1, 2, 2, 3], ["1", "2", "x", None]),
    "truths": ([True, False, True, False], ["TRUE", "false", "T", None]),
    "truths in texts": (["TRUE", "true", "False", "true"], ["True", "T", "false", "f"]),
    "T alone": (["true", "false", "T", "x"], ["true", "F", "T", "f"]),
    "days": ([date(2020, 1, 1), date(2021, 2, 3), None, None], pd.to_datetime(["2020-01-01", "2021-02-03"] * 2)),
    "categories": (pd.Categorical(["a", "b", None, "a"]), ["a", "a", "b", None]),
    "zeros": ([-0.0, 0.0, 1e-20, 5e15], [0, 1, 2, 5 * 10**15]),
    "all missing": ([None] * 4, [1.5, None, 2, 3]),
}  # fmt: skip


@pytest.mark.parametrize("name", SIDES)
def test_values_are_read_alike(name):
    one, other = SIDES[name]
    keys = ["a", "a", "b", "c"]
    frames = [pd.DataFrame({"k": keys, "t": side}) for side in (one, other)]
    found = Review.of(["k"]).open(frames[0], [frames[1]]).verify()
    assert (found.differ, found.not_counted) == ((), {})
    found = Review.of(["t"]).open(frames[0], [frames[1]]).verify()
    assert (found.differ, found.not_counted) == ((), {})


def test_every_month_is_known_alike():
    """Days of three years at each level of the calendar: both ways to write a level tell the same days apart."""
    days = [date(year, month, day) for year in (1999, 2000, 2011) for month in range(1, 13) for day in (1, 28)]
    frame = pd.DataFrame({"day": days})
    column = Study(frame, [frame]).columns["day"]
    asked = Hierarchy.calendar("month", "quarter", "year", "decade")
    for level in coarsenings(column, asked)[1:-1]:
        make = known.coarser(asked.kind, asked.steps, asked.rows, level.name, column.levels)
        assert known.alike(
            [[make(text) for text in column.levels]], [level.codes[: column.n_levels].astype(str).tolist()]
        )


def test_people_whose_keys_no_synthesis_has():
    frame = pd.DataFrame({"k": list("aabbcc"), "t": list("xxyyzy")})
    found = Review.of(["k"]).open(frame, [frame[:4], frame[:2]]).verify()
    assert (found.differ, found.not_counted) == ((), {})


def test_people_outside_of_whom_everything_is_right():
    frame = pd.DataFrame({"k": list("aabbcc"), "t": list("xxyyzz")})
    opened = Review.of(["k"]).open(frame, [frame], holdout=frame, holdout_is_random=True)
    assert opened.attribute_baseline().summary("DiSCO")["non_members"].tolist() == [100]
    assert opened.verify().differ == ()


def test_a_column_that_is_not_read_is_said_and_in_no_count():
    zoned = pd.to_datetime(["2020-01-01 10:00"] * 3 + ["2021-01-01 12:00"]).tz_localize("Europe/Oslo")
    frame = pd.DataFrame({"k": ["a", "a", "b", "c"], "t": ["x", "y", "x", "y"], "when": zoned})
    found = Review.of(["k"]).open(frame, [frame]).verify()
    assert found.differ == ()
    assert any("column when" in what for what in found.not_counted)
    found = Review.of(["when"]).open(frame, [frame]).verify()
    assert found.n == 0
    assert found.line.startswith("0 figures, 0 differ; ")


@pytest.mark.parametrize(("n", "said"), [(0, "0 figures, "), (1, "1 figure, "), (2, "2 figures, ")])
def test_how_many_figures_were_counted_again(n, said):
    assert Verified(n, (), {}).line == f"{said}0 differ"


def test_an_auditor_can_read_it():
    """Each file is short, and the counter stands alone (the Import Linter contracts hold it to that)."""
    for file in Path(disclosure_core.verify.__file__).parent.glob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) < 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("office")
    for i, name in enumerate(("o.csv", "s.csv", "t.csv")):
        people(i).to_csv(place / name, index=False)
    call = ["assess", *(str(place / n) for n in ("o.csv", "s.csv", "t.csv")), "--keys", "sex,age", "--quiet"]
    call += ["--save", str(place / "review.json"), "--json", str(place / "figures.json")]
    assert disclosure(*call).exit_code == 0
    return place


def called(folder, *more):
    return disclosure("verify", str(folder / "review.json"), "--data", str(folder), *map(str, more))


@pytest.mark.slow
def test_from_the_command_line(folder):
    done = called(folder, "--figures", folder / "figures.json")
    assert done.exit_code == 0, done.stderr
    assert " figures, 0 differ; " in done.stdout
    assert done.stdout.endswith(" values of the file compared\n")
    document = json.loads((folder / "figures.json").read_text())
    (folder / "other.json").write_text(json.dumps(document), encoding="utf-8-sig")  # as programs on Windows write
    assert called(folder, "--figures", folder / "other.json", "--quiet").exit_code == 0
    document["tables"]["identity"][1]["repU"] += 0.01
    (folder / "other.json").write_text(json.dumps(document))
    done = called(folder, "--figures", folder / "other.json", "--quiet")
    assert done.exit_code == 1
    assert "figures, 1 differs" in done.stdout
    assert done.stderr.startswith("repU of identity (2): stated ")


FOUND = "Counted again by a second counter that shares no code with the first: "


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "shareable"), [(True, False), (False, False), (True, True)])
def test_the_report_carries_what_the_second_counter_found(opened, asked, shareable):
    again = opened.with_review(replace(opened.review, name=f"asked {asked}, {shareable}"))
    if shareable:  # which has no groups whose breaks follow from the data
        again = ungrouped(again)
    found = again.verify() if asked else None
    said = report(again, "html", Look(shareable=shareable)).decode()
    assert (FOUND in said) is (asked and not shareable)
    assert found is None or shareable or f"{FOUND}{found.line}." in said


@pytest.mark.slow
def test_assess_verifies_what_it_writes(folder):
    review, page, evidence = (str(folder / name) for name in ("review.json", "v.html", "v.json"))
    done = disclosure("run", review, "--data", str(folder), "--verify", "--report", page, "--evidence", evidence)
    assert done.exit_code == 0, done.output
    line = json.loads(Path(evidence).read_text(encoding="utf-8"))["counted_again"]
    assert line.split("; ")[0].endswith(" figures, 0 differ")
    assert f"A second counter: {line}." in done.stderr
    assert FOUND + line in Path(page).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", "7", '{"tables": 3}', '{"tables": {"summary": 3}}', '{"tables": {"summary": [3]}}',
     '{"tables": []}', "[" * 100_000, '{"tables": {"identity": [{"synthesis": [1], "UiO": 1}]}}', '{"tables": {}, "answer": 3}',
     '{"tables": {"summary": [{"target": {}, "original": 1}]}}', '{"tables": {}, "answer": {"rows": [4]}}',
     '{"tables": {"attribute": [{"target": null, "synthesis": "x", "DiSCO": 1e400}]}}'],
)  # fmt: skip
def test_a_file_that_is_no_figures_is_one_sentence(folder, text):
    (folder / "bad.json").write_text(text)
    done = called(folder, "--figures", folder / "bad.json", "--quiet")
    assert done.exit_code in (1, 2), done.output
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    assert done.exit_code == 1 or len(done.stderr.strip().splitlines()) == 1


def test_bytes_that_are_no_text(folder):
    (folder / "bad.json").write_bytes(b"\xff\xfe\x00")
    assert called(folder, "--figures", folder / "bad.json", "--quiet").exit_code == 2


@pytest.mark.slow
def test_data_in_another_engine_are_counted_again():
    from tests.slow.test_report_read_back import STATES, opened_in

    found = opened_in(STATES["in an engine"]).verify()
    assert found.differ == ()
    assert found.n > 500
