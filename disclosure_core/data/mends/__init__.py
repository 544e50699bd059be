"""What each kind of mend does: from the sides of a column to what changes a series, or None where nothing is to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.data.mends._moments import zone
from disclosure_core.data.mends._numbers import decimals, units
from disclosure_core.data.mends._respelled import best_of, by_each, to_level
from disclosure_core.data.mends._texts import case, labels, letters, missing, space
from disclosure_core.data.spellings import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from disclosure_core.data.sides import Side

MAKERS: Mapping[str, Callable[[Sequence[Side], Mapping[str, str]], Any]] = {
    "encoding": by_each(texts.encoding),
    "letters": letters,
    "space": space,
    "affix": best_of("affix"),
    "parts": best_of("parts"),
    "accents": best_of("accents"),
    "zeros": by_each(texts.zeros),
    "punctuation": by_each(texts.punctuation),
    "case": case,
    "missing": missing,
    "labels": lambda sides, declared: labels(sides, declared) if declared else (
        labels(sides, declared) or best_of("labels")(sides, declared)),
    "names": best_of("names"),
    "units": units,
    "decimals": lambda sides, declared: decimals(sides, declared) or best_of("decimals")(sides, declared),
    "dates": to_level("second"),
    "zone": zone,
    "day": to_level("day"),
    "month": to_level("month"),
    "quarter": to_level("quarter"),
    "year": to_level("year"),
    "start": best_of("start"),
}  # fmt: skip
"""The function of each kind, by its name, in the order in which they are applied."""
