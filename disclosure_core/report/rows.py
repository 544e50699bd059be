"""What page 1 says a row of: a measure of one target, membership, replicated uniques; and how it writes figures and names."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

from disclosure_core.holdout.decision import Limit, Outcome, decide
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.conclusions.difference import Saying, Sentence
    from disclosure_core.counting.claims import BeyondGuess
    from disclosure_core.review.parts import Verdict

HARMLESS = ("acceptable", "common knowledge")
"""Verdicts that a figure above its limits contradicts."""

RANK = {Outcome.WITHIN: 0, Outcome.NOT_EVALUATED: 1, Outcome.ABOVE: 2}


@dataclass(frozen=True, slots=True)
class Figures:
    """A measure of one target under one set of exclusions, means over the syntheses.

    Attributes
    ----------
    original
        The same in the original itself, % of its records.
    members
        % of the people in the data; NaN, as `original`, where the target or a key does not meet.
    outside, difference, low, high
        % of people outside; percentage points, with the 95 % interval. None without a holdout.
    """

    original: float
    members: float
    outside: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def evaluated(self) -> bool:
        """Whether there is a figure of members: not where values do not meet."""
        return not isnan(self.members)


@dataclass(frozen=True, slots=True)
class Row:
    """A measure of one target, for the key set that stands worst: by `order`.

    Attributes
    ----------
    measure, target, intruder
        What was measured; the intruder is the key set that decides.
    conclusions
        What may be said of members beside people outside; nothing without a holdout that can serve.
    judged
        With what is excluded for a reason; this is what the limit judges.
    before
        With nothing excluded; None where that is the same.
    released
        Each synthesis that is released, by its number, with its own figures; empty where nobody said which.
    limit, outcome, why
        The office's limits, where the figure stands, and why it is not evaluated.
    outcome_before
        Where it would stand with nothing excluded.
    commonest, majority
        The target's commonest level, and % of the people in the data that have it.
    beyond
        What the claims that DiSCO counts are worth beside a guess; None where values do not meet.
    left_out
        What is excluded from it for a reason, and the reason.
    verdict
        What the officer says of it; None where nothing was said.
    confirm
        What is to be said of a verdict that no longer fits what it judged; empty where it does.
    flag
        What the checks say of it after exclusions: "", "1-way", "2-way" or "1- and 2-way".
    """

    measure: str
    target: str
    intruder: str
    judged: Figures
    limit: Limit
    outcome: Outcome
    outcome_before: Outcome
    why: str
    conclusions: tuple[Sentence, ...] = ()
    before: Figures | None = None
    commonest: str = ""
    majority: float = nan
    beyond: BeyondGuess | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    verdict: Verdict | None = None
    confirm: str = ""
    flag: str = ""
    released: tuple[tuple[int, Figures], ...] = ()

    @property
    def by_release(self) -> bool:
        """Whether a released synthesis is above the limits, and the mean is not."""
        mean = decide(self.judged.members, self.judged.difference, self.limit)
        return self.outcome is Outcome.ABOVE and mean is not Outcome.ABOVE

    def says(self, saying: Saying) -> bool:
        """Return whether something may be said of it."""
        return any(s.saying is saying for s in self.conclusions)

    @property
    def contradicted(self) -> bool:
        """Whether the officer called harmless what is above its limits, in a verdict that still fits."""
        given = None if self.confirm else self.verdict
        return self.outcome is Outcome.ABOVE and given is not None and given.verdict in HARMLESS

    @property
    def order(self) -> tuple[float, ...]:
        """What is worse comes first: above, not evaluated, within; now, and before; then the difference and the figure.

        Of several that are not evaluated, one whose values do not meet: nobody knows what it discloses.
        """
        standing = (RANK[self.outcome], self.beyond is None, RANK[self.outcome_before])
        return (*standing, self.judged.difference or 0.0, self.judged.members if self.judged.evaluated else -1.0)


@dataclass(frozen=True, slots=True)
class MembershipRow:
    """Whether members can be told from others, for the key set where it is easiest.

    Attributes
    ----------
    intruder, keys
        The key set, and its subset with the largest F_rel.
    beta, f_naive, f, f_rel
        The β that counts, F of guessing, F and F_rel of that subset; None where not evaluated.
    limit, outcome, why
        As of `Row`.
    released
        F_rel of all keys of the synthesis that is released, the largest of several; None where nobody said which.
    complete
        Whether every subset of the keys was searched; else F_rel is at least so much.
    """

    intruder: str
    keys: tuple[str, ...]
    beta: float | None
    f_naive: float | None
    f: float | None
    f_rel: float | None
    limit: Limit
    outcome: Outcome
    why: str
    released: float | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Screening:
    """repU of members and of people outside, for the intruder that figures speak of: no limit judges it.

    `members` is None where a key does not meet.
    """

    members: float | None
    outside: float | None
    difference: float | None
    low: float | None
    high: float | None


def called(row: Row) -> str:
    """Return what a row is called in a sentence."""
    return f"{row.measure} of {row.target}"


def tenth(value: float) -> str:
    """Return a figure as page 1 writes it."""
    return fixed(value, 1)


def number(n: int) -> str:
    """Return a small number as a word."""
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    return words[n] if n < len(words) else f"{n:,}"
