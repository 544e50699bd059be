"""Scripts that repeat an assessment: in Python against this library, and in R against `synthpop`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.study import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from disclosure_core.settings import Settings
    from disclosure_core.study import Study


@dataclass(frozen=True, slots=True)
class Files:
    """Names of the files that a script reads.

    Attributes
    ----------
    original
        The original's file.
    synthetic
        One file a synthesis.
    """

    original: str
    synthetic: tuple[str, ...]


def python(study: Study, settings: Settings, files: Files) -> str:
    """Return a Python script that prints the assessment's summary and identity figures."""
    codes = {name: list(values) for name, values in study.missing_codes.items()}
    return f'''"""Repeats an assessment of synthetic data. Needs the package `disclosure`."""

from pathlib import Path

from disclosure_core import Settings, Study, assess
from disclosure_core.readers import read

ORIGINAL = {_py(files.original)}
SYNTHETIC = {_py(list(files.synthetic))}


def table(name):
    return read(Path(name), Path(name).name)[0].frame


study = Study(table(ORIGINAL), [table(name) for name in SYNTHETIC], missing_codes={_py(codes)})
settings = Settings.from_json({_py(settings.to_json())})
found = assess(study, settings)
print(found.identity.to_string())
print(found.summary().to_string())
'''


def r(study: Study, settings: Settings, files: Files) -> str:
    """Return an R script of `synthpop` calls that give the same figures, with a comment where R errs.

    A call a target and synthesis: `multi.disclosure` passes target levels where key levels belong, and its list method
    keeps only the first synthesis when it had to adjust anything (faults 14, 15 of the README).
    """
    keys = study.in_data_order(settings.keys)
    targets = settings.targets or tuple(n for n in study.columns if n not in keys)
    out = settings.exclusions
    lines = [
        "# Repeats an assessment with R's synthpop (1.9-0 or newer): one call a target and a synthesis.",
        "library(synthpop)",
        'read <- function(name) read.csv(name, na.strings = "", check.names = FALSE, stringsAsFactors = TRUE)',
        f"original <- read({_r(files.original)})",
        f"syntheses <- lapply({_vector(files.synthetic)}, read)",
        "",
    ]
    lines += _warnings(study, settings, keys, targets)
    for target in study.in_data_order(targets):
        arguments = {
            "object": "synthesis",
            "data": "original",
            "keys": _vector(keys),
            "target": _r(target),
            "ngroups_target": str(settings.group(target)),
            "ngroups_keys": _vector([settings.group(k) for k in keys]),
            "usetargetNA": _r(target not in out.missing_targets),
            "usekeysNA": _vector([k not in out.missing_keys for k in keys]),
            "thresh_1way": _vector(settings.thresholds.one_way),
            "thresh_2way": _vector(settings.thresholds.two_way),
        }
        used = {n: v for n, v in study.missing_codes.items() if n in (*keys, target)}
        if used:
            arguments["cont.na"] = "list(" + ", ".join(f"{_name(n)} = {_vector(v)}" for n, v in used.items()) + ")"
        levels = out.levels_of(target)
        if levels:
            arguments["not.targetlev"] = _r(levels[0])
        pairs = out.pairs_of(target)
        if pairs:
            arguments["exclude.keys"] = _vector([p.key for p in pairs])
            arguments["exclude.keylevs"] = _vector([p.key_level for p in pairs])
            arguments["exclude.targetlevs"] = _vector([p.target_level for p in pairs])
        if out.denominator_limit is not None:
            arguments |= {"denom_lim": str(out.denominator_limit), "exclude_ov_denom_lim": "TRUE"}
        arguments |= {"print.flag": "FALSE", "plot": "FALSE"}
        listed = ",\n    ".join(f"{name} = {value}" for name, value in arguments.items())
        lines += [
            f"for (synthesis in syntheses) {{  # {_comment(target)}",
            f"  print(disclosure(\n    {listed}\n  ))",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _warnings(study: Study, settings: Settings, keys: Sequence[str], targets: Iterable[str]) -> list[str]:
    """Return comments on where R's figures would differ, by the faults that this assessment meets."""
    out, said = settings.exclusions, []
    numeric = [n for n in targets if study.columns[n].kind is Kind.NUMBER and not settings.group(n)]
    alone = [n for n in numeric if not study.columns[n].counts[:, -1].any() and _only_in_original(study, n)]
    if alone:
        said.append(
            f"{', '.join(map(_comment, alone))}: not grouped, and a value is absent from a synthesis. R then compares "
            "cells of different values; its DiSCO can be far too low."
        )
    several = [name for name, levels in out.target_levels if len(levels) > 1 and name in targets]
    if several:
        said.append(f"{', '.join(map(_comment, several))}: R leaves out one target level only; the first is named.")
    if out.missing_keys and len(keys) > 1:
        said.append("usekeysNA as a vector: the keys stand in the data's order here, as R would otherwise mix them up.")
    bar = [n for n in (*keys, *targets) if any("|" in str(v) for v in study.columns[n].levels[:10_000])]
    if bar:
        said.append(f"{', '.join(map(_comment, bar))}: levels that hold '|' break R's key combinations.")
    odd = [n for n in (*keys, *targets) if not n.isidentifier() or n in ("target", "keys")]
    if odd:
        said.append(f"{', '.join(map(_comment, odd))}: R rewrites or refuses such column names; rename them first.")
    if out != type(out)():
        said.append("Exclusions of a target move R's UiO and repU as well; the headline figures here do not move.")
    said.append("R's TCAP is called TCAPi here.")
    return [f"# {line}" for line in said] + [""]


def _only_in_original(study: Study, name: str) -> bool:
    counts = study.columns[name].counts
    return any(((counts[0] > 0) & (side == 0)).any() for side in counts[1:])


def _py(value: object) -> str:
    """Return a literal that Python reads as this value."""
    return repr(value) if isinstance(value, (str, list)) else json.dumps(value, ensure_ascii=True)


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
        else:
            escaped.append(f"\\U{ord(letter):08x}")
    return '"' + "".join(escaped) + '"'


def _vector(values: Iterable[object]) -> str:
    return "c(" + ", ".join(_r(v) for v in values) + ")"


def _name(raw: str) -> str:
    """Return a name that R takes on the left of `=`."""
    return "`" + "".join(f"\\U{ord(c):08x}" if c in "`\\" or not c.isprintable() else c for c in raw) + "`"


def _comment(raw: str) -> str:
    """Return text for a comment: on one line."""
    return "".join(c if c.isprintable() else " " for c in raw)
