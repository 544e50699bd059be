"""Figures of a document held against those of the second counter, and which of them nobody counted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from disclosure_core.export.figures_file import column_of, is_asked, is_figure, leaves, name_of, same
from disclosure_core.review.verified import Difference, Verified

if TYPE_CHECKING:
    from disclosure_core.export.figures_file import Place


class Held:
    """Figures of a document held against each other, and which of them nobody counted again.

    Parameters
    ----------
    document
        The figures that the review makes.

    Attributes
    ----------
    not_evaluated
        Targets of which the document says that they are not evaluated.
    n, differ, counted
        How many figures were counted again, those that differ, and where those stand that were counted.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.not_evaluated: Collection[str] = document.get("not_evaluated") or ()
        self.n = 0
        self.differ: list[Difference] = []
        self.counted: set[Place] = set()
        self.empty: set[Place] = set()
        self.why: dict[Place, str] = {}

    @property
    def result(self) -> Verified:
        """What was found so far."""
        others: Counter[str] = Counter()
        for place, value in leaves(self.document):
            if is_figure(value) and not (place in self.counted or place in self.empty or is_asked(place)):
                why = self.why.get(place)
                where = f"{place[1]}" if why and place[0] == "tables" else column_of(place)
                others[f"{where} ({why})" if why else where] += 1
        return Verified(self.n, tuple(self.differ), dict(others))

    def all_of(
        self,
        at: Place,
        row: Mapping[Any, Any],
        counted: Mapping[Any, float | None] | None,
        why: str = "",
        refused: bool = False,
    ) -> None:
        """Hold the figures of a row against those counted again; `refused`: where one is not evaluated, and it is said.

        A figure of `row` that `counted` lacks is not counted again, and None there is on the other side alone.
        """
        for column, value in row.items():
            place = (*at, column)
            if is_asked(place):
                continue
            if counted is None or column not in counted:
                if why:
                    self.why[place] = why
                if counted is not None and value == "NaN":
                    self.empty.add(place)  # a column that other rows of the table have
                continue
            other = counted[column]
            if not is_figure(value) and (value is not None or other is None or refused):
                continue
            self.n += 1
            self.counted.add(place)
            stated = None if value is None else float(value)
            if stated is None or other is None or not same(stated, other):
                self.differ.append(Difference(name_of(self.document, place), stated, other))

    def absent(self, said: str, counted: Mapping[str, float | None]) -> None:
        """Say of a row that the counter alone has each figure of it."""
        self.n += len(counted)
        self.differ += [Difference(f"{column} of {said}", None, value) for column, value in counted.items()]
