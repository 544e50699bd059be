"""Page 1: the release, the decision, and the answer; without an answer, what a panel has to know in short."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import Standing
from disclosure_core.counting.settings import Exclusions
from disclosure_core.holdout.decision import Outcome, decide
from disclosure_core.report import closing, flags, redaction, releases, strongest, verdicts
from disclosure_core.report.assumptions import NO_REASON
from disclosure_core.report.completeness import gathered, still_open
from disclosure_core.report.page1_table import blocks_of_table, described, limits_of, short_names
from disclosure_core.report.pieces import heading, names_in
from disclosure_core.report.rows import Figures, Row, called, tenth
from disclosure_core.report.source import Block, Report
from disclosure_core.review import about as of_release
from disclosure_core.review import scope
from disclosure_core.rounding import NOTHING, few, plain

if TYPE_CHECKING:
    from disclosure_core.report.answer import Answer
    from disclosure_core.review.parts import KeySet
    from disclosure_core.review.verdicts import Given


MOST_INTRUDERS = 3
"""Intruders whose keys page 1 names."""

MOST_ROWS, FEWEST_ROWS = 15, 3
"""Rows of measures and targets on page 1, and open points, and verdicts; fewer where their texts are long.

What is beyond is counted beneath, whatever is above limits before it.
"""

FEWEST_POINTS = 5
"""Open points that page 1 has in any case, and verdicts."""


def blocks(source: Report, most: int = MOST_ROWS, *, brief: bool = False) -> list[Block]:
    """Return page 1. A shareable one judges nothing: a result would tell on which side of a limit a count lies."""
    return _short(source) if source.shareable else signed(source, most, brief=brief)


def signed(source: Report, most: int = MOST_ROWS, *, brief: bool = False) -> list[Block]:
    """Return page 1 of an internal report, with so many rows at most of targets, open points and verdicts.

    A `brief` one leaves open points to the annex, so that there is room for targets.
    """
    found = source.answer
    names = short_names(found)
    left = still_open(source.opened)
    points = Block("facts", rows=_some(gathered(left, NAMED), _points(most), "open points", ALL_OPEN))
    nothing = Block("text", "Nothing: every question is answered, and every target judged.")
    notes = [(names.get(of, of), what) for of, what in found.notes]
    beside = [heading(NOTES), Block("facts", rows=_some(notes, _points(most), "notes", ALL_OPEN))] if notes else []
    if brief and left:
        points = Block("text", f"Listed in the annex, beneath {ALL_OPEN}.")
    if brief:
        beside = []
    return [
        _facts(source, found, brief=brief),
        Block("answer", found.headline, items=found.sentences, rows=_tally(source, found)),
        *_recorded(source, found, most),
        heading("Disclosure by target"),
        *blocks_of_table(source, found, most),
        heading("Open points"),
        points if left else nothing,
        *beside,
        closing.signoff(len(left)),
    ]


def beyond(source: Report, most: int = MOST_ROWS, *, brief: bool = False) -> list[Block]:
    """Return what the annex begins with: open points that page 1 has no room for, and how the figures came to be."""
    if source.shareable:
        return []
    found = source.answer
    whole = gathered(still_open(source.opened))
    cut_short = whole != gathered(still_open(source.opened), NAMED)
    listed_again = (brief and (whole or found.notes)) or cut_short or max(len(whole), len(found.notes)) > _points(most)
    head = heading(ALL_OPEN if whole or not brief else NOTES)
    all_open = [head, Block("facts", rows=(*whole, *found.notes))] if listed_again else []
    return [*all_open, *_beside_the_mean(found), *_before_and_after(found)]


NAMED = 3
"""Questions beneath one head that page 1 names; the annex has all of them."""
ALL_OPEN = "All open points"
NOTES = "What the figures leave open"


def _points(most: int) -> int:
    return max(most, FEWEST_POINTS)


def _some(rows: Sequence[tuple[str, str]], most: int, what: str, where: str) -> tuple[tuple[str, str], ...]:
    """Return the first rows, the last of which counts the others and points to them, where there are more."""
    if len(rows) <= most:
        return tuple(rows)
    return (*rows[: most - 1], ("and more", f"{len(rows) - most + 1} more {what}: see {where}."))


def _recorded(source: Report, found: Answer, most: int) -> list[Block]:
    """Return the verdicts that ask for something to be done, and those on what is above limits, each with its reason."""
    several, names = len(source.key_sets) > 1, short_names(found)
    above = {(r.target, r.intruder) for r in found.rows if r.outcome is Outcome.ABOVE}
    rows = []
    for g in _applying(source):
        v = g.verdict
        if v.verdict in _TO_BE_DONE or (v.target, v.intruder) in above:
            whom = f" for {v.intruder}" if several else ""
            fits = "" if g.stands else "; to confirm, since what it judged has changed"
            rows.append(
                (
                    f"{names.get(v.target, v.target)}{whom}",
                    f"{v.verdict.capitalize()}{fits}. {v.reason.strip() or NO_REASON.capitalize()}",
                )
            )
    rows.sort(key=lambda row: [not row[1].startswith(v.capitalize()) for v in _TO_BE_DONE])
    some = Block("facts", rows=_some(rows, _points(most), "verdicts", verdicts.HEADING))
    return [heading("Recorded by the officer"), some] if rows else []


_TO_BE_DONE = ("leak", "needs a safeguard")


def _applying(source: Report) -> list[Given]:
    return [g for g in source.verdicts if g.standing is not Standing.NOT_APPLYING]


def _facts(source: Report, found: Answer, *, brief: bool) -> Block:
    about = [
        (label, source.about[label].strip())
        for label in (of_release.DECISION, of_release.DECIDES, of_release.RELEASED, of_release.RECIPIENTS)
        if source.about.get(label, "").strip()
    ]
    if not any(label == of_release.DECISION for label, _ in about):
        about.insert(0, (of_release.DECISION, "not stated"))
    m = found.n_syntheses
    nobody = "a holdout that is not evaluated" if found.holdout_given else "nobody outside"
    outside = nobody if found.n_outside is None else f"{found.n_outside:,} people outside"
    measured = f"{found.n_members:,} people in the data (members) and {outside}; " + (
        "one synthesis" if m == 1 else f"means over {m} syntheses"
    )
    return Block(
        "facts",
        rows=(
            *about,
            *(released(source) or _not_yet(source)),
            *_keys(source),
            *_whose_limits(found),
            *_not_asked(source),
            ("Measured on", measured),
            *_excluded(found),
            *([] if brief else releases.in_short(source)),
            *strongest.in_short(source),
        ),
    )


def _not_asked(source: Report) -> list[tuple[str, str]]:
    """Return what somebody answered is not asked of this release; nothing where nobody did."""
    said = scope.not_asked(source.review)
    return [(scope.NOT_ASKED, "; ".join(said))] if said else []


def _excluded(found: Answer) -> list[tuple[str, str]]:
    """Return what the exclusions move of DiSCO, and of which targets they leave nothing to judge; nothing without any."""
    moved = _moved(found)
    if not moved:
        return []
    pairs = [(r.target, tenth(f.members), tenth(r.judged.members)) for r, f in moved]
    of = few([f"{name} {first} → {then} %" for name, first, then in pairs if first != then])
    emptied = [r.target for r, f in moved if f.members > 0 and r.judged.original == r.judged.members == 0]
    nothing = f" No disclosive record of {few(emptied)} is left: 0.0 % follows from the exclusions." if emptied else ""
    said = f"DiSCO of {of}" if of else "no DiSCO changes by a tenth of a percentage point"
    return [("Excluded", f"For reasons in the annex: {said}.{nothing}")]


def _moved(found: Answer) -> list[tuple[Row, Figures]]:
    """Return the rows of DiSCO that exclusions move, with their figures before."""
    return [(r, r.before) for r in found.rows if r.before is not None and r.measure == "DiSCO"]


def _keys(source: Report) -> list[tuple[str, str]]:
    """Return the keys of each intruder with the reason; many intruders are counted, and the annex lists them."""
    if not source.key_sets:
        return []
    several = len(source.key_sets) > 1
    said = [
        f"{f'{k.name}: ' if several else ''}{few(k.keys, 8)}; {k.reason.strip().rstrip('.') or _reason_of_keys(source, k)}"
        for k in source.key_sets[:MOST_INTRUDERS]
    ]
    more = len(source.key_sets) - len(said)
    return [("Keys, and why", ". ".join(said) + (f". And {more} more" if more else ""))]


def _reason_of_keys(source: Report, keys: KeySet) -> str:
    told = [k for k in keys.keys if source.reasons.get(k, "").strip()]
    if len(told) == len(keys.keys):
        return "a reason for each in the annex"
    return f"no reason was given for {few([k for k in keys.keys if k not in told], 8)}" if told else NO_REASON


def _whose_limits(found: Answer) -> list[tuple[str, str]]:
    """Return the limits of each measure with who set them and why; nothing where there are none."""
    rows = {r.measure: r.limit for r in found.rows} | {"F_rel": found.membership.limit}
    by: dict[str, list[str]] = {}
    for measure, limit in rows.items():
        if limit.absolute is None and limit.relative is None:
            continue
        owner = limit.owner.strip() or "nobody is named as setting them"
        why = limit.reason.strip().rstrip(".") or NO_REASON
        by.setdefault(f"({owner}: {why})", []).append(
            f"{measure} {plain(limit.relative or 0) if measure == 'F_rel' else limits_of(limit)}"
        )
    said = [f"{', '.join(measures)} {whose}" for whose, measures in by.items()]
    return [("Limits, and whose", "; ".join(said))] if said else []


def released(source: Report) -> tuple[tuple[str, str], ...]:
    """Return which files are released, with records and fingerprints, and the safeguards that are in them.

    Of an adopted set these are the safer files: those that were named, or all. Of another set nothing, where there is
    one synthesis or nobody said which is released.
    """
    files = [f for f in source.files if f.role.startswith("Synthesis ")]
    named = [files[i - 1] for i in source.released if i <= len(files)]
    what = "Released together" if len(named) > 1 else "Released"
    if source.opened.which_adopted and not named:
        what, named = "Safer files" if len(files) > 1 else "Safer file", files
    if not named:
        return ()
    rounded = source.shareable and bool(source.opened.which_adopted)  # beside what a safeguard removed it is a count
    said = [
        f"{f.name} ({f.role}), {redaction.size(source, f.rows) if rounded else f'{f.rows:,}'} records, fingerprint {f.sha256 or 'none'}"
        for f in named[:_FILES]
    ]
    if len(named) > _FILES:
        said.append(f"{len(named) - _FILES} more, in the annex")
    return ((what, "; ".join(said)), *_safeguards(source))


def _not_yet(source: Report) -> tuple[tuple[str, str], ...]:
    """Return the files of which one or more are released, from the start."""
    files = [f for f in source.files if f.role.startswith("Synthesis ")]
    if not files:
        return ()
    names = few(list(dict.fromkeys(f.name for f in files)), _FILES)
    return (("Released", f"not stated; one or more of {names}" if len(files) > 1 else names),)


_FILES = 3
"""Files that page 1 names with their fingerprints; the annex has all of them."""


def _safeguards(source: Report) -> tuple[tuple[str, str], ...]:
    """Return the safeguards that are in the files; a shareable report has its own sentence on them."""
    opened = source.opened
    if source.shareable or not opened.safeguards_adopted:
        return ()
    base = source.review.ancestry(opened.first_set)[0]
    return (("Safeguards", f"In {opened.first_set!r}, made of {base!r}: {' '.join(opened.safeguards_adopted)}"),)


def _beside_the_mean(found: Answer) -> list[Block]:
    """Return each released synthesis' own figures beside the mean of all."""
    rows: list[tuple[str, ...]] = [
        (
            called(r),
            tenth(r.judged.members),
            f"{i}",
            tenth(f.members),
            NOTHING if f.difference is None else tenth(f.difference),
            str(decide(f.members, f.difference, r.limit)),
        )
        for r in found.rows
        for i, f in r.released
    ]
    if not rows or found.n_syntheses < 2:
        return []
    columns: tuple[str, ...]
    columns = ("Figure", "mean, %", "Synthesis", "its members, %", "its difference, points", "its result")
    said = "A figure is above the limits where the mean is, or a synthesis that is released."
    if not found.has_limits:
        columns, rows, said = columns[:-1], [row[:-1] for row in rows], "The mean, and the synthesis that is released."
    return [
        heading("The synthesis that is released"),
        Block("table", said, columns=columns, rows=tuple(rows), figures=frozenset({1, 2, 3, 4})),
    ]


