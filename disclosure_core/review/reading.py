"""What is handed over, read: files and tables, people outside the data, the population; each told apart by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from disclosure_core.data.agreement import declared_labels
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.harmonise import arrow, file_of
from disclosure_core.data.placing import called
from disclosure_core.data.readers import Limits, Reading, ReadOptions, read
from disclosure_core.data.readers._arrow import from_table
from disclosure_core.errors import DisclosureError
from disclosure_core.review.parts import SYNTHETIC, Holdout, SourceFile

if TYPE_CHECKING:
    from disclosure_core.review.value import Review

    Given = bytes | Path
    Source = str | Path | tuple[str, bytes | Path | str]


def source_of(given: object) -> tuple[str, Given]:
    """Return a file's name, and its bytes or where it lies."""
    if isinstance(given, str | Path):
        return called(Path(given)), Path(given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        name, content = given
        if isinstance(content, bytes | Path):
            return name, content
        if isinstance(content, str):
            return name, Path(content)
    raise DisclosureError("Name a file by its place, or give its name and its bytes: ('a.csv', content).")


def sets_by_name(given: object) -> dict[str, Sequence[Any]]:
    """Return the syntheses by the name of their set; one set has no name of its own."""
    sets: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {SYNTHETIC: given}
    for name, each in sets.items():
        if not str(name).strip():
            raise DisclosureError("A set of syntheses has no name; give it one.")
        if isinstance(each, str | Path | pd.DataFrame) or hasattr(each, "__arrow_c_stream__"):
            sets[name] = [each]  # one table stands for a list of one
        elif isinstance(each, bytes) or not isinstance(each, Sequence):
            raise DisclosureError("Give the syntheses as tables or places of files, several as a list.")
    return sets


def read_holdout(
    name: str,
    given: Given,
    options: ReadOptions | None = None,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
    beside: Review | None = None,
) -> tuple[Reading, Holdout]:
    """Return people who were not synthesised, read from a file, for `Opened.with_holdout`.

    Parameters
    ----------
    name, given, options, limits, waiting
        As of `read`.
    beside
        The review that it is for, from whose other files its name tells it apart.

    Raises
    ------
    DisclosureError
        As `read`, and when the file holds several tables.

    Examples
    --------
    >>> import pandas as pd
    >>> content = pd.DataFrame({"age": [30, 41], "job": ["nurse", "cook"]}).to_csv(index=False).encode()
    >>> reading, holdout = read_holdout("outside.csv", content)
    >>> len(reading.frame), holdout.file.name
    (2, 'outside.csv')
    """
    read = read_file(name, given, options or ReadOptions(), limits, waiting)
    reading, file = _apart(*read, "the holdout", beside, None if beside is None else beside.population_table)
    return reading, Holdout("file", file)


def _apart(
    file: SourceFile, readings: Sequence[Reading], what: str, beside: Review | None, other: SourceFile | None
) -> tuple[Reading, SourceFile]:
    """Return the one table of a file, and the file, named so that no other file of a review is called the same."""
    files = () if beside is None else (beside.original, *(each for one in beside.sets for each in one.files))
    name = file.name
    reading = only_one(readings, name, what)
    named = [(each.name, each.sha256) for each in (*files, other) if each is not None]
    apart = told_apart([*named, (name, file.sha256)])[-1]
    if apart != name:
        reading = replace(reading, name=apart + reading.name.removeprefix(name))
    return reading, replace(file, name=apart)


def read_population(
    name: str,
    given: Given,
    options: ReadOptions | None = None,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
    beside: Review | None = None,
) -> tuple[Reading, SourceFile]:
    """Return a table of the population by keys, read from a file, for `population.with_population`.

    Parameters
    ----------
    name, given, options, limits, waiting, beside
        As of `read_holdout`.

    Raises
    ------
    DisclosureError
        As `read`, and when the file holds several tables.
    """
    read = read_file(name, given, options or ReadOptions(), limits, waiting)
    holdout = None if beside is None or beside.holdout is None else beside.holdout.file
    return _apart(*read, "the population", beside, holdout)


def told_apart(files: Sequence[tuple[str, object]]) -> list[str]:
    """Return the names of files, each with a number in it where another has the same and other content: "a (2).csv".

    A review, its report and its scripts know a file by its name alone. One file given twice keeps its name.
    """
    named: dict[str, object] = {}
    names = []
    for given_name, content in files:
        name, n = given_name, 1
        while name in named and named[name] != content:
            n += 1
            first, dot, ending = given_name.partition(".")
            name = f"{first} ({n}){dot}{ending}"
        named[name] = content
        names.append(name)
    return names


def read_file(
    name: str,
    given: Given,
    options: ReadOptions,
    limits: Limits | None,
    waiting: Callable[[bool], object] | None = None,
) -> tuple[SourceFile, tuple[Reading, ...]]:
    """Return a file as a review names it, and the tables that it holds."""
    readings = read(given, name, options, limits, waiting)
    return SourceFile(name, readings[0].file_sha256, options), readings


def only_one(readings: Sequence[Reading], name: str, what: str = "the original") -> Reading:
    """Return the one table of a file.

    Raises
    ------
    DisclosureError
        When it holds several.
    """
    if len(readings) > 1:
        raise DisclosureError(f"{name} holds {len(readings)} tables; give {what} as a file with one.")
    return readings[0]


LABELLED_ALIKE = (
    "{!r} has labels for most of its values in some files and for few in others: its labels are shown in all, which "
    "can be undone as a mend."
)


def labelled_alike(readings: Sequence[Reading]) -> list[str]:
    """Return the columns that some files read by their labels and others as numbers, where all declare the same."""
    labels = declared_labels(readings)
    found = []
    for name, of in labels.items():
        kinds = {
            isinstance(r.table.column(name).values.dtype, pd.CategoricalDtype)
            for r in readings
            if name in r.value_labels and name in r.table.columns
        }
        if len(kinds) > 1 and all(of.get(label, label) == label for label in of.values()):
            found.append(name)
    return found


def check_in_common(readings: Sequence[Reading]) -> None:
    """Say what was read where the files have no column in common: it may be the wrong sheet, or the wrong delimiter.

    Raises
    ------
    DisclosureError
        When no column name is common to all.
    """
    if set.intersection(*(set(r.table.columns) for r in readings)):
        return
    told = []
    for r in readings[:4]:
        names = list(map(str, r.table.columns))
        listed = ", ".join(map(repr, names[:4])) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        sheet = f" (sheet {r.options.sheet!r} of {', '.join(map(repr, r.choices))})" if len(r.choices) > 1 else ""
        told.append(f"{r.name}{sheet} has {listed}")
    raise DisclosureError(
        f"The files have no column name in common: {'; '.join(told)}. Give them the same header, or choose "
        "another sheet or delimiter under “If a file was read wrongly”."
    )


def table_of(frame: Any, name: str) -> Reading:
    """Return a table that was read by the program itself, or handed over in Python, as a reading."""
    table = arrow(frame, f"The {name}")
    file_of(table, f"The {name}")  # says what of it cannot be used
    held = from_table(table, f"The {name}") if isinstance(table, pa.Table) else CodedTable.of(table)
    return Reading(held, name, "", "Parquet", ReadOptions(), (), {}, ())
