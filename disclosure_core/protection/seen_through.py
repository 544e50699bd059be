"""People outside the data, seen through the rules that safeguards set for members and syntheses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.data.joint_column import UNMATCHED
from disclosure_core.data.outsiders import JointStudy, here
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.partition import Partition, partition, unmatched_note
from disclosure_core.protection.columns import applied_outside, column_of
from disclosure_core.protection.stepped import coded_as, declared_of, of_each, stepped
from disclosure_core.protection.steps import AddLabel, Band, Coarsen, OnColumn, Step

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.study import Note


def through_safeguards(
    original: pd.DataFrame,
    outside: pd.DataFrame,
    synthetic: Sequence[pd.DataFrame],
    steps: Sequence[Step],
    settings: Settings | Sequence[Settings],
    missing_codes: Mapping[str, Iterable[float | str]] | None = None,
    declared: Mapping[str, Iterable[float]] | None = None,
    missing_levels: Mapping[str, Iterable[str]] | None = None,
) -> tuple[Partition | NotEvaluated, pd.DataFrame]:
    """Return members, people outside and safer syntheses coded together, and people outside alone; by the same rules.

    Parameters
    ----------
    outside
        People who were not synthesised. They set no rule: which levels are small and where an interval ends follows
        from original and syntheses, and none of them is removed.
    original, synthetic, steps, settings, missing_codes, declared, missing_levels
        As of `protect`.
    """
    before = coded_as(missing_codes, missing_levels)
    joined = partition(original, outside, synthetic, *before)
    frames, people = [original, *synthetic], outside
    notes: list[Note] = []
    for step, judged in zip(steps, of_each(steps, settings), strict=True):
        if isinstance(joined, NotEvaluated) or isinstance(step, AddLabel):
            continue
        joint = here(joined.joint)
        done = stepped(step, joint.finished, frames, judged, before, declared)
        if isinstance(step, OnColumn):
            people = applied_outside(step, joint, people, declared_of(step, declared))
            notes += left_unmatched(step, joint, people)
        frames, before = done.frames, done.coded
        joined = partition(frames[0], people, frames[1:], *before)
    if notes and not isinstance(joined, NotEvaluated):
        joined = replace(joined, joint=joined.joint.saying(notes))
    return joined, people


def left_unmatched(step: OnColumn, joint: JointStudy, after: pd.DataFrame, records: Any = None) -> list[Note]:
    """Say how many people outside have a value that a step puts into no group.

    Parameters
    ----------
    step, joint
        The step, and the study with these people before it.
    after
        What `applied_outside` made of them.
    records
        Shape (n,): how many have each value, where a row is a value; one each by default.
    """
    column = joint.with_unlike([step.column]).columns.get(step.column)
    if column is None or not isinstance(step, Coarsen | Band):
        return []
    lost = (column.unmatched_codes >= 0) & (column_of(after, step.column) == UNMATCHED).to_numpy(dtype=bool)
    n = int(lost.sum() if records is None else records[lost].sum())
    where = "outside all groups of a safeguard" if isinstance(step, Coarsen) else "that the table of a safeguard lacks"
    return [unmatched_note(step.column, n, joint.n_synthetic[-1], where)] if n else []
