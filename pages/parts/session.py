"""What one visitor's tab holds. This is the only file that touches Streamlit's session state.

Nothing of it outlives the session, and nothing of it is shared with another: uploads and what is computed from them
live in one object under one key.
"""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core import DisclosureError, Exclusions, Settings, Study, assess, count, demo, meaning
from disclosure_core.decision import Limits, NotEvaluated
from disclosure_core.fitting import fit
from disclosure_core.gate import Gate
from disclosure_core.holdout import NO_HOLDOUT, partition
from disclosure_core.keysearch import search_subsets
from disclosure_core.safeguards import protect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pandas as pd
    from streamlit.runtime.app_session import AppSession

    from disclosure_core import Assessment
    from disclosure_core.cells import Tables
    from disclosure_core.holdout import Partition
    from disclosure_core.keysearch import SubsetSearch
    from disclosure_core.meaning import MissingText
    from disclosure_core.membership import Membership
    from disclosure_core.readers import Reading
    from disclosure_core.safeguards import Protected, Step
    from disclosure_core.scenarios import Project, Scenario
    from disclosure_core.study import Note
    from disclosure_core.subsets import Progress

LARGER = "larger"
"""The switch for larger type, which stands beside every page."""

_KEY = "session"
_COUNTED, _ASSESSED, _REMEMBERED = 2, 8, 50
"""How many counts (dear), assessments (cheap), and changes to take back are kept."""


