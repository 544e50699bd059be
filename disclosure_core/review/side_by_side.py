"""Every set of syntheses side by side, and the set that figures speak of after each chain of safeguards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.comparison.candidates import Candidate, Decided, candidate
from disclosure_core.comparison.comparison import Comparison, comparison
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.data.suggestions import GIVEN_TWICE
from disclosure_core.errors import DisclosureError, NothingEvaluatedError, evaluated
from disclosure_core.review.parts import Chain, Sample
from disclosure_core.review.references import coarsened, sampled

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened


def compared(
    opened: Opened, progress: Progress | None = None, *, safeguards: bool = True, outside: bool = True
) -> Comparison:
    """Return every set side by side, and the set that figures speak of after each chain of safeguards.

    Parameters
    ----------
    progress
        Called with how far it is and when it is done; what it raises ends it, and the sets done are kept.
    safeguards, outside
        Whether the chains are among them; whether people outside the data are looked at, where there are some.

    Raises
    ------
    DisclosureError
        As `assess`, for a set of which no figure can be had.
    """
    asked = to_compare(opened, safeguards)
    references = of_original(opened)
    n = len(asked) + len(references)
    not_met: dict[str, str] = {}
    done, left_out = [], []
    for i, (name, chain) in enumerate(asked):

        def within(tables: int, of: int, i: int = i) -> None:
            if progress is not None:
                progress(round(1000 * (i + tables / max(of, 1))), 1000 * n)

        if why := _stopped(opened, name, chain):
            not_met[f"{name}, {chain}" if chain else name] = why
            continue
        try:
            done.append(_candidate(opened, name, chain, outside, within))
        except DisclosureError as error:
            if chain:
                left_out.append(f"{chain!r} cannot be done on {name!r}: {error}")
            elif opened.data.engine and opened.review.ancestry(name)[1]:
                left_out.append(f"{name!r} is not compared: {error}")
            else:
                raise
    for i, each in enumerate(references, len(asked)):

        def drawing(tables: int, of: int, i: int = i) -> None:
            if progress is not None:
                progress(round(1000 * (i + tables / max(of, 1))), 1000 * n)

        try:
            done.append(_reference(opened, each, outside, drawing))
        except DisclosureError as error:
            left_out.append(f"{each.name!r} cannot be done on the original: {error}")
    if not done and (stopped := opened.stopped(asked[0][0])):
        raise NothingEvaluatedError(stopped)
    return comparison(done, tuple(left_out), not_met)


def is_compared(opened: Opened) -> bool:
    """Return whether the whole comparison is there for what is asked now, so that nothing is counted for it."""
    kept = [
        opened.kept("candidate", *_asked_of(opened, *e, outside=True))
        for e in to_compare(opened, True)
        if not _stopped(opened, *e)
    ]
    kept += [opened.kept("candidate", *_asked_of_reference(opened, each, outside=True)) for each in of_original(opened)]
    return all(found is not None for found in kept)


def of_original(opened: Opened) -> tuple[Sample | Chain, ...]:
    """Return the samples of the original, and the chains that are applied to it, which the sets are compared with."""
    if opened.data.original is None:
        return ()
    return (*opened.review.samples, *(c for c in opened.review.chains if c.of_original and c.steps))


def _asked_of_reference(opened: Opened, each: Sample | Chain, *, outside: bool) -> tuple[Any, ...]:
    """Return what the figures of a sample of the original, or of the original coarsened, depend on."""
    base, review = opened.review.ancestry(opened.first_set)[0], opened.judged.review
    outside = outside and opened.data.has_holdout
    return "original", base, repr(each), review.columns, review.settings.to_json(), opened.by_lot, outside


def _reference(opened: Opened, each: Sample | Chain, outside: bool, progress: Progress) -> Candidate:
    asked, mine = _asked_of_reference(opened, each, outside=outside), opened.judged
    made = (
        (lambda: sampled(mine, each, progress, outside=asked[-1]))
        if isinstance(each, Sample)
        else (lambda: coarsened(mine, each, progress))
    )
    found: Candidate = opened.once("candidate", *asked, make=made)
    return found


def to_compare(opened: Opened, safeguards: bool) -> list[tuple[str, str]]:
    """Return each set as it came, and the set that figures speak of with each chain of safeguards."""
    asked = [(name, "") for name in opened.set_names]
    if safeguards:
        asked += [(opened.first_set, chain.name) for chain in opened.review.chains if chain.steps]
    return asked


def _stopped(opened: Opened, name: str, chain: str) -> str:
    """Return why a set is not evaluated beside others: columns of its do not meet; empty where it is."""
    found = opened.stopped(name)
    of = f"{chain!r} on {name!r}" if chain else repr(name)
    return f"{of} is not evaluated. {found.why} {found.needs}" if found else ""


def _asked_of(opened: Opened, name: str, chain: str, *, outside: bool) -> tuple[Any, ...]:
    """Return what the figures of a candidate depend on."""
    review = replace(opened.judged.review, chain=chain)
    outside = outside and opened.data.has_holdout
    return (
        name,
        opened.set_key(name),
        chain,
        repr(review.steps),
        review.columns,
        opened.met(review.settings, name).to_json(),
        opened.by_lot,
        outside,
    )


def _candidate(opened: Opened, name: str, chain: str, outside: bool, progress: Progress) -> Candidate:
    """Return the figures of a set as it came, or after a chain of safeguards."""
    asked = _asked_of(opened, name, chain, outside=outside)
    mine = opened.judged.with_review(replace(opened.judged.review, chain=chain))
    figures: Candidate = opened.once(
        "candidate", *asked, make=lambda: _measured(mine.as_adopted(name), chain, progress, outside=asked[-1])
    )
    return figures if chain else replace(figures, decided=decided_of(opened, name))


def _measured(mine: Opened, chain: str, progress: Progress, *, outside: bool) -> Candidate:
    """Return the figures of the set that they speak of: as it came, as it was adopted, or after a chain."""
    name = mine.first_set
    attributes = evaluated(mine.attribute_baseline) if outside else None
    identity = evaluated(mine.identity_baseline) if outside else None
    found = mine.assessment(), mine.usefulness(None, progress)
    origins = mine.review.ancestry(name)[1]
    held_back = tuple(mine.not_met().values())
    if not origins:
        made = candidate(name, name, *found, attributes=attributes, identity=identity, differences=held_back)
        twice = (note.text for note in mine.remarks(name).data if note.text.endswith(GIVEN_TWICE))
        return replace(made, doubts=(*twice, *made.doubts))
    _, lost = restrict_to_study(mine.study(), mine.review.settings)
    return candidate(
        chain or name,
        origins[-1].synthesis_set,
        *found,
        chain=chain,
        attributes=attributes,
        identity=identity,
        differences=(*lost, *held_back),
        detail=mine.adopted(name).detail,
    )


def decided_of(opened: Opened, name: str) -> Decided:
    """Return what the review holds of a set beside its figures: scenarios, membership, verdicts."""
    review = opened.review

    def make() -> dict[tuple[str, str], float]:
        return {
            (scenario, target): float(risk.figures("DiSCO").mean())
            for scenario, found in opened.scenarios(name)
            for target, risk in found.targets.items()
        }

    of_scenarios = opened.once(
        "decided",
        opened.set_key(name),
        review.columns,
        opened.met(review.settings, name).to_json(),
        [(s.name, s.exclusions.to_plain()) for s in review.scenarios],
        make=make,
    )
    member = opened.finished_membership(name)
    verdicts = {
        g.verdict.target: g.verdict.verdict
        for g in opened.verdicts(name)
        if g.stands and g.verdict.intruder == review.intruder
    }
    f_rel = None if member is None else float(member.decisive()["F_rel"]) if member.is_decided else float("nan")
    return Decided(of_scenarios, f_rel, verdicts)
