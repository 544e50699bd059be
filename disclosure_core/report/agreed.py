"""The report's part on what the figures rest on: assumptions answered, and whether the two sides meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.report.given import Block
from disclosure_core.review import assumptions

if TYPE_CHECKING:
    from disclosure_core.report.given import ReportInput


def blocks(given: ReportInput) -> tuple[Block, ...]:
    """Return the answers and what follows from them, what was mended, and the columns that do not meet.

    A shareable report names columns and causes here, no value and no share.
    """
    return (
        Block(
            "table",
            "What the measures assume and no file can tell",
            columns=("Question", "Answer"),
            rows=assumptions.table(given.assumptions),
        ),
        Block("list", items=(*assumptions.follows(given.assumptions), *_agreement(given))),
    )


def _agreement(given: ReportInput) -> tuple[str, ...]:
    said = [
        f"{name!r} was mended on all sides before it was compared: {', '.join(kinds)}."
        for name, kinds in given.mends.items()
    ]
    if given.remarks is None:
        return (*said, "Whether the values of both sides meet at all was not evaluated.")
    # A shareable report holds no count: what is said of one column, an identifier, names its levels and records.
    said += [note.text for note in given.remarks.data if note.warning and not (given.shareable and note.column)]
    found = given.remarks.agreed
    several = len(given.study.n_synthetic) > 1
    said += [m.text(values=not given.shareable, several=several) for m in found.mismatches]
    if found.not_evaluated:
        said.append(f"Agreement was not evaluated of {', '.join(map(repr, found.not_evaluated))}.")
    if not found.mismatches:
        said.append(
            f"The values of both sides were compared in {len(found.columns)} columns: nothing speaks for two spellings of "
            "one value."
        )
    return tuple(said)
