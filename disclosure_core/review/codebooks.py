"""A codebook taken up in a review: it decides labels and missing codes for all files alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.data.agreement import declared_labels
from disclosure_core.data.mending import checked
from disclosure_core.data.study import Kind
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from disclosure_core.data.codebook import Codebook
    from disclosure_core.data.column import Variable
    from disclosure_core.data.readers import Reading
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Columns
    from disclosure_core.review.value import Review


def with_codebook(opened: Opened, codebook: Codebook) -> Review:
    """Return the review with what a codebook says of its columns.

    A column is shown by its labels, in all files, where at least half of the original's levels have one; what is no
    answer counts as missing.

    Raises
    ------
    DisclosureError
        When the data stay in their engine, or the codebook knows none of the columns.
    """
    study, columns = opened.study(), opened.review.columns
    if not study.holds_records:
        raise DisclosureError("These data stay in their engine, where no codebook can be applied to them.")
    known = [n for n in study.columns if n in codebook.labels or n in codebook.missing or n in codebook.called]
    if not known:
        raise DisclosureError(f"{codebook.name} knows none of the columns of these data; is it another survey's?")
    columns = without_codebook(columns)
    mends, codes = dict(columns.mends), dict(columns.missing_codes)
    called = labels_of(opened.readings(), codebook)
    for name in known:
        column, labels = study.columns[name], called[name] if name in codebook.labels else {}
        if odd := next((label for label in labels.values() if labels.get(label, label) != label), None):
            raise DisclosureError(
                f"{codebook.name} calls a code of {name!r} by another of its codes, {odd!r}; give labels that are no "
                "codes."
            )
        if labels and _by_labels(column, labels):
            mends[name] = (*mends.get(name, ()), "labels")
        elif column.kind is Kind.NUMBER:
            held = {v for v in codebook.missing.get(name, ()) if v in column.levels and _in_original(column, v)}
            if held:
                codes[name] = tuple(dict.fromkeys((*codes.get(name, ()), *sorted(held))))
    decided = replace(columns, codebook=codebook, mends=checked(mends), missing_codes=codes)
    return replace(opened.review, columns=decided)


def without_codebook(columns: Columns) -> Columns:
    """Return what was decided of columns without a codebook, and without the labels that it put there."""
    if columns.codebook is None:
        return columns
    mends = {
        name: tuple(kind for kind in kinds if kind != "labels" or name not in columns.codebook.labels)
        for name, kinds in columns.mends.items()
    }
    return replace(columns, codebook=None, mends=checked(mends))


def labels_of(readings: Sequence[Reading], codebook: Codebook | None) -> dict[str, dict[str, str]]:
    """Return the label of each code by column: the codebook's, and where it has none the files'.

    A label that a file puts in a code's place is called as the codebook calls that code.
    """
    found = declared_labels(readings)
    for name, labels in ({} if codebook is None else codebook.labels).items():
        found[name] = called = _told_apart(labels)
        for reading in readings:
            for code, label in (reading.value_labels or {}).get(name, {}).items():
                plain = code if isinstance(code, str) else f"{code:.15g}"
                if plain in called:
                    called.setdefault(str(label), called[plain])
    return found


def _told_apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Return labels of which no two codes have the same: it stands with its code then, as `readers` show it."""
    often = Counter(labels.values())
    return {code: label if often[label] == 1 else f"{label} ({code})" for code, label in labels.items()}


def unlisted(opened: Opened) -> list[str]:
    """Return, a sentence a column, the levels that the codebook does not list though it labels the column."""
    codebook, study = opened.review.columns.codebook, opened.study()
    said = []
    for name, labels in ({} if codebook is None else codebook.labels).items():
        if name not in study.columns or "labels" not in opened.review.columns.mends.get(name, ()):
            continue
        column = study.columns[name]
        listed = {*labels, *_told_apart(labels).values()}
        strange = [column.label(int(c)) for c in np.flatnonzero(column.counts[:, :-1].sum(axis=0))
                   if column.levels[int(c)] not in listed]  # fmt: skip
        if strange:
            shown = ", ".join(map(repr, strange[:3])) + (f" and {len(strange) - 3} more" if len(strange) > 3 else "")
            said.append(f"{name!r} holds {shown}, which the codebook does not list.")
    return said


def _by_labels(column: Variable, labels: Mapping[str, str]) -> bool:
    there = [column.levels[int(c)] for c in np.flatnonzero(column.counts[0, :-1])]
    return bool(there) and 2 * sum(level in labels or level in labels.values() for level in there) >= len(there)


def _in_original(column: Variable, text: str) -> bool:
    return bool(column.counts[0, column.code_of(text)])
