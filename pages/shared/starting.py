"""The demonstration survey, opened by a button or, with `--demo`, on whichever page a visitor comes to first."""

from __future__ import annotations

import sys

from pages.server import classroom
from pages.shared.session import begin, session


def begin_demonstration() -> None:
    """Start with the demonstration survey and keys that suit it; in a class by DiSCO, as in its tasks."""
    from disclosure_core.review.demonstration import start_demonstration

    begin(start_demonstration()).order = "figure" if classroom.there_is_one() else "gain"


def begin_if_asked() -> None:
    """Start with the demonstration survey where the program was started with --demo and nothing else is open."""
    if "--demo" in sys.argv[1:] and session().opened is None:
        begin_demonstration()
