"""What was read for a review, and the study that it becomes: columns as the review decides, before any result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from disclosure_core.counting.count import count
from disclosure_core.counting.settings import Settings
from disclosure_core.data import demo
from disclosure_core.data.codebook import code_text
from disclosure_core.data.mending import Mends, mend, resolve
from disclosure_core.data.study import AnyStudy, Kind, Study, StudyOf
from disclosure_core.data.suggestions import apply_missing_texts, retype
from disclosure_core.errors import DisclosureError
from disclosure_core.review.codebooks import labels_of
from disclosure_core.review.outside import of_holdout, shown_alike
from disclosure_core.review.parts import SYNTHETIC, Holdout

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Tables
    from disclosure_core.data.coded import CodedTable
    from disclosure_core.data.column import Variable
    from disclosure_core.data.outsiders import JoinedStudy
    from disclosure_core.data.readers import Reading
    from disclosure_core.review.value import Review

    Codes = tuple[tuple[str, tuple[str, ...]], ...]


S = TypeVar("S", bound=StudyOf[Any])


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """What was read: tables as their files hold them, before anything was decided of columns.

    Attributes
    ----------
    original
        The original's table; None where records stay in an engine.
    sets
        By the name of a set, its syntheses.
    holdout
        People who were not synthesised; None where there are none.
    engine
        By the name of a set, a study whose records stay in an engine.
    whole
        The whole original, where it is split and `original` is its training part; else None.
    population
        A table of the population by keys; None where there is none.
    outside_engine
        Reads people outside, whose records stay in the engine too, against a study there; None where there are none.
    """

    original: Reading | None = None
    sets: Mapping[str, tuple[Reading, ...]] = field(default_factory=dict)
    holdout: Reading | None = None
    engine: Mapping[str, AnyStudy] = field(default_factory=dict)
    whole: Reading | None = None
    population: Reading | None = None
    outside_engine: Callable[[AnyStudy], JoinedStudy[Variable]] | None = None

    @property
    def has_holdout(self) -> bool:
        """Whether there are people who were not synthesised."""
        return self.holdout is not None or self.outside_engine is not None

    @property
    def set_names(self) -> tuple[str, ...]:
        """The names of the sets of syntheses, in order."""
        return (*self.sets, *self.engine)

    def readings(self, name: str) -> tuple[Reading, ...]:
        """Return the tables of one set as read, the original first; empty where records stay in an engine."""
        return () if self.original is None else (self.original, *self.sets[name])

    def with_holdout(self, holdout: Holdout | None) -> Data:
        """Return the data with the original in two where `holdout` is a split of it, and whole where it is not."""
        whole = self.original if self.whole is None else self.whole
        parts = of_holdout(whole, holdout)
        if parts is not None:
            return replace(self, original=parts[0], holdout=parts[1], whole=whole)
        return self if self.whole is None else replace(self, original=whole, holdout=None, whole=None)

    def twin_of_holdout(self, name: str) -> str:
        """Return which file of a set the holdout is, by its fingerprint; empty where it is none of them, or a split."""
        if self.holdout is None or self.whole is not None:
            return ""
        mine = self.holdout.sha256
        return next((r.name for r in self.readings(name) if r.sha256 and r.sha256 == mine), "")


def decided(review: Review, data: Data, name: str) -> tuple[list[CodedTable], Mends]:
    """Return the tables of one set with what was decided of columns, and the mends as these tables settled them.

    Those of an adopted set are the tables that it began as: safeguards come after.

    Raises
    ------
    DisclosureError
        When the data stay in an engine, or a column cannot be read so.
    """
    if data.original is None:
        raise _stays()
    readings, columns = data.readings(review.ancestry(name)[0]), review.columns
    read = [_typed(review, reading) for reading in readings]
    mends = resolve(read, columns.mends, labels_of(readings, columns.codebook))
    return ([mend(table, mends) for table in read] if columns.mends else read), mends


def decided_holdout(review: Review, data: Data, mends: Mends, name: str) -> CodedTable:
    """Return the holdout with what was decided of columns; a cell that this does not fit stays as it is."""
    assert data.holdout is not None
    return decided_beside(review, data, mends, name, data.holdout)


def decided_beside(review: Review, data: Data, mends: Mends, name: str, further: Reading) -> CodedTable:
    """Return a further table with what was decided of columns; a cell that this does not fit stays as it is."""
    table = shown_alike(_typed(review, further, strict=False), further, data.readings(review.ancestry(name)[0]))
    return mend(table, mends, strict=False)


def _typed(review: Review, reading: Reading, *, strict: bool = True) -> CodedTable:
    columns = review.columns
    held_out = None if review.holdout is None else review.holdout.file
    files = (review.original, held_out, review.population_table, *(file for each in review.sets for file in each.files))
    named = (
        f for f in files if f and (reading.name == f.name or reading.name.startswith((f"{f.name} / ", f"{f.name}, ")))
    )
    decimal = next((file.options.decimal for file in named), None)
    emptied = apply_missing_texts(reading.table, columns.missing_texts, decimal, reading.options.delimiter or ",")
    dates = {} if columns.codebook is None else columns.codebook.dates
    return retype(emptied, columns.types, strict=strict, dates=dates)


def coded(review: Review, data: Data, name: str) -> AnyStudy:
    """Return original and syntheses of one set made comparable, before missing codes.

    Raises
    ------
    DisclosureError
        As `Study`; when something was decided of columns that stay in an engine.
    """
    columns = review.columns
    plain = not (columns.mends or columns.missing_texts or columns.types)
    if name in data.engine:
        if not plain:
            raise _stays()
        return data.engine[name]
    if review.source == "demonstration" and plain and name == SYNTHETIC and data.whole is None:
        return _demonstration()
    original, *synthetic = decided(review, data, name)[0]
    return Study(original, synthetic)


def _stays() -> DisclosureError:
    return DisclosureError("These data stay in their engine, where nothing can be mended or read again.")


def with_missing(review: Review, data: Data, name: str, study: AnyStudy) -> AnyStudy:
    """Return the study of `coded` with the codes and levels that count as missing."""
    # A code that is called by its label now, or that a mend read as an empty cell, is none any more.
    mends = review.columns.mends
    declared = missing_values(data, review.ancestry(name)[0])
    codes = {
        c: left
        for c, found in review.columns.missing_codes.items()
        if (left := _left(study, c, found) if "missing" in mends.get(c, ()) else found)
        and "labels" not in mends.get(c, ())
        and not _no_codes(study, c, found, declared.get(c, set()))
    }
    if review.source == "demonstration" and study is _demonstration():
        return _demonstration_with(tuple(sorted(codes.items())))
    study = study.with_missing_codes(codes) if codes else study
    study = answers_of(review, data, name, study)
    absent = missing_levels(review, data, name, study)
    return study.with_missing_levels(absent) if absent and isinstance(study, Study) else study


def _left(study: AnyStudy, name: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes of a column that the original still holds."""
    column = study.columns.get(name)
    return codes if column is None else tuple(code for code in codes if _original_has(column, code))


