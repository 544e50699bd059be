"""A review is begun, or taken up again: of files, of the demonstration survey, of an engine, of tables in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from disclosure_core.above import above
from disclosure_core.data import demo
from disclosure_core.data.agreement import declared_labels
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.harmonise import arrow, file_of
from disclosure_core.data.placing import called, within
from disclosure_core.data.readers import Limits, Reading, ReadOptions, prepare, read
from disclosure_core.data.readers._arrow import from_table
from disclosure_core.data.suggestions import declared_codes
from disclosure_core.errors import DisclosureError
from disclosure_core.review import intruders
from disclosure_core.review.adoption import with_adopted
from disclosure_core.review.data import Data
from disclosure_core.review.editions import corrected
from disclosure_core.review.opened import Opened
from disclosure_core.review.other_files import with_settings_of
from disclosure_core.review.parts import SYNTHETIC, Columns, Holdout, KeySet, SourceFile, SynthesisSet
from disclosure_core.review.results import Results
from disclosure_core.review.value import Review

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.data.column import Variable
    from disclosure_core.data.outsiders import JoinedStudy
    from disclosure_core.data.study import AnyStudy

    Given = bytes | Path
    Source = str | Path | tuple[str, bytes | Path | str]


def start(
    original: Source,
    sets: Mapping[str, Sequence[Source]] | Sequence[Source],
    options: ReadOptions | Mapping[str, ReadOptions] | None = None,
    limits: Limits | None = None,
    told: Callable[[str, bool], object] | None = None,
) -> Opened:
    """Return a new review of files, asking for nothing yet; missing codes that the files declare are taken.

    Parameters
    ----------
    original
        Its name, and its bytes or where it lies; or where it lies alone.
    sets
        By the name of a set, the same of each synthetic file; or the files of one set.
    options
        As of `read`, for all files alike, or by the name of each.
    limits
        As of `read`, for all files alike; with no limits, plain text is one's own and parsed in this process.
    told
        Called with a sentence on what is done, and whether a file still waits for its turn; what it raises ends it.

    Raises
    ------
    DisclosureError
        As `read` and `Study`; when the original holds several tables, or no column is common.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> content = frame.to_csv(index=False).encode()
    >>> opened = start(("original.csv", content), [("synthetic.csv", content)])
    >>> opened.study().n_original
    4
    """
    how = options if isinstance(options, Mapping) else {}
    usual = options if isinstance(options, ReadOptions) else ReadOptions()
    by_set = {name: [_source(each) for each in given] for name, given in _by_set(sets).items()}
    listed = [(None, *_source(original)), *((name, *each) for name, given in by_set.items() for each in given)]
    files: dict[str | None, list[SourceFile]] = {None: [], **{name: [] for name in by_set}}
    tables: dict[str | None, list[Reading]] = {None: [], **{name: [] for name in by_set}}
    names_apart = _told_apart([(file_name, content) for _, file_name, content in listed])
    for i, ((name, given_name, content), file_name) in enumerate(zip(listed, names_apart, strict=True), 1):
        prepare(*names_apart[i - 1 :], limits=limits)
        say = partial(told or _silent, f"Reading {file_name}, file {i} of {len(listed)} …")
        say(False)
        file, readings = _read(file_name, content, how.get(given_name, usual), limits, say)
        if file_name != given_name:
            note = (
                f"another file is called {given_name!r}, too; this one is named {file_name!r}, and needs that name "
                "where a saved review or a script looks for it."
            )
            readings = (replace(readings[0], notes=(note, *readings[0].notes)), *readings[1:])
        files[name].append(file)
        tables[name] += readings
        if name is None:
            _only(readings, file_name)
    (original_file,), (first,) = files.pop(None), tables.pop(None)
    return _begun(original_file, first, files, tables, told or _silent)


def start_split(
    opened: Opened,
    share: float,
    seed: int,
    syntheses: Sequence[tuple[str, Given]],
    limits: Limits | None = None,
    told: Callable[[str, bool], object] | None = None,
) -> Opened:
    """Return a review going on with the training part of its original, of which these syntheses were made.

    The part held out stands as people outside. Settings come along as for any other files (`with_settings_of`).

    Parameters
    ----------
    opened
        The review of the whole.
    share, seed
        Of the split, as its training part was handed out (`outside.as_files`).
    syntheses
        Name, and bytes or place, of each file.
    limits, told
        As of `start`.

    Raises
    ------
    DisclosureError
        As `start`, and when there is no file of the original to split.
    """
    original, file = opened.data.whole or opened.data.original, opened.review.original
    if original is None or file is None:
        raise DisclosureError("Only an original that was read from a file can be split; bring one on the page Data.")
    names = _told_apart([(file.name, None), *syntheses])[1:]
    files: list[SourceFile] = []
    tables: list[Reading] = []
    for i, (name, (_, content)) in enumerate(zip(names, syntheses, strict=True), 1):
        say = partial(told or _silent, f"Reading {name}, file {i} of {len(names)} …")
        say(False)
        read_file, readings = _read(name, content, file.options, limits, say)
        files.append(read_file)
        tables += readings
    split = Holdout("split", share=share, seed=seed)
    new = _begun(file, original, {SYNTHETIC: files}, {SYNTHETIC: tables}, told or _silent, split)
    return with_settings_of(opened.review, new)


def _begun(
    original: SourceFile,
    first: Reading,
    files: Mapping[str | None, list[SourceFile]],
    tables: Mapping[str | None, list[Reading]],
    told: Callable[[str, bool], object],
    holdout: Holdout | None = None,
) -> Opened:
    """Return a review of files that were read, by set, asking for nothing yet."""
    alike = _labelled_alike([first, *(r for found in tables.values() for r in found)])
    notes = dict.fromkeys((*first.notes, *(_ALIKE.format(name) for name in alike)))
    first = replace(first, notes=tuple(notes))
    data = Data(first, {str(name): tuple(found) for name, found in tables.items()}).with_holdout(holdout)
    codes = declared_codes([first, *(r for found in data.sets.values() for r in found)])
    names = ", ".join(r.name for found in data.sets.values() for r in found)
    review = Review(
        name=f"{first.name} against {names}",
        original=original,
        sets=tuple(SynthesisSet(str(name), tuple(found)) for name, found in files.items()),
        columns=Columns(
            mends=dict.fromkeys(alike, ("labels",)),
            missing_codes={name: tuple(f"{v:.15g}" for v in found) for name, found in codes.items()},
        ),
        holdout=holdout,
    )
    opened = Opened(review, data)
    told("Making them comparable …", False)
    for name in data.sets:
        _alike([first, *data.sets[name]])
        opened.study(name)
    return opened


def _source(given: object) -> tuple[str, Given]:
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


def _by_set(given: object) -> dict[str, Sequence[Any]]:
    """Return the syntheses by the name of their set; one set has no name of its own."""
    sets: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {SYNTHETIC: given}
    for name, each in sets.items():
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
    """
    file, readings = _read(name, given, options or ReadOptions(), limits, waiting)
    reading = _only(readings, name, "the holdout")
    reading, file = _apart(file, reading, beside, () if beside is None else (beside.population_table,))
    return reading, Holdout("file", file)


