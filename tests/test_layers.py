"""The house rules, read from the code: who may import whom, where state lives, how long a page may be."""

import copy
import re
import shutil
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
CORE = sorted((ROOT / "disclosure_core").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
STEPS = sorted((ROOT / "pages").glob("*/page.py"))


def broken(folder: Path) -> list[str]:
    """Return the contracts of pyproject.toml that the imports of a tree break, as Import Linter says it."""
    here_only = (
        f"import sys; sys.path = [p for p in sys.path if p != {str(ROOT)!r}]"  # an editable install is there, too
    )
    code = f"{here_only}; from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
    said = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    return re.findall(r"^(.+) BROKEN", said.stdout, re.MULTILINE) if "Contracts:" in said.stdout else [said.stdout]


def test_imports_keep_the_floors():
    assert not broken(ROOT)


@pytest.mark.parametrize(
    ("place", "planted", "contract"),
    [
        ("disclosure_core/records/at_risk.py", "from disclosure_core.report import render", "go down"),
        ("disclosure_core/records/at_risk.py", "from ..figures import palette", "go down"),
        ("disclosure_core/records/at_risk.py", "def later():\n    import disclosure_core.cli.commands", "go down"),
        (
            "disclosure_core/holdout/parts.py",
            "if TYPE_CHECKING:\n    from disclosure_core.engines import query",
            "go down",
        ),
        ("disclosure_core/counting/cells.py", "import streamlit", "no page"),
        ("pages/keys/page.py", "from pages.records import listing", "one page"),
    ],
)
def test_an_import_that_breaks_them_is_seen(place, planted, contract, tmp_path):
    for name in ("disclosure_core", "pages", "pyproject.toml"):
        copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copied(ROOT / name, tmp_path / name)
    with (tmp_path / place).open("a", encoding="utf-8") as file:
        file.write(f"\n{planted}\n")
    (told,) = broken(tmp_path)
    assert contract in told


@pytest.fixture(scope="module")
def loaded():
    """Return who imports whom when the program runs: also within a function, not for types alone."""
    return grimp.build_graph("disclosure_core", "pages", exclude_type_checking_imports=True, cache_dir=None)


def in_order(graph: grimp.ImportGraph) -> list[str]:
    """Return all files so that each stands after those that it imports; a circle is an error."""
    return list(
        TopologicalSorter({f: graph.find_modules_directly_imported_by(f) for f in graph.modules}).static_order()
    )


def test_no_imports_go_in_a_circle(loaded):
    assert len(in_order(loaded)) > 400


def test_a_circle_is_seen(loaded):
    planted = copy.deepcopy(loaded)
    planted.add_import(importer="disclosure_core.shown", imported="disclosure_core.notebook")
    with pytest.raises(CycleError):
        in_order(planted)


def test_nothing_stands_on_the_face():
    """`disclosure_core/__init__.py` shows the rooms: one that imports it would depend on the order of imports."""
    face = re.compile(r"^(from disclosure_core import (?!__version__)|import disclosure_core$)", re.MULTILINE)
    assert [p.relative_to(ROOT) for p in CORE if face.search(p.read_text(encoding="utf-8"))] == []


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
        assert getattr(disclosure_core, name).__name__.removeprefix("disclosure_core.data.") == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        disclosure_core.nothing  # noqa: B018


def test_a_document_names_no_package_host():
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / ".ci" / "run"]
    for path in texts:
        assert not re.search(r"pypi\.org|files\.pythonhosted|deb\.debian\.org|registry\.npmjs", path.read_text("utf-8"))
