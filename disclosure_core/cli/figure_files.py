"""Figures that a command writes: the options on how wide and in which colours, and the files."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli.acting import was_given
from disclosure_core.cli.inputs import unused
from disclosure_core.data.written import named, names, once
from disclosure_core.errors import DisclosureError, not_found

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from disclosure_core.figures.look import Look
    from disclosure_core.figures.plot import Plot
    from disclosure_core.review.opened import Opened

SLIDE = "slide"


def _width(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and value != SLIDE and not re.fullmatch(r"\d{1,3}(\.\d+)?", value):
        raise click.BadParameter(f"{value!r} is no width: give millimetres, such as 85, 114 or 180, or slide.")
    return value


WIDTH = click.option(
    "--figure-width",
    metavar="MM|slide",
    callback=_width,
    help="Of the figures, in mm: 85 (one column), 88, 114, 174, 180 (two columns; by default) …; or a slide of 16:9.",
)
GREY = click.option(
    "--grey", is_flag=True, help="The figures in greys; pattern, mark or dash tells apart what colours do."
)
LOOK = click.option(
    "--figure-look",
    multiple=True,
    metavar="WHAT=VALUE",
    help="What figures show, and how: label:abroad=Has lived abroad, colour:synthetic=#AA3377, targets=a,b, "
    "order=name|targets, height=60, flags=no, font=FAMILY, text=outlines|text, format=pdf,svg,png,eps,tiff, dpi=600.",
)
_LOOK = re.compile("([^:=]*)([:=])(.*)", re.DOTALL)
_WHAT = ("label", "colour", "targets", "order", "height", "flags", "font", "text", "format", "dpi")


def check(options: Mapping[str, Any]) -> None:
    """Say that how figures look does nothing where none are written, and what of it cannot be."""
    for name in ("figure_width", "grey", "figure_look"):
        there = any(was_given(options.get(place)) for place in ("figures", "exhibits"))
        unused(options, name, "figures" if "exhibits" not in options else "--figures or --exhibits", there=there)
    if was_given(options.get("figure_look")):
        look(options)
        formats(options)


def look(options: Mapping[str, Any], opened: Opened | None = None) -> Look:
    """Return how the call asks that figures are printed."""
    from disclosure_core.figures.look import Look

    known = (*opened.study().columns, *opened.set_names) if opened else ()
    asked: dict[str, Any] = {"labels": {}, "colours": {}}
    for what, of, value in _asked(options, known):
        if what in ("label", "colour"):
            asked[f"{what}s"][of] = value
        elif what == "targets":
            asked[what] = names(value)
        elif what in ("height", "dpi"):
            asked["height_mm" if what == "height" else what] = _number(what, value)
        elif what == "flags":
            asked[what] = _yes(value)
        elif what != "format":
            asked[what] = value
    width = options["figure_width"]
    size = {"size": SLIDE} if width == SLIDE else {} if width is None else {"width_mm": float(width)}
    return Look(grey=options["grey"], **size, **asked)


def formats(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return in which formats figures are written."""
    from disclosure_core.figures.look import FORMATS, USUAL

    given = [value for what, _, value in _asked(options) if what == "format"]
    found = tuple(dict.fromkeys(each.strip().lower() for value in given for each in value.split(",")))
    for each in found:
        if each not in FORMATS:
            raise DisclosureError(f"There is no format {each!r} of figures; choose among {', '.join(FORMATS)}.")
    return found or USUAL


def _asked(options: Mapping[str, Any], known: Collection[str] = ()) -> list[tuple[str, str, str]]:
    """Return what --figure-look says: what, of which name where it is of one, and the value."""
    asked = []
    for text in options.get("figure_look") or ():
        read = _LOOK.fullmatch(text)
        what, mark, rest = read.groups() if read else ("", "", "")
        found = named(rest, known) if mark == ":" else ("", rest)
        if what not in _WHAT or found is None or (what in ("label", "colour")) != (mark == ":"):
            raise DisclosureError(
                f"--figure-look {text!r} is not read: write WHAT=VALUE, such as label:abroad=Has lived abroad, "
                "colour:synthetic=#AA3377, height=60 or flags=no."
            )
        asked.append((what, *found))
    one_each = (((what, of), value) for what, of, value in asked if what != "format")
    once(one_each, "--figure-look", lambda key: ":".join(key) if key[0] in ("label", "colour") else key[0])
    return asked


def _number(what: str, value: str) -> float:
    try:
        return int(value) if what == "dpi" else float(value)
    except ValueError:
        raise DisclosureError(f"--figure-look {what}={value} is no number; give one, such as {what}=300.") from None


def _yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise DisclosureError(f"--figure-look flags={value} is neither yes nor no.")
    return value == "yes"


def files(
    plots: Iterable[tuple[str, str | None, Plot]],
    options: Mapping[str, Any],
    opened: Opened,
    say: Callable[[str], None],
) -> Iterator[tuple[str, bytes]]:
    """Give each figure in its formats, and say of which that it takes several pages, a file each."""
    from disclosure_core.figures import paper
    from disclosure_core.figures.chosen import chosen, narrowed, targets_of
    from disclosure_core.figures.look import Look
    from disclosure_core.results import catalogue

    usual, listed = look(options, opened), list(plots)
    shown = dict.fromkeys(each for *_, plot in listed for each in targets_of(plot))
    for each in usual.targets:
        if each not in shown:
            raise not_found("Target", each, "in these figures", shown)
    for each in usual.labels:
        if all(chosen(plot, Look(labels={each: ""}))[0] == plot for *_, plot in listed):
            raise DisclosureError(
                f"--figure-look label:{each} does nothing: these figures have no such name; correct it or take it away."
            )
    for name, target, plot in listed:
        asked = narrowed(plot, replace(usual, title=catalogue.heading(name, plot)))
        if asked is None:
            continue
        parts = paper.pages(plot, asked)
        if len(parts) > 1:
            say(f"Note: {plot.title} takes {len(parts)} pages, each a file: {name}_1-of-{len(parts)} and so on.")
        for ending in formats(options):
            yield from paper.files(name, plot, ending, asked, target, parts=parts)
