"""A report fit for a release panel: what it says (`content`, a file a section), as PDF by Typst and as one HTML file.

Both renderers show the same blocks; text from the data reaches them as data and is never read as markup.
"""

from __future__ import annotations

from disclosure_core.report.content import blocks, tables_of
from disclosure_core.report.render import to_html, to_pdf
from disclosure_core.report.source import Block, FileRead, Look, Report, Section
from disclosure_core.report.subsets import with_subsets

__all__ = [
    "Block",
    "FileRead",
    "Look",
    "Report",
    "Section",
    "blocks",
    "tables_of",
    "to_html",
    "to_pdf",
    "with_subsets",
]