def _no_codes(study: AnyStudy, name: str, codes: Iterable[str], declared: set[float]) -> bool:
    """Return whether codes that a file declares are texts here: another file holds texts in the column as well.

    They count as missing all the same (`missing_levels`), and are codes again once these texts are told to be empty.
    """
    column = study.columns.get(name)
    return column is not None and column.kind is not Kind.NUMBER and all(float(code) in declared for code in codes)


def answers_of(review: Review, data: Data, name: str, study: S) -> S:
    """Return a study of one set, perhaps a safer one, with what is known of numbers that may be missing codes."""
    return study.with_answers(_labels(review, data, name), review.columns.numbers)


def _labels(review: Review, data: Data, name: str) -> dict[str, dict[str, str]]:
    """Return, by column, the label of each code; of two files that disagree, the first that says it."""
    readings = data.readings(review.ancestry(name)[0])
    found = labels_of(readings, review.columns.codebook)
    for reading in readings:
        for column, labels in reading.value_labels.items():
            mine = found.setdefault(column, {})
            for code, label in labels.items():
                if not isinstance(code, str):
                    mine.setdefault(code_text(code), str(label))
    return found


def missing_levels(review: Review, data: Data, name: str, study: AnyStudy) -> dict[str, set[str]]:
    """Return, by column, the levels that some file of a set, or the codebook, declares to be no answer.

    A code that the original holds counts unless it was taken away from the missing codes.
    """
    absent: dict[str, set[str]] = {}
    for reading in data.readings(review.ancestry(name)[0]):
        for column, levels in reading.missing_levels.items():
            found = absent.setdefault(column, set())
            if column not in study.columns:
                continue
            is_number = study.columns[column].kind is Kind.NUMBER
            kept = {*map(code_text, study.missing_codes.get(column, ()))}
            found |= {v for v in levels if not is_number or v in kept or not _original_has(study.columns[column], v)}
            by_text = {code_text(code): label for code, label in reading.value_labels.get(column, {}).items()}
            found |= {by_text[v] for v in levels if v in by_text}  # where a mend puts labels for codes
    codebook = review.columns.codebook
    for column, codes in ({} if codebook is None else codebook.missing).items():
        if column in study.columns and study.columns[column].kind is not Kind.NUMBER:
            labels = labels_of((), codebook).get(column, {})
            absent.setdefault(column, set()).update(text for v in codes for text in (v, labels.get(v, v)))
    return absent


def _original_has(column: Variable, text: str) -> bool:
    """Return whether a level stands in the original."""
    return text in column.levels and bool(column.counts[0, column.code_of(text)])


def missing_values(data: Data, name: str) -> dict[str, set[float]]:
    """Return, by column, the values that some file of a set declares as missing."""
    declared: dict[str, set[float]] = {}
    for reading in data.readings(name):
        for column, values in reading.missing_codes.items():
            declared.setdefault(column, set()).update(values)
    return declared


def column_labels(review: Review, data: Data, name: str) -> dict[str, str]:
    """Return what codebook and files say that columns hold; the original's word counts before other files'."""
    codebook = review.columns.codebook
    found: dict[str, str] = {} if codebook is None else dict(codebook.called)
    for reading in data.readings(review.ancestry(name)[0]):
        for column, label in reading.labels.items():
            found.setdefault(column, label)
    return found


def counted(review: Review, study: AnyStudy, settings: Settings) -> Tables:
    """Return the tables of what is asked; those of the demonstration survey are counted once for everybody."""
    codes = tuple(sorted(review.columns.missing_codes.items()))
    if review.source == "demonstration" and study is _demonstration_with(codes):
        return _demonstration_tables(codes, Settings(settings.keys, settings.targets, settings.groups))
    return count(study, settings)


# The demonstration survey is public, and neither a study nor its tables change: they are made once for everybody.


@cache
def _demonstration() -> AnyStudy:
    """Return the demonstration survey without missing codes."""
    return demo.study().with_missing_codes({})


@lru_cache(maxsize=4)
def _demonstration_with(codes: Codes) -> AnyStudy:
    """Return the demonstration survey with some missing codes."""
    return _demonstration().with_missing_codes(dict(codes))


@lru_cache(maxsize=4)
def _demonstration_tables(codes: Codes, asked: Settings) -> Tables:
    """Return the survey's tables for keys, targets and groups, 12 MB with its ten targets."""
    return count(_demonstration_with(codes), asked)
