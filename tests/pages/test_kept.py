"""Every widget shows after a reload what the session holds: it is bound to it, or keeps its value with the session."""

import ast
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "pages"
WIDGETS = {
    "selectbox", "multiselect", "radio", "toggle", "checkbox", "number_input", "text_input", "text_area", "slider",
    "select_slider", "date_input", "pills", "segmented_control",
}  # fmt: skip


def forgetful(source: str) -> list[int]:
    """Return the lines of widgets that a reloaded page would show empty, and whose next touch would lose the value."""
    found = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WIDGETS:
            names = {keyword.arg: keyword.value for keyword in call.keywords}
            kept = names.get("persist_state")
            bound = [keyword.value for keyword in call.keywords if keyword.arg is None]
            if not (isinstance(kept, ast.Constant) and kept.value == "session" and "key" in names) and not any(
                isinstance(value, ast.Call) and getattr(value.func, "id", "").lstrip("_").startswith("bound")
                for value in bound
            ):
                found.append(call.lineno)
    return found


def test_every_widget_is_bound_or_keeps_its_value():
    found = {file: forgetful(file.read_text(encoding="utf-8")) for file in PAGES.rglob("*.py")}
    assert len(found) > 100
    assert {file: lines for file, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("st.toggle('a')", [1]),
        ("st.toggle('a', key='b')", [1]),
        ("place.radio('a', x, persist_state='session')", [1]),
        ("st.toggle('a', key='b', persist_state='session')", []),
        ("st.toggle('a', **bound('b', True, take))", []),
    ],
)
def test_a_forgetful_widget_is_noticed(source, lines):
    assert forgetful(source) == lines
