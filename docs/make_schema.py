"""Writes into `figures.schema.json` what the tables of further results are: run it where a result is declared anew.

`python docs/make_schema.py`, from the folder above. `tests/core/test_further_results.py` holds the file against it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from disclosure_core.results import schema

PLACE = Path(__file__).with_name("figures.schema.json")
DECLARED = re.compile(r'(?:^        "\w+": \{"description": .*\n)+', re.MULTILINE)
"""The lines of declared tables: each stands on a line of its own, and they are the last of all tables."""


def made(text: str) -> str:
    """Return the schema with the tables of further results as they are declared now."""
    lines = [f'        "{name}": {json.dumps(table, ensure_ascii=False)}' for name, table in schema().items()]
    (place,) = DECLARED.finditer(text)
    return text[: place.start()] + ",\n".join(lines) + "\n" + text[place.end() :]


if __name__ == "__main__":
    PLACE.write_text(made(PLACE.read_text(encoding="utf-8")), encoding="utf-8")
