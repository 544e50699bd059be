"""Original and syntheses made comparable and turned into integer codes, once.

What a value is stands in `values.py`, how files become columns in `harmonise.py`; above these nothing touches a string
or a float of the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import Generic, Self, TypeAlias, TypeVar, cast

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Ints, Mask
from disclosure_core.data.column import Codes as Codes
from disclosure_core.data.column import Column as Column
from disclosure_core.data.column import Variable
from disclosure_core.data.grouping import (
    Grouping,
    Groups,
    group_values,
    note_on_every_value,
    notes_on_breaks,
    notes_on_intervals,
    own_intervals,
)
from disclosure_core.data.harmonise import AnyTable, checked, harmonised, indices, not_common
from disclosure_core.data.suggested_codes import MissingCode, codes_by_column, suggested_codes
from disclosure_core.data.values import Kind as Kind
from disclosure_core.data.values import Note as Note
from disclosure_core.data.values import same_number
from disclosure_core.data.values import texts as _texts
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import visible
from disclosure_core.shown import as_html

FEW_CODES = 10
"""A missing code that occurs less often than this in the original is worth a warning (measures.md 2.4)."""

_SHOWN = 20
"""So many columns are named where a study is shown as text."""

V_co = TypeVar("V_co", bound=Variable, covariant=True)


class StudyOf(Generic[V_co]):
    """Original and synthetic data made comparable, wherever their records are: what pages and results need of them.

    Attributes
    ----------
    holds_records
        Whether single records are here, as in a `Study`; False where they stay in an engine.
    columns
        The common columns by name, in the order of the original.
    n_original
        N_d, records in the original.
    n_synthetic
        N_s, records in each synthesis.
    notes
        What was done to make the files comparable, for people to read.
    missing_codes
        By column, the values that stand for a missing answer.
    code_labels, numbers
        As of `with_answers`.
    """

    holds_records: bool
    columns: Mapping[str, V_co]
    n_original: int
    n_synthetic: tuple[int, ...]
    notes: tuple[Note, ...]
    missing_codes: Mapping[str, tuple[float, ...]]
    _notes_on_files: tuple[Note, ...]
    code_labels: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    numbers: Mapping[str, Iterable[str]] = MappingProxyType({})

    def __repr__(self) -> str:
        """Return three lines: sizes, columns, missing codes; never data."""
        m, sizes = self.n_syntheses, sorted(set(self.n_synthetic))
        of = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
        kinds = [f"{visible(name)} ({column.kind})" for name, column in list(self.columns.items())[:_SHOWN]]
        more = f" and {len(self.columns) - _SHOWN:,} more" if len(self.columns) > _SHOWN else ""
        return (
            f"{type(self).__name__}: {self.n_original:,} original records, "
            f"{m} synthes{'e' if m > 1 else 'i'}s of {of}\n"
            f"{len(self.columns):,} columns: {', '.join(kinds)}{more}\n"
            f"missing codes: {', '.join(map(visible, self.missing_codes)) or 'none'}"
        )

    @property
    def lists_records(self) -> bool:
        """Whether single records can be listed: where they are here, or their engine shows a few at a time."""
        return self.holds_records

    @property
    def may_list_records(self) -> bool:
        """Whether single records can be listed where whoever keeps the data allows it."""
        return self.holds_records

    @property
    def n_syntheses(self) -> int:
        """m, the number of syntheses."""
        return len(self.n_synthetic)

    def column(self, name: str, role: str = "Column") -> V_co:
        """Return one column by name.

        Raises
        ------
        DisclosureError
            When the data have no such column in common.
        """
        if name not in self.columns:
            raise not_found(role, name, "in both the original and the synthetic data", self.columns)
        return self.columns[name]

    def _repr_html_(self) -> str:
        """Return sizes, and a row a column, for a notebook."""
        columns = ["column", "type", "levels_original", "levels_synthetic", "missing_original", "missing_synthetic"]
        return as_html(repr(self), self.overview()[columns])

    def in_data_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return `names` in the order of the original's columns."""
        wanted = set(names)
        return tuple(name for name in self.columns if name in wanted)

    def overview(self) -> pd.DataFrame:
        """Return one row a column: what it is and what it holds on both sides.

        Returns
        -------
        DataFrame
            Columns column; type: "number", "category", "ordered" or "date"; levels (missing not counted) in the
            original and in the syntheses together; missing values in %, of the original and of all synthetic records;
            missing_levels, the levels among these that a file declares to be no answer;
            the original's largest level (a person's text, missing included) and its share in % of the original and of
            all synthetic records.
        """
        rows = []
        for name, column in self.columns.items():
            original, synthetic = column.counts[0], column.counts[1:].sum(axis=0)
            share = 100 * original / self.n_original, 100 * synthetic / sum(self.n_synthetic)
            missing = list(column.missing)
            largest = int(original.argmax())
            rows.append(
                {
                    "column": name,
                    "type": "ordered" if column.is_ordered_category else str(column.kind),
                    "levels_original": int(np.count_nonzero(np.delete(original, missing))),
                    "levels_synthetic": int(np.count_nonzero(np.delete(synthetic, missing))),
                    "missing_original": share[0][missing].sum(),
                    "missing_synthetic": share[1][missing].sum(),
                    "missing_levels": ", ".join(column.label(code) for code in column.missing_levels),
                    "largest": column.label(largest),
                    "largest_original": share[0][largest],
                    "largest_synthetic": share[1][largest],
                }
            )
        return pd.DataFrame(rows)

    def with_missing_codes(self, missing_codes: Mapping[str, float | str | Iterable[float | str]]) -> Self:
        """Return the same study with other missing codes; nothing is encoded again.

        Raises
        ------
        DisclosureError
            When a column is not there or not numeric, or a code does not occur in the original.
        """
        study = copy(self)
        study._set_missing_codes(missing_codes)  # noqa: SLF001 (a copy of ourselves)
        return study

    def _set_missing_codes(self, missing_codes: Mapping[str, float | str | Iterable[float | str]]) -> None:
        codes: dict[str, tuple[float, ...]] = {}
        notes = []
        for name, given in codes_by_column(missing_codes).items():
            column = self.column(name)
            if column.kind is not Kind.NUMBER:
                raise DisclosureError(
                    f"Missing codes only matter for a numeric column, and {name!r} is not one; take them away."
                )
            occurrences = {value: _occurs(column, value) for value in given}
            codes[name] = tuple(sorted({column.values[[code]].tolist()[0] for code, _ in occurrences.values()}))
            notes += [
                Note(
                    f"Only {n} original record{'s have' if n > 1 else ' has'} the missing code {value} in {name!r}; "
                    "is it right?",
                    name,
                    warning=True,
                )
                for value, (_, n) in occurrences.items()
                if n < FEW_CODES
            ]
        self.missing_codes = {name: values for name, values in codes.items() if values}
        self.notes = (*self._notes_on_files, *notes)

    def with_answers(self, labels: Mapping[str, Mapping[str, str]], numbers: Mapping[str, Iterable[str]]) -> Self:
        """Return the same study, which knows what files and people say of numbers that may be missing codes.

        Parameters
        ----------
        labels
            By column, the label of each code.
        numbers
            By column, what looks like a missing code and was said to be a number like any other.
        """
        if (labels, numbers) == (self.code_labels, self.numbers):
            return self
        study = copy(self)
        study.code_labels, study.numbers = labels, numbers
        return study

    def suggested_codes(self, name: str) -> tuple[MissingCode, ...]:
        """Return the numbers of a column that look like missing codes, of which nobody has said what they are."""
        column = self.column(name)
        known = {f"{value:.15g}" for value in self.missing_codes.get(name, ())} | {*self.numbers.get(name, ())}
        return tuple(c for c in suggested_codes(column, self.code_labels.get(name)) if c.value not in known)

    def is_missing_code(self, name: str) -> Mask:
        """Return, shape (n_levels,), which levels of a number column are declared to be missing codes."""
        values = self.column(name).values
        # In the type of the values: numpy makes floats of 0 and 2^64 − 1 together, which are equal to their neighbours.
        return np.isin(values, np.array(self.missing_codes.get(name, ()), dtype=values.dtype))

    def grouped(self, name: str, n: Groups) -> tuple[V_co, tuple[Note, ...]]:
        """Return column `name` with its numeric values in about `n` intervals or at own breaks, and what is said of it.

        Missing codes stay levels of their own, before the intervals; so does missing. A column that is not numeric, or
        has no more values than groups are asked for, comes back as it is.

        Raises
        ------
        DisclosureError
            When the column holds infinite values.

        Source
        ------
        measures.md 2.3.
        """
        column = self.column(name)
        found, notes = self.grouping(name, n)
        if found is None:
            return column, notes
        levels, codes = self.regrouped(name, found)
        grouped = column.recoded(levels, codes, ordered=True, kind=Kind.CATEGORY)
        return cast("V_co", grouped), notes

    def grouping(self, name: str, n: Groups) -> tuple[Grouping | None, tuple[Note, ...]]:
        """Return the intervals of column `name`, None where each value stays a level, and what to say of them."""
        column = self.column(name)
        if not n:
            return None, ()
        if column.kind is not Kind.NUMBER:
            return None, (Note(f"{name!r} is not numeric, so it was not grouped.", name),)
        special = self.is_missing_code(name)
        of_files = column.counts[:, :-1][:, ~special]
        counts = of_files.sum(axis=0)
        unasked = tuple(Note(code.grouped, name, warning=True) for code in self.suggested_codes(name))
        if isinstance(n, tuple):
            own = own_intervals(column.values[~special], n)
            return own, (*unasked, *notes_on_breaks(name, own.labels, np.bincount(own.group, counts, len(own.labels))))
        grouping = group_values(column.values[~special], counts, n, n_codes=int(np.count_nonzero(special)))
        if grouping is None:
            return None, tuple(note_on_every_value(name, n, int(np.count_nonzero(counts))))
        return grouping, (*unasked, *notes_on_intervals(name, n, grouping, column.values[~special], of_files > 0))

    def regrouped(self, name: str, grouping: Grouping) -> tuple[Array, Ints]:
        """Return the levels of a column in intervals, missing codes first; and, shape (n_codes,), where each goes."""
        column, special = self.column(name), self.is_missing_code(name)
        n_special = int(np.count_nonzero(special))
        codes = np.zeros(column.n_codes, dtype=np.int64)
        codes[:-1][special] = np.arange(n_special)
        codes[:-1][~special] = grouping.group + n_special
        codes[-1] = n_special + len(grouping.labels)
        return np.array([*_texts(column.values[special]), *grouping.labels], dtype=object), codes


