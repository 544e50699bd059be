"""What an intruder is taken to know, and what was asked."""

from __future__ import annotations

from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.grouping import in_words
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, names_in, texts
from disclosure_core.report.source import Block, Report
from disclosure_core.rounding import plain

NO_REASON = "no reason was given"


def blocks(source: Report) -> list[Block]:
    """Return the section."""
    settings, found = source.assessment.settings, source.assessment
    of_set = next((k.reason.strip() for k in source.key_sets if k.name == source.review.intruder), "")
    rows = [
        (
            key.name,
            *([] if source.shareable else [f"{key.n_levels:,}"]),
            source.reasons.get(key.name, "").strip() or of_set or NO_REASON,
        )
        for key in source.keys_in_order
    ]
    groups = [in_words(name, n) for name, n in settings.groups]
    codes = redaction.missing_codes(source)
    levels = [] if source.shareable else ["Levels"]  # beside UiO, how many there are tells of who is alone
    one, two = settings.thresholds.one_way, settings.thresholds.two_way
    flags = (
        f"A 1-way flag is raised above {plain(one[0])} records and {plain(one[1])} % of the disclosive records; a 2-way "
        f"flag for cells above {plain(two[0])} records and pairs above {plain(two[1])} %."
    )
    return [
        heading("Assumed knowledge of an intruder"),
        *_who(source),
        Block(
            "table",
            "Keys, and why",
            columns=("Key", *levels, "Reason"),
            rows=tuple(rows),
            figures=frozenset({1} if levels else ()),
        ),
        Block(
            "list",
            items=(
                f"Targets: {names_in(found.targets)}.",
                f"Numeric columns grouped: {'; '.join(groups) or 'none, every value is a level'}.",
                f"Missing codes: {'; '.join(codes) or 'none'}. An empty cell is a level of its own, of keys and targets.",
                *(["Nothing is excluded."] if found.left_out == Exclusions() and source.all_excluded is None else []),
                "Matching: a synthetic record matches where all keys are equal; without a match there is no claim.",
                *([] if source.shareable else [flags]),
                *redaction.notes(source, (note.text for note in found.notes)),
            ),
        ),
    ]


def intruders(source: Report) -> Block:
    """Return the key sets as a table."""
    rows = tuple((k.name, ", ".join(k.keys), k.reason.strip() or NO_REASON) for k in source.key_sets)
    return texts("Intruders, their keys, and why they know them", ("Who", "Keys", "Reason"), rows)


def _who(source: Report) -> list[Block]:
    """Name the key sets where there are several; page 1 holds the worst of them, all that follows is of one."""
    if len(source.key_sets) < 2:
        return []
    return [
        intruders(source),
        Block("text", f"From here on the figures are those of {source.review.intruder}, unless another is named."),
    ]
