"""Files of figures (JSON) as tests change them, and whether a change is found."""

# Inside: the parts of a file that may differ, and what counts again.

import json

from disclosure_core import DisclosureError
from disclosure_core.export import figures_file
from disclosure_core.export.recount import Recount

ASKED, IDS, is_figure = figures_file.ASKED, figures_file.IDS, figures_file.is_figure

__all__ = ["ASKED", "IDS", "Recount", "figures_file", "is_figure", "is_found", "others"]


def others(value):
    """Return other values: a change of each kind that is possible."""
    if isinstance(value, bool):
        return [("flipped", not value), ("a number", int(value)), ("emptied", None)]
    if isinstance(value, int | float):
        return [
            ("moved", value + 1e-6 * max(abs(value), 1)),
            ("as a text", str(value)),
            ("emptied", None),
            ("as true", True),
        ]
    if value is None:
        return [("a number where there is none", 1.0), ("a text", "")]
    emptied = [("emptied", "")] if value else []
    return [("another text", f"{value} "), *emptied, ("nothing", None), ("a number", 7)]


def is_found(document, made, counted, around=()):
    """Whether a change is found; `around`, the fields that lead to what was changed: all else in them is the same."""
    try:
        given = figures_file.read(json.dumps(document))
    except DisclosureError:
        return True
    return bool(figures_file.differences(only(given, around), only(made, around), counted, "the line"))


def only(document, around):
    """Return a document with what lies within these fields alone, and nothing beside them."""
    if not around or not isinstance(document, dict):
        return document
    return {around[0]: only(document[around[0]], around[1:])}
