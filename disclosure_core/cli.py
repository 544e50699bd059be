"""The command `disclosure`: start the app, or assess files for a pipeline.

Exit status: 0 done; 1 a condition of --fail-if holds; 2 the call or a file is wrong, with one sentence.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from disclosure_core.assessment import Assessment
    from disclosure_core.readers import Reading
    from disclosure_core.settings import Settings
    from disclosure_core.study import Study

_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
_WRITTEN = click.Path(dir_okay=False, writable=True, path_type=Path)
_CONDITION = re.compile(r"^\s*(\w+)\s*(>=|<=|>|<)\s*([0-9.]+)\s*$")


def app_file() -> Path:
    """Return the app's script, in an installed package or in a checkout."""
    here = Path(__file__).parent
    packaged = here / "_app" / "app.py"
    return packaged if packaged.is_file() else here.parent / "app.py"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="disclosure", message="%(version)s")
def main() -> None:
    """See what synthetic data still give away."""


@main.command()
@click.option("--demo", is_flag=True, help="Open with the demonstration survey.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port on this machine.")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def app(demo: bool, port: int, browser: bool) -> None:
    """Start the dashboard on this machine."""
    script = ["--demo"] if demo else []
    command = [sys.executable, "-m", "streamlit", "run", str(app_file()), "--server.port", str(port), "--", *script]
    with subprocess.Popen(command) as server:  # noqa: S603 (our own script)
        # Streamlit's own way of opening a browser would first ask for an e-mail address.
        if browser and _answers(server, f"http://127.0.0.1:{port}/_stcore/health"):
            webbrowser.open(f"http://127.0.0.1:{port}")
        try:
            server.wait()
        except KeyboardInterrupt:
            server.terminate()
    raise SystemExit(server.returncode)


def _answers(server: subprocess.Popen[bytes], url: str) -> bool:
    """Return whether the server answers within half a minute."""
    for _ in range(150):
        if server.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(url, timeout=1):  # noqa: S310 (a fixed address of this machine)
                return True
        except OSError:
            time.sleep(0.2)
    return False


@main.command()
@click.argument("original", type=_EXISTING)
@click.argument("synthetic", type=_EXISTING, nargs=-1, required=True)
@click.option("--keys", help="Columns that an outsider could know, with commas between.")
@click.option("--targets", help="Columns that could be learnt, with commas between; all the others by default.")
@click.option("--group", multiple=True, metavar="COLUMN=N", help="Group a numeric column into N intervals.")
@click.option("--missing-code", multiple=True, metavar="COLUMN=VALUE", help="A value that stands for “no answer”.")
@click.option("--settings", "saved", type=_EXISTING, help="Settings saved as JSON; the options above override them.")
@click.option("--report", type=_WRITTEN, help="Write the report, a .pdf or .html file.")
@click.option(
    "--json", "as_json", type=click.Path(path_type=Path, allow_dash=True), help="Write the figures; - prints."
)
@click.option("--tables", "workbook", type=_WRITTEN, help="Write every table to one Excel workbook.")
@click.option(
    "--figures", type=click.Path(file_okay=False, path_type=Path), help="Write the figures there, as PDF and SVG."
)
@click.option(
    "--fail-if", multiple=True, metavar="CONDITION", help="End with status 1 if any target's mean does, as DiSCO>10."
)
@click.option("--quiet", is_flag=True, help="Print no progress and no tables.")
def assess(original: Path, synthetic: tuple[Path, ...], **asked: Any) -> None:
    """Assess SYNTHETIC files against the ORIGINAL, and print what they give away."""
    try:
        failed = _assess(original, synthetic, asked)
    except DisclosureError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(2) from None
    for line in failed:
        click.echo(line, err=True)
    raise SystemExit(1 if failed else 0)


def _assess(original: Path, synthetic: Sequence[Path], asked: dict[str, Any]) -> list[str]:
    """Do what was asked; return the conditions that hold."""
    import disclosure_core
    from disclosure_core.meaning import declared_codes
    from disclosure_core.readers import read

    def say(text: str) -> None:
        if not asked["quiet"]:
            click.echo(text, err=True)

    conditions = [_condition(text) for text in asked["fail_if"]]
    readings: list[Reading] = []
    for i, path in enumerate([original, *synthetic]):
        say(f"Reading {path.name} …")
        found = read(path, path.name)
        if i == 0 and len(found) > 1:
            raise DisclosureError(f"{path.name} holds {len(found)} tables; give the original as a file with one.")
        readings += found
    codes: dict[str, list[float | str]] = {n: list(v) for n, v in declared_codes(readings).items()}
    for name, value in (_pair(text, "--missing-code") for text in asked["missing_code"]):
        codes.setdefault(name, []).append(value)
    study = disclosure_core.Study(readings[0].frame, [r.frame for r in readings[1:]], missing_codes=codes)
    for note in study.notes:
        say(f"Note: {note.text}")
    say("Counting …")
    result = disclosure_core.assess(study, _settings(asked))
    if not asked["quiet"] and asked["as_json"] != Path("-"):
        _print(result)
    _write(study, result, readings, asked, say)
    return [line for condition in conditions for line in condition(result)]


