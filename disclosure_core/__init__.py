"""What synthetic data still disclose: replicated uniques, DiSCO and their checks.

Import what you need from here; every room below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from disclosure_core.above import loaded_by
from disclosure_core.version import __version__ as __version__

if TYPE_CHECKING:
    from disclosure_core.above import Above
    from disclosure_core.comparison.studies import compare
    from disclosure_core.counting.assessment import Assessment, TargetRisk
    from disclosure_core.counting.count import count
    from disclosure_core.counting.settings import Exclusions, Pair, Settings, Thresholds
    from disclosure_core.data.study import Study
    from disclosure_core.errors import DisclosureError
    from disclosure_core.review.assess import assess
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.opening import open_review, start, start_tables
    from disclosure_core.review.value import Review

_ROOMS = {
    "Assessment": "counting.assessment",
    "DisclosureError": "errors",
    "Exclusions": "counting.settings",
    "Opened": "review.opened",
    "Pair": "counting.settings",
    "Review": "review.value",
    "Settings": "counting.settings",
    "Study": "data.study",
    "TargetRisk": "counting.assessment",
    "Thresholds": "counting.settings",
    "assess": "review.assess",
    "compare": "comparison.studies",
    "count": "counting.count",
    "open_review": "review.opening",
    "start": "review.opening",
    "start_tables": "review.opening",
}

__all__ = [
    "Assessment",
    "DisclosureError",
    "Exclusions",
    "Opened",
    "Pair",
    "Review",
    "Settings",
    "Study",
    "TargetRisk",
    "Thresholds",
    "assess",
    "compare",
    "count",
    "open_review",
    "start",
    "start_tables",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    globals()[name] = value  # the next use does not come here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _notebook() -> Above:
    """Load what writes and draws results, above all of them."""
    import disclosure_core.notebook as bodies

    return bodies


loaded_by(_notebook)
