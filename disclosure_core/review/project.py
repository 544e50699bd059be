"""Files of before there was a Review: settings, and projects (version 1). Read still, never written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.data import mending
from disclosure_core.errors import DisclosureError
from disclosure_core.review import assumptions
from disclosure_core.review.scenarios import Scenario, with_scenario

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = 1
"""The newest version of a project file that there was."""


@dataclass(frozen=True, slots=True)
class Project:
    """What an older program saved of a review: all of it but the data.

    Attributes
    ----------
    settings
        What is asked now.
    scenarios
        Named exclusions.
    reasons, about
        What the officer wrote, by name.
    files
        SHA-256 of the data files, by name.
    missing_codes
        By numeric column, as texts.
    mends
        Kinds of mends by column, as `mending` knows them.
    assumptions
        Answers to what the measures assume, as `assumptions` knows them.
    """

    settings: Settings = field(default_factory=Settings)
    scenarios: tuple[Scenario, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    missing_codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mends: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assumptions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the project that an older program saved, or one of settings alone.

        Raises
        ------
        DisclosureError
            When the text is not such a file, is damaged, or was written by a newer version.
        """
        settings = Settings.from_json(text)
        plain = json.loads(text)
        version = plain.get("project", SCHEMA)
        if type(version) is not int or version < 1:
            raise DisclosureError("This project file is damaged: its version is no number. Save it again.")
        if version > SCHEMA:
            raise DisclosureError("This project was saved by a newer version; update this program to read it.")
        try:
            scenarios: tuple[Scenario, ...] = ()
            for saved in _checked(plain.get("scenarios", []), list):
                new = Scenario(_checked(_checked(saved, dict)["name"], str), Exclusions.from_plain(saved["exclusions"]))
                scenarios = with_scenario(scenarios, new)
            reasons, about, files = (_texts(plain.get(name, {})) for name in ("reasons", "about", "files"))
            codes = _lists(plain.get("missing_codes", {}))
            mends = mending.checked(_lists(plain.get("mends", {})))
            answers = assumptions.checked(_texts(plain.get("assumptions", {})))
            return cls(settings, scenarios, reasons, about, files, codes, mends, answers)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DisclosureError(
                "This project file is damaged: a part is missing or of the wrong type. Save it again."
            ) from error


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}")
    return value


def _lists(plain: Any) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(_checked(value, str) for value in _checked(values, list))
        for name, values in _checked(plain, dict).items()
    }


def _texts(plain: Any) -> dict[str, str]:
    return {name: _checked(value, str) for name, value in _checked(plain, dict).items()}
