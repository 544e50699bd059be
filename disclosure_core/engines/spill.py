"""A folder for what an engine spills to disk: one a process, taken away with it, and swept where one was killed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from pathlib import Path

from disclosure_core.errors import DisclosureError

_OURS = re.compile(r"disclosure-spill-(\d+)-\w+")


def spill_folder(within: str | Path, owner: object) -> Path:
    """Return a new folder in `within`, gone when `owner` is; those of processes that are no more are swept.

    Raises
    ------
    DisclosureError
        When `within` is no folder that can be written to.
    """
    within = Path(within)
    try:
        for left in within.iterdir():
            found = _OURS.fullmatch(left.name)
            if found and left.is_dir() and not _runs(int(found[1])):
                shutil.rmtree(left, ignore_errors=True)
        made = Path(tempfile.mkdtemp(prefix=f"disclosure-spill-{os.getpid()}-", dir=within))
    except OSError:
        raise DisclosureError(f"Nothing can be written to {within}; name another folder to spill to.") from None
    weakref.finalize(owner, shutil.rmtree, made, ignore_errors=True)
    return made


def _runs(process: int) -> bool:
    """Return whether a process of this machine runs; one that cannot be told counts as running."""
    if os.name != "posix":  # asking would end it there
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
