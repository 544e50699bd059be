"""Codes of levels in files that hold codes with labels: those of SPSS, Stata, and R's haven."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from disclosure_core.data.readers._statistical import in_ranges
from disclosure_core.errors import DisclosureError


def codes(
    levels: Iterable[str],
    labels: Mapping[Any, str],
    before: set[Any],
    untouched: set[Any],
    ranges: list[Any],
    *,
    of_text: bool,
) -> tuple[dict[str, Any], dict[Any, str]]:
    """Return the code of each new level, and the labels of the column then.

    A level takes the code that has its label, or stays a value that the file has without one; else it gets a code of
    its own. Labels of codes that are gone go: the column had the values `before`, cells that no step changed have
    those `untouched`.
    """
    kept = {code: text for code, text in labels.items() if code not in before or code in untouched}
    used, found = untouched | set(kept), dict[str, Any]()
    for level in levels:
        code = next((c for c, text in kept.items() if text == level and not in_ranges(c, ranges)), None)
        if code is None:
            code = next((c for c in untouched if c not in kept and _written(c) == level), None)
        if code is None:
            code = _free_text(level, used) if of_text else free_code(used, ranges)
            if labels or code != level:
                kept[code] = level
        used.add(code)
        found[level] = code
    return found, kept


def free_code(used: set[Any], ranges: list[Any]) -> float:
    """Return a whole number that no value, no label and no declared missing value has, above those of answers."""
    answers = [c for c in used if not isinstance(c, str) and not in_ranges(c, ranges) and abs(c) < 10_000]
    code = int(max(answers, default=0)) + 1 if max(answers, default=0) >= 0 else 1
    for candidate in (*range(code, code + 100_000), *range(1, code), *range(0, -100_000, -1)):
        if candidate not in used and not in_ranges(candidate, ranges):
            return float(candidate)
    raise DisclosureError("There is no code left for the merged level; declare fewer missing values in the file.")


def _written(value: Any) -> str:
    """Return a value as its level is called where it has no label."""
    return value.rstrip(" ") if isinstance(value, str) else f"{value:.15g}"


def _free_text(level: str, used: set[Any]) -> str:
    while level in used:
        level += "_"
    return level
