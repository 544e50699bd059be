"""The page for a class: alone, all tasks stand there and answers are folded; in a class, the teacher opens and releases."""

# Inside: a class of many tabs on one server, in this process.

import itertools
import threading
from pathlib import Path

import pytest

from pages.server import classroom, configuration, visitors
from pages.server.classroom import CHOICES, WRONG, Classroom
from pages.shared.open_review import Session
from pages.workshop import sheets

ROOT = Path(__file__).parents[2]
CODE = "ABCD-2345"


def test_alone_the_tasks_stand_there_and_the_answers_are_folded_away(app):
    app.page("workshop")
    text = app.text()
    assert "Task 8: which of the three" in text
    assert [e.label for e in app.at.expander if "answers" in e.label] == ["Plan, answers, and what to say"]
    assert "*Answer.*" not in app.at.markdown[0].value
    assert not any(b.label == "Lead the class" for b in app.at.button)


def test_where_only_the_demonstration_is_shown_nobody_is_asked_for_files(monkeypatch, app):
    assert any("Your own files" in e.label for e in app.at.expander)
    monkeypatch.setenv("DISCLOSURE_DEMO_ONLY", "yes")
    app.page("data")
    assert not any("Your own files" in e.label for e in app.at.expander)
    assert "nobody can bring files" in app.text()


@pytest.fixture
def tabs(monkeypatch):
    """The tabs that have a place; the first is who looks."""
    here = ["tab"]
    monkeypatch.setenv("DISCLOSURE_TEACHER_CODE", CODE)
    monkeypatch.setenv("DISCLOSURE_ADDRESS", "http://192.0.2.7:8501")
    monkeypatch.setattr(visitors, "all_inside", lambda: set(here))
    monkeypatch.setattr(visitors, "me", lambda: here[0])
    return here


@pytest.fixture
def room(monkeypatch, tabs):
    """A class of its own for a test, known to every page that shows it."""
    own = Classroom()
    for module in (
        "pages.server.classroom", "pages.workshop.room", "pages.workshop.teaching", "pages.workshop.class_bar"
    ):  # fmt: skip
        monkeypatch.setattr(f"{module}.ROOM", own)
    return own


def shown(app) -> str:
    return app.text() + " ".join(e.label for e in app.at.expander)


def test_a_class_sees_what_the_teacher_opened_and_no_answer_before_it_is_released(app, room, tabs):
    answers = [part for task in sheets.tasks() for part in task.parts if part.startswith(sheets.ANSWER)]
    app.page("workshop")
    assert "Task 1" not in shown(app)
    for number, task in enumerate(sheets.tasks(), 1):
        room.open_next(8)
        app.page("workshop")
        mine = [p for p in task.parts if p.startswith(sheets.ANSWER)]
        assert task.heading in shown(app)
        assert not any(f"Task {later}:" in shown(app) for later in range(number + 1, 9))
        assert not any(part in app.text() for part in mine)
        room.release()
        app.page("workshop")
        assert all(part in app.text() for part in mine)
        assert sheets.SAY not in app.text()
    room.open_next(8)
    assert room.opened == 8
    assert sum(part in app.text() for part in answers) == len(answers)


def test_before_the_first_task_there_is_what_the_words_mean_on_page_sheet_and_slide(app, room, tabs):
    words = (
        "Synthesis, synthetic data",
        "Key, quasi-identifier",
        "Target",
        "UiO, UiS",
        "repU",
        "Dorig",
        "DiSCO",
        "Holdout",
    )
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in glossary if line.split(" | ")[0].removeprefix("| ") in words]
    assert len(rows) == len(words)
    for text in (app.page("workshop").text(), sheets.student(), sheets.slides()[1].body):
        assert all(row in text for row in rows)


def test_students_say_that_they_have_an_answer_and_vote_once(app, room, tabs):
    room.open_next(8)
    app.page("workshop").click("workshop.done.1")
    assert room.n_answered(1) == 1
    app.click("workshop.done.1")
    assert room.n_answered(1) == 0
    room.open_vote("abroad")
    app.page("workshop")
    app.set("radio", "workshop.vote", "Leak")
    app.set("radio", "workshop.vote", "Not sure")
    assert "abroad: a leak, or common knowledge?" in app.text()
    assert "Votes: 1 of 1. You see the bars once the vote is closed." in app.text()
    assert room.ballots() == ()
    assert bars(app.page("workshop")) == []
    room.close_vote()
    assert bars(app.page("workshop")) == ["Common knowledge: 0 of 1", "Leak: 0 of 1", "Not sure: 1 of 1"]
    assert not any(r.key == "workshop.vote" for r in app.at.radio)
    room.vote("tab", "Leak")
    assert room.ballots()[0].votes["Leak"] == 0  # it is closed


