"""What one visitor's tab holds. This is the only file that touches Streamlit's session state.

Nothing of it outlives the session, and nothing of it is shared with another: uploads and what is computed from them
live in one object under one key.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core import DisclosureError, Settings, Study, assess, count, meaning
from disclosure_core.fitting import fit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from disclosure_core import Assessment
    from disclosure_core.cells import Tables
    from disclosure_core.meaning import MissingText
    from disclosure_core.readers import Reading
    from disclosure_core.study import Note

_KEY = "session"
_COUNTED, _ASSESSED = 2, 8
"""How many counts (dear) and assessments (cheap) are kept."""


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
    said: tuple[str, ...] = ()
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
        if self.study is None:
            self.settings = settings
        else:
            self.settings, said = fit(self.study, settings)
            self.said += said

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
        frames = [meaning.retype(meaning.apply_missing_texts(r.frame, missing_texts), types) for r in self.readings]
        self._take(Study(frames[0], frames[1:]))
        self.missing_texts, self.types = dict(missing_texts), dict(types)
        kept, self.coded = self.coded, {}
        for name, codes in kept.items():
            try:
                self.recode_missing(self.coded | {name: codes})
            except DisclosureError as error:
                self.said += (str(error),)

    def _take(self, study: Study) -> None:
        """Put another study in the place of this one; no figure of the old one survives."""
        self.study = study
        self.notes = (*meaning.warnings(study), *study.notes)
        self._counted.clear()
        self._assessed.clear()
        self.ask(self.settings)

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


def begin(study: Study, source: str, settings: Settings, readings: tuple[Reading, ...] = ()) -> Session:
    """Start anew with other data: no old figure, and no old widget but the uploaders, may survive."""
    for key in [k for k in st.session_state if not str(k).startswith("upload.")]:
        del st.session_state[key]
    coded = {name: tuple(f"{code:.15g}" for code in codes) for name, codes in study.missing_codes.items()}
    notes = (*meaning.warnings(study), *study.notes)
    new = Session(study, source, settings, readings=readings, notes=notes, coded=coded)
    st.session_state[_KEY] = new
    return new


def bound(key: str, value: Any, take: Callable[[Any], None]) -> dict[str, Any]:
    """Return the arguments that tie a widget to a value kept elsewhere: it shows `value`, a change goes to `take`.

    Widgets own nothing: the value comes from the session on every run, so that it survives a change of page, and so
    that loading settings moves the widgets.
    """
    st.session_state[key] = value

    def changed() -> None:
        try:
            take(st.session_state[key])
        except DisclosureError as error:
            session().said += (str(error),)

    return {"key": key, "on_change": changed}


def forget(key: str) -> None:
    """Drop a widget's state, so that it starts from its default again."""
    st.session_state.pop(key, None)


def _keep(store: dict[str, Any], key: str, room: int, make: Callable[[], Any]) -> Any:
    """Return store[key], making it once; forget the oldest beyond `room`."""
    if key not in store:
        store[key] = make()
        while len(store) > room:
            store.pop(next(iter(store)))
    return store[key]
