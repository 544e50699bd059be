"""What the options of a call say, read: parts of a review, with theirs in the place of what was there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.cli.acting import spelt, was_given
from disclosure_core.cli.declared import DELIMITERS
from disclosure_core.data.grouping import read_groups
from disclosure_core.data.placing import called
from disclosure_core.data.written import names, once, pair, pairs
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.data.readers import ReadOptions
    from disclosure_core.holdout.decision import Limits
    from disclosure_core.holdout.threat_model import ThreatModel
    from disclosure_core.review.parts import Columns
    from disclosure_core.sensitivity.bounds import Bounds


def limits_from(options: Mapping[str, Any], limits: Limits | None = None) -> Limits:
    """Return the office's limits with what the options say in the place of theirs."""
    from disclosure_core.holdout.decision import Limits, with_limit

    limits = limits or Limits()
    for measure, given in pairs(options["limits"], "--limit", "MEASURE=VALUES").items():
        text, now = f"{measure}={given}", limits.of(measure)
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


def bounds_from(options: Mapping[str, Any], bounds: Bounds, n_keys: int) -> Bounds:
    """Return how far the subsets of the keys are searched, as --all or --budget says."""
    from disclosure_core.sensitivity.bounds import MOST_SUBSETS

    if options["every"] and options["budget"] is not None:
        raise DisclosureError("--all and --budget say how far to search; give one of them.")
    if options["every"]:
        if 2**n_keys - 1 > MOST_SUBSETS:
            raise DisclosureError(
                f"There are {2**n_keys - 1:,} subsets of {n_keys} keys, too many for --all; name 20 keys at most, or "
                "give --budget."
            )
        return replace(bounds, subsets=max(2**n_keys - 1, 1))
    return bounds if options["budget"] is None else replace(bounds, subsets=options["budget"])


def read_options(options: Mapping[str, Any], file: Path | None = None) -> ReadOptions:
    """Return how a file is to be read, by what is said of all files and of it; without a file, of all."""
    from disclosure_core.data.readers import ReadOptions

    delimiter = options["delimiter"]
    if delimiter is not None:
        delimiter = DELIMITERS.get(delimiter, delimiter)
        if len(delimiter) != 1:
            raise DisclosureError(f"--delimiter is one letter or one of {', '.join(DELIMITERS)}, not {delimiter!r}.")
    encodings, headers = (_by_file(option, options) for option in ("encoding", "header"))
    header = _of_file(headers, file)
    wrong = next((value for value in headers.values() if value not in ("yes", "no")), None)
    if wrong is not None:
        raise DisclosureError(f"--header is yes or no, not {wrong!r}; write no, or FILE=no.")
    return ReadOptions(
        delimiter,
        None,
        _of_file(encodings, file),
        options["decimal"],
        options["sheet"],
        None if header is None else header == "yes",
    )