def bars(app) -> list[str]:
    return [bar.proto.text for bar in app.at.get("progress")]


def test_a_second_vote_on_a_column_stands_beside_the_first(app, room, tabs):
    tabs += ["second", "third"]
    for choices in (("Leak", "Leak", "Not sure"), ("Common knowledge", "Leak")):
        room.open_vote("marital")
        assert [room.vote_of(who) for who in tabs] == [None] * 3
        for who, choice in zip(tabs, choices, strict=False):
            room.vote(who, choice)
        assert bars(app.page("workshop")) == []  # nor those of the first, while it is voted on again
        room.close_vote()
    assert bars(app.page("workshop")) == [
        "Common knowledge: 0 of 3", "Leak: 2 of 3", "Not sure: 1 of 3",
        "Common knowledge: 1 of 2", "Leak: 1 of 2", "Not sure: 0 of 2",
    ]  # fmt: skip
    room.open_vote("settlement")
    assert [ballot.column for ballot in room.closed] == ["marital", "marital"]
    room.end_vote()
    assert (room.column, room.voting, len(room.closed)) == ("", False, 2)  # nobody voted: there is no bar of nobody


def test_a_closed_vote_stays_as_it_was_and_only_tabs_that_are_connected_count(monkeypatch, room, tabs):
    tabs += ["asleep", "gone"]
    connected = set(tabs)
    monkeypatch.setattr(visitors, "all_connected", lambda: connected & set(tabs))
    room.open_next(8)
    room.open_vote("abroad")
    for who in tabs:
        room.vote(who, "Leak")
        room.answer(who, 1, done=True)
    connected -= {"asleep", "gone"}
    assert (room.n_students(), room.n_voted(), room.n_answered(1)) == (1, 1, 1)
    tabs.remove("gone")
    connected.add("asleep")  # it woke, and has all that it had
    assert (room.n_students(), room.n_voted(), room.n_answered(1)) == (2, 2, 2)
    assert (room.vote_of("asleep"), room.has_answer("asleep", 1)) == ("Leak", True)
    room.close_vote()
    connected.clear()
    assert room.ballots()[0].votes["Leak"] == 2
    room.project("asleep")
    connected.update(tabs)
    assert room.n_students() == 1  # a projector is nobody


def test_task_and_vote_stand_on_every_page(app, room, tabs):
    assert "The teacher opens the first task." in app.page("keys").text()
    assert not any(b.key == "workshop.done.1" for b in app.at.button)
    room.open_next(8)
    for name in ("data", "keys", "review", "compare", "report", "glossary"):
        assert "Task 1.** Which key makes people stand out?" in app.page(name).text()
        assert any(b.key == "workshop.done.1" for b in app.at.button)
    app.click("workshop.done.1")
    assert room.n_answered(1) == 1
    room.open_vote("marital")
    app.page("review").set("radio", "workshop.vote", "Leak")
    assert room.n_voted() == 1
    room.close_vote()
    assert "The vote is closed." in app.page("keys").text()
    room.end_vote()
    room.close_last()
    assert not any(b.key == "workshop.done.1" for b in app.page("keys").at.button)


def test_a_class_sees_the_targets_by_disco_as_its_tasks_do(app, room, tabs):
    assert Session().order == "gain"
    app.page("data").click("data.demo")
    assert app.session.order == "figure"


