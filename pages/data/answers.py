"""What the data make one ask, in one box: the questions with their answers, suggested ones dashed; what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from disclosure_core.data import suggestions
from disclosure_core.data.identifiers import identifiers, is_amounts, is_days, nearly_unique
from disclosure_core.data.mending import actions
from disclosure_core.review import assumptions, mended, questions
from disclosure_core.review.roles import role_of, with_role
from disclosure_core.rounding import fixed, quantity, visible
from pages.shared import agreements, parts, pickers, unanswered

if TYPE_CHECKING:
    from disclosure_core.data.agreement import Mismatch
    from disclosure_core.data.column import Variable
    from disclosure_core.review.opened import Opened
    from pages.shared.open_review import Session

KEY = "data.answers"
NO_FILE = "No file can tell; printed in the report"


def shown(opened: Opened) -> dict[str, Any]:
    """Return what the box shows: what is not answered, first what may be wrong with the files; and what was decided."""
    open_names = {question.name for question in questions.unanswered(opened)}
    entries = list(_entries(opened))
    return {
        "title": "To answer",
        "entries": [e for e in entries if e["name"] in open_names],
        "notes": [e for e in entries if e["name"] not in open_names],
        "decided": list(_decided(opened)),
        "n_dashed": sum(any(option["dashed"] for option in e["options"]) for e in entries),
    }


def _entries(opened: Opened) -> Iterator[dict[str, Any]]:
    remarks, differ = opened.remarks(), opened.differing
    several = opened.study().n_syntheses > 1
    for mismatch in remarks.agreed.mismatches:
        if mismatch.column not in differ:
            mend = [_option("mend", f"Mend: {actions(mismatch.kinds)}", dashed=True)] if mismatch.kinds else []
            differs = [_option("differ", "These values really differ")] if mismatch.stops else []
            yield _entry(
                f"unmet: {mismatch.column}",
                f"{visible(mismatch.column)}: the values do not meet",
                mismatch.text(several=several),
                [*mend, *differs],
                _before_and_after(opened, mismatch),
            )
    own, of_column = _own(opened), _columns_of_warnings(opened)
    said = False
    texts = {questions.of_text(t).name: t for t in remarks.missing_texts}
    codes = {questions.of_code(c).name: c for c in remarks.missing_codes}
    for question in questions.unanswered(opened):
        if question.kind == "warning":
            offered = own.get(of_column.get(question.text) or "")
            answers = [] if offered is None else [offered]
            yield _entry(question.name, question.text, "", [*answers, _option("keep", unanswered.KEEP)])
        elif question.kind == "text":
            text = texts[question.name]
            yield _entry(
                question.name,
                f"Is {text.text!r} in {text.column} “no answer”?",
                f"{quantity(text.count, 'record')} of all files; only empty cells are missing so far",
                [
                    _option("missing", "No answer", dashed=not suggestions.is_word(text.text)),
                    _option("keep", "An answer"),
                ],
            )
        elif question.kind == "code":
            code = codes[question.name]
            yield _entry(
                question.name,
                f"Is {code.value} in {code.column} “no answer”?",
                f"{quantity(code.count, 'original record')}; {code.reason}",
                [_option("missing", "No answer", dashed=True), _option("keep", "A number")],
            )
        elif question.kind == "assumption":
            answers = [_option(answer, answer.capitalize()) for answer in assumptions.ANSWERS]
            yield _entry(question.name, question.text, "" if said else NO_FILE, answers)  # once, of all that follow
            said = True


def _decided(opened: Opened) -> Iterator[dict[str, Any]]:
    """Return what was decided, with a warning where it is one; each can be taken back."""
    columns, review = opened.review.columns, opened.review
    for column in sorted(opened.differing):
        yield _entry(
            f"differ: {column}", f"Really different: {visible(column)}", "Figures that rest on it are evaluated.", []
        )
    for column in _left_out(opened):
        yield _entry(f"out: {column}", f"Not counted: {visible(column)}", "", [])
    for column, kinds in columns.mends.items():
        yield _entry(f"mend: {column}", f"Mended: {visible(column)} ({actions(kinds)})", "", [])
    for column, texts in columns.missing_texts.items():
        listed = ", ".join(repr(text) for text in texts)
        yield _entry(f"texts: {column}", f"Treated as missing: {listed} in {visible(column)}", "", [])
    for question in assumptions.QUESTIONS:
        if answer := review.assumptions.get(question.name):
            said = question.if_no if answer == "no" else ""
            yield _entry(
                f"assumed: {question.name}", f"{question.text} {answer.capitalize()}", said, [], warns=bool(said)
            )


def _own(opened: Opened) -> dict[str, dict[str, Any]]:
    """Return the columns of which nearly every record has a value of its own, and what is offered for each."""
    study = opened.study()
    return {n: _offered(study.columns[n]) for n in nearly_unique(study)} if study.holds_records else {}


def _offered(column: Variable) -> dict[str, Any]:
    if is_days(column):
        return _option("year", "Cut it to years")
    if is_amounts(column):
        return _option("number", "Read it as numbers", dashed=True)
    return _option("leave out", "Do not count it", dashed=True)


def _left_out(opened: Opened) -> list[str]:
    """Return the columns that look like identifiers and are neither key nor target."""
    study = opened.study()
    left = [name for name in study.columns if role_of(opened.review, name) == "left out"]
    found = identifiers(study) if left and study.holds_records else {}
    return [name for name in left if name in found]


def _columns_of_warnings(opened: Opened) -> dict[str, str | None]:
    """Return the column that each warning is of, by its sentence."""
    remarks = opened.remarks()
    return {note.text: note.column for note in (*remarks.reading, *remarks.of_data)}


def _before_and_after(opened: Opened, mismatch: Mismatch) -> list[list[str]]:
    """Return what a mend would do to each figure, before and after it, %."""
    if not mismatch.kinds:
        return []
    rows = mended.tried(opened, mismatch).to_dict("records")
    return [
        [str(row["figure"]), *("–" if isnan(row[side]) else fixed(row[side]) for side in ("before", "after"))]
        for row in rows
    ]


def _option(value: str, text: str, *, dashed: bool = False) -> dict[str, Any]:
    return {"value": value, "text": text, "dashed": dashed}


def _entry(
    name: str,
    question: str,
    detail: str,
    options: list[dict[str, Any]],
    table: Iterable[list[str]] = (),
    *,
    warns: bool = False,
) -> dict[str, Any]:
    return {
        "name": name,
        "question": visible(question),
        "detail": visible(detail),
        "options": options,
        "table": list(table),
        "warns": warns,
    }


def take(s: Session, act: Mapping[str, Any]) -> None:
    """Do what a person answered, if it is asked; or take back what was decided."""
    name, value = act.get("name"), act.get("value")
    with s.telling(), s.as_one():
        if act.get("do") == "mend all":
            _mend_all(s)
        elif act.get("do") == "back":
            if any(name == each["name"] for each in _decided(s.now)):
                _take_back(s, str(name))
        elif act.get("do") == "answer":
            for entry in _entries(s.now):
                if entry["name"] == name and value in [option["value"] for option in entry["options"]]:
                    _answer(s, [str(name)], str(value))
                    break
        pickers.group_what_waits(s)


def _answer(s: Session, names: list[str], value: str) -> None:
    """Give several questions the same answer."""
    if value in assumptions.ANSWERS:
        s.update(assumptions=assumptions.checked({**s.review.assumptions, **dict.fromkeys(names, value)}))
    elif value == "keep":
        unanswered.keep(s, names)
    elif value == "differ":
        for name in names:
            agreements.differ(s, name.partition(": ")[2])
    elif value == "leave out":
        _leave_out(s, names)
    elif value in ("year", "number"):
        columns = filter(None, map(_columns_of_warnings(s.now).get, _texts(s, names)))
        s.decide(types={**s.review.columns.types, **dict.fromkeys(columns, value)})
    elif value == "mend":
        _mend(s, names)
    elif value == "missing":
        _missing(s, names)


def _texts(s: Session, names: list[str]) -> list[str]:
    """Return the sentences that these questions ask of."""
    return [question.text for question in questions.unanswered(s.now) if question.name in names]


def _leave_out(s: Session, names: list[str]) -> None:
    """Leave out the columns of which these warnings are, and no others."""
    review, of_column = s.review, _columns_of_warnings(s.now)
    for text in _texts(s, names):
        if column := of_column.get(text):
            review = with_role(review, column, "left out", s.now.study().columns)
    s.change(review)


def _mend(s: Session, names: list[str]) -> None:
    """Mend columns, each after what was mended of it before."""
    mends = dict(s.review.columns.mends)
    for mismatch in s.now.remarks().agreed.mismatches:
        if f"unmet: {mismatch.column}" in names:
            mends[mismatch.column] = (*mends.get(mismatch.column, ()), *mismatch.kinds)
    s.decide(mends=mends)


def _missing(s: Session, names: list[str]) -> None:
    """Treat texts as missing, and declare numbers missing codes."""
    if empty := [t for t in s.now.remarks().missing_texts if questions.of_text(t).name in names]:
        texts = dict(s.review.columns.missing_texts)
        for text in empty:
            texts[text.column] = (*texts.get(text.column, ()), text.text)
        s.decide(missing_texts=texts)
    if absent := [c for c in s.now.remarks().missing_codes if questions.of_code(c).name in names]:
        codes = dict(s.review.columns.missing_codes)
        for code in absent:
            codes[code.column] = (*codes.get(code.column, ()), code.value)
        s.decide(missing_codes=codes)


def _mend_all(s: Session) -> None:
    """Take every dashed answer: nothing else."""
    dashed = [(e["name"], option["value"]) for e in _entries(s.now) for option in e["options"] if option["dashed"]]
    for value in ("leave out", "mend", "missing", "number"):
        if names := [name for name, each in dashed if each == value]:
            _answer(s, names, value)


def _take_back(s: Session, name: str) -> None:
    kind, _, rest = name.partition(": ")
    columns = s.review.columns
    if kind == "differ":
        agreements.differ(s, rest, differ=False)
    elif kind == "mend":
        s.decide(mends={column: kinds for column, kinds in columns.mends.items() if column != rest})
    elif kind == "texts":
        s.decide(missing_texts={column: texts for column, texts in columns.missing_texts.items() if column != rest})
    elif kind == "out":
        s.change(with_role(s.review, rest, "target", s.now.study().columns))
    elif kind == "assumed":
        s.update(assumptions=assumptions.checked({**s.review.assumptions, rest: ""}))


def hear(s: Session) -> None:
    """Do what was answered since the last run."""
    parts.hear(KEY, lambda act: take(s, act))


def draw(s: Session) -> None:
    """Draw the box."""
    parts.draw("answers", KEY, shown(s.now), lambda act: take(s, act), height="content")
