"""A review's figures as JSON: every table, what was said, and what was asked. docs/figures.schema.json describes it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.errors import NotEvaluated
from disclosure_core.export.tables import of_review
from disclosure_core.report.answer import answer
from disclosure_core.report.completeness import still_open
from disclosure_core.report.source import FileRead, files_read
from disclosure_core.review import least
from disclosure_core.review import verdicts as of_verdicts
from disclosure_core.review.reasons import without_reason
from disclosure_core.review.unfinished import unfinished
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

VERSION = 1
"""Of the form of this JSON; raised when a reader of the old form would misread the new."""


def to_json(opened: Opened) -> str:
    """Return all figures of a review as JSON.

    Returns
    -------
    str
        schema_version; disclosure, the program's version; files, each with role, name, records, sha256, and of
        a text lines and lines_inside_quotes, those of an adopted set as they are handed out; safeguards, what is in
        those; settings,
        those of the judged figures; excluded_without_reason, what else is excluded, by name, and acts on no judged
        figure; not_evaluated, by target why none of its figures is; really_different, the columns that do not meet and
        of which it was answered that their values differ; keys, in the order of the data; mends and assumptions;
        notes, all that was said, and warnings, what of
        it may change what figures mean; agreement, by column the shares that meet; answer, every figure against the
        office's limits as page 1 of the report has it; verdicts, each with the figure it was given at and whether it
        still stands; complete, whether every search among the tables was finished: else its largest figure is at least
        so much; tables, by name, a list of rows. A figure without an answer is "NaN", one without bound
        "Infinity" or "-Infinity"; null is a text that is not there.
    """
    left = [{"about": each.about, "what": each.what} for each in still_open(opened)]
    more = {"answer": answer(opened).to_plain() | {"open": left}, "verdicts": rows(of_verdicts.table(opened))}
    sought = None if opened.judged.stopped() else least.reported(opened.printed)
    notes = [*opened.which_syntheses, *opened.not_judged]
    if sought is not None and not isinstance(sought, NotEvaluated):
        notes += [sought.asked, sought.sentence, sought.promise, *sought.notes]
    found = of_review(opened)
    stopped = {} if opened.judged.stopped() else unfinished(opened.printed)
    notes += [f"{name}: {each}." for name, each in stopped.items()]
    return tables_to_json(opened, found, notes, complete=not stopped, **more)


def tables_to_json(
    opened: Opened,
    tables: Mapping[str, pd.DataFrame],
    notes: Iterable[str] = (),
    *,
    complete: bool = True,
    **more: Any,
) -> str:
    """Return other tables in the same form."""
    judged, said = opened.judged, opened.remarks()
    if not judged.can_learn():  # values do not meet, or there is no target: nothing was assessed
        settings, keys = judged.review.settings, opened.study().in_data_order(judged.review.keys)
    else:
        result = opened.printed.assessment()
        said, settings, keys = said.with_result(result), result.settings, tuple(key.name for key in result.keys.keys)
    found: dict[str, Any] = {
        "schema_version": VERSION,
        "disclosure": __version__,
        "files": [_file(f) for f in files_read(opened)],
        "settings": json.loads(settings.to_json()),
        "excluded_without_reason": list(without_reason(opened.review.settings.left_out, opened.review.reasons)),
        "released": [
            {"file": f.name, "role": f.role, "sha256": f.sha256}
            for i in opened.review.released.get(opened.first_set, ())
            for f in files_read(opened)
            if f.role == f"Synthesis {i}"
        ],
        "safeguards": list(opened.safeguards_adopted),
        "complete": complete,
        "not_evaluated": judged.not_met(),
        "really_different": sorted(opened.differing),
        "keys": list(keys),
        "mends": {name: list(kinds) for name, kinds in said.mends.items()},
        "assumptions": dict(said.answers),
        "notes": [*opened.differences, *(note.text for note in said.every), *notes],
        "warnings": [*opened.differences, *(note.text for note in said.every if note.warning), *opened.not_judged],
        "agreement": [
            {"column": c.column, "original": list(map(plain, c.original)), "synthetic": list(map(plain, c.synthetic))}
            for c in said.agreed.columns
        ],
        **more,
        "tables": {name: rows(frame) for name, frame in tables.items()},
    }
    return json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)


def _file(f: FileRead) -> dict[str, Any]:
    """Return which file it is, its records, and of a text its receipt: its lines, and those inside quotes."""
    lines = {} if f.lines is None else {"lines": f.lines.lines, "lines_inside_quotes": f.lines.quoted}
    return {"role": f.role, "name": f.name, "sha256": f.sha256, "records": f.rows, **lines}


def results_to_json(tables: Mapping[str, pd.DataFrame], **more: Any) -> str:
    """Return the tables of a result in the same form, without what belongs to a review and its files."""
    found = {"schema_version": VERSION, "disclosure": __version__, **more}
    found["tables"] = {name: rows(frame) for name, frame in tables.items()}
    return json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as JSON can hold them, every digit of a figure kept."""
    columns = [(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
    lists = [[plain(value) for value in _values(column)] for _, column in columns]
    names = [name for name, _ in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


def _values(column: pd.Series[Any]) -> list[Any]:
    """Return values as Python has them; None for a text that is not there."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.tolist()
    return [None if value is None or value is pd.NA or value != value else value for value in column.tolist()]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: a figure without an answer as "NaN", one without bound as "Infinity"."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        if math.isnan(number):
            return "NaN"
        return number if math.isfinite(number) else f"{'-' * (number < 0)}Infinity"
    return str(value)
