"""Further results: questions beside the measures, each declared once, in a file of its own.

To add one, write its file (`anonymity.py` is short) and put its class into `RESULTS`. From there it has a command, a
page, a section in the report, tables in JSON, workbook, LaTeX and Markdown, conditions of `--fail-if`, a figure in the
catalogue, and a place where the second counter counts it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.errors import NotEvaluated, evaluated, not_found
from disclosure_core.holdout.partition import NO_HOLDOUT
from disclosure_core.results.anonymity import Anonymity
from disclosure_core.results.fewer_records import FewerRecords
from disclosure_core.results.near_misses import NearMisses
from disclosure_core.results.population import Population
from disclosure_core.results.review_tables import REVIEW_TABLES
from disclosure_core.results.scenarios import Scenarios
from disclosure_core.results.tau import Tau
from disclosure_core.results.together import Together
from disclosure_core.results.usefulness import TableUsefulness

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.results.declared import Result
    from disclosure_core.results.table import Table
    from disclosure_core.review.opened import Opened

    Kind = type[Result[Any]]

__all__ = [
    "RESULTS",
    "TABLES",
    "Anonymity",
    "FewerRecords",
    "NearMisses",
    "Population",
    "Scenarios",
    "TableUsefulness",
    "Tau",
    "Together",
    "named",
]

RESULTS: tuple[Kind, ...] = (Tau, NearMisses, Scenarios, Anonymity, Population, Together, FewerRecords, TableUsefulness)
"""In the order in which an office meets them."""

TABLES: dict[str, tuple[Kind, Table]] = {table.name: (kind, table) for kind in RESULTS for table in kind.tables}
"""Every table of a result by name, with the result that it is of."""

MAIN = {
    **{name: table.main for name, table in REVIEW_TABLES.items() if table.main},
    **{name: table.main for name, (_, table) in TABLES.items()},
}
"""By table, the figure that is meant where a condition names the table alone."""


def named(short: str) -> Kind:
    """Return a result by what it is called.

    Raises
    ------
    DisclosureError
        When there is none.
    """
    by_name = {kind.short: kind for kind in RESULTS}
    if short not in by_name:
        raise not_found("Analysis", short, "known here", by_name)
    return by_name[short]


def names_of_tables(opened: Opened) -> list[str]:
    """Return the tables that report, workbook and JSON of a review hold, without computing one."""
    return [t.name for kind in RESULTS if kind.in_report(opened.review) for t in kind.tables if t.there(opened)]


def table_of(opened: Opened, name: str, progress: Progress | None = None) -> pd.DataFrame | NotEvaluated:
    """Return one table of a further result, whether or not report and JSON hold it; or why it is not evaluated."""
    kind, table = TABLES[name]
    found = evaluated(lambda: kind.of(opened, progress))
    if isinstance(found, NotEvaluated):
        return found
    if not table.there(opened) and table.outside:
        return NO_HOLDOUT
    return found.frames().get(name, NOT_THERE)


NOT_THERE = NotEvaluated("It is not evaluated for any target.", "The notes say why.")


def schema() -> dict[str, dict[str, object]]:
    """Return, for docs/figures.schema.json, what the tables of further results are: by name, a list of rows."""
    kinds: dict[str, dict[str, object]] = {
        "text": {"type": "string"},
        "whole": {"type": "number"},
        "figure": {"$ref": "#/$defs/figure"},
    }
    found: dict[str, dict[str, object]] = {}
    for name, (_, table) in TABLES.items():
        cells = {
            n: {**kinds[c.kind], "description": ". ".join(filter(None, (c.head, c.says)))}
            for n, c in table.columns.items()
        }
        row = {"required": list(cells), "properties": cells, "additionalProperties": False}
        found[name] = {
            "description": f"{table.described}; one row that says why where it is not evaluated.",
            "type": "array",
            "items": {"anyOf": [{"type": "object", **row}, {"$ref": "#/$defs/not_evaluated"}]},
        }
    return found
