"""A reader on Windows finds each command: what only bash takes has the Windows form, or the way to it, in its section."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md")),
]

BASH_ONLY = re.compile(r"&&|\|\||/bin/|\\$|\$\w|\$\(|^(?:export|source|cp|mv|sudo) |^[A-Z_]+=\S* \S", re.MULTILINE)
"""What PowerShell 5.1 or cmd takes for something else: chains, places of Linux, lines that go on, settings before a command."""

WINDOWS = re.compile(r"#on-windows\)|\\Scripts\\|PowerShell")


def commands(text: str) -> list[str]:
    """Return the code of a page that is typed into a shell: in a block, or in a sentence or table."""
    blocks = re.findall(r"^ *```bash\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    inline = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE))
    starts = r"(?:[A-Z_]+=\S* )*(?:\.?[\w./-]*bin/|python|pip|pytest|disclosure |uv |podman |cd )"
    return [*blocks, *(code for code in inline if re.match(starts, code))]


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def missing(name: str, text: str) -> list[str]:
    return [
        f"{name}: {heading}: {command.strip()}"
        for heading, part in sections(text).items()
        if not WINDOWS.search(part)
        for command in commands(part)
        if BASH_ONLY.search(command)
    ]


@pytest.mark.parametrize("name", PAGES)
def test_what_only_bash_takes_has_its_windows_form_near(name):
    assert missing(name, (ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_command_is_quoted_as_every_shell_takes_it(name):
    """Cmd knows no single quotes: double ones do in bash, PowerShell and cmd."""
    assert [code for code in commands((ROOT / name).read_text(encoding="utf-8")) if "'" in code] == []


@pytest.mark.parametrize(
    "text", ["a `python3 -m venv x && x/bin/pip install y` b", "```bash\npython3 a \\\n  b\n```\n", "`X=1 pytest -q`"]
)
def test_a_chain_without_a_windows_form_is_found(text):
    assert len(missing("a.md", f"# A\n\n## B\n\n{text}\n")) == 1
    assert missing("a.md", f"# A\n\n## B\n\n{text} [there](install.md#on-windows)\n") == []


def test_each_command_of_the_table_is_one_that_powershell_and_cmd_take():
    table = sections((ROOT / "docs" / "install.md").read_text(encoding="utf-8"))["On Windows"]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")
    ][2:]
    forms = {what: [re.search(r"`(.+)`", cell) for cell in cells] for what, *cells in rows}
    assert all(len(cells) == 2 for cells in forms.values())
    for needed in (
        "make an environment",
        "install the dashboard",
        "start it",
        "install the tests",
        "run the tests",
        "these pages as a site",
    ):
        assert all(forms[needed]), needed
    assert any(
        "bundle --platform win_amd64" in cell[1]
        for cell in forms["make a [portable folder](deploy.md#a-portable-folder)"]
    )
    for cell in (cell[1] for cells in forms.values() for cell in cells if cell):
        assert not re.search(r"&&|'|/bin/|python3", cell), cell
        assert not cell.startswith('"')  # PowerShell takes it for a text
