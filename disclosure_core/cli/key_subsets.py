"""`disclosure key-subsets`: the worst subset of the keys is often not all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import pandas as pd

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


MORE = "A subset that was not searched may be worse."


@click.command(
    "key-subsets",
    cls=Manual,
    short_help="Find the worst subset of the keys.",
    epilog="Example: disclosure key-subsets people.csv release.csv --keys sex,age,region",
)
@declared.files
@declared.subsets
@outputs.table_options
def key_subsets(**options: Any) -> None:
    """Compute repU, UiO and DiSCO of every subset of the keys, and name the worst.

    FILES are an original and its syntheses, or a saved review. With more than 12 keys about 4,095 subsets are searched:
    the worst is then the worst of these, and --all or --budget searches more.
    """
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    opened = inputs.with_subsets(opened, options)
    opened = opened.with_review(replace(opened.review, searched=opened.review.searched | {"subsets"}))
    say("Searching the subsets of the keys …")
    outputs.end(outputs.write_judged(opened, _answer, options, say))


def _answer(opened: Opened) -> outputs.Answer:
    """Return the worst subset of each figure, every subset, and what each key adds."""
    from disclosure_core.results.review_tables import joined_keys

    judged = opened.printed
    found = judged.subsets()
    worst = [
        {"figure": name, "target": target, "worst": w.figure, "all keys": w.all_keys, "its keys": ", ".join(w.keys)}
        for name, target, w in (
            *((name, "", found.worst(name)) for name in ("UiO", "repU")),
            *(("DiSCO", target, found.worst("DiSCO", target)) for target in judged.assessment().targets),
        )
    ]
    tables = {
        "worst": pd.DataFrame(worst),
        "subsets_identity": joined_keys(found.identity),
        "subsets_attribute": joined_keys(found.attribute),
        "each_key": found.each_key("repU"),
    }
    shown = tables["worst"]
    if not found.complete:
        shown = shown.rename(columns={"worst": "at least"})
    notes = [f"{found.coverage}." + ("" if found.complete else f" {MORE} --all or --budget searches more.")]
    printed = {
        f"The worst subset of the keys{found.coverage.of_those}, % of the original records": shown,
        "repU: what each key adds, alone and to the others": tables["each_key"],
    }
    return outputs.Answer(tables, printed, tuple(notes), found.complete)
