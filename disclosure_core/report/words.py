"""What a report says whatever the figures: definitions with sources, and the checklist of the expert consensus."""

from __future__ import annotations

from disclosure_core.counting.registry import MEASURES

SOURCES = (
    "[1] G. M. Raab, B. Nowok, C. Dibben: Practical privacy metrics for synthetic data, 2026.",
    "[2] G. M. Raab: Privacy risk from synthetic data: practical proposals.",
    "[3] Consensus privacy metrics framework for synthetic data. Patterns, 2025, 101320.",
)

LOWER, ORIGINAL = "lower is safer", "reference"

DEFINITIONS = tuple(
    (m.name, m.says, m.defined_over, LOWER if m.worse else ORIGINAL, m.paper)
    for m in sorted(MEASURES, key=lambda m: not m.of_keys)
    if m.paper
)
"""Measure, numerator, denominator, how it reads, and source. All are percentages."""

OF = {name: f"{name}: {numerator}" for name, numerator, *_ in DEFINITIONS}
"""The numerator of each measure as a clause for a caption."""

CAVEATS = (
    "Vulnerability, not risk: how likely an attack is, access controls and harm are outside these figures.",
    "High values can mean that the data are useful, not that they leak. Only a comparison with people outside "
    "the data who have the same keys can show that members' own answers are in the synthetic data.",
    "A replicated unique may be a chance hit, need not be unique in the population, and need not reveal anything true. The "
    "expert panel advises against using such figures alone.",
    "No similarity score (distance to the closest record, share of records found again) is shown. The expert panel advises "
    "against them as a figure of privacy (R4): they tell whether records were reconstructed, not whether anybody is recognised "
    "or anything true is learnt, and they change with the distance and the size of the holdout.",
    "The result holds for these keys. Fewer or other keys can be worse, and all columns as keys are not the worst case.",
    "Group harm and ethics, contracts and the recipients are for the panel to judge.",
)

CHECKLIST = (
    (1, "Scope, files, sizes, generator"),
    (2, "Decision; which file was measured, which will be released"),
    (3, "Population, its size, sampling"),
    (4, "Intruder; whether membership figures apply"),
    (5, "Keys, with the reason for each; targets"),
    (6, "Preparation: groups, missing values, matching"),
    (7, "Search over subsets of the keys"),
    (8, "Membership"),
    (9, "Attributes, against people not in the data"),
    (10, "All records used; no chosen sub-group as headline"),
    (11, "Diagnostics: repU, UiO, Dorig, flags, with caveats"),
    (12, "Thresholds, who changed them and why"),
    (13, "Verdict over all measures"),
    (14, "Outside the measures: harm, ethics, access, sign-off"),
)
"""The release checklist of [3], in our words."""
