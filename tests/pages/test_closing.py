"""*Delete and close*: nothing is left of a review, and the way in is shown."""

from pathlib import Path

import pytest

PAGES = sorted(page.parent.name for page in (Path(__file__).parents[2] / "pages").glob("*/page.py"))


@pytest.mark.parametrize("opened", [False, True])
def test_every_page_offers_it_once_and_the_sidebar_is_empty(app, opened):
    if opened:
        app.demo()
    assert len(PAGES) == 10
    for name in PAGES:
        app.page(name)
        assert [b.key for b in app.at.button].count("close") == 1, name
        assert not app.at.sidebar.children, name


def test_closing_on_the_bench_leaves_no_bench(app):
    app.demo().page("review").click("close")
    assert "What was open here is forgotten" in app.text()
    assert not app.at.title
    assert not app.at.selectbox
    assert "session" not in app.at.session_state


def test_closing_forgets_and_shows_the_way_in(app):
    app.demo().page("keys").set("text_input", "keys.reason", "they are neighbours")
    app.click("close")
    assert "What was open here is forgotten" in app.text()
    assert not app.at.title
    assert "session" not in app.at.session_state
    app.page("keys")
    assert "There are no data yet" in app.text()
    assert "neighbours" not in str(app.at.session_state["session"].review)
    app.page("data").demo()
    assert "the demonstration survey" in app.opened()
