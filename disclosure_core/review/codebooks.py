"""A codebook taken up in a review: it decides labels and missing codes for all files alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.data.agreement import declared_labels
from disclosure_core.data.codebook import Codebook, code_text
from disclosure_core.data.identifiers import identifiers
from disclosure_core.data.mending import checked
from disclosure_core.data.readers._statistical import LETTERS
from disclosure_core.data.study import Kind
from disclosure_core.data.suggestions import apply_missing_texts, retype
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.readers import Reading
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Columns
    from disclosure_core.review.value import Review


def with_codebook(opened: Opened, codebook: Codebook) -> Review:
    """Return the review with what a codebook says of its columns.

    A column is shown by its labels, in all files, where at least half of the original's answers have one; else it is
    what the codebook says it is, number, category or date, where every file can be read so and nothing was decided of
    it. What is no answer counts as missing.

    Raises
    ------
    DisclosureError
        When the data stay in their engine, or the codebook knows none of the columns.
    """
    if not opened.study().holds_records:
        raise DisclosureError("These data stay in their engine, where no codebook can be applied to them.")
    codebook = _bound(opened, codebook)
    if not any(map(codebook.knows, opened.study().columns)):
        raise DisclosureError(f"{codebook.name} knows none of the columns of these data; is it another survey's?")
    columns = without_codebook(opened.review.columns)
    called = labels_of(opened.readings(), codebook)
    mends = dict(columns.mends)
    for name, column in opened.study().columns.items():
        labels = called[name] if name in codebook.labels else {}
        if odd := next((label for label in labels.values() if labels.get(label, label) != label), None):
            raise DisclosureError(
                f"{codebook.name} calls a code of {name!r} by another of its codes, {odd!r}; give labels that are no "
                "codes."
            )
        if labels and _by_labels(column, labels, codebook.missing.get(name, ())):
            mends[name] = (*mends.get(name, ()), "labels")
    columns = _typed(opened, replace(columns, codebook=codebook, mends=checked(mends)))
    study, codes = opened.with_review(replace(opened.review, columns=columns)).study(), dict(columns.missing_codes)
    for name, column in study.columns.items():
        if column.kind is Kind.NUMBER and "labels" not in columns.mends.get(name, ()):
            held = {v for v in codebook.missing.get(name, ()) if v in column.levels and _in_original(column, v)}
            if held:
                codes[name] = tuple(dict.fromkeys((*codes.get(name, ()), *sorted(held))))
    return replace(opened.review, columns=replace(columns, missing_codes=codes))


def _bound(opened: Opened, codebook: Codebook) -> Codebook:
    """Return a catalogue of formats as one of columns: the original says first which column has which format."""
    if not codebook.formats:
        return codebook
    of: dict[str, str] = {}
    for reading in _all_readings(opened):
        for name, called in reading.formats.items():
            of.setdefault(name, called)
    labels = {name: dict(codebook.formats[called]) for name, called in of.items() if called in codebook.formats}
    if not labels:
        has = ", ".join(codebook.formats)
        raise DisclosureError(
            f"{codebook.name} labels the formats {has}, and no file here says that a column has one of them; bring the "
            "original as .sas7bdat or .xpt, or a table with the columns column, value and label."
        )
    missing = {
        name: tuple(c for c in labels[name] if c in _LETTERED and not of[name].startswith("$")) for name in labels
    }
    return Codebook(codebook.name, labels, {name: codes for name, codes in missing.items() if codes})


def _all_readings(opened: Opened) -> list[Reading]:
    data = opened.data
    return [r for r in (data.original, *(r for each in data.sets.values() for r in each)) if r is not None]


def _typed(opened: Opened, columns: Columns) -> Columns:
    """Return what was decided of columns with what the codebook says they are, where every file can be read so."""
    codebook, study, readings = columns.codebook, opened.study(), _all_readings(opened)
    assert codebook is not None
    grouped = {*opened.review.groups, *(name for each in opened.review.intruders for name in each.groups)}
    for name, kind in codebook.types.items():
        if name not in study.columns or name in columns.types or "labels" in columns.mends.get(name, ()):
            continue
        now = study.columns[name].kind
        if now == kind or (
            kind == Kind.CATEGORY and (now is Kind.DATE or name in columns.missing_codes or name in grouped)
        ):
            continue
        texts = dict(columns.missing_texts)
        if kind != Kind.CATEGORY and now is Kind.CATEGORY and name in codebook.missing:
            texts[name] = tuple(dict.fromkeys((*texts.get(name, ()), *codebook.missing[name])))
        try:
            for reading in readings:
                retype(apply_missing_texts(reading.table, texts), {name: kind}, dates=codebook.dates)
        except DisclosureError:
            continue  # said by `against`
        columns = replace(columns, types={**columns.types, name: kind}, missing_texts=texts)
    return columns


def without_codebook(columns: Columns) -> Columns:
    """Return what was decided of columns without a codebook, and without what it put there."""
    book = columns.codebook
    if book is None:
        return columns
    mends = {
        name: tuple(kind for kind in kinds if kind != "labels" or name not in book.labels)
        for name, kinds in columns.mends.items()
    }
    types = {name: kind for name, kind in columns.types.items() if book.types.get(name) != kind}
    texts = {
        name: tuple(t for t in given if t not in book.missing.get(name, ()))
        if name in columns.types.keys() - types
        else given
        for name, given in columns.missing_texts.items()
    }
    return replace(
        columns,
        codebook=None,
        mends=checked(mends),
        types=types,
        missing_texts={name: given for name, given in texts.items() if given},
    )


def labels_of(readings: Sequence[Reading], codebook: Codebook | None) -> dict[str, dict[str, str]]:
    """Return the label of each code by column: the codebook's, and where it has none the files'.

    A label that a file puts in a code's place is called as the codebook calls that code.
    """
    found = declared_labels(readings)
    for name, labels in ({} if codebook is None else codebook.labels).items():
        found[name] = called = _told_apart(labels)
        for code in [c for c in labels if c in _LETTERED]:
            for written in _LETTERED[code]:
                called.setdefault(written, called[code])
        for reading in readings:
            for code, label in (reading.value_labels or {}).get(name, {}).items():
                if (plain := code_text(code)) in called:
                    called.setdefault(str(label), called[plain])
    return found


_LETTERED = {f"{code}": (f".{x.upper()}", x.upper(), f".{x}") for x, code in LETTERS.items()}
"""By number of `LETTERS`, how text files write that special missing value."""


def _told_apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Return labels of which no two codes have the same: it stands with its code then, as `readers` show it."""
    often = Counter(labels.values())
    return {code: label if often[label] == 1 else f"{label} ({code})" for code, label in labels.items()}


