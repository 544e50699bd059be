r"""Letters of the printed figures: the fonts, how wide a text is, and where a line or a name breaks.

Source Sans 3 sets Latin, Greek and Cyrillic. The fonts beside it in `assets/fonts` set other scripts, so that a name
prints alike on every machine. Both renderers shape them: matplotlib with libraqm, and Typst by itself.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font, LoadFlags

from disclosure_core.data.demo import assets
from disclosure_core.errors import DisclosureError

Weight = Literal["Regular", "Semibold", "It"]

PT = 25.4 / 72
"""Millimetres in a point."""

FOLDER = assets() / "fonts"

FONTS = {weight: FOLDER / f"SourceSans3-{weight}.ttf" for weight in ("Regular", "Semibold", "It")}
"""Source Sans 3 (SIL Open Font License): its digits are all as wide as each other."""

FAMILY = "Source Sans 3"
_SCRIPTS = (
    "Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar "
    "Oriya Sinhala Tamil Telugu Thai"
)
_OWN = (*(f"Noto Sans {script}" for script in _SCRIPTS.split()), "Droid Sans Fallback", "DejaVu Sans")
"""Fonts of the program, and matplotlib's own, for letters that Source Sans 3 does not have."""

_OTHERS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Source Han Sans",
    "Microsoft YaHei",
    "SimSun-ExtB",
    "Yu Gothic",
    "Malgun Gothic",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
    "Nirmala UI",
    "Microsoft Himalaya",
    "Mongolian Baiti",
    "Noto Serif Tibetan",
    "Noto Sans Mongolian",
    "Noto Sans Cherokee",
    "Gadugi",
)
"""Fonts of this machine that lend letters which none of those has."""

for _file in sorted(FOLDER.glob("*.ttf")):
    font_manager.fontManager.addfont(_file)
# Of two fonts of one name the first is taken: a machine's own Droid Sans Fallback, say, may lack Korean.
font_manager.fontManager.ttflist.sort(key=lambda entry: Path(entry.fname).parent != FOLDER)


def own_fonts() -> tuple[str, ...]:
    """Return the fonts that are here in any case: the program's, and matplotlib's own."""
    return FAMILY, *_OWN


@cache
def families() -> tuple[str, ...]:
    """Return the fonts that figures are set in: the program's, matplotlib's own, and what this machine lends."""
    here = set(font_manager.get_font_names())
    return (*own_fonts(), *(name for name in _OTHERS if name in here))


@cache
def _path(family: str) -> str:
    return str(font_manager.findfont(font_manager.FontProperties(family=family)))


@cache
def _letters_of(family: str) -> frozenset[int]:
    """Return the code points that a font has."""
    return frozenset(FT2Font(_path(family)).get_charmap())


@cache
def _font_of(letter: str) -> str | None:
    """Return the first font that has a letter; None where none has it."""
    return next((family for family in families() if ord(letter) in _letters_of(family)), None)


def fonts_of(text: str) -> tuple[str, ...]:
    """Return the fonts that a text needs, Source Sans 3 first."""
    if text.isascii():
        return (FAMILY,)
    return tuple(dict.fromkeys([FAMILY, *(font for c in text if (font := _font_of(c)))]))


def program_fonts_of(text: str) -> tuple[str, ...]:
    """Return the fonts beside Source Sans 3 that a text needs, of those that the program brings."""
    return tuple(family for family in fonts_of(text) if family in _OWN)


def path_of(family: str) -> Path:
    """Return the file of a font."""
    return Path(_path(family))


def borrowed(text: str) -> bool:
    """Return whether a letter of `text` is in none of the program's fonts and of matplotlib's own."""
    if text.isascii():
        return False
    return any(all(ord(c) not in _letters_of(family) for family in (FAMILY, *_OWN)) for c in set(text))


def joined(text: str) -> bool:
    """Return whether a text has letters of a script that joins or reorders them, or runs from the right."""
    return any(font.startswith("Noto Sans ") for font in fonts_of(text))


_JOINERS = "\u200c\u200d"
"""Letters without a shape of their own that say how their neighbours join, as Persian and Hindi need them."""


def _drawn(before: str, letter: str) -> bool:
    """Return whether a letter can be drawn after another."""
    if letter in _JOINERS:  # elsewhere it would be unseen, and two names would look alike
        return before != "" and script(before) in _JOINED
    if unicodedata.category(letter).startswith("M"):  # a mark is set with the letter before it, in one font
        return any({ord(before or " "), ord(letter)} <= _letters_of(family) for family in families())
    return letter.isprintable() and _font_of(letter) is not None


_JOINED = frozenset(
    [
        "ARABIC",
        "DEVANAGARI",
        "BENGALI",
        "GURMUKHI",
        "GUJARATI",
        "ORIYA",
        "TAMIL",
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "MYANMAR",
        "KHMER",
    ]
)
"""Scripts whose letters join."""


def legible(text: str) -> str:
    r"""Return text that can be drawn: control letters, and letters that no font here has, as their code (\u0f56)."""
    if text.isascii() and text.isprintable():
        return text
    shown = ""
    for c in text:
        shown += c if _drawn(shown[-1:], c) else c.encode("unicode_escape").decode()
    return shown


def script(letter: str) -> str:
    """Return the script of a letter as Unicode's names begin, "DEVANAGARI"; empty where it has no name."""
    return unicodedata.name(letter, "").partition(" ")[0]


