"""Answers that no file gives, in a file that a person fills in: reasons, assumptions, the release, verdicts.

A verdict stands beside the figure it judges. A file that is used again where that figure has moved is refused: nobody
has looked at the new one.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.holdout import threat_model as asked
from disclosure_core.holdout.decision import CONTEXT, LIMITED, with_limit
from disclosure_core.holdout.threat_model import GATE, MOTIVES
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review import scope, verdicts
from disclosure_core.review.about import asked_about
from disclosure_core.review.assumptions import ANSWERS, QUESTIONS, checked
from disclosure_core.review.parts import VERDICTS
from disclosure_core.review.value import OFFICER, TITLE
from disclosure_core.rounding import fixed, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Judgement

LARGEST = 1_000_000
"""Bytes of a file of answers."""

POPULATION, SIZE, SOURCE, MOTIVE = "population", "population-size", "population-source", "motive"
_QUESTIONS = {
    "same-population": asked.SAME_POPULATION,
    "membership-is-news": asked.NEWS,
    "random-sample": asked.RANDOM_SAMPLE,
    "training-alone": "Is what is released made from the training part alone, and not from the whole original?",
}


def template(opened: Opened) -> str:
    """Return a TOML file with every question of a review, what is answered already, and a place for each verdict.

    Parameters
    ----------
    opened
        A review with keys and targets.

    Examples
    --------
    >>> from disclosure_core.review.opening import start_demonstration
    >>> print(template(start_demonstration())[:60])
    # Answers to “The demonstration survey”, which no file gives
    """
    return "\n".join(_lines(opened)) + "\n"


def nobody_answered(path: Path) -> bool:
    """Return whether a file is one of answers in which nobody has given one."""
    try:
        answers = tomllib.loads(path.read_text(encoding="utf-8")[:LARGEST])
    except (OSError, ValueError):
        return False
    return "verdicts" in answers and not any(_given(answers))


def _given(answers: Mapping[str, Any]) -> Iterator[Any]:
    """Give every answer; the figure beside a verdict is none."""
    for name, value in answers.items():
        if isinstance(value, dict):
            yield from _given(value)
        elif name != "at" and value not in ("", []):
            yield value


def _lines(opened: Opened) -> Iterator[str]:
    review, m = opened.review, opened.review.threat_model
    yield f"# Answers to “{' '.join(review.name.split())}”, which no file gives. What is left empty is not answered."
    yield f"officer = {_text(review.about.get(OFFICER, ''))}"
    yield f"title = {_text(review.about.get(TITLE, ''))}  # of the report"
    released = review.released.get(opened.first_set, ())
    yield f"released = [{', '.join(map(str, released))}]  # numbers of the syntheses that are released, from 1"
    yield from _heading("asked", "of this release, yes or no; empty: where the office set a limit of it")
    for name, words in scope.SCOPE.items():
        asked_of_it = review.scope.get(name)
        yield f"{name} = {_text('' if asked_of_it is None else 'yes' if asked_of_it else 'no')}  # {words}"
    yield from _heading("release", f"“{scope.NOT_ASKED}” is an answer")
    for label in asked_about(opened.study().n_syntheses, review.holdout is not None):
        yield f"{_text(label)} = {_text(review.about.get(label, ''))}"
    yield from _heading("assumptions", "yes or no")
    for question in QUESTIONS:
        yield f"{question.name} = {_text(review.assumptions.get(question.name, ''))}  # {question.text}"
    yield from _heading(
        "membership", "the questions that come before any figure of it; yes or no where nothing else is said"
    )
    yield f"{POPULATION} = {_text(m.population)}  # {asked.POPULATION}"
    size = "" if m.population_size is None else m.population_size
    yield f"{'# ' if size == '' else ''}{SIZE} = {size or 1000000}  # {asked.SIZE}"
    yield f"{SOURCE} = {_text(m.source)}"
    for name, field in GATE.items():
        given = getattr(m, field)
        yield f"{name} = {_text('' if given is None else 'yes' if given else 'no')}  # {_QUESTIONS[name]}"
    motive = next((name for name, each in MOTIVES.items() if each == m.motive), "")
    yield f"{MOTIVE} = {_text(motive)}  # {asked.AFTER} {', '.join(MOTIVES)}"
    for measure in LIMITED:
        limit = review.limits.of(measure)
        if limit.absolute is not None or limit.relative is not None:
            yield from _heading(f"limits.{measure}", "whose the limits are, why, and their context")
            yield f"owner = {_text(limit.owner)}"
            yield f"reason = {_text(limit.reason)}"
            yield from (f"{d.name} = {_text(limit.context.get(d.name, ''))}  # {d.question}" for d in CONTEXT)
    yield from _heading("reasons", "why each key is known, and why something is not counted")
    for name in _reasoned(opened):
        yield f"{_text(name)} = {_text(review.reasons.get(name, ''))}"
    yield from _heading("intruders", "why each knows these keys")
    yield from (f"{_text(each.name)} = {_text(each.reason)}" for each in review.intruders if each.keys)
    for intruder, rows in _places(opened).items():
        yield from _heading(f"verdicts.{_text(intruder)}", f"{', '.join(VERDICTS)}; at: the figure judged, DiSCO in %")
        for target, place in rows.items():
            said = f"verdict = {_text(place.verdict)}, reason = {_text(place.reason)}, at = {place.at}"
            yield f"{_text(target)} = {{ {said} }}"


def _heading(name: str, said: str = "") -> Iterator[str]:
    yield ""
    yield f"[{name}]" + (f"  # {said}" if said else "")


def _text(text: str) -> str:
    """Return a text as TOML writes it: as JSON does, but for what is no character there."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


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


