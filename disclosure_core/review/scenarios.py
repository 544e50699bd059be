"""Exclusions with a name, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.counting.assessment import Assessment, assess
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import Exclusions, Pair
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy

MOST = 50
"""Scenarios that a review holds."""

LONGEST = 60
"""Letters of a scenario's name."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named set of exclusions.

    Raises
    ------
    DisclosureError
        When the name is empty or too long.

    Examples
    --------
    >>> from disclosure_core import Exclusions
    >>> Scenario("most stayed here", Exclusions(target_levels={"abroad": ["No"]})).exclusions
    Exclusions: target levels 1
    """

    name: str
    exclusions: Exclusions

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self.name).strip())
        if not 0 < len(self.name) <= LONGEST:
            raise DisclosureError(f"Give the scenario a name of 1 to {LONGEST} letters.")


def with_scenario(scenarios: Sequence[Scenario], new: Scenario, instead: str | None = None) -> tuple[Scenario, ...]:
    """Return the scenarios with `new` at the end, or in the place of the one called `instead`.

    Raises
    ------
    DisclosureError
        When another has the name already, or there are too many.
    """
    if any(s.name == new.name and s.name != instead for s in scenarios):
        raise DisclosureError(f"There is a scenario {new.name!r} already; choose another name.")
    if instead is not None:
        return tuple(new if s.name == instead else s for s in scenarios)
    if len(scenarios) >= MOST:
        raise DisclosureError(f"There are {MOST} scenarios already; delete one first.")
    return (*scenarios, new)


def with_scenarios(scenarios: Sequence[Scenario], new: Iterable[Scenario]) -> tuple[Scenario, ...]:
    """Return the scenarios with others, which take the place of their namesakes.

    Raises
    ------
    DisclosureError
        When there are too many.
    """
    kept = tuple(scenarios)
    for each in new:
        kept = with_scenario(kept, each, instead=each.name if any(each.name == s.name for s in kept) else None)
    return kept


def flagged_levels(assessment: Assessment) -> dict[str, tuple[str, ...]]:
    """Return, by target, the levels that the 1-way check flags in any synthesis."""
    found = {
        name: tuple(dict.fromkeys(finding.level for check in risk.one_way if check for finding in (check, *check.also)))
        for name, risk in assessment.targets.items()
    }
    return {name: levels for name, levels in found.items() if levels}


def flagged_pairs(assessment: Assessment) -> dict[str, tuple[Pair, ...]]:
    """Return, by target, the key-target pairs that the 2-way check lists in any synthesis."""
    by_target = {}
    for name, risk in assessment.targets.items():
        rows = pd.concat(risk.two_way, ignore_index=True)[["key", "key_level", "target_level"]].drop_duplicates()
        if len(rows):
            by_target[name] = tuple(Pair(*row) for row in rows.itertuples(index=False))
    return by_target


def all_flagged(assessment: Assessment, *, levels: bool = True, pairs: bool = True) -> Exclusions:
    """Return the exclusions of `assessment` with everything that its checks flag excluded as well."""
    exclusions = assessment.settings.exclusions
    for name, flagged in (flagged_levels(assessment) if levels else {}).items():
        exclusions = exclusions.with_levels(name, {*exclusions.levels_of(name), *flagged})
    for name, flagged_pair_set in (flagged_pairs(assessment) if pairs else {}).items():
        exclusions = exclusions.with_pairs(name, {*exclusions.pairs_of(name), *flagged_pair_set})
    return exclusions


def paper_scenarios(assessment: Assessment) -> tuple[Scenario, ...]:
    """Return the five columns of paper 000's Table 3 for these data.

    Parameters
    ----------
    assessment
        With nothing excluded, so that its 1-way flags are those of the data.

    Source
    ------
    Paper 000, section 5, Table 3.
    """
    levels = Exclusions(target_levels=flagged_levels(assessment))
    missing = replace(
        levels,
        missing_targets=frozenset(assessment.targets),
        missing_keys=frozenset(key.name for key in assessment.keys.keys),
    )
    return (
        Scenario("Nothing excluded", Exclusions()),
        Scenario("Flagged levels out", levels),
        Scenario("… and missing values out", missing),
        Scenario("… and denominators ≤ 1", replace(missing, denominator_limit=1)),
        Scenario("Denominators ≤ 1 alone", Exclusions(denominator_limit=1)),
    )


def assessed(study: AnyStudy, base: Assessment, scenarios: Iterable[Scenario]) -> tuple[tuple[str, Assessment], ...]:
    """Return each scenario's name and assessment; nothing is counted again.

    What a scenario names and the data do not have is dropped, as `restrict_to_study` does.
    """
    results, before = [], base
    for scenario in scenarios:
        settings, _ = restrict_to_study(study, replace(base.settings, exclusions=scenario.exclusions))
        before = assess(study, settings, base.tables, before)
        results.append((scenario.name, before))
    return tuple(results)
