"""`disclosure compare`: sets of syntheses side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import pandas as pd
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.cli import declared, figure_files, from_models, inputs, outputs, saved_review
from disclosure_core.cli.manual import Manual, section
from disclosure_core.cli.steps import step
from disclosure_core.errors import DisclosureError
from disclosure_core.review.parts import Chain, Sample, free_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from disclosure_core.review.opened import Opened


class Asked(Parameters):
    """What stands beside the sets."""

    samples: tuple[str, ...] = Field(
        (),
        alias="sample",
        description="Beside them, random samples of the original: 10%, or 10%,7 with another seed than 1; repeat it.",
        json_schema_extra={"metavar": "SHARE[,SEED]"},
    )
    coarsened: tuple[str, ...] = Field(
        (),
        description="Beside them, the original itself and the first set after a safeguard, written as of protect; "
        "repeat it.",
        json_schema_extra={"metavar": "SAFEGUARD"},
    )


@click.command(
    cls=Manual,
    short_help="Compare methods: what each discloses, and its usefulness.",
    epilog="Example: disclosure compare people.csv --set cart cart/ --set gan gan.zip --keys sex,age",
)
@declared.files
@declared.sets
@section("", from_models.options(Asked))
@click.option("--figures", type=outputs.OUTPUT, help="Write the risk-utility map there: PDF, SVG and PNG.")
@figure_files.WIDTH
@figure_files.GREY
@figure_files.LOOK
@outputs.table_options
def compare(**options: Any) -> None:
    """Compare sets of syntheses of one ORIGINAL: risk against usefulness, with what they differ in.

    FILES are the original, with the syntheses named by --set; or a saved review, whose sets and safeguards are
    compared.
    Figures of one set alone, and --fail-if, are of the first.
    """
    from disclosure_core.comparison.tables import against_the_first, differences, tables
    from disclosure_core.review.references import made_coarser

    named = options.pop("named")
    samples, coarsened = tuple(map(_sample, options.pop("samples"))), tuple(map(step, options.pop("coarsened")))
    files: Sequence[Path] = options["files"]
    if options["engine"] and (samples or coarsened):
        raise DisclosureError("--sample and --coarsened need the records here; remove them, or --engine.")
    if saved_review.is_review(files):
        if named:
            raise DisclosureError("A saved review names its sets itself; remove --set.")
    elif len(files) > 1:
        raise DisclosureError("Give one original, and name the set of each synthetic file: --set NAME FILE.")
    elif not named:
        raise DisclosureError("Name the sets of synthetic files: --set NAME FILE, repeated.")
    else:
        options["sets"] = inputs.sets_of(named, in_place=bool(options["engine"]))
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    review = replace(opened.review, samples=(*opened.review.samples, *samples))
    if coarsened:
        name = free_name("coarsened", {c.name for c in review.chains})
        review = replace(review, chains=(*review.chains, Chain(name, coarsened, of_original=True)))
    opened = opened.with_review(replace(review, searched=review.searched | {"comparison"}))
    if coarsened:
        made_coarser(opened, review.chains[-1])  # what does not fit is said before anything is counted
    say("Counting the tables of every set …")

    def answer(of: Opened) -> outputs.Answer:
        found = of.comparison()
        printed = {
            "Set by set, means over the syntheses; lower is safer, and for S_pMSE more useful": found.table(),
            "Against the first set, with 95 % intervals of the difference over syntheses": differences(found),
        }
        of_sets = tables(found)
        for why in found.not_evaluated.values():
            say(f"Warning: {why}")
        if found.not_evaluated:
            of_sets["sets_not_evaluated"] = pd.DataFrame(list(found.not_evaluated.items()), columns=["set", "why"])
        return outputs.Answer(of_sets, printed, tuple(against_the_first(found)))

    lines = outputs.write_judged(opened, answer, options, say)
    if options["figures"]:
        from disclosure_core.results import catalogue

        plots = catalogue.of_name(opened, "risk-utility")
        outputs.write_into(options["figures"], figure_files.files(plots, options, opened, say), say)
    outputs.end(lines)


def _sample(text: str) -> Sample:
    """Return a sample of the original as it is written: 10%, or 10%,7."""
    share, _, seed = text.partition(",")
    try:
        return Sample(float(share.strip().removesuffix("%")), int(seed) if seed.strip() else 1)
    except ValueError:
        raise DisclosureError(f"--sample {text} is not a share; write 10%, or 10%,7 with a seed.") from None
