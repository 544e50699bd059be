"""Answers that no file gives, as parts of a review to fill in: reasons, assumptions, the release, verdicts.

A verdict stands beside the figure it judges. A file that is used again where that figure has moved is refused: nobody
has looked at the new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.holdout import threat_model as asked
from disclosure_core.holdout.decision import CONTEXT, LIMITED, PARTS, Limit
from disclosure_core.holdout.threat_model import MOTIVES
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review import scope, verdicts
from disclosure_core.review.about import OFFICER, TITLE, asked_about
from disclosure_core.review.assumptions import QUESTIONS
from disclosure_core.review.by_hand import ANSWERED, Parts, without_empty
from disclosure_core.review.parts import VERDICTS, Judgement
from disclosure_core.review.saved import VERSION, as_parts, read, unknown, with_parts
from disclosure_core.rounding import fixed, plain, visible

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

_QUESTIONS = {
    "same_population": asked.SAME_POPULATION,
    "news": asked.NEWS,
    "random_sample": asked.RANDOM_SAMPLE,
    "training_alone": "Is what is released made from the training part alone, and not from the whole original?",
}


def template(opened: Opened) -> str:
    """Return a TOML file with every question of a review, what is answered already, and a place for each verdict.

    Examples
    --------
    >>> from disclosure_core.review.opening import start_demonstration
    >>> print(template(start_demonstration())[:60])
    # Answers to “The demonstration survey”, which no file gives
    """
    return "\n".join(_lines(opened)) + "\n"


def nobody_answered(path: Path, written: str) -> bool:
    """Return whether nobody wrote anything into a file of answers: no answer, and no comment that `written` lacks."""
    try:
        answers = read(path)
    except DisclosureError:
        return False
    text = path.read_text(encoding="utf-8-sig")
    return not without_empty(answers) and _comments(text) <= _comments(written)


def _comments(text: str) -> set[str]:
    """Return what stands behind a hash in each line, but for the first, which names the data."""
    return {line.partition("#")[2].strip() for line in text.splitlines() if not line.startswith(_FIRST)} | {""}


_FIRST = "# Answers to "
"""Where a file of answers begins."""


def _lines(opened: Opened) -> Iterator[str]:
    review, m = opened.review, opened.review.threat_model
    of = visible(" ".join(review.name.split()))
    yield f"{_FIRST}“{of}”, which no file gives. What is left empty is not answered."
    yield f"review = {VERSION}"
    yield from _heading("about", f"the release; “{scope.NOT_ASKED}” is an answer")
    for label in (OFFICER, TITLE, *asked_about(opened.study().n_syntheses, review.holdout is not None)):
        yield f"{_text(label)} = {_text(review.about.get(label, ''))}" + "  # of the report" * (label == TITLE)
    yield from _heading("released", "numbers of the syntheses that are released, from 1")
    yield f"{_text(opened.first_set)} = {list(review.released.get(opened.first_set, ()))}"
    yield from _heading("scope", "asked of this release, yes or no; empty: where the office set a limit of it")
    for name, words in scope.SCOPE.items():
        yield f"{name} = {_yes_or_no(review.scope.get(name))}  # {words}"
    yield from _heading("assumptions", "yes or no")
    for question in QUESTIONS:
        yield f"{question.name} = {_text(review.assumptions.get(question.name, ''))}  # {question.text}"
    yield from _heading(
        "threat_model", "the questions that come before any figure of membership; yes or no where nothing else is said"
    )
    yield f"population = {_text(m.population)}  # {asked.POPULATION}"
    size = m.population_size
    yield f"{'# ' if size is None else ''}population_size = {size or 1000000}  # {asked.SIZE}"
    yield f"source = {_text(m.source)}"
    for name, text in _QUESTIONS.items():
        yield f"{name} = {_yes_or_no(getattr(m, name))}  # {text}"
    motive = next((name for name, each in MOTIVES.items() if each == m.motive), "")
    yield f"motive = {_text(motive)}  # {asked.AFTER} {', '.join(MOTIVES)}"
    for measure in LIMITED:
        limit = review.limits.of(measure)
        if limit.absolute is not None or limit.relative is not None:
            yield from _heading(f"limits.{PARTS[measure]}", f"whose the limits of {measure} are, why, their context")
            yield f"owner = {_text(limit.owner)}"
            yield f"reason = {_text(limit.reason)}"
            yield from (f"context.{d.name} = {_text(limit.context.get(d.name, ''))}  # {d.question}" for d in CONTEXT)
    yield from _heading("reasons", "why each key is known, and why something is not counted")
    for name in _reasoned(opened):
        yield f"{_text(name)} = {_text(review.reasons.get(name, ''))}"
    yield from _heading("intruders", "why each knows these keys")
    yield from (f"{_text(each.name)} = {_text(each.reason)}" for each in review.intruders if each.keys)
    for intruder, rows in _places(opened).items():
        yield from _heading(f"verdicts.{_text(intruder)}", f"{', '.join(VERDICTS)}; at: the figure judged, DiSCO in %")
        for target, place in rows.items():
            told = f"verdict = {_text(place.verdict)}, reason = {_text(place.reason)}, at = {place.at}"
            yield f"{_text(target)} = {{ {told} }}"


def _heading(name: str, told: str = "") -> Iterator[str]:
    yield ""
    yield f"[{name}]" + (f"  # {told}" if told else "")


def _text(text: str) -> str:
    """Return a text as TOML writes it: as JSON does, but for letters that nobody sees or that turn others."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() or "\ud800" <= c <= "\udfff" else f"\\U{ord(c):08x}" for c in written)


