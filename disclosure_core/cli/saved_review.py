"""A saved review that a command opens again: with its own files, or what of it is taken up on other data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.cli import engine
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from disclosure_core.review.by_hand import Parts
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


def is_review(files: Sequence[Path]) -> bool:
    """Whether a saved review, or saved settings, stand where files are named."""
    saved = [path for path in files if path.suffix.lower() == ".json"]
    for path in saved:
        with path.open(encoding="utf-8", errors="replace") as file:
            begins = file.read(_HEAD)
        if not begins.lstrip("\ufeff \t\r\n").startswith("{") or not re.search(r'"(review|schema)"\s*:', begins):
            raise DisclosureError(f"{path.name} is JSON, a format that is not read; save the data as CSV or Parquet.")
    return bool(saved)


_HEAD = 100_000
"""Letters of a file in which a saved review says that it is one."""


def open_saved(path: Path, options: Mapping[str, Any], say: Callable[[str], None]) -> Opened:
    """Return a saved review opened with its files; each way in which they are not its own is said."""
    from disclosure_core.review.opening import open_review
    from disclosure_core.review.saved import read, with_parts
    from disclosure_core.review.value import Review

    parts = read(path)
    saved = with_parts(Review(), parts)
    if options.get("engine"):
        if saved.holdout is not None and not options.get("holdout"):
            raise DisclosureError("This review is held against people outside: name them again, by --holdout.")
        opened = engine.open_engine(options, say)
        say(f"Warning: {engine.NOT_HELD_AGAINST}")
        review = taken_up(opened, parts)
        return opened.with_review(review if saved.holdout is None else replace(review, holdout=saved.holdout))
    if options.get("holdout"):
        raise DisclosureError("--holdout is named again with --engine alone: a review of files names it itself.")
    if saved.source == "engine":
        raise DisclosureError(
            "This review is of data in an engine: repeat it by `disclosure run` with --engine, --original and "
            "--synthetic; `disclosure verify` takes them as well."
        )
    say("Reading the files …")
    opened = open_review(saved, options["data"], other_data=options["other_data"])
    for sentence in opened.differences:
        say(f"Warning: {sentence}")
    _need_asked(saved, opened, options)
    return opened


def _need_asked(saved: Review, opened: Opened, options: Mapping[str, Any]) -> None:
    """Refuse conditions where the data lack a key or target that the review asks for: without it they would pass."""
    asked = {"keys": saved.keys, "targets": saved.targets or ()}
    columns = opened.study().columns
    lost = [name for part, names in asked.items() if not options.get(part) for name in names if name not in columns]
    if lost and options.get("fail_if"):
        raise DisclosureError(
            f"The review asks for {listed(list(map(repr, lost)))}, which these data lack, so that no condition can "
            "pass; name other keys and targets to `disclosure assess`, or remove --fail-if."
        )


def taken_up(opened: Opened, parts: Parts) -> Review:
    """Return what was asked in a saved review of the files that were read now; codes that files declare are kept.

    It speaks of the set of the same name, where there is one.
    """
    from disclosure_core.review.migrate import on_data_of
    from disclosure_core.review.saved import with_parts

    now, columns = opened.review, opened.study().columns
    saved = with_parts(now, parts)
    known = {name: codes for name, codes in saved.columns.missing_codes.items() if name in columns}
    codes = {
        name: tuple(dict.fromkeys((*now.columns.missing_codes.get(name, ()), *known.get(name, ()))))
        for name in (*now.columns.missing_codes, *known)
    }
    asked = replace(on_data_of(now, saved), columns=replace(saved.columns, missing_codes=codes))
    there = saved.synthesis_set in {s.name for s in asked.sets}
    return replace(asked, synthesis_set=saved.synthesis_set) if there else asked


def say_not_taken_up(opened: Opened, parts: Parts, options: Mapping[str, Any], say: Callable[[str], None]) -> None:
    """Say what of a saved review are data, which a call names again, and what is of nothing in these data."""
    from disclosure_core.review.migrate import strangers
    from disclosure_core.review.saved import with_parts

    saved = with_parts(opened.review, parts)
    holdout, table = saved.holdout, saved.population_table
    if holdout is not None and holdout.kind != "split" and not options["holdout"]:
        say("Note: That review had people outside; name them by --holdout to have their figures again.")
    if table is not None and not options["population_table"]:
        say("Note: That review had a population table; name it by --population-table to have its figures again.")
    for stranger in strangers(saved, opened):
        say(f"Note: {stranger}")
