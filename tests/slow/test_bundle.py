"""A portable folder as an office gets it: made, unpacked elsewhere, and started without a network or this environment."""

# Inside: which packages fit a platform.

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.utils import parse_wheel_filename

from disclosure_core.cli import portable
from tests.browser.driving import free_port
from tests.server.serving import unshared

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"


def made(tmp_path, platform, python):
    output = tmp_path / "portable.zip"
    call = ["bundle", "--platform", platform, "--python", python, "--output", str(output)]
    done = subprocess.run(
        [sys.executable, "-m", "disclosure_core", *call], capture_output=True, text=True, check=False, timeout=1200
    )
    assert done.returncode == 0, done.stderr
    assert hashlib.sha256(output.read_bytes()).hexdigest() in done.stdout
    return output


RESERVED = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))}


def fit_for_windows(names):
    """See that Windows can write each file of the wheels: its name, beside the others, in a folder of 80 letters."""
    parts = {part for name in names for part in name.strip("/").split("/")}
    assert [part for part in parts if re.search(r'[<>:"\\|?*\x00-\x1f]|[ .]$', part)] == []
    assert [part for part in parts if part.split(".")[0].lower() in RESERVED] == []
    files = {name for name in names if not name.endswith("/")}
    assert len({name.lower() for name in files}) == len(files)
    assert max(len(name) for name in files) + len("\\disclosure\\site-packages\\") + 80 < 260


@pytest.mark.slow
@pytest.mark.parametrize(("platform", "python"), [("win_amd64", "3.13")])
def test_every_wheel_is_one_of_that_machine(tmp_path, platform, python):
    with zipfile.ZipFile(made(tmp_path, platform, python)) as packed:
        names = [Path(name).name for name in packed.namelist() if name.endswith(".whl")]
        bill = json.loads(packed.read("disclosure/sbom.cdx.json"))
        told = packed.read("disclosure/hashes.txt").decode().splitlines()
        for line in told:
            digest, name = line.split("  ", 1)
            assert hashlib.sha256(packed.read(f"disclosure/{name}")).hexdigest() == digest
        inner = [
            entry.filename
            for name in packed.namelist()
            if name.endswith(".whl")
            for entry in zipfile.ZipFile(io.BytesIO(packed.read(name))).infolist()
        ]
    if platform.startswith("win"):
        fit_for_windows(inner)
    assert len(told) == len(names) == len(bill["components"]) + 1
    assert all(component["hashes"][0]["alg"] == "SHA-256" for component in bill["components"])
    fits = {"any", *portable.PLATFORMS[platform].tags}
    for name in names:
        tags = parse_wheel_filename(name)[3]
        assert any(
            tag.platform in fits and (tag.abi == f"cp{python.replace('.', '')}" or tag.abi in ("none", "abi3"))
            for tag in tags
        ), name


START = """
import pathlib, subprocess, sys, time, urllib.request
folder, port = pathlib.Path(sys.argv[1]), sys.argv[2]
server = subprocess.Popen(["sh", str(folder / "start.sh"), "app", "--demo", "--no-browser", "--port", port])
for _ in range(1500):
    try:
        assert urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).read() == b"ok"
        break
    except OSError:
        assert server.poll() is None
        time.sleep(0.2)
else:
    sys.exit("it does not answer")
server.terminate()
server.wait()
call = ["assess", "original.csv", "synthetic_1.csv", "--keys", "sex,age", "--targets", "marital", "--quiet"]
for line in (["demo", "--output", ".", "--quiet"], [*call, "--report", "r.pdf", "--workbook", "w.xlsx"], ["doctor"]):
    subprocess.run(["sh", str(folder / "start.sh"), *line], check=True)
"""


@pytest.mark.slow
def test_it_starts_without_a_network_and_writes_nowhere_else(tmp_path):
    alone = unshared("n", "ip link set lo up")
    place, home, work = (tmp_path / name for name in ("Prüfung 2026 (neu)", "home", "work"))
    home.mkdir()
    work.mkdir()
    with zipfile.ZipFile(made(tmp_path, "linux_x86_64", HERE)) as packed:
        packed.extractall(place)
    base = Path(sys.base_prefix) / "bin"
    environment = {"PATH": f"{base}:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [*alone, str(base / "python3"), "-I", "-c", START, str(place / "disclosure"), str(free_port())],
        cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    assert (work / "r.pdf").read_bytes().startswith(b"%PDF")
    assert "[app]     the dashboard: installed." in done.stdout
    assert list(home.iterdir()) == []
