"""The levels of all sides of a column together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Floats, Ints
from disclosure_core.data.values._coding import object_array, rising
from disclosure_core.data.values._numbers import (
    LARGEST,
    are_whole,
    exact_decimal,
    plain_floats,
    plain_number,
    texts,
    whole_numbers,
)
from disclosure_core.data.values._times import clock_times, moment_texts, span_text, time_text, zone_offset
from disclosure_core.data.values._types import FALSE, LONG_FORMS, SHORT_FORMS, TRUE, Kind, Levels, Note, Side, Sort


def joint_levels(name: str, sides: Sequence[Side]) -> Levels:
    """Return the levels of all sides of column `name`, and where the values of each side stand among them."""
    present = [p for p in sides if p.sort is not None]
    sorts = list(dict.fromkeys(p.sort for p in present))
    if sorts == [Sort.NUMBER]:
        return _union_of_numbers(name, sides)
    if sorts == [Sort.MOMENT]:
        return _union_of_moments(name, sides)
    if sorts and set(sorts) <= {Sort.TIME, Sort.SPAN}:  # a file with a time beyond 24 hours holds durations
        return _union_of_lengths(sides, Sort.TIME if Sort.TIME in sorts else Sort.SPAN)
    spellings = _spellings(present)
    notes = _merged_spellings(name, sides[0], spellings)
    values, maps = _union_of_texts(sides, spellings)
    return Levels(Kind.CATEGORY, values, any(p.ordered for p in sides), maps, notes)


def _union_of_numbers(name: str, sides: Sequence[Side]) -> Levels:
    """Return the distinct numbers of all sides, rising."""
    arrays = [p.values if p.sort else np.zeros(0, dtype=np.int64) for p in sides]
    arrays, notes = _narrowed(name, arrays)
    filled = [s for s in arrays if s.size]
    floats = [s for s in filled if s.dtype.kind == "f"]
    # What no float holds: whole numbers beyond 2^53, and objects, which are decimals with many digits or such numbers.
    exact = floats and [s for s in filled if s.dtype.kind == "O" or (s.dtype.kind in "iu" and _beyond(s))]
    if exact:
        sentence = (
            f"{name!r} holds numbers of more digits than a float can tell apart in one file and floats in another: "
            "they are compared digit by digit; store it alike in all files, as whole numbers, decimals or text."
        )
        notes.append(Note(sentence, name, warning=True))
    if exact and all(s.dtype.kind == "i" or _is_whole(s) for s in filled):
        arrays, floats, exact = [s.astype(np.int64) for s in arrays], [], []
    if exact or any(s.dtype.kind == "O" for s in filled):
        return Levels(Kind.NUMBER, *_union_of_exact(arrays), notes=notes)
    if floats:
        arrays = [s.astype(np.float64) for s in arrays]
    elif any(s.dtype.kind == "u" for s in filled):
        if any(s.dtype.kind == "i" and s.min() < 0 for s in filled):
            return Levels(Kind.NUMBER, *_union_of_exact(arrays), notes=notes)
        arrays = [s.astype(np.uint64) for s in arrays]
    levels = rising(np.concatenate(arrays))
    return Levels(Kind.NUMBER, levels, True, [np.searchsorted(levels, s) for s in arrays], notes)


def _narrowed(name: str, arrays: list[Array]) -> tuple[list[Array], list[Note]]:
    """Return the sides, 32-bit floats in 64 bits as the decimals that they stand for, and what is said."""
    narrow = [_narrow_floats(s) for s in arrays]
    if all(short is None for short in narrow):
        return arrays, []
    wide_sides = [s.astype(np.float64) for s, n in zip(arrays, narrow, strict=True) if n is None]
    elsewhere = np.concatenate([*wide_sides, np.zeros(0)])
    notes: list[Note] = []
    for i, (wide, short) in enumerate(zip(list(arrays), narrow, strict=True)):
        if short is None:
            continue
        longer = wide != short
        if not np.isin(wide[longer], elsewhere).any():
            arrays[i] = short
            long, plain = (texts(v[longer][:1])[0] for v in (wide, short))
            sentence = (
                f"{name!r} holds floats of 32 bits in 64: read as the decimals they stand for, {plain} for {long}."
            )
            notes = [Note(sentence, name)]
    return arrays, notes


def _narrow_floats(values: Array) -> Floats | None:
    """Return the decimals of floats that all are of 32 bits; None where one is not, or it makes no difference.

    Whole numbers alone tell nothing: a 64-bit float holds them for their own sake.
    """
    if values.dtype.kind != "f" or are_whole(values):
        return None
    with np.errstate(over="ignore"):
        for sample in (values[:64], values):
            if not np.array_equal(plain_floats(sample.astype(np.float32).astype(np.float64)), sample):
                return None
        short = plain_floats(values.astype(np.float32))
    return short if ((short != values) & (values != np.rint(values))).any() else None


def _beyond(numbers: Array) -> bool:
    return max(abs(int(numbers.min())), abs(int(numbers.max()))) > LARGEST


def _is_whole(values: Array) -> bool:
    """Whether floats are whole numbers of 64 bits."""
    return values.dtype.kind == "f" and bool((np.abs(values) < 2.0**63).all() and (values == np.rint(values)).all())


def _union_of_exact(arrays: Sequence[Array]) -> tuple[Array, bool, list[Ints]]:
    """Return the distinct numbers, rising, compared to the last digit."""
    exact = [
        [v if isinstance(v, float) and not np.isfinite(v) else exact_decimal(v) for v in s.tolist()] for s in arrays
    ]
    ordered = sorted({v for side in exact for v in side})
    places = {v: i for i, v in enumerate(ordered)}
    finite = [v for v in ordered if isinstance(v, Decimal)]
    if len(finite) == len(ordered) and all(v == v.to_integral_value() for v in finite):
        levels = whole_numbers([int(v) for v in finite])
    else:
        levels = object_array(plain_number(v) if isinstance(v, Decimal) else v for v in ordered)
    return levels, True, [np.array([places[v] for v in side], dtype=np.int64) for side in exact]


def _union_of_moments(name: str, sides: Sequence[Side]) -> Levels:
    """Return the distinct moments of all sides, rising, as ISO texts; by the clock if a side has no zone."""
    present = [p for p in sides if p.sort]
    zones = list(dict.fromkeys(p.zone for p in present))
    zone = next((z for z in zones if z), None)
    arrays = [p.values if p.sort else np.zeros(0, dtype=np.int64) for p in sides]
    notes = []
    by_clock = zone is not None and None in zones
    if by_clock:
        sentence = (
            f"{name!r} has a time zone ({zone}) in one file and none in another: moments are compared by what the "
            "clock shows there; if the other clock is another, give both files the same zone."
        )
        notes.append(Note(sentence, name, warning=True))
        arrays = [clock_times(s, zone) if p.zone else s for s, p in zip(arrays, sides, strict=True)]
    elif len(zones) > 1:
        listed = " and ".join(map(str, zones))
        notes.append(
            Note(f"{name!r} is in the time zones {listed}: moments are the same instant, shown in {zone}.", name)
        )
    levels = _rising_whole(arrays)
    local = levels if by_clock else clock_times(levels, zone)
    labels = moment_texts(local)
    if len(set(labels)) < len(labels):  # the hour that summer time gives twice
        twice = pd.Index(labels).duplicated(keep=False)
        hours = [zone_offset(a, b) for a, b in zip(levels.tolist(), local.tolist(), strict=True)]
        labels = [t + h if ambiguous else t for t, h, ambiguous in zip(labels, hours, twice.tolist(), strict=True)]
    return Levels(Kind.DATE, object_array(labels), True, _places(levels, arrays), notes)


def _union_of_lengths(sides: Sequence[Side], sort: Sort) -> Levels:
    """Return the distinct times of day, or durations, of all sides, rising, as texts."""
    arrays = [p.values if p.sort else np.zeros(0, dtype=np.int64) for p in sides]
    levels = _rising_whole(arrays)
    return Levels(Kind.CATEGORY, object_array(as_texts(sort, levels)), True, _places(levels, arrays), [])


def _rising_whole(arrays: Sequence[Array]) -> Array:
    if all(s.dtype.kind == "i" for s in arrays):
        return rising(np.concatenate(arrays))
    return object_array(sorted({v for side in arrays for v in side.tolist()}))


def _places(levels: Array, arrays: Sequence[Array]) -> list[Ints]:
    return [np.searchsorted(levels, s.astype(levels.dtype)) for s in arrays]


def as_texts(sort: Sort, values: Array) -> list[str]:
    """Return values of one sort as texts."""
    if sort is Sort.TEXT:
        return list(values.tolist())
    if sort is Sort.MOMENT:
        return moment_texts(values)
    if sort is Sort.TIME:
        return list(map(time_text, values.tolist()))
    if sort is Sort.SPAN:
        return list(map(span_text, values.tolist()))
    if sort is Sort.LOGICAL:
        return [TRUE if v else FALSE for v in values.tolist()]
    return list(texts(values))


def _texts_of(part: Side, lengths: Sort) -> list[str]:
    """Return a side's values as texts; durations as one of `lengths` is written."""
    if part.sort in (None, Sort.TEXT):
        return list(part.values.tolist())
    assert part.sort is not None
    if part.sort is Sort.SPAN:
        return as_texts(lengths, part.values)
    clock = clock_times(part.values, part.zone) if part.sort is Sort.MOMENT else part.values
    return as_texts(part.sort, clock)


