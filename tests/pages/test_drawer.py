"""The drawer: a sign at a heading opens the formula and the glossary, and the page behind stays as it is."""

# Inside: a formula as the page writes it, letter by letter.

import pytest

from pages.shared import show


@pytest.mark.slow
def test_the_sign_opens_the_formula_and_the_glossary(app):
    app.demo().page("keys")
    formula = show.words("identity")[1]
    assert formula not in [m.value for m in app.at.markdown]
    assert not [e for e in app.at.expander if "computed" in e.label]
    app.click("formula.identity")
    assert formula in [m.value for m in app.at.markdown]
    assert app.at.text_input(key="drawer.find").value == ""
    app.click("formula.growth")
    assert show.words("growth")[1] in [m.value for m in app.at.markdown]
    assert formula not in [m.value for m in app.at.markdown]
