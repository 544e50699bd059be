"""Scripts that repeat an assessment: in Python against this library, and in R against `synthpop`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from disclosure_core.study import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from disclosure_core.settings import Settings
    from disclosure_core.study import Study


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


def python(
    study: Study,
    settings: Settings,
    files: Files,
    missing_texts: Mapping[str, Sequence[str]] | None = None,
    types: Mapping[str, str] | None = None,
) -> str:
    """Return a Python script that prints the assessment's identity figures and summary.

    Parameters
    ----------
    study, settings
        What was assessed, and what was asked.
    files
        The files' names, as `Reading.name` gives them.
    missing_texts, types
        Texts that stand for an empty cell, and types, by column, as decided on the Data page (`meaning`).
    """
    codes = {name: list(values) for name, values in study.missing_codes.items()}
    decided = {name: list(texts) for name, texts in (missing_texts or {}).items() if texts}
    uses = "from disclosure_core import Settings, Study, assess\n"
    made = "frame"
    if decided:
        made = f"meaning.apply_missing_texts({made}, {_py(decided)})"
    if types:
        made = f"meaning.retype({made}, {_py(dict(types))})"
    if decided or types:
        uses = uses.replace("Study, assess", "Study, assess, meaning")
    return f'''"""Repeats an assessment of synthetic data. Needs the package `disclosure`."""

from pathlib import Path

{uses}from disclosure_core.readers import read

ORIGINAL = {_py(_file(files.original))}
SYNTHETIC = {_py(_once(map(_file, files.synthetic)))}


def tables(name):
    """Return the tables of a file; a zip or a list in R holds several."""
    frames = [reading.frame for reading in read(Path(name), Path(name).name)]
    return [{made} for frame in frames]


(original,) = tables(ORIGINAL)
syntheses = [table for name in SYNTHETIC for table in tables(name)]
study = Study(original, syntheses, missing_codes={_py(codes)})
settings = Settings.from_json({_py(settings.to_json())})
found = assess(study, settings)
print(found.identity.to_string())
print(found.summary().to_string())
'''


def r(study: Study, settings: Settings, files: Files, missing_texts: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return an R script of `synthpop` calls that give the same figures, with comments where R cannot.

    A call a target, because `multi.disclosure` passes target levels where key levels belong and forgets that there were
    several syntheses (faults 14 and 15). The script first gives every file the same levels and plain column names:
    R's tables then have the same rows (fault 1), nothing has to be adjusted, and no synthesis is dropped (fault 37).

    Parameters
    ----------
    study, settings, files, missing_texts
        As for `python`.

    Source
    ------
    Arguments as in synthpop 1.9-3 and paper 000, sections 2 to 5.
    """
    keys = study.in_data_order(settings.keys)
    targets = study.in_data_order(settings.targets or [n for n in study.columns if n not in keys])
    columns = study.in_data_order((*keys, *targets))
    plain = _plain_names(columns)
    texts = {plain[n]: list(t) for n, t in (missing_texts or {}).items() if t and n in plain}
    numbers = [n for n in columns if study.columns[n].kind is Kind.NUMBER]
    grouped = [n for n in numbers if settings.group(n)]
    kinds = {
        "numbers": numbers,
        "grouped": grouped,
        "of_keys": [n for n in keys if n not in grouped],
        "of_targets": [n for n in targets if n not in grouped],
    }
    lines = [
        "# Repeats an assessment with R's synthpop (1.9-0 or newer): one call a target.",
        *(f"# {line}" for line in _warnings(study, settings, files, keys, targets)),
        "library(synthpop)",
        "",
        f"columns <- {_vector(columns)}",
        f"short <- {_vector(plain.values())}  # what they are called here",
        *(f"{name} <- {_vector(plain[n] for n in found)}" for name, found in kinds.items()),
        f"empty <- list({', '.join(f'{_name(n)} = {_vector(t)}' for n, t in texts.items())})",
        "",
        _PREPARE,
        f"original <- read_one({_r(_file(files.original))})",
        f"syntheses <- lapply({_vector(_once(map(_file, files.synthetic)))}, read_one)",
        _ALIGN,
        "found <- list()",
    ]
    for target in targets:
        arguments = _arguments(study, settings, keys, target, plain)
        listed = ",\n  ".join(f"{name} = {value}" for name, value in arguments.items())
        lines.append(f"found[[{_r(target)}]] <- disclosure(\n  {listed}\n)")
    return "\n".join([*lines, "", _PRINT])


