"""`disclosure look-up`: what the synthetic data say to somebody who knows some of a person's keys."""

from __future__ import annotations

from typing import Any

import click
import pandas as pd
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.cli import declared, from_models, inputs, outputs
from disclosure_core.cli.manual import Manual, section
from disclosure_core.data.written import pairs
from disclosure_core.errors import DisclosureError


class Asked(Parameters):
    """What the intruder knows, and wants to know."""

    target: str = Field(description="What the intruder wants to learn.")
    know: tuple[str, ...] = Field(
        (),
        description="What is known of the person; keys not named may be anything.",
        json_schema_extra={"metavar": "KEY=LEVEL"},
    )
    synthesis: int = Field(1, ge=1, description="Which of the syntheses is looked into.")


@click.command(
    "look-up",
    cls=Manual,
    short_help="Look a person up, as an intruder would.",
    epilog="Example: disclosure look-up people.csv release.csv --keys sex,age,region --target income --know age=17",
)
@declared.files
@section("", from_models.options(Asked, kept=False))
@outputs.table_options
def look_up(**options: Any) -> None:
    """Take the place of an intruder: FILES are an original and its syntheses, or a saved review.

    Counted over all records: exclusions judge claims, they do not hide them from an intruder.
    """
    from disclosure_core.errors import not_found
    from disclosure_core.records.look_up import look_up as answer_of

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    tables, i = opened.assessment().tables, options["synthesis"]
    if options["target"] not in tables.targets:
        raise not_found("Target", options["target"], "among those assessed", tables.targets)
    cells = tables.targets[options["target"]]
    if i > len(cells):
        raise DisclosureError(f"There is no synthesis {i}; the last is {len(cells)}.")
    names = [key.name for key in tables.keys.keys]
    known = pairs(options["know"], "--know", "KEY=LEVEL", names)
    found = answer_of(cells[i - 1], known)
    row = {
        "original": found.n_original,
        "synthetic": found.n_synthetic,
        "answer": found.answer,
        "right": found.n_right if found.answer is not None else 0,
    }
    answer = pd.DataFrame([row]).astype({"answer": object})
    what = ", ".join(f"{name} = {level}" for name, level in known.items()) or "anybody"
    printed = {
        f"Records with these keys ({what}), the answer of synthesis {i}, and of how many it is true": answer,
        f"Levels of {options['target']} among them, records": found.levels,
    }
    outputs.end(outputs.write_tables(opened, {"answer": answer, "levels": found.levels}, options, say, printed=printed))