def test_whoever_has_the_code_leads_and_a_wrong_one_is_a_sentence(app, room, tabs):
    app.page("workshop")
    app.at.text_input(key="workshop.code").set_value("WRONG")
    app.click("FormSubmitter:workshop.teacher-Lead the class")
    assert any("Enter that one" in e.value for e in app.at.error)
    assert not any(b.key == "workshop.open" for b in app.at.button)
    assert "What to say" not in app.text()
    app.at.text_input(key="workshop.code").set_value(" abcd 2345")
    app.click("FormSubmitter:workshop.teacher-Lead the class")
    app.page("workshop").click("workshop.open").click("workshop.open").click("workshop.release")
    assert (room.opened, room.released) == (2, {2})
    assert app.at.button(key="workshop.release").disabled
    assert "Nobody sees the bars before it is closed." in app.at.button(key="workshop.vote.open").help
    app.click("workshop.vote.open")
    assert room.voting
    app.click("workshop.vote.close")
    assert not room.voting
    app.click("workshop.vote.end")
    assert room.column == ""
    app.click("workshop.back")
    assert (room.opened, room.released) == (1, frozenset())
    app.click("workshop.open")
    tabs += ["another", "third"]
    room.answer("another", 2, done=True)
    room.answer("tab", 2, done=True)  # the teacher's own does not count
    assert "Tabs here: 2. With an answer to task 2: 1." in app.page("workshop").text()
    room.open_vote("abroad")
    room.vote("another", "Leak")
    app.page("workshop").click("workshop.new")
    assert (room.opened, room.released, room.column, room.closed) == (0, frozenset(), "", ())
    assert not room.has_answer("another", 2)
    assert room.is_teacher("tab")


def test_the_projector_shows_address_task_and_vote_and_decides_nothing(app, room, tabs):
    room.open_next(8)
    app.at.query_params["projector"] = "yes"
    text = app.page("workshop").text()
    assert "192.0.2.7:8501" in text.replace("\\", "")
    assert "Which key makes people stand out?" in text
    assert not app.at.button
    assert room.n_students() == 0
    room.open_vote("abroad")
    room.vote("tab", "Leak")
    assert bars(app.page("workshop")) == []
    room.end_vote()
    assert "Task 1" in app.page("workshop").text()


def test_wrong_codes_keep_nobody_out_who_has_the_right_one(room, tabs):
    for _ in range(WRONG):
        assert "not the code" in room.enter("thief", "AAAA-AAAA", "10.0.0.1")
    assert "Wait a minute" in room.enter("thief", "AAAA-AAAA", "10.0.0.1")
    assert "Wait a minute" in room.enter("another tab of the same address", "AAAA-AAAA", "10.0.0.1")
    assert "not the code" in room.enter("somebody else", "AAAA-AAAA", "10.0.0.2")
    assert not room.is_teacher("thief")
    assert room.enter("teacher", CODE, "10.0.0.1") == ""
    assert room.is_teacher("teacher")


def test_without_a_class_no_code_leads(monkeypatch, room, tabs):
    monkeypatch.delenv("DISCLOSURE_TEACHER_CODE")
    assert not classroom.there_is_one()
    for code in ("", "-", CODE):
        assert room.enter("tab", code)
    assert not room.is_teacher("tab")


def test_what_a_tab_said_goes_with_it_and_nothing_grows(room, tabs):
    room.open_next(8)
    room.open_vote("abroad")
    for i in range(500):
        tabs[:] = [f"tab {i}"]
        room.vote(f"tab {i}", "Leak")
        room.answer(f"tab {i}", 1, done=True)
        assert room.n_voted() == room.n_answered(1) == 1
    room.answer("tab 499", 2, done=True)  # a task that is not open
    room.vote("tab 499", "<b>None of them</b>")
    assert len(room._votes) == len(room._answered) == 1
    assert room._answered["tab 499"] == {1}


def test_thirty_at_once_lose_no_vote(room, tabs):
    tabs[:] = [f"tab {i}" for i in range(30)]
    room.open_next(8)
    room.open_vote("abroad")
    begin = threading.Barrier(30)

    def student(who: str, choices) -> None:
        begin.wait()
        for choice in choices:
            room.vote(who, choice)
            room.answer(who, 1, done=True)
            assert room.n_voted() <= 30

    votes = [list(itertools.islice(itertools.cycle(CHOICES), i % 7 + 1)) for i in range(30)]
    students = [threading.Thread(target=student, args=each) for each in zip(tabs, votes, strict=True)]
    for each in students:
        each.start()
    for each in students:
        each.join()
    assert room.n_answered(1) == 30
    room.close_vote()
    assert room.ballots()[0].votes == {choice: sum(mine[-1] == choice for mine in votes) for choice in CHOICES}


@pytest.mark.parametrize("address", ["", "javascript:alert(1)", "http://x y", "http://a/<b>", "http://[x](y)"])
def test_what_is_no_address_is_not_shown(monkeypatch, room, tabs, address):
    monkeypatch.setenv("DISCLOSURE_ADDRESS", address)
    assert configuration.address() == ""
