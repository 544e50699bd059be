"""What the officer says of a target, or of those ticked: one of four, and why. The program proposes none.

`shows` is all that `assets/parts/verdict.js` is told; `act` does what a person did there, if it can be.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.registry import COMPARED
from disclosure_core.review import reasons, verdicts
from disclosure_core.review.about import OFFICER
from disclosure_core.review.parts import VERDICTS, Judgement
from disclosure_core.rounding import fixed, quantity, visible
from pages.review.bench import comparison, short

if TYPE_CHECKING:
    from disclosure_core.review.queue import QueueRow
    from pages.shared.open_review import Session


def act(s: Session, asked: dict[str, Any]) -> None:
    """Do what a person did: give a verdict, which leads to the next target, write why, confirm, or take it back."""
    names, of = set(s.now.assessment().targets), s.now.first_set
    targets = (
        [t for t in said if isinstance(t, str) and t in names] if isinstance(said := asked.get("targets"), list) else []
    )
    match asked:
        case {"officer": str(name)}:
            s.write("about", OFFICER, name)
        case {"verdict": str(verdict), "reason": str(reason)} if targets and verdict in VERDICTS:
            _judge(s, targets, verdict, reason)
        case {"why": str(reason)} if len(targets) == 1 and (now := s.review.verdict_on(targets[0], of)):
            with s.telling():
                s.change(s.review.with_verdict(targets[0], of, now.verdict, reason))
        case {"confirm": True} if targets:
            with s.telling():
                s.change(verdicts.confirmed(s.now, targets, _today()))
        case {"back": True} if len(targets) == 1:
            s.change(s.review.with_verdict(targets[0], of, None))


def _judge(s: Session, targets: Sequence[str], verdict: Judgement, reason: str) -> None:
    """Give one verdict on some targets; one that is new leads to the next target without one."""
    measure, tau = comparison(s)
    waited = set(s.now.queue(measure, tau, order=s.order).to_review)
    with s.telling():
        s.change(verdicts.judged(s.now, targets, verdict, reason.strip() or None, _today(), measure, tau))
        s.ticked -= set(targets)
        following = s.now.queue(measure, tau, order=s.order).next_open(s.target)
        if s.target in targets and waited & set(targets):
            which = visible(targets[0]) if len(targets) == 1 else quantity(len(targets), "target")
            s.done = (*s.done, f"{which}: {verdict}." + ("" if following else " No other target waits for a verdict."))
            if following:
                s.look_at(following)


def shows(s: Session, row: QueueRow, ticked: Sequence[str]) -> dict[str, Any]:
    """Return all that is shown of the verdict on one target, or on those that are ticked."""
    given = row.given
    title = visible(row.target)
    if ticked:
        waiting = {each.verdict.target for each in verdicts.confirmable(s.now)}
        together = [target for target in ticked if target in waiting]
        few = ", ".join(map(visible, ticked[:3])) + (f" and {len(ticked) - 3:,} more" if len(ticked) > 3 else "")
        return {
            "targets": list(ticked),
            "heading": f"Your verdict on {quantity(len(ticked), 'ticked target')}",
            "note": few,
            "verdicts": _choices(),
            "given": "",
            "reason": "",
            "confirm": {"words": f"Confirm {len(together):,} as they are", "targets": together} if together else None,
            "back": False,
            "officer": s.review.about.get(OFFICER, ""),
        }
    waits = given is not None and given.now is not None and not given.stands
    return {
        "targets": [row.target],
        "heading": f"Your verdict on {title} at {short(row.synthetic)} %",
        "note": visible(given.sentence) if given and not given.stands else judges(s, row),
        "verdicts": _choices(),
        "given": given.verdict.verdict if given else "",
        "reason": given.verdict.reason if given else "",
        "confirm": {"words": f"Confirm at {given.now.shown}", "targets": [row.target]}
        if given is not None and given.now is not None and waits
        else None,
        "back": given is not None,
        "officer": s.review.about.get(OFFICER, ""),
    }


def _choices() -> list[list[str]]:
    return [[verdict, verdict.capitalize()] for verdict in VERDICTS]


def judges(s: Session, row: QueueRow) -> str:
    """Say what a verdict judges where a preview is shown beside: an exclusion without a reason takes nothing."""
    n = len(reasons.without_reason(s.settings.left_out.of(row.target), s.review.reasons))
    measure, tau = comparison(s)
    now = verdicts.stamp(s.now, row.target, measure=COMPARED[measure][1], tau=tau) if n else None
    if now is None or row.preview is None or fixed(now.figure) == fixed(row.preview):
        return ""
    return f"A verdict judges {now.shown}: {n} exclusion{'s have' if n > 1 else ' has'} no reason"


def _today() -> str:
    return dt.date.today().isoformat()
