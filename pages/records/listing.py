"""Lists of records, masked until the officer asks for their values; and the look-up of an intruder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from disclosure_core.engines.sources import MOST_ROWS
from disclosure_core.export.tables import to_csv, to_parquet
from disclosure_core.records import listing
from disclosure_core.records import look_up as looking_up
from disclosure_core.records.of_any_study import at_risk_of, matching_in_engine, replicated_of
from disclosure_core.rounding import fixed, quantity, visible
from pages.shared import downloads, pickers, running, show, tables
from pages.shared.session import bound

if TYPE_CHECKING:
    import pandas as pd
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core import Assessment
    from disclosure_core.counting.cells import Counted
    from disclosure_core.data.column import Variable
    from disclosure_core.records.at_risk import AtRisk
    from pages.shared.open_review import Session

PAGE = 200
"""Rows on screen at a time; of data in an engine, `MOST_ROWS`."""

MASK = "•••"
UNKNOWN = "not known"
ANY = "any"


def at_risk(s: Session, result: Assessment, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """List the original records that DiSCO counts for one target and synthesis."""
    with asked:
        name, i = pickers.target_and_synthesis(s, result)
        counted = result.targets[name].counted[i]
        everything = at_risk_of(result.tables.study, counted)
        found, order = _ordered(_narrowed(s, everything))
        _unmask(s)
    with shown:
        st.markdown(
            f"**{len(found):,}** of {len(everything):,} records at risk, of {result.n_original:,} in the original."
            if len(found) < len(everything)
            else f"**{len(found):,}** records at risk, of {result.n_original:,} in the original."
        )
    if len(found):
        _listed(s, found, name, i, order, asked, shown)
    else:
        shown.info(_why_none(everything, counted))
    with asked:
        show.explained_by("records")


def _listed(
    s: Session,
    found: AtRisk,
    name: str,
    i: int,
    order: tuple[str, bool],
    asked: DeltaGenerator,
    shown: DeltaGenerator,
) -> None:
    """Show a page of the list, and beside it everybody with the keys of the record that was ticked."""
    with asked:
        first = _page(s, len(found), "records.page")
    with shown:
        of = (found.counted, i, tuple(s.narrowed.items()), order, first)
        rows = _rows(s, of, lambda n: found.frame(first, n))
    if rows is None:
        return
    names = list(rows.columns[1 : 2 + len(found.counted.cells.keys.keys)])
    with shown:
        event = tables.table(
            _masked(s, rows, names),
            f"Records of the original whose {name} the synthetic data disclose",
            {
                "record": tables.records_column("Record", "Its number in the original file, from 1.", 80),
                rows.columns[-3]: tables.records_column(
                    "Cell size, original", "Original records with these keys and answer."
                ),
                rows.columns[-2]: tables.records_column("Cell size, synthetic", "Synthetic records that say so."),
                rows.columns[-1]: st.column_config.CheckboxColumn(
                    "Also disclosed by the original", help="Disclosive in the original too."
                ),
                **tables.labelled(s, names),
            },
            key=f"records.table.{name}.{i}.{first}",
            on_select="rerun",
            selection_mode="single-row",
            height=400,
        )
        _download(found, name, i)
    with asked:
        if event.selection.rows:
            _cell(s, found, rows.iloc[int(event.selection.rows[0])])
        else:
            st.caption("Tick a row to see everybody with the same keys, by target level.")


def _rows(s: Session, of: tuple[object, ...], read: Callable[[int], pd.DataFrame]) -> pd.DataFrame | None:
    """Return a page of a list; of data in an engine it is asked for, may be stopped, and stays while it is looked at.

    Parameters
    ----------
    of
        What the rows are of: others are read where it changes.
    read
        Returns so many rows at most.
    """
    if s.now.study().holds_records:
        return read(PAGE)
    if s.rows is not None and s.rows[0] == of:
        return s.rows[1]
    key = "records.read"
    if not running.begins(
        "Read these records", key, ":material/table_rows:", at_once=True, stopped="Stopped: no record was read."
    ):
        return None
    label = "Reading records from the engine …"
    rows = running.running(label, key, lambda *_: label, lambda _: read(MOST_ROWS))
    s.rows = (of, rows)
    return rows


def _narrowed(s: Session, found: AtRisk) -> AtRisk:
    """Ask for levels of the keys and the target, and return the records that have them."""
    cells = found.counted.cells
    columns = {column.name: column for column in (*cells.keys.keys, cells.column)}
    s.narrowed = {n: level for n, level in s.narrowed.items() if n in columns and level in columns[n].labels}
    with st.expander("Narrow the list", expanded=bool(s.narrowed), icon=":material/filter_alt:"):
        for place, (name, column) in zip(show.tiles(len(columns)), columns.items(), strict=True):

            def take(level: str, name: str = name) -> None:
                if level == ANY:
                    s.narrowed.pop(name, None)
                else:
                    s.narrowed[name] = level

            options = [ANY, *(level for level in column.labels if level != ANY)]
            place.selectbox(
                show.literal(s.named(name)),
                options,
                format_func=show.level,
                **bound(f"records.narrow.{name}", s.narrowed.get(name, ANY), take),
            )
    return found.where(s.narrowed)


def _ordered(found: AtRisk) -> tuple[AtRisk, tuple[str, bool]]:
    """Ask for an order, and return it, too; it is made over all records, not over those on screen."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.selectbox("Order by", found.columns, format_func=visible, key="records.by", persist_state="session")
        down = st.toggle("Largest first", key="records.down", persist_state="session")
    order = by or found.columns[0], down
    return found.ordered(order[0], descending=down), order


