"""Mends of moments: days written in another way or counted, and time zones."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from disclosure_core.data.mends._numbers import PLAIN_MARKS, some_number
from disclosure_core.data.mends._series import Read, is_text, objects_of, texts_of
from disclosure_core.data.sides import Side, shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

_ZONE = re.compile(r"(?<=\d)\s*(Z|UTC|[+-]\d{2}:?\d{2})$")

_WRITTEN_DAYS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d")
"""Ways to write a day other than 2020-01-31."""

_FIRST_DAYS = ("1899-12-30", "1904-01-01", "1960-01-01", "1970-01-01")
"""Days from which days are counted: by Excel, by Excel on old Macs, by SAS and Stata, by R."""


def dates(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Read days as texts or numbers where another side has dates, in the way in which most values meet."""
    if not any(pd.api.types.is_datetime64_dtype(side.values.dtype) for side in sides):
        return None
    best: tuple[float, Any] | None = None
    for way in (*_WRITTEN_DAYS, *_FIRST_DAYS):
        change = Read(partial(_as_days, way=way), partial(_some_days, way=way), of_numbers=way in _FIRST_DAYS)
        tried = [Side(change(side.values), side.records) for side in sides]
        if not all(pd.api.types.is_datetime64_dtype(side.values.dtype) for side in tried) or all(
            side.values is before.values for side, before in zip(tried, sides, strict=True)
        ):
            continue
        met = float(shares(tried).mean())
        if best is None or met > best[0]:
            best = met, change
    return None if best is None else best[1]


def _as_days(values: pd.Series[Any], way: str) -> pd.Series[Any]:
    """Return texts, or numbers of days, as dates; the series itself where one of them is none."""
    numeric = some_number([Side(values, np.ones(len(values), dtype=np.int64))])
    if numeric != (way in _FIRST_DAYS) or not (numeric or is_text(values)):
        return values
    try:
        if numeric:
            days = values.astype("float64")
            if not (days.dropna() % 1 == 0).all():
                return values
            return pd.to_datetime(days, unit="D", origin=way).astype("M8[s]")
        return pd.to_datetime(values.astype("str"), format=way).astype("M8[s]")
    except (ValueError, OverflowError):
        return values


def _some_days(distinct: Sequence[Any], way: str) -> Mapping[Any, str]:
    """Return the texts, or numbers of days, that `_as_days` reads, and their days."""
    if way in _FIRST_DAYS:
        listed = [v for v in distinct if isinstance(v, int | float) or PLAIN_MARKS[""][0].fullmatch(str(v))]
        numbers = pd.Series([float(v) for v in listed])
        days = pd.to_datetime(numbers.where(numbers % 1 == 0), unit="D", origin=way, errors="coerce")
    else:
        listed = [v for v in distinct if isinstance(v, str)]
        days = pd.to_datetime(pd.Series(listed, dtype="str"), format=way, errors="coerce")
    return {v: str(day.date()) for v, day in zip(listed, days, strict=True) if not pd.isna(day)}


def zone(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Take moments without their zone: as the clock there showed, or as UTC, whichever lets more values meet."""
    if not any(_zoned(side.values) for side in sides):
        return None

    def as_(how: str) -> Any:
        return Read(partial(_naive, how=how), partial(_some_moments, how=how))

    changes = [as_("wall"), as_("utc")]
    shares_met = [
        float(shares([Side(change(side.values), side.records) for side in sides]).mean()) for change in changes
    ]
    return changes[int(np.argmax(shares_met))]


def _zoned(values: pd.Series[Any]) -> bool:
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        return True
    first = next((v for v in objects_of(values) if isinstance(v, str)), "") if is_text(values) else ""
    return _ZONE.search(first) is not None and _moments(texts_of(values), "utc") is not None


def _naive(values: pd.Series[Any], how: str) -> pd.Series[Any]:
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        return (values if how == "wall" else values.dt.tz_convert("UTC")).dt.tz_localize(None)
    if not is_text(values):
        return values
    distinct = texts_of(values)
    moments = _moments(distinct, how)
    if moments is None:
        return values
    return pd.to_datetime(values.astype(object).map(dict(zip(distinct, moments, strict=True)), na_action="ignore"))


def _moments(texts: list[str], how: str) -> list[datetime] | None:
    """Return texts as moments without a zone; None where one is no moment with a time of day."""
    try:
        return list(_instants(texts, how, "raise"))
    except (ValueError, TypeError, OverflowError):
        return None


def _some_moments(distinct: Sequence[Any], how: str) -> Mapping[Any, str]:
    """Return the texts that `_moments` reads, and their moments."""
    texts = [v for v in distinct if isinstance(v, str)]
    return {t: at.isoformat() for t, at in zip(texts, _instants(texts, how, "coerce"), strict=True) if not pd.isna(at)}


def _instants(texts: Sequence[str], how: str, errors: Literal["raise", "coerce"]) -> pd.Series[Any]:
    plain = [t if how == "utc" else _ZONE.sub("", t) for t in texts]
    stamps = pd.to_datetime(pd.Series(plain, dtype="str"), format="ISO8601", utc=True, errors=errors)
    return stamps.dt.tz_localize(None)