def _lengths_written(sides: Sequence[Side]) -> Sort:
    """Return how durations are written beside texts: as a clock that runs on, 25:30:00, where more texts are so."""
    if any(p.sort is Sort.TIME for p in sides):
        return Sort.TIME
    spans = [p.values for p in sides if p.sort is Sort.SPAN]
    if not spans:
        return Sort.SPAN
    written = {text for p in sides if p.sort is Sort.TEXT for text in p.values.tolist()}
    met = {sort: sum(len(written.intersection(as_texts(sort, v))) for v in spans) for sort in (Sort.SPAN, Sort.TIME)}
    return max(met, key=lambda sort: met[sort])


def _spellings(sides: Sequence[Side]) -> Mapping[str, str]:
    """Return what makes one value of the spellings of true and false in a column: by text, the value."""
    text_sides = [dict.fromkeys(p.values.tolist()) if p.sort is Sort.TEXT else {} for p in sides]

    def long(side: Mapping[str, Any]) -> bool:
        lowered = [v.lower() for v in side]
        return any(v in LONG_FORMS for v in lowered) and all(v in LONG_FORMS or v in ("t", "f") for v in lowered)

    if not any(p.sort is Sort.LOGICAL or long(side) for p, side in zip(sides, text_sides, strict=True)):
        return {}
    spellings = [v for side in text_sides for v in side]
    # T is true only where no file says anything else with it; R's NA stands beside both.
    short_forms_mean_it = all(p.sort in (Sort.LOGICAL, Sort.TEXT) for p in sides) and all(
        v in SHORT_FORMS or v.lower() in LONG_FORMS or v == "NA" for v in spellings
    )
    return {v: LONG_FORMS[v.lower()] for v in spellings if v.lower() in LONG_FORMS} | (
        SHORT_FORMS if short_forms_mean_it else {}
    )


