"""What a method of a result or a review calls that lies above it, and how it is found there.

A result is written and drawn by `notebook`, above all results; a review is opened by what knows reviews. The package
says when it is imported where that is (`loaded_by`), and it is loaded when it is first called: no arrow leads up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_load: list[Callable[[], Any]] = []


def loaded_by(load: Callable[[], Any]) -> None:
    """Have what lies above loaded so, when it is first called."""
    _load[:] = [load]


def above() -> Any:
    """Return what lies above: the module with the bodies of these methods, `notebook`."""
    (load,) = _load
    return load()
