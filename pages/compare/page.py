import streamlit as st

from pages.compare import mapping, tables, usefulness
from pages.shared import sets, show
from pages.shared.session import session

s = session()
show.heading("Compare", "Sets of syntheses, and safeguards, side by side: disclosure against usefulness.")
show.needed(s)
views = {"Usefulness": usefulness.of_tables}
if s.now.compares_several:
    views = {"Map": mapping.of_sets, "Side by side": tables.side_by_side, **views}
left, right = st.columns([2, 1], vertical_alignment="bottom")
with right:
    sets.looked_at(s, "compare")
with left:
    shown = show.view(views, "compare.view")
shown(s)
show.next_page("report", "take it out")
