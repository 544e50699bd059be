"""What was excluded, why, and with what effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from disclosure_core.counting.assessment import Assessment, assess
from disclosure_core.counting.settings import Exclusions
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, table
from disclosure_core.report.source import Block, Report
from disclosure_core.review.reasons import exclusions_alone, reason_of, without_reason

MOST_LISTED = 12
"""Exclusions of a target that are listed one by one, each with its own effect; more stand together under its name."""


def blocks(source: Report, before: Assessment) -> list[Block]:
    """Return the section; nothing where nothing is excluded, which a line of the assumed knowledge says."""
    found, out = source.assessment, source.assessment.left_out
    if out == Exclusions():
        without = _without_reason(source, before)
        return [heading("Exclusions"), *without] if without else []
    said: list[str] = []
    rows: list[tuple[str, ...]] = []
    if out.missing_keys:
        said.append(
            f"Missing values of {', '.join(sorted(out.missing_keys))}, for every target. {_why(source, 'missing keys')}"
        )
    if out.denominator_limit is not None:
        said.append(
            f"Cells of more than {out.denominator_limit} records, for every target. {_why(source, 'denominators')}"
        )
    many: list[tuple[str, str]] = []
    for name, risk in found.targets.items():
        names = out.names_of(name)
        if source.shareable:
            said += _shared(source, name)
        elif len(names) > MOST_LISTED:
            many.append((f"{name}, {len(names)} exclusions", _listed(source, name)))
        else:
            said += _sentences_of(source, before, name)
        taken = pd.DataFrame([f.loc["DiSCO"] for f in risk.excluded]).mean()
        was, now, n = (
            float(before.targets[name].figures("DiSCO").mean()),
            float(risk.figures("DiSCO").mean()),
            found.n_original,
        )
        if source.shareable:
            rows.append((name, redaction.share(source, now, n)))
        elif taken.drop("remaining").sum():
            rows.append(
                (
                    name,
                    redaction.share(source, was, n),
                    redaction.share(source, now, n),
                    *(redaction.count(source, float(x), n) for x in taken),
                )
            )
    head: tuple[str, ...] = ("Target", "DiSCO before", "DiSCO after")
    kinds = ["target level", "missing target", "missing key", "pair", "limit", "remaining"]
    caption = (
        "DiSCO in % before and after, and the records that each kind of exclusion took from it, in the order they apply "
        "(means over the syntheses)."
    )
    if source.shareable:
        rows.sort(key=lambda row: row[0].casefold())
        head, kinds = ("Target", "DiSCO after"), []
        caption = (
            "DiSCO in % after all exclusions, means over the syntheses; before them it is in the internal version."
        )
    return [
        heading("Exclusions"),
        Block(
            "text",
            "An exclusion changes the figure, never the data: what is disclosive is decided on the full data, and the "
            "percentages stay those of all original records.",
        ),
        *([Block("list", items=tuple(said))] if said else []),
        *([Block("facts", rows=tuple(many))] if many else []),
        table(caption, (*head, *kinds), rows),
        *_without_reason(source, before),
    ]


def _without_reason(source: Report, before: Assessment) -> list[Block]:
    """Say what is excluded without a reason, and set the figures with all that is excluded beside the judged ones."""
    every = source.all_excluded
    if every is None:
        return []
    names = without_reason(every.left_out, source.reasons)
    n, several = before.n_original, len(names) > 1
    said = (
        f"{len(names)} {'exclusions have' if several else 'exclusion has'} no reason; the judged figures do without "
        f"{'them' if several else 'it'}"
    )
    if source.shareable:  # two figures that differ by one exclusion tell what it took
        return [Block("text", f"{said}.")]
    rows = [
        (
            name,
            *(
                redaction.share(source, float(a.targets[name].figures("DiSCO").mean()), n)
                for a in (before, source.assessment, every)
            ),
        )
        for name in every.targets
        if every.left_out.of(name) != source.assessment.left_out.of(name) and name in source.assessment.targets
    ]
    return [
        Block("text", f"{said}: {'; '.join(names)}."),
        table(
            "DiSCO in %, means over the syntheses. Limits judge the second.",
            ("Target", "With nothing excluded", "Judged", "With all that is excluded"),
            rows,
        ),
    ]


def _sentences_of(source: Report, before: Assessment, name: str) -> Iterable[str]:
    """Yield a sentence for each exclusion of a target: what, why, and what it would do alone."""
    found, out = source.assessment, source.assessment.left_out
    n = found.n_original
    for (what, reason), exclusion in zip(_single(source, name), exclusions_alone(out, name).values(), strict=True):
        said = f"{name}: {what}. {_why(source, reason, name)}"
        after = assess(source.study, replace(found.settings, exclusions=exclusion), found.tables, before)
        first, then = (
            redaction.share(source, float(a.targets[name].figures("DiSCO").mean()), n) for a in (before, after)
        )
        if first != then:
            said += f" Alone, it takes DiSCO from {first} to {then} %."
        elif any(f.loc["DiSCO"].drop("remaining").sum() for f in after.targets[name].excluded):
            said += f" Alone, it takes less than 0.01 % of the people from DiSCO, {first} %."
        else:
            said += " Alone, it takes nothing from DiSCO."
        yield said


def _shared(source: Report, name: str) -> list[str]:
    """Return a sentence for each exclusion of a target as a shareable report may name it, each once, by what it says."""
    said = {f"{name}: {what}. {_why(source, reason, name)}" for what, reason in _single(source, name)}
    return sorted(said, key=lambda text: (text.casefold(), text))


def _listed(source: Report, name: str) -> str:
    """Return many exclusions of one target under its name, by reason; their effect together is in the table."""
    by: dict[str, list[str]] = {}
    for what, reason in _single(source, name):
        by.setdefault(_why(source, reason, name), []).append(what)
    said = [f"{'; '.join(sorted(set(whats), key=whats.index))}. {why}" for why, whats in by.items()]
    return " ".join(said)


def _single(source: Report, name: str) -> list[tuple[str, str]]:
    """Return each exclusion of a target in words, and the name that its reason is kept under."""
    found, out = source.assessment, source.assessment.left_out
    words = [_level(source, name, v) for v in out.levels_of(name)]
    words += ["missing values"] if name in out.missing_targets else []
    for p in out.pairs_of(name):
        of_key, of_target = redaction.pair(source, name, p, found.targets[name].counted[0].cells)
        words.append(f"{p.key} {of_key} with {of_target}")
    return list(zip(words, out.names_of(name), strict=True))


def _level(source: Report, name: str, text: str) -> str:
    """Return a level with the word before it, where it is a name."""
    said = redaction.level(source, name, text)
    return f"level {said}" if said == text else said


def _why(source: Report, *names: str) -> str:
    """Return the reason under the first of `names` that has one: no other exclusion is in the judged figures."""
    reason = reason_of(source.reasons, *names)
    return f"Reason: {reason}" if reason[-1] in ".!?" else f"Reason: {reason}."
