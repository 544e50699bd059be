"""All that is to be said of a study beside its figures, gathered once for the page, the command line and the report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from disclosure_core.counting.settings import Settings
from disclosure_core.data import mending, suggestions
from disclosure_core.data.agreement import Agreement, agreement
from disclosure_core.data.harmonise import speaks_of_sorts
from disclosure_core.data.study import AnyStudy, Kind, Note, Study
from disclosure_core.data.suggestions import MissingText
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.partition import outside_groups
from disclosure_core.review import assumptions, codebooks
from disclosure_core.review.codebooks import labels_of
from disclosure_core.review.meeting import noted
from disclosure_core.review.questions import of_code, of_text
from disclosure_core.review.tables_of_set import tables_at_hand

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.data.codebook import Codebook
    from disclosure_core.data.coded import CodedTable
    from disclosure_core.data.readers import Reading
    from disclosure_core.data.suggested_codes import MissingCode
    from disclosure_core.review.opened import Opened

_WORTH_SAYING = ("are no numbers", "begin with 0")
"""What a column was taken for is said where it may surprise: the reasons of `meaning` that hold one of these."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Remarks:
    """What is to be said, by where it comes from; each a tuple of notes.

    Attributes
    ----------
    reading
        How each file was read.
    suggested
        Texts and numbers that may stand for "no answer", and columns that were taken for text.
    decided
        What was mended, and assumptions that do not hold.
    data
        Copied columns, the same file twice, identifiers.
    agreement
        Columns whose two sides do not meet as they should.
    comparable
        What was made comparable.
    keys_and_groups
        Keys that single out nearly everybody, and what the assessment says of groups.
    agreed
        The agreement itself.
    outside
        What is to be said of the holdout.
    mends, answers
        What was mended, by column, and what was answered of the assumptions.
    missing_texts, missing_codes
        The texts and numbers that are suggested, as values.
    """

    reading: tuple[Note, ...]
    suggested: tuple[Note, ...]
    decided: tuple[Note, ...]
    data: tuple[Note, ...]
    agreement: tuple[Note, ...]
    comparable: tuple[Note, ...]
    keys_and_groups: tuple[Note, ...]
    agreed: Agreement
    outside: tuple[Note, ...]
    mends: Mapping[str, tuple[str, ...]]
    answers: Mapping[str, str]
    missing_texts: tuple[MissingText, ...] = ()
    missing_codes: tuple[MissingCode, ...] = ()

    def with_settings(
        self,
        study: AnyStudy,
        settings: Settings,
        mends: Mapping[str, Sequence[str]],
        answers: Mapping[str, str],
        banded: Iterable[str] = (),
    ) -> Remarks:
        """Return these under other settings and answers; nothing of the data is looked at again.

        `banded` are keys that an intruder may know in bands.
        """
        return replace(
            self,
            decided=_decided(mends, answers),
            keys_and_groups=(
                *suggestions.key_warnings(study, settings.keys, dict(settings.groups)),
                *suggestions.code_warnings(study, (*dict(settings.groups), *banded)),
            ),
            answers=assumptions.checked(answers),
        )

    def with_result(self, result: Assessment) -> Remarks:
        """Return these with what the assessment says."""
        return replace(self, keys_and_groups=(*self.keys_and_groups, *result.notes))

    @property
    def of_data(self) -> tuple[Note, ...]:
        """What the page lists under "What was made comparable"."""
        return (*self.data, *self.comparable)

    @property
    def every(self) -> tuple[Note, ...]:
        """Everything, no sentence twice, in the order of reading, deciding, comparing and asking."""
        parts = (
            self.reading,
            self.suggested,
            self.decided,
            self.data,
            self.agreement,
            self.comparable,
            self.outside,
            self.keys_and_groups,
        )
        return tuple({note.text: note for note in chain(*parts)}.values())


