"""The least safeguard on the Safeguards page: aim, what may be touched, search, going on, the variant and adopting."""

# Inside: whether a search is kept, which no page says.

import pytest

from disclosure_core import Band, Hierarchy, May, Sought, Ways, demo, least_safeguard
from disclosure_core.review import least
from tests import saved
from tests.pages.conftest import as_shown

pytestmark = pytest.mark.slow


def words(app):
    said = "\n".join(element.value for element in (*app.at.success, *app.at.error))
    return f"{app.text()}\n{said}".replace("\\", "")


@pytest.fixture
def page(app):
    """The Safeguards page with one target, so that a search is short."""
    app.demo().page("keys").targets(["abroad"])
    return app.page("safeguards").click("safe.least.lead")


def test_state_an_aim_search_and_take_a_chain(page):
    app = page
    assert "Nothing may be touched; name a column" in words(app)
    app.set("selectbox", "safe.least.coarsen.age", "up to bands of 10")
    assert "State an aim: a limit in one of the fields above." in words(app)
    app.set("number_input", "safe.least.aim.DiSCO", 20.0).set("number_input", "safe.least.remove", 10.0)
    app.set("selectbox", "safe.least.target.abroad", "Its claims may be blanked")
    sought = Sought(("DiSCO<=20",), {"age": Hierarchy.bands(5, 10)}, 10.0, ("abroad",))
    assert app.session.review.sought == sought
    assert "6 combinations of coarsening and removal." in words(app)
    app.click("safe.least")
    review = app.session.review
    assert "least" in review.searched
    assert saved.from_json(saved.to_json(review)) == review
    settings = review.settings
    expected = least_safeguard(demo.study(), settings, ["DiSCO<=20"], May(sought.coarsen, 10, ("abroad",)))
    assert expected.sentence in words(app)
    assert expected.promise in words(app)
    assert "safe.least.figure" in app.drawn()
    table = app.frame("chain")
    assert table["figure"].tolist() == as_shown([p.figure for p in expected.points])
    assert table["chain"].tolist() == [p.short for p in expected.points]
    assert not table["taken"].any()
    # What an attacker sees is said where a chain has such a step, and only there.
    assert "An attacker can see through this" not in words(app)
    last = f"{len(expected.points)}: {expected.points[-1].short}"
    app.set("selectbox", "safe.least.point", last)
    assert "An attacker can see through this: Removal acts on exactly these keys" in words(app)
    app.set("selectbox", "safe.least.point", "3: age in bands of 10")
    # One click makes a variant; a second click makes no second one.
    for _ in range(2):
        app.click("safe.least.variant").click("safe.least.lead")
    assert [chain.steps for chain in app.session.review.chains] == [(Band("age", "10"),)]
    assert app.session.review.chain == "variant 1"
    assert app.frame("chain")["taken"].tolist()[2] == "variant 'variant 1'"
    # Adopted, the frontier stays, of the data as they came, and no other chain is offered.
    app.click("safe.least.adopt").click("safe.least.lead")
    adopted = app.session.review
    assert adopted.sets[-1].origin.steps == (Band("age", "10"),)
    assert "least" in adopted.searched
    assert app.frame("chain")["taken"].tolist()[2] == "adopted as 'variant 1'"
    assert not [b for b in app.at.button if b.key == "safe.least.adopt"]
    assert "Give the adopted set up to take another chain." in words(app)


def test_another_aim_is_asked_for_again_and_one_out_of_reach_names_the_nearest(page):
    app = page.set("selectbox", "safe.least.coarsen.age", "up to bands of 5")
    app.set("number_input", "safe.least.aim.DiSCO", 1.0).click("safe.least")
    assert "No chain reaches the aim. The nearest: Write 'age' in bands of 5." in words(app)
    app.set("number_input", "safe.least.aim.DiSCO", 50.0)
    assert "least" not in app.session.review.searched
    assert "The nearest" not in words(app)


def test_a_search_that_time_ended_goes_on(page):
    app = page.set("selectbox", "safe.least.coarsen.age", "up to bands of 10")
    app.set("number_input", "safe.least.aim.repU", 1.0).set("number_input", "safe.least.seconds", 0.0)
    app.click("safe.least")
    assert "1 of 3 releases were looked at" in words(app)
    app.click("safe.least.on").click("safe.least.on")
    assert "All 3 releases were looked at" in words(app)
    assert not [b for b in app.at.button if b.key == "safe.least.on"]


