"""The house rules, read from the code: who may import whom, where state lives, how long a page may be."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = sorted((ROOT / "disclosure_core").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
STEPS = sorted((ROOT / "pages").glob("*/page.py"))

# The wings of the core, lowest first: each may import from the floors below its own, and from itself.
FLOORS = [
    {"errors", "rounding", "version"},
    {"shown"},
    {"data"},
    {"counting"},
    {"engines", "holdout"},
    {"conclusions"},
    {"sensitivity", "records", "protection"},
    {"comparison"},
    {"review"},
    {"figures"},
    {"report"},
    {"export"},
    {"notebook"},
    {"cli"},
    {"__main__"},
]
FACE = "__init__"
"""disclosure_core/__init__.py: it stands in front of the house, imports whatever it shows, and nothing imports it."""

# Pages: what all may use, then a folder a page. A page's own parts serve that page alone.
SHARED = {"server", "shared"}


def imports(path: Path, root: Path = ROOT) -> set[str]:
    """Return the modules that a file imports, at any depth: absolute, relative, or by name as a text."""
    found = set()
    package = path.relative_to(root).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} if re.fullmatch(r"(disclosure_core|pages)(\.\w+)+", node.value) else set()
    return found


def floor(wing: str) -> int:
    return next(i for i, wings in enumerate(FLOORS) if wing in wings)


def wing(path: Path, root: Path = ROOT) -> str:
    return path.relative_to(root / "disclosure_core").parts[0].removesuffix(".py")


UP = {"shown": "disclosure_core.notebook"}
"""The one arrow upward: what draws and writes a result is imported when a method of the result is called."""


def at_import(tree: ast.AST):
    """Return what runs when a module is imported: no body of a function."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            yield node
            yield from at_import(node)


def climbs(path: Path, root: Path = ROOT) -> list[str]:
    """Return the imports of a file of the core that lead to its own floor or above it, outside its wing."""
    mine = wing(path, root)
    wings = {name for names in FLOORS for name in names}
    return [
        name
        for name in imports(path, root)
        if name.startswith("disclosure_core.")
        and (there := name.split(".")[1]) in wings
        and there != mine
        and floor(there) >= floor(mine)
        and not (mine in UP and f"{name}.".startswith(f"{UP[mine]}."))
    ]


def test_every_room_is_on_a_floor():
    assert {wing(path) for path in CORE} == {name for names in FLOORS for name in names} | {FACE}


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_knows_no_page(path):
    tops = {name.split(".")[0] for name in imports(path)}
    assert not tops & {"pages", "app"}
    if wing(path) != "cli":  # the command line starts the app
        assert "streamlit" not in tops


@pytest.mark.parametrize("path", [p for p in CORE if wing(p) != FACE], ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_down(path):
    assert not climbs(path)
    assert "disclosure_core" not in imports(path) or type_only(path) or wing(path) in ("cli", "review")


def test_the_one_arrow_that_leads_up_is_followed_only_when_a_method_is_called():
    for room, above in UP.items():
        path = ROOT / "disclosure_core" / f"{room}.py"
        assert above in imports(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        early = [n for n in at_import(tree) if isinstance(n, ast.ImportFrom) and n.module == above]
        assert not early


def type_only(path: Path) -> bool:
    """Whether the face is imported for types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for child in ast.walk(node)
    }
    return all(
        id(node) in guarded
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "disclosure_core"
    )


@pytest.mark.parametrize(
    "planted",
    [
        "from disclosure_core.report import render",
        "from disclosure_core import cli",
        "from ..figures import screen",
        "from .. import report",
        "import disclosure_core.cli",
        'import_module("disclosure_core.figures.screen")',
        "def later():\n    from disclosure_core.export.tables import tables",
    ],
)
def test_an_import_that_leads_up_is_seen(planted, tmp_path):
    room = tmp_path / "disclosure_core" / "records" / "at_risk.py"
    room.parent.mkdir(parents=True)
    room.write_text(planted, encoding="utf-8")
    assert climbs(room, tmp_path)
    room.write_text("from ..counting import cells\nfrom disclosure_core.data.study import Study", encoding="utf-8")
    assert not climbs(room, tmp_path)


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_serves_one_page_is_used_by_no_other(path):
    mine = path.relative_to(ROOT / "pages").parts[0]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "pages" and len(parts) > 1:
            assert parts[1] in {mine, *SHARED}, f"{path.name} of {mine} imports {name}"


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_state_lives_in_one_file(path):
    text = path.read_text(encoding="utf-8")
    if path.name != "session.py":
        assert "session_state" not in text
    assert "unsafe_allow_html" not in text
    # A style of our own constants and a file of ours; nothing else is HTML, which a name from the data could be.
    for own in ('st.html(f"<style>html {{ font-size: {100 * TIMES:.0f}%; }}</style>")', "st.html(STYLES)"):
        text = text.replace(own, "", path.name == "sizes.py")
    assert "st.html" not in text


@pytest.mark.parametrize("path", STEPS, ids=lambda p: p.name)
def test_a_page_is_thin(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 150


HOUSE = [*PAGES, ROOT / "app.py", ROOT / "pages/navigation.py"]


@pytest.mark.parametrize("path", HOUSE, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_streamlit_does_not_document_is_used_in_one_file(path):
    if path.name == "streamlit_private.py":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    out = {id(n) for part in typing_only for n in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in out:
            assert not (node.module or "").startswith("streamlit."), node.module
            assert node.module != "streamlit", "import streamlit as st"
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            assert isinstance(node.value, ast.Name), ast.unparse(node)
            assert node.value.id in ("self", "s", "cls"), ast.unparse(node)


def test_the_server_is_found_and_packed_with_all_that_it_needs():
    """Streamlit reads app.py as text: the literal `app = st.App(…)`; the wheel must hold what that opens."""
    from streamlit.web.server.app_discovery import discover_asgi_app

    assert discover_asgi_app(ROOT / "app.py").import_string == "app:app"
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    for name in ("app.py", "pages", "assets", ".streamlit/config.toml"):
        assert packed["force-include"][name] == f"disclosure_core/_app/{name}"


def test_nothing_lies_where_streamlit_looks_for_its_old_menu():
    """It looks for `pages/` beside its script, which is `pages/navigation.py`."""
    assert [path.name for path in (ROOT / "pages").glob("*.py")] == ["navigation.py"]
    assert not (ROOT / "pages" / "pages").exists()


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
        if not ast.get_docstring(node)
        and not is_nested(path, node)
        and not any(ast.unparse(d) == "overload" for d in node.decorator_list)  # its docstring is the body's
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
