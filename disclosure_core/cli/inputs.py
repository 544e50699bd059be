"""Which data a command speaks of, and what it asks of them: options spelt alike for every command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli.manual import section
from disclosure_core.cli.steps import listed
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.data.readers import ReadOptions
    from disclosure_core.holdout.decision import Limits
    from disclosure_core.holdout.threat_model import ThreatModel
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Columns, Review

EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

GATE = {
    "same-population": "same_population",
    "membership-is-news": "news",
    "random-sample": "random_sample",
    "training-alone": "training_alone",
}
"""Questions that come before membership, by their name here, and the part of the review that holds the answer."""

MOTIVES = ("personal", "selection", "enforcement", "self-interest", "recognition", "profit", "nobody")
"""What an adversary may be after, in the order of `threat_model.Motive`."""

REASONED = ("missing keys", "denominators")
"""What has a reason beside columns: `Review.reasons`."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}

_OF_A_FILE = (
    click.option("--delimiter", help="Of a text file: comma, semicolon, tab, bar, space, or the letter itself."),
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark of a text file."),
    click.option("--encoding", help="Of a text file: utf-8, cp1252, latin-1, utf-16 …"),
    click.option("--sheet", help="Which sheet of a workbook; the first by default."),
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
        "--codebook", type=EXISTING, help="What the columns of all files hold: a table, DDI, or a file with labels."
    ),
    click.option(
        "--mend",
        multiple=True,
        metavar="COLUMN=KIND",
        help="Read a column alike on all sides: space, case, letters, labels, decimals, units, missing, dates, zone; "
        "several: a,b.",
    ),
)
_ASKED = (
    click.option("--keys", help="Columns that an outsider could know: a,b,c. One that holds a comma in double quotes."),
    click.option("--targets", help="Columns that could be learnt: a,b,c. All the others by default."),
    click.option("--group", multiple=True, metavar="COLUMN=N", help="Group a numeric column into N intervals."),
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
    click.option(
        "--denominator-limit",
        type=click.IntRange(1),
        metavar="N",
        help="Count only cells that so many original records, or fewer, share.",
    ),
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
    click.option("--holdout", type=EXISTING, metavar="FILE", help="People who were not synthesised, for the baseline."),
    click.option(
        "--holdout-is",
        type=click.Choice(["random-part", "other-people"]),
        help="Whether that file is a random part of the original; without it no part of a difference is shown.",
    ),
    click.option(
        "--split",
        type=click.FloatRange(0, 100, min_open=True, max_open=True),
        metavar="SHARE",
        help="Take SHARE % of the original as training part and hold the rest out, as `disclosure split` does.",
    ),
    click.option(
        "--seed", type=click.IntRange(0, 2**31 - 1), help="Of --split: the same seed gives the same parts; 1."
    ),
    click.option(
        "--population",
        type=click.IntRange(1),
        metavar="N",
        help="People in the population that the original was sampled from; membership needs it.",
    ),
    click.option("--population-source", metavar="TEXT", help="Where N is from."),
    click.option("--motive", type=click.Choice(MOTIVES), help="What an adversary is after; it weighs membership."),
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
        "--settings", "saved", type=EXISTING, help="A review or settings saved before; the options above override them."
    ),
)
_OPENED = (
    click.option("--data", type=FOLDER, help="Folder that holds the files that a saved review names."),
    click.option("--other-data", is_flag=True, help="Go on where a file is not the one the review was made with."),
)
_asked = section("What is asked", _ASKED)
_left_out = section("What is not counted", _LEFT_OUT)
_read = section("How files are read", _OF_A_FILE)
_read_columns = section("How columns are read", _OF_COLUMNS)
_outside = section("People outside, and what no file can tell", _OUTSIDE)
_of_the_office = section("The office's limits", _LIMITS)
sets = section("Several methods", _SETS)
_saved_before = section("A review saved before", _SAVED)
_opened = section("A saved review and its files", _OPENED)


def review_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that opens a saved review."""
    return _opened(command)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on how a file is read."""
    return _read(command)


