"""Conditions on a column of a table, `copies.twins>1`: any figure of the JSON, every row of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.data.written import names
from disclosure_core.errors import DisclosureError, NotEvaluated, not_found
from disclosure_core.export.figures_file import ASKED, IDS
from disclosure_core.export.tables import names as names_of
from disclosure_core.export.tables import of_name, of_review
from disclosure_core.results import TABLES
from disclosure_core.results.declared import Result
from disclosure_core.results.review_tables import LAST, REVIEW_TABLES, SETS
from disclosure_core.review.inputs import outside_lacks
from disclosure_core.review.unfinished import unfinished
from disclosure_core.rounding import beside_limit, fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from disclosure_core.counting.inequality import Inequality
    from disclosure_core.review.opened import Opened


def lines_of_table(opened: Opened, asked: Inequality, written: str, empty: Callable[[], dict[str, str]]) -> list[str]:
    """Return where a condition on a column holds, or has no answer: what has none is no pass.

    `empty` tells why targets of which every level is excluded have none.
    """
    if stopped := opened.judged.stopped():
        return [f"{written} is not evaluated: {stopped.why}"]
    frame, why = _table(opened, asked.table), opened.judged.not_met()
    if "not evaluated" in frame:
        return [f"{written} is not evaluated: {frame['not evaluated'].iloc[0]}"]
    if asked.what not in (figures := figures_of(asked.table, frame)) and not (frame.empty and asked.what in frame):
        if not figures:
            raise DisclosureError(f"There is no figure in the table {asked.table!r} of this review; name another one.")
        raise not_found("Figure", asked.what, f"of {asked.table!r}", figures)
    known = REVIEW_TABLES.get(asked.table)
    found_nothing = known is not None and known.findings
    told = []
    if known is not None and known.asked is SETS and asked.target in (None, *opened.printed.assessment().targets):
        compared = opened.printed.comparison()
        absent = [*compared.not_evaluated.values(), *compared.left_out]
        told = [f"{written} is not evaluated for all: {each}" for each in absent]
    if "target" in frame:
        if known is not None and not found_nothing:
            why = {**_without_row(opened, frame, outside_lacks(opened.printed) if known.asked.outside else {}), **why}
        elif asked.table in TABLES and isinstance(found := TABLES[asked.table][0].of(opened.printed), Result):
            why = {**found.without_row(asked.table), **why}
        if asked.table not in _OF_EXCLUDED:
            why = {**empty(), **why}
        targets = {*opened.printed.assessment().targets, *why}
        one = targets & {*([] if asked.target is None else (asked.target, *names(asked.target)))}
        of = [name for name in why if not one or name in one]
        told += [f"{written} is not evaluated for {name}: {why[name]}" for name in of]
        if one and one <= {*of}:
            return told
        frame = _named(frame, asked, targets)
        frame = frame[~frame["target"].isin(of)]
    elif (of_keys := [*empty().values()]) and asked.table == "identity":
        return [f"{written} is not evaluated: {of_keys[0]}"]
    else:
        frame = _named(frame, asked, set())
    if frame.empty and not told and not found_nothing:  # what is not there was not counted
        return [f"{written} is not evaluated{f' for {asked.target}' if asked.target else ''}: there is no answer"]
    search = known.asked.search if known else ""
    return [*told, *_rows(frame, asked, written, unfinished(opened.printed).get(search, "") if search else "")]


_OF_EXCLUDED = ("exclusions", "diversity", "scenarios")
"""Tables by target that count what is excluded, too: their figures are no 0 where every record is."""


def _without_row(opened: Opened, frame: pd.DataFrame, lacks: Mapping[str, str] | NotEvaluated) -> dict[str, str]:
    """Return, by target that a table has no row of, why."""
    why = {} if isinstance(lacks, NotEvaluated) else lacks
    there = {*frame["target"]}
    absent = {name: risk for name, risk in opened.printed.assessment().targets.items() if name not in there}
    return {name: why.get(name) or risk.why_empty or "there is no answer" for name, risk in absent.items()}


def _table(opened: Opened, name: str) -> pd.DataFrame:
    """Return a table of a review: of a further result also where the report does not have it."""
    known = {*names_of(opened.review), *LAST, *TABLES}
    if name in known:
        return of_name(opened, name, lambda *_: None)
    tables = of_review(opened)  # on columns, or on what is not evaluated
    if name not in tables:
        raise not_found("Table", name, "of this review", {**tables, **TABLES})
    return tables[name]


def _named(frame: pd.DataFrame, asked: Inequality, targets: set[str]) -> pd.DataFrame:
    """Return the rows that square brackets name: by one text that says which row it is, or by the first several."""
    if asked.target is None:
        return frame
    texts = [frame[name].map(_text) for name in IDS.get(asked.table, ()) if name in frame]
    found = frame[np.logical_or.reduce([each == asked.target for each in texts])] if texts else frame.iloc[:0]
    parts = names(str(asked.target))
    if found.empty and 1 < len(parts) <= len(texts):
        found = frame[np.logical_and.reduce([each == part for each, part in zip(texts, parts, strict=False)])]
    if found.empty and asked.target not in targets:  # of a target, there may be no row
        known = dict.fromkeys(text for each in texts for text in each)
        raise not_found("Row", str(asked.target), f"of {asked.table!r}", known)
    return found


def _text(cell: object) -> str:
    """Return a cell as square brackets name it: 1 for 1.0."""
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def figures_of(table: str, frame: pd.DataFrame) -> list[str]:
    """Return the columns of a table that hold figures: no texts, no truth values, not the numbers of rows."""
    ids = (*IDS.get(table, ()), *ASKED)
    numeric = pd.api.types.is_numeric_dtype
    return [str(n) for n in frame.columns if n not in ids and numeric(frame[n]) and frame[n].dtype != np.bool_]


def _rows(frame: pd.DataFrame, asked: Inequality, written: str, stopped: str) -> list[str]:
    values = frame[asked.what].to_numpy(dtype=float, na_value=np.nan)
    none = np.flatnonzero(np.isnan(values)).tolist()
    hold = [i for i, x in enumerate(values) if x == x and asked.holds(x)]
    told = []
    if none:
        told.append(f"{written} is not evaluated for {_rows_named(frame, none, asked.table)}: there is no answer")
    if hold:
        order = -values[hold] if asked.sign[0] == ">" else values[hold]
        furthest = hold[int(order.argmin())]
        x = values[furthest]
        shown = beside_limit(x, asked.number) if np.isfinite(x) else fixed(x)
        told.append(f"{written} holds for {_rows_named(frame, [furthest, *hold], asked.table)}: {shown}")
    elif stopped:  # what was not looked at may hold
        told.append(f"{written} is not evaluated for all: {stopped}")
    return told


def _rows_named(frame: pd.DataFrame, rows: Sequence[int], table: str) -> str:
    """Return which row the first is, and how many there are."""
    ids = {name: frame[name].iloc[rows[0]] for name in IDS.get(table, ()) if name in frame}
    named = [str(value) if isinstance(value, str) else f"{name} {value}" for name, value in ids.items() if value != ""]
    more = len(set(rows)) - 1
    which = ", ".join(named) or f"row {rows[0] + 1}"
    return which + (f" and {more:,} more row{'s' * (more > 1)}" if more else "")
