"""People outside beside a study that DuckDB reads: their values are read against it, and counted as its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from disclosure_core.engines.duckdb_cells import Counter, read_coded
from disclosure_core.engines.duckdb_column import DuckDBColumn
from disclosure_core.engines.duckdb_connection import quoted
from disclosure_core.engines.duckdb_study import DuckDBStudy
from disclosure_core.engines.duckdb_tables import related_files, relation_of_table
from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.outside import EngineJoined
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.partition import DIFFERENT, Matches, whole_records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from disclosure_core.data.study import AnyStudy
    from disclosure_core.engines.duckdb_connection import Cursor
    from disclosure_core.engines.duckdb_tables import Place, Relation

    Ints = npt.NDArray[Any]

GROUPED_AT_ONCE, SORTED_AT_ONCE = 2**24, 2**27
"""Records held against each other at once, by DuckDB and here; of more, a part each time, chosen by what they hold."""


class DuckDBJoined(EngineJoined[DuckDBColumn], DuckDBStudy):
    """A study that DuckDB reads, with people outside beside it."""


def outside_files(study: DuckDBStudy, place: Place) -> Callable[[AnyStudy], DuckDBJoined]:
    """Return what reads people outside against a study of the same connection; their files are listed now.

    Raises
    ------
    DisclosureError
        When there is no such file, it cannot be read, or it is one of the study's own.
    """
    further = related_files(study.connection, [place], ["The holdout"])[0]
    own = {path for relation in study.relations for path, _ in relation.files}
    twin = next((path.name for path, _ in further.files if path in own), None)
    if twin is not None:
        raise DisclosureError(f"The holdout is the file {twin} itself; name people who were not synthesised.")

    return _beside(further)


def outside_table(study: DuckDBStudy, table: str) -> Callable[[AnyStudy], DuckDBJoined]:
    """Return what reads people outside against a study of tables of a database, of which theirs is one.

    Raises
    ------
    DisclosureError
        When there is no such table, or it is one of the study's own.
    """
    ask = partial(relation_of_table, database="source", table=table, side="The holdout")
    further = study.connection.ask("the tables", ask)
    if any(relation.sql.casefold() == further.sql.casefold() for relation in study.relations):
        raise DisclosureError("The holdout is a table of the study itself; name people who were not synthesised.")
    return _beside(further)


def _beside(further: Relation) -> Callable[[AnyStudy], DuckDBJoined]:
    def beside(of: AnyStudy) -> DuckDBJoined:
        assert isinstance(of, DuckDBStudy)
        return DuckDBJoined(of, further)

    return beside


@whole_records.register(DuckDBJoined)
def _(joint: DuckDBJoined) -> Matches:
    """Hold whole records against each other, each as the numbers of its codes."""
    if not joint.columns:
        return Matches(0, 0, 0, the_same=False)
    narrow = [column for column in joint.columns.values() if not column.is_wide]
    wide = {f"w{i}": column for i, column in enumerate(joint.columns.values()) if column.is_wide}
    counter = Counter(joint, narrow, [])
    with joint.unchanged():
        try:
            one = not wide and counter.n_packed == 1  # number a record
            *found, n_original, n_outside = _sorted(joint, counter) if one else _grouped(joint, counter, wide)
        finally:
            joint.connection.ask("the codes", counter.drop)
    if (n_original, n_outside) != (joint.n_original, joint.n_synthetic[-1]):
        raise DisclosureError(CHANGED)
    inside, twins, twins_inside, apart, different = found
    return Matches(inside, twins, twins_inside, the_same=not apart and different >= DIFFERENT)


def _parts(joint: DuckDBJoined, most: int) -> int:
    """Return in how many parts the records of both are held against each other."""
    return 1 + (joint.n_original + joint.n_synthetic[-1]) // most


def _grouped(joint: DuckDBJoined, counter: Counter, wide: Mapping[str, DuckDBColumn]) -> list[int]:
    """Return what `counted_matches` does, where a record is several numbers: DuckDB groups them."""
    names = ", ".join([*(f"q{i}" for i in range(counter.n_packed)), *wide])
    more = [f"nullif({quoted(column.name)}::double, 'nan') as {name}" for name, column in wide.items()]
    parts = _parts(joint, GROUPED_AT_ONCE)

    def held(cursor: Cursor) -> list[int]:
        sides = [counter.coded(cursor, i, (), more) for i in (0, len(joint.relations) - 1)]
        total = np.zeros(7, dtype=np.int64)
        for part in range(parts):
            some = f"where hash({names}) % {parts} = {part}" if parts > 1 else ""
            inside, outside = (f"select {names}, {{}} as inside from ({side}) {some}" for side in sides)
            row: Any = cursor.execute(
                f"with every as ({inside.format('true')} union all {outside.format('false')}), "
                f"held as (select {names}, count(*) filter (inside) as d, count(*) filter (not inside) as h from every "
                "group by all) "
                "select sum(h) filter (d > 0), sum(d) filter (d > 1), sum(h) filter (h > 1 and d > 0), "
                "count(*) filter (d <> h), count(*), sum(d), sum(h) from held"
            ).fetchone()
            total += [int(n or 0) for n in row]
        return [int(n) for n in total]

    return joint.connection.ask("the whole records", held)


def _sorted(joint: DuckDBJoined, counter: Counter) -> list[int]:
    """Return what `counted_matches` does, where a record is one number: these stream by, and are sorted here."""
    parts = _parts(joint, SORTED_AT_ONCE)
    last = len(joint.relations) - 1

    def numbers(cursor: Cursor, i: int, sql: str, part: int) -> Ints:
        some = f"where hash(q0) % {parts} = {part}" if parts > 1 else ""
        found = np.empty(joint.sizes[i] if parts == 1 else SORTED_AT_ONCE, dtype=np.uint64)
        n = 0
        for batch in read_coded(cursor, f"select q0 from ({sql}) {some}"):
            if n + len(batch) > found.size:
                found = np.append(found[:n], np.empty(max(found.size, len(batch)), dtype=np.uint64))
            found[n : n + len(batch)] = batch["q0"].to_numpy()
            n += len(batch)
        found = found[:n]
        found.sort()
        return found

    total = np.zeros(7, dtype=np.int64)
    sql = joint.connection.ask("the codes", lambda cursor: [counter.coded(cursor, i, ()) for i in (0, last)])
    for part in range(parts):
        questions = [partial(numbers, i=i, sql=of, part=part) for i, of in zip((0, last), sql, strict=True)]
        inside, outside = joint.connection.ask_each(["the whole records"] * 2, questions)
        total += counted_matches(inside, outside)
    return [int(n) for n in total]


def counted_matches(inside: Ints, outside: Ints, at_once: int = 2**20) -> Ints:
    """Return how records of two sides meet, each a number, rising: shape (7,).

    Records outside that stand inside, records inside that have a twin there, records outside that stand inside and have
    a twin outside, different records that do not stand in both as often, different records, and the records of each.
    """
    total = np.array([0, 0, 0, 0, 0, inside.size, outside.size], dtype=np.int64)
    cuts = np.unique(np.concatenate([inside[::at_once], outside[::at_once]]))
    ends = [np.append(np.searchsorted(side, cuts), side.size) for side in (inside, outside)]
    for k in range(cuts.size):
        (d_at, d), (h_at, h) = (
            _runs(side[end[k] : end[k + 1]]) for side, end in zip((inside, outside), ends, strict=True)
        )
        met, of_d, of_h = np.intersect1d(d_at, h_at, assume_unique=True, return_indices=True)
        twice = h[of_h] > 1
        apart = d_at.size + h_at.size - 2 * met.size + np.count_nonzero(d[of_d] != h[of_h])
        total[:5] += [h[of_h].sum(), d[d > 1].sum(), h[of_h][twice].sum(), apart, d_at.size + h_at.size - met.size]
    return total


def _runs(rising: Ints) -> tuple[Ints, Ints]:
    """Return different numbers of those that rise, and how often each stands."""
    first = np.flatnonzero(np.diff(rising, prepend=rising[:1] + 1)) if rising.size else np.zeros(0, dtype=np.intp)
    return rising[first], np.diff(first, append=rising.size)
