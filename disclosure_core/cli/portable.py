"""The portable folder: which packages of the lock a machine needs, their wheels, and what stands beside them."""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from email.parser import Parser
from importlib import metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from disclosure_core.cli.app import app_file
from disclosure_core.data.demo import assets
from disclosure_core.data.placing import writing
from disclosure_core.errors import DisclosureError, base_python
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from email.message import Message
    from pathlib import Path


@dataclass(frozen=True)
class Platform:
    """A kind of machine.

    Attributes
    ----------
    tags
        Of the wheels that run there, as pip knows them.
    environment
        What markers ask of it.
    """

    tags: tuple[str, ...]
    environment: Mapping[str, str]


def _platform(system: str, machine: str, tags: Sequence[str]) -> Platform:
    name, os_name = {"Windows": ("win32", "nt"), "Linux": ("linux", "posix"), "Darwin": ("darwin", "posix")}[system]
    return Platform(
        tuple(tags),
        {"sys_platform": name, "os_name": os_name, "platform_system": system, "platform_machine": machine},
    )


def _linux(machine: str) -> list[str]:
    return [*(f"manylinux_2_{n}_{machine}" for n in range(28, 16, -1)), f"manylinux2014_{machine}"]


PLATFORMS = {
    "win_amd64": _platform("Windows", "AMD64", ["win_amd64"]),
    "linux_x86_64": _platform("Linux", "x86_64", _linux("x86_64")),
    "linux_aarch64": _platform("Linux", "aarch64", _linux("aarch64")),
    "macosx_arm64": _platform("Darwin", "arm64", ["macosx_14_0_arm64", "macosx_14_0_universal2"]),
}
"""By the name that `--platform` takes. Linux with glibc 2.28 or newer, macOS 14 or newer."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")

_OWN = "disclosure-core"

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file of the archive: the same folder is the same file."""


def locked(lock: str, platform: str, python: str) -> str:
    """Return the part of a lock that a machine needs, as requirements with hashes and without markers."""
    environment = {
        **PLATFORMS[platform].environment,
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }
    kept = []
    for entry in re.split(r"\n(?=\S)", lock.strip()):
        head, _, hashes = entry.partition("\\\n")
        need, _, marker = head.partition(";")
        if not marker or Marker(marker.strip()).evaluate(environment):
            kept.append(f"{need.strip()} \\\n{hashes}" if hashes else need.strip())
    return "\n".join(kept) + "\n"


def lock() -> str:
    """Return the lock that came with the program."""
    return (app_file().parent / "requirements.lock").read_text(encoding="utf-8")


def download(requirements: str, platform: str, python: str, folder: Path, wheels: Path | None) -> None:
    """Lay the wheels of requirements into a folder; pip holds each against its hash."""
    needs = folder.parent / "requirements.txt"
    needs.write_text(requirements, encoding="utf-8")
    _pip(
        "download",
        "--no-deps",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--implementation",
        "cp",
        "--python-version",
        python,
        *(part for tag in PLATFORMS[platform].tags for part in ("--platform", tag)),
        *(["--no-index", "--find-links", str(wheels.resolve())] if wheels else []),
        "--dest",
        str(folder),
        "--requirement",
        str(needs),
    )


def own_wheel(folder: Path) -> None:
    """Lay this program's own wheel into a folder: built in a checkout, else made of the installed files."""
    source = app_file().parent
    if (source / "pyproject.toml").is_file():
        _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(source))
        return
    packed = io.BytesIO()
    own = metadata.distribution(_OWN)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(own.files or (), key=str):
            made = {"INSTALLER", "REQUESTED", "direct_url.json", "RECORD"} & {path.name}
            if path.parts[0].startswith("disclosure_core") and path.suffix != ".pyc" and not made:
                file.writestr(zipfile.ZipInfo(path.as_posix(), _EPOCH), path.read_binary())
        file.writestr(zipfile.ZipInfo(f"disclosure_core-{__version__}.dist-info/RECORD", _EPOCH), "")
    (folder / f"disclosure_core-{__version__}-py3-none-any.whl").write_bytes(packed.getvalue())


def _with_pip() -> str:
    """Return a Python that has pip: this one, that of which its environment was made, or one on the path."""
    if find_spec("pip"):
        return sys.executable
    for python in filter(None, (base_python(), "py" if os.name == "nt" else "python3")):
        with suppress(OSError):
            asked = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False)  # noqa: S603
            if not asked.returncode:
                return python
    raise DisclosureError("A portable folder is made with pip, which is not here; install it.")


