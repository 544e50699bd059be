"""The Analyses page: every number there is counted again, parameters are the review's, and what is wrong is one sentence."""

# Inside: a result that takes long is planted among those of the page.

import re
from dataclasses import replace

import pyarrow as pa
import pytest

from disclosure_core import NotEvaluated, Settings, assess, demo, search_subsets, start, start_demonstration
from disclosure_core.results import RESULTS
from disclosure_core.results.declared import Parameters, Result
from disclosure_core.sensitivity.anonymity import profile
from disclosure_core.sensitivity.combined_release import combined_attributes, combined_identity
from disclosure_core.sensitivity.population import WITH_SIZE, WITH_TABLE, expected_right
from pages.analyses import listed, shown
from pages.analyses.others import ELSEWHERE, PANELS
from tests.pages.conftest import as_shown
from tests.reference import plainly
from tests.reference.plainly import Data, near
from tests.written import fixed

pytestmark = pytest.mark.slow

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)
SENTENCE = (
    r"Within ±(\S+?)(?: %)?, the synthetic data make a claim about household for (\S+) % of all original records, "
    r"right for (\S+) %; the best single guess is right for (\S+) %\."
)


def words(app):
    return app.text().replace("\\", "").replace("**", "")


def looked_at(app, short):
    app.page("analyses")
    app.session.analysis = short
    app.at.run()
    return app.sound()


def review(app):
    return app.session.review


@pytest.fixture(scope="module")
def household():
    """The target as the plain counter has it, with people outside."""
    sides = [pa.Table.from_pandas(frame) for frame in (demo.original(), *demo.syntheses(), demo.holdout())]
    return plainly.target(Data(sides[:-1], sides[-1], {}, {}, {}), demo.KEYS, "household")


@pytest.mark.parametrize(("written", "amount", "relative"), [("50%", (1, 2), True), ("1", (1, 1), False)])
def test_every_number_of_a_tolerance_is_counted_again(app, household, written, amount, relative):
    looked_at(app.demo(), "near-misses").set("text_input", "analyses.near-misses.tolerance", f"0%, {written}")
    app.set("selectbox", "analyses.near-misses.target", "household")
    (found,) = re.findall(SENTENCE, words(app))
    half = near.near_misses(household, (), amount, relative)
    assert found[1:] == (fixed(half["DiS"]), fixed(half["DiSCO"]), fixed(half["guess"]))
    assert found[0] == written.removesuffix("%")
    said = app.drawn()["analyses.figure.near-misses"]
    first, last = (near.near_misses(household, (), (n, 2), True) for n in (0, 1))
    assert f"original from {fixed(first['Dorig'])} to {fixed(last['Dorig'])}" in said
    assert f"synthetic from {fixed(first['DiSCO'])} to {fixed(last['DiSCO'])}" in said
    assert ("A line marks ±50 %" in said) == relative
    assert app.frame("tolerance")["DiSCO"].tolist() == as_shown([first["DiSCO"], half["DiSCO"]])
    assert review(app).analyses["near-misses"].asked == {"target": "household", "tolerance": ["0%", written]}


@pytest.mark.parametrize(
    ("written", "said"), [("-1", "is below 0"), ("a lot", "is not a number"), ("nan", "no amount")]
)
def test_what_is_no_tolerance_is_said_and_nothing_changes(app, written, said):
    looked_at(app.demo(), "near-misses").set("text_input", "analyses.near-misses.tolerance", written)
    assert said in words(app)
    assert not review(app).analyses
    app.set("text_input", "analyses.near-misses.tolerance", "20%")
    assert said not in words(app)
    app.page("keys").page("analyses")
    assert app.at.text_input(key="analyses.near-misses.tolerance").value == "20%"


def test_people_outside_stand_beside_members(app, household):
    app.demo().question("uniques-outside").click("baseline.bring").click("baseline.demo")
    rows = looked_at(app, "near-misses").frame("members")
    assert rows["target"].unique().tolist() == ["household", "depression"]
    rows = rows[rows["target"] == "household"].set_index("tolerance")
    expected = near.beside_outside(household, (), (1, 2), True)
    for column in ("members", "non_members"):
        assert rows.loc["50%", column] == as_shown([expected[column]])[0]
    assert "people outside from" in app.drawn()["analyses.figure.near-misses"]
    assert re.search(
        r"right for \S+ % of people outside the data\. The difference is [+−]\S+ percentage points", words(app)
    )


