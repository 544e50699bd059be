"""What makes a synthesis safer before it is released: records removed, levels merged, values made coarser, a label.

Steps chain, each on what the one before left. What is made coarser is made so on both sides, because a person who
knows the rule applies it to what they know; the original itself is never altered, only looked at through the rule.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from disclosure_core.counting.cells import count_keys
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.outsiders import UNMATCHED
from disclosure_core.data.rewriters import Cells, Change
from disclosure_core.data.study import Column, Kind, Study
from disclosure_core.data.suggestions import HIGH_CODES, LOW_CODES, MissingCode, suggest_missing_codes
from disclosure_core.data.values import same_number
from disclosure_core.data.writers import only_used
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.partition import partition
from disclosure_core.protection.detail import DetailLost, detail_lost
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.column import Variable
    from disclosure_core.data.outsiders import JointStudy
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.holdout.partition import Partition

Masks = list[npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class RemoveReplicated:
    """Remove the synthetic records that are unique on the keys and match a unique original record (paper 003)."""

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove replicated uniques: each is unique on the keys and matches exactly one original record."


@dataclass(frozen=True, slots=True)
class RemoveUniques:
    """Remove the synthetic records that are unique on the keys, where the keys occur in the original."""

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove synthetic records that are unique on the keys, where these keys occur in the original."


@dataclass(frozen=True, slots=True)
class MergeLevels:
    """Merge the levels of a category that fewer than `fewer` original records have into one, `into`, but for `keep`."""

    column: str
    fewer: int
    into: str = "Other"
    keep: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        but = f" but for {', '.join(map(repr, self.keep))}" if self.keep else ""
        return (
            f"Merge the levels of {self.column!r} that fewer than {self.fewer:,} original records have{but}: "
            f"{self.into!r}."
        )


@dataclass(frozen=True, slots=True)
class Coarsen:
    """Put the values of a numeric column into about `groups` intervals."""

    column: str
    groups: int

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Put {self.column!r} into {self.groups:,} groups."


@dataclass(frozen=True, slots=True)
class Cap:
    """Top and bottom code a numeric column: values beyond an end become that end; None leaves an end open."""

    column: str
    low: float | None = None
    high: float | None = None

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        ends = [f"{word} {end:.15g}" for word, end in (("below", self.low), ("above", self.high)) if end is not None]
        return f"Set values of {self.column!r} {' and '.join(ends)} to the end itself."


@dataclass(frozen=True, slots=True)
class RoundTo:
    """Round a numeric column to multiples of `to`, by the decimals as they are written; halves to the even multiple."""

    column: str
    to: float

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Round {self.column!r} to multiples of {self.to:.15g}."


LABEL = "SYNTHETIC"
"""What a label says unless somebody words it otherwise."""

LONGEST = 60
"""Letters of a label's text, which every file format holds."""


@dataclass(frozen=True, slots=True)
class AddLabel:
    """Add a column that says in every record that the data are synthetic (R: `sdc(label=)`); it moves no figure.

    Attributes
    ----------
    column
        Its name: letters without accents, digits and underscores, 32 at most, as every file format takes it.
    text
        What it says in every record.
    """

    column: str = "label"
    text: str = LABEL

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Add a column {self.column!r} to the files that says {self.text!r} in every record."


Step = RemoveReplicated | RemoveUniques | MergeLevels | Coarsen | Cap | RoundTo | AddLabel

STEPS: dict[str, type[Step]] = {
    kind.__name__: kind for kind in (RemoveReplicated, RemoveUniques, MergeLevels, Coarsen, Cap, RoundTo, AddLabel)
}
"""The steps by name, as a saved review names them."""


NEARLY_EVERY = 0.9
"""The share of a column's values above which a step asks before it changes them: the column may have been misread."""


