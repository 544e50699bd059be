"""How parts of a review that are no plain values are read from a file, and written into one."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, PlainValidator, TypeAdapter, ValidationError, WithJsonSchema

from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.hierarchies import Hierarchy
from disclosure_core.protection.steps import STEPS, Step
from disclosure_core.review.scenarios import Scenario


def _step_plain(step: Step) -> dict[str, Any]:
    """Return a step as what JSON holds: its name, and its fields."""
    return {"step": type(step).__name__} | {f.name: getattr(step, f.name) for f in fields(step)}


def _as_tuples(plain: Any) -> Any:
    return tuple(map(_as_tuples, plain)) if isinstance(plain, list) else plain


def _step(plain: Any) -> Step:
    """Return the step that `_step_plain` wrote."""
    if isinstance(plain, Step):
        return plain
    if not isinstance(plain, Mapping) or plain.get("step") not in STEPS:
        raise ValueError(f"a safeguard is one of {', '.join(STEPS)}")
    kind = STEPS[plain["step"]]
    arguments: dict[str, Any] = {name: _as_tuples(v) for name, v in plain.items() if name != "step"}
    if unknown := arguments.keys() - {f.name for f in fields(kind)}:
        raise ValueError(f"{plain['step']} has no {', '.join(sorted(unknown))}")
    try:
        _types_of(plain["step"]).validate_json(json.dumps(arguments), strict=True)
        return kind(**arguments)
    except (TypeError, ValidationError) as error:
        raise ValueError(f"{plain['step']} is not complete") from error


@cache
def _types_of(step: str) -> TypeAdapter[Any]:
    return TypeAdapter(STEPS[step])


def _exclusions(plain: Any) -> Exclusions:
    if isinstance(plain, Exclusions):
        return plain
    try:
        return Exclusions.from_plain(plain)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError("exclusions are not complete") from error


def _scenario(plain: Any) -> Scenario:
    if isinstance(plain, Scenario):
        return plain
    if not isinstance(plain, Mapping) or plain.keys() != {"name", "exclusions"} or not isinstance(plain["name"], str):
        raise ValueError(f"a scenario has a name and exclusions{_and_no(plain, ('name', 'exclusions'))}")
    return Scenario(plain["name"], _exclusions(plain["exclusions"]))


def _and_no(plain: Any, known: Collection[str]) -> str:
    """Name what stands in a part beside what is known there."""
    strange = [str(name) for name in plain if name not in known] if isinstance(plain, Mapping) else []
    return f", and no {strange[0][:60]!r}" if strange else ""


def _hierarchy(plain: Any) -> Hierarchy:
    return plain if isinstance(plain, Hierarchy) else Hierarchy.from_plain(plain)


SavedStep = Annotated[
    Step,
    PlainValidator(_step),
    PlainSerializer(_step_plain),
    WithJsonSchema({"type": "object", "properties": {"step": {"enum": sorted(STEPS)}}, "required": ["step"]}),
]


SavedExclusions = Annotated[
    Exclusions,
    PlainValidator(_exclusions),
    PlainSerializer(Exclusions.to_plain),
    WithJsonSchema({"type": "object", "properties": dict.fromkeys(Exclusions().to_plain(), True)}),
]


SavedScenario = Annotated[
    Scenario,
    PlainValidator(_scenario),
    PlainSerializer(lambda s: {"name": s.name, "exclusions": s.exclusions.to_plain()}),
    WithJsonSchema({"type": "object", "required": ["exclusions", "name"]}),
]


SavedHierarchy = Annotated[
    Hierarchy,
    PlainValidator(_hierarchy),
    PlainSerializer(Hierarchy.to_plain),
    WithJsonSchema({"type": "object", "required": ["kind"]}),
]


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """What a shareable report was made of: two of one original that differ in any of it tell more together.

    Attributes
    ----------
    smallest
        Its smallest count.
    original
        The fingerprint of the original's file; empty where it came without one.
    exclusions
        The SHA-256 of those of the judged figures.
    syntheses
        The set that its figures speak of, and the fingerprints of its files.
    """

    smallest: int
    original: str = ""
    exclusions: str = ""
    syntheses: tuple[str, ...] = ()


def _version(given: Any) -> Any:
    """Return a version as it is held; reviews that were saved before hold its smallest count alone."""
    if type(given) is int:
        return Version(given)
    several = given.get("syntheses") if isinstance(given, dict) else None
    return given | {"syntheses": tuple(several)} if isinstance(several, list) else given


SavedVersion = Annotated[Version, BeforeValidator(_version)]
