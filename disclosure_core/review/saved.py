"""A review as text and back: one form of file that a person can read and write, checked against the review's types.

A file may hold some parts of a review alone: all else stays as it is where the parts are put on (`with_parts`). It is
JSON, or TOML where a person fills it in. Settings that `Settings.to_json` wrote are read as parts.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from functools import cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from disclosure_core.counting.settings import SCHEMA, Exclusions, Settings, Thresholds
from disclosure_core.data.hierarchies import Hierarchy
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.holdout.decision import Limit, Limits
from disclosure_core.holdout.threat_model import ThreatModel
from disclosure_core.protection.steps import STEPS
from disclosure_core.review.by_hand import Parts, as_rows, in_words, without_empty
from disclosure_core.review.parts import Columns, Sought
from disclosure_core.review.questions import answered as with_answers
from disclosure_core.review.value import Review

if TYPE_CHECKING:
    from disclosure_core.data import readers

VERSION = 3
"""Version of the JSON form; a file of another one is refused."""

LARGEST = 10_000_000
"""Characters of a saved file; one that names every level of a large survey has some hundred thousand."""

MOST_PARTS = 100_000
"""Names, texts, numbers and lists in such a file: what is wrong with each costs more than the letters it has."""

DEEPEST = 50
"""Parts within parts; a review has ten."""

CONFIDENTIAL = (
    "This file names columns and levels of confidential data, and reasons given for them: keep it with the original."
)
"""Stands in every saved review."""

_HEAD = ("review", "confidential", "edition")
"""What is no part of a review; an edition is named by files that were saved before there was a release."""

_SETTINGS = ("keys", "targets", "groups", "exclusions", "thresholds")
"""Parts of a file of settings alone, beside its version, and in some the fingerprints of the data."""


_BY_FIELD = (Columns, Exclusions, Limit, Limits, Sought, ThreatModel, Thresholds)
"""What a file may hold some fields of; any other part is held whole."""

_CHECKED = (Hierarchy, *STEPS.values())
"""What says itself which part of it is not known."""


@cache
def _adapter() -> TypeAdapter[Review]:
    return TypeAdapter(Review)


def to_json(review: Review) -> str:
    """Return the review's text; what is kept by name stands in the order in which it was decided."""
    plain = {"review": VERSION, "confidential": CONFIDENTIAL} | _adapter().dump_python(review)
    return json.dumps(plain, ensure_ascii=False, indent=1, default=sorted)  # a set has no order of its own


def as_parts(review: Review) -> dict[str, Any]:
    """Return all parts of a review, as its file holds them."""
    plain = json.loads(to_json(review))
    return {name: part for name, part in plain.items() if name not in _HEAD}


def from_json(text: str) -> Review:
    """Return the review that a file says; what the file does not hold is as usual."""
    return with_parts(Review(), parts_of(text))


def settings_of(text: str) -> Settings:
    """Return the settings that a file says, for the intruder that figures speak of."""
    review = from_json(text)
    return Settings(review.keys, review.targets, review.grouping, review.exclusions, review.thresholds)


def read(path: Path) -> dict[str, Any]:
    """Return the parts that a file holds: JSON, or TOML."""
    try:
        with path.open("rb") as file:
            data = file.read(4 * LARGEST + 1)
        return parts_of(data.decode("utf-8-sig"), path.name)
    except OSError as error:
        raise DisclosureError(f"{path.name} cannot be read ({error.strerror}); check it.") from None
    except UnicodeDecodeError:
        raise DisclosureError(f"{path.name} is not text in UTF-8; save it as that.") from None


def parts_of(text: str, name: str = "") -> dict[str, Any]:
    """Return the parts that a file holds, by name; what they hold is checked by `with_parts`.

    JSON begins with a brace, TOML says its version in a line; what is neither is called TOML where `name` ends so.
    """
    toml = name.lower().endswith(".toml") or re.search(r"^review *=", text, re.MULTILINE) is not None
    to_fill_in = toml and not text.lstrip().startswith("{")
    plain = _loaded(text, (name or "The file") if to_fill_in else "")
    if isinstance(plain, dict) and "review" not in plain and "schema" in plain:
        return _of_settings(plain)
    if not isinstance(plain, dict) or type(plain.get("review")) is not int or plain["review"] < 1:
        begin = f"Begin it with review = {VERSION}." if to_fill_in else "Choose one saved here."
        raise DisclosureError(f"This is not a saved review: it names no version. {begin}")
    if plain["review"] != VERSION:
        raise DisclosureError("This review was saved by another version of this program; open it with that one.")
    parts = as_rows({name: part for name, part in plain.items() if name not in _HEAD})
    return in_words(without_empty(parts) if to_fill_in else parts)


