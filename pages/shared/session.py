"""What one visitor's tab holds. This is the only file that touches Streamlit's session state.

A session is a review, its past and future, and what follows from it with the data (`Opened`); besides, only what is
looked at, which moves no figure. Nothing of it outlives the session, and nothing of it is shared with another.
"""

from __future__ import annotations

import time
import weakref
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from disclosure_core import DisclosureError, Settings
from disclosure_core.data import naming
from disclosure_core.review import intruders, office, reasons, saved
from disclosure_core.review.changes import (
    BENCH,
    adopting_back,
    changes_columns,
    changes_roles,
    columns_back,
    name_of,
    roles_back,
    stamps_back,
    with_bounds_of,
    with_reason_of,
)
from disclosure_core.review.population import with_population
from disclosure_core.review.value import OFFICER, Review
from disclosure_core.rounding import visible
from pages.server import streamlit_private
from pages.shared.drawn import Drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pandas as pd
    from streamlit.runtime.app_session import AppSession

    from disclosure_core import Assessment
    from disclosure_core.data.grouping import Groups
    from disclosure_core.data.readers import Reading, ReadOptions
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.suggestions import MissingText
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.protection.safeguards import StepEffect
    from disclosure_core.protection.steps import Step
    from disclosure_core.report.own_words import Version
    from disclosure_core.review.office import Stored
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Holdout, SourceFile

LARGER = "larger"
"""The switch for larger type, which stands beside every page."""

AT_TAU = "At τ"
PAIRS = 50
"""Pairs of a target that are listed before more are asked for."""

Held = TypeVar("Held")

_KEY = "session"
_CLOSED = "closed"
_TOLD = "told"
_DRAWN = "drawn"
"""Under which it is kept over which line, and when, each widget was last told another value than it held."""

_PAGE = "_page"
_LINE = "Sec-Websocket-Key"
_HEARD = 1.0
"""Seconds in which a browser has heard what a run told it that came to its end."""

_REMEMBERED = 50
"""How many changes can be taken back."""


@dataclass(frozen=True, slots=True)
class _Done:
    """A change that can be taken back, or made again: what it is called, the review to go to, and what of it counts.

    Beside the bench these are roles, how columns are read, or nothing but the `reason` for a column.
    """

    name: str
    review: Review
    roles: bool = False
    columns: bool = False
    reason: str = ""


