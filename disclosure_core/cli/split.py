"""`disclosure split`: an original in two, so that there is a holdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.cli import acting, asked, from_models, outputs
from disclosure_core.cli import declared as shared
from disclosure_core.cli.manual import Manual, section
from disclosure_core.data.placing import called
from disclosure_core.data.written import names
from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import declared
from disclosure_core.review.parts import Holdout
from disclosure_core.rounding import printable

if TYPE_CHECKING:
    from pathlib import Path


class Asked(Parameters):
    """How the original is split."""

    share: float = declared(Holdout, "share", default=80)
    seed: int = declared(Holdout, "seed", default=1)
    keys: str | None = Field(
        None,
        description="Print how many members will share these keys with somebody outside.",
        json_schema_extra={"metavar": "NAMES"},
    )


@click.command(
    cls=Manual,
    short_help="Split an original, so that there is a holdout.",
    epilog="Example: disclosure split people.csv --share 80 --seed 1 --output parts/",
)
@click.argument("original", type=shared.EXISTING)
@section("", from_models.options(Asked, kept=False))
@click.option("--output", type=outputs.FOLDER, required=True, help="Folder for the two files.")
@shared.reading
@click.option("--quiet", is_flag=True, help="Print nothing.")
def split(original: Path, **options: Any) -> None:
    """Split the ORIGINAL at random into a training part to be synthesised and a holdout to measure with.

    Both are written in the format of the original, and are as confidential as it. Then: synthesise the training part
    alone, and assess the syntheses with `disclosure assess training… synthetic… --holdout holdout…`; or keep the
    original whole, and assess them with `disclosure assess original… synthetic… --split 80 --seed 1`.
    """
    from disclosure_core.data.readers import read
    from disclosure_core.holdout.split import reach, reach_in_words
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
    outputs.check_ours(options["output"], parts)
    for name, data in parts.items():
        outputs.write(options["output"] / name, data)
        say(f"Wrote {options['output'] / name}")
    if options["keys"]:
        keys = names(options["keys"])
        members, unique = reach(readings[0].frame, keys, options["share"] / 100, options["seed"])
        if not options["quiet"]:
            click.echo(printable(reach_in_words(keys, members, unique)))
