"""A review's figures held against those of the second counter, and a file against what the review makes.

The second counter counts the figures of the JSON that leaves (`as_json`). A file that somebody handed over is compared
with that JSON, made anew, field by field: so nothing in it, counted again or not, is passed unseen.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError, NothingEvaluatedError
from disclosure_core.export import figures_file, tables
from disclosure_core.export.as_json import rows, to_json
from disclosure_core.export.evidence import check, to_evidence
from disclosure_core.export.recount import Recount
from disclosure_core.results import TABLES
from disclosure_core.results.review_tables import REVIEW_TABLES
from disclosure_core.review.verified import Difference, Verified, keep
from disclosure_core.sensitivity import threshold
from disclosure_core.verify.levels import UnreadError

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened


def verify(opened: Opened, stated: str | None = None, progress: Progress | None = None) -> Verified:
    """Return what a second counter, which shares no code with the first, finds of every figure.

    Parameters
    ----------
    opened
        A review with its data.
    stated
        A file of figures or of evidence (JSON) that was handed over. Every field of it is compared with the one that
        the review makes from the data; the version that wrote it alone may be another.
    progress
        Called with the tables held against it, and of how many; what it raises ends it.

    Returns
    -------
    Verified
        How many figures were counted again, what differs, and which figures the program alone makes. Where nothing
        was handed over it is kept, and the report of the same review says so.

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
    given = None if stated is None else figures_file.read(stated)
    of_evidence = given is not None and "requirements" in given
    if given is not None and of_evidence:
        check(opened, given)
    document = json.loads(to_json(opened))
    counted = {**document, "tables": dict(document["tables"])}
    if opened.review.tau is not None:
        summary = threshold.summary(opened.printed.assessment(), opened.review.tau)
        counted["tables"]["tau"] = rows(summary[["target", "original", "synthetic", "min", "max", "sd"]])
    try:
        recount = Recount(opened)
        found, places = recount.held_against(counted, progress)
    except UnreadError as why:
        raise DisclosureError(f"These keys cannot be counted again: {why}. Choose fewer keys, or group one.") from None
    wanted = {*tables.names(opened.review), *tables.names_of_releases(opened)}
    known = {*REVIEW_TABLES, *TABLES, "columns", "not_evaluated"}
    more = [Difference(f"table {name}", None, "asked for", again=False) for name in wanted - document["tables"].keys()]
    more += [Difference(f"table {name}", "there", None, again=False) for name in document["tables"].keys() - known]
    found = replace(found, differ=(*found.differ, *more))
    if given is None:
        return keep(opened, found)
    made = json.loads(to_evidence(opened)) if of_evidence else document
    differ = figures_file.differences(given, made, places, found.line)
    n = sum(1 for _ in figures_file.leaves(given))
    return replace(found, differ=(*found.differ, *differ), compared=n)
