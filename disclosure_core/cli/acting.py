"""Which options a command has a use for: what would do nothing is refused before anything is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from disclosure_core.counting.registry import COMPARED, names
from disclosure_core.data.written import pair
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.threat_model import GATE
from disclosure_core.results import RESULTS, TABLES
from disclosure_core.results.review_tables import REVIEW_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from disclosure_core.review.opened import Opened


NEVER = "(?!)"
"""The pattern of what matters for no condition."""


class Use(NamedTuple):
    """Options that belong together."""

    options: tuple[str, ...]
    judged: str


TARGET_EXCLUSIONS = Use(("exclude", "exclude_pair", "denominator_limit"), ".")
EXCLUSIONS = Use(("exclude", "exclude_missing", "exclude_pair", "denominator_limit", "reasons"), ".")
GROUPS = Use(("group",), ".")
CHECKS = Use(("one_way", "two_way"), "one_way|two_way")
PAIRS_CHECK = Use(("two_way",), "two_way")
_OF_TARGETS = (
    *names(lambda measure: not measure.of_keys),
    *COMPARED,
    *(name for name, table in REVIEW_TABLES.items() if "target" in table.ids),
    *(name for name, (_, table) in TABLES.items() if "target" in table.columns),
)
TARGETS = Use(
    ("targets",),
    rf"\b({'|'.join(_OF_TARGETS)})\b|way|combined|scenarios|subsets|strongest|holdout|sets|release|\[|limits",
)
HOLDOUT = Use(("holdout",), r"difference|members|membership|outside|holdout|\bR\b|F|limits|strongest")
DRAWN = Use(("holdout_is",), "limits")
POPULATION = Use(("population", "population_source"), "F|membership|population|limits")
SOURCE = Use(("population_source",), "limits")
TABLE = Use(("population_table",), "population|limits")
MOTIVE = Use(("motive",), "F|membership|limits")
ASSUMED = Use(("assume",), "F|membership|limits")
LIMITS = Use(("limits",), "limits")
OWNER = Use(("limit_owner", "limit_reason"), NEVER)
RELEASED = Use(("release",), "any|pooled|every|combined|limits")

_OUTSIDE = (HOLDOUT, DRAWN, POPULATION, TABLE, MOTIVE)
_OFFICE = (LIMITS, OWNER, RELEASED)
_BY_TARGET = {kind.short for kind, table in TABLES.values() if "target" in table.ids}
"""Results that have a table with rows of targets."""

IDLE: dict[str, tuple[Use, ...]] = {
    **{kind.short: (*(TARGETS,) * (kind.short not in _BY_TARGET), CHECKS, *_OUTSIDE, *_OFFICE) for kind in RESULTS},
    "anonymity": (CHECKS, EXCLUSIONS, HOLDOUT, DRAWN, MOTIVE, *_OFFICE),
    "population": (TARGETS, CHECKS, TARGET_EXCLUSIONS, HOLDOUT, DRAWN, MOTIVE, *_OFFICE),
    "membership": (TARGETS, CHECKS, EXCLUSIONS, DRAWN, TABLE, *_OFFICE),
    "scenarios": (PAIRS_CHECK, *_OUTSIDE, *_OFFICE),
    "usefulness": (TARGETS, CHECKS, GROUPS, EXCLUSIONS, *_OUTSIDE, *_OFFICE),
    "near-misses": (CHECKS, DRAWN, POPULATION, TABLE, MOTIVE, *_OFFICE),
    "key-subsets": (CHECKS, *_OUTSIDE, *_OFFICE),
    "strongest-intruder": (CHECKS, DRAWN, SOURCE, TABLE, *_OFFICE),
    "combined-release": (CHECKS, *_OUTSIDE, LIMITS, OWNER),
    "compare": (DRAWN, POPULATION, TABLE, MOTIVE, *_OFFICE),
    "look-up": (TARGETS, CHECKS, EXCLUSIONS, *_OUTSIDE, *_OFFICE),
    "protect": (CHECKS, TARGETS, EXCLUSIONS, ASSUMED, *_OUTSIDE, *_OFFICE),
    "answers": (CHECKS, DRAWN, TABLE),
}
"""By command, what moves nothing that it prints or writes; it may still be saved, or move a condition.

