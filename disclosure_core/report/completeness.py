"""What is still open before a report is signed: the one list of page, status bar, report and command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from disclosure_core.conclusions.standing import Standing, progress
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.answer import answer
from disclosure_core.report.rows import called
from disclosure_core.report.source import set_apart
from disclosure_core.review import reasons, scope
from disclosure_core.review.about import not_stated
from disclosure_core.review.combined import stated
from disclosure_core.review.questions import unanswered
from disclosure_core.review.saved import to_json
from disclosure_core.rounding import few

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.verdicts import Given

Page = Literal["data", "keys", "review", "compare", "analyses", "report"]


class Open(NamedTuple):
    """One thing that is open.

    Attributes
    ----------
    page
        The page that answers it.
    about, what
        Its head, by which a report gathers them, and a sentence.
    name
        What its answer is kept under, where one control gives it: an assumption, an exclusion, a question about the
        release, a part of `SCOPE`; empty else.
    """

    page: Page
    about: str
    what: str
    name: str = ""


def still_open(opened: Opened) -> tuple[Open, ...]:
    """Return what is not answered, not judged or not evaluated; nothing: complete.

    What is not asked of this release is not in it, nor what nobody can answer.
    """
    return opened.once(
        "open",
        opened.first_set,
        to_json(opened.review),
        opened.is_kept("membership"),
        make=lambda: tuple(_open(opened)),
    )


def _open(opened: Opened) -> Iterator[Open]:
    review, name = opened.review, opened.first_set
    for each in unanswered(opened):
        yield Open("data", "data", f"Not answered: {each.text}", each.name)
    for keys in review.intruders:
        bare = [key for key in keys.keys if not keys.reason.strip() and not review.reasons.get(key, "").strip()]
        if bare:
            yield Open("keys", "keys", f"No reason is given for {few(bare)} as keys of {keys.name}.", keys.name)
    yield from _verdicts(opened)
    several = len([k for k in review.intruders if k.keys]) > 1
    for keys in (k for k in review.intruders if k.keys):
        for of, said in reasons.to_confirm(opened, name, keys.name).items():
            whom = f" for {keys.name}" * several
            yield Open("review", "exclusions", f"The reason for “{of}”{whom} was {said}.", of)
    for of in dict.fromkeys(
        each
        for k in review.intruders
        if k.keys
        for each in reasons.without_reason(_settings_of_intruder(opened, k.name).left_out, review.reasons)
    ):
        yield Open("report", "exclusions", f"No reason is given for excluding {of}: it is in no judged figure.", of)
    if review.holdout is None and scope.is_asked(review, scope.OUTSIDE):
        said = "No people outside are given, so a leak cannot be told from general knowledge."
        yield Open("compare", "people outside", said, scope.OUTSIDE)
    if scope.is_asked(review, scope.MEMBERSHIP):
        questions = review.threat_model.unanswered()
        yield from (Open("analyses", "membership", f"Not answered: {question}") for question in questions)
        if not questions and "membership" not in review.searched and not opened.is_kept("membership"):
            yield Open("analyses", "membership", "Membership is not evaluated.")
    yield from _limits(opened)
    yield from _about(opened)


def _settings_of_intruder(opened: Opened, intruder: str) -> Settings:
    return replace(opened.review, intruder=intruder).settings


def _verdicts(opened: Opened) -> Iterator[Open]:
    """Give the targets without a verdict, those to confirm, and those that the figure contradicts."""
    review, name = opened.review, opened.first_set
    given: dict[tuple[str, str], Given] = {(g.verdict.intruder, g.verdict.target): g for g in opened.verdicts(name)}
    known = [k for k in review.intruders if k.keys]
    for keys in known:
        asking = opened.judged.of_intruder(keys.name, synthesis_set=name)
        if not asking.can_learn(name):
            continue
        targets = list(asking.assessment(None, name).targets)
        without = [target for target in targets if (keys.name, target) not in given]
        if without:
            mine = [given[keys.name, target] for target in targets if (keys.name, target) in given]
            judged = sum(g.stands for g in mine)
            how_far, whom = progress(len(targets), judged, len(mine) - judged), f" for {keys.name}" * (len(known) > 1)
            yield Open("review", "verdicts", f"{how_far}{whom}; no verdict on {few(without)}.")
    for g in given.values():
        if g.standing is Standing.CONFIRM:
            v = g.verdict
            said = f"The verdict “{v.verdict}” on {v.target} for {v.intruder} was {g.sentence}."
            yield Open("review", "verdicts", said, v.target)
    limited = any(value is not None for value in _set_limits(opened))
    for row in answer(opened).contradictions if limited and given else ():
        if row.verdict is not None:
            yield Open(
                "review",
                "verdicts",
                f"“{row.verdict.verdict}” for {row.intruder} on {called(row)}, yet the figure is above its limits: the "
                "two contradict each other. Change one of them.",
                row.target,
            )


def _set_limits(opened: Opened) -> Iterator[float | None]:
    for measure in LIMITED:
        limit = opened.review.limits.of(measure)
        yield from (limit.absolute, limit.relative)


def _limits(opened: Opened) -> Iterator[Open]:
    """Give what is not said of the limits of each measure that is asked of this release."""
    review = opened.review
    asked = {"DiSCO": scope.LIMITS, "DCAP": scope.DCAP, "F_rel": scope.MEMBERSHIP}
    for measure in LIMITED:
        limit = review.limits.of(measure)
        if not scope.is_asked(review, asked[measure]):
            continue
        if limit.relative is None or (limit.absolute is None and measure != "F_rel"):
            said = f"No limit of {measure} is set."
            if limit.absolute is not None or limit.relative is not None:
                lacks = "% of members" if limit.absolute is None else "percentage points above people outside"
                said = f"The limit of {measure} in {lacks} is not set."
            yield Open("report", "limits", said, asked[measure])
        elif not (limit.owner.strip() and limit.reason.strip()):
            said = f"No reason is given for the limits of {measure}."
            if not limit.owner.strip():
                said = f"Nobody is named as setting the limits of {measure}."
            yield Open("report", "limits", said)
    yield from (Open("report", "limits", question) for question in review.limits.questions().values())


def _about(opened: Opened) -> Iterator[Open]:
    """Give which of several syntheses is released, and each question about the release."""
    review, n = opened.review, len(opened.study().n_synthetic)
    released = stated(opened)
    if n > 1 and not released:
        yield Open("report", "release", f"Nobody said which of the {n} syntheses is released; their mean is judged.")
    lacking = not_stated(review.about, n, review.holdout is not None, set_apart(opened), review.threat_model, released)
    yield from (Open("report", "release", f"Not stated: {label}.", label) for label in lacking)


def gathered(found: tuple[Open, ...], most: int | None = None) -> tuple[tuple[str, str], ...]:
    """Return a line a head, with how many are open beneath it, as page 1 prints them; `most` questions each are named."""
    by: dict[str, list[str]] = {}
    for each in found:
        by.setdefault(each.about, []).append(each.what)
    return tuple(
        (about if len(said) == 1 else f"{about} ({len(said)})", _joined(said, most)) for about, said in by.items()
    )


_STATED, _ANSWERED = "Not stated: ", "Not answered: "


def _joined(said: list[str], most: int | None) -> str:
    """Return sentences that begin alike as one: "Not stated: a, b and c."."""
    found = [each for each in said if not each.startswith((_STATED, _ANSWERED))]
    stated = [each.removeprefix(_STATED).rstrip(".") for each in said if each.startswith(_STATED)]
    answered = [each.removeprefix(_ANSWERED) for each in said if each.startswith(_ANSWERED)]
    if stated:
        found.append(f"{_STATED}{few(stated, most or len(stated))}.")
    if answered:
        some = answered[:most]
        more = f" And {len(answered) - len(some)} more." if len(answered) > len(some) else ""
        found.append(f"{_ANSWERED}{' '.join(some)}{more}")
    return " ".join(found)
