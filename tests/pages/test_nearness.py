"""Near misses on the pages: every number there is counted again, record by record."""

import re
from fractions import Fraction

import pytest

from disclosure_core.data import demo
from disclosure_core.rounding import fixed
from tests.pages.conftest import as_shown
from tests.reference import brute_near as brute

pytestmark = pytest.mark.slow

SENTENCE = (
    r"Within ±(.+), the synthetic data make a claim for (\S+) % of all original records\. It is right for "
    r"\*\*(\S+) %\*\*\. The best single guess for everybody is right for (\S+) %\."
)


def people(frame):
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.fixture(scope="module")
def counted():
    """The mean over the syntheses of DiS, DiSCO and Dorig of household, and the best guess, by tolerance."""
    original, syntheses = people(demo.original()), [people(s) for s in demo.syntheses()]

    def of(amount, relative):
        each = [
            brute.near_misses(original, s, demo.KEYS, "household", set(), Fraction(amount), relative) for s in syntheses
        ]
        return [sum(column) / len(each) for column in zip(*each, strict=True)]

    return of


@pytest.mark.parametrize(("written", "amount", "relative"), [("50%", "0.5", True), ("1", "1", False)])
def test_every_number_of_a_tolerance_is_counted_again(app, counted, written, amount, relative):
    app.demo("household").page("review").tab("review.view", "Near").set("text_input", "review.near", written)
    (found,) = re.findall(SENTENCE, app.text())
    dis, disco, _ = counted(amount, relative)
    guess = brute.best_guess(people(demo.original()), "household", set(), Fraction(amount), relative)
    assert found[1:] == (fixed(dis), fixed(disco), fixed(guess))
    assert found[0].replace(" ", "") == written
    said = app.drawn()["review.near.curve"]
    first, last = counted("0", True), counted("0.5", True)
    assert f"original from {fixed(first[2])} to {fixed(last[2])}" in said
    assert f"synthetic from {fixed(first[1])} to {fixed(last[1])}" in said
    assert ("A line marks ±50 %" in said) == relative
    app.open("review.near.table")
    assert app.frame("tolerance")["DiSCO"].tolist()[0] == as_shown([first[1]])[0]
    assert app.frame("tolerance")["DiSCO"].tolist()[-1] == as_shown([last[1]])[0]


@pytest.mark.parametrize(
    ("written", "said"),
    [("-1", "is below 0"), ("a lot", "is not a number"), ("nan", "is no amount"), ("1e999999999", "is no amount")],
)
def test_what_is_no_tolerance_is_said_and_the_curve_stays(app, written, said):
    app.demo("household").page("review").tab("review.view", "Near").set("text_input", "review.near", written)
    assert said in app.text()
    assert "review.near.curve" in app.drawn()
    assert "make a claim for" not in app.text()
    # Corrected, it is gone; and what was typed stays while another page is looked at.
    app.set("text_input", "review.near", "20%")
    assert said not in app.text()
    app.page("keys").page("review").tab("review.view", "Near")
    assert app.at.text_input(key="review.near").value == "20%"


def test_what_has_no_near_misses_says_why(app):
    app.demo("abroad").page("review").tab("review.view", "Near")
    assert "need a numeric target without groups, and 'abroad' is none" in app.text()
    app.at.session_state["session"].look_at("household")
    app.at.run()
    assert "make a claim for" in app.text()
    app.set("number_input", "review.limit", 1).tab("review.view", "Near")
    assert "Near misses are not evaluated with a denominator limit" in app.text()


def test_people_outside_stand_beside_members(app):
    app.demo("household").page("baseline").click("baseline.bring").click("baseline.demo")
    table = app.frame("tolerance")
    assert table["target"].unique().tolist() == ["household", "depression"]
    rows = table[table["target"] == "household"].set_index("tolerance")
    original, outside = people(demo.original()), people(demo.holdout())
    for side, column in ((original, "members"), (outside, "non_members")):
        shares = [
            brute.of_people(side, people(s), demo.KEYS, "household", set(), Fraction("0.5"), True)
            for s in demo.syntheses()
        ]
        assert rows.loc["50%", column] == as_shown([sum(shares) / len(shares)])[0]
    app.page("review").tab("review.view", "Near")
    assert "people outside from" in app.drawn()["review.near.curve"]
    assert re.search(r"Of people outside the data, \S+ %\. The difference is [+−]\S+ percentage points", app.text())
    # DCAP has no near misses.
    app.page("baseline").set("radio", "baseline.measure", "DCAP")
    assert not any("tolerance" in d.value.columns for d in app.at.dataframe)
