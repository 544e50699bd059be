"""An assessment without the figures that may not be given: a column does not meet, so they would be low and wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.arrays import Floats
from disclosure_core.counting import checks, measures, registry
from disclosure_core.counting.claims import LEVELS
from disclosure_core.counting.target_risk import TargetRisk
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import fixed, printable

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment


class NoGuess(SimpleNamespace):
    """Stands where claims are not evaluated: no figure of them, and no list of levels."""

    def __init__(self) -> None:
        super().__init__(levels=pd.DataFrame(columns=list(LEVELS)), **dict.fromkeys(registry.CLAIMS, nan))


class HeldBack(TargetRisk):
    """A target of which nothing is evaluated but what rests on the original alone; each other figure is NaN."""

    why: str

    def __init__(self, risk: TargetRisk, why: str) -> None:
        identity, attribute, caps = map(_without, (risk.identity, risk.attribute, risk.caps))
        each = range(len(attribute))
        rows, columns = pd.Index(measures.EXCLUSION_ROWS, name="measure"), list(measures.EXCLUSION_COLUMNS)
        # What is read from the cells when it is first asked for is there from the beginning.
        vars(self).update(
            {name: getattr(risk, name) for name in ("target", "left_out", "thresholds", "special", "guess")},
            why=why,
            identity=identity,
            attribute=attribute,
            caps=caps,
            beyond_guess=NoGuess(),
            one_way=(None,) * len(attribute),
            two_way=tuple(pd.DataFrame(columns=list(checks.TWO_WAY)) for _ in each),
            pairs_listed={},
            excluded=tuple(pd.DataFrame(nan, index=rows, columns=columns) for _ in each),
        )

    @property
    def counted(self) -> Any:
        """No cell is given: a figure could be made of it."""
        raise DisclosureError(f"{self.target!r} is not evaluated. {self.why}")

    @property
    def flags(self) -> tuple[int, int]:
        """No flag; `flag` of `Assessment.summary` says "not evaluated"."""
        return 0, 0

    def figures(self, measure: str) -> Floats:
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
    """Return an assessment without the figures of some targets."""
    targets = {
        name: HeldBack(risk, not_evaluated[name]) if name in not_evaluated else risk
        for name, risk in found.targets.items()
    }
    return replace(found, targets=targets, not_evaluated=dict(not_evaluated), why_no_identity=why_keys)
