"""What is compared, as a value: sets of syntheses as they came, and the same after chains of safeguards.

A candidate holds figures and no records; a comparison reads tables, points and differences from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Floats
from disclosure_core.counting.registry import COMPARED, IDENTITY, OUTSIDE
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout.differences import MEAN
from disclosure_core.holdout.partition import NO_HOLDOUT

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.identity_baseline import IdentityBaseline
    from disclosure_core.protection.detail import DetailLost
    from disclosure_core.protection.usefulness import Usefulness


OF_TARGETS = tuple(dict.fromkeys(name for pair in COMPARED.values() for name in pair))
"""What is kept of a target, %."""

ABOVE = "above people outside"
"""A figure of members less that of people who were not in the data, percentage points."""

USEFUL = "mean S_pMSE"
LARGEST = "largest S_pMSE"
"""Over all tables that a synthesis is judged by; a ratio, and lower is more useful."""

DETAIL = "mean detail lost"
MOST_DETAIL = "largest detail lost"
"""Over all columns, %; 0 for a set as it came. It stands beside S_pMSE, which alone rewards merging and removing."""


@dataclass(frozen=True)
class Risk:
    """One way to say how much is disclosed: a measure, and the target that it is of.

    Attributes
    ----------
    measure
        "DiSCO", "DiSDiO", "DCAPd" or "repU".
    target
        Empty where the measure belongs to the keys.
    above
        Whether it is members less people outside, percentage points, instead of % of the original records.
    """

    measure: str
    target: str = ""
    above: bool = False

    @property
    def label(self) -> str:
        """What it is called."""
        of = f" of {self.target}" if self.target else ""
        return f"{self.measure}{of}{f', {ABOVE}' if self.above else ''}"

    @property
    def unit(self) -> str:
        """The unit of its figures."""
        return "percentage points" if self.above else "% of the original records"


@dataclass(frozen=True)
class Decided:
    """What a review holds of one set: its scenarios, what was searched, and what the officer said.

    Attributes
    ----------
    scenarios
        By name and target, DiSCO with a scenario's exclusions, % of the original records, mean over the syntheses.
    f_rel
        F_rel of membership with all keys, 0 to 1; NaN where a search that stopped early leaves open which β counts;
        None where it was not searched, or is refused.
    verdicts
        By target, what the officer says of it for the intruder that figures speak of.
    """

    scenarios: Mapping[tuple[str, str], float] = field(default_factory=dict)
    f_rel: float | None = None
    verdicts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Candidate:
    """A set of syntheses as it came, or after a chain of safeguards.

    Attributes
    ----------
    name
        What it is called in tables and figures.
    synthesis_set, chain
        The set it began as, and the chain of safeguards; empty for a set as it came, and for one that was adopted.
    n_original, n_synthetic
        N_d and N_s of each synthesis, records.
    figures
        By measure and target, shape (m,): a figure a synthesis. Keys: each of `IDENTITY` with target "", each of
        `OF_TARGETS` with each target, `USEFUL`, `LARGEST`, `DETAIL` and `MOST_DETAIL` with
        target "".
    above
        By measure and target, shape (m,): members less people outside, percentage points; empty without a holdout.
    above_interval
        By measure and target: difference of the mean row and its 95 % interval over people, percentage points.
    flags
        By target, how many syntheses raise the 1-way and the 2-way flag.
    usefulness
        Of every table.
    own_answers
        The targets of which members' own answers are shown to be in the synthetic data; None: not evaluated.
    differences
        A sentence for each thing asked for that the safer data do not have.
    doubts
        What puts in doubt that the holdout is outside the data, or why nothing is evaluated for people outside; files
        of the set that are the same.
    decided
        What a review holds of the set as it came, beside its figures.
    reference
        Of the original itself, sampled or coarsened: what it is; empty for syntheses.
    """

    name: str
    synthesis_set: str
    n_original: int
    n_synthetic: tuple[int, ...]
    figures: Mapping[tuple[str, str], Floats]
    usefulness: Usefulness
    flags: Mapping[str, tuple[int, int]]
    chain: str = ""
    above: Mapping[tuple[str, str], Floats] = field(default_factory=dict)
    above_interval: Mapping[tuple[str, str], tuple[float, ...]] = field(default_factory=dict)
    differences: tuple[str, ...] = ()
    own_answers: tuple[str, ...] | None = None
    doubts: tuple[str, ...] = ()
    decided: Decided = field(default_factory=lambda: Decided())
    reference: str = ""

    @property
    def n_syntheses(self) -> int:
        """M."""
        return len(self.n_synthetic)

    @property
    def safer(self) -> bool:
        """Whether safeguards were applied to the set it began as: those of a chain, or those that were adopted."""
        return self.synthesis_set != self.name

    def of(self, risk: Risk) -> Floats | None:
        """Return a risk, shape (m,); None where this candidate has no such figure."""
        return (self.above if risk.above else self.figures).get((risk.measure, risk.target))

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets assessed, in the order of the data."""
        return tuple(self.flags)


