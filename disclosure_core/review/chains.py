"""Safeguards as named chains: variants that are tried side by side, of which one is taken, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.review import parts
from disclosure_core.review.parts import Chain

if TYPE_CHECKING:
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.value import Review

NONE = "no safeguards"
"""What stands where no chain is taken; no chain is called so."""


def with_chain(review: Review, name: str) -> Review:
    """Return the review with another chain taken, or with none for an empty name."""
    names = [c.name for c in review.chains]
    if name and name not in names:
        raise not_found("Chain of safeguards", name, "one of those in the review", names)
    return replace(review, chain=name)


def added(review: Review, name: str, *, empty: bool = False) -> Review:
    """Return the review with one more chain, which is taken: a copy of the one that is taken, or an empty one."""
    _usable(review, name)
    return replace(review, chains=(*review.chains, Chain(name, () if empty else review.steps)), chain=name)


def renamed(review: Review, name: str) -> Review:
    """Return the review with another name for the chain that is taken."""
    if not review.chain or name == review.chain:
        return review
    _usable(review, name)
    chains = tuple(replace(c, name=name) if c.name == review.chain else c for c in review.chains)
    return replace(review, chains=chains, chain=name)


def removed(review: Review) -> Review:
    """Return the review without the chain that is taken; none is taken then."""
    return replace(review, chains=tuple(c for c in review.chains if c.name != review.chain), chain="")


def with_steps(review: Review, steps: tuple[Step, ...], name: str = "tried") -> Review:
    """Return this review with `steps` as the chain that is taken; where none was, as a new one."""
    if review.chain:
        chains = tuple(replace(c, steps=steps) if c.name == review.chain else c for c in review.chains)
        return replace(review, chains=chains)
    new = parts.free_name(name, {c.name for c in review.chains})
    return replace(review, chains=(*review.chains, Chain(new, steps)), chain=new)


def free_name(review: Review) -> str:
    """Return a name for a chain that is not taken."""
    names = {c.name for c in review.chains}
    return next(n for n in (f"variant {i}" for i in range(1, len(names) + 2)) if n not in names)


def _usable(review: Review, name: str) -> None:
    if not name.strip() or name == NONE:
        raise DisclosureError("Give the variant a name, such as: without uniques.")
    if name in {c.name for c in review.chains}:
        raise DisclosureError(f"There is a variant called {name!r} already; give this one another name.")
