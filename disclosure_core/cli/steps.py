"""Safeguards as a command line spells them: `--step round=income,1000`."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.protection.steps import Step

FORMS = (
    ("remove-replicated", "remove the synthetic records that are unique on the keys and match one original record"),
    ("remove-uniques", "remove synthetic records that are unique on the keys, where these keys are in the original"),
    ("merge=job,10,Other", "merge the levels that fewer than 10 original records have; levels named after it stay"),
    ("group=income,20", "put a numeric column into about 20 groups"),
    ("cap=income,0,5000", "top and bottom code: values beyond an end become that end; an empty end is open"),
    ("round=income,1000", "round to multiples of a number"),
    ("label=label,SYNTHETIC", "add a column that says in every record that the data are synthetic; it moves no figure"),
)
"""How a safeguard is written, by an example of each, and what it does."""


def listed(text: str) -> list[str]:
    """Return the parts of a list with commas; one that holds a comma, or a line break, stands in double quotes."""
    lines = io.StringIO(text, newline="")  # which knows a line break in quotes from one that ends the list
    return [part for row in csv.reader(lines, skipinitialspace=True) for part in row]


def step(text: str) -> Step:
    """Return the safeguard that `--step` names.

    Raises
    ------
    DisclosureError
        When there is none of that name, or a part is missing or not a number.
    """
    from disclosure_core.protection import steps

    name, _, given = text.partition("=")
    parts = listed(given) if given else []
    makers: dict[str, tuple[int, int, Callable[[list[str]], Step]]] = {
        "remove-replicated": (0, 0, lambda _: steps.RemoveReplicated()),
        "remove-uniques": (0, 0, lambda _: steps.RemoveUniques()),
        "merge": (2, 99, lambda p: steps.MergeLevels(p[0], int(p[1]), (p[2:3] or ["Other"])[0], tuple(p[3:]))),
        "group": (2, 2, lambda p: steps.Coarsen(p[0], int(p[1]))),
        "cap": (3, 3, lambda p: steps.Cap(p[0], *(float(end) if end else None for end in p[1:]))),
        "round": (2, 2, lambda p: steps.RoundTo(p[0], float(p[1]))),
        "label": (0, 2, lambda p: steps.AddLabel(*p)),
    }
    form = next((example for example, _ in FORMS if example.split("=")[0] == name), None)
    if form is None:
        raise DisclosureError(f"There is no safeguard {name!r}; choose one of {', '.join(makers)}.")
    fewest, most, make = makers[name]
    try:
        if fewest <= len(parts) <= most:
            return make(parts)
    except ValueError:
        pass
    raise DisclosureError(f"--step {text!r} cannot be read; write it as {form}.")
