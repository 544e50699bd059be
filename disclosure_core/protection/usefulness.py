"""What synthetic data are still good for: how near all their one- and two-way tables are to the original's.

Every measure is read from the counts of a table's cells, numbers in `GROUPS` groups, missing codes and missing values
levels of their own. Exclusions play no part: what is excluded from a risk is still in the data that people use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.codes import DENSE
from disclosure_core.counting.count import count, count_pairs
from disclosure_core.counting.measures import over_syntheses
from disclosure_core.counting.settings import Settings
from disclosure_core.data.column import Column, smallest, with_records
from disclosure_core.data.study import Kind
from disclosure_core.data.suggestions import identifiers
from disclosure_core.errors import DisclosureError, NotEvaluated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy, Study
    from disclosure_core.protection.safeguards import Protected

Counts = npt.NDArray[np.int64]

GROUPS = 5
"""Groups into which numbers are put."""

MEASURES = ("S_pMSE", "pMSE", "PO50", "MabsDD", "JSD")
"""What a table is measured by; 0 is no difference at all, and S_pMSE 1 what a correct synthesis gives on average."""

GOOD, POOR = 3.0, 10.0
"""S_pMSE below which the authors of synthpop read a table as good, and above which as poor: their rule of thumb."""

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
        Columns that look like identifiers, and are in no table: their numbers are others in each file, and a
        mean over all tables would tell of little else.
    """

    columns: tuple[str, ...]
    n_syntheses: int
    tables: pd.DataFrame
    identifiers: tuple[str, ...] = ()

    @property
    def without(self) -> str:
        """Which columns are in no table, as a sentence; empty where all are."""
        if not self.identifiers:
            return ""
        names = ", ".join(map(repr, self.identifiers))
        like = "look like identifiers" if len(self.identifiers) > 1 else "looks like an identifier"
        return f"In no table: {names}, which {like}."

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
        Columns to measure; by default all that do not look like identifiers.
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
    """
    for name in named or ():
        study.column(name)
    names, left_out = judged_by(study) if named is None else (study.in_data_order(named), ())
    if study.holds_records:
        columns = [with_records(study.grouped(name, GROUPS)[0]) for name in names]
        return replace(usefulness_of(columns, progress), identifiers=left_out)
    n_tables = len(names) * (len(names) + 1) // 2
    found = measured(names, study.n_original, study.n_synthetic, _of_engine(study, names), n_tables, progress)
    return replace(found, identifiers=left_out)


def judged_by(study: AnyStudy) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that tables are made of, and the others, which look like identifiers."""
    passed_over = identifiers(study)
    names = tuple(name for name in study.columns if name not in passed_over)
    return (names, tuple(passed_over)) if names else (tuple(study.columns), ())


def usefulness_of(columns: Sequence[Column], progress: Progress | None = None) -> Usefulness:
    """Return the measures of all one- and two-way tables of columns that are grouped already."""
    original, *synthetic = _sizes(columns)
    n_tables = len(columns) * (len(columns) + 1) // 2
    names = tuple(column.name for column in columns)
    return measured(names, original, tuple(synthetic), _of_records(columns), n_tables, progress)


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
    found = usefulness_of([_as_released(study, protected.study, name, kept) for name in names], progress)
    return replace(found, identifiers=left_out)


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


