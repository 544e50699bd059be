"""Replicated uniques of members beside those of people outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout import differences
from disclosure_core.rounding import fixed
from pages.shared import holdout, show, tables

if TYPE_CHECKING:
    from disclosure_core.holdout.identity_baseline import IdentityBaseline
    from pages.shared.open_review import Session


def sentence(found: IdentityBaseline) -> str:
    """Say the figure of members, that of people outside, and their difference."""
    row = found.summary().iloc[0]
    return (
        f"repU is {fixed(row['members'])} % of members, and {fixed(row['non_members'])} % of people outside; the "
        f"difference is {fixed(row['difference'], sign=True)} percentage points ({fixed(row['low'], sign=True)} to "
        f"{fixed(row['high'], sign=True)})."
    )


def identity(s: Session) -> None:
    """Show replicated uniques of members against those who would have been unique among them."""
    show.explained_by("baseline_identity")
    holdout.who_is_compared(s)
    found = s.now.judged.identity_baseline()
    if isinstance(found, NotEvaluated):
        holdout.not_evaluated(found)
        return
    row = found.summary().iloc[0]
    for place, label, value, text in zip(
        show.tiles(4),
        ("repU of members", "People outside", "Difference", "95 % interval"),
        (
            f"{fixed(row['members'])} %",
            f"{fixed(row['non_members'])} %",
            f"{fixed(row['difference'], sign=True)} points",
            f"{fixed(row['low'], sign=True)} to {fixed(row['high'], sign=True)}",
        ),
        (
            "Of the training records.",
            "Of the holdout records: keys that no member has and one synthetic record does.",
            "Percentage points.",
            differences.INTERVAL,
        ),
        strict=True,
    ):
        place.metric(label, value, border=True, height="stretch", help=text)
    tables.table(
        found.figures[found.figures["synthesis"] != differences.MEAN],
        "Replicated uniques of members and people outside, by synthesis",
        {name: tables.percent_column(holdout.HEADS[name]) for name in differences.COMPARED},
    )
