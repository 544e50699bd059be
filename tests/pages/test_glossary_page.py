"""The glossary page, and larger type: what stands beside every page."""

# Inside: the terms of docs/glossary.md as the page finds them.

import json
import re
import tomllib
from pathlib import Path

import pytest

from pages.shared import documents

ROOT = Path(__file__).parents[2]


def rows(app) -> list[str]:
    return re.findall(r"^\| \*\*(.+?)\*\* \|", app.text(), re.MULTILINE)


def test_a_word_is_found_and_a_wrong_one_is_said(app):
    app.page("glossary")
    everything = rows(app)
    assert everything == [word for word, _ in documents.terms()]
    assert len(everything) > 30
    app.set("text_input", "glossary.find", "dISCo")
    assert "DiSCO" in rows(app)
    assert len(rows(app)) < len(everything) / 3
    app.set("text_input", "glossary.find", "xyzzy")
    assert rows(app) == []
    assert "No word of the glossary says that" in app.text()


def test_the_page_has_no_link_that_leads_nowhere_and_an_installed_program_has_its_texts(app):
    assert ".md)" not in app.page("glossary").text()
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
        "force-include"
    ]
    page = (ROOT / "pages" / "glossary" / "page.py").read_text()
    named = {"glossary", *re.findall(r'documents\.text\("(.+?)"\)', page)}
    assert len(named) == 3
    for name in named:
        assert packed[f"docs/{name}.md"] == f"disclosure_core/_app/docs/{name}.md"


def test_both_documents_stand_whole_on_the_page_each_under_a_head(app):
    at = app.page("glossary").at
    shown = [markdown.value for markdown in at.markdown]
    assert documents.text("by-hand") in shown
    assert documents.text("measures") in shown
    assert len(at.header) == 2


@pytest.mark.slow
def test_larger_type_stays_when_data_are_brought_and_enlarges_the_figures(app):
    def height() -> float:
        return json.loads(app.page("keys").at.get("plotly_chart")[0].proto.spec)["layout"]["height"]

    app.demo()
    usual = height()
    app.set("toggle", "larger", True)
    assert height() == 1.4 * usual
    app.page("data").demo()
    assert app.at.toggle(key="larger").value
    assert any("font-size: 140%" in html.proto.body for html in app.at.get("html"))
    app.page("keys").set("toggle", "larger", False)
    assert height() == usual
