"""A tolerance: how far a number may be from the truth and still count as right."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import in_full, plain

_FORM = "write it as 10% or 100"
_FURTHEST = 30
"""Tolerances have at most so many digits before and after the point: more would fill the memory."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the truth and still count as right.

    Attributes
    ----------
    amount
        In the target's unit; where `relative`, as a share of the number claimed: 0.1.
    relative
        Whether it is a share.

    Examples
    --------
    >>> Tolerance.of("10%"), Tolerance.of(100).words
    (Tolerance(amount=Decimal('0.1'), relative=True), '±100')
    """

    amount: Decimal
    relative: bool = False

    @classmethod
    def of(cls, given: float | str | Decimal | Tolerance) -> Tolerance:
        """Return a tolerance as it is written: "10%" of the number claimed, or 100 in the target's unit.

        Raises
        ------
        DisclosureError
            When it is not a number, or below 0.
        """
        if isinstance(given, Tolerance):
            return given
        text = str(given).strip().removeprefix("±").strip()
        relative = text.endswith("%")
        try:
            amount = Decimal(text.removesuffix("%").strip())
        except InvalidOperation:
            raise DisclosureError(f"The tolerance {str(given)!r} is not a number; {_FORM}.") from None
        if not amount.is_finite() or max(abs(amount.adjusted()), len(amount.as_tuple().digits)) > _FURTHEST:
            raise DisclosureError(f"The tolerance {str(given)!r} is no amount to compare numbers with; {_FORM}.")
        if amount < 0:
            raise DisclosureError(f"The tolerance {str(given)!r} is below 0; {_FORM}.")
        return cls(amount.scaleb(-2) if relative else amount, relative)

    @property
    def text(self) -> str:
        """As `of` reads it: 10% or 100."""
        amount = in_full(self.amount.scaleb(2) if self.relative else self.amount)
        return f"{amount}%" if self.relative else amount

    @property
    def words(self) -> str:
        """As a person reads it: ±10 % or ±1,000."""
        amount = self.amount.scaleb(2) if self.relative else self.amount
        return f"±{plain(amount)}{' %' if self.relative else ''}"


STEPS: tuple[Tolerance, ...] = tuple(Tolerance(Decimal(n).scaleb(-2), relative=True) for n in range(51))
"""0, ±1 % … ±50 %: the curve."""
LISTED: tuple[Tolerance, ...] = tuple(STEPS[n] for n in (0, 5, 10, 25, 50))
"""Those that a table lists."""
