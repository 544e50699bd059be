"""What would be known anyway: members of the training data beside people who were not in it.

Accurate claims about people outside the training data are general knowledge. A difference in favour of members is an
effect of taking part, and no proof that answers leaked: `parts.py` says what it is made of, and what people with the
same keys tell. Both sides are measured alike: the same look-up in the same synthesis, the same levels and intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.arrays import Array, Floats, Mask
from disclosure_core.counting.answers import NOBODY
from disclosure_core.counting.claims import about, of_rows, why_empty
from disclosure_core.counting.count import count
from disclosure_core.counting.measures import guess, shares
from disclosure_core.counting.registry import OUTSIDE
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.decision import Limit, Outcome, decide
from disclosure_core.holdout.differences import MEAN, mean_and_size, side_by_side, with_spread
from disclosure_core.holdout.intervals import beyond_zero
from disclosure_core.holdout.partition import NOT_BY_LOT, Partition
from disclosure_core.holdout.parts import Side, holm, parts, same_keys, sign_of_first
from disclosure_core.shown import Place, Shown, doubted, named

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.cells import Cells, Counted, Tables
    from disclosure_core.counting.settings import Exclusions, Settings


MEASURES = tuple(OUTSIDE)
"""What members and non-members are compared on; DCAP is DCAPd, in % of the records of each side."""

PARTS = {"DiSCO": ("keys found", "claim made", "claim right"), "DCAP": ("keys found", "claim right")}
"""The parts of a difference, by measure: they add up to it (measures.md 10)."""

FEW_SHARE_KEYS = "Too few people outside have members' keys: whether answers leaked was not evaluated."
"""Why M is not evaluated."""


@dataclass(frozen=True, eq=False, repr=False)
class AttributeBaseline(Shown):
    """DiSCO and DCAP of members and of people outside.

    Attributes
    ----------
    figures
        A row a target (in the order of the data), measure and synthesis, and one for the mean over the syntheses:
        target; measure, of `MEASURES`; synthesis, 1 … m, or `MEAN`; members and non_members, % of the training and of
        the holdout records; difference, low and high, percentage points with the 95 % interval (`INTERVAL`); R, a
        ratio. R of the mean row is that of the mean shares.
    context
        A row a target: commonest, its commonest level; majority, that level in % of the training records, and baseCAPd,
        %: what is right without any data; gain and gain_outside, the gain over chance in percentage points of the
        members and of the people outside; kappa and kappa_outside, κ of either side's claims.
    n_training, n_holdout
        `|T|` and `|H|`, records.
    parts
        A row a target, measure and part (`PARTS`): points, low and high, percentage points with the 95 % interval;
        sign, 1 where the score interval of its rate lies above 0, −1 below it. No row without claims on either side.
    same_keys
        A row a target, of DiSCO: keys_sign, 1 where members' keys are found more often (score interval above 0), −1
        where less often; points, se, low and high, M in percentage points of the members compared; p, one-sided;
        leaked, whether the interval lies above 0 when all targets are judged together (Holm); compared and
        compared_unique, % of the members, and of those with unique keys, whom M compares; outside and informative,
        people outside in these key cells, and in those whose people differ; why, where M is not evaluated, else empty.
    effect
        A row a target and measure: p, one-sided, of the difference of the mean row; shown, whether it is told from 0
        when all targets are judged together (Holm).
    by_lot
        None where the holdout is a random part of the original; else why parts and M are not shown.
    doubts
        What puts in doubt that these people are outside the data, to be said beside the figures.
    lacking
        By column that the holdout cannot serve in, a sentence that says why: no figure is of it.
    empty
        The targets of which every level is excluded: their figures are 0 whatever the data hold, and within no limit.
    """

    figures: pd.DataFrame
    context: pd.DataFrame
    n_training: int
    n_holdout: int
    parts: pd.DataFrame
    same_keys: pd.DataFrame
    effect: pd.DataFrame
    by_lot: NotEvaluated | None = None
    doubts: tuple[str, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    empty: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        """Return three lines, and what puts these people in doubt; never data."""
        summary = self.summary().iloc[::-1]
        pairs = list(zip(summary["target"], summary["difference"], strict=True))
        return (
            f"Baseline: {self.n_training:,} members, {self.n_holdout:,} people outside\n"
            "DiSCO of members less that of people outside, means over the syntheses\n"
            f"{named(pairs, 'points')}{doubted(self.doubts)}"
        )

    def _small_table(self) -> pd.DataFrame:
        return self.summary().iloc[::-1][["target", "members", "non_members", "difference", "low", "high"]]

    def plot(
        self, path: Place | None = None, *, measure: str = "DiSCO", limit: Limit | None = None, **look: Any
    ) -> Any:
        """Return members against people outside for the screen, or write it; `limit` is what the office sets."""
        return self._plotted(path, look, measure, limit or Limit())

    def not_by_lot(self) -> AttributeBaseline:
        """Return the same for a holdout that is not known to be a random part of the original: no part, no M."""
        return replace(self, parts=self.parts.iloc[:0], same_keys=self.same_keys.iloc[:0], by_lot=NOT_BY_LOT)

    def summary(self, measure: str = "DiSCO", limit: Limit | None = None) -> pd.DataFrame:
        """Return a row a target, the smallest figure of members first; `limit` is that of the measure.

        Returns
        -------
        DataFrame
            target, then of the mean over the syntheses members, non_members, difference, low, high and R; then sd, min
            and max of the difference over the syntheses (sd NaN for one), and result, from the mean and the limits.

        Raises
        ------
        DisclosureError
            When there is no such measure.
        """
        if measure not in MEASURES:
            raise DisclosureError(f"There is no baseline of {measure!r}; choose one of {', '.join(MEASURES)}.")
        frame = self._by_measure[measure]
        result = [
            Outcome.NOT_EVALUATED if name in self.empty else decide(a, r, limit or Limit())
            for name, a, r in zip(frame["target"], frame["members"], frame["difference"], strict=True)
        ]
        return frame.assign(result=list(map(str, result)))

    @cached_property
    def _by_measure(self) -> dict[str, pd.DataFrame]:
        found = {}
        for measure in MEASURES:
            rows = with_spread(self.figures[self.figures["measure"] == measure].drop(columns="measure"))
            found[measure] = rows.sort_values("members", kind="stable", ignore_index=True)
        return found

    def of_people_outside(self, measure: str) -> dict[str, float]:
        """Return by target the figure of people outside, the mean over the syntheses; none for another measure."""
        means = (self.figures["measure"] == measure) & (self.figures["synthesis"] == MEAN)
        return dict(zip(self.figures["target"][means], self.figures["non_members"][means], strict=True))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfTarget:
    """What is compared of one target: the rows that `AttributeBaseline` puts together, all targets judged at once."""

    figures: pd.DataFrame
    context: dict[str, Any]
    parts: list[dict[str, Any]]
    same_keys: dict[str, Any] | None
    effect: list[tuple[str, str, float]]
    empty: bool


Kept = Callable[[str, Callable[[], Any]], Any]
"""Returns what is made, or was made before: under a target's name, and the counts of all of them under none."""


