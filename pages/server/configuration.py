"""What the operator of a server sets, from the environment and the secrets; docs/operators.md lists it."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.data.readers import Limits
from disclosure_core.engines.sources import sources

if TYPE_CHECKING:
    from disclosure_core.engines.sources import Source

_LOG = logging.getLogger(__name__)


def limits() -> Limits:
    """Return what is read at most: megabytes a file and while it is read, rows and columns a table, seconds a file."""
    usual = Limits()
    return Limits(
        megabytes=_whole("DISCLOSURE_MAX_MB", usual.megabytes),
        memory=_whole("DISCLOSURE_MAX_MEMORY_MB", _spare(usual.memory)),
        rows=_whole("DISCLOSURE_MAX_ROWS", usual.rows),
        columns=_whole("DISCLOSURE_MAX_COLUMNS", usual.columns),
        seconds=_whole("DISCLOSURE_MAX_SECONDS", usual.seconds),
    )


def visitors() -> int:
    """Return how many visitors may be inside at once, DISCLOSURE_MAX_VISITORS."""
    return _whole("DISCLOSURE_MAX_VISITORS", 100)


def idle_minutes() -> float:
    """Return the minutes without a touch after which a visitor's data are forgotten, DISCLOSURE_MAX_IDLE_MINUTES."""
    return _number("DISCLOSURE_MAX_IDLE_MINUTES", 12 * 60)


def returning() -> bool:
    """Return whether a reload brings a session back to its browser, DISCLOSURE_RETURN; "no" switches it off."""
    return os.environ.get("DISCLOSURE_RETURN", "").strip().lower() not in ("no", "off", "false", "0")


def uploads() -> int:
    """Return the megabytes of files that one visitor may have here at a time, DISCLOSURE_MAX_UPLOADS_MB."""
    return _whole("DISCLOSURE_MAX_UPLOADS_MB", min(2_000, _part(8_000) // 2))


def all_uploads() -> int:
    """Return the megabytes of files that all visitors may have here together, DISCLOSURE_MAX_ALL_UPLOADS_MB."""
    return _whole("DISCLOSURE_MAX_ALL_UPLOADS_MB", _part(8_000))


def in_force() -> dict[str, str]:
    """Return the limits that hold here, as `disclosure doctor` prints them."""
    of_file = limits()
    megabytes = min(of_file.megabytes, st.config.get_option("server.maxUploadSize"))
    served = "all addresses" if st.config.get_option("server.address") in ("0.0.0.0", "::") else "this machine"  # noqa: S104
    return {
        "a file": f"{megabytes:,} MB, {of_file.rows:,} rows, {of_file.memory:,} MB of memory, {of_file.seconds:,} s",
        "a visitor's files": f"{uploads():,} MB",
        "all files": f"{all_uploads():,} MB",
        "visitors": f"{visitors():,}",
        "minutes without a touch": f"{idle_minutes():,.0f}",
        "served to": ", ".join([served, *sorted(hosts())]),
    }


def hosts() -> frozenset[str]:
    """Return the names under which the operator serves the app, DISCLOSURE_HOSTS; beside this machine's own."""
    said = {name.strip().lower().removesuffix(".") for name in os.environ.get("DISCLOSURE_HOSTS", "").split(",")}
    found = frozenset(name for name in said if re.fullmatch(r"[a-z0-9_-][a-z0-9._-]*|[0-9a-f:.]*:[0-9a-f:.]*", name))
    for name in said - found - {""}:
        _LOG.warning("DISCLOSURE_HOSTS: %r is no host's name (no scheme, no port, no *); it is ignored", name)
    return found


def demonstration_only() -> bool:
    """Return whether nobody may bring data, DISCLOSURE_DEMO_ONLY: `disclosure app --demo --share` sets it."""
    return bool(os.environ.get("DISCLOSURE_DEMO_ONLY", "").strip())


def teacher_code() -> str:
    """Return the code that makes a tab the teacher's, DISCLOSURE_TEACHER_CODE; empty where there is no class."""
    return os.environ.get("DISCLOSURE_TEACHER_CODE", "").strip().upper()


def address() -> str:
    """Return the address that a class opens, DISCLOSURE_ADDRESS; empty where it is not known."""
    said = os.environ.get("DISCLOSURE_ADDRESS", "").strip()
    return said if re.fullmatch(r"https?://[\w.\[\]:-]+(/[\w./-]*)?", said, re.ASCII) else ""


def sign_in() -> bool:
    """Return whether the operator named an identity provider, under `[auth]` of .streamlit/secrets.toml."""
    try:
        return "auth" in st.secrets
    except FileNotFoundError:  # there are no secrets
        return False


def folder() -> Path | None:
    """Return the folder on the server whose files are offered, DISCLOSURE_FOLDER; None where none is named."""
    named = os.environ.get("DISCLOSURE_FOLDER")
    return Path(named) if named and not demonstration_only() else None


def office_folder() -> Path | None:
    """Return the folder if reviews are saved there, DISCLOSURE_SAVE_REVIEWS: `disclosure app FOLDER` sets both."""
    return folder() if os.environ.get("DISCLOSURE_SAVE_REVIEWS", "").strip() else None


def engines() -> tuple[Source, ...]:
    """Return the sources that the operator named under `[engines]` of .streamlit/secrets.toml."""
    if demonstration_only():
        return ()
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


def _part(usual: int) -> int:
    """Return the megabytes of uploads that this machine can hold: a quarter of its memory; the rest is for the work."""
    return max(2, min(usual, _memory() // 4_000_000))


@cache
def _memory() -> int:
    """Return the bytes of memory that this process may use at most, where the system tells; else 2**63."""
    found = [2**63]
    with suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError, IndexError):  # a container's limit, or systemd's MemoryMax
        group = Path("/proc/self/cgroup").read_text(encoding="ascii").strip().rpartition("::")[2].lstrip("/")
        below = Path("/sys/fs/cgroup")
        for at in [below / group, *(below / group).parents]:
            if at.is_relative_to(below) and (at / "memory.max").is_file():
                said = (at / "memory.max").read_text(encoding="ascii").strip()
                found += [int(said)] if said.isdecimal() else []
    return min(found)
