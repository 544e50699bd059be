"""People who were not in the data that were synthesised: the holdout, and an original split to have one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.cells import combine
from disclosure_core.counting.measures import percent
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.harmonise import NOT_EVERYWHERE
from disclosure_core.data.study import Column, Note, Study
from disclosure_core.errors import DisclosureError, NotEvaluated, not_found
from disclosure_core.rounding import above, fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SMALL_HOLDOUT = 400
"""With fewer people a share near one half is known to worse than 5 points on either side."""

_TWINS = 5.0
"""Points by which holdout records found whole in the training data may exceed training records with a twin there."""

NO_HOLDOUT = NotEvaluated(
    "There is no holdout, so leak and general knowledge cannot be told apart.",
    "Bring records of people of the same population who were not in the data that were synthesised, or split the "
    "original here and have only the training part synthesised.",
)


@dataclass(frozen=True, eq=False, repr=False)
class Split:
    """An original in two: what is handed out to be synthesised, and what is kept to measure with.

    Attributes
    ----------
    training, holdout
        Their records, each in the order of the original.
    share, seed
        As asked; with the same original they give the same split.
    """

    training: pd.DataFrame
    holdout: pd.DataFrame
    share: float
    seed: int


def split(frame: pd.DataFrame, share: float = 0.8, seed: int = 1) -> Split:
    """Return `frame` split at random into training and holdout.

    Parameters
    ----------
    frame
        The original, a record a row.
    share
        Of the records that go into training, above 0 and below 1.
    seed
        A whole number to note down.

    Raises
    ------
    DisclosureError
        When the share leaves no record on one side.

    Source
    ------
    consensus.md 2.2: without replacement; 80:20 is the framework's precedent, no ratio is prescribed.
    """
    n = len(frame)
    n_training = round(n * share) if 0 < share < 1 else 0
    if not 0 < n_training < n:
        raise DisclosureError("Choose a share that puts records on both sides, such as 80 % for training.")
    # Uniform numbers and a stable sort: numpy keeps these the same from version to version.
    order = np.argsort(np.random.default_rng(seed).random(n), kind="stable")
    training = np.zeros(n, dtype=bool)
    training[order[:n_training]] = True
    return Split(frame[training], frame[~training], share, seed)


class _Joint(Study):
    """Training data and syntheses, and the holdout as the last side, coded against the same levels.

    The holdout sets no interval: those are quantiles of training data and syntheses, so that a member's figure is the
    one that an assessment of the same files has. A holdout value beyond the breaks falls into the nearest interval.
    """

    def column(self, name: str, role: str = "Column") -> Column:
        """Return one column by name, as `Study.column`; an error names the holdout as well."""
        if name not in self.columns:
            raise not_found(role, name, "in the training data, the holdout and the synthetic data alike", self.columns)
        return self.columns[name]

    def _setting_breaks(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return counts[:-1] if counts[:-1].any() else counts


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """Training data, holdout and the syntheses made from the training data, coded together. Made by `partition`.

    Attributes
    ----------
    joint
        The study of all files: training data as the original, the holdout as the last side after the syntheses.
    """

    joint: Study

    @property
    def n_training(self) -> int:
        """`|T|`, members."""
        return self.joint.n_original

    @property
    def n_holdout(self) -> int:
        """`|H|`, non-members."""
        return self.joint.n_synthetic[-1]

    @property
    def n_syntheses(self) -> int:
        """m, the number of syntheses."""
        return self.joint.n_syntheses - 1

    @cached_property
    def exact_matches(self) -> tuple[float, float]:
        """Records that stand in the training data with every value: of the holdout, and as twins of the training data.

        In % of each. Much more of the first than of the second, and the holdout was synthesised too.
        """
        table = combine(list(self.joint.columns.values()))
        holdout = table.s_q[-1]
        return (
            percent(holdout[table.d_q > 0].sum(), self.n_holdout),
            percent(table.d_q[table.d_q > 1].sum(), self.n_training),
        )

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What is to be said of the holdout before its figures are read."""
        notes = [note for note in self.joint.notes if note.warning]
        if self.n_holdout < SMALL_HOLDOUT:
            notes.append(
                Note(
                    f"The holdout has {self.n_holdout:,} records: with fewer than {SMALL_HOLDOUT} the intervals are "
                    "wide. Bring more, or hold out a larger share.",
                    warning=True,
                )
            )
        n_all = self.n_training + self.n_holdout
        notes += [
            Note(
                f"Synthesis {i} has {n_all:,} records, as many as training data and holdout together: was it made from "
                "the training data alone? If not, the holdout is no baseline.",
                warning=True,
            )
            for i, n in enumerate(self.joint.n_synthetic[:-1], start=1)
            if n == n_all
        ]
        exact_holdout, exact_training = self.exact_matches
        if above(exact_holdout, exact_training + _TWINS):
            notes.append(
                Note(
                    f"{fixed(exact_holdout, 1)} % of the holdout's records are in the training data with every value; "
                    f"of the training records themselves {fixed(exact_training, 1)} % have a twin there. Were these "
                    "people synthesised as well? Then they are no baseline.",
                    warning=True,
                )
            )
        return tuple(notes)


def partition(
    training: pd.DataFrame | CodedTable,
    holdout: pd.DataFrame | CodedTable | None,
    syntheses: Sequence[pd.DataFrame | CodedTable],
    missing_codes: Mapping[str, Iterable[float | str]] | None = None,
) -> Partition | NotEvaluated:
    """Return the three kinds of file coded together, or why there is no baseline.

    Parameters
    ----------
    training
        The records that were synthesised: the members.
    holdout
        Records of the same population that were not. None: there is none.
    syntheses
        One frame a synthesis, each made from `training` alone.
    missing_codes
        As of `Study`; they must occur in `training`. Those of a column that the holdout lacks go with it.

    Raises
    ------
    DisclosureError
        As `Study`, and when the holdout has no records.
    """
    if holdout is None:
        return NO_HOLDOUT
    if isinstance(syntheses, pd.DataFrame):
        raise DisclosureError("Give the syntheses as a list, even if there is only one.")
    if not len(syntheses):
        raise DisclosureError("There is no synthetic data set to compare with; bring at least one.")
    if not isinstance(holdout, pd.DataFrame | CodedTable) or not len(holdout):
        raise DisclosureError("The holdout has no records; bring a table with at least one row.")
    as_synthesis, as_holdout = f"Synthesis {len(syntheses) + 1} has ", "The holdout has "
    # A column that the holdout lacks is left out, and said; its codes stand nowhere any more.
    codes = {name: values for name, values in (missing_codes or {}).items() if name in holdout.columns}
    try:
        joint = _Joint(training, [*syntheses, holdout], codes)
    except DisclosureError as error:
        raise DisclosureError(str(error).replace(as_synthesis, as_holdout, 1)) from None
    number = len(syntheses) + 1
    joint.notes = tuple(Note(_said_of_holdout(note.text, number), note.column, note.warning) for note in joint.notes)
    return Partition(joint)


def _said_of_holdout(text: str, number: int) -> str:
    """Return a note of a study in which the holdout stands as synthesis `number`, as it is said of a holdout."""
    who, verb, what = text.partition(" has " if text.startswith(f"Synthesis {number} ") else " have ")
    if not text.endswith(NOT_EVERYWHERE) and not text.startswith(f"Synthesis {number} has "):
        return text
    who = who.replace(f"Synthesis {number}", "The holdout").replace(f"synthesis {number}", "the holdout")
    return f"{who}{verb}{what}"
