"""Readings of texts: letters, blanks, zeros, numbers, codes within labels, words for yes and no, names of months."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from disclosure_core.data.spellings.dates import MONTHS, OF_YEAR, WEEKDAYS, moment
from disclosure_core.data.spellings.encodings import encoding
from disclosure_core.data.suggested_codes import is_code, says_no_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")

RESIDUAL = {
    "other",
    "others",
    "unknown",
    "missing",
    "refused",
    "none",
    "n/a",
    "na",
    "rest",
    "total",
    "not applicable",
    "don't know",
    "do not know",
}
"""Levels that a side may have alone: what is left, or no answer."""

MISSING = {"", ".", "-", "--", "?", "na", "n/a", "nan", "none", "null", "missing", "#n/a", "<na>", "nil"}
"""Texts that commonly stand for an empty cell; as words for “no answer” do (`stands_for_empty`)."""

SYMBOLS = {
    "..",
    "...",
    "…",
    ":",
    "–",
    "—",
    "-.",
    "\\n",
    "nat",
    "n.d.",
    "sysmis",
    "(blank)",
    "(leer)",
    "(null)",
    "[null]",
} | {
    *("#null!", "#nv", "#div/0!", "._", *(f".{c}" for c in "abcdefghijklmnopqrstuvwxyz")),
}
"""What tables of offices and databases have there: as words for “no answer”, it may be an answer of its own."""

ANSWERS = {"none"}
"""Of these what is as often an answer: no schooling, no illness."""

LONG = 200
"""Longer texts are no number, and no code with its label."""

YES = {
    *("true", "t", "1", "-1", "y", "yes", "on", "j", "ja", "wahr"),
    *("oui", "vrai", "o", "si", "s\u00ed", "s\u00ec", "s", "vero", "x"),
    *("sim", "tak", "ano", "igen", "evet", "да", "áno", "kyllä", "taip", "jā", "jah", "ναι", "já", "da", "はい"),
    *("prawda", "verdadero", "verdadeiro", ".true.", "✓", "☑", "checked", "selected"),
}
NO = {
    *("false", "f", "0", "n", "no", "off", "nein", "nee", "falsch", "non", "faux", "falso", "2"),
    *("n\u00e3o", "nie", "nem", "hay\u0131r", "нет", "ne", "ei", "nē", "όχι", "не", "nej", "nei", "nu", "いいえ"),
    *("fałsz", ".false.", "✗", "☐", "unchecked", "not selected"),
}
TWOS = {"ny", "ft", "01", "12", "-10", "jn", "no", "ns", "✓✗", "☐☑"}
"""Letters and digits for yes and no that a column has together."""

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_LOOKALIKES = str.maketrans("асеорхуіјѕАВЕКМНОРСТУХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceopxyijsABEKMHOPCTYXIJSoABEZHIKMNOPTYX")
"""Letters of the Cyrillic and Greek alphabets that look as Latin ones."""

_TWO_ALPHABETS = re.compile("[A-Za-z].*[\u0370-\u04ff]|[\u0370-\u04ff].*[A-Za-z]")
_WITHOUT_MARKS = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "Ae", "đ": "d"})
_UMLAUTS = str.maketrans(dict(zip("äöüÄÖÜß", ("ae", "oe", "ue", "Ae", "Oe", "Ue", "ss"), strict=True)))
_ZEROS = re.compile(r"(?<![\d.,])0+(?=\d)")
_BAND = re.compile(
    r"\W{0,2}(?:aged |from )?(\d+)(?:\.0+)?\s*(?:[-–—~]|\.\.|to|through|bis|à|a)\s*(\d+)(?:\.0+)?|"
    r"\[(\d+)[,;] ?(\d+)\]|between (\d+) and (\d+)",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"[€$£¥]\s?(?=\d)|(?<=\d)\s?(?:[€$£¥]|EUR|Euros?|USD|GBP|CHF)|(?<=\d)[,.'’](?=\d{3}(?!\d))|"
    r"(?<=\d) (?:years?|yrs?\.?|ans|Jahre|años|anos|anni|lat|let|år|vuotta)$",
    re.IGNORECASE,
)
"""What bands have around their numbers: signs of money, of thousands, and years."""

_HALF_OPEN = re.compile(
    r"\[\s*(\d+)\s*[,;]\s*(\d+)\s*[\[)]|([(\]])\s*(\d+)\s*[,;]\s*(\d+)\s*\]|"
    r"(\d+)\s*(?:[-–—]\s*<|(?:to|bis) (?:under|below|less than|unter))\s*(\d+)",
    re.IGNORECASE,
)
"""Bands that end before their second number, and such as begin behind their first."""

_END = re.compile(
    r"(?:<|under|below|less than|unter|moins de)\s*(\d+)|(?:≥|>=)\s*(\d+)|"
    r"(\d+)\s*(?:years |ans |Jahre )?(?:\+|plus|(?:and|or) (?:over|above|more|older)|und (?:mehr|älter)|et plus)",
    re.IGNORECASE,
)
_NEXT = re.compile(r"(?:(>)|(≤|<=))\s*(\d+)")
"""Ends that a whole number more, or less, says the other way: >84 is 85+, and <=4 is <5."""

_MEANS = re.compile(r"[<>≥≤%€$£]|(?<!\w)\+|\+(?!\w)")
_MINUS = re.compile(r"^[−–](?=\d)")
_SIGNED = re.compile(r"[-–−(]\s?\d[\d.,]*\)?|[\d.,]*\d[-–−]|[A-Za-z]{1,3}[-–−]")
"""Numbers below zero, as -5, (5) and 5-, and marks such as A-."""

_MARKS = re.compile("[\\s\\-–—+./|_,:;'\"’“”„«»`()\\[\\]{}=]+")
_INTERVAL = re.compile(r"[\[(]\s*[-+]?(?:\d|inf|∞).*[,;].*[\])]", re.IGNORECASE)
_OF_BANDS = re.compile(r"[+<>≥≤–\-]| to | and | or |more|less|over|under|bis")
_AHEAD = re.compile(r"\s*[\[(]?\s*(-?\d{1,4}|[A-Za-z])\s*[\])]?\s*[.:=)\]\-–]?\s*[.:=)\]\-–]\s*([^\W\d_].*)")
_BEHIND = re.compile(r"(.*\S)\s*[\[(]\s*(-?\d{1,4}|[A-Za-z])\s*[\])]")
_NUMBERED = re.compile(r"\s*-?\d{1,4}\s+([^\W\d_].*)")
_HEADED = re.compile(r"(?=[^\W\d_]|\S{4})([^\W\d_]{0,3}\d[\w.]{1,7}|[A-Z]{2,3}(?=\W))\s*[\s:,–-]\s*([^\W\d_].*)")
_TAILED = re.compile(r"([^\W\d_].*[^\W\d_])(?:,| -| –|:)? [\[(]?(\d{1,4}|[A-Z]{2,3})[\])]?")
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")


def stands_for_empty(text: str) -> bool:
    """Whether a text may stand for an empty cell: NA, words for "no answer", or a code such as -9 and 99."""
    if text.strip().casefold() in MISSING | SYMBOLS or (1 < len(text) <= LONG and is_code(text)):
        return True
    return len(text) <= LONG and says_no_answer(text)


def letters(text: str) -> str:
    """Write letters that look alike in one way."""
    if text.isascii():
        return text
    plain = _MINUS.sub("-", unicodedata.normalize("NFKC", text).replace("’", "'").replace("\u2010", "-"))
    return plain.translate(_LOOKALIKES) if _TWO_ALPHABETS.search(plain) else plain


def is_foreign(text: str) -> bool:
    """Whether a text has letters that are not ASCII, or what may stand for one: &uuml; and <U+00FC>."""
    return not text.isascii() or any(c in text for c in "&%=<\\") or text.startswith("b'")


def space(text: str) -> str:
    """Leave out blanks before and after, and all but one within."""
    return " ".join((text if text.isascii() else text.translate(_INVISIBLE)).split())


def umlauts(text: str) -> str:
    """Write ae for ä."""
    return text if text.isascii() else text.translate(_UMLAUTS)


def accents(text: str) -> str:
    """Leave out accents."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text.translate(_WITHOUT_MARKS))
    return "".join(c for c in parts if not unicodedata.combining(c))


