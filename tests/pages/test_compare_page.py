"""The page Compare: sets on the map, side by side, table by table; the choice of a set reaches every page."""

# Inside: a chain is added as the page Safeguards adds one; how long a name at an axis may be.

from itertools import combinations_with_replacement

import pytest

from disclosure_core import Holdout, demo, start_demonstration
from disclosure_core.comparison import overview
from disclosure_core.conclusions import headline
from disclosure_core.figures import risk_utility, sets_by_target
from disclosure_core.review.parts import Sample
from pages.shared.plots import LONGEST, read_aloud
from tests.having import people_outside
from tests.pages.conftest import as_shown
from tests.slow.states import other_columns

pytestmark = pytest.mark.slow

VIEW, PART = "compare.view", "compare.part"


@pytest.fixture
def compare(app):
    return app.demo().page("compare")


def test_the_map_and_what_is_said_of_two_sets(compare):
    said = compare.text()
    assert "Without such a figure" not in said
    beside = headline.of_methods("synthetic data", overview.beside_first(start_demonstration().comparison()))
    assert beside.text in [each.value.replace("\\", "") for each in compare.at.header]
    assert compare.frame("own_answers")["set"].tolist() == ["synthetic data", "overfitted", "coarse"]
    every = sets_by_target.describe(start_demonstration().comparison())
    assert compare.drawn()["compare.sets"] == read_aloud(every.sentence)
    assert "discloses less than" in said
    assert "for the office to decide" in said
    found = start_demonstration().comparison()
    assert compare.drawn()["compare.map"] == risk_utility.describe(found, found.risks[0]).sentence
    compare.set("selectbox", "compare.risk", "repU")
    (chosen,) = (risk for risk in found.risks if risk.label == "repU")
    assert compare.drawn()["compare.map"] == risk_utility.describe(found, chosen).sentence
    compare.set("selectbox", "compare.a", "overfitted").set("selectbox", "compare.b", "coarse")
    assert "'coarse' discloses less than 'overfitted'" in compare.text().replace("\\", "")


def test_a_set_without_a_figure_is_named_beneath_the_map(app):
    """Where original and synthesis have one level in every column, no table can be held against another."""
    same, other = (b"k,t\n" + rows * 30 for rows in (b"a,x\na,x\n", b"a,x\nb,x\n"))
    app.at.file_uploader(key="upload.original").set_value(("o.csv", same, "")).run()
    app.at.file_uploader(key="upload.synthetic").set_value([("cart_1.csv", same, ""), ("gan_1.csv", other, "")]).run()
    app.set("toggle", "upload.several", True)
    for i, name in enumerate(("cart", "gan")):
        app.set("text_input", f"upload.set.{name}_1.csv.{i}", name)
    app.click("upload.compare")
    app.page("keys").keys(["k"]).page("compare")
    assert "Without such a figure: cart." in app.text().replace("\\", "")
    drawn, absent = app.drawn()["compare.map"].split(" Without such a figure: ")
    assert "gan" in drawn
    assert "cart" not in drawn
    assert absent == "cart."


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("k,t,u", "over 3 two-way tables: 0.00 (good); the largest is 0.00."),
        ("k,t,one", "over 3 two-way tables: 0.00 (good); the largest is 0.00."),
        (
            "k,one,two",
            "over 2 two-way tables: 0.00 (good); the largest is 0.00. 1 has one cell, and is not evaluated.",
        ),
        ("k,one", "over 1 two-way table: 0.00 (good); the largest is 0.00."),
        (
            "k,one,two,three",
            "over 3 two-way tables: 0.00 (good); the largest is 0.00. 3 have one cell, and are not evaluated.",
        ),
    ],
)
def test_tables_of_one_cell_are_counted_once_however_many_syntheses_there_are(app, columns, said):
    names = columns.split(",")
    rows = [
        ",".join("xy"[(i >> at) % 2] if len(name) == 1 else "same" for at, name in enumerate(names)) for i in range(80)
    ]
    text = "\n".join([columns, *rows]).encode()
    app.upload(("o.csv", text), ("s.csv", text), ("t.csv", text))
    app.page("keys").keys(["k"]).tab(PART, "Usefulness").page("compare")
    assert f"Mean S_pMSE {said}" in app.plain()