AnyStudy: TypeAlias = StudyOf[Variable]
"""A study of which nobody asks for single records."""


class Study(StudyOf[Column]):
    """Original and synthetic data made comparable: common variables, one type and one set of levels each.

    Parameters
    ----------
    original
        The ground truth, a record a row: a pandas frame, or a coded or an Arrow table, of which only distinct values
        become Python's; or what has Arrow's C interface (`__arrow_c_stream__`), such as a Polars frame.
    synthetic
        One frame or table a synthesis; each may have its own number of records.
    missing_codes
        By numeric column, the values that stand for a missing answer, such as -8. They stay levels of their own
        when the column is grouped.
    missing_levels
        By column, the levels, as a person reads them, that a file declares to be no answer, such as Refused. They
        count as missing, and stay levels of their own; one that is not there is passed over.

    Attributes
    ----------
    columns
        The common columns by name, in the order of the original.
    n_original
        N_d, records in the original.
    n_synthetic
        N_s, records in each synthesis.
    notes
        What was done to make the files comparable, for people to read.
    missing_codes
        As given, by column.

    Raises
    ------
    DisclosureError
        When there is no synthesis, a file has no records, no column is common, a name stands twice, or a missing
        code does not occur in the original.

    Source
    ------
    measures.md 2.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> Study(original, [original])
    Study: 4 original records, 1 synthesis of 4
    2 columns: age (number), job (category)
    missing codes: none
    """

    holds_records = True

    def __init__(
        self,
        original: AnyTable,
        synthetic: Sequence[AnyTable],
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        missing_levels: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        files = checked(original, synthetic)
        names = [n for n in files[0].columns if all(n in f.columns for f in files[1:])]
        if not names:
            raise DisclosureError(
                "The original and the synthetic data have no column name in common; give both files the same header."
            )
        notes = [*not_common(files, names), *indices(files)]
        columns = {}
        for name in names:
            columns[name], of_column = harmonised(name, [f.side(name) for f in files])
            notes += of_column
        self.columns = columns
        self.n_original, *sizes = (f.n for f in files)
        self.n_synthetic = tuple(sizes)
        self._notes_on_files = tuple(notes)
        self._set_missing_codes(missing_codes or {})
        self._set_missing_levels(missing_levels or {})

    def with_missing_levels(self, missing_levels: Mapping[str, Iterable[str]]) -> Self:
        """Return the same study with other levels that count as missing; nothing is encoded again."""
        study = copy(self)
        study._set_missing_levels(missing_levels)  # noqa: SLF001 (a copy of ourselves)
        return study

    def _set_missing_levels(self, missing_levels: Mapping[str, Iterable[str]]) -> None:
        columns = dict(self.columns)
        for name, texts in missing_levels.items():
            if name in columns:
                wanted = set(texts)
                codes = tuple(i for i, level in enumerate(columns[name].levels) if level in wanted)
                columns[name] = replace(columns[name], missing_levels=codes)
        self.columns = columns


def _occurs(column: Variable, value: float | str) -> tuple[int, int]:
    """Return the code of a missing code and how often the original holds it."""
    try:
        code = same_number(column.values, value)
    except ValueError:
        raise DisclosureError(f"The missing code {value!r} of {column.name!r} is not a number; correct it.") from None
    n = int(column.counts[0, code[0]]) if code.size else 0
    if not n:
        raise DisclosureError(
            f"The missing code {value} does not occur in {column.name!r} of the original; correct it or take it away."
        )
    return int(code[0]), n
