"""Readings of dates: how a text writes a moment, what a number counts, and to which level."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from disclosure_core.arrays import Ints

_MONTHS = (
    "january february march april may june july august september october november december|januar februar märz april "
    "mai juni juli august september oktober november dezember|janvier février mars avril mai juin juillet août "
    "septembre octobre novembre décembre|enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre|gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre|jänner "
    "feber maerz april mai juni juli august september oktober november dezember"
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday|montag dienstag mittwoch donnerstag freitag samstag "
    "sonntag|lundi mardi mercredi jeudi vendredi samedi dimanche|lunes martes miércoles jueves viernes sábado domingo"
)


def _names(table: str, lengths: tuple[int, ...]) -> dict[str, tuple[int, str]]:
    """Return each name, and its first letters, with its place and its tongue."""
    found: dict[str, tuple[int, str]] = {}
    for tongue, line in enumerate(table.split("|")):
        for length in (None, *lengths):
            for i, name in enumerate(line.split(), 1):
                found.setdefault(name[:length], (i, f"{tongue}{'short' if length else ''}"))
    return found


MONTHS = {**_names(_MONTHS, (3, 4)), "sept": (9, "0short")}
"""Names of months, in small letters, and their numbers."""

_MORE_MONTHS = (
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia|"
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro|"
    "januari februari maart april mei juni juli augustus september oktober november december|"
    "január február március április május június július augusztus szeptember október november december|"
    "januari februari mars april maj juni juli augusti september oktober november december|"
    "januar februar marts april maj juni juli august september oktober november desember|"
    "ledna února března dubna května června července srpna září října listopadu prosince"
)
DATED = {**_names(_MORE_MONTHS, ()), **MONTHS}
"""Names that months have beside a day or a year; alone some of these are names of people."""

WEEKDAYS = {**_names(_WEEKDAYS, (3, 2)), "tues": (2, "0short"), "thurs": (4, "0short")}
"""Names of weekdays, and their numbers."""

_TIME = (
    r"(?:,?[T :]\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([AaPp]\.?[Mm]\.?)?)?"
    r"\s*(?:Uhr|Z|UTC|GMT|CES?T|[+-]\d{2}(?::?\d{2})?)?(?:\[[\w/]+\])?"
)
_NAME = r"([^\W\d_]{3,12})\.?"
_ISO = re.compile(r"(\d{4})(\. |[-/._ ])(\d{1,2})\2(\d{1,2})\.?" + _TIME)
_DMY = re.compile(r"(\d{1,2})(\. |[-/.])(\d{1,2})\2(\d{4}|\d{2})" + _TIME)
_D_ROMAN_Y = re.compile(r"(\d{1,2})\. ?(X?(?:I{1,3}|I?V|VI{1,3}|IX)|X)\. ?(\d{4})" + _TIME)
_D_NAME_Y = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?[ .\-]*{_NAME}[ ,\-]*(\d{{4}}|\d{{2}})" + _TIME)
_NAME_D_Y = re.compile(rf"{_NAME} (\d{{1,2}}),? (\d{{4}})" + _TIME)
_Y_NAME_D = re.compile(rf"(\d{{4}})\.? {_NAME} (\d{{1,2}})\.?" + _TIME)
_YM = re.compile(r"(\d{4})[-/.Mm ]+(\d{1,2})")
_MY = re.compile(r"(\d{1,2})[-/.](\d{4})")
_NAME_Y, _Y_NAME = re.compile(rf"{_NAME}[ ,\-']*(\d{{4}}|\d{{2}})"), re.compile(rf"(\d{{4}})[ \-]?{_NAME}")
_QUARTER = r"(?:quarter|quartal|vierteljahr|trimestre|trimester|kwarta\u0142|kvart\u00e1l|kvartal)"
_YQ = re.compile(
    rf"(\d{{4}})(?:[ \-/]?[QqT]([1-4])|[ \-/](I{{1,3}}|IV)|,? ([1-4])(?:st|nd|rd|th|\.)? {_QUARTER})", re.I
)
_QY = re.compile(
    rf"(?:[QqT]([1-4])(?:[ \-/]?(?=\d{{4}})|/)|([1-4]) ?Q ?|(I{{1,3}}|IV)(?: (?=\d{{4}})|/)|"
    rf"([1-4])(?:st|nd|rd|th|\.)? {_QUARTER} (?=\d{{4}}))(\d{{4}}|\d{{2}})",
    re.I,
)
_ROMAN = {
    name: i for i, name in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"), 1)
}
_DIGIT = re.compile("[0-9]")
_WEEK = re.compile(r"(\d{4})[ \-/]?K?[Ww](\d{1,2})(?:-?([1-7]))?")
_WEEK_Y = re.compile(r"K?W ?(\d{1,2})[ \-/](\d{4})")
_WEEKDAY = re.compile(r"([^\W\d_]{2,10})\.?,? (?=\w)")
_CHINESE = str.maketrans("年月", "--", "日")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
OF_YEAR = re.compile(r"(?P<y>\d{4})[-/.]?(?P<j>\d{3})|(?P<d>\d{3})/(?P<of>\d{4})")
"""A day by its number in the year: 2024-031, 031/2024."""

LEVELS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
"""The levels to which moments are read, the finest first."""

DAY = LEVELS.index("day")
"""Moments known to the day are read as midnight to a finer level, too."""

DIGITS = {
    "ymd": (8, "%Y%m%d"),
    "dmy8": (8, "%d%m%Y"),
    "mdy8": (8, "%m%d%Y"),
    "yymmdd": (6, "%y%m%d"),
    "ym": (6, "%Y%m"),
    "y": (4, "%Y"),
    "ymdhms": (14, "%Y%m%d%H%M%S"),
    "yj": (7, "%Y%j"),
    "yyj": (5, "%y%j"),
}
"""Numbers whose digits are a date: how many there are, and what they say."""

COUNTS = {
    "Excel days": (86400, "1899-12-30"),
    "Mac Excel days": (86400, "1904-01-01"),
    "SAS/Stata days": (86400, "1960-01-01"),
    "R/Unix days": (86400, "1970-01-01"),
    "Unix seconds": (1, "1970-01-01"),
    "Unix ms": (1e-3, "1970-01-01"),
    "SPSS seconds": (1, "1582-10-14"),
    "SAS seconds": (1, "1960-01-01"),
    "Stata ms": (1e-3, "1960-01-01"),
}
"""Numbers that count from a day: the seconds of one, and the day."""

Moment = tuple[datetime, str, str]
"""A moment, the level to which it is known, and how it is written."""


def _full_year(text: str) -> int:
    year = int(text)
    return year if len(text) == 4 else year + (1900 if year > 30 else 2000)


def _short(*parts: str) -> str:
    """Return how days and months are written: 2024-1-31 beside 2024-01-31."""
    return " short" if min(map(len, parts)) == 1 else ""


def _day(text: str, order: str) -> tuple[int, int, int, re.Match[str], str] | None:
    """Return year, month and day of a text that writes a day, the match, its last groups a time, and the day's tag."""
    if m := _ISO.fullmatch(text):
        return int(m[1]), int(m[3]), int(m[4]), m, "iso" + m[2] + _short(m[3], m[4])
    if m := _DMY.fullmatch(text):
        d, mo = (m[1], m[3]) if order == "dmy" else (m[3], m[1])
        return _full_year(m[4]), int(mo), int(d), m, f"{order}{m[2]}{len(m[4])}{_short(m[1], m[3])}"
    if (m := _D_ROMAN_Y.fullmatch(text)) and (place := _ROMAN.get(m[2].casefold())):
        return int(m[3]), place, int(m[1]), m, "roman"
    if (m := _D_NAME_Y.fullmatch(text)) and m[2].casefold() in DATED:
        month, tongue = DATED[m[2].casefold()]
        between = text[m.end(1) : m.start(2)] + text[m.end(2) : m.start(3)]
        return _full_year(m[3]), month, int(m[1]), m, f"d {tongue}{between}{len(m[3])}"
    if m := _NAME_D_Y.fullmatch(text):
        month, tongue = DATED[m[1].casefold()]
        return int(m[3]), month, int(m[2]), m, f"{tongue} d"
    if m := _Y_NAME_D.fullmatch(text):
        month, tongue = DATED[m[2].casefold()]
        return int(m[1]), month, int(m[3]), m, f"y {tongue} d"
    return None


