"""Of a review and what was read: which columns do not meet, and what is not evaluated because of it.

The one place that every face's figures go through: the settings that are counted are those that `met` lets pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.data import agreement as agreeing
from disclosure_core.errors import NotEvaluated, NothingEvaluatedError
from disclosure_core.review.about import OFFICER
from disclosure_core.review.codebooks import labels_of
from disclosure_core.review.tables_of_set import tables_at_hand

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.agreement import Agreement, Mismatch
    from disclosure_core.data.study import Note
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


def agreement(opened: Opened, synthesis_set: str | None = None) -> Agreement:
    """Return how far the columns of a set meet; an adopted set's are those of the files that it began as."""
    base, review = opened.review.ancestry(synthesis_set or opened.first_set)[0], opened.review

    def make() -> Agreement:
        study = opened.study(base)
        read = opened.readings(base) if review.source == "files" else ()
        return agreeing.agreement(study, tables_at_hand(opened, base), labels_of(read, review.columns.codebook))

    found: Agreement = opened.once("agreement", base, review.columns, make=make)
    return found


def differing(opened: Opened) -> frozenset[str]:
    """Return the columns that do not meet in the set that figures speak of, and were answered to differ really."""
    base = opened.review.ancestry(opened.first_set)[0]
    answered = opened.review.differing(base)
    return frozenset(m.column for m in opened.agreement(base).unmet if m.column in answered) if answered else answered


def unmet(opened: Opened, synthesis_set: str | None = None) -> dict[str, Mismatch]:
    """Return the columns of a set that do not meet, by name, without those whose values really differ."""
    base = opened.review.ancestry(synthesis_set or opened.first_set)[0]
    differ = opened.review.differing(base)
    return {m.column: m for m in opened.agreement(base).unmet if m.column not in differ}


def stopping(opened: Opened, synthesis_set: str | None = None) -> tuple[Mismatch, ...]:
    """Return the keys, of any intruder, and targets that do not meet: what a figure waits for."""
    review, found = opened.review, opened.unmet(synthesis_set)
    keys = {key for k in review.intruders for key in k.keys}
    return tuple(m for m in found.values() if review.targets is None or m.column in {*keys, *review.targets})


def noted(opened: Opened, notes: Iterable[Note], synthesis_set: str | None = None) -> tuple[Note, ...]:
    """Return what is said of the agreement: no warning of a column that is no key or target, or was answered."""
    differ = opened.review.differing(opened.review.ancestry(synthesis_set or opened.first_set)[0])
    unmet = {m.column for m in opened.agreement(synthesis_set).unmet}
    used = {m.column for m in opened.stopping(synthesis_set)}
    found = []
    for note in notes:
        if note.column in unmet & differ:
            found.append(replace(note, text=answered(opened.review, note.column), warning=False))
        else:
            found.append(replace(note, warning=note.warning and (note.column in used or note.column not in unmet)))
    return tuple(found)


def not_met(opened: Opened, synthesis_set: str | None = None) -> dict[str, str]:
    """Return, by target, why its figures are not evaluated: it does not meet, or a key does not."""
    found, settings = opened.unmet(synthesis_set), opened.review.settings
    if not found:
        return {}
    columns = opened.study(synthesis_set).columns
    targets = (
        [name for name in columns if name not in settings.keys]
        if settings.targets is None
        else [name for name in settings.targets if name in columns]
    )
    key = next((found[name] for name in settings.keys if name in found), None)
    why = {name: found.get(name, key) if key is None else key for name in targets}
    return {name: sentence(mismatch) for name, mismatch in why.items() if mismatch is not None}


def stopped(opened: Opened, synthesis_set: str | None = None) -> NotEvaluated | None:
    """Return why no figure is evaluated: a key does not meet, or no target does; None where some figure is."""
    found, settings = opened.unmet(synthesis_set), opened.review.settings
    if not found:
        return None
    columns = opened.study(synthesis_set).columns
    targets = {*columns} - {*settings.keys} if settings.targets is None else {*settings.targets} & {*columns}
    stops = [m for name, m in found.items() if name in settings.keys]
    if not stops and targets and targets <= found.keys():
        stops = [m for name, m in found.items() if name in targets]
    if not stops:
        return None
    return NotEvaluated(reason(*stops), correction(*stops))


def can_learn(opened: Opened, synthesis_set: str | None = None) -> bool:
    """Return whether the intruder has a key that is in the data, a target that is none of them, and both meet."""
    asked, columns = opened.review.settings, opened.study(synthesis_set).columns.keys()
    known = set(asked.keys) & columns
    targets = set(columns if asked.targets is None else asked.targets)
    return bool(known) and bool(targets - known) and opened.stopped(synthesis_set) is None


def met(opened: Opened, settings: Settings, synthesis_set: str | None = None) -> Settings:
    """Return settings without the targets that do not meet.

    Raises
    ------
    NothingEvaluatedError
        When a key does not meet, or no target does.
    """
    found = opened.unmet(synthesis_set)
    if not found:
        return settings
    if stopped := opened.stopped(synthesis_set):
        raise NothingEvaluatedError(stopped)
    if settings.targets is None:
        columns = opened.study(synthesis_set).columns
        if not found.keys() & columns.keys():
            return settings
        return replace(settings, targets=tuple(c for c in columns if c not in found and c not in settings.keys))
    return replace(settings, targets=tuple(name for name in settings.targets if name not in found))


def reason(*mismatches: Mismatch) -> str:
    """Return why a figure that rests on these columns is not evaluated, without a value of the data."""
    names = [repr(m.column) for m in mismatches]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    it = "it" if len(names) == 1 else "them"
    return f"The values of {listed} do not meet, so no figure that rests on {it} is evaluated."


def correction(*mismatches: Mismatch) -> str:
    """Return what has to be done for them, with the options of the command line that do it."""
    return " ".join(
        f"{_likely(m)}{'Mend' if m.kinds else 'Correct'} {m.column!r}, or answer that its values really differ: "
        f"{' or '.join(filter(None, (m.option, f'--really-different {m.column}')))}."
        for m in mismatches
    )


def _likely(mismatch: Mismatch) -> str:
    return f"Likely cause of {mismatch.column!r}: {mismatch.cause}. " if mismatch.cause else ""


def answered(review: Review, column: str) -> str:
    """Return what is printed of a column of which somebody answered that its values really differ, and who is asked."""
    who = review.about.get(OFFICER, "").strip() or "nobody is named"
    return (
        f"The values of {column!r} do not meet. It was answered that they really differ (to be asked: {who}), so "
        "figures that rest on it are evaluated."
    )


def sentence(mismatch: Mismatch) -> str:
    """Return why, and what has to be done for it."""
    return f"{reason(mismatch)} {correction(mismatch)}"
