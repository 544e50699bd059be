"""The registry of measures: each is said once, and lists of measures elsewhere are views of this one.

Heads and units of tables, what `--fail-if` and `--aim` take, what is searched for, and the words of pages and reports
follow from an entry. `tests/core/test_registry.py` finds a list that is written by hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from disclosure_core.counting.measure import Measure, Over
from disclosure_core.counting.measures import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.counting.measure import Family

_ORIGINAL, _SYNTHETIC = "original records", "synthetic records"
_KNOWN = "synthetic records with known keys"
_POINTS = "percentage points"
_HIGH = "misleadingly high for small files"

WHOLE_CELL = math.inf
"""The step of what falls by a whole cell when one of its records disagrees."""

MEASURES = (
    Measure(
        "Dorig",
        "attribute",
        "original records whose keys have one target level in the original",
        _ORIGINAL,
        over=Over.ONCE,
        worse=False,
        paper="[1] 3.3",
        plain="original: one answer only",
        figure=lambda s: percent(s.left["Dorig"], s.N_d),
        step=WHOLE_CELL,
    ),
    Measure(
        "Dsyn",
        "attribute",
        "synthetic records whose keys have one target level there",
        _SYNTHETIC,
        paper="[1] 3.3",
        figure=lambda s: percent(s.left["Dsyn"], s.N_s),
        step=0,
    ),
    Measure(
        "iS",
        "attribute",
        "original records whose keys occur in the synthetic data",
        _ORIGINAL,
        paper="[1] 3.3",
        plain="keys found in the synthetic data",
        figure=lambda s: percent(s.left["iS"], s.N_d),
        step=1,
    ),
    Measure(
        "DiS",
        "attribute",
        "those of iS whose keys have one target level in the synthetic data",
        _ORIGINAL,
        paper="[1] 3.3",
        plain="… and one answer only",
        figure=lambda s: percent(s.left["DiS"], s.N_d),
        step=1,
    ),
    Measure(
        "DiSCO",
        "attribute",
        "those of DiS whose own level it is",
        _ORIGINAL,
        paper="[1] 3.3.1",
        plain="… and the answer is right",
        figure=lambda s: percent(s.left["DiSCO"], s.N_d),
        fewer="over the original records: falls for small files, but may rise first, because a smaller cell is more "
        "likely to hold one level only",
        original="Dorig",
        compared="DiSCO",
        outside=True,
        together=True,
        searched=True,
        aim=1,
        step=1,
    ),
    Measure(
        "DiSDiO",
        "attribute",
        "those of DiSCO whose keys have one level in the original, too",
        _ORIGINAL,
        paper="[1] 3.3.2",
        plain="… and disclosive in the original",
        figure=lambda s: percent(s.left["DiSDiO"], s.N_d),
        original="Dorig",
        compared="DiSDiO",
        step=WHOLE_CELL,
    ),
    Measure(
        "max_denom",
        "attribute",
        "the largest cell counted in DiSCO",
        unit=_ORIGINAL,
        label="largest cell",
        unit_in_files="records",
        digits=0,
        figure=lambda s: s.disclosed.largest,
        worse=False,
    ),
    Measure(
        "mean_denom",
        "attribute",
        "the mean of the cells counted in DiSCO",
        unit=_ORIGINAL,
        label="mean cell",
        unit_in_files="records",
        figure=lambda s: s.disclosed.mean,
        worse=False,
    ),
    Measure(
        "max_claim",
        "attribute",
        "the most synthetic records that a claim counted in DiSCO rests on",
        unit=_SYNTHETIC,
        figure=lambda s: s.disclosed.largest_claim,
        worse=False,
    ),
    Measure(
        "mean_claim",
        "attribute",
        "the synthetic records that a claim rests on, mean over the records of DiSCO",
        unit=_SYNTHETIC,
        figure=lambda s: s.disclosed.mean_claim,
        worse=False,
    ),
    Measure(
        "baseCAPd",
        "caps",
        "each level guessed as often as it occurs: the sum of its shares, squared",
        over=Over.ONCE,
        worse=False,
        figure=lambda s: s.baseCAPd,
        step=1,
    ),
    Measure(
        "CAPd",
        "caps",
        "each original record with the share of its level among the original records with its keys",
        _ORIGINAL,
        over=Over.ONCE,
        worse=False,
        paper="[1] appendix",
        figure=lambda s: percent(s.CAPd, s.N_d),
        step=1,
    ),
    Measure(
        "CAPs",
        "caps",
        "each synthetic record with the share of its level among the synthetic records with its keys",
        _SYNTHETIC,
        unit_in_files="",
        figure=lambda s: percent(s.CAPs, s.N_s),
        fewer=f"of the synthetic data alone: {_HIGH}",
        step=0,
    ),
    Measure(
        "DCAPd",
        "caps",
        "the same, looked up among the synthetic records with its keys",
        _ORIGINAL,
        paper="[1] appendix",
        plain="share of right answers (DCAPd)",
        figure=lambda s: percent(s.DCAP, s.N_d),
        fewer="over the original records: falls as fewer are released",
        original="CAPd",
        compared="DCAP",
        outside=True,
        step=1,
    ),
    Measure(
        "DCAPs",
        "caps",
        "the sum of DCAPd",
        _SYNTHETIC,
        figure=lambda s: percent(s.DCAP, s.N_s),
        fewer=f"over the synthetic records: {_HIGH}, and may pass 100 %",
        step=1,
    ),
    Measure(
        "DCAPb",
        "caps",
        "the sum of DCAPd",
        _KNOWN,
        figure=lambda s: percent(s.DCAP, s.N_b),
        fewer=f"over the synthetic records with known keys: {_HIGH}, and may pass 100 %",
    ),
    Measure(
        "TCAPs",
        "caps",
        "the records of DiSCO",
        _SYNTHETIC,
        figure=lambda s: percent(s.left["DiSCO"], s.N_s),
        fewer=f"over the synthetic records: {_HIGH}, and may pass 100 %",
    ),
    Measure(
        "TCAPb",
        "caps",
        "the records of DiSCO",
        _KNOWN,
        figure=lambda s: percent(s.left["DiSCO"], s.N_b),
        fewer=f"over the synthetic records with known keys: {_HIGH}, and may pass 100 %",
    ),
    Measure(
        "TCAP",
        "caps",
        "the records of DiSCO",
        "original records that a certain claim meets",
        defined_over="original records whose keys have one level in the synthetic data",
        paper="[1] Table 1",
        figure=lambda s: percent(s.left["DiSCO"], s.N_bp),
        fewer="how often a certain claim is right, however few claims there are: hardly moves",
    ),
    Measure(
        "TCAPi",
        "caps",
        "the records of DiSCO",
        "counted original records whose keys a counted synthetic record has",
        defined_over="original records, exclusions taken out, whose keys a synthetic record has that no exclusion "
        "takes; with a denominator limit it may pass 100 %",
        paper="[2] eq. 11",
        figure=lambda s: percent(s.left["DiSCO"], s.matched),
        fewer=f"over the counted original records whose keys a counted synthetic record has: {_HIGH}, and with a "
        "denominator limit it may pass 100 %",
    ),
    Measure(
        "gain",
        "claims",
        "right claims less those right by chance",
        unit=_POINTS,
        label="gain over chance",
        unit_in_files="percentage points of the original records",
        over=Over.SUMS,
        short="gain over chance",
        in_words="gain over chance",
        help="Right claims less chance, percentage points of all original records, as set.",
        searched=True,
        aim=3,
    ),
    Measure(
        "kappa",
        "claims",
        "of what chance leaves to be right, the share that the claims get right",
        unit="share",
        label="κ",
        unit_in_files="at most 1",
        significant=2,
        over=Over.SUMS,
        short="κ",
        help="1: all claims are right; 0: as many as by chance. As set.",
    ),
    Measure(
        "beyond",
        "claims",
        "right claims of another level than the commonest",
        _ORIGINAL,
        label="beyond the commonest answer",
        unit_in_files="% of the original records",
        over=Over.SUMS,
        in_words="disclosed beyond the commonest answer",
        help="Right claims of another than the commonest level, % of all original records, as set.",
        searched=True,
        aim=2,
    ),
    Measure(
        "claims_right",
        "claims",
        "right claims, nothing excluded",
        "claims",
        label="claims right",
        over=Over.SUMS,
        short="right",
        help="% of the claims, nothing excluded.",
        as_set=False,
        worse=False,
    ),
    Measure(
        "best_guess",
        "claims",
        "right by the best single level for those with a claim, nothing excluded",
        "claims",
        label="best single level for the same people",
        over=Over.BEST,
        short="best guess",
        help="The best single level named for all with a claim: right, %, nothing excluded.",
        as_set=False,
        worse=False,
    ),
    Measure(
        "chance",
        "claims",
        "right by dealing the same claims at random, nothing excluded",
        "claims",
        label="chance for the same people",
        over=Over.SUMS,
        help="The same claims dealt at random: right, %, nothing excluded.",
        as_set=False,
        worse=False,
    ),
    Measure(
        "M",
        "same keys",
        "members disclosed less people outside with the same keys",
        unit=_POINTS,
        in_words="M, same keys,",
        aim=4,
    ),
    Measure(
        "UiO",
        "identity",
        "original records alone with their keys",
        _ORIGINAL,
        over=Over.ONCE,
        worse=False,
        paper="[1] 3.2",
        plain="unique in the original",
        help="Unique in the original: the keys fit exactly one person.",
        step=1,
    ),
    Measure(
        "UiS",
        "identity",
        "synthetic records alone with their keys",
        _SYNTHETIC,
        paper="[1] 3.2",
        plain="unique in a synthesis",
        help="Unique in the synthetic data: the keys fit exactly one synthetic record.",
        step=0,
    ),
    Measure(
        "UiOiS",
        "identity",
        "those of UiO whose keys occur in the synthetic data",
        _ORIGINAL,
        paper="[1] 3.2",
        plain="unique, and found in a synthesis",
        help="Unique in the original, and the keys occur in the synthetic data, once or more.",
        step=1,
    ),
    Measure(
        "repU",
        "identity",
        "those of UiO whose keys one synthetic record has",
        _ORIGINAL,
        paper="[1] 3.2",
        plain="replicated uniques",
        help="Replicated uniques: unique in the original and unique in the synthetic data.",
        original="UiO",
        outside=True,
        together=True,
        searched=True,
        aim=5,
        step=1,
    ),
    *(
        Measure(
            name,
            "membership",
            says,
            unit="at most 1",
            unit_in_files="share, at most 1",
            significant=2,
            searched=name == "F_rel",
            worse=name != "F_naive",
        )
        for name, says in (
            ("F", "F-score of telling members from people outside, with all keys"),
            ("F_rel", "F less that of guessing, as a share of what guessing leaves"),
            ("F_naive", "F-score of taking everybody for a member"),
            ("worst_F", "F with the subset of the keys that tells most"),
            ("worst_F_rel", "F_rel with the subset of the keys that tells most"),
        )
    ),
)
"""Those of a target first, then those of the keys, in the order of tables."""

BY_NAME = {m.name: m for m in MEASURES}


def of_family(family: Family) -> tuple[Measure, ...]:
    """Return the measures of a family."""
    return tuple(m for m in MEASURES if m.family == family)


def names(chosen: Callable[[Measure], object]) -> tuple[str, ...]:
    """Return the names of the measures that are `chosen`, in the order of the registry."""
    return tuple(m.name for m in MEASURES if chosen(m))


ATTRIBUTE = names(lambda m: m.family == "attribute")
CAPS = names(lambda m: m.family == "caps")
OF_TARGET = (*ATTRIBUTE, *CAPS)
"""What is read from the cells of a target and one synthesis."""

CLAIMS = names(lambda m: m.family == "claims")
"""What `Assessment.summary` says of the claims that DiSCO counts, beside a guess for the same people."""

IDENTITY = names(lambda m: m.family == "identity")
MEMBERSHIP = names(lambda m: m.family == "membership")
STEPS = names(lambda m: m.family == "attribute" and m.of == _ORIGINAL and not m.is_reference)
"""What is left of the original records after each step of an intruder."""

OF_ORIGINAL = names(lambda m: m.is_reference)
"""Measures that rest on the original alone."""

IN_RECORDS = names(lambda m: m.family == "attribute" and not m.unit.startswith("%"))
"""Measures of a target in records; all others are %."""

UNITS = {m.name: m.unit for m in MEASURES}
"""Of what the figures are; those of the CAP family are % of what measures.md 5 says."""

SHAREABLE = names(lambda m: m.step is not None and m.step <= 1)
"""What a shareable report may show in ranges of counts: one record moves it from one range to the next at most."""

WHOLE_CELLS = names(lambda m: m.step == WHOLE_CELL)
"""What one may show only where the office asks for it: it can tell nobody from one person."""

COMPARED = {m.compared: (m.original, m.name) for m in MEASURES if m.compared}
"""Name of a comparison: the original's measure and the synthetic data's (measures.md 8)."""

OUTSIDE = {m.compared: m.name for m in MEASURES if m.outside and m.compared}
"""Name of what members and people outside are compared on, and the measure of a target that it is."""
