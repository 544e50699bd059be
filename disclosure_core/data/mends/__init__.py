"""What each kind of mend does: from the sides of a column to what changes a series, or None where nothing is to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.data.mends._moments import zone
from disclosure_core.data.mends._numbers import all_numbers, as_numbers, decimals, have_quantiles_of_another_unit, units
from disclosure_core.data.mends._respelled import best_of, by_each, to_level
from disclosure_core.data.mends._series import is_text
from disclosure_core.data.mends._texts import case, labels, letters, missing, space
from disclosure_core.data.spellings import texts

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.data.sides import Side


def _labels_or_words(sides: Sequence[Side], declared: Mapping[str, str]) -> Any:
    """Put declared labels in the place of codes; without any, read words for yes and no as one."""
    return labels(sides, declared) or (None if declared else best_of("labels")(sides, declared))


def _other_units(sides: Sequence[Side], declared: Mapping[str, str]) -> Any:
    """Convert numbers where nearly all meet then; or half, where the quantiles of both sides say so, too."""
    sides = [replace(side, values=_numbers(side.values)) for side in sides]
    change = units(sides, declared)
    if change is None and have_quantiles_of_another_unit(sides):
        change = units(sides, declared, 0.5)
    return change and (lambda values: change(_numbers(values)))


def _numbers(values: pd.Series[Any]) -> pd.Series[Any]:
    """Return texts as numbers where all of them are plain ones."""
    return as_numbers(values, "") if all_numbers(values) else values


def _numbers_or_texts(sides: Sequence[Side], declared: Mapping[str, str]) -> Any:
    """Read and round numbers; where a column holds other texts, too, read those that are numbers."""
    change = decimals(sides, declared)
    return best_of("decimals")(sides, declared) if change is None and any(is_text(s.values) for s in sides) else change


MAKERS: Mapping[str, Callable[[Sequence[Side], Mapping[str, str]], Any]] = {
    "encoding": best_of("encoding"),
    "letters": letters,
    "space": space,
    "affix": best_of("affix"),
    "parts": best_of("parts"),
    "accents": best_of("accents"),
    "zeros": by_each(texts.zeros),
    "punctuation": by_each(texts.punctuation),
    "case": case,
    "missing": missing,
    "labels": _labels_or_words,
    "names": best_of("names"),
    "units": _other_units,
    "decimals": _numbers_or_texts,
    "dates": to_level("second"),
    "zone": zone,
    "minute": to_level("minute"),
    "hour": to_level("hour"),
    "day": to_level("day"),
    "week": to_level("week"),
    "month": to_level("month"),
    "quarter": to_level("quarter"),
    "year": to_level("year"),
    "start": best_of("start"),
}
"""The function of each kind, by its name, in the order in which they are applied."""