def _apart(
    file: SourceFile, reading: Reading, beside: Review | None, others: Sequence[SourceFile | None]
) -> tuple[Reading, SourceFile]:
    """Return a table and its file, named so that no other file of a review is called the same."""
    files = () if beside is None else (beside.original, *(each for one in beside.sets for each in one.files))
    name = file.name
    named = [(each.name, each.sha256) for each in (*files, *others) if each is not None]
    apart = _told_apart([*named, (name, file.sha256)])[-1]
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
    file, readings = _read(name, given, options or ReadOptions(), limits, waiting)
    holdout = None if beside is None or beside.holdout is None else beside.holdout.file
    return _apart(file, _only(readings, name, "the population"), beside, (holdout,))


def _told_apart(files: Sequence[tuple[str, object]]) -> list[str]:
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


def _silent(sentence: str, queued: bool) -> None:
    """Tell nobody."""


_OF_EVERYBODY = Results()
"""What was made of the demonstration survey as it is opened, before anybody came; empty where nothing was."""


def prepare_demonstration(*more: Callable[[Opened], object]) -> None:
    """Make what pages show of the demonstration survey as it is opened, once for all who open it here later.

    Parameters
    ----------
    more
        What is made of it beside the figures, the remarks and the comparison.
    """
    results = Results(_OF_EVERYBODY)
    results.take(_OF_EVERYBODY)  # what was made before stays
    opened = _demonstration(results)
    made: tuple[Callable[[Opened], object], ...] = (Opened.before, Opened.remarks, Opened.growth, Opened.comparison)
    for make in (*made, *more):
        make(opened)
        _OF_EVERYBODY.take(opened.results)


def start_demonstration() -> Opened:
    """Return a review of the demonstration survey, with keys and groups that suit it."""
    return _demonstration(Results(_OF_EVERYBODY))


def _demonstration(results: Results) -> Opened:
    codes = {name: tuple(f"{v:.15g}" for v in found) for name, found in demo.MISSING_CODES.items()}
    review = Review(
        source="demonstration",
        name="the demonstration survey",
        sets=tuple(SynthesisSet(name, ()) for name in (SYNTHETIC, *demo.OTHER_SETS)),
        columns=Columns(missing_codes=codes),
        intruders=(KeySet("an intruder", tuple(demo.KEYS)),),
        groups=dict(demo.GROUPS),
    )
    return Opened(review, _demonstration_data(), results=results)


