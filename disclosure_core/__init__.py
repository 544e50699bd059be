"""What synthetic data still give away: replicated uniques, DiSCO and their checks.

Import what you need from here; every room below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from disclosure_core.assessment import Assessment, TargetRisk, assess
    from disclosure_core.cells import count
    from disclosure_core.errors import DisclosureError
    from disclosure_core.settings import Exclusions, Pair, Settings, Thresholds
    from disclosure_core.study import Study

_ROOMS = {
    "Assessment": "assessment",
    "DisclosureError": "errors",
    "Exclusions": "settings",
    "Pair": "settings",
    "Settings": "settings",
    "Study": "study",
    "TargetRisk": "assessment",
    "Thresholds": "settings",
    "assess": "assessment",
    "count": "cells",
}

__all__ = [
    "Assessment",
    "DisclosureError",
    "Exclusions",
    "Pair",
    "Settings",
    "Study",
    "TargetRisk",
    "Thresholds",
    "assess",
    "count",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    globals()[name] = value  # the next use does not come here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
