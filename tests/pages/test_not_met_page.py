"""The pages with values that do not meet: asked above the button that goes on, and in the place of every figure."""

import pytest

from tests.core.test_not_met import KEYS, MEETS, ORIGINAL

pytestmark = pytest.mark.slow

FILE = ("people.csv", ORIGINAL.to_csv(index=False).encode())
GOOD = ("labels.csv", MEETS.to_csv(index=False).encode())
SPELT = (
    "spelt.csv",
    MEETS.assign(sex=MEETS["sex"].str.upper(), job=MEETS["job"].str.upper()).to_csv(index=False).encode(),
)


def text(app) -> str:
    said = [*app.at.warning, *app.at.error, *app.at.info, *app.at.markdown, *app.at.caption]
    return "\n".join(str(each.value).replace("\\", "") for each in said)


def session(app):
    return app.at.session_state["session"]


def keys_of(app) -> list[str]:
    return [str(b.key) for b in app.at.button]


@pytest.fixture
def spelt(app):
    return app.upload(FILE, SPELT).page("keys").set("multiselect", "keys.keys", KEYS)


def test_every_page_asks_in_the_place_of_its_figures(spelt):
    for page in ("keys", "review", "records", "safeguards", "baseline", "report"):
        spelt.page(page)
        assert "Not evaluated." in text(spelt), page
        assert "'sex': the values of the original and of the synthetic data do not meet" in text(spelt), page
        assert [k for k in keys_of(spelt) if k.endswith(".mend.sex")], page
        assert [k for k in keys_of(spelt) if k.endswith(".differ.sex")], page
        assert not spelt.at.metric, page
        assert not spelt.at.error, page
    spelt.page("compare")
    assert not spelt.at.error
    # Mended where it is asked, the figures are there at once; the target still has none.
    spelt.page("review").click("stopped.mend.sex")
    assert spelt.at.error.len == 0
    assert session(spelt).now.stopped() is not None  # the one target does not meet either
    spelt.click("stopped.mend.job")
    assert session(spelt).now.stopped() is None
    assert spelt.at.metric


def test_the_data_page_asks_above_the_button_that_goes_on(spelt):
    spelt.page("data")
    assert {"data.mend.sex", "data.mend.job", "data.mend_all", "data.differ.sex"} <= set(keys_of(spelt))
    table = spelt.frame("before").set_index("figure")
    assert table.loc["repU", "before"] == 0
    assert table.loc["repU", "after"] > 0
    spelt.click("data.mend_all")
    assert session(spelt).review.columns.mends == {"sex": ("case",), "job": ("case",)}
    assert "do not meet" not in text(spelt)
    spelt.click("data.unmend.sex").click("data.differ.sex")
    assert session(spelt).review.differing(session(spelt).now.first_set) == {"sex"}
    assert session(spelt).now.stopped() is None
    spelt.page("review")
    assert spelt.at.metric
    assert "It was answered that they really differ" in text(spelt)
    spelt.page("data").click("data.undiffer.sex")
    assert session(spelt).now.stopped() is not None


def test_a_target_that_does_not_meet_is_named_beside_the_others(app):
    app.upload(FILE, SPELT).page("keys").set("multiselect", "keys.keys", ["age", "region"]).page("data")
    app.click("data.mend.sex").page("review")
    assert "Not evaluated, because values do not meet: job" in text(app)
    assert session(app).now.queue().rows[0].target == "sex"
    app.page("keys")
    assert "Not evaluated, because values do not meet: job" in text(app)


def test_a_column_that_nobody_asks_for_is_a_note(app):
    app.upload(FILE, SPELT).page("keys").set("multiselect", "keys.keys", ["age"])
    app.set("toggle", "keys.all", False).set("multiselect", "keys.targets", ["region"]).page("data")
    assert not [w for w in app.at.warning if "do not meet" in w.value]
    assert [i for i in app.at.info if "do not meet" in i.value]
    app.page("review")
    assert app.at.metric
