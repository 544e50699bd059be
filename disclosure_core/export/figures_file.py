"""A file of figures: read, each value named, and held field by field against the figures that the review makes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isclose, isnan
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError
from disclosure_core.results import TABLES
from disclosure_core.results.review_tables import AT_TAU, REVIEW_TABLES
from disclosure_core.review.verified import Difference
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    Place = tuple[str | int, ...]
    """Where a value stands: names of fields, and numbers of rows from 0."""

NEAR = 1e-9
"""How far two figures may be apart, in their unit or in proportion: what sums in another order leave."""

IDS = {
    "tau": AT_TAU.ids,
    **{name: table.ids for name, table in REVIEW_TABLES.items()},
    **{name: table.ids for name, (_, table) in TABLES.items()},
}
"""By table, the cells that say which row it is; rows of any other are numbered."""

_IDS_OF_PAGE_1 = ("measure", "target", "intruder")

ASKED = ("settings", "schema_version", "limit", "synthesis", "n_keys")
"""Fields whose numbers say what was asked or which row it is: no figures, held against the review all the same."""

_MAY_DIFFER = (("disclosure",), ("figures", "disclosure"), ("counted_again",))
"""All that may be otherwise in a file: the version that wrote it, and whether it was counted again then."""

_LONGEST = 60
"""Letters of a text that a difference quotes."""

_ABSENT = object()


def read(text: str) -> dict[str, Any]:
    """Return a file of figures, or of evidence that holds them, where what is read of it has its shape."""
    try:
        document = json.loads(text, object_pairs_hook=_each_once)
        found = figures_of(document)
        answer = found.get("answer") or {"rows": []}
        tables = [*found["tables"].values(), answer["rows"]]
        nested = [answer, answer.get("membership") or {}, answer.get("repU") or {}]
        for row in answer["rows"]:
            nested += [row.get("beside_a_guess") or {}, row.get("before") or {}, *(row.get("released") or ())]
        whole = all(isinstance(row, dict) for table in tables for row in table) and all(
            isinstance(part, dict) for part in nested
        )
        whole = whole and not any(
            isinstance(v, list | dict) for table in tables[:-1] for row in table for v in row.values()
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise DisclosureError("This is no file of figures; give one that --json or --evidence wrote.")
    return dict(document)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one place: readers would differ on which counts")
    return found


def figures_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the figures of a document; of evidence, those that it holds."""
    found: Mapping[str, Any] = document.get("figures", document)
    return found


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every value that holds no others, and where it stands."""
    of = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if of is None:
        yield place, value
    else:
        for name, each in of:
            yield from leaves(each, (*place, name))


def is_figure(value: Any) -> bool:
    """Return whether a value is a number, or what stands where one has no answer."""
    return (isinstance(value, int | float) and not isinstance(value, bool)) or value in ("NaN", "Infinity", "-Infinity")


def same(a: float, b: float) -> bool:
    """Return whether two counters found the same; without an answer is the same as without an answer."""
    return (isnan(a) and isnan(b)) or isclose(a, b, rel_tol=NEAR, abs_tol=NEAR)


def is_asked(place: Place) -> bool:
    """Return whether a value says what was asked, or which row it is."""
    of = IDS.get(str(place[1]), ()) if place[0] == "tables" else ()
    return any(name in ASKED for name in place) or place[-1] in of


def column_of(place: Place) -> str:
    """Return the column that a value stands in, for all of its rows."""
    if place[0] == "tables":
        return ", ".join(map(str, (place[1], *place[3:])))
    if place[0] == "answer":
        return ", ".join(["page 1", *(n for n in place[1:] if isinstance(n, str) and n != "rows")])
    return ", ".join(name for name in place if isinstance(name, str))


def name_of(document: Mapping[str, Any], place: Place) -> str:
    """Return what a value is called: its column, its table and the cells that say which row it is."""
    place = place[1:] if place[0] == "figures" else place
    if place[0] == "tables":
        table, *row = place[1:]
        said = f"table {table}" if not row else _row(figures_of(document)["tables"], str(table), int(row[0]))
        return " of ".join([*(", ".join(map(str, row[1:])),) * bool(row[1:]), said])
    if place[0] == "answer" and len(place) > 2:
        said, rest = f"page 1, {place[1]}", list(place[2:])
        if place[1] == "rows":
            row = figures_of(document)["answer"]["rows"][place[2]]
            said, rest = f"page 1, {row.get('measure')} of {row.get('target')}", rest[1:]
            if rest[:1] == ["before"]:
                said, rest = f"{said}, nothing excluded", rest[1:]
            elif rest[:1] == ["released"] and len(rest) > 1:
                said, rest = f"{said}, synthesis {row['released'][rest[1]].get('synthesis')}", rest[2:]
        rest = [name for name in rest if name != "beside_a_guess"]
        return " of ".join([*(", ".join(_counted(rest)),) * bool(rest), said])
    return ", ".join(_counted(place))


def _row(tables: Mapping[str, Any], table: str, i: int) -> str:
    ids = IDS.get(table)
    return (
        f"{table}, row {i + 1}" if ids is None else f"{table} ({', '.join(str(tables[table][i].get(c)) for c in ids)})"
    )


def _counted(names: Iterable[str | int]) -> list[str]:
    return [str(name + 1) if isinstance(name, int) else name for name in names]


def differences(
    stated: Mapping[str, Any], made: Mapping[str, Any], counted: Collection[Place], line: str
) -> tuple[Difference, ...]:
    """Return every value of a file that is not the one that the review makes, and what only one of the two has."""
    found: list[Difference] = []

    def differ(place: Place, a: Any, b: Any) -> None:
        if place in _MAY_DIFFER and (isinstance(a, str) if place[-1] == "disclosure" else a in (None, line)):
            return
        of = made if b is not _ABSENT else stated
        again = (place[1:] if place[0] == "figures" else place) in counted
        found.append(Difference(name_of(of, place), _plain(a), _plain(b), again))

    def compare(a: Any, b: Any, mine: Place, place: Place) -> None:
        if isinstance(a, dict) and isinstance(b, dict):
            for name in dict.fromkeys([*b, *a]):
                step(a.get(name, _ABSENT), b.get(name, _ABSENT), (*mine, name), (*place, name))
        elif isinstance(a, list) and isinstance(b, list):
            ids = _ids(place)
            rows, others = _named(a, ids), _named(b, ids)
            for row in dict.fromkeys([*others, *rows]):
                i, j = rows.get(row), others.get(row)
                step(
                    _ABSENT if i is None else a[i],
                    _ABSENT if j is None else b[j],
                    (*mine, -1 if i is None else i),
                    (*place, -1 if j is None else j),
                )
            if [row for row in rows if row in others] != [row for row in others if row in rows]:
                found.append(
                    Difference(f"order of the rows of {name_of(made, place)}", "another", "that of the review")
                )
        elif not _alike(a, b):
            differ(place, a, b)

    def step(a: Any, b: Any, mine: Place, place: Place) -> None:
        if a is not _ABSENT and b is not _ABSENT:
            compare(a, b, mine, place)
        elif (there := b if a is _ABSENT else a) and isinstance(there, dict) and isinstance(place[-1], int):
            for name, value in there.items():  # a row: each of its cells
                step(*((_ABSENT, value) if a is _ABSENT else (value, _ABSENT)), (*mine, name), (*place, name))
        else:
            differ(mine if b is _ABSENT else place, a, b)

    compare(dict(stated), dict(made), (), ())
    return tuple(found)


def _ids(place: Place) -> Sequence[str]:
    place = place[1:] if place[:1] == ("figures",) else place
    if len(place) == 2 and place[0] == "tables":
        return IDS.get(str(place[1]), ())
    return _IDS_OF_PAGE_1 if place == ("answer", "rows") else ()


def _named(rows: Sequence[Any], ids: Sequence[str]) -> dict[tuple[Any, ...], int]:
    """Return by the cells that say which row it is, and how many were so before, the number of each row."""
    found: dict[tuple[Any, ...], int] = {}
    before: Counter[str] = Counter()
    for i, row in enumerate(rows):
        of = json.dumps([row.get(name) for name in ids]) if ids and isinstance(row, dict) else ""
        found[of, before[of]] = i
        before[of] += 1
    return found


def _alike(a: Any, b: Any) -> bool:
    """Return whether a value of a file is the one that the review makes; a figure up to what another order leaves."""
    if isinstance(a, bool) or isinstance(b, bool) or not (is_figure(a) and is_figure(b)):
        return type(a) is type(b) and bool(a == b)
    if isinstance(a, str) or isinstance(b, str | int):
        return bool(a == b)
    try:
        return same(float(a), b)
    except OverflowError:
        return False


def _plain(value: Any) -> float | str | None:
    """Return a value as a difference names it; None where it is not there."""
    if value is _ABSENT:
        return None
    if is_figure(value):
        try:
            return float(value)
        except OverflowError:
            return "a number of more digits than any figure"
    if isinstance(value, str):
        return f"“{value if len(value) <= _LONGEST else value[:_LONGEST] + ' …'}”"
    return quantity(len(value), "entry", "entries") if isinstance(value, list | dict) else json.dumps(value)
