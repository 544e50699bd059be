"""Writes into `figures.schema.json` what tables are, as their registries say it: run it where one is new.

`python docs/make_schema.py`, from the folder above. `tests/core/test_further_results.py` holds the file against it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from disclosure_core.counting.registry import ATTRIBUTE, BY_NAME, CAPS, CLAIMS, IDENTITY
from disclosure_core.report.columns import columns
from disclosure_core.results import schema
from disclosure_core.results.review_tables import LAST, REVIEW_TABLES

if TYPE_CHECKING:
    from collections.abc import Collection

PLACE = Path(__file__).with_name("figures.schema.json")
DECLARED = re.compile(r'(?:^        "\w+": \{"description": .*\n)+', re.MULTILINE)
"""The lines of declared tables: each stands on a line of its own, and they are the last of all tables."""

FIGURE: dict[str, object] = {"$ref": "#/$defs/figure"}
TEXT: dict[str, object] = {"type": "string"}
WHOLE: dict[str, object] = {"type": "integer"}
TARGET = {"target": TEXT}
SYNTHESIS = {"synthesis": WHOLE | {"minimum": 1}}


def of_reviews(others: Collection[str]) -> dict[str, dict[str, object]]:
    """Return what the other tables of a review are: which cells say which row one is."""
    cell = {"$ref": "#/$defs/cell"}
    found: dict[str, dict[str, object]] = {}
    for name, table in REVIEW_TABLES.items():
        if name not in others:
            ids = dict.fromkeys(table.ids, cell)
            row = {"type": "object", "properties": ids, "additionalProperties": cell}
            found[name] = {"description": f"{table.holds}.", "type": "array", "items": row}
    return found


def of_measures() -> dict[str, dict[str, object]]:
    """Return what the tables of measures are, from their registry: by name, a list of rows."""
    spread = dict.fromkeys(("original", "synthetic", "min", "max", "sd"), FIGURE)
    flags = {"one_way": WHOLE, "two_way": WHOLE, "flag": TEXT}
    tables = {
        "identity": SYNTHESIS | _figures(IDENTITY),
        "attribute": TARGET | SYNTHESIS | _figures(ATTRIBUTE),
        "caps": TARGET | SYNTHESIS | _figures(CAPS),
        "summary": TARGET | spread | flags | _figures(CLAIMS) | {"comparison": TEXT},
    }
    found: dict[str, dict[str, object]] = {}
    for name, cells in tables.items():
        row = {"type": "object", "required": list(cells), "properties": cells, "additionalProperties": False}
        rows = {"anyOf": [row, {"$ref": "#/$defs/not_evaluated"}]}
        found[name] = {"description": f"{REVIEW_TABLES[name].holds}.", "type": "array", "items": rows}
    return found


def _figures(names: tuple[str, ...]) -> dict[str, dict[str, object]]:
    heads = columns("summary")
    return {name: FIGURE | {"description": f"{heads[name].head}: {BY_NAME[name].says}."} for name in names}


def made(text: str) -> str:
    """Return the schema with the tables of measures, reviews and further results as they are declared now."""
    tables = of_measures()
    tables |= of_reviews({*tables, *LAST}) | schema()
    lines = [f'        "{name}": {json.dumps(table, ensure_ascii=False)}' for name, table in tables.items()]
    (place,) = DECLARED.finditer(text)
    return text[: place.start()] + ",\n".join(lines) + "\n" + text[place.end() :]


if __name__ == "__main__":
    PLACE.write_text(made(PLACE.read_text(encoding="utf-8")), encoding="utf-8")
