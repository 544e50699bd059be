"""Pairs of an original and a synthesis by number: sound ones, and ones in which one spelling is broken on one side.

A record is a key K, a second key A, and a target T; K is what may be broken. `unbroken` are the same records before, so
that the right figures are known.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
GERMAN = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"]
COUNTRIES = {
    "Austria": "AT",
    "Belgium": "BE",
    "Spain": "ES",
    "Germany": "DE",
    "Sweden": "SE",
    "Hungary": "HU",
    "Poland": "PL",
}
SYLLABLES = [
    "ba",
    "ber",
    "brü",
    "chur",
    "dorf",
    "eck",
    "fel",
    "gen",
    "gra",
    "hau",
    "jo",
    "ka",
    "lin",
    "lü",
    "mar",
    "nau",
    "ost",
    "pe",
    "que",
    "rö",
    "sa",
    "see",
    "tal",
    "ulm",
    "vä",
    "wil",
    "zo",
    "an",
    "el",
    "in",
    "or",
    "un",
    "är",
    "é",
    "ô",
]
LABELS = [
    ["Male", "Female"],
    ["single", "married", "widowed", "divorced"],
    ["None", "Primary", "Secondary", "Tertiary"],
    ["North", "East", "South", "West"],
    ["Employed", "Unemployed", "Student", "Retired", "Home"],
    ["Very good", "Good", "Fair", "Poor", "Bad"],
    ["Own house", "Rented flat", "Free lodging"],
    [
        "Agriculture",
        "Mining",
        "Manufacturing",
        "Electricity",
        "Water",
        "Building",
        "Trade",
        "Transport",
        "Hotels",
        "Finance",
    ],
]
KINDS = [
    "label",
    "towns",
    "postcode",
    "nuts",
    "icd",
    "zeros",
    "digits5",
    "day",
    "moment",
    "ym",
    "quarter",
    "month",
    "weekday",
    "bool",
    "yesno",
    "int",
    "money",
    "float",
    "coded",
    "share",
]
SIZES = [30, 30, 60, 60, 120, 120, 300, 300, 500, 500, 500, 1000, 1000, 2000, 5000]

Row = list[Any]


@dataclass
class Pair:
    """Two tables of records (K, A, T), and what was done to them.

    Attributes
    ----------
    original, synthetic
        The records; K a text, or None.
    unbroken
        The same before one side was broken; of a sound pair the same.
    coarse
        From an unbroken K to the level to which a correction may go; None where nothing need be lost.
    labels
        Labels that a file declares, by code.
    corrected
        Whether a correction is known.
    """

    name: str
    kind: str
    extent: str
    original: list[Row]
    synthetic: list[Row]
    unbroken: tuple[list[Row], list[Row]] = field(default_factory=lambda: ([], []))
    coarse: Any = None
    labels: dict[str, str] = field(default_factory=dict)
    corrected: bool = True

    @property
    def n(self):
        return len(self.original)


def word(r, k=3):
    return "".join(r.choice(SYLLABLES) for _ in range(r.randint(2, k))).capitalize()


def distinct(make, k):
    seen = {}
    for _ in range(40 * k):
        if len(seen) >= k:
            break
        seen[make()] = 1
    return list(seen)


def _town(r):
    return word(r) + (r.choice([" ", "-"]) + word(r, 2) if r.random() < 0.3 else "")


def _postcode(r):
    return f"{r.choice(['EH', 'G', 'KY', 'AB'])}{r.randint(1, 30)} {r.randint(1, 9)}{r.choice('ABDEFGH')}{r.choice('JLNPQRS')}"


def _messy(r):
    letter, n = r.choice("ABCDE"), r.randint(10, 40)
    return r.choice(
        [f"{letter}{n}", f"{letter}{n}.{r.randint(0, 9)}", f"{r.randint(1, 40):02d}", f"{r.randint(1, 40)}"]
    )


def _spellings(r, text):
    ways = [
        str.lower,
        str.title,
        str.upper,
        str.capitalize,
        lambda t: t + " ",
        lambda t: t.replace(" ", "-"),
        lambda t: t + ".",
    ]
    return {r.choice(ways)(text) for _ in range(r.randint(1, 4))}


def levels_of(r, kind, k):
    """Return the levels of a law, as texts."""
    d = r.choice([1, 2, 3])
    width = r.choice([3, 5]) if k < 500 else 5
    most = 10**width // r.choice([2, 5, 20]) - 1
    first, span = date(r.choice([1930, 1962, 2001, 2019]), 1, 1), r.choice([300, 1200, 9000, 25000])
    n_days, whole = r.choice([30, 400, 2000]), r.choice([0, 0, 0.4])
    step, low = r.choice([1, 1, 5, 100]), r.choice([0, 1, 18, -20, 1000])

    def moment():
        minutes = r.randrange(n_days) * 1440 + (r.randrange(1440) if r.random() > whole else 0)
        return (datetime(2019, 3, 1) + timedelta(minutes=minutes)).isoformat(" ").replace(" 00:00:00", "")

    drawn = {
        "towns": lambda: _town(r),
        "postcode": lambda: _postcode(r),
        "nuts": lambda: f"DE{r.choice('123456789ABCDEFG')}{r.randint(1, 9)}{r.choice('123456789ABCDEF')}",
        "icd": lambda: f"{r.choice('ABCDEFGHIJ')}{r.randint(10, 99)}.{r.randint(0, 9)}",
        "zeros": lambda: f"{r.randint(1, most):0{width}d}",
        "digits5": lambda: str(r.randint(10000, 99999)),
        "day": lambda: (first + timedelta(r.randrange(span))).isoformat(),
        "moment": moment,
        "money": lambda: str(int(r.lognormvariate(7.5, 0.8) / 10) * 10 + r.choice([0, 0, 5])),
        "float": lambda: f"{round(r.gauss(50, 20), d):.15g}",
        "share": lambda: f"{r.randint(1, 99) / 100:.15g}",
        "messy": lambda: _messy(r),
    }
    if kind in drawn:
        return distinct(drawn[kind], k)
    if kind == "open":
        words = distinct(lambda: " ".join(word(r).lower() for _ in range(r.randint(1, 3))), k)
        return [t for w in words for t in _spellings(r, w)]
    return {
        "label": lambda: list(r.choice(LABELS)),
        "ym": lambda: [f"{y}-{m:02d}" for y in range(2010, 2011 + k // 12) for m in range(1, 13)][: max(3, k)],
        "quarter": lambda: [f"{y}-Q{q}" for y in range(1990, 1991 + min(k, 120) // 4) for q in range(1, 5)],
        "month": lambda: list(MONTHS),
        "weekday": lambda: list(WEEKDAYS),
        "bool": lambda: ["True", "False"],
        "yesno": lambda: ["yes", "no", *(["don't know"] if r.random() < 0.3 else [])],
        "int": lambda: [str(low + step * i) for i in range(max(2, k))],
        "coded": lambda: [f"{i}" for i in range(1, 1 + len(r.choice(LABELS)))],
        "country": lambda: list(COUNTRIES),
    }[kind]()


def _weights(r, k):
    z = r.choice([0, 0.5, 1, 1.5])
    w = [1 / (i + 1) ** z for i in range(k)]
    r.shuffle(w)
    return w


def _number(text):
    return sum(map(ord, text)) * 7919 % 1013


def _frame(r, levels, w, n, missing):
    rows = []
    for v in r.choices(levels, w, k=n):
        a = r.randint(0, 9)
        t = (_number(v) + a // 3) % 4 if r.random() < 0.7 else r.randint(0, 3)
        rows.append([None if r.random() < missing else v, a, t])
    return rows


def _synthesis(r, rows, how, levels, w, missing):
    if how == "independent":
        return _frame(r, levels, w, len(rows), missing)
    made = [list(r.choice(rows)) for _ in rows]
    for row in made:
        if r.random() < 0.3:
            row[1] = r.randint(0, 9)
        if r.random() < 0.3:
            row[2] = r.choice(rows)[2]
        if how == "shuffled":
            row[0] = r.choice(rows)[0]
    return made


def _n_levels(r, n):
    many = r.choice([600, 2000, 5000])
    return r.choice([2, 5, 12, 40, 150, 600, many] if n >= 1000 else [2, 5, 12, 40, 150, 300])


def _seconds(text, origin):
    return int((datetime.fromisoformat(text) - datetime.fromisoformat(origin)).total_seconds())


def _counted(text, unit, origin):
    return str(int(_seconds(text, origin) / unit))


def _mojibake(text):
    try:
        return text.encode().decode("cp1252")
    except UnicodeDecodeError:
        return text


def _full_width(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _plain_letters(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _umlauts(text):
    return text.translate({ord(a): b for a, b in zip("äöüÄÖÜ", ("ae", "oe", "ue", "Ae", "Oe", "Ue"), strict=True)})


def _quarter(text):
    return (int(text[5:7]) + 2) // 3


def _english(d, m):
    return f"{MONTHS[m - 1][:3]} {d}"


def breaks(r, levels):
    """Return ways to break a column: name, kinds, change, the level that is left, labels, whether a correction is known."""
    code = {v: str(i) for i, v in enumerate(sorted(levels), r.choice([0, 1]))}
    words, day, mark = ("label", "towns"), ("day",), r.choice(["-", ".", "/"])
    month = lambda t: t[:7]  # noqa: E731
    initials = len({v[0].upper() for v in levels}) == len(levels)

    def on(t, form):
        return date.fromisoformat(t[:10]).strftime(form)

    found = [
        ("day→moment", day, lambda t: f"{t} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}:00"),
        ("day→noon", day, lambda t: t + " 12:00:00"),
        ("moment→day", ("moment",), lambda t: t[:10], lambda t: t[:10]),
        ("day→month's first", day, lambda t: t[:8] + "01", month),
        ("day→2020-01", day, month, month),
        ("day→Jan 2020", day, lambda t: f"{MONTHS[int(t[5:7]) - 1][:3]} {t[:4]}", month),
        ("day→year", day, lambda t: t[:4], lambda t: t[:4]),
        ("day→quarter", day, lambda t: f"{t[:4]}Q{_quarter(t)}", lambda t: f"{t[:4]}{_quarter(t)}"),
        ("YYYYMMDD", day, lambda t: t.replace("-", "")),
        ("DDMMYYYY", day, partial(on, form="%d%m%Y")),
        ("d.m.y", day, partial(on, form=f"%d{mark}%m{mark}%Y")),
        ("d.m.yy", day, partial(on, form="%d.%m.%y")),
        ("m/d/y", day, partial(on, form="%m/%d/%Y")),
        ("31 January 2024", day, lambda t: f"{int(t[8:])} {MONTHS[int(t[5:7]) - 1]} {t[:4]}"),
        ("31JAN2024", day, lambda t: on(t, "%d%b%Y").upper()),
        ("Excel days", day, partial(_counted, unit=86400, origin="1899-12-30")),
        ("SAS days", day, partial(_counted, unit=86400, origin="1960-01-01")),
        ("Unix days", day, partial(_counted, unit=86400, origin="1970-01-01")),
        ("Unix s", day, partial(_counted, unit=1, origin="1970-01-01")),
        ("SPSS s", day, partial(_counted, unit=1, origin="1582-10-14")),
        ("Unix ms", day, partial(_counted, unit=1e-3, origin="1970-01-01")),
        ("Stata ms", day, partial(_counted, unit=1e-3, origin="1960-01-01")),
        ("moment→Unix s", ("moment",), partial(_counted, unit=1, origin="1970-01-01")),
        ("moment with a T", ("moment",), lambda t: t.replace(" ", "T")),
        ("YYYYMM", ("ym",), lambda t: t.replace("-", "")),
        ("January 2020", ("ym",), lambda t: f"{MONTHS[int(t[5:7]) - 1]} {t[:4]}"),
        ("Q1 1990", ("quarter",), lambda t: t[5:] + " " + t[:4]),
        ("Mar", ("month",), lambda t: t[:3]),
        ("3 for March", ("month",), lambda t: str(MONTHS.index(t) + 1)),
        ("März", ("month",), lambda t: GERMAN[MONTHS.index(t)]),
        ("Mon", ("weekday",), lambda t: t[:3]),
        ("1 for Monday", ("weekday",), lambda t: str(WEEKDAYS.index(t) + 1)),
        ("zeros lost", ("zeros",), lambda t: t.lstrip("0")),
        ("blank lost", ("postcode",), lambda t: t.replace(" ", "")),
        ("dash within", ("nuts",), lambda t: t[:2] + "-" + t[2:]),
        ("point lost", ("icd",), lambda t: t.replace(".", "")),
        ("blank behind", (*words, "postcode", "nuts"), lambda t: t + " "),
        ("blank before, NBSP", words, lambda t: "\u00a0" + t),
        ("capitals", words, str.upper),
        ("small letters", (*words, "postcode", "nuts", "icd"), str.lower),
        ("capitals and no blank", ("postcode", "towns"), lambda t: t.replace(" ", "").replace("-", "").swapcase()),
        ("accents lost", ("towns",), _plain_letters),
        ("ue for ü", ("towns",), _umlauts),
        ("decomposed", ("towns",), lambda t: unicodedata.normalize("NFD", t)),
        ("Ã¼ for ü", ("towns",), _mojibake),
        ("code for label, labels known", words, code.get, None, {c: v for v, c in code.items()}),
        ("code for label", words, code.get, None, {}, False),
        ("1. Male", words, lambda t: f"{code[t]}. {t}"),
        ("[1] Male", words, lambda t: f"[{code[t]}] {t}"),
        ("1=Male", words, lambda t: f"{code[t]}={t}"),
        ("1 - Male", words, lambda t: f"{code[t]} - {t}"),
        ("Male (1)", words, lambda t: f"{t} ({code[t]})"),
        ("1. Male beside 1", ("coded",), lambda t: f"{t}. {'ABCDEFGHIJKLM'[int(t)]}answer"),
        ("first letters", ("label",), lambda t: t[:1].upper() if initials else t[:2]),
        ("cut after 6", ("towns",), lambda t: t[:6], lambda t: t[:6].rstrip()),
        ("prefix ED_", ("zeros", "nuts", "digits5", "towns"), lambda t: "ED_" + t),
        ("prefix Gemeinde", ("towns",), lambda t: "Gemeinde " + t),
        ("prefix and zeros lost", ("zeros",), lambda t: "W-" + t.lstrip("0")),
        ("suffix (CH)", ("towns", "nuts"), lambda t: t + " (CH)"),
        ("suffix kg", ("int", "float"), lambda t: t + " kg"),
        ("NUTS 2 for 3", ("nuts",), lambda t: t[:4], lambda t: t[:4]),
        ("ICD of three", ("icd",), lambda t: t[:3], lambda t: t[:3]),
        ("3 digits of 5", ("digits5",), lambda t: t[:3], lambda t: t[:3]),
        ("1.0 as text", ("int", "coded"), lambda t: t + ".0"),
        ("1,000", ("money",), lambda t: f"{int(t):,}"),
        ("1'000", ("money",), lambda t: f"{int(t):,}".replace(",", "'")),
        ("decimal comma", ("float",), lambda t: t.replace(".", ",")),
        ("€", ("money",), lambda t: "€" + t),
        ("×60", ("int", "float"), lambda t: f"{float(t) * 60:.12g}"),
        ("×1000", ("money", "float"), lambda t: f"{float(t) * 1000:.12g}"),
        ("÷100", ("money",), lambda t: f"{float(t) / 100:.12g}"),
        ("True→1", ("bool",), lambda t: {"True": "1", "False": "0"}[t]),
        ("True→yes", ("bool",), lambda t: {"True": "yes", "False": "no"}[t]),
        ("yes→Y", ("yesno",), lambda t: {"yes": "Y", "no": "N"}.get(t, "DK")),
        ("yes→1", ("yesno",), lambda t: {"yes": "1", "no": "0"}.get(t, "9")),
        ("yes→ja", ("yesno",), lambda t: {"yes": "ja", "no": "nein"}.get(t, t)),
        ("NA for empty", ("towns", "label", "nuts"), None),
        # Kinds that the author of the rule did not think of.
        ("Roman numbers", ("coded",), lambda t: ROMAN[int(t) - 1]),
        ("points in thousands", ("money",), lambda t: f"{int(t):,}".replace(",", ".")),
        ("thin blanks in thousands", ("money",), lambda t: f"{int(t):,}".replace(",", "\u202f")),
        ("in quotation marks", (*words, "nuts", "postcode"), lambda t: f'"{t}"'),
        ("HTML entities", ("towns",), lambda t: t.encode("ascii", "xmlcharrefreplace").decode()),
        ("full width", ("nuts", "zeros", "postcode"), _full_width),
        ("percent", ("share",), lambda t: f"{float(t) * 100:.12g}%"),
        ("percent as numbers", ("share",), lambda t: f"{float(t) * 100:.12g}"),
        ("ISO week", day, lambda t: "{}-W{:02d}".format(*date.fromisoformat(t).isocalendar()), lambda t: date.fromisoformat(t).isocalendar()[:2]),
        ("country codes", ("country",), COUNTRIES.get, None, {}, False),
        ("in UTC, said", ("moment",), lambda t: f"{t if len(t) > 10 else t + ' 00:00:00'}Z"),
        ("yes→J", ("yesno",), lambda t: {"yes": "J", "no": "N"}.get(t, "k.A.")),
        ("moment→Unix ms", ("moment",), partial(_counted, unit=1e-3, origin="1970-01-01")),
        ("month first, in words", day, lambda t: f"{_english(int(t[8:]), int(t[5:7]))}, {t[:4]}"),
        ("underscores", ("towns", "label"), lambda t: t.replace(" ", "_").replace("-", "_").lower()),
        ("zeros before", ("digits5", "coded"), lambda t: t.zfill(8)),
        ("soft hyphen", ("towns",), lambda t: t[:3] + "\u00ad" + t[3:]),
        ("€ behind", ("money",), lambda t: f"{int(t):,} €".replace(",", ".")),
        ("plus sign", ("digits5", "money"), lambda t: "+" + t),
    ]  # fmt: skip
    return [(*one, *(None, {}, True)[len(one) - 3 :]) for one in found]


N_BREAKS = len(breaks(random.Random(0), ["a", "b"]))
EXTENTS = ["all", "all", "30 %", "60 %", "rare", "one level", "one of five"]


def broken(seed: int) -> Pair:
    """Return a pair of which one side is broken; the way goes through all of `breaks`."""
    r = random.Random(seed)
    n = r.choice(SIZES)
    name, kinds = [(b[0], b[1]) for b in breaks(random.Random(0), ["a", "b"])][seed % N_BREAKS]
    kind = r.choice(kinds)
    levels = levels_of(r, kind, _n_levels(r, n))
    w = _weights(r, len(levels))
    missing = r.choice([0, 0, 0.1]) if name != "NA for empty" else r.choice([0.1, 0.3])
    original = _frame(r, levels, w, n, missing)
    synthetic = _synthesis(r, original, r.choice(["bootstrap", "independent"]), levels, w, missing)
    _, _, change, coarse, labels, corrected = breaks(r, levels)[seed % N_BREAKS]
    extent = r.choice(EXTENTS)
    target = original if coarse is None and change is not None and r.random() < 0.3 else synthetic
    counts = Counter(row[0] for row in target if row[0] is not None)
    by = [v for v, _ in counts.most_common()]
    low = {v for v in by if counts[v] <= max(2, 0.02 * n)} or set(by[len(by) // 2 :])
    chosen = {
        "30 %": lambda _: r.random() < 0.3, "60 %": lambda _: r.random() < 0.6, "rare": lambda v: v in low,
        "one level": lambda v: v == by[0],
    }.get(extent, lambda _: True)  # fmt: skip
    unbroken = [list(x) for x in original], [list(x) for x in synthetic]
    for row in target:
        if change is None:
            row[0] = "NA" if row[0] is None and (extent[-1] != "%" or chosen("")) else row[0]
        elif row[0] is not None and chosen(row[0]):
            row[0] = change(row[0])
    return Pair(name, kind, extent, original, synthetic, unbroken, coarse, labels, corrected)


SOUND = (
    "bootstrap", "independent", "shuffled", "smooth", "smooth dates", "rare lost", "another year", "open", "ids",
    "frame of codes", "merged", "top coded", "constant", "mostly missing", "imputed", "messy codes", "heaped days",
    "half midnights", "fewer records", "other numbers", "dropped", "labels both", "other text", "bands", "new years", "names",
    "romans and letters", "phones", "case means something", "free text", "months in one year", "rounded",
)  # fmt: skip


def sound(seed: int) -> Pair:
    """Return a pair in which nothing is broken, of a kind that invites a false alarm."""
    r = random.Random(seed + 0.5)
    name, n = SOUND[seed % len(SOUND)], r.choice(SIZES)
    kind, missing, k = r.choice(KINDS), r.choice([0, 0, 0.1]), _n_levels(r, n)
    how = r.choice(["bootstrap", "independent"])
    if name in ("smooth", "other numbers", "top coded", "rounded"):
        kind = r.choice(["int", "money", "float"])
    elif name in ("smooth dates", "heaped days", "months in one year"):
        kind = "day"
    elif name == "half midnights":
        kind = "moment"
    elif name == "open":
        kind, k = "open", r.choice([20, 100, 400, 2000])
    elif name == "messy codes":
        kind = "messy"
    elif name == "frame of codes":
        kind, k, how = (
            r.choice(["postcode", "icd", "digits5", "zeros", "towns"]),
            r.choice([1000, 2000, 2000, 8000]),
            "independent",
        )
    elif name in ("merged", "dropped", "rare lost", "other text", "another year"):
        kind = r.choice(["towns", "label", "nuts", "icd", "digits5", "zeros", "postcode"])
    levels = levels_of(r, kind, k)
    w = [1] * len(levels) if name == "frame of codes" else _weights(r, len(levels))
    if name == "heaped days":
        levels = [t[:8] + "01" if r.random() < 0.3 else t for t in levels]
    if name == "months in one year":
        levels = [f"2021-{t[5:]}" for t in levels if t[5:] != "02-29"] or ["2021-01-01", "2021-01-02"]
        w = [1] * len(levels)
    original = _frame(r, levels, w, n, missing)
    if name == "another year":
        keep, fresh = r.choice([0.3, 0.5, 0.9]), levels_of(r, kind, len(levels))
        levels = [v if r.random() < keep else r.choice(fresh) for v in levels]
        levels[0], how = original[0][0] or levels[0], "independent"
    how = name if name in ("shuffled", "bootstrap", "independent") else how
    synthetic = _synthesis(r, original, how, levels, w, missing)
    alter = _ALTER.get(name)
    if alter is not None:
        original, synthetic = alter(r, original, synthetic, kind) or (original, synthetic)
    return Pair(name, kind, "", original, synthetic, ([list(x) for x in original], [list(x) for x in synthetic]))


def _top(rows):
    return [v for v, _ in Counter(row[0] for row in rows if row[0] is not None).most_common()]


def _smooth(r, o, s, kind):
    d, sd = r.choice([0, 0, 1, 2, 6]), r.choice([0.5, 3, 100])
    for row in s:
        row[0] = row[0] and f"{round(float(row[0]) + r.gauss(0, sd), d):.12g}"


def _later(r, o, s, kind):
    sd = r.choice([3, 30, 400])
    for row in s:
        row[0] = row[0] and (date.fromisoformat(row[0]) + timedelta(round(r.gauss(0, sd)))).isoformat()


def _rare_lost(r, o, s, kind):
    present = Counter(row[0] for row in o)
    top = _top(o)
    for row in s:
        row[0] = row[0] if present[row[0]] > max(2, 0.01 * len(o)) else (top[0] if top else None)


def _dropped(r, o, s, kind):
    top = _top(o)
    for row in s:
        row[0] = top[-1] if len(top) > 1 and row[0] == top[0] else row[0]


def _merged(r, o, s, kind):
    top = _top(o)
    if len(top) < 3:
        return
    name = r.choice(["Other", "other", top[-1], "9999" if kind in ("digits5", "zeros") else "Other"])
    low = set(top[len(top) // 2 :])
    for row in s:
        row[0] = name if row[0] in low else row[0]


def _top_coded(r, o, s, kind):
    numbers = sorted(float(row[0]) for row in o if row[0] is not None)
    cut, style = numbers[int(0.9 * len(numbers))], r.choice(["{}+", "{} and over", ">={}", "{}"])
    for row in s:
        if row[0] is not None and float(row[0]) >= cut:
            row[0] = style.format(f"{cut:g}")


def _constant(r, o, s, kind):
    top = _top(o)
    for row in r.choice([o, s]):
        row[0] = row[0] and top[0]


def _mostly_missing(r, o, s, kind):
    for rows in r.choice([(o,), (s,), (o, s)]):
        for row in rows:
            row[0] = row[0] if r.random() < 0.03 else None


def _imputed(r, o, s, kind):
    top = _top(o)
    for row in r.choice([o, s]):
        row[0] = row[0] or (top[0] if top else None)


def _ids(r, o, s, kind):
    style = r.choice(["uuid", "number", "mail", "boot"])
    for rows in (o, s):
        for j, row in enumerate(rows):
            row[0] = {
                "uuid": f"{r.getrandbits(64):016x}", "number": str(r.randint(10**6, 10**8)),
                "mail": f"{word(r).lower()}{r.randint(1, 999)}@x.org",
            }.get(style, f"P{j if rows is o else r.randrange(len(s)):05d}")  # fmt: skip


def _labels_both(r, o, s, kind):
    for row in (*o, *s):
        row[0] = row[0] and f"{_number(row[0]) % 9 + 1}. {row[0]}"


def _drawn(make):
    def alter(r, o, s, kind):
        values = make(r)
        for rows in (o, s):
            for row in rows:
                row[0] = values(rows is s)

    return alter


def _other_text(r, o, s, kind):
    for row in (*o, *s):
        row[0] = "other: " + word(r) if r.random() < 0.05 else row[0]


def _bands(r):
    def draw(_):
        b = 10 * r.randint(1, 8)
        return r.choice([f"{b}-{b + 9}"] * 9 + ["90+"])

    return draw


def _years(r):
    text, later = r.choice(["", "FY"]), r.randint(1, 5)
    return lambda second: f"{text}{2010 + second * later + r.randint(0, 9)}"


def _people(r):
    first, last = levels_of(r, "towns", 80), levels_of(r, "towns", r.choice([50, 400]))
    return lambda _: f"{r.choice(first)} {r.choice(last)}" + r.choice(["", "", " Jr."])


def _sentences(r):
    words = [w.lower() for w in levels_of(r, "towns", 60)]
    return lambda _: " ".join(r.choice(words) for _ in range(r.randint(2, 6))).capitalize() + r.choice([".", "", "!"])


def _rounded(r, o, s, kind):
    for row in s:
        row[0] = row[0] and f"{round(float(row[0]), -1):.12g}"


_ALTER = {
    "smooth": _smooth, "other numbers": _smooth, "smooth dates": _later, "rare lost": _rare_lost, "dropped": _dropped,
    "merged": _merged, "top coded": _top_coded, "constant": _constant, "mostly missing": _mostly_missing,
    "imputed": _imputed, "ids": _ids, "labels both": _labels_both, "other text": _other_text, "bands": _drawn(_bands),
    "new years": _drawn(_years), "names": _drawn(_people), "free text": _drawn(_sentences), "rounded": _rounded,
    "fewer records": lambda r, o, s, kind: (o, s[: max(20, len(s) // 10)]),
    "heaped days": lambda r, o, s, kind: _later(r, o, s, kind) if r.random() < 0.5 else None,
    "romans and letters": _drawn(lambda r: lambda _: r.choice(["I", "II", "III", "A", "B", "C", "D", "V", "X", "M1", "M2"])),
    "phones": _drawn(lambda r: lambda _: f"0{r.randint(20, 99)} {r.randint(10**5, 10**6)}"),
    "case means something": _drawn(lambda r: lambda _: r.choice("aAbBcCdD")),
}  # fmt: skip


def typed(values):
    """Return a column as a reader of text files gives it: numbers where every text is one, none with a zero before."""
    present = [v for v in values if v is not None]
    looks = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
    if present and all(looks.fullmatch(v) and not re.match(r"[+-]?0\d", v) for v in present):
        return [None if v is None else float(v) for v in values]
    return values


def figures(original, synthetic):
    """Return repU and DiSCO of records (K, A, T), %, by dictionaries."""
    d, e = defaultdict(Counter), defaultdict(Counter)
    for rows, cells in ((original, d), (synthetic, e)):
        for k, a, t in rows:
            cells[k, a][t] += 1
    replicated = sum(sum(c.values()) == 1 and sum(e[q].values()) == 1 for q, c in d.items() if q in e)
    correct = sum(c[next(iter(e[q]))] for q, c in d.items() if q in e and len(e[q]) == 1)
    return 100 * replicated / len(original), 100 * correct / len(original)
