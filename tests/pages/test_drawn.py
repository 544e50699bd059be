"""A widget that was away comes back with the value that is kept: in a browser it would begin at its own default."""

# Inside: which parts of a page are drawn again, on a page made for it.

from contextlib import suppress

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from pages.shared.drawn import Drawn


def run(drawn, *keys, end=None, part="page"):
    """Draw widgets in a run, and return which of them are new."""
    new = []
    try:
        with drawn.drawing(part):
            new = [key for key in keys if drawn.is_new(key)]
            if end is not None:
                raise end
    except (StopException, RuntimeError):
        pass
    return new


def test_a_widget_is_new_where_the_run_before_did_not_draw_it():
    drawn = Drawn()
    assert run(drawn, "a", "b") == ["a", "b"]
    assert run(drawn, "a") == []
    assert run(drawn, "a", "b") == ["b"]
    assert run(drawn, "a", "b", end=StopException()) == []
    assert run(drawn, "a") == run(drawn, "a") == []
    assert run(drawn, "b") == ["b"]


def test_a_run_cut_short_takes_nothing_away():
    drawn = Drawn()
    run(drawn, "a", "b")
    for _ in range(3):
        assert run(drawn, "a", end=RuntimeError()) == []
    assert run(drawn, "a", "b") == []


def test_a_part_of_its_own_counts_apart():
    drawn = Drawn()
    run(drawn, "a")
    run(drawn, "t", part="bench")
    for _ in range(3):  # the part alone is drawn
        assert run(drawn, "t", part="bench") == []
    assert run(drawn, "a") == []
    run(drawn, part="bench")
    assert run(drawn, "t", part="bench") == ["t"]
    with drawn.drawing():
        with drawn.drawing("bench"):
            drawn.is_new("t")
        assert not drawn.is_new("a")


def test_a_widget_of_a_run_that_was_cut_short_is_new_once_a_whole_one_was_without_it():
    drawn = Drawn()
    with drawn.drawing():
        assert drawn.is_new("variant")
    with suppress(RuntimeError), drawn.drawing():
        assert not drawn.is_new("variant")
        raise RuntimeError  # a click that adopts, while the name is taken in
    with drawn.drawing():
        assert drawn.is_new("name")  # adopted: nothing is tried
    with drawn.drawing():  # taken back
        assert drawn.is_new("variant")
        assert not drawn.is_new("name")


def test_what_a_run_that_was_cut_short_told_was_not_heard():
    drawn = Drawn()
    with suppress(RuntimeError), drawn.drawing():
        at = drawn.draw()
        raise RuntimeError
    with drawn.drawing():
        assert drawn.draw() == at
        assert not drawn.came_whole(at)
    with drawn.drawing():
        assert drawn.came_whole(at)


def test_a_part_within_a_page_is_heard_with_the_page_and_gone_where_the_page_is_without_it():
    drawn = Drawn()

    def part(cut=None):
        with drawn.drawing("bench"):
            new = drawn.is_new("row")
            if cut:
                raise cut
        return new

    with suppress(RuntimeError), drawn.drawing():
        assert part()
        raise RuntimeError
    with drawn.drawing():
        assert part(), "the page around it was not heard"
    assert not part(), "alone"
    with suppress(RuntimeError):
        part(RuntimeError)
    assert not part()
    with drawn.drawing():
        assert drawn.is_new("row"), "of the page, not of its part"
    assert part(), "the page was drawn without it"


def one_list():
    import streamlit as st

    from pages.shared.session import bound, drawn

    with drawn().drawing():
        st.radio("Variant", ["none", "tried"], **bound("it", st.session_state["kept"], lambda _: None))
        if st.session_state["cut"]:
            st.stop()


@pytest.mark.parametrize("overtaken", [True, False])
def test_what_an_overtaken_run_told_is_told_again_however_late(overtaken, monkeypatch):
    """What a browser held before would come back with the next message, as somebody's choice."""
    at, told = AppTest.from_function(one_list), []
    monkeypatch.setattr("pages.shared.drawn.is_overtaken", lambda: overtaken and at.session_state["cut"])
    for kept, cut in (
        ("none", False),
        ("none", False),
        ("tried", True),
        ("tried", True),
        ("tried", False),
        ("tried", False),
    ):
        at.session_state["kept"], at.session_state["cut"] = kept, cut
        told.append(at.run().radio[0].proto.set_value)
    assert told == [True, False, True, overtaken, overtaken, False]


@pytest.mark.parametrize(
    ("short", "kind", "key", "value"),
    [
        ("anonymity", "number_input", "analyses.anonymity.k", 7),
        ("tau", "text_input", "analyses.tau.at", "0.3, 0.7"),
        ("membership", "number_input", "threat_model.size", 100_000),
        ("membership", "selectbox", "threat_model.news", "Yes"),
        ("strongest-intruder", "number_input", "keys.strongest.at_most", 2),
    ],
)
def test_a_question_opened_again_shows_what_is_kept(app, short, kind, key, value):
    app.demo().question(short).set(kind, key, value)
    assert not getattr(app.page("analyses").at, kind)(
        key=key
    ).proto.set_value  # nothing that is being typed is taken away
    app.click("analyses.back").click(f"analyses.open.{short}")
    again = getattr(app.at, kind)(key=key)
    assert (again.value, again.proto.set_value) == (value, True)


def test_a_view_of_review_opened_again_shows_what_is_kept(app):
    app.demo().page("review").tab("review.view", "τ").set("toggle", "review.less", True).set(
        "slider", "review.tau", 0.3
    )
    app.tab("review.view", "Steps").tab("review.view", "τ")
    assert (app.at.slider(key="review.tau").value, app.at.slider(key="review.tau").proto.set_value) == (0.3, True)


@pytest.mark.parametrize(
    ("short", "key", "value", "kept"),
    [
        ("tau", "analyses.tau.tau", 0.9, lambda s: s.review.tau is None),
        ("anonymity", "analyses.anonymity.k", 7, lambda s: not s.review.analyses),
        ("membership", "threat_model.size", 10**6, lambda s: s.review.threat_model.population_size is None),
        ("strongest-intruder", "keys.strongest.tau", 0.5, lambda s: s.review.tau is None),
    ],
)
def test_an_emptied_number_is_not_given(app, short, key, value, kept):
    app.demo().question(short).set("number_input", key, value)
    session = app.session
    assert not kept(session)
    app.set("number_input", key, None)
    assert kept(session)


@pytest.mark.parametrize(
    ("typed", "said"), [("0,1", "Write a decimal with a point"), ("", "Write at least one number")]
)
def test_a_list_that_is_none_is_a_sentence(app, typed, said):
    app.demo().question("near-misses").set("text_input", "analyses.near-misses.tolerance", typed)
    assert said in app.text()
    assert not app.session.review.analyses
