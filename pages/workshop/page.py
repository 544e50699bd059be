import streamlit as st

from disclosure_core.export import demonstration
from disclosure_core.export.archive import archive
from pages.shared import downloads, show
from pages.workshop import sheets

show.heading(
    "Workshop",
    "Forty-five minutes on the demonstration survey, for a class: tasks, their answers apart, and papers to print.",
)
st.markdown(sheets.student())

st.header("For teachers")
with st.expander("Plan, answers, and what to say", icon=":material/school:"):
    st.markdown(sheets.teacher())
st.caption(
    "`disclosure app --demo --share` lets a class in: it prints this machine's address and a code to scan, for the "
    "demonstration only. The papers are HTML files that need no network: to print, or, the slides, to show in a "
    "browser (Page Down leads on)."
)
with st.container(horizontal=True):
    downloads.offer(
        "Student sheet, answers, worksheet and slides", "workshop-papers.zip", lambda: archive(sheets.papers().items())
    )
    downloads.offer(
        "The demonstration survey as files", "survey.zip", lambda: archive(demonstration.files().items()), primary=True
    )
show.next_page("glossary", "the words of these pages")
