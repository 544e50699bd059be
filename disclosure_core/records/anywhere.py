"""Lists of single records of any study that shows them: here, or a few rows at a time from DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from disclosure_core.records.at_risk import AtRisk, at_risk
from disclosure_core.records.replicated_uniques import Replicated, replicated_uniques

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.counting.cells import Counted, Tables
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.engines.study import EngineStudy
    from disclosure_core.records.in_duckdb import AtRiskThere, MatchingThere, ReplicatedThere


def at_risk_of(study: AnyStudy, counted: Counted) -> AtRisk | AtRiskThere:
    """Return the original records that DiSCO counts, in the order of the file or table.

    Raises
    ------
    DisclosureError
        When single records of these data are not shown.
    """
    if study.holds_records or not study.may_list_records:  # which says why
        return at_risk(counted)
    from disclosure_core.records.in_duckdb import AtRiskThere

    return AtRiskThere.of(_there(study), counted)


def replicated_of(tables: Tables, i: int, missing_keys: frozenset[str] = frozenset()) -> Replicated | ReplicatedThere:
    """Return the replicated uniques of synthesis `i`, counted from 0; as `replicated_uniques`.

    Raises
    ------
    DisclosureError
        When single records of these data are not shown.
    """
    if tables.study.holds_records or not tables.study.may_list_records:
        return replicated_uniques(tables, i, missing_keys)
    from disclosure_core.records.in_duckdb import ReplicatedThere

    return ReplicatedThere.of(_there(tables.study), tables, i, missing_keys)


def matching_there(tables: Tables, target: str, i: int, known: Mapping[str, str]) -> MatchingThere:
    """Return the records of synthesis `i`, counted from 0, that have these levels of keys, of data in DuckDB.

    Raises
    ------
    DisclosureError
        When a column is not a key, or has no such level; when single records of these data are not shown.
    """
    from disclosure_core.records.in_duckdb import MatchingThere

    return MatchingThere.of(_there(tables.study), tables.targets[target][i], i, known)


def _there(study: AnyStudy) -> EngineStudy:
    """Return a study that DuckDB reads and whose records it shows."""
    from disclosure_core.engines.duckdb_records import need_shown

    need_shown(cast("EngineStudy", study))
    return cast("EngineStudy", study)
