"""How the rows of page 1 are computed: for each key set the figures, what stands beside them, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

from disclosure_core.conclusions.difference import Sentence, sentences
from disclosure_core.conclusions.standing import progress
from disclosure_core.counting.measures import guess
from disclosure_core.counting.registry import COMPARED, OUTSIDE
from disclosure_core.counting.settings import Exclusions
from disclosure_core.errors import DisclosureError, NotEvaluated, evaluated
from disclosure_core.holdout.decision import Limit, Outcome, decide, decide_membership
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.membership import refusal
from disclosure_core.report.rows import RANK, Figures, MembershipRow, Row, Screening
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.combined import stated
from disclosure_core.rounding import score

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import KeySet
    from disclosure_core.review.verdicts import Given

    Outside = dict[tuple[str, str], tuple[float, ...]]

ORIGINAL = {name: COMPARED[name][0] for name in OUTSIDE}
"""What the original itself discloses, beside each measure of the synthetic data."""

NOT_SEARCHED = "The questions before it are answered, but the search over subsets of the keys was not run."
"""Why membership is not evaluated where nothing stands in its way."""


def people_outside(opened: Opened, synthesis_set: str) -> Partition | None:
    """Return the holdout as people outside; None where there is none, or it cannot serve."""
    try:
        found = opened.partition(synthesis_set)
    except DisclosureError:
        return None
    return None if isinstance(found, NotEvaluated) else found


def rows_of(opened: Opened, intruder: KeySet, synthesis_set: str) -> list[Row]:
    """Return a row for each target and measure as one key set sees them."""
    review = opened.review
    kept = opened.judged.review.exclusions
    now, first = (opened.of_intruder(intruder.name, out, synthesis_set) for out in (kept, Exclusions()))
    verdicts = {g.verdict.target: g for g in opened.verdicts(synthesis_set) if g.verdict.intruder == intruder.name}
    held_back = [
        _held_back(measure, target, intruder.name, why, review.limits.of(measure), verdicts.get(target))
        for target, why in now.not_met(synthesis_set).items()
        for measure in ORIGINAL
    ]
    if not now.can_learn(synthesis_set):
        return held_back
    found, before = now.assessment(None, synthesis_set), first.assessment(None, synthesis_set)
    baseline = evaluated(lambda: now.attribute_baseline(synthesis_set))
    outside_now, outside_first = (
        _outside_by_measure(baseline),
        _outside_by_measure(evaluated(lambda: first.attribute_baseline(synthesis_set))),
    )
    reasons = of_reasons.reasons_printed(opened, synthesis_set, intruder.name)
    flags = dict(zip(*(found.summary()[c] for c in ("target", "flag")), strict=True))
    rows = held_back
    for target, risk in found.targets.items():
        known, given = guess(risk.counted[0].cells), verdicts.get(target)
        moved = found.left_out.of(target) != Exclusions()
        for measure, original in ORIGINAL.items():
            limit = review.limits.of(measure)

            def of(
                a: Assessment, outside: Outside, target: str = target, measure: str = measure, o: str = original
            ) -> Figures:
                figures = [float(a.targets[target].figures(m).mean()) for m in (o, OUTSIDE[measure])]
                return Figures(*figures, *outside.get((measure, target), ()))

            judged = of(found, outside_now)
            was = of(before, outside_first) if moved else None
            own = _released(found, baseline, target, measure, original, stated(opened, synthesis_set))
            each = [decide(f.members, f.difference, limit) for f in (judged, *(f for _, f in own))]
            outcome = Outcome.NOT_EVALUATED if risk.why_empty else max(each, key=RANK.__getitem__)
            unknown = risk.why_empty or _why(baseline, judged, limit, measure, target)
            rows.append(
                Row(
                    measure=measure,
                    target=target,
                    intruder=intruder.name,
                    conclusions=_concluded(baseline, measure, target),
                    judged=judged,
                    before=was,
                    limit=limit,
                    outcome=outcome,
                    outcome_before=outcome if was is None else decide(was.members, was.difference, limit),
                    why=unknown if outcome is Outcome.NOT_EVALUATED else "",
                    commonest=known.level,
                    majority=known.pct,
                    beyond=risk.beyond_guess,
                    left_out=of_reasons.left_out(found.left_out, reasons, target),
                    verdict=None if given is None else given.verdict,
                    confirm="" if given is None else given.sentence,
                    flag=flags[target],
                    released=own,
                )
            )
    return rows


def _held_back(measure: str, target: str, intruder: str, why: str, limit: Limit, given: Given | None) -> Row:
    """Return the row of a target that does not meet, or one of whose keys does not: nothing of it is evaluated."""
    return Row(
        measure=measure,
        target=target,
        intruder=intruder,
        judged=Figures(nan, nan),
        limit=limit,
        outcome=Outcome.NOT_EVALUATED,
        outcome_before=Outcome.NOT_EVALUATED,
        why=why,
        verdict=None if given is None else given.verdict,
        confirm="" if given is None else given.sentence,
    )


def _released(
    found: Assessment,
    baseline: AttributeBaseline | NotEvaluated,
    target: str,
    measure: str,
    original: str,
    numbers: Sequence[int],
) -> tuple[tuple[int, Figures], ...]:
    """Return the figures of each synthesis that is released, by its number."""
    risk, made = found.targets[target], []
    for i in numbers:
        outside = _outside_by_measure(baseline, i).get((measure, target), ())
        own = (float(risk.figures(m)[i - 1]) for m in (original, OUTSIDE[measure]))
        made.append((i, Figures(*own, *outside)))
    return tuple(made)


def judging(rows: Iterable[Row]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return, by key set, how far the verdicts are, and the targets that have none."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    of: dict[str, list[Row]] = {}
    for row in rows:
        if row.measure == "DiSCO" and row.beyond is not None:
            of.setdefault(row.intruder, []).append(row)
    for intruder, mine in of.items():
        judged = sum(r.verdict is not None and not r.confirm for r in mine)
        said = progress(len(mine), judged, sum(bool(r.confirm) for r in mine))
        found[intruder] = (said, tuple(r.target for r in mine if r.verdict is None))
    return found


def _outside_by_measure(
    baseline: AttributeBaseline | NotEvaluated, synthesis: int = MEAN
) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return people outside, difference, low and high, by measure and target; nothing where there is no holdout."""
    if isinstance(baseline, NotEvaluated):
        return {}
    rows = baseline.figures[baseline.figures["synthesis"] == synthesis]
    columns = [rows[c].astype(float) for c in ("non_members", "difference", "low", "high")]
    return dict(zip(zip(rows["measure"], rows["target"], strict=True), zip(*columns, strict=True), strict=True))


