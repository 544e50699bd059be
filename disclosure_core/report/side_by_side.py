"""Named scenarios side by side."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.counting.assessment import assess
from disclosure_core.counting.settings import Exclusions
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, table
from disclosure_core.report.rows import few
from disclosure_core.report.source import Block

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.report.source import Report

MOST_SCENARIOS = 5
"""Scenarios side by side in one table."""


def blocks(source: Report) -> list[Block]:
    """Return the section; nothing where there is nothing to compare."""
    found, scenarios = source.assessment, source.opened.scenarios()
    if source.shareable:  # they may differ by few records, which subtraction would tell
        said = "Named scenarios are compared in the internal version: they may differ by few records."
        return [heading("Scenarios side by side"), Block("text", said)] if scenarios else []
    nothing = assess(source.study, replace(found.settings, exclusions=Exclusions()), found.tables)
    columns = _columns(source, nothing, scenarios)
    if len(columns) < 2:
        return []
    order = nothing.summary()["target"].tolist()[::-1]
    order += [name for _, a in columns for name in a.targets if name not in order]
    order = list(dict.fromkeys(order))
    made = [
        heading("Scenarios side by side"),
        Block("list", items=tuple(f"{label}: {_without(a)}" for label, a in columns if a.left_out != Exclusions())),
    ]
    at_once = math.ceil(len(columns) / math.ceil(len(columns) / MOST_SCENARIOS))  # no table of one scenario alone
    for i in range(0, len(columns), at_once):
        some = [(label, a, a.summary().set_index("target")) for label, a in columns[i : i + at_once]]
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


def _both(source: Report, a: Assessment, rows: pd.DataFrame, name: str) -> str:
    if name not in a.targets:
        return "not a target"
    first, then = (redaction.share(source, float(rows["original"][name]), a.n_original), float(rows["synthetic"][name]))
    return f"{first} / {redaction.share(source, then, a.n_original)}"


def _columns(
    source: Report, nothing: Assessment, scenarios: tuple[tuple[str, Assessment], ...]
) -> list[tuple[str, Assessment]]:
    """Return what stands side by side, each set of exclusions once: a scenario's name says where it is one of ours."""
    found = source.assessment
    ours = [("With nothing excluded", nothing)]
    if found.left_out != Exclusions():
        ours.append(("Judged", found))
    if source.all_excluded is not None:
        ours.append(("With all that is excluded", source.all_excluded))
    names = {a.left_out: label for label, a in ours[1:]}
    named = [(f"{label} ({names[a.left_out].lower()})" if a.left_out in names else label, a) for label, a in scenarios]
    known = {a.left_out for _, a in scenarios}
    first, *others = ((label, a) for label, a in ours)
    return [
        *([first] if first[1].left_out not in known else []),
        *named,
        *((label, a) for label, a in others if a.left_out not in known),
    ]


def _without(a: Assessment) -> str:
    """Return what a scenario excludes: levels by name where there are three or fewer, as pairs; others as their number."""
    out = a.left_out
    said = [f"{few([f'“{v}”' for v in levels])} of {name}" for name, levels in out.target_levels]
    if out.missing_targets:
        every = set(out.missing_targets) >= set(a.targets)
        said.append(f"missing {'values of every target' if every else few(sorted(out.missing_targets))}")
    if out.missing_keys:
        every = set(out.missing_keys) >= {key.name for key in a.keys.keys}
        said.append(f"missing {'values of every key' if every else f'{few(sorted(out.missing_keys))} (key)'}")
    said += [
        f"{few([f'{p.key} “{p.key_level}” with “{p.target_level}”' for p in pairs])} of {name}"
        for name, pairs in out.pairs
    ]
    if out.denominator_limit is not None:
        said.append(f"cells of more than {out.denominator_limit} records")
    return f"without {'; '.join(said)}."
