"""Further results in a report: what each says in the annex, its tables and its figure in the appendix.

Page 1 has none of them. A shareable report has those alone whose tables hold what `redaction` wrote.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from disclosure_core.data.typeset import LEVELS, Column
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.report.pieces import table as block_of_table
from disclosure_core.report.source import Block, Report, Section
from disclosure_core.results import RESULTS
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.results.declared import Result
    from disclosure_core.results.table import Table
    from disclosure_core.review.opened import Opened

HEADING = "Further analyses"

MOST_COLUMNS = 10
"""Columns of figures that stand beside each other on a page; more go on in a further table."""

MOST_ROWS = 60
"""Rows of a table that the appendix prints; the workbook has all."""


def with_analyses(source: Report, opened: Opened, told: Progress | None = None) -> Report:
    """Return what a report is made from, with the further results that are to be in it."""
    said: list[Block] = []
    for kind in RESULTS:
        if not kind.is_there(opened) or (source.shareable and not kind.shareable):
            continue
        found = evaluated(lambda kind=kind: kind.of(opened, told))  # type: ignore[misc]  # bound now
        if isinstance(found, NotEvaluated):
            said.append(Block("text", f"{kind.title}: not evaluated. {found.why} {found.needs}".strip()))
            continue
        sentences, rows = found.in_annex()
        said.append(Block("text", f"{kind.title}. {' '.join(sentences)}"))
        tables = {table.name: table for table in kind.tables}
        said += [_typed(tables[name], tables[name].printed(frame)) for name, frame in rows.items()]
        source = source.with_section(Section(kind.title, (), more=tuple(_more(found))))
    return source.with_section(Section(HEADING, tuple(said))) if said else source


def _more(found: Result[Any]) -> list[Block]:
    """Return what the appendix holds of a result: its tables as they are printed, how they are read, its figure."""
    blocks = [_typed(table, part) for table, frame in found.printed() if len(frame) for part in _parts(frame)]
    blocks.append(Block("note", items=(found.reads,)))
    plot = found.figure()
    if plot is None:
        return blocks
    return [
        *blocks,
        Block("figure", f"{plot.title}, {plot.unit}." if hasattr(plot, "unit") else f"{plot.title}.", plot=plot),
    ]


def _parts(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Return a table in parts that a page has room for: columns of one head stay together, as equal as can be."""
    heads = {str(name): str(name).rpartition(LEVELS)[0] for name in frame.columns}
    several = list(dict.fromkeys(filter(None, heads.values())))
    n = math.ceil(sum(map(bool, heads.values())) / MOST_COLUMNS)
    if n < 2:
        return [frame]
    at_once = math.ceil(len(several) / n)
    parts = (several[i : i + at_once] for i in range(0, len(several), at_once))
    return [frame[[name for name, head in heads.items() if not head or head in part]] for part in parts]


def _typed(table: Table, frame: pd.DataFrame) -> Block:
    """Return a table as the report prints it: a unit that all its figures have stands in its caption."""
    ends = {end for span in table.spans.values() for end in span}
    columns = {str(name): table.column(str(name)) for name in frame.columns if name not in ends}
    units = {column.unit for column in columns.values() if column.kind != "text"}
    heads = [column.label if len(units) == 1 else column.head for column in columns.values()]
    shown = frame.head(MOST_ROWS).to_dict("records")
    rows = [[_cell(table, row, name, column) for name, column in columns.items()] for row in shown]
    texts = next((i for i, column in enumerate(columns.values()) if column.kind != "text"), len(columns))
    more = f" The first {MOST_ROWS} of {len(frame):,} rows; the workbook has all." if len(frame) > MOST_ROWS else ""
    return block_of_table(f"{table.caption}.{more}", heads, rows, texts=texts)


def _cell(table: Table, row: Mapping[Hashable, Any], name: str, column: Column) -> str:
    """Return a cell as it is printed: a count without digits, a figure with those of its column, and its interval."""
    cell = row[name]
    if isinstance(cell, str) or column.kind == "text":
        return str(cell).replace("%", " %") if name != "target" else str(cell)
    if name in table.spans:
        value, low, high = (fixed(row[each], column.digits, sign=True) for each in (name, *table.spans[name]))
        return f"{value} ({low} to {high})"
    return fixed(cell, 0 if column.kind == "whole" and float(cell).is_integer() else column.digits)
