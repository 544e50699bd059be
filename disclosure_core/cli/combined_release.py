"""`disclosure combined-release`: several syntheses released together."""

from __future__ import annotations

from typing import Any

import click
import pandas as pd

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual


@click.command(
    "combined-release",
    cls=Manual,
    short_help="Measure syntheses released together.",
    epilog="Example: disclosure combined-release people.csv one.csv two.csv --keys sex,age,region",
)
@declared.files
@outputs.table_options
def combined_release(**options: Any) -> None:
    """Measure what all syntheses together disclose, beside what each discloses alone.

    FILES are an original and its syntheses, or a saved review.
    """
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.sensitivity.combined_release import combined_attributes, combined_identity

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    result = opened.printed.assessment()
    attributes, identity = combined_attributes(result), combined_identity(result)
    if isinstance(attributes, NotEvaluated) or isinstance(identity, NotEvaluated):
        why = attributes if isinstance(attributes, NotEvaluated) else identity
        assert isinstance(why, NotEvaluated)
        frame = pd.DataFrame([why.row()])
        if not options["quiet"]:
            click.echo(f"Not evaluated. {why.why} {why.needs}")
        outputs.end(outputs.write_tables(opened, {"together": frame}, options, say, printed={}))
        return
    tables = {"combined_identity": pd.DataFrame([identity]), "combined_attributes": attributes}
    printed = {
        "Replicated uniques: of one synthesis alone, and of all together, % of the original records": tables[
            "combined_identity"
        ],
        "DiSCO: of one synthesis alone, and of all together, % of the original records": attributes.iloc[::-1],
    }
    outputs.end(outputs.write_tables(opened, tables, options, say, printed=printed))