def attribute_baseline(
    joined: Partition | NotEvaluated, settings: Settings, kept: Kept = lambda _, make: make()
) -> AttributeBaseline | NotEvaluated:
    """Return DiSCO and DCAP of members and non-members, for every target and synthesis.

    Parameters
    ----------
    joined
        What `partition` returned.
    settings
        Keys, targets, groups and exclusions. Exclusions apply to members and non-members alike and no denominator
        shrinks. The denominator limit L asks how many training records a cell holds: a member is one of them, so a
        non-member passes where there are L − 1 or fewer.
    kept
        Keeps the counts and each target's rows, so that an exclusion has its own target alone compared again.

    Raises
    ------
    DisclosureError
        When a key, target or level is not in the data, or none is chosen.

    Source
    ------
    consensus.md 3.3 and 4.3; paper 001, Table 3; for the limit, measures.md 10. Keys not in the synthesis count as no
    claim.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, partition
    >>> outside = pd.DataFrame({"age": [30, 41], "job": ["cook", "nurse"]})
    >>> found = attribute_baseline(partition(frame, outside, [frame]), Settings(keys=["age"]))
    >>> found.figures.query("measure == 'DiSCO'")[["members", "non_members"]].iloc[0].tolist()
    [50.0, 0.0]
    """
    if isinstance(joined, NotEvaluated):
        return joined
    lacking = _lacking(joined, settings)
    if lacking is not None:
        return lacking
    tables: Tables = kept("", lambda: count(joined.joint, settings))
    each: list[OfTarget] = [
        kept(name, partial(_of_target, joined, name, cells, settings.exclusions.of(name)))
        for name, cells in tables.targets.items()
    ]
    of_same = [found.same_keys for found in each if found.same_keys is not None]
    return AttributeBaseline(
        pd.concat([found.figures for found in each], ignore_index=True),
        pd.DataFrame([found.context for found in each]),
        joined.n_training,
        joined.n_holdout,
        pd.DataFrame(
            [row for found in each for row in found.parts],
            columns=["target", "measure", "part", "points", "low", "high", "sign"],
        ),
        _judged_together(pd.DataFrame(of_same, columns=["target", *_SAME])),
        _shown_together(
            pd.DataFrame([row for found in each for row in found.effect], columns=["target", "measure", "p"])
        ),
        joined.by_lot,
        joined.doubts,
        empty=frozenset(found.context["target"] for found in each if found.empty),
    )