def _concluded(baseline: AttributeBaseline | NotEvaluated, measure: str, target: str) -> tuple[Sentence, ...]:
    """Return what may be said of a target; nothing where the holdout cannot serve in it."""
    if isinstance(baseline, NotEvaluated) or target not in set(baseline.context["target"]):
        return ()
    return sentences(baseline, target, measure)


def _why(baseline: AttributeBaseline | NotEvaluated, judged: Figures, limit: Limit, measure: str, target: str) -> str:
    if isinstance(baseline, NotEvaluated):
        return f"{baseline.why} {baseline.needs}".strip()
    if judged.outside is None:
        return baseline.lacking.get(target, f"The holdout has no column {target!r}.")
    absent = [what for what, v in (("absolute", limit.absolute), ("relative", limit.relative)) if v is None]
    return f"The office set no {' and no '.join(absent)} limit of {measure}."


def membership_of(opened: Opened, intruder: KeySet, synthesis_set: str) -> MembershipRow:
    """Return whether members can be told from others by one key set."""
    asked = opened.of_intruder(intruder.name, Exclusions(), synthesis_set)
    limit = opened.review.limits.membership
    try:
        refused = asked.stopped(synthesis_set) or refusal(asked.partition(synthesis_set), asked.review.threat_model)
        found = None if refused else asked.finished_membership(synthesis_set)
    except DisclosureError as error:
        refused, found = NotEvaluated(str(error), ""), None
    if found is None:
        why = NOT_SEARCHED if refused is None else f"{refused.why} {refused.needs}".strip()
        return MembershipRow(intruder.name, (), None, None, None, None, limit, Outcome.NOT_EVALUATED, why)
    row: Any = found.decisive()
    f_rel = float(row["worst_F_rel"])
    numbers = stated(opened, synthesis_set)
    each = found.all_keys((float(row["beta"]),))
    own = [float(v) for v in each.loc[each["synthesis"].isin([int(n) for n in numbers]), "F_rel"]]
    each_outcome = (decide_membership(f, limit, complete=found.complete) for f in (f_rel, *own))
    outcome = max(each_outcome, key=RANK.__getitem__)
    why = ""
    if outcome is Outcome.NOT_EVALUATED:
        why = (
            "The office set no limit of F_rel."
            if limit.relative is None
            else (f"F_rel is at least {score(f_rel, 3)}: {found.coverage}, and a subset that was not may be worse.")
        )
    return MembershipRow(
        intruder.name,
        tuple(row["worst_keys"]),
        float(row["beta"]),
        float(row["F_naive"]),
        float(row["worst_F"]),
        f_rel,
        limit,
        outcome,
        why,
        max(own, default=None),
        found.complete,
    )


def screening_of(opened: Opened, synthesis_set: str) -> Screening:
    """Return repU of members and of people outside."""
    if opened.stopped(synthesis_set):
        return Screening(None, None, None, None, None)
    members = float(opened.assessment(None, synthesis_set).identity["repU"].mean())
    try:
        found = opened.identity_baseline(synthesis_set)
    except DisclosureError:
        return Screening(members, None, None, None, None)
    if isinstance(found, NotEvaluated):
        return Screening(members, None, None, None, None)
    row = found.summary().iloc[0]
    return Screening(members, *(float(row[c]) for c in ("non_members", "difference", "low", "high")))