@dataclass(frozen=True, slots=True)
class StepEffect:
    """What one step did.

    Attributes
    ----------
    sentence
        The step in words.
    removed
        Records removed from each synthesis.
    changed
        Cells (a record's value of a column) changed in each synthesis.
    added
        The column that it adds to the files; empty where it adds none.
    share
        Of the column's values that are there, in all syntheses, how many it changed, 0 to 1.
    examples
        Up to three values that it changed, before and after, the most frequent first.
    """

    sentence: str
    removed: tuple[int, ...]
    changed: tuple[int, ...]
    added: str = ""
    share: float = 0.0
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def doubt(self) -> str:
        """What to ask before a step that changes nearly every value of a column; empty where it changes fewer."""
        if self.share <= NEARLY_EVERY:
            return ""
        shown = "; ".join(f"{was} becomes {now}" for was, now in self.examples)
        return (
            f"{self.sentence} This changes {fixed(100 * self.share, 1)} % of the values: {shown}. See that the column "
            "was read as it was meant."
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Protected:
    """Syntheses after a chain of steps, and the study that measures them.

    Attributes
    ----------
    study
        The original seen through the same rules, and the safer syntheses.
    tables
        The syntheses as coded tables, to be released.
    done
        What each step did, in order.
    before
        Records of each synthesis before any step.
    changes
        For each synthesis, the records that stay, the cells that a step changed and the columns that one added, for
        `rewriters.rewrite`.
    detail
        Detail lost of each column, beside the original as it came.
    """

    study: Study
    tables: tuple[CodedTable, ...]
    done: tuple[StepEffect, ...]
    before: tuple[int, ...]
    changes: tuple[Change, ...]
    detail: DetailLost

    @property
    def synthetic(self) -> tuple[pd.DataFrame, ...]:
        """The syntheses as frames, made anew at every call; a category has only levels that a record has."""
        return tuple(only_used(table.frame()) for table in self.tables)

    @property
    def n_removed(self) -> tuple[int, ...]:
        """Records removed from each synthesis by all steps."""
        return tuple(n - len(table) for n, table in zip(self.before, self.tables, strict=True))

    def log(self, names: Sequence[str], settings: Settings, notes: Sequence[Sequence[str]] = ()) -> str:
        """Return what was done as text that goes with the files.

        Parameters
        ----------
        names
            What each synthesis is called.
        settings
            The keys and groups on which records were judged.
        notes
            For each synthesis, what its file's format could not hold.
        """
        groups = ", ".join(f"{name} in {n} groups" for name, n in settings.groups) or "none"
        lines = [
            "Changes made to these synthetic data before release",
            f"Keys: {', '.join(self.study.in_data_order(settings.keys))}. Groups: {groups}.",
            "",
        ]
        for i, done in enumerate(self.done, 1):
            lines.append(f"{i}. {done.sentence}")
            lines += [
                f"   {name}: {removed:,} records removed, {changed:,} values changed"
                + (f", the column {done.added!r} added" if done.added else "")
                for name, removed, changed in zip(names, done.removed, done.changed, strict=True)
            ]
        lines.append("")
        lines += [
            f"{name}: {before:,} records before, {len(table):,} after"
            for name, before, table in zip(names, self.before, self.tables, strict=True)
        ]
        lost = [f"{name}: {note}" for name, file_notes in zip(names, notes, strict=False) for note in file_notes]
        lines += ["", "What the file formats could not hold, and what was not kept", *lost] if lost else []
        return "\n".join(lines) + "\n"


def seen_through(
    original: pd.DataFrame,
    outside: pd.DataFrame,
    synthetic: Sequence[pd.DataFrame],
    steps: Iterable[Step],
    settings: Settings,
    missing_codes: Mapping[str, Iterable[float | str]] | None = None,
    declared: Mapping[str, Iterable[float]] | None = None,
    missing_levels: Mapping[str, Iterable[str]] | None = None,
) -> Partition | NotEvaluated:
    """Return members, people outside and safer syntheses coded together: all seen through the same rules.

    Parameters
    ----------
    outside
        People who were not synthesised. They set no rule: which levels are small and where an interval ends follows
        from original and syntheses, and none of them is removed.
    original, synthetic, steps, settings, missing_codes, declared, missing_levels
        As of `protect`.

    Raises
    ------
    DisclosureError
        As `protect` and `partition`.
    """
    frames = [original, *synthetic, outside]
    codes = {name: tuple(values) for name, values in (missing_codes or {}).items()}
    absent = {name: tuple(levels) for name, levels in (missing_levels or {}).items()}
    joined = partition(original, outside, synthetic, codes, absent)
    for step in steps:
        if isinstance(joined, NotEvaluated) or isinstance(step, AddLabel):
            continue
        if isinstance(step, RemoveReplicated | RemoveUniques):
            masks = _unique_records(joined.joint.finished, settings, replicated=isinstance(step, RemoveReplicated))
            kept = (frame[~gone] for frame, gone in zip(frames[1:-1], masks, strict=True))
            frames = [frames[0], *(frame.reset_index(drop=True) for frame in kept), frames[-1]]
        else:
            as_declared, inside = tuple((declared or {}).get(step.column, ())), frames[:-1]
            changed, _ = _applied(step, joined.joint.finished, inside, as_declared)
            codes = _remaining_codes(step, codes) if changed is not inside else codes
            frames = [*changed, _applied_outside(step, joined.joint, frames[-1], as_declared)]
        joined = partition(frames[0], frames[-1], frames[1:-1], codes, absent)
    return joined


def protect(
    original: pd.DataFrame,
    synthetic: Sequence[pd.DataFrame],
    steps: Iterable[Step],
    settings: Settings,
    missing_codes: Mapping[str, Iterable[float | str]] | None = None,
    declared: Mapping[str, Iterable[float]] | None = None,
    missing_levels: Mapping[str, Iterable[str]] | None = None,
) -> Protected:
    """Return the syntheses after `steps`, and what each step did.

    Parameters
    ----------
    original, synthetic
        The tables that a `Study` is made of; they are not changed.
    steps
        Applied one after the other.
    settings
        The keys, and their groups, on which a record is unique; exclusions play no part.
    missing_codes
        As for `Study`; caps, rounding and groups leave them as they are.
    declared
        Values that a file declares as missing though the original does not hold them; they are left as they are, too.
    missing_levels
        As for `Study`.

    Raises
    ------
    DisclosureError
        When a column is not there or not of the kind a step needs, or is there already where one is to be added; when
        no key is chosen for a removal, or nothing would be left of a synthesis.
    """
    frames = [original, *synthetic]
    codes = {name: tuple(values) for name, values in (missing_codes or {}).items()}
    absent = {name: tuple(levels) for name, levels in (missing_levels or {}).items()}
    study = first = Study(frames[0], frames[1:], codes, absent)
    done = []
    rows = [np.arange(len(frame)) for frame in frames[1:]]
    touched: list[dict[str, npt.NDArray[np.bool_]]] = [{} for _ in rows]
    labels: dict[str, str] = {}
    for step in steps:
        if isinstance(step, AddLabel):  # of the files alone: what is measured has the columns of the original
            _check_label(step, [*(str(name) for frame in frames for name in frame.columns), *labels])
            labels[step.column] = step.text
            none = (0,) * study.n_syntheses
            done.append(StepEffect(step.sentence, none, none, step.column))
            continue
        if isinstance(step, RemoveReplicated | RemoveUniques):
            masks = [~mask for mask in _unique_records(study, settings, replicated=isinstance(step, RemoveReplicated))]
            new_frames = [
                frames[0],
                *(frame[k].reset_index(drop=True) for frame, k in zip(frames[1:], masks, strict=True)),
            ]
            rows = [mine[k] for mine, k in zip(rows, masks, strict=True)]
            touched = [{n: t[k] for n, t in mine.items()} for mine, k in zip(touched, masks, strict=True)]
            removed = tuple(int((~k).sum()) for k in masks)
        else:
            new_frames, changed_cells = _applied(step, study, frames, tuple((declared or {}).get(step.column, ())))
            for mine, changed in zip(touched, changed_cells, strict=True):
                mine[step.column] = mine.get(step.column, False) | changed
            removed = (0,) * study.n_syntheses
            codes = _remaining_codes(step, codes) if new_frames is not frames else codes
        if any(not len(frame) for frame in new_frames):
            raise DisclosureError(f"Nothing would be left of a synthesis: {step.sentence} Choose a milder step.")
        frames, before, study = new_frames, study, Study(new_frames[0], new_frames[1:], codes, absent)
        done.append(_effect(step, removed, before, study))
    changes = tuple(
        Change(len(old), kept, {n: Cells(_column(new, n), t) for n, t in mine.items() if t.any()}, labels=labels)
        for old, new, kept, mine in zip(synthetic, frames[1:], rows, touched, strict=True)
    )
    tables = tuple(map(CodedTable.of, frames[1:]))
    kept_shares = [len(new) / len(old) for old, new in zip(synthetic, frames[1:], strict=True)]
    lost = detail_lost(first, study, kept_shares)
    return Protected(study, tables, tuple(done), tuple(map(len, synthetic)), changes, lost)


def undeclared_codes(study: AnyStudy, step: Step) -> tuple[MissingCode, ...]:
    """Return the numbers that look like codes for "no answer", are not declared as such, and which a step would change.

    Whoever rounds, caps or groups a number must say first whether −8 is a number like any other; whoever merges small
    levels, whether −8 is one of them (`MergeLevels.keep`).

    Parameters
    ----------
    study
        As the data came, before any step.
    step
        The step that is about to be taken.
    """
    if isinstance(step, RemoveReplicated | RemoveUniques | AddLabel) or step.column not in study.columns:
        return ()
    column = study.columns[step.column]
    if isinstance(step, MergeLevels):
        if column.kind is not Kind.CATEGORY:
            return ()
        return tuple(
            MissingCode(step.column, level, int(n), "surveys use it for no answer")
            for level, n in zip(column.levels, column.counts[0, :-1].tolist(), strict=True)
            if n < step.fewer and level not in (*step.keep, step.into) and _is_code(level, column)
        )
    declared = {float(code) for code in study.missing_codes.get(step.column, ())}
    return tuple(
        code
        for code in suggest_missing_codes(study)
        if code.column == step.column and float(code.value) not in declared
    )


def _is_code(level: str, column: Variable) -> bool:
    """Whether a level is a number that surveys use for "no answer": a negative one, or 9, 99 … above a gap."""
    try:
        numbers = sorted(float(text) for text in column.levels if text.lstrip("+-").replace(".", "", 1).isdigit())
        value = float(level)
    except ValueError:
        return False
    if value in LOW_CODES:
        return True
    below = [n for n in numbers if n < value]
    return value in HIGH_CODES and (not below or value - below[-1] > 1)


def _check_label(step: AddLabel, taken: Iterable[str]) -> None:
    """Raise where a label's column cannot be added to every file."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,31}", step.column):
        raise DisclosureError(
            f"A column called {step.column!r} does not fit into every file; take 1 to 32 letters, digits and "
            "underscores, a letter first."
        )
    if step.column.lower() in {name.lower() for name in taken}:  # SPSS and SAS take AGE and age for one name
        raise DisclosureError(f"There is a column {step.column!r} already; give the label another one.")
    if not 0 < len(step.text) <= LONGEST or not step.text.isprintable() or step.text != step.text.strip():
        raise DisclosureError(f"A label is a text of 1 to {LONGEST} letters on one line, such as {LABEL}.")
    if step.text[0] in "=+-@":
        raise DisclosureError(f"A spreadsheet would compute {step.text!r}; let the label begin with a letter.")


def _applied(
    step: MergeLevels | Coarsen | Cap | RoundTo,
    study: Study,
    frames: list[pd.DataFrame],
    declared: tuple[float, ...],
) -> tuple[list[pd.DataFrame], Masks]:
    """Return the frames after a step on one column, and the cells that it changed in each synthesis."""
    column = study.column(step.column)
    if isinstance(step, MergeLevels):
        return _relabelled(frames, column, _merged(column, step))
    if column.kind is not Kind.NUMBER:
        raise DisclosureError(f"{step.column!r} is not numeric; merge its small levels instead.")
    if isinstance(step, Coarsen):
        if step.groups < 2:
            raise DisclosureError(f"Ask for 2 or more groups of {step.column!r}.")
        grouped, _ = study.grouped(step.column, step.groups)
        if grouped is column:  # no more values than groups: each stays the number that it is
            return frames, [np.zeros(len(frame), dtype=bool) for frame in frames[1:]]
        new_frames, masks = _relabelled(frames, column, grouped)
        # A declared missing value that the original does not hold has no level of its own; in the file it stays.
        stays = [_has_code(column, side, declared) for side in column.synthetic]
        return new_frames, [mask & ~unchanged for mask, unchanged in zip(masks, stays, strict=True)]
    change = _capped(step) if isinstance(step, Cap) else _rounded(step)
    special = (*study.missing_codes.get(step.column, ()), *declared)
    new_frames, changed_cells = [], []
    for frame, side in zip(frames, (column.original, *column.synthetic), strict=True):
        before = _plain(_column(frame, step.column), column, side)
        after = _numbers(before, change, _has_code(column, side, special))
        changed = (after.notna() & (after != before)).fillna(False).to_numpy(dtype=bool)
        new_frames.append(_with(frame, step.column, after))
        changed_cells.append(changed)
    return new_frames, changed_cells[1:]


def _applied_outside(
    step: MergeLevels | Coarsen | Cap | RoundTo, joint: JointStudy, outside: pd.DataFrame, declared: tuple[float, ...]
) -> pd.DataFrame:
    """Return the holdout after a step on one column, by the rules that original and syntheses set."""
    column = joint.columns.get(step.column)
    if column is None:  # nothing is evaluated with it
        return outside
    if isinstance(step, MergeLevels | Coarsen):
        after = _merged(column, step) if isinstance(step, MergeLevels) else joint.grouped(step.column, step.groups)[0]
        if after is column:
            return outside
        levels = np.array([*after.levels, None, UNMATCHED], dtype=object)
        return _with(outside, step.column, pd.Series(levels[after.synthetic[-1]], index=outside.index, dtype="str"))
    side = column.synthetic[-1]
    known = [*column.values.tolist(), None, None, *column.numbers.tolist()]
    places = np.where(column.number >= 0, column.n_codes + column.number.astype(np.int64), side)
    plain = pd.Series(pd.array([known[i] for i in places.tolist()]), index=outside.index)
    if not pd.api.types.is_numeric_dtype(plain.dtype):
        plain = pd.to_numeric(plain.astype(object)).astype("Float64")
    special = (*joint.missing_codes.get(step.column, ()), *declared)
    change = _capped(step) if isinstance(step, Cap) else _rounded(step)
    numbers = _numbers(plain, change, _has_code(column, side, special))
    unmatched = (side == column.n_levels + 1) & (column.number < 0)
    return _with(
        outside, step.column, numbers.astype(object).mask(unmatched, UNMATCHED) if unmatched.any() else numbers
    )


def _unique_records(study: Study, settings: Settings, *, replicated: bool) -> Masks:
    """Return, a mask a synthesis, the records that are unique on the keys and meet the original."""
    keys = count_keys(study, restrict_to_study(study, settings)[0])
    met = keys.d_q == 1 if replicated else keys.d_q > 0
    return [(met & (s_q == 1))[side] for s_q, side in zip(keys.s_q, keys.synthetic, strict=True)]


def _merged(column: Column, step: MergeLevels) -> Column:
    if column.kind is Kind.NUMBER:
        raise DisclosureError(f"{step.column!r} is numeric; put it into groups instead.")
    if step.fewer < 2:
        raise DisclosureError("Merge levels that fewer than 2 records have, or more.")
    small = column.counts[0, : column.n_levels] < step.fewer
    small &= ~np.isin(np.array(column.levels, dtype=object), step.keep)
    frequent = [level for level, is_small in zip(column.levels, small.tolist(), strict=True) if not is_small]
    if step.into in frequent:
        raise DisclosureError(
            f"{step.into!r} is a level of {step.column!r} already; give the merged level another name."
        )
    values = np.array([*frequent, step.into] if small.any() else frequent, dtype=object)
    codes = np.full(column.n_codes, len(frequent) if small.any() else len(values) + 1, dtype=np.int64)
    codes[: column.n_levels] = np.where(small, len(frequent), np.cumsum(~small) - 1)
    codes[column.n_levels] = len(values)
    return column.recoded(values, codes, ordered=column.ordered, kind=Kind.CATEGORY)


def _relabelled(frames: list[pd.DataFrame], was: Column, column: Column) -> tuple[list[pd.DataFrame], Masks]:
    """Return the frames with a column's values written as the levels of `column`, and the cells that read differently.

    `was` is the same column before.
    """
    levels = pd.Index(column.levels, dtype="str")
    old, new = (np.array([*c.levels, None], dtype=object) for c in (was, column))
    new_frames, changed_cells = [], []
    before = (was.original, *was.synthetic)
    for frame, side, earlier in zip(frames, (column.original, *column.synthetic), before, strict=True):
        codes = np.where(side == column.n_levels, -1, side.astype(np.int64))
        values = pd.Categorical.from_codes(codes, categories=levels, ordered=column.ordered)
        new_frames.append(_with(frame, column.name, pd.Series(values, index=frame.index)))
        changed_cells.append(new[side] != old[earlier])
    return new_frames, changed_cells[1:]


def _capped(step: Cap) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    if step.low is None and step.high is None:
        raise DisclosureError(f"Give the lowest or the highest value of {step.column!r} that is kept.")
    if step.low is not None and step.high is not None and step.low >= step.high:
        raise DisclosureError(f"The lowest value of {step.column!r} that is kept must be below the highest.")
    low, high = _whole(step.low), _whole(step.high)

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        # Only what lies beyond an end is replaced: clip() would make floats of whole numbers, and merge large ones.
        capped = values if low is None else _replaced(values, values < low, low)
        return capped if high is None else _replaced(capped, capped > high, high)

    return change


def _whole(end: float | None) -> float | None:
    """Return a whole number of 64 bits as such, so that a column of whole numbers stays one."""
    return int(end) if end is not None and -(2.0**63) <= end < 2.0**63 and end == int(end) else end


def _replaced(values: pd.Series[Any], beyond: pd.Series[Any], end: float) -> pd.Series[Any]:
    """Return values with `end` in some places; whole numbers of other types than hold it become 64 bits, or floats."""
    beyond = beyond.fillna(False).astype(bool)
    if not beyond.any():
        return values
    if pd.api.types.is_integer_dtype(values.dtype):
        if isinstance(end, int):
            values = values.mask(beyond, 0)
            values = values.astype(_whole_type(values, values.dtype, end))
        else:
            values = pd.Series(values.to_numpy(dtype=float, na_value=np.nan), index=values.index, name=values.name)
    return values.mask(beyond, end)


def _rounded(step: RoundTo) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    if not step.to > 0 or not np.isfinite(step.to):
        raise DisclosureError(f"Round {step.column!r} to multiples of a number above 0.")
    unit = Fraction(repr(float(step.to)))  # 0.1 is a tenth, not the binary number next to it

    def change(values: pd.Series[Any]) -> pd.Series[Any]:
        codes, distinct = pd.factorize(values, use_na_sentinel=True)
        numbers = _multiples(pd.Index(distinct).to_numpy(), unit)
        result = pd.Series(np.append(numbers, 0)[codes], index=values.index)
        return (
            result
            if (codes >= 0).all()
            else result.astype("Int64" if numbers.dtype.kind in "iu" else float).mask(codes < 0)
        )

    return change


def _multiples(values: npt.NDArray[Any], unit: Fraction) -> npt.NDArray[Any]:
    """Return the multiples of `to` nearest to numbers, by their shortest decimals."""
    if values.dtype == np.float64 and max(unit.numerator, unit.denominator) < 2**53:
        with np.errstate(all="ignore"):
            near = values * unit.denominator / unit.numerator
            multiplier = np.rint(near)
            # Two whole numbers below 2^53 are held exactly, so their quotient is the float nearest to the multiple.
            multiples = multiplier * unit.numerator / unit.denominator
            is_exact = (np.abs(multiplier * unit.numerator) < 2**53) & (
                np.abs(np.abs(near - np.floor(near)) - 0.5) > 1e-6
            )
    else:
        multiples, is_exact = values.astype(object), np.zeros(len(values), dtype=bool)
    for i in np.flatnonzero(~is_exact):
        multiples[i] = _multiple(values[i], unit)
    multiples = multiples + 0 if multiples.dtype == np.float64 else multiples  # no -0.0
    if multiples.dtype != object:
        return multiples
    fits = all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in multiples)
    return multiples.astype(np.int64) if fits else np.array(multiples, dtype=object if _all_whole(multiples) else float)


def _all_whole(values: npt.NDArray[Any]) -> bool:
    return all(isinstance(value, int) for value in values)


def _multiple(value: Any, unit: Fraction) -> float | int:
    """Return the multiple of `to` nearest to a number's shortest decimal; a whole number stays one where it can."""
    if not np.isfinite(value):
        return float(value)
    exact = round(Fraction(str(value)) / unit) * unit  # halves to the even multiple
    return int(exact) if isinstance(value, int | np.integer) and exact.denominator == 1 else float(exact)


def _has_code(column: Column, side: npt.NDArray[Any], special: Iterable[float]) -> npt.NDArray[np.bool_]:
    """Return, shape (n_records,), who has one of the numbers in `special`: by level, however a file stores them."""
    return np.isin(side, [code for value in special for code in same_number(column.values, value)])


def _plain(values: pd.Series[Any], column: Column, side: npt.NDArray[Any]) -> pd.Series[Any]:
    """Return a numeric column to compute with: what numpy and pandas hold as it is, decimals as their levels."""
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "iuf":
        return values
    if isinstance(values.array, pd.arrays.IntegerArray | pd.arrays.FloatingArray):
        return values
    levels = column.values.astype(np.float64) if column.values.dtype == object else column.values
    missing = side == column.n_levels
    plain = pd.Series(np.append(levels, levels[:1])[side], index=values.index)
    if missing.any() and levels.dtype.kind in "iu":
        plain = plain.astype("Int64" if levels.dtype.kind == "i" else "UInt64")
    return plain.mask(missing) if missing.any() else plain


def _numbers(
    plain: pd.Series[Any], change: Callable[[pd.Series[Any]], pd.Series[Any]], codes: npt.NDArray[np.bool_]
) -> pd.Series[Any]:
    """Return a numeric column changed but for its missing codes; whole numbers stay whole, in their type if it fits."""
    result = change(plain)
    result = result.where(~codes, plain) if codes.any() else result
    if pd.api.types.is_integer_dtype(plain.dtype) and (result.dropna() % 1 == 0).all():
        result = result.astype(_whole_type(result, plain.dtype))
    elif pd.api.types.is_float_dtype(plain.dtype):
        result = result.astype(plain.dtype)  # float32 stays float32
    return result


def _whole_type(values: pd.Series[Any], dtype: Any, *more: int) -> Any:
    """Return the type for whole numbers, and `more`: the one that was if it holds them, 64 bits, or what they have."""
    known = [*more, *values.dropna().agg(["min", "max"])] if values.notna().any() else [0]
    low, high = min(known), max(known)
    bounds = np.iinfo(getattr(dtype, "numpy_dtype", dtype))
    if bounds.min <= low and high <= bounds.max:
        return dtype
    if not (low >= -(2**63) and high < 2**63):
        return values.dtype
    return "Int64" if values.hasnans else "int64"


def _column(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    """Return a column by its name as text, whatever the names are made of."""
    return frame.iloc[:, [str(c) for c in frame.columns].index(name)]


def _with(frame: pd.DataFrame, name: str, values: pd.Series[Any]) -> pd.DataFrame:
    """Return a frame with another column in the place of `name`; whatever the names are made of."""
    place = [str(c) for c in frame.columns].index(name)
    return pd.concat([frame.iloc[:, :place], values.rename(frame.columns[place]), frame.iloc[:, place + 1 :]], axis=1)


def _effect(step: Step, removed: tuple[int, ...], before: Study, after: Study) -> StepEffect:
    """Return what a step did: of each synthesis how many values a person reads differently, and which most often."""
    if isinstance(step, RemoveReplicated | RemoveUniques | AddLabel):
        return StepEffect(step.sentence, removed, (0,) * before.n_syntheses)
    old, new = before.columns[step.column], after.columns[step.column]
    was, now = (np.array(column.labels, dtype=object) for column in (old, new))
    pairs: Counter[tuple[str, str]] = Counter()
    changed = []
    for a, b in zip(old.synthetic, new.synthetic, strict=True):
        both, n = np.unique(a.astype(np.int64) * len(now) + b, return_counts=True)
        first, second = np.divmod(both, len(now))
        differ = was[first] != now[second]
        changed.append(int(n[differ].sum()))
        pairs.update(
            dict(zip(zip(was[first[differ]], now[second[differ]], strict=True), n[differ].tolist(), strict=True))
        )
    there = int(old.counts[1:, : old.n_levels].sum())
    examples = tuple(pair for pair, _ in pairs.most_common(3))
    return StepEffect(step.sentence, removed, tuple(changed), share=sum(changed) / max(there, 1), examples=examples)


def _remaining_codes(
    step: MergeLevels | Coarsen | Cap | RoundTo, codes: Mapping[str, tuple[Any, ...]]
) -> dict[str, tuple[Any, ...]]:
    """Return the missing codes of the columns that are numeric still."""
    gone = step.column if isinstance(step, MergeLevels | Coarsen) else None
    return {name: values for name, values in codes.items() if name != gone}