def assess_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what `assess` asks of an original and its syntheses."""
    return _asked(_left_out(_read(_read_columns(_outside(_of_the_office(_saved_before(command)))))))


def files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the files of a command that takes an original and its syntheses, or a saved review in their place."""
    command = _opened(_asked(_left_out(_read(_read_columns(_outside(_of_the_office(command)))))))
    return click.argument("files", type=EXISTING, nargs=-1, required=True)(command)


def check(options: Mapping[str, Any]) -> None:
    """Say what of the call cannot be done, or would not be used, before anything is read."""
    if options.get("holdout") and options.get("split"):
        raise DisclosureError("--holdout and --split are two ways to one holdout; choose one of them.")
    unused(options, "seed", "split")
    unused(options, "holdout_is", "holdout")
    unused(options, "population_source", "population")
    for option in ("limit_owner", "limit_reason"):
        unused(options, option, "limit", there=bool(options["limits"]))
    files = options.get("files") or ()
    if is_review(files):
        if len(files) > 1:
            raise DisclosureError("A saved review names its files itself: remove the other files, and give --data.")
    elif "files" in options:
        if len(files) < 2 and not options.get("sets"):
            raise DisclosureError("Give the original and at least one synthetic file; or a saved review, a .json file.")
        unused(options, "data", "a saved review", there=False)
        unused(options, "other_data", "a saved review", there=False)
    threat_model, assumptions = _answers(options)
    _ = read_options(options), threat_model, assumptions, _thresholds(options), _pairs(options), _limits(options)


def unused(options: Mapping[str, Any], option: str, needs: str, *, there: bool | None = None) -> None:
    """Say that an option does nothing without another."""
    there = was_given(options.get(needs)) if there is None else there
    if was_given(options.get(option)) and not there:
        more = needs if " " in needs else f"--{needs.replace('_', '-')}"
        raise DisclosureError(
            f"--{option.replace('_', '-')} does nothing without {more}; add it, or remove this option."
        )


def was_given(value: object) -> bool:
    """Whether an option was given: 0 was."""
    return value is not None and value is not False and value != () and value != ""


def is_review(files: Sequence[Path]) -> bool:
    """Whether a saved review stands where files are named: no data are read from JSON."""
    return any(path.suffix.lower() == ".json" for path in files)


def open_data(options: Mapping[str, Any], say: Callable[[str], None]) -> Opened:
    """Return the review that a call asks for, opened with its files.

    Raises
    ------
    DisclosureError
        When the call is wrong, or as `start`, `open_review` and `Opened.with_holdout`.
    """
    from disclosure_core.review.opening import start
    from disclosure_core.review.value import SYNTHETIC, Review

    check(options)
    paths: Sequence[Path] = options["files"]
    if is_review(paths):
        opened = open_saved(paths[0], options, say)
    else:
        saved = _saved(options["saved"]) if options.get("saved") else Review()
        _ = _columns(saved.columns, options, None), _settings(saved.settings, options, None)  # mistakes come first
        heard: set[str] = set()

        def say_once(sentence: str, queued: bool) -> None:
            if not queued and sentence not in heard:
                heard.add(sentence)
                say(sentence)

        original, *synthetic = paths
        sets = options.get("sets") or {SYNTHETIC: [(path.name, path) for path in synthetic]}
        opened = start((original.name, original), sets, read_options(options), told=say_once)
        opened = opened.with_review(_taken_up(opened, saved))
    if options.get("codebook"):
        from disclosure_core.data.codebook import read_codebook
        from disclosure_core.review.codebooks import with_codebook

        opened = opened.with_review(with_codebook(opened, read_codebook(options["codebook"], options["codebook"].name)))
    opened = opened.with_review(_review_from(opened, options))
    if options["holdout"] is not None:
        from disclosure_core.review.opening import read_holdout

        path: Path = options["holdout"]
        say(f"Reading {path.name} …")
        reading, source = read_holdout(path.name, path, read_options(options), beside=opened.review)
        drawn = options["holdout_is"]
        opened = opened.with_holdout(reading, replace(source, random=None if drawn is None else drawn == "random-part"))
    return opened


