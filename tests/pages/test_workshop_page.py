"""The room for a class: tasks for everybody, answers folded away; where only the demonstration is shown, no files."""


def test_the_tasks_stand_there_and_the_answers_are_folded_away(app):
    app.page("workshop")
    text = app.text()
    assert "Task 8: what would be known anyway" in text
    assert [e.label for e in app.at.expander if "answers" in e.label] == ["Plan, answers, and what to say"]
    assert "*Answer.*" not in app.at.markdown[0].value


def test_where_only_the_demonstration_is_shown_nobody_is_asked_for_files(monkeypatch, app):
    assert any("Your own files" in e.label for e in app.at.expander)
    monkeypatch.setenv("DISCLOSURE_DEMO_ONLY", "yes")
    app.page("data")
    assert not any("Your own files" in e.label for e in app.at.expander)
    assert "nobody can bring files" in app.text()
