"""Every figure that a review can give, by name: the one list for page, report, command line and Python.

All are of the judged figures: after exclusions for a reason, and nothing else. Where something is excluded without one,
`every` gives those that it moves once more, with all that is excluded.

>>> from disclosure_core.figures import paper
>>> from disclosure_core.results import catalogue
>>> plot = catalogue.figure(opened, "steps", "marital")  # doctest: +SKIP
>>> paper.draw(plot, "pdf")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated, not_found
from disclosure_core.results.entries import ENTRIES, Entry

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.plot import Plot
    from disclosure_core.review.opened import Opened


CATALOGUE: dict[str, Entry] = {entry.name: entry for entry in ENTRIES}
"""By name, in the order in which lists show them."""


def offered(opened: Opened) -> tuple[Entry, ...]:
    """Return the figures that there are for a review, in the order of the catalogue."""
    judged = opened.printed
    return tuple(entry for entry in CATALOGUE.values() if entry.lacking(judged) is None)


def figure(opened: Opened, name: str, target: str | None = None) -> Plot | NotEvaluated:
    """Return the description of one figure, or why it cannot be evaluated.

    Parameters
    ----------
    opened
        A review with its data.
    name
        As in `CATALOGUE`: "dorig-disco", "steps" …
    target
        Of a figure of one target: which; the one with the largest DiSCO where none is named.

    Raises
    ------
    DisclosureError
        When there is no such figure or target.
    """
    if name not in CATALOGUE:
        raise not_found("Figure", name, "in the catalogue", CATALOGUE)
    entry, opened = CATALOGUE[name], opened.printed
    lacking = entry.lacking(opened)
    if lacking is not None:
        return lacking
    if not entry.of_a_target:
        return entry.make(opened, "")
    assessment = opened.assessment()
    if target is None:
        target = str(assessment.summary()["target"].iloc[-1])
    if target not in assessment.targets:
        raise not_found("Target", target, "among the targets", assessment.targets)
    return entry.make(opened, target)


def every(
    opened: Opened, *, of_targets: bool = False, progress: Progress | None = None
) -> Iterator[tuple[str, str | None, Plot]]:
    """Give each figure that there is: its name, its target where it is of one, and its description.

    Parameters
    ----------
    opened
        A review with its data.
    of_targets
        Whether the figures of each target are given too, after those of all targets.
    progress
        Called before each figure, and when all were taken, with how many were; what it raises ends it.
    """
    judged, beside = opened.printed, _with_all_excluded(opened)
    entries = offered(judged)
    targets = judged.assessment().summary()["target"].tolist()[::-1] if of_targets else []
    wanted = [(entry, None) for entry in entries if not entry.of_a_target]
    wanted += [(entry, name) for name in targets for entry in entries if entry.of_a_target]
    for done, (entry, target) in enumerate(wanted):
        if progress is not None:
            progress(done, len(wanted))
        yield from _with_beside(entry, target, judged, beside)
    if progress is not None:
        progress(len(wanted), len(wanted))


def of_name(opened: Opened, name: str) -> Iterator[tuple[str, str | None, Plot]]:
    """Give one figure of all targets as `every` does: the judged, and beside it that with all that is excluded."""
    yield from _with_beside(CATALOGUE[name], None, opened.printed, _with_all_excluded(opened))


_ALL_EXCLUDED = "-all-excluded"


def _with_all_excluded(opened: Opened) -> Opened | None:
    """Return the review with all that is excluded; None where each exclusion has a reason."""
    return opened.all_excluded.printed if opened.not_judged else None


def _with_beside(
    entry: Entry, target: str | None, judged: Opened, beside: Opened | None
) -> Iterator[tuple[str, str | None, Plot]]:
    plot = entry.make(judged, target or "")
    if isinstance(plot, NotEvaluated):
        return
    yield entry.name, target, plot
    if beside is None or entry.lacking(beside) is not None or (target and target not in beside.assessment().targets):
        return
    other = entry.make(beside, target or "")
    if not isinstance(other, NotEvaluated) and other != plot:
        yield f"{entry.name}{_ALL_EXCLUDED}", target, other


def heading(name: str, plot: Plot) -> str:
    """Return the title that a figure of `every` cannot do without; empty for one of the judged figures."""
    return f"{plot.title}, with all that is excluded; no limit judges it" if name.endswith(_ALL_EXCLUDED) else ""