def _yes_or_no(answer: bool | None) -> str:
    return _text("" if answer is None else "yes" if answer else "no")


def _reasoned(opened: Opened) -> tuple[str, ...]:
    """Return what may have a reason: the keys, and all that is excluded."""
    review = opened.review
    keys = (key for each in review.intruders for key in each.keys)
    return tuple(dict.fromkeys((*keys, *of_reasons.names(review.exclusions))))


class _Place(NamedTuple):
    """A verdict that can be given: what was said, whether that stands, the figure judged then, and the one now."""

    verdict: str
    reason: str
    stands: bool
    at: str
    now: str


def _places(opened: Opened) -> dict[str, dict[str, _Place]]:
    """Return a place for each verdict that can be given, by intruder and target."""
    given = {(g.verdict.intruder, g.verdict.target): g for g in opened.verdicts()}
    found: dict[str, dict[str, _Place]] = {}
    for intruder in (each for each in opened.review.intruders if each.keys):
        asking = opened.judged.of_intruder(intruder.name)
        if not asking.can_learn(opened.first_set):
            continue
        rows = found.setdefault(intruder.name, {})
        for target, risk in asking.assessment().targets.items():
            now, g = fixed(float(risk.figures("DiSCO").mean())), given.get((intruder.name, target))
            if g is None:
                rows[target] = _Place("", "", stands=True, at=now, now=now)
                continue
            stamp = g.verdict.stamp
            at = now if g.stands else _text("?") if stamp is None else fixed(stamp.figure)
            rows[target] = _Place(g.verdict.verdict, g.verdict.reason, g.stands, at, now)
    return found


def with_answers(opened: Opened, answers: Parts, when: str = "") -> Opened:
    """Return the review with what is answered; what is empty stays as it was."""
    given = without_empty(answers)
    now = as_parts(opened.review)
    for name in given:
        if name not in now:
            raise unknown(name, now)
        if name not in ANSWERED:
            raise DisclosureError(
                f"{name!r} says what is asked, and no answer: give it by --settings, or leave it out of the answers."
            )
    judged = given.pop("verdicts", [])
    _refuse_strangers(opened, given)
    review = with_parts(opened.review, {name: _onto(now[name], part) for name, part in given.items()})
    question = next(iter(review.limits.questions().values()), "") if "limits" in given else ""
    if question:
        raise DisclosureError(f"{question} Write as_written = true beside the first, or else the second.")
    return _with_verdicts(opened.with_review(review), judged, when)


def _onto(now: Any, part: Any) -> Any:
    """Return what was answered, with what is answered now in its place: by name, also of each intruder."""
    if isinstance(now, dict) and isinstance(part, dict):
        return now | {name: _onto(now.get(name), each) for name, each in part.items()}
    if isinstance(now, list) and isinstance(part, list) and all(isinstance(row, dict) for row in (*now, *part)):
        by_name = {row.get("name"): row for row in part}
        return [each | by_name.get(each["name"], {}) for each in now]
    return part


