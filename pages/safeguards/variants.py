"""Variants: named chains of safeguards side by side with what each leaves and costs; one is taken, or none."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, nan
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core.errors import DisclosureError
from disclosure_core.results import usefulness
from disclosure_core.review import chains as core
from disclosure_core.review import tried
from disclosure_core.rounding import fixed
from pages.shared import show, tables
from pages.shared.running import begins, running
from pages.shared.session import bound

if TYPE_CHECKING:
    from disclosure_core.review.tried import Variant
    from disclosure_core.review.value import Review
    from pages.shared.open_review import Session

AT_ONCE = 20_000_000
"""Synthetic values, over all variants, up to which those are measured that nobody looked at yet: a few seconds."""
_OWN, _USEFUL = "Own answers shown in", "Mean S\\_pMSE"


def ask(s: Session) -> None:
    """Ask which chain is taken, where there are some, and show what each leaves and costs."""
    review = s.review
    if not review.chains:
        return
    st.header("Tried")
    names = [core.NONE, *(chain.name for chain in review.chains)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.radio(
            "Variant",
            names,
            horizontal=True,
            format_func=show.literal,
            label_visibility="collapsed",
            **bound(
                "safe.chain",
                review.chain or core.NONE,
                lambda name: s.change(core.with_chain(s.review, "" if name == core.NONE else name)),
            ),
        )
        with st.popover("Variant", type="tertiary", icon=":material/more_horiz:", key="safe.variant"):
            _change(s)
    _table(s, names)


def _change(s: Session) -> None:
    """Offer a new variant, and for the one that is taken a name, a copy and its removal."""
    if s.review.chain:
        st.text_input(
            "Name",
            **bound("safe.name", s.review.chain, lambda name: s.change(core.renamed(s.review, name.strip()))),
        )
    _button(s, "New variant, empty", "safe.empty", lambda now: core.added(now, core.free_name(now), empty=True))
    if s.review.chain:
        _button(s, "Copy this one", "safe.another", lambda now: core.added(now, core.free_name(now)))
        _button(s, "Remove this one", "safe.remove", core.removed)


def _button(s: Session, label: str, key: str, change: Callable[[Review], Review]) -> None:
    def press() -> None:
        with s.telling():
            s.change(change(s.review))

    st.button(label, key=key, on_click=press)


def _table(s: Session, names: list[str]) -> None:
    """Show a row a variant; of data in millions of values, those alone that were looked at."""
    rows = [(name, _measured(s, _chain(name), len(names))) for name in names]
    useful = _useful(s, names)
    taken = s.review.chain or core.NONE
    frame = pd.DataFrame([_cells(name, found, useful.get(name), bold=name == taken) for name, found in rows])
    lacking = [] if any(found and found.own is not None for _, found in rows) else [_OWN]
    lacking += [] if useful else [_USEFUL]
    st.table(
        frame.drop(columns=lacking),
        border="horizontal",
        hide_index=True,
        alt="Each variant: what it leaves disclosed, and what it costs",
    )
    if any(found is None for _, found in rows):
        st.caption("Choose a variant to have it measured.")


def _cells(name: str, found: Variant | None, useful: float | None, *, bold: bool) -> dict[str, str]:
    """Return a row in words, the one that is taken heavier; a figure that is not known is a dash."""
    of = found or tried.Variant(name)
    cells = {
        "Variant": show.literal("as it stands" if name == core.NONE else name),
        "Largest DiSCO, %": _figure(of.largest, 1),
        _OWN: tables.NONE if of.own is None else f"{of.own:,}",
        "repU, %": _figure(of.repu, 1),
        "Detail lost, %": _figure(of.detail, 1),
        "Records less, %": _figure(of.removed, 1),
        _USEFUL: _figure(nan if useful is None else useful, 2),
    }
    return {head: f"**{cell}**" if bold else cell for head, cell in cells.items()}


def _figure(value: float, digits: int) -> str:
    return tables.NONE if isnan(value) else fixed(value, digits)


def _measured(s: Session, chain: str, n: int) -> Variant | None:
    """Return the row of a variant; None where it cannot be done, or would take long and nobody looked at it."""
    study = s.now.study()
    quick = study.holds_records and sum(study.n_synthetic) * len(study.columns) * n <= AT_ONCE
    try:
        return tried.variant(s.now, chain, kept=not quick and chain not in ("", s.review.chain))
    except DisclosureError:  # its steps do not fit the data any more: it is said where it is taken
        return tried.Variant(chain)


def _useful(s: Session, names: list[str]) -> dict[str, float]:
    """Return the mean S_pMSE of each variant: at once where that is quick, else of the one taken, once asked for."""
    if usefulness.is_quick(s.now.study(), len(names)):
        return _of_each(s, names, kept=False)
    found, now = _of_each(s, names, kept=True), [core.NONE, *([s.review.chain] if s.review.chain else [])]
    if not set(now) <= set(found) and begins(
        "Measure usefulness",
        "safe.useful",
        ":material/balance:",
        at_once=False,
        stopped="Usefulness was stopped.",
        before="Every table of two columns, twice over: this may take a while.",
    ):
        running(
            "Counting the tables",
            "safe.useful",
            lambda done, of: f"Counting the tables: {100 * done // max(of, 1)} %",
            lambda told: [tried.mean_usefulness(s.now, _chain(name), told) for name in now],
        )
        return _of_each(s, names, kept=True)
    return found


def _of_each(s: Session, names: list[str], *, kept: bool) -> dict[str, float]:
    found = {}
    for name in names:
        try:
            mean = tried.mean_usefulness(s.now, _chain(name), kept=kept)
        except DisclosureError:  # its steps do not fit the data any more
            continue
        if mean is not None:
            found[name] = mean
    return found


def _chain(name: str) -> str:
    return "" if name == core.NONE else name