def zeros(text: str) -> str:
    """Leave out leading zeros of whole numbers, also within a code."""
    if "0" not in text or ("." in text and NUMBER.fullmatch(text) and not text.lstrip("+-")[:2].isdecimal()):
        return text
    return _ZEROS.sub("", text)


def _band(text: str) -> str | None:
    """Return a band of whole numbers, or one that is open, in one way: [10,20) is 10-19, >84 is 85+."""
    text = text if len(text) > LONG else _AROUND.sub("", text)
    if band := _BAND.fullmatch(text):
        return f"{band[1] or band[3] or band[5]}-{band[2] or band[4] or band[6]}"
    if half := _HALF_OPEN.fullmatch(text):
        if half[3]:
            return f"{int(half[4]) + 1}-{half[5]}"
        return f"{half[1] or half[6]}-{int(half[2] or half[7]) - 1}"
    if end := _END.fullmatch(text):
        return f"<{end[1]}" if end[1] else f"{end[2] or end[3]}+"
    if end := _NEXT.fullmatch(text):
        return f"{int(end[3]) + 1}+" if end[1] else f"<{int(end[3]) + 1}"
    return None


def punctuation(text: str) -> str:
    """Leave out blanks and punctuation within a code; signs that mean something stay, bands keep their dash."""
    if text.isalnum():
        return text
    if whole := _band(text):
        return whole
    is_number = NUMBER.fullmatch(text) and (text[0] in "+-" or "." in text)
    if is_number or _MEANS.search(text) or _SIGNED.fullmatch(text) or _INTERVAL.fullmatch(text) or moment(text, "dmy"):
        return text
    return _MARKS.sub("", text.replace(" & ", " and ")) or text


