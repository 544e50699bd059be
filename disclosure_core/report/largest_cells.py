"""The largest cells that DiSCO counts, and the records in them: for the office only."""

from __future__ import annotations

import numpy as np

from disclosure_core.data.column import with_records
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading
from disclosure_core.report.source import Block, Report

MOST_TARGETS, MOST_CELLS, MOST_RECORDS = 5, 8, 6
"""Targets of concern, cells a target and records a cell that a report lists."""


def blocks(source: Report) -> list[Block]:
    """List the largest cells of the targets of concern, and the original's records in them: for the office only."""
    if source.shareable or not source.look.cells or not source.study.holds_records:
        return []
    found = [
        heading("The cells behind the figures"),
        Block(
            "text",
            "For the targets with most to learn, the largest cells that DiSCO counts in the first synthesis. Records are "
            "numbered as in the original file, from 1.",
        ),
    ]
    for name in source.assessment.summary()["target"].tolist()[::-1][:MOST_TARGETS]:
        counted = source.assessment.targets[name].counted[0]
        cells, keys = counted.cells, source.assessment.keys
        largest = counted.disclosed[np.argsort(-counted.d[counted.disclosed], kind="stable")][:MOST_CELLS]
        rows = []
        for at in largest.tolist():
            q, t = int(cells.q[at]), int(cells.target[at])
            levels = ", ".join(
                redaction.level(source, k.name, k.label(int(c[q]))) for k, c in zip(keys.keys, keys.levels, strict=True)
            )
            records = np.flatnonzero((keys.original == q) & (with_records(cells.column).original == t))
            listed = ", ".join(str(r + 1) for r in records[:MOST_RECORDS].tolist())
            more = " …" if records.size > MOST_RECORDS else ""
            rows.append(
                (
                    levels,
                    redaction.level(source, name, cells.column.label(t)),
                    f"{counted.d[at]:,}",
                    f"{cells.s[at]:,}",
                    listed + more,
                )
            )
        if rows:
            columns = ("Keys", name, "Original", "Synthetic", "Records of the original")
            caption = f"{name}: original and synthetic records in each cell."
            found.append(Block("table", caption, columns=columns, rows=tuple(rows), figures=frozenset({2, 3})))
    return found
