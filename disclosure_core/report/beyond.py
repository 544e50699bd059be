"""What a holdout adds to a report: people outside the data beside the members, and membership."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.baseline import INTERVAL
from disclosure_core.report import shown
from disclosure_core.report.given import Block, Section

if TYPE_CHECKING:
    from disclosure_core.baseline import AttributeBaseline, IdentityBaseline
    from disclosure_core.decision import Limits
    from disclosure_core.membership import Membership
    from disclosure_core.report.given import ReportInput

_PRECISE = 100
"""A shareable report shows a score of two digits only where this many smallest counts fit into each side."""


def holdout(given: ReportInput, attributes: AttributeBaseline, identity: IdentityBaseline, limits: Limits) -> Section:
    """Return the part on members and non-members.

    A shareable report leaves out the difference and its interval: they would give back what rounding hides.

    Source
    ------
    Expert consensus, recommendations 8 to 10.
    """
    n, outside = attributes.n_training, attributes.n_holdout
    columns = ["Target", "Members", "Non-members"]
    if not given.shareable:
        columns += ["Difference", "95 % interval", "R", "Both conditions"]
    rows = []
    one = identity.summary(limits).assign(target="repU, the keys alone")
    for row in [*attributes.summary("DiSCO", limits).iloc[::-1].to_dict("records"), *one.to_dict("records")]:
        cells = [
            str(row["target"]),
            shown.share(given, row["members"], n),
            shown.share(given, row["non_members"], outside),
        ]
        if not given.shareable:
            cells += [
                f"{row['difference']:+.2f}",
                f"{row['low']:+.2f} to {row['high']:+.2f}",
                f"{row['R']:.2f}",
                str(row["decision"]),
            ]
        rows.append(tuple(cells))
    thresholds = "No threshold is set, so nothing is decided."
    if limits.absolute is not None and limits.relative is not None:
        thresholds = (
            f"High means: more than {limits.absolute:g} % of members, and more than {limits.relative:g} points above "
            f"non-members ({limits.origin})."
        )
    said = [
        f"{n:,} members (the training records) and {outside:,} non-members (the holdout), the same look-up for both. What "
        "is right of people outside the data is general knowledge.",
        thresholds,
    ]
    if not given.shareable:
        said.append(INTERVAL)
    return Section(
        "What would be known anyway",
        (
            Block(
                "table",
                "DiSCO of each target, and repU, in % of the members and of the non-members; means over the syntheses. "
                "Lower is safer.",
                columns=tuple(columns),
                rows=tuple(rows),
                figures=frozenset(range(1, len(columns))),
            ),
            Block("list", items=tuple(said)),
        ),
        covers=frozenset({9, *({12} if limits.absolute is not None and limits.relative is not None else set())}),
    )


def membership(given: ReportInput, found: Membership) -> Section:
    """Return the part on membership: F, F of guessing and F relative to guessing, always together.

    Source
    ------
    Expert consensus, recommendations 5 to 7.
    """
    precise = not given.shareable or min(found.n_training, found.n_holdout) >= _PRECISE * given.smallest

    def score(value: float) -> str:
        return f"{value:.2f}" if precise else shown.WITHHELD

    rows = tuple(
        (
            f"{row['beta']:g}",
            f"{row['F_naive']:.2f}",
            score(row["F"]),
            score(row["F_rel"]),
            ", ".join(row["worst_keys"]),
            score(row["worst_F_rel"]),
        )
        for row in found.summary().to_dict("records")
    )
    return Section(
        "Membership",
        (
            Block("text", "Could somebody tell that a person was in the original at all? F_rel is 0 for a mere guess and 1 "
                  "for certainty."),
            Block(
                "table",
                "F scores, means over the syntheses; lower is safer.",
                columns=("β", "F of guessing", "F, all keys", "F_rel, all keys", "Worst keys", "F_rel, worst"),
                rows=rows,
                figures=frozenset({1, 2, 3, 5}),
            ),
            Block("list", items=found.notes),
        ),
        covers=frozenset({4, 8} | ({7} if found.coverage.whole else set())),
    )  # fmt: skip
