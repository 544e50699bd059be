"""Figures as they are written in tables, sentences and files, for tests that expect a text."""

# Inside: numbers, tables and sheets as they are written, before they are in a file.

from disclosure_core.export import workbook
from disclosure_core.export.as_json import rows
from disclosure_core.export.evidence import to_evidence
from disclosure_core.export.tables import of_review
from disclosure_core.review import safer
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

about, names_of_sheets, sheets = workbook.about, workbook.names, workbook.sheets
LOG, safer_files = safer.LOG, safer.files
