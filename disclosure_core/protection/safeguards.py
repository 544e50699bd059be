"""What makes a synthesis safer before it is released: records removed, levels merged, values made coarser, a label.

Steps chain, each on what the one before left. What is made coarser is made so on both sides, because a person who
knows the rule applies it to what they know; the original itself is never altered, only looked at through the rule.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from disclosure_core.counting.cells import count_keys
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.rewriters import Cells, Change
from disclosure_core.data.study import Kind, Study
from disclosure_core.data.suggestions import HIGH_CODES, LOW_CODES, MissingCode, suggest_missing_codes
from disclosure_core.data.writers import only_used
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.partition import partition
from disclosure_core.protection.columns import Masks, applied, applied_outside, column_of
from disclosure_core.protection.detail import DetailLost, detail_lost
from disclosure_core.protection.steps import (
    LABEL,
    LONGEST,
    AddLabel,
    Cap,
    Coarsen,
    MergeLevels,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
    Step,
)
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.column import Variable
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.holdout.partition import Partition

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
            changed, _ = applied(step, joined.joint.finished, inside, as_declared)
            codes = _remaining_codes(step, codes) if changed is not inside else codes
            frames = [*changed, applied_outside(step, joined.joint, frames[-1], as_declared)]
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
            new_frames, changed_cells = applied(step, study, frames, tuple((declared or {}).get(step.column, ())))
            for mine, changed in zip(touched, changed_cells, strict=True):
                mine[step.column] = mine.get(step.column, False) | changed
            removed = (0,) * study.n_syntheses
            codes = _remaining_codes(step, codes) if new_frames is not frames else codes
        if any(not len(frame) for frame in new_frames):
            raise DisclosureError(f"Nothing would be left of a synthesis: {step.sentence} Choose a milder step.")
        frames, before, study = new_frames, study, Study(new_frames[0], new_frames[1:], codes, absent)
        done.append(_effect(step, removed, before, study))
    changes = tuple(
        Change(len(old), kept, {n: Cells(column_of(new, n), t) for n, t in mine.items() if t.any()}, labels=labels)
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


def _unique_records(study: Study, settings: Settings, *, replicated: bool) -> Masks:
    """Return, a mask a synthesis, the records that are unique on the keys and meet the original."""
    keys = count_keys(study, restrict_to_study(study, settings)[0])
    met = keys.d_q == 1 if replicated else keys.d_q > 0
    return [(met & (s_q == 1))[side] for s_q, side in zip(keys.s_q, keys.synthetic, strict=True)]


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
