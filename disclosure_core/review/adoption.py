"""Safeguards adopted: the protected syntheses become a set of their own, which figures, verdicts and report speak of.

What no longer fits, which verdicts are carried and which are asked again is known before, and shown first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from disclosure_core.conclusions.difference import leaked
from disclosure_core.counting.registry import OUTSIDE
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.differences import MEAN
from disclosure_core.review import reasons
from disclosure_core.review.parts import Chain, Judgement, SynthesisSet, Verdict, free_name
from disclosure_core.review.sets import LONGEST
from disclosure_core.review.tables_of_set import after_chain
from disclosure_core.review.verdicts import ASKED_ALONE, Given, all_given, asked_as
from disclosure_core.rounding import compare, fixed, percent

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


@dataclass(frozen=True, slots=True)
class Moved:
    """A verdict on the set that safeguards were tried on, and what adopting them does to it.

    Attributes
    ----------
    intruder, target, verdict
        Whose, on what, and which.
    given_at, now
        The figure that it was given at, and what it is in the safer data, %; NaN where that is not known.
    why
        Why it is asked again; empty where it is carried.
    """

    intruder: str
    target: str
    verdict: Judgement
    given_at: float
    now: float
    why: str = ""

    @property
    def figures(self) -> str:
        """Both figures, in words."""
        before = "without a figure" if isnan(self.given_at) else f"at {percent(fixed(self.given_at))}"
        return f"given {before}, now {'not evaluated' if isnan(self.now) else percent(fixed(self.now))}"

    @property
    def sentence(self) -> str:
        """What is to be said of it."""
        return f"{self.figures}: confirm ({self.why})" if self.why else f"{self.figures}: carried"


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
    carried
        The verdicts that stand for the new set (measures.md 11.4), stamped with both figures.
    asked_again
        The others, each to be confirmed by itself.
    """

    name: str
    review: Review
    gone: tuple[str, ...]
    carried: tuple[Moved, ...]
    asked_again: tuple[Moved, ...]


