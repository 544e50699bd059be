"""What a command leaves behind: figures printed, files written, and conditions that hold, of one opened review."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click
import pandas as pd

from disclosure_core.cli import figure_files, places
from disclosure_core.cli.conditions import condition
from disclosure_core.cli.inputs import unused
from disclosure_core.cli.manual import section
from disclosure_core.cli.places import Output
from disclosure_core.cli.printed import (
    as_text,
)
from disclosure_core.data.placing import place
from disclosure_core.errors import DisclosureError, NotEvaluated, NothingEvaluatedError
from disclosure_core.rounding import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.remarks import Remarks

WRITTEN = Output()
FOLDER = Output(folder=True)
OUTPUT = Output(folder=True, packed=True)


JSON = click.option(
    "--json",
    "as_json",
    type=Output(".json", allow_dash=True),
    help="Write the figures as JSON; - prints them, and nothing else.",
)
WORKBOOK = click.option("--workbook", type=Output(".xlsx"), help="Write every table to one Excel workbook.")
SAVE = click.option("--save", type=Output(".json"), help="Write the review, a .json file, to go on with on the page.")
QUIET = click.option("--quiet", is_flag=True, help="Print no progress, no notes and no tables.")
FAIL_IF = click.option(
    "--fail-if",
    multiple=True,
    metavar="CONDITION",
    help="End with status 1 where it holds: 'DiSCO>10', 'DiSCO[income]>5', 'repU>2', 'difference(DiSCO)>5', "
    "'F_rel>0.2'. A figure without an answer is not a pass.",
)


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add those of a command that answers one question with tables."""

    @wraps(command)
    def said(**options: Any) -> None:
        try:
            command(**options)
        except NothingEvaluatedError as error:
            end([f"No figure is evaluated. {error}", *_written_of_nothing(error.found, options)])

    return section("What is printed and written", (JSON, WORKBOOK, SAVE, FAIL_IF, QUIET))(said)


def _written_of_nothing(found: NotEvaluated, options: Mapping[str, Any]) -> Iterable[str]:
    """Write the JSON and the workbook that were asked for, each with why nothing is evaluated; yield the conditions."""
    import pandas as pd

    from disclosure_core.export.as_json import results_to_json
    from disclosure_core.export.tables import to_excel

    tables = {"not_evaluated": pd.DataFrame([found.row()])}
    if (path := options["as_json"]) is not None:
        text = results_to_json(tables, warnings=[f"{found.why} {found.needs}"])
        click.echo(text) if path == Path("-") else write(path, text)
    if options["workbook"]:
        write(options["workbook"], to_excel(tables))
    return [f"{text} is not evaluated: {found.why}" for text in options["fail_if"]]


def progress_printer(options: Mapping[str, Any]) -> Callable[[str], None]:
    """Return what prints a sentence on progress, unless the call is to be quiet."""

    def say(text: str) -> None:
        if not options["quiet"]:
            click.echo(printable(text), err=True)

    return say


def said_once_begun(say: Callable[[str], None], text: str) -> Progress:
    """Return what takes a search's reports, and says a sentence at the first: what it asks for is there then."""
    begun = False

    def told(_done: int, _of: int) -> None:
        nonlocal begun
        if not begun:
            say(text)
        begun = True

    return told


def check(options: Mapping[str, Any]) -> None:
    """Say what of the call cannot be done, or would not be used, before anything is read."""
    for text in options.get("fail_if") or ():
        condition(text)
    _consistent_names(options)
    if "figures" in options:
        figure_files.check(options)
    if "report" not in options:
        return
    workbook = options["workbook"]
    if options["shareable"]:
        for name in ("json", "evidence", "figures", "exhibits", "script"):
            if options["as_json" if name == "json" else name]:
                raise DisclosureError(
                    f"--{name} writes exact figures, which are not to be shared; write them in a call without "
                    "--shareable."
                )
        if not reported(options) and not workbook:
            raise DisclosureError("--shareable says how a report is written; add --report or --workbook.")
    if options["level_names"] is not None and not options["shareable"]:
        raise DisclosureError("--level-names does nothing without --shareable; add it, or remove this option.")
    unused(options, "dorig", "shareable")
    unused(options, "date", "report", there=bool(reported(options) or (options["shareable"] and workbook)))
    for name in ("title", "author"):
        kept = options["save"] or options["script"] or (options["shareable"] and workbook)
        unused(options, name, "report", there=bool(reported(options) or kept))
    for name in ("measure", "open") if options["quiet"] or options["as_json"] == Path("-") else ():
        if options[name]:
            raise DisclosureError(f"--{name} says what is printed, and no table is; remove it.")
    for path in reported(options):
        if path.suffix.lower() not in (".pdf", ".html", ".htm"):
            raise DisclosureError(f"A report is a .pdf or an .html file; {path.name} is neither.")
    if options["script"] and options["script"].suffix.lower() not in (".py", ".r"):
        raise DisclosureError(f"A script is a .py or an .R file; {options['script'].name} is neither.")