def cells_of(study: AnyStudy, first: str, second: str = "", synthesis: int = 0) -> pd.DataFrame:
    """Return one table cell by cell, its largest difference first.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    first, second
        The columns; `second` empty for a table of one.
    synthesis
        1 … m; 0 takes all syntheses together.

    Returns
    -------
    DataFrame
        A row a cell that holds a record: first, and second where there is one, the levels; original and synthetic, in
        % of the records of each side; difference, percentage points; records_original and records_synthetic, counts
        (all syntheses together for 0).

    Raises
    ------
    DisclosureError
        When a column is not there, or the synthesis is not.
    """
    if not 0 <= synthesis <= study.n_syntheses:
        raise DisclosureError(f"There is no synthesis {synthesis}; choose 1 to {study.n_syntheses}, or 0 for all.")
    chosen = [study.grouped(name, GROUPS)[0] for name in ((first, second) if second else (first,))]
    sides = range(1, study.n_syntheses + 1) if synthesis == 0 else [synthesis]
    if len(chosen) == 1:
        counts = chosen[0].counts
        d, s = counts[0], counts[list(sides)].sum(axis=0)
        at: tuple[npt.NDArray[Any], ...] = (np.arange(d.size),)
    elif not study.holds_records:
        groups = {column.name: GROUPS for column in chosen if study.columns[column.name].kind is Kind.NUMBER}
        cells = count(study, Settings(keys=(first,), targets=(second,), groups=groups)).targets[second]
        size = chosen[0].n_codes * chosen[1].n_codes
        d, s = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        for i in sides:
            each = cells[i - 1]
            codes = each.keys.levels[0][each.q].astype(np.int64) * chosen[1].n_codes + each.target
            d[codes] = each.d
            s[codes] += each.s
        at = np.divmod(np.arange(size), chosen[1].n_codes)
    else:
        a, b = (with_records(column) for column in chosen)
        coded = [x.astype(np.int64) * b.n_codes + y for x, y in zip(a.sides, b.sides, strict=True)]
        d, s, codes = _tallied(coded[0], [coded[i] for i in sides], a.n_codes * b.n_codes)
        s, at = s.sum(axis=0), np.divmod(codes, b.n_codes)
    held = (d + s) > 0
    n_s = sum(study.n_synthetic[i - 1] for i in sides)
    original, synthetic = 100 * d[held] / study.n_original, 100 * s[held] / n_s
    named = ("first", "second")[: len(chosen)]
    levels = {
        name: [column.label(int(code)) for code in codes[held]]
        for name, column, codes in zip(named, chosen, at, strict=True)
    }
    frame = pd.DataFrame(
        {
            **levels,
            "original": original,
            "synthetic": synthetic,
            "difference": synthetic - original,
            "records_original": d[held],
            "records_synthetic": s[held],
        }
    )
    return frame.sort_values("difference", key=np.abs, ascending=False, kind="stable", ignore_index=True)


# ---- counting ----

Table = tuple[str, str, "Iterable[tuple[Counts, Counts]]"]
"""A table's columns and, a synthesis, its counts: original, synthetic."""


def measured(
    columns: tuple[str, ...],
    n_original: int,
    n_synthetic: tuple[int, ...],
    tables: Iterator[Table],
    n_tables: int,
    progress: Progress | None,
) -> Usefulness:
    """Return the measures of tables that somebody counted, `n_tables` of them; parameters as of `Usefulness`."""
    m = len(n_synthetic)
    names, figures = [], np.empty((n_tables * m, 1 + len(MEASURES)))
    for at, (first, second, counts) in enumerate(tables):
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
    return Usefulness(columns, m, frame)


def _of_records(columns: Sequence[Column]) -> Iterator[Table]:
    """Yield each column's table, then each pair's."""
    for column in columns:
        yield column.name, "", [(column.counts[0], side) for side in column.counts[1:]]
    wide: list[npt.NDArray[np.int64]] = []
    for i, j in combinations(range(len(columns)), 2):
        a, b = columns[i], columns[j]
        if j == i + 1:  # the first pair of a column: its codes are widened once for all
            wide = [side.astype(np.int64) for side in a.sides]
        coded = [x * b.n_codes for x in wide]
        for codes, y in zip(coded, b.sides, strict=True):
            codes += y
        d, s, _ = _tallied(coded[0], coded[1:], a.n_codes * b.n_codes)
        yield a.name, b.name, [(d, each) for each in s]


def _tallied(original: Counts, synthetic: Sequence[Counts], size: int) -> tuple[Counts, Counts, Counts]:
    """Return the original's records, and shape (m, n_cells) the syntheses', of each cell, and the cells' codes."""
    n_records = original.size + sum(side.size for side in synthetic)
    if size <= DENSE * n_records:
        d = np.bincount(original, minlength=size)
        return d, np.stack([np.bincount(side, minlength=size) for side in synthetic]), np.arange(size)
    ranks, codes = pd.factorize(np.concatenate([original, *synthetic]))
    first, *others = np.split(ranks, np.cumsum([original.size, *(side.size for side in synthetic)])[:-1])
    n = len(codes)
    return (
        np.bincount(first, minlength=n),
        np.stack([np.bincount(side, minlength=n) for side in others]),
        np.asarray(codes),
    )


def _of_engine(study: AnyStudy, names: tuple[str, ...]) -> Iterator[Table]:
    """Yield each column's table, then each pair's, as the engine counts them."""
    for name in names:
        counts = study.grouped(name, GROUPS)[0].counts
        yield name, "", [(counts[0], side) for side in counts[1:]]
    yield from count_pairs(study, names, GROUPS)


def _sizes(columns: Sequence[Column]) -> list[int]:
    if not columns:
        raise DisclosureError("Name at least one column.")
    return [side.size for side in columns[0].sides]


# ---- after safeguards ----


