"""What a further result is made of: each part that is read is noted, and the result stands while these parts stay.

So nobody writes down what a result depends on, and nobody can forget a part: what it is kept under is what it read.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.review.combined import released_together, stated

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened

T = TypeVar("T")

_STATES = 4
"""Results of one question that are kept: as many states of the review as there are assessments (`results.ROOM`)."""


class Part(Generic[T]):
    """One part of an opened review: an object that is kept, or a value that can be compared."""

    def __init__(self, now: Callable[[Opened], T]) -> None:
        self.now = now

    @overload
    def __get__(self, inputs: None, owner: type[Inputs]) -> Part[T]: ...
    @overload
    def __get__(self, inputs: Inputs, owner: type[Inputs]) -> T: ...
    def __get__(self, inputs: Inputs | None, owner: type[Inputs]) -> T | Part[T]:
        """Return the part as it is now, and note that it was read."""
        if inputs is None:
            return self
        value = self.now(inputs.opened)
        inputs.read.append((self, _held(value)))
        return value


class Inputs:
    """All that a result can be made of; see `Part`."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.read: list[tuple[Part[Any], Callable[[], Any]]] = []

    def through(self, make: Callable[[Opened], T], *parts: Part[Any]) -> T:
        """Return what a function makes of the whole review, of which it may read these parts and no others."""
        for part in parts:
            part.__get__(self, Inputs)
        return make(self.opened)

    assessment = Part(lambda o: o.assessment())
    before = Part(lambda o: o.before())
    study = Part(lambda o: o.study())
    scenarios = Part(lambda o: o.review.scenarios)
    settings = Part(lambda o: o.met(o.review.settings))
    threat_model = Part(lambda o: o.review.threat_model)
    outside = Part(lambda o: o.partition())
    outside_lacks = Part(lambda o: outside_lacks(o))
    population = Part(lambda o: o.data.population)
    adopted = Part(lambda o: o.which_adopted)
    columns = Part(lambda o: o.review.columns)
    released = Part(released_together)
    is_stated = Part(lambda o: bool(stated(o)))
    synthesis_set = Part(lambda o: o.first_set)
    unmet = Part(lambda o: tuple(o.unmet()))
    n_syntheses = Part(lambda o: len(o.study().n_synthetic))


def outside_lacks(opened: Opened) -> Mapping[str, str] | NotEvaluated:
    """Return, by target, why people outside have no figure; or why none has."""
    found = evaluated(opened.attribute_baseline)
    return found if isinstance(found, NotEvaluated) else dict(found.lacking)


def _held(value: Any) -> Callable[[], Any]:
    """Return what gives a value for as long as something else holds it: a result keeps no study alive."""
    try:
        return weakref.ref(value)
    except TypeError:  # a text, a number, a frozen value: small, and compared as such
        return lambda: value


def result_kept(opened: Opened, name: str, asked: str) -> Any:
    """Return the result of a question that was made of the parts as they are now; None where there is none."""
    for read, found in opened.results.stacked(f"result {name}", asked):
        if all(_same(part.now(opened), was()) for part, was in read):  # in their order: the first that moved ends it
            return found
    return None


def result_made(opened: Opened, name: str, asked: str, make: Callable[[Inputs], Any]) -> Any:
    """Return the same, made where there is none; what `make` raises leaves nothing."""
    found = result_kept(opened, name, asked)
    if found is None:
        inputs = Inputs(opened)
        found = make(inputs)
        others = opened.results.stacked(f"result {name}", asked)
        opened.put(f"result {name}", asked, result=((tuple(inputs.read), found), *others)[:_STATES])
    return found


def _same(now: Any, was: Any) -> bool:
    return now is was or bool(now == was)
