"""`disclosure compare`: sets of syntheses side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import asking, leaving
from disclosure_core.cli.manual import Manual
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@click.command(
    cls=Manual,
    short_help="Compare methods: what each gives away, and what it is good for.",
    epilog="Example: disclosure compare people.csv --set cart cart/ --set gan gan.zip --keys sex,age",
)
@asking.files
@click.option(
    "--set",
    "named",
    type=(str, click.Path(exists=True, path_type=Path)),
    multiple=True,
    metavar="NAME FILE",
    help="A file, or a folder of files, of the set NAME; repeat it. Files of one NAME are one set.",
)
@click.option("--figures", type=leaving.OUTPUT, help="Write the risk-utility map there: PDF, SVG and PNG.")
@leaving.table_options
def compare(**asked: Any) -> None:
    """Compare sets of syntheses of one ORIGINAL: risk against usefulness, with what they differ in.

    FILES are the original, with the syntheses named by --set; or a saved review, whose sets and safeguards are
    compared.
    Figures of one set alone, and --fail-if, are of the first.
    """
    from disclosure_core.comparison.tables import differences, said, tables

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
        asked["sets"] = _sets(named)
    leaving.check(asked)
    say = leaving.sayer(asked)
    opened = asking.open_asked(asked, say)
    say("Counting the tables of every set …")
    found = opened.comparison()
    printed = {
        "Set by set, means over the syntheses; lower is safer, and for S_pMSE more useful": found.table(),
        "Against the first set, with 95 % intervals of the difference over syntheses": differences(found),
    }
    lines = leaving.leave_tables(opened, tables(found), asked, say, notes=said(found), printed=printed)
    if asked["figures"]:
        from disclosure_core.figures import paper, risk_utility

        plot = risk_utility.describe(found)
        for ending in paper.FORMATS:
            path = asked["figures"] / paper.file_name("risk-utility", ending)
            leaving.write(path, paper.draw(plot, ending))
            say(f"Wrote {path}")
    leaving.end(lines)


def _sets(named: Iterable[tuple[str, Path]]) -> dict[str, list[tuple[str, Path]]]:
    """Return, by the name of a set, its files; a folder stands for the data files in it."""
    from disclosure_core.data.readers import EXTENSIONS

    sets: dict[str, list[tuple[str, Path]]] = {}
    for name, path in named:
        given = [path]
        if path.is_dir():
            given = sorted(p for p in path.iterdir() if p.is_file() and p.suffix.lower() in EXTENSIONS)
            if not given:
                raise DisclosureError(f"The folder {path} holds no data file; name another.")
        sets.setdefault(name, []).extend((each.name, each) for each in given)
    return sets
