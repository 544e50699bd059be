"""How a column is named to a person: by its name, and where it is introduced by what its file says that it holds.

SPSS, Stata, SAS and R files keep a label a column. The name stays the identity: in figures, settings and scripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy

LONGEST = 60
"""Letters of a label beside a name; the table of columns has all of it."""

LONGEST_NAME = 32
"""Letters of a name where one is chosen from a list; a chip or a list would cut off its end."""


@dataclass(frozen=True, slots=True)
class Introduced:
    """What a reader is told of a column before its figures.

    Attributes
    ----------
    name, role
        Its name; "key" or "target".
    label
        What its file says that it holds; empty where it says nothing.
    missing
        Its levels that count as missing, besides empty cells.
    """

    name: str
    role: str
    label: str
    missing: tuple[str, ...]


def named(name: str, labels: Mapping[str, str], longest: int = LONGEST) -> str:
    """Return a column's name with its label, cut to `longest` letters; the name alone where it has none."""
    label = " ".join(labels.get(name, "").split())
    if not label or label.casefold() == name.casefold():
        return name
    return f"{name} · {label if len(label) <= longest else label[: longest - 1] + '…'}"


def introduced(
    study: AnyStudy, labels: Mapping[str, str], keys: Iterable[str], targets: Iterable[str]
) -> tuple[Introduced, ...]:
    """Return the keys and targets that have a label, or levels that count as missing, in their order."""
    roles = [*((name, "key") for name in keys), *((name, "target") for name in targets)]
    found = []
    for name, role in roles:
        if name in study.columns:
            column = study.columns[name]
            missing = tuple(column.label(code) for code in column.missing_levels)
            found.append(Introduced(name, role, labels.get(name, ""), missing))
    return tuple(each for each in found if each.label or each.missing)


def table(columns: Iterable[Introduced]) -> pd.DataFrame:
    """Return them as a table: column, role, label, and what counts as missing as one text."""
    rows = [(each.name, each.role, each.label, ", ".join(each.missing)) for each in columns]
    return pd.DataFrame(rows, columns=["column", "role", "label", "counts_as_missing"])


def middle_cut(name: str, longest: int) -> str:
    """Return a name, without its middle where it is longer: its end may be what tells it apart."""
    return name if len(name) <= longest else f"{name[: longest // 2]}…{name[len(name) - (longest - 1) // 2 :]}"


def cut(names: Iterable[str], longest: int) -> dict[str, str]:
    """Return each name, without its middle where it has more than `longest` letters.

    The end often tells columns apart. Names that would then read alike are cut elsewhere, so that none does; where
    no cut tells them apart, they stay whole.

    Examples
    --------
    >>> cut(["income_of_the_household_2023", "income_of_the_household_2024", "age"], 16)["income_of_the_household_2024"]
    'income_o…ld_2024'
    >>> cut(["question_1_about_income", "question_2_about_income"], 16)["question_2_about_income"]
    'question_2_abou…'
    """
    names = list(dict.fromkeys(names))
    short = {n: middle_cut(n, longest) for n in names}
    for way in (_end_cut, _start_cut, lambda name, _: name):
        alike = Counter(short.values())
        short = {n: s if alike[s] == 1 else way(n, longest) for n, s in short.items()}
    return short


def _end_cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _start_cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"…{name[len(name) - longest + 1 :]}"
