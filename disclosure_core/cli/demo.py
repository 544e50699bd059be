"""`disclosure demo`: the demonstration survey as files, so that every example and script runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from disclosure_core.cli import outputs
from disclosure_core.cli.manual import Manual
from disclosure_core.rounding import printable

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Write the demonstration survey as files.",
    epilog="Example: disclosure demo --output survey/",
)
@click.option("--output", type=outputs.FOLDER, required=True, help="Folder for the files.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def demo(output: Path, quiet: bool) -> None:
    """Write the demonstration survey: 5,000 fictional people, five syntheses, a holdout, and a review of them.

    The review is that of `disclosure app --demo`, of these files; `disclosure run survey/review.json --data survey`
    repeats it.
    """
    from disclosure_core.export.demonstration import files

    made = files()
    outputs.check_ours(output, made)
    for name, data in made.items():
        outputs.write(output / name, data)
        if not quiet:
            click.echo(printable(f"Wrote {output / name}"), err=True)
