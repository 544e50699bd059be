"""Further ways in which offices write what a column holds: exports of SAS, SPSS, Stata, R, Excel and SQL, in many tongues.

They were settled before a look at what the rule (`disclosure_core/data/meeting.py`) makes of each. What is like another
(a number with a unit) stands here once for each thing that a file may hold.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from math import log
from urllib.parse import quote

from tests.core.spelled_pairs import COUNTRIES, GERMAN, MONTHS, ROMAN, word
from tests.slow.ways import BORN, CODING, FRENCH, LABEL, LAWS, ORDER, ROUNDING, SHIFTED, Law, Way, of_empty

TRANSFORMED = "numbers transformed"
"""A logarithm, a rank, a standard score: docs/files.md says that it cannot be seen."""

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _excel(text: str) -> int:
    return (date.fromisoformat(text[:10]) - date(1899, 12, 30)).days


def _fiscal(text: str) -> int:
    """Return the year in which the fiscal year of a day begins, in April."""
    return int(text[:4]) - (text[5:7] < "04")


def _twice_read(text: str) -> str:
    for _ in range(2):
        raw = text.encode()
        try:
            text = raw.decode("cp1252")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
    return text


def _read_as(stored: str, read: str) -> Callable[[str], str]:
    return lambda t: t.encode(stored, "replace").decode(read, "replace")


def _without_foreign(text: str, mark: str = "") -> str:
    return "".join(c if c.isascii() else mark for c in text)


def _ordinal(n: int) -> str:
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n if n < 20 else n % 10, 'th') }"


def _indian(text: str) -> str:
    head, tail = text[:-3], text[-3:]
    parts = []
    while head:
        head, part = head[:-2], head[-2:]
        parts.insert(0, part)
    return ",".join([*parts, tail])


OF_TEXTS = {
    "read twice as another encoding": Way(_twice_read),
    "DOS read as Windows": Way(_read_as("cp850", "cp1252")),
    "Windows read as Mac": Way(_read_as("cp1252", "mac_roman")),
    "letters lost altogether": Way(_without_foreign),
    "_ for ü": Way(lambda t: _without_foreign(t, "_")),
    "=FC for ü": Way(lambda t: "".join(c if c.isascii() else f"={ord(c):02X}" for c in t)),
    "%FC for ü": Way(lambda t: quote(t, safe=" ", encoding="latin-1")),
    '\\"u for ü': Way(lambda t: t.translate({ord(a): '\\"' + b for a, b in zip("äöüÄÖÜ", "aouAOU", strict=True)})),
    "in double marks": Way(lambda t: f'"{t}"'),
    "in guillemets": Way(lambda t: f"«{t}»"),
    "in brackets": Way(lambda t: f"({t})"),
    "a comma behind": Way(lambda t: t + ","),
    "a slash behind": Way(lambda t: t + "/"),
    "a zero byte behind": Way(lambda t: t + "\x00"),
    "a no-break space before": Way(lambda t: "\u00a0" + t),
    "an ideographic space behind": Way(lambda t: t + "\u3000"),
    "a zero-width space before": Way(lambda t: "\u200b" + t),
    "a right-to-left mark behind": Way(lambda t: t + "\u200f"),
    "padded on the left": Way(lambda t: t.rjust(20)),
    "cut after 12": Way(lambda t: t[:12].rstrip(), coarse=lambda t: t[:12].rstrip()),
    "cut after 8, padded": Way(lambda t: t[:8].ljust(8), coarse=lambda t: t[:8].rstrip()),
    "a capital at first alone": Way(str.capitalize),
    "full-width letters": Way(lambda t: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t)),
    "in CDATA": Way(lambda t: f"<![CDATA[{t}]]>"),
    "in a tag": Way(lambda t: f"<v>{t}</v>"),
    "as u'…'": Way(lambda t: f"u'{t}'"),
    "as a Stata label": Way(lambda t: f'`"{t}"\''),
}
OF_MORE_EMPTY = of_empty(
    ".a",
    ".z",
    "-99",
    "-1",
    "9",
    "9999",
    "99999",
    "refused",
    "Refused to answer",
    "n.d.",
    "N/A",
    "<NA>",
    "None",
    "NaN",
    "–",
    "—",
    "...",
    "…",
    "*",
    "x",
    "_",
    "(blank)",
    "(Leer)",
    "[NULL]",
    "#NULL!",
    "#DIV/0!",
    "#NV",
    "sysmis",
    "-2147483648",
    "weiß nicht",
    "sans réponse",
    "no consta",
    "brak danych",
    "-.",
    "''",
    "/",
)
OF_EMPTY_DAYS = of_empty(
    "0000-00-00",
    "1900-01-01",
    "9999-12-31",
    "1960-01-01",
    "01.01.1900",
    "NaT",
    "00.00.0000",
    "1582-10-14",
)
OF_WHOLE = {
    "as 1e+05": Way(lambda t: f"{float(t):.0e}" if len(t) > 4 and t.endswith("0" * (len(t) - 1)) else t),
    "as 17L": Way(lambda t: t + "L"),
    "as $17": Way(lambda t: f"${int(t):,}"),
    "as 17 zł": Way(lambda t: f"{t} zł"),
    "as Fr. 17.00": Way(lambda t: f"Fr. {t}.00"),
    "as 17 kr": Way(lambda t: f"{t} kr"),
    "as R$ 17,00": Way(lambda t: f"R$ {t},00"),
    "as 17 m²": Way(lambda t: f"{t} m²"),
    "as 17kg": Way(lambda t: f"{t}kg"),
    "as 17,0": Way(lambda t: f"{t},0"),
    "as 1 234 kg": Way(lambda t: f"{int(t):,} kg".replace(",", " ")),
    "as 17.": Way(lambda t: t + "."),
    "as +17": Way(lambda t: "+" + t),
    "as ~17": Way(lambda t: "~" + t),
    "as 17*": Way(lambda t: t + "*"),
    "as 17 (r)": Way(lambda t: f"{t} (r)"),
    "as 1_234": Way(lambda t: f"{int(t):_}"),
    "as 12,34,567": Way(_indian),
    "as 1’234": Way(lambda t: f"{int(t):,}".replace(",", "’")),
    "padded on the left": Way(lambda t: t.rjust(12)),
    "a no-break blank behind": Way(lambda t: t + "\u00a0"),
    "in quotes": Way(lambda t: f'"{t}"'),
    "as =17": Way(lambda t: f"={t}"),
    "superscript": Way(lambda t: t.translate(SUPERSCRIPT)),
    "per thousand, one digit": Way(lambda t: f"{int(t) / 1000:.1f}", ROUNDING),
    "a logarithm": Way(lambda t: f"{log(1 + int(t)):.6g}", TRANSFORMED),
    "by 10, and k": Way(lambda t: f"{int(t) / 1000:.3f}k"),
    "bands as (a,b]": Way(
        lambda t: f"({(int(t) - 1) // 10 * 10},{(int(t) - 1) // 10 * 10 + 10}]", coarse=lambda t: (int(t) - 1) // 10
    ),
    "bands as a–<b": Way(lambda t: f"{int(t) // 10 * 10}–<{int(t) // 10 * 10 + 10}", coarse=lambda t: int(t) // 10),
    "bands as 10s": Way(lambda t: f"{int(t) // 10 * 10}s", coarse=lambda t: int(t) // 10),
    "bands in German": Way(
        lambda t: f"{int(t) // 20 * 20} bis unter {int(t) // 20 * 20 + 20}", coarse=lambda t: int(t) // 20
    ),
    "bands from their first": Way(lambda t: f"{int(t) // 10 * 10}", ROUNDING),
}
OF_DECIMALS = {
    "a decimal point raised": Way(lambda t: t.replace(".", "·")),
    "Arabic decimal mark": Way(lambda t: t.replace(".", "٫")),
    "two decimals, comma, unit": Way(lambda t: f"{float(t):.4f} kg".replace(".", ",")),
    "padded on the left": Way(lambda t: t.rjust(14)),
    "in 10^3": Way(lambda t: f"{float(t) / 1000:.9g}"),
    "as 1.5D+01": Way(lambda t: f"{float(t):.9E}".replace("E", "D")),
    "as a square root": Way(lambda t: f"{abs(float(t)) ** 0.5:.6g}", TRANSFORMED),
}
OF_RATES = {
    "56.0%": Way(lambda t: f"{float(t) * 100:.1f}%"),
    "56 % with a thin blank": Way(lambda t: f"{float(t) * 100:.0f}\u202f%"),
    "56 percent": Way(lambda t: f"{float(t) * 100:.0f} percent"),
    "56 v. H.": Way(lambda t: f"{float(t) * 100:.0f} v. H."),
    "56 pct.": Way(lambda t: f"{float(t) * 100:.0f} pct."),
    "56,00": Way(lambda t: f"{float(t) * 100:.2f}".replace(".", ",")),
    "basis points": Way(lambda t: f"{float(t) * 10000:.0f}"),
    "56 of 100": Way(lambda t: f"{float(t) * 100:.0f}/100"),
    "the rest to one": Way(lambda t: f"{1 - float(t):.2f}", CODING),
}
OF_CALENDAR = {
    "31JAN24": Way(lambda t: date.fromisoformat(t).strftime("%d%b%y").upper()),
    "31jan2024": Way(lambda t: date.fromisoformat(t).strftime("%d%b%Y").lower()),
    "31-JAN-2024": Way(lambda t: date.fromisoformat(t).strftime("%d-%b-%Y").upper()),
    "31/01/24": Way(lambda t: date.fromisoformat(t).strftime("%d/%m/%y")),
    "01/31/24": Way(lambda t: date.fromisoformat(t).strftime("%m/%d/%y")),
    "January 31, 2024": Way(lambda t: date.fromisoformat(t).strftime("%B %d, %Y")),
    "Wednesday, January 31, 2024": Way(lambda t: date.fromisoformat(t).strftime("%A, %B %d, %Y")),
    "the 31st January 2024": Way(lambda t: f"{_ordinal(int(t[8:]))} {MONTHS[int(t[5:7]) - 1]} {t[:4]}"),
    "Mittwoch, 31. Januar 2024": Way(
        lambda t: f"{WEEKDAYS_DE[date.fromisoformat(t).weekday()]}, {int(t[8:])}. {GERMAN[int(t[5:7]) - 1]} {t[:4]}"
    ),
    "31 gennaio 2024": Way(lambda t: f"{int(t[8:])} {ITALIAN[int(t[5:7]) - 1]} {t[:4]}"),
    "31 de enero de 2024": Way(lambda t: f"{int(t[8:])} de {SPANISH[int(t[5:7]) - 1]} de {t[:4]}"),
    "31 stycznia 2024": Way(lambda t: f"{int(t[8:])} {POLISH[int(t[5:7]) - 1]} {t[:4]}"),
    "31 janv. 2024": Way(lambda t: f"{int(t[8:])} {FRENCH[int(t[5:7]) - 1][:4]}. {t[:4]}"),
    "2024031": Way(lambda t: date.fromisoformat(t).strftime("%Y%j")),
    "24031": Way(lambda t: date.fromisoformat(t).strftime("%y%j")),
    "2024/031": Way(lambda t: date.fromisoformat(t).strftime("%Y/%j")),
    "031/2024": Way(lambda t: date.fromisoformat(t).strftime("%j/%Y")),
    "2024.031": Way(lambda t: date.fromisoformat(t).strftime("%Y.%j")),
    "the day of the year": Way(
        lambda t: f"{date.fromisoformat(t):%j}".lstrip("0"), coarse=lambda t: date.fromisoformat(t).strftime("%j")
    ),
    "2024-W05-3": Way(lambda t: "{}-W{:02d}-{}".format(*date.fromisoformat(t).isocalendar())),
    "31JAN2024:00:00:00": Way(lambda t: date.fromisoformat(t).strftime("%d%b%Y:00:00:00").upper()),
    "31-JAN-24 12.00.00.000000 AM": Way(
        lambda t: date.fromisoformat(t).strftime("%d-%b-%y 12.00.00.000000 AM").upper()
    ),
    "2024-01-31 00:00:00.000": Way(lambda t: t + " 00:00:00.000"),
    "2024-01-31 00:00:00.0000000": Way(lambda t: t + " 00:00:00.0000000"),
    "2024-01-31 00:00:00+00": Way(lambda t: t + " 00:00:00+00"),
    "2024-01-31T00:00:00.000Z": Way(lambda t: t + "T00:00:00.000Z"),
    "2024-01-31 CET": Way(lambda t: t + " CET"),
    "2024-01-31 00:00:00 UTC": Way(lambda t: t + " 00:00:00 UTC"),
    "1/31/2024 12:00:00 AM": Way(lambda t: f"{int(t[5:7])}/{int(t[8:])}/{t[:4]} 12:00:00 AM"),
    "31.01.2024 00:00:00": Way(lambda t: date.fromisoformat(t).strftime("%d.%m.%Y 00:00:00")),
    "31. 1. 2024": Way(lambda t: f"{int(t[8:])}. {int(t[5:7])}. {t[:4]}"),
    "31-1-2024": Way(lambda t: f"{int(t[8:])}-{int(t[5:7])}-{t[:4]}"),
    "2024. 1. 31.": Way(lambda t: f"{t[:4]}. {int(t[5:7])}. {int(t[8:])}."),
    "2024. január 31.": Way(lambda t: f"{t[:4]}. {HUNGARIAN[int(t[5:7]) - 1]} {int(t[8:])}."),
    "2024_01_31": Way(lambda t: t.replace("-", "_")),
    "2024 01 31": Way(lambda t: t.replace("-", " ")),
    "D20240131": Way(lambda t: "D" + t.replace("-", "")),
    "31.I.2024": Way(lambda t: f"{int(t[8:])}.{ROMAN[int(t[5:7]) - 1]}.{t[:4]}"),
    "days of Mac's Excel": Way(lambda t: f"{_excel(t) - 1462}"),
    "days of Stata, float": Way(lambda t: f"{(date.fromisoformat(t) - date(1960, 1, 1)).days}.00"),
    "seconds of SAS": Way(lambda t: f"{(date.fromisoformat(t) - date(1960, 1, 1)).days * 86400}"),
    "milliseconds of Stata": Way(lambda t: f"{(date.fromisoformat(t) - date(1960, 1, 1)).days * 86400000}"),
    "days of MATLAB": Way(lambda t: f"{date.fromisoformat(t).toordinal() + 366}"),
    "Julian days": Way(lambda t: f"{date.fromisoformat(t).toordinal() + 1721424.5}"),
    "nanoseconds of Unix": Way(lambda t: f"{(date.fromisoformat(t) - date(1970, 1, 1)).days * 86400 * 10**9}"),
    "a year with a fraction": Way(
        lambda t: f"{int(t[:4]) + (date.fromisoformat(t).timetuple().tm_yday - 1) / 366:.5f}", CODING
    ),
    "JAN2024": Way(lambda t: date.fromisoformat(t).strftime("%b%Y").upper(), coarse=lambda t: t[:7]),
    "JAN24": Way(lambda t: date.fromisoformat(t).strftime("%b%y").upper(), coarse=lambda t: t[:7]),
    "2024m1": Way(lambda t: f"{t[:4]}m{int(t[5:7])}", coarse=lambda t: t[:7]),
    "1/2024": Way(lambda t: f"{int(t[5:7])}/{t[:4]}", coarse=lambda t: t[:7]),
    "months of Stata": Way(lambda t: f"{(int(t[:4]) - 1960) * 12 + int(t[5:7]) - 1}", coarse=lambda t: t[:7]),
    "2024q1": Way(lambda t: f"{t[:4]}q{(int(t[5:7]) + 2) // 3}", coarse=lambda t: (t[:4], (int(t[5:7]) + 2) // 3)),
    "1Q24": Way(lambda t: f"{(int(t[5:7]) + 2) // 3}Q{t[2:4]}", coarse=lambda t: (t[:4], (int(t[5:7]) + 2) // 3)),
    "FY2023/24": Way(lambda t: f"FY{_fiscal(t)}/{(_fiscal(t) + 1) % 100:02d}", coarse=_fiscal),
    "FY24": Way(lambda t: f"FY{(_fiscal(t) + 1) % 100:02d}", coarse=_fiscal),
    "the weekday": Way(
        lambda t: date.fromisoformat(t).strftime("%A"), coarse=lambda t: date.fromisoformat(t).weekday()
    ),
    "the month's name": Way(lambda t: MONTHS[int(t[5:7]) - 1], coarse=lambda t: t[5:7]),
    "the day without its year": Way(lambda t: f"{int(t[8:])}. {MONTHS[int(t[5:7]) - 1]}", coarse=lambda t: t[5:]),
    "two days before, as in Zurich": Way(lambda t: (date.fromisoformat(t) - timedelta(2)).isoformat(), SHIFTED),
}
WEEKDAYS_DE = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
ITALIAN = [
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "novembre",
    "dicembre",
]
SPANISH = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
POLISH = [
    "stycznia",
    "lutego",
    "marca",
    "kwietnia",
    "maja",
    "czerwca",
    "lipca",
    "sierpnia",
    "września",
    "października",
    "listopada",
    "grudnia",
]
HUNGARIAN = [
    "január",
    "február",
    "március",
    "április",
    "május",
    "június",
    "július",
    "augusztus",
    "szeptember",
    "október",
    "november",
    "december",
]
OF_INSTANTS = {
    "31JAN2024:10:30:00": Way(lambda t: datetime.fromisoformat(t).strftime("%d%b%Y:%H:%M:%S").upper()),
    "31jan2024 10:30:00": Way(lambda t: datetime.fromisoformat(t).strftime("%d%b%Y %H:%M:%S").lower()),
    "1/31/2024 10:30:00 AM": Way(
        lambda t: f"{int(t[5:7])}/{int(t[8:10])}/{t[:4]} {datetime.fromisoformat(t):%I:%M:%S %p}"
    ),
    "1/31/24 10:30": Way(lambda t: f"{int(t[5:7])}/{int(t[8:10])}/{t[2:4]} {t[11:16]}"),
    "31.01.2024, 10:30 Uhr": Way(lambda t: datetime.fromisoformat(t).strftime("%d.%m.%Y, %H:%M Uhr")),
    "20240131103000": Way(lambda t: datetime.fromisoformat(t).strftime("%Y%m%d%H%M%S")),
    "20240131T103000": Way(lambda t: datetime.fromisoformat(t).strftime("%Y%m%dT%H%M%S")),
    "20240131 1030": Way(lambda t: datetime.fromisoformat(t).strftime("%Y%m%d %H%M")),
    "with a zone": Way(lambda t: t.replace(" ", "T") + "+01:00"),
    "with +01": Way(lambda t: t + "+01"),
    "with CET": Way(lambda t: t + " CET"),
    "with Europe/Zurich": Way(lambda t: t + "[Europe/Zurich]"),
    "with Z": Way(lambda t: t.replace(" ", "T") + "Z"),
    "seconds of SAS": Way(lambda t: f"{(datetime.fromisoformat(t) - datetime(1960, 1, 1)).total_seconds():.0f}"),
    "seconds of SPSS": Way(lambda t: f"{(datetime.fromisoformat(t) - datetime(1582, 10, 14)).total_seconds():.0f}"),
    "milliseconds of Stata": Way(
        lambda t: f"{(datetime.fromisoformat(t) - datetime(1960, 1, 1)).total_seconds() * 1000:.0f}"
    ),
    "minutes, cut": Way(lambda t: t[:17] + "00", coarse=lambda t: t[:16]),
    "the time of day alone": Way(lambda t: t[11:], coarse=lambda t: t[11:]),
    "31JAN2024": Way(lambda t: datetime.fromisoformat(t).strftime("%d%b%Y").upper(), coarse=lambda t: t[:10]),
    "months": Way(lambda t: t[:7], coarse=lambda t: t[:7]),
    "years": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "2024-01-31_10-30-00": Way(lambda t: t.replace(" ", "_").replace(":", "-")),
    "microseconds of Unix": Way(
        lambda t: f"{(datetime.fromisoformat(t) - datetime(1970, 1, 1)) // timedelta(microseconds=1)}"
    ),
}
OF_MORE_TRUTHS = {
    "sì and no": Way(lambda t: "sì" if t == "True" else "no"),
    "sí and no": Way(lambda t: "sí" if t == "True" else "no"),
    "WAHR and FALSCH": Way(lambda t: "WAHR" if t == "True" else "FALSCH"),
    "vrai and faux": Way(lambda t: "vrai" if t == "True" else "faux"),
    "VERO and FALSO": Way(lambda t: "VERO" if t == "True" else "FALSO"),
    "verdadero and falso": Way(lambda t: "verdadero" if t == "True" else "falso"),
    "ano and ne": Way(lambda t: "ano" if t == "True" else "ne"),
    "áno and nie": Way(lambda t: "áno" if t == "True" else "nie"),
    "kyllä and ei": Way(lambda t: "kyllä" if t == "True" else "ei"),
    "taip and ne": Way(lambda t: "taip" if t == "True" else "ne"),
    "jā and nē": Way(lambda t: "jā" if t == "True" else "nē"),
    "jah and ei": Way(lambda t: "jah" if t == "True" else "ei"),
    "igen and nem": Way(lambda t: "igen" if t == "True" else "nem"),
    "evet and hayır": Way(lambda t: "evet" if t == "True" else "hayır"),
    "ναι and όχι": Way(lambda t: "ναι" if t == "True" else "όχι"),
    "да and не": Way(lambda t: "да" if t == "True" else "не"),
    "ja and nej": Way(lambda t: "ja" if t == "True" else "nej"),
    "já and nei": Way(lambda t: "já" if t == "True" else "nei"),
    "ja and nee": Way(lambda t: "ja" if t == "True" else "nee"),
    "da and nu": Way(lambda t: "da" if t == "True" else "nu"),
    "PRAWDA and FAŁSZ": Way(lambda t: "PRAWDA" if t == "True" else "FAŁSZ"),
    "はい and いいえ": Way(lambda t: "はい" if t == "True" else "いいえ"),
    "✓ and ✗": Way(lambda t: "✓" if t == "True" else "✗"),
    "☑ and ☐": Way(lambda t: "☑" if t == "True" else "☐"),
    "checked and unchecked": Way(lambda t: "checked" if t == "True" else "unchecked"),
    "selected and not selected": Way(lambda t: "selected" if t == "True" else "not selected"),
    "+ and -": Way(lambda t: "+" if t == "True" else "-"),
    ".TRUE. and .FALSE.": Way(lambda t: f".{t.upper()}."),
    "b'1' and b'0'": Way(lambda t: f"b'{int(t == 'True')}'"),
    "yes (1) and no (0)": Way(lambda t: "yes (1)" if t == "True" else "no (0)"),
    "1 and empty": Way(lambda t: "1" if t == "True" else None),
    "100 and 0": Way(lambda t: "100" if t == "True" else "0", LABEL),
}
OF_MORE_CODES = {
    "read as a number": Way(lambda t: f"{int(t)}" if t.isdigit() else t),
    "as an exponent": Way(lambda t: f"{float(t):.5E}" if t.isdigit() else t, ROUNDING),
    "padded on the left": Way(lambda t: t.rjust(12)),
    "the zeros alone lost": Way(lambda t: t[1:] if t[0] == "0" else t),
    "cut at first": Way(lambda t: t[1:], coarse=lambda t: t[1:]),
    "the last three": Way(lambda t: t[-3:], coarse=lambda t: t[-3:]),
    "the last digit masked": Way(lambda t: t[:-1] + "X", coarse=lambda t: t[:-1]),
    "the last digit 0": Way(lambda t: t[:-1] + "0", coarse=lambda t: t[:-1]),
    "with a # before": Way(lambda t: "#" + t),
    "with No. before": Way(lambda t: "No. " + t),
    "by pairs": Way(lambda t: " ".join(t[i : i + 2] for i in range(0, len(t), 2))),
    "with a country": Way(lambda t: "CH-" + t),
    "with a check digit": Way(lambda t: f"{t}-{sum(map(ord, t)) % 10}", coarse=lambda t: t),
    "turned round": Way(lambda t: t[::-1], CODING),
}
AGES_TOP = [*map(str, range(16, 85)), "85+"]
OF_TOPPED = {
    "85": Way(lambda t: t.rstrip("+"), LABEL),
    "85 and over": Way(lambda t: t.replace("+", " and over")),
    "85 plus": Way(lambda t: t.replace("+", " plus")),
    "≥85": Way(lambda t: "≥85" if t == "85+" else t),
    ">=85": Way(lambda t: ">=85" if t == "85+" else t),
    ">84": Way(lambda t: ">84" if t == "85+" else t),
    "85 or older": Way(lambda t: t.replace("+", " or older")),
    "85 ans et plus": Way(lambda t: t.replace("+", " ans et plus")),
    "85 und älter": Way(lambda t: t.replace("+", " und älter")),
    "85 +": Way(lambda t: t.replace("+", " +")),
    "85-120": Way(lambda t: t.replace("+", "-120")),
    "999": Way(lambda t: "999" if t == "85+" else t, LABEL),
    "Y85 and Y_GE85": Way(lambda t: "Y_GE85" if t == "85+" else "Y" + t),
    "as 43.0": Way(lambda t: t if t == "85+" else t + ".0"),
    "in bands of 5": Way(
        lambda t: t if t == "85+" else f"{int(t) // 5 * 5}-{int(t) // 5 * 5 + 4}",
        coarse=lambda t: t if t == "85+" else int(t) // 5,
    ),
}
OF_RANGES = {
    "10 - 19": Way(lambda t: t.replace("-", " - ")),
    "10..19": Way(lambda t: t.replace("-", "..")),
    "10/19": Way(lambda t: t.replace("-", "/")),
    "10 bis 19": Way(lambda t: t.replace("-", " bis ")),
    "10 à 19 ans": Way(lambda t: t.replace("-", " à ") + " ans"),
    "10 a 19": Way(lambda t: t.replace("-", " a ")),
    "[10,15)": Way(lambda t: f"[{t[:2]},{int(t[:2]) + 5})"),
    "[10;15[": Way(lambda t: f"[{t[:2]};{int(t[:2]) + 5}["),
    "10-<15": Way(lambda t: f"{t[:2]}-<{int(t[:2]) + 5}"),
    "10 bis unter 15": Way(lambda t: f"{t[:2]} bis unter {int(t[:2]) + 5}"),
    "10 to under 15": Way(lambda t: f"{t[:2]} to under {int(t[:2]) + 5}"),
    "(9,14]": Way(lambda t: f"({int(t[:2]) - 1},{int(t[:2]) + 4}]"),
    "Y10-14": Way(lambda t: f"Y{t}"),
    "Y10T14": Way(lambda t: "Y" + t.replace("-", "T")),
    "aged 10-14": Way(lambda t: "aged " + t),
    "between 10 and 14": Way(lambda t: "between {} and {}".format(*t.split("-"))),
    "from 10 to 14": Way(lambda t: "from {} to {}".format(*t.split("-"))),
    "010-014": Way(lambda t: "-".join(x.zfill(3) for x in t.split("-"))),
    "10_14": Way(lambda t: t.replace("-", "_")),
    "10~14": Way(lambda t: t.replace("-", "~")),
    "10 through 14": Way(lambda t: t.replace("-", " through ")),
    "its first age": Way(lambda t: t[:2]),
    "its middle": Way(lambda t: f"{int(t[:2]) + 2}", CODING),
    "1: 10-14": Way(lambda t: f"{int(t[:2]) // 5}: {t}"),
    "10.0-14.0": Way(lambda t: "-".join(f"{x}.0" for x in t.split("-"))),
}
INCOMES = ["under 500", *(f"{b}-{b + 499}" for b in range(500, 5000, 500)), "5000 and more"]
OF_INCOMES = {
    "1,000-1,499": Way(lambda t: _each_number(t, lambda n: f"{n:,}")),
    "1'000 – 1'499": Way(lambda t: _each_number(t, lambda n: f"{n:,}".replace(",", "'")).replace("-", " – ")),
    "€1000-€1499": Way(lambda t: _each_number(t, lambda n: f"€{n}")),
    "1000-1499 EUR": Way(lambda t: t + " EUR"),
    "1.000 bis 1.499 Euro": Way(
        lambda t: _each_number(t, lambda n: f"{n:,}".replace(",", ".")).replace("-", " bis ") + " Euro"
    ),
    "1000 to 1499": Way(lambda t: t.replace("-", " to ")),
    "1 to 11": Way(lambda t: str(INCOMES.index(t) + 1)),
    "<500, >=5000": Way(lambda t: t.replace("under ", "<").replace("5000 and more", ">=5000")),
    "0-499, 5000+": Way(lambda t: t.replace("under 500", "0-499").replace(" and more", "+")),
    "A to K": Way(lambda t: chr(65 + INCOMES.index(t))),
    "a) 1000-1499": Way(lambda t: f"{chr(97 + INCOMES.index(t))}) {t}"),
}


def _each_number(text: str, write: Callable[[int], str]) -> str:
    parts = text.replace("-", " - ").split(" ")
    return " ".join(write(int(p)) if p.isdigit() else p for p in parts).replace(" - ", "-")


LIKERT = ["Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree"]
LIKERT_DE = ["Lehne stark ab", "Lehne ab", "Weder noch", "Stimme zu", "Stimme stark zu"]
OF_LIKERT = {
    "1 to 5": Way(lambda t: str(LIKERT.index(t) + 1)),
    "-2 to 2": Way(lambda t: str(LIKERT.index(t) - 2)),
    "0, 25 to 100": Way(lambda t: str(25 * LIKERT.index(t))),
    "1 Strongly disagree": Way(lambda t: f"{LIKERT.index(t) + 1} {t}"),
    "Strongly disagree (1)": Way(lambda t: f"{t} ({LIKERT.index(t) + 1})"),
    "1 = Strongly disagree": Way(lambda t: f"{LIKERT.index(t) + 1} = {t}"),
    "1/5": Way(lambda t: f"{LIKERT.index(t) + 1}/5"),
    "SD, D, N, A, SA": Way(lambda t: "".join(w[0] for w in t.upper().split())),
    "-- to ++": Way(lambda t: ["--", "-", "0", "+", "++"][LIKERT.index(t)]),
    "stars": Way(lambda t: "★" * (LIKERT.index(t) + 1)),
    "STRONGLY_DISAGREE": Way(lambda t: t.upper().replace(" ", "_")),
    "stronglyDisagree": Way(lambda t: t[0].lower() + t.title().replace(" ", "")[1:]),
    "strongly.disagree": Way(lambda t: t.lower().replace(" ", ".")),
    "German": Way(lambda t: LIKERT_DE[LIKERT.index(t)], LABEL),
    "reversed": Way(lambda t: LIKERT[4 - LIKERT.index(t)], CODING),
    "three points": Way(
        lambda t: ["Disagree", "Disagree", "Neither", "Agree", "Agree"][LIKERT.index(t)],
        coarse=lambda t: t.split()[-1].lower(),
    ),
    "cut after 10": Way(lambda t: t[:10].rstrip(), coarse=lambda t: t[:10].rstrip()),
}
OF_SCALE = {
    "1/10": Way(lambda t: f"{t}/10"),
    "reversed": Way(lambda t: str(10 - int(t)), CODING),
    "0 - not at all": Way(lambda t: {"0": "0 - not at all", "10": "10 - completely"}.get(t, t)),
    "ends in words": Way(lambda t: {"0": "Not at all", "10": "Completely"}.get(t, t), LABEL),
    "times ten": Way(lambda t: f"{int(t) * 10}"),
    "1 to 11": Way(lambda t: str(int(t) + 1), CODING),
    "as 7.0": Way(lambda t: t + ".0"),
    "as 07": Way(lambda t: t.zfill(2)),
    "7 points": Way(lambda t: f"{t} points"),
    "three groups": Way(
        lambda t: ["low", "middle", "high"][(int(t) > 3) + (int(t) > 6)],
        coarse=lambda t: (int(t) > 3) + (int(t) > 6),
    ),
}
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"]
OF_ORDINALS = {
    "1st": Way(lambda t: _ordinal(ORDINALS.index(t) + 1)),
    "1.": Way(lambda t: f"{ORDINALS.index(t) + 1}."),
    "1": Way(lambda t: f"{ORDINALS.index(t) + 1}"),
    "I": Way(lambda t: ROMAN[ORDINALS.index(t)]),
    "1er": Way(lambda t: f"{ORDINALS.index(t) + 1}{'er' if t == 'first' else 'e'}"),
    "1º": Way(lambda t: f"{ORDINALS.index(t) + 1}º"),
    "First": Way(str.title),
    "first quintile": Way(lambda t: f"{t} quintile"),
    "Q1": Way(lambda t: f"Q{ORDINALS.index(t) + 1}"),
    "erste": Way(lambda t: ["erste", "zweite", "dritte", "vierte", "fünfte", "sechste"][ORDINALS.index(t)], LABEL),
}
OF_TOLD_QUARTERS = {
    "2024q1": Way(lambda t: t.replace("-Q", "q")),
    "Q1/24": Way(lambda t: f"{t[5:]}/{t[2:4]}"),
    "1Q24": Way(lambda t: f"{t[6:]}Q{t[2:4]}"),
    "1Q2024": Way(lambda t: f"{t[6:]}Q{t[:4]}"),
    "1 Q 2024": Way(lambda t: f"{t[6:]} Q {t[:4]}"),
    "2024-I": Way(lambda t: f"{t[:4]}-{ROMAN[int(t[6:]) - 1]}"),
    "I/2024": Way(lambda t: f"{ROMAN[int(t[6:]) - 1]}/{t[:4]}"),
    "2024.1": Way(lambda t: f"{t[:4]}.{t[6:]}"),
    "2024/1": Way(lambda t: f"{t[:4]}/{t[6:]}"),
    "2024:1": Way(lambda t: f"{t[:4]}:{t[6:]}"),
    "1st quarter 2024": Way(lambda t: f"{_ordinal(int(t[6:]))} quarter {t[:4]}"),
    "Jan-Mar 2024": Way(lambda t: f"{('Jan-Mar', 'Apr-Jun', 'Jul-Sep', 'Oct-Dec')[int(t[6:]) - 1]} {t[:4]}"),
    "2024, 1. Vierteljahr": Way(lambda t: f"{t[:4]}, {t[6:]}. Vierteljahr"),
    "quarters of Stata": Way(lambda t: f"{(int(t[:4]) - 1960) * 4 + int(t[6:]) - 1}"),
    "its first month": Way(lambda t: f"{t[:4]}-{3 * int(t[6:]) - 2:02d}"),
    "the quarter alone": Way(lambda t: t[5:], coarse=lambda t: t[5:]),
}
OF_TOLD_MONTHS = {
    "2024m1": Way(lambda t: f"{t[:4]}m{int(t[5:])}"),
    "JAN24": Way(lambda t: f"{MONTHS[int(t[5:]) - 1][:3].upper()}{t[2:4]}"),
    "JAN2024": Way(lambda t: f"{MONTHS[int(t[5:]) - 1][:3].upper()}{t[:4]}"),
    "1/2024": Way(lambda t: f"{int(t[5:])}/{t[:4]}"),
    "1.24": Way(lambda t: f"{int(t[5:])}.{t[2:4]}"),
    "2024-1": Way(lambda t: f"{t[:4]}-{int(t[5:])}"),
    "2024年1月": Way(lambda t: f"{t[:4]}年{int(t[5:])}月"),
    "enero 2024": Way(lambda t: f"{SPANISH[int(t[5:]) - 1]} {t[:4]}"),
    "enero de 2024": Way(lambda t: f"{SPANISH[int(t[5:]) - 1]} de {t[:4]}"),
    "janv. 2024": Way(lambda t: f"{FRENCH[int(t[5:]) - 1][:4]}. {t[:4]}"),
    "January, 2024": Way(lambda t: f"{MONTHS[int(t[5:]) - 1]}, {t[:4]}"),
    "2024 January": Way(lambda t: f"{t[:4]} {MONTHS[int(t[5:]) - 1]}"),
    "months of Stata": Way(lambda t: f"{(int(t[:4]) - 1960) * 12 + int(t[5:]) - 1}"),
    "the month alone": Way(lambda t: t[5:], coarse=lambda t: t[5:]),
    "mid-month": Way(lambda t: t + "-15"),
    "days of Excel": Way(lambda t: f"{_excel(t + '-01')}"),
}
OF_TOLD_YEARS = {
    "FY24": Way(lambda t: "FY" + t[2:]),
    "FY 2023/24": Way(lambda t: f"FY {int(t) - 1}/{t[2:]}"),
    "2024-25": Way(lambda t: f"{t}-{(int(t) + 1) % 100:02d}"),
    "2024/2025": Way(lambda t: f"{t}/{int(t) + 1}"),
    "2,024": Way(lambda t: f"{int(t):,}"),
    "2024 AD": Way(lambda t: t + " AD"),
    "Year 2024": Way(lambda t: "Year " + t),
    "an age": Way(lambda t: f"{2025 - int(t)}", BORN),
    "2024A00": Way(lambda t: t + "A00"),
    "2024年": Way(lambda t: t + "年"),
    "R2567": Way(lambda t: f"{int(t) + 543}", SHIFTED),
    "bands of 10": Way(lambda t: f"{t[:3]}0-{t[:3]}9", coarse=lambda t: t[:3]),
    "days of Excel": Way(lambda t: f"{_excel(t + '-01-01')}"),
    "mid-year": Way(lambda t: t + "-07-01"),
}
OF_TOLD_CLOCK = {
    "10:30:00.000": Way(lambda t: t + ":00.000"),
    "10.30 Uhr": Way(lambda t: t.replace(":", ".") + " Uhr"),
    "10:30 Uhr": Way(lambda t: t + " Uhr"),
    "10:30h": Way(lambda t: t + "h"),
    "T10:30": Way(lambda t: "T" + t),
    "0 days 10:30:00": Way(lambda t: f"0 days {t}:00"),
    "1900-01-01 10:30:00": Way(lambda t: f"1900-01-01 {t}:00"),
    "1899-12-30 10:30:00": Way(lambda t: f"1899-12-30 {t}:00"),
    "PT10H30M": Way(lambda t: f"PT{int(t[:2])}H{int(t[3:])}M"),
    "seconds": Way(lambda t: f"{int(t[:2]) * 3600 + int(t[3:]) * 60}"),
    "103000": Way(lambda t: t.replace(":", "") + "00"),
    "1030 as a number": Way(lambda t: f"{int(t.replace(':', ''))}"),
    "1030.0": Way(lambda t: f"{int(t.replace(':', ''))}.0"),
    "10:30 a.m.": Way(lambda t: f"{_clock(t):%I:%M} {'a' if t < '12' else 'p'}.m."),
    "10:30am": Way(lambda t: f"{_clock(t):%I:%M%p}".lower().lstrip("0")),
    "10:30:00 AM": Way(lambda t: f"{_clock(t):%I:%M:%S %p}".lstrip("0")),
    "10h30min": Way(lambda t: f"{int(t[:2])}h{t[3:]}min"),
    "10 h 30": Way(lambda t: f"{int(t[:2])} h {t[3:]}"),
    "10.5 hours": Way(lambda t: f"{int(t[:2]) + int(t[3:]) / 60:.10g}"),
    "half past ten, to quarters": Way(
        lambda t: f"{t[:2]}:{int(t[3:]) // 15 * 15:02d}", coarse=lambda t: (t[:2], int(t[3:]) // 15)
    ),
    "morning, noon, evening": Way(
        lambda t: ["night", "morning", "afternoon", "evening"][int(t[:2]) // 6], coarse=lambda t: int(t[:2]) // 6
    ),
    "10:00-10:59": Way(lambda t: f"{t[:2]}:00-{t[:2]}:59", coarse=lambda t: t[:2]),
}


def _clock(text: str) -> time:
    return time.fromisoformat(text)


OF_LENGTHS = {
    "1:30": Way(lambda t: f"{int(t) // 60}:{int(t) % 60:02d}"),
    "01:30:00": Way(lambda t: f"{int(t) // 60:02d}:{int(t) % 60:02d}:00"),
    "1.5": Way(lambda t: f"{int(t) / 60:.10g}"),
    "1 h 30 min": Way(lambda t: f"{int(t) // 60} h {int(t) % 60} min"),
    "90 min": Way(lambda t: f"{t} min"),
    "90 minutes": Way(lambda t: f"{t} minutes"),
    "90'": Way(lambda t: f"{t}'"),
    "PT90M": Way(lambda t: f"PT{t}M"),
    "0 days 01:30:00": Way(lambda t: f"0 days {int(t) // 60:02d}:{int(t) % 60:02d}:00"),
    "seconds": Way(lambda t: f"{int(t) * 60}"),
    "hours, whole": Way(lambda t: f"{int(t) // 60}", ROUNDING),
    "a day's share": Way(lambda t: f"{int(t) / 1440:.10g}"),
}
OF_POST = {
    "123 45": Way(lambda t: f"{t[:3]} {t[3:]}"),
    "12-345": Way(lambda t: f"{t[:2]}-{t[2:]}"),
    "12 345": Way(lambda t: f"{t[:2]} {t[2:]}"),
    "D-12345": Way(lambda t: "D-" + t),
    "12345-0000": Way(lambda t: t + "-0000"),
    "〒12345": Way(lambda t: "〒" + t),
    "zeros lost": Way(lambda t: str(int(t))),
    "zeros lost, .0": Way(lambda t: f"{int(t)}.0"),
    "12,345": Way(lambda t: f"{int(t):,}"),
    "12345, Town": Way(lambda t: f"{t}, {word(random.Random(t))}"),
    "Town 12345": Way(lambda t: f"{word(random.Random(t))} {t}"),
    "123xx": Way(lambda t: t[:3] + "xx", coarse=lambda t: t[:3]),
    "123**": Way(lambda t: t[:3] + "**", coarse=lambda t: t[:3]),
    "123": Way(lambda t: t[:3], coarse=lambda t: t[:3]),
    "12": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "zeros lost, cut": Way(lambda t: str(int(t[:3])), coarse=lambda t: t[:3]),
    "12000": Way(lambda t: t[:2] + "000", coarse=lambda t: t[:2]),
}
OF_MORE_DISEASES = {
    "points as blanks": Way(lambda t: t.replace(".", " ")),
    "points as commas": Way(lambda t: t.replace(".", ",")),
    "with an x filled in": Way(lambda t: t.replace(".", "").ljust(7, "X")),
    "ICD10:": Way(lambda t: "ICD10:" + t),
    "with its version": Way(lambda t: t + " (ICD-10-GM)"),
    "padded to 7": Way(lambda t: t.ljust(7)),
    "with * behind": Way(lambda t: t + "*"),
    "in brackets": Way(lambda t: f"[{t}]"),
    "the letter small": Way(lambda t: t[0].lower() + t[1:]),
    "O for 0": Way(lambda t: t.replace("0", "O"), LABEL),
    "its chapter": Way(lambda t: ROMAN[(ord(t[0]) - 65) % 15], coarse=lambda t: (ord(t[0]) - 65) % 15),
}
OF_MORE_TRADES = {
    "A01.11": Way(lambda t: "A" + t),
    "0111": Way(lambda t: t.replace(".", "")),
    "01.1": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "01.11.0": Way(lambda t: t + ".0"),
    "NACE 01.11": Way(lambda t: "NACE " + t),
    "01-11": Way(lambda t: t.replace(".", "-")),
    "01.11Z": Way(lambda t: t + "Z"),
    "01": Way(lambda t: t[:2], coarse=lambda t: t[:2]),
    "01 as 1": Way(lambda t: str(int(t[:2])), coarse=lambda t: t[:2]),
    "01–03": Way(
        lambda t: f"{int(t[:2]) // 3 * 3:02d}–{int(t[:2]) // 3 * 3 + 2:02d}", coarse=lambda t: int(t[:2]) // 3
    ),
}
OF_MORE_LABELS = {
    "cut after 4": Way(lambda t: t[:4], coarse=lambda t: t[:4]),
    "label/étiquette": Way(lambda t: f"{t}/{word(random.Random(t))}"),
    "label (étiquette)": Way(lambda t: f"{t} ({word(random.Random(t))})"),
    "a) label": Way(lambda t: f"{chr(97 + sum(map(ord, t)) % 20)}) {t}"),
    "label_1": Way(lambda t: f"{t}_1"),
    "label total": Way(lambda t: f"{t}, total"),
    "plural": Way(lambda t: t + "s"),
    "another tongue": Way(lambda t: word(random.Random(f"{t} de"), 4), LABEL),
}
OF_MORE_LONG = {
    "cut after 25": Way(lambda t: t[:25].rstrip(), coarse=lambda t: t[:25].rstrip()),
    "cut after 40": Way(lambda t: t[:40], coarse=lambda t: t[:40].rstrip()),
    "cut after 32, padded": Way(lambda t: t[:32].ljust(40), coarse=lambda t: t[:32].rstrip()),
    "cut at a word": Way(
        lambda t: t if len(t) <= 28 else t[:28].rsplit(" ", 1)[0], coarse=lambda t: t[:28].rsplit(" ", 1)[0]
    ),
    "cut and ~1": Way(lambda t: t[:20] + "~1", coarse=lambda t: t[:20]),
    "the first words": Way(lambda t: t.split(",")[0], coarse=lambda t: t.split(",")[0]),
    "n.e.c. behind": Way(lambda t: t + " n.e.c."),
    "title letters": Way(str.title),
    "and as und": Way(lambda t: t.replace(" and ", " und "), LABEL),
}
OF_SEXES = {
    "Mann and Frau": Way(lambda t: "Mann" if t == "Male" else "Frau", LABEL),
    "männl. and weibl.": Way(lambda t: "männl." if t == "Male" else "weibl.", LABEL),
    "homem and mulher": Way(lambda t: "homem" if t == "Male" else "mulher", LABEL),
    "T for both": Way(lambda t: "m" if t == "Male" else "f"),
    "♂ and ♀": Way(lambda t: "♂" if t == "Male" else "♀", LABEL),
    "1 and 0": Way(lambda t: f"{int(t == 'Male')}"),
    "boy and girl": Way(lambda t: "boy" if t == "Male" else "girl", LABEL),
    "male=1": Way(lambda t: f"{t.lower()}={1 + (t != 'Male')}"),
    "M - Male": Way(lambda t: f"{t[0]} - {t}"),
    "M: Male": Way(lambda t: f"{t[0]}: {t}"),
}
OF_NATIONS = {
    "two letters": Way(COUNTRIES.get),
    "two small letters": Way(lambda t: COUNTRIES[t].lower()),
    "a flag": Way(lambda t: "".join(chr(0x1F1E6 + ord(c) - 65) for c in COUNTRIES[t])),
    "AT: Austria": Way(lambda t: f"{COUNTRIES[t]}: {t}"),
    "in French": Way(
        {
            "Austria": "Autriche",
            "Belgium": "Belgique",
            "Spain": "Espagne",
            "Germany": "Allemagne",
            "Sweden": "Suède",
            "Hungary": "Hongrie",
            "Poland": "Pologne",
        }.get,
        LABEL,
    ),
    "in long": Way(lambda t: {"Austria": "Republic of Austria", "Spain": "Kingdom of Spain"}.get(t, t), LABEL),
}
OF_COORDINATES = {
    "a decimal comma": Way(lambda t: t.replace(".", ",")),
    "47.3769 N": Way(lambda t: f"{t} N"),
    "47.3769°": Way(lambda t: f"{t}°"),
    "microdegrees": Way(lambda t: f"{float(t) * 1e6:.0f}"),
    "two decimals": Way(lambda t: f"{float(t):.2f}", ROUNDING),
    "turned": Way(lambda t: f"-{t}", CODING),
}
OF_MARITAL = {
    "s, m, w, d": Way(lambda t: t[0]),
    "1 to 4": Way(lambda t: str(["single", "married", "widowed", "divorced"].index(t) + 1)),
    "Single person": Way(lambda t: f"{t.title()} person"),
    "SINGLE": Way(str.upper),
    "in German": Way(
        {"single": "ledig", "married": "verheiratet", "widowed": "verwitwet", "divorced": "geschieden"}.get, LABEL
    ),
    "never married": Way(lambda t: "never married" if t == "single" else t, LABEL),
}
OF_MORE_LISTS = {
    "with slashes": Way(lambda t: t.replace(";", "/")),
    "with line ends": Way(lambda t: t.replace(";", "\n")),
    "as {…}": Way(lambda t: "{" + t.replace(";", ",") + "}"),
    "sorted": Way(lambda t: ";".join(sorted(t.split(";"))), ORDER),
    "how many": Way(lambda t: str(len(t.split(";"))), coarse=lambda t: len(t.split(";"))),
    "capitals": Way(str.upper),
}

MORE: dict[str, dict[str, Way]] = {
    "words": OF_TEXTS | OF_MORE_EMPTY,
    "labels": OF_TEXTS | OF_MORE_LABELS | OF_MORE_EMPTY,
    "many labels": OF_MORE_LABELS,
    "codes": OF_MORE_CODES,
    "whole numbers": OF_WHOLE | OF_MORE_EMPTY,
    "numbers": OF_DECIMALS,
    "shares": OF_RATES,
    "days": OF_CALENDAR | OF_EMPTY_DAYS,
    "moments": OF_INSTANTS,
    "truths": OF_MORE_TRUTHS,
    "bands": OF_RANGES,
    "quarters": OF_TOLD_QUARTERS,
    "months of years": OF_TOLD_MONTHS,
    "years": OF_TOLD_YEARS,
    "times of day": OF_TOLD_CLOCK,
    "diseases": OF_MORE_DISEASES,
    "trades": OF_MORE_TRADES,
    "long labels": OF_MORE_LONG,
    "sex": OF_SEXES,
    "countries": OF_NATIONS,
    "lists": OF_MORE_LISTS,
}
"""Further ways, by what a column holds."""


def _with(name: str) -> Callable[[random.Random, int], Law]:
    def draw(r: random.Random, k: int) -> Law:
        levels, ways = LAWS[name](r, k)
        return levels, ways | MORE.get(name, {})

    return draw


ALL: dict[str, Callable[[random.Random, int], Law]] = {
    **{name: _with(name) for name in LAWS},
    "ages to 85+": lambda r, k: (AGES_TOP, OF_TOPPED),
    "incomes": lambda r, k: (INCOMES, OF_INCOMES),
    "agreement": lambda r, k: (LIKERT, OF_LIKERT),
    "a scale": lambda r, k: ([str(i) for i in range(11)], OF_SCALE),
    "ordinals": lambda r, k: (ORDINALS[: r.choice([4, 5, 6])], OF_ORDINALS),
    "minutes": lambda r, k: ([*{str(r.choice([5, 10, 15, 1]) * r.randint(1, 40)): 1 for _ in range(k)}], OF_LENGTHS),
    "places of five digits": lambda r, k: ([*{f"{r.randint(1000, 99998):05d}": 1 for _ in range(k)}], OF_POST),
    "coordinates": lambda r, k: ([*{f"{r.uniform(45.8, 47.8):.4f}": 1 for _ in range(k)}], OF_COORDINATES),
    "marital": lambda r, k: (["single", "married", "widowed", "divorced"], OF_MARITAL),
}
"""What a column may hold, by a name: levels, and all ways to write them."""


def law(r: random.Random, name: str, n: int) -> Law:
    """Return what a column of n records holds, few levels or many."""
    return ALL[name](r, max(r.choice([2, 4, 9, 25, 80, 250, *([900, 2500] if n >= 700 else [])]), 6))


WAYS = [(name, way) for name in ALL for way in law(random.Random(0), name, 100)[1]]
"""Every way to write, of every law."""
