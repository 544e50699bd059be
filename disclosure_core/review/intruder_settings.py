"""The settings of the intruder that figures speak of: which exclusions act and which wait, and whose groups change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.settings import Exclusions, Pair, Settings

if TYPE_CHECKING:
    from disclosure_core.data.grouping import Groups
    from disclosure_core.review.parts import KeySet
    from disclosure_core.review.value import Review


def settings_of(review: Review) -> Settings:
    """Return what is asked of the core: `Review.settings`."""
    targets = None if review.targets is None else tuple(t for t in review.targets if t not in review.keys)
    exclusions, _ = _parted(review, review.keys)
    return Settings(review.keys, targets, review.grouping, exclusions, review.thresholds)


def with_settings(review: Review, settings: Settings) -> Review:
    """Return this review asking for other settings; keys that stay keep the order in which they were chosen."""
    staying = tuple(k for k in review.keys if k in settings.keys)
    keys = staying + tuple(k for k in settings.keys if k not in staying)
    targets, out = settings.targets, settings.exclusions
    if targets is not None:  # what is only no target because this intruder knows it
        known = {t for t in review.targets or () if t in review.keys and t in keys}
        targets = tuple(sorted({*targets, *known}))
    _, waiting = _parted(review, keys)
    pairs = {t: out.pairs_of(t) + waiting.pairs_of(t) for t in {*dict(out.pairs), *dict(waiting.pairs)}}
    groups, intruders = _grouped(review, keys, dict(settings.groups))
    return replace(
        review,
        intruders=intruders,
        targets=targets,
        groups=groups,
        exclusions=replace(out, missing_keys=out.missing_keys | waiting.missing_keys, pairs=pairs),
        thresholds=settings.thresholds,
    )


def _parted(review: Review, keys: tuple[str, ...]) -> tuple[Exclusions, Exclusions]:
    """Return what is excluded for somebody who knows `keys`, and what waits for other intruders."""
    others = {key for k in review.intruders if k.name != review.intruder for key in k.keys} - set(keys)
    levels = review.knows.others_levels
    out = review.exclusions

    def waits(pair: Pair) -> bool:
        return pair.key in others or pair.key_level in levels.get(pair.key, ())

    here = {target: tuple(p for p in pairs if not waits(p)) for target, pairs in out.pairs}
    waiting = {target: tuple(filter(waits, pairs)) for target, pairs in out.pairs}
    return (
        replace(out, missing_keys=out.missing_keys - others, pairs=here),
        Exclusions(missing_keys=out.missing_keys & others, pairs=waiting),
    )


def _grouped(
    review: Review, keys: tuple[str, ...], asked: Mapping[str, Groups]
) -> tuple[dict[str, Groups], tuple[KeySet, ...]]:
    """Return groups and intruders where the present one knows `keys`, and columns are grouped as `asked`.

    What changes for the one changes for no other: a key is grouped for this intruder alone, and a column that is
    no key keeps its groups for those who know it.
    """
    mine = replace(review.knows, keys=keys)
    now = mine.grouping(review.groups)
    others = [k for k in review.intruders if k.name != mine.name]
    changed = {name for name in {*now, *asked} if now.get(name, 0) != asked.get(name, 0)}
    of_all = {name for name in changed if not others or name not in keys}
    default = {
        name: asked.get(name, 0) if name in of_all else review.groups.get(name, 0) for name in {*review.groups, *of_all}
    }
    default = {name: default[name] for name in {**review.groups, **asked} if default.get(name)}
    of_mine = {name: n for name, n in mine.groups.items() if name not in of_all}
    of_mine |= {name: asked.get(name, 0) for name in changed - of_all}
    levels = {name: each for name, each in mine.others_levels.items() if name not in changed}
    found = [replace(mine, groups=of_mine, others_levels=levels)]
    for k in others:
        stays = {name: k.grouping(review.groups).get(name, 0) for name in of_all if name in k.keys}
        found.append(replace(k, groups={**k.groups, **stays}) if stays else k)
    by_name = {k.name: k for k in found}
    return default, tuple(by_name[k.name] for k in review.intruders)
