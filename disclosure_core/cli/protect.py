"""`disclosure protect`: the safer files of a review, and the log of what its safeguards did."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.cli import declared as shared
from disclosure_core.cli import from_models, inputs, outputs
from disclosure_core.cli.acting import spelt
from disclosure_core.cli.manual import Manual, section
from disclosure_core.cli.printed import print_frontier
from disclosure_core.cli.steps import hierarchy_from, step
from disclosure_core.data.written import pair
from disclosure_core.errors import DisclosureError, NothingEvaluatedError, not_found
from disclosure_core.parameters import declared
from disclosure_core.review.parts import Sought
from disclosure_core.rounding import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from disclosure_core.data.hierarchies import Hierarchy
    from disclosure_core.data.suggested_codes import MissingCode
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.opened import Opened

CHAIN = "command line"
"""What the chain of safeguards is called that `--step` makes."""


class Steps(Parameters):
    """Safeguards that are named."""

    steps: tuple[str, ...] = Field(
        (),
        alias="step",
        description="remove-replicated, remove-uniques, remove-claims=TARGET, merge=COLUMN,FEWER,NAME, "
        "group=COLUMN,N, cap=COLUMN,LOW,HIGH, round=COLUMN,TO, breaks=COLUMN,18,30, recode=COLUMN,NEW,LEVEL,LEVEL, "
        "band=COLUMN,LEVEL, blank=TARGET or label=COLUMN,TEXT; repeat it: they apply in this order, in place of the "
        "review's own.",
        json_schema_extra={"metavar": "SAFEGUARD"},
    )


class Search(Parameters):
    """The least safeguard: its aim, and what may be touched."""

    aims: tuple[str, ...] = Field(
        (),
        alias="aim",
        description="Search the cheapest chain that reaches it, judged by the strongest intruder: "
        "'beyond(DiSCO)<5', 'DiSCO[income]<=10', 'gain<3', 'repU<=1', or limits: the office's. Several hold together.",
        json_schema_extra={"metavar": "CONDITION"},
    )
    coarsen: tuple[str, ...] = Field(
        (),
        alias="may",
        description="What may be done to a key: its levels age:5,10, date:month, code:prefix:2 or a CSV file of a "
        "table; or a way: age:top:90,80 or age:bottom:18 (values beyond become it), age:round:5, job:merge:20 (the "
        "levels that fewer than 20 original records have become Other). Repeat it.",
        json_schema_extra={"metavar": "KEY:LEVELS|FILE|WAY"},
    )
    may_remove: float = declared(Sought, "remove")
    may_remove_claims: tuple[str, ...] = Field(
        (),
        description="Claims of this target may be removed, too, within --may-remove.",
        json_schema_extra={"metavar": "TARGET"},
    )
    may_blank: tuple[str, ...] = Field(
        (), description="Claims of this target may be blanked.", json_schema_extra={"metavar": "TARGET"}
    )
    seconds: float | None = declared(Sought, "seconds")


@click.command(
    cls=Manual,
    short_help="Write safer files, and the log of what was done.",
    epilog="Example: disclosure protect people.csv release.csv --keys sex,age --step remove-replicated --output safer/",
)
@shared.files
@section("Safeguards", from_models.options(Steps))
@section("The least safeguard", from_models.options(Search))
@click.option("--output", type=outputs.FOLDER, required=True, help="Folder for the safer syntheses and the log.")
@click.option(
    "--adopt", metavar="NAME", help="Make the safer syntheses a set of the review, which its figures speak of."
)
@outputs.SAVE
@outputs.JSON
@click.option("--fail-if", multiple=True, metavar="CONDITION", help="As of assess, of the figures before or after(…).")
@click.option("--quiet", is_flag=True, help="Print no log.")
def protect(**options: Any) -> None:
    """Write safer syntheses, and the log: FILES are an original and its syntheses, or a saved review.

    The safeguards are those that the review has taken, those of --step, or with --aim the chain that reaches the aim
    and loses least detail; where none reaches it, nothing is written. The files have the format they came in; what
    no safeguard touched is as it came. The original is not among them.

    Exit status: 0 done; 1 no chain reaches the aim, or a condition of --fail-if holds or has no answer; 2 the call, the
    review or a file is wrong.
    """
    from disclosure_core.review.safer import LOG, files, log, tables

    steps = tuple(map(step, options["steps"]))
    _fitting(options)
    outputs.check(options)
    _check_log(options["output"] / LOG)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    if options["aims"]:
        opened, steps = _least_safeguard(opened, options, say)
        if not steps:
            say("The aim is reached by the data as they came: no safer file is written.")
            if options["adopt"] is not None:
                say(f"Note: --adopt {printable(options['adopt'])} makes no set: there are no safer syntheses.")
            outputs.end(_finished(opened.with_review(replace(opened.review, chain="")), options, say))
    _meets(opened, steps or opened.review.steps, say)
    if steps or options["aims"]:
        opened = _with_steps(opened, steps, say)
    if options["adopt"] is not None:
        opened = _adopted(opened, options["adopt"], say)
    ours = [LOG, *_logged(options["output"] / LOG)]
    in_engine = tables(
        opened, options["output"], lambda name: outputs.check_ours(options["output"], {name: None}, ours)
    )
    for place in in_engine.values():
        say(f"Wrote {place}")
    made = {LOG: log(opened, list(in_engine))} if in_engine else files(opened)
    outputs.check_ours(options["output"], made, ours)
    for name, data in made.items():
        outputs.write(options["output"] / name, data)
        if name == LOG and not options["quiet"] and options["as_json"] != Path("-"):
            click.echo("\n".join(map(printable, data.decode().splitlines())))
        say(f"Wrote {options['output'] / name}")
    outputs.end(_finished(opened, options, say))


def _finished(opened: Opened, options: Mapping[str, Any], say: Callable[[str], None]) -> list[str]:
    """Save the review that was asked for, and return each condition that does not pass."""
    from disclosure_core.review.saved import to_json

    if options["save"]:
        outputs.write_files([(options["save"], to_json(opened.review))], say)
    return outputs.conditions_that_hold(opened, options)


def _check_log(place: Path) -> None:
    """Refuse to write over a log.txt that is none of these: of all that is written its name is not one's own choice."""
    from disclosure_core.protection.safeguards import LOG_BEGINS

    if place.is_file() and not place.read_bytes().startswith(LOG_BEGINS.encode()):
        raise DisclosureError(f"{place} is there and is no log of safeguards; name another folder, or rename it.")


