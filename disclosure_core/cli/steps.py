"""Safeguards as a command line spells them: `--step round=income,1000`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from disclosure_core.data.written import listed
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.data.column import Variable
    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.protection.steps import Step

FORMS = (
    ("remove-replicated", "remove the synthetic records that are unique on the keys and match one original record"),
    ("remove-uniques", "remove synthetic records that are unique on the keys, where these keys are in the original"),
    ("remove-claims=income", "remove the synthetic records whose keys all have one level of a target"),
    ("merge=job,10,Other", "merge the levels that fewer than 10 original records have; levels named after it stay"),
    ("group=income,20", "put a numeric column into about 20 groups"),
    ("cap=income,0,5000", "top and bottom code: values beyond an end become that end; an empty end is open"),
    ("round=income,1000", "round to multiples of a number, half away from zero"),
    ("breaks=age,18,30,65", "put a numeric column into intervals that begin at your own breaks"),
    ("recode=job,Office,clerk,secretary", "merge levels into Office; Missing names empty cells, (blank) a blank text"),
    ("band=age,5", "bands of 5; of dates month, quarter, year or decade; of codes prefix:2; or a CSV file of a table"),
    ("blank=income", "blank a target where all synthetic records with the same keys have one level of it"),
    ("label=label,SYNTHETIC", "add a column that says in every record that the data are synthetic; it moves no figure"),
)
"""How a safeguard is written, by an example of each, and what it does."""


def step(text: str) -> Step:
    """Return the safeguard that `--step` names."""
    from disclosure_core.protection import steps

    name, _, given = text.partition("=")
    parts = listed(given) if given else []
    makers: dict[str, tuple[int, int, Callable[[list[str]], Step]]] = {
        "remove-replicated": (0, 0, lambda _: steps.RemoveReplicated()),
        "remove-uniques": (0, 0, lambda _: steps.RemoveUniques()),
        "remove-claims": (1, 1, lambda p: steps.RemoveClaims(*p)),
        "merge": (2, 99, lambda p: steps.MergeLevels(p[0], int(p[1]), (p[2:3] or ["Other"])[0], tuple(p[3:]))),
        "group": (2, 2, lambda p: steps.Coarsen(p[0], int(p[1]))),
        "cap": (3, 3, lambda p: steps.Cap(p[0], *(float(end) if end else None for end in p[1:]))),
        "round": (2, 2, lambda p: steps.RoundTo(p[0], float(p[1]))),
        "breaks": (2, 99, lambda p: steps.Breaks(p[0], tuple(map(float, p[1:])))),
        "recode": (3, 9_999, lambda p: steps.Recode(p[0], p[1], tuple(p[2:]))),
        "band": (2, 2, lambda p: band(*p)),
        "blank": (1, 1, lambda p: steps.BlankClaims(*p)),
        "label": (0, 2, lambda p: steps.AddLabel(*p)),
    }
    form = next((example for example, _ in FORMS if example.split("=")[0] == name), None)
    if form is None:
        raise DisclosureError(f"There is no safeguard {name!r}; choose one of {', '.join(makers)}.")
    fewest, most, make = makers[name]
    try:
        if fewest <= len(parts) <= most:
            return make(parts)
    except (TypeError, ValueError):
        pass
    raise DisclosureError(f"--step {text!r} cannot be read; write it as {form}.")


def band(column: str, level: str) -> Step:
    """Return the step to a coarser level: one that is written, or the first parents in a CSV file."""
    from disclosure_core.protection.steps import Band

    table = table_from(level)
    if table is None:
        return Band(column, level)
    return Band(column, f"the groups in {Path(level).name}", tuple((row[0], row[1]) for row in table.rows))


def hierarchy_from(levels: str, column: Variable) -> Hierarchy:
    """Return the hierarchy that is written, or stands in a CSV file."""
    from disclosure_core.data.hierarchies import Hierarchy

    return table_from(levels) or Hierarchy.parsed(levels, column)


def table_from(text: str) -> Hierarchy | None:
    """Return the table in a CSV file; None where no file is named."""
    from disclosure_core.data.hierarchies import Hierarchy

    path = Path(text)
    if path.suffix.lower() not in (".csv", ".txt", ".tsv"):
        return None
    try:
        return Hierarchy.read(path.read_bytes(), path.name)
    except OSError as error:
        raise DisclosureError(f"{path} cannot be read ({error.strerror}); check it.") from None