def _of_target(joined: Partition, name: str, cells: Sequence[Cells], left_out: Exclusions) -> OfTarget:
    """Return what is compared of one target, beside no other."""
    reference = cells[-1]  # training records in d, holdout records in s
    counted = [c.counted(left_out) for c in cells]
    members, non_members = (counted[-1].leaves(more) for more in (0, 1))
    claim = np.stack([c.cells.answers[reference.q] for c in counted[:-1]])
    scores = {
        "DiSCO": (claim == reference.target).astype(float),
        "DCAP": np.stack([_shares(c, reference) for c in counted[:-1]]),
    }
    frames, effect = [], []
    for measure in MEASURES:
        rows = scores[measure]
        inside = mean_and_size(rows, reference.d * members, joined.n_training)
        outside = mean_and_size(rows, reference.s * non_members, joined.n_holdout)
        compared = side_by_side(inside, outside)
        compared.insert(0, "measure", measure)
        compared.insert(0, "target", name)
        frames.append(compared)
        effect.append((name, measure, float(beyond_zero(*(each[-1] for each in (*inside, *outside))))))
    of_parts: list[dict[str, Any]] = []
    same = None
    if joined.random:
        sides = _sides(claim, reference, joined, members, non_members, scores)
        of_parts = _parts(name, sides)
        found = {"target": name, "keys_sign": sign_of_first(*sides["DiSCO"])}
        same = found | _same_keys(counted, reference, scores["DiSCO"])
    majority = guess(reference)
    context = {
        "target": name,
        "commonest": majority.level,
        "majority": majority.pct,
        "baseCAPd": majority.base_cap,
    } | _beyond_chance(counted, reference, joined, members, non_members)
    empty = bool(why_empty(counted[0]))
    return OfTarget(pd.concat(frames, ignore_index=True), context, of_parts, same, effect, empty)


def _lacking(joined: Partition, settings: Settings) -> NotEvaluated | None:
    """Return why there is no baseline where the holdout lacks a key, or whatever could be a target; None otherwise."""
    here = set(joined.joint.columns)
    if settings.targets is None and here <= set(settings.keys):
        return joined.lacks([*settings.keys, *joined.joint.unusable])
    return joined.lacks(settings.keys)


_SAME = (
    "keys_sign",
    "points",
    "se",
    "low",
    "high",
    "p",
    "compared",
    "compared_unique",
    "outside",
    "informative",
    "why",
)


def _parts(name: str, sides: Mapping[str, tuple[Side, Side]]) -> list[dict[str, Any]]:
    """Return the rows of `AttributeBaseline.parts` of one target."""
    rows = []
    for measure, (members, outside) in sides.items():
        made = parts(members, outside)
        for part, of_part in zip(PARTS[measure], made or (), strict=bool(made)):
            rows.append({"target": name, "measure": measure, "part": part} | asdict(of_part))
    return rows


