"""`disclosure release-size`: the measures of fewer records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


@click.command(
    "release-size",
    cls=Manual,
    short_help="Measure a release of fewer records.",
    epilog="Example: disclosure release-size people.csv release.csv --keys sex,age --repeats 5",
)
@declared.files
@click.option(
    "--repeats", type=click.IntRange(1), default=10, show_default=True, help="Random orders of each synthesis."
)
@click.option(
    "--draw-seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Where the orders start."
)
@outputs.table_options
def release_size(**options: Any) -> None:
    """Draw random parts of each synthesis, 5 % to the whole, and measure each.

    FILES are an original and its syntheses, or a saved review.
    """
    from disclosure_core.sensitivity import release_size as sizes

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)

    def answer(of: Opened) -> outputs.Answer:
        found = sizes.sizes(of.printed.assessment(), options["repeats"], options["draw_seed"])
        bands = found.attribute
        shown = bands[bands["measure"].isin(["DiSCO", "DCAPd"]) & bands["share"].isin([5, 20, 50, 100])]
        keys = found.identity[found.identity["share"].isin([5, 20, 50, 100])]
        printed = {
            "Mean and band (5 to 95 % of the draws), % of the original records": shown.drop(columns=["sd", "samples"]),
            "The same of the keys": keys.drop(columns=["sd", "samples"]),
        }
        return outputs.Answer({"release_size": bands, "release_size_identity": found.identity}, printed)

    outputs.end(outputs.write_judged(opened, answer, options, say))
