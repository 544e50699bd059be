"""Which exclusions have a reason: only these move a figure that a limit judges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from disclosure_core.counting.settings import Exclusions


def reason_of(reasons: Mapping[str, str], *names: str) -> str:
    """Return the reason under the first of `names` that has one; empty where none has."""
    return next((reasons[n].strip() for n in names if reasons.get(n, "").strip()), "")


def with_reason(out: Exclusions, reasons: Mapping[str, str]) -> Exclusions:
    """Return the exclusions that have a reason: of their own, or that of their target."""

    def kept(target: str, name: str) -> bool:
        return bool(reason_of(reasons, name, target))

    return replace(
        out,
        target_levels={t: [v for v in levels if kept(t, f"{t} = {v}")] for t, levels in out.target_levels},
        missing_targets=frozenset(t for t in out.missing_targets if kept(t, f"{t} missing")),
        missing_keys=out.missing_keys if reason_of(reasons, "missing keys") else frozenset(),
        pairs={
            t: [p for p in pairs if kept(t, f"{p.key} = {p.key_level}, {t} = {p.target_level}")]
            for t, pairs in out.pairs
        },
        denominator_limit=out.denominator_limit if reason_of(reasons, "denominators") else None,
    )


def names(out: Exclusions) -> tuple[str, ...]:
    """Return what each exclusion is called, those of every target first."""
    return (*out.names_of_all, *(name for target in _targets(out) for name in out.names_of(target)))


def without_reason(out: Exclusions, reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the exclusions are called that have no reason."""
    kept = set(names(with_reason(out, reasons)))
    return tuple(name for name in names(out) if name not in kept)


def left_out(out: Exclusions, reasons: Mapping[str, str], target: str) -> tuple[tuple[str, str], ...]:
    """Return what is left out of one target's figures, each with its reason."""
    own = ((name, reason_of(reasons, name, target)) for name in out.names_of(target))
    return (*((name, reason_of(reasons, name)) for name in out.names_of_all), *own)


def _targets(out: Exclusions) -> Iterable[str]:
    found = {t for t, levels in out.target_levels if levels} | set(out.missing_targets)
    return sorted(found | {t for t, pairs in out.pairs if pairs})
