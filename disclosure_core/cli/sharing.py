"""`disclosure app --share`: the addresses of this machine on its network, and a code to scan."""

from __future__ import annotations

import io
import os
import socket
from contextlib import suppress


def addresses() -> list[str]:
    """Return the addresses of this machine that others on its network can reach, the likeliest first; nothing is sent.

    Loopback addresses are not among them.
    """
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("192.0.2.1", 9))  # chooses the way out; a datagram socket sends nothing to connect
        found.append(line.getsockname()[0])
    with suppress(OSError):
        found += [str(place[4][0]) for place in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [name for name in dict.fromkeys(found) if not name.startswith("127.") and name != "0.0.0.0"]  # noqa: S104


def environment(hosts: list[str], *, uploads: bool) -> dict[str, str]:
    """Return the environment with what lets others in under `hosts`; without `uploads` for the demonstration."""
    known = [name for name in os.environ.get("DISCLOSURE_HOSTS", "").split(",") if name.strip()]
    more = {"DISCLOSURE_HOSTS": ",".join([*known, *hosts])}
    return {**os.environ, **more, **({} if uploads else {"DISCLOSURE_DEMO_ONLY": "yes"})}


def code(address: str) -> str:
    """Return an address as a code that a telephone scans, for a terminal."""
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue()
