"""Mends of texts: letters, spaces, capitals, texts for an empty cell, labels beside codes, yes and no."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.data.mends._numbers import all_numbers, as_numbers, some_number
from disclosure_core.data.mends._series import is_text, objects_of, texts_of, texts_only
from disclosure_core.data.spellings.stored import codes_for_empty
from disclosure_core.data.spellings.texts import NO, YES, labelled, stands_for_empty
from disclosure_core.data.spellings.texts import letters as one_writing
from disclosure_core.data.spellings.texts import space as one_space
from disclosure_core.data.suggestions import MISSING_TEXTS

if TYPE_CHECKING:
    from disclosure_core.data.sides import Side

_LOGICAL = {"true": True, "false": False}
_SHORT = {**dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}
"""Words for yes and no, where another side says true and false."""

_MOST_LOGICAL = 20
"""More distinct spellings than this are not those of yes and no."""


def letters(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Write letters that look alike in one way."""
    if all(text.isascii() for side in sides for text in texts_of(side.values)):
        return None
    return lambda values: mapped_texts(values, one_writing)


def space(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Leave out spaces before and after words, and all but one between them."""
    numeric = some_number(sides)

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        changed = mapped_texts(values, lambda t: one_space(t) or None)
        return as_numbers(changed, "") if numeric else changed

    return change


def case(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Keep the original's commonest spelling of each text, so that levels go on being called what they are."""
    logical = _all_of(sides, _LOGICAL)
    if logical is not None:
        return logical
    spellings: dict[str, tuple[int, int, str]] = {}
    for i, side in enumerate(sides):
        for value, n in zip(side.values.tolist(), side.records.tolist(), strict=True):
            if isinstance(value, str):
                rank = (i, -n, value)
                key = value.casefold()
                spellings[key] = min(spellings.get(key, rank), rank)
    commonest = {key: text for key, (_, _, text) in spellings.items()}
    if len(commonest) == len({text for side in sides for text in texts_of(side.values)}):
        return None  # no text has two spellings
    return lambda values: mapped_texts(values, lambda t: commonest.get(t.casefold(), t))


def missing(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Read texts that commonly stand for an empty cell as one; and what says “no answer” on some sides alone."""
    texts = [{*texts_of(side.values)} for side in sides]
    every = texts[0].union(*texts)
    words = {t for t in every - texts[0].intersection(*texts) if stands_for_empty(t)}
    words |= {t for t in every if t.strip().lower() in MISSING_TEXTS}
    codes = _codes_for_empty(sides)
    if not words and not codes:
        return None
    numeric = some_number(sides)

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        if codes and pd.api.types.is_numeric_dtype(values.dtype):
            whole = pd.api.types.is_integer_dtype(values.dtype)
            return (values.astype("Int64") if whole else values).mask(values.isin(codes))
        changed = mapped_texts(values, lambda t: None if t in words else t)
        return as_numbers(changed, "") if numeric or all_numbers(changed) else changed

    return change


def _codes_for_empty(sides: Sequence[Side]) -> list[float]:
    """Return the numbers for “no answer” that stand on one side where another has empty cells."""
    dtypes = [side.values.dtype for side in sides]
    if not all(pd.api.types.is_numeric_dtype(d) and not pd.api.types.is_bool_dtype(d) for d in dtypes):
        return []
    numbers = [side.values.to_numpy(dtype=float, na_value=np.nan) for side in sides]
    values = np.unique(np.concatenate([own[~np.isnan(own)] for own in numbers]))
    counts, missing = [], []
    for side, own in zip(sides, numbers, strict=True):
        there = ~np.isnan(own)
        places = np.searchsorted(values, own[there])
        found = np.bincount(places, weights=side.records[there], minlength=len(values))
        counts.append(found.astype(np.int64))
        missing.append(int(side.records[~there].sum()))
    by_side = [codes_for_empty(values, (counts[0], counts[i]), (missing[0], missing[i])) for i in range(1, len(sides))]
    return sorted({float(code) for codes in by_side for code in codes})


def labels(sides: Sequence[Side], labels: Mapping[str, str]) -> Any:
    """Put declared labels in the place of codes; T, 1 and TRUE are one answer where a side says TRUE and FALSE."""
    if labels:
        if any(labels.get(label, label) != label for label in labels.values()):
            return None  # a label that is itself the code of another says nothing certain

        read = labelled(labels)

        def label(text: str) -> str:
            return found[0] if (found := read(text)) else text

        def change(values: pd.Series[Any]) -> pd.Series[Any]:
            if isinstance(values.dtype, pd.CategoricalDtype) and is_text(values):
                return mapped_texts(values, label)
            return values.map(lambda v: label(plain_text(v)), na_action="ignore").astype("str")

        return change
    return _all_of(sides, _SHORT) if any(_all_of([side], _LOGICAL) for side in sides) else None


def mapped_texts(values: pd.Series[Any], change: Callable[[str], str | None]) -> pd.Series[Any]:
    """Return a series with its texts changed, other values as they are; the order of listed levels is kept."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        old = values.cat.categories.tolist()
        new = [change(v) if isinstance(v, str) else v for v in old]
        if new == old:
            return values
        levels = list(dict.fromkeys(v for v in new if v is not None))
        places = {v: i for i, v in enumerate(levels)}
        table = np.array([*(-1 if v is None else places[v] for v in new), -1])
        dtype = pd.CategoricalDtype(levels, values.dtype.ordered)
        changed = pd.Categorical.from_codes(table[values.cat.codes].tolist(), dtype=dtype)
        return pd.Series(changed, index=values.index, name=values.name)
    if not is_text(values):
        return values
    by_text = {t: change(t) for t in texts_of(values)}
    if all(t == v for t, v in by_text.items()):
        return values
    mapped = values.astype(object).map(lambda v: by_text.get(v, v) if isinstance(v, str) else v, na_action="ignore")
    return mapped if values.dtype == object and not texts_only(mapped) else mapped.astype("str")


def _all_of(sides: Sequence[Side], truth_values: Mapping[str, bool]) -> Any:
    """Return what makes logical values of a column whose every value is one of `words`; None for another column."""
    if any(len(side.values) > _MOST_LOGICAL for side in sides):
        return None
    if not all(plain_text(v).casefold() in truth_values for side in sides for v in objects_of(side.values)):
        return None
    if not any(side.values.notna().any() for side in sides):
        return None

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        changed = values.astype(object).map(lambda v: truth_values.get(plain_text(v).casefold(), v), na_action="ignore")
        present = changed.dropna()
        return changed.astype("boolean") if present.map(lambda v: isinstance(v, bool)).all() else changed

    return change


def plain_text(value: Any) -> str:
    """Return a value as a code is written in a file: 1 for 1.0."""
    if isinstance(value, (bool, np.bool_, str, date, time)):
        return str(value)
    return f"{value:.15g}" if isinstance(value, (float, np.floating)) else str(value)
