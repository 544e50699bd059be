"""`disclosure app --share`: the addresses of this machine on its network, and a code to scan."""

from __future__ import annotations

import io
import os
import secrets
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


_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Those that nobody takes for another."""


def teacher_code() -> str:
    """Return a new code of eight letters and digits, with which a tab becomes the teacher's."""
    drawn = "".join(secrets.choice(_LETTERS) for _ in range(8))
    return f"{drawn[:4]}-{drawn[4:]}"


KEPT = 90 * 60
"""Seconds for which what a tab had is kept once its line is gone: it may sleep an hour, and has it again."""


def environment(hosts: list[str], *, uploads: bool, address: str = "", teacher: str = "") -> dict[str, str]:
    """Return the environment with what lets others in under `hosts`; without `uploads` for the demonstration.

    With a code for the teacher it is a class, whose address the page shows, and whose tabs may sleep.
    """
    known = [name for name in os.environ.get("DISCLOSURE_HOSTS", "").split(",") if name.strip()]
    more = {"DISCLOSURE_HOSTS": ",".join([*known, *hosts])}
    if teacher:
        more |= {"DISCLOSURE_TEACHER_CODE": teacher, "DISCLOSURE_ADDRESS": address}
        more |= {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT)}
    return {**os.environ, **more, **({} if uploads else {"DISCLOSURE_DEMO_ONLY": "yes"})}


def code(address: str) -> str:
    """Return an address as a code that a telephone scans, for a terminal."""
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue()


def picture(address: str) -> str:
    """Return an address as a code that a telephone scans, an SVG in black on white."""
    import segno

    return str(segno.make(address, micro=False).svg_inline(scale=10, border=2, light="#fff"))
