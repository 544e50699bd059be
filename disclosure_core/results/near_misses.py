"""How close is close: numbers within a tolerance of what the synthetic data say, beside a guess and people outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
import pandas as pd
from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from disclosure_core.asking import Parameters
from disclosure_core.counting import near_misses as counting
from disclosure_core.counting.near_misses import LIMITED
from disclosure_core.counting.tolerance import LISTED, STEPS, Tolerance
from disclosure_core.data.study import Kind
from disclosure_core.data.typeset import Column
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.figures.shapes import Curve, CurvePlot, Panel
from disclosure_core.holdout import near_misses as holdout
from disclosure_core.holdout.partition import NO_HOLDOUT
from disclosure_core.results.declared import Drawn, OneOf, Result, targets_asked
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.rounding import fixed, percent
from disclosure_core.verify import near

if TYPE_CHECKING:
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.inputs import Inputs

ORIGINAL = "% of the original records"
NONE = NotEvaluated(
    "No target is a number without groups.", "Choose one that is among the targets, or count one without groups."
)

Amount = Annotated[
    Tolerance,
    PlainValidator(Tolerance.of),
    PlainSerializer(lambda amount: amount.text),
    WithJsonSchema({"type": "string"}),
]


def numeric_targets(data: Inputs) -> tuple[str, ...]:
    """Return the targets that have near misses, in the order of the data."""
    return tuple(name for name, risk in data.assessment.targets.items() if counting.lacking(risk) is None)


class Asked(Parameters):
    """What near misses are asked with."""

    target: Annotated[str | None, OneOf(numeric_targets)] = Field(
        None, title="Target", description="A numeric target without groups; all of them by default."
    )
    tolerance: tuple[Amount, ...] = Field(
        LISTED,
        min_length=1,
        title="Tolerances",
        description="How far a number may be from the truth: 10% of the number claimed, or 100 in the target's unit. "
        "Repeat it; 0, 5, 10, 25 and 50 % by default.",
        json_schema_extra={"metavar": "AMOUNT"},
    )

    @property
    def middle(self) -> Tolerance:
        """The tolerance that sentences speak of."""
        return self.tolerance[len(self.tolerance) // 2]


def _counted_again(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Count DiS, DiSCO, Dorig and the best single guess of each target and tolerance a second time."""
    asked = _tolerances(rows)
    return {
        (name, text): near.near_misses(counter.target_of(name), counter.codes_of(name), amount, relative)
        for name in counter.targets_in(rows)
        for text, amount, relative in asked
    }


def _outside_again(counter: Counter, rows: Sequence[Row]) -> Counted:
    asked = _tolerances(rows)
    return {
        (name, text): near.beside_outside(counter.target_of(name), counter.codes_of(name), amount, relative)
        for name in counter.targets_in(rows, outside=True)
        for text, amount, relative in asked
    }


def _tolerances(rows: Sequence[Row]) -> list[tuple[str, tuple[int, int], bool]]:
    """Return the tolerances that rows are of, as texts and as fractions; what is none is not counted again."""
    found = []
    for text in {str(text) for _, text in rows}:
        tolerance = evaluated(partial(Tolerance.of, text))
        if isinstance(tolerance, Tolerance):
            found.append((text, tolerance.amount.as_integer_ratio(), tolerance.relative))
    return found


