"""Tables that leave the page: CSV, Parquet and one Excel workbook; numbers stay numbers, text never runs."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.errors import DisclosureError
from disclosure_core.measures import COMPARED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.assessment import Assessment

_RUNS = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
"""How a text begins that a spreadsheet may run: the wide signs count in East Asian versions, and blanks are dropped."""

_MOST_ROWS = 1_048_575
"""Rows below the header that a sheet of Excel has room for."""

_NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?$")


def tables(assessment: Assessment) -> dict[str, pd.DataFrame]:
    """Return every table of an assessment by name: a row a target, synthesis, check or exclusion; % unless said.

    Returns
    -------
    dict
        "summary" (a row a target and comparison), "identity", "attribute", "caps", "one_way", "two_way", "exclusions".
    """
    risks = assessment.targets
    summaries = [assessment.summary(m).assign(comparison=f"{s} against {o}") for m, (o, s) in COMPARED.items()]
    one_way = [
        {"target": name, "synthesis": i, **{f: getattr(check, f) for f in _ONE_WAY}}
        for name, risk in risks.items()
        for i, check in enumerate(risk.one_way, 1)
        if check is not None
    ]
    return {
        "summary": pd.concat(summaries, ignore_index=True),
        "identity": assessment.identity.reset_index(),
        "attribute": _stacked({name: risk.attribute.reset_index() for name, risk in risks.items()}),
        "caps": _stacked({name: risk.caps.reset_index() for name, risk in risks.items()}),
        "one_way": pd.DataFrame(one_way, columns=["target", "synthesis", *_ONE_WAY]),
        "two_way": _stacked(
            {n: pd.concat([f.assign(synthesis=i) for i, f in enumerate(r.two_way, 1)]) for n, r in risks.items()}
        ),
        "exclusions": _stacked(
            {
                n: pd.concat([f.reset_index().assign(synthesis=i) for i, f in enumerate(r.exclusions, 1)])
                for n, r in risks.items()
            }
        ),
    }


_ONE_WAY = ("level", "n_level", "pct_level", "n_disclosive", "n_disclosive_level", "pct_disclosive")


def _stacked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the frames of all targets under each other, with the target's name first."""
    stacked = pd.concat([frame.assign(target=name) for name, frame in frames.items()], ignore_index=True)
    first = [c for c in ("target", "synthesis") if c in stacked.columns]
    return stacked[[*first, *(c for c in stacked.columns if c not in first)]]


def to_csv(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV that no spreadsheet runs: a text that could be a formula begins with an apostrophe."""
    safe = frame.rename(columns=_quiet)
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name].dtype):
            safe[name] = safe[name].map(_quiet, na_action="ignore")
    return safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode("utf-8-sig")


def _quiet(value: object) -> object:
    if isinstance(value, str) and _RUNS.match(value) and not _NUMBER.match(value):
        return f"'{value}"
    return value


def to_parquet(frame: pd.DataFrame) -> bytes:
    """Return a table as Parquet, every value as it is."""
    sink = io.BytesIO()
    frame.to_parquet(sink, index=False)
    return sink.getvalue()


def to_excel(sheets: Mapping[str, pd.DataFrame]) -> bytes:
    """Return one workbook, a sheet a table; text is written as text, so that nothing in it is a formula or a link.

    Raises
    ------
    DisclosureError
        When a table has more rows than a sheet.
    """
    import xlsxwriter

    sink = io.BytesIO()
    quiet = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(sink, quiet) as book:
        head = book.add_format({"bold": True, "bottom": 1})
        plain = book.add_format({"num_format": "0.00"})
        for name, frame in zip(_sheet_names(sheets), sheets.values(), strict=True):
            if len(frame) > _MOST_ROWS:
                raise DisclosureError(f"The table {name!r} has more rows than a sheet of Excel; take CSV or Parquet.")
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 1)
            for j, column in enumerate(frame.columns):
                sheet.write_string(0, j, str(column), head)
                real = pd.api.types.is_float_dtype(frame[column].dtype)
                for i, value in enumerate(frame[column].tolist(), 1):
                    if pd.isna(value) or (isinstance(value, float) and not np.isfinite(value)):
                        continue
                    if isinstance(value, bool):
                        sheet.write_boolean(i, j, value)
                    elif isinstance(value, (int, float)):
                        sheet.write_number(i, j, value, plain if real else None)
                    else:
                        sheet.write_string(i, j, str(value))
            sheet.autofit()
    return sink.getvalue()


def _sheet_names(sheets: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return names that Excel takes: 31 letters at most, no brackets, slashes and such, each once."""
    names: list[str] = []
    for raw in sheets:
        name = re.sub(r"[\[\]:*?/\\]", " ", raw).strip("' ")[:31] or "table"
        n = 2
        while name.lower() in (taken.lower() for taken in names):
            name = f"{name[:27]} ({n})"
            n += 1
        names.append(name)
    return names
