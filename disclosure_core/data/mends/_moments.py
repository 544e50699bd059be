"""The mend of time zones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from disclosure_core.data.mends._series import Read, is_text, objects_of, texts_of
from disclosure_core.data.sides import Side, shares

_ZONE = re.compile(r"(?<=\d)\s*(Z|UTC|[+-]\d{2}:?\d{2})$")


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
