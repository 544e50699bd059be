"""What was assessed: the files, and what the office says of the release."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from disclosure_core.report import redaction
from disclosure_core.report.page1 import released
from disclosure_core.report.pieces import heading, texts
from disclosure_core.report.source import MEMBERSHIP, Block, FileRead, Report, set_apart
from disclosure_core.review.about import PRIVACY_BUDGET, asked_about, not_stated
from disclosure_core.review.verified import kept
from disclosure_core.rounding import NOTHING
from disclosure_core.version import __version__

if TYPE_CHECKING:
    from disclosure_core.holdout.threat_model import ThreatModel


def blocks(source: Report) -> list[Block]:
    """Return the section."""
    files = [*source.files, *([source.holdout] if source.holdout is not None else [])]
    if source.shareable:  # records before and after a safeguard, side by side, are an exact count
        files = [f for f in files if not f.role.startswith("Unprotected")]
    lines = any(f.lines for f in files)
    rows = [(f.role, f.name, *_file(source, f, lines=lines)) for f in files]
    said = [f"Made with disclosure {__version__} on Python {platform.python_version()}."]
    if source.shareable:
        said.append(
            f"Shareable version. Every count was rounded up to a multiple of {source.smallest} records before anything was made "
            f"of it: “≤” stands for 0 to {source.smallest}, “{redaction.NEARLY_ALL}” for all but a few. Only means over the syntheses "
            f"are shown, in the order of the names; no level or pair that {source.smallest} original records or fewer have is "
            "named. A figure is here only where one person moves it by one record at most."
        )
        if source.look.dorig:
            said.append(redaction.WHOLE_CELL)
        said.append(
            "Do not share two versions of this report, with another limit, other exclusions or a corrected file: what "
            "changes between them can tell what neither tells alone. The fingerprints of the original and of a holdout are "
            "withheld, because guessed values could be tested against them."
        )
    else:
        said.append("Internal version: it holds small counts; do not pass it on outside the office.")
        if (verified := kept(source.opened)) is not None:
            said.append(f"Counted again by a second counter that shares no code with the first: {verified.line}.")
    said += redaction.notes(source, (note.text for note in source.study.notes if note.warning))
    if source.shareable:
        said += [f"{what}: {which}." for what, which in released(source)]
    said += (*redaction.which_syntheses(source), *source.opened.not_judged)
    return [
        heading("Data assessed", contents=True),
        Block(
            "text",
            "The figures say how vulnerable the synthetic data are, not how likely an attack is or what harm it "
            "would do. The measures assume full synthesis, and one record a person.",
        ),
        Block(
            "table",
            "Files, records, and their SHA-256 fingerprints. All records were used.",
            columns=("Role", "File", "Records", *(["Lines"] if lines else []), "Fingerprint"),
            rows=tuple(rows),
            figures=frozenset({2}),
            exact=3 + lines,
        ),
        *_about(source),
        *_of_columns(source),
        Block("list", items=(*_of_privacy_budgets(source), *said)),
    ]


def _of_columns(source: Report) -> list[Block]:
    """Return what keys and targets hold, as their files say, and which of their levels count as missing."""
    found = redaction.introduced(source)
    if not found:
        return []
    labels, missing = any(each.label for each in found), any(each.missing for each in found)
    columns = (
        "Column",
        "Role",
        *(["Label"] if labels else []),
        *(["Counts as missing, each as a level"] if missing else []),
    )
    rows = tuple(
        (
            each.name,
            each.role,
            *([each.label or NOTHING] if labels else []),
            *([", ".join(each.missing) or NOTHING] if missing else []),
        )
        for each in found
    )
    return [texts("Keys and targets, as the files describe them.", columns, rows)]


def _file(source: Report, f: FileRead, *, lines: bool) -> tuple[str, ...]:
    """Return a file's records, lines and fingerprint; those of the confidential ones only as they may be shared."""
    hidden = source.shareable and not f.role.startswith("Synthe")
    adopted = source.shareable and bool(source.opened.which_adopted)
    records, fingerprint = (
        (redaction.size(source, f.rows), redaction.WITHHELD)
        if hidden
        else (redaction.size(source, f.rows) if adopted else f"{f.rows:,}", f.sha256 or "none")
    )
    return records, *([NOTHING if hidden else str(f.lines or NOTHING)] if lines else []), fingerprint


def _about(source: Report) -> list[Block]:
    """Return what was said of the release, and in one sentence what was not."""
    asked = asked_about(len(source.study.n_synthetic), source.holdout is not None)
    stated = tuple((label, source.about[label].strip()) for label in asked if source.about.get(label, "").strip())
    missing = not_stated(
        source.about,
        len(source.study.n_synthetic),
        source.holdout is not None,
        set_apart(source.opened),
        _printed(source),
        source.released,
    )
    table = [texts("The release", ("Question", "Answer"), stated)] if stated else []
    return [*table, *([Block("text", f"Not stated of the release: {'; '.join(missing)}.")] if missing else [])]


def _printed(source: Report) -> ThreatModel | None:
    """Return the answers before membership, where the report prints them."""
    printed = any(s.heading == MEMBERSHIP for s in source.sections)
    return source.review.threat_model if printed else None


def _of_privacy_budgets(source: Report) -> list[str]:
    """Say what ε is, where differential privacy is spoken of (R11)."""
    if source.about.get(PRIVACY_BUDGET, "").strip().rstrip(".").casefold() in ("", "no", "none", "not used"):
        return []
    return [
        "ε is no measure of disclosure unless it is close to 0 (R11 of the expert panel): it bounds a ratio for a unit of "
        "privacy. Data made with differential privacy were measured like any others here."
    ]
