"""Records that stay in an engine: it groups its rows by their values, and how many have which comes here.

Like `levels.py`, which reads the values, it imports nothing of the program. The engine is asked by a function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from disclosure_core.verify.levels import Data, Groups, UnreadError

if TYPE_CHECKING:
    import pyarrow as pa

    Ask = Callable[[int, Sequence[str]], "pa.Table | None"]
    Places = tuple[int, ...]


class Grouped(Data):
    """Tables as `Data` has them; a column of each is a text for each of its distinct values, not for each record.

    `ask`, given the number of a table and columns, returns each combination of their values that a record has, a column
    each, and last how many records have it; None where the table has no such column. It raises `UnreadError` where
    there are too many.
    """

    def __init__(
        self,
        ask: Ask,
        names: Sequence[str],
        m: int,
        groups: Mapping[str, Groups],
        codes: Mapping[str, Iterable[float]],
        absent: Mapping[str, Iterable[str]],
    ) -> None:
        self._ask = ask
        every = [ask(i, []) for i in range(m + 2)]
        self._begin([int(t.column(0)[0].as_py()) for t in every if t is not None], m)
        self._place: dict[tuple[str, int], dict[object, int]] = {}
        self._of_value: dict[str, list[list[int]]] = {}
        self._known: list[dict[tuple[str, ...], list[tuple[Places, int]]]] = [{} for _ in self.n]
        for name in names:
            try:
                tables = [ask(i, [name]) for i in range(len(self.n))]
            except UnreadError as why:
                self.unread[name], self.absent[name] = str(why), {None, *absent.get(name, ())}
                continue
            self._of_value[name] = [[] if t is None else t.column(1).to_pylist() for t in tables]
            sides = [None if t is None else t.column(0) for t in tables]
            self._take(name, sides, groups.get(name, 0), codes.get(name, ()), absent.get(name, ()))
            for i, values in enumerate(sides):
                if values is not None and name not in self.unread:
                    self._place[name, i] = {_value(v): at for at, v in enumerate(values.to_pylist())}

    def _records(self, name: str, texts: Sequence[Sequence[str | None]]) -> Counter[str]:
        found: Counter[str] = Counter()
        for side, records in zip(texts, self._of_value[name], strict=False):
            for text, n in zip(side, records, strict=True):
                if text is not None:
                    found[text] += n
        return found

    def by(self, names: Sequence[str], side: int) -> Counter[tuple[str | None, ...]]:
        """Return the records of a table with each combination of levels; of no columns everybody's is ()."""
        if not names:
            return Counter({(): self.n[side]})
        texts = [self.columns[name][side] for name in names]
        found: Counter[tuple[str | None, ...]] = Counter()
        finer, rows = self._combinations(names, side)
        at = [finer.index(name) for name in names]
        for places, n in rows:
            found[tuple([text[places[k]] for text, k in zip(texts, at, strict=True)])] += n
        return found

    def _combinations(self, names: Sequence[str], side: int) -> tuple[tuple[str, ...], list[tuple[Places, int]]]:
        """Return columns, these among them, and the records of each combination of values: the fewest that are here."""
        known = self._known[side]
        finer = [of for of in known if set(names) <= set(of)]
        if not finer:
            finer = [tuple(dict.fromkeys(names))]
            table = self._ask(side, finer[0])
            assert table is not None
            columns = [
                [self._place[name, side][_value(v)] for v in table.column(k).to_pylist()]
                for k, name in enumerate(finer[0])
            ]
            known[finer[0]] = list(zip(zip(*columns, strict=True), table.column(len(columns)).to_pylist(), strict=True))
        least = min(finer, key=lambda of: len(known[of]))
        return least, known[least]


def _value(v: object) -> object:
    """Return a value as it is looked up: NaN, which is not itself, is missing."""
    return None if v != v else v
