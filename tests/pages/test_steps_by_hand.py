"""Safeguards by hand on the page: each kind is the one that is named, and what does not fit is one sentence."""

import pytest

from disclosure_core import Band, BlankClaims, Breaks, Recode, RemoveClaims

INTERVALS, MERGED, COARSER, BLANK, REMOVE = (
    "Put numbers into intervals of your own", "Merge levels of your choice", "Write a column less exactly",
    "Blank a target where the synthetic data agree on it", "Remove records where the synthetic data agree on a target",
)  # fmt: skip


def tried(app):
    return app.session.review.steps


@pytest.mark.slow
def test_each_step_by_hand_is_the_one_that_is_named(app):
    app.demo().page("safeguards").step(INTERVALS)
    app.set("selectbox", f"safe.column.{INTERVALS}", "age").set("text_input", "safe.breaks", "18, 30, 65")
    app.click("safe.add").click("safe.sure")
    assert tried(app) == (Breaks("age", (18, 30, 65)),)
    app.step(BLANK).set("selectbox", f"safe.column.{BLANK}", "abroad").click("safe.add")
    assert tried(app)[1:] == (BlankClaims("abroad"),)
    app.step(MERGED).set("selectbox", f"safe.column.{MERGED}", "region")
    levels = app.session.study.columns["region"].levels
    chosen = list(levels[:2])
    app.set("multiselect", f"safe.levels.region.{len(levels)}", chosen).set("text_input", "safe.called", "Both")
    app.click("safe.add")
    assert tried(app)[2:] == (Recode("region", "Both", tuple(chosen)),)
    assert [button.key for button in app.at.button if button.key.startswith("safe.back.")][2:] == ["safe.back.2"]
    app.step(REMOVE)
    assert "sex" not in app.at.selectbox(key=f"safe.column.{REMOVE}").options
    app.set("selectbox", f"safe.column.{REMOVE}", "marital")
    assert "keys that no record has then may be those that agreed" in app.text()
    app.click("safe.add")
    assert tried(app)[3:] == (RemoveClaims("marital"),)
    assert "records removed" in app.text()


@pytest.mark.parametrize(
    ("kind", "column", "key", "wrong", "message"),
    [
        (INTERVALS, "age", "safe.breaks", "18, many", "cannot be read; write rising numbers"),
        (INTERVALS, "age", "safe.breaks", "nan", "cannot be read; write rising numbers"),
        (INTERVALS, "age", "safe.breaks", "30, 18", "as rising numbers"),
        (COARSER, "age", "safe.level", "month", "number above 0"),
        (COARSER, "age", "safe.level", "5,10", "Name one level for"),
    ],
)
def test_what_does_not_fit_is_said_and_not_done(app, kind, column, key, wrong, message):
    app.demo().page("safeguards").step(kind)
    app.set("selectbox", f"safe.column.{kind}", column).set("text_input", key, wrong)
    if not app.at.button(key="safe.add").disabled:
        app.click("safe.add")
    assert tried(app) == ()
    assert message in app.text() + " ".join(error.value for error in app.at.error)


@pytest.mark.slow
def test_a_band_is_written_as_it_is_asked(app):
    app.demo().page("safeguards").step(COARSER)
    app.set("selectbox", f"safe.column.{COARSER}", "age").set("text_input", "safe.level", "5")
    app.click("safe.add").click("safe.sure")
    assert tried(app) == (Band("age", "5"),)
