"""A review as it stands open in one tab: with its data, its past and future, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disclosure_core import DisclosureError, Settings
from disclosure_core.data import naming
from disclosure_core.review import intruders, office, reasons, saved
from disclosure_core.review.population import with_population
from disclosure_core.review.value import Review
from disclosure_core.rounding import visible
from pages.server import streamlit_private
from pages.shared.history import Change, History, gone_to
from pages.shared.looked_at import LookedAt
from pages.shared.written import need_readable

if TYPE_CHECKING:
    from disclosure_core.data.grouping import Groups
    from disclosure_core.data.readers import Reading, ReadOptions
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.protection.safeguards import StepEffect
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.by_hand import Parts
    from disclosure_core.review.forms import Version
    from disclosure_core.review.office import Stored
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Holdout, SourceFile


@dataclass(repr=False)
class Session(LookedAt):
    """A review with its data, its past and future, and what is looked at.

    Attributes
    ----------
    opened
        The review and what follows from it; None until there are data.
    type_reasons
        What each column of the original was taken for, and why; None until it is looked for.
    reading
        The files, and how, whose reading was asked for and has not ended; None where none was.
    reading_again
        Whether the files were asked to be read again in another way.
    prepared
        The names of the files for which processes that read them were last made ready.
    came_with
        Name and bytes of each file that came with the data and can be their codebook.
    outsides
        How often people outside were taken out of the form for data, since another original was chosen than theirs.
    opening
        The saved review whose opening was asked for and has not ended, with its files; None where none was.
    given
        The file of a saved review that was given, by its id, and what it holds, as parts and as a review, or what is
        wrong with it; None without.
    stored, keep_stored
        Where the review is in an office's folder, None where it was not saved there; and whether the office said that
        it is to be kept up to date there.
    handed_out
        What the shareable reports were made of that were made in this visit.
    fingerprints
        The SHA-256 of the files that were given beside it, by how they came: made once.
    stopped
        The keys of long steps, of those that begin unasked, that were stopped: they are offered from then on.
    bringing_holdout
        Whether the dialog that asks for a holdout is open.
    doubted
        A safeguard that would change nearly every value of a column, and what it would do: it asks first.
    to_group
        Columns that were chosen to be grouped, and how, that hold a number of which is asked first
        whether it is a missing code.
    refused
        Why the files given last could not be compared; shown until others are.
    done, messages
        Sentences for the user on what was done as asked, and on what a change dropped; shown once.
    """

    opened: Opened | None = None
    type_reasons: dict[str, str] | None = None
    reading: tuple[str, tuple[str, ...], str, ReadOptions] | None = None
    reading_again: bool = False
    prepared: tuple[str, ...] = ()
    came_with: tuple[tuple[str, bytes], ...] = ()
    outsides: int = 0
    opening: tuple[str, tuple[tuple[str, str], ...]] | None = None
    given: tuple[str, tuple[Parts, Review] | str] | None = None
    stored: Stored | None = None
    keep_stored: bool = False
    handed_out: set[Version] = field(default_factory=set)
    fingerprints: dict[str, str] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    bringing_holdout: bool = False
    doubted: tuple[Step, StepEffect] | None = None
    to_group: dict[str, Groups] = field(default_factory=dict)
    refused: str = ""
    messages: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    _on_file: str = ""
    _short: tuple[tuple[str, ...], dict[str, str]] = ((), {})
    _history: History = field(default_factory=History)
    _in_one: bool = False

    # ---- the review, and how it changes ----

    @property
    def now(self) -> Opened:
        """The review with its data, where a page has made sure that there are some."""
        if self.opened is None:
            streamlit_private.end_if_unwanted()  # a run that went on until its visitor was forgotten
            raise LookupError("a page asked for figures before there were data")
        return self.opened

    def let_go(self) -> None:
        """Let go of the review and its data: whoever still holds on to this holds nothing of a visitor any more."""
        vars(self).update(vars(Session()))

    @property
    def review(self) -> Review:
        """What is asked; nothing yet where there are no data."""
        return Review() if self.opened is None else self.opened.review

    @property
    def remembered(self) -> Review:
        """The review as it is saved: with what the shareable reports were made of that were made of its original."""
        readings = () if self.opened is None else self.opened.readings()
        original = readings[0].sha256 if readings else ""
        made = {each for each in self.handed_out if each.original == original}
        return replace(self.review, shared=tuple(sorted({*self.review.shared, *made})))

    @property
    def unsaved(self) -> bool:
        """Whether the review is another than the one that was opened, or saved last; the text of both is compared."""
        return self.opened is not None and saved.to_json(self.remembered) != self._on_file

    def to_file(self) -> bytes:
        """Return the review as a file."""
        return saved.to_json(self.remembered).encode()

    def is_on_file(self, data: bytes) -> None:
        """Take a file of the review as saved: the browser has it."""
        self._on_file = data.decode()

    def store(self, folder: Path) -> None:
        """Save the review in an office's folder, and say so where it is under another name than before."""
        data = self.to_file()
        self.stored, other = office.save(folder, data, office.file_name(self.review), self.stored)
        self.is_on_file(data)
        self.messages += (other,) if other else ()

    def change(self, review: Review) -> None:
        """Take another review of the same data; what does not fit the study any more is dropped, and said."""
        before = self.review
        need_readable(before, review)
        if self.opened is not None:
            asking = self.opened.with_review(review)
            review, dropped = intruders.restricted(review, asking.study())
            self.messages += dropped
            self.opened = asking.with_review(review).as_searched(self.opened)
            review = self.opened.review
        if review.columns != before.columns:
            self.narrowed.clear()
        if not self._in_one:
            self._history.note(before, self.review)

    @contextmanager
    def as_one(self, reason: str = "") -> Iterator[None]:
        """Take all that is changed here for one change, which is taken back at once; of the `reason` for a column."""
        if self._in_one:
            yield
            return
        before, self._in_one = self.review, True
        try:
            yield
        finally:
            self._in_one = False
            self._history.note(before, self.review, reason)

    def ask(self, settings: Settings) -> None:
        """Take new settings; what does not fit the study any more is dropped, and said."""
        self.change(self.review.with_settings(settings))

    def update(self, **parts: Any) -> None:
        """Take other parts of the review, by name."""
        self.change(replace(self.review, **parts))

    def write(self, part: str, name: str, text: str) -> None:
        """Take a text of the officer's own: part "reasons", "about" or "assumptions", under a name."""
        with self.telling():
            if part == "reasons":
                self.change(reasons.written(self.now, name, text))
            else:
                self.update(**{part: {**getattr(self.review, part), name: text}})

    @property
    def undo_name(self) -> str:
        """What the last change is called; empty where there is none to take back."""
        return self._history.undo_name

    @property
    def redo_name(self) -> str:
        """What the change is called that was taken back last; empty where there is none."""
        return self._history.redo_name

    def undo(self) -> None:
        """Take the last change back, say so, and leave the officer's own texts as they are."""
        self._go_to(self._history.back(self.review), "Taken back")

    def redo(self) -> None:
        """Make the change again that was taken back last, and say so."""
        self._go_to(self._history.forth(self.review), "Made again")

    def _go_to(self, change: Change | None, said: str) -> None:
        if change is None:
            return
        self.opened, dropped = gone_to(self.now, change)
        if change.columns:
            self.narrowed.clear()
        self.tell(f"{said}: {change.name}.", dropped)

    # ---- its parts, as pages ask for them ----

    @property
    def study(self) -> AnyStudy | None:
        """Original and syntheses made comparable; None until there are some."""
        return None if self.opened is None else self.opened.study()

    @property
    def has_targets(self) -> bool:
        """Whether there is a target: all columns that are no key, or those that were named."""
        study, named = self.study, self.settings.targets
        return study is not None and bool(set(study.columns) - set(self.settings.keys) if named is None else named)

    @property
    def can_count(self) -> bool:
        """Whether there are keys and a target, and both meet, so that figures can be counted."""
        return bool(self.settings.keys) and self.has_targets and self.now.stopped() is None

    @property
    def source(self) -> str:
        """What the data are called: "the demonstration survey", or the file names."""
        return self.review.name

    @property
    def labels(self) -> dict[str, str]:
        """What the files say that their columns hold, by column."""
        return {} if self.opened is None else self.opened.labels()

    def named(self, name: str) -> str:
        """Return a column's name with what its file says that it holds."""
        return naming.named(name, self.labels)

    def picked(self, name: str) -> str:
        """Return the same for a list to choose from, which would cut the end off a long name: its middle goes."""
        columns = () if self.study is None else tuple(self.study.columns)
        if columns != self._short[0]:
            self._short = (columns, naming.cut(columns, naming.LONGEST_NAME))
        return visible(self.named(name).replace(name, self._short[1].get(name, name), 1))

    @property
    def settings(self) -> Settings:
        """What is asked of the core."""
        return self.review.settings

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The files as read, the original first; empty for the demonstration survey, and in an engine."""
        if self.opened is None or self.review.source != "files":
            return ()
        return self.opened.readings()

    def decide(self, **parts: Any) -> None:
        """Decide something of columns: mends, missing_texts, types or missing_codes. Codes that no longer occur go."""
        columns = replace(self.review.columns, **parts)
        if "missing_codes" in parts:
            self.update(columns=columns)
            return
        with self.as_one():
            self.update(columns=replace(columns, missing_codes={}))
            for name, codes in columns.missing_codes.items():
                with self.telling():
                    kept = self.review.columns
                    self.update(columns=replace(kept, missing_codes={**kept.missing_codes, name: codes}))

    def try_step(self, step: Step, *, sure: bool = False) -> None:
        """Add a safeguard; one that cannot be done is said, and not added, nor one that asks, unless one is sure."""
        self.doubted = None
        with self.telling():
            review = self.review.with_steps((*self.review.steps, step))
            done = self.now.with_review(review).safeguarded().done[-1]
            done.check()
            if done.doubt and not sure:
                self.doubted = (step, done)
            else:
                self.change(review)

    def bring_holdout(self, reading: Reading, source: Holdout) -> None:
        """Take people who were not synthesised; every figure against them is made anew."""
        self.opened = self.now.with_holdout(reading, source)
        self.change(self.review)  # a split that ends makes the original whole: its levels and intervals may be others

    def remove_holdout(self) -> None:
        """Go on without a holdout: every figure is as if none had been brought."""
        self.opened = self.now.with_holdout(None, None)
        self.change(self.review)

    def bring_population(self, reading: Reading | None, file: SourceFile | None) -> None:
        """Take a table of the population by keys, or go on without one."""
        self.opened = with_population(self.now, reading, file)

    # ---- what is said ----

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell on the page, as a sentence, what the user can mend in the change made here; the change is not made."""
        try:
            yield
        except DisclosureError as error:
            self.messages += (str(error),)

    def tell(self, done: str, dropped: tuple[str, ...] = ()) -> None:
        """Take a sentence on what was done as asked, to be said, and others on what was dropped by it."""
        self.done, self.messages = (*self.done, done), (*self.messages, *dropped)

    def hear(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what is to be said to the user, once: what was done as asked, and what was left out."""
        said = self.done, self.messages
        self.done = self.messages = ()
        return said
