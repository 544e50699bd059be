"""`disclosure run`: a saved review repeated, as the page showed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, engine, inputs, outputs, saved_review, whole_review
from disclosure_core.cli.manual import Manual

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Repeat a saved review.",
    epilog="Example: disclosure run review.json --data data/ --report report.pdf",
)
@click.argument("review", type=declared.EXISTING)
@declared.opened
@engine.options
@declared.again_outside
@declared.sets
@declared.answers
@whole_review.options
def run(review: Path, **options: Any) -> None:
    """Repeat a REVIEW that was saved on the page or by a command, and print and write its figures.

    Each file is read as it was read then. One whose content differs is named, and ends the run unless --other-data is
    given. The demonstration survey needs no --data. A review of data in an engine holds no address: name the data
    again, by --engine, --original and --synthetic (or --set), and --holdout where it has people outside.

    Exit status: 0 done; 1 a condition of --fail-if holds or has no answer, or --verify finds a difference or nothing to
    count; 2 the call, the review or a file is wrong.
    """
    inputs.check_again(options)
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.answered(saved_review.open_saved(review, options, say), options)
    outputs.end(whole_review.write_all(opened, options, say))
