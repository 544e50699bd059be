"""`disclosure verify`: every figure of a saved review counted again by a second, plain counter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, engine, inputs, outputs, saved_review
from disclosure_core.cli.manual import Manual
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Count every figure of a saved review again.",
    epilog="Example: disclosure verify review.json --data data/ --figures figures.json",
)
@click.argument("review", type=declared.EXISTING)
@click.option(
    "--figures",
    "stated",
    type=declared.EXISTING,
    help="Figures that somebody handed over, as --json or --evidence writes them; those of the review by default.",
)
@click.option("--quiet", is_flag=True, help="Print the last line, and figures that differ, alone.")
@declared.opened
@engine.options
@declared.again_outside
@declared.sets
def verify(review: Path, stated: Path | None, quiet: bool, **options: Any) -> None:
    """Count the figures of a REVIEW again, with a second counter that shares no code with the first.

    Each figure of report and evidence file is held against it. A figure that differs is named; figures that are not
    counted again (intervals, searches) are listed, and are in no count. Data in DuckDB are named again, as for
    `disclosure run`.

    Exit status: 0 every figure counted again is the same; 1 one differs, or none was counted; 2 the call, the review or
    a file is wrong.
    """
    from disclosure_core.export.verified import verify as verified

    inputs.check_again(options)
    say = outputs.progress_printer({"quiet": quiet})
    opened = saved_review.open_saved(review, options, say)
    say("Counting again …")
    try:
        given = None if stated is None else stated.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DisclosureError(f"{stated} is no text in UTF-8; give a file that --json or --evidence wrote.") from None
    found = verified(opened, given)
    for what, n in found.not_counted.items() if not quiet else ():
        say(f"Not counted again, made by the program alone: {what}, {n:,}.")
    click.echo(found.line)
    outputs.end(found.sentences)
