"""Mends: one spelling for values that mean the same, in frames, before they are made comparable.

A mend is asked for by column and kind (`KINDS`). `resolve` looks once at the tables under comparison and fixes what
each kind means there (how many decimal digits, which spelling is kept); what it returns is applied to any table alike:
to the original, the syntheses and a holdout. Nothing is mended unasked; `agreement` says where a mend would help.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.data.study import Study
from disclosure_core.data.suggestions import MISSING_TEXTS, Table
from disclosure_core.errors import DisclosureError, not_found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from disclosure_core.data.coded import CodedTable

KINDS = ("letters", "space", "case", "missing", "labels", "units", "decimals", "dates", "zone")
"""The kinds of mends, in the order in which they are applied whatever the order asked for."""

WORDS = {
    "letters": "letters that look alike and are stored in other ways (composed or decomposed, full or half width)",
    "space": "spaces before, after or between words",
    "case": "capital letters on one side and small ones on the other",
    "missing": "a text that stands for an empty cell on one side and empty cells on the other",
    "labels": "labels on one side and codes on the other, or other words for yes and no",
    "decimals": "another number of decimal digits, another decimal mark, or a sign of money or percent, on one side",
    "units": "another unit on one side, such as minutes beside hours",
    "dates": "dates written in another way, or as numbers of days, on one side",
    "zone": "time zones",
}
"""What each kind mends, as a clause after "Likely cause:"."""

MOST_OF = 0.95
"""The share of a side's records that must do with its decimal digits: a few odd values do not decide."""

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))
_ZONE = re.compile(r"(?<=\d)\s*(Z|UTC|[+-]\d{2}:?\d{2})$")
_LOGICAL = {"true": True, "false": False}
_SHORT = {
    **_LOGICAL,
    **dict.fromkeys(("t", "1", "y", "yes", "j", "ja", "wahr", "oui", "vrai", "s\u00ed", "si", "s\u00ec", "vero"), True),
    **dict.fromkeys(("f", "0", "n", "no", "nein", "nee", "falsch", "non", "faux", "falso"), False),
}
"""Words for yes and no, where another side says true and false."""

