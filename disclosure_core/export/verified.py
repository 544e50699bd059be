"""A review's figures held against those of the second counter; what it does not count is listed, not passed.

What is held against it is the JSON that leaves (`as_json`): that of this review, or a file that somebody handed over.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError, NothingEvaluatedError
from disclosure_core.export.as_json import rows, to_json
from disclosure_core.export.evidence import check
from disclosure_core.export.recount import Recount
from disclosure_core.review.verified import keep
from disclosure_core.sensitivity import threshold
from disclosure_core.verify.levels import UnreadError

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.verified import Verified


def verify(opened: Opened, stated: str | None = None, progress: Progress | None = None) -> Verified:
    """Return what a second counter, which shares no code with the first, finds of every figure.

    Parameters
    ----------
    opened
        A review with its data.
    stated
        A file of figures (JSON) that was handed over; that of this review by default.
    progress
        Called with the tables held against it, and of how many; what it raises ends it.

    Returns
    -------
    Verified
        How many figures were counted again, which differ, and which are not counted again. Where nothing was handed
        over it is kept, and the report of the same review says so.

    Raises
    ------
    NothingEvaluatedError
        When values do not meet, so that no figure is evaluated.
    DisclosureError
        When the file holds no figures, the keys make too many combinations in an engine, or it is evidence that
        says that it is complete while something is open.
    """
    if stopped := opened.judged.stopped():  # a file that gives a figure all the same does not pass either
        raise NothingEvaluatedError(stopped)
    document = _figures(to_json(opened) if stated is None else stated)
    if stated is not None and "requirements" in (evidence := json.loads(stated)):
        check(opened, evidence)
    if stated is None and opened.review.tau is not None:
        summary = threshold.summary(opened.printed.assessment(), opened.review.tau)
        document["tables"]["tau"] = rows(summary[["target", "original", "synthetic", "min", "max", "sd"]])
    try:
        found = Recount(opened).held_against(document, progress)
    except UnreadError as why:
        raise DisclosureError(f"These keys cannot be counted again: {why}. Choose fewer keys, or group one.") from None
    return keep(opened, found) if stated is None else found


def _figures(document: str) -> dict[str, Any]:
    """Return a file of figures, or of evidence, where what is read of it has its shape."""
    try:
        found = json.loads(document)
        found = found.get("figures", found)
        answer = found.get("answer") or {"rows": []}
        tables = [*found["tables"].values(), answer["rows"]]
        nested = [answer, answer.get("membership") or {}, answer.get("repU") or {}]
        for row in answer["rows"]:
            nested += [row.get("beside_a_guess") or {}, row.get("before") or {}, *(row.get("released") or ())]
        keys = answer.get("membership", {}).get("keys", [])
        whole = (
            all(isinstance(row, dict) for table in tables for row in table)
            and all(isinstance(part, dict) for part in nested)
            and all(isinstance(key, str) for key in keys)
            and not any(isinstance(v, list | dict) for table in tables[:-1] for row in table for v in row.values())
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise DisclosureError("This is no file of figures; give one that --json or --evidence wrote.")
    return dict(found)