def start_engine(
    study: AnyStudy | Mapping[str, AnyStudy],
    name: str,
    outside: Callable[[AnyStudy], JoinedStudy[Variable]] | None = None,
    *,
    random: bool | None = None,
) -> Opened:
    """Return a review of tables that stay in their engine.

    Parameters
    ----------
    study
        Or by the name of a set, a study of each, of one original.
    outside
        Reads people outside, who are there too, against a study of it.
    random
        Whether these are known to be a random part of the original.
    """
    sets = dict(study) if isinstance(study, Mapping) else {SYNTHETIC: study}
    first = next(iter(sets.values()))
    codes = {column: tuple(f"{v:.15g}" for v in found) for column, found in first.missing_codes.items()}
    review = Review(
        "engine", name, sets=tuple(SynthesisSet(of_set, ()) for of_set in sets), columns=Columns(missing_codes=codes),
        holdout=None if outside is None else Holdout("file", random=random),
    )  # fmt: skip
    return Opened(review, Data(engine=sets, outside_engine=outside))


def start_tables(original: Any, sets: Mapping[str, Sequence[Any]] | Sequence[Any]) -> Opened:
    """Return a review of tables handed over in Python, which have no fingerprint.

    Parameters
    ----------
    original
        A pandas frame, an Arrow table, or what has Arrow's C interface, such as a Polars frame.
    sets
        By the name of a set, a table a synthesis; or the syntheses of one set.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> start_tables(original, [original]).study().n_syntheses
    1
    """
    sets = _by_set(sets)
    data = Data(
        _table(original, "original"),
        {name: tuple(_table(f, f"{name} {i}") for i, f in enumerate(frames, 1)) for name, frames in sets.items()},
    )
    return Opened(Review("tables", "tables", sets=tuple(SynthesisSet(name, ()) for name in sets)), data)


def open_review(
    review: Review | str | Path,
    files: str | Path | Mapping[str, Given] | None = None,
    *,
    other_data: bool = False,
    limits: Limits | None = None,
) -> Opened:
    """Return a saved review with its files read again as they were read before.

    Parameters
    ----------
    review
        What was asked, or the place of its file.
    files
        A folder that holds the files, or their bytes or places by name; nothing for the demonstration survey.
    other_data
        Whether files with another fingerprint may take the place of those named; each difference is said.
    limits
        As of `read`.

    Raises
    ------
    DisclosureError
        When a file is not there or, unless `other_data`, is not the one that the review was made with; when none of
        the keys is in the data; as `read` and `Study`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> content = frame.to_csv(index=False).encode()
    >>> saved = start(("original.csv", content), [("synthetic.csv", content)]).review
    >>> open_review(saved, {"original.csv": content, "synthetic.csv": content}).review == saved
    True
    """
    review = Review.load(review) if isinstance(review, str | Path) else review
    files = Path(files) if isinstance(files, str) else files
    if not isinstance(review, Review) or not isinstance(files, Path | Mapping | None):
        raise DisclosureError("Give a review, or its file, and the folder that holds its data.")
    if review.analyses:
        above().check_analyses(review)
    differences: list[str] = []
    again = partial(_again, files or {}, limits, differences)
    if review.source == "demonstration":
        data = _demonstration_data()
        if review.holdout is not None and review.holdout.kind == "demonstration":
            data = replace(data, holdout=demonstration_holdout())
    elif review.source == "files" and review.original is not None and review.sets:
        first = _only(again(review.original), review.original.name)
        data = Data(
            first,
            {
                s.name: tuple(reading for file in s.files for reading in again(file))
                for s in review.sets
                if s.origin is None
            },
        )
    elif review.source == "files":
        raise DisclosureError(
            "This review has no data yet: give it the original and the syntheses, as in open(original, [synthetic])."
        )
    else:
        raise DisclosureError(
            "This review names no files: its data came from an engine or from Python; bring them there again."
        )
    if review.holdout is not None and review.holdout.file is not None:
        data = replace(data, holdout=_only(again(review.holdout.file), review.holdout.file.name, "the holdout"))
    if review.population_table is not None:
        table = review.population_table
        data = replace(data, population=_only(again(table), table.name, "the population"))
    if differences and not other_data:
        raise DisclosureError(
            f"{' '.join(differences)} Nothing was computed; bring the same files, or allow other data."
        )
    opened = Opened(review, data.with_holdout(review.holdout))
    columns = opened.study().columns
    if review.keys and not set(review.keys) & set(columns):
        raise DisclosureError("This review belongs to other data: none of its keys is here.")
    review, dropped = intruders.restricted(review, opened.study())
    return corrected(Opened(review, opened.data, (*differences, *dropped), opened.results))