def sign(text: str) -> str:
    """Return the signs that `punctuation` leaves out, each once: sides may write a blank, or a dash in its place."""
    signs = "".join(_MARKS.findall(text)) + "&" * (" & " in text)
    return "as is" if punctuation(text) == text else "".join(dict.fromkeys(signs))


def folded(text: str) -> str:
    """Leave out all of these at once."""
    if moment(text, "dmy"):
        return text
    plain = text if not is_foreign(text) else umlauts(letters(space(encoding(text))))
    return zeros(punctuation(accents(plain)).casefold())


def bare(text: str) -> str:
    """Leave out all of these, and write a for ä."""
    return text if moment(text, "dmy") else folded(accents(letters(encoding(text))))


def case_form(text: str) -> str:
    """Return how a text uses capital letters."""
    if text == text.lower():
        return "low"
    if text == text.upper():
        return "up"
    return "mixed" if " " not in text and text[1:] != text[1:].lower() else "title"


def folded_form(text: str) -> str:
    """Return how a text uses capital letters and signs, as far as leaving them out changes it."""
    return "as is" if folded(text) == text else case_form(text) + ("" if text.isalnum() else " with signs")


def respell(change: Callable[[str], str], form: Callable[[str], str] | None = None) -> Callable[[str], tuple[str, str]]:
    """Return the reading that changes every text."""

    def read(text: str) -> tuple[str, str]:
        key = change(text)
        return key, form(text) if form else "as is" if key == text else "other"

    return read


_SIGNS = re.compile(r"^\s*(?:[€$£¥]|EUR|USD|GBP|CHF)?\s*(.*?)\s*(?:[€$£¥%]|EUR|USD|GBP|CHF|kr\.?|zł|Kč)?\s*$")
_WAYS: Mapping[str, tuple[re.Pattern[str], Callable[[str], str]]] = {
    "": (NUMBER, str),
    "thousands ,": (
        re.compile(r"[+-]?\d{1,3}(?:[, '’\u00a0\u202f]\d{3})+(?:\.\d*)?"),
        lambda t: re.sub("[, '’\u00a0\u202f]", "", t),
    ),
    "decimal ,": (re.compile(r"[+-]?\d+[,·٫]\d+(?:[eE][+-]?\d+)?"), lambda t: re.sub("[,·٫]", ".", t)),
    "thousands .": (
        re.compile(r"[+-]?\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d*)?"),
        lambda t: re.sub("[. \u00a0\u202f]", "", t).replace(",", "."),
    ),
    "signs": (re.compile(r"\(\d+(?:\.\d+)?\)|\d+(?:\.\d+)?[-−–]"), lambda t: "-" + t.strip("()-−–")),
}
MARKS = ("thousands ,", "decimal ,", "thousands .")
"""Ways to write a number other than Python's."""


def number(mark: str, share: int = 1) -> Callable[[str], tuple[str, str] | None]:
    """Return the reading of texts as numbers, percentages as shares of one where `share` is 100."""

    def read(text: str) -> tuple[str, str] | None:
        core = _SIGNS.fullmatch(text) if len(text) <= LONG else None
        if core is None:
            return None
        for name in dict.fromkeys((mark, "")):
            looks, write = _WAYS[name]
            if looks.fullmatch(core[1]) and not re.match(r"[+-]?0\d", core[1]):
                of_one = share if text.rstrip().endswith("%") else 1
                key = f"{float(write(core[1])) / of_one + 0.0:.12g}"  # -0 is 0
                return key, "plain" if text == key else "other"
        return None

    return read


