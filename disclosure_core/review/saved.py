"""A review as text and back: JSON that a person can read, checked against its types, old files still read."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from disclosure_core.counting.settings import loaded
from disclosure_core.errors import DisclosureError
from disclosure_core.review.project import Project
from disclosure_core.review.value import SYNTHETIC, VERSION, Columns, KeySet, Review, SourceFile, SynthesisSet

if TYPE_CHECKING:
    from collections.abc import Iterable

CONFIDENTIAL = (
    "This file names columns and levels of confidential data, and reasons given for them: keep it with the original."
)
"""Stands in every saved review."""

_HEAD = ("review", "confidential")

_FORMER_NAMES = {"gate": "threat_model"}
"""Parts of version 2 that are called otherwise now."""

_SHARED_PAIR = (
    "Set before limits belonged to a measure, for DiSCO and DCAP alike; DCAP has none until the office sets it."
)


@cache
def _adapter() -> TypeAdapter[Review]:
    return TypeAdapter(Review)


def to_json(review: Review) -> str:
    """Return the review's text; what is kept by name stands in the order in which it was decided."""
    plain = {"review": VERSION, "confidential": CONFIDENTIAL} | _adapter().dump_python(review)
    return json.dumps(plain, ensure_ascii=False, indent=1, default=sorted)  # a set has no order of its own


def from_json(text: str) -> Review:
    """Return the review that `to_json` wrote, or that an older program saved as settings or as a project.

    Raises
    ------
    DisclosureError
        When the text is not such a file, is damaged, or was written by a newer version.
    """
    plain = loaded(text)
    if isinstance(plain, dict) and "schema" in plain:
        return _of_project(Project.from_json(text))
    if not isinstance(plain, dict) or type(plain.get("review")) is not int or plain["review"] < 1:
        raise DisclosureError("This is not a saved review: it names no version. Choose one saved here.")
    if plain["review"] > VERSION:
        raise DisclosureError("This review was saved by a newer version; update this program to read it.")
    parts = {name: part for name, part in plain.items() if name not in _HEAD}
    if plain["review"] < VERSION:
        parts = {_FORMER_NAMES.get(name, name): part for name, part in parts.items()}
        parts |= {"limits": _limits_by_measure(parts["limits"])} if "limits" in parts else {}
    try:
        checked = _adapter().validate_json(json.dumps(parts, ensure_ascii=False, allow_nan=False), strict=True)
        strange = _unknown(parts, _adapter().dump_python(checked, mode="json"))
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"]) or "the whole"
        raise DisclosureError(f"This review is damaged at {place!r}: {fault['msg'][:200]}. Save it again.") from None
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise DisclosureError(
            "This review is damaged: a part is missing or of the wrong type. Save it again."
        ) from error
    if strange is not None:
        raise DisclosureError(f"This review holds a part {strange[:60]!r} that is not known here; update this program.")
    return checked


def _limits_by_measure(old: Any) -> Any:
    """Return limits by measure, of the one pair of version 2: reports judged DiSCO by it, and so it is DiSCO's."""
    if not isinstance(old, dict) or not old.keys() <= {"absolute", "relative", "origin"}:
        return old
    if old.get("absolute") is None and old.get("relative") is None:
        return {}
    owner = "" if old.get("origin") in (None, "set by you") else old["origin"]
    pair = {name: old.get(name) for name in ("absolute", "relative")}
    return {"disco": {**pair, "owner": owner, "reason": _SHARED_PAIR}}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a saved review."""
    plain = _adapter().json_schema()
    head = {"review": {"const": VERSION}, "confidential": {"type": "string"}}
    return plain | {"title": "Review", "properties": head | plain["properties"], "required": ["review"]}


def _unknown(saved: Any, understood: Any) -> str | None:
    """Return the name, which may be empty, of a part that was given and is not among what was understood."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(saved, dict) and isinstance(understood, dict):
        strange = sorted(saved.keys() - understood.keys())
        if strange:
            return str(strange[0])
        pairs = ((part, understood[key]) for key, part in saved.items())
    elif isinstance(saved, list) and isinstance(understood, list) and len(saved) == len(understood):
        pairs = zip(saved, understood, strict=True)
    return next((name for a, b in pairs if (name := _unknown(a, b)) is not None), None)


def _of_project(project: Project) -> Review:
    """Return the review that an older project file means; the first of its files is the original."""
    files = [SourceFile(name, sha) for name, sha in project.files.items()]
    original, syntheses = (files[0], tuple(files[1:])) if files else (None, ())
    sets = (SynthesisSet(SYNTHETIC, syntheses),) if syntheses else ()
    settings = project.settings
    return Review(
        original=original,
        sets=sets,
        columns=Columns(mends=dict(project.mends), missing_codes=dict(project.missing_codes)),
        intruders=(KeySet("an intruder", settings.keys),),
        targets=settings.targets,
        groups=dict(settings.groups),
        exclusions=settings.exclusions,
        reasons=dict(project.reasons),
        thresholds=settings.thresholds,
        scenarios=project.scenarios,
        about=dict(project.about),
        assumptions=dict(project.assumptions),
    )
