"""`disclosure assess`: files in, figures out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import acting, declared, inputs, outputs, saved_review, whole_review
from disclosure_core.cli.manual import Manual
from disclosure_core.cli.printed import of_identity
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.threat_model import GATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from disclosure_core.review.opened import Opened


@click.command(
    cls=Manual,
    short_help="Assess files, and print and write what they disclose.",
    epilog="Example: disclosure assess people.csv release.csv --keys sex,age,region --fail-if 'DiSCO>10'",
)
@click.argument("original", type=declared.PLACE, required=False, metavar="ORIGINAL")
@click.argument("synthetic", type=declared.PLACE, nargs=-1)
@declared.sets
@declared.assess_options
@declared.answers
@click.option(
    "--scenarios", type=click.Choice(["paper"]), help="Add the five sets of exclusions of the paper, side by side."
)
@click.option(
    "--search",
    multiple=True,
    type=click.Choice(["membership", "subsets", "strongest", "comparison"]),
    help="Search every subset of the keys, for membership or for DiSCO and repU, search for the strongest "
    "intruder, or compare sets and safeguards with "
    "their usefulness; report, tables and JSON then hold it.",
)
@whole_review.options
def assess(original: Path | None, synthetic: tuple[Path, ...], **options: Any) -> None:
    """Assess SYNTHETIC files against the ORIGINAL, and print what they disclose.

    Files of several methods are named by --set instead; figures are of the first set, and --search comparison sets all
    of them side by side. With --engine data larger than memory are counted where they are, folders of files among them.

    Exit status: 0 done; 1 a condition of --fail-if holds or has no answer, or --verify finds a difference or nothing to
    count; 2 the call or a file is wrong.
    """
    named = options.pop("named")
    if synthetic and named:
        raise DisclosureError("Name the set of each synthetic file: --set NAME FILE; or of none.")
    options |= {
        "files": (*([original] if original else []), *synthetic),
        "data": None,
        "other_data": False,
        "sets": inputs.sets_of(named, in_place=bool(options["engine"])),
    }
    if saved_review.is_review(options["files"]):
        raise DisclosureError("A saved review is repeated by `disclosure run`; give data files here.")
    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    answered = [n for n in ("population", "population_source", "motive") if options[n] is not None]
    answered += ["assume"] * any(text.partition("=")[0] in GATE for text in options["assume"])
    if answered and "membership" not in {*options["search"], *opened.review.searched}:
        spelt = ", ".join(map(acting.spelt, answered))
        say(f"Note: {spelt}: these answers act on membership alone, which is not searched; add --search membership.")
    shown = ("report", "appendix", "evidence", "save")
    if options["population_table"] is not None and not any(options[name] for name in shown):
        say("Note: --population-table stands in the report and the evidence file alone; add --report or --evidence.")
    if options["search"]:
        searched = opened.review.searched | frozenset(options["search"])
        opened = opened.with_review(replace(opened.review, searched=searched))
    if options["scenarios"]:
        from disclosure_core.review.scenarios import paper_scenarios, with_scenarios

        named_too = with_scenarios(opened.review.scenarios, paper_scenarios(opened.before()))
        opened = opened.with_review(replace(opened.review, scenarios=named_too))
    judged = opened.judged
    alone = judged.review.targets is None and not judged.stopped() and not judged.can_learn()
    write = _identity_alone if alone else whole_review.write_all
    outputs.end(write(opened, options, say))


_OF_TARGETS = (
    *("report", "appendix", "shareable", "figures", "exhibits", "evidence", "script", "verify", "search", "scenarios"),
    *("fail_if", "measure", "limits", "release", "answers", "one_way", "two_way", "exclude", "exclude_pair"),
    *("denominator_limit", "holdout", "split", "population", "population_table", "motive", "assume"),
)
"""Options that speak of targets."""


def _identity_alone(opened: Opened, options: Mapping[str, Any], say: Callable[[str], None]) -> list[str]:
    """Write the figures of identity alone, where every column is a key."""
    from disclosure_core.counting.identity import identity_alone

    def answer(of: Opened) -> outputs.Answer:
        study = of.printed.study()
        figures = identity_alone(study, of.printed.review.settings).reset_index()
        note = "Every column is a key, so identity alone is measured; to learn of a target, name fewer keys."
        return outputs.Answer({"identity": figures}, {of_identity(study.n_original): figures}, (note,))

    answer(opened)  # a key that is not there is said first
    needs = next((name for name in _OF_TARGETS if acting.was_given(options[name])), None)
    if needs is not None:
        raise DisclosureError(
            f"{acting.spelt(needs)} needs a target, a column that is not a key: name fewer keys, or remove it."
        )
    return outputs.write_judged(opened, answer, options, say)
