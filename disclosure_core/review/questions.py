"""What the data make one ask, and nobody has answered yet: each changes what the figures mean.

A column that does not meet is answered by a mend, or by *really different* (`Review.really_different`). A warning is
answered by keeping the data as they are, a suggested code by what it is, an assumption by yes or no. What
is kept stands in the review (`Review.answered`): a warning by the set of its files and its sentence, so that other data
are asked of again; a code or text by its column.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.meeting import reason
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    from disclosure_core.data.study import Note
    from disclosure_core.data.suggested_codes import MissingCode
    from disclosure_core.data.suggestions import MissingText
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


_CODE = "code: "


class Question(NamedTuple):
    """One thing that is not answered.

    Attributes
    ----------
    kind
        "unmet", a column that does not meet; "warning", of the data; "code" or "text", which may stand for "no answer";
        "assumption", which no file can tell.
    name
        What its answer is kept under.
    text
        What is to be answered, in a sentence.
    """

    kind: Literal["unmet", "warning", "code", "text", "assumption"]
    name: str
    text: str


def unanswered(opened: Opened) -> tuple[Question, ...]:
    """Return what the data make one ask and nobody has answered, what may be wrong with the files first."""
    review, remarks = opened.review, opened.remarks()
    # A column that is neither key nor target is not counted: what is said of it changes no figure.
    counted = None if review.targets is None else {*review.targets, *review.keys}
    warnings = (
        n
        for n in (*remarks.reading, *remarks.of_data)
        if n.warning and (not n.column or counted is None or n.column in counted)
    )
    found = [
        *(Question("unmet", f"unmet: {m.column}", reason(m)) for m in opened.stopping()),
        *(Question("warning", _of_warning(opened, n), n.text) for n in warnings),
        *(of_code(code) for code in remarks.missing_codes),
        *(of_text(t) for t in remarks.missing_texts if t.text not in review.columns.missing_texts.get(t.column, ())),
        *(Question("assumption", q.name, q.text) for q in QUESTIONS if not review.assumptions.get(q.name)),
    ]
    return tuple(each for each in found if each.name not in review.answered)


def warnings_kept(opened: Opened) -> set[str]:
    """Return the columns of which a warning was given and kept as it is."""
    return {n.column for n in opened.remarks().of_data if n.column and _of_warning(opened, n) in opened.review.answered}


def _of_warning(opened: Opened, note: Note) -> str:
    """Return what the answer to a warning is kept under: of a set that was adopted, what its files were asked holds."""
    return f"{opened.review.ancestry(opened.first_set)[0]}: {note.text}"


def of_code(code: MissingCode) -> Question:
    """Return what is asked of a number that may be a missing code."""
    records = quantity(code.count, "original record")
    return Question(
        "code",
        f"{_CODE}{code.column} = {code.value}",
        f"{code.column!r} holds {code.value} in {records} ({code.reason}): is it a missing code?",
    )


def of_text(text: MissingText) -> Question:
    """Return what is asked of a text that may stand for an empty cell."""
    records = quantity(text.count, "record")
    return Question(
        "text",
        f"text: {text.column} = {text.text}",
        f"{text.column!r} holds {text.text!r} in {records}: does it stand for an empty cell?",
    )


def answered(review: Review, names: Iterable[str]) -> Review:
    """Return the review with these kept as they are; a number that looks like a code stands with its column."""
    numbers, others = dict(review.columns.numbers), set(review.answered)
    for name in names:
        column, parted, value = name.removeprefix(_CODE).rpartition(" = ")
        if name.startswith(_CODE) and parted:
            numbers[column] = tuple(dict.fromkeys((*numbers.get(column, ()), value)))
        else:
            others.add(name)
    columns = replace(review.columns, numbers=numbers)
    return replace(review, answered=frozenset(others), columns=columns)
