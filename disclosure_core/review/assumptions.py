"""What the measures assume and no file can tell: asked once, and printed with the figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from disclosure_core.errors import DisclosureError, not_found

ANSWERS = ("yes", "no")
"""What can be answered; whoever says nothing has not answered."""

NOT_ANSWERED = "not answered"


@dataclass(frozen=True, slots=True)
class Question:
    """One assumption.

    Attributes
    ----------
    name
        What it is called in a saved review and on the command line.
    text
        The question, which "yes" answers as the measures assume.
    if_no
        What follows where the answer is no, in a sentence.
    """

    name: str
    text: str
    if_no: str


QUESTIONS = (
    Question(
        "all-synthetic",
        "Is every column of the synthetic data synthetic, in every record?",
        "Not every column is synthetic, and these measures are made for full synthesis: what was kept of the original "
        "is disclosed as it stands, whatever repU and DiSCO say; such a release needs measures for partial synthesis.",
    ),
    Question(
        "one-row-one-person",
        "Is one row one person?",
        "A row is not a person, and every figure counts rows: somebody with several rows that share the keys never "
        "counts as unique, so UiO and repU are too low for people, and people with many rows weigh more.",
    ),
    Question(
        "labelled",
        "Does a column or a label in the file say that the data are synthetic?",
        "Nothing in the file says that it is synthetic: a finder may take it for the real data, which harms "
        "the office's reputation even where nothing is disclosed.",
    ),
)
"""Sources: full synthesis, paper 000, section 1, and paper 002 on its scope; one row a person, paper 002 on its scope;
taken for real data, paper 001, section 1."""


def checked(answers: Mapping[str, str]) -> dict[str, str]:
    """Return answers by the questions' names, in the questions' order; without those that say nothing.

    Raises
    ------
    DisclosureError
        When there is no such question or answer.
    """
    names = [question.name for question in QUESTIONS]
    for name, answer in answers.items():
        if name not in names:
            raise not_found("Assumption", name, "one that is asked about", names)
        if answer and answer not in ANSWERS:
            raise DisclosureError(f"The answer to {name!r} is yes or no, not {answer!r}.")
    return {name: answers[name] for name in names if answers.get(name)}


def follows(answers: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence for each assumption that does not hold."""
    return tuple(question.if_no for question in QUESTIONS if answers.get(question.name) == "no")


def table(answers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return each question with its answer, or that it was not answered."""
    return tuple((question.text, answers.get(question.name) or NOT_ANSWERED) for question in QUESTIONS)
