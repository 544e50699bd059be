"""Several syntheses released together: what all of them disclose, beside what each discloses alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import pandas as pd

from disclosure_core.asking import Parameters
from disclosure_core.data.typeset import Column
from disclosure_core.errors import NotEvaluated
from disclosure_core.results.declared import Result
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.review.combined import ONE_RELEASED, released_together
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.combined_release import ONE_SYNTHESIS, combined_attributes, combined_identity
from disclosure_core.verify import released

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.inputs import Inputs
    from disclosure_core.review.opened import Opened

ORIGINAL = "% of the original records"


def _numbers(syntheses: Sequence[int]) -> str:
    """Return which syntheses these are, as a cell says it."""
    return ", ".join(map(str, syntheses))


def _is_several(opened: Opened) -> bool:
    return len(released_together(opened)) > 1


def _keys_again(counter: Counter, _: Sequence[Row]) -> Counted:
    numbers = counter.released
    return {(_numbers(numbers),): released.together_by_keys(counter.data, counter.keys, counter.missing_keys, numbers)}


def _targets_again(counter: Counter, rows: Sequence[Row]) -> Counted:
    numbers = counter.released
    return {
        (name, _numbers(numbers)): released.together(counter.target_of(name), numbers)
        for name in counter.targets_in(rows)
    }


_WHICH = Column("syntheses released together", kind="text")
_OF = {
    "alone": Column("one alone, mean", ORIGINAL, says="Each synthesis by itself."),
    "alone_min": Column("one alone, smallest", ORIGINAL),
    "alone_max": Column("one alone, largest", ORIGINAL),
    "every": Column("in each of them", ORIGINAL, says="Records that every synthesis discloses."),
    "pooled": Column("all in one file", ORIGINAL, says="All syntheses in one file, and none contradicts."),
    "any": Column("in any of them", ORIGINAL, says="At least one discloses: the most there is to learn."),
}
KEYS = Table(
    "combined_identity",
    "repU of one synthesis, and of those that are released together",
    {"syntheses": _WHICH, "UiO": Column("UiO", ORIGINAL), **_OF},
    ("syntheses",),
    "any",
    printed=lambda frame: frame.drop(columns="syntheses"),
    there=_is_several,
    again=_keys_again,
)
TARGETS = Table(
    "combined_attributes",
    "DiSCO of one synthesis, and of those that are released together",
    {
        "target": Column("Target", kind="text"),
        "Dorig": Column("Dorig", ORIGINAL),
        **_OF,
        "alone_claimed": Column("claims of one alone, right or wrong", ORIGINAL),
        "pooled_claimed": Column("claims of all in one file, right or wrong", ORIGINAL),
        "any_claimed": Column("claims of any, right or wrong", ORIGINAL),
        "syntheses": _WHICH,
    },
    ("target", "syntheses"),
    "any",
    printed=lambda frame: frame.iloc[::-1].drop(columns="syntheses"),
    there=_is_several,
    again=_targets_again,
)


class Together(Result[Parameters]):
    """What several syntheses disclose together.

    Attributes
    ----------
    syntheses
        Their numbers, from 1.
    stated
        Whether the officer said that these are released; otherwise they are all there are.
    n
        How many syntheses there are.
    identity, attributes
        As of `combined_identity` and `combined_attributes`.
    """

    short: ClassVar = "combined-release"
    about: ClassVar = "The release"
    question: ClassVar = "What do several syntheses disclose together?"
    title: ClassVar = "Syntheses released together"
    purpose: ClassVar = "Measure syntheses released together."
    reads: ClassVar = (
        "Several syntheses disclose more than one does. In any: records that at least one of them discloses correctly, "
        "the most there is to learn. In one file: those of whom all syntheses, put into one file, give one level only, "
        "and the right one. Together are those that the review says are released; all where it names none."
    )
    formula: ClassVar = (
        "An intruder cannot know which synthesis is right, so *in any* is an upper bound. *In one file* has the right "
        "answers of an intruder who believes only what no synthesis contradicts. Claims are counted right or wrong. "
        "The papers give no such figure; it is ours."
    )
    example: ClassVar = ""
    asks: ClassVar = Parameters
    tables: ClassVar = (KEYS, TARGETS)
    may_be_none: ClassVar = True

    def __init__(
        self,
        asked: Parameters,
        syntheses: tuple[int, ...],
        n: int,
        identity: Mapping[str, float],
        attributes: pd.DataFrame,
        *,
        stated: bool,
    ) -> None:
        self.asked, self.syntheses, self.n, self.stated = asked, syntheses, n, stated
        self.identity, self.attributes = identity, attributes

    @classmethod
    def lacking(cls, data: Inputs, asked: Parameters) -> NotEvaluated | None:  # noqa: ARG003 (it asks nothing)
        """Return why nothing is released together."""
        if len(data.released) > 1:
            return None
        return ONE_SYNTHESIS if data.n_syntheses == 1 else ONE_RELEASED

    @classmethod
    def make(cls, data: Inputs, asked: Parameters, progress: Progress | None = None) -> Together:  # noqa: ARG003 (quick)
        """Return what they disclose by the keys and of each target."""
        result, numbers = data.assessment, data.released
        identity, attributes = combined_identity(result, numbers), combined_attributes(result, numbers)
        assert not isinstance(identity, NotEvaluated)
        assert not isinstance(attributes, NotEvaluated)
        return cls(asked, numbers, data.n_syntheses, identity, attributes, stated=data.is_stated)

    @property
    def which(self) -> str:
        """Which syntheses these are, in words that begin a sentence."""
        if len(self.syntheses) == self.n:
            return f"All {self.n} syntheses"
        return f"Syntheses {', '.join(map(str, self.syntheses[:-1]))} and {self.syntheses[-1]}"

    @property
    def of_keys(self) -> str:
        """What they disclose by the keys, as a part of a sentence."""
        return (
            f"repU is {fixed(self.identity['any'], 1)} % in at least one of them, {fixed(self.identity['alone'], 1)} % "
            "in one on average"
        )

    @property
    def of_most(self) -> str:
        """What they disclose of the target that is disclosed most, as a part of a sentence; empty without targets."""
        if not len(self.attributes):
            return ""
        most = self.attributes.iloc[-1]
        return (
            f"{most['target']} is right in at least one for {fixed(most['any'], 1)} % of people, in one on average for "
            f"{fixed(most['alone'], 1)} %: upper bounds, because an intruder cannot know which is right"
        )

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return a row of the keys, and a row a target."""
        numbers = _numbers(self.syntheses)
        return {
            KEYS.name: pd.DataFrame([{"syntheses": numbers, **self.identity}]),
            TARGETS.name: self.attributes.assign(syntheses=numbers),
        }

    def sentences(self) -> list[str]:
        """Say which syntheses these are, and what they disclose."""
        said = ", which are said to be released" if self.stated else ""
        return [f"{self.which}{said}: {self.of_keys}.", *([f"{self.of_most}."] if self.of_most else [])]
