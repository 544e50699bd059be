"""What acts on every target: missing keys, the denominator limit, when checks raise their flags."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.counting.settings import Exclusions
from disclosure_core.parameters import declared
from disclosure_core.rounding import visible
from pages.review import reasoning
from pages.review.card import change
from pages.shared import pickers, show
from pages.shared.numbers import number
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def ask(s: Session) -> None:
    """Ask what acts on every target: missing keys, the denominator limit, when checks raise their flags."""
    st.header("**Every target**", divider="gray", anchor=False)
    out = s.settings.exclusions
    columns = s.now.study().columns
    holding = [k for k in columns if k in s.settings.keys and (k in out.missing_keys or columns[k].has_missing)]
    if holding:
        st.multiselect(
            "Exclude missing values of keys",
            holding,
            select_all=False,
            format_func=visible,
            placeholder="None",
            help="Of every target, and of the identity figures.",
            **bound(
                "review.missing_keys",
                sorted(out.missing_keys),
                lambda names: change(s, replace(s.settings.exclusions, missing_keys=frozenset(names))),
            ),
        )
    else:
        st.caption("No key has missing values.")
    if out.missing_keys:
        reasoning.ask(s, "missing keys")
        reasoning.more(s, "missing keys")
    st.number_input(
        **number(declared(Exclusions, "denominator_limit")),
        value=None,
        placeholder="No limit",
        help="Cells that count more records than this are excluded, of every target.",
        **bound(
            "review.limit",
            out.denominator_limit,
            lambda n: change(s, replace(s.settings.exclusions, denominator_limit=None if n is None else int(n))),
        ),
    )
    if out.denominator_limit is not None:
        reasoning.ask(s, "denominators")
        reasoning.more(s, "denominators")
    when = st.expander("When a check raises its flag", icon=":material/flag:", key="review.flags", on_change="rerun")
    if when.open:
        with when:
            show.explained_by("flags")
            pickers.thresholds(s)
