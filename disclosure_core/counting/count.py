"""How cells are counted: the columns that are asked for, their combinations, and each target by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import singledispatch
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Counts, Indices, Ints, Signed
from disclosure_core.counting.cells import Cells, Pairs, Tables
from disclosure_core.counting.codes import DENSE, narrow, ranked_codes
from disclosure_core.counting.key_table import KeyTable
from disclosure_core.data.column import Codes, Column, Variable, with_records
from disclosure_core.data.study import AnyStudy, Study, StudyOf, V_co
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.values import Note

Item = TypeVar("Item")
Result = TypeVar("Result")

SHARED = 200_000
"""Records of both sides from which the targets are counted on two cores."""


@singledispatch
def count(study: AnyStudy, settings: Settings) -> Tables:  # noqa: ARG001 (of what is registered)
    """Count the cells of every target and synthesis; `engines` adds how an `EngineStudy` does it.

    Raises
    ------
    DisclosureError
        When a key or target is not in the data, none is chosen, or it is no study.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study, assess
    >>> study, settings = Study(original, [original]), Settings(keys=["age"])
    >>> tables = count(study, settings)
    >>> assess(study, settings, tables).tables is tables
    True
    """
    raise DisclosureError(f"Give a Study to count, which a {type(study).__name__} is not.")


@count.register(Study)
def _(study: Study, settings: Settings) -> Tables:
    keys, targets = chosen(study, settings)
    notes: list[Note] = []
    columns = {}
    for name in (*keys, *targets):
        columns[name], of_grouping = study.grouped(name, settings.group(name))
        notes += of_grouping
    table = combine([columns[name] for name in keys])
    n_records = study.n_original + sum(study.n_synthetic)
    cells = _on_two_cores(lambda name: _cells(table, columns[name]), targets, n_records)
    return Tables(study, settings.counting(), table, dict(zip(targets, cells, strict=True)), tuple(notes))


def _on_two_cores(work: Callable[[Item], Result], items: Iterable[Item], n_records: int) -> list[Result]:
    """Return `work(item)` of each item, on two cores where there are many records: numpy counts in threads at once."""
    if n_records < SHARED:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2) as cores:
        return list(cores.map(work, items))


def chosen(study: AnyStudy, settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys and the targets in the order of the data; no targets named means all that are not keys.

    Raises
    ------
    DisclosureError
        When a key, a target, or another column that the settings name is not in the data, or none is chosen.
    """
    keys = chosen_keys(study, settings)
    out = settings.exclusions
    excluded = {*dict(out.target_levels), *out.missing_targets, *out.missing_keys, *dict(out.pairs)}
    named = {
        "Target": settings.targets or (),
        "Grouped column": dict(settings.groups),
        "Excluded column": sorted(excluded),
    }
    for role, names in named.items():
        for name in names:
            study.column(name, role)
    rest = tuple(name for name in study.columns if name not in settings.keys)
    targets = rest if settings.targets is None else study.in_data_order(settings.targets)
    if not targets:
        raise DisclosureError("Choose at least one target: a column that is not a key.")
    return keys, targets


@singledispatch
def count_keys(study: AnyStudy, settings: Settings) -> KeyTable:
    """Count the key combinations alone, where no target is needed; `engines` adds how an `EngineStudy` does it.

    Raises
    ------
    DisclosureError
        When a key is not in the data, none is chosen, or the records stay in an engine.
    """
    return combine(
        [with_records(study.grouped(name, settings.group(name))[0]) for name in chosen_keys(study, settings)]
    )


def chosen_keys(study: AnyStudy, settings: Settings) -> tuple[str, ...]:
    """Return the keys in the order of the data.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.
    """
    if not settings.keys:
        raise DisclosureError("Choose at least one key: a column that an intruder could know.")
    for name in settings.keys:
        study.column(name, "Key")
    return study.in_data_order(settings.keys)


def key_columns(study: StudyOf[V_co], settings: Settings) -> list[tuple[V_co, tuple[Note, ...]]]:
    """Return the keys, grouped where that is asked for, in the order of the data, and what is to be said of each.

    Raises
    ------
    DisclosureError
        When a key is not in the data.
    """
    for name in settings.keys:
        study.column(name, "Key")
    return [study.grouped(name, settings.group(name)) for name in study.in_data_order(settings.keys)]


