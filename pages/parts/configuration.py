"""What the operator of a server sets, from the environment and the secrets; docs/operators.md lists it."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.readers import Limits
from disclosure_core.sources import sources

if TYPE_CHECKING:
    from disclosure_core.sources import Source

_LOG = logging.getLogger(__name__)


def limits() -> Limits:
    """Return what is read at most: megabytes a file and while it is read, rows and columns a table."""
    usual = Limits()
    return Limits(
        megabytes=_whole("DISCLOSURE_MAX_MB", usual.megabytes),
        memory=_whole("DISCLOSURE_MAX_MEMORY_MB", _spare(usual.memory)),
        rows=_whole("DISCLOSURE_MAX_ROWS", usual.rows),
        columns=_whole("DISCLOSURE_MAX_COLUMNS", usual.columns),
    )


def visitors() -> int:
    """Return how many visitors may be inside at once, DISCLOSURE_MAX_VISITORS."""
    return _whole("DISCLOSURE_MAX_VISITORS", 100)


def idle_minutes() -> float:
    """Return the minutes without a touch after which a visitor's data are forgotten, DISCLOSURE_MAX_IDLE_MINUTES."""
    return _number("DISCLOSURE_MAX_IDLE_MINUTES", 12 * 60)


def folder() -> Path | None:
    """Return the folder on the server whose files are offered, DISCLOSURE_FOLDER; None where none is named."""
    named = os.environ.get("DISCLOSURE_FOLDER")
    return Path(named) if named else None


def engines() -> tuple[Source, ...]:
    """Return the sources that the operator named under `[engines]` of .streamlit/secrets.toml."""
    try:
        named = dict(st.secrets.get("engines", {}))
    except FileNotFoundError:  # there are no secrets
        return ()
    return sources({name: _plain(entry) for name, entry in named.items()})


def _plain(entry: Any) -> Any:
    """Return an entry of the secrets as plain mappings: Streamlit's own are not."""
    return {key: _plain(value) for key, value in entry.items()} if isinstance(entry, Mapping) else entry


def _whole(name: str, usual: int) -> int:
    """Return a whole number of the environment, at least 1; what is below or no number does not count."""
    return int(_number(name, usual, least=1))


def _number(name: str, usual: float, least: float = 0) -> float:
    """Return a number above 0 of the environment; a limit that was mistyped must not be no limit, or let nobody in."""
    said = os.environ.get(name, "").strip()
    if not said:
        return usual
    try:
        found = float(said)
    except ValueError:
        found = math.nan
    if math.isfinite(found) and found > 0 and found >= least:
        return found
    _warn(name, said, usual)
    return usual


@cache
def _warn(name: str, said: str, usual: float) -> None:
    """Tell the operator once."""
    _LOG.warning("%s=%s is not a number above 0; %g is used", name, said, usual)


def _spare(usual: int) -> int:
    """Return the megabytes that this machine can spare: two thirds of what is free, where the system tells."""
    try:
        return min(usual, os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 2 // 3_000_000)
    except (AttributeError, ValueError, OSError):
        return usual
