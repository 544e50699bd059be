"""`disclosure answers`: the questions of a review that no file answers, as a file to fill in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual, section
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    cls=Manual,
    short_help="Print the questions that no file answers, to fill in.",
    epilog="Example: disclosure answers people.csv release.csv --keys sex,age,region --template answers.toml",
)
@declared.files
@section(
    "What is printed and written",
    (click.option("--template", type=outputs.WRITTEN, help="Write them there; they are printed without it."),),
)
def answers(template: Path | None, **options: Any) -> None:
    """Write a file of answers: reasons, assumptions, the release, and a place for the verdict on every target.

    FILES are an original and its syntheses, or a saved review, whose answers stand in it. Fill it in, and give it to
    `disclosure assess` or `disclosure run` with --answers.
    """
    from disclosure_core.review.answers import nobody_answered
    from disclosure_core.review.answers import template as written

    options |= {"quiet": template is None}
    say = outputs.progress_printer(options)
    text = written(inputs.open_data(options, say))
    if template is None:
        click.echo(text, nl=False)
        return
    if template.is_file() and template.stat().st_size and not nobody_answered(template, text):
        raise DisclosureError(f"{template} is there, and what it holds would be lost; name another file.")
    outputs.write(template, text)
    say(f"Wrote {template}")
