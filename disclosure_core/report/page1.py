"""Page 1: the release, the decision, and the answer; without an answer, what a panel has to know in short."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import Standing
from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.naming import cut, named
from disclosure_core.holdout.decision import LIMITED, Outcome, decide
from disclosure_core.report import closing, flags, redaction, releases, strongest, verdicts
from disclosure_core.report.assumptions import NO_REASON
from disclosure_core.report.completeness import gathered, still_open
from disclosure_core.report.pieces import heading, names_in
from disclosure_core.report.rows import called, tenth
from disclosure_core.report.source import Block, Marks
from disclosure_core.review import about as of_release
from disclosure_core.review import scope
from disclosure_core.rounding import NOTHING, beside, few, listed, plain, score

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from disclosure_core.holdout.decision import Limit
    from disclosure_core.report.answer import Answer
    from disclosure_core.report.rows import Figures, Row
    from disclosure_core.report.source import Report
    from disclosure_core.review.parts import KeySet
    from disclosure_core.review.verdicts import Given

LONGEST_NAME = 32
"""Letters of a target in the table of page 1; the annex has all of them."""

MOST_INTRUDERS = 3
"""Intruders whose keys page 1 names."""

MOST_ROWS, FEWEST_ROWS = 15, 3
"""Rows of measures and targets on page 1, and open points, and verdicts; fewer where their texts are long.

What is beyond is counted beneath, whatever is above limits before it.
"""

FEWEST_POINTS = 5
"""Open points that page 1 has in any case, and verdicts."""

_FIGURES = ("members, %", "outside, %", "difference, points", "95 % interval", "commonest answer, %")
COLUMNS = ("Measure and target", *_FIGURES, "the office's limits", "result")
WITHOUT_LIMITS = ("Measure and target", *_FIGURES, "verdict")
"""A column of limits that nobody set, and one of results that there are none of, would say nothing."""


def blocks(source: Report, most: int = MOST_ROWS, *, brief: bool = False) -> list[Block]:
    """Return page 1. A shareable one judges nothing: a result would tell on which side of a limit a count lies."""
    return _short(source) if source.shareable else signed(source, most, brief=brief)


def signed(source: Report, most: int = MOST_ROWS, *, brief: bool = False) -> list[Block]:
    """Return page 1 of an internal report, with so many rows at most of targets, open points and verdicts.

    A `brief` one leaves open points to the annex, so that there is room for targets.
    """
    found = source.answer
    names = _short_names(found)
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
        *_table(source, found, most),
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
    all_open = [heading(ALL_OPEN), Block("facts", rows=(*whole, *found.notes))] if listed_again else []
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
    several, names = len(source.key_sets) > 1, _short_names(found)
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


def _short_names(found: Answer) -> dict[str, str]:
    """Return what page 1 calls each target."""
    return cut((r.target for r in found.rows), LONGEST_NAME)


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
            f"{measure} {plain(limit.relative or 0) if measure == 'F_rel' else _limits(limit)}"
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
        (called(r), tenth(r.judged.members), f"{i}", tenth(f.members),
         NOTHING if f.difference is None else tenth(f.difference), str(decide(f.members, f.difference, r.limit)))
        for r in found.rows
        for i, f in r.released
    ]  # fmt: skip
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
    ]  # fmt: skip


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


def _table(source: Report, found: Answer, most: int) -> list[Block]:
    """Return the rows of concern with their marks, and a sentence on what is beyond them."""
    concern = sorted(found.rows, key=lambda r: (r.outcome is not Outcome.ABOVE, LIMITED.index(r.measure)))
    if not found.has_limits or scope.DCAP in found.not_asked:
        concern = [r for r in concern if r.measure == "DiSCO"]
    shown_rows = [r for r in found.rows if r in concern[:most]]
    columns: tuple[str, ...] = COLUMNS if found.has_limits else WITHOUT_LIMITS
    names = _short_names(found)
    rows = [(*_row(r, names[r.target]), *(_judged(r) if found.has_limits else (_verdict(r),))) for r in shown_rows]
    marks: list[Marks | None] = [
        Marks(
            r.judged.original,
            r.judged.members,
            r.judged.outside,
            None if r.before is None else r.before.members,
            r.limit.absolute,
        )
        if r.judged.evaluated
        else None
        for r in shown_rows
    ]
    s = found.screening
    last = ("none", "not judged") if found.has_limits else (NOTHING,)
    rows.append(("repU, screening", *_figures(s.members, s.outside, s.difference, s.low, s.high), NOTHING, *last))
    marks.append(None)
    rows.append(_membership(found))
    marks.append(None)
    several = len(found.keys) > 1
    hollow = "; hollow before exclusions" if any(r.before is not None for r in shown_rows) else ""
    said = [
        f"Ring: the original itself. Diamond: disclosed by the synthetic data, people in the data (members){hollow}."
        + ("" if found.n_outside is None else " Bar: the same of people outside. Differences are of unrounded figures.")
        + " Dashed: the office's first limit." * any(r.limit.absolute is not None for r in shown_rows),
        "DiSCO: all synthetic records with a person's keys have one answer, and it is the person's. DCAP: the share of them "
        "with the person's answer. repU: alone with their keys, and met by exactly one synthetic record. F_rel: 0 for a "
        "mere guess, 1 for certainty.",
        *(
            [f"A name of more than {LONGEST_NAME} letters has its middle left out; the annex has all of it."]
            if any(names[r.target] != r.target for r in found.rows)
            else []
        ),
        *_of_limits(found, several=several),
        *_rest(
            [r for r in found.rows if r not in shown_rows and (r in concern or not found.has_limits)],
            names,
            limits=found.has_limits,
        ),
        *_described(source, [*(k for keys in found.keys.values() for k in keys), *(r.target for r in shown_rows)]),
    ]
    columns, *rows = _told(found, columns, rows)
    return [
        Block(
            "table",
            "",
            columns=columns,
            rows=tuple(rows),
            figures=frozenset(range(1, len(columns) - 1)),
            marks=tuple(marks),
            scale=_scale(marks),
            result=len(columns) - 1,
        ),
        Block("note", items=tuple(said)),
    ]


def _told(found: Answer, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return head and rows without the columns of people outside where there are none: they would be empty."""
    of_outside = () if found.n_outside is not None else ("outside, %", "difference, points", "95 % interval")
    kept = [i for i, name in enumerate(columns) if name not in of_outside]
    return [tuple(row[i] for i in kept) for row in (columns, *rows)]