_OF = {
    "target": Column("Target", kind="text"),
    "tolerance": Column("±", kind="text", says="% of the number claimed, or an amount in the target's unit."),
}
TABLE = Table(
    "near_misses",
    "Numbers within the tolerance, % of the original records",
    _OF
    | {
        "DiS": Column("DiS", ORIGINAL, says="A claim is made, right or wrong."),
        "DiSCO": Column("DiSCO", ORIGINAL, says="The claim is right."),
        "Dorig": Column("Dorig", ORIGINAL, says="The original, looked up in itself."),
        "min": Column("smallest", ORIGINAL, says="DiSCO, of the syntheses."),
        "max": Column("largest", ORIGINAL, says="DiSCO, of the syntheses."),
        "sd": Column("SD", "percentage points", says="DiSCO, over the syntheses."),
        "guess": Column("best guess", ORIGINAL, says="One number, or level, for everybody; nothing excluded."),
    },
    ("target", "tolerance"),
    "DiSCO",
    printed=lambda frame: frame[
        ["target", "tolerance", "DiS", "DiSCO", *["min", "max"] * bool(frame["sd"].notna().any()), "Dorig", "guess"]
    ],
    again=_counted_again,
)
OUTSIDE = Table(
    "near_misses_outside",
    "Right claims about members and about people outside, % of each; difference in percentage points",
    _OF
    | {
        "members": Column("members", "% of the training records", says="Right claims."),
        "non_members": Column("people outside", "% of the holdout records", says="Right claims."),
        "difference": Column("difference", "percentage points"),
        "low": Column("95 % from", "percentage points", says="Lower end of the interval of the difference."),
        "high": Column("to", "percentage points", says="Upper end of the interval."),
        "R": Column("R", "a ratio"),
    },
    ("target", "tolerance"),
    "difference",
    printed=lambda frame: frame.drop(columns="R"),
    spans={"difference": ("low", "high")},
    there=lambda opened: opened.review.holdout is not None,
    outside=True,
    again=_outside_again,
)


