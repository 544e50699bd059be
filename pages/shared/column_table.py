"""The table of columns on Data and Keys: what a row of it says of the column itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from disclosure_core.data import naming
from disclosure_core.data.column import BLANK
from disclosure_core.export.tables import to_lines
from disclosure_core.rounding import visible
from pages.shared.tables import number_of

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
            "label": label_shown(shown, visible(labels.get(name, ""))),
            "cells": cells[name],
            "mark": marked.get(name, ""),
        }
        for name, shown in seen.items()
    ]


def with_lines(table: dict[str, Any], file: str) -> dict[str, Any]:
    """Return what a table of columns shows with what of it can be copied and downloaded: a line for each row."""
    rows, labels = table["rows"], [row["label"] for row in table["rows"]]
    columns: dict[str, list[Any]] = {"column": [row["name"] for row in rows]}
    if any(labels):
        columns["label"] = labels
    for head in table["heads"]:
        cells = [row["cells"][head["id"]] for row in rows]
        text, kind = head["text"], head["kind"]
        if kind == "pair":
            text = text.removesuffix(", original / synthetic")
            for i, side in enumerate(("original", "synthetic")):
                columns[f"{text}, {side}"] = [0.0 if cell is None else number_of(cell["pair"][i]) for cell in cells]
        elif kind == "choice":
            columns[text] = [head["texts"][cell["value"]] for cell in cells]
        elif kind != "bars":
            columns[text] = [None if cell is None else _written(cell) for cell in cells]
    return {**table, "lines": {"file": file, **to_lines(columns)}}


def _written(cell: Mapping[str, Any]) -> Any:
    """Return what a cell says, a number as one."""
    if "options" in cell:
        return dict(cell["options"])[cell["value"]]
    return next(cell[part] for part in ("number", "text", "value") if part in cell)


def label_shown(name: str, label: str) -> str:
    """Return what stands beside a name: its label, where that says more."""
    return "" if label.casefold() == name.casefold() else " ".join(label.split())