def reported(options: Mapping[str, Any]) -> list[Path]:
    """Return where the report and its appendix are to be written."""
    return [options[name] for name in ("report", "appendix") if options[name]]


def _consistent_names(options: Mapping[str, Any]) -> None:
    """Say where a saved review could not tell its files apart: it names them without their folders."""
    if not (options.get("save") or options.get("script")):
        return
    places: dict[str, Path] = {}
    of_sets = [path for files in (options.get("sets") or {}).values() for _, path in files]
    beside = [options[name] for name in ("holdout", "population_table") if options.get(name)]
    for path in (*(options.get("files") or ()), *of_sets, *beside):
        if places.setdefault(path.name, path).resolve() != path.resolve():
            raise DisclosureError(
                f"Two files are called {path.name}, and a saved review would mix them up; rename one."
            )


class Answer(NamedTuple):
    """What a command finds of a review."""

    tables: Mapping[str, pd.DataFrame]
    printed: Mapping[str, pd.DataFrame]
    notes: tuple[str, ...] = ()
    complete: bool = True


ALL_EXCLUDED = "with all that is excluded"
"""What stands beside judged figures is called so, where something is excluded without a reason (measures.md 11.5)."""


def write_judged(
    opened: Opened, answer: Callable[[Opened], Answer], options: Mapping[str, Any], say: Callable[[str], None]
) -> list[str]:
    """Print and write what a command finds of the judged figures; return the conditions that hold.

    Where something is excluded without a reason, the same with all that is excluded stands beside it under that name.
    """
    found = answer(opened)
    tables, printed, complete = dict(found.tables), dict(found.printed), found.complete
    if opened.not_judged:
        beside = answer(opened.all_excluded)
        complete = complete and beside.complete
        for name, frame in beside.tables.items():
            if name not in tables or not frame.equals(tables[name]):
                tables[f"{name}_all_excluded"] = frame
        for heading, frame in beside.printed.items():
            if heading not in printed or not frame.equals(printed[heading]):
                printed[f"{heading}, {ALL_EXCLUDED}; no limit judges it"] = frame
    return write_tables(opened, tables, options, say, notes=found.notes, printed=printed, complete=complete)


def write_tables(
    opened: Opened,
    tables: Mapping[str, pd.DataFrame],
    options: Mapping[str, Any],
    say: Callable[[str], None],
    *,
    notes: Iterable[str] = (),
    printed: Mapping[str, pd.DataFrame] | None = None,
    digits: int = 2,
    complete: bool = True,
) -> list[str]:
    """Print and write the tables that answer one question; return the conditions that hold.

    Parameters
    ----------
    tables
        By name, as JSON and workbook hold them.
    notes
        Sentences that stand beside them.
    printed
        By heading, what is printed; `tables` by default.
    digits
        After the point, where they are printed.
    complete
        Whether the search that they are of was finished.
    """
    from disclosure_core.export.as_json import tables_to_json
    from disclosure_core.export.tables import to_excel
    from disclosure_core.review import saved

    remarks = opened.remarks()
    say_remarks(remarks, say)
    notes = (*opened.not_judged, *notes)
    for note in notes:
        say(f"{'Warning' if note in opened.not_judged else 'Note'}: {note}")
    if options["as_json"] == Path("-"):
        click.echo(tables_to_json(opened, tables, notes, complete=complete))
    elif not options["quiet"]:
        for heading, frame in (tables if printed is None else printed).items():
            click.echo(f"\n{printable(heading)}")
            click.echo(as_text(frame, digits) if len(frame) else "none")
    files: list[tuple[Path, bytes | str]] = []
    if options["workbook"]:
        said = {"notes": pd.DataFrame({"note": list(notes)})} if notes else {}
        files.append((options["workbook"], to_excel({**said, **tables})))
    if options["as_json"] and options["as_json"] != Path("-"):
        files.append((options["as_json"], tables_to_json(opened, tables, notes, complete=complete)))
    if options["save"]:
        files.append((options["save"], saved.to_json(opened.review)))
    write_files(files, say)
    return conditions_that_hold(opened, options)


