"""What a command leaves behind: figures printed, files written, and conditions that hold, of one opened review."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import pandas as pd

from disclosure_core.cli import figure_files, inputs, places
from disclosure_core.cli.acting import was_given
from disclosure_core.cli.conditions import condition
from disclosure_core.cli.inputs import unused
from disclosure_core.cli.manual import section
from disclosure_core.cli.places import Output
from disclosure_core.cli.printed import (
    as_text,
    print_beside_a_guess,
    print_copies,
    print_described,
    print_figures,
    print_least,
    print_limits,
    print_open,
    print_people_outside,
    summary_as_text,
)
from disclosure_core.counting.registry import COMPARED
from disclosure_core.data.placing import place
from disclosure_core.errors import DisclosureError, NotEvaluated, NothingEvaluatedError, evaluated
from disclosure_core.results import Scenarios
from disclosure_core.rounding import printable, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.remarks import Remarks

WRITTEN = Output()
OUTPUT = Output(folder=True)


JSON = click.option(
    "--json",
    "as_json",
    type=Output(".json", allow_dash=True),
    help="Write the figures as JSON; - prints them, and nothing else.",
)
_WORKBOOK = click.option("--workbook", type=Output(".xlsx"), help="Write every table to one Excel workbook.")
SAVE = click.option("--save", type=Output(".json"), help="Write the review, a .json file, to go on with on the page.")
_QUIET = click.option("--quiet", is_flag=True, help="Print no progress, no notes and no tables.")
_FAIL_IF = click.option(
    "--fail-if",
    multiple=True,
    metavar="CONDITION",
    help="End with status 1 where it holds: 'DiSCO>10', 'DiSCO[income]>5', 'repU>2', 'difference(DiSCO)>5', "
    "'F_rel>0.2'. A figure without an answer is not a pass.",
)
_OPTIONS = (
    click.option(
        "--report", type=WRITTEN, help="Write the report, a .pdf or .html file: page 1 to decide on, and an annex."
    ),
    click.option(
        "--appendix", type=WRITTEN, help="Write its appendix, a .pdf or .html file: all figures, and definitions."
    ),
    click.option("--title", help="Title of the report."),
    click.option("--date", help="Date of the report; today by default."),
    click.option("--author", help="Officer named on the report."),
    click.option(
        "--shareable",
        type=click.IntRange(2),
        metavar="N",
        help="A report, and its tables, that may leave the office: without counts of N or less.",
    ),
    click.option("--level-names/--no-level-names", default=None, help="Whether a shareable report names levels."),
    click.option(
        "--dorig",
        is_flag=True,
        help="Show Dorig and DiSDiO in a shareable report, too: one person can move them by all who share their keys.",
    ),
    _WORKBOOK,
    click.option(
        "--figures", type=OUTPUT, help="Write every figure there: PDF, SVG and PNG, or as --figure-look asks."
    ),
    figure_files.WIDTH,
    figure_files.GREY,
    figure_files.LOOK,
    click.option(
        "--exhibits",
        type=OUTPUT,
        help="Write the papers' tables there, as one workbook, for LaTeX and in Markdown, and their figures; this "
        "draws smaller releases.",
    ),
    JSON,
    click.option(
        "--evidence",
        type=Output(".json"),
        help="Write what regulators and the consensus ask, each with the figure that answers it, and what is open: a "
        ".json file.",
    ),
    click.option(
        "--verify",
        is_flag=True,
        help="Count the figures again with a second counter, as `disclosure verify` does; report and evidence say what "
        "it finds. One that differs ends with status 1.",
    ),
    click.option("--open", is_flag=True, help="List what is still open before a report is signed."),
    click.option("--script", type=WRITTEN, help="Write a script that repeats it: .py, or .R for synthpop."),
    SAVE,
    _FAIL_IF,
    click.option("--measure", type=click.Choice(list(COMPARED)), help="Of the printed table; DiSCO by default."),
    _QUIET,
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on what a whole review leaves, spelt alike for every command."""
    return section("What is printed and written", _OPTIONS)(command)


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add those of a command that answers one question with tables."""

    @wraps(command)
    def said(**options: Any) -> None:
        try:
            command(**options)
        except NothingEvaluatedError as error:
            end([f"No figure is evaluated. {error}", *_written_of_nothing(error.found, options)])

    return section("What is printed and written", (JSON, _WORKBOOK, SAVE, _FAIL_IF, _QUIET))(said)


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
        if not _reported(options) and not workbook:
            raise DisclosureError("--shareable says how a report is written; add --report or --workbook.")
    if options["level_names"] is not None and not options["shareable"]:
        raise DisclosureError("--level-names does nothing without --shareable; add it, or remove this option.")
    unused(options, "dorig", "shareable")
    unused(options, "date", "report", there=bool(_reported(options) or (options["shareable"] and workbook)))
    for name in ("title", "author"):
        kept = options["save"] or options["script"] or (options["shareable"] and workbook)
        unused(options, name, "report", there=bool(_reported(options) or kept))
    if options["measure"] and (options["quiet"] or options["as_json"] == Path("-")):
        raise DisclosureError("--measure says which table is printed, and none is; remove it.")
    for path in _reported(options):
        if path.suffix.lower() not in (".pdf", ".html", ".htm"):
            raise DisclosureError(f"A report is a .pdf or an .html file; {path.name} is neither.")
    if options["script"] and options["script"].suffix.lower() not in (".py", ".r"):
        raise DisclosureError(f"A script is a .py or an .R file; {options['script'].name} is neither.")


def _reported(options: Mapping[str, Any]) -> list[Path]:
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


def write_all(opened: Opened, options: Mapping[str, Any], say: Callable[[str], None]) -> list[str]:
    """Say all that is to be said, print the figures, write what was asked for; return the conditions that hold."""
    from disclosure_core.report.source import files_read

    opened = inputs.with_names(opened, options)
    remarks = opened.remarks()
    _say_remarks(remarks, say)
    for said in opened.which_syntheses:
        say(f"Note: {said}")
    for said in opened.not_judged:
        say(f"Warning: {said}")
    if stopped := opened.judged.stopped():
        return _nothing_evaluated(opened, stopped, options, say)
    say("Counting …")
    result = opened.printed.assessment()
    for file in files_read(opened):
        if file.lines:
            say(f"Read {file.name}: {quantity(file.rows, 'record')} in {file.lines.words}.")
    _say_remarks(remarks.with_result(result), say, before=remarks)
    if not options["quiet"] and options["as_json"] != Path("-"):
        measure = options["measure"] or "DiSCO"
        print_figures(result, opened.review.keys, measure)
        print_copies(opened.printed)
        print_beside_a_guess(result)
        print_people_outside(opened.printed)
        print_described(opened.printed)
        print_least(opened.printed)
        if opened.not_judged:
            click.echo("\nWith all that is excluded, also without a reason; no limit judges it")
            click.echo(summary_as_text(opened.assessment(), measure))
        print_limits(opened)
        click.echo(f"\nVerdicts: {printable(opened.queue().progress)}")
        if opened.review.scenarios:
            scenarios = evaluated(lambda: Scenarios.of(opened.printed, target=None))
            for table, frame in [] if isinstance(scenarios, NotEvaluated) else scenarios.printed():
                click.echo(f"\n{table.caption}")
                click.echo(as_text(frame))
        print_open(opened, every=options["open"])
        for target, why in opened.judged.not_met().items():
            click.echo(f"\nNot evaluated: {printable(target)}. {printable(why)}")
    if options["shareable"]:
        say(EXACT_TABLES)
    differing = _counted_again(opened, say) if options["verify"] else []
    _warn_before_sharing(opened, options)
    _write(_files(opened, options, say), say)
    return [*differing, *conditions_that_hold(opened, options)]


def _nothing_evaluated(
    opened: Opened, stopped: NotEvaluated, options: Mapping[str, Any], say: Callable[[str], None]
) -> list[str]:
    """Write what was asked for of a review of which no figure is evaluated, and say so; return each condition."""
    for name in ("figures", "exhibits"):
        if options[name]:
            say(f"Note: --{name} has nothing to do: no figure is evaluated.")
    _warn_before_sharing(opened, options)
    _write(_files(opened, {**options, "figures": None, "exhibits": None}, say), say)
    click.echo(printable(f"No figure is evaluated. {stopped.why} {stopped.needs}"), err=True)  # also where it is quiet
    not_counted = ["--verify counted no figure again."] if options["verify"] else []
    return [*not_counted, *conditions_that_hold(opened, options)]


def _counted_again(opened: Opened, say: Callable[[str], None]) -> list[str]:
    """Have the figures counted again, and return a sentence for each that differs."""
    say("Counting again …")
    found = opened.verify()
    say(f"A second counter: {found.line}.")
    return found.sentences


class Answer(NamedTuple):
    """What a command finds of a review.

    Attributes
    ----------
    tables, printed, notes, complete
        As of `write_tables`.
    """

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

    Parameters
    ----------
    answer
        Returns what the command finds of a review.
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
    _say_remarks(remarks, say)
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
    _write(files, say)
    return conditions_that_hold(opened, options)


def conditions_that_hold(opened: Opened, options: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each target whose figures differ by two paths, and each condition that does not pass."""
    faults = [] if opened.judged.stopped() else list(opened.judged.unreconciled().values())
    return faults + [line for text in options["fail_if"] for line in condition(text)(opened)]