def combine(keys: Sequence[Column]) -> KeyTable:
    """Return the combinations of the levels of `keys`, coded and counted once for all targets."""
    radix = [key.n_codes for key in keys]
    files = [tuple(key.original for key in keys), *zip(*(key.synthetic for key in keys), strict=True)]
    n_records = sum(sides[0].size for sides in files)
    if prod(radix) <= DENSE * n_records:
        ranks, counts, codes = _ranked(files, radix)
        levels = np.unravel_index(codes, radix)
        tables = [level.astype(key.original.dtype) for key, level in zip(keys, levels, strict=True)]
        return KeyTable.of(keys, tables, counts, ranks)
    sides = [np.concatenate(columns) for columns in zip(*files, strict=True)]
    every, n = ranked_codes(sides, radix)
    first = np.empty(n, dtype=np.intp)
    first[every] = np.arange(every.size)  # any record shows the levels of its combination
    each = np.split(every, np.cumsum([file[0].size for file in files])[:-1])
    return KeyTable.of(keys, [side[first] for side in sides], [np.bincount(side, minlength=n) for side in each], each)


def _ranked(files: Sequence[Sequence[Codes]], radix: Sequence[int]) -> tuple[list[Signed], list[Counts], Indices]:
    """Return, a file, each record's rank among the combinations that occur and the records of each; and their codes.

    The files' codes stay apart, and each step writes over the last: ten million records are not copied for nothing.
    """
    combined, counts = [], []
    for sides in files:
        codes = sides[0].astype(np.int64)
        for side, r in zip(sides[1:], radix[1:], strict=True):
            codes *= r
            codes += side
        combined.append(codes)
        counts.append(np.bincount(codes, minlength=prod(radix)))
    seen = np.any([c > 0 for c in counts], axis=0)
    present = np.flatnonzero(seen)
    small = seen.size < 2**31
    rank: Any = np.cumsum(seen, dtype=np.int32 if small else np.int64) - 1
    ranks = []
    while combined:
        ranks.append(rank[combined.pop(0)])
    return ranks, [c[present] for c in counts], present


def _cells(keys: KeyTable, column: Column) -> tuple[Cells, ...]:
    """Return the cells of target `column` in the original and each synthesis."""
    radix, n_original = column.n_codes, keys.n_original
    files = zip((keys.original, *keys.synthetic), column.sides, strict=True)
    coded: Iterable[Ints] = (_with_target(q, target, radix) for q, target in files)
    size = keys.d_q.size * radix
    code_of_rank = None
    if size > DENSE * 2 * n_original:
        coded, code_of_rank = _by_rank(list(coded))
        size = code_of_rank.size
    return cells_of(keys, column, (np.bincount(codes, minlength=size) for codes in coded), code_of_rank)


def cells_of(
    keys: KeyTable, column: Variable, counts: Iterable[Counts], codes: Ints | None = None
) -> tuple[Cells, ...]:
    """Return the cells of target `column`, a table a synthesis, from how many records have each code.

    Parameters
    ----------
    counts
        A side, the original first: the records with each code, all of one shape (n,). One synthesis at a time is held.
    codes
        Shape (n,): q × n_codes + target level; None where these are 0 … n − 1.
    """
    radix, sides = column.n_codes, iter(counts)
    in_original = next(sides)
    held = in_original > 0
    shared: list[tuple[Ints, Pairs]] = []
    cells = []
    for n_synthetic, s_q, in_synthetic in zip(keys.n_synthetic, keys.s_q, sides, strict=True):
        at = np.flatnonzero(held | (in_synthetic > 0))
        code = at if codes is None else codes[at]
        q, target = narrow(code // radix, keys.d_q.size), narrow(code % radix, radix)
        d, s = in_original[at], in_synthetic[at]
        cells.append(
            Cells(keys.n_original, n_synthetic, column, keys, q, target, d, s, keys.d_q, s_q, _pairs_in_original=shared)
        )
    return tuple(cells)


def _by_rank(files: Sequence[Ints]) -> tuple[list[Indices], Ints]:
    """Return each file's codes as ranks among those that occur in any, and the code of each rank."""
    ranks, codes = pd.factorize(np.concatenate(files))
    return np.split(ranks, np.cumsum([file.size for file in files])[:-1]), np.asarray(codes)


def _with_target(q: Array, target: Codes, radix: int) -> Ints:
    """Return each record's code of key combination and target level."""
    codes = np.multiply(q, radix, dtype=np.int64)
    codes += target
    return codes
