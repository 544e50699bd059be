"""What a report says whatever the figures: definitions with sources, and the checklist of the expert consensus."""

from __future__ import annotations

SOURCES = (
    "[1] G. M. Raab, B. Nowok, C. Dibben: Practical privacy metrics for synthetic data, 2026.",
    "[2] G. M. Raab: Privacy risk from synthetic data: practical proposals.",
    "[3] Consensus privacy metrics framework for synthetic data. Patterns, 2025, 101320.",
)

LOWER, ORIGINAL = "lower is safer", "reference"

DEFINITIONS = (
    ("UiO", "original records alone with their keys", "original records", ORIGINAL, "[1] 3.2"),
    ("UiS", "synthetic records alone with their keys", "synthetic records", LOWER, "[1] 3.2"),
    ("UiOiS", "those of UiO whose keys occur in the synthetic data", "original records", LOWER, "[1] 3.2"),
    ("repU", "those of UiO whose keys one synthetic record has", "original records", LOWER, "[1] 3.2"),
    ("Dorig", "original records whose keys have one target level in the original", "original records", ORIGINAL, "[1] 3.3"),
    ("Dsyn", "synthetic records whose keys have one target level there", "synthetic records", LOWER, "[1] 3.3"),
    ("iS", "original records whose keys occur in the synthetic data", "original records", LOWER, "[1] 3.3"),
    ("DiS", "those of iS whose keys have one target level in the synthetic data", "original records", LOWER, "[1] 3.3"),
    ("DiSCO", "those of DiS whose own level it is", "original records", LOWER, "[1] 3.3.1"),
    ("DiSDiO", "those of DiSCO whose keys have one level in the original, too", "original records", LOWER, "[1] 3.3.2"),
    ("CAPd", "each original record with the share of its level among the original records with its keys",
     "original records", ORIGINAL, "[1] appendix"),
    ("DCAPd", "the same, looked up among the synthetic records with its keys", "original records", LOWER, "[1] appendix"),
    ("TCAP", "the records of DiSCO", "original records whose keys have one level in the synthetic data", LOWER, "[1] Table 1"),
    ("TCAPi", "the records of DiSCO", "original records, exclusions taken out, whose keys a synthetic record has that no "
     "exclusion takes; with a denominator limit it may pass 100 %", LOWER, "[2] eq. 11"),
)  # fmt: skip
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