def _of_limits(found: Answer, *, several: bool) -> list[str]:
    """Return what is said of limits and of the key set that decides; nothing where there are none of either."""
    above = ["Above: members above the first limit and the difference above the second."] if found.has_limits else []
    return [*above, f"{_chosen(found)}: {_whose(found)}."] if several else above


def _described(source: Report, names: Iterable[str]) -> list[str]:
    """Return a sentence on what the files say that these columns hold; nothing where they say nothing."""
    labels = {each.name: each.label for each in redaction.introduced(source)}
    said = [named(name, labels, _LABEL) for name in dict.fromkeys(names) if labels.get(name)]
    more = f"; {len(said) - _DESCRIBED} more in the next section" if len(said) > _DESCRIBED else ""
    return [f"As the files describe them: {'; '.join(said[:_DESCRIBED])}{more}."] if said else []


_DESCRIBED = 8
"""Columns with a label that page 1 has room for, keys first."""

_LABEL = 40
"""Letters of a label on page 1; the next section has all of them."""


def _chosen(found: Answer) -> str:
    """Say by what each row's key set was chosen, as `Row.order` does."""
    most = "discloses most" if found.n_outside is None else "is furthest above people outside"
    return (
        "Each row is that of the key set with the worst result, after exclusions and then before; of several such, "
        f"of the one that {most}"
    )


def _whose(found: Answer) -> str:
    """Name the key set that each row is of; the one of most rows last, for all the others."""
    of: dict[str, list[str]] = {}
    for r in found.rows:
        of.setdefault(r.intruder, []).append(called(r))
    *few_rows, most = sorted(of, key=lambda name: len(of[name]))
    named = [f"{name} ({', '.join(found.keys[name])}) of {listed(of[name])}" for name in few_rows]
    rest = f"{most} ({', '.join(found.keys[most])}) of all {'others' if named else 'rows'}"
    return "; ".join([*named, rest])


