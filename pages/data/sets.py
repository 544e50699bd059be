"""Files of several methods: which belong together, as their names suggest or as the visitor says."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.review.parts import SYNTHETIC
from disclosure_core.review.sets import grouped, sentence, suggested
from pages.shared import show

MOST = 40
"""Files that are named one by one; more are grouped as their names suggest."""


def ask(names: Sequence[str]) -> dict[str, list[int]] | None:
    """Return, by the name of a set, the places of its files; None where what was written cannot be.

    One set, as long as nobody says that there are several.
    """
    if len(names) < 2:
        return {SYNTHETIC: list(range(len(names)))}
    found = suggested(names)
    several = st.toggle(
        "These files are of several methods, to be compared",
        key="upload.several",
        persist_state="session",
        help="Each method, or each setting of one, is a set of syntheses. Figures are of one set; the page Compare "
        "shows all side by side.",
    )
    if not several:
        if len(set(found)) > 1:
            listed = ", ".join(dict.fromkeys(found))
            st.caption(show.literal(f"Their names speak of {len(set(found))} sets ({listed})."))
        return {SYNTHETIC: list(range(len(names)))}
    if len(names) <= MOST:
        found = tuple(
            st.text_input(f"Set of {show.literal(name)}", value, key=f"upload.set.{name}.{i}", persist_state="session")
            for i, (name, value) in enumerate(zip(names, found, strict=True))
        )
    try:
        sets = grouped(found)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return None
    st.caption(show.literal(f"{sentence(sets)}. Figures are those of the first until you choose another."))
    return sets