def _tally(source: Report, found: Answer) -> tuple[tuple[str, str], ...]:
    if not found.has_limits:
        fit = [g.verdict.verdict for g in _applying(source) if g.stands]
        of_keys = (found.screening.members, found.membership.f_rel)
        measured = sum(r.judged.evaluated for r in found.rows) + sum(figure is not None for figure in of_keys)
        return (
            (str(measured), "measured"),
            (str(len(fit)), f"verdict{'s' * (len(fit) != 1)} recorded"),
            (str(fit.count("leak")), "of them a leak"),
        )
    return tuple((str(len(found.of(o))), str(o)) for o in (Outcome.ABOVE, Outcome.NOT_EVALUATED, Outcome.WITHIN))


def _before_and_after(found: Answer) -> list[Block]:
    moved = _moved(found)
    if not moved:
        return []
    columns: tuple[str, ...]
    columns = ("Target", "What, and why", "original, %", "members, %", "outside, %", "difference", "result")
    rows: list[tuple[str, ...]] = [
        (r.target, "; ".join(f"{what} ({why})" for what, why in r.left_out), *_arrows(r)) for r, _ in moved
    ]
    said = "DiSCO with nothing excluded → after exclusions with a reason"
    if not found.has_limits:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return [
        heading("Excluded for a reason: before and after"),
        Block(
            "table",
            f"{said}; limits judge the second." if found.has_limits else f"{said}.",
            columns=columns,
            rows=tuple(rows),
            figures=frozenset({2, 3, 4, 5}),
        ),
    ]


