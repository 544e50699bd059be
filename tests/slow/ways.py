"""What a column may hold, and the ways in which files write it: what pairs that do not meet are drawn from.

Four in five were settled without a look at the rule (`disclosure_core/data/meeting.py`), the others by one who knew it.
"""

from __future__ import annotations

import html
import json
import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import md5
from math import nextafter
from struct import pack, unpack
from urllib.parse import quote

from tests.core.spelled_pairs import GERMAN, LABELS, MONTHS, ROMAN, WEEKDAYS, levels_of, word

Change = Callable[[str], str | None]

ROUNDING, CODING, LABEL, SHIFTED = "rounding", "overlapping codings", "a label replaced", "dates shifted"
ORDER, BORN = "another order", "a year of birth"
"""What docs/files.md says cannot be seen."""


@dataclass(frozen=True)
class Way:
    """A way to write what a column holds.

    Attributes
    ----------
    change
        From a value as the law has it to this way; None is an empty cell.
    unseen
        Why it cannot be seen, as docs/files.md has it; empty where it should be.
    coarse
        From a value to what is left of it; None where nothing is lost.
    of_empty
        Whether it changes empty cells, and nothing else.
    codebook
        Whether a codebook beside the files says what it means.
    """

    change: Change
    unseen: str = ""
    coarse: Callable[[str], object] | None = None
    of_empty: bool = False
    codebook: bool = False


def _thousands(mark: str) -> Change:
    return lambda t: f"{int(t):,}".replace(",", mark)


def _on(form: str) -> Change:
    return lambda t: date.fromisoformat(t[:10]).strftime(form)


def _times(factor: float) -> Change:
    return lambda t: f"{float(t) * factor:.12g}"


def _mojibake(text: str) -> str:
    raw = text.encode()
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _without_marks(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _umlauts(text: str) -> str:
    return text.translate({ord(a): b for a, b in zip("äöüÄÖÜ", ("ae", "oe", "ue", "Ae", "Oe", "Ue"), strict=True)})


def _last_of_month(text: str) -> str:
    first = date.fromisoformat(text[:8] + "01")
    return ((first + timedelta(31)).replace(day=1) - timedelta(1)).isoformat()


def _school_year(text: str) -> str:
    first = int(text[:4]) - (text[5:7] < "08")
    return f"{first}/{(first + 1) % 100:02d}"


def _full_width(text: str) -> str:
    return text.translate(str.maketrans("0123456789", "０１２３４５６７８９"))


def _lookalikes(text: str) -> str:
    return text.translate(str.maketrans("aeoc", "\u0430\u0435\u043e\u0441"))


FRENCH = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]

