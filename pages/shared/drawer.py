"""The drawer on the right: how something is computed, and the glossary; a small sign at a heading opens it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.shared import documents


@st.fragment
def sign(name: str, *parts: str) -> None:
    """Show the sign that opens the drawer with an explanation; the page behind it is not computed again."""
    if st.button("More", key=f"formula.{name}", type="tertiary", help="What it means, and how it is computed"):
        _drawer(parts)


@st.dialog("What it means, and how it is computed", position="right", width="medium")
def _drawer(parts: Sequence[str]) -> None:
    for part in parts:
        st.markdown(part)
    st.subheader("Glossary")
    glossary("drawer.find")


def glossary(key: str) -> None:
    """Show the words of the glossary that hold what is asked for."""
    asked = st.text_input(
        "Find a word", placeholder="For instance: unique, key, DiSCO", key=key, persist_state="session"
    ).casefold()
    words = [(word, meaning) for word, meaning in documents.terms() if asked in f"{word} {meaning}".casefold()]
    if words:
        st.markdown("\n".join(["| word | what it means |", "|---|---|", *(f"| **{w}** | {m} |" for w, m in words)]))
    else:
        st.info("No word of the glossary says that; try a part of it.", icon=":material/search_off:")
