import streamlit as st

from disclosure_core.figures import describe, screen
from pages.parts import pickers, show
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
measure = pickers.measure()
plot = describe.arrows(result, measure)
clicked = show.figure(
    screen.arrows(plot), plot.sentence, f"risk.plot.{measure}", on_select="rerun", selection_mode="points"
)
show.explained_by("attribute")
st.subheader("The figures")
row = show.summary(result, measure)

chosen = show.clicked_target(clicked) or row
if chosen:
    s.target = chosen
    show.forget_selection(measure)
    st.switch_page("pages/steps/review.py")
