"""The readings that may let two sides of a column meet, the plainest first."""

from __future__ import annotations

import re
from collections import Counter
from os.path import commonprefix
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.arrays import Ints
from disclosure_core.data.spellings import stored
from disclosure_core.data.spellings import texts as _texts
from disclosure_core.data.spellings.clock import times
from disclosure_core.data.spellings.days import dates
from disclosure_core.data.spellings.encodings import dropped_letters, encoding, lost_letters, may_be_lost
from disclosure_core.data.spellings.levels import (
    COARSE,
    FINE,
    KINDS,
    LEFT,
    RECORDS,
    Spelling,
    heaviest,
    only_on_one_side,
    weigh,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from disclosure_core.data.spellings.levels import Levels

_FIRST = 200
"""Levels that are looked at, of each side, to see whether a reading is worth a try."""

_BOUND = re.compile(
    r"[+<>≥≤]|\b(and|or|over|under|more|less|older|younger|plus|above|below|bis|mehr|weniger|to)\b", re.IGNORECASE
)
_SIGNS = " -–−+"
_CUT = re.compile(r"[^\W\d_](?=\d)|[ _\-:/.#](?=\w)|\d(?=[^\W\d_])")
_ZERO = re.compile(r"0\d")
_NO_AFFIX = re.compile(r"[\d/&|;+]")
_QUESTION = re.compile(r"^(?:[^\W\d_]{1,3}\d{1,3}[a-z]?[:.] |[^\W\d_]{2,5}-?\d{1,3}:)")
"""The number of a question before every answer, or of a list before every code: Q5: North, ICD10:E11."""

_OWN_TITLE = 0.9
"""So many codes and titles that stand together stand there with a single one."""

_TITLES = 2
"""So many codes with titles are a list of codes: one alone is an end, as "65.953 and over"."""

_NO_NAMES = 0.2
"""More records than this without a name of a month, and the names are something else: May is a woman, MO a state."""

_NONE_LEFT = 0.01
"""Hardly a record of a side has a letter that is not ASCII."""

_TELLS = 0.1
"""So many records with capitals within on both sides, and capitals tell codes apart: aB1 is not ab1."""

_MARKS_OF_CUTS = ("…", "...", "~1")
"""What programs write where they cut."""

_CUT_ALIKE = 3
"""So many texts of one length that begin longer ones of the other side were cut there."""

_FEW = 20
"""More distinct values than this are not words for yes and no."""


def alike(
    levels: Levels,
    kinds: tuple[str, ...],
    name: Any,
    read: Callable[[str], tuple[str, str] | None],
    *,
    lossy: bool = False,
) -> Spelling:
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
    heavy = {levels.texts[k] for records in (*only, *levels.sides(i)) for k in heaviest(records, _FIRST)}
    first = {t for t in heavy if len(t) <= _texts.LONG}
    if numeric:
        yield from dates(levels, i)
        yield from _units(levels, i)
        yield from _first_digits(levels, i)
        return
    respelled = list(_respelled(levels, i))
    yield from (way for way in respelled if "punctuation" not in way.kinds)
    if levels.has_digits.any():
        yield alike(levels, ("decimals",), "number", _texts.number(""))
        yield from dates(levels, i)
        if (at := times(levels, i)) is not None:
            yield at
    yield from _numbers(levels, first)
    if all(_texts.NUMBER.fullmatch(t) and not _ZERO.match(t) for t in levels.texts):
        yield from _units(levels, i)
    yield from (way for way in respelled if "punctuation" in way.kinds)
    if any(_ZERO.match(t) and "." in t for t in first):
        yield alike(levels, ("punctuation",), "points", _texts.respell(lambda t: t.replace(".", "")))
    yield from _named(levels, i, labels, first)
    if not _are_lists(levels, i):
        yield from _affixed(levels, only)
        yield from _cut(levels, i, only)


def _respelled(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give other letters, blanks, capitals and zeros, each tried on what all of them together bring to one key."""
    if any(map(may_be_lost, levels.texts)):
        yield alike(levels, ("encoding",), "lost", lost_letters)
    told = [float(side[levels.is_foreign].sum()) / max(float(side.sum()), 1) for side in levels.sides(i)]
    if min(told) <= _NONE_LEFT < max(told):  # a program that drops letters leaves none of them
        yield alike(levels, ("encoding",), "dropped", dropped_letters)
    kinds = ("encoding", "letters", "space", "accents", "zeros", "punctuation", "case")
    every = alike(levels, kinds, "folded", _texts.respell(_texts.folded, _texts.folded_form))
    keys, forms = levels.fold("bare", _texts.respell(_texts.bare), levels.is_foreign)
    bare = np.where(levels.is_foreign, keys, every.original[0]), np.where(levels.is_foreign, forms, every.original[1])
    ways = every, Spelling((), every.read, bare, bare)
    if not any(weigh(levels, i, way).records >= RECORDS for way in ways):
        return
    if "shared" not in levels.noted:
        shared = [np.bincount(way.original[0])[way.original[0]] > 1 for way in ways]
        levels.noted["shared"] = shared[0] | shared[1]

    is_mixed = np.array([t.isalnum() and _texts.case_form(t) == "mixed" for t in levels.texts], dtype=bool)
    case_tells = all(side[is_mixed].sum() >= _TELLS * side.sum() for side in levels.sides(i))

    def one(kind: str, name: str, change: Callable[[str], str], form: Callable[[str], str] | None = None) -> Spelling:
        read = _texts.respell(change, form)
        fold = levels.fold(name, read, levels.noted["shared"])
        return Spelling((kind,), read, fold, fold, name=name)

    yield one("letters", "letters", _texts.letters)
    yield one("encoding", "encoding", encoding)
    yield one("space", "space", _texts.space)
    if not case_tells:
        yield one("case", "case", str.casefold, _texts.case_form)
    yield one("accents", "accents", _texts.accents)
    yield one("accents", "umlauts", _texts.umlauts)
    yield one("zeros", "zeros", _texts.zeros)
    yield one("punctuation", "punctuation", _texts.punctuation, _texts.sign)
    if not case_tells:
        yield every


def _numbers(levels: Levels, first: set[str]) -> Iterator[Spelling]:
    """Give other decimal marks, thousands apart, and percentages beside shares of one."""
    if any(re.search("\\d[,.'’·٫ \u00a0\u202f]\\d", t) for t in first):
        for mark in _texts.MARKS:
            yield alike(levels, ("decimals",), mark, _texts.number(mark))
    if any(re.fullmatch(r"[(\d].*[)\-−–]", t) for t in first):
        yield alike(levels, ("decimals",), "signs", _texts.number("signs"))
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
    if any(_texts.numbered(t)[1] == "both" for t in first):
        yield alike(levels, ("parts",), "numbered", _texts.numbered)
    if _has_titles(first):
        for which in ("code", "label"):
            yield alike(levels, ("parts",), f"title {which}", _texts.titled(which))
    sides = levels.sides(i)
    for kind in _texts.NAMES:
        if any(_texts.is_name(t, kind) for t in first):
            way = alike(levels, ("names",), f"names of {kind}s", _texts.named(kind))
            others = (way.original[1] == LEFT) & ~levels.is_residual
            if all(side[others].sum() <= _NO_NAMES * side.sum() for side in sides):
                yield way
    if all(np.count_nonzero(side) <= _FEW and _yes_and_no(levels, side) for side in sides):
        yield alike(levels, ("labels",), "yes and no", _texts.logical)


def _yes_and_no(levels: Levels, side: Ints) -> bool:
    """Whether a side holds words for yes and no: letters and digits for them come by twos, or alone."""
    found: Counter[str] = Counter()
    for k in np.flatnonzero(side).tolist():
        if _texts.logical(levels.texts[k]):
            found[levels.texts[k].strip().casefold()] += int(side[k])
    short = "".join(sorted(t for t in found if len(t.lstrip("-")) == 1))
    alone = len(short) == 1 and found[short] >= 0.95 * side.sum()
    return sum(found.values()) >= 0.3 * side.sum() and (not short or short in _texts.TWOS or alone)


def _has_titles(texts: set[str]) -> bool:
    """Whether texts hold a code and a label of its own each: neither is any of "2019 Autumn", or of "Zürich 1"."""
    found = [title for title in map(_texts.title, texts) if title]
    return len(found) >= _TITLES and min(len({*part}) for part in zip(*found, strict=True)) >= _OWN_TITLE * len(found)


def _affixed(levels: Levels, only: tuple[Ints, Ints]) -> Iterator[Spelling]:
    """Give what most of the values that do not meet begin or end with."""
    for records in only:
        unmet = {levels.texts[k]: int(records[k]) for k in heaviest(records, 500)}
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
            if n >= 0.6 * total and head.strip(_SIGNS) and not _NO_AFFIX.search(_QUESTION.sub("", head)):
                yield head[::-1] if behind else head, behind


def beginning(n: int, *, short: bool, code: bool) -> Callable[[str], tuple[str, str] | None]:
    """Return the reading of texts as their first characters; `short` where these are codes such as m for Male."""
    if short:
        return lambda t: (t[:n].casefold(), "short" if len(t) <= n else "long")
    least = n - (not code)

    def read(text: str) -> tuple[str, str] | None:
        if len(text) < least or (code and _BOUND.search(text[: _texts.LONG])):  # "65 and over" is not 65
            return None
        return text[:n].rstrip(), "coarse" if len(text) <= n else "fine"

    return read


def _are_amounts(levels: Levels, i: int) -> bool:
    """Whether both sides hold numbers, and no codes of so many digits: 58.76 is no coarser code for 58.764."""
    numbers = levels.kinds == KINDS.index("number")
    sides = levels.sides(i)
    if any(side[numbers].sum() < 0.5 * side.sum() for side in sides):
        return False
    texts = [levels.texts[k] for k in np.flatnonzero(numbers).tolist()]
    if any(_ZERO.match(t) for t in texts):
        return False
    return stored.fewest_digits(np.array([float(t) for t in texts]), [side[numbers] for side in sides]) is None


def _are_lists(levels: Levels, i: int) -> bool:
    """Whether both sides hold several answers in one value, put together of few: "bus, car" goes on as "bus" begins."""
    texts = [[levels.texts[k] for k in heaviest(side, _FIRST).tolist()] for side in levels.sides(i)]
    for mark in ",;|":
        lists = [[t for t in side if mark in t[: _texts.LONG]] for side in texts]
        parts = {part.strip() for side in lists for t in side for part in t[: _texts.LONG].split(mark)}
        if all(lists) and len(parts) < len({t for side in lists for t in side}):
            return True
    return False


def _cut(levels: Levels, i: int, only: tuple[Ints, Ints]) -> Iterator[Spelling]:
    """Give the first characters of texts, where those of one side are no longer."""
    if _are_amounts(levels, i):
        return
    for records, side, other in zip(only, levels.sides(i), levels.sides(i)[::-1], strict=True):
        mine = np.flatnonzero(records).tolist()
        yield from _marked(levels, mine)
        code = bool(levels.has_digits[mine].all())
        by_length = np.bincount(levels.lengths[mine], weights=records[mine]) if len(mine) else np.zeros(0)
        for n in [int(n) for n in np.argsort(-by_length, kind="stable")[:3] if by_length[n] > 0 and n <= _texts.LONG]:
            longer = np.flatnonzero((other > 0) & (levels.lengths > n)).tolist()
            short = float(other[levels.lengths <= n].sum()) / max(float(other.sum()), 1)
            if code or not len(longer):
                n_cut, are_cut = 0, True
            else:
                n_cut, are_cut = _cut_there(levels, mine, longer, n)
            if n_cut >= _CUT_ALIKE and are_cut:
                yield alike(levels, ("start",), ("cut", n, code), beginning(n, short=False, code=code), lossy=True)
                continue
            if (short > 0.05 and not (n >= 6 and not code)) or not len(longer):
                continue
            shorter = by_length[: int(levels.lengths[longer].max())]
            if code and by_length[n] < 0.5 * shorter.sum():  # codes of several depths, of which these are a few
                continue
            initials = (
                n <= 3
                and not code
                and len(longer) > 1
                and len({levels.texts[k][:n].casefold() for k in longer}) == len(longer)
            )
            if initials:
                yield alike(levels, ("start",), ("short", n), beginning(n, short=True, code=code))
            elif (code and (n > 1 or levels.are_numbers) and len(mine) > 1) or (
                not code and n >= 6 and are_cut and not side[levels.lengths > n].any()
            ):
                yield alike(levels, ("start",), ("cut", n, code), beginning(n, short=False, code=code), lossy=True)


def _marked(levels: Levels, mine: list[int]) -> Iterator[Spelling]:
    """Give the first characters where a mark says that the others were cut ("Manufacture of…")."""
    for mark in _MARKS_OF_CUTS:
        stems = Counter(len(levels.texts[k]) - len(mark) for k in mine if levels.texts[k].endswith(mark))
        for n, _ in stems.most_common(1):
            if 3 <= n <= _texts.LONG:
                yield alike(levels, ("start",), ("marked", n, mark), _cut_before(mark, n), lossy=True)


def _cut_before(mark: str, n: int) -> Callable[[str], tuple[str, str] | None]:
    """Return the reading of texts as their first characters, of those with a mark behind them as what is before it."""

    def read(text: str) -> tuple[str, str] | None:
        if len(text) == n + len(mark) and text.endswith(mark):
            return text[:n].rstrip(), "coarse"
        return (text[:n].rstrip(), "fine") if len(text) > n else None

    return read


def _cut_there(levels: Levels, mine: list[int], longer: list[int], n: int) -> tuple[int, bool]:
    """Return how many values of a side alone begin one of the other and are `n` letters long, and whether all are.

    X goes on as X II whatever the length of X; a text that is cut before a blank has a letter less.
    """
    begun = Counter(levels.texts[k][:m] for k in longer for m in range(1, n + 2))
    found = [levels.texts[k] for k in mine if levels.texts[k] in begun]
    cut = [text for text in found if len(text) == n]
    if len(cut) < 0.5 * np.count_nonzero(levels.lengths[mine] == n):  # the others of that length are whole
        return len(cut), False
    if len(cut) == 1 and begun[cut[0]] > 1:  # what all begin with is an answer of its own
        return 1, False
    return len(cut), len(cut) + sum(len(text) == n - 1 for text in found) >= 0.95 * len(found)


def _units(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give factors between units of numbers."""
    sides, numbers = levels.sides(i), np.array([float(t) for t in levels.texts])
    plain = levels.fold("a plain number", lambda t: (f"{float(t):.12g}", "plain"))
    for factor in stored.factors(numbers, sides):

        def turned(text: str, factor: float = factor) -> tuple[str, str]:
            number = float(text) * factor if factor >= 1 else float(text) / round(1 / factor, 12)
            return f"{number:.12g}", "turned"

        yield Spelling(("units",), lambda _: None, plain, levels.fold(("unit", factor), turned))
    if stored.tenfold(numbers, sides):
        yield alike(levels, ("units",), "tenfold", _digits)


def _digits(text: str) -> tuple[str, str] | None:
    """Return the digits of a number, and where its point is: 68.47 beside 6847."""
    digits, _, place = f"{float(text):.11e}".partition("e")
    return digits.rstrip("0"), place


def _first_digits(levels: Levels, i: int) -> Iterator[Spelling]:
    """Give the first digits of whole numbers."""
    sides, numbers = levels.sides(i), np.array([float(t) for t in levels.texts])
    if (n := stored.fewest_digits(numbers, sides)) is not None:
        yield alike(levels, ("start",), ("cut", n, True), beginning(n, short=False, code=True), lossy=True)


def is_coarse(forms: Ints) -> bool:
    """Whether, of a reading that loses something, one side has a form that the other has not."""
    table = np.zeros((2, max(forms.shape[1], FINE + 1)))
    table[:, : forms.shape[1]] = forms
    shares = table[:, [COARSE, FINE]] / np.maximum(table.sum(axis=1, keepdims=True), 1)
    return any(min(share) <= 0.05 and max(share) >= 0.1 for share in shares.T)
