"""A portable folder: which packages a machine needs, what starts it, and what is said where something is wrong."""

# Inside: licences, locked packages and platforms are read one by one.

import hashlib
import re
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import PurePosixPath
from types import SimpleNamespace

import pytest

from disclosure_core import DisclosureError
from disclosure_core.cli import portable
from tests.commands import disclosure

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
LOCK = """\
plain==1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
here==1 ; python_full_version < '3.12' \\
    --hash=sha256:cc
here==2 ; python_full_version >= '3.12' \\
    --hash=sha256:dd
watched==1 ; sys_platform != 'darwin' \\
    --hash=sha256:ee
coloured==1 ; platform_system == 'Windows' \\
    --hash=sha256:ff
"""


@pytest.mark.parametrize("left_out", ["--platform", "--python", "--output"])
def test_what_a_bundle_needs_is_asked_for(left_out):
    given = {"--platform": "win_amd64", "--python": "3.13", "--output": "here.zip"}
    told = disclosure("bundle", *(word for name in {*given} - {left_out} for word in (name, given[name])))
    assert told.exit_code == 2
    assert f"Missing option '{left_out}'" in told.stderr


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        ("License-Expression: MIT", "MIT"),
        ("License: BSD\nClassifier: License :: OSI Approved :: MIT License", "BSD"),
        ("Classifier: Topic :: X\nClassifier: License :: OSI Approved :: MIT License\n"
         "Classifier: License :: OSI Approved :: zlib", "MIT License, zlib"),
        ("License: a text\n  of many lines\nClassifier: License :: OSI Approved :: MIT License", "MIT License"),
        ("Name: x", ""),
    ],
)  # fmt: skip
def test_the_licence_of_a_package_is_named(lines, licence):
    assert portable._licence(message_from_string(f"{lines}\n\n")) == licence


@pytest.mark.parametrize(
    ("platform", "python", "names"),
    [
        ("linux_x86_64", "3.11", ["plain==1.0", "here==1", "watched==1"]),
        ("win_amd64", "3.13", ["plain==1.0", "here==2", "watched==1", "coloured==1"]),
        ("macosx_arm64", "3.12", ["plain==1.0", "here==2"]),
    ],
)
def test_the_lock_is_read_for_the_machine_that_it_is_for(platform, python, names):
    """Not for the one that makes the bundle."""
    kept = portable.locked(LOCK, platform, python)
    assert re.findall(r"^(\S+==\S+)", kept, re.MULTILINE) == names
    assert ";" not in kept
    assert "plain==1.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n" in kept


@pytest.mark.parametrize("platform", portable.PLATFORMS)
@pytest.mark.parametrize("python", portable.PYTHONS)
def test_the_lock_has_one_version_of_each_package_with_its_hashes_and_names_no_host(platform, python):
    lock = portable.lock()
    kept = portable.locked(lock, platform, python)
    names = re.findall(r"^(\S+)==", kept, re.MULTILINE)
    assert len(names) == len(set(names)) > 40
    assert {"numpy", "pandas", "pyarrow", "streamlit", "typst", "pyreadstat"} <= set(names)
    assert all("--hash=sha256:" in entry for entry in re.split(r"\n(?=\S)", kept.strip()))
    assert "://" not in lock


@pytest.mark.parametrize("platform", portable.PLATFORMS)
def test_what_stands_beside_the_wheels(platform):
    texts = portable.texts(platform, "3.13", beside=False)
    starter = "start.cmd" if platform.startswith("win") else "start.sh"
    assert texts.keys() == {"README.txt", "start.py", starter}
    for text in texts.values():
        assert not re.search(r"@[A-Z_]+@", text)
        assert text.isascii()  # whatever the code page
    assert len(texts["README.txt"].splitlines()) == 10
    assert "hold the hash" in texts["README.txt"]
    assert "PYTHON = (3, 13)" in texts["start.py"]
    assert ("\r\n" in texts[starter]) == platform.startswith("win")


