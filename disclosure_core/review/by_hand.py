"""Parts of a review as a person writes them in a file: verdicts by name, yes and no, answers left empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.holdout.threat_model import GATE, MOTIVES, Motive
from disclosure_core.review.assumptions import ANSWERS

Parts = Mapping[str, Any]
"""Parts of a review by name, as JSON holds them."""

ANSWERED = ("about", "released", "scope", "assumptions", "threat_model", "limits", "reasons", "intruders", "verdicts")
"""Parts that somebody answers; of a file to fill in, what is left empty there says nothing."""


def without_empty(parts: Parts) -> dict[str, Any]:
    """Return parts without the answers that are left empty."""
    found = {name: _filled_in(part) if name in ANSWERED else part for name, part in parts.items()}
    if isinstance(given := found.get("verdicts"), list):
        found["verdicts"] = [row for row in given if not isinstance(row, dict) or row.keys() & {"verdict", "reason"}]
    if isinstance(known := found.get("intruders"), list):
        found["intruders"] = [row for row in known if not isinstance(row, dict) or row.keys() != {"name"}]
    return {name: part for name, part in found.items() if name not in ANSWERED or part not in _EMPTY}


_EMPTY: tuple[Any, ...] = ("", [], {}, None)


def _filled_in(part: Any) -> Any:
    if isinstance(part, list):
        return [_filled_in(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: each for name, each in ((n, _filled_in(e)) for n, e in part.items()) if each not in _EMPTY}


def as_rows(parts: dict[str, Any]) -> dict[str, Any]:
    """Return parts with intruders and verdicts as lists: a person writes them by name, of an intruder the reason."""
    if isinstance(known := parts.get("intruders"), dict):
        rows = [{"name": n} | (row if isinstance(row, dict) else {"reason": row}) for n, row in known.items()]
        parts = parts | {"intruders": rows}
    if isinstance(by_intruder := parts.get("verdicts"), dict):
        found = []
        for intruder, rows in by_intruder.items():
            if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
                raise DisclosureError(f"[verdicts.{intruder}] is a table of a verdict by target; write it as one.")
            found += [{"intruder": intruder, "target": target} | row for target, row in rows.items()]
        parts = parts | {"verdicts": found}
    return parts


def in_words(parts: dict[str, Any]) -> dict[str, Any]:
    """Return parts with yes, no and motives as the review has them: a person writes them as on the command line."""
    for name, asked in (("threat_model", (*GATE.values(), _MOTIVE)), ("scope", None)):
        part = parts.get(name)
        if isinstance(part, dict):
            written = {n for n, text in part.items() if isinstance(text, str) and (asked is None or n in asked)}
            answers = {n: _motive(part[n]) if n == _MOTIVE else _yes(n, part[n]) for n in written if part[n]}
            parts = parts | {name: {n: answers.get(n, part[n]) for n in part if n not in written or n in answers}}
    return parts


_MOTIVE = "motive"


def _motive(text: str) -> str:
    if text not in {*MOTIVES, *map(str, Motive)}:
        raise not_found("The motive", text, "one of those asked for", MOTIVES)
    return str(MOTIVES.get(text, text))


def _yes(name: str, text: str) -> bool:
    if text not in ANSWERS:
        raise DisclosureError(f"The answer to {name!r} is yes or no, not {text!r}.")
    return text == "yes"
