"""The population on the pages: what is asked on Keys is said there and on Baseline, and what is wrong is one sentence."""

import pytest

from disclosure_core.data import demo
from disclosure_core.review.opening import start
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.population import WITH_SIZE, WITH_TABLE, expected_right
from pages.shared.session import Session

pytestmark = pytest.mark.slow


def words(app):
    return app.text().replace("\\", "")


def test_the_size_alone_is_an_estimate_and_says_what_it_assumes(app):
    app.demo().page("keys")
    assert "A replicated unique need not be unique in the population" in words(app)
    app.set("number_input", "keys.population", 25_000)
    right = 351.6 * expected_right(5_000, 25_000)
    said = (
        f"Of 351.6 replicated uniques, the mean over 5 syntheses, about {fixed(right, 1)} ({fixed(100 * right / 351.6, 1)} "
        "%) can be expected to lead to the right person."
    )
    assert said in words(app)
    assert WITH_SIZE in words(app)
    app.page("baseline")
    app.set("radio", "baseline.view", "Anonymity")
    assert said in words(app)
    assert "are the person in it, if the original is a simple random sample" in words(app)
    app.page("keys").set("number_input", "keys.population", 4_999)
    assert "The population cannot be smaller than the 5,000 records of the original" in words(app)


@pytest.fixture
def brought(app, tmp_path):
    frame = demo.original()[[*demo.KEYS, "abroad"]]
    for name in ("o.csv", "s.csv"):
        frame.to_csv(tmp_path / name, index=False)
    opened = start(("o.csv", tmp_path / "o.csv"), [("s.csv", tmp_path / "s.csv")])
    app.at.session_state["session"] = Session(opened=opened)
    return app


def test_a_table_is_brought_used_and_removed(brought):
    app = brought
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"])
    counts = demo.original().groupby(["sex", "age"], observed=True).size().reset_index(name="count")

    def bring(name, frame):
        app.at.file_uploader(key="keys.population.file").set_value((name, frame.to_csv(index=False).encode(), "")).run()
        app.click("keys.population.use")

    bring("wrong.csv", counts.iloc[:-1].assign(count=500))
    said = "The population table has fewer people than the original has records in 1 key combination (first: sex = "
    assert said in words(app)
    assert "Population table: **wrong" not in words(app)
    bring("people.csv", counts.assign(count=counts["count"] * 2))
    assert "Population table: **people.csv**" in words(app)
    n = int((counts["count"] == 1).sum())
    assert (
        f"Of {n} replicated uniques, {fixed(n / 2, 1)} (50.0 %) can be expected to lead to the right person."
        in words(app)
    )
    assert "0.0 % are unique in the population." in words(app)
    assert WITH_TABLE in words(app)
    app.page("baseline").set("radio", "baseline.view", "Anonymity")
    assert WITH_TABLE in words(app)
    # Keys that the table lacks: said, and nothing breaks; back again, the figure is there.
    app.page("keys").set("multiselect", "keys.keys", ["sex", "region"])
    assert "column 'region' is not there" in words(app)
    app.set("multiselect", "keys.keys", ["sex", "age"])
    assert WITH_TABLE in words(app)
    app.click("keys.population.remove")
    assert "A replicated unique need not be unique in the population" in words(app)