def test_a_table_of_one_cell_in_some_syntheses_is_said(app):
    same, other = (b"k,t,u\n" + rows * 30 for rows in (b"a,x,1\na,x,2\n", b"a,x,1\nb,x,2\n"))
    app.upload(("o.csv", same), ("s.csv", same), ("t.csv", other))
    app.page("keys").keys(["k"]).tab(PART, "Usefulness").page("compare")
    assert "over 3 two-way tables" in app.plain()
    assert "1 has one cell in some of the syntheses, and is not evaluated there." in app.plain()


def test_the_comparison_is_in_the_report_where_that_is_asked(compare):
    review = lambda: compare.session.review  # noqa: E731
    compare.set("radio", PART, "All figures")
    assert review().searched == frozenset()
    compare.set("toggle", "compare.in_report", True)
    assert review().searched == {"comparison"}
    compare.set("toggle", "compare.in_report", False)
    assert review().searched == frozenset()


@pytest.mark.parametrize(("view", "sets"), [("Sets", 3), ("Usefulness", 1)])
def test_what_takes_long_is_asked_for_with_how_many_tables_it_counts(app, monkeypatch, view, sets):
    tables = len([*combinations_with_replacement(start_demonstration().study().columns, 2)])
    said = f"{tables} tables of 30,000 records{', 3 times over' * (sets > 1)}: this may take a while."
    monkeypatch.setattr("disclosure_core.results.usefulness.AT_ONCE", tables * 30_000 * sets - 1)
    app.demo().tab(PART, view).page("compare")
    assert said in app.text()
    assert not app.drawn()
    monkeypatch.setattr("disclosure_core.results.usefulness.AT_ONCE", tables * 30_000 * sets)
    app.at.run()
    assert "this may take a while" not in app.text()
    assert app.drawn()


def test_side_by_side_is_what_the_core_says(compare):
    compare.set("radio", PART, "All figures")
    opened = start_demonstration()
    found = opened.comparison()
    assert as_shown(found.table()["coarse"].tolist()) == compare.frame("coarse")["coarse"].tolist()
    told = compare.frame("told")
    rows = found.differences("synthetic data", "overfitted")
    assert told["told"].tolist() == ["yes" if clear else "no" for clear in rows["clear"]]


def test_usefulness_table_by_table(compare):
    compare.set("radio", PART, "Usefulness")
    worst = start_demonstration().usefulness().worst(12)
    assert compare.frame("MabsDD")["first"].tolist() == worst["first"].tolist()
    cells = compare.frame("difference")
    assert cells["difference"].abs().is_monotonic_decreasing
    compare.set("selectbox", "compare.first", "sex").set("selectbox", "compare.second", "")
    assert len(compare.frame("difference")) == 2


def test_the_set_chosen_is_that_of_every_page(compare):
    opened = start_demonstration()
    compare.set("selectbox", "status_bar.set", "coarse").page("keys")
    coarse = opened.assessment(None, "coarse").identity["repU"].mean()
    assert any(f"{coarse:.2f}" in value for value in compare.metrics().values())
    assert compare.at.selectbox(key="status_bar.set").value == "coarse"
    compare.page("compare").set("radio", PART, "Usefulness")
    assert compare.frame("MabsDD")["first"].tolist() == opened.usefulness("coarse").worst(12)["first"].tolist()


def test_a_verdict_on_the_bench_is_of_the_set_chosen(compare):
    compare.set("selectbox", "status_bar.set", "coarse").page("review")
    target = compare.looked_at()
    assert compare.part("review.verdict")["given"] == ""
    compare.judge("leak", "one answer")
    review = compare.session.review
    assert [(v.synthesis_set, v.target, v.verdict, v.reason) for v in review.verdicts] == [
        ("coarse", target, "leak", "one answer")
    ]
    first = next(iter(each.name for each in review.sets))
    compare.page("compare").set("selectbox", "status_bar.set", first).page("review")
    compare.look(target)
    assert compare.part("review.verdict")["given"] == ""
    assert {row["kind"] for row in compare.part("review.bench")["rows"]} == {""}


