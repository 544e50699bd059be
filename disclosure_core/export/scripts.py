"""Scripts that repeat an assessment: in Python against this library, and in R against `synthpop`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from disclosure_core.data.demo import assets
from disclosure_core.data.grouping import end_of
from disclosure_core.data.study import AnyStudy, Kind
from disclosure_core.export.r_text import comment, literal, named_list, vector
from disclosure_core.review.saved import to_json

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.review.opened import Opened


_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = frozenset(
    {"target", "keys", "if", "else", "repeat", "while", "function", "for", "next", "break", "in"}
    | {"true", "false", "null", "inf", "nan", "na", "t", "f", "c"}
)


@dataclass(frozen=True, slots=True)
class Files:
    """Names of the files that a script reads.

    Attributes
    ----------
    original
        The original's file.
    synthetic
        One file a synthesis.
    fingerprints
        SHA-256 of each file, by name.
    """

    original: str
    synthetic: tuple[str, ...]
    fingerprints: Mapping[str, str] = field(default_factory=dict)


def python(opened: Opened) -> str:
    """Return a Python script that opens the same review of the same files, and prints its figures."""
    review = opened.review
    name = _py(review.name)[1:-1].replace('"', '\\"')  # three of them would end the text that it stands in
    return f'''"""Repeats a review of synthetic data: {name}. Needs the package `disclosure`.