def _as_released(study: Study, after: Study, name: str, kept: Sequence[npt.NDArray[np.int64]]) -> Column:
    """Return a column, the original as it came, the safer syntheses in the codes of the column as it came."""
    old, new = study.columns[name], after.columns[name]
    base = with_records(study.grouped(name, GROUPS)[0])
    tables = []
    sides = zip(
        (old.original, *(side[rows] for side, rows in zip(old.synthetic, kept, strict=True))), new.sides, strict=True
    )
    for was, now in sides:
        at, n = np.unique(now.astype(np.int64) * old.n_codes + was, return_counts=True)
        tables.append(np.stack([*np.divmod(at, old.n_codes), n]))
    now, was, n = np.concatenate(tables, axis=1)
    target, n_codes = released_codes(old, new, base_of_code(old, base), ~study.is_missing_code(name), now, was, n)
    return recast(base, [target[side] for side in new.synthetic], n_codes)


def released_codes(
    old: Variable, new: Variable, of_code: Counts, is_number: npt.NDArray[np.bool_], now: Counts, was: Counts, n: Counts
) -> tuple[Counts, int]:
    """Return what each code of a safer column is in the tables of the column as it came, and how many codes these have.

    Parameters
    ----------
    old, new
        The column as it came, and after the safeguards.
    of_code
        Shape (old.n_codes,): the code of each old code in the tables, of which missing is the last one.
    is_number
        Shape (old.n_levels,): which levels are no missing code.
    now, was, n
        Shape (k,): how many records of the original and the safer syntheses have which new and which old code.

    Returns
    -------
    tuple
        Shape (new.n_codes,): −1 where no record has a level; levels of their own follow missing.
    """
    missing = int(of_code[old.n_levels])
    if new.kind is Kind.NUMBER:
        return of_code[_of_number(old, new, is_number)], missing + 1
    target = np.full(new.n_codes, -1, dtype=np.int64)
    target[new.n_levels] = missing  # also of what was blanked
    n_codes = missing + 1
    for level in np.unique(now[now != new.n_levels]).tolist():
        held = now == level
        of_level = was[held]
        if np.unique(of_level).size == 1:
            target[level] = of_code[of_level[0]]
        elif old.kind is Kind.NUMBER:
            target[level] = of_code[_median(of_level, n[held])]
        else:
            target[level] = n_codes
            n_codes += 1
    return target, n_codes


def base_of_code(old: Column, base: Column) -> npt.NDArray[np.int64]:
    """Return, shape (old.n_codes,), the code in `base` of each code of the same column before it was grouped."""
    found = np.zeros(old.n_codes, dtype=np.int64)
    found[-1] = base.n_codes - 1
    for was, now in zip(old.sides, base.sides, strict=True):
        found[was] = now
    return found


def _of_number(old: Variable, new: Variable, is_number: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return, shape (new.n_codes,), the old code nearest to each new number; a missing code is no number to be near."""
    plain = np.flatnonzero(is_number)
    numbers, wanted = old.values[plain], new.values
    found = np.full(new.n_codes, old.n_levels, dtype=np.int64)
    if numbers.size:
        above = np.clip(np.searchsorted(numbers, wanted), 0, numbers.size - 1)
        below = np.clip(above - 1, 0, None)
        nearer = np.abs(wanted - numbers[below]) < np.abs(numbers[above] - wanted)
        found[:-1] = plain[np.where(nearer, below, above)]
    same = np.searchsorted(old.values, wanted)
    there = (same < old.n_levels) & (old.values[np.minimum(same, old.n_levels - 1)] == wanted)
    found[:-1][there] = same[there]
    return found


def _median(codes: npt.NDArray[np.int64], n: npt.NDArray[np.int64]) -> int:
    """Return the lower median of rising numbers' codes, each standing `n` times."""
    order = np.argsort(codes, kind="stable")
    upto = np.cumsum(n[order])
    return int(codes[order][np.searchsorted(upto, (upto[-1] + 1) // 2)])


def recast(base: Column, synthetic: Sequence[npt.NDArray[np.int64]], n_codes: int) -> Column:
    """Return `base` with other syntheses, and levels up to `n_codes` of which the original has none."""
    more = n_codes - base.n_codes
    order = missing_last(base, n_codes)
    values = (
        np.array([*base.levels, *(f"merged {i}" for i in range(1, more + 1))], dtype=object) if more else base.values
    )
    sides = tuple(order[side] for side in synthetic)
    return Column(base.name, base.kind, values, base.ordered, order[base.original], sides)


def missing_last(base: Column, n_codes: int) -> npt.NDArray[Any]:
    """Return, shape (n_codes,), new codes: missing, the last one of `base`, moves behind the levels that follow it."""
    order = np.r_[np.arange(base.n_levels), n_codes - 1, np.arange(base.n_levels, n_codes - 1)]
    return order.astype(smallest(n_codes))
