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
    from disclosure_core.comparison.aims import Aim, May
    from disclosure_core.comparison.least_safeguard import least_safeguard
    from disclosure_core.comparison.studies import compare
    from disclosure_core.comparison.ways import Ways
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.count import count
    from disclosure_core.counting.identity import identity_by_keys
    from disclosure_core.counting.restrict import restrict_to_study
    from disclosure_core.counting.settings import Exclusions, Pair, Settings, Thresholds
    from disclosure_core.counting.target_risk import TargetRisk
    from disclosure_core.data import demo
    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.data.readers import ReadOptions, read
    from disclosure_core.data.study import Study
    from disclosure_core.engines.duckdb_study import DuckDBStudy
    from disclosure_core.engines.table_study import TableStudy
    from disclosure_core.errors import DisclosureError, NotEvaluated
    from disclosure_core.holdout.baseline import attribute_baseline
    from disclosure_core.holdout.decision import Limit, Limits
    from disclosure_core.holdout.identity_baseline import identity_baseline
    from disclosure_core.holdout.membership import membership
    from disclosure_core.holdout.partition import partition
    from disclosure_core.holdout.split import split
    from disclosure_core.holdout.threat_model import Motive, ThreatModel
    from disclosure_core.protection.safeguards import protect
    from disclosure_core.protection.steps import (
        AddLabel,
        Band,
        BlankClaims,
        Breaks,
        Cap,
        Coarsen,
        MergeLevels,
        Recode,
        RemoveClaims,
        RemoveReplicated,
        RemoveUniques,
        RoundTo,
    )
    from disclosure_core.protection.usefulness import usefulness
    from disclosure_core.records.at_risk import at_risk
    from disclosure_core.records.look_up import look_up
    from disclosure_core.records.replicated_uniques import replicated_uniques
    from disclosure_core.review.assess import assess
    from disclosure_core.review.demonstration import demonstration_holdout, start_demonstration
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.opening import open_review, start, start_engine, start_tables
    from disclosure_core.review.parts import Chain, Columns, Holdout, KeySet, Sought, Verdict
    from disclosure_core.review.reading import read_holdout
    from disclosure_core.review.scenarios import Scenario
    from disclosure_core.review.value import Review
    from disclosure_core.sensitivity.bounds import Bounds
    from disclosure_core.sensitivity.key_subsets import search_subsets
    from disclosure_core.sensitivity.strongest_intruder import strongest_intruder

_ROOMS = {
    "comparison.aims": ("Aim", "May"),
    "comparison.least_safeguard": ("least_safeguard",),
    "comparison.studies": ("compare",),
    "comparison.ways": ("Ways",),
    "counting.assessment": ("Assessment",),
    "counting.count": ("count",),
    "counting.identity": ("identity_by_keys",),
    "counting.restrict": ("restrict_to_study",),
    "counting.settings": ("Exclusions", "Pair", "Settings", "Thresholds"),
    "counting.target_risk": ("TargetRisk",),
    "data.hierarchies": ("Hierarchy",),
    "data.readers": ("ReadOptions", "read"),
    "data.study": ("Study",),
    "engines.duckdb_study": ("DuckDBStudy",),
    "engines.table_study": ("TableStudy",),
    "errors": ("DisclosureError", "NotEvaluated"),
    "holdout.baseline": ("attribute_baseline",),
    "holdout.decision": ("Limit", "Limits"),
    "holdout.identity_baseline": ("identity_baseline",),
    "holdout.membership": ("membership",),
    "holdout.partition": ("partition",),
    "holdout.split": ("split",),
    "holdout.threat_model": ("Motive", "ThreatModel"),
    "protection.safeguards": ("protect",),
    "protection.steps": (
        "AddLabel",
        "Band",
        "BlankClaims",
        "Breaks",
        "Cap",
        "Coarsen",
        "MergeLevels",
        "Recode",
        "RemoveClaims",
        "RemoveReplicated",
        "RemoveUniques",
        "RoundTo",
    ),
    "protection.usefulness": ("usefulness",),
    "records.at_risk": ("at_risk",),
    "records.look_up": ("look_up",),
    "records.replicated_uniques": ("replicated_uniques",),
    "review.assess": ("assess",),
    "review.demonstration": ("demonstration_holdout", "start_demonstration"),
    "review.opened": ("Opened",),
    "review.opening": (
        "open_review",
        "start",
        "start_engine",
        "start_tables",
    ),
    "review.reading": ("read_holdout",),
    "review.parts": ("Chain", "Columns", "Holdout", "KeySet", "Sought", "Verdict"),
    "review.scenarios": ("Scenario",),
    "review.value": ("Review",),
    "sensitivity.key_subsets": ("search_subsets",),
    "sensitivity.bounds": ("Bounds",),
    "sensitivity.strongest_intruder": ("strongest_intruder",),
}

__all__ = [
    "AddLabel",
    "Aim",
    "Assessment",
    "Band",
    "BlankClaims",
    "Bounds",
    "Breaks",
    "Cap",
    "Chain",
    "Coarsen",
    "Columns",
    "DisclosureError",
    "DuckDBStudy",
    "Exclusions",
    "Hierarchy",
    "Holdout",
    "KeySet",
    "Limit",
    "Limits",
    "May",
    "MergeLevels",
    "Motive",
    "NotEvaluated",
    "Opened",
    "Pair",
    "ReadOptions",
    "Recode",
    "RemoveClaims",
    "RemoveReplicated",
    "RemoveUniques",
    "Review",
    "RoundTo",
    "Scenario",
    "Settings",
    "Sought",
    "Study",
    "TableStudy",
    "TargetRisk",
    "ThreatModel",
    "Thresholds",
    "Verdict",
    "Ways",
    "assess",
    "at_risk",
    "attribute_baseline",
    "compare",
    "count",
    "demo",
    "demonstration_holdout",
    "identity_baseline",
    "identity_by_keys",
    "least_safeguard",
    "look_up",
    "membership",
    "open_review",
    "partition",
    "protect",
    "read",
    "read_holdout",
    "replicated_uniques",
    "restrict_to_study",
    "search_subsets",
    "split",
    "start",
    "start_demonstration",
    "start_engine",
    "start_tables",
    "strongest_intruder",
    "usefulness",
]

_ROOM = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    demonstration = name == "demo"
    room = import_module(f"{__name__}.{'data.demo' if demonstration else _ROOM[name]}")
    value = room if demonstration else getattr(room, name)
    globals()[name] = value  # the next use does not come here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _notebook() -> Above:
    """Load what writes and draws results, above all of them."""
    import disclosure_core.notebook as bodies

    return bodies


loaded_by(_notebook)
