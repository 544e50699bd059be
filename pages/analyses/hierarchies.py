"""How exactly a key may be known: bands, months, first characters or groups, a key at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from disclosure_core.data.hierarchies import CALENDAR, Hierarchy, regrouped, suggested
from disclosure_core.data.study import Kind
from disclosure_core.errors import DisclosureError
from disclosure_core.review import strongest
from pages.server import allowance
from pages.shared import show, tables
from pages.shared.session import bound, forget

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from pages.shared.open_review import Session

NONE, BANDS, DATES, CODES, GROUPS, TABLE = (
    "As it is, or not at all",
    "Bands",
    "Calendar",
    "First characters",
    "Groups of levels",
    "A table",
)
_KINDS = {"bands": BANDS, "calendar": DATES, "prefixes": CODES, "table": GROUPS}
_OF = {Kind.NUMBER: (BANDS, GROUPS, TABLE), Kind.DATE: (DATES, CODES, TABLE)}

MOST = 200
"""Levels that are put into groups on the page; a column with more needs a table or another kind."""


def ask(s: Session) -> None:
    """Show the levels of every key, and ask for those of one."""
    show.explained_by("hierarchies")
    keys = s.now.study().in_data_order(s.review.keys)
    rows = []
    for name in keys:
        try:
            rows.append({"key": name, "levels": strongest.levels_in_words(s.now, name)})
        except DisclosureError as error:
            rows.append({"key": name, "levels": f"Not usable: {error}"})
    tables.table(
        pd.DataFrame(rows),
        "At which levels each key may be known, with the number of values",
        {"key": st.column_config.TextColumn("Key", pinned=True), "levels": "Known (values there)"},
    )
    _suggestions(s, keys)
    left, right = st.columns([1, 2], gap="large")
    name = left.selectbox("Key", keys, key="keys.hierarchy.key", persist_state="session", format_func=s.picked)
    if name is None or name not in keys:
        name = keys[0]
    column = s.now.study().columns[name]
    kinds = (NONE, *_OF.get(column.kind, (GROUPS, CODES, TABLE)))
    now = s.review.hierarchies.get(name)
    kind_now = now.kind if now else "none"  # in the key, so that the choice follows what is in use
    kind = left.radio(
        "Known less exactly in",
        kinds,
        key=f"keys.hierarchy.kind.{name}.{kind_now}",
        persist_state="session",
        index=kinds.index(_KINDS[now.kind]) if now and _KINDS[now.kind] in kinds else 0,
    )
    with right:
        if kind == NONE:
            _none(s, name, now)
        elif kind == GROUPS:
            _groups(s, name, column)
        elif kind == TABLE:
            _table(s, name)
        else:
            _steps(s, name, kind, now)


def _take(s: Session, name: str, make: Callable[[], Hierarchy | None]) -> None:
    """Take the hierarchy of a key; what is wrong with it is one sentence, and the one before stays."""
    with s.telling():
        s.change(strongest.checked(s.now, name, make()))


def _suggestions(s: Session, keys: tuple[str, ...]) -> None:
    """Offer bands and months for the keys that have no levels yet."""
    columns = s.now.study().columns
    found = {name: suggested(columns[name]) for name in keys if name not in s.review.hierarchies}
    offered = {name: each for name, each in found.items() if each is not None}
    if not offered:
        return
    words = "; ".join(f"{name}: {each}" for name, each in offered.items())

    def take() -> None:
        s.update(hierarchies={**s.review.hierarchies, **offered})

    st.button(
        f"Use {show.literal(words)}",
        key="keys.hierarchy.suggested",
        icon=":material/auto_awesome:",
        on_click=take,
        help="Bands for numbers, months and years for dates.",
    )


def _none(s: Session, name: str, now: Hierarchy | None) -> None:
    if now is None:
        st.caption("The search takes this key as it is, or as unknown.")
        return
    st.button(
        "Remove the levels",
        key="keys.hierarchy.remove",
        icon=":material/delete:",
        on_click=_take,
        args=(s, name, lambda: None),
    )


def _steps(s: Session, name: str, kind: str, now: Hierarchy | None) -> None:
    """Ask for widths of bands, levels of a date, or numbers of characters."""
    steps = now.steps if now is not None and _KINDS[now.kind] == kind else ()
    if kind == DATES:
        st.multiselect(
            "Levels of a date",
            CALENDAR,
            select_all=False,
            **bound(f"keys.hierarchy.dates.{name}", list(steps), lambda to: _take(s, name, lambda: _calendar(to))),
        )
        return
    make, label, example = {
        BANDS: (Hierarchy.bands, "Widths of the bands", "5, 10, 20"),
        CODES: (Hierarchy.prefixes, "Numbers of first characters", "3, 1"),
    }[kind]

    def take(text: str) -> None:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        _take(s, name, lambda: make(*parts) if parts else None)

    st.text_input(label, placeholder=example, **bound(f"keys.hierarchy.{kind}.{name}", ", ".join(steps), take))


def _calendar(levels: list[str]) -> Hierarchy | None:
    return Hierarchy.calendar(*levels) if levels else None


def _groups(s: Session, name: str, column: Variable) -> None:
    """Ask which levels stand together, and then which groups."""
    now = s.review.hierarchies.get(name)
    own = set(column.missing_levels)
    if column.kind is Kind.NUMBER:
        own |= set(np.flatnonzero(s.now.study().is_missing_code(name)).tolist())
    levels = [level for i, level in enumerate(column.levels) if i not in own]
    if len(levels) > MOST:
        st.info(f"This key has {len(levels):,} levels; bring a table, or choose bands.", icon=":material/info:")
        return
    rows = now.rows if now is not None and now.kind == "table" else ()
    if rows and len(rows[0]) > 3:
        st.info("The table of this key has more than two levels of groups; change its file.", icon=":material/info:")
        return
    groups = list(dict.fromkeys(row[1] for row in rows))
    wider = bool(rows) and st.toggle("Groups of groups", key=f"keys.hierarchy.wider.{name}", persist_state="session")
    of_members, of_group = f"keys.hierarchy.members.{name}", f"keys.hierarchy.group.{name}"
    members = st.multiselect(
        "Groups to put together" if wider else "Levels to put together",
        groups if wider else levels,
        select_all=False,
        format_func=show.level,
        key=of_members,
        persist_state="session",
        wrap=True,
    )
    group = st.text_input(
        "Name of the group", placeholder="Empty: each stands alone", key=of_group, persist_state="session"
    )

    def put() -> None:
        _take(s, name, lambda: regrouped(now, levels, members, group or "", wider=wider))
        forget(of_members)
        forget(of_group)

    st.button(
        "Put together", key="keys.hierarchy.together", icon=":material/group_work:", disabled=not members, on_click=put
    )
    if rows:
        frame = pd.DataFrame(rows, columns=["level", "group", "wider"][: len(rows[0])])
        headings = {"level": "Level", "group": "Group", "wider": "Group of groups"}
        tables.table(frame, "Each level with its group", headings, rows=8)


def _table(s: Session, name: str) -> None:
    """Ask for a table in a file."""
    st.caption("A CSV file without a header, a row a level: the level, its group, the group of that group.")
    given = st.file_uploader("Table of levels", type=["csv", "txt", "tsv"], key=f"keys.hierarchy.file.{name}")
    allowance.say_left()

    def take() -> None:
        if given is not None:
            _take(s, name, lambda: Hierarchy.read(given.getvalue(), given.name))

    st.button("Use this table", key="keys.hierarchy.use", type="primary", disabled=given is None, on_click=take)
