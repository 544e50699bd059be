"""The questions that come before any membership figure, and the refusal where the answers do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.parameters import parameter, within


class Motive(StrEnum):
    """Why somebody would want to know; it weighs precision against recall.

    Examples
    --------
    >>> ThreatModel(motive=Motive.PROFIT).beta
    2.0
    """

    PERSONAL = "personal interest in one person"
    SELECTION = "selection or discrimination"
    ENFORCEMENT = "enforcement or control"
    SELF_INTEREST = "self-interest"
    RECOGNITION = "public recognition, with any person"
    PROFIT = "profit, from as many people as possible"
    NOBODY = "no intruder can be assumed"


MOTIVES = dict(
    zip(
        ("personal", "selection", "enforcement", "self-interest", "recognition", "profit", "nobody"),
        Motive,
        strict=True,
    )
)
"""What each is called on the command line and in a file of answers."""

GATE = {
    "same-population": "same_population",
    "membership-is-news": "news",
    "random-sample": "random_sample",
    "training-alone": "training_alone",
}
"""Questions with yes or no, by their name on the command line and in a file of answers, and the field that answers."""

POPULATION = "Which population was the original sampled from?"
SIZE = "How many people are in it (N), and where is that from?"
MADE_OF = "What will be synthesised in the end (n)?"
SAME_POPULATION = "Would an intruder pick targets from that same population?"
NEWS = "Would being in the data be news to them?"
RANDOM_SAMPLE = "Is the original a simple random sample of the population?"
AFTER = "What is the intruder after?"

_BETA = {Motive.RECOGNITION: 0.5, Motive.PROFIT: 2.0}


@dataclass(frozen=True, slots=True)
class ThreatModel:
    """The answers that come before any membership figure. None: not answered.

    Attributes
    ----------
    population
        Which population the original was sampled from.
    population_size
        N, people in it.
    source
        Where N is from.
    same_population
        Whether an intruder would pick targets from that same population.
    news
        Whether being in the data tells the intruder something not already known.
    random_sample
        Whether the original is a simple random sample of the population.
    motive
        What the intruder is after; `Motive.NOBODY` where no intruder can be assumed.
    training_alone
        Whether what is released in the end is made from the training data alone, and not from the whole original:
        training data and holdout. Until that is answered, figures are of the whole original.

    Raises
    ------
    DisclosureError
        When N is not a whole number above 0.

    Examples
    --------
    >>> ThreatModel(same_population=True, news=False).refusal().why
    'Being in the data tells the intruder nothing new, so membership is no disclosure here.'
    """

    population: str = ""
    population_size: int | None = parameter(
        None,
        ge=1,
        title="People in the population",
        description="That the original was sampled from.",
        json_schema_extra={"metavar": "N"},
    )
    source: str = ""
    same_population: bool | None = None
    news: bool | None = None
    random_sample: bool | None = None
    motive: Motive | None = None
    training_alone: bool | None = None

    def __post_init__(self) -> None:
        N = self.population_size
        if N is not None and (
            isinstance(N, bool) or not isinstance(N, Real) or N % 1 or not within(self, "population_size")
        ):
            raise DisclosureError("The population size must be a whole number of people, 1 or more.")
        if N is not None:
            object.__setattr__(self, "population_size", int(N))  # 1e6 is the same number, and the same text in JSON

    @property
    def beta(self) -> float | None:
        """The weight that fits the motive; None without one, or an answer: the largest F_rel of `BETAS` counts."""
        return None if self.motive in (None, Motive.NOBODY) else _BETA.get(self.motive, 1.0)

    def unanswered(self) -> tuple[str, ...]:
        """Return the questions that nobody answered, as a report prints them."""
        answers = {
            POPULATION: bool(self.population.strip()),
            SIZE: self.population_size is not None and bool(self.source.strip()),
            MADE_OF: self.training_alone is not None,
            SAME_POPULATION: self.same_population is not None,
            NEWS: self.news is not None,
            RANDOM_SAMPLE: self.random_sample is not None,
            AFTER: self.motive is not None,
        }
        return tuple(question for question, answered in answers.items() if not answered)

    def refusal(self) -> NotEvaluated | None:
        """Return why no membership figure is shown, or None where it may be.

        Source
        ------
        consensus.md 2.1 (R5).
        """
        if self.same_population is False:
            return NotEvaluated(
                "The intruder would not pick targets from the population that the data were sampled from. Then being "
                "in the data is a trait of that population, and this figure overstates the attack by orders of "
                "magnitude: in the panel's HIV example precision 0.46 instead of 0.003.",
                "Make a simulation of your own in which targets are drawn from the wider population.",
            )
        if self.news is False:
            return NotEvaluated(
                "Being in the data tells the intruder nothing new, so membership is no disclosure here.",
                "Bring a setting in which membership itself is sensitive; otherwise read the attribute figures.",
            )
        if self.same_population is None or self.news is None:
            return NotEvaluated(
                "The questions about the intruder are not answered.",
                "Say whether targets come from the same population, and whether membership would tell the intruder "
                "anything new.",
            )
        if self.population_size is None:
            return NotEvaluated(
                "Without the size of the population the baseline of guessing is unknown.",
                "Give the number of people in the population that the original was sampled from, and its source.",
            )
        return None

    def caveats(self) -> tuple[str, ...]:
        """Return sentences to stand beside the figures."""
        if self.random_sample:
            return ()
        verb = "is not" if self.random_sample is False else "is not stated to be"
        return (f"The original {verb} a simple random sample of the population: F_naive and F_rel assume one.",)