def _arrows(r: Row) -> tuple[str, ...]:
    def pair(name: str) -> str:
        first, then = (getattr(f, name) for f in (r.before, r.judged))
        return NOTHING if first is None or then is None else f"{tenth(first)} → {tenth(then)}"

    return (
        *(pair(name) for name in ("original", "members", "outside", "difference")),
        f"{r.outcome_before} → {r.outcome}",
    )


# ---- in short: what there is to say without limits -------------------------------------------------------------------


def _short(source: Report) -> list[Block]:
    found, n = source.assessment, source.assessment.n_original
    m = len(found.n_synthetic)
    name = redaction.highest(source)[0]
    top = found.targets[name]
    unique, again = (redaction.share(source, float(found.identity[name].mean()), n) for name in ("UiO", "repU"))
    beside = redaction.of_original(source)
    original, synthetic = (redaction.share(source, float(top.figures(m).mean()), n) for m in (beside, "DiSCO"))
    of_the_original = f"against {original} % from the original itself ({beside})"
    if beside == redaction.OF_CAP:
        of_the_original = (
            f"beside {original} % as the share of a person's answer among all original records with the keys ({beside})"
        )

    def of(some: Collection[object], what: str) -> str:
        return f"{len(some)} {what}{'s' * (len(some) > 1)}"

    who = "1 synthesis" if m == 1 else f"{m} syntheses (means over them)"
    said = [
        f"{redaction.size(source, n).capitalize()} original records, {who}, {of(found.keys.keys, 'key')}, {of(found.targets, 'target')}.",
        f"Identity: {unique} % of the people are alone with their keys in the original (UiO); {again} % are also met by exactly "
        "one synthetic record (repU, a screening figure).",
        f"Attributes: most can be learnt of {name}: {synthetic} % of the people (DiSCO), {of_the_original}.",
        flags.SHARED,
    ]
    if held_back := source.opened.judged.not_met():
        said.append(f"Not evaluated, because values do not meet: {names_in(held_back)}. That is not a pass.")
    if found.left_out != Exclusions():
        said.append("These figures have exclusions; which, why and with what effect stands below.")
    if source.not_evaluated:
        missing = ", ".join(what[:1].lower() + what[1:] for what, _ in source.not_evaluated)
        said.append(f"Not evaluated: {missing}. That is not a pass.")
    said += described(source, [*(key.name for key in found.keys.keys), name])
    said.append("Whether the figures are within the office's limits stands in the internal version.")
    return [heading("In short"), Block("list", items=tuple(said)), closing.signoff()]
