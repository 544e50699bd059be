"""What was read: the files, their columns, and what was done to make them comparable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.review import questions
from pages.shared import show, tables

if TYPE_CHECKING:
    from disclosure_core.data.readers import Reading
    from disclosure_core.data.study import AnyStudy
    from pages.shared.open_review import Session


def notes(s: Session, study: AnyStudy) -> None:
    """List what was done to make the data comparable, warnings first; those not answered stand where they are."""
    found = s.now.remarks().of_data
    asked = {question.text for question in questions.unanswered(s.now)}
    if not found:
        st.markdown(f":material/check: Every file has the same columns, of the same types{_same_levels(study)}.")
        return
    warnings = [n for n in found if n.warning and n.text not in asked]
    for note in warnings:
        st.warning(show.literal(note.text), icon=":material/warning:")
    rest = [n for n in found if not n.warning]
    if rest:
        with st.expander(
            f"{len(rest)} smaller thing{'s' * (len(rest) > 1)} worth knowing",
            icon=":material/list:",
            expanded=len(rest) <= 4,
        ):
            st.markdown("\n".join(f"- {show.literal(n.text)}" for n in rest))


def _same_levels(study: AnyStudy) -> str:
    """Say that every side has the same levels, where that is so; an engine is not asked for all of them."""
    if not study.holds_records:
        return ""
    held = (column.counts[:, :-1] > 0 for column in study.columns.values())
    return ", and levels that all sides use" if all((some == some[0]).all() for some in held) else ""


def _readings(s: Session) -> tuple[Reading, ...]:
    """Return the files as read, that of people outside last; a split and the survey's own people are no file."""
    source, outside = s.review.holdout, s.now.data.holdout
    if source is None or source.kind != "file" or outside is None:
        return s.readings
    return (*s.readings, outside)


def files_read(s: Session) -> None:
    """Show how each file was read, and what is to be said of it."""
    readings = _readings(s)
    if not readings:
        return
    marks = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ".": "point", None: ""}
    rows = [
        {
            "file": r.name,
            "format": r.format,
            "lines": str(r.lines or ""),
            "rows": len(r.table),
            "columns": len(r.table.columns),
            "as": ", ".join(
                f"{what} {marks.get(value, value)}"
                for what, value in (
                    ("delimiter", r.options.delimiter),
                    ("decimal", r.options.decimal),
                    ("encoding", r.options.encoding),
                    ("sheet", r.options.sheet),
                    ("row of names", "none" if r.options.header is False else None),
                )
                if value
            ),
            "sha256": r.sha256[:12],
        }
        for r in readings
    ]
    labels = {
        "file": "File",
        "format": "Format",
        "as": "Read as",
        "lines": st.column_config.TextColumn(
            "Lines", help="Of a text file, as its line ends part it. A line inside quotes is part of a cell, no record."
        ),
        "sha256": st.column_config.TextColumn("SHA-256", help="The first 12 digits of the file's fingerprint."),
    }
    counts = {"rows": tables.records_column("Rows"), "columns": tables.records_column("Columns")}
    tables.table(pd.DataFrame(rows), "The files, their formats, sizes, and fingerprints", {**labels, **counts})
    remarks = _remarks(readings)
    if remarks:
        with st.expander(f"{len(remarks)} remark{'s' * (len(remarks) > 1)} on reading", icon=":material/list:"):
            st.markdown("\n".join(f"- {show.literal(remark)}" for remark in remarks))


def _remarks(readings: Iterable[Reading]) -> list[str]:
    """Return what is to be said of the files, once of all that differ in their example alone."""
    found: dict[str, tuple[list[str], str]] = {}
    for r in readings:
        for note in (*r.warnings, *r.notes):
            found.setdefault(re.sub(r" such as '[^']*'", "", note), ([], note))[0].append(r.name)
    return [f"{', '.join(dict.fromkeys(names))}: {note}" for names, note in found.values()]
