"""One question: its parameters, its answer, figure and tables, and what leaves the page of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.data.typeset import LEVELS, to_latex, to_markdown
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.export.tables import to_csv
from disclosure_core.results import named
from disclosure_core.results.declared import NOT_RUN, Result
from pages.analyses import listed, population, widgets
from pages.shared import downloads, plots, scenarios, show, tables
from pages.shared.running import begins, running
from pages.shared.session import show_in

if TYPE_CHECKING:
    from disclosure_core.results import Kind
    from disclosure_core.results.table import Table
    from pages.shared.open_review import Session

FORMS: dict[str, Callable[..., bytes]] = {"tex": to_latex, "md": to_markdown}


def _one_table(s: Session) -> None:
    """Lead to each table cell by cell."""
    if st.button(
        "One table cell by cell", key="analyses.usefulness.one", type="tertiary", icon=":material/arrow_outward:"
    ):
        s.compare_view = "Methods"
        show_in("compare.part", "Usefulness")
        st.switch_page("compare/page.py")


ASKED: dict[str, Callable[[Session], None]] = {
    "population": population.ask_for_table,
    "scenarios": scenarios.ask_scenario,
    "usefulness": _one_table,
}
"""What a question asks for beside its parameters: a file, or names; or where it leads to."""


def show_question(s: Session, short: str) -> None:
    """Show one question with its answer."""
    kind = named(short)
    show.heard(s)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(kind.question, width="content")
        listed.in_report(s, kind)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        widgets.ask_parameters(s, kind)
        if short in ASKED:
            ASKED[short](s)
    for sentence in s.now.not_judged:
        st.caption(show.literal(sentence))
    found = evaluated(lambda: kind.status(s.now.printed))
    if found == NOT_RUN:
        found = _run(s, kind)
    if isinstance(found, NotEvaluated):
        why = show.literal(f"{found.why} {found.needs}".strip())
        st.info(f"**Not evaluated.** {why}", icon=listed.status(found)[0])
    elif found is not None:
        _answered(found, short)
    show.explained_as(short, kind.reads, kind.formula)


def _run(s: Session, kind: Kind) -> Any:
    """Offer to run what takes long, and show how far it is."""
    key = f"analyses.run.{kind.short}"
    if not begins("Run", key, ":material/play_arrow:", at_once=False, stopped="It was stopped; nothing of it is kept."):
        return None
    opened = s.now.printed
    return evaluated(
        lambda: running(f"{kind.title} …", key, lambda done, of: f"{done:,} of {of:,}", lambda p: kind.of(opened, p))
    )


def _answered(found: Result[Any], short: str) -> None:
    first, *others = found.sentences()
    with st.container(border=True):
        st.markdown(f"**{show.literal(first)}**" + "".join(f"  \n{show.literal(each)}" for each in others))
    plot, printed = found.figure(), [(table, frame) for table, frame in found.printed() if len(frame)]
    left, right = st.columns([6, 5], gap="medium") if plot is not None else (None, st.container())
    if left is not None and plot is not None:
        with left:
            plots.figure(plot, f"analyses.figure.{short}", 300)
    with right:
        for table, frame in printed:
            columns = {str(name): _column(table, str(name)) for name in frame.columns}
            if any(LEVELS in name for name in columns):
                tables.figures(frame, table.caption)
            else:
                tables.table(frame, table.caption, columns, rows=8)
            st.caption(show.literal(f"{table.caption}."))
        _leaves(found)


def _column(table: Table, name: str) -> Any:
    """Return how a column looks: its label, and its unit with what more is to be said of it."""
    column = table.column(name)
    label, more = column.label, ". ".join(filter(None, [column.unit, column.says]))
    if column.kind == "text" or name == "file":
        return st.column_config.TextColumn(label, help=more or None, pinned=name == "target")
    return (tables.records_column if column.kind == "whole" else tables.percent_column)(label, more or None)


def _leaves(found: Result[Any]) -> None:
    """Offer each table, in a popover: no file is made before its button is pressed."""
    with st.popover("Download tables", icon=":material/download:"):
        for name, frame in found.evaluated().items():
            table = next(each for each in found.tables if each.name == name)
            with st.container(horizontal=True):
                downloads.offer(f"{name} as CSV", f"{name}.csv", partial(to_csv, frame), version="internal")
                for ending, written in FORMS.items():
                    downloads.offer(
                        f".{ending}",
                        f"{name}.{ending}",
                        partial(written, frame, table.columns, table.caption),
                        version="internal",
                    )
