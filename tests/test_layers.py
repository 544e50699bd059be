"""The house rules, read from the code: who may import whom, where state lives, how long a page may be."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = sorted((ROOT / "disclosure_core").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
STEPS = sorted((ROOT / "pages" / "steps").glob("*.py"))

# Each room may use the rooms on lower floors only. Rooms not named stand above all that are.
FLOORS = [
    {"errors"},
    {"grouping", "settings", "readers"},
    {"study"},
    {"cells", "demo", "meaning"},
    {"measures"},
    {"checks"},
    {"assessment", "fitting"},
]


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, at any depth; relative ones made absolute."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def floor(room: str) -> int:
    return next((i for i, rooms in enumerate(FLOORS) if room in rooms), len(FLOORS))


def room(path: Path) -> str:
    return path.relative_to(ROOT / "disclosure_core").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_knows_no_page(path):
    tops = {name.split(".")[0] for name in imports(path)}
    assert not tops & {"pages", "app"}
    if room(path) != "cli":  # the command line starts the app
        assert "streamlit" not in tops


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_down(path):
    rooms = {p.stem for p in CORE} | {p.name for p in (ROOT / "disclosure_core").iterdir() if p.is_dir()}
    mine = room(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "disclosure_core" and len(parts) > 1 and parts[1] in rooms and parts[1] != mine:
            if mine == "__init__" or floor(mine) == len(FLOORS):
                continue
            assert floor(parts[1]) < floor(mine), f"{mine} imports {parts[1]}"


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_state_lives_in_one_file(path):
    text = path.read_text(encoding="utf-8")
    if path.name != "session.py":
        assert "session_state" not in text
    assert "unsafe_allow_html" not in text
    # One style of our own constants; nothing else is HTML, which a name from the data could be.
    own = 'st.html(f"<style>html {{ font-size: {100 * TIMES:.0f}%; }}</style>")'
    assert "st.html" not in text.replace(own, "", path.name == "show.py")


@pytest.mark.parametrize("path", STEPS, ids=lambda p: p.name)
def test_a_page_is_thin(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 150


def test_nothing_lies_where_streamlit_looks_for_its_old_menu():
    assert not list((ROOT / "pages").glob("*.py"))


def test_the_face_is_what_it_says():
    import disclosure_core

    assert sorted(disclosure_core.__all__) == disclosure_core.__all__
    for name in disclosure_core.__all__:
        assert getattr(disclosure_core, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        disclosure_core.nothing  # noqa: B018


def public_functions():
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                yield path, node


def test_every_public_name_has_a_docstring():
    without = [
        f"{path.name}:{node.lineno} {node.name}"
        for path, node in public_functions()
        if not ast.get_docstring(node) and not is_nested(path, node)
    ]
    assert not without


def is_nested(path: Path, node: ast.AST) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return not any(node.lineno == n.lineno for body in module_and_classes(tree) for n in body)


def module_and_classes(tree: ast.Module):
    yield tree.body
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.body


def test_a_document_names_no_package_host():
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / ".ci" / "run"]
    for path in texts:
        assert not re.search(r"pypi\.org|files\.pythonhosted|deb\.debian\.org|registry\.npmjs", path.read_text("utf-8"))