def read_answers(path: Path) -> dict[str, Any]:
    """Return what a file of answers holds: TOML, or JSON of the same form.

    Raises
    ------
    DisclosureError
        When it cannot be read, or is neither.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise DisclosureError(f"{path.name} cannot be read ({error.strerror}); check it.") from None
    if len(data) > LARGEST:
        raise DisclosureError(f"{path.name} is larger than 1 MB; a file of answers is not. Name another.")
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except UnicodeDecodeError:
        raise DisclosureError(f"{path.name} is not text in UTF-8; save it as that.") from None
    except (ValueError, RecursionError) as error:
        where = str(error).split("\n")[0].rstrip(".") if isinstance(error, ValueError) else "it is nested too deeply"
        raise DisclosureError(f"{path.name} cannot be read as answers ({where}); mend that line.") from None
    if not isinstance(found, dict):
        raise DisclosureError(f"{path.name} holds no answers by name; begin with `disclosure answers`.")
    return found


def with_answers(opened: Opened, answers: Mapping[str, Any], when: str = "") -> Opened:
    """Return the review with what is answered; what is empty stays as it was.

    Parameters
    ----------
    answers
        As `read_answers` gives them.
    when
        ISO date of the verdicts that are new.

    Raises
    ------
    DisclosureError
        When there is no such question, answer, key, target or intruder, or a verdict judged another figure.
    """
    parts: dict[str, Callable[[Opened, Any], Opened]] = {
        "officer": lambda o, said: _with_about(o, {OFFICER: said}, (OFFICER,)),
        "title": lambda o, said: _with_about(o, {TITLE: said}, (TITLE,)),
        "released": _with_released,
        "release": lambda o, said: _with_about(
            o, said, asked_about(o.study().n_syntheses, o.review.holdout is not None)
        ),
        "asked": _with_scope,
        "assumptions": _with_assumptions,
        "membership": _with_membership,
        "limits": _with_limits,
        "reasons": _with_reasons,
        "intruders": _with_intruders,
        "verdicts": lambda o, said: _with_verdicts(o, said, when),  # last: they judge what the others leave
    }
    for name in answers:
        if name not in parts:
            raise not_found("The part", name, "of a file of answers", parts)
    for name, applied in parts.items():
        if name in answers:
            opened = applied(opened, answers[name])
    return opened


def _table(said: object, name: str, known: Iterable[str], what: str = "The answer") -> dict[str, Any]:
    """Return a part by name, without what is empty."""
    if not isinstance(said, dict):
        raise DisclosureError(f"[{name}] in a file of answers is a table of names and answers; write it as one.")
    listed = tuple(known)
    for each in said:
        if each not in listed:
            raise not_found(what, each, f"in [{name}]", listed)
    return {key: value for key, value in said.items() if value != ""}


def _texts(said: Mapping[str, object], name: str) -> dict[str, str]:
    for each, value in said.items():
        if not isinstance(value, str):
            raise DisclosureError(f"The answer to {each!r} in [{name}] is a text; write it in double quotes.")
    return cast("dict[str, str]", dict(said))


def _with(opened: Opened, **changed: Any) -> Opened:
    return opened.with_review(replace(opened.review, **changed))


def _with_about(opened: Opened, said: object, known: Iterable[str]) -> Opened:
    found = _texts(_table(said, "release", known), "release")
    return _with(opened, about={**opened.review.about, **found})


def _with_released(opened: Opened, said: object) -> Opened:
    m = len(opened.study().n_synthetic)
    if not isinstance(said, list) or any(type(i) is not int or not 1 <= i <= m for i in said):
        raise DisclosureError(f"What is released is a list of numbers from 1 to {m}, as [1]; write it so.")
    if not said:
        return opened
    return _with(opened, released={**opened.review.released, opened.first_set: tuple(sorted(set(said)))})


def _with_scope(opened: Opened, said: object) -> Opened:
    review = opened.review
    for name, answer in _texts(_table(said, "asked", scope.SCOPE), "asked").items():
        if answer not in ANSWERS:
            raise DisclosureError(f"The answer to {name!r} is yes or no, not {answer!r}.")
        review = scope.with_scope(review, name, answer == "yes")
    return opened.with_review(review)


def _with_assumptions(opened: Opened, said: object) -> Opened:
    found = _texts(_table(said, "assumptions", (q.name for q in QUESTIONS)), "assumptions")
    return _with(opened, assumptions=checked({**opened.review.assumptions, **found}))


def _with_membership(opened: Opened, said: object) -> Opened:
    found = _table(said, "membership", (POPULATION, SIZE, SOURCE, *GATE, MOTIVE))
    changed: dict[str, Any] = {}
    if SIZE in found:
        changed["population_size"] = found.pop(SIZE)
    for name, answer in _texts(found, "membership").items():
        if name in GATE:
            if answer not in ANSWERS:
                raise DisclosureError(f"The answer to {name!r} is yes or no, not {answer!r}.")
            changed[GATE[name]] = answer == "yes"
        elif name == MOTIVE:
            if answer not in MOTIVES:
                raise not_found("The motive", answer, "one of those asked for", MOTIVES)
            changed["motive"] = MOTIVES[answer]
        else:
            changed["source" if name == SOURCE else "population"] = answer
    return _with(opened, threat_model=replace(opened.review.threat_model, **changed))


def _with_limits(opened: Opened, said: object) -> Opened:
    limits = opened.review.limits
    for measure, answers in _table(said, "limits", LIMITED, "The measure").items():
        now = limits.of(measure)
        if now.absolute is None and now.relative is None:
            raise DisclosureError(f"[limits.{measure}] says whose limits they are, and there are none; add --limit.")
        found = _texts(_table(answers, f"limits.{measure}", ("owner", "reason", *(d.name for d in CONTEXT))), "limits")
        owner, reason = found.pop("owner", now.owner), found.pop("reason", now.reason)
        limits = with_limit(limits, measure, replace(now, owner=owner, reason=reason, context={**now.context, **found}))
    return _with(opened, limits=limits)


def _with_reasons(opened: Opened, said: object) -> Opened:
    known = (*_reasoned(opened), *opened.assessment().targets, "missing keys", "denominators")
    found = _texts(_table(said, "reasons", dict.fromkeys(known), "What has a reason,"), "reasons")
    return _with(opened, reasons={**opened.review.reasons, **found})


def _with_intruders(opened: Opened, said: object) -> Opened:
    found = _texts(_table(said, "intruders", (k.name for k in opened.review.intruders), "The intruder"), "intruders")
    known = (replace(k, reason=found.get(k.name, k.reason)) for k in opened.review.intruders)
    return _with(opened, intruders=tuple(known))


def _with_verdicts(opened: Opened, said: object, when: str) -> Opened:
    places, first, review = _places(opened), opened.review.intruder, opened.review
    for intruder, rows in _table(said, "verdicts", places, "The intruder").items():
        known = places[intruder]
        for target, row in _table(rows, f"verdicts.{intruder}", known, "The target").items():
            part = f"verdicts.{intruder}.{target}"
            found = _table(row, part, ("verdict", "reason", "at"))
            if "verdict" not in found:
                continue
            verdict, reason, place = found["verdict"], found.get("reason", ""), known[target]
            if verdict not in VERDICTS:
                raise not_found(f"The verdict on {target!r},", str(verdict), "one that can be given", VERDICTS)
            _judges(target, intruder, found.get("at"), place.now)
            _texts({"reason": reason}, part)
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