def _of_settings(plain: Parts) -> dict[str, Any]:
    """Return the parts of a file that `Settings.to_json` wrote."""
    if type(plain["schema"]) is not int or plain["schema"] < 1:
        raise DisclosureError("This is not a settings file: it names no schema. Choose one saved here.")
    if plain["schema"] > SCHEMA:
        raise DisclosureError("This settings file was written by a newer version; update this program to read it.")
    for name in plain:
        if name not in ("schema", "files", *_SETTINGS):
            raise not_found("The part", name, "of a settings file", _SETTINGS)
    parts = {name: plain[name] for name in _SETTINGS if name in plain}
    if "keys" in parts:
        parts["intruders"] = [{"name": "an intruder", "keys": parts.pop("keys")}]
    return parts


def with_parts(review: Review, parts: Parts) -> Review:
    """Return a review with the parts of a file in the place of its own; what the file does not hold stays."""
    if any(isinstance(row, dict) and "at" in row for row in _rows(parts.get("verdicts"))):
        raise DisclosureError("Verdicts beside the figure that they judge are answers: give this file by --answers.")
    parts = _with_names(review, parts)
    filled = _filled(parts, review, as_parts(review))
    try:
        checked = _adapter().validate_json(_without_nan(filled), strict=True)
        _refuse_unknown(parts, checked)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(_place(parts, fault["loc"])) or "the whole"
        raise DisclosureError(
            f"This file is damaged at {place!r}: {fault['msg'][:200]}. Correct it, or save it again."
        ) from None
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise DisclosureError(
            "This file is damaged: a part is missing or of the wrong type. Correct it, or save it again."
        ) from error
    return with_answers(replace(checked, answered=frozenset()), checked.answered)


def _rows(part: Any) -> Iterable[Any]:
    return part if isinstance(part, list) else ()


def _with_names(review: Review, parts: Parts) -> Parts:
    """Return parts that name the intruder, the chain and the set that figures speak of, where those of now are gone."""
    found = dict(parts)
    for several, one in (("intruders", "intruder"), ("chains", "chain"), ("sets", "synthesis_set")):
        names = [row.get("name") for row in _rows(parts.get(several)) if isinstance(row, dict)]
        if several in parts and one not in parts and getattr(review, one) not in ("", *names):
            found[one] = next(iter(names), "") if one == "intruder" else ""
    return found


def _filled(given: Any, now: Any, plain: Any) -> Any:
    """Return a part as a file gives it, with the fields that it does not give as they are now."""
    if not (isinstance(now, (Review, *_BY_FIELD)) and isinstance(given, dict)):
        return given
    return plain | {
        name: _filled(part, getattr(now, name), plain[name]) if name in plain else part for name, part in given.items()
    }


def _without_nan(plain: Any) -> str:
    """Return parts as JSON; a number without bound may stand in it, as in thresholds that nothing exceeds."""

    def is_nan(part: Any) -> bool:
        if isinstance(part, dict | list):
            return any(map(is_nan, part.values() if isinstance(part, dict) else part))
        return isinstance(part, float) and isnan(part)

    if is_nan(plain):
        raise ValueError("a number is none")
    return json.dumps(plain, ensure_ascii=False)


def _place(at: Any, way: Iterable[str | int]) -> Iterator[str]:
    """Give the way to a fault in a file, without what a number or a list there could not be read as."""
    for name in way:
        if isinstance(at, dict):
            yield str(name)
            at = at.get(name)
        elif isinstance(at, list) and isinstance(name, int):
            yield str(name)
            at = at[name] if name < len(at) else None


