"""`disclosure membership`: whether somebody can tell that a person was in the data that were synthesised."""

from __future__ import annotations

from typing import Any

import click
import pandas as pd

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual
from disclosure_core.rounding import fixed, printable


@click.command(
    cls=Manual,
    short_help="Tell members from people outside.",
    epilog="Example: disclosure membership training.csv release.csv --keys sex,age --holdout holdout.csv "
    "--population 1000000 --assume same-population=yes --assume membership-is-news=yes",
)
@declared.files
@declared.subsets
@outputs.table_options
def membership(**options: Any) -> None:
    """Tell members from others: FILES are an original and its syntheses, or a saved review.

    It needs a holdout (--holdout or --split), the population's size, and answers to --assume same-population and
    membership-is-news; where they do not fit, it says why there is no figure. Every subset of the keys is searched.
    """
    from disclosure_core.errors import NotEvaluated, NothingEvaluatedError
    from disclosure_core.results.review_tables import joined_keys

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    if stopped := opened.judged.stopped():
        raise NothingEvaluatedError(stopped)
    opened = inputs.with_subsets(opened, options)
    found = opened.membership(outputs.said_once_begun(say, "Searching the subsets of the keys …"))
    if isinstance(found, NotEvaluated):
        frame = pd.DataFrame([found.row()])
        if not options["quiet"]:
            click.echo(printable(f"Not evaluated. {found.why} {found.needs}"))
        lines = outputs.write_tables(opened, {"membership": frame}, options, say, printed={})
        outputs.end([outputs.no_answer(found), *lines])
    summary = joined_keys(found.summary(), "worst_keys")
    tables = {
        "membership": summary,
        "all_keys": found.all_keys(),
        "by_number_of_keys": found.curve(1.0, "F_rel"),
        "subsets": joined_keys(found.figures(1.0)),
    }
    shown = summary[["beta", "F_naive", "F", "F_rel", "worst_F", "worst_F_rel", "worst_keys"]]
    counts = found.decisive()
    worst = f"{'' if found.complete else 'at least '}{fixed(counts['worst_F_rel'], 4)}"
    which = "the motive" if found.threat_model.beta is not None else "the largest F_rel"
    notes = [
        f"The figure that counts, by {which}: β = {counts['beta']:g}, F_rel {worst} for the worst subset, "
        f"{fixed(counts['F_rel'], 4)} for all keys.",
        *found.notes,
    ]
    of_those = found.coverage.of_those
    printed = {f"F of guessing, of all keys and of the worst subset{of_those}, by β; shares from 0 to 1": shown}
    outputs.end(
        outputs.write_tables(
            opened, tables, options, say, notes=notes, printed=printed, digits=4, complete=found.complete
        )
    )
