"""A review as text and back: JSON that a person can read, checked against its types."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from disclosure_core.counting.settings import LARGEST, Settings, loaded
from disclosure_core.errors import DisclosureError
from disclosure_core.review.parts import KeySet
from disclosure_core.review.questions import answered as with_answers
from disclosure_core.review.value import EDITION, VERSION, Review

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from disclosure_core.data.readers import Limits

CONFIDENTIAL = (
    "This file names columns and levels of confidential data, and reasons given for them: keep it with the original."
)
"""Stands in every saved review."""

_HEAD = ("review", "confidential")


@cache
def _adapter() -> TypeAdapter[Review]:
    return TypeAdapter(Review)


def to_json(review: Review) -> str:
    """Return the review's text; what is kept by name stands in the order in which it was decided."""
    plain = {"review": VERSION, "confidential": CONFIDENTIAL} | _adapter().dump_python(review)
    return json.dumps(plain, ensure_ascii=False, indent=1, default=sorted)  # a set has no order of its own


def from_json(text: str) -> Review:
    """Return the review that `to_json` wrote, or one of the settings that `Settings.to_json` wrote.

    Raises
    ------
    DisclosureError
        When the text is not such a file, is damaged, or was written by a newer version.
    """
    plain = loaded(text)
    if isinstance(plain, dict) and "schema" in plain:
        return _of_settings(Settings.from_json(text))
    if not isinstance(plain, dict) or type(plain.get("review")) is not int or plain["review"] < 1:
        raise DisclosureError("This is not a saved review: it names no version. Choose one saved here.")
    if plain["review"] != VERSION:
        raise DisclosureError("This review was saved by another version of this program; open it with that one.")
    parts = {"edition": 1} | {name: part for name, part in plain.items() if name not in _HEAD}
    if parts["edition"] not in range(1, EDITION + 1):
        raise DisclosureError("This review was saved by a newer version of this program; update it.")
    try:
        checked = _adapter().validate_json(json.dumps(parts, ensure_ascii=False, allow_nan=False), strict=True)
        strange = _unknown(parts, _adapter().dump_python(checked, mode="json"))
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(_place(parts, fault["loc"])) or "the whole"
        raise DisclosureError(f"This review is damaged at {place!r}: {fault['msg'][:200]}. Save it again.") from None
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise DisclosureError(
            "This review is damaged: a part is missing or of the wrong type. Save it again."
        ) from error
    if strange is not None:
        raise DisclosureError(f"This review holds a part {strange[:60]!r} that is not known here; update this program.")
    return with_answers(replace(checked, answered=frozenset()), checked.answered)


def _place(at: Any, way: Iterable[str | int]) -> Iterator[str]:
    """Give the way to a fault in a file, without what a number or a list there could not be read as."""
    for name in way:
        if isinstance(at, dict):
            yield str(name)
            at = at.get(name)
        elif isinstance(at, list) and isinstance(name, int):
            yield str(name)
            at = at[name] if name < len(at) else None


def read_in_child(content: bytes, name: str, limits: Limits, waiting: Callable[[bool], object] | None = None) -> Review:
    """Return what `from_json` returns of a stranger's file, parsed by a child, which answers in our own words.

    Parameters
    ----------
    content, name
        The file's bytes in UTF-8, and its name.
    limits, waiting
        As for `readers.read`.

    Raises
    ------
    DisclosureError
        As `from_json`; or that the child broke off, took too much memory or too much time.
    """
    from disclosure_core.data.readers._parent import ask_child

    job = {"kind": "answer", "module": __name__}
    return from_json(ask_child(job, (), content[: 4 * LARGEST + 1], name, limits, waiting, _told))


def answered(data: bytes, _: list[bytes], __: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return nothing to say, and the bytes of the review as this program writes it; runs in the child."""
    return None, [to_json(from_json(data.decode("utf-8", "replace"))).encode()]


def _told(kind: bytes, _: Any, buffers: list[Any]) -> tuple[str]:
    (text,) = buffers
    if kind != b"f":
        raise ValueError("no message of a review")
    return (bytes(text).decode(),)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a saved review."""
    plain = _adapter().json_schema()
    head = {"review": {"const": VERSION}, "confidential": {"type": "string"}}
    return plain | {"title": "Review", "properties": head | plain["properties"], "required": ["review"]}


def _unknown(saved: Any, understood: Any) -> str | None:
    """Return the name, which may be empty, of a part that was given and is not among what was understood."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(saved, dict) and isinstance(understood, dict):
        strange = sorted(saved.keys() - understood.keys())
        if strange:
            return str(strange[0])
        pairs = ((part, understood[key]) for key, part in saved.items())
    elif isinstance(saved, list) and isinstance(understood, list) and len(saved) == len(understood):
        pairs = zip(saved, understood, strict=True)
    return next((name for a, b in pairs if (name := _unknown(a, b)) is not None), None)


def _of_settings(settings: Settings) -> Review:
    """Return the review that asks for these settings, of no file yet."""
    return Review(
        intruders=(KeySet("an intruder", settings.keys),),
        targets=settings.targets,
        groups=dict(settings.groups),
        exclusions=settings.exclusions,
        thresholds=settings.thresholds,
    )
