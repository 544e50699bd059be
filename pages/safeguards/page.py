import streamlit as st

from pages.safeguards import adopting, effect, least, steps, variants
from pages.shared import panes
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
needed(s)
result = s.now.assessment()
tried, moved = panes.side_by_side("safeguards", 2, 3)
with tried:
    with st.container():  # in a place of their own they move nothing: the button that was pressed keeps its focus
        adopting.adopted(s)
    made = steps.ask_steps(s, result)
    variants.ask(s)
    if made is not None:
        adopting.offer(s)
    least.lead(s)
with moved:
    if s.seeks_least:
        least.search(s)
    else:
        effect.shown(s, made)