_PREPARE = """\
read_one <- function(name) {
  x <- if (grepl("[.]rds$", name)) readRDS(name) else
    read.csv(name, na.strings = "", check.names = FALSE, colClasses = "character", fileEncoding = "UTF-8-BOM")
  x <- as.data.frame(lapply(x[columns], as.character), col.names = short, stringsAsFactors = FALSE)
  for (n in names(empty)) x[[n]][x[[n]] %in% empty[[n]]] <- NA
  # Numbers are compared as numbers: 1, 1.0 and 1e0 are one value.
  for (n in numbers) x[[n]] <- as.numeric(x[[n]])
  for (n in setdiff(numbers, grouped)) x[[n]] <- ifelse(is.na(x[[n]]), NA, formatC(x[[n]], digits = 15, format = "g"))
  x
}
"""

_ALIGN = """
# One set of levels for all files, so that the rows of R's tables are the same ones.
for (n in of_targets) {
  levels_of_n <- sort(unique(unlist(lapply(c(list(original), syntheses), function(x) x[[n]]))))
  original[[n]] <- factor(original[[n]], levels = levels_of_n)
  syntheses <- lapply(syntheses, function(x) { x[[n]] <- factor(x[[n]], levels = levels_of_n); x })
}
# Keys keep the levels of their own file: R counts an unused level of a single key as present.
for (n in of_keys) {
  original[[n]] <- factor(original[[n]])
  syntheses <- lapply(syntheses, function(x) { x[[n]] <- factor(x[[n]]); x })
}
synthetic <- if (length(syntheses) == 1) syntheses[[1]] else syntheses
"""

_PRINT = """\
for (name in names(found)) {
  cat("\\n", name, "\\n", sep = "")
  print(found[[name]]$ident, digits = 15)
  print(found[[name]]$attrib, digits = 15)
  print(found[[name]]$allCAPs, digits = 15)
  print(found[[name]]$check_1way)
  print(found[[name]]$check_2way)
}
"""


def _arguments(
    study: Study, settings: Settings, keys: Sequence[str], target: str, plain: Mapping[str, str]
) -> dict[str, str]:
    """Return the arguments of one call of `disclosure`, as R text."""
    out = settings.exclusions
    arguments = {
        "object": "synthetic",
        "data": "original",
        "keys": _vector(plain[k] for k in keys),
        "target": _r(plain[target]),
        "ngroups_target": str(settings.group(target)),
        "ngroups_keys": _vector(settings.group(k) for k in keys),
        "usetargetNA": _r(target not in out.missing_targets),
        "usekeysNA": _vector(k not in out.missing_keys for k in keys),
        "thresh_1way": _vector(settings.thresholds.one_way),
        "thresh_2way": _vector(settings.thresholds.two_way),
    }
    codes = {n: v for n, v in study.missing_codes.items() if n in (*keys, target) and settings.group(n)}
    if codes:
        arguments["cont.na"] = "list(" + ", ".join(f"{_name(plain[n])} = {_vector(v)}" for n, v in codes.items()) + ")"
    levels = out.levels_of(target)
    if levels:
        arguments["not.targetlev"] = _r(_level(study, target, levels[0]))
    pairs = out.pairs_of(target)
    if pairs:
        arguments["exclude.keys"] = _vector(plain[p.key] for p in pairs)
        arguments["exclude.keylevs"] = _vector(_level(study, p.key, p.key_level) for p in pairs)
        arguments["exclude.targetlevs"] = _vector(_level(study, target, p.target_level) for p in pairs)
    if out.denominator_limit is not None:
        arguments |= {"denom_lim": str(out.denominator_limit), "exclude_ov_denom_lim": "TRUE"}
    return arguments | {"compare.synorig": "FALSE", "print.flag": "FALSE"}


def _level(study: Study, name: str, level: str) -> str:
    """Return a level as R calls it: missing values are always "Missing" there."""
    return "Missing" if level == study.columns[name].missing_label else level