def lacking(texts: Iterable[str]) -> str:
    """Return the sentence on scripts whose letters no font here has; empty where all can be printed."""
    letters = {c for text in texts if not text.isascii() for c in text if c.isalpha() and _font_of(c) is None}
    names = sorted({script(c).capitalize() for c in letters} - {""})
    if not names:
        return ""
    return f"No font here has letters of {' and '.join(names)}: their codes are printed instead."


_LOG = logging.getLogger("matplotlib.font_manager")
_FONT: ContextVar[str] = ContextVar("font", default="")


@contextmanager
def set_in(font: str) -> Iterator[None]:
    """Measure and set in another family that is installed here, and where it lacks a letter in those of the program."""
    if font and font not in font_manager.get_font_names():
        close = get_close_matches(font, font_manager.get_font_names(), 3, 0.4)
        near = f"; there is {', '.join(close)}" if close else ""
        raise DisclosureError(f"No font {font!r} is installed here{near}. Leave it out to take the program's own.")
    token, loud = _FONT.set(font), _LOG.level
    if font:
        _LOG.setLevel(logging.ERROR)  # a weight that a family lacks is the next one; nobody can do anything about it
    try:
        yield
    finally:
        _LOG.setLevel(loud)
        _FONT.reset(token)


def faces_of(text: str, weight: Weight, size: float) -> font_manager.FontProperties:
    """Return the fonts that a text is set in."""
    own = f"{FAMILY} Semibold" if weight == "Semibold" else FAMILY
    style: Literal["italic", "normal"] = "italic" if weight == "It" else "normal"
    if font := _FONT.get():
        thick = 600 if weight == "Semibold" else 400
        return font_manager.FontProperties(family=[font, own, *fonts_of(text)], style=style, weight=thick, size=size)
    return font_manager.FontProperties(family=[own, *fonts_of(text)], style=style, size=size)


def wide(text: str, size: float, weight: Weight = "Regular") -> float:
    """Return how wide a line of text is, mm, with its letters joined as they are drawn.

    Letters of other fonts have some room more: a PNG moves them to whole dots.
    """
    return _wide(text, size, weight, _FONT.get())


def forget() -> None:
    """Forget how wide the lines were that were set: they are texts, names of columns and levels among them."""
    _wide.cache_clear()


@lru_cache(maxsize=8192)
def _wide(text: str, size: float, weight: Weight, font: str) -> float:
    others = [_path(font) for font in fonts_of(text)[1:]]
    faces = [str(FONTS[weight]), *others]
    if font:
        first = font_manager.FontProperties(
            family=font, style="italic" if weight == "It" else "normal", weight=600 if weight == "Semibold" else 400
        )
        faces = [str(font_manager.findfont(first)), *faces]
    face = font_manager.get_font(faces)  # one a thread: a face holds the text that it measures
    face.set_size(100, 72)
    face.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    return float(face.get_width_height()[0]) / 64 / 100 * size * PT * (_ROOM if others else 1)


_ROOM = 1.02


def lead(texts: Iterable[str], usual: float) -> float:
    """Return the distance of lines, in sizes of their type: the usual one, or more for scripts with taller letters."""
    return 1.2 * usual if any(joined(text) for text in texts) else usual


_BREAKS = re.compile(r"(?<=[_/\-])|(?<=\.)(?=[^\W\d])")
"""After these letters a name may break; not within 0.5."""


def wrapped(text: str, room: float, size: float, weight: Weight = "Regular") -> list[str]:
    """Return text in lines no wider than `room` mm; words that are too long are broken, nothing is cut."""
    words: list[str] = []
    for word in legible(text).split(" "):
        parts = _BREAKS.split(word)
        words += [*parts[:-1], parts[-1] + " "]
    lines, line = [], ""
    for word in words:
        while wide(word.rstrip(), size, weight) > room and len(word) > 1:  # a word wider than the column
            cut = max([1, *(i for i in _places(word) if wide(word[:i], size, weight) <= room)])
            if line:
                lines.append(line.rstrip())
                line = ""
            lines.append(word[:cut])
            word = word[cut:]
        if line and wide((line + word).rstrip(), size, weight) > room:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _places(word: str) -> list[int]:
    """Return where a word may be broken: not before a mark that belongs to the letter before it, or that joins it."""
    return [
        i
        for i in range(1, len(word))
        if not unicodedata.category(word[i]).startswith("M")
        and word[i] not in _JOINERS
        and word[i - 1] not in _JOINERS
        and unicodedata.combining(word[i - 1]) != _VIRAMA
    ]


_VIRAMA = 9
"""Unicode's class of the marks that join a consonant to the next."""


def shortened(names: Iterable[str], room: float, size: float, most: int) -> dict[str, str]:
    """Return names, each without its middle where it takes more than `most` lines of `room` mm.

    Those that would then read alike stay whole.
    """
    short = {name: _without_middle(name, room, size, most) for name in names}
    alike = Counter(short.values())
    return {name: cut if alike[cut] == 1 else name for name, cut in short.items()}


def _without_middle(name: str, room: float, size: float, most: int) -> str:
    if len(wrapped(name, room, size)) <= most:
        return name
    ends = [0, *_places(name), len(name)]

    def cut(kept: int) -> str:
        last = bisect_left(ends, len(name) - kept // 2)
        return f"{name[: ends[bisect_right(ends, (kept + 1) // 2) - 1]]}…{name[ends[last] :]}"

    fits, fails = 2, len(name)
    while fails - fits > 1:
        middle = (fits + fails) // 2
        fits, fails = (middle, fails) if len(wrapped(cut(middle), room, size)) <= most else (fits, middle)
    return cut(fits)
