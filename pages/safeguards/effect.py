"""What safeguards change, target by target, and the safer files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.conclusions import headline
from disclosure_core.counting.registry import IDENTITY
from disclosure_core.errors import DisclosureError
from disclosure_core.figures import safeguards
from disclosure_core.protection.detail import FAILINGS
from disclosure_core.review import tried
from pages.server import configuration
from pages.shared import downloads, plots, show, tables

if TYPE_CHECKING:
    from disclosure_core import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.safeguards import Protected
    from disclosure_core.review.tried import State
    from pages.shared.open_review import Session

AT_ONCE = 1_000_000
"""Synthetic values up to which the safer files are made in a second or two."""


def shown(s: Session, made: Protected | ProtectedThere | None) -> None:
    """Show what the safeguards that are taken change, or those that were adopted, and offer the safer files."""
    if made is None and s.review.steps:
        return  # it is said beside why they cannot be done
    try:
        found = tried.before_and_after(s.now)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return
    if found is None:
        st.info("No safeguard is tried: add a step, and see here what it would change.", icon=":material/shield:")
        return
    before, after = found
    plot = safeguards.describe(before, after)
    show.finding(
        headline.of_safeguards(
            [(row.target, row.before, row.after) for row in plot.rows],
            (float(before.assessment.identity["repU"].mean()), float(after.assessment.identity["repU"].mean())),
            (before.own, after.own),
        )
    )
    with st.container(key="wide-figure"):
        plots.figure(plot, "safe.effect")
    st.caption(plot.caption)
    if s.now.not_judged:
        st.caption("Exclusions without a reason take nothing from these figures.")
    with st.expander("All figures as a table", key="safe.table"):
        _table(before, after)
    if made is not None:
        st.caption(show.literal(f"{made.detail.sentence} {FAILINGS}"))
    _take_away(s)
    st.page_link("compare/page.py", label="Compare with other sets", icon=":material/arrow_forward:")


def _table(before: State, after: State) -> None:
    """Show identity and attribute figures before and after."""
    was, now = before.assessment, after.assessment
    rows = [(name, was.identity[name].mean(), now.identity[name].mean()) for name in IDENTITY]
    names = [name for name in was.summary()["target"].tolist()[::-1] if name in now.targets]
    for measure in ("DiSCO", "Dorig"):
        rows += [(f"{measure} of {name}", *_pair(was, now, name, measure)) for name in names]
    frame = pd.DataFrame(rows, columns=["what", "before", "after"])
    tables.table(
        frame,
        "Identity measures, and DiSCO and Dorig of each target, before and after the safeguards",
        {
            "what": st.column_config.TextColumn("Measure", pinned=True),
            "before": tables.percent_column("Before %"),
            "after": tables.percent_column("After %"),
        },
        rows=14,
    )
    st.caption("% of the original records (UiS: of the synthetic ones), means over the syntheses.")


def _pair(was: Assessment, now: Assessment, target: str, measure: str) -> tuple[float, float]:
    return float(was.targets[target].figures(measure).mean()), float(now.targets[target].figures(measure).mean())


def _take_away(s: Session) -> None:
    """Offer the safer syntheses in the format they came in, with the log of what was done."""
    from disclosure_core.export.archive import archive
    from disclosure_core.review import safer

    st.header("The safer files")
    if not s.now.study().holds_records:
        st.caption(
            "Not offered here: the data stay in their engine, which writes the safer tables where `disclosure protect "
            "--engine` asks for them with the same safeguards."
        )
        return
    formats = sorted({r.format for r in s.readings[1:]}) or ["Parquet"]
    st.caption(
        f"One zip: the safer syntheses as {', '.join(formats)}, and a log of what was done and of what a format cannot "
        "hold. What no safeguard touched is as it came. The original is not in it. "
        "Bring them back on the Data page to assess what will be released."
    )

    def zipped(progress: Progress | None) -> bytes:
        return archive(safer.files(s.now, configuration.limits(), progress).items())

    study = s.now.study()
    row, below = st.container(), st.container()
    with row:
        downloads.make(
            "The safer syntheses and the log",
            "safer_syntheses.zip",
            zipped,
            "synthesis",
            below,
            quick=sum(study.n_synthetic) * len(study.columns) <= AT_ONCE,
        )
