"""Tagged PDFs (PDF/UA-1), which Typst makes with the fonts that come with the program; what it keeps is forgotten."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import matplotlib as mpl

from disclosure_core.figures.letters import FOLDER, borrowed

_KEPT = 10
"""Documents for which Typst keeps what it worked out for one before: the next may be nearly the same."""

_HOLDS = threading.Event()


def tagged_pdf(page: bytes, name: str, given: str, timestamp: int) -> bytes:
    """Return a document as a tagged PDF."""
    made: bytes = _compiled(page, name, given, pdf_standards="ua-1", timestamp=timestamp)
    return made


def picture(page: bytes, name: str, given: str) -> bytes:
    """Return the first page of such a document as PNG, for a screen."""
    made: bytes | list[bytes] = _compiled(page, name, given, format="png", ppi=144)
    return made[0] if isinstance(made, list) else made


def _compiled(page: bytes, name: str, given: str, **how: Any) -> Any:
    import typst

    try:
        return typst.compile(
            page,
            sys_inputs={name: given},
            font_paths=[FOLDER, Path(mpl.get_data_path()) / "fonts" / "ttf"],
            ignore_system_fonts=not borrowed(given),
            **how,
        )
    finally:
        _HOLDS.set()


def forget() -> None:
    """Let Typst forget the documents that were made: it holds their texts, names of columns and levels, and 50 MB.

    It drops what none of the latest documents needed, and has no other way to be told: these are empty, 2 ms each.
    """
    if _HOLDS.is_set():
        import typst

        _HOLDS.clear()
        for _ in range(_KEPT + 1):
            typst.compile(b"", ignore_system_fonts=True)
