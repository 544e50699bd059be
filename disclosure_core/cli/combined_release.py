"""`disclosure combined-release`: several syntheses released together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import pandas as pd

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


@click.command(
    "combined-release",
    cls=Manual,
    short_help="Measure syntheses released together.",
    epilog="Example: disclosure combined-release people.csv one.csv two.csv --keys sex,age,region",
)
@declared.files
@outputs.table_options
def combined_release(**options: Any) -> None:
    """Measure what several syntheses disclose together, beside what each discloses alone.

    FILES are an original and its syntheses, or a saved review. Together are those that the review says are released;
    all where it names none.
    """
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.review.combined import combined

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    found = combined(opened.printed)
    if isinstance(found, NotEvaluated):
        frame = pd.DataFrame([found.row()])
        if not options["quiet"]:
            click.echo(f"Not evaluated. {found.why} {found.needs}".rstrip())
        outputs.end(outputs.write_tables(opened, {"together": frame}, options, say, printed={}))
        return
    outputs.end(outputs.write_judged(opened, _answer, options, say))


def _answer(opened: Opened) -> outputs.Answer:
    """Return what one synthesis discloses, and what all that are released together do."""
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.review.combined import combined

    found = combined(opened.printed)
    assert not isinstance(found, NotEvaluated)
    together = "all" if len(found.syntheses) == found.n else found.which.lower()
    tables = {"combined_identity": pd.DataFrame([found.identity]), "combined_attributes": found.attributes}
    printed = {
        f"Replicated uniques: of one synthesis alone, and of {together} together, % of the original records": tables[
            "combined_identity"
        ],
        f"DiSCO: of one synthesis alone, and of {together} together, % of the original records": found.attributes.iloc[
            ::-1
        ],
    }
    return outputs.Answer(tables, printed)
