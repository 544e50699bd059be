"""Mends: one spelling for values that mean the same, in frames, before they are made comparable.

A mend is asked for by column and kind (`KINDS`). `resolve` looks once at the tables under comparison and fixes what
each kind means there (how many decimal digits, which spelling is kept); what it returns is applied to any table alike:
to the original, the syntheses and a holdout. Nothing is mended unasked; `agreement` says where a mend would help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from disclosure_core.data.mends import MAKERS
from disclosure_core.data.mends._series import Read
from disclosure_core.data.sides import Side, side_of
from disclosure_core.errors import DisclosureError, not_found

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.data.coded import CodedTable
    from disclosure_core.data.suggestions import Table

KINDS = tuple(MAKERS)
"""The kinds of mends, in the order in which they are applied whatever the order asked for."""

LOSSY = {"dates", "minute", "hour", "day", "week", "month", "quarter", "year", "start"}
"""Those that leave less of a value, or another value: a file that is written holds one of both, never some of each."""

WORDS = {
    "encoding": "letters that were read in a wrong encoding, or signs as HTML writes them, on one side",
    "letters": "letters that look alike and are stored in other ways (composed or decomposed, full or half width)",
    "space": "spaces before, after or between words",
    "affix": "letters or signs before or after every value on one side",
    "parts": "code and label in one text on one side",
    "accents": "accents on one side and none on the other",
    "zeros": "leading zeros on one side and none on the other",
    "punctuation": "blanks or punctuation within codes on one side",
    "case": "capital letters on one side and small ones on the other",
    "missing": "a text or code that stands for an empty cell on one side and empty cells on the other",
    "labels": "labels on one side and codes on the other, or other words for yes and no",
    "names": "names of months or weekdays, or Roman numbers, written in two ways",
    "units": "another unit on one side, such as minutes beside hours",
    "decimals": "another number of decimal digits, another decimal mark, or a sign of money or percent, on one side",
    "dates": "dates or times of day written in another way, or as numbers of days, on one side",
    "zone": "time zones",
    "minute": "moments to the second on one side and to the minute on the other",
    "hour": "moments on one side and hours on the other",
    "day": "moments, or days with a time, on one side and days on the other",
    "week": "days on one side and weeks on the other",
    "month": "days on one side and months on the other",
    "quarter": "days or months on one side and quarters on the other",
    "year": "days or months on one side and years on the other",
    "start": "the first characters alone on one side: a coarser code, or a text cut short",
}
"""What each kind mends, as a clause after "Likely cause:"."""

ACTIONS = {
    "encoding": "letters put right",
    "letters": "letters written in one way",
    "space": "without needless spaces",
    "affix": "without what every value begins or ends with",
    "parts": "code or label alone",
    "accents": "without accents",
    "zeros": "without leading zeros",
    "punctuation": "without blanks and punctuation",
    "case": "capitals as in the original",
    "missing": "text or code read as an empty cell",
    "labels": "labels in the place of codes",
    "names": "months and weekdays written in one way",
    "units": "converted to one unit",
    "decimals": "numbers written in one way",
    "dates": "read as dates or times",
    "zone": "read in one time zone",
    "minute": "cut to the minute",
    "hour": "cut to the hour",
    "day": "cut to the day",
    "week": "cut to the week",
    "month": "cut to the month",
    "quarter": "cut to the quarter",
    "year": "cut to the year",
    "start": "cut to the first characters",
}
"""What each kind does, on a button after "Mend born:"."""


def actions(kinds: Iterable[str]) -> str:
    """Return what mends do, in words: "read as dates or times, cut to the day"."""
    return ", ".join(ACTIONS[kind] for kind in kinds)


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
                values = change(values) if strict or not isinstance(change, Read) else change.where_it_can(values)
            mended_columns[name] = values
    return frame.assign(**mended_columns) if mended_columns else frame


def steps(
    sides: Sequence[Side], kinds: Iterable[str], labels: Mapping[str, str]
) -> tuple[list[tuple[str, Callable[[pd.Series[Any]], pd.Series[Any]]]], list[Side]]:
    """Return each kind with what it changes in these sides of a column, as far as there is anything; and the sides."""
    kinds, sides, changes = set(kinds), list(sides), []
    for kind in KINDS:
        if kind in kinds:
            change = MAKERS[kind](sides, labels)
            if change is not None:
                changes.append((kind, change))
                sides = [Side(change(side.values), side.records) for side in sides]
    return changes, sides
