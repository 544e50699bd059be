"""A field for a number that is declared as a parameter: its label and ends are those of the declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from disclosure_core.parameters import ends

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


def number(info: FieldInfo, step: float = 1, **instead: Any) -> dict[str, Any]:
    """Return what `st.number_input` is told of a parameter; an end that is open itself is a step away."""
    of = int if int in (info.annotation, *get_args(info.annotation)) else float
    at = ends(info)
    low = at["gt"] + step if "gt" in at else at.get("ge")
    high = at["lt"] - step if "lt" in at else at.get("le")
    told = {"label": info.title, "step": of(step)}
    told |= {name: of(end) for name, end in (("min_value", low), ("max_value", high)) if end is not None}
    return told | instead
