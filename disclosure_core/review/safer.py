"""The safer syntheses of a review as files, with the log of what was done; and which bytes an adopted set is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from disclosure_core.data.mending import LOSSY
from disclosure_core.data.placing import encoded
from disclosure_core.data.rewriters import written_whole
from disclosure_core.data.writers import renamed, safer
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.safeguards import Protected
from disclosure_core.protection.written import written

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.readers import Limits
    from disclosure_core.review.opened import Opened

LOG = "log.txt"


@dataclass(frozen=True, slots=True)
class SaferFile:
    """A file that `files` hands out: its name, and the SHA-256 of its bytes."""

    name: str
    sha256: str


def tables(opened: Opened, folder: Path, may_write: Callable[[str], None] = lambda _name: None) -> dict[str, Path]:
    """Have their engine write the syntheses after the safeguards that are taken, and return where each is, by name.

    Empty where the records are here: `files` gives those.
    """
    _check_taken(opened)
    made = opened.safeguarded()
    if isinstance(made, Protected):
        return {}
    return written(made, folder, may_write)


def log(opened: Opened, names: Sequence[str]) -> bytes:
    """Return what was done to syntheses that an engine wrote, as text."""
    return encoded(opened.safeguarded().log(names, opened.judged_by()))


def files(opened: Opened, limits: Limits | None = None, progress: Progress | None = None) -> dict[str, bytes]:
    """Return the syntheses after the safeguards that are taken, in the format they came in, and the log, by name.

    What no safeguard touched is as it came; the original is not among them.

    Parameters
    ----------
    opened
        The review and its data; of an adopted set, with what was adopted.
    limits
        For the files that are parsed once more.
    progress
        Called with the syntheses that are written, and of how many, also while one is; what it raises ends it.
    """
    review = opened.review
    _check_taken(opened)
    protected = opened.protected()
    readings = opened.readings()[1:] if review.source == "files" else ()
    in_other_units = [name for name, kinds in review.columns.mends.items() if "units" in kinds]
    read_otherwise = [name for name, kinds in review.columns.mends.items() if {*kinds} & LOSSY]
    found: dict[str, bytes] = {}
    notes = []
    for i, table in enumerate(protected.tables):
        reading = readings[i] if readings else None

        def told(_: bool = False, done: int = i) -> None:
            if progress is not None:
                progress(done, len(protected.tables))

        told()
        change = written_whole(protected.changes[i], (*in_other_units, *read_otherwise))
        file = safer(reading, table.frame(), change, limits=limits, waiting=told)
        name = f"safer_{renamed(reading.name, file.ending) if reading else f'synthetic_{i + 1}{file.ending}'}"
        found[name if name not in found else f"{i + 1}_{name}"] = file.data
        notes.append(file.notes)
    log = protected.log(list(found), opened.judged_by(), notes)
    if review.columns.mends:
        listed = "; ".join(f"{name} ({', '.join(kinds)})" for name, kinds in review.columns.mends.items())
        log += f"\nBrought together on all sides before it was measured, not in these files: {listed}.\n"
        changed = {name for change in protected.changes for name in change.columns}
        if converted := [name for name in in_other_units if name in changed]:
            log += f"Written in the original's unit, for a step changed some values: {', '.join(converted)}.\n"
        if read := [name for name in read_otherwise if name in changed]:
            log += f"Written as they were brought together, for a step changed some values: {', '.join(read)}.\n"
    return found | {LOG: encoded(log)}


def adopted_files(opened: Opened) -> tuple[SaferFile, ...]:
    """Return the files of the adopted set that figures speak of, a synthesis each, as they are handed out.

    Empty where the set came as files, where the safer tables stay in an engine, and for tables handed over in Python,
    which have no fingerprint. Safeguards that are tried, and not adopted, are in none of them.
    """
    review = opened.review
    if not opened.which_adopted or review.source not in ("files", "demonstration"):
        return ()

    def make() -> tuple[SaferFile, ...]:
        written = files(opened.with_review(replace(review, chain="")))
        return tuple(SaferFile(name, sha256(data).hexdigest()) for name, data in written.items() if name != LOG)

    found: tuple[SaferFile, ...] = opened.once("safer_files", opened.set_key(), review.columns, make=make)
    return found


def _check_taken(opened: Opened) -> None:
    if not opened.review.steps and not opened.which_adopted:
        raise DisclosureError("No safeguard is taken in this review; try one on the page Safeguards, and save it.")