def open_with(
    review: Review, original: Any, synthetic: Any, holdout: Any, random: bool | None, *, other_data: bool
) -> Opened:
    """Return a review with tables or files that are handed over; see `Review.open`."""
    if (review.original is not None or review.source != "files") and not other_data:
        raise DisclosureError(
            f"This review was made with other data ({review.source}); open it with these only with other_data=True."
        )
    sets = _by_set(synthetic)
    every = [original, *(each for given in sets.values() for each in given)]
    files = [isinstance(each, str | Path) for each in every]
    if any(files) and not all(files):
        raise DisclosureError("Give all data as files or all as tables, not some of each.")
    new = start(original, sets) if all(files) else start_tables(original, sets)
    asked = replace(
        review,
        source=new.review.source,
        name=review.name or new.review.name,
        original=new.review.original,
        sets=with_adopted(new.review.sets, review.sets),
        columns=replace(
            review.columns,
            mends={**new.review.columns.mends, **review.columns.mends},
            missing_codes={**new.review.columns.missing_codes, **review.columns.missing_codes},
        ),
        holdout=None,
    )
    said = () if review == replace(review, source="files", original=None) else (_OTHER,)
    opened = Opened(asked, new.data, said)
    if holdout is None:
        return opened
    if isinstance(holdout, str | Path):
        name, place = _source(holdout)
        reading, source = read_holdout(name, place, beside=asked)
    else:
        reading, source = _table(holdout, "holdout"), Holdout("file", SourceFile("holdout"))
    return opened.with_holdout(reading, replace(source, random=random))


_OTHER = "These data were handed over; whether the review was made with them is not known."


def _again(
    files: Path | Mapping[str, Given], limits: Limits | None, differences: list[str], file: SourceFile
) -> tuple[Reading, ...]:
    """Return the tables of a file that a review names; where it is another one, that is added to `differences`."""
    given = within(files, file.name) if isinstance(files, Path) else files.get(file.name)
    if given is None or (isinstance(given, Path) and not given.is_file()):
        raise DisclosureError(f"{file.name} is not among the files; bring it, or name the folder that holds it.")
    now, readings = _read(file.name, given, file.options, limits)
    if file.sha256 and now.sha256 != file.sha256:
        differences.append(f"{file.name} is not the file that this review was made with: its content differs.")
    elif not file.sha256:
        differences.append(
            f"The review holds no fingerprint of {file.name}: whether it was made with this file is not known."
        )
    return readings


def _read(
    name: str,
    given: Given,
    options: ReadOptions,
    limits: Limits | None,
    waiting: Callable[[bool], object] | None = None,
) -> tuple[SourceFile, tuple[Reading, ...]]:
    readings = read(given, name, options, limits, waiting)
    return SourceFile(name, readings[0].file_sha256, options), readings


def _only(readings: Sequence[Reading], name: str, what: str = "the original") -> Reading:
    if len(readings) > 1:
        raise DisclosureError(f"{name} holds {len(readings)} tables; give {what} as a file with one.")
    return readings[0]


_ALIKE = (
    "{!r} has labels for most of its values in some files and for few in others: its labels are shown in all, which "
    "can be undone as a mend."
)


def _labelled_alike(readings: Sequence[Reading]) -> list[str]:
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


def _alike(readings: Sequence[Reading]) -> None:
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


def _table(frame: Any, name: str) -> Reading:
    """Return a table that was read by the program itself, or handed over in Python, as a reading."""
    table = arrow(frame, f"The {name}")
    file_of(table, f"The {name}")  # says what of it cannot be used
    held = from_table(table, f"The {name}") if isinstance(table, pa.Table) else CodedTable.of(table)
    return Reading(held, name, "", "Parquet", ReadOptions(), (), {}, ())


@cache
def demonstration_holdout() -> Reading:
    """Return the people that come with the survey and were not synthesised, read once for everybody."""
    return _table(demo.holdout(), "1,250 more people of the survey's population")


@cache
def _demonstration_data() -> Data:
    """Return the survey's tables, read once for everybody."""
    sets = {SYNTHETIC: demo.syntheses(), **demo.other_sets()}
    files = {SYNTHETIC: "synthetic"}
    return Data(
        _table(demo.original(), "original.parquet"),
        {
            name: tuple(_table(f, f"{files.get(name, name)}_{i}.parquet") for i, f in enumerate(frames, 1))
            for name, frames in sets.items()
        },
    )
