"""Keys that columns suggest by their names: what neighbours and colleagues commonly know of a person.

A suggestion and no more: who could look, and what they have, only the office can say (docs/choosing-keys.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy

MOST_LEVELS = 150
"""A column with more levels is hardly known exactly: an age in years has about a hundred."""

MOST_KEYS = 4
"""So many are suggested at most: with more, their exact combination hardly occurs in the synthetic data."""

COMMON = {
    "the sex": ("sex gender sexe geschlecht sexo kjonn kjønn kon kön płeć plec genere geslacht"),
    "the age": (
        "age agegr agegroup agep alter altersgruppe edad idade alder ålder eta età leeftijd wiek birthyear yob "
        "yearofbirth born birthdate dateofbirth birthday dob geburtsjahr geburtsdatum"
    ),
    "where somebody lives": (
        "region province county municipality district state place placesize city town area settlement nuts "
        "nuts2 nuts3 land bundesland canton kanton departement kommune fylke provincia regione regio "
        "wojewodztwo puma"
    ),
    "the work": (
        "employment employed occupation occup job profession socprof work workclass employstat industry "
        "sector beruf travail emploi ocupacion yrke stilling zawod beroep"
    ),
    "the family": (
        "marital maritalstatus civilstatus married marriage mar familienstand etatcivil estadocivil "
        "sivilstand civilstand relationship household hhsize householdsize children"
    ),
    "the education": (
        "education edu educ degree schooling qualification bildung schulabschluss diplome educacion "
        "utdanning utbildning wyksztalcenie opleiding"
    ),
    "the origin": (
        "nationality citizenship country nativecountry birthplace ethnicity race language mothertongue religion"
    ),
}
"""What is commonly known, in the order in which it is suggested, and how columns that hold it are called."""

_PLAIN_WORDS = (
    "the a an of own your his her respondent respondents person persons individual head code codes category "
    "categories cat class classes group groups grp gr grouped level levels status type kind value values recode "
    "recoded derived years year yrs completed highest attained current currently present last usual main "
    "principal total number no var variable q d s syn r"
)
"""Words beside such a name that make it no other thing: "age in years", "highest level of education"."""

_PLAIN = frozenset(_PLAIN_WORDS.split())

_PARTS = re.compile(r"\b(?:of|in|at|by|for|from|to|per|on|with)\b|[(:,;/-]")
"""Where a label turns to something else: the school in "Distance to the school" is not what the column holds."""


@dataclass(frozen=True, slots=True)
class SuggestedKey:
    """A column that an intruder commonly knows, and why it is suggested."""

    column: str
    reason: str


def suggest_keys(study: AnyStudy, labels: Mapping[str, str] | None = None) -> tuple[SuggestedKey, ...]:
    """Return up to `MOST_KEYS` columns that neighbours and colleagues commonly know, one of each kind in `COMMON`.

    At least one column is left, as the target.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    labels
        By column, what the file says that it holds: it counts where no column's name says as much.
    """
    found: list[SuggestedKey] = []
    for what, words in COMMON.items():
        names, taken = set(words.split()), {one.column for one in found}
        by_name = (name for name in study.columns if _names(name, names))
        by_label = (name for name, label in (labels or {}).items() if name in study.columns and _speaks(label, names))
        likely = (*by_name, *by_label)
        for name in likely:
            column = study.columns[name]
            if name not in taken and 2 <= column.n_levels <= MOST_LEVELS:
                label = f" ({labels[name]})" if labels and name in labels else ""
                reason = f"{what} is commonly known; the column{label} has {column.n_levels} levels"
                found.append(SuggestedKey(name, f"{reason[:1].upper()}{reason[1:]}."))
                break
    return tuple(found[: min(MOST_KEYS, len(study.columns) - 1)])


def _names(name: str, known: set[str]) -> bool:
    """Return whether a column's name says what is known, and nothing more: "work_hours" are hours."""
    words = _words(name)
    return "".join(words) in known or _all_known(words, known)


def _speaks(label: str, known: set[str]) -> bool:
    """Return whether a label says so in the first part of it that says anything."""
    parts = (_words(part) for part in _PARTS.split(label.casefold()))
    first: list[str] = next((words for words in parts if set(words) - _PLAIN), [])
    return _all_known(first, known)


def _all_known(words: list[str], known: set[str]) -> bool:
    """Return whether some of the words are known, and all others say nothing of their own."""
    return bool(known & {*words}) and {*words} <= known | _PLAIN


def _words(name: str) -> list[str]:
    """Return the words of a column's name, in small letters."""
    return [w.casefold() for w in re.findall(r"[^\W\d_]+\d*", re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name))]
