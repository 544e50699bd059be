"""Whether original and synthetic values meet at all: the agreement of every column, and warnings with a mend.

A figure of a column whose two sides spell the same answer in two ways is low and wrong: nothing that the synthetic data
say can be right. So the agreement is computed always, and `meeting` says which columns do not meet: no figure rests on
them. A milder warning is given where decimal digits differ, or where a frequent level of the original occurs in no
synthesis. It is silent where values do not meet for a good reason: incomes differ, and rare levels get lost by chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats, Ints
from disclosure_core.data.corrections import BY_CHANCE, RISES, correction, helpful_mends, sides_of
from disclosure_core.data.meeting import Finding, Verdict, judge_all
from disclosure_core.data.mending import WORDS
from disclosure_core.data.sides import shares_of
from disclosure_core.data.study import Kind, Note
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from disclosure_core.data.coded import CodedTable
    from disclosure_core.data.column import Variable
    from disclosure_core.data.readers import Reading
    from disclosure_core.data.study import AnyStudy

FREQUENT = 1.0
"""A level is missed if so much of the original has it, % of the records (as above)."""

MANY = 50
"""Numbers and dates with more values than this seldom meet in a good synthesis: their levels are not missed."""

_SHIFTED, _DIFFERENT = 90.0, 50.0
"""Moments differ by a time zone where so much meets after a shift, and so little before it, %."""

_SHOWN, _LONGEST = 3, 40
"""Values shown of each side, and letters of a value."""


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """How far the two sides of a column meet; a missing value is a value.

    Attributes
    ----------
    column
        Its name.
    original
        By synthesis, % of the original's records whose value also occurs in it.
    synthetic
        By synthesis, % of its records whose value also occurs in the original.
    """

    column: str
    original: tuple[float, ...]
    synthetic: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A column whose sides do not meet as they should.

    Attributes
    ----------
    column
        Its name.
    kinds
        The mends that help, all of them together; empty where none does.
    synthesis
        The synthesis that they help most, from 1.
    of_original
        Whether the share below is of the original's records, or of that synthesis'.
    before, after
        That share now, and after the mends, %.
    lost
        The frequent levels of the original that no synthesis has, and the share of its records, %; most first.
    values_original, values_synthetic
        Up to three values of each side that do not meet, most frequent first, as a person may tell them apart.
    cause
        What the cause is likely to be, as a clause; empty where nothing is likely.
    stops
        Whether the column does not meet, so that no figure that rests on it is evaluated; else it is a note.
    """

    column: str
    kinds: tuple[str, ...]
    synthesis: int
    of_original: bool
    before: float
    after: float
    lost: tuple[tuple[str, float], ...]
    values_original: tuple[str, ...]
    values_synthetic: tuple[str, ...]
    cause: str
    stops: bool = True

    @property
    def option(self) -> str:
        """The option of the command line that mends it; empty where nothing does."""
        return f"--mend {self.column}={','.join(self.kinds)}" if self.kinds else ""

    def text(self, *, values: bool = True, several: bool = True) -> str:
        """Return the warning in plain sentences.

        Parameters
        ----------
        values
            Whether values of the data and shares are named; without, what is said holds neither.
        several
            Whether there are several syntheses, so that one has to be named.
        """
        file, other_file = ("original", "synthetic") if self.of_original else ("synthetic", "original")
        head = "the values of the original and of the synthetic data do not meet"
        sentences = [f"{self.column!r}: {head}{'' if self.stops else ' as they should'}."]
        if values:
            if self.kinds:
                of_which = f" (synthesis {self.synthesis})" if several else ""
                sentences.append(
                    f"Of the {file} records {self.before:.2f} % have a value that also occurs in the {other_file} data"
                    f"{of_which}; mended, {self.after:.2f} % do."
                )
            if self.lost:
                (first, of_all), *others = self.lost[:3]
                shares = [f"{first} ({of_all:.2f} % of the original records)", *(f"{n} ({x:.2f} %)" for n, x in others)]
                listed = ", ".join(shares)
                rest = f" and {quantity(len(self.lost) - 3, 'more level')}" if len(self.lost) > 3 else ""
                sentences.append(f"In no synthesis: {listed}{rest}.")
            named = {level for level, _ in self.lost[:3]}
            original_only = tuple(text for text in self.values_original if text not in named)
            sides = (("original", original_only), ("synthetic data", self.values_synthetic))
            only = [f"in the {side}: {', '.join(texts)}" for side, texts in sides if texts]
            if only:
                sentences.append(f"Only {'; only '.join(only)}.")
        if self.cause:
            sentences.append(f"Likely cause: {self.cause}.")
        if self.stops:
            first = "Mend it, or write both files alike" if self.kinds else "Write both files alike"
            sentences.append(f"{first}, or say that these values really differ; until then no figure rests on it.")
        return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of every common column.

    Attributes
    ----------
    columns
        In the order of the data.
    mismatches
        Where a warning is due, in the same order.
    not_evaluated
        Columns of an engine with too many values to be fetched.
    smoothed
        Columns of numbers or days of which hardly any occurs on both sides.
    """

    columns: tuple[ColumnAgreement, ...]
    mismatches: tuple[Mismatch, ...]
    not_evaluated: tuple[str, ...] = ()
    smoothed: tuple[str, ...] = ()

    @property
    def unmet(self) -> tuple[Mismatch, ...]:
        """The columns that do not meet, so that no figure that rests on them is evaluated."""
        return tuple(m for m in self.mismatches if m.stops)

    def table(self) -> pd.DataFrame:
        """Return a row a column: the smallest and largest share over the syntheses, both ways, %."""
        names = ("original_min", "original_max", "synthetic_min", "synthetic_max")
        rows = [(c.column, min(c.original), max(c.original), min(c.synthetic), max(c.synthetic)) for c in self.columns]
        return pd.DataFrame(rows, columns=["column", *names])

    def notes(self, columns: Iterable[str] | None = None) -> tuple[Note, ...]:
        """Return the warnings, of the named columns only if there are names."""
        wanted = None if columns is None else set(columns)
        several = any(len(c.original) > 1 for c in self.columns)
        notes = [
            Note(m.text(several=several), m.column, warning=True)
            for m in self.mismatches
            if wanted is None or m.column in wanted
        ]
        smoothed = [name for name in self.smoothed if wanted is None or name in wanted]
        if smoothed:
            listed, them = ", ".join(map(repr, smoothed)), "it" if len(smoothed) == 1 else "them"
            notes.append(
                Note(
                    f"Hardly any value of {listed} occurs in both the original and the synthetic data: "
                    f"group {them}, or count near misses, or no figure can find anything there."
                )
            )
        if self.not_evaluated and wanted is None:
            listed = ", ".join(map(repr, self.not_evaluated))
            notes.append(Note(f"The agreement of {listed} was not evaluated: too many values to leave their engine."))
        return tuple(notes)


def declared_labels(readings: Iterable[Reading]) -> dict[str, dict[str, str]]:
    """Return the labels that files declare for codes, by column and code; none where two files disagree."""
    declared: dict[str, dict[str, str]] = {}
    conflicting = set()
    for reading in readings:
        for name, labels in (getattr(reading, "value_labels", None) or {}).items():
            plain = {code if isinstance(code, str) else f"{code:.15g}": str(label) for code, label in labels.items()}
            if declared.setdefault(name, plain) != plain:
                conflicting.add(name)
    return {name: labels for name, labels in declared.items() if name not in conflicting}


def agreement(
    study: AnyStudy,
    frames: Sequence[pd.DataFrame] | Sequence[CodedTable] | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Agreement:
    """Return how far the columns of a study meet, and where they should meet better.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    frames
        The tables it was made of, the original first: a mend is tried on their own values. Without, on the levels.
    labels
        As `mending.resolve`.

    Notes
    -----
    If both sides follow the same law, all k records with a level stand in the original, and none in any synthesis, with
    a chance of (N_d / (N_d + N))^k, N being the records of all syntheses. A level is missed only where this, times the
    number of frequent levels in all columns, is below `BY_CHANCE`: in small data one record in a hundred may well be
    lost by chance. With 100 frequent levels that takes 14 records for one synthesis of the same size, 6 for five.
    """
    columns: dict[str, Variable] = {}
    not_evaluated = []
    for name in study.columns:
        try:
            column = study.columns[name]
        except DisclosureError:
            not_evaluated.append(name)
            continue
        if getattr(column, "is_wide", False):
            not_evaluated.append(name)
        else:
            columns[name] = column
    agreements = tuple(_agreement_of(column) for column in columns.values())
    frequent = {name: _frequent(column) for name, column in columns.items()}
    n_frequent, n_synthetic = sum(map(len, frequent.values())), sum(study.n_synthetic)
    # As many records as chance does not explain: the smallest k in the note above.
    missed = math.log(max(n_frequent, 1) / BY_CHANCE) / math.log1p(n_synthetic / study.n_original)
    mismatches, smoothed = [], []
    for column_agreement, (name, column) in zip(agreements, columns.items(), strict=True):
        labels_of_column = (labels or {}).get(name, {})
        told = study.missing_codes.get(name, ())
        verdicts = judge_all(column, labels_of_column, told, numeric=column.kind is Kind.NUMBER)
        lost = [c for c in frequent[name] if not column.counts[1:, c].any() and column.counts[0, c] > missed]
        mismatch = _mismatch(column, column_agreement, verdicts, lost, frames, labels_of_column)
        if mismatch is not None:
            mismatches.append(mismatch)
        elif all(v.finding is Finding.SMOOTHED for v in verdicts):
            smoothed.append(name)
    return Agreement(agreements, tuple(mismatches), tuple(not_evaluated), tuple(smoothed))


def _agreement_of(column: Variable) -> ColumnAgreement:
    original, synthetic = shares_of(column.counts).tolist()
    return ColumnAgreement(column.name, tuple(original), tuple(synthetic))


def _frequent(column: Variable) -> list[int]:
    """Return the codes that enough of the original has, most first; none of a number or date with many values."""
    counts = column.counts[0]
    if column.kind is not Kind.CATEGORY and np.count_nonzero(counts[:-1]) > MANY:
        return []
    frequent = np.flatnonzero(100 * counts >= FREQUENT * counts.sum())
    return frequent[np.argsort(-counts[frequent], kind="stable")].tolist()


def _mismatch(
    column: Variable,
    agreed: ColumnAgreement,
    verdicts: Sequence[Verdict],
    lost: list[int],
    frames: Sequence[pd.DataFrame] | Sequence[CodedTable] | None,
    labels: Mapping[str, str],
) -> Mismatch | None:
    """Return what is to be said of a column; None where nothing is."""
    before = np.array([agreed.original, agreed.synthetic])
    stopped = [v for v in verdicts if v.finding is Finding.STOPS]
    kinds: tuple[str, ...] = ()
    after, cause, stops = before, "", bool(stopped)
    if stopped:
        asked = tuple(dict.fromkeys(kind for verdict in stopped for kind in verdict.kinds))
        kinds, after = correction(sides_of(column, frames), before, labels, asked)
        cause = "; ".join(WORDS[kind] for kind in kinds or asked) or _against(stopped[0])
    elif before.min() <= 100 - RISES:
        kinds, after = helpful_mends(column, frames, before, labels)
        shift = _shift(column, before) if not kinds and _is_moment(column) else 0.0
        if shift:
            cause = f"the times differ by {shift:g} hours throughout: save both files in one time zone"
        cause = cause or "; ".join(WORDS[kind] for kind in kinds)
        stops = bool(shift) or "zone" in kinds
    if not (kinds or lost or stops):
        return None
    row, i = np.unravel_index(int(np.argmax(after - before)), before.shape)
    total = column.counts[0].sum()
    escaped = bool({"letters", "encoding"} & {*kinds})
    return Mismatch(
        column.name,
        kinds,
        int(i) + 1,
        int(row) == 0,
        float(before[row, i]),
        float(after[row, i]),
        tuple((_shown(column, c, escaped), 100 * float(column.counts[0, c]) / float(total)) for c in lost),
        _values_on_one_side(column, column.counts[0], column.counts[1:].sum(axis=0), lost, escaped),
        _values_on_one_side(column, column.counts[1:].sum(axis=0), column.counts[0], [], escaped),
        cause,
        stops=stops,
    )


_MANY_OF = {"number": "numbers", "date": "dates", "word": "words", "band": "groups", "code": "codes"}


def _against(verdict: Verdict) -> str:
    """Return what stands on the two sides of a column that nothing corrects."""
    first, second = verdict.against or ("", "")
    if first == second:
        return f"other {_MANY_OF.get(first, 'values')} on each side: nearly no value occurs on both"
    if {first, second} == {"number", "word"}:
        coded = WORDS["labels"].partition(",")[0]
        return f"{coded}; which label stands for which code is not known: a codebook says it"
    return f"{_MANY_OF[first]} in the original and {_MANY_OF[second]} in the synthetic data"


def _is_moment(column: Variable) -> bool:
    """Whether a column holds days with a time of day."""
    return column.kind is Kind.DATE and column.n_levels > 0 and "T" in column.label(0)


def _shift(column: Variable, before: Floats) -> float:
    """Return the hours by which all syntheses' moments stand apart from the original's; 0 where they do not."""
    if before.max() > _DIFFERENT:
        return 0.0
    stamps = pd.to_datetime(pd.Series(column.levels), format="ISO8601", utc=True, errors="coerce")
    times = stamps.astype("datetime64[us, UTC]").astype("int64").to_numpy()
    counts = column.counts[:, :-1]
    for half_hours in (h for k in range(1, 29) for h in (k, -k)):
        shifted = times - half_hours * 1_800_000_000
        met = [
            counts[i, (side > 0) & np.isin(shifted, times[counts[0] > 0])].sum() / max(side.sum(), 1)
            for i, side in enumerate(counts[1:], 1)
        ]
        if 100 * min(met) >= _SHIFTED:
            return half_hours / 2
    return 0.0


def _values_on_one_side(
    column: Variable,
    counts: Ints,
    other_counts: Ints,
    first: list[int],
    escaped: bool,
) -> tuple[str, ...]:
    """Return a few values that one side has and the other has not, those in `first` before the most frequent."""
    only_here = np.flatnonzero((counts > 0) & (other_counts == 0))
    order = [*first, *(c for c in only_here[np.argsort(-counts[only_here], kind="stable")].tolist() if c not in first)]
    return tuple(_shown(column, c, escaped) for c in order[:_SHOWN])


def _shown(column: Variable, code: int, escaped: bool) -> str:
    """Return a value so that a person sees its spaces, and with `escaped` its letters' codes."""
    if code == column.n_levels:
        return "an empty cell"
    text = column.label(code)
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return text if column.kind is Kind.NUMBER else (ascii if escaped else repr)(text)
