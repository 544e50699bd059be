"""The fonts of a report as HTML: only the letters that it uses, within the file, so that it looks alike everywhere."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from disclosure_core.figures.letters import FAMILY, FONTS, path_of, program_fonts_of

_ALWAYS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "–—−‘’“”„…×≤≥≠≈τκδχη²"
"""What the template, a sentence, or a name in a language of Europe prints: the fonts of these letters are made once."""

_FEATURES = ("kern", "liga", "clig", "calt", "ccmp", "locl", "mark", "mkmk", "rlig", "tnum", "lnum")
"""What a page makes use of in Source Sans 3, of 60; a font of another script keeps all that it has."""


class Face(NamedTuple):
    """A font within the file: its family and weight as CSS names them, and WOFF in base64."""

    family: str
    weight: int
    data: str


def faces(texts: Iterable[str]) -> list[Face]:
    """Return the fonts that texts need, of those that the program brings; letters that none has are the browser's."""
    letters = "".join(sorted({*_ALWAYS, *"".join(texts)}))
    found = [
        Face(FAMILY, weight, _subset(FONTS[name], letters, _FEATURES))
        for name, weight in (("Regular", 400), ("Semibold", 600))
    ]
    return found + [
        Face(family, 400, _subset(path_of(family), letters, ("*",))) for family in program_fonts_of(letters)
    ]


@lru_cache(maxsize=32)
def _subset(path: Path, letters: str, features: tuple[str, ...]) -> str:
    from fontTools import subset, ttLib

    options = subset.Options(flavor="woff", layout_features=features, hinting=False, notdef_outline=True)
    options.no_subset_tables += [
        "name"
    ]  # to see which names the letters need takes a third of the time: two are enough
    font = ttLib.TTFont(path, recalcTimestamp=False)
    font["name"].names = [said for said in font["name"].names if said.nameID in (1, 2)]
    cut = subset.Subsetter(options)
    cut.populate(text=letters)
    cut.subset(font)
    font.flavor = "woff"
    sink = io.BytesIO()
    font.save(sink, reorderTables=False)
    return base64.b64encode(sink.getvalue()).decode()
