"""What a column may hold, and the ways in which files write it: what pairs that do not meet are drawn from.

They were settled without a look at the rule (`disclosure_core/data/meeting.py`).
"""

from __future__ import annotations

import html
import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from struct import pack, unpack

from tests.core.spelled_pairs import LABELS, MONTHS, WEEKDAYS, levels_of, word

Change = Callable[[str], str | None]

ROUNDING, CODING, LABEL, SHIFTED = "rounding", "overlapping codings", "a label replaced", "dates shifted"
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


def _lookalikes(text: str) -> str:
    return text.translate(str.maketrans("aeoc", "\u0430\u0435\u043e\u0441"))


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
}
OF_CODES = {
    "zeros lost": Way(lambda t: t.lstrip("0") or "0"),
    "zeros to 9": Way(lambda t: t.zfill(9)),
    "an apostrophe before": Way(lambda t: "'" + t),
    "as a formula": Way(lambda t: f'="{t}"'),
    "with .0": Way(lambda t: f"{t.lstrip('0') or '0'}.0"),
    "a letter before": Way(lambda t: "R" + t),
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
    "noise of 32 bits": Way(lambda t: f"{_short(float(t)):.17g}"),
    "exponents": Way(lambda t: f"{float(t):.9e}"),
    "one decimal": Way(lambda t: f"{float(t):.1f}", ROUNDING),
    "whole": Way(lambda t: f"{float(t):.0f}", ROUNDING),
    "times 100": Way(_times(100)),
    "by 2.54": Way(_times(1 / 2.54)),
    "percent": Way(lambda t: f"{float(t) * 100:.12g} %"),
    "comma and unit": Way(lambda t: t.replace(".", ",") + " cm"),
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
    "quarters": Way(lambda t: f"{t[:4]} Q{(int(t[5:7]) + 2) // 3}", coarse=lambda t: (t[:4], (int(t[5:7]) + 2) // 3)),
    "years": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "decades": Way(lambda t: t[:3] + "0s", coarse=lambda t: t[:3]),
    "a day later": Way(lambda t: (date.fromisoformat(t) + timedelta(1)).isoformat(), SHIFTED),
    "days and months swapped": Way(lambda t: f"{t[:4]}-{t[8:]}-{t[5:7]}" if int(t[8:]) <= 12 else t, SHIFTED),
    "an age instead": Way(lambda t: f"{2024 - int(t[:4])}", coarse=lambda t: t[:4]),
}
OF_MOMENTS = {
    "days": Way(lambda t: t[:10], coarse=lambda t: t[:10]),
    "with a T": Way(lambda t: t.replace(" ", "T")),
    "without seconds": Way(lambda t: t[:16]),
    "31.01.2024 10:30": Way(lambda t: datetime.fromisoformat(t).strftime("%d.%m.%Y %H:%M")),
    "seconds of Unix": Way(lambda t: f"{(datetime.fromisoformat(t) - datetime(1970, 1, 1)).total_seconds():.0f}"),
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
}
OF_EMPTY = {
    text: Way(lambda t: t, of_empty=True)
    for text in (
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
    )
}
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
        "1: label": Way(lambda t: f"{code[t]}: {t}"),
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

Law = tuple[list[str], dict[str, Way]]


def _whole_numbers(r: random.Random, k: int) -> list[str]:
    low, step = r.choice([0, 18, 1000]), r.choice([1, 1, 1, 3])
    return [str(low + i * step) for i in range(k)] if r.random() < 0.5 else levels_of(r, "money", k)


def _moments(r: random.Random, k: int) -> list[str]:
    days = levels_of(r, "day", k)
    return [f"{t} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.choice([0, 0, 30]):02d}" for t in days]


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
}
"""What a column may hold, by a name: levels, and the ways to write them."""


def law(r: random.Random, name: str, n: int) -> Law:
    """Return what a column of n records holds, few levels or many."""
    return LAWS[name](r, max(r.choice([2, 4, 9, 25, 80, 250, *([900, 2500] if n >= 700 else [])]), 6))


WAYS = [(name, way) for name in LAWS for way in law(random.Random(0), name, 100)[1]]
"""Every way to write, of every law."""