class NearMisses(Result[Asked]):
    """Near misses of numeric targets.

    Attributes
    ----------
    figures, outside
        By target, a row a tolerance asked, as `TargetRisk.near_misses` and `holdout.near_misses.near_misses`; or why
        people outside are not evaluated.
    curves, curves_outside
        The same at `STEPS`.
    n_original
        N_d, records.
    several
        Whether there are several syntheses.
    numbers_without
        By target that is a number and has no near misses, why; of one that is asked for alone, nothing.
    """

    short: ClassVar = "near-misses"
    about: ClassVar = "The claims"
    question: ClassVar = "Do near misses of a number count?"
    title: ClassVar = "Near misses of numbers"
    purpose: ClassVar = "Count numbers that are near enough."
    reads: ClassVar = (
        "A claim is the middle of the synthetic numbers with the same keys, where all lie within the tolerance of it. "
        "It is right for a person whose number does, too. At tolerance 0 the figures are DiSCO and Dorig. The best "
        "single guess is one number, or level, for all original records, with nothing excluded. "
        "Figures are means over the syntheses."
    )
    formula: ClassVar = (
        "All synthetic records with the same keys must have numbers that lie within the tolerance of their "
        "middle, c = (smallest + largest) / 2. That is the claim. It is right for a person whose number lies "
        "within the tolerance of c, too. A relative tolerance is a share of c. Numbers are compared as exact "
        "decimals, and one exactly at the tolerance counts.\n\n"
        "Missing values and missing codes are levels, not numbers: records that mix them with numbers make no "
        "claim. Exclusions act as everywhere; with a denominator limit near misses are not evaluated. The best "
        "single guess is the number, or level, within the tolerance of most original records, with nothing "
        "excluded. *Source:* G. M. Raab, *Privacy risk from synthetic data: practical proposals*, section on "
        "continuous variables; `measures.md` 12."
    )
    example: ClassVar = "--target income --tolerance 10% --tolerance 100"
    asks: ClassVar = Asked
    tables: ClassVar = (TABLE, OUTSIDE)
    drawn: ClassVar = Drawn("near-misses", "How close is close")

    def __init__(
        self,
        asked: Asked,
        found: Mapping[str, pd.DataFrame],
        outside: Mapping[str, pd.DataFrame | NotEvaluated],
        n_original: int,
        lacking: Mapping[str, str],
        *,
        several: bool,
    ) -> None:
        at = [each.text for each in asked.tolerance]
        steps = [each.text for each in STEPS]
        self.asked, self.n_original, self.several, self.numbers_without = asked, n_original, several, lacking
        self.figures = {name: _at(frame, at) for name, frame in found.items()}
        self.curves = {name: _at(frame, steps) for name, frame in found.items()}
        self.outside = {n: f if isinstance(f, NotEvaluated) else _at(f, at) for n, f in outside.items()}
        self.curves_outside = {n: _at(f, steps) for n, f in outside.items() if not isinstance(f, NotEvaluated)}

    @classmethod
    def lacking(cls, data: Inputs, asked: Asked) -> NotEvaluated | None:
        """Return why no target has near misses, or the one that is asked for has none."""
        if asked.target is not None:
            (name,) = targets_asked(data, asked.target)
            return counting.lacking(data.assessment.targets[name])
        if numeric_targets(data):
            return None
        return LIMITED if data.settings.exclusions.denominator_limit is not None else NONE

    @classmethod
    def make(cls, data: Inputs, asked: Asked, progress: Progress | None = None) -> NearMisses:
        """Return near misses at the tolerances asked, and at those of the curve."""
        result, names = data.assessment, numeric_targets(data) if asked.target is None else (asked.target,)
        every = tuple({each.text: each for each in (*asked.tolerance, *STEPS)}.values())
        found, outside = {}, {}
        for done, name in enumerate(names):
            if progress is not None:
                progress(done, len(names))
            found[name] = result.targets[name].near_misses(every)
            outside[name] = _outside(data, name, every, found[name])
        numbers = {n for n, column in data.study.columns.items() if column.kind is Kind.NUMBER and asked.target is None}
        reasons = {n: counting.lacking(risk) for n, risk in result.targets.items() if n in numbers}
        lacking = {name: why.why for name, why in reasons.items() if why is not None}
        return cls(asked, found, outside, result.n_original, lacking, several=len(result.n_synthetic) > 1)

    def frames(self) -> dict[str, pd.DataFrame | NotEvaluated]:
        """Return the table, and that of people outside where they are evaluated for a target."""
        found: dict[str, pd.DataFrame | NotEvaluated] = {TABLE.name: _stacked(self.figures)}
        outside = {name: frame for name, frame in self.outside.items() if isinstance(frame, pd.DataFrame)}
        return found | ({OUTSIDE.name: _stacked(outside)} if outside else {})

    def without_row(self, table: str) -> Mapping[str, str]:
        """Return why a number has no near misses, and why people outside have none of a target."""
        outside = {n: why.why for n, why in self.outside.items() if isinstance(why, NotEvaluated)}
        return {**self.numbers_without, **(outside if table == OUTSIDE.name else {})}

    def sentences(self) -> list[str]:
        """Say what the middle tolerance discloses of each target, what is disclosed most first."""
        return [sentence for _, said in self._of_each() for sentence in said]

    def in_annex(self) -> tuple[Sequence[str], Mapping[str, pd.DataFrame]]:
        """Say what is disclosed most; of several targets a table has each, at the middle tolerance."""
        if len(self.figures) < 2:
            return super().in_annex()
        of_each, middle = self._of_each(), self.asked.middle.text
        order, first = [name for name, _ in of_each], of_each[0][1][0]
        rows = {
            name: frame[frame["tolerance"] == middle].sort_values("target", key=lambda names: names.map(order.index))
            for name, frame in self.frames().items()
            if isinstance(frame, pd.DataFrame)
        }
        whys = dict.fromkeys(
            why for why in self.outside.values() if isinstance(why, NotEvaluated) and why != NO_HOLDOUT
        )
        return [first, *(f"People outside: not evaluated. {why.why} {why.needs}".strip() for why in whys)], rows

    def _of_each(self) -> list[tuple[str, list[str]]]:
        """Return the targets, what is disclosed most first, and what is said of each."""
        found, i = [], self.asked.tolerance.index(self.asked.middle)
        within = self.asked.middle.words.replace(" %", "\N{NO-BREAK SPACE}%")
        for name, frame in sorted(self.figures.items(), key=lambda each: -float(each[1]["DiSCO"].iloc[i])):
            row, other = frame.iloc[i], self.outside[name]
            text = (
                f"Within {within}, the synthetic data make a claim about {name} for {percent(fixed(row['DiS']))} of "
                f"all original records, right for {percent(fixed(row['DiSCO']))}; the best single guess is right for "
                f"{percent(fixed(row['guess']))}."
            )
            if isinstance(other, NotEvaluated):
                found.append((name, [text, *self._not_outside(name, other)]))
                continue
            row = other.iloc[i]
            text += (
                f" A claim within it is right for {percent(fixed(row['non_members']))} of people outside the "
                f"data. The difference is "
                f"{fixed(row['difference'], sign=True)} percentage points ({fixed(row['low'], sign=True)} to "
                f"{fixed(row['high'], sign=True)})."
            )
            found.append((name, [text]))
        return found

    def _not_outside(self, name: str, why: NotEvaluated) -> list[str]:
        if why == NO_HOLDOUT:
            return []
        return [f"{name}, people outside: not evaluated. {why.why} {why.needs}".strip()]

    def figure(self) -> CurvePlot:
        """Return what is disclosed by the tolerance, a frame a target."""
        names, middle = list(self.curves), self.asked.middle
        one = names[0] if len(names) == 1 else ""
        beside = len(self.curves_outside) == len(names)
        share = float(middle.amount) * 100 if middle.relative else 0.0
        return CurvePlot(
            f"Numbers of {one or 'each target'} disclosed within a tolerance",
            "tolerance, ± % of the number claimed",
            f"% of {self.n_original:,} original records" + (f", target {one}" if one else ""),
            tuple(float(text.removesuffix("%")) for text in self.curves[names[0]]["tolerance"]),
            tuple(Panel("" if one else name, self._curves(name, beside=beside)) for name in names),
            "smallest to largest synthesis" if self.several else "",
            limit=(share, f"±{share:g} %") if self.asked.tolerance != LISTED and 0 < share <= 50 else None,
            caption=self.reads + (" Of people outside, % of the holdout records." if beside else ""),
            target=one,
        )

    def _curves(self, name: str, *, beside: bool) -> tuple[Curve, ...]:
        frame = self.curves[name]
        of = {column: tuple(frame[column].tolist()) for column in ("Dorig", "DiSCO", "min", "max", "guess")}
        curves = [
            Curve("original", "original", of["Dorig"]),
            Curve("synthetic", "synthetic", of["DiSCO"], *((of["min"], of["max"]) if self.several else ())),
            Curve("best single guess", "third", of["guess"], dash="dash"),
        ]
        if beside:
            curves.append(Curve("people outside", "outside", tuple(self.curves_outside[name]["non_members"].tolist())))
        return tuple(curves)


def _outside(
    data: Inputs, target: str, tolerances: Sequence[Tolerance], figures: pd.DataFrame
) -> pd.DataFrame | NotEvaluated:
    """Return members beside people outside, where the baseline of the target is evaluated."""
    lacks = data.outside_lacks
    if isinstance(lacks, NotEvaluated):
        return lacks
    if target in lacks:
        return NotEvaluated(lacks[target], "")
    found = holdout.near_misses(data.outside, data.settings, target, tolerances)
    if isinstance(found, NotEvaluated) or np.allclose(found["members"], figures["DiSCO"], rtol=0, atol=1e-9):
        return found
    return NotEvaluated(
        f"Members' DiSCO of {target!r} beside the holdout is not that of the assessment.",
        f"Give column {target!r} and the keys of the holdout the types and values of the other files.",
    )


def _at(frame: pd.DataFrame, tolerances: Sequence[str]) -> pd.DataFrame:
    return frame.set_index("tolerance").loc[list(tolerances)].reset_index()


def _stacked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([frame.assign(target=name) for name, frame in frames.items()], ignore_index=True)[
        ["target", *next(iter(frames.values())).columns]
    ]
