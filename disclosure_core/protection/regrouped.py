"""A column in levels of your own: intervals at breaks, levels that you merge, a coarser level of a hierarchy."""

from __future__ import annotations

from typing import TypeVar, cast

import numpy as np

from disclosure_core.arrays import Array, Mask
from disclosure_core.data.coarsenings import coarsenings
from disclosure_core.data.column import Variable
from disclosure_core.data.grouping import checked_breaks, own_intervals
from disclosure_core.data.hierarchies import Hierarchy, value_of
from disclosure_core.data.joint_column import UNMATCHED, JointColumn, with_codes
from disclosure_core.data.study import Kind
from disclosure_core.data.values import texts as texts_of
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.steps import Band, Breaks, Recode

V = TypeVar("V", bound=Variable)


def regrouped(step: Breaks | Recode | Band, column: V, own: Mask) -> V:
    """Return a column after a step, on both sides alike.

    Parameters
    ----------
    own
        Shape (n_levels,): the missing codes, which stay levels of their own.
    """
    if isinstance(step, Breaks):
        if column.kind is not Kind.NUMBER:
            raise DisclosureError(f"{step.column!r} is not numeric; merge its levels instead.")
        texts = _in_intervals(step, column.values)
    elif isinstance(step, Recode):
        texts = _recoded(step, column)
    else:
        level = coarsenings(column, _hierarchy(step, column), own)[1]
        texts = [level.labels[code] for code in level.codes[: column.n_levels].tolist()]
    texts = [label if mine else text for mine, label, text in zip(own.tolist(), column.levels, texts, strict=True)]
    code_of: dict[str, int] = {}
    codes = np.full(column.n_codes, 0, dtype=np.int64)
    codes[: column.n_levels] = [code_of.setdefault(text, len(code_of)) for text in texts]
    if isinstance(step, Recode) and _named(step, column)[1]:
        codes[column.n_levels] = code_of.setdefault(step.into, len(code_of))
    else:
        codes[column.n_levels] = len(code_of)
    codes[column.n_levels + 1 :] = len(code_of) + 1  # what the holdout alone has
    values = np.array([*code_of], dtype=object)
    ordered = column.ordered or column.kind is Kind.NUMBER
    return cast("V", column.recoded(values, codes, ordered=ordered, kind=Kind.CATEGORY))


def texts_of_unmatched(step: Breaks | Recode | Band, column: JointColumn, own: Mask) -> list[str]:
    """Return the level after the step of each value that the holdout alone has; `own` as of `regrouped`."""
    if isinstance(step, Breaks):
        return _in_intervals(step, column.unmatched)
    if isinstance(step, Recode):  # what it does not name stays as it is, but is never what it made
        return [UNMATCHED if text == step.into else text for text in column.unmatched.tolist()]
    levels = coarsenings(with_codes(column), _hierarchy(step, column), own)
    texts = [levels[1].labels[code] for code in levels[1].codes[column.n_levels + 2 :].tolist()]
    if not step.rows or len(levels) > 2:
        return texts
    # Everybody is in one group, but for who has a value that the table lacks.
    of_number = column.kind is Kind.NUMBER
    held = {value_of(row[0]) if of_number else row[0] for row in step.rows}
    written = [value_of(text) if of_number else text for text in texts_of(column.unmatched)]
    return [text if value in held else UNMATCHED for text, value in zip(texts, written, strict=True)]


def _in_intervals(step: Breaks, numbers: Array) -> list[str]:
    found = own_intervals(numbers, checked_breaks(step.column, step.breaks))
    return [found.labels[i] for i in found.group.tolist()]


def _recoded(step: Recode, column: Variable) -> list[str]:
    if column.kind is Kind.NUMBER:
        raise DisclosureError(f"{step.column!r} is numeric; put it into groups instead.")
    if not step.levels or not step.into.strip():
        raise DisclosureError(f"Name the levels of {step.column!r} that become one, and what it is called.")
    merged, _ = _named(step, column)
    if step.into in column.levels and step.into not in merged:
        raise DisclosureError(
            f"{step.into!r} is a level of {step.column!r} already; give the merged level another name."
        )
    return [step.into if level in merged else level for level in column.levels]


def _named(step: Recode, column: Variable) -> tuple[set[str], bool]:
    """Return the levels that a step names, and whether it names empty cells, by what they are called everywhere."""
    codes = {column.code_of(level) for level in step.levels}
    return {column.levels[code] for code in codes if code < column.n_levels}, column.n_levels in codes


def _hierarchy(step: Band, column: Variable) -> Hierarchy:
    """Return the hierarchy of one level that a step names."""
    hierarchy = Hierarchy.table(step.rows) if step.rows else Hierarchy.parsed(step.level, column)
    if not step.rows and len(hierarchy.steps) != 1:
        raise DisclosureError(f"Name one level for {step.column!r}, such as 5 or month, not {step.level!r}.")
    return hierarchy
