"""An assessment without the figures that may not be given: a column does not meet, so they would be low and wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import nan
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.counting import checks, measures, registry
from disclosure_core.counting.claims import LEVELS
from disclosure_core.counting.target_risk import TargetRisk
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import fixed, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from disclosure_core.counting.assessment import Assessment


class NoGuess(SimpleNamespace):
    """Stands where claims are not evaluated: no figure of them, and no list of levels."""

    def __init__(self) -> None:
        super().__init__(levels=pd.DataFrame(columns=list(LEVELS)), **dict.fromkeys(registry.CLAIMS, nan))


class HeldBack(TargetRisk):
    """A target of which nothing is evaluated but what rests on the original alone; each other figure is NaN.

    Attributes
    ----------
    why
        Why not, and what has to be done.
    """

    why: str

    def __init__(self, risk: TargetRisk, why: str) -> None:
        for name in ("target", "left_out", "thresholds", "special"):
            object.__setattr__(self, name, getattr(risk, name))
        object.__setattr__(self, "why", why)
        object.__setattr__(self, "_frames", [_without(frame) for frame in (risk.identity, risk.attribute, risk.caps)])
        object.__setattr__(self, "_guess", risk.guess)

    @property
    def counted(self) -> Any:
        """No cell is given: a figure could be made of it.

        Raises
        ------
        DisclosureError
            Always.
        """
        raise DisclosureError(f"{self.target!r} is not evaluated. {self.why}")

    @cached_property
    def identity(self) -> pd.DataFrame:
        """As of `TargetRisk`, UiO alone."""
        frame: pd.DataFrame = self._frames[0]  # type: ignore[attr-defined]
        return frame

    @cached_property
    def attribute(self) -> pd.DataFrame:
        """As of `TargetRisk`, Dorig alone."""
        frame: pd.DataFrame = self._frames[1]  # type: ignore[attr-defined]
        return frame

    @cached_property
    def caps(self) -> pd.DataFrame:
        """As of `TargetRisk`, CAPd and baseCAPd alone."""
        frame: pd.DataFrame = self._frames[2]  # type: ignore[attr-defined]
        return frame

    @cached_property
    def guess(self) -> measures.Guess:
        """As of `TargetRisk`: it rests on the original alone."""
        found: measures.Guess = self._guess  # type: ignore[attr-defined]
        return found

    @cached_property
    def beyond_guess(self) -> Any:
        """No figure."""
        return NoGuess()

    @cached_property
    def one_way(self) -> tuple[None, ...]:
        """No finding: nothing was looked for."""
        return (None,) * len(self.attribute)

    @cached_property
    def two_way(self) -> tuple[pd.DataFrame, ...]:
        """No finding: nothing was looked for."""
        return tuple(pd.DataFrame(columns=list(checks.TWO_WAY)) for _ in range(len(self.attribute)))

    @cached_property
    def pairs_listed(self) -> Any:
        """No pair."""
        return {}

    @cached_property
    def excluded(self) -> tuple[pd.DataFrame, ...]:
        """As of `TargetRisk`, without a count."""
        rows = pd.Index(measures.EXCLUSION_ROWS, name="measure")
        frame = pd.DataFrame(nan, index=rows, columns=list(measures.EXCLUSION_COLUMNS))
        return tuple(frame.copy() for _ in range(len(self.attribute)))

    @property
    def flags(self) -> tuple[int, int]:
        """No flag; `flag` of `Assessment.summary` says "not evaluated"."""
        return 0, 0

    def figures(self, measure: str) -> npt.NDArray[np.float64]:
        """Return one measure of `attribute` or `caps`, shape (m,): a figure a synthesis."""
        frame = self.caps if measure in registry.CAPS else self.attribute
        return frame[measure].to_numpy(dtype=float)

    def only(self, i: int) -> TargetRisk:  # noqa: ARG002 (as of `TargetRisk`)
        """Return the same: nothing is evaluated of any synthesis."""
        return self

    def __repr__(self) -> str:
        """Return two lines: of what, and that it is not evaluated; never data."""
        return (
            f"TargetRisk: {printable(self.target)}, not evaluated\n"
            f"Dorig {fixed(float(self.attribute['Dorig'].mean()))} % of the original records"
        )


def _without(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of figures with what rests on the original alone; all else is NaN."""
    kept = frame.astype(float)
    kept.attrs = dict(frame.attrs)
    for name in kept.columns:
        if name not in registry.OF_ORIGINAL:
            kept[name] = nan
    return kept


def held_back(found: Assessment, not_evaluated: Mapping[str, str], why_keys: str = "") -> Assessment:
    """Return an assessment without the figures of some targets.

    Parameters
    ----------
    found
        With every figure.
    not_evaluated
        By target, why it is not evaluated.
    why_keys
        Why no figure of the keys is, but UiO; empty where they are.
    """
    targets = {
        name: HeldBack(risk, not_evaluated[name]) if name in not_evaluated else risk
        for name, risk in found.targets.items()
    }
    return replace(found, targets=targets, not_evaluated=dict(not_evaluated), why_no_identity=why_keys)
