"""Mends that respell values one by one: the reading that lets most of the sides' values meet, of those of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.data.meeting import CAP, acceptable
from disclosure_core.data.mends._numbers import all_numbers, as_numbers
from disclosure_core.data.mends._series import is_text, objects_of
from disclosure_core.data.mends._texts import mapped_texts, plain_text
from disclosure_core.data.spellings import texts as spelled
from disclosure_core.data.spellings.candidates import candidates
from disclosure_core.data.spellings.dates import DAY, LEVELS
from disclosure_core.data.spellings.days import Reader
from disclosure_core.data.spellings.levels import Levels, weigh

if TYPE_CHECKING:
    from disclosure_core.data.sides import Side

    Read = Callable[[str], tuple[str, str] | None]


class Respelled:
    """A change of every value that a reading knows; the others stay.

    Attributes
    ----------
    read
        From a text to what it is to be, and how it was spelled.
    end
        What the values are then, where all can be: "moment", "number" or "text".
    """

    def __init__(self, read: Read, end: str = "text") -> None:
        """Keep how to read."""
        self.read, self.end = read, end

    def __call__(self, values: pd.Series[Any]) -> pd.Series[Any]:
        """Return a series changed, or as it is where the reading changes nothing."""
        if isinstance(values.dtype, pd.CategoricalDtype) and is_text(values):
            changed = mapped_texts(values, self._spelled)
        else:
            codes, distinct = pd.factorize(values)
            old = [plain_text(v) for v in distinct]
            new = [self._spelled(t) for t in old]
            if new == old and self.end != "moment":
                return values
            made = pd.Series([*new, None], dtype="str").to_numpy(dtype=object)
            changed = pd.Series(made[codes], index=values.index, name=values.name, dtype="str")
        return _ended(changed, values, self.end)

    def _spelled(self, text: str) -> str:
        found = self.read(text)
        return text if found is None else found[0]


def _ended(changed: pd.Series[Any], values: pd.Series[Any], end: str) -> pd.Series[Any]:
    if end == "number":
        return as_numbers(changed, "")
    if end == "moment":
        if pd.api.types.is_datetime64_any_dtype(values.dtype) and getattr(values.dtype, "tz", None) is None:
            fine = changed.map(len, na_action="ignore").max() > len("2020-01-31")
            if fine and not _same_seconds(changed, values):
                return pd.to_datetime(changed.astype("str"), format="ISO8601").astype("M8[s]")
            if fine or not (values.dropna() != values.dropna().dt.normalize()).any():
                return values
        try:
            return pd.to_datetime(changed.astype("str"), format="ISO8601").astype("M8[s]")
        except (ValueError, OverflowError):
            return changed
    return changed


def _same_seconds(changed: pd.Series[Any], values: pd.Series[Any]) -> bool:
    """Whether texts are these moments, to the second."""
    seconds = pd.to_datetime(changed.astype("str"), format="ISO8601")
    return bool((seconds.isna() | (seconds == values.dt.floor("s"))).all())


def levels_of_sides(sides: Sequence[Side]) -> Levels:
    """Return the levels of sides, those with most records, each value as its file would write it."""
    places: dict[str, int] = {}
    found, missing = [], []
    for side in sides:
        present = side.values.notna().to_numpy()
        values, records = side.values[present], side.records[present]
        if len(values) > CAP:
            ties = pd.util.hash_pandas_object(values, index=False).to_numpy()
            kept = np.lexsort((ties, -records))[:CAP]
            values, records = values.iloc[kept], records[kept]
        codes = [places.setdefault(plain_text(v), len(places)) for v in values]
        found.append((np.array(codes, dtype=np.int64), records))
        missing.append(int(side.records[~present].sum()))
    counts = [np.bincount(codes, weights=records, minlength=len(places)) for codes, records in found]
    return Levels(list(places), np.stack(counts).astype(np.int64), np.array(missing))


def _best(kind: str, sides: Sequence[Side], labels: Mapping[str, str]) -> Any:
    """Return the reading of a kind that lets most meet: one for which the evidence suffices, else any that helps."""
    levels = levels_of_sides(sides)
    numeric = all(pd.api.types.is_numeric_dtype(s.values.dtype) and s.values.dtype != bool for s in sides)
    best: tuple[tuple[bool, float], Any] | None = None
    for i in range(1, len(sides)):
        for spelling in candidates(levels, i, labels, numeric=numeric):
            if spelling.kinds[0] != kind or spelling.kinds[1:] not in ((), ("zeros",)):
                continue
            gained = acceptable(levels, i, spelling)
            rank = gained is not None, gained if gained is not None else sum(weigh(levels, i, spelling).gain)
            if rank[1] > 0 and (best is None or rank > best[0]):
                best = rank, spelling
    return None if best is None else best[1]


def _end(read: Read, sides: Sequence[Side]) -> str:
    """Return what the values can be on all sides once they are respelled."""
    texts = [Respelled(read)(side.values) for side in sides]
    return "number" if all(not is_text(t) or all_numbers(t) for t in texts) else "text"


def by_each(change: Callable[[str], str]) -> Callable[..., Any]:
    """Return the maker of a mend that respells each text, whatever the others are."""

    def make(sides: Sequence[Side], _declared: Mapping[str, str]) -> Any:
        read = spelled.respell(change)
        texts = {plain_text(v) for side in sides for v in objects_of(side.values)}
        return None if all(change(t) == t for t in texts) else Respelled(read, _end(read, sides))

    return make


def best_of(kind: str) -> Callable[..., Any]:
    """Return the maker of a mend that looks which of its readings lets most meet."""

    def make(sides: Sequence[Side], labels: Mapping[str, str]) -> Any:
        found = _best(kind, sides, labels)
        if found is None:
            return None
        read = found.read
        if found.kinds == ("affix", "zeros"):
            _, affix, behind, _ = found.name
            read = spelled.without(affix, behind=behind, zeros_too=False)
        return Respelled(read, _end(read, sides))

    return make


def to_level(level: str) -> Callable[..., Any]:
    """Return the maker of a mend that reads dates to a level: second (as written), day, month, quarter or year."""

    def make(sides: Sequence[Side], labels: Mapping[str, str]) -> Any:
        kind = "dates" if level == "second" else level
        found = _best(kind, sides, labels)
        read: Any = Reader("dmy", (), level) if found is None else found.read
        if found is None and level == "second":
            return None
        distinct = [plain_text(v) for side in sides for v in objects_of(side.values)]
        if found is None and not any(read(t) for t in distinct):
            return None
        typed = isinstance(read, Reader) and LEVELS.index(level) <= DAY and all(read(t) is not None for t in distinct)
        return Respelled(read, "moment" if typed else "text")

    return make
