"""Results that were made, each kept under the part of the review that it depends on."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from concurrent.futures import Future, wait
from dataclasses import asdict, is_dataclass
from threading import Lock
from typing import Any

ROOM = {
    "coded": 1,
    "study": 2,
    "tables": 2,
    "assessment": 4,
    "partition": 1,
    "partition_after": 1,
    "protected": 2,
    "counted_outside": 1,
    "coarser": 1,
    "draws": 32,
    "attribute_baseline": 8,
    "membership": 8,
    "candidate": 40,
    "decided": 40,
    "usefulness": 12,
    "variant": 40,
}
"""How many results of a kind are kept where it is not 4: those that hold a number a record, or a cell, are few."""

OF_INTRUDER, OF_SET = ("tables", "assessment"), ("coded", "study", "agreement")
"""Kinds that have so much room for each intruder, and for each set of syntheses."""

OF_TRIED = (
    *("tables", "assessment", "partition_after", "counted_outside", "compared_outside"),
    *("attribute_baseline", "identity_baseline", "usefulness"),
)
"""Kinds that have so much room again where safeguards are tried: a set stands beside itself after them."""

OF_HOLDOUT = (
    *("partition", "partition_after", "counted_outside", "compared_outside", "attribute_baseline"),
    *("variant", "identity_baseline", "membership", "answer"),
    *("candidate", "decided", "open", "page_1", "strongest", "least", "verified"),
)
"""Kinds that are made anew where other people are outside."""

MOST_TEXTS = 32
"""Values of which the text is kept: a page asks for each of a few dozens of times."""

OF_RESULTS = 32
"""Questions of one further result that are kept: a figure of each target is one."""

PATIENCE = 30.0
"""Seconds that somebody waits for what somebody else is making already, before they make it themselves."""

_NOTHING = object()


class Results:
    """What was made for a review and its data; of each kind the latest used, and no more than there is room for.

    Attributes
    ----------
    for_all
        What was made before, for everybody who has the same data: looked at first, and never added to. None: nothing.
    """

    def __init__(self, for_all: Results | None = None) -> None:
        self.for_all = for_all
        self._by_kind: dict[str, dict[str, Any]] = {}
        self._texts: dict[int, tuple[Any, str]] = {}
        self._turn = Lock()
        self._under_way: dict[tuple[str, str], Future[Any]] = {}

    def once(self, kind: str, *depends_on: Any, make: Callable[[], Any], times: int = 1) -> Any:
        """Return the result of a kind that depends on these parts of the review, making it where there is none.

        `times` as many are kept where one review asks for several at a time. What `make` raises leaves nothing.
        """
        asked, kept = self._text(depends_on), self._by_kind.setdefault(kind, {})
        if self.for_all is not None and (ready := self.for_all.made(kind, asked)) is not None:
            return ready
        found = kept.get(asked, _NOTHING)
        if found is _NOTHING:
            found = make() if self.for_all is None else self.for_all.made_by_one((kind, asked), make)
        with self._turn:  # a click that overtakes another's run is here at the same time
            kept.pop(asked, None)
            kept[asked] = found  # the latest used stands last
            for old in list(kept)[: -ROOM.get(kind, 4) * times]:
                kept.pop(old, None)
        return found

    def made_by_one(self, asked: tuple[str, str], make: Callable[[], Any]) -> Any:
        """Return what the first who asks makes, also to those who ask meanwhile: a class that comes in the same moment.

        Nothing is kept here. Where the first is stopped or fails, or takes long, each makes it themselves.
        """
        with self._turn:
            others: Future[Any] | None = self._under_way.get(asked)
            mine: Future[Any] = Future()
            if others is None:
                self._under_way[asked] = mine
        if others is not None:
            done = wait([others], PATIENCE).done
            return others.result() if done and others.exception() is None else make()
        try:
            found = make()
        except BaseException:
            mine.set_exception(RuntimeError("stopped, or failed"))
            raise
        else:
            mine.set_result(found)
            return found
        finally:
            with self._turn:
                del self._under_way[asked]

    def put(self, kind: str, *depends_on: Any, result: Any) -> None:
        """Keep a result in the place of the one that depends on the same parts of the review."""
        with self._turn:
            kept, asked = self._by_kind.setdefault(kind, {}), self._text(depends_on)
            kept.pop(asked, None)
            kept[asked] = result
            for old in list(kept)[: -ROOM.get(kind, OF_RESULTS if kind.startswith("result ") else 4)]:
                kept.pop(old, None)

    def get(self, kind: str, *depends_on: Any) -> Any:
        """Return such a result; None where there is none."""
        return self.made(kind, self._text(depends_on))

    def made(self, kind: str, asked: str) -> Any:
        """Return the result of a kind whose parts have this text; None where there is none."""
        ready = None if self.for_all is None else self.for_all.made(kind, asked)
        return self._by_kind.get(kind, {}).get(asked) if ready is None else ready

    def stacked(self, kind: str, *depends_on: Any) -> tuple[Any, ...]:
        """Return all that was put under one key as tuples: what was made here first, then what everybody has."""
        others = () if self.for_all is None else self.for_all.stacked(kind, *depends_on)
        return (*self._by_kind.get(kind, {}).get(self._text(depends_on), ()), *others)

    def latest(self, kind: str) -> list[Any]:
        """Return all results of a kind, the latest used first."""
        ready = [] if self.for_all is None else self.for_all.latest(kind)
        return [*reversed(self._by_kind.get(kind, {}).values()), *ready]

    def without(self, kinds: Collection[str]) -> Results:
        """Return the results of all other kinds."""
        others = Results(None if self.for_all is None else self.for_all.without(kinds))
        others._by_kind = {kind: dict(kept) for kind, kept in self._by_kind.items() if kind not in kinds}
        return others

    def take(self, other: Results) -> None:
        """Have what another has, in the place of what was here; who looks at it meanwhile sees the one or the other."""
        self._by_kind = {kind: dict(kept) for kind, kept in other._by_kind.items()}

    def _text(self, parts: tuple[Any, ...]) -> str:
        """Return parts of a review as text that is equal where they are; that of a value is made once."""
        return f"[{', '.join(map(self._text_of, parts))}]"

    def _text_of(self, part: Any) -> str:
        if not is_dataclass(part) or isinstance(part, type):
            return json.dumps(part, sort_keys=True, ensure_ascii=False)
        kept = self._texts.get(id(part))
        if kept is None:
            if len(self._texts) > MOST_TEXTS:
                self._texts = {}
            kept = self._texts[id(part)] = part, json.dumps(asdict(part), sort_keys=True, ensure_ascii=False)
        return kept[1]
