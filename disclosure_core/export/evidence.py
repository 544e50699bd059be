"""A review's evidence file: what regulators and the consensus ask, the figures that answer it, and what is open.

docs/evidence.schema.json describes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError
from disclosure_core.export.as_json import to_json
from disclosure_core.report.completeness import still_open
from disclosure_core.report.regulators import requirements
from disclosure_core.report.requirement import ASKED, NOT_COVERED
from disclosure_core.review.verified import kept
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

VERSION = 1
"""Of the form of this file; raised when a reader of the old form would misread the new."""


def to_evidence(opened: Opened) -> str:
    """Return the evidence of a review as JSON.

    Returns
    -------
    str
        schema_version; disclosure, the program's version; complete, true where nothing is open; open, what is open, a
        sentence each; requirements, each with where it stands ("answered", "open", "not covered") and the figures that
        answer it, by JSON Pointer into this file; not_covered, what no review covers, and why; counted_again, the line
        of the second counter, null where nobody asked it; figures, as `to_json` gives them.
    """
    figures = json.loads(to_json(opened))
    asked = requirements(opened)
    open_ = _open(opened)
    verified = kept(opened)
    found: dict[str, Any] = {
        "schema_version": VERSION,
        "disclosure": __version__,
        "complete": not open_,
        "open": open_,
        "requirements": [
            {
                "name": r.name,
                "source": ASKED[r.name][0],
                "asks": ASKED[r.name][1],
                "standing": r.standing,
                "figures": [asdict(f) for f in r.figures],
                "sections": list(r.where),
                "stated": r.stated,
                "open": list(r.open),
                "not_covered": list(r.not_covered),
            }
            for r in asked
        ],
        "not_covered": [{"what": what, "why": why} for what, why in NOT_COVERED],
        "counted_again": None if verified is None else verified.line,
        "figures": figures,
    }
    return json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)


def _open(opened: Opened) -> list[str]:
    """Return what is open, of the requirements and of all that a report asks for, each once."""
    of_requirements = [(r.name, said) for r in requirements(opened) for said in r.open]
    known = {said for _, said in of_requirements}
    others = (each.what for each in still_open(opened) if each.what not in known)
    return list(dict.fromkeys([*(f"{name}: {said}" for name, said in of_requirements), *others]))


def check(opened: Opened, stated: Mapping[str, Any]) -> None:
    """Refuse evidence that says that it is complete while something is open, in the file or in the review itself."""
    try:
        told = stated["requirements"]
        figures = [(str(f["measure"]), f["value"], str(f["pointer"])) for r in told for f in r["figures"]]
        open_ = [] if stated["complete"] is False else [*stated["open"], *(s for r in told for s in r["open"])]
    except (KeyError, TypeError):
        raise DisclosureError("This is no file of evidence; give one that --evidence wrote.") from None
    if stated["complete"] is not False and (open_ := [*open_, *_open(opened)]):
        raise DisclosureError(
            f"The evidence file says that it is complete, yet this is open: {open_[0]} Write it again with --evidence."
        )
    for measure, value, pointer in figures:
        if _at(stated, pointer) != value:
            raise DisclosureError(
                f"The evidence file says {value} for {measure}, and {pointer} does not; write it again with --evidence."
            )


def _at(document: Any, pointer: str) -> Any:
    """Return what a JSON Pointer finds; None where it finds nothing."""
    for part in pointer.split("/")[1:]:
        try:
            document = document[int(part)] if isinstance(document, list) else document[part]
        except (LookupError, TypeError, ValueError):
            return None
    return document
