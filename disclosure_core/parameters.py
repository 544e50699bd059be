"""A parameter is declared once: Python checks it, and options, help and widgets are made of it."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

SEED = {"ge": 0, "le": 2**31 - 1}
"""The seeds that are asked for; Python and files may hold larger ones."""

_DECLARED = "declared"
_HOLDS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}


def parameter(default: Any = MISSING, **as_field: Any) -> Any:
    """Return a field of a dataclass that declares its ends, title and description.

    Pydantic does not check them where it reads the dataclass: its `__post_init__` does, in a sentence, by `within`.

    Parameters
    ----------
    default
        Its default; it has none where this is left out.
    as_field
        As of `pydantic.Field`.
    """
    return field(default=default, metadata={_DECLARED: as_field})


def declared(model: type, name: str, **instead: Any) -> Any:
    """Return how a dataclass declares a field, for a model that asks for it, too.

    Parameters
    ----------
    model, name
        The dataclass, and its field.
    instead
        Attributes of the field that differ there: `default`, `description` …
    """
    from pydantic import Field
    from pydantic.fields import FieldInfo

    (of,) = (each for each in fields(model) if each.name == name)
    info = Field(... if of.default is MISSING else of.default, **of.metadata[_DECLARED])
    found = FieldInfo.from_annotated_attribute(get_type_hints(model)[name], info)
    for attribute, text in instead.items():
        setattr(found, attribute, text)
    return found


def ends(info: FieldInfo) -> Mapping[str, Any]:
    """Return the ends of a number by how they bind it: ge, gt, le, lt."""
    return {end: getattr(each, end) for each in info.metadata for end in _HOLDS if hasattr(each, end)}


def within(value: Any, *names: str) -> bool:
    """Return whether fields of a dataclass are within the ends that it declares; one that is None is."""
    asked = {each.name: each.metadata[_DECLARED] for each in fields(value) if each.name in names}
    return all(
        getattr(value, name) is None or _HOLDS[end](getattr(value, name), limit)
        for name, as_field in asked.items()
        for end, limit in as_field.items()
        if end in _HOLDS
    )