def end(lines: Iterable[str]) -> None:
    """Print the conditions that hold, and end with status 1 where there are any."""
    lines = list(lines)
    for line in lines:
        click.echo(printable(line), err=True)
    raise SystemExit(1 if lines else 0)


def _say_remarks(remarks: Remarks, say: Callable[[str], None], before: Remarks | None = None) -> None:
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


EXACT_TABLES = (
    "Warning: The tables printed here are exact and stay in the office; the report alone is to be shared. "
    "--quiet prints none."
)
"""What is said where a call makes a shareable report, and prints."""


def _warn_before_sharing(opened: Opened, options: Mapping[str, Any]) -> None:
    """Say which texts of the officer's own name a level of few people, and that another limit was used before.

    It is said also where the call is to be quiet: a pipeline that shares a report is told, too.
    """
    look = _look(options)
    if look.shareable:
        from disclosure_core.report.own_words import warning_of_others, warning_of_texts
        from disclosure_core.report.source import Report

        for warning in (
            warning_of_texts(Report(opened, look)), warning_of_others(look.smallest, opened.review.shared)
        ):  # fmt: skip
            if warning:
                click.echo(printable(f"Warning: {warning}"), err=True)


def _write(files: Iterable[tuple[Path, bytes | str]], say: Callable[[str], None]) -> None:
    for path, data in files:
        write(path, data)
        say(f"Wrote {path}")