def _unmask(s: Session) -> None:
    def take(on: bool) -> None:
        s.unmasked = on

    st.toggle(
        "Show values of records",
        wrap=True,
        help="Confidential values appear on the screen. They stay hidden until you ask, on every page.",
        **bound("records.unmasked", s.unmasked, take),
    )


def _masked(s: Session, rows: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return the rows with the values of these columns hidden, unless the officer asked for them."""
    return rows.astype(dict.fromkeys(names, "str")) if s.unmasked else rows.assign(**dict.fromkeys(names, MASK))


def _page(s: Session, n: int, key: str) -> int:
    """Ask for a page of a long list; return its first row."""
    size = PAGE if s.now.study().holds_records else MOST_ROWS
    pages = -(-n // size)
    if pages < 2:
        return 0
    page = st.number_input(f"Page, of {pages:,}", 1, pages, 1, key=f"{key}.{pages}", persist_state="session", width=160)
    return (int(page) - 1) * size


def _why_none(everything: AtRisk, counted: Counted) -> str:
    """Say why no record is listed, and what to do about it if something can be done."""
    if len(everything):
        return "No record at risk has these levels: choose others above."
    if counted.everything:
        return "DiSCO counts no record of this target."
    return "DiSCO counts no record of this target after exclusions: see the Review page."


def _cell(s: Session, found: AtRisk, row: pd.Series[Any]) -> None:
    """Show everybody with the same keys as the record of one row: original and synthetic records by target level."""
    cells = found.counted.cells
    known = dict(zip((key.name for key in cells.keys.keys), map(str, row.iloc[1:]), strict=False))
    answer = looking_up.look_up(cells, known)
    keys = ", ".join(f"{name} = {level}" for name, level in known.items()) if s.unmasked else "the same keys"
    st.markdown(f"Everybody with {show.literal(keys)}, as record {row.iloc[0]:,}:")
    _levels(s, answer.levels, cells.column.name, truth=True)


def _levels(s: Session, levels: pd.DataFrame, target: str, *, truth: bool, hide: bool = True) -> None:
    tables.table(
        _masked(s, levels, ["level"]) if hide else levels,
        f"Records by level of {target}, original and synthetic",
        {
            "level": st.column_config.TextColumn(
                target, help=s.labels.get(target)
            ),  # a heading of a table is no Markdown
            "original": tables.records_column("Original records") if truth else None,
            "synthetic": tables.records_column("Synthetic records"),
        },
    )


def _download(found: AtRisk, name: str, i: int) -> None:
    if found.study is not None:
        st.caption(_IN_PAGES)
        return
    people = quantity(len(found), "person", "people")
    st.caption(
        f"The file holds the keys and the true {show.literal(name)} of {people}: as confidential as the original."
    )
    with st.container(horizontal=True):
        file = f"records_at_risk_{i + 1}-confidential"
        downloads.offer("These records as CSV", f"{file}.csv", lambda: to_csv(found.frame()))
        downloads.offer("These records as Parquet", f"{file}.parquet", lambda: to_parquet(found.frame()))


_IN_PAGES = f"The engine is asked for {MOST_ROWS} records at a time; the list is not offered as a file."


def look_up(s: Session, result: Assessment, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Do what an intruder does: choose what is known, and see what the synthetic data say."""
    with asked:
        name, i = pickers.target_and_synthesis(s, result)
        st.markdown("What is known of the person:")
        keys = result.keys.keys
        known = {}
        for place, key in zip(show.tiles(len(keys)), keys, strict=True):
            level = _known(s, place, key)
            if level is not None:
                known[key.name] = level
        truth = st.toggle(
            "Show whether it is true",
            key="records.truth",
            persist_state="session",
            wrap=True,
            help="Only the office can know: an intruder cannot.",
        )
        show.explained_by("lookup")
    found = looking_up.look_up(result.targets[name].counted[i].cells, known)
    with shown:
        _answered(found, name, truth=truth)
        _levels(
            s, found.levels if truth else found.levels[found.levels["synthetic"] > 0], name, truth=truth, hide=False
        )
        _matching(s, result, name, i, known)


def _answered(found: looking_up.Answer, name: str, *, truth: bool) -> None:
    """Say whether the matching synthetic records give one answer."""
    if not found.n_synthetic:
        st.info(f"No synthetic record matches: an intruder learns nothing of {show.literal(name)}.")
    elif found.answer is None:
        n = int((found.levels["synthetic"] > 0).sum())
        st.info(f"{found.n_synthetic:,} synthetic records match and give {n} different answers: nothing is certain.")
    else:
        n = found.n_synthetic
        who = "says the one" if n == 1 else f"say all {n:,}"
        said = (
            f"One answer: {show.literal(name)} is **{show.literal(found.answer)}**, {who} matching synthetic "
            f"record{'s' * (n != 1)}."
        )
        if truth:
            said += f" True of {found.n_right:,} of the {found.n_original:,} people with these keys."
        st.warning(said, icon=":material/person_search:")


def _matching(s: Session, result: Assessment, name: str, i: int, known: dict[str, str]) -> None:
    """List the synthetic records that match: every column, of data in an engine the keys and the target."""
    study, cells = result.tables.study, result.targets[name].counted[i].cells
    matched = (
        looking_up.matching(result.keys, i, known)
        if study.holds_records
        else matching_in_engine(result.tables, name, i, known)
    )
    n = len(matched)
    if n:
        first = _page(s, n, "records.matching_page")

        def read(n_rows: int) -> pd.DataFrame:
            if isinstance(matched, np.ndarray):
                return listing.listed_records(study, i, matched[first : first + n_rows])
            return matched.frame(first, n_rows)

        frame = _rows(s, (cells, tuple(known.items()), first), read)
        if frame is None:
            return
        part = f", {first + 1:,} to {first + len(frame):,} of {n:,}" if len(frame) < n else ""
        st.markdown(f"The matching synthetic records{part}:")
        tables.table(
            frame.astype(dict.fromkeys(frame.columns[1:], "str")),
            "The synthetic records that match",
            tables.labelled(s, frame.columns[1:]),
            height=300,
        )


def _known(s: Session, place: Any, key: Variable) -> str | None:
    options = [UNKNOWN, *key.labels]
    at = place.selectbox(
        show.literal(s.named(key.name)),
        range(len(options)),
        format_func=lambda i: visible(options[i]),
        key=f"records.known.{key.name}",
        persist_state="session",
    )
    return options[at] if at else None


def replicated_uniques(s: Session, result: Assessment, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """List the replicated uniques, and say for each target how many of them also disclose the right value."""
    with asked:
        i = pickers.synthesis(s, len(result.n_synthetic), mean=False)
        found = replicated_of(result.tables, i, s.settings.exclusions.missing_keys)
        st.markdown(f"**{len(found):,}** replicated uniques: repU {fixed(100 * len(found) / result.n_original)} %.")
        if not len(found):
            st.info("No original record that is unique on the keys matches exactly one synthetic record.")
            show.explained_by("replicated")
            return
        by_target = found.by_target()
        names = by_target["target"].tolist()
        target = (
            st.selectbox("With the value of", names, key="records.with", persist_state="session", format_func=s.picked)
            or names[0]
        )
        _unmask(s)
        first = _page(s, len(found), "records.replicated_page")
        tables.table(
            by_target,
            "For each target, the replicated uniques whose synthetic record also has the right value",
            {
                "target": st.column_config.TextColumn("Target", pinned=True),
                "right": tables.records_column("Value right", "The synthetic record has the person's own level."),
                "pct": tables.percent_column("Of them %", "Of all replicated uniques."),
            },
            rows=10,
        )
        show.explained_by("replicated")
    with shown:
        rows = _rows(s, (found.tables, i, target, len(found), first), lambda n: found.frame(target, first, n))
        if rows is None:
            return
        keys = rows.columns[2:-1]
        tables.table(
            _masked(s, rows, list(keys)),
            "Replicated uniques: their records in both files, their keys, and whether the target's value is right",
            {
                rows.columns[0]: tables.records_column("Original record", "Its number in the file, from 1.", 118),
                rows.columns[1]: tables.records_column("Synthetic record", "Its number in the file, from 1.", 126),
                "right": st.column_config.CheckboxColumn("Value right", width=96),
                **tables.labelled(s, keys),
            },
            height=400,
        )
        if found.study is not None:
            st.caption(_IN_PAGES)
            return
        st.caption(
            f"The file holds the keys of {quantity(len(found), 'person', 'people')} unique on them, and values: as "
            "confidential as the original."
        )
        every = partial(found.frame, target)
        with st.container(horizontal=True):
            downloads.offer("This list as CSV", f"replicated_uniques_{i + 1}-confidential.csv", lambda: to_csv(every()))
            downloads.offer(
                "This list as Parquet", f"replicated_uniques_{i + 1}-confidential.parquet", lambda: to_parquet(every())
            )
