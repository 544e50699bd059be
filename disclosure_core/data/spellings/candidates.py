"""The readings that may let two sides of a column meet, the plainest first."""

from __future__ import annotations

import re
from collections import Counter
from os.path import commonprefix
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.data.spellings import texts as _texts
from disclosure_core.data.spellings.days import dates
from disclosure_core.data.spellings.levels import COARSE, FINE, Spelling, heaviest, only_on_one_side, weigh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from disclosure_core.data.spellings.levels import Ints, Levels

RECORDS = 4
"""The fewest records that a reading must let meet."""

_FIRST = 200
"""Levels that are looked at, of each side, to see whether a reading is worth a try."""

_BOUND = re.compile(
    r"[+<>≥≤]|\b(and|or|over|under|more|less|older|younger|plus|above|below|bis|mehr|weniger|to)\b", re.IGNORECASE
)
_CUT = re.compile(r"[^\W\d_](?=\d)|[ _\-:/.#](?=\w)|\d(?=[^\W\d_])")
_FEW = 20
"""More distinct values than this are not words for yes and no."""

_FACTORS = (60, 3600, 24, 7, 12, 10, 100, 1000, 1e6, 2.54, 1440, 86400, 52, 365)
"""How many of one unit another is."""


def alike(
    levels: Levels, kinds: tuple[str, ...], name: Any, read: Callable[[str], tuple[str, str] | None], *,
    lossy: bool = False,
) -> Spelling:  # fmt: skip
    """Return a reading that both sides share."""
    fold = levels.fold(name, read)
    return Spelling(kinds, read, fold, fold, lossy, name)


def candidates(levels: Levels, i: int, labels: Mapping[str, str], *, numeric: bool = False) -> Iterator[Spelling]:
    """Give the readings that may let the original and synthesis `i` meet.

    Parameters
    ----------
    levels
        The levels of all sides.
    i
        Which synthesis, from 1.
    labels
        What files declare of codes: the label by the code as text.
    numeric
        Whether all values are stored numbers.
    """
    only = only_on_one_side(levels, i)
    first = {levels.texts[k] for records in (*only, *levels.sides(i)) for k in heaviest(records, _FIRST)}
    if numeric:
        yield from dates(levels, i)
        yield from _units(levels, i)
        yield from _digits(levels, i)
        return
    respelled = list(_respelled(levels, i))
    yield from (way for way in respelled if "punctuation" not in way.kinds)
    if any(any(c.isdigit() for c in t) for t in first):
        yield alike(levels, ("decimals",), "number", _texts.number(""))
    yield from dates(levels, i)
    yield from _numbers(levels, first)
    yield from (way for way in respelled if "punctuation" in way.kinds)
    yield from _named(levels, i, labels, first)
    yield from _affixed(levels, only)
    yield from _cut(levels, i, only)


