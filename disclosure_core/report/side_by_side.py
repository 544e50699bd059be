"""Named scenarios side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.assessment import assess
from disclosure_core.counting.settings import Exclusions
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, table
from disclosure_core.report.source import Block

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.report.source import ReportInput

MOST_SCENARIOS = 5
"""Scenarios side by side in one table."""


def blocks(source: ReportInput) -> list[Block]:
    """Return the section; nothing where there is nothing to compare."""
    found = source.assessment
    if source.shareable:  # they may differ by few records, which subtraction would tell
        said = "Named scenarios are compared in the internal version: they may differ by few records."
        return [heading("Scenarios side by side"), Block("text", said)] if source.scenarios else []
    nothing = assess(source.study, replace(found.settings, exclusions=Exclusions()), found.tables)
    columns = [("With nothing excluded", nothing), *source.scenarios]
    if found.left_out != Exclusions():
        columns.append(("Judged", found))
    if source.all_excluded is not None:
        columns.append(("With all that is excluded", source.all_excluded))
    if len(columns) < 2:
        return []
    order = nothing.summary()["target"].tolist()[::-1]
    order += [name for _, a in columns for name in a.targets if name not in order]
    order = list(dict.fromkeys(order))
    made = [
        heading("Scenarios side by side"),
        Block("list", items=tuple(f"{label}: {_without(a.left_out)}" for label, a in columns[1:])),
    ]
    for i in range(0, len(columns), MOST_SCENARIOS):
        some = [(label, a, a.summary().set_index("target")) for label, a in columns[i : i + MOST_SCENARIOS]]
        rows = [
            ("Keys: UiO / repU", *(
                f"{redaction.share(source, a.identity['UiO'].mean(), a.n_original)} / "
                f"{redaction.share(source, a.identity['repU'].mean(), a.n_original)}" for _, a, _ in some
            )),
            *((name, *(_both(source, a, t, name) for _, a, t in some)) for name in order),
        ]  # fmt: skip
        caption = "Dorig / DiSCO, % of the original records, means over the syntheses; lower is safer."
        made.append(table(caption, ("Target", *(label for label, _, _ in some)), rows))
    return made


def _both(source: ReportInput, a: Assessment, rows: pd.DataFrame, name: str) -> str:
    if name not in a.targets:
        return "not a target"
    first, then = (redaction.share(source, float(rows["original"][name]), a.n_original), float(rows["synthetic"][name]))
    return f"{first} / {redaction.share(source, then, a.n_original)}"


def _without(out: Exclusions) -> str:
    """Return what a scenario excludes, in a few words."""
    said = [f"level{'s' * (len(v) > 1)} of {name}" for name, v in out.target_levels]
    said += [f"missing {name}" for name in sorted(out.missing_targets)]
    said += [f"missing {name} (key)" for name in sorted(out.missing_keys)]
    said += [f"{len(pairs)} pair{'s' * (len(pairs) > 1)} of {name}" for name, pairs in out.pairs]
    if out.denominator_limit is not None:
        said.append(f"denominators above {out.denominator_limit}")
    return f"without {'; '.join(said)}." if said else "nothing is excluded."
