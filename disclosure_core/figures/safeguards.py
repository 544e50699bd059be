"""What safeguards do: DiSCO of each target before and after them, the difference, and members' own answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from disclosure_core.rounding import difference, fixed

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.review.tried import State


@dataclass(frozen=True, slots=True)
class EffectRow:
    """One target; figures are means over the syntheses in % of the original records.

    Attributes
    ----------
    target
        Its name.
    before, after
        DiSCO.
    low, high
        The smallest and the largest synthesis, after.
    original
        Dorig after: the original is seen through the same rules.
    outside
        DiSCO of people outside after; None without them.
    was, same
        Members less people outside with the same keys, before and after: points, low, high; None: not evaluated.
    was_own, own
        Whether members' own answers are shown by it, all targets judged together.
    """

    target: str
    before: float
    after: float
    low: float
    high: float
    original: float
    outside: float | None = None
    was: tuple[float, float, float] | None = None
    same: tuple[float, float, float] | None = None
    was_own: bool = False
    own: bool = False

    @property
    def change(self) -> float:
        """After less before, percentage points."""
        return float(difference(self.after, self.before))

    @property
    def conclusion(self) -> str:
        """What is to be said of own answers beside their mark; empty where they were not shown, and are not now."""
        now = "" if self.same is None else fixed(self.same[0], 1, sign=True)
        was = f"was {fixed(self.was[0], 1, sign=True)}" if self.was_own and self.was else ""
        return ", ".join(filter(None, (now if self.own else "", was)))


@dataclass(frozen=True, slots=True)
class EffectPlot:
    """DiSCO before and after safeguards, a row a target, the largest before first.

    Attributes
    ----------
    n_original, n_syntheses
        The records that 100 % stands for; m.
    rows
        Top to bottom.
    """

    n_original: int
    n_syntheses: int
    rows: tuple[EffectRow, ...]

    @property
    def furthest(self) -> float:
        """The largest figure shown, %, and 1 at least."""
        return max([1.0, *(v for r in self.rows for v in (r.before, r.after, r.high, r.original, r.outside or 0.0))])

    @property
    def with_outside(self) -> bool:
        """Whether people outside stand beside."""
        return any(row.outside is not None for row in self.rows)

    @property
    def same_keys(self) -> tuple[float, float] | None:
        """The smallest and the largest end of an interval of M, 0 among them; None where there is none."""
        ends = [v for row in self.rows for v in row.same or ()]
        return (min(0.0, *ends), max(0.0, *ends)) if ends else None

    @property
    def title(self) -> str:
        """What the figure shows."""
        return "DiSCO before and after the safeguards, by target"

    @property
    def unit(self) -> str:
        """What the axis counts."""
        mean = f"; mean of {self.n_syntheses:,} syntheses, shade: their range" if self.n_syntheses > 1 else ""
        return f"% of {self.n_original:,} original records{mean}"

    @property
    def caption(self) -> str:
        """What stands beneath it."""
        said = "The original and people outside are seen through the same rules."
        if not self.same_keys:
            return said if self.with_outside else "The original is seen through the same rules."
        return f"{said} Own answers: members less people outside with the same keys, percentage points, 95 % intervals."

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        return f"{self.title}, {self.unit}. {'; '.join(map(_in_words, self.rows))}."


def _in_words(row: EffectRow) -> str:
    said = f"{row.target}: from {fixed(row.before)} to {fixed(row.after)} ({fixed(row.change, sign=True)})"
    said += f", Dorig {fixed(row.original)}"
    said += "" if row.outside is None else f", people outside {fixed(row.outside)}"
    if row.same is None:
        return said
    return f"{said}, own answers {'shown' if row.own else 'not shown'} ({fixed(row.same[0], sign=True)} points)"


def describe(before: State, after: State) -> EffectPlot:
    """Return the plot of what safeguards do to the targets that are there before and after."""
    was, now = (_same_keys(state) for state in (before, after))
    outside = {} if after.outside is None else _outside(after)
    rows = []
    for target in before.assessment.summary()["target"].tolist()[::-1]:
        if target not in after.assessment.targets:
            continue
        first, risk = before.assessment.targets[target], after.assessment.targets[target]
        each, a, b = risk.figures("DiSCO"), was.get(target), now.get(target)
        row = EffectRow(
            target,
            float(first.figures("DiSCO").mean()),
            float(each.mean()),
            float(each.min()),
            float(each.max()),
            float(risk.figures("Dorig").mean()),
            outside.get(target),
        )
        rows.append(replace(row, was=_span(a), same=_span(b), was_own=_leaked(a), own=_leaked(b)))
    return EffectPlot(after.assessment.n_original, len(after.assessment.n_synthetic), tuple(rows))


def _outside(state: State) -> dict[str, float]:
    assert state.outside is not None
    return {str(r["target"]): float(r["non_members"]) for r in state.outside.summary().to_dict("records")}


def _same_keys(state: State) -> dict[str, Any]:
    """Return by target what is known of own answers; nothing where nothing is evaluated."""
    if state.outside is None:
        return {}
    rows = state.outside.same_keys
    return {str(r["target"]): r for r in rows[rows["why"] == ""].to_dict("records")}


def _span(row: Any) -> tuple[float, float, float] | None:
    return None if row is None else (row["points"], row["low"], row["high"])


def _leaked(row: Any) -> bool:
    return row is not None and bool(row["leaked"])
