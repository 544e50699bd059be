"""Which files belong to one set of syntheses: by folder, by archive, by their names, or as somebody says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from disclosure_core.errors import DisclosureError
from disclosure_core.review.parts import SYNTHETIC

LONGEST = 60
"""Letters of a set's name."""

_ENDINGS = re.compile(
    r"(\.(csv|tsv|tab|txt|dat|xlsx?|ods|sav|zsav|por|dta|sas7bdat|xpt|rds|rda|rdata|parquet|arrow"
    r"|feather|ipc|zip|gz|bz2|xz))+$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<=[^\W\d_])[\s_.-]*\(?\d+\)?$|[\s_.-]+\(?\d+\)?$")
_ARCHIVE = re.compile(r"\.zip$", re.IGNORECASE)


def suggested(names: Sequence[str]) -> tuple[str, ...]:
    """Return, for each file, the name of the set that it seems to belong to.

    Files in several folders: the folder. Else an archive is a set of its own, and so are files whose names differ in
    nothing but a number at the end: `cart_1.csv` and `cart_2.csv` are “cart”. Where that makes one set, or sets each
    file apart, all are one set, as if nothing were known.
    """
    paths = [PurePosixPath(name.replace("\\", "/")) for name in names]
    folders = [path.parent.name for path in paths]
    if len(set(folders)) > 1 and all(folders):
        return tuple(_short(folder) for folder in folders)
    stems = [_stem(path.name) for path in paths]
    archives = sum(bool(_ARCHIVE.search(path.name)) for path in paths)
    alone = len(set(stems)) == len(stems) and archives < len(stems)
    if len(set(stems)) < 2 or alone:
        return (SYNTHETIC,) * len(names)
    return tuple(_short(stem) for stem in stems)


def grouped(names: Sequence[str]) -> dict[str, list[int]]:
    """Return, by the name of a set in order of its first file, the places of its files."""
    sets: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        name = " ".join(str(name).split())
        if not 0 < len(name) <= LONGEST:
            raise DisclosureError(f"Give each file a set: a name of 1 to {LONGEST} letters.")
        sets.setdefault(name, []).append(i)
    return sets


def sentence(sets: Mapping[str, Sequence[object]]) -> str:
    """Return which sets there are, in words."""
    return "; ".join(f"{name}: {len(files)} file{'s' * (len(files) > 1)}" for name, files in sets.items())


def _stem(name: str) -> str:
    """Return what files of one set have in common: the name without ending and without a number at its end."""
    stem = _ENDINGS.sub("", name)
    return _NUMBER.sub("", stem).strip(" _.-") or stem


def _short(name: str) -> str:
    return name[:LONGEST].strip() or SYNTHETIC