@dataclass(repr=False)
class Session:
    """A review with its data, its past and future, and what is looked at.

    Attributes
    ----------
    opened
        The review and what follows from it; None until there are data.
    target, looked
        The target looked at, and how often another was chosen: a figure tells a click on the same row again by it.
    measure
        The comparison that all targets are shown by: one of `COMPARED`, or `AT_TAU` for that at the review's τ.
    order
        In which order all targets stand on Review: one of `ORDERS`. It moves no figure and nothing printed.
    ticked
        The targets that are ticked for one verdict on several.
    pairs_shown
        How many of its pairs of the 2-way check are drawn.
    synthesis
        The synthesis looked at alone, counted from 0; None for the mean over all.
    narrowed
        The level, by column, to which the list of records is narrowed.
    to_records
        Whether these were asked for, on the page that is open.
    unmasked
        Whether the officer asked to see values of records.
    rows
        Of data in an engine, the rows of a list that the page Records shows, and what they are of; None elsewhere.
    texts_found
        Texts in the files that may stand for an empty cell; None until they are looked for.
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
    opening
        The saved review whose opening was asked for and has not ended, with its files; None where none was.
    given
        The file of a saved review that was given, by its id, and the review or what is wrong with it; None without.
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
    table
        The two columns whose table is looked into on the page Compare, the second empty for one alone; None for the
        worst.
    analysis
        The further question that is looked at; empty for the list of all.
    compare_view
        What is looked at on the page Compare, likewise.
    seeks_least
        Whether the page Safeguards shows the search for the least one, in place of the effect.
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
    target: str | None = None
    looked: int = 0
    measure: str = "DiSCO"
    order: str = "gain"
    ticked: set[str] = field(default_factory=set)
    pairs_shown: int = PAIRS
    synthesis: int | None = None
    narrowed: dict[str, str] = field(default_factory=dict)
    to_records: bool = False
    unmasked: bool = False
    rows: tuple[tuple[object, ...], pd.DataFrame] | None = None
    texts_found: list[MissingText] | None = None
    type_reasons: dict[str, str] | None = None
    reading: tuple[str, tuple[str, ...], str, ReadOptions] | None = None
    reading_again: bool = False
    prepared: tuple[str, ...] = ()
    came_with: tuple[tuple[str, bytes], ...] = ()
    opening: tuple[str, tuple[tuple[str, str], ...]] | None = None
    given: tuple[str, Review | str] | None = None
    stored: Stored | None = None
    keep_stored: bool = False
    handed_out: set[Version] = field(default_factory=set)
    fingerprints: dict[str, str] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    bringing_holdout: bool = False
    table: tuple[str, str] | None = None
    analysis: str = ""
    compare_view: str = ""
    seeks_least: bool = False
    doubted: tuple[Step, StepEffect] | None = None
    to_group: dict[str, Groups] = field(default_factory=dict)
    refused: str = ""
    messages: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    _on_file: str = ""
    _short: tuple[tuple[str, ...], dict[str, str]] = ((), {})
    _past: list[_Done] = field(default_factory=list)
    _future: list[_Done] = field(default_factory=list)
    _in_one: bool = False

    # ---- the review, and how it changes ----

    @property
    def now(self) -> Opened:
        """The review with its data, where a page has made sure that there are some."""
        if self.opened is None:
            raise LookupError("a page asked for figures before there were data")
        return self.opened

    @property
    def review(self) -> Review:
        """What is asked; nothing yet where there are no data."""
        return Review() if self.opened is None else self.opened.review

    @property
    def remembered(self) -> Review:
        """The review as it is saved: with the smallest counts of the shareable reports that were made of it."""
        readings = () if self.opened is None else self.opened.readings()
        original = readings[0].sha256 if readings else ""
        limits = {each.smallest for each in self.handed_out if each.original == original}
        return replace(self.review, shared=tuple(sorted({*self.review.shared, *limits})))

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
        """Save the review in an office's folder, and say so where it is under another name than before.

        Raises
        ------
        DisclosureError
            When nothing can be written there.
        """
        data = self.to_file()
        self.stored, other = office.save(folder, data, office.file_name(self.review), self.stored)
        self.is_on_file(data)
        self.messages += (other,) if other else ()

    def change(self, review: Review) -> None:
        """Take another review of the same data; what does not fit the study any more is dropped, and said.

        Raises
        ------
        DisclosureError
            When the data cannot be read so: a column's values are not of a type, a code does not occur.
        """
        before = self.review
        if self.opened is not None:
            asking = self.opened.with_review(review)
            review, dropped = intruders.restricted(review, asking.study())
            self.messages += dropped
            self.opened = asking.with_review(review).as_searched(self.opened)
            review = self.opened.review
        if review.columns != before.columns:
            self.narrowed.clear()
        if not self._in_one:
            self._remember(before)

    def _remember(self, before: Review, reason: str = "") -> None:
        """Note what was changed since `before`, if it can be taken back: on the bench, of roles, of columns, a reason.

        What is decided elsewhere never goes unseen.
        """
        now = self.review
        name = name_of(before, now)
        columns = changes_columns(before, now)
        if not name and reason and before.reasons.get(reason) != now.reasons.get(reason):
            done = _Done(f"changed the reason for {reason}", before, reason=reason)
        elif name:
            done = _Done(name, before, columns or changes_roles(before, now), columns)
        else:
            return
        self._past = [*self._past[1 - _REMEMBERED :], done]
        self._future.clear()

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
            self._remember(before, reason)

    def ask(self, settings: Settings) -> None:
        """Take new settings; what does not fit the study any more is dropped, and said."""
        self.change(self.review.with_settings(settings))

    def update(self, **parts: Any) -> None:
        """Take other parts of the review, by name."""
        self.change(replace(self.review, **parts))

    def write(self, part: str, name: str, text: str) -> None:
        """Take a text of the officer's own: part "reasons", "about" or "assumptions", under a name."""
        if part == "reasons":
            self.change(reasons.written(self.now, name, text))
        else:
            self.update(**{part: {**getattr(self.review, part), name: text}})

    @property
    def undo_name(self) -> str:
        """What the last change is called; empty where there is none to take back."""
        return self._past[-1].name if self._past else ""

    @property
    def redo_name(self) -> str:
        """What the change is called that was taken back last; empty where there is none."""
        return self._future[-1].name if self._future else ""

    def undo(self) -> None:
        """Take the last change back, say so, and leave the officer's own texts as they are."""
        if self._past and self.opened is not None:
            done = self._past.pop()
            self._future.append(replace(done, review=self.review))
            self._back_to(done)
            self.tell(f"Taken back: {done.name}.")

    def redo(self) -> None:
        """Make the change again that was taken back last, and say so."""
        if self._future and self.opened is not None:
            done = self._future.pop()
            self._past.append(replace(done, review=self.review))
            self._back_to(done)
            self.tell(f"Made again: {done.name}.")

    def _back_to(self, done: _Done) -> None:
        """Take the bench's part of another review, its roles and columns where these were changed; all else stays."""
        review = done.review
        if done.reason:
            self.opened = self.now.with_review(with_reason_of(self.review, review, done.reason))
            return
        stamps, to = stamps_back(self.review, review), adopting_back(self.review, review)
        with_sets = {part: getattr(to, part) for part in ("synthesis_set", "chains", "chain", "released")}
        taken_back = {part: getattr(review, part) for part in BENCH}
        now = with_bounds_of(self.review, review)
        if done.roles:
            now = roles_back(now, review)
        if done.columns:
            now = columns_back(now, review)
            self.narrowed.clear()
        review = replace(now, **taken_back, **with_sets, reason_stamps=stamps)
        known = {k.name for k in review.intruders}
        review = replace(review, verdicts=tuple(v for v in review.verdicts if v.intruder in known))
        asking = self.now.with_review(review)
        review, dropped = intruders.restricted(review, asking.study())
        self.opened = asking.with_review(review).as_searched(self.now)
        self.messages += dropped

    def look_at(self, target: str | None) -> None:
        """Look at another target."""
        if target != self.target:
            self.pairs_shown = PAIRS
        self.target = target
        self.looked += 1

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
        """Decide something of columns: mends, missing_texts, types or missing_codes. Codes that no longer occur go.

        Raises
        ------
        DisclosureError
            When a column's values are not of the type named, or a code named now does not occur.
        """
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
        """Take people who were not synthesised; every figure against them is made anew.

        Raises
        ------
        DisclosureError
            When the table does not fit the data.
        """
        self.opened = self.now.with_holdout(reading, source)
        self.texts_found = None
        self.change(self.review)  # a split that ends makes the original whole: its levels and intervals may be others

    def remove_holdout(self) -> None:
        """Go on without a holdout: every figure is as if none had been brought."""
        self.opened = self.now.with_holdout(None, None)
        self.texts_found = None
        self.change(self.review)

    def bring_population(self, reading: Reading | None, file: SourceFile | None) -> None:
        """Take a table of the population by keys, or go on without one.

        Raises
        ------
        DisclosureError
            When the table does not fit the data.
        """
        self.opened = with_population(self.now, reading, file)

    def assessment(self) -> Assessment:
        """Return the assessment of what is asked now; an exclusion toggled does not count again."""
        return self.now.assessment()

    def without_exclusions(self) -> Assessment:
        """Return the assessment with nothing excluded, to compare with."""
        return self.now.before()

    def partition(self) -> Partition | NotEvaluated:
        """Return original, holdout and syntheses coded together, or why there is no baseline."""
        return self.now.partition()

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


