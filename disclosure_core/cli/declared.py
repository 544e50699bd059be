"""The options on data and on what is asked of them, declared once: spelt alike for every command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import engine
from disclosure_core.cli.from_models import option
from disclosure_core.cli.manual import section
from disclosure_core.counting.settings import Exclusions
from disclosure_core.holdout.threat_model import MOTIVES, ThreatModel
from disclosure_core.parameters import declared
from disclosure_core.review.parts import Holdout
from disclosure_core.sensitivity.bounds import Bounds

if TYPE_CHECKING:
    from collections.abc import Callable

EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
PLACE = click.Path(exists=True, path_type=Path)
"""A file; with --engine a folder as well."""
PLACE.name = "file"  # what an error calls it
PEOPLE = click.Path(path_type=Path)
"""The same, or a table of an engine; `engine.check` sees to it that a file is there."""
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}

_OF_A_FILE = (
    click.option("--delimiter", help="Of a text file: comma, semicolon, tab, bar, space, or the letter itself."),
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark of a text file."),
    click.option(
        "--encoding",
        multiple=True,
        metavar="[FILE=]NAME",
        help="Of text files, .por, .xpt and old .dta: utf-8, cp1252, latin-1, cp850 …; repeat it with FILE= for one "
        "file. A file that says itself how its texts are encoded is read so.",
    ),
    click.option("--sheet", help="Which sheet of a workbook; the first by default."),
    click.option(
        "--header",
        multiple=True,
        metavar="[FILE=]yes|no",
        help="Whether the first row of text files and sheets holds the names of the columns; no: they are V1, V2 …",
    ),
)
_OF_COLUMNS = (
    click.option(
        "--missing-text", multiple=True, metavar="COLUMN=TEXT", help="A text that stands for an empty cell: job=NA."
    ),
    click.option(
        "--type",
        "types",
        multiple=True,
        metavar="COLUMN=TYPE",
        help="Read a column as number, category, date, month or year.",
    ),
    click.option(
        "--missing-code",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="A number that stands for “no answer”: income=-8. It stays a level of its own in a grouped column.",
    ),
    click.option(
        "--no-missing-code",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="A number that looks like such a code and is an answer: it is grouped and capped like any other.",
    ),
    click.option(
        "--codebook",
        type=EXISTING,
        help="What the columns of all files hold: a table, DDI, a Frictionless data package, metadata of SDV, a SAS "
        "catalogue, or a file with labels.",
    ),
    click.option(
        "--mend",
        multiple=True,
        metavar="COLUMN=KIND",
        help="Read a column alike on all sides: encoding, letters, space, affix, parts, accents, zeros, punctuation, "
        "case, missing, labels, names, units, decimals, dates, zone, minute, hour, day, week, month, quarter, "
        "year, start; several: a,b.",
    ),
    click.option(
        "--really-different",
        multiple=True,
        metavar="COLUMN",
        help="Evaluate what rests on a column whose values do not meet: they really differ. Kept, and printed.",
    ),
)
_ASKED = (
    click.option(
        "--keys",
        help="Columns that an intruder could know: a,b,c. One with a comma, or a blank at an end, in double quotes.",
    ),
    click.option("--targets", help="Columns that could be learnt: a,b,c. All the others by default."),
    click.option(
        "--group",
        multiple=True,
        metavar="COLUMN=N",
        help="Group a numeric column into N intervals; or at your own breaks: age=0,18,65 (one alone: age=at 18).",
    ),
    click.option(
        "--one-way", metavar="N,PERCENT", help="When the 1-way check flags: more than N records and PERCENT; 50,90."
    ),
    click.option(
        "--two-way", metavar="N,PERCENT", help="When the 2-way check flags: more than N records and PERCENT; 4,80."
    ),
)
_LEFT_OUT = (
    click.option(
        "--exclude", multiple=True, metavar="TARGET=LEVEL", help="Do not count a level of a target: abroad=No."
    ),
    click.option(
        "--exclude-missing",
        multiple=True,
        metavar="COLUMN",
        help="Do not count missing values of a key or of a target.",
    ),
    click.option(
        "--exclude-pair",
        multiple=True,
        metavar="KEY,LEVEL,TARGET,LEVEL",
        help="Do not count a key level with a target level: age,16,marital,Single.",
    ),
    option("denominator_limit", declared(Exclusions, "denominator_limit")),
    click.option(
        "--reason",
        "reasons",
        multiple=True,
        metavar="NAME=TEXT",
        help="Why something is not counted: of a target, 'missing keys' or 'denominators'. What has none acts on no "
        "judged figure.",
    ),
)
_OUTSIDE = (
    click.option("--holdout", type=PEOPLE, metavar="FILE", help="People who were not synthesised, for the baseline."),
    click.option(
        "--holdout-is",
        type=click.Choice(["random-part", "other-people"]),
        help="Whether that file is a random part of the original; without it no part of a difference is shown.",
    ),
    option(
        "split",
        declared(
            Holdout,
            "share",
            description="Take SHARE % of the original as training part and hold the rest out, as `disclosure split` "
            "does.",
            json_schema_extra={"metavar": "SHARE"},
        ),
    ),
    option("seed", declared(Holdout, "seed", description="Of --split: the same seed gives the same parts; 1.")),
    option(
        "population",
        declared(
            ThreatModel,
            "population_size",
            description="People in the population that the original was sampled from; membership needs it.",
        ),
    ),
    click.option(
        "--population-table",
        type=EXISTING,
        metavar="FILE",
        help="The population counted by the keys: their columns, and one called count.",
    ),
    click.option("--population-source", metavar="TEXT", help="Where N is from."),
    click.option("--motive", type=click.Choice(MOTIVES), help="What an intruder is after; it weighs membership."),
    click.option(
        "--assume",
        multiple=True,
        metavar="WHAT=yes|no",
        help="Answer what no file can tell: all-synthetic, one-row-one-person, labelled; and before membership: "
        "same-population, membership-is-news, random-sample, training-alone.",
    ),
)
_SETS = (
    click.option(
        "--set",
        "named",
        type=(str, click.Path(exists=True, path_type=Path)),
        multiple=True,
        metavar="NAME FILE",
        help="A file, or a folder of files, of the set NAME; repeat it. Files of one NAME are one set.",
    ),
)
_LIMITS = (
    click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="MEASURE=VALUES",
        help="The office's limits: DiSCO=20,3 (or DCAP) for above 20 % of the members and 3 points above people "
        "outside; F_rel=0.2. A value below 1 % with its sign: 0.6%.",
    ),
    click.option("--limit-owner", metavar="TEXT", help="Whose limits they are."),
    click.option("--limit-reason", metavar="TEXT", help="Why these values."),
    click.option(
        "--release-file",
        "release",
        multiple=True,
        metavar="NAME|NUMBER",
        help="Which synthesis is released, by its file's name or its number from 1; limits judge it beside the mean. "
        "Repeat it for several that are released together.",
    ),
)
_SAVED = (
    click.option(
        "--settings", "saved", type=EXISTING, help="A saved review, or a part of one; the options above override it."
    ),
)
_OPENED = (
    click.option("--data", type=FOLDER, help="Folder that holds the files that a saved review names."),
    click.option("--other-data", is_flag=True, help="Go on where a file is not the one the review was made with."),
)
subsets = section(
    "How far is searched",
    (
        click.option("--all", "every", is_flag=True, help="Search every subset of the keys, however many there are."),
        option("budget", declared(Bounds, "subsets")),
    ),
)
_asked = section("What is asked", _ASKED)
_left_out = section("What is not counted", _LEFT_OUT)
reading = section("How files are read", _OF_A_FILE)
_read_columns = section("How columns are read", _OF_COLUMNS)
_outside = section("People outside, and what no file can tell", _OUTSIDE)
_of_the_office = section("The office's limits", _LIMITS)
sets = section("Several methods", _SETS)
again_outside = click.option("--holdout", type=PEOPLE, metavar="FILE", help="Of --engine: people outside, named again.")
"""Of a saved review of data in an engine, which holds no address."""
_saved_before = section("A review saved before", _SAVED)
answers = section(
    "Answers that no file gives",
    (
        click.option(
            "--answers",
            type=EXISTING,
            help="Reasons, assumptions, limits, answers on the release, and verdicts: a part of a review, a .toml or "
            ".json file that `disclosure answers` begins. What an option says too is refused.",
        ),
    ),
)
opened = section("A saved review and its files", _OPENED)


def assess_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what `assess` asks of an original and its syntheses."""
    return _asked(_left_out(reading(_read_columns(_outside(_of_the_office(_saved_before(engine.options(command))))))))


def files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the files of a command that takes an original and its syntheses, or a saved review in their place."""
    command = opened(_asked(_left_out(reading(_read_columns(_outside(_of_the_office(engine.options(command))))))))
    return click.argument("files", type=PLACE, nargs=-1)(command)
