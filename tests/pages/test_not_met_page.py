"""The pages with values that do not meet: asked above the button that goes on, and in the place of every figure."""

import pytest

from tests.core.test_not_met import KEYS, MEETS, ORIGINAL

pytestmark = pytest.mark.slow

FILE = ("people.csv", ORIGINAL.to_csv(index=False).encode())
SPELT = (
    "spelt.csv",
    MEETS.assign(sex=MEETS["sex"].str.upper(), job=MEETS["job"].str.upper()).to_csv(index=False).encode(),
)


def text(app) -> str:
    said = [*app.at.warning, *app.at.error, *app.at.info, *app.at.markdown, *app.at.caption]
    return "\n".join(str(each.value).replace("\\", "") for each in said)


def keys_of(app) -> list[str]:
    return [str(b.key) for b in app.at.button]


@pytest.fixture
def spelt(app):
    return app.upload(FILE, SPELT).page("keys").keys(KEYS)


def test_every_page_asks_in_the_place_of_its_figures(spelt):
    for page in ("keys", "review", "records", "safeguards", "analyses", "report"):
        spelt.page(page)
        assert "Not evaluated." in text(spelt), page
        assert "'sex': the values of the original and of the synthetic data do not meet" in text(spelt), page
        assert [k for k in keys_of(spelt) if k.endswith(".mend.sex")], page
        assert [k for k in keys_of(spelt) if k.endswith(".differ.sex")], page
        assert "review.card" not in spelt.parts(), page
        assert not spelt.at.error, page
    spelt.page("compare")
    assert not spelt.at.error
    # Mended where it is asked, the figures are there at once; the target still has none.
    spelt.page("review").click("stopped.mend.sex")
    assert spelt.at.error.len == 0
    assert spelt.session.now.stopped() is not None  # the one target does not meet either
    spelt.click("stopped.mend.job")
    assert spelt.session.now.stopped() is None
    assert "review.card" in spelt.parts()


def test_the_data_page_asks_above_the_button_that_goes_on(spelt):
    spelt.page("data")
    asked = spelt.box()
    assert [o["value"] for o in asked["unmet: sex"]["options"]] == ["mend", "differ"]
    assert [o["dashed"] for o in asked["unmet: job"]["options"]] == [True, False]
    figures = {figure: (before, after) for figure, before, after in asked["unmet: sex"]["table"]}
    assert figures["repU"][0] == "0.00" != figures["repU"][1]
    spelt.act("data.answers", {"do": "mend all"})
    assert spelt.session.review.columns.mends == {"sex": ("case",), "job": ("case",)}
    assert not [name for name in spelt.box() if name.startswith("unmet")]
    spelt.take_back("mend: sex").answer("unmet: sex", "differ")
    assert spelt.session.review.differing(spelt.session.now.first_set) == {"sex"}
    assert spelt.session.now.stopped() is None
    spelt.page("review")
    assert "review.card" in spelt.parts()
    assert "It was answered that they really differ" in text(spelt)
    spelt.page("data").take_back("differ: sex")
    assert spelt.session.now.stopped() is not None


def test_a_target_that_does_not_meet_is_named_beside_the_others(app):
    app.upload(FILE, SPELT).page("keys").keys(["age", "region"]).page("data")
    app.answer("unmet: sex", "mend").page("review")
    assert "Not evaluated, because values do not meet: job" in text(app)
    assert app.session.now.queue().rows[0].target == "sex"
    app.page("keys")
    assert "Not evaluated, because values do not meet: job" in text(app)


def test_a_column_that_nobody_asks_for_is_a_note(app):
    app.upload(FILE, SPELT).page("keys").keys(["age"])
    app.targets(["region"]).page("data")
    assert not [name for name in app.box() if name.startswith("unmet")]
    assert [name for name in app.box("notes") if name.startswith("unmet")]
    app.page("review")
    assert "review.card" in app.parts()
