"""One step of a chain on original and syntheses: the loops of members alone and of people outside share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from disclosure_core.counting.answers import answers
from disclosure_core.counting.codes import narrow
from disclosure_core.counting.count import count_keys
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import Settings
from disclosure_core.data.study import Kind, Study, StudyOf, V_co
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.columns import Masks, applied, blanked
from disclosure_core.protection.steps import (
    BlankClaims,
    Cap,
    OnColumn,
    Removal,
    RemoveClaims,
    RemoveReplicated,
    RoundTo,
    Step,
)

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.key_table import KeyTable


class Coded(NamedTuple):
    """By column, its missing codes and the levels that count as missing."""

    codes: dict[str, tuple[float | str, ...]]
    absent: dict[str, tuple[str, ...]]


class Stepped(NamedTuple):
    """Original and syntheses after one step, what is missing in them then, and what it touched.

    `masks` are, for each synthesis as it was before the step, the records removed or the cells changed.
    """

    frames: list[pd.DataFrame]
    coded: Coded
    masks: Masks


def coded_as(codes: Mapping[str, Iterable[float | str]] | None, absent: Mapping[str, Iterable[str]] | None) -> Coded:
    """Return missing codes and levels that count as missing, as `protect` takes them."""
    return Coded(
        {name: tuple(values) for name, values in (codes or {}).items()},
        {name: tuple(levels) for name, levels in (absent or {}).items()},
    )


def declared_of(step: OnColumn, declared: Mapping[str, Iterable[float]] | None) -> tuple[float, ...]:
    """Return the values of a step's column that a file declares as missing."""
    return tuple((declared or {}).get(step.column, ()))


def stepped(
    step: Removal | OnColumn | BlankClaims,
    study: Study,
    frames: list[pd.DataFrame],
    judged: Settings,
    coded: Coded,
    declared: Mapping[str, Iterable[float]] | None,
) -> Stepped:
    """Return what one step makes of original and syntheses, of which `study` is made."""
    if isinstance(step, Removal):
        if isinstance(step, RemoveClaims):
            masks = claims(study, judged, step.column, missing=True)
        else:
            keys = count_keys(study, restrict_to_study(study, judged)[0])
            unique = unique_combinations(keys, replicated=isinstance(step, RemoveReplicated))
            masks = [mask[side] for mask, side in zip(unique, keys.synthetic, strict=True)]
        if any(gone.all() for gone in masks):
            raise none_left(step)
        kept = (frame[~gone].reset_index(drop=True) for frame, gone in zip(frames[1:], masks, strict=True))
        return Stepped([frames[0], *kept], coded, masks)
    if isinstance(step, BlankClaims):
        masks = claims(study, judged, step.column, missing=False)
        after = blanked(frames, study.column(step.column), masks)
    else:
        after, masks = applied(step, study, frames, declared_of(step, declared))
    same = after is frames
    return Stepped(after, coded if same else coded._replace(codes=_remaining_codes(step, coded.codes)), masks)


def none_left(step: Removal) -> DisclosureError:
    """Return why a step that removes every record of a synthesis is refused."""
    return DisclosureError(f"There would be no record left of a synthesis: {step.sentence} Choose a milder step.")


def of_each(steps: Sequence[Step], settings: Settings | Sequence[Settings]) -> Sequence[Settings]:
    """Return on which keys each step judges a record."""
    return [settings] * len(steps) if isinstance(settings, Settings) else settings


def unique_combinations(keys: KeyTable, *, replicated: bool) -> Masks:
    """Return, a mask a synthesis, the combinations of one of its records and any original one; `replicated`: one."""
    met = keys.d_q == 1 if replicated else keys.d_q > 0
    return [met & (s_q == 1) for s_q in keys.s_q]


def claims(study: Study, settings: Settings, target: str, *, missing: bool) -> Masks:
    """Return, a mask a synthesis, the records whose keys all have one level of the target.

    `missing` says whether Missing is such a level: to say that somebody has no answer is a claim, of which nothing is
    left to blank.
    """
    column = check_target(study, settings, target)
    keys = count_keys(study, restrict_to_study(study, settings)[0])
    n_groups = dict(settings.groups).get(target)
    if n_groups is not None and column.kind is Kind.NUMBER:  # one level is one group, as where it is measured
        column = study.grouped(target, n_groups)[0]
    masks = []
    for q, t in zip(keys.synthetic, column.synthetic, strict=True):
        own = narrow(t, column.n_codes)
        one_level = answers(q, own, keys.d_q.size)[q] == own
        masks.append(one_level & (missing | (t != column.n_levels)))
    return masks


def check_target(study: StudyOf[V_co], settings: Settings, target: str) -> V_co:
    """Return the column whose claims a step acts on."""
    column = study.column(target, "Target")
    if target in settings.keys:
        raise DisclosureError(f"{target!r} is a key, and keys make no claim; name a target.")
    return column


def _remaining_codes(step: OnColumn | BlankClaims, codes: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """Return the missing codes of the columns that are numeric still."""
    gone = None if isinstance(step, Cap | RoundTo | BlankClaims) else step.column
    return {name: values for name, values in codes.items() if name != gone}
