"""The consensus' release checklist: where each item is answered, derived from what was answered, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from disclosure_core.holdout import threat_model as asked
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.pieces import heading
from disclosure_core.report.source import MEMBERSHIP, Block, Report
from disclosure_core.report.words import CHECKLIST
from disclosure_core.review import about as of_release

HEADING = "Checklist of the expert consensus"
NOT_STATED, NOT_EVALUATED = "not stated", "not evaluated"
_ASSESSED, _TAKEN = "Data assessed", "Assumed knowledge of an intruder"


def blocks(source: Report) -> list[Block]:
    """Return the checklist: where each item stands, or that it does not."""
    where = items(source)
    rows = [(str(i), what, where.get(i, NOT_EVALUATED)) for i, what in CHECKLIST]
    return [
        heading(HEADING),
        Block(
            "table",
            "The consensus' release checklist [3], in our words, and where report or appendix answers it. An item that was "
            "not evaluated is not a pass.",
            columns=("Item", "What", "Where"),
            rows=tuple(rows),
            figures=frozenset({0}),
        ),
    ]


def items(source: Report) -> dict[int, str]:
    """Return, by number, where an item is answered, and what of it is not; an item that is not there is not evaluated."""
    said = {label: bool(source.about.get(label, "").strip()) for label in of_release.ABOUT}
    open_questions = set(source.review.threat_model.unanswered())
    # The questions before membership are printed where that section is: with a review, figures or not.
    printed = any(s.heading == MEMBERSHIP for s in source.sections)

    def answered(*questions: str) -> bool:
        return printed and open_questions.isdisjoint(questions)

    whole_population = answered(asked.POPULATION, asked.SIZE)
    intruder = answered(asked.SAME_POPULATION, asked.NEWS, asked.AFTER)
    of_set = any(k.reason.strip() for k in source.key_sets if k.name == source.review.intruder)
    no_reason = [] if of_set else [name for name in source.review.keys if not source.reasons.get(name, "").strip()]
    found = {
        1: _where_answered(_ASSESSED, {"files and sizes": True, "generator": said[of_release.GENERATOR]}),
        2: _where_answered(
            _ASSESSED,
            {
                "decision": said[of_release.DECISION],
                "file released": said[of_release.RELEASED] or bool(source.released),
            },
        ),
        3: _where_answered(
            _ASSESSED if said[of_release.POPULATION] else MEMBERSHIP,
            {
                "population and its size": said[of_release.POPULATION] or whole_population,
                "sampling": answered(asked.RANDOM_SAMPLE),
            },
        ),
        4: _where_answered(
            _ASSESSED if said[of_release.INTRUDER] else MEMBERSHIP,
            {
                "intruder": said[of_release.INTRUDER] or answered(asked.AFTER),
                "whether membership figures apply": intruder or answered(asked.SAME_POPULATION, asked.NEWS),
            },
        ),
        5: _TAKEN + (f"; no reason is given for {', '.join(no_reason)}" if no_reason else ""),
        6: _TAKEN,
        9: "Attributes; not against people outside the data",
        10: _ASSESSED,
        11: "Identity, Attributes, Flags",
        12: _limits(source),
        13: _verdict(source),
        14: _where_answered(
            "Sign-off",
            {"sign-off": True, "harm and ethics": said[of_release.GROUP_HARM], "access": said[of_release.RECIPIENTS]},
        ),
    }
    for section in source.sections:
        found |= dict.fromkeys(section.covers, section.heading)
    return found


def _where_answered(where: str, parts: Mapping[str, bool]) -> str:
    """Return where an item is answered, and which of its parts is not stated."""
    missing = [what for what, stated in parts.items() if not stated]
    if len(missing) == len(parts):
        return NOT_STATED
    return where + (f"; {NOT_STATED}: {', '.join(missing)}" if missing else "")


def _limits(source: Report) -> str:
    complete: list[str] = []
    part: list[str] = []
    none: list[str] = []
    for measure in LIMITED:
        limit = source.review.limits.of(measure)
        given = [limit.relative is not None, *([limit.absolute is not None] if measure != "F_rel" else [])]
        (complete if all(given) else part if any(given) else none).append(measure)
    if not complete and not part:
        return "Thresholds of the checks only; no limit of risk is set"
    said = [f"limits of {', '.join(complete)}"] if complete else []
    said += [f"one limit of two of {', '.join(part)}"] if part else []
    said += [f"no limit of {', '.join(none)}"] if none else []
    where = "; they stand in the internal version" if source.shareable else ""
    return f"Thresholds of the checks; {'; '.join(said)}{where}"


def _verdict(source: Report) -> str:
    return (
        "in the internal version; the verdict is the panel's"
        if source.shareable
        else "Page 1; the verdict is the panel's"
    )
