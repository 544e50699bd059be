"""`disclosure doctor`: what is installed here, which limits hold, and what mends what will not work."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import click
from packaging.requirements import Requirement

from disclosure_core.cli.app import app_file
from disclosure_core.cli.manual import Manual
from disclosure_core.errors import NEEDED, pip_command
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

DISTRIBUTION = "disclosure-core"

EXTRAS = {
    "": "counting, reviews, CSV, Parquet and Arrow files",
    "files": "Excel, OpenDocument, SPSS, Stata, SAS and R files",
    "report": "figures, and reports as PDF and HTML",
    "app": "the dashboard",
    "duckdb": "data in DuckDB",
    "ibis": "data in a warehouse",
    "spark": "data in Spark",
}
"""What each extra is for; the core has no name."""


@dataclass(frozen=True)
class Part:
    """What is installed of the core or of an extra.

    Attributes
    ----------
    extra
        Its name; empty for the core.
    missing, old
        What it needs and is not here, and what is here in a version that does not do, as pip writes it.
    broken
        What is here and cannot be imported, as pip asks for it.
    """

    extra: str
    missing: tuple[str, ...]
    old: tuple[str, ...]
    broken: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Return whether everything is here that it needs, and can be imported."""
        return not (self.missing or self.old or self.broken)


def parts(broken: Collection[str] = ()) -> dict[str, Part]:
    """Return what is installed of each extra, as the program's own description asks for it; `broken` fail on import."""
    needs = [Requirement(each) for each in metadata.requires(DISTRIBUTION) or ()]
    return {extra: _part(extra, needs, broken) for extra in EXTRAS}


_IMPORT = """
import importlib, sys
out, sys.stdout = sys.stdout, sys.stderr
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
        said = ""
    except BaseException as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
    print(name, said, sep="\\t", file=out, flush=True)
"""


def cannot_be_imported() -> dict[str, str]:
    """Return the needed packages that are installed and fail when they are imported, each with what it says.

    Another Python imports them, for such a package may end the one that does.
    """
    needs = {Requirement(each).name for each in metadata.requires(DISTRIBUTION) or ()}
    waiting = {
        module: name
        for module, names in metadata.packages_distributions().items()
        for name in needs.intersection(names)
        if module in NEEDED or module == name.replace("-", "_")
    }
    found: dict[str, str] = {}
    while waiting:
        done = subprocess.run(  # noqa: S603 (our own code, and names of packages)
            [sys.executable, "-P", "-c", _IMPORT, *waiting], capture_output=True, text=True, check=False
        )
        for module, _, said in (line.partition("\t") for line in done.stdout.splitlines()):
            name = waiting.pop(module)
            if said:
                found[name] = said
        if waiting:
            found[waiting.pop(next(iter(waiting)))] = f"it ends Python with status {done.returncode}"
    return found


def _part(extra: str, needs: list[Requirement], broken: Collection[str]) -> Part:
    missing: list[str] = []
    old: list[str] = []
    fail: list[str] = []
    for need in needs:
        own = need.marker is None if not extra else need.marker and not need.marker.evaluate({"extra": ""})
        if not own or (need.marker and not need.marker.evaluate({"extra": extra})):
            continue
        if need.name == DISTRIBUTION:
            for other in need.extras:
                part = _part(other, needs, broken)
                missing += part.missing
                old += part.old
                fail += part.broken
            continue
        try:
            version = metadata.version(need.name)
        except metadata.PackageNotFoundError:
            missing.append(need.name)
            continue
        if not need.specifier.contains(version, prereleases=True):
            old.append(f"{need.name} {version} (needed: {need.specifier})")
        elif need.name in broken:
            fail.append(f"{need.name}{need.specifier}")
    return Part(extra, tuple(missing), tuple(old), tuple(fail))


def command(extra: str) -> str:
    """Return the command that installs an extra here, also where this environment has no pip of its own."""
    return pip_command(f'"{DISTRIBUTION}[{extra}]"' if extra else DISTRIBUTION)


