"""A review is begun, or taken up again: of files, of the demonstration survey, of an engine, of tables in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disclosure_core.above import above
from disclosure_core.data.codebook import code_text
from disclosure_core.data.placing import within
from disclosure_core.data.readers import Limits, Reading, ReadOptions, prepare
from disclosure_core.data.suggestions import declared_codes
from disclosure_core.errors import DisclosureError
from disclosure_core.review import intruders
from disclosure_core.review.adoption import with_adopted
from disclosure_core.review.data import Data
from disclosure_core.review.demonstration import demonstration_data, demonstration_holdout
from disclosure_core.review.demonstration import (
    start_demonstration as start_demonstration,  # its name in docs and scripts
)
from disclosure_core.review.opened import Opened
from disclosure_core.review.other_files import on_other_files, with_settings_of
from disclosure_core.review.parts import SYNTHETIC, Columns, Holdout, SourceFile, SynthesisSet
from disclosure_core.review.reading import (
    LABELLED_ALIKE,
    check_in_common,
    labelled_alike,
    only_one,
    read_file,
    read_holdout,
    sets_by_name,
    source_of,
    table_of,
    told_apart,
)
from disclosure_core.review.value import Review

if TYPE_CHECKING:
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
    by_set = {name: [source_of(each) for each in given] for name, given in sets_by_name(sets).items()}
    listed = [(None, *source_of(original)), *((name, *each) for name, given in by_set.items() for each in given)]
    files: dict[str | None, list[SourceFile]] = {None: [], **{name: [] for name in by_set}}
    tables: dict[str | None, list[Reading]] = {None: [], **{name: [] for name in by_set}}
    names_apart = told_apart([(file_name, content) for _, file_name, content in listed])
    for i, ((name, given_name, content), file_name) in enumerate(zip(listed, names_apart, strict=True), 1):
        prepare(*names_apart[i - 1 :], limits=limits)
        say = partial(told or _silent, f"Reading {file_name}, file {i} of {len(listed)} …")
        say(False)
        file, readings = read_file(file_name, content, how.get(given_name, usual), limits, say)
        if file_name != given_name:
            note = (
                f"another file is called {given_name!r}, too; this one is named {file_name!r}, and needs that name "
                "where a saved review or a script looks for it."
            )
            readings = (replace(readings[0], notes=(note, *readings[0].notes)), *readings[1:])
        files[name].append(file)
        tables[name] += readings
        if name is None:
            only_one(readings, file_name)
    (original_file,), (first,) = files.pop(None), tables.pop(None)
    return _new_review(original_file, first, files, tables, told or _silent)


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
    names = told_apart([(file.name, None), *syntheses])[1:]
    files: list[SourceFile] = []
    tables: list[Reading] = []
    for i, (name, (_, content)) in enumerate(zip(names, syntheses, strict=True), 1):
        say = partial(told or _silent, f"Reading {name}, file {i} of {len(names)} …")
        say(False)
        source, readings = read_file(name, content, file.options, limits, say)
        files.append(source)
        tables += readings
    split = Holdout("split", share=share, seed=seed)
    new = _new_review(file, original, {SYNTHETIC: files}, {SYNTHETIC: tables}, told or _silent, split)
    return with_settings_of(opened.review, new)


def _new_review(
    original: SourceFile,
    first: Reading,
    files: Mapping[str | None, list[SourceFile]],
    tables: Mapping[str | None, list[Reading]],
    told: Callable[[str, bool], object],
    holdout: Holdout | None = None,
) -> Opened:
    """Return a review of files that were read, by set, asking for nothing yet."""
    alike = labelled_alike([first, *(r for found in tables.values() for r in found)])
    notes = dict.fromkeys((*first.notes, *(LABELLED_ALIKE.format(name) for name in alike)))
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
            missing_codes={name: tuple(map(code_text, found)) for name, found in codes.items()},
        ),
        holdout=holdout,
    )
    opened = Opened(review, data)
    told("Making them comparable …", False)
    for name in data.sets:
        check_in_common([first, *data.sets[name]])
        opened.study(name)
    return opened


def _silent(sentence: str, queued: bool) -> None:
    """Tell nobody."""


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

    Examples
    --------
    >>> from disclosure_core import DuckDBStudy
    >>> opened = start_engine(DuckDBStudy.of_files("original", ["synthetic"]), "the register")  # doctest: +SKIP
    """
    sets = dict(study) if isinstance(study, Mapping) else {SYNTHETIC: study}
    first = next(iter(sets.values()))
    codes = {column: tuple(map(code_text, found)) for column, found in first.missing_codes.items()}
    review = Review(
        "engine",
        name,
        sets=tuple(SynthesisSet(of_set, ()) for of_set in sets),
        columns=Columns(missing_codes=codes),
        holdout=None if outside is None else Holdout("file", random=random),
    )
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
    sets = sets_by_name(sets)
    data = Data(
        table_of(original, "original"),
        {name: tuple(table_of(f, f"{name} {i}") for i, f in enumerate(frames, 1)) for name, frames in sets.items()},
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
    above().check_analyses(review)
    differences: list[str] = []
    again = partial(_again, files or {}, limits, differences)
    if review.source == "demonstration":
        data = demonstration_data()
        if review.holdout is not None and review.holdout.kind == "demonstration":
            data = replace(data, holdout=demonstration_holdout())
    elif review.source == "files" and review.original is not None and review.sets:
        first = only_one(again(review.original), review.original.name)
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
        data = replace(data, holdout=only_one(again(review.holdout.file), review.holdout.file.name, "the holdout"))
    if review.population_table is not None:
        table = review.population_table
        data = replace(data, population=only_one(again(table), table.name, "the population"))
    if differences and not other_data:
        raise DisclosureError(
            f"{' '.join(differences)} Nothing was computed; bring the same files, or allow other data."
        )
    opened = Opened(review, data.with_holdout(review.holdout), tuple(differences))
    if differences:
        opened = on_other_files(opened)
    review, columns = opened.review, opened.study().columns
    if review.keys and not set(review.keys) & set(columns):
        raise DisclosureError("This review belongs to other data: none of its keys is here.")
    review, dropped = intruders.restricted(review, opened.study())
    return Opened(review, opened.data, (*opened.differences, *dropped), opened.results)


def open_with(
    review: Review, original: Any, synthetic: Any, holdout: Any, random: bool | None, *, other_data: bool
) -> Opened:
    """Return a review with tables or files that are handed over; see `Review.open`."""
    if (review.original is not None or review.source != "files") and not other_data:
        raise DisclosureError(
            f"This review was made with other data ({review.source}); open it with these only with other_data=True."
        )
    above().check_analyses(review)
    sets = sets_by_name(synthetic)
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
    opened = on_other_files(opened) if said else opened
    if holdout is None:
        return opened
    if isinstance(holdout, str | Path):
        name, place = source_of(holdout)
        reading, source = read_holdout(name, place, beside=asked)
    else:
        reading, source = table_of(holdout, "holdout"), Holdout("file", SourceFile("holdout"))
    return opened.with_holdout(reading, replace(source, random=random))


_OTHER = "These data were handed over; whether the review was made with them is not known."


def _again(
    files: Path | Mapping[str, Given], limits: Limits | None, differences: list[str], file: SourceFile
) -> tuple[Reading, ...]:
    """Return the tables of a file that a review names; where it is another one, that is added to `differences`."""
    given = within(files, file.name) if isinstance(files, Path) else files.get(file.name)
    if given is None or (isinstance(given, Path) and not given.is_file()):
        raise DisclosureError(f"{file.name} is not among the files; bring it, or name the folder that holds it.")
    now, readings = read_file(file.name, given, file.options, limits)
    if file.sha256 and now.sha256 != file.sha256:
        differences.append(f"{file.name} is not the file that this review was made with: its content differs.")
    elif not file.sha256:
        differences.append(
            f"The review holds no fingerprint of {file.name}: whether it was made with this file is not known."
        )
    return readings
