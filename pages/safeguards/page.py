import streamlit as st

from pages.safeguards import adopting, least, protecting, variants
from pages.shared import panes, show
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
needed(s)
result = s.assessment()
tried, moved = panes.beside("safeguards", 2, 3)
with tried:
    with st.container():  # in a place of their own they move nothing: the button that was pressed keeps its focus
        adopting.adopted(s)
        variants.ask(s)
    made = protecting.asked(s, result)
    show.next_page("baseline", "compare with people outside")
with moved:
    protecting.effect(s, result, made)
    least.search(s)