def _refuse_unknown(given: Any, understood: Any) -> None:
    """Say which part of a file is not among what was understood of it."""
    if isinstance(given, dict):
        known = understood
        if is_dataclass(understood) and not isinstance(understood, _CHECKED):
            known = {f.name: getattr(understood, f.name) for f in fields(understood)}
            strange = next((name for name in given if name not in known), None)
            if strange is not None:
                raise unknown(strange, known)
        for name, part in given.items():
            _refuse_unknown(part, known.get(name) if isinstance(known, Mapping) else None)
    elif isinstance(given, list) and isinstance(understood, tuple) and len(given) == len(understood):
        for part, each in zip(given, understood, strict=True):
            _refuse_unknown(part, each)


def unknown(name: str, known: Iterable[str]) -> DisclosureError:
    """Return the error for a part of a file that a review does not have, with the nearest that it has."""
    near = get_close_matches(name.lower(), list(known), n=1, cutoff=0.6)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    return DisclosureError(
        f"This review holds a part {name[:60]!r} that is not known here{meant}; correct it, or update this program."
    )


def _loaded(text: str, toml: str = "") -> Any:
    """Return what a saved file holds, of whatever shape, when it can be shown and saved again; `toml` names one."""
    if len(text) > LARGEST:
        raise DisclosureError(f"This is not a saved review: it is larger than {LARGEST // 1_000_000} MB.")
    too_many = DisclosureError(
        f"This is not a saved review: it holds more than {MOST_PARTS:,} parts, or {DEEPEST} within one another."
    )
    if sum(map(text.count, ",[{")) > 4 * MOST_PARTS:  # what stands in texts is counted, too
        raise too_many
    try:
        plain = tomllib.loads(text) if toml else json.loads(text, object_pairs_hook=_each_once)
        parts, n = [(plain, 0)], 0
        while parts:
            (part, depth), n = parts.pop(), n + 1
            if n > MOST_PARTS or depth > DEEPEST:
                raise too_many
            if isinstance(part, dict | list):
                inside = [*part, *part.values()] if isinstance(part, dict) else part
                parts += [(each, depth + 1) for each in inside]
            elif isinstance(part, str):
                part.encode()
    except UnicodeEncodeError:
        raise DisclosureError(
            "This saved file is damaged: it holds half a character (a surrogate alone). Save it again."
        ) from None
    except (ValueError, RecursionError) as error:
        if toml:
            where = "it is nested too deeply" if isinstance(error, RecursionError) else str(error).split("\n")[0]
            raise DisclosureError(f"{toml} cannot be read ({where.rstrip('.')}); mend that line.") from None
        raise DisclosureError("This is not a saved review: it is not valid JSON. Choose one saved here.") from None
    return plain


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise DisclosureError(f"This saved file gives {twice[:60]!r} twice in one place; keep one of them.")
    return found


def read_in_child(content: bytes, name: str, limits: readers.Limits) -> tuple[Parts, Review]:
    """Return a stranger's file's parts, and their review, parsed by a child, which answers in our words."""
    from disclosure_core.data.readers._parent import ask_child

    job = {"kind": "answer", "module": __name__}
    parts = parts_of(ask_child(job, (), content[: 4 * LARGEST + 1], name, limits, None, _from_child))
    return parts, with_parts(Review(), parts)


def answered(data: bytes, _: list[bytes], __: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return nothing to say, and the bytes of what the file says, as this program writes it; runs in the child."""
    parts = parts_of(data.decode("utf-8", "replace"))
    with_parts(Review(), parts)  # says what is wrong
    return None, [json.dumps({"review": VERSION} | parts, ensure_ascii=False).encode()]


def _from_child(kind: bytes, _: Any, buffers: list[Any]) -> tuple[str]:
    (text,) = buffers
    if kind != b"f":
        raise ValueError("no message of a review")
    return (bytes(text).decode(),)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a saved review; a file may hold some of its parts alone."""
    plain = _adapter().json_schema()
    head = {"review": {"const": VERSION}, "confidential": {"type": "string"}, "edition": {"type": "integer"}}
    return plain | {"title": "Review", "properties": head | plain["properties"], "required": ["review"]}
