"""A command for each further result: its options are the parameters, and it prints and writes what the result holds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click
import pandas as pd

from disclosure_core.cli import acting, declared, from_models, inputs, outputs
from disclosure_core.cli.manual import Manual, section
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.results import RESULTS, Population
from disclosure_core.review.inputs import Inputs
from disclosure_core.review.value import Review

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from disclosure_core.results import Kind
    from disclosure_core.review.opened import Opened


def commands() -> Iterator[click.Command]:
    """Give the command of each further result."""
    for kind in RESULTS:
        command: Any = partial(_run, kind)
        common = {name for name, part in kind.of_review() if part.every_command}
        command = section("", from_models.options(kind.asks, but=common))(outputs.table_options(command))
        yield click.command(
            kind.short,
            cls=Manual,
            short_help=kind.purpose,
            help=f"{kind.question}\n\n{kind.reads}\n\nFILES are an original and its syntheses, or a saved review.",
            epilog=f"Example: disclosure {kind.short} people.csv release.csv --keys sex,age {kind.example}".rstrip(),
        )(declared.files(command))


def _nothing_more(_opened: Opened, _found: Any) -> tuple[dict[str, pd.DataFrame], list[str]]:
    return {}, []


def _population(opened: Opened, _found: Any) -> tuple[dict[str, pd.DataFrame], list[str]]:
    population = Population.of(opened)
    return ({}, []) if isinstance(population, NotEvaluated) else (population.evaluated(), population.sentences())


def _curves(_opened: Opened, found: Any) -> tuple[dict[str, pd.DataFrame], list[str]]:
    return {"curves": found.every_point()}, []


STILL: dict[str, Callable[[Opened, Any], tuple[dict[str, pd.DataFrame], list[str]]]] = {
    "anonymity": _population,
    "tau": _curves,
}
"""What a command wrote before its question was declared, and writes still: tables by name, and sentences."""


def _run(kind: Kind, **options: Any) -> None:
    """Open the data, ask the question, print and write its tables and what it says."""
    given = {n: options[n] for n in kind.asks.model_fields if n in options and acting.was_given(options[n])}
    kind.asked_of(Review(), **given)  # mistakes come first
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    own = {name for name, part in kind.of_review() if part.every_command}
    opened = opened.with_review(kind.with_asked(opened.review, **{n: v for n, v in given.items() if n not in own}))

    lacking: list[str] = []

    def answer(of: Opened) -> outputs.Answer:
        """Return what the result is of the judged figures, or of those with all that is excluded."""
        printed, told = of.printed, None
        if kind.takes_long(Inputs(printed), kind.asked_of(printed.review)):
            told = outputs.said_once_begun(say, f"{kind.title} …")
        found = kind.of(printed, told)
        if isinstance(found, NotEvaluated):
            if of is opened and not kind.may_be_none:
                raise DisclosureError(f"{found.why} {found.needs}".strip())
            if of is opened:
                lacking.append(outputs.no_answer(found))
            why = pd.DataFrame([found.row()])
            note = f"{kind.title}: not evaluated. {found.why} {found.needs}".rstrip()
            named = [table.name for table in kind.tables if kind.may_be_none or table.there(of)]
            return outputs.Answer(dict.fromkeys(named, why), {kind.title: why}, (note,))
        shown = {table.caption: frame for table, frame in found.printed() if len(frame)}
        tables, sentences = STILL.get(kind.short, _nothing_more)(printed, found)
        return outputs.Answer({**found.evaluated(), **tables}, shown, (*found.sentences(), *sentences))

    lines = outputs.write_judged(opened, answer, options, say)
    outputs.end([*lacking, *lines])