_PLAIN_MARKS: Mapping[str, tuple[re.Pattern[str], Callable[[str], str]]] = {
    "": (re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"), str),
    ",": (re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)"), lambda t: t.replace(",", ".")),
    ", in thousands": (re.compile(r"[+-]?\d{1,3}(,\d{3})*(\.\d*)?|[+-]?\d+(\.\d*)?"), lambda t: t.replace(",", "")),
    ". in thousands": (
        re.compile(r"[+-]?\d{1,3}(\.\d{3})*(,\d*)?|[+-]?\d+(,\d*)?"),
        lambda t: t.replace(".", "").replace(",", "."),
    ),
}
"""Ways to read a text as a number: what it must look like, and how Python writes it."""

_MONEY = r"(?:[\u20ac$\u00a3\u00a5]|z\u0142|K\u010d|kr\.?|Fr\.?|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF)"


def _amounts(mark: str) -> tuple[re.Pattern[str], Callable[[str], str]]:
    """Return how amounts of money are read whose numbers are written in one of the ways above."""
    looks, plain = _PLAIN_MARKS[mark]
    number = rf"(?:{looks.pattern})"
    sign = re.compile(rf"\s*{_MONEY}\s*", re.IGNORECASE)
    found = re.compile(rf"[+-]?{_MONEY}\s?{number}|{number}\s?{_MONEY}", re.IGNORECASE)
    return found, lambda t: plain(sign.sub("", t))


def _percents(share: int) -> tuple[re.Pattern[str], Callable[[str], str]]:
    """Return how percentages are read: as their number, or as their share of one."""
    looks = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s?%")
    return looks, lambda t: str(Decimal(t.rstrip("% \u00a0").replace(",", ".")) / share)


_MARKS = {
    **_PLAIN_MARKS,
    **{f"money {mark}": _amounts(mark) for mark in _PLAIN_MARKS},
    "%": _percents(1),
    "% of 1": _percents(100),
}
"""The same, and amounts of money and percentages."""

_WRITTEN_DAYS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d")
"""Ways to write a day other than 2020-01-31."""

_FIRST_DAYS = ("1899-12-30", "1904-01-01", "1960-01-01", "1970-01-01")
"""Days from which days are counted: by Excel, by Excel on old Macs, by SAS and Stata, by R."""

_UNITS = (60, 3600, 24, 7, 12, 100, 1000)
"""How many of one unit another is: minutes and seconds, hours, days, months; percent, and thousands."""

_IN_ANOTHER_UNIT, _IN_THIS_UNIT = 0.5, 0.9
"""A file has another unit where of its records so few have a number of the original, and so many do once converted."""

_MERGED = 6
"""As many numbers, on average, may become one by it: shares of one are no levels 0 to 10 in sevenths."""

_MOST_LOGICAL = 20
"""More distinct spellings than this are not those of yes and no."""

_SAMPLE = 5_000
"""Distinct numbers that are looked at for their decimal digits."""


@dataclass(frozen=True, eq=False, repr=False)
class Side:
    """One side of a column: `values`, distinct or not, and how many `records` have each; None for missing."""

    values: pd.Series[Any]
    records: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Mends:
    """Mends with what they mean for the tables they were resolved for.

    Attributes
    ----------
    kinds
        By column, the kinds in the order applied.
    """

    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _changes: Mapping[str, tuple[Callable[[pd.Series[Any]], pd.Series[Any]], ...]] = field(default_factory=dict)


def checked(mends: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return mends with each column's kinds once and in their order; columns without any are left out.

    Raises
    ------
    DisclosureError
        When there is no such kind.
    """
    by_column = {}
    for name, kinds in mends.items():
        wanted = [kinds] if isinstance(kinds, str) else list(kinds)
        for kind in wanted:
            if kind not in KINDS:
                raise not_found("Mend", str(kind), "one that there is", KINDS)
        if wanted:
            by_column[name] = tuple(kind for kind in KINDS if kind in wanted)
    return by_column


def resolve(
    frames: Sequence[pd.DataFrame] | Sequence[CodedTable],
    mends: Mapping[str, Iterable[str]],
    labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Mends:
    """Return what the mends mean for these tables.

    Parameters
    ----------
    frames
        The tables that are compared, the original first.
    mends
        Kinds by column.
    labels
        By column, what files declare of their codes: the label by the code as text.

    Raises
    ------
    DisclosureError
        When there is no such kind, no table has the column, or labels are asked for that no file declares.
    """
    changes = {}
    wanted = checked(mends)
    for name, kinds in wanted.items():
        columns = [frame[name] for frame in frames if name in frame.columns]
        if not columns:
            raise not_found("Mend", name, "a column of the data", [str(c) for frame in frames for c in frame.columns])
        sides = [side_of(values) for values in columns]
        changes_made, sides = steps(sides, kinds, (labels or {}).get(name, {}))
        if "labels" in kinds and not any(kind == "labels" for kind, _ in changes_made):
            raise DisclosureError(
                f"No file declares which label stands for which code of {name!r}; give both files codes, or labels."
            )
        changes[name] = tuple(change for _, change in changes_made)
    return Mends(wanted, changes)


def mend(frame: Table, mends: Mends, *, strict: bool = True) -> Table:
    """Return `frame` with each column mended; columns that it does not have are passed over.

    Parameters
    ----------
    strict
        Whether a column in which one text is no number, or no moment, stays as it is. Without, the texts that are, are
        mended and stay texts beside it: for a table for which the mends were not resolved.
    """
    mended_columns: dict[str, Any] = {}
    for name, changes in mends._changes.items():  # noqa: SLF001 (the other half of Mends)
        if name in frame.columns:
            values = frame[name]
            for change in changes:
                values = change(values) if strict or not isinstance(change, _Read) else change.where_it_can(values)
            mended_columns[name] = values
    return frame.assign(**mended_columns) if mended_columns else frame


@dataclass(frozen=True, slots=True, repr=False)
class _Read:
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
        if changed is not values or not (numbers or _is_text(values)):
            return changed
        read = self.some([v for v in dict.fromkeys(_objects(values)) if not isinstance(v, bool)])
        if not read:
            return values
        mapped = values.astype(object).map(lambda v: v if isinstance(v, bool) else read.get(v, v), na_action="ignore")
        return mapped.astype("str") if _texts_only(mapped) else mapped


def mended(
    frames: Sequence[pd.DataFrame],
    mends: Mapping[str, Iterable[str]],
    labels: Mapping[str, Mapping[str, str]] | None = None,
) -> list[pd.DataFrame]:
    """Return the tables, the original first, mended alike.

    Raises
    ------
    DisclosureError
        As `resolve`.
    """
    resolved = resolve(frames, mends, labels)
    return [mend(frame, resolved) for frame in frames]


def side_of(values: pd.Series[Any]) -> Side:
    """Return the distinct values of a series, and the records that have each."""
    codes, first_record = _codes(values)
    return Side(values.iloc[first_record], np.bincount(codes))


def _codes(values: pd.Series[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return codes 0 … of a series' values, missing one of them, and where each stands first."""
    column = Study(values.to_frame("x"), [values.iloc[:1].to_frame("x")]).columns["x"]
    _, first_record, codes = np.unique(column.original, return_index=True, return_inverse=True)
    return codes.astype(np.int64), first_record


def shares(sides: Sequence[Side]) -> npt.NDArray[np.float64]:
    """Return how far the sides of a column meet, missing values being a value.

    Returns
    -------
    array of shape (2, m)
        In %: of the original's records those whose value also occurs in each synthesis; and of each synthesis'
        records those whose value also occurs in the original.
    """
    if all(_plain_texts(side.values) for side in sides):  # as a study does it, without putting texts in order
        codes = pd.factorize(pd.concat([side.values for side in sides], ignore_index=True), use_na_sentinel=False)[0]
        parts = np.split(codes, np.cumsum([len(side.values) for side in sides])[:-1])
        n = int(codes.max()) + 1
        pairs = zip(parts, sides, strict=True)
        return shares_of(
            np.stack([np.bincount(side_codes, weights=side.records, minlength=n) for side_codes, side in pairs])
        )
    column = Study(sides[0].values.to_frame("x"), [side.values.to_frame("x") for side in sides[1:]]).columns["x"]
    counts = np.stack(
        [
            np.bincount(codes, weights=side.records, minlength=column.n_codes)
            for codes, side in zip((column.original, *column.synthetic), sides, strict=True)
        ]
    )
    return shares_of(counts)


def _plain_texts(values: pd.Series[Any]) -> bool:
    return bool(values.dtype == "str") and not isinstance(values.dtype, pd.CategoricalDtype)


def shares_of(counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the same from records by file and value, shape (1 + m, n_codes)."""
    original, synthetic = counts[0], counts[1:]
    of_original = np.where(synthetic > 0, original, 0).sum(axis=1) / original.sum()
    of_synthetic = np.where(original > 0, synthetic, 0).sum(axis=1) / synthetic.sum(axis=1)
    return 100 * np.stack([of_original, of_synthetic])


def steps(
    sides: Sequence[Side], kinds: Iterable[str], labels: Mapping[str, str]
) -> tuple[list[tuple[str, Callable[[pd.Series[Any]], pd.Series[Any]]]], list[Side]]:
    """Return each kind with what it changes in these sides of a column, as far as there is anything; and the sides."""
    kinds, sides, changes = set(kinds), list(sides), []
    for kind in KINDS:
        if kind in kinds:
            change = _MAKERS[kind](sides, labels)
            if change is not None:
                changes.append((kind, change))
                sides = [Side(change(side.values), side.records) for side in sides]
    return changes, sides


# A kind a function: from the sides of a column to what changes a series, or None where there is nothing to do.


def _letters(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    if all(text.isascii() for side in sides for text in _texts(side.values)):
        return None
    return lambda values: _mapped(values, lambda t: t if t.isascii() else unicodedata.normalize("NFKC", t))


def _space(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    numeric = _some_number(sides)

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        changed = _mapped(values, lambda t: " ".join(t.translate(_INVISIBLE).split()) or None)
        return _as_numbers(changed, "") if numeric else changed

    return change


def _case(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
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
    if len(commonest) == len({text for side in sides for text in _texts(side.values)}):
        return None  # no text has two spellings
    return lambda values: _mapped(values, lambda t: commonest.get(t.casefold(), t))


def _missing(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    if not any(text.strip().lower() in MISSING_TEXTS for side in sides for text in _texts(side.values)):
        return None
    numeric = _some_number(sides)

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        changed = _mapped(values, lambda t: None if t.strip().lower() in MISSING_TEXTS else t)
        return _as_numbers(changed, "") if numeric or _all_numbers(changed) else changed

    return change


def _labels(sides: Sequence[Side], labels: Mapping[str, str]) -> Any:
    """Put declared labels in the place of codes; T, 1 and TRUE are one answer where a side says TRUE and FALSE."""
    if labels:
        if any(labels.get(label, label) != label for label in labels.values()):
            return None  # a label that is itself the code of another says nothing certain

        def change(values: pd.Series[Any]) -> pd.Series[Any]:
            if isinstance(values.dtype, pd.CategoricalDtype) and _is_text(values):
                return _mapped(values, lambda t: labels.get(t, t))
            texts = values.map(lambda v: labels.get(_plain(v), _plain(v)), na_action="ignore")
            return texts.astype("str")

        return change
    return _all_of(sides, _SHORT) if any(_all_of([side], _LOGICAL) for side in sides) else None


def _decimals(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Read texts as numbers in the way in which most values meet, and round to the digits of the coarsest side."""
    best: tuple[float, Any] | None = None
    for mark in _MARKS if any(_is_text(side.values) for side in sides) else [""]:
        tried = [Side(_as_numbers(side.values, mark), side.records) for side in sides]
        if any(_is_text(side.values) for side in tried):
            continue
        digits = [_digits(side) for side in tried]
        change = _rounder(mark, min(digits))
        if all(side.values is before.values for side, before in zip(tried, sides, strict=True)) and (
            min(digits) == max(digits)
        ):
            continue
        met = float(shares([Side(change(side.values), side.records) for side in sides]).mean())
        if best is None or met > best[0]:
            best = met, change
    return None if best is None else best[1]


def _rounder(mark: str, digits: int) -> Any:
    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        numbers = _as_numbers(values, mark)
        if not pd.api.types.is_float_dtype(numbers.dtype):
            return numbers
        rounded = _rounded(numbers.to_numpy(dtype=float, na_value=np.nan), digits)
        return pd.Series(rounded, index=numbers.index, name=numbers.name)

    looks, plain = _MARKS[mark]

    def some(distinct: Sequence[Any]) -> Mapping[Any, str]:
        fit = [v for v in distinct if isinstance(v, str) and looks.fullmatch(v) and abs(float(plain(v))) < 2**53]
        numbers = [v for v in distinct if isinstance(v, int | float)]
        made = [*change(pd.Series(fit, dtype="str")).tolist(), *change(pd.Series(numbers, dtype=float)).tolist()]
        return {v: str(number) for v, number in zip([*fit, *numbers], made, strict=True)}

    return _Read(change, some)


def _rounded(values: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    """Return numbers rounded as `_round` does; only those near a half, or very large, are looked at one by one."""
    with np.errstate(all="ignore"):
        scaled = np.abs(values) * 10.0**digits
        rounded = np.copysign(np.floor(scaled + 0.5) / 10.0**digits, values) + 0.0
        plain = (scaled < 2**40) & (np.abs(scaled - np.floor(scaled) - 0.5) > 1e-3) & (digits <= 22)
    hard = ~plain & ~np.isnan(values)
    rounded[hard] = [_round(value, digits) for value in values[hard].tolist()]
    return np.where(np.isnan(values), np.nan, rounded)


def _round(value: float, digits: int) -> float:
    """Return a number rounded as its shortest decimal is written, half away from zero."""
    if not np.isfinite(value):
        return value
    exact = Decimal(repr(value))
    scaled = (abs(exact).scaleb(digits) + Decimal("0.5")).to_integral_value("ROUND_FLOOR")
    return float((scaled if exact >= 0 else -scaled).scaleb(-digits)) + 0.0


def _digits(side: Side) -> int:
    """Return the decimal digits with which nearly all records of a side do."""
    if not pd.api.types.is_float_dtype(side.values.dtype):
        return 0
    present = side.values.notna().to_numpy()
    stride = max(1, len(present) // _SAMPLE)
    numbers, records = side.values[present].to_numpy()[::stride], side.records[present][::stride]
    if not len(numbers):
        return 0
    digits = np.array([max(0, -int(Decimal(str(v)).normalize().as_tuple().exponent)) if np.isfinite(v) else 0
                       for v in numbers])  # fmt: skip
    order = np.argsort(digits, kind="stable")
    upto = np.cumsum(records[order])
    return int(digits[order][np.searchsorted(upto, MOST_OF * upto[-1])])


def _units(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Convert numbers into the original's unit, to its decimal digits; a file is converted as a whole, or stays."""
    if not all(_numeric(side.values) for side in sides):
        return None
    known = np.unique(sides[0].values.dropna().to_numpy(dtype=float))
    converted = partial(_converted, known=known, digits=_digits(sides[0]))
    if not len(known) or all(converted(side.values, side.records) is side.values for side in sides):
        return None
    return converted


def _converted(
    values: pd.Series[Any],
    records: npt.NDArray[np.int64] | None = None,
    *,
    known: npt.NDArray[np.float64],
    digits: int,
) -> pd.Series[Any]:
    """Return numbers in the unit of the numbers known; as they are where they already meet, or no unit lets them.

    A number that is known only as it stands, such as a code for no answer, stays.
    """
    if not _numeric(values):
        return values
    numbers = values.to_numpy(dtype=float, na_value=np.nan)
    weights = np.where(np.isnan(numbers), 0, 1 if records is None else records)
    n, plain = weights.sum(), np.isin(numbers, known)
    if not n or (weights * plain).sum() > _IN_ANOTHER_UNIT * n:
        return values
    best, most = values, _IN_THIS_UNIT * n
    for factor in _UNITS:
        for scaled in (numbers * factor, numbers / factor):
            rounded = _rounded(scaled, digits)
            meets = np.isin(rounded, known)
            met = (weights * (meets | plain)).sum()
            if met >= most and len(np.unique(rounded[meets])) * _MERGED >= len(np.unique(numbers[meets])):
                most = met
                best = pd.Series(np.where(plain & ~meets, numbers, rounded), index=values.index, name=values.name)
    return best


def _numeric(values: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype))


def _dates(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Read days as texts or numbers where another side has dates, in the way in which most values meet."""
    if not any(pd.api.types.is_datetime64_dtype(side.values.dtype) for side in sides):
        return None
    best: tuple[float, Any] | None = None
    for way in (*_WRITTEN_DAYS, *_FIRST_DAYS):
        change = _Read(partial(_as_days, way=way), partial(_some_days, way=way), of_numbers=way in _FIRST_DAYS)
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
    numeric = _some_number([Side(values, np.ones(len(values), dtype=np.int64))])
    if numeric != (way in _FIRST_DAYS) or not (numeric or _is_text(values)):
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
        listed = [v for v in distinct if isinstance(v, int | float) or _PLAIN_MARKS[""][0].fullmatch(str(v))]
        numbers = pd.Series([float(v) for v in listed])
        days = pd.to_datetime(numbers.where(numbers % 1 == 0), unit="D", origin=way, errors="coerce")
    else:
        listed = [v for v in distinct if isinstance(v, str)]
        days = pd.to_datetime(pd.Series(listed, dtype="str"), format=way, errors="coerce")
    return {v: str(day.date()) for v, day in zip(listed, days, strict=True) if not pd.isna(day)}


def _zone(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
    """Take moments without their zone: as the clock there showed, or as UTC, whichever lets more values meet."""
    if not any(_zoned(side.values) for side in sides):
        return None

    def as_(how: str) -> Any:
        return _Read(partial(_naive, how=how), partial(_some_moments, how=how))

    changes = [as_("wall"), as_("utc")]
    shares_met = [
        float(shares([Side(change(side.values), side.records) for side in sides]).mean()) for change in changes
    ]
    return changes[int(np.argmax(shares_met))]


def _zoned(values: pd.Series[Any]) -> bool:
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        return True
    first = next((v for v in _objects(values) if isinstance(v, str)), "") if _is_text(values) else ""
    return _ZONE.search(first) is not None and _moments(_texts(values), "utc") is not None


def _naive(values: pd.Series[Any], how: str) -> pd.Series[Any]:
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        return (values if how == "wall" else values.dt.tz_convert("UTC")).dt.tz_localize(None)
    if not _is_text(values):
        return values
    distinct = _texts(values)
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


_MAKERS: Mapping[str, Callable[[Sequence[Side], Mapping[str, str]], Any]] = {
    "letters": _letters,
    "space": _space,
    "case": _case,
    "missing": _missing,
    "labels": _labels,
    "units": _units,
    "decimals": _decimals,
    "dates": _dates,
    "zone": _zone,
}


def _mapped(values: pd.Series[Any], change: Callable[[str], str | None]) -> pd.Series[Any]:
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
    if not _is_text(values):
        return values
    by_text = {t: change(t) for t in _texts(values)}
    if all(t == v for t, v in by_text.items()):
        return values
    mapped = values.astype(object).map(lambda v: by_text.get(v, v) if isinstance(v, str) else v, na_action="ignore")
    return mapped if values.dtype == object and not _texts_only(mapped) else mapped.astype("str")


def _texts_only(values: pd.Series[Any]) -> bool:
    return pd.api.types.infer_dtype(values, skipna=True) in {"string", "empty"}


def _is_text(values: pd.Series[Any]) -> bool:
    if isinstance(values.dtype, pd.CategoricalDtype):
        return any(isinstance(v, str) for v in values.cat.categories)
    return values.dtype == object or bool(pd.api.types.is_string_dtype(values.dtype))


def _texts(values: pd.Series[Any]) -> list[str]:
    """Return the distinct texts of a series."""
    return [v for v in dict.fromkeys(_objects(values)) if isinstance(v, str)] if _is_text(values) else []


def _objects(values: pd.Series[Any]) -> Iterator[Any]:
    return iter(values.cat.categories if isinstance(values.dtype, pd.CategoricalDtype) else values.dropna().tolist())


def _some_number(sides: Sequence[Side]) -> bool:
    """Whether a side of the column is of numbers, so that texts which become numbers are to be numbers too."""
    return any(_numeric(side.values) for side in sides)


def _all_numbers(values: pd.Series[Any]) -> bool:
    """Whether every text is a number, and no two texts the same one: codes such as 1.1 and 1.10 stay text."""
    texts = _texts(values)
    numbers = [t for t in texts if _MARKS[""][0].fullmatch(t)]
    plain = {t: np.format_float_positional(float(t), trim="-") for t in numbers}
    return len(numbers) == len(texts) > 0 and all(plain[t].lstrip("+") == t for t in texts)


def _as_numbers(values: pd.Series[Any], mark: str) -> pd.Series[Any]:
    """Return texts as numbers, read in one of the ways of `_MARKS`; the series itself where one is no number."""
    looks, plain = _MARKS[mark]
    if not _is_text(values):
        return values
    distinct = list(dict.fromkeys(v for v in _objects(values)))
    if not distinct or not all(isinstance(v, str) and looks.fullmatch(v) for v in distinct):
        return values
    table = {v: float(plain(v)) for v in distinct}
    if any(abs(v) >= 2**53 for v in table.values()):
        return values  # so long a number would lose digits
    numbers = values.astype(object).map(table, na_action="ignore").astype("float64")
    return numbers.astype("Int64") if all(v.is_integer() for v in table.values()) else numbers


def _all_of(sides: Sequence[Side], truth_values: Mapping[str, bool]) -> Any:
    """Return what makes logical values of a column whose every value is one of `words`; None for another column."""
    if any(len(side.values) > _MOST_LOGICAL for side in sides):
        return None
    if not all(_plain(v).casefold() in truth_values for side in sides for v in _objects(side.values)):
        return None
    if not any(side.values.notna().any() for side in sides):
        return None

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        changed = values.astype(object).map(lambda v: truth_values.get(_plain(v).casefold(), v), na_action="ignore")
        present = changed.dropna()
        return changed.astype("boolean") if present.map(lambda v: isinstance(v, bool)).all() else changed

    return change


def _plain(value: Any) -> str:
    """Return a value as a code is written in a file: 1 for 1.0."""
    if isinstance(value, (bool, np.bool_, str, date, time)):
        return str(value)
    return f"{value:.15g}" if isinstance(value, (float, np.floating)) else str(value)