def test_paths_with_blanks_and_brackets_are_quoted_for_cmd():
    text = portable.texts("win_amd64", "3.13", beside=True)["start.cmd"]
    assert re.findall(r'(.)%~dp0[^"\n]*(.)', text) == [('"', '"')] * 4
    assert text.count('"') == 2 * text.count("%~dp0")
    assert not re.search(r"^\s*(if|for)\b.*\($", text, re.MULTILINE)  # a block in brackets would end at one in the path


FAKE = {
    "disclosure_core/__init__.py": "",
    "disclosure_core/__main__.py": "import os, sys\nprint(sys.argv[1:], os.environ['PYTHONPATH'], __file__)\n"
    "sys.exit(3 if 'fail' in sys.argv else 0)\n",
    "disclosure_core-0.1.0.data/purelib/more.py": "",
}


@pytest.fixture
def folder(tmp_path):
    """Make a folder with one wheel, at a place as people name them."""
    here = tmp_path / "Prüfung 2026 (neu) & Ähnliches"
    (here / "wheels").mkdir(parents=True)
    wheel = here / "wheels" / "disclosure_core-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for name, text in FAKE.items():
            packed.writestr(name, text)
    for name, text in portable.texts("linux_x86_64", HERE, beside=False).items():
        (here / name).write_text(text, encoding="utf-8")
    (here / "hashes.txt").write_text(portable.hashes([wheel]), encoding="utf-8")
    return here