def open_saved(path: Path, options: Mapping[str, Any], say: Callable[[str], None]) -> Opened:
    """Return a saved review opened with its files; each way in which they are not its own is said.

    Raises
    ------
    DisclosureError
        As `from_json` and `open_review`.
    """
    from disclosure_core.review.opening import open_review

    saved = _saved(path)
    say("Reading the files …")
    opened = open_review(saved, options["data"], other_data=options["other_data"])
    for sentence in opened.differences:
        say(f"Warning: {sentence}")
    return opened


def _saved(path: Path) -> Review:
    from disclosure_core.review.saved import from_json

    return from_json(path.read_text(encoding="utf-8", errors="replace"))


def _taken_up(opened: Opened, saved: Review) -> Review:
    """Return what was asked in a saved review of the files that were read now; codes that files declare are kept."""
    from disclosure_core.review.migrate import on_data_of

    now, columns = opened.review, opened.study().columns
    known = {name: codes for name, codes in saved.columns.missing_codes.items() if name in columns}
    codes = {
        name: tuple(dict.fromkeys((*now.columns.missing_codes.get(name, ()), *known.get(name, ()))))
        for name in (*now.columns.missing_codes, *known)
    }
    return replace(on_data_of(now, saved), columns=replace(saved.columns, missing_codes=codes))


def _review_from(opened: Opened, options: Mapping[str, Any]) -> Review:
    """Return the review with what the options say in the place of what it says."""
    from disclosure_core.review.intruders import with_keys
    from disclosure_core.review.value import Holdout

    review, columns = opened.review, tuple(opened.study().columns)
    threat_model, assumptions = _answers(options, review.threat_model, review.assumptions)
    review = replace(
        review, columns=_columns(review.columns, options, columns), threat_model=threat_model, assumptions=assumptions
    )
    if options["split"] is not None:
        review = replace(
            review,
            holdout=Holdout(
                "split", share=options["split"], seed=_SEED if options["seed"] is None else options["seed"]
            ),
        )
    review = replace(review, limits=_limits(options, review.limits))
    review = review.with_settings(_settings(review.settings, options, columns))
    reasons = dict(pair(text, "--reason", "NAME=TEXT", (*columns, *REASONED)) for text in options["reasons"])
    review = replace(review, reasons={**review.reasons, **reasons})
    if options["release"]:
        review = replace(review, released={**review.released, opened.first_set: _released(opened, options["release"])})
    # What each key adds is told in the order in which they were given.
    return with_keys(review, dict.fromkeys(names(options["keys"]))) if options["keys"] else review


