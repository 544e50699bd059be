"""`disclosure near-misses`: how close a number must be to count as disclosed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import pandas as pd

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


@click.command(
    "near-misses",
    cls=Manual,
    short_help="Count numbers that are near enough.",
    epilog="Example: disclosure near-misses people.csv release.csv --keys sex,age,region --target income "
    "--tolerance 10% --tolerance 100",
)
@declared.files
@click.option("--target", help="A numeric target without groups; all of them by default.")
@click.option(
    "--tolerance",
    "tolerances",
    multiple=True,
    metavar="AMOUNT",
    help="How far a number may be from the truth: 10% of the number claimed, or 100 in the target's unit. Repeat it; "
    "0, 5, 10, 25 and 50 % by default.",
)
@outputs.table_options
def near_misses(**options: Any) -> None:
    """Count numbers that are disclosed nearly: FILES are an original and its syntheses, or a saved review.

    A claim is the middle of the synthetic numbers with the same keys, where all lie within the tolerance of it. It is
    right for a person whose number does, too.
    """
    from disclosure_core.counting.near_misses import LIMITED, LISTED, Tolerance
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.review.near_misses import near_misses as of_target
    from disclosure_core.review.near_misses import numeric_targets

    tolerances = tuple(Tolerance.of(text) for text in options["tolerances"]) or LISTED
    outputs.check(options)
    say = outputs.progress_printer(options)
    asked = inputs.open_data(options, say)

    def answer(of: Opened) -> outputs.Answer:
        opened = of.printed
        names = (options["target"],) if options["target"] is not None else numeric_targets(opened)
        if not names and opened.review.exclusions.denominator_limit is None:
            raise DisclosureError("No target is a number without groups; choose --targets with one that is.")
        if not names:
            raise DisclosureError(f"{LIMITED.why} {LIMITED.needs}")
        figures, outside, notes = [], [], []
        for name in names:
            found = of_target(opened, name, tolerances)
            if isinstance(found, NotEvaluated):
                raise DisclosureError(f"{found.why} {found.needs}")
            figures.append(_of(name, found.figures))
            if not isinstance(found.outside, NotEvaluated):
                outside.append(_of(name, found.outside))
            elif opened.review.holdout is not None:
                notes.append(
                    f"{name}, people outside: not evaluated. {found.outside.why} {found.outside.needs}".strip()
                )
        tables = {"near_misses": pd.concat(figures, ignore_index=True)}
        several = len(opened.assessment().n_synthetic) > 1
        shown = ["target", "tolerance", "DiS", "DiSCO", *(["min", "max"] if several else []), "Dorig", "guess"]
        printed = {"Numbers within the tolerance, % of the original records": tables["near_misses"][shown]}
        if outside:
            tables["near_misses_outside"] = pd.concat(outside, ignore_index=True)
            shown = ["target", "tolerance", "members", "non_members", "difference", "low", "high"]
            heading = "Right claims about members and about people outside, % of each; difference in percentage points"
            printed[heading] = tables["near_misses_outside"][shown]
        return outputs.Answer(tables, printed, tuple(notes))

    outputs.end(outputs.write_judged(asked, answer, options, say))


def _of(target: str, frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame.insert(0, "target", target)
    return frame
