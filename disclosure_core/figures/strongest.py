"""What each key, and each coarsening of it, adds to the strongest intruder."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from disclosure_core.counting.registry import BY_NAME
from disclosure_core.figures.shapes import Bar, BarPlot
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.strongest_intruder import MEASURES, OF_KEYS, StrongestIntruder

NAMES = {name: BY_NAME[name].in_words for name in MEASURES}
"""What a measure that is searched for is called."""


def unit_of(measure: str, n_original: int) -> str:
    """Return what a figure of a measure counts."""
    if measure == "F_rel":
        return "F_rel, at most 1"
    return f"{'percentage points' if measure == 'gain' else '%'} of {n_original:,} original records"


def describe(found: StrongestIntruder, n_original: int, measure: str, target: str = "") -> BarPlot:
    """Return the figure with one key known at each level, all others as at the worst combination; the worst outlined.

    Parameters
    ----------
    found
        The search.
    n_original
        N_d, the records that 100 % stands for.
    measure, target
        Which of the figures searched; no target for repU and F_rel.

    Source
    ------
    measures.md 13.
    """
    worst = found.of(measure, target)
    rows = found.adds[(found.adds["measure"] == measure) & (found.adds["target"] == target)]
    points = "" if measure == "F_rel" else " percentage points"
    bars = tuple(
        Bar(
            f"{row['key']}{(known := _known(row))}",
            float(row["figure"]),
            None if row["at_worst"] else float(worst["figure"]),
            "the worst combination"
            if row["at_worst"]
            else f"{fixed(row['figure'] - worst['figure'], sign=True)}{points} beside the worst combination",
            digits=2,
            around=("", known),
        )
        for row in rows.to_dict("records")
    )
    what, of = called(found, measure, target), target if measure not in OF_KEYS else ""
    return BarPlot(
        f"Strongest intruder{found.coverage.of_those}, {what}: one key known otherwise",
        unit_of(measure, n_original) + (f", target {of}" if of else ""),
        bars,
        "with the key so known",
        "the worst combination",
        caption=f"The worst combination is {worst['knows']}. Searched: {found.coverage}.",
        what="one key, all others as at the worst combination",
        target=of,
    )


def _known(row: Mapping[Hashable, Any]) -> str:
    """Return how exactly a key is known, as it stands after its name."""
    return f": {row['level']}" + (", as at the worst" if row["at_worst"] else "")


def sentences(found: StrongestIntruder, measure: str, target: str = "") -> tuple[str, ...]:
    """Return the worst combination in words, people outside and luck beside it, and how far was searched."""
    worst, what = found.of(measure, target), called(found, measure, target)
    unit = {"F_rel": "", "gain": " points"}.get(measure, " %")
    at_least = "" if found.complete else "at least "
    largest, whole = f"{fixed(worst['figure'])}{unit}", f"{fixed(worst['all_keys'])}{unit}"
    if fixed(worst["figure"]) == fixed(worst["all_keys"]):
        enough = f"; {worst['knows']} is enough for it" if any(worst["node"]) and worst["figure"] else ""
        first = f"Nothing looked at discloses more than all keys as they are: {what} is {largest}{enough}."
    else:
        than = " (not within the bounds)" if worst["figure"] < worst["all_keys"] else ""
        first = (
            f"The largest {what}{found.coverage.of_those} is {at_least}{largest}, for somebody who knows "
            f"{worst['knows']}. With all keys as they are{than} it is {whole}."
        )
    said = [first]
    if worst["outside"] == worst["outside"]:
        said.append(f"Of people outside the data, with the same keys: {fixed(worst['outside'])}{unit}.")
    if worst["figure"]:
        said.append(
            f"Chosen on one half of the people it is {fixed(worst['chosen'])}{unit} there, and "
            f"{fixed(worst['other'])}{unit} on the other half (means over 20 halvings)."
        )
    return (*said, f"Searched: {found.coverage}.")


def called(found: StrongestIntruder, measure: str, target: str) -> str:
    """Return what a figure is called: of which target, and how sure its claims are."""
    sure = f", claims at least {found.tau:g} sure" if found.tau is not None and measure not in OF_KEYS else ""
    return f"{NAMES[measure]}{f' of {target}' if target else ''}{sure}"
