"""The comparison: made at once where that is quick, else asked for, shown as it runs, and stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.results import TableUsefulness
from disclosure_core.results.usefulness import is_quick
from pages.shared import show
from pages.shared.running import Found, begins, running
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.comparison.comparison import Comparison
    from pages.shared.open_review import Session


def comparison(s: Session) -> Comparison | None:
    """Return the comparison, or say why there is none; where it would take long, offer it. Leaving the page ends it."""
    many = len(s.review.sets) + len(s.review.chains) + 2 * len(s.review.samples)
    if not s.now.is_compared() and not _goes_on(s, "Compare the sets", "compare.start", many):
        return None
    found = _run("Counting the tables of every set", "compare.start", s.now.comparison)
    show.list_left_out((*found.left_out, *found.not_evaluated.values()))
    for doubt in found.doubts:
        st.warning(show.literal(doubt), icon=":material/warning:")
    if len(found.names) < 2:
        st.info(
            "One set alone is left: bring another on the Data page, or mend the safeguards.", icon=":material/info:"
        )
        return None
    return found


def in_report(s: Session) -> None:
    """Ask whether the report and all files are to hold the comparison."""

    def switch(on: bool) -> None:
        others = s.review.searched - {"comparison"}
        s.update(searched=others | {"comparison"} if on else others)

    st.toggle(
        "In the report and in all files",
        help="The report gets a section on sets and safeguards side by side, workbook and JSON its tables.",
        **bound("compare.in_report", "comparison" in s.review.searched, switch),
    )


def usefulness(s: Session) -> TableUsefulness | None:
    """Return the usefulness of the set looked at, in the same way."""
    if not s.now.usefulness_is_kept() and not _goes_on(s, "Measure every table", "compare.measure", 1):
        return None
    found = _run("Counting the tables", "compare.measure", lambda progress: TableUsefulness.of(s.now, progress))
    assert isinstance(found, TableUsefulness)  # it lacks nothing, ever
    return found


def _goes_on(s: Session, label: str, key: str, times: int) -> bool:
    """Return whether to go on: at once where it is quick and was not stopped, else when the button is pressed."""
    study = s.now.study()
    n = len(study.columns)
    records = study.n_original + sum(study.n_synthetic)
    over = f", {times:,} times over" if times > 1 else ""
    what = f"{n * (n + 1) // 2:,} tables of {records:,} records{over}"
    return begins(
        label,
        key,
        ":material/balance:",
        at_once=is_quick(study, times),
        stopped=f"Stopped: {what}.",
        before=f"{what}: this may take a while.",
    )


def _run(label: str, key: str, work: Callable[[Callable[[int, int], None]], Found]) -> Found:
    return running(label, key, lambda done, of: f"{label}: {100 * done // max(of, 1)} %", work)
