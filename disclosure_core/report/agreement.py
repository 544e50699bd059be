"""The report's part on what the figures rest on: assumptions answered, and whether the two sides meet."""

from __future__ import annotations

from disclosure_core.report.pieces import texts
from disclosure_core.report.source import Block, Report
from disclosure_core.review import assumptions
from disclosure_core.review.meeting import answered


def blocks(source: Report) -> tuple[Block, ...]:
    """Return the answers and what follows from them, what was mended, and the columns that do not meet.

    A shareable report says nothing here of what was found in the original: one record can be the sign.
    """
    return (
        texts(
            "Assumptions of the measures, which no file can tell",
            ("Question", "Answer"),
            assumptions.table(source.review.assumptions),
        ),
        Block("list", items=(*assumptions.follows(source.review.assumptions), *_agreement(source))),
    )


def _agreement(source: Report) -> tuple[str, ...]:
    said = [
        f"{name!r} was mended on all sides before it was compared: {', '.join(kinds)}."
        for name, kinds in source.review.columns.mends.items()
    ]
    # Shareable: of an identifier a count would be said; that a synthesis repeats the original gives it to who has both.
    warned = (note for note in source.remarks.data if note.warning)
    said += [note.text for note in warned if note.of_syntheses or not source.shareable]
    if source.shareable:
        return (*said, SHARED)
    found, differ = source.remarks.agreed, source.opened.differing
    several = len(source.study.n_synthetic) > 1
    for m in found.mismatches:
        if m.column in differ:
            said.append(answered(source.review, m.column))
        said.append(m.text(values=True, several=several))
    if found.not_evaluated:
        said.append(f"Agreement was not evaluated of {', '.join(map(repr, found.not_evaluated))}.")
    if not found.mismatches:
        said.append(
            f"The values of both sides were compared in {len(found.columns)} columns: no sign of two spellings of "
            "one value."
        )
    return tuple(said)


SHARED = "Whether both sides spell one value alike stands in the internal version."