def test_anonymity(app):
    looked_at(app.demo(), "anonymity")
    expected = profile(demo.study(), SETTINGS)
    assert app.frame("smallest")["records"].tolist() == expected.under(5)["records"].tolist()
    app.set("number_input", "analyses.anonymity.k", 3)
    assert app.frame("smallest")["records"].tolist() == expected.under(3)["records"].tolist()
    assert "fewer than 2 others" in words(app)


def test_the_size_alone_is_an_estimate_and_says_what_it_assumes(app):
    looked_at(app.demo(), "population")
    assert "A replicated unique need not be unique in the population" in words(app)
    app.set("number_input", "analyses.population.population", 25_000)
    right = 351.6 * expected_right(5_000, 25_000)
    said = (
        f"Of 351.6 replicated uniques, the mean over 5 syntheses, about {fixed(right, 1)} ({fixed(100 * right / 351.6, 1)} "
        "%) can be expected to lead to the right person."
    )
    assert said in words(app)
    assert WITH_SIZE in words(app)
    assert "are the person in it, if the original is a simple random sample" in words(app)
    assert review(app).threat_model.population_size == 25_000
    app.set("number_input", "analyses.population.population", 4_999)
    assert "The population cannot be smaller than the 5,000 records of the original" in words(app)


@pytest.fixture
def brought(app, tmp_path):
    frame = demo.original()[[*demo.KEYS, "abroad"]]
    for name in ("o.csv", "s.csv"):
        frame.to_csv(tmp_path / name, index=False)
    opened = start(("o.csv", tmp_path / "o.csv"), [("s.csv", tmp_path / "s.csv")])
    app.hold(opened)
    return app


def test_a_table_is_brought_used_and_removed(brought):
    app = brought
    looked_at(app.page("keys").keys(["sex", "age"]), "population")
    counts = demo.original().groupby(["sex", "age"], observed=True).size().reset_index(name="count")

    def bring(name, frame):
        content = frame.to_csv(index=False).encode()
        app.at.file_uploader(key="analyses.population.file").set_value((name, content, "")).run()
        app.click("analyses.population.use")

    bring("wrong.csv", counts.iloc[:-1].assign(count=500))
    said = "The population table has fewer people than the original has records in 1 key combination (first: sex = "
    assert said in words(app)
    assert "Population table: wrong" not in words(app)
    bring("people.csv", counts.assign(count=counts["count"] * 2))
    assert "Population table: people.csv" in words(app)
    n = int((counts["count"] == 1).sum())
    assert (
        f"Of {n} replicated uniques, {fixed(n / 2, 1)} (50.0 %) can be expected to lead to the right person."
        in words(app)
    )
    assert "0.0 % are unique in the population." in words(app)
    assert WITH_TABLE in words(app)
    # Keys that the table lacks: said, and nothing breaks; back again, the figure is there.
    app.page("keys").keys(["sex", "region"]).page("analyses")
    assert "column 'region' is not there" in words(app)
    app.page("keys").keys(["sex", "age"]).page("analyses")
    assert WITH_TABLE in words(app)
    app.click("analyses.population.remove")
    assert "A replicated unique need not be unique in the population" in words(app)


def test_the_list_says_how_each_stands_and_switches_it(app):
    app.demo().page("analyses")
    opened = app.session.now.printed
    for kind in RESULTS:
        found = kind.of(opened)
        said = found.why if isinstance(found, NotEvaluated) else found.sentences()[0]
        line = said if kind.usual else kind.purpose  # what nobody asked for waits until it is opened
        assert line.replace("\N{NO-BREAK SPACE}", " ") in words(app)
        app.at.toggle(key=f"analyses.report.{kind.short}.listed").set_value(not kind.usual).run()
        assert kind.in_report(review(app)) is not kind.usual
        app.click(f"analyses.open.{kind.short}")
        assert app.at.header[0].value == kind.question
        stands = found if isinstance(found, NotEvaluated) else kind.kept(opened)
        assert app.at.button(key=f"analyses.see.{kind.short}").proto.icon == listed.status(stands)[0]
        assert app.at.toggle(key=f"analyses.report.{kind.short}").value is not kind.usual
        app.click("analyses.back")
        assert said.replace("\N{NO-BREAK SPACE}", " ") in words(app)


def test_the_list_has_answers_of_searches_once_they_are_there(app):
    app.demo().page("analyses")
    listed = words(app)
    assert {each.question for each in PANELS} <= {button.label for button in app.at.button}
    assert "The largest figure over all combinations of keys, also known less exactly." in listed
    assert "There is no holdout" in listed
    assert "No subset discloses more" not in listed
    app.click("analyses.open.subsets").click("keys.search_targets").click("analyses.back")
    found = search_subsets(demo.study(), SETTINGS)
    worst = found.worst("repU")
    assert f"repU is {worst.figure:.2f} %" in words(app)
    most = ", ".join(f"{row.max:.2f} % with {row.n_keys}" for row in found.by_size("repU").itertuples())
    assert f"The largest repU by how many keys are known: {most}." in words(app)
    app.click("analyses.open.uniques-outside").click("baseline.bring").click("baseline.demo").click("analyses.back")
    judged = app.session.now.judged.identity_baseline().summary().iloc[0]
    assert (
        f"repU is {judged['members']:.2f} % of members, and {judged['non_members']:.2f} % of people outside"
        in words(app)
    )


