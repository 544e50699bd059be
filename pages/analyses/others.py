"""Questions whose answers are panels of their own: what each asks, what it tells, and what draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.results.declared import NOT_RUN
from pages.analyses import membership, strongest, uniques_outside
from pages.shared import holdout, searching

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def _of_people_outside(draw: Callable[[Session], None]) -> Callable[[Session], None]:
    def drawn(s: Session) -> None:
        holdout.bring(s)
        draw(s)

    return drawn


@dataclass(frozen=True)
class Panel:
    """A question whose answer is drawn here.

    Attributes
    ----------
    short, about, question, purpose
        As of a result that is declared.
    draw
        Draws its parameters and its answer.
    found
        Returns what there is of it, without running what takes long: the answer, why there is none, or `NOT_RUN`.
    said
        Says the answer in one sentence.
    """

    short: str
    about: str
    question: str
    purpose: str
    draw: Callable[[Session], None]
    found: Callable[[Session], Any]
    said: Callable[[Any], str]


@dataclass(frozen=True)
class Elsewhere:
    """A question that another page answers: as of a panel, which page, and what is looked at there."""

    short: str
    about: str
    question: str
    purpose: str
    page: str
    before: Callable[[Session], None]


def _where(there: Callable[[Session], bool], found: Callable[[Session], Any]) -> Callable[[Session], Any]:
    """Return what gives an answer where it is there already."""
    return lambda s: evaluated(lambda: (found(s) if there(s) else None) or NOT_RUN)


def _is_kept(what: str) -> Callable[[Session], bool]:
    return lambda s: s.now.is_kept(what)


def _membership(s: Session) -> Any:
    refused = s.review.threat_model.refusal() or s.now.partition()
    if isinstance(refused, NotEvaluated):
        return refused
    return s.now.finished_membership() if s.now.is_kept("membership") else NOT_RUN


def _at_people_outside(s: Session) -> None:
    s.compare_view = "People outside"


ELSEWHERE = (
    Elsewhere(
        "differences",
        "The people",
        "What is a difference from people outside made of?",
        "New keys, and other answers.",
        "compare",
        _at_people_outside,
    ),
    Elsewhere(
        "least-safeguard",
        "The release",
        "Which safeguard is the least that is enough?",
        "A search over coarser keys and removed answers.",
        "safeguards",
        lambda _: None,
    ),
)
"""Questions that stand where they are decided, and are listed here, too."""

PANELS = (
    Panel(
        "subsets",
        "The keys",
        "Which keys matter?",
        "The worst subset, and what each key adds.",
        lambda s: searching.which_keys(s, s.now.assessment()),
        _where(_is_kept("subsets"), lambda s: s.now.finished_subsets()),
        lambda found: searching.worst_said(found, "repU", None),
    ),
    Panel(
        "number-of-keys",
        "The keys",
        "How many keys does it take?",
        "The figures by number of keys.",
        lambda s: searching.by_number(s, s.now.study()),
        _where(lambda _: True, lambda s: s.now.finished_subsets(attributes=False)),
        searching.by_number_said,
    ),
    Panel(
        "strongest-intruder",
        "The keys",
        "Which intruder discloses most?",
        "The largest figure over all combinations of keys, also known less exactly.",
        lambda s: strongest.search(s, s.now.study()),
        _where(_is_kept("strongest"), lambda s: s.now.finished_strongest()),
        strongest.sentence,
    ),
    Panel(
        "membership",
        "The people",
        "Can it be told who took part?",
        "How well members can be told from people outside; questions come first.",
        _of_people_outside(membership.membership),
        _membership,
        membership.sentence,
    ),
    Panel(
        "uniques-outside",
        "The people",
        "How many replicated uniques are there of people outside?",
        "repU of members beside people who were not synthesised.",
        _of_people_outside(uniques_outside.identity),
        lambda s: evaluated(s.now.judged.identity_baseline),
        uniques_outside.sentence,
    ),
)
"""In the order of the list, after the results that are declared (`disclosure_core.results`)."""


def panel(short: str) -> Panel | None:
    """Return the panel of a question; None where its result is declared."""
    return next((each for each in PANELS if each.short == short), None)
