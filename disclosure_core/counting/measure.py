"""What is said of a measure: one entry of the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from disclosure_core.counting.measures import Sums

Family = Literal["attribute", "caps", "claims", "same keys", "identity", "membership"]


_SOURCES = {
    "attribute": "measures.md 4",
    "caps": "measures.md 5",
    "claims": "measures.md 10",
    "same keys": "measures.md 10",
    "identity": "measures.md 3",
    "membership": "consensus.md 2.4",
}


class Over(Enum):
    """How one figure is made of several syntheses."""

    MEAN = auto()
    """The mean of the figures of each."""

    SUMS = auto()
    """A ratio of sums over all of them: a mean of ratios would be another figure."""

    BEST = auto()
    """The same with one level, the best for all of them together."""

    ONCE = auto()
    """It rests on the original alone, and is the same beside each."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes
    ----------
    name
        As in `measures.md`, in columns and in conditions.
    family
        The table that it stands in: "attribute", "caps", "claims" (beside a guess) and "same keys" are of a target,
        "identity" and "membership" of the keys.
    says
        What is counted, as a clause: the numerator of a share.
    of
        The records that it is a share of, the denominator, where it is one.
    source
        Its section of measures.md, or of the experts' consensus; that of its family where nothing else is given.
    unit
        Of a frame; where nothing else is given "% of the …" of `of`, and of the CAP family "%".
    label, unit_in_files
        What a column is called in a file that leaves, and its unit there; "% of …" where nothing else is given.
    digits, significant
        As of `data.typeset.Column`.
    over
        How it is made of several syntheses.
    worse
        Whether a larger figure discloses more. Else it is a reference, or stands beside to read another by.
    figure
        What makes it of one synthesis's sums, %, or records; None: a formula of its family makes all of them together.
    paper
        Where the definition in a report is cited from; empty: the report does not define it.
    defined_over
        The same as `of` in a report's definition, where that says more.
    short, plain, help
        What it is called where there is little room; in plain words; and the sentence that explains it on a page.
    in_words
        What it is called in a sentence of a search.
    original, compared
        The measure of the original that stands beside it; and the name of that comparison, empty where there is none.
    as_set
        Whether exclusions act on it; else it is given with nothing excluded.
    fewer
        How it behaves as fewer records are released, where it depends on them.
    outside, together, searched
        Whether it is compared with people outside, measured on all syntheses released together, and searched for the
        strongest intruder.
    aim
        Its place among what an aim of the least safeguard bounds; 0: none does.
    step
        The most that one original record, added or taken out, moves the sum that it is a share of; the synthetic data
        are fixed, without a denominator limit. 0: it rests on these alone; infinite: a whole cell; None: not proved.
    """

    name: str
    family: Family
    says: str
    of: str = ""
    source: str = ""
    unit: str = ""
    label: str = ""
    unit_in_files: str | None = None
    digits: int = 2
    significant: int | None = None
    over: Over = Over.MEAN
    worse: bool = True
    figure: Callable[[Sums], float] | None = None
    paper: str = ""
    defined_over: str = ""
    short: str = ""
    plain: str = ""
    help: str = ""
    in_words: str = ""
    original: str = ""
    compared: str = ""
    as_set: bool = True
    fewer: str = ""
    outside: bool = False
    together: bool = False
    searched: bool = False
    aim: int = 0
    step: float | None = None

    def __post_init__(self) -> None:
        defined_over = self.defined_over or self.of
        in_files = f"% of {defined_over}" if self.as_set else f"% of the {self.of}, nothing excluded"
        given = {
            "source": _SOURCES[self.family],
            "unit": "%" if self.family == "caps" else f"% of the {self.of}",
            "label": self.name,
            "short": self.name,
            "in_words": self.name,
            "defined_over": defined_over,
        }
        for name, value in given.items():
            if not getattr(self, name):
                object.__setattr__(self, name, value)
        if self.unit_in_files is None:
            object.__setattr__(self, "unit_in_files", in_files if self.of else "")

    @property
    def of_keys(self) -> bool:
        """Whether it belongs to the keys; else it is one of each target."""
        return self.family in ("identity", "membership")

    @property
    def sign(self) -> str:
        """What stands after a figure in a sentence: "%", "points", or nothing."""
        return {"%": "%", "p": "points"}.get(self.unit[:1], "")

    @property
    def is_reference(self) -> bool:
        """Whether it rests on the original alone."""
        return self.over is Over.ONCE
