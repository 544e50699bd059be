"""Texts that are dates or amounts to a person, read where exactly one way of writing fits all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

_DATES = [order for mark in "./-" for order in (f"%d{mark}%m{mark}%Y", f"%m{mark}%d{mark}%Y")]
_AMOUNTS = {
    mark: re.compile(rf"[+-]?(?:0|[1-9]\d*|[1-9]\d{{0,2}}(?:{gap}\d{{3}})+)(?:{re.escape(mark)}\d+)?")
    for mark, gap in ((",", r"[.\s']"), (".", r"[,\s']"))
}
"""By decimal mark, a number with or without thousands that are parted."""


def dates(texts: pd.Series[Any]) -> pd.Series[Any] | None:
    """Return days such as 31.01.2020 or 01/31/2020; None where day and month cannot be told apart for certain."""
    distinct = list(texts.dropna().unique())
    fits = date_orders(distinct)
    if len(fits) != 1:
        return None
    days = dict(zip(distinct, pd.to_datetime(pd.Series(distinct, dtype="str"), format=fits[0]), strict=True))
    return pd.to_datetime(texts.astype(object).map(days, na_action="ignore"))


def date_orders(texts: Sequence[str]) -> list[str]:
    """Return the ways to write a day that fit all of some texts; most texts fit none with the first of them."""
    return [order for order in _DATES if _are_days(texts[:1], order) and _are_days(texts, order)]


def _are_days(texts: Sequence[str], order: str) -> bool:
    days = pd.to_datetime(pd.Series(texts, dtype="str"), format=order, errors="coerce")
    return bool(len(days) and days.notna().all())


def amounts(texts: pd.Series[Any]) -> pd.Series[Any] | None:
    """Return numbers such as 1.137,50 or 1,137.50; None where a mark may part thousands or a fraction."""
    distinct = list(texts.dropna().unique())
    fits = decimal_marks(distinct)
    if len(fits) != 1:
        return None
    numbers = {text: float(re.sub(rf"[^\d+{fits[0]}-]", "", text).replace(",", ".")) for text in distinct}
    return texts.map(numbers, na_action="ignore").astype(float)


def decimal_marks(texts: Sequence[str]) -> list[str]:
    """Return the decimal marks with which all of some texts are numbers."""
    return [mark for mark, written in _AMOUNTS.items() if texts and all(map(written.fullmatch, texts))]
