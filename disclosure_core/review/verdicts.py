"""Verdicts with what they judged: stamped when they are given, held against the figures as they are now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

from disclosure_core.conclusions.standing import AT_TAU, Stamp, Standing, changed, sentence, standing
from disclosure_core.counting.registry import COMPARED
from disclosure_core.errors import DisclosureError
from disclosure_core.review.about import OFFICER
from disclosure_core.rounding import compare
from disclosure_core.sensitivity import threshold

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Judgement, Verdict
    from disclosure_core.review.value import Review


ASKED_ALONE: tuple[Judgement, ...] = ("needs a safeguard", "leak")
"""Verdicts that nothing carries, and that are confirmed one by one."""


@dataclass(frozen=True, slots=True)
class Given:
    """A verdict, and what it would judge now.

    Attributes
    ----------
    verdict
        As it was given, with its stamp.
    now
        The stamp that it would get now; None where its target is none any more, or is not evaluated.
    why
        Why the figure is not evaluated; empty where it is, or where the target is none any more.
    """

    verdict: Verdict
    now: Stamp | None
    why: str = ""

    @property
    def standing(self) -> Standing:
        """Whether the verdict fits what it judged."""
        return standing(self.verdict.stamp, self.now, self.why)

    @property
    def stands(self) -> bool:
        """Whether nothing is to be confirmed."""
        return self.standing is Standing.STANDS

    @property
    def sentence(self) -> str:
        """What is to be said of a verdict that does not stand; empty for one that does."""
        return sentence(self.verdict.stamp, self.now, self.why)

    @property
    def fits_others(self) -> bool:
        """Whether it may be confirmed in one act with others (measures.md 11.4).

        Its figure is equal or lower, the data are the same, and it is none of `ASKED_ALONE`.
        """
        was, now = self.verdict.stamp, self.now
        if self.standing is not Standing.CONFIRM or was is None or now is None or self.verdict.verdict in ASKED_ALONE:
            return False
        return not {"data", "measure"} & set(changed(was, now)) and compare(now.figure, was.figure) <= 0

    @property
    def words(self) -> str:
        """The verdict as a row of the queue names it: "leak", "leak, to confirm"."""
        return self.verdict.verdict if self.stands else f"{self.verdict.verdict}, {self.standing}"


def stamp(
    opened: Opened,
    target: str,
    intruder: str = "",
    synthesis_set: str | None = None,
    measure: str = "DiSCO",
    tau: float | None = None,
) -> Stamp | None:
    """Return what a verdict on a target judges now, the judged figure; None where that is no target of this intruder.

    Parameters
    ----------
    intruder
        Name of the key set; empty for the one that figures speak of.
    measure
        The figure judged: the name of a synthetic measure, such as "DiSCO" or "DCAPd".
    tau
        Judges claims at least so sure, instead of a published measure.
    """
    name = synthesis_set or opened.first_set
    asked = asked_as(opened, intruder or opened.review.intruder, name)
    return None if asked is None else _stamp(asked, target, name, measure, tau)


def asked_as(opened: Opened, intruder: str, name: str) -> Opened | None:
    """Return the judged review of one intruder; None where there is none, or nothing to learn from the set."""
    if name not in opened.set_names or intruder not in {k.name for k in opened.review.intruders}:
        return None
    asked = opened.judged.of_intruder(intruder, synthesis_set=name)
    return asked if asked.can_learn(name) else None


def _stamp(asked: Opened, target: str, name: str, measure: str, tau: float | None) -> Stamp | None:
    found, settings = asked.assessment(None, name), asked.review.settings
    if target not in found.targets:
        return None
    risk = found.targets[target]
    figures = risk.figures(measure) if tau is None else threshold.figures(risk, (tau,))[1]
    out = settings.left_out.of(target)
    excluded = (
        *out.names_of(target),
        *(f"missing values of the key {key}" for key in sorted(out.missing_keys)),
        *([] if out.denominator_limit is None else [f"denominators above {out.denominator_limit}"]),
    )
    groups = {column: n for column, n in settings.groups if column in {*settings.keys, target}}
    return Stamp(
        settings.keys,
        groups,
        excluded,
        _fingerprints(asked, name),
        measure if tau is None else AT_TAU,
        float(figures.mean()),
        tau,
    )


def all_given(opened: Opened, synthesis_set: str | None = None) -> tuple[Given, ...]:
    """Return every verdict on one set of syntheses, of every intruder, with what it would judge now."""
    name = synthesis_set or opened.first_set
    of_set = [v for v in opened.review.verdicts if v.synthesis_set == name]
    asked = {intruder: asked_as(opened, intruder, name) for intruder in {v.intruder for v in of_set}}
    return tuple(Given(v, _stamp_now(asked[v.intruder], v), _why(opened, v)) for v in of_set)


def _why(opened: Opened, verdict: Verdict) -> str:
    """Return why the figure that a verdict judged is not evaluated; empty where it is."""
    if verdict.synthesis_set not in opened.set_names or not opened.unmet(verdict.synthesis_set):
        return ""
    if verdict.intruder not in {k.name for k in opened.review.intruders}:
        return ""
    asked = opened.judged.with_review(replace(opened.judged.review, intruder=verdict.intruder))
    return asked.not_met(verdict.synthesis_set).get(verdict.target, "")


def table(opened: Opened) -> pd.DataFrame:
    """Return every verdict of a review, on every set of syntheses.

    Returns
    -------
    DataFrame
        synthesis_set, intruder, target, verdict, reason; standing; measure, given_at and now_at, % (NaN: not known);
        who and when; to_confirm, a sentence.
    """
    import pandas as pd

    sets = dict.fromkeys(v.synthesis_set for v in opened.review.verdicts)
    rows = []
    for each in (g for name in sets for g in all_given(opened, name)):
        v, old = each.verdict, each.verdict.stamp
        rows.append(
            (
                v.synthesis_set,
                v.intruder,
                v.target,
                v.verdict,
                v.reason,
                str(each.standing),
                "" if old is None else old.named,
                _first(old),
                nan if each.now is None else each.now.figure,
                "" if old is None else old.who,
                "" if old is None else old.when,
                each.sentence,
            )
        )
    return pd.DataFrame(rows, columns=_COLUMNS)


def _first(old: Stamp | None) -> float:
    """Return the figure that a verdict was given at, also where it was carried since; NaN: not known."""
    if old is None:
        return nan
    return old.figure if old.given_at is None else old.given_at


def judged(
    opened: Opened,
    targets: Iterable[str],
    verdict: Judgement,
    reason: str | None = None,
    when: str = "",
    measure: str = "DiSCO",
    tau: float | None = None,
) -> Review:
    """Return the review with one verdict on some targets, for the intruder and the set that figures speak of.

    Parameters
    ----------
    reason
        For all of them; None keeps what each has.
    when
        ISO date.
    measure, tau
        The comparison that was looked at, of `COMPARED`, or claims at least so sure.
    """
    review, name = opened.review, opened.first_set
    who = review.about.get(OFFICER, "").strip()
    for target in targets:
        found = stamp(opened, target, "", name, COMPARED[measure][1], tau)
        found = None if found is None else replace(found, when=when, who=who)
        review = review.with_verdict(target, name, verdict, reason, found)
    return review


def confirmed(opened: Opened, targets: Iterable[str], when: str = "") -> Review:
    """Return the review with the verdicts on some targets given again as they are, of the same measure.

    Raises
    ------
    DisclosureError
        When there are several, and one of them has to be confirmed by itself.
    """
    review, name, targets = opened.review, opened.first_set, tuple(targets)
    if len(targets) > 1:
        together = {g.verdict.target for g in confirmable(opened)}
        alone = [target for target in targets if target not in together]
        if alone:
            raise DisclosureError(
                f"The verdict on {alone[0]!r} is confirmed by itself: only equal or lower figures of the same data are "
                f"confirmed together, and never “{'” or “'.join(ASKED_ALONE)}”."
            )
    who = review.about.get(OFFICER, "").strip()
    for target in targets:
        old = review.verdict_on(target, name)
        found = None if old is None else _stamp_now(asked_as(opened, review.intruder, name), old)
        if old is not None and found is not None:
            review = review.with_verdict(target, name, old.verdict, old.reason, replace(found, when=when, who=who))
    return review


def confirmable(opened: Opened) -> tuple[Given, ...]:
    """Return the verdicts of the intruder and the set that figures speak of which one act may confirm together."""
    return tuple(g for g in all_given(opened) if g.verdict.intruder == opened.review.intruder and g.fits_others)


def _stamp_now(asked: Opened | None, verdict: Verdict) -> Stamp | None:
    """Return the stamp that a verdict would get now, of the measure that it judged."""
    if asked is None:
        return None
    old, tau = verdict.stamp, asked.review.tau
    if old is not None and old.tau is not None and tau is not None:
        return _stamp(asked, verdict.target, verdict.synthesis_set, "", tau)
    measure = "DiSCO" if old is None or old.measure not in _MEASURES else old.measure
    return _stamp(asked, verdict.target, verdict.synthesis_set, measure, None)


_COLUMNS = [
    "synthesis_set",
    "intruder",
    "target",
    "verdict",
    "reason",
    "standing",
    "measure",
    "given_at",
    "now_at",
    "who",
    "when",
    "to_confirm",
]
_MEASURES = {synthetic for _, synthetic in COMPARED.values()}


def _fingerprints(opened: Opened, synthesis_set: str) -> tuple[str, ...]:
    """Return the fingerprints of the original and of a set, with the split and the safeguards that were adopted."""
    readings, holdout = opened.readings(synthesis_set), opened.review.holdout
    prints = [r.sha256 for r in readings]
    adopted = [step.sentence for origin in opened.review.ancestry(synthesis_set)[1] for step in origin.steps]
    split = [] if holdout is None or holdout.share is None else [f"split {holdout.share:g} %, seed {holdout.seed}"]
    return (*prints[:1], *sorted(prints[1:]), *split, *adopted) if any(prints) else (*split, *adopted)
