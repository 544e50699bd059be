"""Figures as they are written in tables, sentences and files, for tests that expect a text."""

# Inside: numbers, tables and sheets as they are written, before they are in a file.

from disclosure_core.export.as_json import rows
from disclosure_core.export.evidence import to_evidence
from disclosure_core.export.tables import of_review
from disclosure_core.export.workbook import about, sheets
from disclosure_core.export.workbook import names as names_of_sheets
from disclosure_core.review.safer import LOG
from disclosure_core.review.safer import files as safer_files
from disclosure_core.rounding import few, fixed, percent, rounded, score, visible

__all__ = [
    "LOG",
    "about",
    "few",
    "fixed",
    "names_of_sheets",
    "of_review",
    "percent",
    "rounded",
    "rows",
    "safer_files",
    "score",
    "sheets",
    "to_evidence",
    "visible",
]
