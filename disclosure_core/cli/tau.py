"""`disclosure tau`: how sure a claim must be to count."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


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
    at = opened.review.tau

    def answer(of: Opened) -> outputs.Answer:
        result = of.printed.assessment()
        curves = threshold.curves(result)
        if at is None:
            shown = curves[curves["tau"].isin([0, 0.25, 0.5, 0.75, 1])]
            heading = "Right claims that are at least so sure, % of the original records"
            return outputs.Answer({"curves": curves}, {heading: shown})
        original, synthetic = threshold.names(at)
        summary = threshold.summary(result, at)
        shown = summary.iloc[::-1].rename(columns={"original": original, "synthetic": synthetic})
        heading = f"Right claims with a probability of {at:g} or more, % of the original records"
        columns = ["target", original, synthetic, "min", "max", "flag"]
        return outputs.Answer({"summary": summary, "curves": curves}, {heading: shown[columns]})

    outputs.end(outputs.write_judged(opened, answer, options, say))
