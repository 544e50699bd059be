"""What the synthetic data are good for: how near every table of one and two columns is to the original's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from disclosure_core.asking import Parameters
from disclosure_core.comparison.sentences import reading
from disclosure_core.data.typeset import Column
from disclosure_core.figures import table_usefulness
from disclosure_core.protection.table_cells import GROUPS
from disclosure_core.results.declared import Drawn, Result
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.review.inputs import Inputs
from disclosure_core.rounding import fixed
from disclosure_core.verify import useful

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.figures.table_usefulness import HeatPlot
    from disclosure_core.protection.usefulness import Usefulness

AT_ONCE = 200_000_000
"""Tables times records up to which nobody is asked to wait: a second or so."""

WORST = 12
"""Tables that are printed, those with the largest S_pMSE."""


def is_quick(study: AnyStudy, times: int = 1) -> bool:
    """Return whether the tables of every two columns are counted, so many times over, before anybody has to wait."""
    n, records = len(study.columns), study.n_original + sum(study.n_synthetic)
    return study.holds_records and n * (n + 1) // 2 * records * times <= AT_ONCE


def _again(counter: Counter, rows: Sequence[Row]) -> Counted:
    data = counter.in_groups(GROUPS)
    if data is None:
        return {}
    found = {}
    for first, second in rows:
        names = [first, second] if second else [first]
        if all(name in data.columns and name not in data.unread for name in names):
            found[first, second] = useful.table(data, names)
    return found


def _worst(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the tables with the largest S_pMSE: of two columns, where there are such."""
    of_two = frame["second"] != ""
    rows = frame[of_two == of_two.any()].dropna(subset="S_pMSE").nlargest(WORST, "S_pMSE", keep="first")
    return rows[["first", "second", "S_pMSE", "min", "max", "MabsDD"]].reset_index(drop=True)


TABLE = Table(
    "table_usefulness",
    "How near each table of one or two columns is to the original's, means over the syntheses",
    {
        "first": Column("Column", kind="text"),
        "second": Column("By", kind="text", says="Empty for the column alone."),
        "cells": Column("cells", digits=1, says="With a record of either file."),
        "S_pMSE": Column("S_pMSE", says="1 is what a correct synthesis gives on average; none of a table of one cell."),
        "pMSE": Column("pMSE", digits=6),
        "PO50": Column("PO50", "percentage points"),
        "MabsDD": Column("MabsDD", "share of the synthetic records", 3),
        "JSD": Column("JSD", "bits", 4),
        "min": Column("smallest S_pMSE"),
        "max": Column("largest S_pMSE"),
    },
    ("first", "second"),
    "S_pMSE",
    printed=_worst,
    again=_again,
)


class TableUsefulness(Result[Parameters]):
    """How near every table of one and two columns is to the original's.

    Attributes
    ----------
    found
        As of `protection.usefulness`.
    synthesis_set
        The set of syntheses that it is of.
    unmet
        Columns whose values do not meet: their tables compare how values are written.
    """

    short: ClassVar = "usefulness"
    about: ClassVar = "The release"
    question: ClassVar = "How useful is each table of two columns?"
    title: ClassVar = "Usefulness of every table"
    purpose: ClassVar = "Measure how near each table is to the original's."
    reads: ClassVar = (
        "How near each table of one or two columns is to the original's. S_pMSE of 1 is what a correct synthesis gives "
        "on average; the authors of synthpop read below 3 as good and above 10 as poor, which is their rule of thumb."
    )
    formula: ClassVar = (
        "Numbers are put into 5 groups; missing codes and missing values are levels of their own. S_pMSE is the "
        "propensity score's mean squared error, over what a correct synthesis would give. Exclusions do not touch it: "
        "what is excluded from a risk is still in the data that people use. A table of one cell is not evaluated. "
        "Every formula stands in *The measures, exactly* (section 11) on the Glossary page."
    )
    asks: ClassVar = Parameters
    tables: ClassVar = (TABLE,)
    drawn: ClassVar = Drawn("usefulness", "Usefulness of every table of two columns", unasked=True)
    usual: ClassVar = False

    def __init__(self, asked: Parameters, found: Usefulness, synthesis_set: str, unmet: Sequence[str]) -> None:
        self.asked, self.found, self.synthesis_set, self.unmet = asked, found, synthesis_set, tuple(unmet)

    @classmethod
    def takes_long(cls, data: Inputs, asked: Parameters) -> bool:  # noqa: ARG003 (it asks nothing)
        """Return whether there are many tables of many records, which nobody counted yet."""
        return not (is_quick(data.study) or data.through(lambda opened: opened.usefulness_is_kept()))

    @classmethod
    def make(cls, data: Inputs, asked: Parameters, progress: Progress | None = None) -> TableUsefulness:
        """Return the measures of every table."""
        parts = (Inputs.study, Inputs.columns, Inputs.adopted)
        found = data.through(lambda opened: opened.usefulness(None, progress), *parts)
        return cls(asked, found, data.synthesis_set, [name for name in data.unmet if name in found.columns])

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return a row a table."""
        return {TABLE.name: self.found.by_table}

    def sentences(self) -> list[str]:
        """Say the mean and the largest S_pMSE, and what is in no table or not evaluated."""
        n, none, some = self.found.how_many
        ways = "two" if self.found.ways == 2 else "one"
        judged = "not judged" if self.unmet else reading(self.found.mean) or "no answer"
        said = [
            f"Mean S_pMSE over {n:,} {ways}-way table{'s' * (n != 1)}: {fixed(self.found.mean)} ({judged}); "
            f"the largest {self._largest()}.",
            _of_one_cell(none, ", and", ""),
            _of_one_cell(some, " in some of the syntheses, and", " there"),
            self.found.without,
        ]
        return [each for each in said if each]

    def figure(self) -> HeatPlot:
        """Return the squares of all tables, the poorest column first."""
        return table_usefulness.describe(self.found, self.synthesis_set)

    def _largest(self) -> str:
        """Say the largest S_pMSE of a table, as the list of tables has it, and of a table of one synthesis."""
        worst = self.found.worst(1)
        if not len(worst):
            return "has no answer"
        mean, one = fixed(worst["S_pMSE"].iloc[0]), fixed(self.found.overall()["largest"].max())
        return f"is {mean}" + (f", in one synthesis {one}" if one != mean else "")


def _of_one_cell(n: int, when: str, where: str) -> str:
    """Say how many tables have one cell, and when and where they are not evaluated; empty where none has."""
    if not n:
        return ""
    return f"{n:,} {'has' if n == 1 else 'have'} one cell{when} {'is' if n == 1 else 'are'} not evaluated{where}."
