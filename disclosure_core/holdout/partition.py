"""People who were not in the data that were synthesised: the holdout, and an original split to have one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from disclosure_core.counting.count import combine
from disclosure_core.counting.measures import percent
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.harmonise import AnyTable, checked
from disclosure_core.data.outsiders import ENOUGH, JoinedStudy, JointStudy, read_against
from disclosure_core.data.study import Kind, Note, Study
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.intervals import difference_interval
from disclosure_core.rounding import above, fixed, quantity

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from disclosure_core.data.grouping import Groups

SMALL_HOLDOUT = 400
"""With fewer people a share near one half is known to worse than 5 points on either side."""

_BEYOND = 5.0
"""Points by which holdout records found whole in the training data may exceed training records with a twin there."""

_ALL = 95.0
"""% of the holdout found whole in the training data from which twins, however many, leave a doubt."""

DIFFERENT = 10
"""So many different records, each as often in the holdout as in the training data, and it is no chance."""

_THE_SAME = "The holdout holds the records of the training data, each as often: these people are not outside the data."

OTHERS = "Bring people who were not synthesised, or split the original and have only the training part synthesised."
"""What is needed where a holdout is no baseline."""

NOT_BY_LOT = NotEvaluated(
    "The holdout is not known to be a random part of the original, so the difference may be one of populations.",
    "Split the original at random and have only the training part synthesised, or say that the holdout was drawn so.",
)
"""Why no part of a difference, and no comparison of people with the same keys, is shown."""

NO_HOLDOUT = NotEvaluated(
    "There is no holdout, so a leak cannot be distinguished from general knowledge.",
    "Bring records of people of the same population who were not in the data that were synthesised, or split the "
    "original here and have only the training part synthesised.",
)


@dataclass(frozen=True, slots=True)
class Matches:
    """Records of training data and holdout held against each other, in every column that can be compared.

    Attributes
    ----------
    inside
        Holdout records that stand in the training data.
    twins
        Training records that have a twin there.
    twins_inside
        Holdout records that stand in the training data and have a twin in the holdout.
    the_same
        Whether both hold the same records, each as often, and too many different ones for chance.
    """

    inside: int
    twins: int
    twins_inside: int
    the_same: bool


@singledispatch
def whole_records(joint: JoinedStudy[Any]) -> Matches:
    """Hold whole records against each other; `engines` adds how that is done where records are not here."""
    raise DisclosureError(f"Give a study with people outside, which a {type(joint).__name__} is not.")


@whole_records.register(JointStudy)
def _(joint: JointStudy) -> Matches:
    if not joint.columns:
        return Matches(0, 0, 0, the_same=False)
    table = combine([replace(c, synthetic=c.synthetic[-1:]) for c in joint.columns.values()])
    d, h = table.d_q, table.s_q[-1]
    same = np.array_equal(d, h) and len(d) >= DIFFERENT
    return Matches(int(h[d > 0].sum()), int(d[d > 1].sum()), int(h[(h > 1) & (d > 0)].sum()), same)


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """Training data, syntheses made from them, and the holdout read against these. Made by `partition`.

    Attributes
    ----------
    joint
        The finished study of training data and syntheses, with the holdout as the last side after the syntheses.
    random
        Whether the holdout is a random part of the original; None: not known.
    """

    joint: JoinedStudy[Variable]
    random: bool | None = None

    @property
    def by_lot(self) -> NotEvaluated | None:
        """Why what differs may be the populations; None where the holdout is a random part of the original."""
        return None if self.random else NOT_BY_LOT

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
    def _matches(self) -> Matches:
        return whole_records(self.joint)

    @cached_property
    def exact_matches(self) -> tuple[float, float]:
        """Records that stand in the training data as they are: of the holdout, and as twins of the training data.

        In % of each. People of one population who were not synthesised are found there as often as training records
        have a twin; much more of the first than of the second, and the holdout was synthesised too.
        """
        found = self._matches
        return percent(found.inside, self.n_holdout), percent(found.twins, self.n_training)

    @cached_property
    def refusal(self) -> NotEvaluated | None:
        """Why these people are no baseline: they are in the training data, more than twins explain and chance allows.

        Twins within the holdout explain as much as twins within the training data: some files hold no record twice.
        """
        if self._matches.the_same:
            return NotEvaluated(_THE_SAME, OTHERS)
        (inside, _), n = self.exact_matches, self.n_holdout
        if n < ENOUGH or not above(self._shown(inside, self._twins), _BEYOND):
            return None
        return NotEvaluated(f"{self._inside} These people are not outside the data.", OTHERS)

    def _shown(self, inside: float, twins: float) -> float:
        """Return by how many points at least the holdout is found inside beyond `twins`, in %, chance allowed for."""
        return 100 * float(difference_interval(inside / 100, self.n_holdout, twins / 100, self.n_training)[0])

    @property
    def _twins(self) -> float:
        return max(self.exact_matches[1], percent(self._matches.twins_inside, self.n_holdout))

    @property
    def _inside(self) -> str:
        (inside, twins), n = self.exact_matches, len(self.joint.columns)
        return (
            f"{fixed(inside, 1)} % of the holdout's records are in the training data with the same values in "
            f"{f'all {n} columns' if n > 1 else 'the one column'} compared; of the training records themselves "
            f"{fixed(twins, 1)} % have a twin there."
        )

    @cached_property
    def own_values(self) -> frozenset[str]:
        """The columns in which somebody outside has a value that no other file has: known less exactly it may meet one.

        Of a number with too many values to be fetched nothing is known here; see `outside_groups`.
        """
        columns = {**self.joint.unlike, **self.joint.columns}
        return frozenset(name for name, column in columns.items() if len(getattr(column, "unmatched", ())))

    def lacks(self, names: Iterable[str]) -> NotEvaluated | None:
        """Return why nothing is evaluated: the holdout cannot be compared in one of these columns; else None."""
        unusable, here = self.joint.unusable, self.joint.columns
        first = next((unusable[name] for name in names if name in unusable and name not in here), None)
        return (
            None
            if first is None
            else NotEvaluated(first, "Give the holdout the columns and values of the other files.")
        )

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What puts in doubt that the holdout is outside the data: to be said wherever a figure of it stands."""
        n_all = self.n_training + self.n_holdout
        doubts = [
            f"Synthesis {i} has {n_all:,} records, as many as training data and holdout together: was it made from "
            "the training data alone? If not, the holdout is no baseline."
            for i, n in enumerate(self.joint.n_synthetic[:-1], start=1)
            if n == n_all
        ]
        inside, twins = self.exact_matches
        if above(inside, twins + _BEYOND) and above(self._shown(inside, twins), 0):
            doubts.append(f"{self._inside} Were these people synthesised as well? Then they are no baseline.")
        elif inside >= _ALL:
            doubts.append(
                f"{self._inside} With so many twins, records cannot tell whether these people were synthesised as well."
            )
        return tuple(doubts)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What is to be said of the holdout before its figures are read; warnings first."""
        notes = list(self.joint.outside)
        if self.n_holdout < SMALL_HOLDOUT:
            notes.append(
                Note(
                    f"The holdout has {quantity(self.n_holdout, 'record')}: with fewer than {SMALL_HOLDOUT} the "
                    "intervals are wide. Bring more, or hold out a larger share.",
                    warning=True,
                )
            )
        notes += [Note(text, warning=True) for text in self.doubts]
        return tuple(sorted(notes, key=lambda note: not note.warning))


def outside_groups(joined: Partition, groups: Mapping[str, Groups]) -> tuple[Note, ...]:
    """Say how many people outside have a number that lies in none of a column's intervals.

    Parameters
    ----------
    joined
        What `partition` returned.
    groups
        How numeric columns are cut.
    """
    joint, notes = joined.joint.with_unmatched(groups), []
    for name, n_groups in groups.items():
        column = joint.columns.get(name)
        if column is None or column.kind is not Kind.NUMBER or not n_groups:
            continue
        try:
            grouped = joint.grouped(name, n_groups)[0]
        except DisclosureError:  # an infinite value, which the assessment says
            continue
        if grouped is column:
            continue
        last = grouped.counts[-1][grouped.n_levels + 1] - column.counts[-1][column.n_levels + 1]
        if last > 0:
            notes.append(unmatched_note(name, int(last), joined.n_holdout, "outside all of its groups"))
    return tuple(notes)


def unmatched_note(name: str, n: int, n_holdout: int, where: str) -> Note:
    """Say how many people outside have a value that meets nobody's, known less exactly."""
    has, they = ("has", "It matches") if n == 1 else ("have", "They match")
    return Note(
        f"Column {name!r} of the holdout: {n:,} of {n_holdout:,} records {has} a value {where}. {they} nobody.",
        name,
        warning=True,
    )