def logical(text: str) -> tuple[str, str] | None:
    """Read words for yes and no."""
    word = text.strip().casefold()
    if word in YES:
        return "yes", "number" if word in ("1", "-1") else word
    return ("no", "number" if word in "20" else word) if word in NO else None


def both_parts(text: str) -> bool:
    """Whether a text looks like a code and a label, as in "[1] Male"."""
    return len(text) <= LONG and bool(_AHEAD.fullmatch(text) or _BEHIND.fullmatch(text))


def part(which: str) -> Callable[[str], tuple[str, str]]:
    """Return the reading of "[1] Male" as its label, or as its code."""

    def read(text: str) -> tuple[str, str]:
        if len(text) > LONG:
            return text, "one"
        if found := _AHEAD.fullmatch(text):
            return (found[2] if which == "label" else found[1]), "both"
        if found := _BEHIND.fullmatch(text):
            return (found[1] if which == "label" else found[2]), "both"
        return text, "one"

    return read


def numbered(text: str) -> tuple[str, str]:
    """Read "4 West" as its label alone: the number may be an amount, as in "65 and over"."""
    found = _NUMBERED.fullmatch(text) if len(text) <= LONG else None
    return (found[1], "both") if found else (text, "one")


def title(text: str) -> tuple[str, str] | None:
    """Return the code and the label of "E11.9 Diabetes" and "Austria (AUT)": the code has letters, or four digits."""
    if len(text) > LONG:
        return None
    if found := _HEADED.fullmatch(text):
        return found[1], found[2]
    return (found[2], found[1]) if (found := _TAILED.fullmatch(text)) else None


def titled(which: str) -> Callable[[str], tuple[str, str]]:
    """Return the reading of such texts as their code, or as their label."""

    def read(text: str) -> tuple[str, str]:
        found = title(text)
        return (found[which == "label"], "both") if found else (text, "one")

    return read


_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMANS = {f"{'x' * tens}{one}": (10 * tens + i, "roman") for tens in range(3) for i, one in enumerate(_ONES)}
del _ROMANS[""]
NAMES: Mapping[str, tuple[Mapping[str, tuple[int, str]], int]] = {
    "month": (MONTHS, 12),
    "weekday": (WEEKDAYS, 7),
    "number": (_ROMANS, 29),
}
"""Names that stand for numbers, and how many there are: months, weekdays, and Roman numbers."""


def is_name(text: str, kind: str) -> bool:
    """Whether a text is such a name; Roman numbers in capitals alone."""
    return text.strip().casefold().rstrip(".") in NAMES[kind][0] and (kind != "number" or bool(_ROMAN.fullmatch(text)))


def named(kind: str) -> Callable[[str], tuple[str, str] | None]:
    """Return the reading of such names, and of their numbers."""
    table, most = NAMES[kind]

    def read(text: str) -> tuple[str, str] | None:
        if is_name(text, kind):
            place, form = table[text.strip().casefold().rstrip(".")]
            return str(place), form
        small = len(text) <= 4 and text.isascii() and text.isdigit()
        return (str(int(text)), "digits") if small and 1 <= int(text) <= most else None

    return read


def labelled(labels: Mapping[str, str]) -> Callable[[str], tuple[str, str] | None]:
    """Return the reading of codes as their labels, whatever their leading zeros, and the labels' capitals."""
    known = {zeros(code): label for code, label in labels.items()}
    own = {label.strip().casefold(): label for label in labels.values()}

    def read(text: str) -> tuple[str, str] | None:
        if text in labels:
            return labels[text], "code"
        if (plain := text.strip()) and zeros(plain) in known:
            return known[zeros(plain)], "code"
        return (own[plain.casefold()], "label") if plain.casefold() in own else None

    return read


def without(affix: str, *, behind: bool, zeros_too: bool) -> Callable[[str], tuple[str, str]]:
    """Return the reading that takes an affix off."""

    def read(text: str) -> tuple[str, str]:
        has = (text.endswith if behind else text.startswith)(affix) and len(text) > len(affix)
        rest = (text[: -len(affix)] if behind else text[len(affix) :]) if has else text
        return (zeros(rest) if zeros_too else rest), "with" if has else "without"

    return read


def kind_of(text: str) -> str:
    """Return what a text is: a number, date, word, band or code."""
    if NUMBER.fullmatch(text):
        return "number"
    if moment(text, "dmy") or moment(text, "mdy") or OF_YEAR.fullmatch(text):
        return "date"
    if not re.search(r"\d", text):
        return "word"
    is_band = len(text) <= LONG and (_INTERVAL.fullmatch(text) or _OF_BANDS.search(text))
    return "band" if is_band else "code"