def _sides(
    claim: Array,
    reference: Cells,
    joined: Partition,
    members: Mask,
    outside: Mask,
    scores: Mapping[str, Floats],
) -> dict[str, tuple[Side, Side]]:
    """Return by measure members and people outside: a person's step is the mean over the syntheses."""
    found, claimed = (claim != NOBODY).mean(axis=0), (claim >= 0).mean(axis=0)
    steps = {
        "DiSCO": np.stack([found, claimed, scores["DiSCO"].mean(axis=0)]),
        "DCAP": np.stack([found, scores["DCAP"].mean(axis=0)]),
    }
    return {
        measure: (
            Side(joined.n_training, reference.d, of_measure * members),
            Side(joined.n_holdout, reference.s, of_measure * outside),
        )
        for measure, of_measure in steps.items()
    }


def _beyond_chance(
    counted: Sequence[Counted], reference: Cells, joined: Partition, members: Mask, outside: Mask
) -> dict[str, float]:
    """Return gain over chance and κ of members and of people outside, each beside chance among its own claims."""
    found: dict[str, float] = {}
    for side, people, n in (
        ("", reference.d * members, joined.n_training),
        ("_outside", reference.s * outside, joined.n_holdout),
    ):
        made = of_rows([about(c.cells, reference.q, reference.target, people) for c in counted[:-1]], n)
        found |= {f"gain{side}": made.gain, f"kappa{side}": made.kappa}
    return found


def _same_keys(counted: Sequence[Counted], reference: Cells, disclosed: Floats) -> dict[str, Any]:
    """Return a row of `AttributeBaseline.same_keys`; a denominator limit asks how many both sides hold together."""
    pooled = counted[-1].leaves(reference.s)
    made = same_keys(reference.q, reference.d, reference.s, disclosed.mean(axis=0) * pooled)
    row = asdict(made) | {"compared": made.members, "compared_unique": made.unique}
    row["why"] = "" if made.evaluated else FEW_SHARE_KEYS
    return row


def _judged_together(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with `leaked`: M's interval lies above 0 when all targets evaluated are judged together."""
    asked = [None if why else float(p) for p, why in zip(rows["p"], rows["why"], strict=True)]
    return rows.assign(leaked=holm(asked))


def _shown_together(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with `shown`, the targets of each measure judged together."""
    shown: dict[Any, bool] = {}
    for _, p in rows.groupby("measure")["p"]:
        shown |= zip(p.index, holm(p.tolist()), strict=True)
    return rows.assign(shown=[shown[i] for i in rows.index])


def moved_members(found: AttributeBaseline, assessment: Assessment) -> NotEvaluated | None:
    """Return why a baseline is not evaluated whose members' figures are not the assessment's; None where they are.

    They are the one figure that is counted twice: with the syntheses alone, and with people outside, whose values bring
    levels and types of their own.
    """
    rows = found.figures[found.figures["synthesis"] != MEAN]
    counted = [
        (str(target), str(measure), of_target["members"].to_numpy())
        for (target, measure), of_target in rows.groupby(["target", "measure"], sort=False)
    ]
    counted += [
        (str(row["target"]), "gain over chance", np.array([row["gain"]])) for row in found.context.to_dict("records")
    ]
    for target, measure, beside in counted:
        risk = assessment.targets[target]
        alone = risk.figures(OUTSIDE[measure]) if measure in OUTSIDE else risk.beyond_guess.gain
        if not np.allclose(beside, alone, rtol=0, atol=1e-9):
            return NotEvaluated(
                f"Members' {measure} of {target!r} beside the holdout is not that of the assessment.",
                f"Give column {target!r} and the keys of the holdout the types and values of the other files.",
            )
    return None


def _shares(counted: Counted, reference: Cells) -> Floats:
    """Return, shape (n_cells of held,), ps of the cell, from the synthetic records still counted."""
    cells = counted.cells
    return cells.at(reference.codes, shares(counted.s, counted.s_q[cells.q]))
