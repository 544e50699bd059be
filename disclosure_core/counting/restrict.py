"""Settings restricted to what a study has; each thing dropped is named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from disclosure_core.shown import listed

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Pair, Settings
    from disclosure_core.data.study import AnyStudy


_NAMED = 3
"""So many exclusions that are dropped are named before the rest is counted."""


def levels_as_named(study: AnyStudy, settings: Settings) -> Settings:
    """Return settings whose exclusions have the text of a blank level where they name it as it is shown."""
    columns, out = study.columns, settings.exclusions

    def own(name: str, level: str) -> str:
        return columns[name].level_named(level) if name in columns else level

    levels = {name: [own(name, each) for each in named] for name, named in out.target_levels}
    pairs = {
        name: [replace(p, key_level=own(p.key, p.key_level), target_level=own(name, p.target_level)) for p in named]
        for name, named in out.pairs
    }
    return replace(settings, exclusions=replace(out, target_levels=levels, pairs=pairs))


def restrict_to_study(study: AnyStudy, settings: Settings) -> tuple[Settings, tuple[str, ...]]:
    """Return `settings` without what `study` does not have, and a sentence for each thing dropped.

    Use it after the user changed keys or groups, and after loading settings that were saved with other data: an
    exclusion of a level that is gone would be an error in `assess`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, Study
    >>> settings, said = restrict_to_study(Study(frame, [frame]), Settings(keys=["age", "sex"]))
    >>> settings.keys, said
    (('age',), ("Key 'sex' is not there any more and was dropped.",))
    """
    messages: list[str] = []

    def present(names: Iterable[str], what: str, among: Iterable[str]) -> list[str]:
        names, among = list(names), set(among)
        messages.extend(
            f"{what} {name!r} is not there any more and was dropped." for name in names if name not in among
        )
        return [name for name in names if name in among]

    keys = present(settings.keys, "Key", study.columns)
    targets = None if settings.targets is None else tuple(present(settings.targets, "Target", study.columns))
    groups = {name: n for name, n in settings.groups if name in study.columns}
    out = levels_as_named(study, settings).exclusions

    @cache
    def labels(name: str) -> frozenset[str]:
        return frozenset(study.grouped(name, groups.get(name, 0))[0].labels)

    def has_pair(target: str, pair: Pair) -> bool:
        return pair.key in keys and pair.key_level in labels(pair.key) and pair.target_level in labels(target)

    target_levels = {
        target: present(levels, f"The excluded level of {target!r}", labels(target))
        for target, levels in out.target_levels
        if target in study.columns
    }
    pairs = {t: [p for p in named if has_pair(t, p)] for t, named in out.pairs if t in study.columns}
    gone = [
        *(
            f"“{p.target_level}” of {target!r} with {p.key!r} “{p.key_level}”"
            for target, named in out.pairs
            for p in named
            if p not in pairs.get(target, ())
        ),
        *(f"missing values of the key {name!r}" for name in sorted(out.missing_keys - {*keys})),
    ]
    if gone:
        more = f" and {len(gone) - _NAMED:,} more" if len(gone) > _NAMED else ""
        it_does = "they do" if len(gone) > 1 else "it does"
        messages.append(
            f"Not excluded any more, because {it_does} not fit the keys and groups: {listed(gone[:_NAMED])}{more}."
        )
    restricted = replace(
        settings,
        keys=tuple(keys),
        targets=targets,
        groups=groups,
        exclusions=replace(
            out,
            target_levels=target_levels,
            pairs=pairs,
            missing_targets=out.missing_targets & study.columns.keys(),
            missing_keys=out.missing_keys & set(keys),
        ),
    )
    return restricted, tuple(messages)
