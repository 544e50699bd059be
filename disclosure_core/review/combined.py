"""Several syntheses released together: which of a review's are, and what they disclose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.sensitivity.combined_release import ONE_SYNTHESIS, combined_attributes, combined_identity

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.review.opened import Opened

ONE_RELEASED = NotEvaluated("One synthesis is released, so nothing is released together.", "")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Combined:
    """What several syntheses disclose together.

    Attributes
    ----------
    syntheses
        Their numbers, from 1.
    stated
        Whether the officer said that these are released; otherwise they are all there are. A number that no synthesis
        has states nothing.
    n
        How many syntheses there are.
    identity, attributes
        As of `combined_identity` and `combined_attributes`.
    """

    syntheses: tuple[int, ...]
    stated: bool
    n: int
    identity: dict[str, float]
    attributes: pd.DataFrame

    @property
    def which(self) -> str:
        """Which syntheses these are, in words that begin a sentence."""
        if len(self.syntheses) == self.n:
            return f"All {self.n} syntheses"
        return f"Syntheses {', '.join(map(str, self.syntheses[:-1]))} and {self.syntheses[-1]}"


def stated(opened: Opened) -> tuple[int, ...]:
    """Return the numbers of the syntheses that are said to be released, of those there are; empty where none is."""
    m = len(opened.study().n_synthetic)
    return tuple(i for i in opened.review.released.get(opened.first_set, ()) if i <= m)


def released_together(opened: Opened) -> tuple[int, ...]:
    """Return the numbers of the syntheses that are released together: those stated, or all where none is stated."""
    return stated(opened) or tuple(range(1, len(opened.study().n_synthetic) + 1))


def combined(opened: Opened) -> Combined | NotEvaluated:
    """Return what the syntheses that are released disclose together; not evaluated of one alone."""
    numbers, every = released_together(opened), len(opened.study().n_synthetic)
    if len(numbers) < 2:
        return ONE_SYNTHESIS if every == 1 else ONE_RELEASED
    found, said = opened.assessment(), bool(stated(opened))

    def make() -> Combined | NotEvaluated:
        identity, attributes = combined_identity(found, numbers), combined_attributes(found, numbers)
        if isinstance(identity, NotEvaluated):
            return identity
        if isinstance(attributes, NotEvaluated):
            return attributes
        return Combined(numbers, said, every, identity, attributes)

    asked = opened.set_key(opened.first_set), opened.review.columns, found.settings.to_json(), numbers, said
    made: Combined | NotEvaluated = opened.once("combined", *asked, make=make)
    return made
