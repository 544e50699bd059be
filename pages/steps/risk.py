import streamlit as st

from pages.parts import searching, show, sureness
from pages.parts.session import session

s = session()
show.heading("Risk", "What the synthetic data give away, beside what the original itself would.")
show.needed(s)
result = s.assessment()
show.under_review(s, result)

st.header("Identity: who stands out")
show.identity(result)
show.explained_by("identity")

st.header("Attributes: what can be learnt")
sureness.arrows(s, result)

st.header("Which keys matter")
searching.which_keys(s, result)

st.header("How sure a claim must be")
sureness.curves(s, result)