def remarks(
    study: AnyStudy,
    readings: Sequence[Reading] = (),
    *,
    frames: Sequence[pd.DataFrame] | Sequence[CodedTable] | None = None,
    mends: Mapping[str, Sequence[str]] | None = None,
    told: Mapping[str, Collection[str]] | None = None,
    codebook: Codebook | None = None,
    unlisted: Sequence[str] = (),
    agreed: Agreement | None = None,
    copied: Iterable[Note] = (),
) -> Remarks:
    """Return all that is to be said of a study; what settings and answers add is said by `Remarks.with_settings`.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    readings
        The files as read, the original first; none where tables were handed over.
    frames
        The tables that the study was made of, where they are at hand.
    mends
        What was mended.
    told
        By column, the texts that were said to stand for an empty cell; none where it was said what a column is: it is
        not asked again.
    codebook, unlisted
        The codebook that rules, and what is to be said of levels that it does not list, or of what it says else.
    agreed
        How far the columns meet, where it is known already.
    copied
        What is to be said of whole records of the original in a synthesis.
    """
    agreed = agreed or agreement(study, frames, labels_of(readings, codebook))
    kinds = mending.checked(mends or {})
    texts = tuple(t for t in _texts(study, readings) if t.text not in (told or {}).get(t.column, ()))
    codes = _codes(study)
    original = frames[0] if frames else readings[0].table if readings else None
    return Remarks(
        reading=(
            *(Note(f"{r.name}: {text}", warning=True) for r in readings for text in r.warnings),
            *(Note(f"{r.name}: {text}") for r in readings for text in r.notes),
            *_of_codebook(study, codebook, unlisted),
        ),
        suggested=_suggested(study, original if readings else None, texts, codes, told or {}),
        decided=_decided(kinds, {}),
        data=(*copied, *suggestions.warnings(study)) if isinstance(study, Study) else (),
        agreement=agreed.notes(),
        comparable=_once(study.notes, agreed),
        keys_and_groups=(),
        agreed=agreed,
        outside=(),
        mends=kinds,
        answers={},
        missing_texts=texts,
        missing_codes=codes,
    )


def remarks_of(opened: Opened, synthesis_set: str | None = None) -> Remarks:
    """Return all that is to be said beside the figures, for page, command line and report alike."""
    name, review = synthesis_set or opened.first_set, opened.review
    study = opened.study(name)

    def make() -> Remarks:
        tables = tables_at_hand(opened, name)
        read = opened.readings(name) if review.source == "files" else ()
        copied = opened.copies(name)
        # An adopted set is held against the original as its files were: safeguards never made it meet.
        agreed = opened.agreement(name)
        if review.ancestry(name)[1]:
            own = agreement(study, tables, labels_of(read, review.columns.codebook))
            agreed = replace(own, mismatches=agreed.mismatches)
        return remarks(
            study,
            read,
            frames=tables,
            mends=review.columns.mends,
            codebook=review.columns.codebook,
            told={**review.columns.missing_texts, **dict.fromkeys(review.columns.types, ())},
            unlisted=(*codebooks.unlisted(opened), *codebooks.against(opened), *codebooks.named(opened)),
            agreed=agreed,
            copied=() if isinstance(copied, NotEvaluated) else copied.notes(),
        )

    found: Remarks = opened.once("remarks", opened.set_key(name), review.columns, make=make)
    # Of a key that is not there the assessment says so.
    keys = tuple(key for key in review.keys if key in study.columns)
    known = Settings(keys=keys, groups=review.grouping)
    banded = [key for key in keys if (levels := review.hierarchies.get(key)) and levels.kind == "bands"]
    found = found.with_settings(study, known, review.columns.mends, review.assumptions, banded)
    found = replace(found, agreement=noted(opened, found.agreement, name))
    outside = opened.partition(name)
    if not isinstance(outside, NotEvaluated):
        beyond = opened.once(
            "outside_groups",
            opened.set_key(name),
            review.columns,
            known.groups,
            make=lambda: outside_groups(outside, dict(known.groups)),
        )
        return replace(found, outside=(*outside.notes, *beyond))
    refused = Note(f"The holdout is not evaluated: {outside.why} {outside.needs}", warning=True)
    return replace(found, outside=(refused,)) if opened.data.has_holdout else found


