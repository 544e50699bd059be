"""Conditions such as DiSCO>10, on which a pipeline stops: every figure that a review has can stand in one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.comparison.aims import SAME_KEYS
from disclosure_core.counting.claims import WITHOUT_RECORDS
from disclosure_core.counting.inequality import Inequality
from disclosure_core.counting.registry import BY_NAME, CLAIMS, IDENTITY, MEMBERSHIP, OF_TARGET, OUTSIDE, names
from disclosure_core.errors import DisclosureError, NotEvaluated, not_found
from disclosure_core.holdout.decision import Outcome
from disclosure_core.report.answer import answer
from disclosure_core.results import MAIN, Together
from disclosure_core.review.inputs import outside_lacks
from disclosure_core.rounding import beside_limit, fixed, quantity
from disclosure_core.sensitivity.strongest_intruder import MEASURES as SEARCHED
from disclosure_core.sensitivity.strongest_intruder import OF_KEYS

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from disclosure_core.review.opened import Opened

THE_KEYS = "the keys"
ALL_COLUMNS = "all columns"

SPREAD = ("min", "max", "sd")
BASELINE = ("members", "non_members", "difference", "R")
COPIED = ("copies", "identifiers")
FLAGS = ("one_way", "two_way")
TOGETHER = ("any", "pooled", "every")
TOGETHER_OF = names(lambda m: m.together)
FORMS = (
    ("DiSCO", "a measure, the mean over the syntheses: of every target, or repU, UiO … of the keys"),
    ("DiSCO[income]", "the same of one target"),
    ("max(DiSCO)", "the largest of the syntheses; also min and sd"),
    (
        "difference(DiSCO)",
        "members less non-members, percentage points: DiSCO, DCAP or repU; also members, non_members and R",
    ),
    ("M", "members less people outside with the same keys, percentage points, of every target"),
    ("F_rel", "membership with all keys; also F and F_naive, and of the worst subset worst_F and worst_F_rel"),
    ("worst(DiSCO)", "of the worst subset of the keys: DiSCO, repU or UiO"),
    ("strongest(DiSCO)", "of the strongest intruder within the bounds: DiSCO, gain, beyond, repU or F_rel"),
    ("any(DiSCO)", "of all syntheses released together: DiSCO or repU; also pooled and every"),
    ("after(DiSCO)", "a measure with the safeguards that are taken"),
    (
        "gain",
        "gain over chance, percentage points of the original records, of every target; also kappa and beyond, and with "
        "nothing excluded claims_right, best_guess and chance, % of the claims",
    ),
    ("copies", "records that equal an original record in all columns but identifiers, % of a synthesis, the mean"),
    (
        "identifiers",
        "values of the original in a synthesis, %, the largest: of every nearly unique column",
    ),
    ("one_way", "syntheses that raise the flag; also two_way"),
    (
        "under_k.share",
        "any figure of any table in the JSON, by table and column, in every row; [income] or [income,10%]: in the rows "
        "so named; near_misses or strongest_levels alone: the table's main figure",
    ),
)
"""What can stand in a condition, and what it means."""


LIMITS = "limits"
"""A condition of its own: it holds unless every figure is within the office's limits, which the review holds."""


def _limits(opened: Opened) -> list[str]:
    """Return why not every figure is within the office's limits, as page 1 of the report says it; else nothing."""
    if why := opened.judged.stopped() or _not_released(opened):
        return [f"{LIMITS} is not evaluated: {why.why}"]
    found = answer(opened)
    return [] if found.outcome is Outcome.WITHIN else [f"{found.headline}: {found.sentences[-1]}"]


def _not_released(opened: Opened) -> NotEvaluated | None:
    """Return why what is said to be released is not judged: a saved review names a synthesis that is not there."""
    m = opened.study(opened.first_set).n_syntheses
    gone = [i for i in opened.review.released.get(opened.first_set, ()) if i > m]
    there = quantity(m, "synthesis is", "syntheses are")
    return NotEvaluated(f"Synthesis {gone[0]} is said to be released, and {there} there.", "") if gone else None


