"""The wheel as an index would get it: the same bytes from each build, small, typed, and a page that stands alone."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EPOCH = "1700000000"
LARGEST = 5_000_000

pytestmark = pytest.mark.slow


def built(source: Path, output: Path) -> Path:
    pip = [shutil.which("python3") or sys.executable, "-m", "pip"]  # an environment may be without a pip of its own
    done = subprocess.run(
        [*pip, "wheel", "-q", "--no-deps", "-w", str(output), str(source)],
        env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    (wheel,) = output.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Build what is committed or about to be twice: in two folders, of files of another age and with other rights."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    sources = [tmp_path_factory.mktemp(each) / "source" for each in ("one", "another place")]
    for source, age, rights in zip(sources, (1_500_000_000, 1_600_000_000), (0o644, 0o600), strict=True):
        for name in names:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, source / name)
            (source / name).chmod(rights)
            os.utime(source / name, (age, age))
    with ThreadPoolExecutor(2) as together:
        return list(together.map(lambda source: built(source, source.parent / "wheel"), sources))


def test_two_builds_are_the_same_bytes(wheels):
    one, other = wheels
    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as packed:
        assert {info.date_time[:3] for info in packed.infolist()} == {(2023, 11, 14)}  # EPOCH, not today


def test_it_is_small_typed_and_brings_its_licence(wheels):
    assert wheels[0].stat().st_size <= LARGEST
    with zipfile.ZipFile(wheels[0]) as packed:
        names = packed.namelist()
    assert "disclosure_core/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"disclosure_core"}


def test_the_page_of_an_index_has_no_link_that_leads_nowhere(wheels):
    with zipfile.ZipFile(wheels[0]) as packed:
        (place,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        told = Parser().parsestr(packed.read(place).decode("utf-8"))
    page = told.get_payload()
    assert told["Description-Content-Type"] == "text/markdown"
    assert [to for to in re.findall(r"\]\(([^)]*)\)", page) if not to.startswith(("https://", "http://"))] == []
    assert "<img" not in page
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for text, to in re.findall(r"(?<!!)\[([^\]]+)\]\((?!http)([^)#]+)", readme):  # what it led to is named
        assert f"{text} (`{to}`)" in page
    assert len(page) > 0.9 * len(readme)
    assert told.get_all("Project-URL") is None  # none is known
