"""What synthetic data still disclose: replicated uniques, DiSCO and their checks.

Import what you need from here; every room below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from disclosure_core.above import loaded_by
from disclosure_core.version import __version__ as __version__

if TYPE_CHECKING:
    from disclosure_core.comparison.aims import Aim as Aim
    from disclosure_core.comparison.aims import May as May
    from disclosure_core.comparison.least_safeguard import least_safeguard as least_safeguard
    from disclosure_core.comparison.studies import compare as compare
    from disclosure_core.comparison.ways import Ways as Ways
    from disclosure_core.counting.assessment import Assessment as Assessment
    from disclosure_core.counting.count import count as count
    from disclosure_core.counting.identity import identity_by_keys as identity_by_keys
    from disclosure_core.counting.restrict import restrict_to_study as restrict_to_study
    from disclosure_core.counting.settings import Exclusions as Exclusions
    from disclosure_core.counting.settings import Pair as Pair
    from disclosure_core.counting.settings import Settings as Settings
    from disclosure_core.counting.settings import Thresholds as Thresholds
    from disclosure_core.counting.target_risk import TargetRisk as TargetRisk
    from disclosure_core.data import demo as demo
    from disclosure_core.data.hierarchies import Hierarchy as Hierarchy
    from disclosure_core.data.readers import ReadOptions as ReadOptions
    from disclosure_core.data.readers import read as read
    from disclosure_core.data.study import Study as Study
    from disclosure_core.engines.duckdb_study import DuckDBStudy as DuckDBStudy
    from disclosure_core.engines.table_study import TableStudy as TableStudy
    from disclosure_core.errors import DisclosureError as DisclosureError
    from disclosure_core.errors import NotEvaluated as NotEvaluated
    from disclosure_core.holdout.baseline import attribute_baseline as attribute_baseline
    from disclosure_core.holdout.decision import Limit as Limit
    from disclosure_core.holdout.decision import Limits as Limits
    from disclosure_core.holdout.identity_baseline import identity_baseline as identity_baseline
    from disclosure_core.holdout.membership import membership as membership
    from disclosure_core.holdout.partition import partition as partition
    from disclosure_core.holdout.split import split as split
    from disclosure_core.holdout.threat_model import Motive as Motive
    from disclosure_core.holdout.threat_model import ThreatModel as ThreatModel
    from disclosure_core.protection.safeguards import protect as protect
    from disclosure_core.protection.steps import AddLabel as AddLabel
    from disclosure_core.protection.steps import Band as Band
    from disclosure_core.protection.steps import BlankClaims as BlankClaims
    from disclosure_core.protection.steps import Breaks as Breaks
    from disclosure_core.protection.steps import Cap as Cap
    from disclosure_core.protection.steps import Coarsen as Coarsen
    from disclosure_core.protection.steps import MergeLevels as MergeLevels
    from disclosure_core.protection.steps import Recode as Recode
    from disclosure_core.protection.steps import RemoveClaims as RemoveClaims
    from disclosure_core.protection.steps import RemoveReplicated as RemoveReplicated
    from disclosure_core.protection.steps import RemoveUniques as RemoveUniques
    from disclosure_core.protection.steps import RoundTo as RoundTo
    from disclosure_core.protection.usefulness import usefulness as usefulness
    from disclosure_core.records.at_risk import at_risk as at_risk
    from disclosure_core.records.look_up import look_up as look_up
    from disclosure_core.records.replicated_uniques import replicated_uniques as replicated_uniques
    from disclosure_core.review.assess import assess as assess
    from disclosure_core.review.demonstration import demonstration_holdout as demonstration_holdout
    from disclosure_core.review.demonstration import start_demonstration as start_demonstration
    from disclosure_core.review.opened import Opened as Opened
    from disclosure_core.review.opening import open_review as open_review
    from disclosure_core.review.opening import start as start
    from disclosure_core.review.opening import start_engine as start_engine
    from disclosure_core.review.opening import start_tables as start_tables
    from disclosure_core.review.parts import Chain as Chain
    from disclosure_core.review.parts import Columns as Columns
    from disclosure_core.review.parts import Holdout as Holdout
    from disclosure_core.review.parts import KeySet as KeySet
    from disclosure_core.review.parts import Sought as Sought
    from disclosure_core.review.parts import Verdict as Verdict
    from disclosure_core.review.reading import read_holdout as read_holdout
    from disclosure_core.review.scenarios import Scenario as Scenario
    from disclosure_core.review.value import Review as Review
    from disclosure_core.sensitivity.bounds import Bounds as Bounds
    from disclosure_core.sensitivity.key_subsets import search_subsets as search_subsets
    from disclosure_core.sensitivity.strongest_intruder import strongest_intruder as strongest_intruder


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

_ROOM = {name: room for room, names in _ROOMS.items() for name in names}
__all__ = sorted([*_ROOM, "demo"])


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    demonstration = name == "demo"
    room = import_module(f"{__name__}.{'data.demo' if demonstration else _ROOM[name]}")
    value = room if demonstration else getattr(room, name)
    globals()[name] = value  # the next use does not come here
    return value


def __dir__() -> list[str]:
    return __all__


def _notebook() -> Any:
    """Load what writes and draws results, above all of them."""
    import disclosure_core.notebook as bodies

    return bodies


loaded_by(_notebook)
