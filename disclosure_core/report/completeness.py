"""What is still open before a report is made, and where each is answered: questions, limits, verdicts, reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.answer import answer
from disclosure_core.report.rows import few
from disclosure_core.report.source import set_apart
from disclosure_core.review.about import not_stated
from disclosure_core.review.questions import unanswered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from disclosure_core.review.opened import Opened


class Open(NamedTuple):
    """One thing that is open: the page that answers it, and a sentence."""

    page: Literal["data", "keys", "review", "baseline", "report"]
    what: str


def still_open(opened: Opened) -> tuple[Open, ...]:
    """Return what is not answered, not judged or not evaluated, by the page that answers it; nothing: complete."""
    return tuple(_open(opened))


def _open(opened: Opened) -> Iterator[Open]:
    review, found = opened.review, answer(opened)
    yield from (Open("data", f"Not answered: {question.text}") for question in unanswered(opened))
    for keys in (k for k in review.intruders if k.keys):
        bare = [key for key in keys.keys if not keys.reason.strip() and not review.reasons.get(key, "").strip()]
        if bare:
            yield Open("keys", f"No reason is given for {few(bare)} as keys of {keys.name}.")
    for intruder, (_, without) in found.judging.items():
        if without:
            yield Open("review", f"No verdict for {intruder} on {few(without)}.")
    for row in found.to_confirm:
        yield Open("review", f"The verdict on {row.target} for {row.intruder} was {row.confirm}.")
    yield from (Open("review", said) for said in found.reasons_to_confirm)
    if found.without_reason:
        yield Open("report", f"No reason is given for what is excluded: {few(found.without_reason)}.")
    if review.holdout is None:
        yield Open("baseline", "No people outside: the holdout baseline is not evaluated.")
    yield from (Open("baseline", f"Not answered: {question}") for question in review.threat_model.unanswered())
    if found.why_no_membership:
        yield Open("baseline", f"Membership is not evaluated. {found.why_no_membership}")
    for measure in LIMITED:
        limit = review.limits.of(measure)
        if limit.relative is None or (limit.absolute is None and measure != "F_rel"):
            yield Open("report", f"The limits of {measure} are not complete.")
        elif not limit.owner.strip() or not limit.reason.strip():
            yield Open("report", f"Nobody is named as setting the limits of {measure}, or no reason is given.")
    yield from (Open("report", question) for question in found.questions.values())
    if found.n_syntheses > 1 and not found.released:
        yield Open("report", f"Which of the {found.n_syntheses} syntheses is released is not answered.")
    about = not_stated(
        review.about,
        found.n_syntheses,
        review.holdout is not None,
        set_apart(opened),
        review.threat_model,
        found.released,
    )
    yield from (Open("report", f"Not stated: {label}.") for label in about)