def _settings(asked: dict[str, Any]) -> Settings:
    from disclosure_core import Settings

    settings = Settings()
    if asked["saved"]:
        settings = Settings.from_json(asked["saved"].read_text(encoding="utf-8", errors="replace"))
    if asked["keys"]:
        settings = replace(settings, keys=_names(asked["keys"]))
    if asked["targets"]:
        settings = replace(settings, targets=_names(asked["targets"]))
    groups = {name: _whole(value, name) for name, value in (_pair(text, "--group") for text in asked["group"])}
    return replace(settings, groups=dict(settings.groups) | groups)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name or not value:
        raise DisclosureError(f"{option} {text!r} has no value; write it as COLUMN=VALUE.")
    return name, value


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DisclosureError(f"The number of groups of {name!r} must be a whole number, not {text!r}.") from None


def _condition(text: str) -> Callable[[Assessment], list[str]]:
    """Return what tells for which targets a condition such as DiSCO>10 holds."""
    from disclosure_core.measures import ATTRIBUTE, CAPS, IDENTITY

    parts = _CONDITION.match(text)
    if not parts:
        raise DisclosureError(
            f"The condition {text!r} cannot be read; write it as a measure, a sign and a number: DiSCO>10."
        )
    measure, sign, number = parts[1], parts[2], float(parts[3])
    known = (*ATTRIBUTE, *CAPS, *IDENTITY)
    if measure not in known:
        raise DisclosureError(f"There is no measure {measure!r}; choose one of {', '.join(known)}.")
    holds: Callable[[float], bool] = {
        ">": lambda x: x > number,
        ">=": lambda x: x >= number,
        "<": lambda x: x < number,
        "<=": lambda x: x <= number,
    }[sign]

    def told(result: Assessment) -> list[str]:
        if measure in IDENTITY:
            values = {"the keys": float(result.identity[measure].mean())}
        else:
            values = {name: float(risk.figures(measure).mean()) for name, risk in result.targets.items()}
        return [f"{text.strip()} holds for {name}: {x:.2f}" for name, x in values.items() if holds(x)]

    return told


def _print(result: Assessment) -> None:
    keys = ", ".join(key.name for key in result.keys.keys)
    click.echo(f"\n{result.n_original:,} original records, {len(result.n_synthetic)} syntheses; keys: {keys}\n")
    click.echo("Identity, %")
    click.echo(result.identity.to_string(float_format="{:.2f}".format))
    click.echo("\nAttributes, % of the original records, means over the syntheses")
    summary = result.summary().iloc[::-1].rename(columns={"original": "Dorig", "synthetic": "DiSCO"})
    shown = summary[["target", "Dorig", "DiSCO", "min", "max", "flag"]]
    click.echo(shown.to_string(index=False, float_format="{:.2f}".format))


def _write(
    study: Study, result: Assessment, readings: list[Reading], asked: dict[str, Any], say: Callable[[str], None]
) -> None:
    """Write what was asked for; a place that cannot be written is told in a sentence."""
    files: dict[Path, bytes] = {}
    if asked["report"]:
        files[asked["report"]] = _report(study, result, readings, asked["report"])
    if asked["workbook"]:
        from disclosure_core.tables import tables, to_excel

        files[asked["workbook"]] = to_excel(tables(result))
    if asked["figures"]:
        from disclosure_core.assessment import identity_by_keys
        from disclosure_core.figures import describe, paper

        growth = describe.growth(identity_by_keys(study, result.settings), study.n_original)
        for name, plot in (("risk", describe.arrows(result)), ("keys", growth)):
            for ending in ("pdf", "svg"):
                files[asked["figures"] / f"{name}.{ending}"] = paper.draw(plot, ending)
    if asked["as_json"] == Path("-"):
        click.echo(_json(result, readings))
    elif asked["as_json"]:
        files[asked["as_json"]] = _json(result, readings).encode()
    for path, data in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise DisclosureError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
        say(f"Wrote {path}")


def _report(study: Study, result: Assessment, readings: list[Reading], path: Path) -> bytes:
    from datetime import date

    from disclosure_core.report import FileRead, ReportInput, to_html, to_pdf

    roles = ["Original", *(f"Synthesis {i}" for i in range(1, len(readings)))]
    files = [FileRead(role, r.name, len(r.frame), r.sha256) for role, r in zip(roles, readings, strict=True)]
    given = ReportInput(study, result, files, date=date.today().isoformat())
    if path.suffix.lower() in (".html", ".htm"):
        return to_html(given).encode()
    if path.suffix.lower() == ".pdf":
        return to_pdf(given)
    raise DisclosureError(f"A report is a .pdf or an .html file; {path.name} is neither.")


def _json(result: Assessment, readings: list[Reading]) -> str:
    from importlib.metadata import version

    from disclosure_core.tables import tables

    found = {
        "disclosure": version("disclosure"),
        "files": [{"name": r.name, "sha256": r.sha256, "records": len(r.frame)} for r in readings],
        "settings": json.loads(result.settings.to_json()),
        "keys": [key.name for key in result.keys.keys],
        "notes": [note.text for note in result.notes],
        "tables": {
            name: json.loads(f.to_json(orient="records", double_precision=15)) for name, f in tables(result).items()
        },
    }
    return json.dumps(found, ensure_ascii=False, indent=1)
