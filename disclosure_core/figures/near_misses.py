"""How close is close: what is disclosed of a numeric target by the tolerance, beside people outside where there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.review.near_misses import NearMisses

CAPTION = (
    "A claim is the middle of the synthetic numbers with the same keys, where all lie within the tolerance of it; it "
    "is right where the person's number does, too. At tolerance 0 these are Dorig and DiSCO. The best single guess is "
    "one number, or level, for all original records, with nothing excluded."
)
"""What a number within the tolerance is."""


def describe(found: Sequence[NearMisses], n_original: int, *, several: bool, chosen: float | None = None) -> CurvePlot:
    """Return what is disclosed of numeric targets by the tolerance, a frame a target.

    Parameters
    ----------
    found
        Of each target, at the tolerances `counting.near_misses.STEPS`.
    n_original
        N_d, records.
    several
        Whether there are several syntheses, so that there is a range.
    chosen
        A tolerance in % of the number claimed, shown as a line.

    Source
    ------
    measures.md 12.
    """
    at = tuple(float(text.removesuffix("%")) for text in found[0].figures["tolerance"])
    beside = all(not isinstance(each.outside, NotEvaluated) for each in found)
    one = found[0].target if len(found) == 1 else ""
    return CurvePlot(
        f"Numbers of {one or 'each target'} disclosed within a tolerance",
        "tolerance, ± % of the number claimed",
        f"% of {n_original:,} original records" + (f", target {one}" if one else ""),
        at,
        tuple(Panel("" if one else each.target, _curves(each, several=several, beside=beside)) for each in found),
        "smallest to largest synthesis" if several else "",
        limit=None if chosen is None else (chosen, f"±{chosen:g} %"),
        caption=CAPTION + (" Of people outside, % of the holdout records." if beside else ""),
    )


def _curves(each: NearMisses, *, several: bool, beside: bool) -> tuple[Curve, ...]:
    columns = {name: tuple(each.figures[name].tolist()) for name in ("Dorig", "DiSCO", "min", "max", "guess")}
    curves = [
        Curve("original", "original", columns["Dorig"]),
        Curve("synthetic", "synthetic", columns["DiSCO"], *((columns["min"], columns["max"]) if several else ())),
        Curve("best single guess", "third", columns["guess"], dash="dash"),
    ]
    if beside and not isinstance(each.outside, NotEvaluated):
        curves.append(Curve("people outside", "outside", tuple(each.outside["non_members"].tolist())))
    return tuple(curves)