def candidate(
    name: str,
    synthesis_set: str,
    assessment: Assessment,
    usefulness: Usefulness,
    *,
    chain: str = "",
    attributes: AttributeBaseline | NotEvaluated | None = None,
    identity: IdentityBaseline | NotEvaluated | None = None,
    differences: tuple[str, ...] = (),
    detail: DetailLost | None = None,
) -> Candidate:
    """Return the figures of a set of syntheses, or of a safer one, to be compared."""
    figures: dict[tuple[str, str], Floats] = {(k, ""): assessment.identity[k].to_numpy(dtype=float) for k in IDENTITY}
    for target, risk in assessment.targets.items():
        figures |= {(measure, target): risk.figures(measure) for measure in OF_TARGETS}
    overall = usefulness.overall()
    figures[USEFUL, ""], figures[LARGEST, ""] = overall["mean"].to_numpy(), overall["largest"].to_numpy()
    none = np.zeros(len(assessment.n_synthetic))
    figures[DETAIL, ""], figures[MOST_DETAIL, ""] = (none, none) if detail is None else (detail.means, detail.largest)
    above: dict[tuple[str, str], Floats] = {}
    intervals: dict[tuple[str, str], tuple[float, ...]] = {}
    frames, own = [], None
    doubts = dict.fromkeys(said for outside in (attributes, identity) for said in _doubts(outside))
    if attributes is not None and not isinstance(attributes, NotEvaluated):
        frames.append(attributes.figures)
        if attributes.by_lot is None and (attributes.same_keys["why"] == "").any():
            own = tuple(attributes.same_keys.loc[attributes.same_keys["leaked"], "target"])
    if identity is not None and not isinstance(identity, NotEvaluated):
        frames.append(identity.figures.assign(measure="repU", target=""))
    for frame in frames:
        for key, rows in _by_figure(frame).items():
            each = rows[rows["synthesis"] != MEAN].sort_values("synthesis")["difference"].to_numpy(dtype=float)
            mean = rows[rows["synthesis"] == MEAN]
            above[key] = each
            intervals[key] = tuple(float(mean[name].iloc[0]) for name in ("difference", "low", "high"))
    flags = {name: risk.flags for name, risk in assessment.targets.items()}
    return Candidate(
        name,
        synthesis_set,
        assessment.n_original,
        assessment.n_synthetic,
        figures,
        usefulness,
        flags,
        chain,
        above,
        intervals,
        differences,
        own,
        tuple(doubts),
    )


def _doubts(outside: AttributeBaseline | IdentityBaseline | NotEvaluated | None) -> tuple[str, ...]:
    """Return what is to be said of people outside beside a figure of them, or in its place."""
    if outside is None or outside is NO_HOLDOUT:
        return ()
    if isinstance(outside, NotEvaluated):
        return (f"People outside the data are not evaluated: {outside.why} {outside.needs}".rstrip(),)
    return outside.doubts


def mean_of(figures: Floats | None) -> float:
    """Return the mean over the syntheses; NaN where a set lacks the figure."""
    return float("nan") if figures is None else float(figures.mean())


def _by_figure(frame: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the rows of each measure and target of a baseline."""
    names = frame["measure"].replace(OUTSIDE)
    pairs = dict.fromkeys(zip(names.tolist(), frame["target"].tolist(), strict=True))
    return {(m, t): frame[(names == m) & (frame["target"] == t)] for m, t in pairs}