Run it in the folder that holds the files. It names columns and levels of confidential data: keep it with them.
"""

from pathlib import Path

from disclosure_core.export.tables import of_review
from disclosure_core.review.opening import open_review
from disclosure_core.review.saved import from_json

REVIEW = {_py(to_json(review))}

opened = open_review(from_json(REVIEW), Path())
figures = of_review(opened)
for name, table in figures.items():
    print(name)
    print(table.to_string())
'''


def r_of(opened: Opened) -> str:
    """Return the R script of a review; see `r`."""
    review, study = opened.review, opened.study()
    names = [r.name for r in opened.readings()] or [review.name]
    marks = {r.name: r.sha256 for r in opened.readings() if r.sha256}
    columns = review.columns
    files = Files(names[0], tuple(names[1:]), marks)
    return r(study, opened.judged.review.settings, files, columns.missing_texts, columns.mends, _beyond(opened))


def _beyond(opened: Opened) -> tuple[str, ...]:
    """Return, for comments, what of a review R does not repeat."""
    review, said = opened.review, []
    if review.holdout is not None and review.holdout.kind == "split":
        share, seed = f"{review.holdout.share:.15g}", review.holdout.seed
        said.append(
            f"WARNING: {share} % of the original stood as the original (seed {seed}), the rest was held out. R does "
            "not draw the same people:"
        )
        said.append(
            f"write the parts with `disclosure split ORIGINAL --share {share} --seed {seed} --output parts`, and name "
            "the training part below; with the whole file every figure is another one."
        )
    if review.holdout is not None:
        said.append(
            "People outside the data: synthpop has no figures of them, nor differences, nor membership; none is below."
        )
    if opened.not_judged:
        said.append("What is excluded without a reason is counted below: these are the judged figures.")
    if opened.which_set:
        said.append(f"{comment(opened.which_set)} The others are not below.")
    if opened.which_adopted:
        said.append(f"WARNING: {comment(opened.which_adopted)}")
        said.append("R reads the files as they came, so that its figures are of them, and not of what was adopted.")
    for name, kind in review.columns.types.items():
        if kind in ("month", "year"):
            said.append(
                f"WARNING: {comment(repr(name))} is cut to the {kind}, which R does not repeat: cut it in the files "
                "first, or its figures are others."
            )
    if review.steps:
        said.append(
            f"The safeguards {comment(repr(review.chain))} are not repeated: figures are of the syntheses as they are."
        )
    if "strongest" in review.searched or review.hierarchies:
        said.append("Hierarchies of keys and the strongest intruder are not repeated: synthpop has none.")
    if review.tau is not None:
        said.append(f"The threshold τ = {review.tau:g} is not repeated: R knows none.")
    return tuple(said)


def r(
    study: AnyStudy,
    settings: Settings,
    files: Files,
    missing_texts: Mapping[str, Sequence[str]] | None = None,
    mends: Mapping[str, Sequence[str]] | None = None,
    beyond: Sequence[str] = (),
) -> str:
    """Return an R script of `synthpop` calls that give the same figures, with comments where R cannot.

    A call a target, because `multi.disclosure` passes target levels where key levels belong and forgets that there were
    several syntheses (faults 14 and 15). The script first gives every file the same levels and plain column names:
    R's tables then have the same rows (fault 1), nothing has to be adjusted, and no synthesis is dropped (fault 37).

    Parameters
    ----------
    study, settings, files, missing_texts, mends
        As for `python`; mends are named in a comment, for the user to repeat.
    beyond
        What else of a review R does not repeat, a sentence each, for comments.

    Source
    ------
    Arguments as in synthpop 1.9-3 and paper 000, sections 2 to 5.
    """
    keys = study.in_data_order(settings.keys)
    targets = study.in_data_order(settings.targets or [n for n in study.columns if n not in keys])
    columns = study.in_data_order((*keys, *targets))
    plain = _plain_names(columns)
    texts = {plain[n]: list(t) for n, t in (missing_texts or {}).items() if t and n in plain}
    kind = {n: study.columns[n].kind for n in columns}
    numbers = [n for n in columns if kind[n] is Kind.NUMBER]
    grouped = [n for n in numbers if _in_quantiles(settings, n)]
    cut = {n: at for n in numbers if isinstance(at := settings.group(n), tuple)}
    codes = {n: values for n, values in study.missing_codes.items() if n in cut}
    kinds = {
        "numbers": numbers,
        "whole": [n for n in numbers if study.columns[n].values.dtype.kind != "f"],
        "grouped": grouped,
        "dates": [n for n in columns if kind[n] is Kind.DATE],
        "days": [n for n in columns if kind[n] is Kind.DATE and not any("T" in v for v in study.columns[n].levels)],
        "logicals": [n for n in columns if _logical(study, n)],
        "of_keys": [n for n in keys if n not in grouped],
        "of_targets": [n for n in targets if n not in grouped],
    }
    lines = [
        "# Repeats an assessment with R's synthpop (1.9-0 or newer): one call a target.",
        "# Confidential: it may name levels that few people have.",
        *(
            f"# {comment(n)}: mended before it was compared ({', '.join(k)}); do the same first."
            for n, k in (mends or {}).items()
            if n in columns
        ),
        *(f"# {line}" for line in (*beyond, *_warnings(study, settings, files, keys, targets))),
        "library(synthpop)",
        "",
        f"columns <- {vector(columns)}",
        f"short <- {vector(plain.values())}  # what they are called here",
        *(f"{name} <- {vector(plain[n] for n in found)}" for name, found in kinds.items()),
        f"empty <- {named_list(texts)}",
        f"breaks <- {named_list({plain[n]: at for n, at in cut.items()})}  # own breaks",
        f"ends <- {named_list({plain[n]: map(end_of, at) for n, at in cut.items()})}",
        f"codes <- {named_list({plain[n]: values for n, values in codes.items()})}  # which stay as they are there",
        "",
        _r_of_every_script("read"),
        _r_of_every_script("prepare"),
        f"original <- read_all({literal(_file(files.original))})[[1]]",
        f"syntheses <- do.call(c, lapply({vector(_once(map(_file, files.synthetic)))}, read_all))",
        f"if (length(syntheses) != {study.n_syntheses})",
        f'  stop(length(syntheses), " syntheses were read, and {study.n_syntheses} were assessed.")',
        _r_of_every_script("align"),
        "found <- list()",
    ]
    for target in targets:
        arguments = _arguments(study, settings, keys, target, plain)
        listed = ",\n  ".join(f"{name} = {value}" for name, value in arguments.items())
        lines.append(f"found[[{literal(target)}]] <- disclosure(\n  {listed}\n)")
    return "\n".join([*lines, "", _r_of_every_script("print")])


def _r_of_every_script(part: str) -> str:
    """Return a part of R's script that no review changes."""
    return (assets() / "script" / f"{part}.R").read_text(encoding="utf-8")


