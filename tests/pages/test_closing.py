"""*Delete and close*: nothing is left of a review, and the way in is shown."""

# Inside: what is unsaved of several tabs, as the last one closes.

from pathlib import Path
from types import SimpleNamespace

import pytest

from pages.shared.session import unsaved
from tests.saved import to_json

PAGES = sorted(page.parent.name for page in (Path(__file__).parents[2] / "pages").glob("*/page.py"))


@pytest.mark.slow
@pytest.mark.parametrize("opened", [False, True])
def test_every_page_offers_it_once_and_the_sidebar_is_empty(app, opened):
    if opened:
        app.demo()
    assert len(PAGES) == 10
    for name in PAGES:
        app.page(name)
        assert "close" in app.hands(), name
        assert not app.at.sidebar.children, name


def test_closing_on_the_bench_leaves_no_bench(app):
    app.demo().page("review").click("close")
    assert "What was open here is forgotten" in app.text()
    assert not app.at.title
    assert not app.at.selectbox
    assert "session" not in app.at.session_state


def save_says(app):
    return app.hands()["status_bar.save"].label


@pytest.mark.slow
def test_looking_at_every_page_leaves_nothing_to_save(app):
    app.demo()
    for name in PAGES:
        app.page(name)
        assert save_says(app) == "Save", name
        assert not app.session.unsaved, name


@pytest.mark.slow
def test_the_mark_follows_the_review_itself_and_no_flag(app):
    app.demo().page("review")
    app.exclude("abroad = No")
    assert save_says(app) == "Save (not saved)"
    app.click("review.undo")
    assert save_says(app) == "Save"
    app.click("review.redo")
    assert save_says(app) == "Save (not saved)"
    text = app.fetch("status_bar.save").decode()
    assert save_says(app) == "Save"
    app.exclude("abroad = No", on=False)
    assert save_says(app) == "Save (not saved)"
    app.page("data").saved_review(text).click("data.open_saved")
    assert save_says(app.page("keys")) == "Save"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["keys", "review"])
def test_closing_asks_where_something_is_not_saved(app, page):
    app.demo().page("keys").set("text_input", "keys.reason", "they are neighbours")
    app.page(page).click("close")
    assert "Nobody can bring back what is deleted" in app.text()
    assert any(hand.label == "Save the review of the demonstration survey" for hand in app.downloads())
    app.click("close.keep")
    assert "neighbours" in to_json(app.session.review)
    app.click("close")
    assert app.at.button(key="close.sure").label == "Delete without saving"
    app.click("close.sure")
    assert "What was open here is forgotten" in app.text()
    assert "session" not in app.at.session_state


@pytest.mark.slow
def test_a_variant_and_what_is_saved_count_too(app):
    app.demo().page("safeguards").step("Remove replicated uniques").click("safe.add").click("close")
    assert "variants and adopted sets" in app.text()
    app.click("close.keep")
    app.fetch("status_bar.save")
    app.click("close")  # nothing is lost: as ever
    assert "What was open here is forgotten" in app.text()


def test_a_review_in_a_tab_that_was_closed_is_at_stake(app):
    app.demo().page("keys").set("text_input", "keys.reason", "they are neighbours")
    s = app.session
    left = SimpleNamespace(session_state={"session": s})
    assert unsaved([left]) == [s]
    s.is_on_file(s.to_file())
    assert unsaved([left]) == []
    assert unsaved([SimpleNamespace(session_state={})]) == []


@pytest.mark.slow
def test_closing_forgets_and_shows_the_way_in(app):
    app.demo().page("keys").set("text_input", "keys.reason", "they are neighbours")
    app.click("close").click("close.sure")
    assert "What was open here is forgotten" in app.text()
    assert not app.at.title
    assert "session" not in app.at.session_state
    app.page("keys")
    assert "There are no data yet" in app.text()
    assert "neighbours" not in to_json(app.session.review)
    app.page("data").demo()
    assert "the demonstration survey" in app.opened()