def unlisted(opened: Opened) -> list[str]:
    """Return, a sentence a column, the levels that the codebook does not list though it labels the column."""
    codebook, study = opened.review.columns.codebook, opened.study()
    said = []
    called = {} if codebook is None else labels_of((), codebook)
    for name, labels in called.items():
        if name not in study.columns or "labels" not in opened.review.columns.mends.get(name, ()):
            continue
        column = study.columns[name]
        listed = {*labels, *labels.values()}
        strange = [
            column.label(int(c))
            for c in np.flatnonzero(column.counts[:, :-1].sum(axis=0))
            if column.levels[int(c)] not in listed
        ]
        if strange:
            said.append(f"{name!r} holds {_some(strange)}, which the codebook does not list.")
    return said


def against(opened: Opened) -> list[str]:
    """Return, a sentence each, what of the data is not as the codebook says: types, and records told apart."""
    columns, study = opened.review.columns, opened.study()
    codebook, said = columns.codebook, list[str]()
    if codebook is None or not study.holds_records:
        return said
    for name, kind in codebook.types.items():
        if name not in study.columns or "labels" in columns.mends.get(name, ()):
            continue
        now = study.columns[name].kind
        if now != kind and columns.types.get(name, kind) == kind and not (kind == Kind.CATEGORY and now is Kind.DATE):
            said.append(
                f"The codebook calls {name!r} a {kind}; it is read as a {now}, since not every file fits that, or "
                "codes or groups were chosen for it. Choose what it holds on the Data page, or by --type."
            )
    for name in (name for name in codebook.identifiers if name in study.columns):
        if n := int((study.columns[name].counts[0, :-1] > 1).sum()):
            stand = "values stand" if n > 1 else "values stands"
            said += [
                f"The codebook calls {name!r} an identifier; {n:,} of its {stand} in several records of the original. "
                "Is one row one person?"
            ]
    return said


def named(opened: Opened) -> list[str]:
    """Return, a sentence each, what the codebook says of identifiers and personal data that no figure tells."""
    codebook, study = opened.review.columns.codebook, opened.study()
    if codebook is None or not study.holds_records:
        return []
    known = identifiers(study)  # of these the data say it
    told = [name for name in codebook.identifiers if name in study.columns and name not in known]
    personal = [name for name in codebook.personal if name in study.columns and name not in known]
    said = []
    if told:
        said.append(f"The codebook calls {_some(told)} an identifier: it should not be released, and is no key.")
    if personal:
        said.append(
            f"The codebook calls {_some(personal)} personal data: see that no real value of it stands in the synthetic "
            "data."
        )
    return said


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _by_labels(column: Variable, labels: Mapping[str, str], missing: Iterable[str]) -> bool:
    absent = {text for code in missing for text in (code, labels.get(code, code))}
    there = [column.levels[int(c)] for c in np.flatnonzero(column.counts[0, :-1])]
    answers = [level for level in there if level not in absent]
    return bool(answers) and 2 * sum(level in labels or level in labels.values() for level in answers) >= len(answers)


def _in_original(column: Variable, text: str) -> bool:
    return bool(column.counts[0, column.code_of(text)])
