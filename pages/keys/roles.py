"""The columns with a role each: key, target or left out; with their groups, and why an intruder knows a key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core import DisclosureError
from disclosure_core.data.grouping import Groups, read_groups, spoken, written
from disclosure_core.data.identifiers import identifiers
from disclosure_core.data.study import AnyStudy, Kind
from disclosure_core.data.suggested_keys import suggest_keys
from disclosure_core.errors import not_found
from disclosure_core.review import questions
from disclosure_core.review.intruders import with_keys
from disclosure_core.review.roles import role_of, with_role
from pages.shared import column_table, parts

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review
    from pages.shared.open_review import Session

KEY = "keys.roles"
MOST_WORDS = 2_000
"""Letters of a reason or of groups that a browser may send."""


def suggested(study: AnyStudy, labels: Mapping[str, str], told: Iterable[str] = ()) -> dict[str, tuple[str, str]]:
    """Return, by column, the role that its name or values suggest, and why; `told` are a codebook's identifiers."""
    found = {each.column: ("key", each.reason) for each in suggest_keys(study, labels)}
    if study.holds_records:
        why = "Nearly every record has a value of its own, as an identifier has."
        found |= dict.fromkeys(identifiers(study), ("left out", why))
    found |= dict.fromkeys(
        (n for n in told if n in study.columns), ("left out", "The codebook calls it an identifier.")
    )
    return found


def _suggested(opened: Opened) -> dict[str, tuple[str, str]]:
    """Return what is suggested of columns; nothing of one of which somebody has said that it stays as it is."""
    codebook, kept = opened.review.columns.codebook, questions.warnings_kept(opened)
    found = suggested(opened.study(), opened.labels(), () if codebook is None else codebook.identifiers)
    return {name: (role, why) for name, (role, why) in found.items() if role == "key" or name not in kept}


def shown(opened: Opened, waiting: Iterable[str] = ()) -> dict[str, Any]:
    """Return what the table shows; columns that are `waiting` are grouped once their codes are answered."""
    study, review, labels = opened.study(), opened.review, opened.labels()
    hints, waiting, overview = _suggested(opened), set(waiting), study.overview().set_index("column")
    cells: dict[str, dict[str, Any]] = {}
    for name, column in study.columns.items():
        role = role_of(review, name)
        hint, why = hints.get(name, ("", ""))
        groups = review.grouping.get(name, 0)
        number = column.kind is Kind.NUMBER
        cells[name] = {
            "holds": {"text": overview["type"][name]},
            "levels": {"number": int(overview["levels_original"][name])},
            "role": {"value": role, "hint": hint if hint != role else "", "why": why},
            "groups": {"value": written(groups), "note": "waits" if name in waiting else _note(groups)}
            if number
            else None,
            "because": {"value": review.reasons.get(name, "")} if role == "key" else None,
        }
    n_hints = sum(bool(row["role"]["hint"]) for row in cells.values())
    table = {
        "caption": "The columns, with a role each",
        "heads": [
            {"id": "holds", "text": "holds", "kind": "text"},
            {"id": "levels", "text": "levels", "kind": "number", "help": "In the original; missing is not counted."},
            {
                "id": "role",
                "kind": "choice",
                "texts": {"key": "key", "target": "target", "left out": "left out"},
                "text": "role",
            },
            {
                "id": "groups",
                "text": "groups",
                "kind": "field",
                "placeholder": "every value",
                "help": "How many groups of about equal size, such as 20; or your own breaks, such as 18, 65. Empty: "
                "every value is a level.",
            },
            {
                "id": "because",
                "text": "known because (printed in the report)",
                "kind": "field",
                "wide": True,
                "placeholder": "They know it because …",
            },
        ],
        "rows": column_table.rows(study.columns, labels, cells, dict.fromkeys(review.keys, "strong")),
        "counts": {
            "of": "role",
            "words": {"key": ["key", "keys"], "target": ["target", "targets"], "left out": ["left out", "left out"]},
        },
        "offer": {"act": "suggested", "text": "Take all suggestions", "n": n_hints} if n_hints else None,
    }
    return column_table.with_lines(table, "roles-confidential.csv")


def _note(groups: Groups) -> str:
    return spoken(groups) if isinstance(groups, tuple) else ""


def take(s: Session, act: Mapping[str, Any]) -> None:
    """Do what a person did in the table, if it can be; what cannot is told on the page."""
    with s.telling():
        did, name, value = (act.get(part) for part in ("do", "column", "value"))
        study = s.now.study()
        if did == "suggested":
            s.change(_with_suggested(s.review, study, _suggested(s.now)))
            return
        if not isinstance(name, str) or not isinstance(value, str) or name not in study.columns:
            raise not_found("Column", str(name), "one of the data", study.columns)
        if len(value) > MOST_WORDS:
            raise DisclosureError(f"A text in the table of columns has at most {MOST_WORDS:,} letters; shorten it.")
        if did == "role":
            s.change(with_role(s.review, name, value, study.columns))
        elif did == "groups":
            _group(s, name, value)
        elif did == "because":
            with s.as_one(reason=name):
                s.write("reasons", name, value)


def _with_suggested(review: Review, study: AnyStudy, hints: Mapping[str, tuple[str, str]]) -> Review:
    keys = [name for name, (role, _) in hints.items() if role == "key" and name not in review.keys]
    for name, (role, _) in hints.items():
        if role != "key":
            review = with_role(review, name, role, study.columns)
    return with_keys(review, [*review.keys, *keys])


def _group(s: Session, name: str, text: str) -> None:
    """Take the groups of a column; where a number in it may be a missing code, that is asked first."""
    study, n = s.now.study(), read_groups(name, text)
    if study.columns[name].kind is not Kind.NUMBER:
        raise DisclosureError(f"{name!r} holds no numbers, so it cannot be grouped.")
    now = dict(s.settings.groups)
    if n and name not in now and study.suggested_codes(name):
        s.to_group = {**s.to_group, name: n}
        return
    s.to_group = {other: asked for other, asked in s.to_group.items() if other != name}
    s.ask(replace(s.settings, groups={**{k: g for k, g in now.items() if k != name}, **({name: n} if n else {})}))


def hear(s: Session) -> None:
    """Do what was done in the table since the last run."""
    parts.hear(KEY, lambda act: take(s, act))


def draw(s: Session) -> None:
    """Draw the table."""
    parts.draw("columns", KEY, shown(s.now, s.to_group), lambda act: take(s, act), height="content")
