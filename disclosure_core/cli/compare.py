"""`disclosure compare`: sets of syntheses side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Compare methods: what each discloses, and its usefulness.",
    epilog="Example: disclosure compare people.csv --set cart cart/ --set gan gan.zip --keys sex,age",
)
@declared.files
@declared.sets
@click.option("--figures", type=outputs.OUTPUT, help="Write the risk-utility map there: PDF, SVG and PNG.")
@outputs.table_options
def compare(**options: Any) -> None:
    """Compare sets of syntheses of one ORIGINAL: risk against usefulness, with what they differ in.

    FILES are the original, with the syntheses named by --set; or a saved review, whose sets and safeguards are
    compared.
    Figures of one set alone, and --fail-if, are of the first.
    """
    from disclosure_core.comparison.tables import against_the_first, differences, tables

    named = options.pop("named")
    files: Sequence[Path] = options["files"]
    if inputs.is_review(files):
        if named:
            raise DisclosureError("A saved review names its sets itself; remove --set.")
    elif len(files) > 1:
        raise DisclosureError("Give one original, and name the set of each synthetic file: --set NAME FILE.")
    elif not named:
        raise DisclosureError("Name the sets of synthetic files: --set NAME FILE, repeated.")
    else:
        options["sets"] = inputs.sets_of(named)
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    say("Counting the tables of every set …")
    found = opened.comparison()
    printed = {
        "Set by set, means over the syntheses; lower is safer, and for S_pMSE more useful": found.table(),
        "Against the first set, with 95 % intervals of the difference over syntheses": differences(found),
    }
    lines = outputs.write_tables(opened, tables(found), options, say, notes=against_the_first(found), printed=printed)
    if options["figures"]:
        from disclosure_core.figures import paper, risk_utility

        plot = risk_utility.describe(found)
        for ending in paper.FORMATS:
            path = options["figures"] / paper.file_name("risk-utility", ending)
            outputs.write(path, paper.draw(plot, ending))
            say(f"Wrote {path}")
    outputs.end(lines)
