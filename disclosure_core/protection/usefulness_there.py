"""How useful safer syntheses are that stay in an engine: their tables against the original as it came, as of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.engines.column import EngineColumn
from disclosure_core.protection.in_engine import ProtectedThere, SaferStudy
from disclosure_core.protection.released_codes import code_after, missing_last, recast, released_codes
from disclosure_core.protection.table_cells import GROUPS
from disclosure_core.protection.usefulness import Usefulness, judged_by, usefulness_of

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress


def usefulness_there(protected: ProtectedThere, progress: Progress | None = None) -> Usefulness:
    """Return the usefulness of safer syntheses, against the original as it is; as `usefulness_after` of files."""
    first, study = protected.first, protected.study
    names, left_out = judged_by(first)
    first.prepare(names)
    columns = [_as_released(protected, name) for name in names]
    return usefulness_of(columns, study.counted_pairs(columns), left_out, progress)


def _as_released(protected: ProtectedThere, name: str) -> EngineColumn:
    """Return a column, the original as it came, the safer syntheses in the codes of the column as it came."""
    first, study = protected.first, protected.study
    old, base = first.column(name), first.grouped(name, GROUPS)[0]
    known = base if old.is_wide else old
    left = known.counts.copy()
    if isinstance(study, SaferStudy):
        left[1:] -= study.changed(known)
    if old.is_wide:  # no step changes its values
        return EngineColumn(base.coded, base.sides, left, starts=base.starts)
    new = study.column(name)
    codes = study.codes_after(name) if isinstance(study, SaferStudy) else np.arange(old.n_codes)
    held = left > 0
    was = np.broadcast_to(np.arange(old.n_codes), left.shape)[held]
    of_code, is_number = code_after(old.coded, base.coded), ~first.is_missing_code(name)
    target, n_codes = released_codes(old, new, of_code, is_number, codes[was], was, left[held])
    order = missing_last(base.coded, n_codes)
    counts = np.zeros((len(left), n_codes), dtype=np.int64)
    counts[0, order[: base.n_codes]] = base.counts[0]
    for to, of_side in zip(counts[1:], new.counts[1:], strict=True):
        np.add.at(to, order[target], of_side)
    coded = recast(base.coded, [target[side] for side in new.coded.synthetic], n_codes)
    return EngineColumn(coded, (base.sides[0], *new.sides[1:]), counts)
