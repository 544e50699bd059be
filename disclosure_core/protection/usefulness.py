"""What synthetic data are still good for: how near all their one- and two-way tables are to the original's.

Every measure is read from the counts of a table's cells, numbers in `GROUPS` groups, missing codes and missing values
levels of their own. Exclusions play no part: what is excluded from a risk is still in the data that people use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from disclosure_core.arrays import Counts
from disclosure_core.counting.measures import over_syntheses
from disclosure_core.data.grouping import holds_infinite
from disclosure_core.data.identifiers import nearly_unique, which
from disclosure_core.data.study import Study
from disclosure_core.data.values import Kind
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.protection.released_codes import as_released
from disclosure_core.protection.table_cells import GROUPS, Table, tables_of_one, tables_of_two

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.engines.study import EngineStudy
    from disclosure_core.protection.safeguards import Protected


MEASURES = ("S_pMSE", "pMSE", "PO50", "MabsDD", "JSD")
"""What a table is measured by; 0 is no difference at all, and S_pMSE 1 what a correct synthesis gives on average."""

GOOD, POOR = 3.0, 10.0
"""S_pMSE below which the authors of synthpop read a table as good, and above which as poor: their rule of thumb."""

LeftOut = tuple[tuple[str, ...], tuple[str, ...]]
"""Columns in no table: those that look like identifiers, and those with infinite values."""

ONE_CELL = NotEvaluated(
    "All records are in one cell of this table, so that there is nothing in which the two could differ.",
    "A column with two levels or more.",
)


@dataclass(frozen=True, eq=False, repr=False)
class Usefulness:
    """The measures of every table.

    Attributes
    ----------
    columns
        The columns, in the order of the data.
    n_syntheses
        m.
    tables
        A row a table and synthesis: first and second, the columns (second empty for a table of one); synthesis, 1 … m;
        cells, how many hold a record of either file; then `MEASURES`: S_pMSE and pMSE ratios, PO50 percentage points,
        MabsDD a share of the synthetic records, JSD bits. S_pMSE is NaN where a table has one cell (`ONE_CELL`).
    identifiers
        Columns that are nearly unique, and in no table: their numbers are others in each file, and a
        mean over all tables would tell of little else.
    infinite
        Columns with infinite values, which no group of numbers holds; they are in no table either.
    """

    columns: tuple[str, ...]
    n_syntheses: int
    tables: pd.DataFrame
    identifiers: tuple[str, ...] = ()
    infinite: tuple[str, ...] = ()

    @property
    def without(self) -> str:
        """Which columns are in no table, as sentences; empty where all are."""
        infinite = f"which {'holds' if len(self.infinite) == 1 else 'hold'} infinite values"
        why = ((self.identifiers, which(len(self.identifiers))), (self.infinite, infinite))
        return " ".join(f"In no table: {', '.join(map(repr, names))}, {said}." for names, said in why if names)

    @cached_property
    def by_table(self) -> pd.DataFrame:
        """A row a table, means over the syntheses: first, second, cells, `MEASURES`, min and max of S_pMSE."""
        found = self.tables.groupby(["first", "second"], sort=False)
        means = found[["cells", *MEASURES]].mean().reset_index()
        spread = found["S_pMSE"].agg(["min", "max"])
        return means.assign(min=spread["min"].to_numpy(), max=spread["max"].to_numpy())

    def of(self, first: str, second: str = "", measure: str = "S_pMSE", synthesis: int = 0) -> float | NotEvaluated:
        """Return one figure of one table, whichever way round its columns are named; synthesis 0 is the mean.

        Raises
        ------
        DisclosureError
            When there is no such table, or no such measure.
        """
        if measure not in MEASURES:
            raise DisclosureError(f"There is no measure {measure!r}; choose one of {', '.join(MEASURES)}.")
        rows = self.by_table if synthesis == 0 else self.tables[self.tables["synthesis"] == synthesis]
        for a, b in ((first, second), (second, first)):
            here = rows[(rows["first"] == a) & (rows["second"] == b)]
            if len(here):
                figure = float(here[measure].iloc[0])
                return ONE_CELL if np.isnan(figure) else figure
        named = f"{first!r} by {second!r}" if second else repr(first)
        raise DisclosureError(f"There is no table of {named}; name columns that both sides have.")

    def overall(self, ways: int | None = None) -> pd.DataFrame:
        """Return a row a synthesis: mean and largest S_pMSE over all tables of `ways` columns.

        Parameters
        ----------
        ways
            1 or 2; None takes tables of two columns where there are any.

        Returns
        -------
        DataFrame
            Index synthesis, 1 … m; mean, largest: ratios, NaN where no table has an answer; tables, how many were
            measured; not_evaluated, how many had one cell.
        """
        two = self.tables["second"] != ""
        wanted = two if (self.ways if ways is None else ways) == 2 else ~two
        found = self.tables[wanted].groupby("synthesis")["S_pMSE"]
        frame = pd.DataFrame(
            {"mean": found.mean(), "largest": found.max(), "tables": found.count(), "not_evaluated": found.size()}
        ).reindex(pd.RangeIndex(1, self.n_syntheses + 1, name="synthesis"))
        counted = frame[["tables", "not_evaluated"]].fillna(0).astype(int)
        return frame.assign(tables=counted["tables"], not_evaluated=counted["not_evaluated"] - counted["tables"])

    @property
    def ways(self) -> int:
        """How many columns the tables have that a synthesis is judged by: 2 where there are such tables."""
        return 2 if (self.tables["second"] != "").any() else 1

    @property
    def how_many(self) -> tuple[int, int, int]:
        """How many tables of the ways judged by have an answer in some synthesis, in none, and in some but not all."""
        rows = self.tables[(self.tables["second"] != "") == (self.ways == 2)]
        share = rows["S_pMSE"].notna().groupby([rows["first"], rows["second"]]).mean()
        return int((share > 0).sum()), int((share == 0).sum()), int(((share > 0) & (share < 1)).sum())

    @property
    def mean(self) -> float:
        """Mean over the syntheses of the mean S_pMSE over their tables; NaN where one has no table with an answer."""
        return float(over_syntheses(self.overall()["mean"].to_numpy())["mean"])

    def matrix(self, measure: str = "S_pMSE") -> pd.DataFrame:
        """Return columns × columns, the mean over the syntheses; on the diagonal each column alone; NaN: no answer."""
        at = {name: i for i, name in enumerate(self.columns)}
        values = np.full((len(at), len(at)), np.nan)
        rows = self.by_table
        seconds = rows["second"].where(rows["second"] != "", rows["first"])
        i, j = rows["first"].map(at).to_numpy(), seconds.map(at).to_numpy()
        values[i, j] = values[j, i] = rows[measure].to_numpy()
        return pd.DataFrame(values, index=list(at), columns=list(at))

    def worst(self, n: int = 10) -> pd.DataFrame:
        """Return the `n` rows of `by_table` of the ways judged by with the largest S_pMSE, largest first."""
        rows = self.by_table[(self.by_table["second"] != "") == (self.ways == 2)]
        return rows.dropna(subset="S_pMSE").nlargest(n, "S_pMSE", keep="first").reset_index(drop=True)


def usefulness(study: AnyStudy, *, named: Sequence[str] | None = None, progress: Progress | None = None) -> Usefulness:
    """Return the measures of all one- and two-way tables.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    named
        Columns to measure; by default all that are not nearly unique.
    progress
        Called now and then with the tables measured and how many there are; what it raises ends it.

    Raises
    ------
    DisclosureError
        When a column is not in the data.

    Source
    ------
    Raab, Nowok and Dibben, Assessing, visualizing and improving the utility of synthetic data (2021); Snoke, Raab,
    Nowok, Dibben and Slavković, General and specific utility measures for synthetic data (2018).

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Study
    >>> len(usefulness(Study(frame, [frame])).tables)
    3
    """
    for name in named or ():
        study.column(name)
    names, left_out = judged_by(study) if named is None else (study.in_data_order(named), ((), ()))
    if isinstance(study, Study):
        columns = [study.grouped(name, GROUPS)[0] for name in names]
        return usefulness_of(columns, tables_of_two(columns), left_out, progress)
    there = cast("EngineStudy", study)
    there.prepare(names)
    grouped = [there.grouped(name, GROUPS)[0] for name in names]
    return usefulness_of(grouped, there.counted_pairs(grouped), left_out, progress)


def judged_by(study: AnyStudy) -> tuple[tuple[str, ...], LeftOut]:
    """Return the columns that tables are made of, and the others: look like identifiers, and hold infinite values."""
    infinite = tuple(name for name in study.columns if _cannot_be_grouped(study, name))
    finite = tuple(name for name in study.columns if name not in infinite)
    passed_over = tuple(name for name in nearly_unique(study) if name in finite)
    names = tuple(name for name in finite if name not in passed_over)
    return (names, (passed_over, infinite)) if names else (finite or tuple(study.columns), ((), infinite))


def _cannot_be_grouped(study: AnyStudy, name: str) -> bool:
    """Whether infinite values keep a number out of `GROUPS` groups; few values stay levels."""
    column = study.columns[name]
    if column.kind is not Kind.NUMBER:
        return False
    special = study.is_missing_code(name)
    there = column.counts[:, :-1][:, ~special].any(axis=0)
    return int(there.sum()) > GROUPS and holds_infinite(column.values[~special])


def usefulness_after(study: Study, protected: Protected, progress: Progress | None = None) -> Usefulness:
    """Return the usefulness of safer syntheses, against the original as it is and in the tables of `study`.

    Both sides seen through a rule that makes values coarser would look as alike as before, or more: what the rule took
    away would not be seen. So the original stays as it is, and so do the groups of numbers, and every chain of
    safeguards is measured by the same tables. A changed number counts in the group of the number nearest to it that
    the data hold; an interval stands for the median of the numbers in it; a level that several were merged into is one
    that the original does not have; what is blanked is missing.

    Parameters
    ----------
    study
        The data as they came, before any step.
    protected
        What `protect` made of them.
    """
    kept = [change.rows for change in protected.changes]
    names, left_out = judged_by(study)
    columns = [as_released(study, protected.study, name, kept, GROUPS) for name in names]
    return usefulness_of(columns, tables_of_two(columns), left_out, progress)


def measures_of(d: Counts, s: Counts, n_d: int, n_s: int) -> tuple[float, ...]:
    """Return the number of cells, and `MEASURES`, of one table.

    Parameters
    ----------
    d, s
        Shape (n_cells,): original and synthetic records; cells with neither are passed over.
    n_d, n_s
        Their sums.

    Source
    ------
    Raab, Nowok and Dibben (2021), Table 1; the same as R's synthpop 1.9-3, utility.tab.
    """
    held = (d + s) > 0
    d, s = d[held], s[held]
    cells = d.size
    total = n_d + n_s
    c = n_s / total
    expected = d * (n_s / n_d)
    apart = s - expected
    vw = float((apart**2 / (c * (s + d))).sum())
    more = s * n_d > d * n_s  # s/N_s > d/N_d, in whole numbers
    right = int(np.where(more, s, d).sum())
    p, r = d / n_d, s / n_s
    h = (p + r) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.where(d > 0, p * np.log2(p / h), 0.0) + np.where(s > 0, r * np.log2(r / h), 0.0)
    return (
        cells,
        vw / (cells - 1) if cells > 1 else np.nan,
        vw * c * (1 - c) ** 2 / total,
        100 * right / total - 50,
        float(np.abs(apart).sum()) / n_s,
        float(bits.sum()) / 2,
    )


def usefulness_of(
    columns: Sequence[Variable], pairs: Iterator[Table], left_out: LeftOut, progress: Progress | None
) -> Usefulness:
    """Return the measures of the tables of each of these columns, which are grouped already, and of `pairs` of them."""
    if not columns:
        raise DisclosureError("Name at least one column.")
    n_original, *n_synthetic = columns[0].counts.sum(axis=1).tolist()
    m, n_tables = len(n_synthetic), len(columns) * (len(columns) + 1) // 2
    names, figures = [], np.empty((n_tables * m, 1 + len(MEASURES)))
    for at, (first, second, counts) in enumerate(chain(tables_of_one(columns), pairs)):
        if progress is not None and at % 50 == 0:
            progress(at, n_tables)
        for i, (d, s) in enumerate(counts):
            figures[at * m + i] = measures_of(d, s, n_original, n_synthetic[i])
        names += [(first, second)] * m
    if progress is not None:
        progress(n_tables, n_tables)
    frame = pd.DataFrame(names, columns=["first", "second"])
    frame["synthesis"] = np.tile(np.arange(1, m + 1), n_tables)
    frame["cells"] = figures[:, 0].astype(np.int64)
    frame[list(MEASURES)] = figures[:, 1:]
    return Usefulness(tuple(column.name for column in columns), m, frame, *left_out)
