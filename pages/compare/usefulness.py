"""What the synthetic data are good for: every table of two columns, the worst by name, one looked into."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.errors import NotEvaluated
from disclosure_core.protection.table_cells import cells_of
from disclosure_core.results import TableUsefulness
from disclosure_core.rounding import fixed, visible
from pages.compare import compared
from pages.shared import plots, show, tables
from pages.shared.session import bound, shown_by

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from disclosure_core.protection.usefulness import Usefulness
    from pages.shared.open_review import Session

ALONE = "(this column alone)"


def of_tables(s: Session, asked: DeltaGenerator, shown: DeltaGenerator) -> None:
    """Show the usefulness of the set looked at."""
    with shown:
        result = compared.usefulness(s)
    with asked:
        show.explained_as("usefulness", TableUsefulness.reads, TableUsefulness.formula)
        if result is None:
            return
        found = result.found
        st.markdown(show.literal(" ".join(result.sentences())))
        if result.unmet:
            unmet = show.literal(", ".join(map(repr, result.unmet)))
            st.warning(
                f"The values of {unmet} do not meet: a table with such a column compares how values are written, so "
                "its usefulness is not judged.",
                icon=":material/block:",
            )
            st.page_link("data/page.py", label="Answer on the Data page", icon=":material/arrow_back:")
        _looked_into(s, found)
    with shown:
        plots.figure(result.figure(), "compare.heat", on_select=lambda: _click(s), selection_mode="points")
        st.caption("A click on a square looks into its table, on the left.")
        _worst(found)


def _click(s: Session) -> None:
    """Look into the table whose square was clicked."""
    pair = plots.clicked(shown_by("compare.heat"))
    if len(pair) == 2:
        s.table = (pair[0], "" if pair[0] == pair[1] else pair[1])


def _worst(found: Usefulness) -> None:
    st.header("The worst tables")
    tables.table(
        found.worst(12)[["first", "second", "S_pMSE", "min", "max", "MabsDD"]],
        "The tables with the largest S_pMSE",
        {
            "first": st.column_config.TextColumn("Column", pinned=True),
            "second": "By",
            "S_pMSE": tables.percent_column("S_pMSE", "Mean over the syntheses."),
            "min": tables.percent_column("Smallest"),
            "max": tables.percent_column("Largest"),
            "MabsDD": st.column_config.NumberColumn("MabsDD", format="%.3f", alignment="right"),
        },
        height="content",
    )


def _table_of(s: Session, found: Usefulness) -> tuple[str, str]:
    """Return the columns of the table looked into: those chosen, as far as they are there, or the worst table's."""
    if s.table is not None and s.table[0] in found.columns:
        first, other = s.table
        return first, other if other in found.columns and found.ways == 2 else ""
    worst = found.worst(1)
    if not len(worst):
        return found.columns[0], ""
    return str(worst["first"].iloc[0]), str(worst["second"].iloc[0] or "") if found.ways == 2 else ""


def _looked_into(s: Session, found: Usefulness) -> None:
    """Show one table cell by cell: original, synthetic, difference."""
    st.header("One table")
    names = list(found.columns)
    first, other = _table_of(s, found)
    others = ["", *(name for name in names if name != first)] if found.ways == 2 else [""]

    def take_first(name: str) -> None:
        s.table = (name, other if other != name else "")

    def take_second(name: str) -> None:
        s.table = (first, name)

    st.selectbox("Column", names, format_func=s.picked, **bound("compare.first", first, take_first))
    st.selectbox(
        "By", others, format_func=lambda n: s.picked(n) if n else ALONE, **bound("compare.second", other, take_second)
    )
    several = ["all together", *(str(i) for i in range(1, found.n_syntheses + 1))]
    which = st.selectbox("Synthesis", several, format_func=visible, key="compare.synthesis", persist_state="session")
    which = which or several[0]
    synthesis = several.index(which)
    figure = found.of(first, other, synthesis=synthesis)
    if isinstance(figure, NotEvaluated):
        st.info(show.literal(f"S_pMSE is not evaluated: {figure.why}"), icon=":material/info:")
    else:
        st.caption(f"S_pMSE of this table: {fixed(figure)}. Largest difference first; % of the records of each side.")
    cells = cells_of(s.now.study(), first, other, synthesis)
    tables.table(
        cells.drop(columns=["records_original", "records_synthetic"]),
        "The table cell by cell: original, synthetic and difference in % of the records",
        {
            "first": st.column_config.TextColumn(first, pinned=True),
            "second": st.column_config.TextColumn(other),
            "original": tables.percent_column("Original %"),
            "synthetic": tables.percent_column("Synthetic %"),
            "difference": st.column_config.NumberColumn(
                "Difference, percentage points", format="%+.2f", alignment="right"
            ),
        },
        height=330,
    )
