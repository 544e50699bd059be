"""What a command leaves behind of a whole review: its options, what is printed, and every file that was asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import figure_files, inputs
from disclosure_core.cli.acting import was_given
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
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.results import Scenarios
from disclosure_core.rounding import printable, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from disclosure_core.review.opened import Opened

from disclosure_core.cli.outputs import (
    FAIL_IF,
    JSON,
    OUTPUT,
    QUIET,
    SAVE,
    WORKBOOK,
    WRITTEN,
    conditions_that_hold,
    into,
    reported,
    say_remarks,
    write_files,
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
    WORKBOOK,
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
    FAIL_IF,
    click.option("--measure", type=click.Choice(list(COMPARED)), help="Of the printed table; DiSCO by default."),
    QUIET,
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on what a whole review leaves, spelt alike for every command."""
    return section("What is printed and written", _OPTIONS)(command)


def write_all(opened: Opened, options: Mapping[str, Any], say: Callable[[str], None]) -> list[str]:
    """Say all that is to be said, print the figures, write what was asked for; return the conditions that hold."""
    from disclosure_core.report.source import files_read

    opened = inputs.with_names(opened, options)
    remarks = opened.remarks()
    say_remarks(remarks, say)
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
    say_remarks(remarks.with_result(result), say, before=remarks)
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
    write_files(_files(opened, options, say), say)
    return [*differing, *conditions_that_hold(opened, options)]


def _nothing_evaluated(
    opened: Opened, stopped: NotEvaluated, options: Mapping[str, Any], say: Callable[[str], None]
) -> list[str]:
    """Write what was asked for of a review of which no figure is evaluated, and say so; return each condition."""
    for name in ("figures", "exhibits"):
        if options[name]:
            say(f"Note: --{name} has nothing to do: no figure is evaluated.")
    _warn_before_sharing(opened, options)
    write_files(_files(opened, {**options, "figures": None, "exhibits": None}, say), say)
    click.echo(printable(f"No figure is evaluated. {stopped.why} {stopped.needs}"), err=True)  # also where it is quiet
    not_counted = ["--verify counted no figure again."] if options["verify"] else []
    return [*not_counted, *conditions_that_hold(opened, options)]


def _counted_again(opened: Opened, say: Callable[[str], None]) -> list[str]:
    """Have the figures counted again, and return a sentence for each that differs."""
    say("Counting again …")
    found = opened.verify()
    say(f"A second counter: {found.line}.")
    return found.sentences


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
        from disclosure_core.report.own_words import version, warning_of_others, warning_of_texts, warning_of_versions
        from disclosure_core.report.source import Report

        made = opened.review.shared
        for warning in (
            warning_of_texts(Report(opened, look)),
            warning_of_others(look.smallest, (each.smallest for each in made)),
            warning_of_versions(version(opened, look.smallest), made),
        ):
            if warning:
                click.echo(printable(f"Warning: {warning}"), err=True)


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
    for path in reported(options):
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

        yield from into(options["figures"], figure_files.files(catalogue.every(opened), options, opened, say))
    if options["exhibits"]:
        from disclosure_core.report import exhibits

        look_of = figure_files.look(options, opened)
        made = list(exhibits.files(opened, figure_files.formats(options), look_of))
        if opened.not_judged:
            beside = exhibits.files(opened.all_excluded, figure_files.formats(options), look_of)
            made += [(f"all-excluded_{name}", data) for name, data in beside]
        yield from into(options["exhibits"], made)
    if options["as_json"] and options["as_json"] != Path("-"):
        yield options["as_json"], to_json(opened)
    if options["evidence"]:
        from disclosure_core.export.evidence import to_evidence

        yield options["evidence"], to_evidence(opened)
    if options["script"]:
        script_of = scripts.python if options["script"].suffix.lower() == ".py" else scripts.r_of
        yield options["script"], script_of(opened)
    if options["save"]:
        from disclosure_core.report.own_words import version

        shared = {*opened.review.shared, *([version(opened, look.smallest)] if look.shareable else [])}
        yield options["save"], saved.to_json(replace(opened.review, shared=tuple(sorted(shared))))


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
