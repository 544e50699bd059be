"""Texts that are dates or amounts to a person, read where exactly one way of writing fits all of them."""

from __future__ import annotations

import re
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
    distinct = texts.dropna().drop_duplicates()
    read = [pd.to_datetime(distinct, format=written, errors="coerce") for written in _DATES]
    fits = [moments for moments in read if len(moments) and moments.notna().all()]
    if len(fits) != 1:
        return None
    return pd.to_datetime(texts.astype(object).map(dict(zip(distinct, fits[0], strict=True)), na_action="ignore"))


def amounts(texts: pd.Series[Any]) -> pd.Series[Any] | None:
    """Return numbers such as 1.137,50 or 1,137.50; None where a mark may part thousands or a fraction."""
    distinct = list(texts.dropna().unique())
    fits = [mark for mark, written in _AMOUNTS.items() if all(map(written.fullmatch, distinct))]
    if len(fits) != 1 or not distinct:
        return None
    numbers = {text: float(re.sub(rf"[^\d+{fits[0]}-]", "", text).replace(",", ".")) for text in distinct}
    return texts.map(numbers, na_action="ignore").astype(float)
