"""A codebook that decides labels and missing codes for all files alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.data.codebook import ENDINGS, read_codebook
from disclosure_core.review.codebooks import with_codebook, without_codebook
from pages.server import configuration
from pages.shared import show

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def ask(s: Session) -> None:
    """Ask for a codebook, and say which one rules."""
    if s.review.source != "files":
        return
    rules = s.review.columns.codebook
    of_all = (
        "A codebook" if rules is None else f"A codebook: {show.literal(rules.name)} counts before what the files say"
    )
    came_with = dict(s.came_with) if rules is None else {}
    with st.expander(of_all, bool(came_with), icon=":material/menu_book:"):
        st.caption(
            "What the columns of all files hold: labels of codes, and which codes are no answer. It counts before what "
            "the files say. A table with the columns column, value, label and missing; a DDI codebook; a Frictionless "
            "data package; metadata of SDV; a SAS catalogue; or the file of SPSS, Stata, SAS or R that has the labels."
        )
        if rules is not None:

            def without() -> None:
                s.update(columns=without_codebook(s.review.columns))

            st.button("Do without it", key="data.no_codebook", on_click=without)

        def take(name: str, data: bytes) -> None:
            with s.telling():
                s.change(with_codebook(s.now, read_codebook(data, name, configuration.limits())))

        for i, (name, data) in enumerate(came_with.items()):
            st.button(
                f"Use {show.literal(name)}, which came with the data",
                key=f"data.came_with_{i}",
                type="primary",
                on_click=take,
                args=(name, data),
            )
        given = st.file_uploader("Codebook", type=list(ENDINGS), key="data.codebook")

        def take_given() -> None:
            if given is not None:
                take(given.name, given.getvalue())

        st.button("Use this codebook", key="data.use_codebook", disabled=given is None, on_click=take_given)
