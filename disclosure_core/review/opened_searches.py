"""Of a review and what was read: what takes long, is asked for by name, and can be stopped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from disclosure_core.counting.settings import Settings, Thresholds
from disclosure_core.counting.subsets import Search
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.membership import membership
from disclosure_core.review import strongest
from disclosure_core.review.opened_figures import OpenedFigures
from disclosure_core.sensitivity.key_subsets import search_subsets
from disclosure_core.sensitivity.release_size import over_draws, sizes

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.holdout.membership import Membership
    from disclosure_core.review.opened import Opened
    from disclosure_core.sensitivity.key_subsets import SubsetSearch
    from disclosure_core.sensitivity.release_size import Sizes
    from disclosure_core.sensitivity.release_size import Step as SizeStep
    from disclosure_core.sensitivity.strongest_intruder import StrongestIntruder


class OpenedSearches(OpenedFigures):
    """The part of `Opened` that searches; see there."""

    def finished_membership(
        self, synthesis_set: str | None = None, progress: Progress | None = None
    ) -> Membership | None:
        """Return the search for membership for what is asked now; None where it was not searched, or is refused.

        One that an opened review has made is made again, which `progress` can end.
        """
        if self.stopped(synthesis_set):
            return None
        searched = self.kept("membership", *self._membership_asked(synthesis_set))
        if searched is None and "membership" in self.review.searched:
            searched = self.membership(progress, synthesis_set)
        return None if isinstance(searched, NotEvaluated) else searched

    def membership(
        self, progress: Progress | None = None, synthesis_set: str | None = None
    ) -> Membership | NotEvaluated:
        """Return how well members can be told from others; what `progress` raises ends it, and nothing is kept."""
        settings = Settings(keys=self.review.keys, groups=self.review.grouping)
        if stopped := self.stopped(synthesis_set):
            return stopped
        return self.once(
            "membership",
            *self._membership_asked(synthesis_set),
            make=lambda: membership(
                self.partition(synthesis_set),
                settings,
                self.review.threat_model,
                search=self._subsets_to,
                progress=progress,
            ),
        )

    def draws(self, target: str, seed: int) -> list[SizeStep]:
        """Return the list that a drawing of parts of the syntheses fills, step by step; empty where none was made."""
        return self._drawn(target).setdefault(seed, [])

    def finished_draws(self, target: str) -> Sizes | None:
        """Return what the latest drawing of one target found for what is asked now; None where none was made."""
        steps = next((steps for steps in reversed(self._drawn(target).values()) if steps), None)
        return None if steps is None else over_draws(steps)

    def sizes(self, progress: Progress | None = None) -> Sizes:
        """Return the measures of every target and of the keys by the number of records released.

        What `progress` raises ends the drawing, and nothing is kept.
        """
        return self.once("sizes", *self._sizes_asked(), make=lambda: sizes(self.assessment(), progress=progress))

    def finished_sizes(self) -> Sizes | None:
        """Return the same where it was made for what is asked now; else None."""
        return self.kept("sizes", *self._sizes_asked())

    def _sizes_asked(self) -> tuple[Any, ...]:
        return self.set_key(), self.review.columns, self.met(self.review.settings).to_json()

    def _drawn(self, target: str) -> dict[int, list[SizeStep]]:
        drawn: dict[int, list[SizeStep]] = self.once("draws", *self._sizes_asked(), target, make=dict)
        return drawn

    def _membership_asked(self, synthesis_set: str | None) -> tuple[Any, ...]:
        keys = Settings(keys=self.review.keys, groups=self.review.grouping).to_json()
        return self.set_key(synthesis_set), self.review.columns, repr(self.review.threat_model), keys, self._subsets_to

    @property
    def _subsets_to(self) -> Search:
        """How far the subsets of the keys are searched."""
        return Search.up_to(self.review.bounds.subsets)

    def finished_subsets(
        self, synthesis_set: str | None = None, *, attributes: bool = True, progress: Progress | None = None
    ) -> SubsetSearch | None:
        """Return the search over subsets of the keys where the review says that it was made; else None.

        Without `attributes`, one of the keys alone is enough, whatever the review says. One that an opened review has
        made is made again, which `progress` can end.
        """
        if "subsets" in self.review.searched:
            return self._searched_subsets(synthesis_set, progress, attributes=True)
        if attributes:
            return None
        both = (self.kept("subsets", *self._subsets_asked(synthesis_set, attributes=a)) for a in (True, False))
        return next((search for search in both if search is not None), None)

    def subsets(
        self, progress: Progress | None = None, synthesis_set: str | None = None, *, attributes: bool = True
    ) -> SubsetSearch:
        """Return the same, made where there is none; what `progress` raises ends it, and nothing is kept.

        Where not every subset is searched, those are among them that the search for the strongest intruder finds.

        Raises
        ------
        DisclosureError
            As `search_subsets`.
        """
        search = self.finished_subsets(synthesis_set, attributes=attributes, progress=progress)
        if search is None:
            search = self._searched_subsets(synthesis_set, progress, attributes=attributes)
        return search

    def _searched_subsets(
        self, synthesis_set: str | None, progress: Progress | None, *, attributes: bool
    ) -> SubsetSearch:
        """Return the search for what is asked now, made where there is none."""

        def make() -> SubsetSearch:
            found = search_subsets(study, settings, self._subsets_to, progress, attributes=attributes)
            if found.complete or not attributes:
                return found
            n = found.coverage.n_searched
            told = None if progress is None else lambda *_: progress(n, n)
            return self._with_subsets(found, strongest.of_keys_alone(of, told))

        study, settings = self.study(synthesis_set), self.met(self.review.settings, synthesis_set)
        of = cast("Opened", self)
        asked = self._subsets_asked(synthesis_set, attributes=attributes)
        found: SubsetSearch = self.once("subsets", *asked, make=make)
        if found.complete or not attributes or (beside := strongest.known(of)) is None:
            return found
        return self._with_subsets(found, beside)

    def _with_subsets(self, found: SubsetSearch, beside: StrongestIntruder) -> SubsetSearch:
        """Return a search that stopped early with the subsets that are worst in a search for the strongest intruder."""
        there = {*found.identity["keys"]}
        more = [keys for keys in beside.subsets if keys not in there]
        return (
            found.with_more(search_subsets(self.study(), self.met(self.review.settings), only=more)) if more else found
        )

    def _subsets_asked(self, synthesis_set: str | None, *, attributes: bool) -> tuple[Any, ...]:
        settings = self.met(self.review.settings, synthesis_set)
        what = replace(settings, thresholds=Thresholds()).to_json() if attributes else self._of_keys()
        return self.set_key(synthesis_set), self.review.columns, attributes, what, self._subsets_to
