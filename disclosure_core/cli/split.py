"""`disclosure split`: an original in two, so that there is a holdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import acting, asked, declared, outputs, places
from disclosure_core.cli.manual import Manual
from disclosure_core.data.placing import called
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Split an original, so that there is a holdout.",
    epilog="Example: disclosure split people.csv --share 80 --seed 1 --output parts/",
)
@click.argument("original", type=declared.EXISTING)
@click.option(
    "--share",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=80,
    show_default=True,
    help="Training part, % of the records.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=1,
    show_default=True,
    help="Note it down: with the same file and share it gives the same parts.",
)
@click.option("--output", type=outputs.OUTPUT, required=True, help="Folder for the two files.")
@click.option("--keys", metavar="NAMES", help="Print how many members will share these keys with somebody outside.")
@declared.reading_options
@click.option("--quiet", is_flag=True, help="Print nothing.")
def split(original: Path, **options: Any) -> None:
    """Split the ORIGINAL at random into a training part to be synthesised and a holdout to measure with.

    Both are written in the format of the original, and are as confidential as it. Then: synthesise the training part
    alone, and assess the syntheses with `disclosure assess training… synthetic… --holdout holdout…`; or keep the
    original whole, and assess them with `disclosure assess original… synthetic… --split 80 --seed 1`.
    """
    from disclosure_core.data.readers import read
    from disclosure_core.holdout.partition import reach, reach_in_words
    from disclosure_core.review.outside import as_files

    if options["decimal"] is not None:
        raise DisclosureError(
            "--decimal does nothing in `disclosure split`: values are written as they came. Remove it."
        )
    acting.check("split", {**options, "files": (original,)})
    say = outputs.progress_printer(options)
    asked.check_files(options, [original])
    readings = read(original, called(original), asked.read_options(options, original))
    if len(readings) > 1:
        raise DisclosureError(f"{called(original)} holds {len(readings)} tables; give the original as a file with one.")
    parts = as_files(readings[0], options["share"], options["seed"])
    places.refuse_inputs(options["output"] / name for name in parts)
    for name, data in parts.items():
        outputs.write(options["output"] / name, data)
        say(f"Wrote {options['output'] / name}")
    if options["keys"]:
        keys = asked.names(options["keys"])
        members, unique = reach(readings[0].frame, keys, options["share"] / 100, options["seed"])
        if not options["quiet"]:
            click.echo(reach_in_words(keys, members, unique))