def partition(
    training: AnyTable,
    holdout: AnyTable | None,
    syntheses: Sequence[AnyTable],
    missing_codes: Mapping[str, Iterable[float | str]] | None = None,
    missing_levels: Mapping[str, Iterable[str]] | None = None,
    finished: Study | None = None,
    *,
    random: bool | None = None,
) -> Partition | NotEvaluated:
    """Return the holdout read against training data and syntheses, or why there is no baseline.

    The holdout moves no figure of a member: types, levels, intervals and missing codes are those of training data and
    syntheses, and a value that it alone has meets nobody (measures.md 10).

    Parameters
    ----------
    training
        The records that were synthesised: the members.
    holdout
        Records of the same population that were not. None: there is none.
    syntheses
        One frame a synthesis, each made from `training` alone.
    missing_codes
        As of `Study`; they must occur in `training`.
    missing_levels
        As of `Study`.
    finished
        The study of `training` and `syntheses`, where it is there already; its missing codes and levels then count.
    random
        Whether the holdout is a random part of the original, so that chance alone decided who is in the data. None: not
        known; then no part of a difference is shown.

    Raises
    ------
    DisclosureError
        As `Study`, and when the holdout has no records.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> outside = pd.DataFrame({"age": [30, 41], "job": ["cook", "nurse"]})
    >>> partition(frame, outside, [frame]).n_holdout
    2
    >>> partition(frame, None, [frame]).why
    'There is no holdout, so a leak cannot be distinguished from general knowledge.'
    """
    if holdout is None:
        return NO_HOLDOUT
    if not isinstance(holdout, pd.DataFrame | CodedTable | pa.Table) or not len(holdout):
        raise DisclosureError("The holdout has no records; bring a table with at least one row.")
    files = [replace(file, kept={}) for file in checked(training, syntheses)]
    study = Study(files[0], files[1:], missing_codes, missing_levels) if finished is None else finished
    made = Partition(read_against(study, files, holdout), random)
    return made.refusal or made
