"""Safeguards adopted: the protected syntheses become a set of their own, which figures, verdicts and report speak of.

What no longer fits and which verdicts have to be given again is known before, so that it can be shown first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import Standing
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.errors import DisclosureError
from disclosure_core.review import reasons
from disclosure_core.review.parts import Chain, Origin, SynthesisSet, free_name
from disclosure_core.review.sets import LONGEST
from disclosure_core.review.verdicts import given
from disclosure_core.rounding import compare

if TYPE_CHECKING:
    from collections.abc import Iterable

    from disclosure_core.conclusions.standing import Stamp
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Verdict
    from disclosure_core.review.value import Review
    from disclosure_core.review.verdicts import Given


@dataclass(frozen=True, slots=True)
class Adoption:
    """What adopting a chain of safeguards would do.

    Attributes
    ----------
    name
        Of the new set.
    review
        The review with it: figures speak of it, and no further safeguard is taken.
    gone
        The exclusions that do not fit the safer data, by name; they are not in `review`.
    kept
        Intruder and target of each verdict whose figure does not move: it stands for the new set.
    asked_again
        Intruder and target of each other verdict, and what is to be said of it.
    """

    name: str
    review: Review
    gone: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]
    asked_again: tuple[tuple[str, str, str], ...]


def adoption(opened: Opened, name: str = "") -> Adoption:
    """Return what it would do to adopt the safeguards that are taken.

    Parameters
    ----------
    name
        Of the new set; empty for the chain's, with a number where there is such a set.

    Raises
    ------
    DisclosureError
        When no safeguard is taken, one cannot be done, or the name is too long or that of another set.
    """
    review, of = opened.review, opened.first_set
    if not review.steps:
        raise DisclosureError("No safeguard is taken, so that none can be adopted; try one first.")
    names = {s.name for s in review.sets}
    name = " ".join(name.split()) or free_name(review.chain[: LONGEST - 4], names)
    if len(name) > LONGEST:
        raise DisclosureError(f"Give the adopted set a name of 1 to {LONGEST} letters.")
    if name in names:
        raise DisclosureError(f"There is a set called {name!r} already; give the adopted set another name.")
    study = opened.safeguarded().study  # raises where a step cannot be done
    sets = review.sets if of in names else (SynthesisSet(of, ()), *review.sets)
    origin = Origin(of, review.chain, review.steps, review.keys, dict(review.grouping))
    new = replace(
        review,
        sets=(*sets, SynthesisSet(name, (), origin)),
        synthesis_set=name,
        chains=tuple(c for c in review.chains if c.name != review.chain),  # it lives on as the origin
        chain="",
        verdicts=(
            *review.verdicts,
            *(replace(v, synthesis_set=name) for v in review.verdicts if v.synthesis_set == of),
        ),
        reason_stamps=(
            *review.reason_stamps,
            *(replace(s, synthesis_set=name) for s in review.reason_stamps if s.synthesis_set == of),
        ),
        released={**review.released, **({name: review.released[of]} if of in review.released else {})},
    )
    new = _fitting(study, new)
    kept = set(reasons.names(new.exclusions))
    before, after = given(opened, of), given(opened.with_review(new), name)
    verdicts = tuple(_carried(old, now) for old, now in zip(before, after, strict=True))
    new = replace(new, verdicts=(*(v for v in new.verdicts if v.synthesis_set != name), *verdicts))
    now = given(opened.with_review(new), name)
    return Adoption(
        name,
        new,
        tuple(n for n in reasons.names(review.exclusions) if n not in kept),
        tuple((g.verdict.intruder, g.verdict.target) for g in now if g.stands),
        tuple((g.verdict.intruder, g.verdict.target, g.sentence) for g in now if not g.stands),
    )


def given_up(review: Review, name: str) -> Review:
    """Return the review without an adopted set, and without what was said of it and adopted from it.

    The chains are there to be tried again.

    Raises
    ------
    DisclosureError
        When there is no adopted set of this name.
    """
    origin = next((s.origin for s in review.sets if s.name == name), None)
    if origin is None:
        raise DisclosureError(f"There is no adopted set {name!r}; name one that came from safeguards.")
    going = {name}
    for each in review.sets:
        if each.origin is not None and each.origin.synthesis_set in going:
            going.add(each.name)
    chain = review.chain if review.synthesis_set not in going else ""
    gone = [s.origin for s in review.sets if s.origin is not None and s.name in going]
    names = {c.name for c in review.chains}
    back = {o.chain: Chain(o.chain, o.steps) for o in gone if o.chain not in names}
    return replace(
        review,
        chains=(*review.chains, *back.values()),
        sets=tuple(s for s in review.sets if s.name not in going),
        synthesis_set=origin.synthesis_set if review.synthesis_set in going else review.synthesis_set,
        chain=chain,
        verdicts=tuple(v for v in review.verdicts if v.synthesis_set not in going),
        reason_stamps=tuple(s for s in review.reason_stamps if s.synthesis_set not in going),
        released={of: numbers for of, numbers in review.released.items() if of not in going},
    )


def with_adopted(sets: Iterable[SynthesisSet], saved: Iterable[SynthesisSet]) -> tuple[SynthesisSet, ...]:
    """Return the sets that came as files, and of `saved` those that were adopted from one of them."""
    found = [s for s in sets if s.origin is None]
    names = {s.name for s in found}
    for each in saved:
        if each.origin is not None and each.origin.synthesis_set in names and each.name not in names:
            found.append(each)
            names.add(each.name)
    return tuple(found)


def _fitting(study: AnyStudy, review: Review) -> Review:
    """Return the review without the exclusions that no intruder could have of this study."""
    chosen = review.intruder
    for each in review.intruders:
        review = replace(review, intruder=each.name)
        settings, _ = restrict_to_study(study, review.settings)
        review = review.with_settings(settings)
    return replace(review, intruder=chosen)


def _carried(old: Given, now: Given) -> Verdict:
    """Return a verdict for the adopted set: as given again where its figure does not move, else waiting for it."""
    was, is_now = old.verdict.stamp, now.now
    if old.standing is not Standing.STANDS or was is None or is_now is None or not _same_figure(was, is_now):
        return now.verdict
    return replace(now.verdict, stamp=replace(is_now, when=was.when, who=was.who))


def _same_figure(was: Stamp, now: Stamp) -> bool:
    return (was.measure, was.tau) == (now.measure, now.tau) and compare(was.figure, now.figure) == 0
