"""The columns of the data: what each holds on both sides, how it is read, and which of its numbers are no answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from disclosure_core import DisclosureError
from disclosure_core.data import suggestions
from disclosure_core.data.study import Kind
from disclosure_core.errors import not_found
from disclosure_core.rounding import rounded, visible
from pages.shared import column_table, parts
from pages.shared.tables import NONE

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.review.opened import Opened
    from pages.shared.open_review import Session

KEY = "data.columns"
MOST_WORDS = 2_000
"""Letters of missing codes that a browser may send."""


def shown(opened: Opened, why: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what the table shows; `why` says what columns were taken for, where their files can be read otherwise."""
    study, review, labels = opened.study(), opened.review, opened.labels()
    remarks = opened.remarks()
    only = {c.column: (100 - min(c.original), 100 - min(c.synthetic)) for c in remarks.agreed.columns}
    asks = {code.column: code.value for code in reversed(remarks.missing_codes)}
    unmet = {m.column for m in opened.stopping()}
    cells: dict[str, dict[str, Any]] = {}
    for row in study.overview().to_dict("records"):
        name, holds, column = row["column"], row["type"], study.columns[row["column"]]
        told = review.columns.types.get(name, "")
        number = column.kind is Kind.NUMBER
        codes = _codes(column, review.columns.missing_codes.get(name, ()), asks.get(name, "")) if number else None
        cells[name] = {
            "holds": {"kind": "text", "text": holds}
            if why is None
            else {"value": told, "options": _readings(holds, told), "why": why.get(name, "")},
            "levels": _pair(row["levels_original"], row["levels_synthetic"], 0),
            "missing": _pair(row["missing_original"], row["missing_synthetic"], 1),
            "codes": codes or {"kind": "text", "text": _no_answer(opened, name, row["missing_levels"])},
            "only": _pair(*only[name], 2) if name in only else {"pair": [NONE, ""], "sort": -1.0},
            "largest": {"text": visible(str(row["largest"]))},
            "share": _pair(row["largest_original"], row["largest_synthetic"], 1),
            "bars": {"shares": [float(row["largest_original"]), float(row["largest_synthetic"])]},
        }
    marks = dict.fromkeys({*asks, *unmet}, "asks")
    table = {
        "caption": "The columns of the data: levels, missing values and the commonest level of both sides",
        "heads": [
            {"id": "holds", "text": "holds", "kind": "select", "help": "As what the column is read, in all files."},
            {"id": "levels", "text": "levels, original / synthetic", "kind": "pair", "help": "Missing is not counted."},
            {"id": "missing", "text": "missing, %", "kind": "pair", "help": "Of the original / the synthetic records."},
            {
                "id": "codes",
                "text": "no answer",
                "kind": "field",
                "placeholder": "no code",
                "help": "Numbers that stand for “no answer”, such as -8: each is a level of its own.",
            },
            {
                "id": "only",
                "text": "value on one side only, %",
                "kind": "pair",
                "help": "Records of the original / of a synthesis whose value the other side does not have: "
                "the largest share over the syntheses.",
            },
            {"id": "largest", "text": "commonest", "kind": "text", "help": "The original's most frequent level."},
            {"id": "share", "text": "its share, %", "kind": "pair", "help": "Of the original / the synthetic records."},
            {"id": "bars", "text": "", "kind": "bars"},
        ],
        "rows": column_table.rows(study.columns, labels, cells, marks),
        "counts": None,
        "offer": None,
    }
    return column_table.with_lines(table, "columns-confidential.csv")


def _pair(original: float, synthetic: float, digits: int) -> dict[str, Any] | None:
    """Return a cell with the figures of both sides; nothing where both are 0."""
    if not original and not synthetic:
        return None
    shown = [f"{rounded(float(x), digits):,.{digits}f}" if x else "0" for x in (original, synthetic)]
    return {"pair": shown, "sort": float(original)}


def _readings(holds: str, told: str) -> list[list[str]]:
    """Return as what a column can be read: by itself first."""
    return [["", "as in the file" if told else holds], *([kind, kind] for kind in suggestions.TYPES)]


def _codes(column: Variable, codes: tuple[str, ...], asked: str) -> dict[str, Any]:
    ends = f"Values from {column.label(0)} to {column.label(column.n_levels - 1)}" if column.n_levels else ""
    return {"value": ", ".join(codes), "hint": f"{asked} ?" if asked and not codes else "", "note": ends}


def _no_answer(opened: Opened, name: str, declared: str) -> str:
    """Return the texts of a column that are read as missing, and the levels that its file declares so."""
    return ", ".join(filter(None, (*opened.review.columns.missing_texts.get(name, ()), declared)))


def codes_of(text: str) -> tuple[str, ...]:
    """Return the missing codes that a person wrote, with commas or blanks between them; a minus may be a true one."""
    written = re.split(r"[,;\s]+", text.replace("\N{MINUS SIGN}", "-"))
    return tuple(dict.fromkeys(filter(None, written)))


def take(s: Session, act: Mapping[str, Any]) -> None:
    """Do what a person did in the table, if it can be; what cannot is told on the page."""
    with s.telling():
        did, name, value = (act.get(part) for part in ("do", "column", "value"))
        study = s.now.study()
        if not isinstance(name, str) or not isinstance(value, str) or name not in study.columns:
            raise not_found("Column", str(name), "one of the data", study.columns)
        if len(value) > MOST_WORDS:
            raise DisclosureError(f"A text in the table of columns has at most {MOST_WORDS:,} letters; shorten it.")
        if did == "holds" and s.readings:
            types = {column: kind for column, kind in s.review.columns.types.items() if column != name}
            s.decide(types={**types, name: value} if value else types)
        elif did == "codes":
            if study.columns[name].kind is not Kind.NUMBER:
                raise DisclosureError(f"{name!r} holds no numbers, so none of them is a missing code.")
            codes = {column: of for column, of in s.review.columns.missing_codes.items() if column != name}
            found = codes_of(value)
            s.decide(missing_codes={**codes, name: found} if found else codes)


def hear(s: Session) -> None:
    """Do what was done in the table since the last run."""
    parts.hear(KEY, lambda act: take(s, act))


def draw(s: Session) -> None:
    """Draw the table."""
    why = None
    if s.readings:
        if s.type_reasons is None:
            s.type_reasons = suggestions.type_reasons(s.readings[0].table)
        why = s.type_reasons
    parts.draw("columns", KEY, shown(s.now, why), lambda act: take(s, act), height="content")