@dataclass
class Session:
    """The study under review, what is asked of it, and the last few answers.

    Attributes
    ----------
    study
        Original and syntheses made comparable; None until there are some.
    source
        What the data are called: "the demonstration survey", or the file names.
    settings
        What is asked now.
    target
        The target under review.
    readings
        The files as read, the original first; empty for the demonstration survey.
    missing_texts, types
        What the user decided of columns: texts that stand for an empty cell, and types.
    texts_found
        Texts in the files that may stand for an empty cell; None until they are looked for.
    reasons
        What each column of the original was taken for, and why; None until it is looked for.
    notes
        What was made comparable, and warnings.
    coded
        Columns that are said to have missing codes, and the codes named so far.
    reasons_given
        The officer's reasons for keys and exclusions, by name, for the report.
    about
        What the officer says of the release, for the report.
    synthesis
        The synthesis looked at alone, counted from 0; None for the mean over all.
    scenarios
        Exclusions with a name.
    narrowed
        The level, by column, to which the list of records is narrowed.
    unmasked
        Whether the officer asked to see values of records.
    steps
        The safeguards tried on the syntheses, in order.
    holdout
        People who were not synthesised, as read; None until there are some.
    holdout_name
        What they are called.
    limits
        The thresholds of the two-condition rule, and whose they are.
    gate
        The answers that come before a membership figure.
    membership
        What was found of membership, with what was asked; None until it is searched.
    drawn
        The measures of random parts of the syntheses, a frame a step, by target, seed and settings.
    tau
        How sure a claim must be to count on Risk; None for the published measures.
    refused
        Why the files given last could not be compared; shown until others are.
    said
        Sentences for the user on what a change left out; shown once.
    """

    study: Study | None = None
    source: str = ""
    settings: Settings = field(default_factory=Settings)
    target: str | None = None
    readings: tuple[Reading, ...] = ()
    missing_texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    texts_found: list[MissingText] | None = None
    reasons: dict[str, str] | None = None
    notes: tuple[Note, ...] = ()
    coded: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reasons_given: dict[str, str] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    synthesis: int | None = None
    scenarios: tuple[Scenario, ...] = ()
    narrowed: dict[str, str] = field(default_factory=dict)
    unmasked: bool = False
    steps: tuple[Step, ...] = ()
    holdout: pd.DataFrame | None = None
    holdout_name: str = ""
    limits: Limits = field(default_factory=Limits)
    gate: Gate = field(default_factory=Gate)
    membership: tuple[str, Membership] | None = None
    drawn: dict[tuple[str, int, str], list[pd.DataFrame]] = field(default_factory=dict)
    tau: float | None = None
    refused: str = ""
    said: tuple[str, ...] = ()
    _past: list[Settings] = field(default_factory=list)
    _future: list[Settings] = field(default_factory=list)
    _protected: dict[str, Protected] = field(default_factory=dict)
    _partition: dict[str, Partition | NotEvaluated] = field(default_factory=dict)
    _searched: dict[str, SubsetSearch] = field(default_factory=dict)
    _counted: dict[str, Tables] = field(default_factory=dict)
    _assessed: dict[str, Assessment] = field(default_factory=dict)

    def assessment(self, settings: Settings | None = None) -> Assessment:
        """Return the assessment of `settings`, those of now by default; an exclusion toggled does not count again.

        Raises
        ------
        DisclosureError
            As `assess`.
        """
        study, asked = self.study, settings or self.settings
        if study is None:
            raise LookupError("a page asked for figures before there were data")
        tables = _keep(self._counted, asked.counting(), _COUNTED, lambda: count(study, asked))
        before = next((a for a in reversed(self._assessed.values()) if a.tables is tables), None)
        return _keep(self._assessed, asked.to_json(), _ASSESSED, lambda: assess(study, asked, tables, before))

    def ask(self, settings: Settings) -> None:
        """Take new settings; what does not fit the study any more is left out and said."""
        before = self.settings
        if self.study is None:
            self.settings = settings
        else:
            self.settings, said = fit(self.study, settings)
            self.said += said
        if self.settings != before:
            self._past = [*self._past[1 - _REMEMBERED :], before]
            self._future.clear()

    def take(self, project: Project) -> None:
        """Take a review that was saved: its missing codes, settings, scenarios and words.

        What does not fit the data is left out and said; scenarios are kept as they are, and fitted when used.
        """
        study = self.study
        codes = {n: c for n, c in project.missing_codes.items() if study is not None and n in study.columns}
        if codes and codes != self.coded:
            with self.telling():
                self.recode_missing(codes)
        self.ask(project.settings)
        self.scenarios = project.scenarios
        self.reasons_given, self.about = dict(project.reasons), dict(project.about)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change of the settings to take back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self._future)

    def undo(self) -> None:
        """Take the last change of the settings back."""
        if self._past:
            self._future.append(self.settings)
            self.settings = self._past.pop()

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        if self._future:
            self._past.append(self.settings)
            self.settings = self._future.pop()

    def recode_missing(self, codes: Mapping[str, tuple[str, ...]]) -> None:
        """Take other missing codes; every figure is counted anew.

        Raises
        ------
        DisclosureError
            When a code does not occur in the original.
        """
        if self.study is not None:
            self._take(self.study.with_missing_codes(codes))
            self.coded = dict(codes)

    def read_again(self, missing_texts: Mapping[str, tuple[str, ...]], types: Mapping[str, str]) -> None:
        """Make the files comparable again, with other missing texts and types; codes that no longer occur go.

        Raises
        ------
        DisclosureError
            When a column's values are not of the type named.
        """
        frames = self._frames(missing_texts, types)
        self._take(Study(frames[0], frames[1:]))
        self.missing_texts, self.types = dict(missing_texts), dict(types)
        kept, self.coded = self.coded, {}
        for name, codes in kept.items():
            with self.telling():
                self.recode_missing(self.coded | {name: codes})

    def _frames(self, missing_texts: Mapping[str, tuple[str, ...]], types: Mapping[str, str]) -> list[pd.DataFrame]:
        """Return the tables as the study reads them, the original first."""
        if not self.readings:
            return [demo.original(), *demo.syntheses()]
        return [meaning.retype(meaning.apply_missing_texts(r.frame, missing_texts), types) for r in self.readings]

    def protected(self) -> Protected:
        """Return the syntheses after the safeguards, and the study that measures them.

        Raises
        ------
        DisclosureError
            As `protect`.
        """
        original, *synthetic = self._frames(self.missing_texts, self.types)
        judged = Settings(keys=self.settings.keys, groups=self.settings.groups)
        asked = f"{self.steps!r} {judged.to_json()}"

        def make() -> Protected:
            codes = {} if self.study is None else self.study.missing_codes
            return protect(original, synthetic, self.steps, judged, codes)

        return _keep(self._protected, asked, _COUNTED, make)

    def bring_holdout(self, frame: pd.DataFrame, name: str) -> None:
        """Take people who were not synthesised; every figure against them is made anew.

        Raises
        ------
        DisclosureError
            When the table does not fit the data.
        """
        before = self.holdout, self.holdout_name
        self.holdout, self.holdout_name = frame, name
        self._partition.clear()
        self.membership = None
        try:
            self.partition()
        except DisclosureError:
            self.holdout, self.holdout_name = before
            raise

    def partition(self) -> Partition | NotEvaluated:
        """Return original, holdout and syntheses coded together, or why there is no baseline."""

        def make() -> Partition | NotEvaluated:
            if self.holdout is None:
                return NO_HOLDOUT
            original, *synthetic = self._frames(self.missing_texts, self.types)
            held = meaning.retype(meaning.apply_missing_texts(self.holdout, self.missing_texts), self.types)
            return partition(original, held, synthetic, {} if self.study is None else self.study.missing_codes)

        return _keep(self._partition, "all", 1, make)

    def membership_asked(self) -> str:
        """Return what a membership figure depends on."""
        return f"{self.gate!r} {self.settings.counting()}"

    def membership_found(self) -> Membership | None:
        """Return what was found of membership for what is asked now; None where it was not searched."""
        asked, found = self.membership or ("", None)
        return found if asked == self.membership_asked() else None

    def searched(self, *, attributes: bool = True) -> SubsetSearch | None:
        """Return the search over subsets of the keys for the settings of now; None where none was made.

        Without `attributes`, one of the keys alone is enough.
        """
        found = self._searched.get(self._search_of(attributes=True))
        return found or self._searched.get(self._search_of(attributes=attributes))

    def search(self, progress: Progress | None = None, *, attributes: bool = True) -> SubsetSearch:
        """Return the same, made where there is none; what `progress` raises ends it, and nothing is kept.

        Raises
        ------
        DisclosureError
            As `search_subsets`.
        """
        study, asked = self.study, self.settings
        if study is None:
            raise LookupError("a page asked for figures before there were data")
        found = self.searched(attributes=attributes)
        return found or _keep(
            self._searched,
            self._search_of(attributes=attributes),
            _ASSESSED,
            lambda: search_subsets(study, asked, progress=progress, attributes=attributes),
        )

    def _search_of(self, *, attributes: bool) -> str:
        """Return the part of the settings that a search depends on."""
        now = self.settings
        if attributes:
            return replace(now, thresholds=Settings().thresholds).to_json()
        out = Exclusions(missing_keys=now.exclusions.missing_keys)
        return f"keys {Settings(keys=now.keys, groups=now.groups, exclusions=out).to_json()}"

    def _take(self, study: Study) -> None:
        """Put another study in the place of this one; no figure of the old one survives."""
        self.study = study
        self.notes = _notes(study)
        for made in (self._counted, self._assessed, self._protected, self._partition, self._searched, self.drawn):
            made.clear()
        self.membership = None
        self.ask(self.settings)
        # What was asked of the old study may not fit this one.
        self._past.clear()
        self._future.clear()
        self.narrowed.clear()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell on the page, as a sentence, what the user can mend in the change made here; the change is not made."""
        try:
            yield
        except DisclosureError as error:
            self.said += (str(error),)

    @property
    def fingerprints(self) -> dict[str, str]:
        """SHA-256 of the files, by name; empty for the demonstration survey."""
        return {r.name: r.sha256 for r in self.readings}

    def hear(self) -> tuple[str, ...]:
        """Return what is to be said to the user, once."""
        said, self.said = self.said, ()
        return said

    def without_exclusions(self) -> Assessment:
        """Return the assessment with nothing left out, to compare with."""
        return self.assessment(replace(self.settings, exclusions=Settings().exclusions))


def session() -> Session:
    """Return this visitor's session."""
    found: Session = st.session_state.setdefault(_KEY, Session())
    return found


