"""Which sentence may stand on claims beside a guess: "better" only where the claims beat the best single level."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from disclosure_core.counting.registry import of_family
from disclosure_core.rounding import beside_limit

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.claims import BeyondGuess, Claims, CommonLevel


class Standing(StrEnum):
    """Where the claims stand beside the best single level named for the same people."""

    ABOVE = "above-best-guess"
    EQUAL = "equals-best-guess"
    BELOW = "below-best-guess"
    NO_CLAIMS = "no-claims"


def standing(claims: Claims) -> Standing:
    """Return where claims stand; it is decided on whole counts, never on rounded shares."""
    if not claims.n_claims.sum():
        return Standing.NO_CLAIMS
    more = claims.against_best
    return Standing.ABOVE if more > 0 else Standing.BELOW if more < 0 else Standing.EQUAL


def sentence(found: BeyondGuess, level: str | None = None, digits: int = 1) -> str:
    """Return what the claims are worth beside a guess for the same people, nothing excluded: a sentence.

    Parameters
    ----------
    found
        Of one target.
    level
        How the best single level is written; its plain name by default.
    digits
        Places after the point; more where two different shares would look alike.
    """
    where = standing(found.every)
    if where is Standing.NO_CLAIMS:
        return "There is no claim about anybody: nothing is disclosed at this threshold."
    level = found.best_level if level is None else level
    claims, guess = _apart(found.claims_right, found.best_guess, digits)
    match where:
        case Standing.ABOVE:
            more = f"the claim is right for {claims}; naming “{level}” for all of them is right less often, for {guess}"
        case Standing.BELOW:
            more = f"naming “{level}” for all of them is right more often ({guess}) than the claims ({claims})"
        case _:
            more = f"the claims and naming “{level}” for all of them are right equally often ({claims})"
    people = "For people with a claim" if found.counted is found.every else "Before exclusions, for people with a claim"
    return f"{people}, {more}."


def in_order(found: Assessment) -> list[tuple[str, BeyondGuess]]:
    """Return the targets of an assessment, the largest gain over chance first; without a claim it is 0."""
    guesses = [(name, risk.beyond_guess) for name, risk in found.targets.items()]
    return sorted(guesses, key=lambda each: -each[1].gain)


def head(found: BeyondGuess) -> dict[str, float]:
    """Return the figures of one target under the names by which they are shown, in their order.

    "gain over chance", "κ" and "beyond" are as set, all others with nothing excluded; % but for κ.
    """
    figures = of_family("claims")
    as_set, every = ({m.short: getattr(found, m.name) for m in figures if m.as_set is each} for each in (True, False))
    return {**as_set, "claims": found.claims_pct, **every}


def why_not_beyond(common: CommonLevel, levels: tuple[str, ...] | None = None) -> str:
    """Return why *beyond the commonest answer* is not given; empty where it is."""
    if common.is_one:
        return ""
    if not common.codes:
        return "Not given: every level is excluded."
    names = common.labels if levels is None else levels
    few = names if len(names) <= 3 else (*names[:2], f"{len(names) - 2} more")
    return f"Not given: {', '.join(few[:-1])} and {few[-1]} are equally common."


def _apart(a: float, b: float, digits: int) -> tuple[str, str]:
    """Return two shares written so that they do not look alike where they differ."""
    return f"{beside_limit(a, b, digits)} %", f"{beside_limit(b, a, digits)} %"