def _merged_spellings(name: str, original: Side, spellings: Mapping[str, str]) -> list[Note]:
    """Say where the original itself writes a value in several ways that become one level."""
    written: dict[str, list[str]] = {}
    for text in dict.fromkeys(original.values.tolist()) if original.sort is Sort.TEXT else ():
        if text in spellings:
            written.setdefault(spellings[text], []).append(text)
    return [
        Note(f"{name!r}: {' and '.join(map(repr, ways))} of the original are one level, {value!r}.", name)
        for value, ways in written.items()
        if len(ways) > 1
    ]


def _union_of_texts(sides: Sequence[Side], spellings: Mapping[str, str]) -> tuple[Array, list[Ints]]:
    """Return the distinct texts of all sides in order, and where each side's own stand among them.

    `one` holds the texts that are another's spelling. Categories keep the order their file gives them, the original's
    first; other texts are sorted.
    """
    lengths = _lengths_written(sides)
    arrays = [[spellings.get(v, v) for v in _texts_of(p, lengths)] for p in sides]
    levels = list(dict.fromkeys(v for side in arrays for v in side))
    if not any(p.listed for p in sides if p.sort):
        levels.sort()
    places = {v: i for i, v in enumerate(levels)}
    return object_array(levels), [np.fromiter((places[v] for v in side), np.int64, len(side)) for side in arrays]
