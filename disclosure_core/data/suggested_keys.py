"""Keys that columns suggest by their names: what neighbours and colleagues commonly know of a person.

A suggestion and no more: who could look, and what they have, only the office can say (docs/choosing-keys.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.data.study import AnyStudy

MOST_LEVELS = 150
"""A column with more levels is hardly known exactly: an age in years has about a hundred."""

MOST_KEYS = 4
"""So many are suggested at most: with more, their exact combination hardly occurs in the synthetic data."""

COMMON = {
    "the sex": ("sex gender sexe geschlecht sexo kjonn kjønn kon kön płeć plec genere geslacht"),
    "the age": (
        "age agegr agegroup agep alter altersgruppe edad idade alder ålder eta età leeftijd wiek birthyear yob"
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
        "education edu educ degree school schooling qualification bildung schulabschluss diplome educacion "
        "utdanning utbildning wyksztalcenie opleiding"
    ),
    "the origin": (
        "nationality citizenship country nativecountry birthplace ethnicity race language mothertongue religion"
    ),
}
"""What is commonly known, in the order in which it is suggested, and how columns that hold it are called."""


@dataclass(frozen=True, slots=True)
class SuggestedKey:
    """A column that an intruder commonly knows, and why it is suggested."""

    column: str
    reason: str


def suggest_keys(study: AnyStudy, labels: Mapping[str, str] | None = None) -> tuple[SuggestedKey, ...]:
    """Return up to `MOST_KEYS` columns that neighbours and colleagues commonly know, one of each kind in `COMMON`.

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
        said = [{name: _words(name) for name in study.columns},
                {name: _words(label) for name, label in (labels or {}).items()}]  # fmt: skip
        likely = (n for each in said for n, own in each.items() if names & own and n in study.columns)
        for name in likely:
            column = study.columns[name]
            if name not in taken and 2 <= column.n_levels <= MOST_LEVELS:
                label = f" ({labels[name]})" if labels and name in labels else ""
                reason = f"{what} is commonly known; the column{label} has {column.n_levels} levels"
                found.append(SuggestedKey(name, f"{reason[:1].upper()}{reason[1:]}."))
                break
    return tuple(found[:MOST_KEYS])


def _words(name: str) -> set[str]:
    """Return the words of a column's name in small letters, and all of them written as one."""
    words = [w.casefold() for w in re.findall(r"[^\W\d_]+\d*", re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name))]
    return {*words, "".join(words)}
