"""What each column of a table that leaves is called, in which unit, with how many digits: one place for all formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from disclosure_core.counting.registry import MEASURES
from disclosure_core.data.typeset import LEVELS, Column
from disclosure_core.results import TABLES

_MEASURES = {m.name: Column(m.label, m.unit_in_files or "", m.digits, m.significant) for m in MEASURES}
_OF = _MEASURES | {
    "members": Column("members", "% of the people in the data"),
    "non_members": Column("people outside", "% of them"),
    "outside": Column("people outside", "% of them"),
    "difference": Column("difference", "percentage points"),
    "low": Column("95 % interval from", "percentage points"),
    "high": Column("95 % interval to", "percentage points"),
    "original": Column("original", "% of the original records"),
    "synthetic": Column("synthetic", "% of the original records"),
    "members_before": Column("members with nothing excluded", "%"),
    "commonest_share": Column("commonest answer", "% of the people in the data"),
    "absolute": Column("the office's limit", "absolute"),
    "relative": Column("the office's limit", "relative"),
    "released": Column("members of the synthesis that is released", "%"),
    "Train": Column("Train", "% of the people in the data"),
    "Ctrl": Column("Ctrl", "% of people outside"),
    "R": Column("R", "a ratio"),
    "sd": Column("SD over the syntheses"),
    "min": Column("smallest of the syntheses"),
    "max": Column("largest of the syntheses"),
    "claims": Column("people with a claim of this level", "mean over the syntheses"),
    "right": Column("of them rightly"),
    "pct_right": Column("right", "% of the claims of this level"),
    "excess": Column("right less the level's share of all", "percentage points"),
    "n_level": Column("records with the level"),
    "pct_level": Column("records with the level", "% of what is counted"),
    "n_disclosive": Column("disclosive records"),
    "n_disclosive_level": Column("disclosive records with the level"),
    "pct_disclosive": Column("level", "% of the disclosive records"),
    "n_of_all": Column("records with the level", "of all"),
    "pct_of_all": Column("records with the level", "% of all original records"),
    "npairs": Column("npairs", "disclosive records of the pair in cells over the check's threshold"),
    "excluding_takes": Column("disclosive records that excluding the pair takes", "mean over the syntheses"),
    "lift": Column("lift", "a ratio"),
    "n_both": Column("original records with both levels"),
    "n_key_level": Column("original records with the key level"),
    "pct": Column("both levels", "% of the original records with the key level"),
    "a": Column("a", "share of the members who match", significant=2),
    "b": Column("b", "share of people outside who match", significant=2),
    "share": Column("share released", "% of a synthesis", 0),
    "n_synthetic": Column("synthetic records released", digits=0),
}
"""By column; what is not here is called by its name."""

_SCORES = {
    "low": Column("95 % interval of F from", significant=2),
    "high": Column("95 % interval of F to", significant=2),
    "sd": Column("SD", significant=2),
    "min": Column("smallest", significant=2),
    "max": Column("largest", significant=2),
}
_COMPARED = {end: replace(_OF[end], unit=_MEASURES["DiSCO"].unit) for end in ("min", "max")}
_STRONGEST = "%; gain: percentage points; F_rel: at most 1"
_OTHERS = {
    "membership": _SCORES,
    "membership_all_keys": _SCORES,
    "strongest": {
        "figure": Column("largest", _STRONGEST),
        "all_keys": Column("the same with all keys as they are", _STRONGEST),
        "outside": Column("people outside there", _STRONGEST),
        "knows": Column("keys known, with the level of each"),
        "chosen": Column("chosen on one half of the people, there", "mean of 20 halvings"),
        "other": Column("the same on the other half", "mean of 20 halvings"),
    },
    "strongest_levels": {
        "figure": Column("figure with the key so known", _STRONGEST),
        "at_worst": Column("whether it is the worst combination"),
    },
    "least_safeguard": {
        "figure": Column(
            "largest figure of the strongest intruder", "%; gain, M: percentage points; of several aims, % of the limit"
        ),
        "detail_lost": Column("detail lost, mean over all columns", "%"),
        "largest_loss": Column("detail lost of the column that lost most", "%"),
        "most_in": Column("column that lost most"),
        "removed": Column("records removed", "% of a synthesis"),
        "reached": Column("whether every aim is reached"),
        "of": Column("of which measure and target"),
        "knows": Column("keys known there, with the level of each"),
    },
    "copies": {
        "records": Column("records"),
        "copies": Column("records that equal an original record"),
        "share": Column("these", "% of the synthesis"),
        "expected": Column("expected if the columns were independent", "%"),
        "twins": Column("original records that equal another", "% of the original records"),
    },
    "identifiers": {
        "column": Column("nearly unique column"),
        "values": Column("values of the original"),
        "released": Column("of these, values that the synthesis holds"),
        "share": Column("these", "% of the original's values"),
    },
    **dict.fromkeys(("Raab et al. 2026, Figure 1", "Raab 2024, Figure 2"), _COMPARED),
    "exclusions": {name: Column(name) for name in ("original", "synthetic")},
    "two_way": {"pct_of_all": Column("records with the target level", "% of all original records")},
}
"""Where a column means something else, by table."""


def columns(table: str, names: Iterable[str] = ()) -> dict[str, Column]:
    """Return what the columns of a table are called, in which unit and with how many digits.

    Parameters
    ----------
    table
        Its name, as that of its sheet.
    names
        Its columns, where some have a head of several before their own name: "Nothing excluded · DiSCO".
    """
    declared = {name: c for name, c in TABLES[table][1].columns.items() if name != "target"} if table in TABLES else {}
    known = _OF | declared | _OTHERS.get(table, {})
    grouped = [name for name in names if LEVELS in name]
    for name in grouped:
        own = known.get(name.rpartition(LEVELS)[2], Column(name))
        known[name] = Column(name, own.unit, own.digits, own.significant)
    return known
