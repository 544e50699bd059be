"""`disclosure strongest-intruder`: which keys, each how exactly known, disclose most."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.cli import declared as shared
from disclosure_core.cli import from_models, inputs, outputs
from disclosure_core.cli.manual import Manual, section
from disclosure_core.cli.steps import hierarchy_from
from disclosure_core.data.written import pair, pairs
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.parameters import declared
from disclosure_core.review.value import Review
from disclosure_core.sensitivity.bounds import Bounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.review.opened import Opened


class Asked(Parameters):
    """What the intruder may know."""

    only: tuple[str, ...] = Field(
        (), alias="target", description="A column that could be learnt; repeat it. As --targets."
    )
    hierarchies: tuple[str, ...] = Field(
        (),
        alias="hierarchy",
        description="How a key may be known less exactly: age=5,10,20; date=month,year; code=3,1 (first characters); "
        "or a CSV file with a level and its parents in each row.",
        json_schema_extra={"metavar": "KEY=LEVELS|FILE"},
    )
    at_most: int | None = declared(Bounds, "at_most")
    at_best: tuple[str, ...] = Field(
        (),
        description="The finest level at which a key may be known: age=5, date=month, region=unknown.",
        json_schema_extra={"metavar": "KEY=LEVEL"},
    )
    nodes: int = declared(Bounds, "budget")
    tau: float | None = declared(Review, "tau", description="How sure a claim must be; certain by default.")


@click.command(
    "strongest-intruder",
    cls=Manual,
    short_help="Find the keys that disclose most.",
    epilog="Example: disclosure strongest-intruder people.csv release.csv --keys sex,age,region --target income "
    "--hierarchy age=5,10,20 --at-most 2",
)
@shared.files
@section("What the intruder may know", from_models.options(Asked))
@outputs.table_options
def strongest_intruder(**options: Any) -> None:
    """Search the keys, each known to some level, for what discloses most: FILES as for assess, or a saved review.

    The largest figure is exact for these people. Beside it stands what luck is in it: the combination chosen on one
    half of the people, measured on the other.
    """
    from disclosure_core.review.intruders import with_bounds
    from disclosure_core.review.strongest import space

    outputs.check(options)
    if options["only"] and options["targets"]:
        raise DisclosureError("--target and --targets name the same; give one of them.")
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    review, study = opened.review, opened.study()
    for name in options["only"]:
        study.column(name, "Target")
    bounds = review.bounds
    if options["at_most"] is not None:
        bounds = replace(bounds, at_most=options["at_most"])
    if options["nodes"] is not None:
        bounds = replace(bounds, budget=options["nodes"])
    columns = tuple(study.columns)
    at_best = pairs(options["at_best"], "--at-best", "KEY=LEVEL", columns)
    given = hierarchies_from(options["hierarchies"], study, review.keys)
    for name in at_best:
        if name not in review.keys:
            raise not_found("The key of --at-best,", name, "among the keys", review.keys)
    review = replace(
        review,
        targets=tuple(options["only"]) or review.targets,
        hierarchies={**review.hierarchies, **given},
        tau=review.tau if options["tau"] is None else options["tau"],
        searched=review.searched | {"strongest"},
    )
    opened = opened.with_review(with_bounds(review, replace(bounds, at_best={**bounds.at_best, **at_best})))
    space(opened.printed)  # a bound that no level has is said before the search begins
    say("Searching the combinations of keys and levels …")
    outputs.end(outputs.write_judged(opened, _answer, options, say))


def _answer(opened: Opened) -> outputs.Answer:
    """Return the largest figures, and those of every level of each key there."""
    found = opened.printed.strongest_intruder()
    tables = found.tables()
    shown = tables["strongest"].drop(columns=["UiO", "DiS", "iS"]).rename(columns={"all_keys": "all keys"})
    if shown["outside"].isna().all():
        shown = shown.drop(columns="outside")
    if not found.complete:
        shown = shown.rename(columns={"figure": "at least"})
    unit = "% of the original records (gain: percentage points; F_rel: at most 1)"
    heading = f"The strongest intruder{found.coverage.of_those}, {unit}"
    notes = [f"The intruder knows {found.bounds}. Searched: {found.coverage}.", *found.notes, LUCK]
    return outputs.Answer(tables, {heading: shown}, tuple(notes), found.complete)


LUCK = (
    "“chosen” and “other”: the combination chosen on one half of the people, there and on the other half; 20 halvings."
)


def hierarchies_from(given: Sequence[str], study: AnyStudy, keys: Sequence[str]) -> Mapping[str, Hierarchy]:
    """Return, by key, what --hierarchy says."""
    from disclosure_core.data.coarsenings import coarsenings

    found: dict[str, Hierarchy] = {}
    for text in given:
        name, levels = pair(text, "--hierarchy", "KEY=5,10 or KEY=FILE", tuple(study.columns))
        if name not in keys:
            raise not_found("The key of --hierarchy,", name, "among the keys", keys)
        if name in found:
            raise DisclosureError(f"--hierarchy names {name!r} twice; write its levels with commas between.")
        column = study.columns[name]
        hierarchy = hierarchy_from(levels, column)
        coarsenings(column, hierarchy, study.is_missing_code(name))
        found[name] = hierarchy
    return found