def _released(opened: Opened, named: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the syntheses that are released, named by file or number."""
    from disclosure_core.errors import not_found

    m, found = len(opened.study().n_synthetic), set()
    files = [r.name for r in opened.readings()[1:]]
    for name in named:
        number = int(name) if name.isdecimal() and name not in files else files.index(name) + 1 if name in files else 0
        if not 1 <= number <= m:
            raise not_found("The synthesis of --release-file,", name, "among the syntheses", files)
        found.add(number)
    return tuple(sorted(found))


_SEED = 1


def sets_of(named: Iterable[tuple[str, Path]]) -> dict[str, list[tuple[str, Path]]]:
    """Return, by the name of a set, its files; a folder stands for the data files in it.

    Raises
    ------
    DisclosureError
        When a folder holds no data file.
    """
    from disclosure_core.data.readers import EXTENSIONS

    sets: dict[str, list[tuple[str, Path]]] = {}
    for name, path in named:
        given = [path]
        if path.is_dir():
            given = sorted(p for p in path.iterdir() if p.is_file() and p.suffix.lower() in EXTENSIONS)
            if not given:
                raise DisclosureError(f"The folder {path} holds no data file; name another.")
        sets.setdefault(name, []).extend((each.name, each) for each in given)
    return sets


def _limits(options: Mapping[str, Any], limits: Limits | None = None) -> Limits:
    """Return the office's limits with what the options say in the place of theirs."""
    from disclosure_core.holdout.decision import Limits, with_limit

    limits = limits or Limits()
    for text in options["limits"]:
        measure, given = pair(text, "--limit", "MEASURE=VALUES")
        now = limits.of(measure)
        form = "0.2" if measure == "F_rel" else "20,3"
        parts = [part.strip() for part in given.split(",")]
        if len(parts) != (1 if measure == "F_rel" else 2):
            raise DisclosureError(f"--limit {text!r} cannot be read; write it as {measure}={form}.")
        try:
            values = [float(part.rstrip("% ")) if part else None for part in parts]
        except ValueError:
            raise DisclosureError(f"--limit {text!r} is not a number; write it as {measure}={form}.") from None
        limits = with_limit(
            limits,
            measure,
            replace(
                now,
                absolute=None if measure == "F_rel" else values[0],
                relative=values[-1],
                owner=options["limit_owner"] or now.owner,
                reason=options["limit_reason"] or now.reason,
                as_written=measure != "F_rel" and any(part.endswith("%") for part in parts),
            ),
        )
    question = next(iter(limits.questions().values()), "") if options["limits"] else ""
    if question:
        raise DisclosureError(f"{question} Write the first with its sign, as 0.6%, or else the second.")
    return limits


def read_options(options: Mapping[str, Any]) -> ReadOptions:
    """Return how files are to be read."""
    from disclosure_core.data.readers import ReadOptions

    delimiter = options["delimiter"]
    if delimiter is not None:
        delimiter = DELIMITERS.get(delimiter, delimiter)
        if len(delimiter) != 1:
            raise DisclosureError(f"--delimiter is one letter or one of {', '.join(DELIMITERS)}, not {delimiter!r}.")
    return ReadOptions(delimiter, None, options["encoding"], options["decimal"], options["sheet"])


def _columns(columns: Columns, options: Mapping[str, Any], names: Sequence[str] | None) -> Columns:
    """Return what was decided of columns, with what the options say of them."""
    from disclosure_core.data.mending import checked
    from disclosure_core.data.suggestions import TYPES
    from disclosure_core.errors import not_found

    mends: dict[str, list[str]] = {name: list(kinds) for name, kinds in columns.mends.items()}
    for name, kinds in (pair(text, "--mend", "COLUMN=KIND", names) for text in options["mend"]):
        mends.setdefault(name, []).extend(kind.strip() for kind in kinds.split(","))
    lists = {}
    for option in ("missing_code", "missing_text"):
        held = getattr(columns, f"{option}s")
        lists[option] = {name: list(values) for name, values in held.items()}
        for name, value in (pair(text, _spelt(option), "COLUMN=VALUE", names) for text in options[option]):
            lists[option].setdefault(name, []).append(value)
    types = dict(columns.types)
    for name, kind in (pair(text, "--type", "COLUMN=TYPE", names) for text in options["types"]):
        if kind not in TYPES:
            raise not_found("Type", kind, "one that a column can have", TYPES)
        types[name] = kind
    for option, named in (("--type", types), ("--missing-text", lists["missing_text"])):
        strange = next((name for name in named if names is not None and name not in names), None)
        if strange is not None:
            raise not_found(f"The column of {option},", strange, "in the data", names or ())
    codes = {name: tuple(dict.fromkeys(v)) for name, v in lists["missing_code"].items() if _numeric(types.get(name))}
    texts = {name: tuple(dict.fromkeys(v)) for name, v in lists["missing_text"].items()}
    return replace(columns, mends=checked(mends), missing_codes=codes, missing_texts=texts, types=types)


def _numeric(kind: str | None) -> bool:
    """Whether codes that a file declares still mean something of a column read so."""
    return kind in (None, "number")


def _answers(
    options: Mapping[str, Any], threat_model: ThreatModel | None = None, assumptions: Mapping[str, str] | None = None
) -> tuple[ThreatModel, dict[str, str]]:
    """Return what is answered before membership, and of what the measures assume."""
    from disclosure_core.holdout.threat_model import Motive, ThreatModel
    from disclosure_core.review.assumptions import ANSWERS, checked

    answers = dict(pair(text, "--assume", "WHAT=yes or WHAT=no") for text in options["assume"])
    now: dict[str, Any] = {}
    for name in [name for name in answers if name in GATE]:
        answer = answers.pop(name)
        if answer not in ANSWERS:
            raise DisclosureError(f"The answer to {name!r} is yes or no, not {answer!r}.")
        now[GATE[name]] = answer == "yes"
    if options["population"] is not None:
        now["population_size"] = options["population"]
    if options["population_source"] is not None:
        now["source"] = options["population_source"]
    if options["motive"] is not None:
        now["motive"] = dict(zip(MOTIVES, Motive, strict=True))[options["motive"]]
    return replace(threat_model or ThreatModel(), **now), checked({**(assumptions or {}), **answers})


def _settings(settings: Settings, options: Mapping[str, Any], columns: Sequence[str] | None) -> Settings:
    """Return settings with what the options say in the place of theirs."""
    if options["keys"]:
        settings = replace(settings, keys=names(options["keys"]))
    if options["targets"]:
        settings = replace(settings, targets=names(options["targets"]))
    pairs = (pair(text, "--group", "COLUMN=VALUE", columns) for text in options["group"])
    groups = {name: _whole(value, name) for name, value in pairs}
    thresholds = replace(settings.thresholds, **_thresholds(options))
    return replace(
        settings,
        groups=dict(settings.groups) | groups,
        thresholds=thresholds,
        exclusions=_exclusions(settings, options, columns),
    )


def _exclusions(settings: Settings, options: Mapping[str, Any], columns: Sequence[str] | None) -> Exclusions:
    from disclosure_core.counting.settings import Pair
    from disclosure_core.errors import not_found

    out = settings.exclusions
    for target, level in (pair(text, "--exclude", "TARGET=LEVEL", columns) for text in options["exclude"]):
        out = out.with_levels(target, {*out.levels_of(target), level})
    for key, key_level, target, level in _pairs(options):
        out = out.with_pairs(target, {*out.pairs_of(target), Pair(key, key_level, level)})
    for name in options["exclude_missing"]:
        if columns is not None and name not in columns:
            raise not_found("The column of --exclude-missing,", name, "in the data", columns)
        if name in settings.keys:
            out = replace(out, missing_keys=out.missing_keys | {name})
        else:
            out = replace(out, missing_targets=out.missing_targets | {name})
    if options["denominator_limit"] is not None:
        out = replace(out, denominator_limit=options["denominator_limit"])
    return out


def _pairs(options: Mapping[str, Any]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for text in options["exclude_pair"]:
        parts = names(text)
        if len(parts) != 4:
            raise DisclosureError(f"--exclude-pair {text!r} has not four parts; write it as KEY,LEVEL,TARGET,LEVEL.")
        found.append(parts)
    return found


def _thresholds(options: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    found = {}
    for name in ("one_way", "two_way"):
        if options[name] is None:
            continue
        try:
            records, share = (float(part) for part in options[name].split(","))
        except ValueError:
            raise DisclosureError(
                f"{_spelt(name)} {options[name]!r} is not two numbers; write records and percent: 50,90."
            ) from None
        found[name] = (int(records) if records.is_integer() else records, share)
    return found


def _spelt(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas; a name that holds one stands in double quotes."""
    return tuple(name.strip() for name in listed(text) if name.strip())


def pair(text: str, option: str, form: str = "COLUMN=VALUE", columns: Sequence[str] | None = None) -> tuple[str, str]:
    """Return name and value of NAME=VALUE; both may hold an equals sign where the columns tell which is the name."""
    parts = text.split("=")
    cuts = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(len(parts) - 1, 0, -1)]
    known = [(name, value) for name, value in cuts if name in (columns or ()) and value]
    name, value = next(iter(known or cuts), ("", ""))
    if not name or not value:
        raise DisclosureError(f"{option} {text!r} has no value; write it as {form}.")
    return name, value


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DisclosureError(f"The number of groups of {name!r} must be a whole number, not {text!r}.") from None
