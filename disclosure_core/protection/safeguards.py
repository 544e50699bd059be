"""What makes a synthesis safer before it is released: records removed, levels merged, values made coarser, a label.

Steps chain, each on what the one before left. What is made coarser is made so on both sides, because a person who
knows the rule applies it to what they know; the original itself is never altered, only looked at through the rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Ints, Mask
from disclosure_core.counting.settings import Settings
from disclosure_core.data.coded import CodedTable
from disclosure_core.data.grouping import in_words
from disclosure_core.data.rewriters import Cells, Change
from disclosure_core.data.study import AnyStudy, Kind, Study
from disclosure_core.data.suggested_codes import MissingCode, is_code
from disclosure_core.data.writers import only_used
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.columns import column_of
from disclosure_core.protection.detail import DetailLost, detail_lost
from disclosure_core.protection.stepped import coded_as, of_each, stepped
from disclosure_core.protection.steps import (
    LABEL,
    LONGEST,
    AddLabel,
    BlankClaims,
    MergeLevels,
    Removal,
    Step,
)
from disclosure_core.rounding import fixed, quantity

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.data.column import Variable


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
    original_alone
        Whether it changed values of the original, as an intruder knows them, and no synthetic one.
    """

    sentence: str
    removed: tuple[int, ...]
    changed: tuple[int, ...]
    added: str = ""
    share: float = 0.0
    examples: tuple[tuple[str, str], ...] = ()
    original_alone: bool = False

    def check(self) -> None:
        """Raise where the step protects nothing: what is released is as it was, and only seems to disclose less.

        Raises
        ------
        DisclosureError
            When it changed values of the original alone.
        """
        if self.original_alone:
            raise DisclosureError(
                f"This changes no synthetic value, so it is no safeguard: {self.sentence} Name other numbers or levels."
            )

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


LOG_BEGINS = "Changes made to these synthetic data before release"


@dataclass(frozen=True, eq=False, repr=False)
class Chained:
    """What a chain of steps did, wherever the records are.

    Attributes
    ----------
    study
        The original seen through the same rules, and the safer syntheses.
    done
        What each step did, in order.
    before
        Records of each synthesis before any step.
    detail
        Detail lost of each column, beside the original as it came.
    """

    study: AnyStudy
    done: tuple[StepEffect, ...]
    before: tuple[int, ...]
    detail: DetailLost

    @property
    def n_removed(self) -> tuple[int, ...]:
        """Records removed from each synthesis by all steps."""
        return tuple(n - after for n, after in zip(self.before, self.study.n_synthetic, strict=True))

    def log(
        self, names: Sequence[str], settings: Settings | Sequence[Settings], notes: Sequence[Sequence[str]] = ()
    ) -> str:
        """Return what was done as text that goes with the files.

        Parameters
        ----------
        names
            What each synthesis is called.
        settings
            The keys and groups on which records were judged; one for all steps, or one for each.
        notes
            For each synthesis, what its file's format could not hold.
        """
        judged = list(dict.fromkeys([settings] if isinstance(settings, Settings) else settings))
        lines = [LOG_BEGINS]
        for each in judged:
            groups = ", ".join(in_words(name, n) for name, n in each.groups) or "none"
            of = ""
            if not isinstance(settings, Settings) and len(judged) > 1:
                steps = [f"{i}" for i, mine in enumerate(settings, 1) if mine == each]
                of = f" of step{'s' * (len(steps) > 1)} {', '.join(steps)}"
            lines.append(f"Keys{of}: {', '.join(self.study.in_data_order(each.keys))}. Groups: {groups}.")
        lines.append("")
        for i, step in enumerate(self.done, 1):
            lines.append(f"{i}. {step.sentence}")
            lines += [
                f"   {name}: {quantity(removed, 'record')} removed, {quantity(changed, 'value')} changed"
                + (f", the column {step.added!r} added" if step.added else "")
                for name, removed, changed in zip(names, step.removed, step.changed, strict=True)
            ]
        lines.append("")
        lines += [
            f"{name}: {quantity(n, 'record')} before, {after:,} after"
            for name, n, after in zip(names, self.before, self.study.n_synthetic, strict=True)
        ]
        lost = [f"{name}: {note}" for name, file_notes in zip(names, notes, strict=False) for note in file_notes]
        lines += ["", "What the file formats could not hold, and what was not kept", *lost] if lost else []
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, eq=False, repr=False)
class Protected(Chained):
    """Syntheses after a chain of steps, and the study that measures them.

    Attributes
    ----------
    study, done, before, detail
        As of `Chained`.
    tables
        The syntheses as coded tables, to be released.
    changes
        For each synthesis, the records that stay, the cells that a step changed and the columns that one added, for
        `rewriters.rewrite`.
    original
        The original seen through the same rules; it is never released.
    """

    study: Study
    tables: tuple[CodedTable, ...]
    changes: tuple[Change, ...]
    original: CodedTable

    @property
    def synthetic(self) -> tuple[pd.DataFrame, ...]:
        """The syntheses as frames, made anew at every call; a category has only levels that a record has."""
        return tuple(only_used(table.frame()) for table in self.tables)