def _month(text: str) -> Moment | None:
    """Return a text that writes a month, a quarter, or a week, with how: 2024M01 beside 2024-01."""
    written = re.sub(r"\d", "0", text)
    if m := _WEEK.fullmatch(text):
        return datetime.fromisocalendar(int(m[1]), int(m[2]), int(m[3] or 1)), "day" if m[3] else "week", written
    if m := _WEEK_Y.fullmatch(text):
        return datetime.fromisocalendar(int(m[2]), int(m[1]), 1), "week", written
    if m := _YQ.fullmatch(text):
        return datetime(int(m[1]), 3 * _place(m[2] or m[3] or m[4]) - 2, 1), "quarter", written
    if m := _QY.fullmatch(text):
        return datetime(_full_year(m[5]), 3 * _place(m[1] or m[2] or m[3] or m[4]) - 2, 1), "quarter", written
    if m := _YM.fullmatch(text):
        return datetime(int(m[1]), int(m[2]), 1), "month", written
    if m := _MY.fullmatch(text):
        return datetime(int(m[2]), int(m[1]), 1), "month", written
    if m := _NAME_Y.fullmatch(text):
        month, tongue = DATED[m[1].casefold()]
        return datetime(_full_year(m[2]), month, 1), "month", f"{tongue}{text[m.end(1) : m.start(2)]} y{len(m[2])}"
    if m := _Y_NAME.fullmatch(text):
        month, tongue = DATED[m[2].casefold()]
        return datetime(int(m[1]), month, 1), "month", f"y {tongue}{text[m.end(1) : m.start(2)]}"
    return None


