"""`disclosure tau`: how sure a claim must be to count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual


@click.command(
    cls=Manual,
    short_help="Count claims that are at least so sure.",
    epilog="Example: disclosure tau people.csv release.csv --keys sex,age,region --tau 0.8",
)
@declared.files
@click.option(
    "--tau",
    "at",
    type=click.FloatRange(0, 1),
    help="How sure a claim must be; that of the review, or else the curve is printed.",
)
@outputs.table_options
def tau(**options: Any) -> None:
    """Count claims that are at least so sure, from DCAPd (τ = 0) to DiSCO (τ = 1).

    FILES are an original and its syntheses, or a saved review.
    """
    from disclosure_core.sensitivity import threshold

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    if options["at"] is not None:
        opened = opened.with_review(replace(opened.review, tau=options["at"]))
    result, at = opened.printed.assessment(), opened.review.tau
    curves = threshold.curves(result)
    tables = {"curves": curves}
    if at is None:
        printed = {
            "Right claims that are at least so sure, % of the original records": curves[
                curves["tau"].isin([0, 0.25, 0.5, 0.75, 1])
            ]
        }
    else:
        original, synthetic = threshold.names(at)
        summary = threshold.summary(result, at)
        tables = {"summary": summary, **tables}
        shown = summary.iloc[::-1].rename(columns={"original": original, "synthetic": synthetic})
        printed = {
            f"Right claims with a probability of {at:g} or more, % of the original records": shown[
                ["target", original, synthetic, "min", "max", "flag"]
            ]
        }
    outputs.end(outputs.write_tables(opened, tables, options, say, printed=printed))