def conditions_that_hold(opened: Opened, options: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each condition that does not pass."""
    return [line for text in options["fail_if"] for line in condition(text)(opened)]


def no_answer(found: NotEvaluated) -> str:
    """Return the sentence with which a command ends whose one question has no answer."""
    return f"No answer: {found.why}"


def end(lines: Iterable[str]) -> NoReturn:
    """Print the conditions that hold, or that there is no answer, and end with status 1 where there are any."""
    lines = list(lines)
    for line in lines:
        click.echo(printable(line), err=True)
    raise SystemExit(1 if lines else 0)


def say_remarks(remarks: Remarks, say: Callable[[str], None], before: Remarks | None = None) -> None:
    """Print what is to be said, without what was said before."""
    from disclosure_core.review.questions import of_code

    known = {note.text for note in before.every} if before else set()
    mismatches = {m.column: m for m in remarks.agreed.mismatches}
    codes = {  # the question and the warning of a group name one code
        text: f" To answer: --missing-code {value}, or --no-missing-code {value}."
        for code in remarks.missing_codes
        for value in (f"{code.column}={code.value}",)
        for text in (of_code(code).text, code.grouped)
    }
    for note in remarks.every:
        if note.text not in known:
            way = ""
            if note.warning and note in remarks.agreement and (found := mismatches.get(note.column or "")):
                ways = [f"To mend it: {found.option}"] if found.option else []
                ways += [f"If its values really differ: --really-different {found.column}"] if found.stops else []
                way = f" {'. '.join(ways)}" if ways else ""
            way = codes.get(note.text, way)
            say(f"{'Warning' if note.warning else 'Note'}: {note.text}{way}")


def write_files(files: Iterable[tuple[Path, bytes | str]], say: Callable[[str], None]) -> None:
    """Write files, and say so of each."""
    for path, data in files:
        write(path, data)
        say(f"Wrote {path}")


def write(path: Path, content: bytes | str) -> None:
    """Write a file whole, and the folders that lead to it; never over what the call reads, nor twice."""
    places.refuse_inputs([path])
    places.write_once(path)
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)  # of a link, where it leads to
    except OSError as error:
        raise DisclosureError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
    place(path, content)


def check_ours(folder: Path, made: Mapping[str, bytes | None], ours: Container[str] = ()) -> None:
    """Refuse to write into a folder over what this program has not written there, or another call from other data.

    Parameters
    ----------
    made
        By name, the bytes of each file that is to be written; None where they are not known yet.
    ours
        Names that may be written over in any case.
    """
    places.refuse_inputs(folder / name for name in made)
    for name, data in made.items():
        there = folder / name
        if there.exists() and name not in ours and not (there.is_file() and there.read_bytes() == data):
            raise DisclosureError(f"{there} is there, and would be lost; name another folder, or remove it.")


def write_into(place: Path, named: Iterable[tuple[str, bytes]], say: Callable[[str], None]) -> None:
    """Write files into a folder or one .zip, and say so."""
    write_files(into(place, named), say)


def into(place: Path, named: Iterable[tuple[str, bytes]]) -> Iterable[tuple[Path, bytes]]:
    """Give files as they lie in a folder, or all of them as one .zip."""
    if place.suffix.lower() == ".zip":
        from disclosure_core.export.archive import archive

        return [(place, archive(named))]
    return ((place / name, data) for name, data in named)