def _respelled(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give other letters, blanks, capitals and zeros; one reading of all of these decides whether each is tried."""
    every = alike(levels, ("encoding", "letters", "space", "accents", "zeros", "punctuation", "case"), "folded",
                  _texts.respell(_texts.folded))  # fmt: skip
    bare = alike(levels, (), "bare", _texts.respell(_texts.bare))
    if not any(weigh(levels, i, way).records >= RECORDS for way in (every, bare)):
        return
    for kind in ("letters", "encoding", "space"):
        yield alike(levels, (kind,), kind, _texts.respell(getattr(_texts, kind)))
    yield alike(levels, ("case",), "case", _texts.respell(str.casefold, _texts.case_form))
    yield alike(levels, ("accents",), "accents", _texts.respell(_texts.accents))
    yield alike(levels, ("accents",), "umlauts", _texts.respell(_texts.umlauts))
    yield alike(levels, ("zeros",), "zeros", _texts.respell(_texts.zeros))
    yield alike(levels, ("punctuation",), "punctuation", _texts.respell(_texts.punctuation))
    yield every


def _numbers(levels: Levels, first: set[str]) -> Iterator[Spelling]:
    """Give other decimal marks, thousands apart, and percentages beside shares of one."""
    if any(re.search("\\d[,.'’ \u00a0\u202f]\\d", t) for t in first):
        for mark in _texts.MARKS:
            yield alike(levels, ("decimals",), mark, _texts.number(mark))
    if any(t.rstrip().endswith("%") for t in first):
        for mark in ("", "decimal ,"):
            yield alike(levels, ("decimals",), f"share {mark}", _texts.number(mark, 100))


def _named(levels: Levels, i: int, labels: Mapping[str, str], first: set[str]) -> Iterator[Spelling]:
    """Give labels beside codes, both in one text, names of months, and words for yes and no."""
    if labels:
        yield alike(levels, ("labels",), "labelled", _texts.labelled(labels))
    if any(_texts.both_parts(t) for t in first):
        for which in ("label", "code"):
            yield alike(levels, ("parts",), f"part {which}", _texts.part(which))
    for kind in _texts.NAMES:
        if any(_texts.is_name(t, kind) for t in first):
            yield alike(levels, ("names",), f"names of {kind}s", _texts.named(kind))
    sides = levels.sides(i)
    if max(np.count_nonzero(side) for side in sides) <= _FEW:
        yes_no = np.array([_texts.logical(t) is not None for t in levels.texts], dtype=bool)
        if min(float(side[yes_no].sum()) / max(float(side.sum()), 1) for side in sides) >= 0.3:
            yield alike(levels, ("labels",), "yes and no", _texts.logical)


def _affixed(levels: Levels, only: tuple[Ints, Ints]) -> Iterator[Spelling]:
    """Give what most of the values that do not meet begin or end with."""
    for records in only:
        unmet = {levels.texts[k]: int(records[k]) for k in heaviest(records, 2_000)}
        total = sum(unmet.values())
        if sum(n for t, n in unmet.items() if _texts.kind_of(t) == "date") > 0.5 * total:
            continue
        for affix, behind in _ends(unmet, total):
            if not _BOUND.search(affix):
                for zeros in (False, True):
                    read = _texts.without(affix, behind=behind, zeros_too=zeros)
                    kinds = ("affix", "zeros") if zeros else ("affix",)
                    yield alike(levels, kinds, ("affix", affix, behind, zeros), read)


def _ends(unmet: Mapping[str, int], total: int) -> Iterator[tuple[str, bool]]:
    for behind in (False, True):
        turned = {t[::-1] if behind else t: n for t, n in unmet.items()}
        heads: Counter[str] = Counter()
        for text, n in turned.items():
            for found in _CUT.finditer(text[:25]):
                heads[text[: found.end()]] += n
        if len(turned) > 1:
            heads[commonprefix(list(turned))] += total  # noqa: RUF071 (of letters)
        for head, n in sorted(heads.items(), key=lambda item: (-item[1], -len(item[0])))[:5]:
            if n >= 0.6 * total and re.search(r"[^\d]", head) and not re.search(r"[\d/&|;+]", head):
                yield head[::-1] if behind else head, behind


def beginning(n: int, *, short: bool, code: bool) -> Callable[[str], tuple[str, str] | None]:
    """Return the reading of texts as their first characters; `short` where these are codes such as m for Male."""
    if short:
        return lambda t: (t[:n].casefold(), "short" if len(t) <= n else "long")
    least = n - (not code)
    return lambda t: (t[:n].rstrip(), "coarse" if len(t) <= n else "fine") if len(t) >= least else None


def _cut(levels: Levels, i: int, only: tuple[Ints, Ints]) -> Iterator[Spelling]:
    """Give the first characters of texts, where those of one side are no longer."""
    for records, side, other in zip(only, levels.sides(i), levels.sides(i)[::-1], strict=True):
        mine = np.flatnonzero(records).tolist()
        code = all(any(c.isdigit() for c in levels.texts[k]) for k in mine)
        by_length = np.bincount(levels.lengths[mine], weights=records[mine]) if len(mine) else np.zeros(0)
        for n in [int(n) for n in np.argsort(-by_length, kind="stable")[:3] if by_length[n] > 0]:
            short = float(other[levels.lengths <= n].sum()) / max(float(other.sum()), 1)
            longer = np.flatnonzero((other > 0) & (levels.lengths > n)).tolist()
            if (short > 0.05 and not (n >= 6 and not code)) or not len(longer):
                continue
            initials = (n <= 3 and not code and len(longer) > 1
                        and len({levels.texts[k][:n].casefold() for k in longer}) == len(longer))  # fmt: skip
            if initials:
                yield alike(levels, ("start",), ("short", n), beginning(n, short=True, code=code))
            elif (code and n >= 2 and len(mine) > 1) or (not code and n >= 6 and not side[levels.lengths > n].any()):
                yield alike(levels, ("start",), ("cut", n, code), beginning(n, short=False, code=code), lossy=True)


def _digits(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give the first digits of whole numbers, where those of one side have fewer."""
    sides = levels.sides(i)
    whole = np.array([t.isdecimal() for t in levels.texts], dtype=bool)
    lengths = []
    for side in sides:
        by_length = np.bincount(levels.lengths[whole], weights=side[whole], minlength=1)
        if by_length.max() < 0.98 * side.sum() or np.count_nonzero(side) <= 3:
            return
        lengths.append(int(by_length.argmax()))
    n = min(lengths)
    if n >= 2 and n != max(lengths):
        yield alike(levels, ("start",), ("cut", n, True), beginning(n, short=False, code=True), lossy=True)


def _units(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give factors that turn one side's numbers into the other's, so that both have about the same quantiles."""
    only, sides = only_on_one_side(levels, i), levels.sides(i)
    if only[1].sum() <= 0.5 * sides[1].sum():
        return
    numbers = np.array([float(t) for t in levels.texts])
    order = np.argsort(numbers, kind="stable")
    q = []
    for side in sides:
        upto = np.cumsum(side[order])
        places = np.searchsorted(upto, np.array([0.1, 0.25, 0.5, 0.75, 0.9]) * upto[-1])
        q.append(numbers[order][np.minimum(places, levels.n - 1)])
    known = (q[0] != 0) & (q[1] != 0)
    if known.sum() < 3:
        return
    ratio = q[0][known] / q[1][known]
    plain = levels.fold("a plain number", lambda t: (f"{float(t):.12g}", "plain"))
    for factor in (*_FACTORS, *(1 / f for f in _FACTORS)):
        if (ratio > 0).all() and np.abs(np.log(ratio / factor)).max() < np.log(1.6):
            fold = levels.fold(("unit", factor), lambda t, f=factor: (  # type: ignore[misc]
                f"{float(t) * f if f >= 1 else float(t) / round(1 / f, 12):.12g}", "turned"))  # fmt: skip
            yield Spelling(("units",), lambda _: None, plain, fold)


def is_coarse(forms: Ints) -> bool:
    """Whether, of a reading that loses something, one side has a form that the other has not."""
    table = np.zeros((2, max(forms.shape[1], FINE + 1)))
    table[:, : forms.shape[1]] = forms
    shares = table[:, [COARSE, FINE]] / np.maximum(table.sum(axis=1, keepdims=True), 1)
    return any(min(share) <= 0.05 and max(share) >= 0.1 for share in shares.T)