def start(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-I", str(folder / "start.py"), *arguments],
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip


def test_the_first_start_unpacks_and_the_second_does_not(folder):
    first = start(folder)
    assert first.returncode == 0, first.stderr
    assert "1 packages are checked" in first.stdout
    assert f"['app'] {folder / 'site-packages'}" in first.stdout
    assert (folder / "site-packages" / "more.py").is_file()
    second = start(folder, "fail", "two words")
    assert second.returncode == 3
    assert second.stdout.startswith("['fail', 'two words']")
    assert {p.name for p in folder.iterdir()} == {
        "README.txt", "hashes.txt", "settings", "site-packages", "start.py", "start.sh", "wheels"
    }  # fmt: skip


@pytest.mark.parametrize("left", [b"another", None])
def test_a_wheel_that_is_not_the_one_bundled_ends_the_start(folder, left):
    (wheel,) = (folder / "wheels").iterdir()
    wheel.unlink() if left is None else wheel.write_bytes(left)
    for _ in range(2):  # what was begun is not taken for done
        done = start(folder)
        assert done.returncode == 1
        assert done.stderr.strip().endswith("Unpack the bundle again.")
    assert not (folder / "site-packages").exists()


@pytest.mark.parametrize(
    ("ours", "other", "told"),
    [
        (f"PYTHON = (3, {sys.version_info[1]})", "PYTHON = (3, 10)", f"3.10, 64 bit; this is {HERE}"),
        ('struct.calcsize("P")', "4", f"{HERE}, 64 bit; this is {sys.version.split()[0]}, 32 bit."),
    ],
)
def test_another_python_is_told(folder, ours, other, told):
    text = (folder / "start.py").read_text(encoding="utf-8")
    assert ours in text
    (folder / "start.py").write_text(text.replace(ours, other))
    done = start(folder)
    assert done.returncode == 1
    assert f"This folder is for Python {told}" in done.stderr
    assert not (folder / "site-packages").exists()


def test_an_embeddable_python_is_told_where_the_packages_are(folder):
    (folder / "python").mkdir()
    (folder / "python" / "python313._pth").write_text("python313.zip\n.\n#import site\n")
    assert start(folder).returncode == 0
    assert (folder / "python" / "python313._pth").read_text() == "python313.zip\n.\n../site-packages\n"


def test_an_embeddable_python_has_the_hash_that_was_named(tmp_path):
    path = tmp_path / "python.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("python.exe", b"MZ")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert portable.embeddable(path, digest.upper()) == {"python/python.exe": b"MZ"}
    with pytest.raises(DisclosureError, match="does not have the hash that --embeddable-hash names; download it again"):
        portable.embeddable(path, "0" * 64)
    path.write_bytes(b"no archive")
    with pytest.raises(DisclosureError, match="is no zip archive; give the embeddable package of Python"):
        portable.embeddable(path, hashlib.sha256(b"no archive").hexdigest())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--output", "a.tar"], "A portable folder is a .zip file; a.tar is none."),
        (["--output", "a.zip", "--embeddable-hash", "00"], "--embeddable and --embeddable-hash go together"),
        (["--output", "a.zip", "--embeddable", __file__, "--embeddable-hash", "00"],
         "There is an embeddable Python for Windows only; leave --embeddable out."),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_sentence(more, told):
    done = disclosure("bundle", "--platform", "linux_x86_64", "--python", "3.13", *more)
    assert done.exit_code == 2
    assert told in done.stderr


@pytest.mark.slow
def test_a_package_that_cannot_be_had_is_one_sentence(tmp_path):
    (tmp_path / "none").mkdir()
    call = ["bundle", "--platform", "win_amd64", "--python", "3.13", "--output", str(tmp_path / "a.zip")]
    done = disclosure(*call, "--wheels", str(tmp_path / "none"))
    assert done.exit_code == 2
    assert re.match(r"Error: A package cannot be had: .*\. Check the network, or --wheels\.$", done.stderr.strip())
    assert not (tmp_path / "a.zip").exists()


def test_what_can_be_chosen_stands_in_the_same_line(tmp_path):
    done = disclosure("bundle", "--platform", "win_amd64", "--output", str(tmp_path / "a.zip"))
    assert done.stderr == "Error: Missing option '--python'. Choose from: 3.11, 3.12, 3.13, 3.14.\n"


def test_what_is_not_installed_is_said_before_anything_is_fetched(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "cyclonedx", None)
    monkeypatch.setattr(portable, "download", lambda *_: pytest.fail("it is fetched"))
    call = ["bundle", "--platform", "win_amd64", "--python", "3.13", "--output", str(tmp_path / "a.zip")]
    done = disclosure(*call)
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: The package 'cyclonedx' is not installed; it is for portable folders.")


def test_no_pip_is_one_sentence(monkeypatch):
    monkeypatch.setattr(portable, "find_spec", lambda _: None)
    monkeypatch.setattr(portable, "base_python", lambda: "")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(DisclosureError, match="A portable folder is made with pip, which is not here; install it"):
        portable._pip("download")


def test_an_active_environment_without_pip_takes_that_of_its_python(monkeypatch, tmp_path):
    """README's environment has none, and where it is active, python3 is its own."""
    for name, status in (("python3", 1), ("base", 0)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(portable, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(portable, "base_python", lambda: str(tmp_path / "base"))
    assert portable._with_pip() == str(tmp_path / "base")
    monkeypatch.setattr(portable, "base_python", lambda: "")
    with pytest.raises(DisclosureError, match="pip, which is not here"):
        portable._with_pip()


def test_the_archive_is_the_same_each_time_and_its_script_can_be_run(tmp_path):
    files = {"start.sh": b"#!/bin/sh\n", "wheels/a.whl": b"x", "README.txt": b"y"}
    first, second = (portable.archive(files, tmp_path / name, "disclosure") for name in ("a.zip", "b.zip"))
    assert first == second == hashlib.sha256((tmp_path / "a.zip").read_bytes()).hexdigest()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert packed.getinfo("disclosure/start.sh").external_attr >> 16 == 0o755


class Installed(PurePosixPath):
    """A file of an installed package."""

    def read_binary(self):
        return str(self).encode()


def test_an_installed_program_makes_its_own_wheel(tmp_path, monkeypatch):
    meta = f"disclosure_core-{portable.__version__}.dist-info"
    kept = ["disclosure_core/a.py", "disclosure_core/assets/b.ttf", f"{meta}/METADATA"]
    left = ["disclosure_core/a.pyc", f"{meta}/RECORD", f"{meta}/INSTALLER", f"{meta}/direct_url.json", "bin/disclosure"]
    monkeypatch.setattr(portable, "app_file", lambda: tmp_path / "app.py")
    own = SimpleNamespace(files=[Installed(name) for name in (*left, *kept)])
    monkeypatch.setattr(portable.metadata, "distribution", lambda _: own)
    portable.own_wheel(tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        assert file.namelist() == [*sorted(kept), f"{meta}/RECORD"]
        assert file.read("disclosure_core/a.py") == b"disclosure_core/a.py"