@pytest.mark.parametrize("stage", range(4))
def test_stop_at_each_stage_keeps_nothing(page, pressing_stop, stage):
    app = page.set("selectbox", "safe.least.coarsen.age", "up to bands of 10")
    app.set("number_input", "safe.least.aim.DiSCO", 20.0)
    before = app.session.review
    with pressing_stop("safe.least", stage) as told:
        app.click("safe.least")
    assert list(dict.fromkeys(told)) == [(done, 3) for done in range(stage + 1)]
    app.page("safeguards")
    assert "The search was stopped; nothing of it is kept." in words(app)
    assert app.session.review == before
    assert app.session.now.finished_least() is None
    assert not least.is_kept(app.session.now)
    app.click("safe.least")
    assert "All 3 releases were looked at" in words(app)


def test_stop_while_it_goes_on_keeps_what_was_looked_at_before(page, pressing_stop):
    app = page.set("selectbox", "safe.least.coarsen.age", "up to bands of 10")
    app.set("number_input", "safe.least.aim.repU", 1.0).set("number_input", "safe.least.seconds", 0.0)
    app.click("safe.least")
    found = app.session.now.finished_least()
    assert found.n_counted == 1
    with pressing_stop("safe.least", 2):
        app.click("safe.least.on")
    app.page("safeguards")
    assert app.session.now.finished_least() is found
    assert "1 of 3 releases were looked at" in words(app)


def test_an_aim_of_M_without_people_outside_is_refused_before_a_search_is_offered(page):
    app = page.set("selectbox", "safe.least.coarsen.age", "up to bands of 10")
    app.set("number_input", "safe.least.aim.M", 1.0)
    assert "M needs people outside the data." in words(app)
    assert not [b for b in app.at.button if b.key == "safe.least"]


def test_other_ways_to_change_a_key_are_picked_or_typed(page):
    app = page
    offered = app.at.multiselect(key="safe.least.ways.age").options
    assert list(dict.fromkeys(text.split(":")[0] for text in offered)) == ["top", "bottom", "round"]
    # Offered is what changes something: both sexes are frequent, one kind of employment is rare.
    shown = {m.key.rpartition(".")[2]: m.options for m in app.at.multiselect if m.key.startswith("safe.least.ways.")}
    assert "sex" not in shown
    assert shown["employment"] == ["merge:250"]
    app.set("multiselect", "safe.least.ways.age", [offered[1], "top:40"])
    assert app.session.review.sought.ways == {"age": Ways(top=(float(offered[1][4:]), 40.0))}
    app.set("multiselect", "safe.least.ways.age", [offered[1], "top:forty"])
    assert "'top:forty' is no way to change a key" in words(app)
    assert app.session.review.sought.ways == {"age": Ways(top=(float(offered[1][4:]), 40.0))}
    app.set("number_input", "safe.least.aim.DiSCO", 20.0).click("safe.least")
    may = May({}, 0, (), app.session.review.sought.ways)
    expected = least_safeguard(demo.study(), app.session.review.settings, ["DiSCO<=20"], may)
    assert app.frame("chain")["chain"].tolist() == [p.short for p in expected.points]
    assert any("age: top code 40" in p.short for p in expected.points)
    app.set("multiselect", "safe.least.ways.age", ["top:500"])
    assert "top:500 changes no synthetic value of 'age'; name other numbers." in words(app)
    assert not [b for b in app.at.button if b.key == "safe.least"]
    app.set("multiselect", "safe.least.ways.age", [])
    assert app.session.review.sought.ways == {}


def test_aims_written_elsewhere_stand_and_can_be_removed(page):
    app = page
    app.session.update(sought=Sought(("DiSCO[abroad]<5", "beyond<=10"), {"age": Hierarchy.bands(7)}))
    app.page("safeguards")
    assert app.at.number_input(key="safe.least.aim.beyond").value == 10
    assert app.at.selectbox(key="safe.least.coarsen.age").value == "as asked: 7"
    app.set("multiselect", "safe.least.other", [])
    assert app.session.review.sought.aims == ("beyond<=10",)