def condition(text: str) -> Callable[[Opened], list[str]]:
    """Return what tells where a condition such as DiSCO>10 holds, or has no answer."""
    if text.strip() == LIMITS:
        return _limits
    asked = Inequality.parsed(text)
    if asked is None:
        raise DisclosureError(
            f"The condition {text!r} cannot be read; write it as a measure, a sign and a number: DiSCO>10."
        )
    written = text.strip()
    if asked.what in MAIN and not (asked.table or asked.of):
        asked = replace(asked, table=asked.what, what=MAIN[asked.what])
    if asked.table:
        from disclosure_core.cli.table_conditions import lines_of_table

        return lambda opened: lines_of_table(opened, asked, written, partial(_emptied, opened, asked))
    values_of = _known(asked)

    def lines_that_hold(opened: Opened) -> list[str]:
        if not_met := opened.judged.stopped() or (_not_released(opened) if asked.what in TOGETHER else None):
            return [f"{written} is not evaluated: {not_met.why}"]
        values, why = values_of(opened.printed), opened.judged.not_met()
        search = values if isinstance(values, _StoppedEarly) else None
        if isinstance(values, NotEvaluated):
            return [f"{written} is not evaluated: {values.why}"]
        of_targets = asked.what not in COPIED and THE_KEYS not in values
        if of_targets:  # one without a figure has no answer
            values = dict.fromkeys((*opened.printed.assessment().targets, *why), float("nan")) | values
        lacks = outside_lacks(opened.printed) if asked.what in (*BASELINE, SAME_KEYS) else {}
        if not isinstance(lacks, NotEvaluated):
            why = {**{name: lacks[name] for name in values if name in lacks}, **why}
        empty = {} if asked.what in COPIED else _emptied(opened, asked)
        empty = {name: why for name, why in empty.items() if name in values}
        values, why = {name: float("nan") if name in empty else x for name, x in values.items()}, {**empty, **why}
        if asked.target is not None:
            if asked.target in why:
                return [f"{written} is not evaluated: {why[asked.target]}"]
            if asked.target not in values:
                raise not_found("Target", asked.target, "among those assessed", values)
            values = {asked.target: values[asked.target]}
        # What has no answer is no pass.
        return [
            line
            for name, x in values.items()
            if (line := _line(written, name, x, asked, search, why.get(name, "there is no answer")))
        ]

    return lines_that_hold


def _emptied(opened: Opened, asked: Inequality) -> dict[str, str]:
    """Return, by target of which every record is excluded, why it has no answer to what exclusions act on.

    Of the keys it is those records that lack one whose missing values are excluded.
    """
    name, found = asked.of or asked.what, opened.printed
    if name in IDENTITY:
        left = found.assessment().tables.keys.profile(0, found.review.exclusions.missing_keys).d_q
        one = asked.what not in ("worst", "strongest") and asked.table in ("", "identity")  # others have fewer keys
        return {THE_KEYS: WITHOUT_RECORDS} if one and not left.any() else {}
    if name in BY_NAME and not BY_NAME[name].as_set:
        return {}
    return {target: why for target, risk in found.assessment().targets.items() if (why := risk.why_empty)}


def _line(written: str, name: str, x: float, asked: Inequality, search: _StoppedEarly | None, why: str) -> str:
    """Return why a condition does not pass for one target, or for the keys; empty where it does."""
    if x != x:
        return f"{written} is not evaluated for {name}: {why}"
    shown, holds = beside_limit(x, asked.number) if np.isfinite(x) else fixed(x), asked.holds(x)
    if search is not None and holds != asked.holds(search.most):
        return f"{written} is not evaluated for {name}: it is {search.said(shown, asked.number)}; {search.stopped}"
    return (
        f"{written} holds for {name}: {shown if search is None else search.said(shown, asked.number)}" if holds else ""
    )


class _StoppedEarly(dict[str, float]):
    """Figures of a search that stopped early: each is at least so much.

    Attributes
    ----------
    stopped
        How far was searched, and what goes on.
    most
        What each is at most.
    """

    def __init__(self, values: dict[str, float], stopped: str, most: float = np.inf) -> None:
        super().__init__(values)
        self.stopped, self.most = stopped, most

    def said(self, least: str, number: float) -> str:
        """Return what is known of a figure that is at least so much."""
        return f"{least} to {beside_limit(self.most, number)}" if np.isfinite(self.most) else f"at least {least}"


_Values = dict[str, float] | NotEvaluated


def _known(asked: Inequality) -> Callable[[Opened], _Values]:
    """Return what gives a figure by target, or of the keys."""
    what, of, of_targets, of_keys = asked.what, asked.of, OF_TARGET, IDENTITY
    kinds: dict[str, tuple[tuple[str, ...], Callable[[Opened], _Values]]] = {
        **{name: ((*of_targets, *of_keys), lambda opened: _over(opened.assessment(), of, what)) for name in SPREAD},
        **{name: ((*OUTSIDE, "repU"), lambda opened: _baseline(opened, of, what)) for name in BASELINE},
        **{name: (TOGETHER_OF, lambda opened: _together(opened, of, what)) for name in TOGETHER},
        "worst": (("DiSCO", "repU", "UiO"), lambda opened: _worst(opened, of)),
        "strongest": (SEARCHED, lambda opened: _strongest(opened, of)),
        "after": ((*of_targets, *of_keys), lambda opened: _after_safeguards(opened, of)),
    }
    if of:
        if what not in kinds:
            raise DisclosureError(f"There is no {what}(…); choose one of {', '.join(kinds)}.")
        allowed, found = kinds[what]
        if of not in allowed:
            raise DisclosureError(f"There is no measure {of!r} of {what}(…); choose one of {', '.join(allowed)}.")
        subject = of
    else:
        if what in kinds:
            raise DisclosureError(f"Say of which measure: {what}({kinds[what][0][0]}).")
        if what not in _PLAIN:
            raise DisclosureError(f"There is no measure {what!r}; choose one of {', '.join(_PLAIN)}.")
        subject, found = what, partial(_PLAIN[what], what=what)
    if subject in COPIED:
        asked.need_no_target(subject, "all columns")
    if subject in (*of_keys, *MEMBERSHIP):
        asked.need_no_target(subject)
    return found


