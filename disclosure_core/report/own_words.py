"""What is said before a shareable report is made: texts of the officer's own that name few people's levels, and versions.

They are printed as they were written, and no rounding protects them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from disclosure_core.review.forms import Version

if TYPE_CHECKING:
    from disclosure_core.report.source import Report
    from disclosure_core.review.opened import Opened


def texts_naming_few(source: Report) -> tuple[str, ...]:
    """Return which of the officer's own texts name a level that few records have: they are printed as written.

    Names of files, key sets, sets of syntheses and chains of safeguards are such texts, too, and so are the answers
    before membership. A level is few people's where the report itself would not name it.

    Returns
    -------
    tuple
        Such as "the reason for job" or "the title", in the order of the report.
    """
    texts = {"the title": source.title, "the officer's name": source.author}
    files = [*source.files, *([source.holdout] if source.holdout is not None else [])]
    texts |= {f"the name of the file of {f.role}": f.name for f in files}
    texts |= {f"the name of key set {i}": each.name for i, each in enumerate(source.key_sets, 1)}
    texts |= {f"the reason for key set {i}": each.reason for i, each in enumerate(source.key_sets, 1)}
    texts |= {f"the name of set or chain {i}": name for i, name in enumerate(_named(source), 1)}
    texts |= {f"the reason for {name}": text for name, text in source.reasons.items()}
    texts |= {f"“{label}”": text for label, text in source.about.items()}
    asked = source.review.threat_model
    texts |= {"the population": asked.population, "the source of the population's size": asked.source}
    few, key_sets = (
        few_levels(source),
        {f"the reason for key set {i}": k.keys for i, k in enumerate(source.key_sets, 1)},
    )
    of = {where: " ".join(key_sets.get(where, (where,))) for where in texts}
    return tuple(where for where, text in texts.items() if names_few(text, few, of[where]))


def _named(source: Report) -> tuple[str, ...]:
    """Return the names of sets of syntheses and chains of safeguards that a report prints."""
    review, sets = source.review, source.opened.set_names
    compared = "comparison" in review.searched
    chains = (c.name for c in review.chains if c.steps and (compared or c.name == review.chain))
    return (*(sets if len(sets) > 1 else ()), *chains)


def few_levels(source: Report) -> dict[str, set[str]]:
    """Return the levels that few original records have, or none, and the columns that hold them."""
    few: dict[str, set[str]] = {}
    asked, columns = source.review.settings, source.study.columns
    targets = [name for name in columns if name not in asked.keys] if asked.targets is None else asked.targets
    for name in (*(key for key in asked.keys if key in columns), *(name for name in targets if name in columns)):
        column = source.study.columns[name]
        counts = column.counts[0][:-1]
        for i in (counts <= source.smallest).nonzero()[0].tolist():
            few.setdefault(_plainly(column.levels[i]), set()).add(_plainly(name))
    return few


def names_few(text: str, few: Mapping[str, set[str]], of: str = "") -> bool:
    """Return whether a text names such a level, in any spelling of its letters; a number also as people write it, 98,765.

    Parameters
    ----------
    of
        What it is the reason for: a number of that column's levels needs no name of its column.
    """
    text = _VERSION.sub(" ", _plainly(text))
    whole = _THOUSANDS.sub("", text)
    spelt = {text, whole, _DECIMALS.sub(r".\1", whole), _NOUGHTS.sub("", _DECIMALS.sub(r".\1", whole))}
    levels = ((level, names) for level, names in few.items() if level)
    return any(_named_in(each, level, names, _plainly(of)) for level, names in levels for each in spelt)


def _plainly(text: str) -> str:
    """Return a text without what spells the same otherwise: case, accents as letters of their own, wide or unseen letters.

    Digits of any script are ours; dashes, quotation marks and blanks are of one kind each.
    """
    text = unicodedata.normalize("NFKC", text)
    text = "".join(
        str(unicodedata.decimal(c, c)) for c in text if unicodedata.category(c) not in ("Cf", "Cc") or c.isspace()
    )
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"[`´‘’ʼ′]", "'", text))
    return " ".join(unicodedata.normalize("NFKC", text.casefold()).split())


_THOUSANDS = re.compile(r"(?<=\d)[,.'\s_·٬](?=(?:\d{2,3}[,.'\s_·٬])*\d{3}(?!\d))")
"""What stands between the thousands of a number."""

_DECIMALS = re.compile(r"(?<=\d)[,٫](\d+)(?!\d)")
"""A comma before decimals."""

_NOUGHTS = re.compile(r"(?<=\d)\.0+(?!\d)")
"""Decimals that say nothing."""

_VERSION = re.compile(r"\bversion\s+\d[\d.]*")
"""The number of a version is no level."""

_FEW_DIGITS = 4
"""A level of digits alone, up to so many, is any number of a text: it is named only where its column is, too."""


def _named_in(text: str, level: str, columns: Collection[str], of: str) -> bool:
    """Return whether a text names a level of one of these columns."""
    if not _stands_in(text, level):
        return False
    any_number = level.isdigit() and len(level) <= _FEW_DIGITS
    return not any_number or any(_stands_in(each, name) for name in columns for each in (text, of))


def _stands_in(text: str, level: str) -> bool:
    """Return whether a level is in a text with no letter or digit beside it; `re` would keep the level as a pattern."""
    at = text.find(level)
    while at >= 0:
        if not text[:at][-1:].isalnum() and not text[at + len(level) :][:1].isalnum():
            return True
        at = text.find(level, at + 1)
    return False


def version(opened: Opened, smallest: int) -> Version:
    """Return what a shareable report of a review is made of."""
    original, *others = [each.sha256 for each in opened.readings()] or [""]
    out = (opened if opened.stopped() else opened.printed).review.exclusions
    told = (out.target_levels, sorted(out.missing_targets), sorted(out.missing_keys), out.pairs, out.denominator_limit)
    return Version(smallest, original, sha256(repr(told).encode()).hexdigest(), (opened.first_set, *others))


def warning_of_versions(now: Version, made: Iterable[Version]) -> str:
    """Return what is said where others were made of the same original; empty where none differs in more than the limit."""
    of_it = [each for each in made if each.original == now.original and each.exclusions]  # else not known
    other = {
        "other exclusions": any(each.exclusions != now.exclusions for each in of_it),
        "other syntheses": any(each.syntheses != now.syntheses for each in of_it),
    }
    told = " and ".join(what for what, differs in other.items() if differs)
    if not told:
        return ""
    return (
        f"A shareable report was made of the same original with {told}. What changes between both can tell what neither "
        "tells alone, one person's value too. Hand out one of them only."
    )


def warning_of_others(smallest: int, shared: Iterable[int]) -> str:
    """Return what is said where shareable reports were made with other smallest counts; empty where none was.

    Each report rounds the same counts up, to multiples of its own: whoever has two knows each count between both.
    """
    others = ", ".join(f"{n:,}" for n in sorted(set(shared) - {smallest}))
    if not others:
        return ""
    return (
        f"A shareable report was made of this review with another smallest count ({others}). Each rounds the same counts in "
        "another way: a reader of both can work out exact ones, such as that of replicated uniques. Use the same again, or "
        "hand out one of them only."
    )


def warning_of_texts(source: Report) -> str:
    """Return what is said before a shareable report is written that would print such texts; empty where none is there."""
    named = ", ".join(texts_naming_few(source))
    return f"These texts name a level that few people have, and would be printed: {named}." if named else ""