def _once(notes: Iterable[Note], agreed: Agreement) -> tuple[Note, ...]:
    """Return notes of the study; none warns of the sort of a column's values where the agreement warns of them."""
    unmet = {mismatch.column for mismatch in agreed.unmet}
    return tuple(replace(n, warning=False) if n.column in unmet and speaks_of_sorts(n) else n for n in notes)


def _decided(mends: Mapping[str, Sequence[str]], answers: Mapping[str, str]) -> tuple[Note, ...]:
    """Return what was mended, and what follows from assumptions that do not hold."""
    return (
        *(_mended(name, kinds) for name, kinds in mends.items()),
        *(Note(text, warning=True) for text in assumptions.follows(answers)),
    )


def _of_codebook(study: AnyStudy, codebook: Codebook | None, unlisted: Sequence[str]) -> Iterable[Note]:
    if codebook is None:
        return
    labelled, absent = (
        ", ".join(map(repr, (n for n in study.columns if n in of))) or "none"
        for of in (codebook.labels, codebook.missing)
    )
    are = ", ".join(f"{name!r} {kind}" for name, kind in codebook.types.items() if name in study.columns)
    lettered = [
        f"{name!r} {code} {codebook.labels[name][code]}"
        for name, codes in codebook.missing.items()
        if name in study.columns and study.columns[name].kind is Kind.NUMBER
        for code in codes
        if code in codebook.labels.get(name, ())
    ]
    labelled_codes = ", ".join(lettered[:6]) + " …" * (len(lettered) > 6)
    yield Note(
        f"The codebook {codebook.name} counts before what the files say: it labels {labelled}; "
        f"codes that are no answer: {absent}{f' ({labelled_codes})' if lettered else ''}"
        f"{f'; what columns are: {are}' if are else ''}."
    )
    yield from (Note(sentence, warning=True) for sentence in unlisted)


def _mended(name: str, kinds: Sequence[str]) -> Note:
    return Note(f"{name!r} was mended on all sides before it was compared: {', '.join(kinds)}.", name)


def missing_texts(readings: Sequence[Reading]) -> list[MissingText]:
    """Return what looks like a missing text in any of the files, counted over all of them, most records first."""
    counts: dict[tuple[str, str], int] = {}
    for reading in readings:
        for t in suggestions.suggest_missing_texts(reading.table, reading.value_labels):
            counts[t.column, t.text] = counts.get((t.column, t.text), 0) + t.count
    texts = [MissingText(column, text, n) for (column, text), n in counts.items()]
    return sorted(texts, key=lambda t: -t.count)


def _texts(study: AnyStudy, readings: Sequence[Reading]) -> tuple[MissingText, ...]:
    return tuple(text for text in missing_texts(readings) if text.column in study.columns)


def _codes(study: AnyStudy) -> tuple[MissingCode, ...]:
    return suggestions.suggest_missing_codes(study) if study.holds_records else ()


def _suggested(
    study: AnyStudy,
    original: pd.DataFrame | CodedTable | None,
    texts: Iterable[MissingText],
    codes: Iterable[MissingCode],
    told: Mapping[str, Collection[str]],
) -> tuple[Note, ...]:
    notes = [Note(of_text(t).text, t.column) for t in texts]
    notes += [Note(of_code(c).text, c.column) for c in codes]
    reasons = {} if original is None else suggestions.type_reasons(original)
    notes += [
        Note(f"{name!r} was read as a {reason}.", name)
        for name, reason in reasons.items()
        if name in study.columns and any(part in reason for part in _WORTH_SAYING) and told.get(name) != ()
    ]
    return tuple(notes)
