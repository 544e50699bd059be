"""What makes a synthesis safer before it is released: records taken out, levels merged, values made coarser.

Steps chain, each on what the one before left. What is made coarser is made so on both sides, because a person who
knows the rule applies it to what they know; the original itself is never altered, only looked at through the rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.cells import count_keys
from disclosure_core.errors import DisclosureError
from disclosure_core.fitting import fit
from disclosure_core.study import Column, Kind, Study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from disclosure_core.settings import Settings

Masks = list[npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class RemoveReplicated:
    """Take out the synthetic records that are unique on the keys and meet a unique of the original (paper 003)."""

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove replicated uniques: each is alone with its keys and meets one person alone with them."


@dataclass(frozen=True, slots=True)
class RemoveUniques:
    """Take out the synthetic records that are unique on the keys, where the keys occur in the original."""

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove synthetic records that are alone with their keys, where the original has these keys at all."


@dataclass(frozen=True, slots=True)
class MergeLevels:
    """Merge the levels of a category that fewer than `fewer` original records have into one, `into`."""

    column: str
    fewer: int
    into: str = "Other"

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return (
            f"Merge the levels of {self.column!r} that fewer than {self.fewer:,} original records have: {self.into!r}."
        )


@dataclass(frozen=True, slots=True)
class Coarsen:
    """Put the values of a numeric column into about `groups` intervals."""

    column: str
    groups: int

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Put {self.column!r} into {self.groups:,} groups."


@dataclass(frozen=True, slots=True)
class Cap:
    """Top and bottom code a numeric column: values beyond an end become that end; None leaves an end open."""

    column: str
    low: float | None = None
    high: float | None = None

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        ends = [f"{word} {end:.15g}" for word, end in (("below", self.low), ("above", self.high)) if end is not None]
        return f"Set values of {self.column!r} {' and '.join(ends)} to the end itself."


@dataclass(frozen=True, slots=True)
class RoundTo:
    """Round a numeric column to multiples of `to`, halves to the even multiple."""

    column: str
    to: float

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Round {self.column!r} to multiples of {self.to:.15g}."


Step = RemoveReplicated | RemoveUniques | MergeLevels | Coarsen | Cap | RoundTo


@dataclass(frozen=True, slots=True)
class Done:
    """What one step did.

    Attributes
    ----------
    sentence
        The step in words.
    removed
        Records taken out of each synthesis.
    changed
        Cells (a record's value of a column) changed in each synthesis.
    """

    sentence: str
    removed: tuple[int, ...]
    changed: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Protected:
    """Syntheses after a chain of steps, and the study that measures them.

    Attributes
    ----------
    study
        The original seen through the same rules, and the safer syntheses.
    synthetic
        The syntheses as tables, to be released.
    done
        What each step did, in order.
    before
        Records of each synthesis before any step.
    """

    study: Study
    synthetic: tuple[pd.DataFrame, ...]
    done: tuple[Done, ...]
    before: tuple[int, ...]

    @property
    def n_removed(self) -> tuple[int, ...]:
        """Records taken out of each synthesis by all steps."""
        return tuple(n - len(frame) for n, frame in zip(self.before, self.synthetic, strict=True))

    def log(self, names: Sequence[str], settings: Settings) -> str:
        """Return what was done as text that goes with the files.

        Parameters
        ----------
        names
            What each synthesis is called.
        settings
            The keys and groups on which records were judged.
        """
        groups = ", ".join(f"{name} in {n} groups" for name, n in settings.groups) or "none"
        lines = [
            "What was done to these synthetic data before release",
            f"Keys: {', '.join(self.study.in_data_order(settings.keys))}. Groups: {groups}.",
            "",
        ]
        for i, done in enumerate(self.done, 1):
            lines.append(f"{i}. {done.sentence}")
            lines += [
                f"   {name}: {removed:,} records removed, {changed:,} values changed"
                for name, removed, changed in zip(names, done.removed, done.changed, strict=True)
            ]
        lines.append("")
        lines += [
            f"{name}: {before:,} records before, {len(frame):,} after"
            for name, before, frame in zip(names, self.before, self.synthetic, strict=True)
        ]
        return "\n".join(lines) + "\n"


def protect(
    original: pd.DataFrame,
    synthetic: Sequence[pd.DataFrame],
    steps: Iterable[Step],
    settings: Settings,
    missing_codes: Mapping[str, Iterable[float | str]] | None = None,
) -> Protected:
    """Return the syntheses after `steps`, and what each step did.

    Parameters
    ----------
    original, synthetic
        The tables that a `Study` is made of; they are not changed.
    steps
        Applied one after the other.
    settings
        The keys, and their groups, on which a record is unique; exclusions play no part.
    missing_codes
        As for `Study`; caps, rounding and groups leave them as they are.

    Raises
    ------
    DisclosureError
        When a column is not there or not of the kind a step needs, no key is chosen for a removal, or nothing would
        be left of a synthesis.
    """
    frames = [original, *synthetic]
    codes = {name: tuple(values) for name, values in (missing_codes or {}).items()}
    study = Study(frames[0], frames[1:], codes)
    done = []
    for step in steps:
        made, removed = _applied(step, study, frames, settings)
        frames = made
        if any(not len(frame) for frame in frames):
            raise DisclosureError(f"Nothing would be left of a synthesis: {step.sentence} Choose a gentler step.")
        codes = _still_there(frames[0], study, codes)
        before, study = study, Study(frames[0], frames[1:], codes)
        done.append(Done(step.sentence, removed, _changed(before, study, step)))
    return Protected(study, tuple(frames[1:]), tuple(done), tuple(len(frame) for frame in synthetic))


def _applied(
    step: Step, study: Study, frames: list[pd.DataFrame], settings: Settings
) -> tuple[list[pd.DataFrame], tuple[int, ...]]:
    """Return the frames after one step, and the records it took out of each synthesis."""
    if isinstance(step, RemoveReplicated | RemoveUniques):
        masks = _alone(study, settings, replicated=isinstance(step, RemoveReplicated))
        kept = [frame[~mask].reset_index(drop=True) for frame, mask in zip(frames[1:], masks, strict=True)]
        return [frames[0], *kept], tuple(int(mask.sum()) for mask in masks)
    column = study.column(step.column)
    nothing = (0,) * study.n_syntheses
    if isinstance(step, MergeLevels):
        return _relabelled(frames, _merged(column, step)), nothing
    if column.kind is not Kind.NUMBER:
        raise DisclosureError(f"{step.column!r} is not numeric; merge its small levels instead.")
    if isinstance(step, Coarsen):
        if step.groups < 2:
            raise DisclosureError(f"Ask for 2 or more groups of {step.column!r}.")
        return _relabelled(frames, study.grouped(step.column, step.groups)[0]), nothing
    change = _capped(step) if isinstance(step, Cap) else _rounded(step)
    special = study.missing_codes.get(step.column, ())
    return [_with(frame, step.column, _numbers(frame[step.column], change, special)) for frame in frames], nothing


def _alone(study: Study, settings: Settings, *, replicated: bool) -> Masks:
    """Return, a mask a synthesis, the records that are unique on the keys and meet the original."""
    keys = count_keys(study, fit(study, settings)[0])
    met = keys.d_q == 1 if replicated else keys.d_q > 0
    return [(met & (s_q == 1))[side] for s_q, side in zip(keys.s_q, keys.synthetic, strict=True)]


def _merged(column: Column, step: MergeLevels) -> Column:
    if column.kind is Kind.NUMBER:
        raise DisclosureError(f"{step.column!r} is numeric; put it into groups instead.")
    if step.fewer < 2:
        raise DisclosureError("Merge levels that fewer than 2 records have, or more.")
    small = column.counts[0, :-1] < step.fewer
    kept = [level for level, out in zip(column.levels, small.tolist(), strict=True) if not out]
    if step.into in kept:
        raise DisclosureError(
            f"{step.into!r} is a level of {step.column!r} already; give the merged level another name."
        )
    values = np.array([*kept, step.into] if small.any() else kept, dtype=object)
    codes = np.empty(column.n_codes, dtype=np.int64)
    codes[:-1] = np.where(small, len(kept), np.cumsum(~small) - 1)
    codes[-1] = len(values)
    return column.recoded(values, codes, ordered=column.ordered, kind=Kind.CATEGORY)


def _relabelled(frames: list[pd.DataFrame], column: Column) -> list[pd.DataFrame]:
    """Return the frames with a column's values written as the levels of `column`."""
    levels = pd.Index(column.levels, dtype="str")
    made = []
    for frame, side in zip(frames, (column.original, *column.synthetic), strict=True):
        codes = np.where(side == column.n_levels, -1, side.astype(np.int64))
        values = pd.Categorical.from_codes(codes, categories=levels, ordered=column.ordered)
        made.append(_with(frame, column.name, pd.Series(values, index=frame.index)))
    return made


def _capped(step: Cap) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    if step.low is None and step.high is None:
        raise DisclosureError(f"Give the lowest or the highest value of {step.column!r} that stays.")
    if step.low is not None and step.high is not None and step.low >= step.high:
        raise DisclosureError(f"The lowest value of {step.column!r} that stays must be below the highest.")
    return lambda values: values.clip(step.low, step.high)


def _rounded(step: RoundTo) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    if not step.to > 0 or not np.isfinite(step.to):
        raise DisclosureError(f"Round {step.column!r} to multiples of a number above 0.")
    return lambda values: (values / step.to).round() * step.to


def _numbers(
    values: pd.Series[Any], change: Callable[[pd.Series[Any]], pd.Series[Any]], special: tuple[float, ...]
) -> pd.Series[Any]:
    """Return a numeric column changed but for its missing codes; whole numbers stay whole where they can."""
    changed = change(pd.to_numeric(values))
    made = changed.where(~values.isin(special), values)
    if pd.api.types.is_integer_dtype(values.dtype) and (made.dropna() % 1 == 0).all():
        made = made.astype(values.dtype)
    return made


def _with(frame: pd.DataFrame, name: str, values: pd.Series[Any]) -> pd.DataFrame:
    """Return a frame with another column in the place of `name`; whatever the names are made of."""
    at = [str(c) for c in frame.columns].index(name)
    return pd.concat([frame.iloc[:, :at], values.rename(frame.columns[at]), frame.iloc[:, at + 1 :]], axis=1)


def _changed(before: Study, after: Study, step: Step) -> tuple[int, ...]:
    """Return how many values of each synthesis a person reads differently."""
    if isinstance(step, RemoveReplicated | RemoveUniques):
        return (0,) * before.n_syntheses
    old, new = before.columns[step.column], after.columns[step.column]
    was, now = (np.array(column.labels, dtype=object) for column in (old, new))
    sides = zip(old.synthetic, new.synthetic, strict=True)
    return tuple(int(np.count_nonzero(was[a] != now[b])) for a, b in sides)


def _still_there(frame: pd.DataFrame, study: Study, codes: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """Return the missing codes of the columns that are numeric still."""
    by_name = {str(name): i for i, name in enumerate(frame.columns)}
    return {
        name: values
        for name, values in codes.items()
        if name in study.columns and pd.api.types.is_numeric_dtype(frame.iloc[:, by_name[name]].dtype)
    }