def _arguments(
    study: AnyStudy, settings: Settings, keys: Sequence[str], target: str, plain: Mapping[str, str]
) -> dict[str, str]:
    """Return the arguments of one call of `disclosure`, as R text."""
    out = settings.exclusions
    arguments = {
        "object": "synthetic",
        "data": "original",
        "keys": vector(plain[k] for k in keys),
        "target": literal(plain[target]),
        "ngroups_target": str(_in_quantiles(settings, target)),
        "ngroups_keys": vector(_in_quantiles(settings, k) for k in keys),
        "usetargetNA": literal(target not in out.missing_targets),
        "usekeysNA": vector(k not in out.missing_keys for k in keys),
        "thresh_1way": vector(settings.thresholds.one_way),
        "thresh_2way": vector(settings.thresholds.two_way),
    }
    codes = {n: v for n, v in study.missing_codes.items() if n in (*keys, target) and _in_quantiles(settings, n)}
    if codes:
        arguments["cont.na"] = named_list({plain[n]: v for n, v in codes.items()})
    levels = out.levels_of(target)
    if levels:
        arguments["not.targetlev"] = literal(_level(study, target, levels[0]))  # R takes one
    pairs = out.pairs_of(target)
    if pairs:
        arguments["exclude.keys"] = vector(plain[p.key] for p in pairs)
        arguments["exclude.keylevs"] = vector(_level(study, p.key, p.key_level) for p in pairs)
        arguments["exclude.targetlevs"] = vector(_level(study, target, p.target_level) for p in pairs)
    if out.denominator_limit is not None:
        arguments |= {"denom_lim": str(out.denominator_limit), "exclude_ov_denom_lim": "TRUE"}
    return arguments | {"compare.synorig": "FALSE", "print.flag": "FALSE"}


def _in_quantiles(settings: Settings, name: str) -> int:
    """Return into how many groups R is to put a column; 0 of one that is cut at own breaks before R sees it."""
    groups = settings.group(name)
    return 0 if isinstance(groups, tuple) else groups


def _level(study: AnyStudy, name: str, level: str) -> str:
    """Return a level as R calls it: missing values are always "Missing" there."""
    if level == study.columns[name].missing_label:
        return "Missing"
    return level.upper() if _logical(study, name) else level


def _logical(study: AnyStudy, name: str) -> bool:
    """Return whether a column holds true and false, which every file writes in its own way."""
    column = study.columns[name]
    levels = [v.upper() for v in column.levels] if column.kind is Kind.CATEGORY and column.n_levels <= 2 else []
    return bool(levels) and set(levels) <= {"TRUE", "FALSE"} and len(set(levels)) == len(levels)


def _plain_names(columns: Sequence[str]) -> dict[str, str]:
    """Return, by column, a name that R neither rewrites nor uses itself: its own where it is one."""
    taken = {n for n in columns if _SAFE.fullmatch(n) and n.lower() not in _RESERVED}
    numbered = (f"column_{i}" for i in count(1))
    plain = {}
    for name in columns:
        plain[name] = name if name in taken else next(n for n in numbered if n not in taken)
    return plain