def _plain_names(columns: Sequence[str]) -> dict[str, str]:
    """Return, by column, a name that R neither rewrites nor uses itself: its own where it is one."""
    taken = {n for n in columns if _SAFE.fullmatch(n) and n.lower() not in _RESERVED}
    numbered = (f"column_{i}" for i in count(1))
    plain = {}
    for name in columns:
        plain[name] = name if name in taken else next(n for n in numbered if n not in taken)
    return plain


def _warnings(study: Study, settings: Settings, files: Files, keys: Sequence[str], targets: Sequence[str]) -> list[str]:
    """Return comments on where R's figures would differ, by the faults that this assessment meets."""
    out, said = settings.exclusions, []
    not_csv = [
        n for n in _once(map(_file, (files.original, *files.synthetic))) if not n.lower().endswith((".csv", ".rds"))
    ]
    if not_csv:
        listed = ", ".join(map(_comment, not_csv))
        said.append(f"{listed}: save as CSV (commas, a header, empty where missing), and name that file below.")
    numeric = [n for n in targets if study.columns[n].kind is Kind.NUMBER and not settings.group(n)]
    alone = [n for n in numeric if not study.columns[n].counts[:, -1].any() and _only_in_original(study, n)]
    if alone:
        said.append(
            f"{', '.join(map(_comment, alone))}: not grouped, and a value is absent from a synthesis. Without the "
            "common levels made below, R compares cells of different values; its DiSCO can be far too low (fault 1)."
        )
    several = [name for name, levels in out.target_levels if len(levels) > 1 and name in targets]
    if several:
        said.append(
            f"{', '.join(map(_comment, several))}: R leaves out one target level only, the first named; its figures "
            "are higher than ours (fault 24)."
        )
    late = [
        n for n in targets if n in out.missing_targets and not study.columns[n].counts[0, -1]
        and study.columns[n].counts[1:, -1].any()
    ]  # fmt: skip
    if late:
        said.append(
            f"{', '.join(map(_comment, late))}: missing in the synthetic data only; R leaves those in (fault 9)."
        )
    if out.missing_keys and len(keys) > 1:
        said.append(
            "usekeysNA and ngroups_keys follow the keys in the order of the data; R mixes others up (fault 10)."
        )
    if len(set(study.n_synthetic)) > 1 and any(settings.group(n) for n in (*keys, *targets)):
        said.append(
            "The syntheses differ in size: R stops when it groups (fault 32). Call it a synthesis at a time; the"
        )
        said.append("groups, made from all of them here, are then other ones.")
    bar = [n for n in (*keys, *targets) if any("|" in str(v) for v in study.columns[n].values.tolist())]
    if bar:
        said.append(
            f"{', '.join(map(_comment, bar))}: levels that hold '|' break R's key combinations (faults 11, 33)."
        )
    called = [n for n in (*keys, *targets) if "Missing" in study.columns[n].levels]
    if called:
        said.append(
            f"{', '.join(map(_comment, called))}: a level is called Missing; R takes it for a missing value (fault 11)."
        )
    if out != type(out)():
        said.append("Exclusions of a target move R's UiO and repU too (fault 5); compare with risk.identity here.")
    if study.n_syntheses > 1:
        said.append("With several syntheses a flag of R's stays up for those that follow (fault 17).")
    said.append("R's TCAP is called TCAPi here; its DCAP is DCAPd.")
    return said


def _only_in_original(study: Study, name: str) -> bool:
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


def _r(value: object) -> str:
    """Return a literal that R reads as this value."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return f"{value:.15g}"
    escaped = []
    for letter in str(value):
        if letter in '"\\':
            escaped.append("\\" + letter)
        elif letter.isprintable():
            escaped.append(letter)
        else:  # R takes neither a NUL nor half a pair
            escaped.append(f"\\U{0xFFFD if letter == chr(0) or 0xD800 <= ord(letter) < 0xE000 else ord(letter):08x}")
    return '"' + "".join(escaped) + '"'


def _vector(values: Iterable[object]) -> str:
    return "c(" + ", ".join(_r(v) for v in values) + ")"


def _name(raw: str) -> str:
    """Return a name that R takes on the left of `=`."""
    return "`" + "".join(f"\\U{ord(c):08x}" if c in "`\\" or not c.isprintable() else c for c in raw) + "`"


def _comment(raw: str) -> str:
    """Return text for a comment: on one line."""
    return "".join(c if c.isprintable() else " " for c in raw)