@pytest.mark.parametrize("each", ELSEWHERE, ids=lambda each: each.short)
def test_a_question_that_another_page_answers_leads_there(app, each):
    app.demo().page("analyses").click(f"analyses.open.{each.short}")
    assert app.at.title[0].value == each.page.title()
    if each.page == "compare":
        assert app.at.radio(key="compare.view").value == "People outside"
    app.page("analyses").click("analyses.open.tau").click(f"analyses.see.{each.short}")
    assert app.at.title[0].value == each.page.title()


def test_scenarios_stand_side_by_side_and_in_the_list(app):
    app.demo().page("analyses").click("analyses.open.scenarios").click("review.five").click("analyses.back")
    found = dict(app.session.now.scenarios())
    disco = {
        name: {t: risk.figures("DiSCO").mean() for t, risk in each.targets.items()} for name, each in found.items()
    }
    target = max(next(iter(disco.values())), key=lambda t: max(of[t] for of in disco.values()))
    each = "; ".join(f"{name} {fixed(of[target])} %" for name, of in disco.items())
    assert f"DiSCO of {target}: {each}." in words(app)


class Slow(Result[Parameters]):
    """A result that takes five steps."""

    short, about, question, title, purpose = "slow", "The people", "Does it take long?", "Slow", "Wait."
    reads, asks, tables, usual = "It waits.", Parameters, (), False

    @classmethod
    def takes_long(cls, data, asked):
        return bool(data.settings.keys)

    @classmethod
    def make(cls, data, asked, progress=None):
        for done in range(5):
            progress(done, 5)
        return cls()

    def frames(self):
        return {}

    def sentences(self):
        return ["It took five steps."]


def test_a_search_that_stopped_early_is_done_in_part():
    opened = start_demonstration()
    known = tuple(replace(keys, bounds=replace(keys.bounds, subsets=5)) for keys in opened.review.intruders)
    cut = opened.with_review(replace(opened.review, intruders=known)).subsets(attributes=False)
    assert listed.status(cut)[1] == "done in part"
    (panel,) = [each for each in PANELS if each.short == "number-of-keys"]
    assert panel.said(cut).startswith("The largest repU of those that were searched (")
    assert listed.status(opened.subsets(attributes=False))[1] == "done"


def test_what_takes_long_is_begun_by_a_button_and_can_be_stopped(app, monkeypatch, pressing_stop):
    monkeypatch.setattr(listed, "RESULTS", (*RESULTS, Slow))
    monkeypatch.setattr(shown, "named", lambda _: Slow)
    app.demo().page("analyses")
    assert "not run" in words(app)
    looked_at(app, "slow")
    assert "It took five steps" not in words(app)
    with pressing_stop("analyses.run.slow", 2) as told:
        app.click("analyses.run.slow")
    assert told == [(0, 5), (1, 5), (2, 5)]
    app.at.run()
    assert "It was stopped; nothing of it is kept." in words(app)
    app.click("analyses.run.slow")
    assert "It took five steps" in words(app)
    assert app.at.button(key="analyses.see.slow").proto.icon == ":material/check:"
    app.page("keys").page("analyses")  # it is kept
    assert "It took five steps" in words(app)
    app.click("analyses.back")
    assert "It took five steps" in words(app)


@pytest.mark.parametrize("numbers", [(), (2, 4)])
def test_those_said_to_be_released_are_together_and_counted_as_such(app, numbers):
    app.demo()
    s = app.session
    s.update(released={s.now.first_set: numbers} if numbers else {})
    looked_at(app, "combined-release")
    result = assess(demo.study(), SETTINGS)
    expected, keys = combined_attributes(result, numbers).iloc[::-1], combined_identity(result, numbers)
    assert app.frame("alone_claimed")["any"].tolist() == as_shown(expected["any"].tolist())
    assert app.frame("UiO")["any"].tolist() == as_shown([keys["any"]])
    which = "Syntheses 2 and 4, which are said to be released" if numbers else "All 5 syntheses"
    assert f"{which}: repU is {fixed(keys['any'], 1)} % in at least one of them" in words(app)
