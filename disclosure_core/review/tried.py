"""What safeguards gain and cost: figures before and after those that are taken or adopted, and a row a variant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

from disclosure_core.conclusions.difference import leaked
from disclosure_core.errors import NotEvaluated, evaluated

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.safeguards import Protected
    from disclosure_core.review.opened import Opened


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """The judged figures of syntheses as they came, or after safeguards.

    Attributes
    ----------
    assessment
        Of the people in the data.
    outside
        The same beside people outside, seen through the same rules; None without a holdout that can be used.
    """

    assessment: Assessment
    outside: AttributeBaseline | None

    @property
    def own(self) -> tuple[str, ...] | None:
        """The targets of which members' own answers are shown, judged together; None where not evaluated."""
        if self.outside is None or self.outside.by_lot is not None or not (self.outside.same_keys["why"] == "").any():
            return None
        return tuple(name for name in map(str, self.outside.same_keys["target"]) if leaked(self.outside, name))


@dataclass(frozen=True, slots=True)
class Variant:
    """A chain of safeguards in a row: what still is disclosed, and what it costs.

    Attributes
    ----------
    name
        Of the chain; empty for the syntheses as they stand without one.
    largest, of
        The largest DiSCO, %, and its target.
    own
        Targets of which members' own answers are shown; None where that is not evaluated.
    repu
        Replicated uniques, %.
    detail, removed
        Mean detail lost over all columns, and synthetic records removed, %.
    """

    name: str
    largest: float = nan
    of: str = ""
    own: int | None = None
    repu: float = nan
    detail: float = nan
    removed: float = nan


def before_and_after(opened: Opened) -> tuple[State, State] | None:
    """Return the set that figures speak of without the chain that is taken, and with it.

    Where none is taken and the set was adopted, the set that it was adopted from, and it; None where neither is so.
    """
    now = opened.judged
    if now.review.steps:
        return _as_it_stands(now), _as_it_stands(now.as_adopted())
    origin = next((s.origin for s in now.review.sets if s.name == now.first_set), None)
    if origin is None:
        return None
    return _as_it_stands(now.with_review(replace(now.review, synthesis_set=origin.synthesis_set))), _as_it_stands(now)


def variant(opened: Opened, chain: str, *, kept: bool = False) -> Variant | None:
    """Return one chain of safeguards in a row; without a name, the set as it stands.

    Parameters
    ----------
    kept
        Whether it is returned only where it was measured before; None else.
    """
    now = opened.judged
    now = now.with_review(replace(now.review, chain=chain))
    asked = (
        now.set_key(),
        now.review.columns,
        now.met(now.review.settings).to_json(),
        repr(now.review.steps),
        chain,
        now.by_lot,
    )
    if kept:
        found: Variant | None = now.kept("variant", *asked)
        return found
    made: Variant = now.once("variant", *asked, make=lambda: _measured(now, chain))
    return made


def _measured(now: Opened, chain: str) -> Variant:
    """Return the row of a chain, which is taken; without steps nothing is lost, but for what was adopted."""
    now = now.as_adopted()
    state = _as_it_stands(now)
    disco = state.assessment.summary().iloc[-1]  # the smallest first
    own = state.own
    lost, removed = _cost(now.adopted(now.first_set)) if now.safeguards_adopted else (0.0, 0.0)
    return Variant(
        chain,
        float(disco["synthetic"]),
        str(disco["target"]),
        None if own is None else len(own),
        float(state.assessment.identity["repU"].mean()),
        lost,
        removed,
    )


def _cost(made: Protected | ProtectedThere) -> tuple[float, float]:
    """Return mean detail lost and synthetic records removed, %, beside the files as they came."""
    return float(made.detail.means.mean()), 100 * sum(made.n_removed) / max(sum(made.before), 1)


def _as_it_stands(now: Opened) -> State:
    outside = evaluated(now.attribute_baseline)
    return State(now.assessment(), None if isinstance(outside, NotEvaluated) else outside)


def mean_usefulness(
    opened: Opened, chain: str, progress: Progress | None = None, *, kept: bool = False
) -> float | None:
    """Return the mean S_pMSE of a chain of safeguards; without a name, of the set as it stands.

    Parameters
    ----------
    kept
        Whether it is returned only where it was measured before; None else.
    """
    now = opened.with_review(replace(opened.review, chain=chain)).as_adopted()
    return None if kept and not now.usefulness_is_kept() else now.usefulness(None, progress).mean
