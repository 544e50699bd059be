"""What an engine lays on the disk for a while: taken away with its process, and swept where one was killed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from pathlib import Path
from uuid import uuid4

from disclosure_core.errors import DisclosureError

_OURS = re.compile(r"disclosure-spill-(\d+)-\w+")
_HALF = re.compile(r"\.disclosure-half-(\d+)-\w+\.part")


def spill_folder(within: str | Path, owner: object) -> Path:
    """Return a new folder in `within`, gone when `owner` is; those of processes that are no more are swept."""
    within = Path(within)
    try:
        _sweep(within, _OURS)
        made = Path(tempfile.mkdtemp(prefix=f"disclosure-spill-{os.getpid()}-", dir=within))
    except OSError:
        raise DisclosureError(f"Nothing can be written to {within}; name another folder to spill to.") from None
    weakref.finalize(owner, shutil.rmtree, made, ignore_errors=True)
    return made


def half_of(place: Path) -> Path:
    """Return where an engine writes what is to stand at a place once it is whole; the folder is made.

    What processes that are no more have left there is swept.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place.parent, _HALF)
    except OSError as error:
        raise DisclosureError(f"{place} cannot be written ({error.strerror}); choose another place.") from None
    return place.with_name(f".disclosure-half-{os.getpid()}-{uuid4().hex[:8]}.part")


def _sweep(folder: Path, ours: re.Pattern[str]) -> None:
    """Remove what processes that are no more have left in a folder under a name of ours."""
    for left in folder.iterdir():
        found = ours.fullmatch(left.name)
        if found and not _runs(int(found[1])):
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


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
