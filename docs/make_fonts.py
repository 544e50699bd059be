"""Make the fonts in `assets/fonts` for scripts that Source Sans 3 lacks: Noto Sans at weight 400, Droid Sans Fallback.

They come from the wheel manimgx-fonts 2026.9.26 (variable Noto Sans) and Debian's fonts-droid-fallback 6.0.1r16:

    python docs/make_fonts.py UNPACKED_WHEEL/manimgx_fonts UNPACKED_DEB/usr/share/fonts-droid-fallback/truetype
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

SCRIPTS = (
    "Arabic", "Armenian", "Bengali", "Devanagari", "Ethiopic", "Georgian", "Gujarati", "Gurmukhi", "Hebrew", "Kannada",
    "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai",
)  # fmt: skip


KERNED = ("Ethiopic",)
"""Scripts whose kerning is left out: of Ethiopic it is more than two thirds of the font."""


def lean(font: TTFont, *, kerning: bool = True) -> TTFont:
    """Return a font without hints and without tables that only a variable font has use for."""
    options = Options(
        hinting=False, layout_features=["*"], name_IDs=["*"], notdef_outline=True, glyph_names=False
    )  # fmt: skip
    if not kerning:
        there = [record.FeatureTag for table in ("GSUB", "GPOS") if table in font
                 for record in font[table].table.FeatureList.FeatureRecord]  # fmt: skip
        options.layout_features = sorted({*there} - {"kern"})
    options.drop_tables += ["STAT", "MVAR", "HVAR", "avar", "DSIG", "vhea", "vmtx"]  # no line runs down here
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    return font


def main(noto: Path, droid: Path) -> None:
    """Write the fonts that are made of those in two folders."""
    here = Path(__file__).parents[1] / "assets/fonts"
    for script in SCRIPTS:
        font = instantiateVariableFont(TTFont(noto / f"NotoSans{script}[wght].ttf"), {"wght": 400})
        lean(font, kerning=script not in KERNED).save(here / f"NotoSans{script}-Regular.ttf")
    lean(TTFont(droid / "DroidSansFallback.ttf")).save(here / "DroidSansFallback.ttf")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
