"""Figures that a command writes: the options on how wide and in which colours, and the files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli.acting import was_given
from disclosure_core.cli.inputs import unused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from disclosure_core.figures.catalogue import Plot
    from disclosure_core.figures.look import Look

SIZES = {"85": "column", "180": "page", "slide": "slide"}
"""By what `--figure-width` says, the size that figures call so."""

WIDTH = click.option(
    "--figure-width",
    type=click.Choice(list(SIZES)),
    help="Of the figures: 85 mm (one column), 180 mm (two; by default), or a slide of 16:9.",
)
GREY = click.option(
    "--grey", is_flag=True, help="The figures in greys; pattern, mark or dash tells apart what colours do."
)


def check(options: Mapping[str, Any]) -> None:
    """Say that how figures look does nothing where none are written."""
    for name in ("figure_width", "grey"):
        there = any(was_given(options.get(place)) for place in ("figures", "exhibits"))
        unused(options, name, "figures" if "exhibits" not in options else "--figures or --exhibits", there=there)


def look(options: Mapping[str, Any]) -> Look:
    """Return how the call asks that figures are printed."""
    from disclosure_core.figures.look import Look

    return Look(SIZES[options["figure_width"] or "180"], options["grey"])


def files(
    plots: Iterable[tuple[str, str | None, Plot]], options: Mapping[str, Any], say: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """Give each figure as PDF, SVG and PNG, and say of which that it takes several pages, a file each.

    Parameters
    ----------
    plots
        Name, target where it is of one, and what is shown.
    options
        Of the call.
    say
        Prints a sentence.
    """
    from disclosure_core.figures import catalogue, paper

    for name, target, plot in plots:
        asked = replace(look(options), title=catalogue.heading(name, plot))
        parts = paper.pages(plot, asked)
        if len(parts) > 1:
            say(f"Note: {plot.title} takes {len(parts)} pages, each a file: {name}_1-of-{len(parts)} and so on.")
        for ending in paper.FORMATS:
            yield from paper.files(name, plot, ending, asked, target, parts=parts)