def _place(text: str) -> int:
    return _ROMAN.get(text.casefold()) or int(text)


@lru_cache(10_000)
def _behind(text: str) -> str:
    """Return how a time behind a day is written, and its zone; PM as AM is."""
    return re.sub(r"\d{1,2}", "0", text).translate(str.maketrans("Pp", "Aa"))


@lru_cache(200_000)
def moment(text: str, order: str) -> Moment | None:
    """Return the moment that a text writes; None where it is no date, a plain number among them.

    Parameters
    ----------
    text
        As a file holds it.
    order
        What 03/04/2020 means: "dmy" or "mdy".
    """
    if not 4 <= len(text) <= 40 or not _DIGIT.search(text) or _NUMBER.fullmatch(text):
        return None
    if (weekday := _WEEKDAY.match(text)) and weekday[1].casefold() in WEEKDAYS:
        text = text[weekday.end() :]
    if not text.isascii():
        text = text.translate(_CHINESE).rstrip("-")
    text = text.replace(" de ", " ")
    try:
        found = _day(text, order)
        if found is None:
            return _month(text)
        y, mo, d, m, tag = found
        rest = m.groups()[-4:]
        tag += _behind(text[m.end(m.re.groups - 4) :])
        if rest[0] is None:
            return datetime(y, mo, d), "day", tag
        hour = int(rest[0]) if rest[3] is None else int(rest[0]) % 12 + 12 * (rest[3][0] in "pP")
        at = datetime(y, mo, d, hour, int(rest[1] or 0), int(rest[2] or 0))
        return at, "second" if at.time() != at.min.time() else "day", tag
    except (ValueError, KeyError):
        return None


@lru_cache(200_000)
def counted(text: str, way: str) -> Moment | None:
    """Return the moment that a number means, read as a way of `DIGITS` or `COUNTS` says; None where it means none."""
    if not _NUMBER.fullmatch(text) and not (way == "yj" and OF_YEAR.fullmatch(text)):
        return None
    written = way if text.isdecimal() else f"{way} {text[3:5]}"
    try:
        if way in DIGITS:
            width, form = DIGITS[way]
            if way == "yj" and (of_year := OF_YEAR.fullmatch(text)):
                text = (of_year["y"] or of_year["of"]) + (of_year["j"] or of_year["d"])
            text = text.zfill(8) if way in ("dmy8", "mdy8") and len(text) == 7 else text
            if len(text) != width or not text.isdecimal():
                return None
            if form.startswith("%y"):
                text, form = f"{_full_year(text[:2])}{text[2:]}", form.replace("%y", "%Y")
            at = datetime.strptime(text, form)
            if not 1800 <= at.year <= 2150:
                return None
            known = {"ym": "month", "y": "year"}.get(way, "second" if at.time() != at.min.time() else "day")
            return at, known, written
        unit, origin = COUNTS[way]
        at = datetime.fromisoformat(origin) + timedelta(seconds=round(float(text) * unit))
    except (ValueError, OverflowError):
        return None
    level = "day" if at.time() == at.min.time() else "second"
    return (at, level, way) if 1850 <= at.year <= 2150 else None


def read_moment(text: str, order: str, way: str | None) -> Moment | None:
    """Return the moment that a text writes, or that a number means."""
    return moment(text, order) or (counted(text, way) if way else None)


def since_month(at: npt.NDArray[np.datetime64]) -> Ints:
    """Return the seconds of moments since their month began; of its last day as of a 31st, however long it is."""
    day, month = at.astype("M8[D]"), at.astype("M8[M]")
    is_last = (day + 1).astype("M8[M]") != month
    begun = np.where(is_last, day.astype("M8[s]") - np.timedelta64(30 * 86_400, "s"), month.astype("M8[s]"))
    return (at - begun).astype(np.int64)


def floored(at: datetime, level: str) -> str:
    """Return a moment as a text, to a level."""
    if level in ("minute", "hour"):
        at = at.replace(second=0, minute=at.minute if level == "minute" else 0)
    if LEVELS.index(level) < DAY and at.time() != at.min.time():
        return at.isoformat()
    if LEVELS.index(level) <= DAY:
        return f"{at:%Y-%m-%d}" if at.year >= 1000 else at.date().isoformat()
    if level == "week":
        return "{}-W{:02d}".format(*at.isocalendar())
    if level == "month":
        return f"{at.year:04d}-{at.month:02d}"
    return f"{at.year:04d}-Q{(at.month + 2) // 3}" if level == "quarter" else f"{at.year:04d}"
