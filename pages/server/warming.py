"""The first visitor need not wait for the libraries: they are imported while the browser loads the page around them."""

from __future__ import annotations

import threading
from importlib import import_module


def begin() -> None:
    """Import what every page needs, and the core with it, on a thread of its own; who comes earlier waits."""
    threading.Thread(target=import_module, args=("pages.shared.strip",), name="warming", daemon=True).start()