def _by_file(option: str, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the value of each FILE=VALUE; of a value that is said of all files, under no name."""
    said = ((name, value) for name, _, value in (text.rpartition("=") for text in options[option]))
    return once(said, f"--{option}", lambda name: repr(name) if name else "all files")


def _of_file(said: Mapping[str, str], file: Path | None) -> str | None:
    """Return what is said of a file, or else of all."""
    return next((said[name] for name in ([str(file), called(file)] if file else []) if name in said), said.get(""))


def check_files(options: Mapping[str, Any], files: Sequence[Path]) -> None:
    """Say where an option speaks of a file that is not among those given."""
    from disclosure_core.errors import not_found

    known = {each for path in files for each in (str(path), called(path))}
    for option in ("encoding", "header"):
        for name in _by_file(option, options):
            if name and name not in known:
                raise not_found(f"The file of --{option},", name, "among the files", [called(path) for path in files])


def columns_from(columns: Columns, options: Mapping[str, Any], names: Sequence[str] | None) -> Columns:
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
        for name, value in (pair(text, spelt(option), "COLUMN=VALUE", names) for text in options[option]):
            lists[option].setdefault(name, []).append(value)
    numbers = {name: list(values) for name, values in columns.numbers.items()}
    for name, value in (pair(text, "--no-missing-code", "COLUMN=VALUE", names) for text in options["no_missing_code"]):
        numbers.setdefault(name, []).append(_plain(name, value))
        if (name, value) in [pair(text, "--missing-code", "COLUMN=VALUE", names) for text in options["missing_code"]]:
            raise DisclosureError(f"{value} of {name!r} is named by --missing-code and --no-missing-code; remove one.")
        if name in lists["missing_code"]:  # a file may declare it
            lists["missing_code"][name] = [v for v in lists["missing_code"][name] if v != value]
    types = dict(columns.types)
    for name, kind in pairs(options["types"], "--type", "COLUMN=TYPE", names).items():
        if kind not in TYPES:
            raise not_found("Type", kind, "one that a column can have", TYPES)
        types[name] = kind
    for option, named in (("--type", types), ("--missing-text", lists["missing_text"]), ("--no-missing-code", numbers)):
        strange = next((name for name in named if names is not None and name not in names), None)
        if strange is not None:
            raise not_found(f"The column of {option},", strange, "in the data", names or ())
    codes = {name: tuple(dict.fromkeys(v)) for name, v in lists["missing_code"].items() if _numeric(types.get(name))}
    texts = {name: tuple(dict.fromkeys(v)) for name, v in lists["missing_text"].items()}
    known = {name: tuple(dict.fromkeys(v)) for name, v in numbers.items()}
    return replace(columns, mends=checked(mends), missing_codes=codes, missing_texts=texts, types=types, numbers=known)


def _plain(name: str, value: str) -> str:
    """Return a number as suggestions write it."""
    try:
        return f"{float(value):.15g}"
    except ValueError:
        raise DisclosureError(f"--no-missing-code names a number of {name!r}, not {value!r}; correct it.") from None


def _numeric(kind: str | None) -> bool:
    """Whether codes that a file declares still mean something of a column read so."""
    return kind in (None, "number")


def answers_from(
    options: Mapping[str, Any], threat_model: ThreatModel | None = None, assumptions: Mapping[str, str] | None = None
) -> tuple[ThreatModel, dict[str, str]]:
    """Return what is answered before membership, and of what the measures assume."""
    from disclosure_core.holdout.threat_model import GATE, MOTIVES, ThreatModel
    from disclosure_core.review.assumptions import ANSWERS, checked

    answers = pairs(options["assume"], "--assume", "WHAT=yes or WHAT=no")
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
        now["motive"] = MOTIVES[options["motive"]]
    return replace(threat_model or ThreatModel(), **now), checked({**(assumptions or {}), **answers})


def answered_by(options: Mapping[str, Any], columns: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give each place of a review that an option answers, and the option."""
    from disclosure_core.holdout.decision import PARTS
    from disclosure_core.holdout.threat_model import GATE
    from disclosure_core.review.about import OFFICER, TITLE
    from disclosure_core.review.reasons import OF_ALL

    for text in options.get("assume") or ():
        name = text.partition("=")[0]
        yield (("threat_model", GATE[name]) if name in GATE else ("assumptions", name)), "--assume"
    for text in options.get("reasons") or ():
        yield ("reasons", pair(text, "--reason", "NAME=TEXT", (*columns, *OF_ALL))[0]), "--reason"
    for text in options.get("limits") or ():
        part = PARTS[pair(text, "--limit", "MEASURE=VALUES")[0]]
        yield from ((("limits", part, value), "--limit") for value in ("absolute", "relative"))
        yield from ((("limits", part, n), f"--limit-{n}") for n in ("owner", "reason") if options[f"limit_{n}"])
    places: dict[str, tuple[str, ...]] = {
        "population": ("threat_model", "population_size"),
        "population_source": ("threat_model", "source"),
        "motive": ("threat_model", "motive"),
        "author": ("about", OFFICER),
        "title": ("about", TITLE),
        "release": ("released",),
    }
    yield from ((place, spelt(option)) for option, place in places.items() if was_given(options.get(option)))


def settings_from(settings: Settings, options: Mapping[str, Any], columns: Sequence[str] | None) -> Settings:
    """Return settings with what the options say in the place of theirs."""
    if options["keys"]:
        settings = replace(settings, keys=names(options["keys"]))
    if options["targets"]:
        settings = replace(settings, targets=names(options["targets"]))
    asked = pairs(options["group"], "--group", columns=columns)
    groups = {name: read_groups(name, value) for name, value in asked.items()}
    thresholds = replace(settings.thresholds, **thresholds_from(options))
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
    for key, key_level, target, level in pairs_from(options):
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


def pairs_from(options: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return key, level, target and level of each pair that is not counted."""
    found: list[tuple[str, ...]] = []
    for text in options["exclude_pair"]:
        parts = names(text)
        if len(parts) != 4:
            raise DisclosureError(f"--exclude-pair {text!r} has not four parts; write it as KEY,LEVEL,TARGET,LEVEL.")
        found.append(parts)
    return found


def thresholds_from(options: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the thresholds of the two checks that the options give, in records and percent."""
    found = {}
    for name in ("one_way", "two_way"):
        if options[name] is None:
            continue
        try:
            records, share = (float(part) for part in options[name].split(","))
        except ValueError:
            raise DisclosureError(
                f"{spelt(name)} {options[name]!r} is not two numbers; write records and percent: 50,90."
            ) from None
        found[name] = (int(records) if records.is_integer() else records, share)
    return found