def _over(result: object, measure: str, how: str) -> dict[str, float]:
    """Return a measure over the syntheses: "mean", "min", "max" or "sd"."""
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.measures import over_syntheses

    assert isinstance(result, Assessment)
    if measure in IDENTITY:
        return {THE_KEYS: float(over_syntheses(result.identity[measure])[how])}
    return {name: float(over_syntheses(risk.figures(measure))[how]) for name, risk in result.targets.items()}


def _mean(opened: Opened, what: str) -> _Values:
    return _over(opened.assessment(), what, "mean")


def _copied(opened: Opened, what: str) -> _Values:
    from disclosure_core.counting.copies import real_values

    if what == "identifiers":
        largest = real_values(opened.study()).groupby("column", sort=False)["share"].max()
        return {str(name): float(share) for name, share in largest.items()}
    found = opened.copies()
    return found if isinstance(found, NotEvaluated) else {ALL_COLUMNS: float(found.records["share"].mean())}


def _beside_a_guess(opened: Opened, what: str) -> _Values:
    return {name: getattr(risk.beyond_guess, what) for name, risk in opened.assessment().targets.items()}


def _flags(opened: Opened, what: str) -> _Values:
    return {name: float(risk.flags[FLAGS.index(what)]) for name, risk in opened.assessment().targets.items()}


def _baseline(opened: Opened, measure: str, what: str) -> _Values:
    if measure == "repU":
        keys = opened.identity_baseline()
        return keys if isinstance(keys, NotEvaluated) else {THE_KEYS: float(keys.summary()[what].iloc[0])}
    found = opened.attribute_baseline()
    return found if isinstance(found, NotEvaluated) else _column(found.summary(measure), what)


def _same_keys(opened: Opened, what: str) -> _Values:  # noqa: ARG001 (as its neighbours)
    found = opened.attribute_baseline()
    if isinstance(found, NotEvaluated):
        return found
    return _column(found.same_keys[found.same_keys["why"] == ""], "points")


def _membership(opened: Opened, what: str) -> _Values:
    found = opened.membership()
    if isinstance(found, NotEvaluated):
        return found
    values, of_worst = {THE_KEYS: float(found.decisive()[what])}, what.startswith("worst_")
    if found.complete or (found.is_decided and not of_worst):
        return values
    stopped = f"{found.coverage}; `disclosure membership --all` searches all"
    if not found.is_decided:  # another subset may have a larger F_rel, and with it another β counts
        of_each = found.summary()[what]
        values, stopped = {THE_KEYS: float(of_each.min())}, f"no motive says which β counts, and {stopped}"
        if what == "worst_F_rel":
            values = {THE_KEYS: float(of_each.max())}
        elif not of_worst:
            return _StoppedEarly(values, stopped, float(of_each.max()))
    return _StoppedEarly(values, stopped)


def _worst(opened: Opened, measure: str) -> _Values:
    found = opened.subsets()
    if measure != "DiSCO":
        values = {THE_KEYS: float(found.worst(measure).figure)}
    else:
        values = {name: float(found.worst(measure, name).figure) for name in opened.assessment().targets}
    stopped = f"{found.coverage}; `disclosure key-subsets --all` searches all"
    exact = measure == "UiO" and not opened.review.exclusions.missing_keys  # fewer keys have no more uniques
    return values if found.complete or exact else _StoppedEarly(values, stopped)


def _strongest(opened: Opened, measure: str) -> _Values:
    found = opened.strongest_intruder()
    rows = found.worst[found.worst["measure"] == measure]
    figures = dict(rows[["target", "figure"]].itertuples(index=False, name=None))
    if measure in OF_KEYS:
        values = {THE_KEYS: float(figures.get("", float("nan")))}
    else:
        values = {name: float(figures.get(name, float("nan"))) for name in opened.assessment().targets}
    return values if found.complete else _StoppedEarly(values, f"{found.coverage}; --nodes looks at more")


def _together(opened: Opened, measure: str, what: str) -> _Values:
    found = Together.of(opened)
    if isinstance(found, NotEvaluated):
        return found
    return {THE_KEYS: found.identity[what]} if measure == "repU" else _column(found.attributes, what)


def _after_safeguards(opened: Opened, measure: str) -> _Values:
    if not opened.review.steps:
        return NotEvaluated("No safeguard is taken.", "")
    return _over(opened.after_safeguards(), measure, "mean")


_PLAIN: dict[str, Callable[..., _Values]] = {
    **dict.fromkeys((*OF_TARGET, *IDENTITY), _mean),
    **dict.fromkeys(FLAGS, _flags),
    **dict.fromkeys(CLAIMS, _beside_a_guess),
    SAME_KEYS: _same_keys,
    **dict.fromkeys(MEMBERSHIP, _membership),
    **dict.fromkeys(COPIED, _copied),
}
"""By what stands in a condition alone, what gives it by target, or of the keys."""


def _column(frame: pd.DataFrame, name: str) -> dict[str, float]:
    return dict(zip(frame["target"].tolist(), frame[name].astype(np.float64).tolist(), strict=True))
