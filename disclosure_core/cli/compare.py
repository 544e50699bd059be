"""`disclosure compare`: sets of syntheses side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import asking, leaving
from disclosure_core.cli.manual import Manual
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Compare methods: what each gives away, and what it is good for.",
    epilog="Example: disclosure compare people.csv --set cart cart/ --set gan gan.zip --keys sex,age",
)
@asking.files
@asking.sets
@click.option("--figures", type=leaving.OUTPUT, help="Write the risk-utility map there: PDF, SVG and PNG.")
@leaving.table_options
def compare(**asked: Any) -> None:
    """Compare sets of syntheses of one ORIGINAL: risk against usefulness, with what they differ in.

    FILES are the original, with the syntheses named by --set; or a saved review, whose sets and safeguards are
    compared.
    Figures of one set alone, and --fail-if, are of the first.
    """
    from disclosure_core.comparison.tables import against_the_first, differences, tables

    named = asked.pop("named")
    files: Sequence[Path] = asked["files"]
    if asking.is_review(files):
        if named:
            raise DisclosureError("A saved review names its sets itself; leave --set out.")
    elif len(files) > 1:
        raise DisclosureError("Give one original, and name the set of each synthetic file: --set NAME FILE.")
    elif not named:
        raise DisclosureError("Name the sets of synthetic files: --set NAME FILE, repeated.")
    else:
        asked["sets"] = asking.sets_of(named)
    leaving.check(asked)
    say = leaving.progress_printer(asked)
    opened = asking.open_asked(asked, say)
    say("Counting the tables of every set …")
    found = opened.comparison()
    printed = {
        "Set by set, means over the syntheses; lower is safer, and for S_pMSE more useful": found.table(),
        "Against the first set, with 95 % intervals of the difference over syntheses": differences(found),
    }
    lines = leaving.leave_tables(opened, tables(found), asked, say, notes=against_the_first(found), printed=printed)
    if asked["figures"]:
        from disclosure_core.figures import paper, risk_utility

        plot = risk_utility.describe(found)
        for ending in paper.FORMATS:
            path = asked["figures"] / paper.file_name("risk-utility", ending)
            leaving.write(path, paper.draw(plot, ending))
            say(f"Wrote {path}")
    leaving.end(lines)
