"""Several syntheses released together: which of a review's are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

ONE_RELEASED = NotEvaluated("One synthesis is released, so nothing is released together.", "")


def stated(opened: Opened, synthesis_set: str | None = None) -> tuple[int, ...]:
    """Return the numbers of the syntheses that are said to be released, of those there are; empty where none is."""
    m = len(opened.study(synthesis_set).n_synthetic)
    return tuple(i for i in opened.review.released.get(synthesis_set or opened.first_set, ()) if i <= m)


def released_together(opened: Opened) -> tuple[int, ...]:
    """Return the numbers of the syntheses that are released together: those stated, or all where none is stated."""
    return stated(opened) or tuple(range(1, len(opened.study().n_synthetic) + 1))
