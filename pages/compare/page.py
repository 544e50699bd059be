import streamlit as st

from pages.compare import methods, people_outside
from pages.shared import panes, show
from pages.shared.needed import needed
from pages.shared.session import bound, session

VIEWS = {"People outside": people_outside.people_outside, "Methods": methods.methods}

s = session()
needed(s, met=False)
asked, shown = panes.side_by_side("compare", 1, 4)


def look_at(name: str) -> None:
    s.compare_view = name


s.compare_view = s.compare_view or ("People outside" if s.now.data.has_holdout else "Methods")
with asked:
    st.radio("View", list(VIEWS), horizontal=True, **bound("compare.view", s.compare_view, look_at))
VIEWS[s.compare_view](s, asked, shown)
with asked:
    show.next_page("report", "download the report")
