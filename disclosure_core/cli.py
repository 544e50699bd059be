"""The command `disclosure`: start the app, or assess files for a pipeline.

Exit status: 0 done; 1 a condition of --fail-if holds; 2 the call or a file is wrong, with one sentence.
"""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.errors import DisclosureError, not_found

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from disclosure_core.assessment import Assessment
    from disclosure_core.readers import Reading
    from disclosure_core.settings import Settings
    from disclosure_core.study import Study

_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
_WRITTEN = click.Path(dir_okay=False, writable=True, path_type=Path)
_CONDITION = re.compile(r"\s*(\w+)\s*(?:\[(.*)\])?\s*(>=|<=|>|<)\s*(\d+(?:\.\d+)?)\s*%?\s*", re.DOTALL)


def app_file() -> Path:
    """Return the app's script, in an installed package or in a checkout."""
    here = Path(__file__).parent
    packaged = here / "_app" / "app.py"
    return packaged if packaged.is_file() else here.parent / "app.py"


class _Sentences(click.Group):
    """Commands whose errors are one sentence on stderr, and exit status 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; say what the user can mend."""
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = 2
        except click.ClickException as error:
            status = _told(error.format_message())
        except DisclosureError as error:
            status = _told(str(error))
        except OSError as error:
            status = _told(f"{error.filename or 'A file'} cannot be read ({error.strerror or error}); check it.")
        except click.Abort:
            status = 130
        raise SystemExit(status if isinstance(status, int) else 0)


def _told(sentence: str) -> int:
    click.echo(f"Error: {_plain(sentence)}", err=True)
    return 2