def session() -> Session:
    """Return this visitor's session."""
    found: Session = st.session_state.setdefault(_KEY, Session())
    return found


def larger() -> bool:
    """Return whether words and figures are to be larger, for a projector."""
    return bool(st.session_state.get(LARGER))


def begin(opened: Opened, on_file: Review | None = None) -> Session:
    """Start anew with other data: no old figure, and no old widget but those that began it, may survive.

    `on_file` is the review as its file has it, where it was saved before; what was opened may differ from it. A new
    review has the officer's name of the one before.
    """
    before: Session | None = st.session_state.get(_KEY)
    who = "" if before is None else before.review.about.get(OFFICER, "")
    if on_file is None and who and OFFICER not in opened.review.about:  # asked once of whoever sits here
        opened = opened.with_review(replace(opened.review, about={**opened.review.about, OFFICER: who}))
    # The button that ended the review before must still be seen as pressed, or its dialog would not close.
    for key in [k for k in st.session_state if not str(k).startswith(("upload.", "replace.", LARGER))]:
        del st.session_state[key]
    new = Session(opened, _on_file=saved.to_json(on_file or opened.review))
    if before is not None:  # what was shared before of the same original is warned of; fingerprints alone
        new.handed_out = before.handed_out
        new.keep_stored = before.keep_stored
    st.session_state[_KEY] = new
    return new


