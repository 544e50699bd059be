"""Original and syntheses made comparable and turned into integer codes, once.

This is the last room that touches a string or a float of the data.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.grouping import group_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MISSING = "Missing"
"""How a missing value is shown, unless the data hold that very text as a level."""

FEW_CODES = 10
"""A missing code that occurs less often than this in the original is worth a warning (measures.md 2.4)."""

Codes = npt.NDArray[np.unsignedinteger[Any]]


class Kind(StrEnum):
    """What the values of a column are."""

    NUMBER = "number"
    CATEGORY = "category"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence on how the data were read or made comparable; `warning` where it may change what figures mean."""

    text: str
    column: str | None = None
    warning: bool = False


@dataclass(frozen=True, eq=False)
class Column:
    """One variable, coded against the same levels in the original and every synthesis.

    Attributes
    ----------
    name, kind
        The column's name and what its values are.
    values
        Shape (n_levels,): the distinct values in their order; float or integer for a number, text otherwise.
    ordered
        Whether the order of the levels means something.
    original
        Shape (N_d,): each record's level as an index into `values`; n_levels stands for missing.
    synthetic
        The same for each synthesis, shape (N_s,) each.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    ordered: bool
    original: Codes
    synthetic: tuple[Codes, ...]

    @property
    def n_levels(self) -> int:
        """Levels, missing not counted."""
        return len(self.values)

    @property
    def n_codes(self) -> int:
        """Levels and one more for missing, whether or not it occurs."""
        return len(self.values) + 1

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """Each level as a person sees it, without missing."""
        return _texts(self.values)

    @cached_property
    def missing_label(self) -> str:
        """What missing values are called: "Missing", unless that is a level of the data."""
        label = MISSING
        while label in self._code_of:
            label = f"{label} (empty)"
        return label

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Each code as a person sees it: the levels, then missing."""
        return (*self.levels, self.missing_label)

    def label(self, code: int) -> str:
        """Return one code's label, without writing out the others."""
        return self.missing_label if code == self.n_levels else _texts(self.values[code : code + 1])[0]

    @property
    def is_ordered_category(self) -> bool:
        """Whether this is a category whose levels have an order that means something."""
        return self.ordered and self.kind is Kind.CATEGORY

    @cached_property
    def _code_of(self) -> dict[str, int]:
        return {level: code for code, level in enumerate(self.levels)}

    def code_of(self, label: str, what: str = "Level") -> int:
        """Return the code of a level, or of missing, by its text.

        Raises
        ------
        DisclosureError
            When the column has no such level.
        """
        if label == self.missing_label:
            return self.n_levels
        if label not in self._code_of:
            raise not_found(what, label, f"of {self.name!r}", self.labels)
        return self._code_of[label]

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Shape (1 + m, n_codes): records with each code in the original, then in each synthesis."""
        sides = (self.original, *self.synthetic)
        return np.stack([np.bincount(codes, minlength=self.n_codes) for codes in sides])

    def recoded(self, values: npt.NDArray[Any], codes: npt.NDArray[np.int64], *, ordered: bool, kind: Kind) -> Column:
        """Return this column with other levels: `codes`, shape (n_codes,), maps each old code to its new one."""
        table = codes.astype(_smallest(len(values) + 1))
        return Column(
            self.name,
            kind,
            values,
            ordered,
            _readonly(table[self.original]),
            tuple(_readonly(table[codes]) for codes in self.synthetic),
        )


class Study:
    """Original and synthetic data made comparable: common variables, one type and one set of levels each.

    Parameters
    ----------
    original
        The ground truth, a record a row: a pandas frame, or an Arrow table, of which only distinct values become
        Python's.
    synthetic
        One frame or table a synthesis; each may have its own number of records.
    missing_codes
        By numeric column, the values that stand for a missing answer, such as -8. They stay levels of their own
        when the column is grouped.

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
    """

    holds_records = True
    """Whether single records are here; False where they stay in an engine."""

    def __init__(
        self,
        original: pd.DataFrame | pa.Table,
        synthetic: Sequence[pd.DataFrame | pa.Table],
        missing_codes: Mapping[str, Iterable[float | str]] | None = None,
    ) -> None:
        frames = _checked(original, synthetic)
        names = [n for n in frames[0].columns if all(n in f.columns for f in frames[1:])]
        if not names:
            raise DisclosureError(
                "The original and the synthetic data have no column name in common; give both files the same header."
            )
        notes = _dropped(frames, names)
        columns = {}
        for name in names:
            columns[name], found = _harmonised(name, [f[name] for f in frames])
            notes += found
        self.columns: Mapping[str, Column] = columns
        self.n_original, *sizes = (len(f) for f in frames)
        self.n_synthetic = tuple(sizes)
        self._made_comparable = tuple(notes)
        self._set_missing_codes(missing_codes or {})

    @staticmethod
    def from_tables(
        original: Any, synthetic: Sequence[Any], missing_codes: Mapping[str, Iterable[float | str]] | None = None
    ) -> Study:
        """Return a study of Ibis tables, whose records stay in their engine; see `engines.TableStudy`.

        Raises
        ------
        DisclosureError
            As for frames; and when Ibis is not installed, or the engine cannot answer.
        """
        # The room of engines stands above this one and needs Ibis: it is entered when asked for.
        if not find_spec("ibis"):
            raise DisclosureError("Tables of an engine need Ibis: install this program with its extra 'engines'.")
        study: Study = import_module("disclosure_core.engines").TableStudy(original, synthetic, missing_codes)
        return study

    @property
    def n_syntheses(self) -> int:
        """m, the number of syntheses."""
        return len(self.n_synthetic)

    def column(self, name: str, role: str = "Column") -> Column:
        """Return one column by name.

        Raises
        ------
        DisclosureError
            When the data have no such column in common.
        """
        if name not in self.columns:
            raise not_found(role, name, "in both the original and the synthetic data", self.columns)
        return self.columns[name]

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
            the original's largest level (a person's text, missing included) and its share in % of the original and of
            all synthetic records.
        """
        rows = []
        for name, column in self.columns.items():
            original, synthetic = column.counts[0], column.counts[1:].sum(axis=0)
            share = 100 * original / self.n_original, 100 * synthetic / sum(self.n_synthetic)
            largest = int(original.argmax())
            rows.append(
                {
                    "column": name,
                    "type": "ordered" if column.is_ordered_category else str(column.kind),
                    "levels_original": int(np.count_nonzero(original[:-1])),
                    "levels_synthetic": int(np.count_nonzero(synthetic[:-1])),
                    "missing_original": share[0][-1],
                    "missing_synthetic": share[1][-1],
                    "largest": column.label(largest),
                    "largest_original": share[0][largest],
                    "largest_synthetic": share[1][largest],
                }
            )
        return pd.DataFrame(rows)

    def with_missing_codes(self, missing_codes: Mapping[str, Iterable[float | str]]) -> Self:
        """Return the same study with other missing codes; nothing is encoded again.

        Raises
        ------
        DisclosureError
            When a column is not there or not numeric, or a code does not occur in the original.
        """
        study = copy(self)
        study._set_missing_codes(missing_codes)  # noqa: SLF001 (a copy of ourselves)
        return study

    def _set_missing_codes(self, missing_codes: Mapping[str, Iterable[float | str]]) -> None:
        codes: dict[str, tuple[float, ...]] = {}
        notes = []
        for name, given in missing_codes.items():
            column = self.column(name)
            if column.kind is not Kind.NUMBER:
                raise DisclosureError(
                    f"Missing codes only matter for a numeric column, and {name!r} is not one; take them away."
                )
            found = {value: _occurs(column, value) for value in given}
            codes[name] = tuple(sorted({column.values[[code]].tolist()[0] for code, _ in found.values()}))
            notes += [
                Note(
                    f"The missing code {value} occurs only {n} times in {name!r} of the original; is it right?",
                    name,
                    warning=True,
                )
                for value, (_, n) in found.items()
                if n < FEW_CODES
            ]
        self.missing_codes: Mapping[str, tuple[float, ...]] = {name: found for name, found in codes.items() if found}
        self.notes = (*self._made_comparable, *notes)

    def grouped(self, name: str, n: int) -> tuple[Column, tuple[Note, ...]]:
        """Return column `name` with its numeric values in about `n` intervals, and what is to be said of it.

        Missing codes stay levels of their own, before the intervals; so does missing. A column that is not numeric
        comes back as it is.

        Raises
        ------
        DisclosureError
            When the column holds infinite values.

        Source
        ------
        measures.md 2.3.
        """
        column = self.column(name)
        if not n:
            return column, ()
        if column.kind is not Kind.NUMBER:
            return column, (Note(f"{name!r} is not numeric, so it was not grouped.", name),)
        special = np.isin(column.values, self.missing_codes.get(name, ()))
        values, counts = column.values[~special].astype(float), self._setting_breaks(column.counts[:, :-1][:, ~special])
        held = values[counts.sum(axis=0) > 0]
        n_special = int(np.count_nonzero(special))
        grouping = group_values(
            np.clip(values, held[0], held[-1]) if held.size else values,  # beyond the breaks: the nearest interval
            counts.sum(axis=0),
            counts[0] > 0,
            n,
            n_other=n_special,
        )
        codes = np.zeros(column.n_codes, dtype=np.int64)
        codes[:-1][special] = np.arange(n_special)
        codes[:-1][~special] = grouping.group + n_special
        codes[-1] = n_special + len(grouping.labels)
        levels = np.array([*_texts(column.values[special]), *grouping.labels], dtype=object)
        grouped = column.recoded(levels, codes, ordered=True, kind=Kind.CATEGORY)
        return grouped, tuple(_said(name, n, len(grouping.labels), grouping.equal_width))

    def _setting_breaks(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return, of the records with each number, a row a file, the files that set the intervals: here all."""
        return counts


def _said(name: str, asked: int, made: int, equal_width: bool) -> Iterable[Note]:
    if equal_width:
        yield Note(
            f"{name!r}: {asked} groups of equal size would leave fewer than 3 levels, so {made} intervals of equal "
            "width are used.",
            name,
        )
    elif made != asked:
        yield Note(f"{name!r}: {asked} groups asked for, {made} made, because many records share a value.", name)


def _occurs(column: Column, value: float | str) -> tuple[int, int]:
    """Return the code of a missing code and how often the original holds it."""
    try:
        number = float(value)
    except ValueError:
        raise DisclosureError(f"The missing code {value!r} of {column.name!r} is not a number; correct it.") from None
    code = np.flatnonzero(column.values == number)
    n = int(column.counts[0, code[0]]) if code.size else 0
    if not n:
        raise DisclosureError(
            f"The missing code {value} does not occur in {column.name!r} of the original; correct it or take it away."
        )
    return int(code[0]), n


def _checked(original: pd.DataFrame | pa.Table, synthetic: Sequence[pd.DataFrame | pa.Table]) -> list[pd.DataFrame]:
    """Return the tables as frames with text column names, or say what is wrong with one."""
    if isinstance(synthetic, pd.DataFrame | pa.Table):
        raise DisclosureError("Give the syntheses as a list, even if there is only one.")
    if not len(synthetic):
        raise DisclosureError("There is no synthetic data set to compare with; bring at least one.")
    frames = []
    for i, frame in enumerate([original, *synthetic]):
        side = _side(i, len(synthetic))
        if isinstance(frame, pa.Table):
            frame = frame.to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
        if not isinstance(frame, pd.DataFrame):
            raise DisclosureError(f"{side} is not a table; give a pandas DataFrame or an Arrow table.")
        frame = frame.set_axis(frame.columns.map(str), axis=1)
        twice = frame.columns[frame.columns.duplicated()]
        if len(twice):
            raise DisclosureError(f"{side} has two columns called {twice[0]!r}; rename one of them.")
        if not len(frame):
            raise DisclosureError(f"{side} has no records; bring a file with at least one row.")
        frames.append(frame)
    return frames


def _side(i: int, m: int) -> str:
    if i == 0:
        return "The original"
    return "The synthetic data set" if m == 1 else f"Synthesis {i}"


def _dropped(frames: list[pd.DataFrame], names: list[str]) -> list[Note]:
    """Return a note a file on the columns that are not common to all."""
    common = set(names)
    notes = []
    for i, frame in enumerate(frames):
        extra = [n for n in frame.columns if n not in common]
        if extra:
            listed = ", ".join(repr(n) for n in extra[:8]) + (f" and {len(extra) - 8} more" if len(extra) > 8 else "")
            side = _side(i, len(frames) - 1)
            notes.append(Note(f"{side} has {listed}, which not every file has: left out.", warning=True))
    return notes


def _harmonised(name: str, sides: list[pd.Series[Any]]) -> tuple[Column, list[Note]]:
    """Return one column coded against the union of its levels, and what was changed for it."""
    parts = [_factorised(s) for s in sides]
    kinds = [p.kind for p in parts if p.kind is not None]
    kind = kinds[0] if kinds else Kind.CATEGORY
    notes = []
    if any(k is not kind for k in kinds):
        kind = Kind.CATEGORY
        first = f"{kinds[0]} in one file and {next(k for k in kinds if k is not kinds[0])} in another"
        notes.append(Note(f"{name!r} is {first}: both are read as text categories.", name, warning=True))
    if kind is Kind.NUMBER:
        levels, maps = _union_of_numbers(parts)
    else:
        levels, maps = _union_of_texts(parts, kind)
    dtype = _smallest(len(levels) + 1)
    coded = []
    for part, mapping in zip(parts, maps, strict=True):
        # The last entry of the table serves code -1, pandas' mark of a missing value.
        table = np.append(mapping, len(levels)).astype(dtype)
        coded.append(_readonly(table[part.codes]))
    ordered = kind is not Kind.CATEGORY or any(p.ordered for p in parts)
    notes += _level_notes(name, kind, parts, maps)
    return Column(name, kind, levels, ordered, coded[0], tuple(coded[1:])), notes


def _level_notes(name: str, kind: Kind, parts: list[_Part], maps: list[npt.NDArray[np.int64]]) -> Iterable[Note]:
    """Say where levels, or missing values, stand on one side only; for a number that is expected and not said."""
    original = np.unique(maps[0])
    synthetic = np.unique(np.concatenate(maps[1:]))
    if kind is Kind.CATEGORY:
        for only, side in (
            (np.setdiff1d(original, synthetic).size, "the original"),
            (np.setdiff1d(synthetic, original).size, "the synthetic data"),
        ):
            if only:
                yield Note(f"{name!r}: {only} level{'s' * (only > 1)} only in {side}.", name)
    has = [bool((p.codes < 0).any()) for p in parts]
    if has[0] and not any(has[1:]):
        yield Note(f"{name!r} has missing values in the original and none in the synthetic data.", name)
    if any(has[1:]) and not has[0]:
        yield Note(f"{name!r} has missing values in the synthetic data and none in the original.", name)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One side of a column: `codes` into `uniques`, -1 for missing; kind None where every value is missing.

    `listed` where the file itself lists the levels in an order, `ordered` where it says that the order means something.
    """

    kind: Kind | None
    codes: npt.NDArray[np.signedinteger[Any]]
    uniques: pd.Index[Any]
    listed: bool
    ordered: bool


def _factorised(series: pd.Series[Any]) -> _Part:
    """Return codes and distinct values of a series; unused categories are dropped."""
    listed = ordered = False
    if isinstance(series.dtype, pd.CategoricalDtype):
        ordered = bool(series.dtype.ordered)
        raw, uniques = np.asarray(series.cat.codes), series.cat.categories
        used = np.bincount(raw[raw >= 0], minlength=len(uniques)) > 0
        if not used.all():
            table = np.append(np.where(used, np.cumsum(used) - 1, -1), -1)
            raw, uniques = table[raw], uniques[used]
        listed = True
    else:
        try:
            if isinstance(series.dtype, pd.ArrowDtype):
                raw, uniques, listed, ordered = _encoded(pa.array(series))
            else:
                raw, uniques = pd.factorize(_told_apart(series), use_na_sentinel=True)
        except (TypeError, pa.ArrowNotImplementedError):
            raise DisclosureError(
                f"{str(series.name)!r} holds lists or other values that are no single answer; make them text first."
            ) from None
        uniques = pd.Index(uniques)
    kind = _kind(uniques)
    if kind is Kind.CATEGORY and not listed:
        texts = pd.Index([_texts(np.array([v]))[0] if isinstance(v, float) else str(v) for v in uniques], dtype="str")
        if not texts.is_unique:  # 1 and "1" in one column are one level
            again, texts = pd.factorize(texts)
            raw = np.append(again, -1)[raw]
        uniques = pd.Index(texts)
    elif kind is Kind.CATEGORY:
        uniques = uniques.astype(str)
    return _Part(kind if len(uniques) else None, np.asarray(raw), uniques, listed, ordered)


def _told_apart(series: pd.Series[Any]) -> pd.Series[Any]:
    """Return a series in which True is not the number 1: to Python, and so to pandas, they are equal."""
    if series.dtype != object or not pd.api.types.infer_dtype(series, skipna=True).startswith("mixed"):
        return series
    return series.map(lambda value: str(value) if isinstance(value, bool | np.bool_) else value)


def _encoded(
    values: pa.Array | pa.ChunkedArray,
) -> tuple[npt.NDArray[np.signedinteger[Any]], pd.Index[Any], bool, bool]:
    """Return codes, distinct values, and whether Arrow's own dictionary lists them, and says that they have an order.

    Only the distinct values that occur become Python's.
    """
    listed = pa.types.is_dictionary(values.type)
    ordered = listed and values.type.ordered
    whole = values if listed else values.dictionary_encode()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.combine_chunks()
    codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    distinct = pd.Index(whole.dictionary.to_pandas())
    if not distinct.is_unique:  # Arrow does not forbid it
        return _encoded(whole.dictionary_decode())
    used = distinct.notna()  # a dictionary may hold null, a column of floats NaN
    if listed:
        used &= np.isin(np.arange(len(distinct)), whole.indices.unique().to_numpy(zero_copy_only=False))
    if used.all():
        return codes, distinct, listed, ordered
    table = np.append(np.where(used, np.cumsum(used) - 1, -1), -1)
    return table[codes], distinct[used], listed, ordered


def _kind(uniques: pd.Index[Any]) -> Kind:
    if pd.api.types.is_bool_dtype(uniques.dtype):
        return Kind.CATEGORY
    if pd.api.types.is_integer_dtype(uniques.dtype) or pd.api.types.is_float_dtype(uniques.dtype):
        return Kind.NUMBER
    if isinstance(uniques.dtype, pd.DatetimeTZDtype) or pd.api.types.is_datetime64_any_dtype(uniques.dtype):
        return Kind.DATE
    inferred = pd.api.types.infer_dtype(uniques, skipna=True)
    if inferred in {"integer", "floating", "mixed-integer-float", "decimal"}:
        return Kind.NUMBER
    return Kind.DATE if inferred in {"date", "datetime", "datetime64"} else Kind.CATEGORY


def _union_of_numbers(parts: list[_Part]) -> tuple[npt.NDArray[Any], list[npt.NDArray[np.int64]]]:
    """Return the distinct numbers of all sides, rising, and where each side's own stand among them.

    Integers are compared exactly; floats to 15 significant digits, as R and every text file do, so that
    0.1 + 0.2 and 0.3 are one level.
    """
    sides = [_as_numbers(p.uniques) for p in parts]
    filled = [s for s in sides if s.size]
    if any(s.dtype.kind == "f" for s in filled):
        sides = [_rounded(s.astype(float)) for s in sides]
    elif any(s.dtype.kind == "O" for s in filled):
        sides = [s.astype(object) for s in sides]
    elif filled:
        sides = [s if s.size else s.astype(filled[0].dtype) for s in sides]
    levels = np.unique(np.concatenate(sides))
    return levels, [np.searchsorted(levels, s) for s in sides]


def _as_numbers(uniques: pd.Index[Any]) -> npt.NDArray[Any]:
    if pd.api.types.is_integer_dtype(uniques.dtype):
        return _narrow(uniques) if str(uniques.dtype).lower() == "uint64" else uniques.to_numpy(dtype=np.int64)
    return _narrow(uniques) if pd.api.types.infer_dtype(uniques) == "integer" else uniques.to_numpy(dtype=float)


def _narrow(whole: pd.Index[Any]) -> npt.NDArray[Any]:
    """Return whole numbers as 64-bit integers; where one does not fit, as Python's own, which lose no digit."""
    exact = np.array([int(v) for v in whole], dtype=object)
    fits = not exact.size or (exact.min() >= -(2**63) and exact.max() < 2**63)
    return exact.astype(np.int64) if fits else exact


def _rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return values rounded to 15 significant digits; zero, infinities and extremes stay as they are."""
    size = np.abs(values)
    plain = (size > 1e-280) & (size < 1e280)
    with np.errstate(all="ignore"):
        known = np.where(plain, size, 1.0)
        exponent = np.floor(np.log10(known))
        exponent -= 10.0**exponent > known  # just below a power of ten the logarithm is rounded up to it
        scale = 10.0 ** (14 - exponent)
        # Above 1e14 the scale is a fraction that binary cannot hold: divide by its whole inverse instead.
        inverse = np.rint(1 / scale)
        rounded = np.where(scale >= 1, np.rint(values * scale) / scale, np.rint(values / inverse) * inverse)
    return np.where(plain, rounded, values) + 0.0  # -0.0 and 0.0 are one level


def _union_of_texts(parts: list[_Part], kind: Kind) -> tuple[npt.NDArray[Any], list[npt.NDArray[np.int64]]]:
    """Return the distinct texts of all sides in order, and where each side's own stand among them.

    Categories keep the order their file gives them, the original's first; other texts are sorted.
    """
    stamps = [pd.DatetimeIndex(p.uniques) for p in parts if p.kind is Kind.DATE]
    whole_days = all((s == s.normalize()).all() for s in stamps)
    sides = [_dates(p.uniques, whole_days) if p.kind is Kind.DATE else _text_index(p.uniques) for p in parts]
    union = sides[0]
    for side in sides[1:]:
        union = union.append(side[~side.isin(union)])
    union = union[~union.duplicated()]
    listed = any(p.listed for p in parts if len(p.uniques))
    if not listed or kind is Kind.DATE:
        union = union.sort_values()
    return union.to_numpy(dtype=object), [union.get_indexer(side) for side in sides]


def _text_index(uniques: pd.Index[Any]) -> pd.Index[Any]:
    return pd.Index(_texts(uniques.to_numpy()), dtype=object)


def _dates(uniques: pd.Index[Any], whole_days: bool) -> pd.Index[Any]:
    """Return dates as ISO text, with the time of day unless every date is a whole day, to the last digit given."""
    stamps = pd.DatetimeIndex(uniques)
    if whole_days:
        return stamps.strftime("%Y-%m-%d").astype(object)
    return pd.Index([stamp.replace(tzinfo=None).isoformat() for stamp in stamps], dtype=object)


def _texts(values: npt.NDArray[Any]) -> tuple[str, ...]:
    """Return each value as a person sees it: numbers plain, integers without a decimal point."""
    if values.dtype.kind in "iu":
        return tuple(map(str, values.tolist()))
    if values.dtype.kind == "f":
        texts = np.char.mod("%.15g", values + 0.0).tolist()  # no "-0"
        return tuple(np.format_float_positional(float(t), trim="-") if "e" in t else t for t in texts)
    return tuple(map(str, values.tolist()))


def _smallest(n: int) -> np.dtype[Any]:
    return np.min_scalar_type(max(n - 1, 0))


def _readonly(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array
