"""Studies of one original compared in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.comparison.candidates import candidate
from disclosure_core.comparison.comparison import Comparison, comparison
from disclosure_core.counting.assessment import assess
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.usefulness import usefulness

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.study import AnyStudy


def compare(
    study_a: AnyStudy, study_b: AnyStudy, *more: AnyStudy, settings: Settings, names: Sequence[str] | None = None
) -> Comparison:
    """Return studies of one original side by side: what each discloses, and what it is good for.

    Parameters
    ----------
    study_a, study_b, more
        Studies whose original is the same, each with the syntheses of one method.
    settings
        Keys, targets, groups and exclusions, for all alike.
    names
        What each is called; "A", "B", … by default.

    Raises
    ------
    DisclosureError
        As `assess`; when the originals differ, or there are not as many names as studies.

    Examples
    --------
    >>> import pandas as pd
    >>> from disclosure_core import Settings, Study, compare
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> copies, shuffled = original, original.assign(job=["cook", "nurse", "nurse", "baker"])
    >>> found = compare(
    ...     Study(original, [copies]), Study(original, [shuffled]), settings=Settings(keys=("age",)),
    ...     names=("copies", "shuffled"),
    ... )
    >>> rows = found.table().set_index(["measure", "target"])
    >>> rows.loc[("DiSCO", "job"), ["copies", "shuffled"]].tolist()
    [50.0, 0.0]
    """
    studies = (study_a, study_b, *more)
    if names is None:
        names = [chr(ord("A") + i) if i < 26 else f"set {i + 1}" for i in range(len(studies))]
    if len(names) != len(studies) or len(set(names)) < len(names):
        raise DisclosureError(f"Give each of the {len(studies)} studies a name of its own.")
    for name, study in zip(names[1:], studies[1:], strict=True):
        if not _same_original(study_a, study):
            raise DisclosureError(
                f"{name!r} has another original than {names[0]!r}: compare syntheses of the same original."
            )
    return comparison(
        [
            candidate(name, name, assess(study, settings), usefulness(study))
            for name, study in zip(names, studies, strict=True)
        ]
    )


def _same_original(a: AnyStudy, b: AnyStudy) -> bool:
    """Whether the original's columns that both studies have hold the same values, each as often."""
    if a.n_original != b.n_original:
        return False
    for name in a.columns:
        if name in b.columns:
            one, other = (study.columns[name] for study in (a, b))
            held = [column.counts[0] > 0 for column in (one, other)]
            values = [c.values[h[:-1]] for c, h in zip((one, other), held, strict=True)]
            counts = [c.counts[0][h] for c, h in zip((one, other), held, strict=True)]
            if not np.array_equal(*values) or not np.array_equal(*counts):
                return False
    return True
