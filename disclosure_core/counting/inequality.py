"""An inequality such as `DiSCO[income]<=10`: the one grammar of `--fail-if` and `--aim`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import compare

_WRITTEN = re.compile(
    r"\s*(?:(\w+)\.([^()\[\]<>]*[^()\[\]<>\s])|(\w+)\s*(?:\(\s*(\w+)\s*\))?)"
    r"\s*(?:\[(.*)\])?\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)\s*%?\s*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Inequality:
    """A figure, a sign and a number.

    Attributes
    ----------
    what, of
        `what` alone, a measure such as DiSCO; or `what(of)`, such as max(DiSCO). Of a table, the column.
    target
        What stands in square brackets; None where there are none.
    sign, number
        The right side; a sign of % after the number says nothing more.
    table
        The table of a column that is written `table.column`; else empty.
    """

    what: str
    of: str
    target: str | None
    sign: str
    number: float
    table: str = ""

    @classmethod
    def parsed(cls, text: str) -> Inequality | None:
        """Return what somebody wrote; None where it cannot be read.

        Examples
        --------
        >>> Inequality.parsed("max(DiSCO)[income] >= 10 %")
        Inequality(what='max', of='DiSCO', target='income', sign='>=', number=10.0, table='')
        >>> Inequality.parsed("copies.twins>1e-3").number
        0.001
        """
        parts = _WRITTEN.fullmatch(text)
        if not parts:
            return None
        table, column, what, of, target, sign, number = parts.groups()
        if not math.isfinite(float(number)):
            return None
        return cls(column or what, of or "", target, sign, float(number), table or "")

    @property
    def is_negative(self) -> bool:
        """Whether a minus stands before the number."""
        return math.copysign(1, self.number) < 0

    def holds(self, figure: float) -> bool:
        """Return whether a figure stands to the number as the sign says."""
        order = compare(figure, self.number)
        return {">": order > 0, ">=": order >= 0, "<": order < 0, "<=": order <= 0}[self.sign]

    def need_no_target(self, measure: str, whose: str = "the keys") -> None:
        """Make sure that nothing stands in square brackets beside a measure that no target has."""
        if self.target is not None:
            raise DisclosureError(f"{measure} belongs to {whose}, not to a target; leave [{self.target}] out.")
