"""What safeguards make of data in DuckDB: safer studies, people outside beside them, records named, tables written."""

from __future__ import annotations

from disclosure_core.engines.duckdb_column import DuckDBColumn
from disclosure_core.engines.duckdb_outside import DuckDBJoined
from disclosure_core.engines.duckdb_study import DuckDBStudy
from disclosure_core.protection.duckdb_marked import Marked
from disclosure_core.protection.duckdb_written import written
from disclosure_core.protection.in_engine import SaferStudy
from disclosure_core.protection.seen_there import SeenThrough

__all__ = ["Marked", "Safer", "Seen", "written"]


class Safer(SaferStudy[DuckDBColumn], DuckDBStudy):
    """What a step left of a study that DuckDB reads."""


class Seen(SeenThrough[DuckDBColumn], DuckDBJoined):
    """People outside beside it, seen through the same step."""