SPELT = {
    "capitals": Way(str.upper),
    "small letters": Way(str.lower),
    "capitals swapped": Way(str.swapcase),
    "a blank behind": Way(lambda t: t + " "),
    "two blanks before": Way(lambda t: "  " + t),
    "a no-break space behind": Way(lambda t: t + "\u00a0"),
    "a tab behind": Way(lambda t: t + "\t"),
    "a line end behind": Way(lambda t: t + "\r"),
    "padded to 20": Way(lambda t: t.ljust(20)),
    "in apostrophes": Way(lambda t: f"'{t}'"),
    "in curly marks": Way(lambda t: f"“{t}”"),
    "a byte order mark": Way(lambda t: "\ufeff" + t),
    "a soft hyphen": Way(lambda t: f"{t[:2]}\u00ad{t[2:]}"),
    "a point behind": Way(lambda t: t + "."),
    "a star behind": Way(lambda t: t + "*"),
    "a name before": Way(lambda t: f"x_{t}"),
    "in a URL": Way(quote),
    "as b'…'": Way(lambda t: f"b'{t}'"),
    "a footnote behind": Way(lambda t: t + "¹"),
    "a no-break hyphen": Way(lambda t: t.replace("-", "\u2011")),
}
OF_WORDS = {
    "accents lost": Way(_without_marks),
    "ae for ä": Way(_umlauts),
    "decomposed letters": Way(lambda t: unicodedata.normalize("NFD", t)),
    "read as another encoding": Way(_mojibake),
    "HTML": Way(lambda t: html.escape(t).encode("ascii", "xmlcharrefreplace").decode()),
    "blanks as underscores": Way(lambda t: t.replace(" ", "_").replace("-", "_")),
    "blanks lost": Way(lambda t: t.replace(" ", "").replace("-", "")),
    "a word before": Way(lambda t: f"Municipality of {t}"),
    "a country behind": Way(lambda t: f"{t}, CH"),
    "cut after 8": Way(lambda t: t[:8].rstrip(), coarse=lambda t: t[:8].rstrip()),
    "Cyrillic lookalikes": Way(_lookalikes),
    "points as in R": Way(lambda t: re.sub(r"\W", ".", t)),
    "capitals and underscores": Way(lambda t: re.sub(r"\W", "_", t).upper()),
    "no blanks, capitals within": Way(lambda t: re.sub(r"\W", "", t.title())),
    "no-break blanks": Way(lambda t: t.replace(" ", "\u00a0")),
    "? for ü": Way(lambda t: t.encode("ascii", "replace").decode()),
    "� for ü": Way(lambda t: t.encode("latin-1").decode(errors="replace")),
    "<U+00FC> for ü": Way(lambda t: "".join(c if c.isascii() else f"<U+{ord(c):04X}>" for c in t)),
    "\\u00fc for ü": Way(lambda t: json.dumps(t)[1:-1]),
    "Turkish capitals": Way(lambda t: t.replace("i", "İ").upper()),
}
OF_CODES = {
    "zeros lost": Way(lambda t: t.lstrip("0") or "0"),
    "zeros to 9": Way(lambda t: t.zfill(9)),
    "an apostrophe before": Way(lambda t: "'" + t),
    "as a formula": Way(lambda t: f'="{t}"'),
    "with .0": Way(lambda t: f"{t.lstrip('0') or '0'}.0"),
    "a letter before": Way(lambda t: "R" + t),
    "hashed": Way(lambda t: md5(t.encode()).hexdigest()[:10], LABEL),
    "full-width digits": Way(_full_width),
    "first two": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "first three": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
}
OF_SIGNS = {
    "signs lost": Way(lambda t: re.sub(r"[ .\-]", "", t)),
    "signs as dashes": Way(lambda t: re.sub(r"[ .]", "-", t)),
    "small letters": Way(str.lower),
    "the first three": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
    "the first": Way(lambda t: t[:1], coarse=lambda t: t[:1]),
}
OF_INTS = {
    "as 17.0": Way(lambda t: t + ".0"),
    "as 17.00": Way(lambda t: t + ".00"),
    "as 1.7e+01": Way(lambda t: f"{float(t):.6e}"),
    "thousands ,": Way(_thousands(",")),
    "thousands '": Way(_thousands("'")),
    "thousands .": Way(_thousands(".")),
    "thousands blank": Way(_thousands("\u202f")),
    "as € 17": Way(lambda t: f"€ {t}"),
    "as 17 EUR": Way(lambda t: f"{t} EUR"),
    "as 17 kg": Way(lambda t: f"{t} kg"),
    "as 17 years": Way(lambda t: f"{t} years"),
    "as 017": Way(lambda t: t.zfill(6)),
    "times 1000": Way(_times(1000)),
    "times 12": Way(_times(12)),
    "times 10": Way(_times(10)),
    "full-width digits": Way(_full_width),
    "as 17.-": Way(lambda t: t + ".-"),
    "as 1,7E+01": Way(lambda t: f"{float(t):.6E}".replace(".", ",")),
    "Arabic digits": Way(lambda t: t.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))),
    "by 100, and m": Way(lambda t: f"{int(t) / 100:.2f} m"),
    "as 17,00 €": Way(lambda t: t + ",00 €"),
    "by 100": Way(_times(0.01)),
    "in thousands": Way(_times(0.001)),
    "to tens": Way(lambda t: f"{round(int(t), -1)}", ROUNDING),
    "to hundreds": Way(lambda t: f"{round(int(t), -2)}", ROUNDING),
    "bands of 10": Way(lambda t: f"{int(t) // 10 * 10}-{int(t) // 10 * 10 + 9}", coarse=lambda t: int(t) // 10),
    "bands in words": Way(lambda t: f"{int(t) // 50 * 50} to {int(t) // 50 * 50 + 49}", coarse=lambda t: int(t) // 50),
    "bands as [a,b)": Way(lambda t: f"[{int(t) // 25 * 25},{int(t) // 25 * 25 + 25})", coarse=lambda t: int(t) // 25),
    "one more": Way(lambda t: f"{int(t) + 1}", CODING),
}
OF_FLOATS = {
    "decimal comma": Way(lambda t: t.replace(".", ",")),
    "six decimals": Way(lambda t: f"{float(t):.6f}"),
    "noise of 64 bits": Way(lambda t: f"{nextafter(float(t), 1e9):.17g}"),
    "noise of 32 bits": Way(lambda t: f"{_short(float(t)):.17g}"),
    "exponents": Way(lambda t: f"{float(t):.9e}"),
    "one decimal": Way(lambda t: f"{float(t):.1f}", ROUNDING),
    "whole": Way(lambda t: f"{float(t):.0f}", ROUNDING),
    "times 100": Way(_times(100)),
    "by 2.54": Way(_times(1 / 2.54)),
    "percent": Way(lambda t: f"{float(t) * 100:.12g} %"),
    "comma and unit": Way(lambda t: t.replace(".", ",") + " cm"),
}
OF_SIGNED = {
    "a minus sign": Way(lambda t: t.replace("-", "−")),
    "a dash for minus": Way(lambda t: t.replace("-", "–")),
    "a blank after minus": Way(lambda t: t.replace("-", "- ")),
    "in brackets": Way(lambda t: f"({t[1:]})" if t[0] == "-" else t),
    "minus behind": Way(lambda t: f"{t[1:]}-" if t[0] == "-" else t),
    "-0": Way(lambda t: "-0" if t == "0" else t),
    "plus before": Way(lambda t: t if t[0] in "-0" else "+" + t),
    "Fahrenheit": Way(lambda t: f"{int(t) * 1.8 + 32:.0f}", CODING),
}
OF_SHARES = {
    "56%": Way(lambda t: f"{float(t) * 100:.0f}%"),
    "56,0 %": Way(lambda t: f"{float(t) * 100:.1f} %".replace(".", ",")),
    "56": Way(lambda t: f"{float(t) * 100:.0f}"),
    ".56": Way(lambda t: t.lstrip("0")),
    "0,56": Way(lambda t: t.replace(".", ",")),
    "0.560": Way(lambda t: f"{float(t):.3f}"),
    "per mille": Way(lambda t: f"{float(t) * 1000:.0f} ‰"),
}
OF_DAYS = {
    "31.1.2024": Way(lambda t: f"{int(t[8:])}.{int(t[5:7])}.{t[:4]}"),
    "31/01/2024": Way(_on("%d/%m/%Y")),
    "01/31/2024": Way(_on("%m/%d/%Y")),
    "31-Jan-24": Way(_on("%d-%b-%y")),
    "Jan 31, 2024": Way(_on("%b %d, %Y")),
    "31. January 2024": Way(_on("%d. %B %Y")),
    "20240131": Way(_on("%Y%m%d")),
    "240131": Way(_on("%y%m%d")),
    "2024-1-31": Way(lambda t: f"{t[:4]}-{int(t[5:7])}-{int(t[8:])}"),
    "2024/01/31": Way(_on("%Y/%m/%d")),
    "2024-01-31 00:00:00": Way(lambda t: t + " 00:00:00"),
    "2024-01-31T00:00:00Z": Way(lambda t: t + "T00:00:00Z"),
    "Wed 31 Jan 2024": Way(_on("%a %d %b %Y")),
    "2024-031": Way(_on("%Y-%j")),
    "days of Excel": Way(lambda t: f"{(date.fromisoformat(t) - date(1899, 12, 30)).days}"),
    "days of R": Way(lambda t: f"{(date.fromisoformat(t) - date(1970, 1, 1)).days}"),
    "days of SAS": Way(lambda t: f"{(date.fromisoformat(t) - date(1960, 1, 1)).days}.0"),
    "seconds of SPSS": Way(lambda t: f"{(datetime.fromisoformat(t) - datetime(1582, 10, 14)).total_seconds():.0f}"),
    "months": Way(lambda t: t[:7], coarse=lambda t: t[:7]),
    "01.2024": Way(_on("%m.%Y"), coarse=lambda t: t[:7]),
    "Jan-24": Way(_on("%b-%y"), coarse=lambda t: t[:7]),
    "first of month": Way(lambda t: t[:8] + "01", coarse=lambda t: t[:7]),
    "mid-month": Way(lambda t: t[:8] + "15", coarse=lambda t: t[:7]),
    "last of month": Way(_last_of_month, coarse=lambda t: t[:7]),
    "quarters": Way(lambda t: f"{t[:4]} Q{(int(t[5:7]) + 2) // 3}", coarse=lambda t: (t[:4], (int(t[5:7]) + 2) // 3)),
    "years": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "decades": Way(lambda t: t[:3] + "0s", coarse=lambda t: t[:3]),
    "a day later": Way(lambda t: (date.fromisoformat(t) + timedelta(1)).isoformat(), SHIFTED),
    "days and months swapped": Way(lambda t: f"{t[:4]}-{t[8:]}-{t[5:7]}" if int(t[8:]) <= 12 else t, SHIFTED),
    "an age instead": Way(lambda t: f"{2024 - int(t[:4])}", coarse=lambda t: t[:4]),
    "1/31/24": Way(lambda t: f"{int(t[5:7])}/{int(t[8:])}/{t[2:4]}"),
    "31.01.24": Way(_on("%d.%m.%y")),
    "31JAN2024": Way(lambda t: _on("%d%b%Y")(t).upper()),
    "2024.01.31": Way(_on("%Y.%m.%d")),
    "31.1.2024 0:00": Way(lambda t: f"{int(t[8:])}.{int(t[5:7])}.{t[:4]} 0:00"),
    "2024年1月31日": Way(lambda t: f"{t[:4]}年{int(t[5:7])}月{int(t[8:])}日"),
    "20240131.0": Way(_on("%Y%m%d.0")),
    "days of Excel, as 45322.0": Way(lambda t: f"{(date.fromisoformat(t) - date(1899, 12, 30)).days}.0"),
    "31 janvier 2024": Way(lambda t: f"{int(t[8:])} {FRENCH[int(t[5:7]) - 1]} {t[:4]}"),
    "31. Januar 2024": Way(lambda t: f"{int(t[8:])}. {GERMAN[int(t[5:7]) - 1]} {t[:4]}"),
    "midnight in Zurich": Way(lambda t: t + "T00:00:00+01:00"),
    "weeks": Way(_on("%G-W%V"), coarse=_on("%G-W%V")),
    "midnight in Zurich, in UTC": Way(lambda t: f"{date.fromisoformat(t) - timedelta(1)}T23:00:00Z"),
    "2024M01": Way(_on("%YM%m"), coarse=lambda t: t[:7]),
    "half-years": Way(lambda t: f"{t[:4]}-H{(int(t[5:7]) + 5) // 6}", coarse=lambda t: (t[:4], (int(t[5:7]) + 5) // 6)),
    "2023/24": Way(_school_year, coarse=_school_year),
}
OF_MOMENTS = {
    "days": Way(lambda t: t[:10], coarse=lambda t: t[:10]),
    "with a T": Way(lambda t: t.replace(" ", "T")),
    "without seconds": Way(lambda t: t[:16]),
    "31.01.2024 10:30": Way(lambda t: datetime.fromisoformat(t).strftime("%d.%m.%Y %H:%M")),
    "seconds of Unix": Way(lambda t: f"{(datetime.fromisoformat(t) - datetime(1970, 1, 1)).total_seconds():.0f}"),
    "days of Excel": Way(lambda t: f"{(datetime.fromisoformat(t) - datetime(1899, 12, 30)) / timedelta(1):.10g}"),
    "milliseconds of Unix": Way(
        lambda t: f"{(datetime.fromisoformat(t) - datetime(1970, 1, 1)) // timedelta(milliseconds=1)}"
    ),
    "milliseconds": Way(lambda t: t + ".000"),
    "10:30 AM": Way(lambda t: datetime.fromisoformat(t).strftime("%Y-%m-%d %I:%M:%S %p")),
    "an hour later": Way(lambda t: (datetime.fromisoformat(t) + timedelta(hours=1)).isoformat(" "), SHIFTED),
    "hours": Way(lambda t: t[:13] + ":00:00", coarse=lambda t: t[:13]),
}
OF_TRUTHS = {
    "1 and 0": Way(lambda t: f"{int(t == 'True')}"),
    "1.0 and 0.0": Way(lambda t: f"{int(t == 'True')}.0"),
    "yes and no": Way(lambda t: "yes" if t == "True" else "no"),
    "Y and N": Way(lambda t: "Y" if t == "True" else "N"),
    "ja and nein": Way(lambda t: "ja" if t == "True" else "nein"),
    "TRUE": Way(str.upper),
    "T and F": Way(lambda t: t[0]),
    "1 and 2": Way(lambda t: "1" if t == "True" else "2"),
    "on and off": Way(lambda t: "on" if t == "True" else "off"),
    "x and empty": Way(lambda t: "x" if t == "True" else None),
    "-1 and 0": Way(lambda t: "-1" if t == "True" else "0"),
    "oui and non": Way(lambda t: "oui" if t == "True" else "non"),
    "tak and nie": Way(lambda t: "tak" if t == "True" else "nie"),
    "Yes": Way(lambda t: "Yes" if t == "True" else "No"),
    "sim and não": Way(lambda t: "sim" if t == "True" else "não"),
    "да and нет": Way(lambda t: "да" if t == "True" else "нет"),
}


def of_empty(*texts: str) -> dict[str, Way]:
    """Return the ways in which a text stands in the place of empty cells."""
    return {text: Way(lambda t: t, of_empty=True) for text in texts}


OF_EMPTY = of_empty(
    "NA",
    ".",
    "-",
    "unknown",
    "k.A.",
    "-9",
    "999",
    "#N/A",
    "NULL",
    "nan",
    " ",
    "Missing",
    "not stated",
    "99",
    "..",
    ":",
    "(null)",
    "\\N",
    "0",
)
ISO3 = {
    "Austria": "AUT",
    "Belgium": "BEL",
    "Spain": "ESP",
    "Germany": "DEU",
    "Sweden": "SWE",
    "Hungary": "HUN",
    "Poland": "POL",
}
NUMERIC = {
    "Austria": "040",
    "Belgium": "056",
    "Spain": "724",
    "Germany": "276",
    "Sweden": "752",
    "Hungary": "348",
    "Poland": "616",
}
LANGUAGE = {
    "Austria": "Österreich",
    "Belgium": "Belgien",
    "Spain": "Spanien",
    "Germany": "Deutschland",
    "Sweden": "Schweden",
    "Hungary": "Ungarn",
    "Poland": "Polen",
}


def _short(value: float) -> float:
    return float(unpack("f", pack("f", value))[0])


def _coded(levels: list[str], r: random.Random) -> dict[str, Way]:
    """Return how files write a category: codes with and without labels, both, letters, other lists, groups."""
    order, first = sorted(levels), r.choice([0, 1])
    code = {v: str(i) for i, v in enumerate(order, first)}
    half = {v: order[i // 2 * 2] for i, v in enumerate(order)}
    letters = {v: chr(65 + i // 26) + chr(65 + i % 26) for i, v in enumerate(order)}
    swapped = dict(zip(order, [*order[1::-1], *order[2:]], strict=True))
    return {
        "codes": Way(code.get),
        "codes with a codebook": Way(code.get, codebook=True),
        "codes as 1.0": Way(lambda t: f"{code[t]}.0"),
        "codes of two digits": Way(lambda t: code[t].zfill(2)),
        "letters": Way(
            lambda t: chr(65 + order.index(t) % 26) + (str(order.index(t) // 26) if order.index(t) > 25 else "")
        ),
        "1. label": Way(lambda t: f"{code[t]}. {t}"),
        "1 label": Way(lambda t: f"{code[t]} {t}"),
        "(1) label": Way(lambda t: f"({code[t]}) {t}"),
        "label [1]": Way(lambda t: f"{t} [{code[t]}]"),
        "1=label": Way(lambda t: f"{code[t]}={t}"),
        "01 label": Way(lambda t: f"{code[t].zfill(2)} {t}"),
        "1|label": Way(lambda t: f"{code[t]}|{t}"),
        "1: label": Way(lambda t: f"{code[t]}: {t}"),
        "label, 1": Way(lambda t: f"{t}, {code[t]}"),
        "label - 1": Way(lambda t: f"{t} - {code[t]}"),
        "label (AB)": Way(lambda t: f"{t} ({letters[t]})"),
        "AB label": Way(lambda t: f"{letters[t]} {t}"),
        "AB - label": Way(lambda t: f"{letters[t]} - {t}"),
        "one label replaced": Way(lambda t: "(renamed)" if t == order[0] else t, LABEL),
        "all labels replaced": Way(lambda t: f"{word(random.Random(t))}", LABEL),
        "two labels swapped": Way(swapped.get, CODING),
        "levels merged by twos": Way(lambda t: f"{half[t]} group", coarse=half.get),
        "first letters": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
        "as a list": Way(lambda t: f"['{t}']"),
        "with its question": Way(lambda t: f"Q5: {t}"),
    }


# ---- laws ------------------------------------------------------------------------------------------------------------

OF_COUNTRIES = {
    "three letters": Way(ISO3.get),
    "numbers": Way(NUMERIC.get),
    "another language": Way(LANGUAGE.get, LABEL),
    "AUT - Austria": Way(lambda t: f"{ISO3[t]} - {t}"),
    "Austria (AUT)": Way(lambda t: f"{t} ({ISO3[t]})"),
}
OF_MONTHS = {
    "Jan": Way(lambda t: t[:3]),
    "1": Way(lambda t: str(MONTHS.index(t) + 1)),
    "01": Way(lambda t: f"{MONTHS.index(t) + 1:02d}"),
    "Q1": Way(lambda t: f"Q{MONTHS.index(t) // 3 + 1}", coarse=lambda t: MONTHS.index(t) // 3),
}
OF_WEEKDAYS = {
    "Mo": Way(lambda t: t[:2]),
    "1": Way(lambda t: str(WEEKDAYS.index(t) + 1)),
    "0": Way(lambda t: str(WEEKDAYS.index(t))),
}
OF_BANDS = {
    "with a long dash": Way(lambda t: t.replace("-", "–")),
    "to": Way(lambda t: t.replace("-", " to ")),
    "in brackets": Way(lambda t: f"[{t.replace('-', ', ')}]"),
    "in years": Way(lambda t: t + " years"),
    "numbered": Way(lambda t: str(int(t[:2]) // 5 - 2)),
    "bands of 10": Way(
        lambda t: f"{int(t[:2]) // 10 * 10}-{int(t[:2]) // 10 * 10 + 9}", coarse=lambda t: int(t[:2]) // 10
    ),
}
OF_MIXED = {
    "zeros lost": Way(lambda t: t.lstrip("0")),
    "a letter lost": Way(lambda t: t.lstrip("ABCDE")),
    "points lost": Way(lambda t: t.replace(".", "")),
}

OF_ANSWERS = {
    "1, 2, 9": Way({"Yes": "1", "No": "2", "Don't know": "9"}.get),
    "1, 0, 9": Way({"Yes": "1", "No": "0", "Don't know": "9"}.get),
    "1, 2, 3": Way({"Yes": "1", "No": "2", "Don't know": "3"}.get),
    "TRUE, FALSE, empty": Way({"Yes": "TRUE", "No": "FALSE"}.get),
    "Y, N, DK": Way({"Yes": "Y", "No": "N", "Don't know": "DK"}.get),
    "Ja, Nein": Way({"Yes": "Ja", "No": "Nein", "Don't know": "Weiss nicht"}.get),
    "Sí, No": Way({"Yes": "Sí", "No": "No", "Don't know": "No sabe"}.get),
    "Ano, Ne": Way({"Yes": "Ano", "No": "Ne", "Don't know": "Neví"}.get),
    "Oui, Non": Way({"Yes": "Oui", "No": "Non", "Don't know": "Ne sait pas"}.get),
    "YES": Way(str.upper),
    "a blank behind": Way(lambda t: t + " "),
    "the apostrophe curled": Way(lambda t: t.replace("'", "’")),
}
SEX = {"Male": ("M", "1", "m", "männlich", "homme"), "Female": ("F", "2", "w", "weiblich", "femme")}
OF_SEX = {
    "M and F": Way(lambda t: SEX[t][0]),
    "1 and 2": Way(lambda t: SEX[t][1]),
    "0 and 1": Way(lambda t: f"{int(SEX[t][1]) - 1}"),
    "m and w": Way(lambda t: SEX[t][2]),
    "männlich and weiblich": Way(lambda t: SEX[t][3], LABEL),
    "homme and femme": Way(lambda t: SEX[t][4], LABEL),
    "MALE": Way(str.upper),
    "1 - Male": Way(lambda t: f"{SEX[t][1]} - {t}"),
    "Men and Women": Way(lambda t: {"Male": "Men", "Female": "Women"}[t], LABEL),
    "H and F": Way(lambda t: "H" if t == "Male" else "F"),
    "male, padded": Way(lambda t: t.lower().ljust(8)),
}
OF_AGES = {
    "years of birth": Way(lambda t: f"{2024 - int(t)}", BORN),
    "bands of 5": Way(lambda t: f"{int(t) // 5 * 5}-{int(t) // 5 * 5 + 4}", coarse=lambda t: int(t) // 5),
    "bands of 10, long dash": Way(
        lambda t: f"{int(t) // 10 * 10}–{int(t) // 10 * 10 + 9}", coarse=lambda t: int(t) // 10
    ),
    "groups in words": Way(
        lambda t: "under 30" if int(t) < 30 else "30 to 64" if int(t) < 65 else "65 and over",
        coarse=lambda t: (int(t) >= 30) + (int(t) >= 65),
    ),
    "groups 1 to 7": Way(lambda t: f"{min(int(t) // 10, 7)}", CODING, coarse=lambda t: min(int(t) // 10, 7)),
    "as 43 yrs": Way(lambda t: t + " yrs"),
    "as 43 y": Way(lambda t: t + "y"),
    "as 043": Way(lambda t: t.zfill(3)),
    "as 43.0": Way(lambda t: t + ".0"),
    "in months": Way(lambda t: f"{int(t) * 12}"),
}
OF_COUNTS = {
    "with their noun": Way(lambda t: f"{t} person{'s' * (t != '1')}"),
    "in words": Way(lambda t: COUNTS[int(t)]),
    "0 as none": Way(lambda t: "none" if t == "0" else t, LABEL),
    "0 as empty": Way(lambda t: None if t == "0" else t, LABEL),
    "with .0": Way(lambda t: t + ".0"),
    "with a zero": Way(lambda t: t.zfill(2)),
    "0, 1-2, 3-4, ..": Way(
        lambda t: t if t == "0" else f"{(int(t) + 1) // 2 * 2 - 1}-{(int(t) + 1) // 2 * 2}",
        coarse=lambda t: (int(t) + 1) // 2,
    ),
    "as 1st": Way(lambda t: t + {"1": "st", "2": "nd", "3": "rd"}.get(t, "th")),
    "code 1 for 0": Way(lambda t: f"{int(t) + 1}", CODING),
}
COUNTS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
OF_AMOUNTS = {
    "1234,56": Way(lambda t: t.replace(".", ",")),
    "1,234.56": Way(lambda t: f"{float(t):,.2f}"),
    "1.234,56": Way(lambda t: f"{float(t):,.2f}".translate(str.maketrans(",.", ".,"))),
    "1'234.56": Way(lambda t: f"{float(t):,.2f}".replace(",", "'")),
    "1 234,56": Way(lambda t: f"{float(t):,.2f}".translate(str.maketrans(",.", "\u00a0,"))),
    "CHF 1'234.56": Way(lambda t: f"CHF {float(t):,.2f}".replace(",", "'")),
    "1234.56 EUR": Way(lambda t: f"{t} EUR"),
    "in cents": Way(lambda t: f"{round(float(t) * 100)}"),
    "in thousands": Way(lambda t: f"{float(t) / 1000:.12g}"),
    "a year's, not a month's": Way(lambda t: f"{float(t) * 12:.12g}"),
    "in marks": Way(lambda t: f"{float(t) * 1.95583:.2f}", ROUNDING),
    "whole": Way(lambda t: f"{float(t):.0f}", ROUNDING),
    "bands in words": Way(
        lambda t: f"{int(float(t)) // 500 * 500} to under {int(float(t)) // 500 * 500 + 500}",
        coarse=lambda t: int(float(t)) // 500,
    ),
    "zeros lost behind the point": Way(lambda t: f"{float(t):.12g}"),
}
OF_OCCUPATIONS = {
    "three digits": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
    "two digits": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "one digit": Way(lambda t: t[:1], coarse=lambda t: t[:1]),
    "two digits and 00": Way(lambda t: t[:2] + "00", coarse=lambda t: t[:2]),
    "with stars": Way(lambda t: t[:2] + "**", coarse=lambda t: t[:2]),
    "zeros lost": Way(lambda t: t.lstrip("0")),
    "ISCO-": Way(lambda t: "ISCO-" + t),
    "with its title": Way(lambda t: f"{t} {word(random.Random(t))} workers"),
    "with its title, a dash": Way(lambda t: f"{t} - {word(random.Random(t))} workers"),
    "with points": Way(lambda t: ".".join(t)),
    "with .0": Way(lambda t: f"{int(t)}.0"),
}
OF_TRADES = {
    "points lost": Way(lambda t: t.replace(".", "")),
    "as numbers": Way(lambda t: f"{float(t):g}"),
    "zeros lost in front": Way(lambda t: t.lstrip("0")),
    "two digits": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "three digits": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "with its section": Way(lambda t: f"{chr(65 + int(t[:2]) // 5)}{t}"),
    "its section alone": Way(lambda t: chr(65 + int(t[:2]) // 5), coarse=lambda t: int(t[:2]) // 5),
    "decimal comma": Way(lambda t: t.replace(".", ",")),
}
OF_DISEASES = {
    "points lost": Way(lambda t: t.replace(".", "")),
    "three characters": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
    "its letter": Way(lambda t: t[:1], coarse=lambda t: t[:1]),
    "its block": Way(lambda t: f"{t[0]}{t[1]}0-{t[0]}{t[1]}9", coarse=lambda t: t[:2]),
    "with its title": Way(lambda t: f"{t} {word(random.Random(t))} disease"),
    "with its title, a dash": Way(lambda t: f"{t} - {word(random.Random(t))} disease"),
    "its title alone": Way(lambda t: f"{word(random.Random(t), 5)} disease", LABEL),
    "with a dagger": Way(lambda t: t + "†"),
    "small letters": Way(str.lower),
    "a blank behind": Way(lambda t: t + " "),
    "a - behind": Way(lambda t: t + "-"),
}
OF_PLACES = {
    "two digits": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "two digits and xx": Way(lambda t: t[:2] + "xx", coarse=lambda t: t[:2]),
    "two digits and 00": Way(lambda t: t[:2] + "00", coarse=lambda t: t[:2]),
    "CH-": Way(lambda t: "CH-" + t),
    "with the place": Way(lambda t: f"{t} {word(random.Random(t))}"),
    "with .0": Way(lambda t: t + ".0"),
    "thousands ,": Way(lambda t: f"{int(t):,}"),
    "a blank behind": Way(lambda t: t + " "),
}
OF_OUTWARD = {
    "the first half": Way(lambda t: t.split()[0], coarse=lambda t: t.split()[0]),
    "its letters": Way(lambda t: re.sub(r"\d.*", "", t), coarse=lambda t: re.sub(r"\d.*", "", t)),
    "its sector": Way(lambda t: t[:-2], coarse=lambda t: t[:-2]),
    "small letters, no blank": Way(lambda t: t.lower().replace(" ", "")),
    "padded to 8": Way(lambda t: t.ljust(8)),
    "two blanks within": Way(lambda t: t.replace(" ", "  ")),
}
OF_REGIONS = {
    "NUTS 2": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "NUTS 1": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
    "its country": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "the country lost": Way(lambda t: t[2:]),
    "with its name": Way(lambda t: f"{t} {word(random.Random(t))}"),
    "its name alone": Way(lambda t: word(random.Random(t), 5), LABEL),
    "small letters": Way(str.lower),
}
OF_LONG = {
    "cut after 20": Way(lambda t: t[:20], coarse=lambda t: t[:20].rstrip()),
    "cut after 32": Way(lambda t: t[:32], coarse=lambda t: t[:32].rstrip()),
    "cut with …": Way(lambda t: t[:15] + "…" if len(t) > 16 else t, coarse=lambda t: t[:15] if len(t) > 16 else t),
    "cut with ...": Way(lambda t: t[:17] + "..." if len(t) > 20 else t, coarse=lambda t: t[:17] if len(t) > 20 else t),
    "commas as semicolons": Way(lambda t: t.replace(",", ";")),
    "two blanks within": Way(lambda t: t.replace(" ", "  ")),
    "and as &": Way(lambda t: t.replace(" and ", " & ")),
    "line breaks": Way(lambda t: t.replace(", ", ",\n")),
    "capitals": Way(str.upper),
}
OF_CLOCK = {
    "10:30:00": Way(lambda t: t + ":00"),
    "8:30": Way(lambda t: f"{int(t[:2])}:{t[3:]}"),
    "a day's share": Way(lambda t: f"{(int(t[:2]) * 60 + int(t[3:])) / 1440:.10g}"),
    "1030": Way(lambda t: t.replace(":", "")),
    "10.30": Way(lambda t: t.replace(":", ".")),
    "10h30": Way(lambda t: t.replace(":", "h")),
    "10:30 AM": Way(lambda t: datetime.strptime(t, "%H:%M").strftime("%I:%M %p")),
    "minutes": Way(lambda t: f"{int(t[:2]) * 60 + int(t[3:])}"),
    "hours": Way(lambda t: t[:2] + ":00", coarse=lambda t: t[:2]),
    "the hour alone": Way(lambda t: f"{int(t[:2])}", coarse=lambda t: t[:2]),
}
OF_YEAR_MONTHS = {
    "2024M01": Way(lambda t: t.replace("-", "M")),
    "01/2024": Way(lambda t: f"{t[5:]}/{t[:4]}"),
    "202401": Way(lambda t: t.replace("-", "")),
    "Jan 2024": Way(lambda t: f"{MONTHS[int(t[5:]) - 1][:3]} {t[:4]}"),
    "Januar 2024": Way(lambda t: f"{GERMAN[int(t[5:]) - 1]} {t[:4]}"),
    "last days": Way(lambda t: _last_of_month(t + "-01")),
    "2024-01-01": Way(lambda t: t + "-01"),
    "quarters": Way(lambda t: f"{t[:4]}-Q{(int(t[5:]) + 2) // 3}", coarse=lambda t: (t[:4], (int(t[5:]) + 2) // 3)),
    "years": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
}
OF_QUARTERS = {
    "2024Q1": Way(lambda t: t.replace("-", "")),
    "Q1 2024": Way(lambda t: f"{t[5:]} {t[:4]}"),
    "1/2024": Way(lambda t: f"{t[6:]}/{t[:4]}"),
    "first days": Way(lambda t: f"{t[:4]}-{3 * int(t[6:]) - 2:02d}-01"),
    "20241": Way(lambda t: t[:4] + t[6:]),
    "T1 2024": Way(lambda t: f"T{t[6:]} {t[:4]}"),
    "1. Quartal 2024": Way(lambda t: f"{t[6:]}. Quartal {t[:4]}"),
    "last days": Way(lambda t: _last_of_month(f"{t[:4]}-{3 * int(t[6:]):02d}-01")),
    "years": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
}
OF_YEARS = {
    "2024-01-01": Way(lambda t: t + "-01-01"),
    "2024-12-31": Way(lambda t: t + "-12-31"),
    "2024-2025": Way(lambda t: f"{t}-{int(t) + 1}"),
    "2024.0": Way(lambda t: t + ".0"),
    "2024/25": Way(lambda t: f"{t}/{(int(t) + 1) % 100:02d}"),
    "two digits": Way(lambda t: t[2:]),
    "'24": Way(lambda t: "'" + t[2:]),
    "FY2024": Way(lambda t: "FY" + t),
    "decades": Way(lambda t: t[:3] + "0s", coarse=lambda t: t[:3]),
}
OF_LISTS = {
    "with commas": Way(lambda t: t.replace(";", ", ")),
    "with bars": Way(lambda t: t.replace(";", "|")),
    "with + signs": Way(lambda t: t.replace(";", "+")),
    "with blanks": Way(lambda t: t.replace(";", " ")),
    "a ; behind": Way(lambda t: t + ";"),
    "letters": Way(lambda t: "".join(chr(65 + MODES.index(x)) for x in t.split(";"))),
    "in JSON": Way(lambda t: "[" + ", ".join(f'"{x}"' for x in t.split(";")) + "]"),
    "in another order": Way(lambda t: ";".join(t.split(";")[::-1]), ORDER),
    "as codes": Way(lambda t: ";".join(str(MODES.index(x) + 1) for x in t.split(";"))),
    "as digits": Way(lambda t: "".join(f"{int(x in t.split(';'))}" for x in MODES)),
    "the first alone": Way(lambda t: t.split(";")[0], coarse=lambda t: t.split(";")[0]),
}
OF_WEEKS = {
    "202405": Way(lambda t: t.replace("-W", "")),
    "2024-05": Way(lambda t: t.replace("W", "")),
    "2024W05": Way(lambda t: t.replace("-", "")),
    "2024-W5": Way(lambda t: f"{t[:4]}-W{int(t[6:])}"),
    "W05 2024": Way(lambda t: f"{t[5:]} {t[:4]}"),
    "KW 5/2024": Way(lambda t: f"KW {int(t[6:])}/{t[:4]}"),
    "Mondays": Way(lambda t: date.fromisocalendar(int(t[:4]), int(t[6:]), 1).isoformat()),
    "Sundays": Way(lambda t: date.fromisocalendar(int(t[:4]), int(t[6:]), 7).isoformat()),
    "the week alone": Way(lambda t: t[5:], coarse=lambda t: t[5:]),
}
OF_OPEN_BANDS = {
    "15 to 24": Way(lambda t: t.replace("-", " to ")),
    "<15, 65+": Way(lambda t: t.replace("under ", "<").replace(" and over", "+")),
    "0-14, 65-120": Way(lambda t: t.replace("under ", "0-").replace("0-15", "0-14").replace(" and over", "-120")),
    "15–24 Jahre": Way(
        lambda t: t.replace("under", "unter").replace("-", "–").replace("and over", "und mehr") + " Jahre"
    ),
    "in years": Way(lambda t: t.replace(" and over", "+") + " years"),
    "its first age": Way(lambda t: "0" if t[0] == "u" else t[:2]),
    "as dates of Excel": Way(lambda t: "15. Sep" if t == "15-24" else t, LABEL),
}
OPEN_BANDS = ["under 15", *(f"{b}-{b + 9}" for b in range(15, 75, 10)), "75 and over"]
OF_SMALL_CODES = {
    "01": Way(lambda t: t.zfill(2)),
    "1.0": Way(lambda t: t + ".0"),
    "Roman": Way(lambda t: ROMAN[int(t) - 1]),
    "letters": Way(lambda t: chr(64 + int(t))),
    "1.": Way(lambda t: t + "."),
    "(1)": Way(lambda t: f"({t})"),
    "1 label": Way(lambda t: f"{t} {word(random.Random(t))}"),
    "1 - label": Way(lambda t: f"{t} - {word(random.Random(t))}"),
    "label (1)": Way(lambda t: f"{word(random.Random(t))} ({t})"),
    "v1": Way(lambda t: "v" + t),
    "10 for 1": Way(lambda t: t + "0", CODING),
    "reversed": Way(lambda t: f"{10 - int(t)}", CODING),
}
OF_LONG_CODES = {
    "1.23457E+11": Way(lambda t: f"{float(t):.5E}", ROUNDING),
    "as 1.23456789012E+11": Way(lambda t: f"{float(t):.11E}"),
    "by threes": Way(lambda t: f"{int(t):,}".replace(",", " ")),
    "by fours, dashes": Way(lambda t: "-".join((t[:4], t[4:8], t[8:]))),
    "as text": Way(lambda t: f'="{t}"'),
    "the last digit lost": Way(lambda t: t[:-1], coarse=lambda t: t[:-1]),
}
MODES = ["walk", "bike", "bus", "train", "car"]
OF_NAMES = {
    "surname first": Way(lambda t: ", ".join(t.split(" ", 1)[::-1])),
    "the initial": Way(lambda t: f"{t[0]}. {t.split(' ', 1)[1]}", coarse=lambda t: (t[0], t.split(" ", 1)[1])),
    "a title before": Way(lambda t: "Dr. " + t),
    "capitals": Way(str.upper),
    "accents lost": Way(_without_marks),
}

Law = tuple[list[str], dict[str, Way]]


def _whole_numbers(r: random.Random, k: int) -> list[str]:
    low, step = r.choice([0, 18, 1000]), r.choice([1, 1, 1, 3])
    return [str(low + i * step) for i in range(k)] if r.random() < 0.5 else levels_of(r, "money", k)


def _moments(r: random.Random, k: int) -> list[str]:
    days = levels_of(r, "day", k)
    return [f"{t} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.choice([0, 0, 30]):02d}" for t in days]


def _amounts(r: random.Random, k: int) -> list[str]:
    return [*dict.fromkeys(f"{r.lognormvariate(7, 1):.2f}" for _ in range(k))]


def _occupations(r: random.Random, k: int) -> list[str]:
    """Codes of four digits, of which neighbours share the first ones, and a few begin with a zero."""
    most = min(k, 400)
    return [
        *dict.fromkeys(
            f"{r.choice('0122334556789')}{r.randint(1, 4)}{r.randint(1, 4)}{r.randint(0, 9)}" for _ in range(most)
        )
    ]


def _trades(r: random.Random, k: int) -> list[str]:
    return [*dict.fromkeys(f"{r.randint(1, 96):02d}.{r.randint(1, 5)}{r.randint(0, 5)}" for _ in range(min(k, 300)))]


def _long_labels(r: random.Random, k: int) -> list[str]:
    nouns = [word(r) for _ in range(40)]
    return [
        *dict.fromkeys(
            f"{r.choice(['Manufacture of', 'Repair of', 'Trade in', 'Growing of'])} {r.choice(nouns)}, {r.choice(nouns)} and "
            f"{r.choice(nouns)}"
            for _ in range(min(k, 250))
        )
    ]


def _lists(r: random.Random, k: int) -> list[str]:
    """Several answers of one person, in the order of the question."""
    found = (";".join(m for m in MODES if r.random() < 0.5) or r.choice(MODES) for _ in range(3 * k))
    return [*dict.fromkeys(found)][: max(k, 4)]


def _doctors(r: random.Random, k: int) -> list[str]:
    return [*dict.fromkeys(f"{word(r)} {word(r)}" for _ in range(min(k, 120)))]


def _labels(r: random.Random, k: int) -> Law:
    labels = list(r.choice(LABELS))
    return labels, SPELT | _coded(labels, r) | OF_EMPTY


def _many_labels(r: random.Random, k: int) -> Law:
    labels = levels_of(r, "towns", min(k, 150))
    return labels, _coded(labels, r)


LAWS: dict[str, Callable[[random.Random, int], Law]] = {
    "words": lambda r, k: (levels_of(r, "towns", k), SPELT | OF_WORDS | OF_EMPTY),
    "codes": lambda r, k: (levels_of(r, "zeros", k), SPELT | OF_CODES | OF_EMPTY),
    "codes with signs": lambda r, k: (levels_of(r, r.choice(["icd", "postcode"]), k), SPELT | OF_SIGNS),
    "whole numbers": lambda r, k: (_whole_numbers(r, k), OF_INTS | OF_EMPTY),
    "numbers": lambda r, k: (levels_of(r, "float", k), OF_FLOATS),
    "signed": lambda r, k: ([str(i) for i in range(-min(k, 30), min(k, 30))], OF_SIGNED),
    "shares": lambda r, k: (levels_of(r, "share", min(k, 60)), OF_SHARES),
    "days": lambda r, k: (levels_of(r, "day", k), OF_DAYS | OF_EMPTY),
    "moments": lambda r, k: (_moments(r, k), OF_MOMENTS),
    "truths": lambda r, k: (["True", "False"], OF_TRUTHS),
    "labels": _labels,
    "many labels": _many_labels,
    "countries": lambda r, k: (list(ISO3), OF_COUNTRIES),
    "months": lambda r, k: (list(MONTHS), OF_MONTHS),
    "weekdays": lambda r, k: (list(WEEKDAYS), OF_WEEKDAYS),
    "bands": lambda r, k: ([f"{b}-{b + 4}" for b in range(15, 15 + 5 * min(k, 16), 5)], OF_BANDS),
    "mixed": lambda r, k: (levels_of(r, "messy", k), SPELT | OF_MIXED),
    "answers": lambda r, k: (["Yes", "No", *(["Don't know"] if r.random() < 0.7 else [])], OF_ANSWERS | OF_EMPTY),
    "sex": lambda r, k: (["Male", "Female"], OF_SEX),
    "ages": lambda r, k: ([str(a) for a in range(r.choice([0, 16, 18]), r.choice([66, 85, 100]))], OF_AGES),
    "counts": lambda r, k: ([str(i) for i in range(r.choice([5, 8, 12]))], OF_COUNTS),
    "amounts": lambda r, k: (_amounts(r, k), OF_AMOUNTS),
    "occupations": lambda r, k: (_occupations(r, k), OF_OCCUPATIONS),
    "trades": lambda r, k: (_trades(r, k), OF_TRADES),
    "diseases": lambda r, k: (levels_of(r, "icd", k), OF_DISEASES),
    "places of four digits": lambda r, k: ([*{str(r.randint(1000, 9658)): 1 for _ in range(k)}], OF_PLACES),
    "postcodes of two parts": lambda r, k: (levels_of(r, "postcode", k), OF_OUTWARD),
    "regions": lambda r, k: (levels_of(r, "nuts", min(k, 400)), OF_REGIONS),
    "long labels": lambda r, k: (_long_labels(r, k), OF_LONG),
    "times of day": lambda r, k: (
        [*{f"{r.randint(0, 23):02d}:{r.choice([0, 15, 30, 45, r.randint(0, 59)]):02d}": 1 for _ in range(k)}],
        OF_CLOCK,
    ),
    "months of years": lambda r, k: (levels_of(r, "ym", min(k, 150)), OF_YEAR_MONTHS),
    "quarters": lambda r, k: (levels_of(r, "quarter", k), OF_QUARTERS),
    "years": lambda r, k: ([str(y) for y in range(2025 - min(max(k, 4), 70), 2025)], OF_YEARS),
    "lists": lambda r, k: (_lists(r, k), OF_LISTS),
    "names": lambda r, k: (_doctors(r, k), OF_NAMES),
    "weeks": lambda r, k: (
        [f"{y}-W{w:02d}" for y in range(2021, 2022 + min(k, 150) // 52) for w in range(1, 53)][: max(k, 8)],
        OF_WEEKS,
    ),
    "open bands": lambda r, k: (
        [*OPEN_BANDS[: r.choice([4, 7])], OPEN_BANDS[-1]],
        OF_OPEN_BANDS,
    ),
    "small codes": lambda r, k: ([str(i) for i in range(1, min(max(k, 4), 9) + 1)], OF_SMALL_CODES),
    "long codes": lambda r, k: ([*{f"{r.randint(10**11, 10**12 - 1)}": 1 for _ in range(min(k, 250))}], OF_LONG_CODES),
}
"""What a column may hold, by a name: levels, and the ways to write them."""
