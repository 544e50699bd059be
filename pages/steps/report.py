import streamlit as st

from pages.parts import outputs, printing, show
from pages.parts.session import session

s = session()
show.heading(
    "Report", "Take it out: a report for a release panel, figures for print, tables, and scripts that repeat it."
)
study = show.needed(s, keys=False)
if not s.settings.keys:
    outputs.saved_before(s, study, "report")
    show.needed(s)
result = s.assessment()
show.under_review(s, result)

st.header("The report")
st.caption(
    "A PDF of a few pages, typeset and accessible, or one HTML file: what was assessed, the keys and why, the figures, "
    "what was flagged and left out, what was not evaluated, definitions, and a sign-off."
)
outputs.report(s, study, result)

st.header("Figures for print")
st.caption("Exact to the millimetre, with fonts embedded; made without a browser and without internet.")
printing.figures(s, study, result)

st.header("Tables")
outputs.tables(s, study, result)

st.header("Settings and scripts")
st.caption(
    "Settings, scenarios and reasons in one file bring a review back later; the scripts repeat it in Python, and in R "
    "with synthpop."
)
outputs.scripts_and_settings(s, study)