def _scale(marks: Iterable[Marks | None]) -> tuple[float, float]:
    """Return where the axis ends, a round number, and the step of its grid: at most six steps of 1, 2 or 5."""
    largest = max(
        [1.0, *(v for m in marks if m for v in (m.original, m.members, m.outside, m.before, m.limit) if v is not None)]
    )
    step = next(s for s in (1, 2, 5, 10, 20) if largest / s <= 6)
    return float(step * math.ceil(largest / step)), float(step)


def _row(r: Row, name: str) -> tuple[str, ...]:
    f, limit = r.judged, r.limit
    tag = f" · {r.flag}" if r.flag else ""
    return (
        f"{r.measure} of {name}{tag}",
        _beside(f.members, limit.absolute),
        NOTHING if f.outside is None else tenth(f.outside),
        NOTHING if f.difference is None else _beside(f.difference, limit.relative),
        _interval(f.low, f.high),
        tenth(r.majority),
    )


def _judged(r: Row) -> tuple[str, str]:
    return _limits(r.limit), str(r.outcome) + (", against a verdict" if r.contradicted else "")


def _verdict(r: Row) -> str:
    if not r.judged.evaluated:
        return str(Outcome.NOT_EVALUATED)
    if r.verdict is None:
        return NOTHING
    return f"{r.verdict.verdict}, to confirm" if r.confirm else r.verdict.verdict


def _beside(value: float, limit: float | None) -> str:
    return tenth(value) if limit is None or math.isnan(value) else beside(value, limit, 1)


def _figures(*values: float | None) -> tuple[str, str, str, str]:
    members, outside, difference, low, high = values
    return (
        NOTHING if members is None else tenth(members),
        NOTHING if outside is None else tenth(outside),
        NOTHING if difference is None else tenth(difference),
        _interval(low, high),
    )


def _interval(low: float | None, high: float | None) -> str:
    """Return an interval; one that holds 0 says so."""
    if low is None or high is None:
        return NOTHING
    return f"{beside(low, 0.0, 1)} to {beside(high, 0.0, 1)}" + (", holds 0" if low <= 0 <= high else "")


def _limits(limit: Limit) -> str:
    parts = [NOTHING if v is None else plain(v) for v in (limit.absolute, limit.relative)]
    return "not set" if parts == [NOTHING, NOTHING] else " and ".join(parts)


def _membership(found: Answer) -> tuple[str, ...]:
    m = found.membership
    limit = "not set" if m.limit.relative is None else plain(m.limit.relative)
    at_least = "" if m.complete else "at least "
    name = "Membership, F_rel" if m.f_rel is None else f"Membership, F_rel {at_least}{score(m.f_rel, 3)}"
    if scope.MEMBERSHIP in found.not_asked:
        return (name, *(NOTHING,) * 5, *((limit,) if found.has_limits else ()), "not asked")
    if not found.has_limits:
        return (name, *(NOTHING,) * 5, str(Outcome.NOT_EVALUATED) if m.f_rel is None else NOTHING)
    return (name, *(NOTHING,) * 5, limit, str(m.outcome))


_NAMED = 5
"""Targets of those not shown that page 1 names; more are counted."""


def _rest(rows: Iterable[Row], names: Mapping[str, str], *, limits: bool) -> list[str]:
    """Return a sentence for the rows that page 1 has no room for, by measure and result."""
    by: dict[tuple[str, Outcome], list[Row]] = {}
    for r in rows:
        by.setdefault((r.measure, r.outcome), []).append(r)
    where = ["DiSCO of every target stands in the annex, every figure in the workbook."]
    return [
        f"Not shown here: {measure} of {few([names[r.target] for r in some], _NAMED)}{f', {outcome}' if limits else ''}; "
        f"members at most {tenth(max((r.judged.members for r in some if r.judged.evaluated), default=math.nan))} %."
        for (measure, outcome), some in by.items()
    ] + where * bool(by)


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
        Block("table", f"{said}; limits judge the second." if found.has_limits else f"{said}.",
              columns=columns, rows=tuple(rows), figures=frozenset({2, 3, 4, 5})),
    ]  # fmt: skip


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
    name = redaction.highest(source, found)[0]
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
    said += _described(source, [*(key.name for key in found.keys.keys), name])
    said.append("Whether the figures are within the office's limits stands in the internal version.")
    return [heading("In short"), Block("list", items=tuple(said)), closing.signoff()]
