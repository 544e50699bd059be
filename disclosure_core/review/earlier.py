"""What earlier versions wrote in forms of their own, as parts of a review: files of settings, and of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.counting.settings import SCHEMA
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.holdout.decision import PARTS
from disclosure_core.holdout.threat_model import GATE

if TYPE_CHECKING:
    from collections.abc import Mapping

_SETTINGS = ("keys", "targets", "groups", "exclusions", "thresholds")
_BESIDE = ("schema", "files")
"""What else stands in a file of settings: its version, and in the first of them the fingerprints of the data."""

_ANSWERS = {
    "officer": "about",
    "title": "about",
    "release": "about",
    "released": "released",
    "asked": "scope",
    "assumptions": "assumptions",
    "membership": "threat_model",
    "limits": "limits",
    "reasons": "reasons",
    "intruders": "intruders",
    "verdicts": "verdicts",
}
"""Parts of a file of answers, and the parts of a review that they are."""

_THREAT_MODEL = {"population-size": "population_size", "population-source": "source", **GATE}


def settings(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a file that `Settings.to_json` wrote.

    Raises
    ------
    DisclosureError
        When it names no schema, another one, or a part that settings do not have.
    """
    if type(plain["schema"]) is not int or plain["schema"] < 1:
        raise DisclosureError("This is not a settings file: it names no schema. Choose one saved here.")
    if plain["schema"] > SCHEMA:
        raise DisclosureError("This settings file was written by a newer version; update this program to read it.")
    for name in plain:
        if name not in (*_BESIDE, *_SETTINGS):
            raise not_found("The part", name, "of a settings file", _SETTINGS)
    parts = {name: plain[name] for name in _SETTINGS if name in plain}
    if "keys" in parts:
        parts["intruders"] = [{"name": "an intruder", "keys": parts.pop("keys")}]
    return parts


def is_answers(plain: Mapping[str, Any]) -> bool:
    """Return whether a file without a head is one of answers."""
    return any(name in _ANSWERS for name in plain)


def answers(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a file of answers; what is released is of the set that figures speak of, under no name.

    Raises
    ------
    DisclosureError
        When a part is not one of answers, or no table.
    """
    found: dict[str, Any] = {}
    for name, part in plain.items():
        if name not in _ANSWERS:
            raise not_found("The part", name, "of a file of answers", _ANSWERS)
        if name in ("officer", "title", "released"):
            part = {"" if name == "released" else name.capitalize(): part}
        if not isinstance(part, dict):
            raise DisclosureError(f"[{name}] in a file of answers is a table of names and answers; write it as one.")
        found[_ANSWERS[name]] = found.get(_ANSWERS[name], {}) | part
    if "threat_model" in found:
        found["threat_model"] = {_THREAT_MODEL.get(name, name): said for name, said in found["threat_model"].items()}
    if "limits" in found:
        found["limits"] = {PARTS.get(name, name): _with_context(said) for name, said in found["limits"].items()}
    return found


def _with_context(said: Any) -> Any:
    """Return what is said of a limit, its context apart."""
    if not isinstance(said, dict):
        return said
    own = {name: text for name, text in said.items() if name in ("owner", "reason")}
    return own | {"context": {name: text for name, text in said.items() if name not in own}}
