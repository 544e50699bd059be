"""What a comparison leaves as tables, for workbook, JSON, report and command line alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.comparison.candidates import ABOVE
from disclosure_core.comparison.sentences import sentences

if TYPE_CHECKING:
    from disclosure_core.comparison.comparison import Comparison


def tables(found: Comparison) -> dict[str, pd.DataFrame]:
    """Return the tables of a comparison by name.

    Returns
    -------
    dict
        "sets", a row a figure and a column a set; "sets_map", a row a risk, set and synthesis (0: the mean), with mean
        S_pMSE; "sets_differences", each set against the first; "usefulness", a row a set, table and measure's means.
    """
    points = [found.points(risk).assign(risk_is=risk.label, unit=risk.unit) for risk in found.risks]
    useful = [each.usefulness.by_table.assign(set=each.name) for each in found.candidates]
    useful = [frame[["set", *(c for c in frame.columns if c != "set")]] for frame in useful]
    return {
        "sets": found.table(),
        "sets_map": pd.concat(points, ignore_index=True),
        "sets_differences": differences(found),
        "usefulness": pd.concat(useful, ignore_index=True),
    }


def differences(found: Comparison) -> pd.DataFrame:
    """Return how each candidate differs from the first, a row a candidate and figure."""
    first, *others = found.names
    frames = []
    for other in others:
        rows = found.differences(first, other)
        names = [f"{m}, {ABOVE}" if outside else m for m, outside in zip(rows["measure"], rows["above"], strict=True)]
        rows = rows.assign(measure=names).drop(columns="above")
        frames.append(rows.assign(set=first, other=other)[["set", "other", *rows.columns]])
    columns = ["set", "other", "measure", "target", "a", "b", "difference", "low", "high", "lower", "clear"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def against_the_first(found: Comparison) -> tuple[str, ...]:
    """Return what is to be said of the holdout, and of each candidate against the first, each sentence once."""
    first, *others = found.names
    each = [sentence for other in others for sentence in sentences(found, first, other)]
    return (*found.references, *found.doubts, *dict.fromkeys(each), *found.left_out)
