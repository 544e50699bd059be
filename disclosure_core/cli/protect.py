"""`disclosure protect`: the safer files of a review, and the log of what its safeguards did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual, section
from disclosure_core.cli.steps import step
from disclosure_core.rounding import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from disclosure_core.protection.steps import Step
    from disclosure_core.review.opened import Opened

CHAIN = "command line"
"""What the chain of safeguards is called that `--step` makes."""

_STEPS = (
    click.option(
        "--step",
        "steps",
        multiple=True,
        metavar="SAFEGUARD",
        help="remove-replicated, remove-uniques, merge=COLUMN,FEWER,NAME, group=COLUMN,N, cap=COLUMN,LOW,HIGH, "
        "round=COLUMN,TO or label=COLUMN,TEXT; repeat it: they apply in this order, in the place of the review's own.",
    ),
)


@click.command(
    cls=Manual,
    short_help="Write safer files, and the log of what was done.",
    epilog="Example: disclosure protect people.csv release.csv --keys sex,age --step remove-replicated --output safer/",
)
@declared.files
@section("Safeguards", _STEPS)
@click.option("--output", type=outputs.OUTPUT, required=True, help="Folder for the safer syntheses and the log.")
@outputs.SAVE
@click.option("--fail-if", multiple=True, metavar="CONDITION", help="As of assess, of the figures before or after(…).")
@click.option("--quiet", is_flag=True, help="Print no log.")
def protect(**options: Any) -> None:
    """Write safer syntheses, and the log: FILES are an original and its syntheses, or a saved review.

    The safeguards are those that the review has taken, or those of --step. The files have the format they came in; what
    no safeguard touched is as it came. The original is not among them.

    Exit status: 0 done; 1 a condition of --fail-if holds or has no answer; 2 the call, the review or a file is wrong.
    """
    from disclosure_core.export.safer import LOG, files
    from disclosure_core.review.saved import to_json

    steps = tuple(map(step, options["steps"]))
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    if steps:
        opened = _with_steps(opened, steps, say)
    for name, data in files(opened).items():
        outputs.write(options["output"] / name, data)
        if name == LOG and not options["quiet"]:
            click.echo("\n".join(map(printable, data.decode().splitlines())))
        say(f"Wrote {options['output'] / name}")
    if options["save"]:
        outputs.write(options["save"], to_json(opened.review).encode())
        say(f"Wrote {options['save']}")
    outputs.end(outputs.conditions_that_hold(opened, options))


def _with_steps(opened: Opened, steps: tuple[Step, ...], say: Callable[[str], None]) -> Opened:
    """Return the review with these safeguards taken, and warn of codes that one would change, and of nearly all."""
    from disclosure_core.protection.safeguards import undeclared_codes

    for each in steps:
        for code in undeclared_codes(opened.study(), each):
            say(
                f"Warning: {code.undeclared} To treat it as one: --missing-code {code.column}={code.value}, or, of "
                "levels that are merged, name it after the new level."
            )
    taken = opened.with_review(replace(opened.review, chain="").with_steps(steps, CHAIN))
    for done in taken.protected().done:
        if done.doubt:
            say(f"Warning: {done.doubt}")
    return taken