def protect(
    original: pd.DataFrame,
    synthetic: Sequence[pd.DataFrame],
    steps: Iterable[Step],
    settings: Settings | Sequence[Settings],
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
        The keys, and their groups, on which a record is unique; exclusions play no part. One for all steps, or one for
        each.
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

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import RemoveReplicated, RoundTo, Settings
    >>> settings = Settings(keys=["age", "job"])
    >>> made = protect(frame, [frame], [RemoveReplicated(), RoundTo("age", 10)], settings)
    >>> made.synthetic[0]["age"].tolist()
    [30, 30]
    """
    frames, coded = [original, *synthetic], coded_as(missing_codes, missing_levels)
    study = first = Study(frames[0], frames[1:], *coded)
    done, chain = [], tuple(steps)
    rows = [np.arange(len(frame)) for frame in frames[1:]]
    touched: list[dict[str, Mask]] = [{} for _ in rows]
    labels: dict[str, str] = {}
    for step, judged in zip(chain, of_each(chain, settings), strict=True):
        if isinstance(step, AddLabel):  # of the files alone: what is measured has the columns of the original
            check_label(step, [*(str(name) for frame in frames for name in frame.columns), *labels])
            labels[step.column] = step.text
            none = (0,) * study.n_syntheses
            done.append(StepEffect(step.sentence, none, none, step.column))
            continue
        now = stepped(step, study, frames, judged, coded, declared)
        if isinstance(step, Removal):
            rows = [mine[~gone] for mine, gone in zip(rows, now.masks, strict=True)]
            touched = [{n: t[~gone] for n, t in mine.items()} for mine, gone in zip(touched, now.masks, strict=True)]
            removed = tuple(int(gone.sum()) for gone in now.masks)
        else:
            for mine, changed in zip(touched, now.masks, strict=True):
                mine[step.column] = mine.get(step.column, False) | changed
            removed = (0,) * study.n_syntheses
        frames, coded, before = now.frames, now.coded, study
        study = Study(frames[0], frames[1:], *coded)
        done.append(_effect(step, removed, before, study))
    changes = tuple(
        Change(len(old), kept, {n: Cells(column_of(new, n), t) for n, t in mine.items() if t.any()}, labels=labels)
        for old, new, kept, mine in zip(synthetic, frames[1:], rows, touched, strict=True)
    )
    tables = tuple(map(CodedTable.of, frames[1:]))
    kept_shares = [len(new) / len(old) for old, new in zip(synthetic, frames[1:], strict=True)]
    values_kept = {
        step.column: [_share_there(first, study, step.column, i, kept) for i, kept in enumerate(rows)]
        for step in chain
        if isinstance(step, BlankClaims)
    }
    lost = detail_lost(first, study, kept_shares, values_kept)
    return Protected(study, tuple(done), tuple(map(len, synthetic)), lost, tables, changes, CodedTable.of(frames[0]))


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
    if isinstance(step, Removal | BlankClaims | AddLabel) or step.column not in study.columns:
        return ()
    column = study.columns[step.column]
    if isinstance(step, MergeLevels):
        if column.kind is not Kind.CATEGORY:
            return ()
        return tuple(
            MissingCode(step.column, level, int(n), "surveys use it for no answer")
            for level, n in zip(column.levels, column.counts[0, :-1].tolist(), strict=True)
            if n < step.fewer
            and level not in (*step.keep, step.into, *study.numbers.get(step.column, ()))
            and _is_code(level, column)
        )
    return study.suggested_codes(step.column)


def _is_code(level: str, column: Variable) -> bool:
    """Whether a level is a number that surveys use for "no answer": a negative one, or 9, 99 … above a gap."""
    try:
        numbers = sorted(float(text) for text in column.levels if text.lstrip("+-").replace(".", "", 1).isdigit())
        value = float(level)
    except ValueError:
        return False
    below = [n for n in numbers if n < value]
    return is_code(level) and (value < 0 or not below or value - below[-1] > 1)


def check_label(step: AddLabel, taken: Iterable[str]) -> None:
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


def _share_there(before: Study, after: Study, name: str, i: int, rows: Ints) -> float:
    """Return which share of the values of a column, in the records that stay, a synthesis still has."""
    old, new = before.columns[name], after.columns[name]
    was = int((old.synthetic[i][rows] != old.n_levels).sum())
    return int((new.synthetic[i] != new.n_levels).sum()) / was if was else 1.0


def _effect(step: Step, removed: tuple[int, ...], before: Study, after: Study) -> StepEffect:
    """Return what a step did: of each synthesis how many values a person reads differently, and which most often."""
    if isinstance(step, Removal | AddLabel):
        return StepEffect(step.sentence, removed, (0,) * before.n_syntheses)
    old, new = before.columns[step.column], after.columns[step.column]
    moved = []
    for a, b in zip(old.sides, new.sides, strict=True):
        both, n = np.unique(a.astype(np.int64) * new.n_codes + b, return_counts=True)
        moved.append((*np.divmod(both, new.n_codes), n))
    return effect_on(step, old, new, moved)


def effect_on(step: Step, old: Variable, new: Variable, moved: Sequence[tuple[Ints, Ints, Ints]]) -> StepEffect:
    """Return what a step did to a column.

    Parameters
    ----------
    old, new
        The column before and after.
    moved
        Of the original, then of each synthesis: codes before, codes after, and the records that have both.
    """
    was, now = (np.array(column.labels, dtype=object) for column in (old, new))
    pairs: Counter[tuple[str, str]] = Counter()
    changed = []
    for first, second, n in moved:
        # What missing values are called may change with the levels; that is no change of a value.
        differ = np.append(was[:-1], [None])[first] != np.append(now[:-1], [None])[second]
        changed.append(int(n[differ].sum()))
        if len(changed) > 1:
            pairs.update(
                dict(zip(zip(was[first[differ]], now[second[differ]], strict=True), n[differ].tolist(), strict=True))
            )
    of_original, *changed = changed
    there = int(old.counts[1:, : old.n_levels].sum())
    examples = tuple(pair for pair, n in pairs.most_common(3) if n)
    none = (0,) * len(changed)
    share, alone = sum(changed) / max(there, 1), bool(of_original and not any(changed))
    return StepEffect(step.sentence, none, tuple(changed), share=share, examples=examples, original_alone=alone)