def adoption(opened: Opened, name: str = "") -> Adoption:
    """Return what it would do to adopt the safeguards that are taken.

    Parameters
    ----------
    name
        Of the new set; empty for the chain's, with a number where there is such a set.
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
    new = replace(
        after_chain(review, of, name),
        chains=tuple(c for c in review.chains if c.name != review.chain),  # it lives on as the origin
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
    still_there = set(reasons.names(new.exclusions))
    adopted = opened.with_review(new)
    pairs = list(zip(all_given(opened, of), all_given(adopted, name), strict=True))
    moved = [_moved(opened, adopted, *pair) for pair in pairs]
    verdicts = tuple(
        _carried(*pair) if not each.why else pair[1].verdict for each, pair in zip(moved, pairs, strict=True)
    )
    new = replace(new, verdicts=(*(v for v in new.verdicts if v.synthesis_set != name), *verdicts))
    return Adoption(
        name,
        new,
        tuple(n for n in reasons.names(review.exclusions) if n not in still_there),
        tuple(each for each in moved if not each.why),
        tuple(each for each in moved if each.why),
    )


def given_up(review: Review, name: str) -> Review:
    """Return the review without an adopted set, and without what was said of it and adopted from it.

    The chains are there to be tried again.
    """
    origin = next((s.origin for s in review.sets if s.name == name), None)
    if origin is None:
        raise DisclosureError(f"There is no adopted set {name!r}; name one that came from safeguards.")
    left = without_adopted(review, name, origin.synthesis_set)
    gone = [s.origin for s in review.sets if s.origin is not None and s not in left.sets]
    names = {c.name for c in review.chains}
    back = {o.chain: Chain(o.chain, o.steps) for o in gone if o.chain not in names}
    chain = review.chain if review.synthesis_set == left.synthesis_set else ""
    return replace(left, chains=(*review.chains, *back.values()), chain=chain)


def without_adopted(review: Review, name: str, instead: str) -> Review:
    """Return the review without an adopted set, those adopted from it, and what was said of them.

    Figures that spoke of one of them speak of the set `instead`.
    """
    going = {name}
    for each in review.sets:
        if each.origin is not None and each.origin.synthesis_set in going:
            going.add(each.name)
    return replace(
        review,
        sets=tuple(s for s in review.sets if s.name not in going),
        synthesis_set=instead if review.synthesis_set in going else review.synthesis_set,
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


def _moved(opened: Opened, adopted: Opened, old: Given, now: Given) -> Moved:
    """Return what adopting does to one verdict."""
    was = old.verdict.stamp
    figures = (nan if was is None else was.figure, nan if now.now is None else now.now.figure)
    why = _asked_again(opened, adopted, old, now)
    return Moved(old.verdict.intruder, old.verdict.target, old.verdict.verdict, *figures, why)


def _asked_again(opened: Opened, adopted: Opened, old: Given, now: Given) -> str:
    """Return why a verdict is asked again; empty where it is carried (measures.md 11.4)."""
    was, is_now, verdict = old.verdict.stamp, now.now, old.verdict
    if verdict.verdict in ASKED_ALONE:
        return f"“{verdict.verdict}” is always asked again"
    if not old.stands or was is None:
        return "it was to be confirmed before"
    if is_now is None:
        return now.why or "it is no target any more"
    if set(was.excluded) - set(is_now.excluded):
        return "an exclusion of it does not fit the safer data"
    if (was.measure, was.tau) != (is_now.measure, is_now.tau):
        return "another figure is judged"
    if compare(is_now.figure, was.figure) > 0:
        return "the figure rises"
    before, after = (_figures(o, g.verdict) for o, g in ((opened, old), (adopted, now)))
    for name, figure in after.items():
        if isnan(figure):
            if not isnan(before[name]):
                return f"{name} is not evaluated any more"
        elif isnan(before[name]) or compare(figure, before[name]) > 0:
            return f"{name} rises"
    if _own_answers(adopted, now.verdict) and not _own_answers(opened, old.verdict):
        return "members’ own answers are newly shown"
    return ""


def _figures(opened: Opened, verdict: Verdict) -> dict[str, float]:
    """Return DiSCO of a verdict's target, and what the office's limits judge of it, %; NaN: not evaluated."""
    asked = asked_as(opened, verdict.intruder, verdict.synthesis_set)
    assert asked is not None  # it has a stamp now
    risk, limits = asked.assessment(None, verdict.synthesis_set).targets[verdict.target], opened.review.limits
    found = {"DiSCO": float(risk.figures("DiSCO").mean())}
    for measure, name in OUTSIDE.items():
        limit = limits.of(measure)
        if limit.absolute is not None or limit.relative is not None:
            found[name] = float(risk.figures(name).mean())
        if limit.relative is not None:
            found[f"{name} less that of people outside"] = _difference(asked, verdict, measure)
    return found


def _difference(asked: Opened, verdict: Verdict, measure: str) -> float:
    outside = asked.attribute_baseline(verdict.synthesis_set)
    if isinstance(outside, NotEvaluated):
        return nan
    rows = outside.figures
    mine = rows[(rows["target"] == verdict.target) & (rows["measure"] == measure) & (rows["synthesis"] == MEAN)]
    return nan if mine.empty else float(mine["difference"].iloc[0])


def _own_answers(opened: Opened, verdict: Verdict) -> bool:
    """Return whether members' own answers to a verdict's target are shown to be in the synthetic data."""
    asked = asked_as(opened, verdict.intruder, verdict.synthesis_set)
    if asked is None or not opened.data.has_holdout:
        return False
    outside = asked.attribute_baseline(verdict.synthesis_set)
    if isinstance(outside, NotEvaluated) or verdict.target not in set(outside.same_keys["target"]):
        return False
    return leaked(outside, verdict.target) is True


def _carried(old: Given, now: Given) -> Verdict:
    """Return a verdict for the adopted set as given again there, stamped with both figures."""
    was, is_now = old.verdict.stamp, now.now
    assert was is not None
    assert is_now is not None
    first = was.figure if was.given_at is None else was.given_at
    given_at = None if compare(first, is_now.figure) == 0 else first
    return replace(now.verdict, stamp=replace(is_now, when=was.when, who=was.who, given_at=given_at))