def write(path: Path, content: bytes | str) -> None:
    """Write a file whole, and the folders that lead to it; never over what the call reads, nor twice.

    Raises
    ------
    DisclosureError
        When it is such a file, or cannot be written.
    """
    places.refuse_inputs([path])
    places.write_once(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DisclosureError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
    place(path, content)


def _files(
    opened: Opened, options: Mapping[str, Any], say: Callable[[str], None]
) -> Iterable[tuple[Path, bytes | str]]:
    """Give each file that was asked for, and its bytes."""
    from disclosure_core.export import scripts, tables
    from disclosure_core.export.as_json import to_json
    from disclosure_core.review import saved

    look = _look(options)
    if options["as_json"] == Path("-"):
        click.echo(to_json(opened))
    for path in _reported(options):
        from disclosure_core.report import assembled

        form = "pdf" if path.suffix.lower() == ".pdf" else "html"
        yield path, assembled.report(opened, form, replace(look, appendix=path == options["appendix"]))
    if workbook := options["workbook"]:
        from disclosure_core.export.workbook import workbook as every_table
        from disclosure_core.report import assembled

        if options["shareable"]:
            yield workbook, tables.to_excel(assembled.tables(opened, look))
        else:
            yield workbook, every_table(opened)
    if options["figures"]:
        from disclosure_core.results import catalogue

        yield from _into(options["figures"], figure_files.files(catalogue.every(opened), options, say))
    if options["exhibits"]:
        from disclosure_core.report import exhibits

        look_of = figure_files.look(options)
        made = list(exhibits.files(opened, figure_files.formats(options), look_of))
        if opened.not_judged:
            beside = exhibits.files(opened.all_excluded, figure_files.formats(options), look_of)
            made += [(f"all-excluded_{name}", data) for name, data in beside]
        yield from _into(options["exhibits"], made)
    if options["as_json"] and options["as_json"] != Path("-"):
        yield options["as_json"], to_json(opened)
    if options["evidence"]:
        from disclosure_core.export.evidence import to_evidence

        yield options["evidence"], to_evidence(opened)
    if options["script"]:
        script_of = scripts.python if options["script"].suffix.lower() == ".py" else scripts.r_of
        yield options["script"], script_of(opened)
    if options["save"]:
        shared = {*opened.review.shared, *([look.smallest] if look.shareable else [])}
        yield options["save"], saved.to_json(replace(opened.review, shared=tuple(sorted(shared))))


def write_into(place: Path, named: Iterable[tuple[str, bytes]], say: Callable[[str], None]) -> None:
    """Write files into a folder or one .zip, and say so."""
    _write(_into(place, named), say)


def _into(place: Path, named: Iterable[tuple[str, bytes]]) -> Iterable[tuple[Path, bytes]]:
    """Give files as they lie in a folder, or all of them as one .zip."""
    if place.suffix.lower() == ".zip":
        from disclosure_core.export.archive import archive

        return [(place, archive(named))]
    return ((place / name, data) for name, data in named)


def _look(options: Mapping[str, Any]) -> Any:
    """Return how the report is to be."""
    from disclosure_core.report.source import Look

    usual = Look()
    return Look(
        "",
        options["date"] or date.today().isoformat(),
        shareable=was_given(options["shareable"]),
        smallest=options["shareable"] or usual.smallest,
        level_names=options["level_names"] is not False,
        dorig=options["dorig"],
    )