def _logged(place: Path) -> list[str]:
    """Return the names of the safer files that the log of a folder speaks of: an earlier call has written them."""
    lines = place.read_text(encoding="utf-8", errors="replace").splitlines() if place.is_file() else []
    return [line.rpartition(": ")[0] for line in lines if line.endswith(" after")]


def _meets(opened: Opened, steps: Sequence[Step], say: Callable[[str], None]) -> None:
    """Warn of keys and targets that do not meet: no figure tells what the safeguards do."""
    from disclosure_core.protection.steps import RemoveReplicated, RemoveUniques
    from disclosure_core.review.meeting import sentence

    stopped = opened.stopped()
    if stopped and any(isinstance(each, RemoveReplicated | RemoveUniques) for each in steps):
        raise NothingEvaluatedError(stopped)
    for mismatch in opened.stopping():
        say(f"Warning: {sentence(mismatch)}")


def _fitting(options: Mapping[str, Any]) -> None:
    """Say which options of the call do not fit together."""
    if options["aims"] and options["steps"]:
        raise DisclosureError("--aim searches the steps that --step names; give one of them.")
    inputs.unused(options, "adopt", "--save or --fail-if", there=bool(options["save"] or options["fail_if"]))
    of_search = ("coarsen", "may_remove", "may_remove_claims", "may_blank", "seconds", "as_json")
    for name in of_search:
        if not options["aims"] and options[name] not in (None, ()):
            raise DisclosureError(f"{spelt(name)} belongs to the search for the least safeguard; add --aim.")


