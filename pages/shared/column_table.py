"""The table of columns on Data and Keys: what a row of it says of the column itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.data import naming
from disclosure_core.data.column import BLANK
from disclosure_core.rounding import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST = 24
"""Letters of a name; of a longer one the middle is cut, and all of it stands under the pointer."""


def rows(
    names: Iterable[str],
    labels: Mapping[str, str],
    cells: Mapping[str, Mapping[str, Any]],
    marked: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return a row a column: its name as it is, as a person sees it and cut; its label; a cell under each head.

    `marked` are the columns whose row is shaded: "strong", or "asks" where something is to be answered.
    """
    seen = {name: visible(name) if name.strip() else BLANK for name in names}
    short = naming.cut(seen.values(), LONGEST)
    return [
        {
            "name": name,
            "whole": shown,
            "shown": short[shown],
            "label": _beside(shown, visible(labels.get(name, ""))),
            "cells": cells[name],
            "mark": marked.get(name, ""),
        }
        for name, shown in seen.items()
    ]


def _beside(name: str, label: str) -> str:
    return "" if label.casefold() == name.casefold() else " ".join(label.split())