def larger() -> bool:
    """Return whether words and figures are to be larger, for a projector."""
    return bool(st.session_state.get(LARGER))


def begin(study: Study, source: str, settings: Settings, readings: tuple[Reading, ...] = ()) -> Session:
    """Start anew with other data: no old figure, and no old widget but the uploaders, may survive."""
    for key in [k for k in st.session_state if not str(k).startswith(("upload.", LARGER))]:
        del st.session_state[key]
    coded = {name: tuple(f"{code:.15g}" for code in codes) for name, codes in study.missing_codes.items()}
    notes = _notes(study)
    new = Session(study, source, settings, readings=readings, notes=notes, coded=coded)
    st.session_state[_KEY] = new
    return new


def empty(visitor: AppSession) -> Callable[[], object]:
    """Forget, from outside its runs, all that a visitor has; return what gives it while a run still holds on to it."""
    state = visitor.session_state
    held: Callable[[], object] = weakref.ref(state[_KEY]) if _KEY in state else lambda: None
    state.clear()
    state._new_widget_state.widget_metadata.clear()  # noqa: SLF001  # callbacks, which know the data
    return held


def bound(key: str, value: Any, take: Callable[[Any], None]) -> dict[str, Any]:
    """Return the arguments that tie a widget to a value kept elsewhere: it shows `value`, a change goes to `take`.

    Widgets own nothing: the value comes from the session on every run, so that it survives a change of page, and so
    that loading settings moves the widgets.
    """
    st.session_state[key] = value

    def changed() -> None:
        with session().telling():
            take(st.session_state[key])

    return {"key": key, "on_change": changed}


def bound_rows(key: str, rows: list[int], take: Callable[[list[int]], None]) -> dict[str, Any]:
    """Return the arguments that tie a table's ticked rows to a value kept elsewhere, as `bound` does for a widget."""
    more = bound(key, {"selection": {"rows": rows}}, lambda state: take(list(state["selection"]["rows"])))
    return {"key": key, "on_select": more["on_change"], "selection_mode": "multi-row"}


def forget(key: str) -> None:
    """Drop a widget's state, so that it starts from its default again."""
    st.session_state.pop(key, None)


def _notes(study: Study) -> tuple[Note, ...]:
    """Return what was made comparable, and warnings where there are records to look at."""
    return (*(meaning.warnings(study) if study.holds_records else ()), *study.notes)


def _keep(store: dict[str, Any], key: str, room: int, make: Callable[[], Any]) -> Any:
    """Return store[key], making it once; forget the oldest beyond `room`."""
    if key not in store:
        store[key] = make()
        while len(store) > room:
            store.pop(next(iter(store)))
    return store[key]