def _least_safeguard(
    opened: Opened, options: Mapping[str, Any], say: Callable[[str], None]
) -> tuple[Opened, tuple[Step, ...]]:
    """Search, print the frontier, and return the review that seeks it and the steps of the cheapest chain; else end."""
    from disclosure_core.comparison.ways import WAYS, Ways
    from disclosure_core.export.as_json import tables_to_json
    from disclosure_core.review import least

    study = opened.study()
    coarsen: dict[str, Hierarchy] = {}
    ways: dict[str, Ways] = {}
    for text in options["coarsen"]:
        name, levels = pair(text.rstrip(), "--may", "age:5,10", study.columns, ":")
        if name not in study.columns:
            raise not_found("The column of --may,", name, "in the data", study.columns)
        if levels.partition(":")[0].strip() in WAYS:
            ways[name] = ways.get(name, Ways()).with_(levels)
            continue
        if name in coarsen:
            raise DisclosureError(f"--may names {name!r} twice; write its levels with commas between.")
        coarsen[name] = hierarchy_from(levels, study.columns[name])
    for name in (*coarsen, *ways):
        _ask_of(study.suggested_codes(name))
    blank, claims = (tuple(dict.fromkeys(options[name])) for name in ("may_blank", "may_remove_claims"))
    sought = Sought(options["aims"], coarsen, options["may_remove"] or 0.0, blank, options["seconds"], ways, claims)
    review = opened.review
    least.check(opened.printed, sought.aims, sought.may)
    begun = outputs.said_once_begun(say, "Searching the chains of safeguards …")
    found = opened.printed.least_safeguard(sought.aims, sought.may, seconds=sought.seconds, progress=begun)
    if least.as_it_came(opened) is opened:
        opened = opened.with_review(replace(review, sought=sought, searched=frozenset((*review.searched, "least"))))
    else:  # what a review keeps is searched again from the data as they came
        say(
            f"Note: The search begins with the adopted set {printable(opened.first_set)!r}: detail lost is counted "
            "from there, and the review does not keep the search."
        )
    tables = found.tables()
    notes = (found.sentence, found.promise, *found.notes)
    for note in notes:
        say(f"Note: {note}")
    if options["as_json"] == Path("-"):
        click.echo(tables_to_json(opened, tables, notes, complete=found.complete))
    elif not options["quiet"]:
        print_frontier(found)
    if options["as_json"] and options["as_json"] != Path("-"):
        outputs.write(options["as_json"], tables_to_json(opened, tables, notes, complete=found.complete))
        say(f"Wrote {options['as_json']}")
    if found.cheapest is None:
        outputs.end([found.sentence])
    return opened, found.nearest.steps


def _adopted(opened: Opened, name: str, say: Callable[[str], None]) -> Opened:
    """Return the review with its safeguards adopted; what no longer fits, and what asks again, is said before."""
    from disclosure_core.review.adoption import adoption

    found = adoption(opened, name)
    for gone in found.gone:
        say(
            f"Warning: the exclusion {printable(gone)!r} does not fit the safer data and is not in the review any more."
        )
    for each in found.carried:
        say(f"The verdict on {printable(each.target)!r}, {printable(each.intruder)}: {each.sentence}.")
    for each in found.asked_again:
        say(f"Warning: the verdict on {printable(each.target)!r}, {printable(each.intruder)}: {each.sentence}.")
    return opened.with_review(found.review)


def _ask_of(codes: Sequence[MissingCode], *, merged: bool = False) -> None:
    """Ask about numbers that look like missing codes before anything changes them."""
    if not codes:
        return
    values = [f"{code.column}={code.value}" for code in codes]
    keep = "name it after the new level" if merged else f"--missing-code {' --missing-code '.join(values)}"
    also = "" if len(codes) == 1 else f" The same is asked of {', '.join(code.value for code in codes[1:])}."
    raise DisclosureError(
        f"{codes[0].undeclared}{also} Say what it is, then repeat the call: a code that stays apart ({keep}), or a "
        f"value like any other (--no-missing-code {' --no-missing-code '.join(values)})."
    )


def _with_steps(opened: Opened, steps: tuple[Step, ...], say: Callable[[str], None]) -> Opened:
    """Return the review with these safeguards taken, and warn where one changes nearly all values."""
    from disclosure_core.protection.safeguards import undeclared_codes
    from disclosure_core.protection.steps import MergeLevels

    for each in steps:
        _ask_of(undeclared_codes(opened.study(), each), merged=isinstance(each, MergeLevels))
    taken = opened.with_review(replace(opened.review, chain="").with_steps(steps, CHAIN))
    for done in taken.safeguarded().done:
        done.check()
        if done.doubt:
            say(f"Warning: {done.doubt}")
    return taken