@click.command(
    cls=Manual,
    short_help="Say what is installed, what will not work, and what mends it.",
    epilog="Example: disclosure doctor",
)
def doctor() -> None:
    """Say what is installed here, which limits hold, and what will not work, each with the command that mends it.

    It opens no file of yours and asks no other machine. Status 1: the core itself is not complete.
    """
    broken = cannot_be_imported()
    found = parts(broken)
    click.echo(f"disclosure {__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}")
    for part in found.values():
        if part.extra != "spark":
            click.echo(_line(part, broken))
    click.echo(_of_spark(found["spark"], broken))
    for head, line, extra in (("limits", _limits, "app"), ("fonts", _fonts, "report")):
        click.echo(line(found[extra]) if found[""].works else f"{head:<10}can be told once the core is mended.")
    click.echo(_this_machine())
    if not found[""].works:
        raise SystemExit(1)


def _line(part: Part, broken: Mapping[str, str]) -> str:
    head = f"{f'[{part.extra}]' if part.extra else 'core':<10}{EXTRAS[part.extra]}: "
    if part.works:
        return f"{head}installed."
    fail = [Requirement(need).name for need in part.broken]
    wrong = [
        *(f"{name} is missing" for name in part.missing),
        *(f"{name} is too old" for name in part.old),
        *(f"{name} cannot be imported ({shorten(broken[name], 120, placeholder=' …')})" for name in fail),
    ]
    again = " ".join(("--upgrade --force-reinstall", *(f'"{need}"' for need in part.broken)))
    mends = [
        *([command(part.extra)] if part.missing or part.old else []),
        *([pip_command(again)] if part.broken else []),
    ]
    return f"{head}{', '.join(wrong)}. Mend it with: {', then: '.join(mends)}"


def _of_spark(part: Part, broken: Mapping[str, str]) -> str:
    if part.works and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        return f"{'[spark]':<10}{EXTRAS['spark']}: Java is missing. Install a Java 17 or newer."
    return _line(part, broken)


def _limits(app: Part) -> str:
    head = f"{'limits':<10}"
    told = _in_force() if app.works else None
    if told is None:
        from disclosure_core.data.readers import Limits

        usual = Limits()
        of_file = f"{usual.megabytes:,} MB, {usual.memory:,} MB of memory, {usual.seconds} s"
        return f"{head}of a file: {of_file}. No dashboard, no others."
    return head + told


def _in_force() -> str | None:
    """Return the limits that the dashboard would have if it were started from here; None where it does not start."""
    ask = "import json; from pages.server import configuration; print(json.dumps(configuration.in_force()))"
    folder = app_file().parent
    done = subprocess.run(  # noqa: S603 (our own code)
        [sys.executable, "-c", ask],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if done.returncode:
        return None
    limits: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return "; ".join(f"{what} {value}" for what, value in limits.items()) + "."


def _fonts(report: Part) -> str:
    head = f"{'fonts':<10}"
    if not report.works:
        return f"{head}needed for figures and reports only."
    from disclosure_core.figures.letters import families, own_fonts

    lent = families()[len(own_fonts()) :]
    others = f"come from {', '.join(lent)}" if lent else "print as codes (a Noto font of their script mends it)"
    return f"{head}the program's {len(own_fonts())} fonts; letters that none of them has {others}."


def _this_machine() -> str:
    with socket.socket() as line:
        line.settimeout(1)
        taken = line.connect_ex(("127.0.0.1", 8501)) == 0
    port = "8501 is taken. Start it with: disclosure app --port 8502" if taken else "8501 is free"
    memory = Path("/dev/shm")  # noqa: S108 (asked, not written to)
    try:
        place = str(memory) if memory.is_dir() and os.access(memory, os.W_OK) else tempfile.gettempdir()
        where = f"temporary files lie in {place}{', which is memory' if place == str(memory) else ''}"
    except FileNotFoundError:
        where = "no folder for temporary files can be written: figures for print fail. Set TMPDIR to one"
    return f"{'machine':<10}{where}. Port {port}."
