"""What all kinds of mends ask of a series, and a change that reads all of its values or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class Read:
    """A change that reads values as numbers or moments: all of a series, or it stays as it is.

    Attributes
    ----------
    change
        What changes a series.
    some
        Of distinct values, those that it can read, and what it makes of each, as a text.
    of_numbers
        Whether it reads numbers, too, and not texts alone.
    """

    change: Callable[[pd.Series[Any]], pd.Series[Any]]
    some: Callable[[Sequence[Any]], Mapping[Any, str]]
    of_numbers: bool = False

    def __call__(self, values: pd.Series[Any]) -> pd.Series[Any]:
        """Return a series changed, or as it is."""
        return self.change(values)

    def where_it_can(self, values: pd.Series[Any]) -> pd.Series[Any]:
        """Return a series changed; where some value cannot be read, value by value."""
        changed = self.change(values)
        numbers = self.of_numbers and pd.api.types.is_numeric_dtype(values.dtype)
        if changed is not values or not (numbers or is_text(values)):
            return changed
        read = self.some([v for v in dict.fromkeys(objects_of(values)) if not isinstance(v, bool)])
        if not read:
            return values
        mapped = values.astype(object).map(lambda v: v if isinstance(v, bool) else read.get(v, v), na_action="ignore")
        return mapped.astype("str") if texts_only(mapped) else mapped


def texts_only(values: pd.Series[Any]) -> bool:
    """Whether every value that is there is a text."""
    return pd.api.types.infer_dtype(values, skipna=True) in {"string", "empty"}


def is_text(values: pd.Series[Any]) -> bool:
    """Whether a series can hold texts; of categories, whether one is a text."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return any(isinstance(v, str) for v in values.cat.categories)
    return values.dtype == object or bool(pd.api.types.is_string_dtype(values.dtype))


def texts_of(values: pd.Series[Any]) -> list[str]:
    """Return the distinct texts of a series."""
    return [v for v in dict.fromkeys(objects_of(values)) if isinstance(v, str)] if is_text(values) else []


def objects_of(values: pd.Series[Any]) -> Iterator[Any]:
    """Give the values of a series that are there; of categories, each level."""
    return iter(values.cat.categories if isinstance(values.dtype, pd.CategoricalDtype) else values.dropna().tolist())