def unsaved(left: Iterable[AppSession] = ()) -> list[Session]:
    """Return this visitor's sessions that are not saved: that of this tab, and of those tabs that they `left`."""
    states: list[Any] = [st.session_state, *(visitor.session_state for visitor in left)]
    return [state[_KEY] for state in states if _KEY in state and state[_KEY].unsaved]


def empty_mine(button: str = "") -> Callable[[], object]:
    """Forget all that this visitor has, but for what a button calls; return what gives it while something holds it."""
    held: Callable[[], object] = weakref.ref(st.session_state[_KEY]) if _KEY in st.session_state else lambda: None
    visitor = streamlit_private.open_session(streamlit_private.session_id()) if streamlit_private.running() else None
    if visitor is None:  # in a test of pages
        st.session_state.clear()
    else:
        visitor.session_state.clear()
        streamlit_private.forget_callbacks(visitor.session_state, but=button)
    st.session_state[_CLOSED] = True
    return held


def closed() -> bool:
    """Return whether this visitor has just closed what they had; only once."""
    return bool(st.session_state.pop(_CLOSED, False))


def leave_if_closed() -> None:
    """End a part of a page that runs alone once its visitor has closed what they had: the whole app says so."""
    if _CLOSED in st.session_state:
        st.rerun(scope="app")


def empty(visitor: AppSession) -> Callable[[], object]:
    """Forget, from outside its runs, all that a visitor has; return what gives it while a run still holds on to it."""
    state = visitor.session_state
    held: Callable[[], object] = weakref.ref(state[_KEY]) if _KEY in state else lambda: None
    state.clear()
    streamlit_private.forget_callbacks(state)
    streamlit_private.forget_fragments(visitor)
    return held


def bound(key: str, value: Any, take: Callable[[Any], None], words: str = "") -> dict[str, Any]:
    """Return the arguments that tie a widget to a value kept elsewhere: it shows `value`, a change goes to `take`.

    Widgets own nothing: the value comes from the session, so that it survives a change of page, and so that loading
    settings moves the widgets. It is sent where the widget holds another, is drawn anew, or may not have heard of it
    yet: what a browser is told again takes away what is being typed in a list. `words` are what a list shows of the
    value, where they change while it does not: a browser keeps the words alone, and would answer with those of before.
    """
    told, now = kept(_TOLD, dict[str, tuple[str, str, float, int]]), time.monotonic()
    new, n = drawn().is_new(key), drawn().draw()
    line = st.context.headers.get(_LINE, "")
    at = told.get(key, ("", "", now, 0))
    differs = new or key not in st.session_state or st.session_state[key] != value or at[:2] != (line, words)
    if differs or not drawn().came_whole(at[3]):  # however long ago: a run that was overtaken told nobody
        at = told[key] = (line, words, now, n)
    if now - at[2] < _HEARD:
        st.session_state[key] = value

    def changed() -> None:
        if key not in st.session_state:
            return  # other data were opened by the same click, and this widget is gone with those before
        with session().telling():
            take(st.session_state[key])

    return {"key": key, "on_change": changed}


def drawn() -> Drawn:
    """Return which widgets this visitor's browser has."""
    return kept(_DRAWN, Drawn)


def on_page(name: str) -> None:
    """Tell every widget its value anew where another page is drawn: Streamlit takes it for another widget there."""
    if st.session_state.get(_PAGE) != name:
        st.session_state[_PAGE] = name
        forget(_TOLD)


def kept(key: str, made: Callable[[], Held]) -> Held:
    """Return what a part of the pages keeps of this visitor under a key, made where there is none yet."""
    if key not in st.session_state:
        st.session_state[key] = made()
    held: Held = st.session_state[key]
    return held


def shown_by(key: str) -> Any:
    """Return what a widget holds now, also where it is not drawn; None before it ever was."""
    return st.session_state.get(key)


def show_in(key: str, value: Any) -> None:
    """Let a widget, which is not drawn yet in this run, show something else."""
    st.session_state[key] = value


def forget(key: str) -> None:
    """Drop a widget's state, so that it starts from its default again."""
    st.session_state.pop(key, None)
