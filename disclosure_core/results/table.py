"""A table of a further result: its columns, what it holds, how it is printed, and who counts it a second time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from disclosure_core.data.typeset import Column

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.review.opened import Opened
    from disclosure_core.verify.counter import Target
    from disclosure_core.verify.levels import Data


Row = tuple[Any, ...]
"""The cells that say which row of a table it is."""

Counted = Mapping[Row, Mapping[str, float]]
"""Figures that were counted again, by row and column."""


class Counter(Protocol):
    """The second counter, as a table asks it: what it read, and targets, by default under the exclusions with a reason.

    `of_each` are the attribute measures and CAPs of a target, a row a synthesis. `in_groups` are the data with every
    number in so many groups, `every_column` with none, None where the counter has no records of them, or does not read
    all; `searches`, `members` and `chains` count what a search names. `printed` is the review, for what was asked and
    chosen: never for a figure.
    """

    @property
    def data(self) -> Data: ...  # noqa: D102
    @property
    def keys(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def missing_keys(self) -> Collection[str]: ...  # noqa: D102
    @property
    def columns(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def all_excluded(self) -> Exclusions: ...  # noqa: D102
    @property
    def searches(self) -> Any: ...  # noqa: D102
    @property
    def members(self) -> Any: ...  # noqa: D102
    @property
    def chains(self) -> Any: ...  # noqa: D102
    def target_of(self, name: str, exclusions: Exclusions | None = None) -> Target: ...  # noqa: D102
    def of_each(self, name: str, exclusions: Exclusions | None = None) -> Sequence[dict[str, float]]: ...  # noqa: D102
    def every_column(self) -> Data | None: ...  # noqa: D102
    def targets_in(self, rows: Iterable[Row], *, outside: bool = False) -> list[str]: ...  # noqa: D102
    def in_groups(self, n: int) -> Data | None: ...  # noqa: D102
    def codes_of(self, name: str) -> tuple[float, ...]: ...  # noqa: D102
    def population(self) -> tuple[Data, Sequence[int]] | int | None: ...  # noqa: D102
    @property
    def released(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def printed(self) -> Opened: ...  # noqa: D102


def _as_it_is(frame: pd.DataFrame) -> pd.DataFrame:
    return frame


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """One table of a result.

    Attributes
    ----------
    name
        In JSON, and of its sheet.
    holds
        What it holds: the sheet's line, the caption in a report, the heading in a terminal.
    columns
        Its columns in their order, with label, unit and digits.
    ids
        Those that say which row it is.
    main
        The figure that is meant where a condition names the table alone.
    codes
        What a number in it stands for, such as file 0; what is printed has texts for it.
    printed
        Makes of the whole frame what is printed and shown: fewer rows or columns, texts for numbers of files.
    spans
        Columns that a report prints with their interval in brackets, and its two columns.
    heads
        Columns that only the printed frame has.
    there
        Whether a review has it.
    outside
        Whether its figures need people outside the data.
    again
        Counts its figures a second time, of these rows; None where nobody does.
    """

    name: str
    holds: str
    columns: Mapping[str, Column]
    ids: tuple[str, ...]
    main: str
    codes: str = ""
    printed: Callable[[pd.DataFrame], pd.DataFrame] = _as_it_is
    spans: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    heads: Mapping[str, Column] = field(default_factory=dict)
    there: Callable[[Opened], bool] = lambda _: True
    outside: bool = False
    again: Callable[[Counter, Sequence[Row]], Counted] | None = None

    @property
    def described(self) -> str:
        """What it holds, and what its numbers stand for: of the whole table."""
        return f"{self.holds}; {self.codes}" if self.codes else self.holds

    @property
    def caption(self) -> str:
        """What it holds, with the unit that all its figures have where the words do not say it."""
        units = {c.unit for name, c in self.columns.items() if c.kind != "text" and name not in self.ids}
        unit = units.pop() if len(units) == 1 else ""
        return self.holds if unit in self.holds else f"{self.holds}, {unit}"

    def sound(self, row: Row) -> bool:
        """Return whether cells of a document that somebody handed over can say which row of it one is."""
        kinds = {"text": str, "whole": int, "figure": int | float}
        return all(
            isinstance(cell, kinds[self.columns[name].kind]) and not isinstance(cell, bool)
            for name, cell in zip(self.ids, row, strict=True)
        )

    def column(self, name: str) -> Column:
        """Return how a column is written."""
        return (dict(self.heads) | dict(self.columns)).get(name, Column(name))