def _refuse_strangers(opened: Opened, given: Parts) -> None:
    """Say which name in the answers is none of this review."""
    review = opened.review
    labels = (OFFICER, TITLE, *asked_about(opened.study().n_syntheses, review.holdout is not None))
    _known_names(given, "about", labels)
    _known_names(given, "released", opened.set_names, "The set of syntheses")
    for name, numbers in _table(given, "released").items():
        m = len(opened.study(name).n_synthetic)
        if not isinstance(numbers, list) or any(type(i) is not int or not 1 <= i <= m for i in numbers):
            raise DisclosureError(f"What is released is a list of numbers from 1 to {m}, as [1]; write it so.")
    for name, part in _table(given, "limits").items():
        limit = getattr(review.limits, name, None)
        values = isinstance(part, dict) and part.keys() & {"absolute", "relative"}
        if isinstance(limit, Limit) and not values and limit.absolute is None and limit.relative is None:
            raise DisclosureError(f"[limits.{name}] says whose limits they are, and there are none; add --limit.")
    if "reasons" in given:
        known = (*_reasoned(opened), *opened.assessment().targets, *of_reasons.OF_ALL)
        _known_names(given, "reasons", dict.fromkeys(known), "What has a reason,")
    known_to = [each.name for each in review.intruders]
    if not isinstance(rows := given.get("intruders", []), list):
        raise DisclosureError("[intruders] holds a reason for each intruder; write it as one.")
    for row in rows:
        if not isinstance(row, dict) or row.get("name") not in known_to:
            stranger = row.get("name") if isinstance(row, dict) else row
            raise not_found("The intruder", str(stranger), "in [intruders]", known_to)
        if others := row.keys() - {"name", "reason"}:
            raise DisclosureError(
                f"The {min(others)} of an intruder are asked, and no answer: give them by --settings."
            )


def _table(given: Parts, name: str) -> Mapping[str, Any]:
    """Return a part by name; nothing where it is none, which the review itself says."""
    part = given.get(name)
    return part if isinstance(part, dict) else {}


def _known_names(given: Parts, part: str, known: Iterable[str], what: str = "The answer") -> None:
    names = tuple(known)
    for name in _table(given, part):
        if name not in names:
            raise not_found(what, name, f"in [{part}]", names)


_OF_VERDICT = ("synthesis_set", "intruder", "target", "verdict", "reason", "at")


def _with_verdicts(opened: Opened, rows: Any, when: str) -> Opened:
    if not rows:
        return opened
    if not isinstance(rows, list):
        raise DisclosureError("[verdicts] holds a table of verdicts for each intruder; write it as one.")
    places, first, review = _places(opened), opened.review.intruder, opened.review
    for row in rows:
        if not isinstance(row, dict):
            raise DisclosureError("A verdict in the answers is a table of names and answers; write it as one.")
        intruder, target = str(row.get("intruder")), str(row.get("target"))
        if intruder not in places:
            raise not_found("The intruder", intruder, "in [verdicts]", places)
        if target not in places[intruder]:
            raise not_found("The target", target, f"in [verdicts.{intruder}]", places[intruder])
        part = f"[verdicts.{intruder}.{target}]"
        if (strange := next((name for name in row if name not in _OF_VERDICT), None)) is not None:
            raise not_found("The answer", strange, f"in {part}", _OF_VERDICT)
        if row.get("synthesis_set", opened.first_set) != opened.first_set:
            raise DisclosureError(f"{part} is of another set of syntheses than the figures; leave it out.")
        if "verdict" not in row:
            raise DisclosureError(f"{part} has a reason and no verdict; give one ({', '.join(VERDICTS)}), or neither.")
        verdict, reason, place = row["verdict"], row.get("reason", ""), places[intruder][target]
        if verdict not in VERDICTS:
            raise not_found(f"The verdict on {target!r},", str(verdict), "one that can be given", VERDICTS)
        _judges(target, intruder, row.get("at"), place.now)
        if not isinstance(reason, str):
            raise DisclosureError(f"The reason in {part} is a text; write it in double quotes.")
        if place.stands and (verdict, reason) == place[:2]:
            continue  # given before: who and when stay
        asking = opened.with_review(replace(review, intruder=intruder))
        review = verdicts.judged(asking, [target], cast("Judgement", verdict), reason, when)
    return opened.with_review(replace(review, intruder=first))


def _judges(target: str, intruder: str, at: object, now: str) -> None:
    """Refuse a verdict on another figure than today's: nobody has looked at this one."""
    number = isinstance(at, int | float) and not isinstance(at, bool)
    if number and fixed(float(cast("float", at))) == now:
        return
    before = f"judged {plain(float(cast('float', at)))} %" if number else "does not say which figure it judged"
    raise DisclosureError(
        f"The verdict on {target!r} for {intruder!r} {before}; it is {now} % now: look at it, and write at = {now}."
    )