def _warnings(
    study: AnyStudy, settings: Settings, files: Files, keys: Sequence[str], targets: Sequence[str]
) -> list[str]:
    """Return comments on where R's figures would differ, by the faults that this assessment meets."""
    out, said = settings.exclusions, []
    for name in _once(map(_file, (files.original, *files.synthetic))):
        package = next((p for endings, p in _PACKAGES.items() if name.lower().endswith(endings)), "")
        if package:
            said.append(f"{comment(name)}: R reads it with the package {package}; without it, save the file as CSV.")
    intervals = [
        n
        for n in (*keys, *targets)
        if _in_quantiles(settings, n)
        and (out.levels_of(n) or any(n in (p.key, target) for target, pairs in out.pairs for p in pairs))
    ]
    if intervals:
        said.append(
            f"{', '.join(map(comment, intervals))}: an interval is excluded by name; R may write its ends with other "
            "digits, and then excludes nothing: compare the levels that it prints."
        )
    numeric = [n for n in targets if study.columns[n].kind is Kind.NUMBER and not settings.group(n)]
    alone = [n for n in numeric if not study.columns[n].counts[:, -1].any() and _only_in_original(study, n)]
    if alone:
        said.append(
            f"{', '.join(map(comment, alone))}: not grouped, and a value is absent from a synthesis. Without the "
            "common levels made below, R compares cells of different values; its DiSCO can be far too low (fault 1)."
        )
    several = [name for name, levels in out.target_levels if len(levels) > 1 and name in targets]
    if several:
        said.append(
            f"{', '.join(map(comment, several))}: R excludes one target level only, the first named; its figures "
            "are higher than ours (fault 24)."
        )
    declared = [n for n in targets if n in out.missing_targets] + [n for n in keys if n in out.missing_keys]
    declared = [n for n in declared if study.columns[n].missing_levels]
    if declared:
        said.append(
            f"{', '.join(map(comment, declared))}: levels that the file declares to be no answer are excluded with "
            "the missing values here; R counts those."
        )
    late = [
        n
        for n in targets
        if n in out.missing_targets and not study.columns[n].counts[0, -1] and study.columns[n].counts[1:, -1].any()
    ]
    if late:
        said.append(
            f"{', '.join(map(comment, late))}: missing in the synthetic data only; R leaves those in (fault 9)."
        )
    if out.missing_keys and len(keys) > 1:
        said.append(
            "usekeysNA and ngroups_keys follow the keys in the order of the data; R mixes others up (fault 10)."
        )
    if len(set(study.n_synthetic)) > 1 and any(_in_quantiles(settings, n) for n in (*keys, *targets)):
        said.append(
            "The syntheses differ in size: R stops when it groups (fault 32). Call it a synthesis at a time; the"
        )
        said.append("groups, made from all of them here, are then other ones.")
    bar = [n for n in (*keys, *targets) if any("|" in str(v) for v in study.columns[n].values.tolist())]
    if bar:
        said.append(f"{', '.join(map(comment, bar))}: levels that hold '|' break R's key combinations (faults 11, 33).")
    called = [n for n in (*keys, *targets) if "Missing" in study.columns[n].levels]
    if called:
        said.append(
            f"{', '.join(map(comment, called))}: a level is called Missing; R takes it for a missing value (fault 11)."
        )
    if out != type(out)():
        said.append("Exclusions of a target move R's UiO and repU too (fault 5); compare with risk.identity here.")
    if study.n_syntheses > 1:
        said.append("With several syntheses a flag of R's stays up for those that follow (fault 17).")
    said.append("R's TCAP is called TCAPi here; its DCAP is DCAPd.")
    return said


_PACKAGES = {
    (".parquet", ".feather", ".arrow"): "arrow",
    (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"): "haven",
    (".xlsx", ".xls"): "readxl",
    (".ods",): "readODS",
}
"""What R needs beyond its base, by the ending of a file."""


def _only_in_original(study: AnyStudy, name: str) -> bool:
    counts = study.columns[name].counts
    return any(((counts[0] > 0) & (side == 0)).any() for side in counts[1:])


def _file(name: str) -> str:
    """Return the file that a table was read from: what stands before " / " where a file holds several."""
    return name.split(" / ")[0]


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _py(value: object) -> str:
    """Return a literal that Python reads as this value."""
    return ascii(value)
