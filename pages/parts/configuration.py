"""What the operator of a server sets, from the environment and the secrets; docs/operators.md lists it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.readers import Limits
from disclosure_core.sources import sources

if TYPE_CHECKING:
    from disclosure_core.sources import Source


def limits() -> Limits:
    """Return what is read at most: DISCLOSURE_MAX_MB a file, DISCLOSURE_MAX_MEMORY_MB while it is read."""
    usual = Limits()
    return Limits(
        megabytes=_number("DISCLOSURE_MAX_MB", usual.megabytes),
        memory=_number("DISCLOSURE_MAX_MEMORY_MB", _spare(usual.memory)),
        columns=_number("DISCLOSURE_MAX_COLUMNS", usual.columns),
    )


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


def _number(name: str, usual: int) -> int:
    try:
        return int(os.environ.get(name, usual))
    except ValueError:
        return usual


def _spare(usual: int) -> int:
    """Return the megabytes that this machine can spare: two thirds of what is free, where the system tells."""
    try:
        return min(usual, os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 2 // 3_000_000)
    except (AttributeError, ValueError, OSError):
        return usual
