"""`disclosure protect`: the safer files of a review whose safeguards were tried on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import asking, leaving
from disclosure_core.cli.manual import Manual

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Write the safer files of a saved review.",
    epilog="Example: disclosure protect review.json --data data/ --output safer/",
)
@click.argument("review", type=asking.EXISTING)
@asking.review_options
@click.option("--output", type=leaving.OUTPUT, required=True, help="Folder for the safer syntheses and the log.")
@click.option("--fail-if", multiple=True, metavar="CONDITION", help="As of assess, of the figures before or after(…).")
@click.option("--quiet", is_flag=True, help="Print no log.")
def protect(review: Path, **asked: Any) -> None:
    """Write the safer syntheses of a saved REVIEW, and the log of what its safeguards did.

    The files have the format they came in; what no safeguard touched is as it came. The original is not among them.

    Exit status: 0 done; 1 a condition of --fail-if holds or has no answer; 2 the call, the review or a file is wrong.
    """
    from disclosure_core.export.safer import LOG, files

    leaving.check(asked)
    say = leaving.sayer(asked)
    opened = asking.open_saved(review, asked, say)
    for name, data in files(opened).items():
        leaving.write(asked["output"] / name, data)
        if name == LOG and not asked["quiet"]:
            click.echo("\n".join(map(leaving.plain, data.decode().splitlines())))
        say(f"Wrote {asked['output'] / name}")
    leaving.end(leaving.held(opened, asked))
