"""What begins with the server, in its own thread: whose sessions are kept, and the libraries beside it.

The first visitor need not wait for these: they are imported while the browser loads the page around them.

Then what pages show of the demonstration survey as it is opened is made once: a class opens it in the same minute.
"""

from __future__ import annotations

import datetime as dt
import gc
import sys
import threading
import time
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pages.server import configuration, sessions, visitors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from disclosure_core.review.opened import Opened

FIRST = ("pages.shared.status_bar", "pages.shared.starting", "disclosure_core.review.opening")
"""What the first page is drawn with, and the core with it."""

OFTEN = 0.0003
"""Seconds after which an import lets the server send the next file of the front end; Python's own are 0.005."""


QUIET = 3.0
"""Seconds after the imports in which the first visitor has the server alone."""


LEAST = 128
"""Sessions that are kept at least, of those that were left."""


@asynccontextmanager
async def around(_: object) -> AsyncIterator[None]:
    """Make the server ready before anybody comes."""
    sessions.begin(visitors.was_inside, max(2 * configuration.visitors(), LEAST))
    begin()
    yield


def begin() -> None:
    """Import what the first page needs beside a server that has just begun; who comes earlier waits."""
    threading.Thread(target=_load, name="preload", daemon=True).start()


def _load() -> None:
    _import()
    time.sleep(QUIET)
    from disclosure_core.report.answer import answer
    from disclosure_core.review.demonstration import prepare_demonstration

    prepare_demonstration(answer)
    from disclosure_core.figures import paper  # noqa: F401 - it looks for this machine's fonts, which takes seconds
    from disclosure_core.report.assembled import page_1
    from disclosure_core.report.source import Look

    prepare_demonstration(_listed)
    for path in sorted(Path(__file__).parents[1].glob("*/*.py")):
        if path.stem != "page" and path.parent.name != "server":
            import_module(f"pages.{path.parent.name}.{path.stem}")
    while True:
        today = f"{dt.date.today()}"
        prepare_demonstration(partial(page_1, look=Look("", today)))
        while f"{dt.date.today()}" == today:  # it stands on the page
            time.sleep(60)


def _listed(opened: Opened) -> None:
    """Answer what the list of questions answers of the survey."""
    from disclosure_core.errors import evaluated
    from disclosure_core.results import RESULTS

    for kind in RESULTS:
        if kind.in_report(opened.review):
            evaluated(partial(kind.status, opened.printed))


def _import() -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(OFTEN)
    gc.disable()  # hardly anything of what an import makes is garbage, and the search for it takes a sixth of the time
    try:
        for name in FIRST:
            import_module(name)
        gc.freeze()  # until the first look of `forgetting.py`: each run of a page searches all that is not set aside
    finally:
        gc.enable()
        sys.setswitchinterval(usual)