The first line is of results that have no other.
"""

NOTED = (TARGETS, DRAWN)
"""What may be given where it moves nothing, and is said to: who repeats a call for another command keeps it."""

_MEMBERSHIP = ("assess", "answers", "membership", "strongest-intruder")
"""Commands for which the questions before membership matter."""

WHY = {
    "anonymity": "it counts every record",
    "population": "it counts by the keys",
    "membership": "it counts who matches by the keys",
    "look-up": "it shows what an intruder sees",
    "usefulness": "it compares every table of one and two columns",
    "protect": "it acts on records, whatever is counted",
}


def check(command: str, options: Mapping[str, Any]) -> None:
    """Say which option of a call would do nothing."""
    for use in _idle(command, options):
        # `answers` prints a file alone, and no note.
        for name in use.options if use not in NOTED or command == "answers" else ():
            if was_given(options.get(name)) and not _matters(use.judged, options):
                raise _nothing(spelt(name), command, use.judged)
    gate = next((text for text in options.get("assume") or () if text.partition("=")[0] in GATE), None)
    if gate is not None and command not in _MEMBERSHIP and not _matters(ASSUMED.judged, options):
        raise _nothing(f"--assume {gate}", command, ASSUMED.judged)
    _of_files(options)


def notes(command: str, options: Mapping[str, Any]) -> list[str]:
    """Return what is said of options that do no harm and nothing else: of what is judged, and of the data."""
    idle = [use for use in NOTED if use in _idle(command, options) and not _matters(use.judged, options)]
    given = [name for use in idle for name in use.options if was_given(options.get(name))]
    return [f"Note: {spelt(name)} moves nothing in `disclosure {command}`{_why(command)}." for name in given]


COUNTED = {
    "population": "keys",
    "membership": "keys",
    **dict.fromkeys(("key-subsets", "strongest-intruder", *_BY_TARGET), "keys or targets"),
}
"""By command, of which columns alone it tells; the others compare, list or write whole records."""

_READ = (
    ("--missing-text", "missing_text"),
    ("--type", "types"),
    ("--missing-code", "missing_code"),
    ("--no-missing-code", "no_missing_code"),
    ("--mend", "mend"),
)
"""Options on how one column is read."""


def notes_on_columns(command: str, options: Mapping[str, Any], opened: Opened) -> list[str]:
    """Return what is said of columns that are read otherwise, and stand in no figure of a command."""
    if options.get("save"):
        return []
    met = [name for name in options.get("really_different") or () if name not in opened.differing]
    same = [f"Note: --really-different {name} changes nothing: its values meet." for name in met]
    if any(re.search("copies|identifiers|usefulness|sets|protected", text) for text in options.get("fail_if") or ()):
        return same
    settings, counted = opened.review.settings, COUNTED.get(command)
    every = counted is None or (settings.targets is None and counted != "keys")
    columns = opened.study().columns
    used = {*columns} if every else {*settings.keys}
    used |= {*settings.targets} if settings.targets is not None and counted != "keys" else set()
    notes = [
        f"Note: {option} {text} moves nothing in `disclosure {command}`: {name} is none of its {counted}."
        for option, part in _READ
        for text in options.get(part) or ()
        if (name := pair(text, option, columns=columns)[0]) in columns and name not in used
    ]
    return [*notes, *same]


def _idle(command: str, options: Mapping[str, Any]) -> tuple[Use, ...]:
    """Return what a call has no use for."""
    if options.get("aims"):  # a search that judges targets, with exclusions, limits and people outside
        of_limits = () if "limits" in [aim.strip() for aim in options["aims"]] else (LIMITS,)
        return (CHECKS, DRAWN, ASSUMED, POPULATION, TABLE, MOTIVE, OWNER, RELEASED, *of_limits)
    return IDLE.get(command, ())


def was_given(value: object) -> bool:
    """Whether an option was given: 0 was."""
    return value is not None and value is not False and value != () and value != ""


def _matters(judged: str, options: Mapping[str, Any]) -> bool:
    """Return whether a review is saved, or a condition judged, for which an option matters."""
    return bool(options.get("save")) or any(re.search(judged, text) for text in options.get("fail_if") or ())


def _why(command: str) -> str:
    return f": {WHY[command]}" if command in WHY else ""


def _nothing(option: str, command: str, judged: str) -> DisclosureError:
    ways = "--save" if command != "answers" else ""
    if judged == "limits" and ways:
        ways += " or --fail-if limits"
    elif ways and judged != NEVER:
        ways += " or a condition of --fail-if"
    unless = f" It acts on {ways} alone; add that, or remove the option." if ways else " Remove it."
    return DisclosureError(f"{option} does nothing in `disclosure {command}`{_why(command)}.{unless}")


_SPELT = {
    "as_json": "--json",
    "coarsen": "--may",
    "limits": "--limit",
    "original_table": "--original",
    "reasons": "--reason",
    "release": "--release-file",
    "synthetic_tables": "--synthetic",
    "types": "--type",
}


def spelt(name: str) -> str:
    """Return an option as it is given."""
    return _SPELT.get(name, f"--{name.replace('_', '-')}")


_OF_FORMAT = {
    "sheet": ("workbook", (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")),
    "delimiter": ("text", (".csv", ".tsv", ".tab", ".txt", ".dat")),
    "decimal": ("text", (".csv", ".tsv", ".tab", ".txt", ".dat")),
}
_PACKED = (".zip", ".gz")
"""What may hold a file of any format."""


def _of_files(options: Mapping[str, Any]) -> None:
    """Say which option on a format is given where no file has it."""
    given = options.get("files") or ()
    if any(path.suffix.lower() == ".json" for path in given) and not options.get("population_table"):
        name = next((n for n in ("delimiter", "decimal", "encoding", "sheet") if was_given(options.get(n))), None)
        if name is not None:
            raise DisclosureError(f"A saved review says how its files are read; remove --{name}.")
    of_sets = [path for files in (options.get("sets") or {}).values() for _, path in files]
    beside = [options[name] for name in ("holdout", "population_table") if options.get(name)]
    files: Sequence[Path] = [*(options.get("files") or ()), *of_sets, *beside]
    endings = {path.suffix.lower() for path in files}
    for name, (what, known) in _OF_FORMAT.items():
        if was_given(options.get(name)) and endings and not endings & {*known, *_PACKED}:
            raise DisclosureError(f"--{name} does nothing here: no file is a {what}. Remove it.")
