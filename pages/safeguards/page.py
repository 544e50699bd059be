import streamlit as st

from pages.safeguards import adopting, least, protecting, variants
from pages.shared import panes, show
from pages.shared.session import session

s = session()
study = show.needed(s, cells=True)
result = s.assessment()
tried, moved = panes.beside("safeguards", 2, 3)
with tried:
    adopting.adopted(s)
    variants.ask(s)
    made = protecting.asked(s, result)
    show.next_page("baseline", "what would be known anyway")
with moved:
    protecting.effect(s, result, made)
    if study.holds_records:
        least.search(s)
    else:
        st.caption("The least safeguard is not searched: it needs the records here, and these stay in their engine.")
