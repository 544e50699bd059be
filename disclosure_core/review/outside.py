"""An original split in two, for a baseline: as a part of a review, and as two files to hand out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.data.agreement import declared_labels
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.mending import steps
from disclosure_core.data.rewriters import Change
from disclosure_core.data.sides import side_of
from disclosure_core.data.writers import ending_of, safer
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.split import split

if TYPE_CHECKING:
    from disclosure_core.data.readers import Limits, Reading
    from disclosure_core.review.parts import Holdout

PARTS = ("training", "holdout")


def parts(original: Reading, share: float, seed: int) -> tuple[Reading, Reading]:
    """Return the training part of an original as a table, and the part held out."""
    made = split(original.frame.reset_index(drop=True), share / 100, seed)
    n, held = len(made.training), len(made.holdout)
    said = (
        f"{n:,} of its {n + held:,} records ({share:g} %, seed {seed}) stand as the original, the other {held:,} as "
        "the holdout: the syntheses must be made of the first part alone."
    )
    return (
        replace(original, table=CodedTable.of(made.training), notes=(*original.notes, said)),
        replace(original, table=CodedTable.of(made.holdout), name=f"{original.name}, the part held out"),
    )


def of_holdout(original: Reading | None, holdout: Holdout | None) -> tuple[Reading, Reading] | None:
    """Return the two parts of the original where `holdout` is a split of it; None where it is not."""
    if holdout is None or holdout.share is None or holdout.seed is None:
        return None
    if original is None:
        raise DisclosureError("These data stay in their engine, where nothing can be split.")
    return parts(original, holdout.share, holdout.seed)


def as_files(original: Reading, share: float, seed: int, limits: Limits | None = None) -> dict[str, bytes]:
    """Return the two parts as files in the format of the original, by name; what a record holds is as it was."""
    made = split(original.frame.reset_index(drop=True), share / 100, seed)
    found = {}
    for name, part in zip(PARTS, (made.training, made.holdout), strict=True):
        change = Change(len(original.table), part.index.to_numpy())
        file = safer(original, part.reset_index(drop=True), change, limits)
        found[file_name(original, name, share, seed)] = file.data
    return found


def shown_alike(table: CodedTable, holdout: Reading, readings: Sequence[Reading]) -> CodedTable:
    """Return a holdout's table with labels where the other files are read by their labels, and codes where by codes.

    A file is read by labels where most of its distinct values have one: one odd cell of the holdout may decide that.

    Parameters
    ----------
    table
        The holdout as it is measured.
    holdout, readings
        What was read, with the labels that its file declares; and the files beside it.
    """
    changed = {}
    for name, labels in declared_labels([holdout]).items():
        alike = {_by_labels(r, name) for r in readings if name in r.table.columns}
        if len(alike) != 1 or name not in table.columns:
            continue
        by_labels, values = alike.pop(), table[name]
        if by_labels and not _by_labels(holdout, name):
            for _, change in steps([side_of(values)], ["labels"], labels)[0]:
                changed[name] = change(values)
        elif not by_labels and _by_labels(holdout, name):
            # As `readers` call them: with its code where two codes have one label.
            codes = {f"{label} ({code})": code for code, label in labels.items()}
            once = [label for label, n in Counter(labels.values()).items() if n == 1]
            codes |= {label: code for code, label in labels.items() if label in once}
            changed[name] = values.astype("str").map(lambda t, codes=codes: codes.get(t, t), na_action="ignore")
    return table.assign(**changed) if changed else table


def _by_labels(reading: Reading, name: str) -> bool:
    """Return whether a column is read by its labels."""
    return isinstance(reading.table.column(name).values.dtype, pd.CategoricalDtype)


def file_name(original: Reading, part: str, share: float, seed: int) -> str:
    """Return what `as_files` calls one of the two parts."""
    return f"{part}_{share:g}_seed_{seed}{ending_of(original)}"
