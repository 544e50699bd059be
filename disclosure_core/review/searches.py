"""Of a review and what was read: what takes long, is asked for by name, and can be stopped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.settings import Settings, Thresholds
from disclosure_core.counting.subsets import Progress, Search
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout import membership as telling_members
from disclosure_core.review import least, strongest
from disclosure_core.review.tables_of_set import of_keys
from disclosure_core.sensitivity.key_subsets import SubsetSearch, search_subsets

if TYPE_CHECKING:
    from disclosure_core.holdout.membership_figures import Membership
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import SearchKind
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder

_SEARCHES: tuple[SearchKind, ...] = ("membership", "subsets", "strongest", "least")
"""What is searched for only where somebody asks, and stands in the report from then on."""


def finished_membership(
    opened: Opened, synthesis_set: str | None = None, progress: Progress | None = None
) -> Membership | None:
    """Return the search for membership for what is asked now; None where it was not searched, or is refused.

    One that an opened review has made is made again, which `progress` can end.
    """
    if opened.stopped(synthesis_set):
        return None
    searched = opened.kept(*_membership_asked(opened, synthesis_set))
    if searched is None and "membership" in opened.review.searched:
        searched = opened.membership(progress, synthesis_set)
    return None if isinstance(searched, NotEvaluated) else searched


def membership(
    opened: Opened, progress: Progress | None = None, synthesis_set: str | None = None
) -> Membership | NotEvaluated:
    """Return how well members can be told from others; what `progress` raises ends it, and nothing is kept."""
    settings = Settings(keys=opened.review.keys, groups=opened.review.grouping)
    if stopped := opened.stopped(synthesis_set):
        return stopped
    return opened.once(
        *_membership_asked(opened, synthesis_set),
        make=lambda: telling_members.membership(
            opened.partition(synthesis_set),
            settings,
            opened.review.threat_model,
            search=_subsets_to(opened),
            progress=progress,
        ),
    )


def _membership_asked(opened: Opened, synthesis_set: str | None) -> tuple[Any, ...]:
    keys = Settings(keys=opened.review.keys, groups=opened.review.grouping).to_json()
    model = repr(opened.review.threat_model)
    return "membership", opened.set_key(synthesis_set), opened.review.columns, model, keys, _subsets_to(opened)


def _subsets_to(opened: Opened) -> Search:
    """Return how far the subsets of the keys are searched."""
    return Search.up_to(opened.review.bounds.subsets)


def finished_subsets(
    opened: Opened, synthesis_set: str | None = None, *, attributes: bool = True, progress: Progress | None = None
) -> SubsetSearch | None:
    """Return the search over subsets of the keys where the review says that it was made; else None.

    Without `attributes`, one of the keys alone is enough, whatever the review says. One that an opened review has
    made is made again, which `progress` can end.
    """
    if "subsets" in opened.review.searched:
        return _searched_subsets(opened, synthesis_set, progress, attributes=True)
    if attributes:
        return None
    both = (opened.kept(*_subsets_asked(opened, synthesis_set, attributes=a)) for a in (True, False))
    return next((search for search in both if search is not None), None)


def subsets(
    opened: Opened, progress: Progress | None = None, synthesis_set: str | None = None, *, attributes: bool = True
) -> SubsetSearch:
    """Return the same, made where there is none; what `progress` raises ends it, and nothing is kept.

    Where not every subset is searched, those are among them that the search for the strongest intruder finds.

    Raises
    ------
    DisclosureError
        As `search_subsets`.
    """
    search = opened.finished_subsets(synthesis_set, attributes=attributes, progress=progress)
    if search is None:
        search = _searched_subsets(opened, synthesis_set, progress, attributes=attributes)
    return search


def _searched_subsets(
    opened: Opened, synthesis_set: str | None, progress: Progress | None, *, attributes: bool
) -> SubsetSearch:
    """Return the search for what is asked now, made where there is none."""

    def make() -> SubsetSearch:
        found = search_subsets(study, settings, _subsets_to(opened), progress, attributes=attributes)
        if found.complete or not attributes:
            return found
        n = found.coverage.n_searched
        told = None if progress is None else lambda *_: progress(n, n)
        return _with_subsets(opened, found, strongest.of_keys_alone(opened, told))

    study, settings = opened.study(synthesis_set), opened.met(opened.review.settings, synthesis_set)
    asked = _subsets_asked(opened, synthesis_set, attributes=attributes)
    found: SubsetSearch = opened.once(*asked, make=make)
    if found.complete or not attributes or (beside := strongest.known(opened)) is None:
        return found
    return _with_subsets(opened, found, beside)


def _with_subsets(opened: Opened, found: SubsetSearch, beside: StrongestIntruder) -> SubsetSearch:
    """Return a search that stopped early with the subsets that are worst in a search for the strongest intruder."""
    there = {*found.identity["keys"]}
    more = [keys for keys in beside.subsets if keys not in there]
    if not more:
        return found
    return found.with_more(search_subsets(opened.study(), opened.met(opened.review.settings), only=more))


def _subsets_asked(opened: Opened, synthesis_set: str | None, *, attributes: bool) -> tuple[Any, ...]:
    settings = opened.met(opened.review.settings, synthesis_set)
    what = replace(settings, thresholds=Thresholds()).to_json() if attributes else of_keys(opened)
    return "subsets", opened.set_key(synthesis_set), opened.review.columns, attributes, what, _subsets_to(opened)


def is_kept(opened: Opened, what: str) -> bool:
    """Return whether the result of a search, "membership" or "subsets", is there for what is asked now.

    A comparison is made again without being asked for again: it takes seconds.
    """
    if what == "comparison":
        return True
    if what in (strongest.KIND, least.KIND):
        return (strongest if what == strongest.KIND else least).is_kept(opened)
    if opened.stopped():
        return False
    asked = {"membership": _membership_asked(opened, None), "subsets": _subsets_asked(opened, None, attributes=True)}
    return not isinstance(opened.kept(*asked[what]), NotEvaluated | None)


def as_searched(opened: Opened, before: Opened) -> Opened:
    """Return the same with the searches that stand for what is asked now, where `before` is what was asked before.

    One whose question has changed is asked for again, not run unasked; one that was made for this question, as of
    an intruder chosen before, stands again: the report has it, and so has the saved review.
    """
    was, now = before.review.searched, opened.review.searched
    lost = {what for what in was & now if before.is_kept(what) and not opened.is_kept(what)}
    there = {what for what in _SEARCHES if opened.is_kept(what)}
    searched = now - lost | there
    return opened if searched == now else opened.with_review(replace(opened.review, searched=searched))