def _pip(*arguments: str) -> None:
    done = subprocess.run(  # noqa: S603 (pip, with names of the lock)
        [_with_pip(), "-m", "pip", *arguments, "--quiet"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.startswith("ERROR")][-1:] or ["pip did not say why"]
        raise DisclosureError(
            f"A package cannot be had: {last[0].removeprefix('ERROR: ')}. Check the network, or --wheels."
        )


def texts(platform: str, python: str, *, beside: bool) -> dict[str, str]:
    """Return what stands beside the wheels: what starts it, and what a person reads."""
    windows = platform.startswith("win")
    start = "start.cmd" if windows else "sh start.sh"
    archive = f"the 64-bit embeddable package of Python {python}" if windows else f"a Python {python}"
    have = (
        f"Python {python} is in the folder python."
        if beside
        else f"It uses a Python {python} that is installed, 64 bit. If there is none, lay {archive}, unpacked, into "
        "the folder python, and hold the hash of what you downloaded against the one on its download page."
    )
    filled = {
        "@PROGRAM@": __version__,
        "@PLATFORM@": platform,
        "@VERSION@": python,
        "@START@": start,
        "@PYTHON_HERE@": have,
        "@PYTHON@": python.replace(".", ", "),
        "PYTHON = (0, 0)": f"PYTHON = ({python.replace('.', ', ')})",
    }
    found = {}
    for name in ("README.txt", "start.py", "start.cmd" if windows else "start.sh"):
        text = (assets() / "portable" / name).read_text(encoding="utf-8")
        for mark, value in filled.items():
            text = text.replace(mark, value)
        found[name] = text.replace("\n", "\r\n") if windows and name != "start.py" else text
    return found


def embeddable(path: Path, sha256: str) -> dict[str, bytes]:
    """Return the files of an embeddable Python, by their place in the folder, if its hash is the one named."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256.strip().lower():
        raise DisclosureError(f"{path.name} does not have the hash that --embeddable-hash names; download it again.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return {f"python/{name}": packed.read(name) for name in packed.namelist() if not name.endswith("/")}
    except zipfile.BadZipFile:
        raise DisclosureError(f"{path.name} is no zip archive; give the embeddable package of Python.") from None


def hashes(wheels: Sequence[Path]) -> str:
    """Return the SHA-256 of every wheel, a line each, as `sha256sum` writes and checks it."""
    return "".join(f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  wheels/{wheel.name}\n" for wheel in wheels)


def bill(wheels: Sequence[Path]) -> str:
    """Return the bill of materials of wheels, CycloneDX 1.6 as JSON: name, version, licence as declared, SHA-256."""
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.model.license import DisjunctiveLicense
    from cyclonedx.output.json import JsonV1Dot6
    from packageurl import PackageURL

    bom = Bom()
    found: dict[str, Component] = {}
    needs: dict[str, set[str]] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as packed:
            (place,) = (name for name in packed.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
            told = Parser().parsestr(packed.read(place).decode("utf-8"))
        name, version = str(canonicalize_name(told["Name"])), told["Version"]
        licence = _licence(told)
        url = PackageURL("pypi", None, name, version)
        found[name] = Component(
            name=name,
            version=version,
            type=ComponentType.LIBRARY,
            purl=url,
            bom_ref=str(url),
            licenses=[DisjunctiveLicense(name=licence)] if licence else None,
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(wheel.read_bytes()).hexdigest())],
        )
        asked = [Requirement(each) for each in told.get_all("Requires-Dist", [])]
        # Of the program itself the extras are here, too; of another package an extra is not.
        needs[name] = {
            str(canonicalize_name(need.name)) for need in asked if name == _OWN or "extra" not in str(need.marker or "")
        } - {name}
    bom.metadata.component = found[_OWN]
    for name, component in found.items():
        if name != _OWN:
            bom.components.add(component)
        bom.register_dependency(component, [found[other] for other in sorted(needs[name] & found.keys())])
    return JsonV1Dot6(bom).output_as_string(indent=1)


def _licence(told: Message) -> str:
    """Return the licence that a package declares; empty where it has its whole text in the place of a name."""
    named = told["License-Expression"] or told["License"] or ""
    if named and "\n" not in named.strip():
        return named.strip()
    classes = [each.split(" :: ")[-1] for each in told.get_all("Classifier", []) if each.startswith("License ::")]
    return ", ".join(classes)


def archive(files: Mapping[str, bytes], output: Path, root: str) -> str:
    """Write files as one zip under a folder `root`, and return its SHA-256."""
    with writing(output) as file, zipfile.ZipFile(file, "w") as packed:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(f"{root}/{name}", _EPOCH)
            info.create_system = 3  # so that a script is one on Linux and macOS
            info.external_attr = (0o755 if name == "start.sh" else 0o644) << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
            packed.writestr(info, data)
    with output.open("rb") as written:
        return hashlib.file_digest(written, "sha256").hexdigest()