def _plain(text: str) -> str:
    """Return text from the data so that a terminal shows it and obeys none of it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@click.group(cls=_Sentences, context_settings={"help_option_names": ["-h", "--help"]})
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
        signal.signal(signal.SIGTERM, lambda *_: server.terminate())  # whoever ends this program ends its server
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


@main.command(epilog="Example: disclosure assess people.csv release.csv --keys sex,age,region --fail-if 'DiSCO>10'")
@click.argument("original", type=_EXISTING)
@click.argument("synthetic", type=_EXISTING, nargs=-1, required=True)
@click.option("--keys", help="Columns that an outsider could know: a,b,c. One that holds a comma in double quotes.")
@click.option("--targets", help="Columns that could be learnt: a,b,c. All the others by default.")
@click.option("--group", multiple=True, metavar="COLUMN=N", help="Group a numeric column into N intervals.")
@click.option("--missing-code", multiple=True, metavar="COLUMN=VALUE", help="A value that stands for “no answer”.")
@click.option("--settings", "saved", type=_EXISTING, help="Settings saved as JSON; the options above override them.")
@click.option(
    "--measure", type=click.Choice(["DiSCO", "DiSDiO", "DCAP"]), default="DiSCO", help="Of the printed table."
)
@click.option("--report", type=_WRITTEN, help="Write the report, a .pdf or .html file.")
@click.option("--title", default="Disclosure report", help="Title of the report.")
@click.option("--author", default="", help="Officer named on the report.")
@click.option("--date", default="", help="Date of the report; today by default.")
@click.option("--shareable", type=click.IntRange(2), metavar="N", help="A report that shows no count below N.")
@click.option("--level-names/--no-level-names", default=True, help="Whether the report names levels.")
@click.option(
    "--json", "as_json", type=click.Path(path_type=Path, allow_dash=True), help="Write the figures; - prints."
)
@click.option("--tables", "workbook", type=_WRITTEN, help="Write every table to one Excel workbook.")
@click.option(
    "--figures", type=click.Path(file_okay=False, path_type=Path), help="Write the figures there: PDF, SVG and PNG."
)
@click.option(
    "--fail-if", multiple=True, metavar="CONDITION", help="Status 1 if a mean does: DiSCO>10, DiSCO[income]>5, repU>2."
)
@click.option("--quiet", is_flag=True, help="Print no progress and no tables.")
def assess(original: Path, synthetic: tuple[Path, ...], **asked: Any) -> None:
    """Assess SYNTHETIC files against the ORIGINAL, and print what they give away.

    Exit status: 0 done; 1 a condition of --fail-if holds or has no answer; 2 the call or a file is wrong.
    """
    failed = _assess(original, synthetic, asked)
    for line in failed:
        click.echo(_plain(line), err=True)
    raise SystemExit(1 if failed else 0)


def _assess(original: Path, synthetic: Sequence[Path], asked: dict[str, Any]) -> list[str]:
    """Do what was asked; return the conditions that hold."""
    import disclosure_core
    from disclosure_core.meaning import declared_codes
    from disclosure_core.readers import read

    def say(text: str) -> None:
        if not asked["quiet"]:
            click.echo(_plain(text), err=True)

    conditions = [_condition(text) for text in asked["fail_if"]]
    if asked["report"] and asked["report"].suffix.lower() not in (".pdf", ".html", ".htm"):
        raise DisclosureError(f"A report is a .pdf or an .html file; {asked['report'].name} is neither.")
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
        _print(result, asked["measure"])
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
    """Return the names in a list with commas; a name that holds one stands in double quotes."""
    return tuple(name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row if name.strip())


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

    parts = _CONDITION.fullmatch(text)
    if not parts:
        raise DisclosureError(
            f"The condition {text!r} cannot be read; write it as a measure, a sign and a number: DiSCO>10."
        )
    measure, target, sign, number = parts[1], parts[2], parts[3], float(parts[4])
    known = (*ATTRIBUTE, *CAPS, *IDENTITY)
    if measure not in known:
        raise DisclosureError(f"There is no measure {measure!r}; choose one of {', '.join(known)}.")
    holds: Callable[[float], bool] = {
        ">": lambda x: x > number,
        ">=": lambda x: x >= number,
        "<": lambda x: x < number,
        "<=": lambda x: x <= number,
    }[sign]

    if measure in IDENTITY and target is not None:
        raise DisclosureError(f"{measure} belongs to the keys, not to a target; leave [{target}] out.")

    def told(result: Assessment) -> list[str]:
        if target is not None and target not in result.targets:
            raise not_found("Target", target, "among those assessed", result.targets)
        if measure in IDENTITY:
            values = {"the keys": float(result.identity[measure].mean())}
        else:
            names = result.targets if target is None else (target,)
            values = {name: float(result.targets[name].figures(measure).mean()) for name in names}
        said = text.strip()
        # What has no answer is no pass.
        return [
            f"{said} holds for {name}: {x:.2f}" if x == x else f"{said} cannot be told for {name}: there is no answer"
            for name, x in values.items()
            if x != x or holds(x)
        ]

    return told


def _print(result: Assessment, measure: str) -> None:
    """Print the identity figures, and a row a target."""
    from disclosure_core.measures import COMPARED

    keys = ", ".join(key.name for key in result.keys.keys)
    m = len(result.n_synthetic)
    of = f"% of the {result.n_original:,} original records"
    click.echo(f"\n{result.n_original:,} original records, {m} synthes{'e' if m > 1 else 'i'}s; keys: {_plain(keys)}\n")
    click.echo(f"Identity, {of} (UiS: of the synthetic); lower is safer")
    click.echo(result.identity.to_string(float_format="{:.2f}".format))
    click.echo(f"\nAttributes, {of}{', means over the syntheses' * (m > 1)}; lower is safer")
    original, synthetic = COMPARED[measure]
    summary = result.summary(measure).iloc[::-1].rename(columns={"original": original, "synthetic": synthetic})
    shown = summary[["target", original, synthetic, *(["min", "max"] if m > 1 else []), "flag"]]
    shown = shown.assign(target=[_plain(name) for name in shown["target"]])
    click.echo(shown.to_string(index=False, float_format="{:.2f}".format))


def _write(
    study: Study, result: Assessment, readings: list[Reading], asked: dict[str, Any], say: Callable[[str], None]
) -> None:
    """Write what was asked for; a place that cannot be written is told in a sentence."""
    files: dict[Path, bytes] = {}
    if asked["report"]:
        files[asked["report"]] = _report(study, result, readings, asked)
    if asked["workbook"]:
        from disclosure_core.tables import tables, to_excel

        files[asked["workbook"]] = to_excel(tables(result))
    if asked["figures"]:
        from disclosure_core.assessment import identity_by_keys
        from disclosure_core.figures import describe, paper

        growth = describe.growth(identity_by_keys(study, result.settings), study.n_original)
        for name, plot in (("risk", describe.arrows(result)), ("keys", growth)):
            for ending in paper.FORMATS:
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


def _report(study: Study, result: Assessment, readings: list[Reading], asked: dict[str, Any]) -> bytes:
    from datetime import date

    from disclosure_core.report import FileRead, ReportInput, to_html, to_pdf

    roles = ["Original", *(f"Synthesis {i}" for i in range(1, len(readings)))]
    given = ReportInput(
        study,
        result,
        [FileRead(role, r.name, len(r.frame), r.sha256) for role, r in zip(roles, readings, strict=True)],
        asked["title"],
        asked["author"],
        asked["date"] or date.today().isoformat(),
        shareable=asked["shareable"] is not None,
        smallest=asked["shareable"] or 10,
        level_names=asked["level_names"],
    )
    return to_pdf(given) if asked["report"].suffix.lower() == ".pdf" else to_html(given).encode()


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
