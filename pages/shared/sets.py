"""Which set of syntheses the pages speak of: asked where its figures are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.session import Session


def looked_at(s: Session, place: str, **how: Any) -> None:
    """Ask which set all pages speak of, where there are several; `place` keeps the widgets of two pages apart."""
    names = [each.name for each in s.review.sets]
    if how.get("label_visibility") == "collapsed":
        how["format_func"] = "Set: {}".format
    if len(names) > 1:
        st.selectbox(
            "Synthesis set on all pages", names, help="Every page, the report and all files follow.", **how,
            **bound(f"{place}.set", s.now.first_set, lambda name: s.update(synthesis_set=name)),
        )  # fmt: skip