def test_each_chain_of_safeguards_is_beside_the_set_that_it_began_as(app):
    from disclosure_core import RemoveReplicated
    from disclosure_core.review import chains

    s = app.demo().session
    s.try_step(RemoveReplicated())
    s.change(chains.added(s.review, "bolder"))
    s.try_step(RemoveReplicated())
    app.page("compare").set("radio", PART, "All figures")
    frame = app.frame("coarse")
    assert list(frame.columns[3:]) == [*(each.name for each in s.review.sets), *(c.name for c in s.review.chains)]
    assert frame.loc[frame["measure"] == "repU", "bolder"].tolist() == [0]


def test_one_set_shows_its_usefulness_alone(app):
    text = "sex,age,job\n" + "".join(f"{'fm'[i % 2]},{20 + i % 7},{['nurse', 'cook'][i % 3 == 0]}\n" for i in range(60))
    app.upload(("people.csv", text.encode()), ("release.csv", text.encode()))
    app.session.ask(app.session.settings.__class__(keys=("sex", "age")))
    app.page("compare")
    assert list(app.at.radio(key=VIEW).options) == ["People outside", "Methods"]
    assert PART not in [radio.key for radio in app.at.radio]
    assert "One set of syntheses: bring another" in app.text()
    assert "0.00 (good)" in app.text().replace("\\", "")


def test_a_sample_of_the_original_stands_beside_the_sets(app):
    app.demo().page("compare").set("number_input", "compare.share", 20.0).click("compare.add_sample")
    session = app.session
    assert session.review.samples == (Sample(20.0),)
    assert "5 random samples without replacement, seed 1, of 1,000 of 5,000 records each" in app.text().replace(
        "\\", ""
    )
    app.click("compare.add_sample")
    assert "There are two called '20 % sample of the original'" in app.text().replace("\\", "")
    app.tab(PART, "All figures")
    shown = app.frame("measure").set_index(["measure", "target"])["20 % sample of the original"]
    figures = session.now.comparison()["20 % sample of the original"].figures
    assert shown["repU", ""] == as_shown(figures["repU", ""].mean())
    app.click("compare.remove_sample.0")
    assert session.review.samples == ()


def test_safeguards_that_cannot_be_done_leave_one_set_and_a_sentence(app):
    app.hold(other_columns()).page("compare").set("radio", VIEW, "Methods")
    for view in ("Sets", "All figures"):
        app.tab(PART, view).page("compare")
        assert "One set alone is left" in app.text()
    assert "One set alone is left" not in app.tab(PART, "Usefulness").text()


def test_what_is_wrong_with_the_holdout_stands_beside_the_sets(compare):
    """Without one key nothing is evaluated for people outside, and the page goes on without them; removed, it is gone."""
    without = people_outside(demo.holdout().drop(columns="region"))
    session = compare.session
    session.bring_holdout(without, Holdout("file"))
    said = (
        "People outside the data are not evaluated: The holdout has no column 'region'. Give the holdout the columns and "
        "values of the other files."
    )
    for view in ("Sets", "All figures"):
        compare.set("radio", PART, view)
        assert [w.value.replace("\\", "") for w in compare.at.warning] == [said]
    session.remove_holdout()
    compare.set("radio", PART, "Sets")
    assert not compare.at.warning


def test_the_name_of_a_figure_ends_with_a_whole_part():
    assert read_aloud("a; b.") == "a; b."
    parts = [f"target {i}: 12.34" for i in range(100)]
    said = read_aloud("; ".join(parts))
    listed, *_ = said.rpartition("; and more")
    assert len(said) <= LONGEST
    assert listed == "; ".join(parts[: listed.count(";") + 1])
    assert len(read_aloud("x" * 2000)) == LONGEST


def test_the_largest_table_is_the_first_of_the_list_and_one_synthesis_is_named_as_such(app):
    app.demo().page("compare").set("radio", "compare.view", "Methods").tab(PART, "Usefulness")
    first = app.frame("MabsDD").iloc[0]
    assert f"the largest is {first['S_pMSE']:.2f}, in one synthesis {first['max']:.2f}." in app.plain()
